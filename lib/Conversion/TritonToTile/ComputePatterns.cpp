//===- ComputePatterns.cpp - Arithmetic -----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that upstream has, or can be put together from. Functions of libdevice
// are told by their names, without the prefix, and the suffix f of those on
// f32.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::triton_to_tile;

LibraryFunction triton_to_tile::findLibraryFunction(StringRef symbol) {
  if (!symbol.consume_front("__nv_"))
    return {};
  auto find = [](StringRef name) -> LibraryFunction {
    for (StringRef rounded : {"_rn"})
      name.consume_back(rounded);
    return llvm::StringSwitch<LibraryFunction>(name)
        .Cases({"acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh"},
               LibraryFunction{"math."})
        .Cases({"cbrt", "ceil",  "copysign", "cos",   "cosh",  "erf",
                "erfc", "exp",   "exp2",     "expm1", "floor", "fma",
                "log",  "log10", "log1p",    "log2",  "round", "rsqrt",
                "sin",  "sinh",  "sqrt",     "tan",   "tanh",  "trunc"},
               LibraryFunction{"math."})
        .Cases({"fast_cos", "fast_exp", "fast_log", "fast_log10", "fast_log2",
                "fast_sin", "fast_tan", "fast_tanh"},
               LibraryFunction{"math."})
        .Cases({"isnan", "isinf", "finite", "isfinited"},
               LibraryFunction{"arith.cmpf", true})
        .Case("fabs", LibraryFunction{"math.absf"})
        .Cases({"pow", "fast_pow"}, LibraryFunction{"math.powf"})
        .Case("powi", LibraryFunction{"math.fpowi"})
        .Cases({"rint", "nearbyint"}, LibraryFunction{"math.roundeven"})
        .Cases({"fsqrt", "dsqrt"}, LibraryFunction{"math.sqrt"})
        .Cases({"fdiv", "ddiv", "fast_fdivide"}, LibraryFunction{"arith.divf"})
        .Cases({"fadd", "dadd"}, LibraryFunction{"arith.addf"})
        .Cases({"fsub", "dsub"}, LibraryFunction{"arith.subf"})
        .Cases({"fmul", "dmul"}, LibraryFunction{"arith.mulf"})
        .Case("fmod", LibraryFunction{"arith.remf"})
        .Case("fmax", LibraryFunction{"arith.maxnumf"})
        .Case("fmin", LibraryFunction{"arith.minnumf"})
        .Default({});
  };
  LibraryFunction found = find(symbol);
  if (found.op.empty() && symbol.consume_back("f"))
    found = find(symbol);
  return found;
}

/// The name of the op of `math` for a function that is called alike.
static std::string getOpName(StringRef symbol) {
  symbol.consume_front("__nv_");
  symbol.consume_front("fast_");
  std::string name = ("math." + symbol).str();
  // The suffix of f32 is no part of the name, unless it is one: erf.
  if (StringRef(name).ends_with("f") && name != "math.erf")
    name.pop_back();
  return name;
}

namespace {

struct ConvertDot : OpConversionPattern<triton::DotOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::DotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    bool isTF32 = op.getInputPrecision() == triton::Precision::TF32 &&
                  op.getA().getType().getElementType().isF32();
    rewriter.replaceOpWithNewOp<tile::DotOp>(
        op, op.getType(), adaptor.getA(), adaptor.getB(), adaptor.getC(),
        isTF32 ? rewriter.getStringAttr("tf32") : StringAttr());
    return success();
  }
};

struct ConvertFpToFp : OpConversionPattern<triton::FpToFpOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::FpToFpOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value source = adaptor.getSrc();
    unsigned from = tile::getElement(source.getType()).getIntOrFloatBitWidth(),
             to = tile::getElement(op.getType()).getIntOrFloatBitWidth();
    if (from < to) {
      rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), source);
      return success();
    }
    // Of one width: by way of f32.
    if (from == to)
      source = arith::ExtFOp::create(
          rewriter, op.getLoc(),
          tile::withElement(source.getType(), rewriter.getF32Type()), source);
    Value rounded =
        arith::TruncFOp::create(rewriter, op.getLoc(), op.getType(), source);
    // CPUs that round f32 to bf16 flush what is not normal.
    Type bf16 = rewriter.getBF16Type(), f32 = rewriter.getF32Type();
    if (op.getRounding() == triton::Rounding::ToZero)
      rounded = tile::getElement(op.getType()) == bf16 &&
                        tile::getElement(source.getType()) == f32
                    ? emitUpperHalf(rewriter, op.getLoc(), source, rounded)
                    : emitTowardZero(rewriter, op.getLoc(), source, rounded);
    rewriter.replaceOp(op, rounded);
    return success();
  }

