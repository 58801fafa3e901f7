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

/// For each register of a half, the register of the whole that holds the same
/// element; `half` is 0 or 1.
static FailureOr<SmallVector<int64_t>> mapHalf(Operation *op, Type whole,
                                               Type half, unsigned number) {
  unsigned bit;
  std::optional<LinearLayout> expected = getTileLayout(whole).getHalf(bit);
  if (!expected || *expected != getTileLayout(half))
    return op->emitError("expects a bit of the register to choose the half, "
                         "and halves in the layout of the whole without it, "
                         "found ")
           << half << " of " << whole;
  SmallVector<int64_t> registers;
  for (int64_t reg = 0; reg < getNumRegisters(half); ++reg)
    registers.push_back((reg >> bit << (bit + 1)) | int64_t(number) << bit |
                        (reg & ((int64_t(1) << bit) - 1)));
  return registers;
}

struct ConvertSplit : OpConversionPattern<SplitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SplitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> halves;
    for (unsigned number : {0, 1}) {
      auto registers =
          mapHalf(op, op.getSource().getType(), op.getLhs().getType(), number);
      if (failed(registers))
        return failure();
      halves.push_back(pickRegisters(rewriter, op.getLoc(), adaptor.getSource(),
                                     *registers));
    }
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
      auto registers = mapHalf(op, op.getType(), op.getLhs().getType(), number);
      if (failed(registers))
        return failure();
      for (auto [reg, value] : llvm::zip_equal(
               *registers, unpackRegisters(rewriter, op.getLoc(), half)))
        whole[reg] = value;
    }
    rewriter.replaceOp(op, packRegisters(rewriter, op.getLoc(), whole));
    return success();
  }
};

} // namespace

void tile::populateThreadShapePatterns(const TypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns
      .add<ConvertRange, ConvertSplit, ConvertJoin, ConvertRetiling<ReshapeOp>,
           ConvertRetiling<BroadcastOp>, ConvertRetiling<TransOp>>(
          converter, patterns.getContext());
}
