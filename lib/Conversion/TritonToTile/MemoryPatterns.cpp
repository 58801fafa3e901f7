//===- MemoryPatterns.cpp - Pointers, loads, stores and atomics -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::triton_to_tile;

namespace {

struct ConvertAddPtr : OpConversionPattern<triton::AddPtrOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::AddPtrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value offset = adaptor.getOffset();
    Type element = tile::getElement(offset.getType());
    // Narrower offsets have a sign.
    if (element.getIntOrFloatBitWidth() < 32)
      offset = arith::ExtSIOp::create(
          rewriter, op.getLoc(),
          tile::withElement(offset.getType(), rewriter.getI32Type()), offset);
    rewriter.replaceOpWithNewOp<tile::AddPtrOp>(op, adaptor.getPtr(), offset);
    return success();
  }
};

struct ConvertLoad : OpConversionPattern<triton::LoadOp> {
  ConvertLoad(const TypeConverter &converter, MLIRContext *context,
              LoadOptions options)
      : OpConversionPattern(converter, context), options(options) {}
  LogicalResult
  matchAndRewrite(triton::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value mask = adaptor.getMask();
    Value loaded =
        tile::LoadOp::create(rewriter, op.getLoc(), adaptor.getPtr(), mask,
                             adaptor.getOther(), op.getIsVolatile());
    if (mask && !op.getOther() && options.isPoison)
      loaded = tile::PsiOp::create(rewriter, op.getLoc(), loaded.getType(),
                                   ValueRange{mask}, ValueRange{loaded});
    rewriter.replaceOp(op, loaded);
    return success();
  }

private:
  LoadOptions options;
};

struct ConvertStore : OpConversionPattern<triton::StoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<tile::StoreOp>(
        op, adaptor.getPtr(), adaptor.getValue(), adaptor.getMask());
    return success();
  }
};

/// The name that tiles have for what an atomic access does.
static tile::AtomicKind getAtomicKind(triton::AtomicKind kind) {
  switch (kind) {
  case triton::AtomicKind::And:
    return tile::AtomicKind::And;
  case triton::AtomicKind::Or:
    return tile::AtomicKind::Or;
  case triton::AtomicKind::Xor:
    return tile::AtomicKind::Xor;
  case triton::AtomicKind::Add:
  case triton::AtomicKind::FAdd:
    return tile::AtomicKind::Add;
  case triton::AtomicKind::Max:
    return tile::AtomicKind::Max;
  case triton::AtomicKind::Min:
    return tile::AtomicKind::Min;
  case triton::AtomicKind::UMax:
    return tile::AtomicKind::UMax;
  case triton::AtomicKind::UMin:
    return tile::AtomicKind::UMin;
  case triton::AtomicKind::Exchange:
    return tile::AtomicKind::Exchange;
  }
  llvm_unreachable("unknown atomic kind");
}

static tile::MemoryOrder getOrder(triton::MemoryOrder order) {
  switch (order) {
  case triton::MemoryOrder::Relaxed:
    return tile::MemoryOrder::Relaxed;
  case triton::MemoryOrder::Acquire:
    return tile::MemoryOrder::Acquire;
  case triton::MemoryOrder::Release:
    return tile::MemoryOrder::Release;
  case triton::MemoryOrder::AcqRel:
    return tile::MemoryOrder::AcqRel;
  }
  llvm_unreachable("unknown order");
}

static tile::MemoryScope getScope(triton::Scope scope) {
  switch (scope) {
  case triton::Scope::CTA:
    return tile::MemoryScope::Program;
  case triton::Scope::GPU:
    return tile::MemoryScope::Device;
  case triton::Scope::System:
    return tile::MemoryScope::System;
  }
  llvm_unreachable("unknown scope");
}

struct ConvertAtomicRMW : OpConversionPattern<triton::AtomicRMWOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::AtomicRMWOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<tile::AtomicRMWOp>(
        op, adaptor.getVal().getType(), getAtomicKind(op.getKind()),
        adaptor.getPtr(), adaptor.getVal(), adaptor.getMask(),
        getOrder(op.getSem()), getScope(op.getScope()));
    return success();
  }
};

struct ConvertAtomicCAS : OpConversionPattern<triton::AtomicCASOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::AtomicCASOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<tile::AtomicCASOp>(
        op, adaptor.getVal().getType(), adaptor.getPtr(), adaptor.getCmp(),
        adaptor.getVal(), /*mask=*/Value(), getOrder(op.getSem()),
        getScope(op.getScope()));
    return success();
  }
};

template <typename From, typename To>
struct ConvertCast : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(From op, typename From::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(
        op, this->getTypeConverter()->convertType(op.getType()),
        adaptor.getSrc());
    return success();
  }
};

struct ConvertBitcast : OpConversionPattern<triton::BitcastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::BitcastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    Value source = adaptor.getSrc();
    // Pointers to booleans are pointers to bytes already.
    if (source.getType() == type)
      rewriter.replaceOp(op, source);
    else if (isa<tile::PtrType>(tile::getElement(type)))
      rewriter.replaceOpWithNewOp<tile::PtrToPtrOp>(op, type, source);
    else
      rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, type, source);
    return success();
  }
};

} // namespace

void triton_to_tile::populateMemoryPatterns(const PointerConverter &converter,
                                            RewritePatternSet &patterns,
                                            LoadOptions options) {
  patterns
      .add<ConvertAddPtr, ConvertStore, ConvertAtomicRMW, ConvertAtomicCAS,
           ConvertBitcast, ConvertCast<triton::IntToPtrOp, tile::IntToPtrOp>,
           ConvertCast<triton::PtrToIntOp, tile::PtrToIntOp>>(
          converter, patterns.getContext());
  patterns.add<ConvertLoad>(converter, patterns.getContext(), options);
}
