//===- View.cpp - The registers of a tile in a memref ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether an element is inside of the memref is a comparison of its index with
// the size, by unsigned numbers: a negative index is a great one. Copies of a
// pipelined loop are compared in every step. There as much as possible is done
// before the loop: what a thread adds to the index of a step is subtracted from
// the size, and the limit of steps is a limit of the index, so that one
// comparison tells all. What does not change from step to step makes the number
// of bytes.
//
// Each bound takes two registers all the time. Where a loop would hold many,
// the copies of a view have one in common: what is left of it in a step is more
// than what each copy adds. That costs a subtraction and a mask in a step.
//
//===----------------------------------------------------------------------===//

#include "View.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;
using layout::Coordinate;

/// The most bounds that copies of a loop hold by themselves. Products of two
/// matrices have fewer at the default configuration.
static constexpr size_t kMaxBounds = 6;

static Value createI64(OpBuilder &builder, Location loc, int64_t number) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(number));
}

Value to_gpu::getSize(OpBuilder &builder, Location loc, MemRefType type,
                      ValueRange parts, int64_t axis) {
  if (!type.isDynamicDim(axis))
    return createI64(builder, loc, type.getDimSize(axis));
  return parts[1 + type.getDynamicDimIndex(axis)];
}

static Value castToI64(OpBuilder &builder, Location loc, Value index) {
  return builder.createOrFold<arith::IndexCastOp>(loc, builder.getI64Type(),
                                                  index);
}

static Value add(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  return builder.createOrFold<arith::AddIOp>(loc, lhs, rhs);
}

static Value multiply(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  return builder.createOrFold<arith::MulIOp>(loc, lhs, rhs);
}

int64_t to_gpu::getElementBytes(MemRefType type) {
  return llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

SmallVector<Stride> to_gpu::getStrides(OpBuilder &builder, Location loc,
                                       MemRefType type, ValueRange parts) {
  int64_t bytes = getElementBytes(type);
  Stride stride = {createI64(builder, loc, bytes), bytes};
  SmallVector<Stride> strides(type.getRank());
  for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
    strides[axis] = stride;
    if (axis == 0)
      break;
    if (type.isDynamicDim(axis))
      stride.number = std::nullopt;
    else if (stride.number)
      *stride.number *= type.getDimSize(axis);
    stride.value = multiply(builder, loc, stride.value,
                            getSize(builder, loc, type, parts, axis));
  }
  return strides;
}

Value to_gpu::getAddressAt(OpBuilder &builder, Location loc, ValueRange parts,
                           ArrayRef<Stride> strides,
                           ArrayRef<ValueRange> indices) {
  Value address = parts.front();
  for (auto [index, stride] : llvm::zip_equal(indices, strides))
    address = add(builder, loc, address,
                  multiply(builder, loc, castToI64(builder, loc, index.front()),
                           stride.value));
  return address;
}

Value View::advance(Value from, Value distance, int64_t axis) const {
  return add(builder, loc, from,
             multiply(builder, loc, distance, strides[axis].value));
}

Value View::getDistance(Value i32, unsigned i) const {
  Value distance =
      arith::ExtUIOp::create(builder, loc, builder.getI64Type(), i32);
  int64_t step = access.steps[i];
  return step == 1
             ? distance
             : multiply(builder, loc, distance, createI64(builder, loc, step));
}

View::View(OpBuilder &builder, Operation *op, ViewAccess of, ValueRange parts,
           ArrayRef<ValueRange> indices, GlobalAccesses &accesses)
    : builder(builder), loc(op->getLoc()), access(std::move(of)),
      type(access.memref.getType()), layout(getTileLayout(access.tile)),
      axes(access.axes), isChecked(access.findChecked(accesses.solver)),
      run(access.findRun(accesses.solver)), isStep(axes.size(), false),
      limits(axes.size()), sharesBounds(accesses.sharedBounds.contains(op)),
      rests(axes.size()) {
  reportWidth(op, run.width, accesses);
  strides = getStrides(builder, loc, type, parts);
  address = getAddressAt(builder, loc, parts, strides, indices);
  threads = emitThreadPart(builder, loc, layout);
  for (auto [i, axis] : llvm::enumerate(axes)) {
    address = advance(address, getDistance(threads[i], i), axis);
    starts.push_back(castToI64(builder, loc, indices[axis].front()));
    sizes.push_back(getSize(builder, loc, type, parts, axis));
  }
}

Value View::getPlace(unsigned reg, Value first) const {
  Coordinate coordinate = getRegisterPart(layout, reg);
  int64_t constant = 0;
  Value sum = first;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    int32_t number = coordinate[i];
    int64_t distance = number * access.steps[i];
    bool disjoint = (number & getThreadBits(layout, i)) == 0;
    if (disjoint && strides[axis].number) {
      constant += distance * *strides[axis].number;
    } else if (number) {
      Value further = createI64(builder, loc, distance);
      if (!disjoint) {
        Value other = emitCombine(builder, loc, threads[i], number);
        further = arith::SubIOp::create(builder, loc, getDistance(other, i),
                                        getDistance(threads[i], i));
      }
      sum = advance(sum, further, axis);
    }
  }
  return constant ? add(builder, loc, sum, createI64(builder, loc, constant))
                  : sum;
}

Value View::getPointer(unsigned reg) {
  if (!pointer)
    pointer = emitPointer(builder, loc, address);
  Value offset = getPlace(reg, createI64(builder, loc, 0));
  if (matchPattern(offset, m_Zero()))
    return pointer;
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer, offset);
}

