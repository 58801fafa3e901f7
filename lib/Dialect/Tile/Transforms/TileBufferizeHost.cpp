//===- TileBufferizeHost.cpp - tile-bufferize-host ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's one-shot bufferization, kept out of tile kernels. After it, host
// code has no tensors, and owns the buffers that it allocates:
// buffer-deallocation-pipeline comes next.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Bufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEBUFFERIZEHOSTPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir::tile;

namespace {

struct TileBufferizeHostPass
    : tileir::tile::impl::TileBufferizeHostPassBase<TileBufferizeHostPass> {
  using TileBufferizeHostPassBase::TileBufferizeHostPassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseToLinalgConversionPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!isKernel(function))
        walkAndApplyPatterns(function, frozen);

    bufferization::OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.allowReturnAllocsFromLoops = true;
    // memref.copy would call a library where memory has gaps.
    options.memCpyFn = [](OpBuilder &builder, Location loc, Value from,
                          Value to) {
      linalg::CopyOp::create(builder, loc, from, to);
      return success();
    };
    options.setFunctionBoundaryTypeConversion(
        bufferization::LayoutMapOption::IdentityLayoutMap);
    bufferization::OpFilter::Entry::FilterFn isInKernel = [](Operation *op) {
      auto function = op->getParentOfType<func::FuncOp>();
      return isKernel(op) || (function && isKernel(function));
    };
    options.opFilter.denyOperation(isInKernel);
    bufferization::BufferizationState state;
    bufferization::BufferizationStatistics counts;
    if (failed(bufferization::runOneShotModuleBufferize(getOperation(), options,
                                                        state, &counts)))
      return signalPassFailure();
    numAllocations += counts.numBufferAlloc;
    numInPlace += counts.numTensorInPlace;
  }
};

} // namespace
