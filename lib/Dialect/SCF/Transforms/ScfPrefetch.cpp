//===- ScfPrefetch.cpp - scf-prefetch -------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comes after scf-fuse-loops, so that a loop that computes stands before the
// one that stores. A processor gets the lines of a long row by itself, but
// neither those of the next row before it is begun, nor those that are only
// written: a store waits until its line is there.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/SCF/Transforms/Passes.h"

#include "LoopAccess.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tileir {
#define GEN_PASS_DEF_SCFPREFETCHPASS
#include "tileir/Dialect/SCF/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;

/// Bytes of a line of the first cache.
static constexpr int64_t kLineBytes = 64;

namespace {

/// A row of elements that a loop reads or writes by vectors, one after the
/// other.
struct Row {
  scf::ForOp loop;
  Value address; ///< of an iteration's vector
  int64_t bytes; ///< of that
  bool isWrite;

  /// Bytes of all vectors, or 0.
  int64_t countBytes() {
    return loop.getStaticTripCount().value_or(APInt(64, 0)).getSExtValue() *
           bytes;
  }
};

struct ScfPrefetchPass : tileir::impl::ScfPrefetchPassBase<ScfPrefetchPass> {
  using Base::Base;

  void runOnOperation() override {
    llvm::SmallMapVector<std::pair<Value, unsigned>, Row, 8> rows;
    getOperation()->walk([&](Operation *op) {
      if (auto load = dyn_cast<LLVM::LoadOp>(op))
        addRow(rows, load.getAddr(), load.getType(), op, /*isWrite=*/false);
      else if (auto store = dyn_cast<LLVM::StoreOp>(op))
        addRow(rows, store.getAddr(), store.getValue().getType(), op,
               /*isWrite=*/true);
    });
    for (auto &[key, row] : rows)
      if (row.countBytes() >= rowBytes)
        row.isWrite ? prefetchWrites(row) : prefetchReads(row);
  }

private:
  template <typename Rows>
  static void addRow(Rows &rows, Value address, Type type, Operation *op,
                     bool isWrite) {
    auto vector = dyn_cast<VectorType>(type);
    auto loop = op->getParentOfType<scf::ForOp>();
    if (!vector || !loop ||
        getConstantIntValue(loop.getStep()) != vector.getNumElements())
      return;
    int64_t bytes = DataLayout::closest(op).getTypeSize(vector);
    rows.insert(
        {{address, unsigned(isWrite)}, {loop, address, bytes, isWrite}});
  }

  void emit(OpBuilder &builder, const Row &row, Value address, int64_t from) {
    Location loc = address.getLoc();
    for (int64_t at = 0; at < row.bytes; at += kLineBytes) {
      Value line = LLVM::GEPOp::create(
          builder, loc, address.getType(), builder.getI8Type(), address,
          LLVM::GEPArg(static_cast<int32_t>(from + at)));
      LLVM::Prefetch::create(builder, loc, line, /*rw=*/row.isWrite,
                             /*hint=*/3, /*cache=*/1);
      ++numPrefetches;
    }
  }

  void prefetchReads(const Row &row) {
    Operation *definition = row.address.getDefiningOp();
    if (!definition || definition->getParentOp() != row.loop)
      return;
    OpBuilder builder(row.address.getContext());
    builder.setInsertionPointAfter(definition);
    emit(builder, row, row.address, distance);
  }

  /// The last loop before that of the row, in its block, that has as many
  /// iterations.
  static scf::ForOp findLoopBefore(const Row &row) {
    scf::ForOp loop = row.loop, found;
    for (auto before : loop->getBlock()->getOps<scf::ForOp>()) {
      if (before == loop)
        break;
      if (scf_transforms::haveSameIterations(before, loop))
        found = before;
    }
    return found;
  }

  void prefetchWrites(const Row &row) {
    scf::ForOp loop = row.loop, before = findLoopBefore(row);
    if (!before)
      return;
    // What computes the address, in the loop and after the one before it.
    bool isCopied = true;
    BackwardSliceOptions options;
    options.inclusive = true;
    options.omitBlockArguments = true;
    options.filter = [&](Operation *op) {
      bool isLater =
          loop->isProperAncestor(op) ||
          (op->getBlock() == loop->getBlock() && !op->isBeforeInBlock(before));
      isCopied &= !isLater || (isPure(op) && op->getNumRegions() == 0);
      return isLater;
    };
    SetVector<Operation *> slice;
    if (failed(getBackwardSlice(row.address, &slice, options)) || !isCopied)
      return;
    auto builder = OpBuilder::atBlockBegin(before.getBody());
    IRMapping copies;
    copies.map(loop.getInductionVar(), before.getInductionVar());
    for (Operation *op : slice)
      builder.clone(*op, copies);
    emit(builder, row, copies.lookupOrDefault(row.address), 0);
  }
};

} // namespace
