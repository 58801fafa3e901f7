//===- NestEmitter.cpp - The loops around the kernel ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parallel dimensions are one loop, the others loops in their order. An
// operand is packed inside of the last loop that changes what the kernel reads
// of it; a padded one is copied where a box of it stays in the second cache.
// Sums that go on in another call of the kernel are held in the result, or, if
// that has elements of another type, in a buffer for what the loops around them
// write: the loops inside of the outermost one over a sum.
//
//===----------------------------------------------------------------------===//

#include "DotEmitter.h"
#include "MatrixUnit.h"
#include "MicrokernelEmitter.h"
#include "PackEmitter.h"
#include "Stages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::to_vector;

namespace {

class NestEmitter {
public:
  NestEmitter(IndexBuilder &index, Nest &nest)
      : index(index), builder(index.builder), loc(index.loc), nest(nest) {
    // Inputs that pointwise ops compute are computed once, not for each tile.
    for (auto [i, input] : llvm::enumerate(nest.inputs))
      if (input.expression && !nest.sums.empty() &&
          !llvm::is_contained(nest.pack, int64_t(i)))
        nest.pack.push_back(i);
    nest.dotLanes = getDotLanes(nest);
    for (DimAttr dim : nest.dims) {
      numParallel += dim.getExec() == Execution::Parallel;
      numLoops += dim.getExec() != Execution::Prim;
    }
  }

  void emit() {
    SmallVector<Cursor> cursors;
    for (const Access &access : nest.accesses)
      cursors.push_back(getStart(access));
    emitLoops(0, std::move(cursors), Value(), Value());
  }

private:
  /// The loop inside of which input `input` is packed.
  unsigned getPackLevel(unsigned input) const {
    unsigned level = 0;
    for (unsigned dim = 0; dim < numLoops; ++dim)
      if (nest.dependsOn(nest.inputs[input], dim))
        level = dim + 1;
    return level == 0 ? 0 : std::max(level, numParallel);
  }

  void emitLoops(unsigned level, SmallVector<Cursor> cursors, Value isFirst,
                 Value isLast) {
    SmallVector<Value> buffers;
    if (level == numParallel && nest.isMatrix && needsScratch(nest)) {
      nest.scratch =
          allocate(index, nest, kMatrixRegisters * kMatrixRows * kMatrixLanes);
      if (nest.scratch.getDefiningOp<memref::AllocOp>())
        buffers.push_back(nest.scratch);
    }
    // One buffer for all iterations of a thread.
    if (level == numParallel) {
      for (const Stage &stage : nest.stages) {
        stageBuffers.push_back(allocateStage(index, stage));
        buffers.push_back(stageBuffers.back());
      }
      if (nest.border) {
        borderBuffer = allocateStage(index, nest.border->tile);
        buffers.push_back(borderBuffer);
      }
    }
    for (auto [number, stage] : llvm::enumerate(nest.stages))
      if (stage.level == level) {
        emitStage(index, nest, stage, stageBuffers[number], ivs);
        Access &access = nest.accesses[stage.access];
        access.buffer = flatten(index, stageBuffers[number]);
        access.strides = stage.strides;
      }
    for (int64_t input : nest.pack)
      if (getPackLevel(input) == level)
        if (auto panelDim = getPanelDim(nest, nest.inputs[input])) {
          Access panels =
              nest.isMatrix
                  ? allocateMatrixPanels(index, nest, input, *panelDim)
                  : allocatePanels(index, nest, *panelDim);
          auto emit = nest.isMatrix ? emitMatrixPack : emitPack;
          emit(index, nest, nest.inputs[input], cursors, panels);
          buffers.push_back(panels.buffer);
          nest.inputs[input] = {nullptr, {unsigned(nest.accesses.size())}};
          cursors.push_back(getStart(panels));
          nest.accesses.push_back(std::move(panels));
        }
    if (level == getHeldLevel()) {
      nest.held = nest.accesses.size();
      nest.accesses.push_back(nest.isMatrix
                                  ? allocateMatrixSums(index, nest, level)
                                  : allocateHeld(level));
      cursors.push_back(getStart(nest.accesses.back()));
      buffers.push_back(nest.accesses.back().buffer);
    }
    if (level == numLoops)
      emitBounds();
    if (level == numLoops && nest.border)
      emitBorderedKernel(index, nest, cursors, ivs, borderBuffer);
    else if (level == numLoops)
      emitKernel(index, nest, cursors, isFirst, isLast);
    else if (level < numParallel)
      emitParallel(cursors);
    else
      emitSequential(level, cursors, isFirst, isLast);
    if (!nest.deallocate)
      return;
    for (Value buffer : buffers)
      memref::DeallocOp::create(builder, loc, buffer);
  }

