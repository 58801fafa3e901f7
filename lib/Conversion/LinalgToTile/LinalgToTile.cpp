//===- LinalgToTile.cpp - convert-linalg-to-tile --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host code on memrefs comes in, after buffer deallocation; tile-place-buffers
// comes next. Afterwards the structured ops that tiles can compute are kernels
// (StructuredKernel.cpp) and their launches; each of the others has a remark
// that says why it stays (KernelForm.cpp). Buffers of i1, which kernels have no
// pointers to, become bytes before (WidenBooleans.cpp).
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/LinalgToTile/LinalgToTile.h"

#include "KernelForm.h"
#include "StructuredKernel.h"
#include "WidenBooleans.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

namespace tileir {
#define GEN_PASS_DEF_CONVERTLINALGTOTILEPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::linalg_to_tile;

/// The most elements of a tile: 128 threads have 64 each.
static constexpr int64_t kMaxBlock = 8192;

static remark::RemarkOpts getRemarkOptions() {
  return remark::RemarkOpts::name("linalg-to-tile").category("tile");
}

/// Whether tile-place-buffers makes a fill or copy one of the device: of whole
/// buffers, by 16 or 32 bits.
static bool isDoneByDevice(linalg::LinalgOp op) {
  auto isWhole = [](Value memref) {
    auto type = dyn_cast<MemRefType>(memref.getType());
    while (isa_and_present<memref::CastOp, memref::CollapseShapeOp,
                           memref::ExpandShapeOp>(memref.getDefiningOp()))
      memref = memref.getDefiningOp()->getOperand(0);
    return type && type.getLayout().isIdentity() &&
           findRoot(memref) == memref && isOneBuffer(memref);
  };
  if (auto fill = dyn_cast<linalg::FillOp>(*op)) {
    Type type = fill.value().getType();
    return isWhole(fill.output()) && type.isIntOrFloat() &&
           llvm::is_contained({16u, 32u}, type.getIntOrFloatBitWidth());
  }
  return isa<linalg::CopyOp>(*op) && llvm::all_of(op->getOperands(), isWhole);
}

namespace {
struct ConvertLinalgToTilePass
    : tileir::impl::ConvertLinalgToTilePassBase<ConvertLinalgToTilePass> {
  using ConvertLinalgToTilePassBase::ConvertLinalgToTilePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!llvm::isPowerOf2_64(block) || block > kMaxBlock) {
      module.emitError("expected 'block' to be a power of two from 1 to ")
          << kMaxBlock << ", found " << block.getValue();
      return signalPassFailure();
    }
    SymbolTable symbols(module);
    IRRewriter rewriter(&getContext());
    auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (function.isExternal() || tile::isKernel(function))
        continue;
      function.walk([&](memref::CopyOp copy) {
        if (!isa<MemRefType>(copy.getSource().getType()) ||
            !isa<MemRefType>(copy.getTarget().getType()))
          return;
        rewriter.setInsertionPoint(copy);
        rewriter.replaceOpWithNewOp<linalg::CopyOp>(copy, copy.getSource(),
                                                    copy.getTarget());
      });
      widenBooleans(function, symbols);
      function.walk([&](linalg::LinalgOp op) {
        if (!isDoneByDevice(op))
          convert(op, function, rewriter, symbols);
      });
    }
  }

private:
  void convert(linalg::LinalgOp op, func::FuncOp function, IRRewriter &rewriter,
               SymbolTable &symbols) {
    auto miss = [&](const Twine &reason) {
      remark::missed(op.getLoc(), getRemarkOptions())
          << remark::reason("{0}", reason.str());
      return rewriter.notifyMatchFailure(op, reason);
    };
    if (failed(verifyHasKernel(op, miss))) {
      ++numKept;
      return;
    }
    rewriter.setInsertionPoint(op);
    if (!llvm::is_contained(op.getStaticLoopRanges(), 0)) {
      std::string name =
          (function.getSymName() + "_" + op->getName().stripDialect()).str();
      StructuredKernel kernel(rewriter, op, name, symbols, block);
      kernel.emit();
      remark::passed(op.getLoc(), getRemarkOptions())
          << remark::metric("loops", op.getNumLoops())
          << remark::metric("block", kernel.getBlock());
      ++numKernels;
    }
    rewriter.eraseOp(op);
  }
};
} // namespace
