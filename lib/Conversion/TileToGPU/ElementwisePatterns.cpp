//===- ElementwisePatterns.cpp - What each register does by itself --------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands and results have one layout, so that each register is computed from
// the same registers of the operands. Floats are computed as vectors. Numbers,
// addresses and predicates are computed one by one: many registers have the
// same, as rows have where columns differ, and these are computed once.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;
using layout::InDim;

static Value createInteger(OpBuilder &builder, Location loc, Type type,
                           int64_t number) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, number));
}

/// Calls `compute` for each register of the operands, once for equal ones;
/// scalars among the operands are the same for all.
static Value emitPerRegister(OpBuilder &builder, Location loc,
                             ValueRange operands,
                             function_ref<Value(ArrayRef<Value>)> compute) {
  SmallVector<SmallVector<Value>> unpacked;
  size_t numRegisters = 0;
  for (Value operand : operands) {
    unpacked.push_back(unpackRegisters(builder, loc, operand));
    if (isa<VectorType>(operand.getType()))
      numRegisters = unpacked.back().size();
  }
  if (numRegisters == 0)
    return compute(llvm::to_vector(operands));

  SmallVector<SmallVector<Value>> inputs(numRegisters);
  for (auto [reg, input] : llvm::enumerate(inputs))
    for (ArrayRef<Value> registers : unpacked)
      input.push_back(registers.size() == 1 ? registers.front()
                                            : registers[reg]);
  DenseMap<ArrayRef<Value>, Value> computed;
  SmallVector<Value> results;
  for (ArrayRef<Value> input : inputs) {
    Value &result = computed[input];
    if (!result)
      result = compute(input);
    results.push_back(result);
  }
  return packRegisters(builder, loc, results);
}

/// Whether a tile of numbers, addresses or predicates is involved.
static bool hasIntegers(TypeRange types) {
  return llvm::any_of(types, [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector && vector.getElementType().isIntOrIndex();
  });
}

namespace {

/// The same op on other types: arith and math on tiles, poison, selects.
struct ConvertElementwise : ConversionPattern {
  ConvertElementwise(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1,
                          context) {}
  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!OpTrait::hasElementwiseMappableTraits(op) &&
        !isa<arith::SelectOp, ub::PoisonOp>(op))
      return rewriter.notifyMatchFailure(op, "not computed per element");
    Type result = op->getNumResults() == 1
                      ? typeConverter->convertType(op->getResult(0).getType())
                      : Type();
    if (result && !operands.empty() &&
        hasIntegers(llvm::to_vector(llvm::concat<const Type>(
            ArrayRef(result), llvm::to_vector(TypeRange(operands)))))) {
      auto compute = [&](ArrayRef<Value> registers) {
        return rewriter
            .create(op->getLoc(), op->getName().getIdentifier(), registers,
                    getElementTypeOrSelf(result), op->getAttrs())
            ->getResult(0);
      };
      rewriter.replaceOp(
          op, emitPerRegister(rewriter, op->getLoc(), operands, compute));
      return success();
    }
    FailureOr<Operation *> converted =
        convertOpResultTypes(op, operands, *typeConverter, rewriter);
    if (failed(converted))
      return rewriter.notifyMatchFailure(op, "a result that threads lack");
    rewriter.replaceOp(op, *converted);
    return success();
  }
};

/// A constant whose elements depend on registers alone.
struct ConvertConstant : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto value = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!value)
      return rewriter.notifyMatchFailure(op, "not a tile of known elements");
    auto type = cast<VectorType>(typeConverter->convertType(op.getType()));
    SmallVector<Attribute> registers;
    if (value.isSplat()) {
      registers.push_back(value.getSplatValue<Attribute>());
    } else {
      layout::LinearLayout layout = getTileLayout(op.getType());
      auto elements = value.getValues<Attribute>();
      for (int64_t reg = 0; reg < type.getNumElements(); ++reg)
        registers.push_back(
            elements[layout.getElementAt({{InDim::Register, reg}})]);
    }
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, DenseElementsAttr::get(type, registers));
    return success();
  }
};

struct ConvertSplat : OpConversionPattern<SplatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<vector::BroadcastOp>(
        op, typeConverter->convertType(op.getType()), adaptor.getValue());
    return success();
  }
};

struct ConvertAddPtr : OpConversionPattern<AddPtrOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AddPtrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto ptr = cast<PtrType>(getElement(op.getPtr().getType()));
    Type type = rewriter.getI64Type();
    Value bytes = createInteger(rewriter, loc, type,
                                ptr.getPointee().getIntOrFloatBitWidth() / 8);
    // Offsets are scaled once each, as several pointers may move by one offset.
    auto scale = [&](ArrayRef<Value> registers) -> Value {
      Value offset = registers[0];
      if (offset.getType() != type)
        offset = arith::ExtSIOp::create(rewriter, loc, type, offset);
      return arith::MulIOp::create(rewriter, loc, offset, bytes);
    };
    auto advance = [&](ArrayRef<Value> registers) -> Value {
      return arith::AddIOp::create(rewriter, loc, registers[0], registers[1]);
    };
    Value scaled = emitPerRegister(rewriter, loc, adaptor.getOffset(), scale);
    rewriter.replaceOp(
        op,
        emitPerRegister(rewriter, loc, {adaptor.getPtr(), scaled}, advance));
    return success();
  }
};

struct ConvertCmpp : OpConversionPattern<CmppOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(CmppOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    bool isFloat = isa<FloatType>(getElement(op.getLhs().getType()));
    auto compare = [&](ArrayRef<Value> registers) -> Value {
      if (isFloat)
        return arith::CmpFOp::create(
            rewriter, loc, *arith::symbolizeCmpFPredicate(op.getPredicate()),
            registers[0], registers[1]);
      return arith::CmpIOp::create(
          rewriter, loc, *arith::symbolizeCmpIPredicate(op.getPredicate()),
          registers[0], registers[1]);
    };
    Value always = createInteger(rewriter, loc, rewriter.getI1Type(), 1);
    auto negate = [&](ArrayRef<Value> registers) -> Value {
      return arith::XOrIOp::create(rewriter, loc, registers[0], always);
    };
    Value holds =
        emitPerRegister(rewriter, loc, adaptor.getOperands(), compare);
    Value fails = emitPerRegister(rewriter, loc, holds, negate);
    rewriter.replaceOp(op, {holds, fails});
    return success();
  }
};

/// Queries of the grid: a program is a block.
template <typename TileOp, typename GPUOp>
struct ConvertGridQuery : OpConversionPattern<TileOp> {
  using OpConversionPattern<TileOp>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TileOp op, typename TileOp::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto dimension = static_cast<gpu::Dimension>(op.getAxis());
    Value index = GPUOp::create(rewriter, op.getLoc(), dimension);
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, op.getType(), index);
    return success();
  }
};

} // namespace

void to_gpu::populateThreadElementwisePatterns(const TypeConverter &converter,
                                               RewritePatternSet &patterns) {
  patterns.add<ConvertElementwise, ConvertConstant, ConvertSplat, ConvertAddPtr,
               ConvertCmpp, ConvertGridQuery<ProgramIdOp, gpu::BlockIdOp>,
               ConvertGridQuery<NumProgramsOp, gpu::GridDimOp>>(
      converter, patterns.getContext());
}