  /// Which steps of sums read more than zeros of a border.
  void emitBounds() {
    nest.bounds.assign(nest.dims.size(), {});
    for (const BorderSteps &steps : nest.borderSteps) {
      // A group may begin in the border and end in the image.
      if (nest.grouped == steps.dim)
        continue;
      Value position = index.getConstant(steps.begin);
      for (auto [iv, move] : llvm::zip(ivs, steps.moves))
        if (iv)
          position = index.add(position, iv, move);
      Value none = index.getConstant(0),
            all = index.getConstant(nest.dims[steps.dim].getSize());
      auto clamp = [&](int64_t end) -> Value {
        Value step = arith::SubIOp::create(builder, loc, index.getConstant(end),
                                           position);
        step = arith::MaxSIOp::create(builder, loc, step, none);
        return arith::MinSIOp::create(builder, loc, step, all);
      };
      nest.bounds[steps.dim] = {clamp(0), clamp(steps.size)};
    }
  }

  /// The outermost loop over a sum, if its sums are held in a buffer.
  std::optional<unsigned> getHeldLevel() const {
    // Lines of a result are too far apart for registers of a matrix unit.
    if (!nest.isMatrix &&
        nest.accesses[nest.result].getElementType() == nest.accumulator)
      return std::nullopt;
    for (unsigned dim = numParallel; dim < numLoops; ++dim)
      if (nest.isSummed(dim) && nest.dims[dim].getSize() > 1)
        return dim;
    return std::nullopt;
  }

  /// A buffer for sums of the loops from `level` on, whole vectors in a
  /// row.
  Access allocateHeld(unsigned level) {
    Access held;
    held.strides.assign(nest.dims.size(), 0);
    int64_t size = 1;
    auto add = [&](unsigned dim) {
      held.strides[dim] = size;
      size *= nest.dims[dim].getSize();
    };
    if (nest.lanes) {
      add(*nest.lanes);
      size = llvm::alignTo(size, nest.getVectorLanes());
    }
    for (unsigned dim = nest.dims.size(); dim-- > level;)
      if (!nest.isSummed(dim) && dim != nest.lanes)
        add(dim);
    held.buffer = memref::AllocOp::create(
        builder, loc, MemRefType::get({size}, nest.accumulator),
        builder.getI64IntegerAttr(64));
    return held;
  }

  SmallVector<Cursor> move(ArrayRef<Cursor> cursors, unsigned dim, Value iv) {
    SmallVector<Cursor> moved;
    for (auto [cursor, access] : llvm::zip(cursors, nest.accesses))
      moved.push_back(advance(index, access, cursor, dim, iv));
    return moved;
  }

  void emitParallel(SmallVector<Cursor> cursors) {
    SmallVector<Value> lower(numParallel, index.getConstant(0)),
        step(numParallel, index.getConstant(1)), upper;
    for (unsigned dim = 0; dim < numParallel; ++dim)
      upper.push_back(index.getConstant(nest.dims[dim].getSize()));
    auto loop = scf::ParallelOp::create(builder, loc, lower, upper, step);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    for (auto [dim, iv] : llvm::enumerate(loop.getInductionVars()))
      cursors = move(cursors, dim, iv);
    llvm::append_range(ivs, loop.getInductionVars());
    emitLoops(numParallel, std::move(cursors), Value(), Value());
  }

  void emitSequential(unsigned level, SmallVector<Cursor> cursors,
                      Value isFirst, Value isLast) {
    int64_t size = nest.dims[level].getSize();
    if (size == 1) {
      ivs.push_back(Value());
      return emitLoops(level + 1, std::move(cursors), isFirst, isLast);
    }
    auto loop =
        scf::ForOp::create(builder, loc, index.getConstant(0),
                           index.getConstant(size), index.getConstant(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value iv = loop.getInductionVar();
    ivs.push_back(iv);
    if (nest.isSummed(level)) {
      isFirst = andAlso(isFirst, iv, 0);
      isLast = andAlso(isLast, iv, size - 1);
    }
    emitLoops(level + 1, move(cursors, level, iv), isFirst, isLast);
  }

  /// `condition && iv == value`; a null condition is true.
  Value andAlso(Value condition, Value iv, int64_t value) {
    Value equal = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        iv, index.getConstant(value));
    return condition ? arith::AndIOp::create(builder, loc, condition, equal)
                     : equal;
  }

  IndexBuilder &index;
  OpBuilder &builder;
  Location loc;
  Nest &nest;
  unsigned numParallel = 0, numLoops = 0;
  /// Of the loops around; null for one of one iteration.
  SmallVector<Value> ivs;
  SmallVector<Value> stageBuffers;
  Value borderBuffer;
};

} // namespace

void to_vector::emitNest(IndexBuilder &index, Nest &nest) {
  NestEmitter(index, nest).emit();
}
