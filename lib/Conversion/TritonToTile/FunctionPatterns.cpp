//===- FunctionPatterns.cpp - Functions, calls, types ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions, with what is known of their arguments, and upstream's ops on
// pointers, which are made anew with other types.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::triton_to_tile;

PointerConverter::PointerConverter() {
  addConversion([](Type type) -> std::optional<Type> { return type; });
  addConversion([](triton::PtrType type) -> std::optional<Type> {
    Type pointee = type.getPointee();
    // Memory holds booleans as bytes.
    if (pointee.isInteger(1))
      pointee = IntegerType::get(type.getContext(), 8);
    auto silent = [&] {
      InFlightDiagnostic diagnostic =
          emitError(UnknownLoc::get(type.getContext()));
      diagnostic.abandon();
      return diagnostic;
    };
    // Constant to the kernel, which has it in global memory.
    if ((type.getAddressSpace() != triton::PtrType::kGlobal &&
         type.getAddressSpace() != triton::PtrType::kConstant) ||
        failed(tile::PtrType::verify(silent, pointee)))
      return Type();
    return tile::PtrType::get(type.getContext(), pointee);
  });
  addConversion([this](RankedTensorType type) -> std::optional<Type> {
    Type element = convertType(type.getElementType());
    if (!element || type.getEncoding())
      return Type();
    return type.clone(element);
  });
}

namespace {

struct ConvertFunction : OpConversionPattern<triton::FuncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::FuncOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    unsigned count = op.getNumArguments();
    TypeConverter::SignatureConversion signature(count);
    SmallVector<Type> results;
    if (failed(getTypeConverter()->convertSignatureArgs(op.getArgumentTypes(),
                                                        signature)) ||
        failed(getTypeConverter()->convertTypes(op.getResultTypes(), results)))
      return rewriter.notifyMatchFailure(op, "has types without counterpart");
    auto type = FunctionType::get(op.getContext(),
                                  signature.getConvertedTypes(), results);
    auto function =
        func::FuncOp::create(rewriter, op.getLoc(), op.getName(), type);
    function.setVisibility(op.getVisibility());
    if (op.isPublic()) {
      function->setAttr(tile::TileDialect::kKernel, rewriter.getUnitAttr());
      for (unsigned i = 0; i < count; ++i) {
        auto divisor = op.getArgAttrOfType<IntegerAttr>(i, "tt.divisibility");
        Type argument = type.getInput(i);
        if (divisor && (isa<tile::PtrType>(argument) ||
                        (isa<IntegerType>(argument) && !argument.isInteger(1))))
          function.setArgAttr(i, tile::TileDialect::kMultipleOf,
                              rewriter.getI64IntegerAttr(divisor.getInt()));
      }
    }
    rewriter.inlineRegionBefore(op.getBody(), function.getBody(),
                                function.end());
    if (failed(rewriter.convertRegionTypes(&function.getBody(),
                                           *getTypeConverter(), &signature)))
      return rewriter.notifyMatchFailure(op, "has types without counterpart");
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertCall : OpConversionPattern<triton::CallOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::CallOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> results;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), results)))
      return rewriter.notifyMatchFailure(op, "has types without counterpart");
    rewriter.replaceOpWithNewOp<func::CallOp>(op, op.getCallee(), results,
                                              adaptor.getArguments());
    return success();
  }
};

struct ConvertReturn : OpConversionPattern<triton::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::ReturnOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<func::ReturnOp>(op, adaptor.getSrcs());
    return success();
  }
};

/// An assertion on all elements.
struct ConvertAssert : OpConversionPattern<triton::AssertOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::AssertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value condition = adaptor.getCondition();
    while (isa<RankedTensorType>(condition.getType()))
      condition = tile::ReduceOp::create(rewriter, op.getLoc(),
                                         tile::Combiner::And, condition,
                                         /*axis=*/0);
    rewriter.replaceOpWithNewOp<cf::AssertOp>(op, condition,
                                              op.getMessageAttr());
    return success();
  }
};

/// An upstream op without regions: made anew.
struct ConvertUpstream : ConversionPattern {
  ConvertUpstream(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<arith::ArithDialect, ub::UBDialect>(op->getDialect()))
      return rewriter.notifyMatchFailure(op, "is of another dialect");
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return rewriter.notifyMatchFailure(op, "has types without counterpart");
    OperationState state(op->getLoc(), op->getName(), operands, types,
                         op->getAttrs());
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }
};

} // namespace

void triton_to_tile::populateFunctionPatterns(const PointerConverter &converter,
                                              RewritePatternSet &patterns) {
  patterns.add<ConvertFunction, ConvertCall, ConvertReturn, ConvertAssert,
               ConvertUpstream>(converter, patterns.getContext());
}
