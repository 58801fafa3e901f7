//===- ScfFuseLoops.cpp - scf-fuse-loops ----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop moves up behind an earlier one that accesses the same buffer by the
// same indices, if nothing between them keeps it from that, and both become
// one. Then the loops in it are looked at.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/SCF/Transforms/Passes.h"

#include "LoopAccess.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tileir {
#define GEN_PASS_DEF_SCFFUSELOOPSPASS
#include "tileir/Dialect/SCF/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::scf_transforms;

/// How many loops before it a loop is compared with: those that are far away
/// do not leave their elements in the first cache.
static constexpr unsigned kMostLoops = 4;

/// Whether it is a loop that can be fused: one that calculates no values if it
/// is parallel, and whose bounds are signed otherwise.
static bool isCandidate(Operation &op) {
  if (auto parallel = dyn_cast<scf::ParallelOp>(op))
    return parallel.getInitVals().empty();
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && !loop.getUnsignedCmp();
}

/// Whether each iteration of `second` may come right after that of `first`,
/// and reads or writes what this one has in the first cache.
static bool mayInterleave(LoopLikeOpInterface first, ArrayRef<Access> before,
                          LoopLikeOpInterface second, ArrayRef<Access> after) {
  bool isNear = false;
  for (const Access &lhs : before)
    for (const Access &rhs : after) {
      bool isOne = areOfOneIteration(lhs, first, rhs, second);
      if (mayConflict(lhs, rhs) && !isOne)
        return false;
      isNear |= isOne;
    }
  return isNear;
}

/// The ops between two of one block that compute operands of the second one, in
/// order, if they can be moved before the first one.
static FailureOr<SmallVector<Operation *>> findOperands(Operation *first,
                                                        Operation *second) {
  SetVector<Operation *> found;
  SmallVector<Operation *> worklist{second};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    auto visit = [&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *definition = operand.getDefiningOp();
        if (!definition || definition->getBlock() != second->getBlock() ||
            definition->isBeforeInBlock(first))
          continue;
        if (definition == first ||
            (!isPure(definition) && !isa<memref::AllocOp>(definition)))
          return WalkResult::interrupt();
        if (found.insert(definition))
          worklist.push_back(definition);
      }
      return WalkResult::advance();
    };
    if (op->walk(visit).wasInterrupted())
      return failure();
  }
  SmallVector<Operation *> ops = found.takeVector();
  llvm::sort(ops, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });
  return ops;
}

/// Whether nothing between two loops touches what `accesses` of the second one
/// write, or writes what they read.
static bool mayMoveUp(Operation *first, Operation *second,
                      ArrayRef<Access> accesses) {
  for (Operation *op = first->getNextNode(); op != second;
       op = op->getNextNode()) {
    SmallVector<Access> between;
    if (failed(collectAccesses(op, between)))
      return false;
    for (const Access &lhs : between)
      for (const Access &rhs : accesses)
        if (mayConflict(lhs, rhs))
          return false;
  }
  return true;
}

/// Moves the body of the second loop behind that of the first one, and returns
/// the loop that both became.
static Operation *merge(RewriterBase &rewriter, Operation *first,
                        Operation *second) {
  if (auto loop = dyn_cast<scf::ForOp>(first))
    return fuseIndependentSiblingForLoops(loop, cast<scf::ForOp>(second),
                                          rewriter);
  auto before = cast<scf::ParallelOp>(first);
  auto after = cast<scf::ParallelOp>(second);
  rewriter.eraseOp(before.getBody()->getTerminator());
  rewriter.mergeBlocks(after.getBody(), before.getBody(),
                       before.getInductionVars());
  rewriter.eraseOp(after);
  return before;
}

/// The loop that both became, or null.
static Operation *fuse(RewriterBase &rewriter, LoopLikeOpInterface first,
                       LoopLikeOpInterface second) {
  SmallVector<Access> before, after;
  if (!haveSameIterations(first, second) ||
      failed(collectAccesses(first, before)) ||
      failed(collectAccesses(second, after)) ||
      !mayInterleave(first, before, second, after) ||
      !mayMoveUp(first, second, after))
    return nullptr;
  FailureOr<SmallVector<Operation *>> operands = findOperands(first, second);
  if (failed(operands))
    return nullptr;
  for (Operation *op : *operands)
    rewriter.moveOpBefore(op, first);
  rewriter.moveOpAfter(second, first);
  return merge(rewriter, first, second);
}

namespace {

struct ScfFuseLoopsPass : tileir::impl::ScfFuseLoopsPassBase<ScfFuseLoopsPass> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (Region &region : getOperation()->getRegions())
      fuseWithin(rewriter, region);
  }

private:
  void fuseWithin(RewriterBase &rewriter, Region &region) {
    for (Block &block : region) {
      SmallVector<LoopLikeOpInterface> loops;
      for (Operation &op : llvm::make_early_inc_range(block))
        if (isCandidate(op) &&
            !fuseWithOneOf(rewriter, loops, cast<LoopLikeOpInterface>(op)))
          loops.push_back(cast<LoopLikeOpInterface>(op));
      for (Operation &op : block)
        for (Region &inner : op.getRegions())
          fuseWithin(rewriter, inner);
    }
  }

  bool fuseWithOneOf(RewriterBase &rewriter,
                     MutableArrayRef<LoopLikeOpInterface> loops,
                     LoopLikeOpInterface loop) {
    for (LoopLikeOpInterface &before : llvm::reverse(
             loops.take_back(std::min<size_t>(loops.size(), kMostLoops))))
      if (Operation *fused = fuse(rewriter, before, loop)) {
        before = cast<LoopLikeOpInterface>(fused);
        ++numFused;
        return true;
      }
    return false;
  }
};

} // namespace
