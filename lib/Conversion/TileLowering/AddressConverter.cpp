//===- AddressConverter.cpp - Pointers become addresses -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/TileLowering/AddressConverter.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::tile_lowering;

tile_lowering::AddressConverter::AddressConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](PtrType type) -> Type {
    return IntegerType::get(type.getContext(), 64);
  });
  auto cast = [](OpBuilder &builder, Type type, ValueRange inputs,
                 Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
        .getResult(0);
  };
  addSourceMaterialization(cast);
  addTargetMaterialization(cast);
}

namespace {

struct DropAssume : OpConversionPattern<AssumeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AssumeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getValue());
    return success();
  }
};

template <typename Op> struct DropCast : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSource());
    return success();
  }
};

} // namespace

void tile_lowering::populateDropPatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<DropAssume, DropCast<IntToPtrOp>, DropCast<PtrToIntOp>,
               DropCast<PtrToPtrOp>>(converter, patterns.getContext());
}