private:
  static Value toBits(OpBuilder &builder, Location loc, Value value) {
    Type element = tile::getElement(value.getType());
    Type type = tile::withElement(
        value.getType(),
        builder.getIntegerType(element.getIntOrFloatBitWidth()));
    return arith::BitcastOp::create(builder, loc, type, value);
  }

  /// The first 16 bits of f32; where it is NaN, `rounded`, as these may be
  /// those of infinity.
  static Value emitUpperHalf(OpBuilder &builder, Location loc, Value source,
                             Value rounded) {
    Value bits = toBits(builder, loc, source);
    bits = arith::ShRUIOp::create(
        builder, loc, bits,
        createScalarOrSplatConstant(builder, loc, bits.getType(), 16));
    bits = arith::TruncIOp::create(
        builder, loc, tile::withElement(bits.getType(), builder.getI16Type()),
        bits);
    Value upper =
        arith::BitcastOp::create(builder, loc, rounded.getType(), bits);
    Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                        source, source);
    return arith::SelectOp::create(builder, loc, isNaN, rounded, upper);
  }

  /// What is rounded away from zero is one step too far from it: its bits, as
  /// an integer, less one. So infinity becomes the largest number.
  static Value emitTowardZero(OpBuilder &builder, Location loc, Value source,
                              Value rounded) {
    auto getSize = [&](Value value) -> Value {
      return math::AbsFOp::create(builder, loc, value);
    };
    Value back = arith::ExtFOp::create(builder, loc, source.getType(), rounded);
    Value isFarther =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT,
                              getSize(back), getSize(source));
    Value bits = toBits(builder, loc, rounded);
    Value less = arith::SubIOp::create(
        builder, loc, bits,
        createScalarOrSplatConstant(builder, loc, bits.getType(), 1));
    less = arith::BitcastOp::create(builder, loc, rounded.getType(), less);
    return arith::SelectOp::create(builder, loc, isFarther, less, rounded);
  }
};

struct ConvertClampF : OpConversionPattern<triton::ClampFOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::ClampFOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value x = adaptor.getX(), low = adaptor.getMin(), high = adaptor.getMax();
    if (op.getPropagateNan() == triton::PropagateNan::All) {
      x = arith::MaximumFOp::create(rewriter, loc, x, low);
      rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, x, high);
    } else {
      x = arith::MaxNumFOp::create(rewriter, loc, x, low);
      rewriter.replaceOpWithNewOp<arith::MinNumFOp>(op, x, high);
    }
    return success();
  }
};

struct ConvertMulhiUI : OpConversionPattern<triton::MulhiUIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::MulhiUIOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    unsigned bits = tile::getElement(op.getType()).getIntOrFloatBitWidth();
    Type wide =
        tile::withElement(op.getType(), rewriter.getIntegerType(2 * bits));
    Value x = arith::ExtUIOp::create(rewriter, loc, wide, adaptor.getX());
    Value y = arith::ExtUIOp::create(rewriter, loc, wide, adaptor.getY());
    Value product = arith::MulIOp::create(rewriter, loc, x, y);
    TypedAttr shift = rewriter.getIntegerAttr(tile::getElement(wide), bits);
    if (auto tensor = dyn_cast<RankedTensorType>(wide))
      shift = DenseElementsAttr::get(tensor, Attribute(shift));
    Value upper =
        arith::ShRUIOp::create(rewriter, loc, product,
                               arith::ConstantOp::create(rewriter, loc, shift));
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, op.getType(), upper);
    return success();
  }
};

/// An op with the operands and the result of one of Triton's.
template <typename From, typename To>
struct ConvertElementwise : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(From op, typename From::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, op.getType(), adaptor.getOperands());
    return success();
  }
};

struct ConvertExtern : OpConversionPattern<triton::ExternElementwiseOp> {
  using OpConversionPattern::OpConversionPattern;

  /// Whether `x` is NaN, infinite, or finite.
  static Value emitTest(OpBuilder &builder, Location loc, StringRef symbol,
                        Value x) {
    if (symbol.contains("nan"))
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, x,
                                   x);
    auto type = cast<FloatType>(tile::getElement(x.getType()));
    TypedAttr infinity =
        FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics()));
    if (auto tensor = dyn_cast<RankedTensorType>(x.getType()))
      infinity = DenseElementsAttr::get(tensor, Attribute(infinity));
    return arith::CmpFOp::create(
        builder, loc,
        symbol.contains("isinf") ? arith::CmpFPredicate::OEQ
                                 : arith::CmpFPredicate::ONE,
        math::AbsFOp::create(builder, loc, x),
        arith::ConstantOp::create(builder, loc, infinity));
  }

  LogicalResult
  matchAndRewrite(triton::ExternElementwiseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    LibraryFunction function = findLibraryFunction(op.getSymbol());
    if (function.isTest) {
      Value holds = emitTest(rewriter, op.getLoc(), op.getSymbol(),
                             adaptor.getSrcs().front());
      if (holds.getType() == op.getType())
        rewriter.replaceOp(op, holds);
      else
        rewriter.replaceOpWithNewOp<arith::ExtUIOp>(op, op.getType(), holds);
      return success();
    }
    std::string name =
        function.op == "math." ? getOpName(op.getSymbol()) : function.op.str();
    OperationState state(op.getLoc(), name, adaptor.getSrcs(), op.getType());
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }
};

} // namespace

void triton_to_tile::populateComputePatterns(const PointerConverter &converter,
                                             RewritePatternSet &patterns) {
  patterns.add<ConvertDot, ConvertFpToFp, ConvertClampF, ConvertMulhiUI,
               ConvertElementwise<triton::PreciseSqrtOp, math::SqrtOp>,
               ConvertElementwise<triton::PreciseDivFOp, arith::DivFOp>,
               ConvertExtern>(converter, patterns.getContext());
}
