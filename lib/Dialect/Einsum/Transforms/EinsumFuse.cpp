//===- EinsumFuse.cpp - einsum-fuse ---------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the last op of a block to the first, each op that no kernel has taken
// may be the last one of a kernel, which then grows backwards: an op joins once
// all its users have. As users come later in a block, one sweep is enough. A
// tensor.dim of what a kernel would compute is not to keep it outside: it is
// taken from what the kernel reads.
// After it, no contraction has a pointwise user or operand that it could have
// been fused with.
//
//===----------------------------------------------------------------------===//

#include "FusionGroup.h"

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Einsum/IR/Pointwise.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace tileir::einsum {
#define GEN_PASS_DEF_EINSUMFUSEPASS
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"
} // namespace tileir::einsum

using namespace mlir;
using namespace tileir::einsum;

namespace {

struct EinsumFusePass
    : tileir::einsum::impl::EinsumFusePassBase<EinsumFusePass> {
  using EinsumFusePassBase::EinsumFusePassBase;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      // The body of a structured op goes where the op goes.
      if (isa<KernelOp, linalg::LinalgOp>(op))
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          blocks.push_back(&block);
      return WalkResult::advance();
    });
    for (Block *block : blocks)
      fuse(*block);
  }

private:
  /// Takes the sizes of what pointwise ops and contractions compute from what
  /// these read.
  void reifyDims(Block &block) {
    IRRewriter rewriter(&getContext());
    for (auto dim : llvm::make_early_inc_range(block.getOps<tensor::DimOp>())) {
      std::optional<int64_t> axis = dim.getConstantIndex();
      auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
      Operation *source = dim.getSource().getDefiningOp();
      if (!axis || !type || *axis < 0 || *axis >= type.getRank() || !source ||
          !(isa<ContractOp>(source) || PointwiseOp::get(source)))
        continue;
      rewriter.setInsertionPoint(dim);
      OpFoldResult size = reifyDim(
          rewriter, dim.getSource(), *axis, [&](Value value, unsigned of) {
            return tensor::getMixedSize(rewriter, dim.getLoc(), value, of);
          });
      rewriter.replaceOp(
          dim, getValueOrCreateConstantIndexOp(rewriter, dim.getLoc(), size));
    }
  }

  void fuse(Block &block) {
    reifyDims(block);
    FusionOptions options{prologues, recompute, maxContractions};
    llvm::SmallPtrSet<Operation *, 16> taken;
    SmallVector<FusionGroup> groups;
    for (Operation &op : llvm::reverse(block)) {
      FusionGroup::noteUnfit(&op);
      if (taken.contains(&op) || !FusionGroup::canBeLast(&op))
        continue;
      FusionGroup group(&op, options, taken);
      if (!group.isWorthwhile())
        continue;
      taken.insert_range(group.getOps());
      groups.push_back(std::move(group));
    }
    for (FusionGroup &group : groups)
      emit(group);
  }

  void emit(FusionGroup &group) {
    Location loc = group.getLast()->getLoc();
    remark::passed(loc,
                   remark::RemarkOpts::name("einsum-fuse").category("einsum"))
        << remark::metric("contractions", group.getNumContractions())
        << remark::metric("pointwise-ops",
                          group.getOps().size() - group.getNumContractions());
    ++numKernels;
    numFused += group.getOps().size();
    IRRewriter rewriter(&getContext());
    group.emitKernel(rewriter);
  }
};

} // namespace