Value View::getRest(unsigned axis) {
  Value &rest = rests[axis];
  if (!rest) {
    Value bound = arith::SubIOp::create(builder, loc, sizes[axis],
                                        getDistance(threads[axis], axis));
    rest = arith::SubIOp::create(builder, loc, bound, starts[axis]);
  }
  return rest;
}

Value View::isInside(unsigned axis, int32_t coordinate) {
  Value &inside = axisMasks[{axis, coordinate}];
  if (inside)
    return inside;
  if (isStep[axis] && sharesBounds &&
      (coordinate & getThreadBits(layout, axis)) == 0)
    return inside = arith::CmpIOp::create(
               builder, loc, arith::CmpIPredicate::slt,
               createI64(builder, loc, coordinate * access.steps[axis]),
               getRest(axis));
  Value thread =
      getDistance(emitCombine(builder, loc, threads[axis], coordinate,
                              ~getThreadBits(layout, axis)),
                  axis);
  Value start = starts[axis], bound = sizes[axis];
  if (isStep[axis]) {
    bound = arith::SubIOp::create(builder, loc, bound, thread);
    if (limits[axis])
      bound = arith::MinSIOp::create(builder, loc, bound, limits[axis]);
    bound =
        arith::MaxSIOp::create(builder, loc, bound, createI64(builder, loc, 0));
  } else {
    start = add(builder, loc, start, thread);
  }
  return inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        start, bound);
}

Value View::getMask(unsigned reg) {
  Coordinate coordinate = getRegisterPart(layout, reg);
  for (unsigned i = 0; i < axes.size(); ++i)
    if (!isChecked[i])
      coordinate[i] = 0;
  auto [found, isNew] = masks.try_emplace(layout.getElement(coordinate));
  if (!isNew)
    return found->second;
  Value all;
  for (unsigned i = 0; i < axes.size(); ++i)
    if (isChecked[i])
      all = andMasks(builder, loc, all, isInside(i, coordinate[i]));
  return masks[layout.getElement(coordinate)] = all;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {
/// An index as a variable and a number that is added to it.
struct OffsetIndex {
  Value variable;
  int64_t offset = 0;

  explicit OffsetIndex(Value index) : variable(index) {
    APInt number;
    auto sum = index.getDefiningOp<arith::AddIOp>();
    if (!sum || !matchPattern(sum.getRhs(), m_ConstantInt(&number)))
      return;
    variable = sum.getLhs();
    offset = number.getSExtValue();
  }

  bool isNonNegative(const DataFlowSolver &solver) const {
    auto *state =
        solver.lookupState<dataflow::IntegerValueRangeLattice>(variable);
    return offset >= 0 && state && !state->getValue().isUninitialized() &&
           state->getValue().getValue().smin().isNonNegative();
  }
};
} // namespace

/// Whether a value is computed once in the kernel, not in each step of a loop.
static bool isFixed(Value value) {
  Region *region = value.getParentRegion();
  return region && isa<FunctionOpInterface>(region->getParentOp());
}

/// The bounds that copies would hold in a loop.
static size_t countBounds(AsyncLoadViewOp op, const DataFlowSolver &solver) {
  auto tile = cast<RankedTensorType>(op.getTile());
  auto access = ViewAccess::get(op, tile);
  layout::LinearLayout layout = getTileLayout(tile);
  GlobalRun run = access.findRun(solver);
  Runs runs(layout, run.axis, run.width.getNumElements());
  size_t count = 0;
  for (auto [i, isChecked] : llvm::enumerate(access.findChecked(solver))) {
    if (!isChecked || isFixed(access.indices[access.axes[i]]))
      continue;
    llvm::SmallDenseSet<int32_t, 8> coordinates;
    for (unsigned reg : runs.getFirst())
      coordinates.insert(getRegisterPart(layout, reg)[i]);
    count += coordinates.size();
  }
  return count;
}

void to_gpu::findSharedBounds(Operation *kernels, GlobalAccesses &accesses) {
  kernels->walk([&](scf::ForOp loop) {
    size_t count = 0;
    for (auto op : loop.getBody()->getOps<AsyncLoadViewOp>())
      count += countBounds(op, accesses.solver);
    if (count > kMaxBounds)
      for (auto op : loop.getBody()->getOps<AsyncLoadViewOp>())
        accesses.sharedBounds.insert(op);
  });
}

void View::followSteps(Value mask, Value converted,
                       ConversionPatternRewriter &rewriter,
                       const DataFlowSolver &solver) {
  // Where an index is less than a limit, so is another one that differs from it
  // by a number.
  auto compare = mask ? mask.getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  bool isLimit = false;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    Value start = access.indices[axis];
    OffsetIndex index(start);
    isStep[i] = isChecked[i] && !isFixed(start) && index.isNonNegative(solver);
    if (!isStep[i] || sharesBounds || isLimit || !compare ||
        compare.getPredicate() != arith::CmpIPredicate::slt)
      continue;
    OffsetIndex compared(compare.getLhs());
    if (compared.variable != index.variable)
      continue;
    Value limit = rewriter.getRemappedValue(compare.getRhs());
    limits[i] = add(builder, loc, castToI64(builder, loc, limit),
                    createI64(builder, loc, index.offset - compared.offset));
    isLimit = true;
  }
  if (mask && !isLimit)
    (isFixed(mask) ? common.fixed : common.step) = converted;
}

CopyMask View::getCopyMask(unsigned reg) {
  Coordinate coordinate = getRegisterPart(layout, reg);
  CopyMask mask = common;
  for (unsigned i = 0; i < axes.size(); ++i) {
    if (!isChecked[i])
      continue;
    Value &part = isFixed(access.indices[axes[i]]) ? mask.fixed : mask.step;
    part = andMasks(builder, loc, part, isInside(i, coordinate[i]));
  }
  return mask;
}
