//===- MatrixPatterns.cpp - Products of matrices --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tile.mma becomes the instructions that layout::listMma884 lists: outer
// products, one K after the other, so that no instruction waits for the one
// before it.
//
// Elsewhere a thread has all elements of the rows of A and columns of B that
// its accumulators need. For each K it adds, to all accumulators at once, a
// product of the registers of A and B that these need.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Registers.h"

#include "tileir/Layout/Fragments/Fragments.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::layout;

/// The pairs of registers of f16 that an instruction takes as operands.
static SmallVector<Value> unpackPairs(OpBuilder &builder, Location loc,
                                      Value vector) {
  SmallVector<Value> pairs;
  int64_t count = cast<VectorType>(vector.getType()).getNumElements();
  for (int64_t first = 0; first < count; first += 2)
    pairs.push_back(pickRegisters(builder, loc, vector, {first, first + 1}));
  return pairs;
}

namespace {

struct ConvertMma : OpConversionPattern<MmaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MmaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    // Each warp has one element of a batch.
    auto shapeA = op.getA().getType().getShape().take_back(2);
    auto shapeC = op.getType().getShape().take_back(2);
    bool isHalf = op.getType().getElementType().isF16();
    SmallVector<Value> a = unpackPairs(rewriter, loc, adaptor.getA());
    SmallVector<Value> b = unpackPairs(rewriter, loc, adaptor.getB());
    SmallVector<Value> acc =
        isHalf ? unpackPairs(rewriter, loc, adaptor.getAcc())
               : unpackRegisters(rewriter, loc, adaptor.getAcc());

    // Of an instruction: two pairs of A and B, eight accumulators.
    unsigned numSums = isHalf ? 4 : 8;
    Type result = LLVM::LLVMStructType::getLiteral(
        op.getContext(), SmallVector<Type>(numSums, acc.front().getType()));
    std::array<NVVM::MMALayout, 2> layouts = {getOrder(op.getAOrder()),
                                              getOrder(op.getBOrder())};
    std::array<NVVM::MMATypes, 2> types = {NVVM::MMATypes::f16,
                                           NVVM::MMATypes::f16};
    for (MmaStep step : listMma884(shapeC[0] / op.getWarpsM(),
                                   shapeC[1] / op.getWarpsN(), shapeA[1])) {
      auto sums = MutableArrayRef(acc).slice(step.c * numSums, numSums);
      Value product = NVVM::MmaOp::create(
          rewriter, loc, result, ArrayRef(a).slice(2 * step.a, 2),
          ArrayRef(b).slice(2 * step.b, 2), ValueRange(sums), {8, 8, 4},
          std::nullopt, std::nullopt, types, layouts);
      for (auto [i, sum] : llvm::enumerate(sums))
        sum = LLVM::ExtractValueOp::create(rewriter, loc, product, i);
    }

    SmallVector<Value> registers;
    for (Value sum : acc)
      llvm::append_range(registers, unpackRegisters(rewriter, loc, sum));
    rewriter.replaceOp(op, packRegisters(rewriter, loc, registers));
    return success();
  }

private:
  static NVVM::MMALayout getOrder(tile::Major order) {
    return order == tile::Major::Row ? NVVM::MMALayout::row
                                     : NVVM::MMALayout::col;
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Fused multiply-add
//===----------------------------------------------------------------------===//

/// What threads need of A (`depthAxis` is the last one) or B (the one before),
/// of a shape: registers are, for each K, those that accumulators need.
static LinearLayout getNeeded(const LinearLayout &acc, ArrayRef<int64_t> shape,
                              unsigned depthAxis) {
  LinearLayout needed(shape);
  for (InDim in : kInDims)
    for (unsigned bit = 0; bit < acc.getNumBits(in); ++bit) {
      Coordinate basis = acc.getBasis(in, bit);
      basis[depthAxis] = 0;
      needed.addBasis(in, basis);
    }
  for (unsigned bit = 0; bit < llvm::Log2_64(shape[depthAxis]); ++bit)
    needed.addUnit(InDim::Register, depthAxis, bit);
  return needed;
}

namespace {

struct ConvertDot : OpConversionPattern<DotOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(DotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    LinearLayout acc = getTileLayout(op.getType());
    unsigned rank = acc.getRank();
    auto getNumbers = [&](RankedTensorType type, unsigned depthAxis) {
      return mapRegisters(getTileLayout(type),
                          getNeeded(acc, type.getShape(), depthAxis));
    };
    auto numbersA = getNumbers(op.getA().getType(), rank - 1);
    auto numbersB = getNumbers(op.getB().getType(), rank - 2);
    if (!numbersA || !numbersB)
      return rewriter.notifyMatchFailure(
          op, "expects each thread to have what its accumulators need of a "
              "and b, in the same registers of all threads");

    // Halves are added up as f32.
    Type element = op.getType().getElementType();
    Type sumElement =
        element.isF16() || element.isBF16() ? rewriter.getF32Type() : element;
    Value a = extend(rewriter, loc, adaptor.getA(), sumElement);
    Value b = extend(rewriter, loc, adaptor.getB(), sumElement);
    Value sum = extend(rewriter, loc, adaptor.getAcc(), sumElement);
    size_t numSums = acc.getSize(InDim::Register);
    for (size_t first = 0; first < numbersA->size(); first += numSums) {
      auto pick = [&](Value vector, ArrayRef<int64_t> numbers) {
        return pickRegisters(rewriter, loc, vector,
                             numbers.slice(first, numSums));
      };
      sum = multiplyAdd(rewriter, loc, pick(a, *numbersA), pick(b, *numbersB),
                        sum);
    }
    if (element != sumElement)
      sum = arith::TruncFOp::create(rewriter, loc, adaptor.getAcc().getType(),
                                    sum);
    rewriter.replaceOp(op, sum);
    return success();
  }

private:
  static Value extend(OpBuilder &builder, Location loc, Value vector,
                      Type element) {
    auto type = cast<VectorType>(vector.getType());
    if (type.getElementType() == element)
      return vector;
    VectorType wide = type.clone(element);
    if (element.isInteger())
      return arith::ExtSIOp::create(builder, loc, wide, vector);
    return arith::ExtFOp::create(builder, loc, wide, vector);
  }

  static Value multiplyAdd(OpBuilder &builder, Location loc, Value a, Value b,
                           Value sum) {
    if (isa<FloatType>(getElementTypeOrSelf(sum)))
      return LLVM::FMAOp::create(builder, loc, a, b, sum);
    return arith::AddIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, a, b), sum);
  }
};

} // namespace

void tile::populateThreadMatrixPatterns(const TypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<ConvertMma, ConvertDot>(converter, patterns.getContext());
}
