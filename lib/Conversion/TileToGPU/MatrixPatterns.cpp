//===- MatrixPatterns.cpp - Products of matrices --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tile.mma becomes the instructions that layout::listSteps lists: outer
// products, one K after the other, so that no instruction waits for the one
// before it. MmaEmitters.h emits one.
//
// Elsewhere a thread has all elements of the rows of A and columns of B that
// its accumulators need. For each K it adds, to all accumulators at once, a
// product of the registers of A and B that these need.
//
//===----------------------------------------------------------------------===//

#include "MmaEmitters.h"
#include "Patterns.h"
#include "Registers.h"
#include "tileir/Conversion/EinsumLowering/ElementArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::layout;
using namespace tileir::to_gpu;

/// The registers that an instruction takes: of small elements vectors of 32
/// bits, of others each element by itself.
static SmallVector<Value> unpackWords(OpBuilder &builder, Location loc,
                                      Value vector) {
  auto type = cast<VectorType>(vector.getType());
  int64_t perWord = 32 / type.getElementTypeBitWidth();
  if (perWord <= 1)
    return unpackRegisters(builder, loc, vector);
  SmallVector<Value> words;
  for (int64_t first = 0; first < type.getNumElements(); first += perWord)
    words.push_back(
        pickRegisters(builder, loc, vector,
                      llvm::to_vector(llvm::seq(first, first + perWord))));
  return words;
}

namespace {

struct ConvertMma : OpConversionPattern<MmaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MmaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    const MmaAtom &atom = *op.getAtom().getAtom();
    SmallVector<Value> a = unpackWords(rewriter, loc, adaptor.getA());
    SmallVector<Value> b = unpackWords(rewriter, loc, adaptor.getB());
    SmallVector<Value> acc = unpackWords(rewriter, loc, adaptor.getAcc());
    // The words of a fragment.
    auto slice = [&](SmallVector<Value> &words, Matrix matrix,
                     unsigned fragment) {
      const LinearLayout &layout = *getFragment(atom, op.getOperandOf(matrix));
      auto bits = getElementTypeOrSelf(words.front()).getIntOrFloatBitWidth();
      size_t perWord = std::max(32 / bits, 1u);
      size_t count = layout.getSize(InDim::Register) / perWord;
      return MutableArrayRef(words).slice(fragment * count, count);
    };
    // Each warp has one element of a batch.
    auto shapeA = op.getA().getType().getShape().take_back(2);
    auto shapeC = op.getType().getShape().take_back(2);
    for (MmaStep step :
         listSteps(op.getGrid(), shapeC[0], shapeC[1], shapeA[1])) {
      MutableArrayRef<Value> sums = slice(acc, Matrix::Acc, step.c);
      llvm::copy(emitMma(rewriter, op, slice(a, Matrix::A, step.a),
                         slice(b, Matrix::B, step.b), sums),
                 sums.begin());
    }

    SmallVector<Value> registers;
    for (Value sum : acc)
      llvm::append_range(registers, unpackRegisters(rewriter, loc, sum));
    rewriter.replaceOp(op, packRegisters(rewriter, loc, registers));
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Fused multiply-add
//===----------------------------------------------------------------------===//

namespace {

struct ConvertDot : OpConversionPattern<DotOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(DotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    LinearLayout acc = getTileLayout(op.getType());
    RegisterNumbers numbersA = *mapFactors(op, op.getA());
    RegisterNumbers numbersB = *mapFactors(op, op.getB());

    // Halves are added up as f32.
    Type element = op.getType().getElementType();
    Type sumElement =
        element.isF16() || element.isBF16() ? rewriter.getF32Type() : element;
    Value a = extend(rewriter, loc, adaptor.getA(), sumElement);
    Value b = extend(rewriter, loc, adaptor.getB(), sumElement);
    Value sum = extend(rewriter, loc, adaptor.getAcc(), sumElement);
    if (op.isTF32()) {
      a = lowering::roundToTF32(rewriter, loc, a);
      b = lowering::roundToTF32(rewriter, loc, b);
    }
    size_t numSums = acc.getSize(InDim::Register);
    for (size_t first = 0; first < numbersA.size(); first += numSums) {
      auto pick = [&](Value vector, ArrayRef<int64_t> numbers) {
        return pickRegisters(rewriter, loc, vector,
                             numbers.slice(first, numSums));
      };
      sum =
          multiplyAdd(rewriter, loc, pick(a, numbersA), pick(b, numbersB), sum);
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

void to_gpu::populateThreadMatrixPatterns(const TypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns.add<ConvertMma, ConvertDot>(converter, patterns.getContext());
}
