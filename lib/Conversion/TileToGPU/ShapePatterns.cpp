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
using layout::Coordinate;
using layout::InDim;
using layout::LinearLayout;

/// Which elements of the operand those of the result are: the result's layout,
/// in the operand's shape.
static LinearLayout getSourceLayout(ReshapeOp op, const LinearLayout &result) {
  return result.reshape(getShape(op.getSource().getType()));
}

static LinearLayout getSourceLayout(TransOp op, const LinearLayout &result) {
  return result.transpose(invertPermutationVector(op.getPermutation()));
}

static LinearLayout getSourceLayout(BroadcastOp op,
                                    const LinearLayout &result) {
  ArrayRef<int64_t> shape = getShape(op.getSource().getType());
  LinearLayout source(shape);
  for (InDim in : layout::kInDims)
    for (unsigned bit = 0; bit < result.getNumBits(in); ++bit) {
      Coordinate basis = result.getBasis(in, bit);
      basis.erase(basis.begin(), basis.end() - shape.size());
      for (auto [value, size] : llvm::zip_equal(basis, shape))
        value &= size - 1;
      source.addBasis(in, basis);
    }
  return source;
}

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
    LinearLayout source = getTileLayout(op.getSource().getType());
    LinearLayout result = getSourceLayout(op, getTileLayout(op.getType()));
    std::optional<SmallVector<int64_t>> registers =
        mapRegisters(source, result);
    if (!registers)
      return emitError(op.getLoc(), "expects a result in a layout that differs "
                                    "from that of the operand in registers "
                                    "only; tile.convert_layout moves elements "
                                    "to other threads");
    SmallVector<Value> elements =
        unpackRegisters(rewriter, op.getLoc(), adaptor.getSource());
    SmallVector<Value> picked = llvm::map_to_vector(
        *registers, [&](int64_t number) { return elements[number]; });
    rewriter.replaceOp(op, packRegisters(rewriter, op.getLoc(), picked));
    return success();
  }
};

} // namespace

void tile::populateThreadShapePatterns(const TypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<ConvertRange, ConvertRetiling<ReshapeOp>,
               ConvertRetiling<BroadcastOp>, ConvertRetiling<TransOp>>(
      converter, patterns.getContext());
}
