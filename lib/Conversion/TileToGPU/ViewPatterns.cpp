//===- ViewPatterns.cpp - Dense blocks of memrefs, and elements -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads and stores of blocks, by registers (View.h), and of single elements.
//
//===----------------------------------------------------------------------===//

#include "View.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;
using layout::Coordinate;
using layout::InDim;
using layout::LinearLayout;

namespace {

struct ConvertLoadView : OpConversionPattern<LoadViewOp> {
  ConvertLoadView(const TypeConverter &converter, MLIRContext *context,
                  GlobalAccesses &accesses)
      : OpConversionPattern(converter, context), accesses(accesses) {}
  LogicalResult
  matchAndRewrite(LoadViewOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    View view(rewriter, op, cast<RankedTensorType>(op.getType()),
              adaptor.getMemref(), adaptor.getIndices(), accesses);
    rewriter.replaceOp(
        op,
        emitLoads(
            rewriter, op.getLoc(), typeConverter->convertType(op.getType()),
            view.getRuns(), [&](unsigned reg) { return view.getAddress(reg); },
            [&](unsigned reg) { return view.getMask(reg); }, {}));
    return success();
  }
  GlobalAccesses &accesses;
};

struct ConvertAsyncLoadView : OpConversionPattern<AsyncLoadViewOp> {
  ConvertAsyncLoadView(const TypeConverter &converter, MLIRContext *context,
                       GlobalAccesses &accesses)
      : OpConversionPattern(converter, context), accesses(accesses) {}
  LogicalResult
  matchAndRewrite(AsyncLoadViewOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto tile = cast<RankedTensorType>(op.getTile());
    View view(rewriter, op, tile, adaptor.getMemref(), adaptor.getIndices(),
              accesses);
    view.followSteps(op.getMask(),
                     op.getMask() ? adaptor.getMask().front() : Value(),
                     rewriter, accesses.solver);
    emitCopies(
        rewriter, op.getLoc(),
        {op.getBuffer().getType(), adaptor.getBuffer().front(),
         llvm::map_to_vector(adaptor.getStages(),
                             [](ValueRange index) { return index.front(); }),
         tile},
        view.getRun(), [&](unsigned reg) { return view.getPointer(reg); },
        [&](unsigned reg) { return view.getCopyMask(reg); }, op.getWithNext());
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>(ValueRange()));
    return success();
  }
  GlobalAccesses &accesses;
};

struct ConvertStoreView : OpConversionPattern<StoreViewOp> {
  ConvertStoreView(const TypeConverter &converter, MLIRContext *context,
                   GlobalAccesses &accesses)
      : OpConversionPattern(converter, context), accesses(accesses) {}
  LogicalResult
  matchAndRewrite(StoreViewOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    View view(rewriter, op, cast<RankedTensorType>(op.getValue().getType()),
              adaptor.getMemref(), adaptor.getIndices(), accesses);
    emitStores(
        rewriter, op.getLoc(), adaptor.getValue().front(), view.getLayout(),
        view.getRuns(), [&](unsigned reg) { return view.getAddress(reg); },
        [&](unsigned reg) { return view.getMask(reg); });
    rewriter.eraseOp(op);
    return success();
  }
  GlobalAccesses &accesses;
};

/// One element, which all threads load.
struct ConvertElementLoad : OpConversionPattern<memref::LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(memref::LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MemRefType type = op.getMemRefType();
    Value address =
        getAddressAt(rewriter, loc, adaptor.getMemref(),
                     getStrides(rewriter, loc, type, adaptor.getMemref()),
                     adaptor.getIndices());
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(
        op, op.getType(), emitPointer(rewriter, loc, address),
        getElementBytes(type));
    return success();
  }
};

/// One element, which the first thread stores.
struct ConvertElementStore : OpConversionPattern<memref::StoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(memref::StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MemRefType type = op.getMemRefType();
    Value address =
        getAddressAt(rewriter, loc, adaptor.getMemref(),
                     getStrides(rewriter, loc, type, adaptor.getMemref()),
                     adaptor.getIndices());
    LinearLayout layout = getLayoutOrScalar(op, type.getElementType());
    emitStores(
        rewriter, loc, adaptor.getValue().front(), layout, Runs(layout, 0, 1),
        [&](unsigned) { return address; }, [](unsigned) { return Value(); });
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertDim : OpConversionPattern<memref::DimOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(memref::DimOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<int64_t> axis = op.getConstantIndex();
    auto type = dyn_cast<MemRefType>(op.getSource().getType());
    if (!axis || !type || *axis < 0 || *axis >= type.getRank())
      return rewriter.notifyMatchFailure(op, "not a constant axis");
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(
        op, op.getType(),
        getSize(rewriter, op.getLoc(), type, adaptor.getSource(), *axis));
    return success();
  }
};

} // namespace

void to_gpu::populateThreadViewPatterns(const TypeConverter &converter,
                                        RewritePatternSet &patterns,
                                        GlobalAccesses &accesses) {
  patterns.add<ConvertLoadView, ConvertAsyncLoadView, ConvertStoreView>(
      converter, patterns.getContext(), accesses);
  patterns.add<ConvertElementLoad, ConvertElementStore, ConvertDim>(
      converter, patterns.getContext());
}
