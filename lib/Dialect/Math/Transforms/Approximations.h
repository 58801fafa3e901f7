//===- Approximations.h - Parts of cpu-approximate-math ---------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_MATH_TRANSFORMS_APPROXIMATIONS_H
#define TILEIR_LIB_DIALECT_MATH_TRANSFORMS_APPROXIMATIONS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace tileir::math_transforms {

/// Builds arithmetic on vectors of floats, f32 or f64, and on their bits.
class VectorBuilder : public mlir::ImplicitLocOpBuilder {
public:
  VectorBuilder(mlir::OpBuilder &builder, mlir::Location loc,
                mlir::VectorType type)
      : ImplicitLocOpBuilder(loc, builder), type(type),
        integers(type.clone(getIntegerType(type.getElementTypeBitWidth()))) {}

  mlir::Value getSplat(double number) {
    return getConstant(type, getFloatAttr(type.getElementType(), number));
  }
  mlir::Value getInts(int64_t number) {
    return getConstant(integers,
                       getIntegerAttr(integers.getElementType(), number));
  }
  mlir::Value getBits(mlir::Value x) {
    return mlir::arith::BitcastOp::create(*this, integers, x);
  }
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c) {
    return mlir::math::FmaOp::create(*this, a, b, c);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return mlir::arith::MulFOp::create(*this, a, b);
  }
  /// The first coefficient is that of the greatest power.
  template <typename Numbers>
  mlir::Value polynomial(mlir::Value x, const Numbers &coefficients) {
    mlir::Value sum = getSplat(*std::begin(coefficients));
    for (double coefficient : llvm::drop_begin(coefficients))
      sum = fma(sum, x, getSplat(coefficient));
    return sum;
  }

  const mlir::VectorType type, integers;

private:
  mlir::Value getConstant(mlir::VectorType of, mlir::Attribute number) {
    return mlir::arith::ConstantOp::create(
        *this, mlir::DenseElementsAttr::get(of, number));
  }
};

/// Added to a number of f32, and subtracted, rounds it; the sum has the result
/// in its low bits.
inline constexpr float kShift = 0x1.8p23f;

/// Powers of vectors of f32.
void populatePowerPatterns(mlir::RewritePatternSet &patterns);

/// sin and cos of vectors of f32.
void populateSinePatterns(mlir::RewritePatternSet &patterns);

} // namespace tileir::math_transforms

#endif // TILEIR_LIB_DIALECT_MATH_TRANSFORMS_APPROXIMATIONS_H
