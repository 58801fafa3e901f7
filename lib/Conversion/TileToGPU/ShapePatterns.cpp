//===- ShapePatterns.cpp - Numbers along an axis, and other shapes --------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What changes the shape of a tile moves no element to another thread: as a map
// to the elements of the operand, the layout of the result differs from that of
// the operand in registers alone.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Registers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;
using layout::Coordinate;
using layout::InDim;
using layout::LinearLayout;

namespace {

struct ConvertRange : OpConversionPattern<RangeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(RangeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    LinearLayout layout = getTileLayout(op.getType());
    Type element = getElement(op.getType());
    auto add = [&](Value value, int64_t number) -> Value {
      if (number == 0)
        return value;
      return arith::AddIOp::create(
          rewriter, loc, value,
          arith::ConstantOp::create(rewriter, loc,
                                    rewriter.getIntegerAttr(element, number)),
          arith::IntegerOverflowFlags::nsw);
    };
    auto widen = [&](Value value) -> Value {
      return element.isInteger(32)
                 ? value
                 : arith::ExtUIOp::create(rewriter, loc, element, value);
    };

    uint32_t threadBits = getThreadBits(layout, 0);
    Value thread = emitThreadPart(rewriter, loc, layout).front();
    Value wide = widen(thread);
    llvm::SmallDenseMap<int64_t, Value> numbers;
    SmallVector<Value> registers;
    for (int64_t reg = 0; reg < getNumRegisters(op.getType()); ++reg) {
      int64_t part = getRegisterPart(layout, reg)[0];
      Value &number = numbers[part];
      // Where no basis has several bits, one constant is added.
      if (!number && (part & threadBits) == 0)
        number = add(wide, op.getStart() + part);
      else if (!number)
        number =
            add(widen(emitCombine(rewriter, loc, thread, part)), op.getStart());
      registers.push_back(number);
    }
    rewriter.replaceOp(op, packRegisters(rewriter, loc, registers));
    return success();
  }
};

template <typename Op> struct ConvertRetiling : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> elements =
        unpackRegisters(rewriter, op.getLoc(), adaptor.getSource());
    SmallVector<Value> picked = llvm::map_to_vector(
        *mapRetiling(op), [&](int64_t number) { return elements[number]; });
    rewriter.replaceOp(op, packRegisters(rewriter, op.getLoc(), picked));
    return success();
  }
};

struct ConvertSplit : OpConversionPattern<SplitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SplitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> halves;
    for (unsigned number : {0, 1})
      halves.push_back(pickRegisters(
          rewriter, op.getLoc(), adaptor.getSource(),
          *mapHalf(op.getSource().getType(), op.getLhs().getType(), number)));
    rewriter.replaceOp(op, halves);
    return success();
  }
};

struct ConvertJoin : OpConversionPattern<JoinOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(JoinOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> whole(getNumRegisters(op.getType()));
    for (auto [number, half] : llvm::enumerate(adaptor.getOperands())) {
      RegisterNumbers registers =
          *mapHalf(op.getType(), op.getLhs().getType(), number);
      for (auto [reg, value] : llvm::zip_equal(
               registers, unpackRegisters(rewriter, op.getLoc(), half)))
        whole[reg] = value;
    }
    rewriter.replaceOp(op, packRegisters(rewriter, op.getLoc(), whole));
    return success();
  }
};

} // namespace

void to_gpu::populateThreadShapePatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns
      .add<ConvertRange, ConvertSplit, ConvertJoin, ConvertRetiling<ReshapeOp>,
           ConvertRetiling<BroadcastOp>, ConvertRetiling<TransOp>>(
          converter, patterns.getContext());
}
