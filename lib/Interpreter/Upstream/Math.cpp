//===- Math.cpp - The math dialect ----------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transcendental functions are those of the C library in double, rounded to the
// type: off by at most the last bit for f64, correctly rounded nearly always
// for the narrower types. The other functions are exact or correctly rounded.
// vector.fma is math.fma under another name.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;

static ScalarFunction unary(double (*function)(double)) {
  return [function](Operation *, ArrayRef<Scalar> in,
                    MutableArrayRef<Scalar> out) {
    out[0] = makeFloat(out[0].kind, function(toDouble(in[0])));
    return success();
  };
}

static ScalarFunction classify(bool (*function)(const APFloat &)) {
  return [function](Operation *, ArrayRef<Scalar> in,
                    MutableArrayRef<Scalar> out) {
    out[0] = makeBool(function(toAPFloat(in[0])));
    return success();
  };
}

/// A function of the bits of an integer at its width.
static ScalarFunction count(unsigned (*function)(const APInt &)) {
  return [function](Operation *, ArrayRef<Scalar> in,
                    MutableArrayRef<Scalar> out) {
    APInt integer(getWidth(in[0].kind), toUnsigned(in[0]));
    out[0] = makeInteger(out[0].kind, function(integer));
    return success();
  };
}

/// a * b + c rounded once, which double cannot do for the narrower types.
static LogicalResult fusedMultiplyAdd(Operation *, ArrayRef<Scalar> in,
                                      MutableArrayRef<Scalar> out) {
  APFloat result = toAPFloat(in[0]);
  result.fusedMultiplyAdd(toAPFloat(in[1]), toAPFloat(in[2]),
                          APFloat::rmNearestTiesToEven);
  out[0] = makeFloat(out[0].kind, result);
  return success();
}

/// Integer powers, modulo the width. A negative power of an integer rounds to
/// zero, except for 1 and -1.
static LogicalResult ipowi(Operation *op, ArrayRef<Scalar> in,
                           MutableArrayRef<Scalar> out) {
  int64_t base = toSigned(in[0]), power = toSigned(in[1]);
  if (base == 0 && power < 0)
    return op->emitError("raises zero to the negative power ") << power;
  if (power < 0) {
    bool isUnit = base == 1 || base == -1;
    out[0] = makeInteger(out[0].kind, !isUnit ? 0 : power % 2 ? base : 1);
    return success();
  }
  uint64_t result = 1, square = base;
  for (; power > 0; power >>= 1, square *= square)
    if (power & 1)
      result *= square;
  out[0] = makeInteger(out[0].kind, result);
  return success();
}

void interp::addMathHandlers(HandlerTable &table) {
  using D = double;
  table.addScalar<math::AbsFOp>(unary([](D x) { return std::fabs(x); }));
  table.addScalar<math::CeilOp>(unary([](D x) { return std::ceil(x); }));
  table.addScalar<math::FloorOp>(unary([](D x) { return std::floor(x); }));
  table.addScalar<math::RoundOp>(unary([](D x) { return std::round(x); }));
  table.addScalar<math::RoundEvenOp>(
      unary([](D x) { return std::nearbyint(x); }));
  table.addScalar<math::TruncOp>(unary([](D x) { return std::trunc(x); }));
  table.addScalar<math::SqrtOp>(unary([](D x) { return std::sqrt(x); }));
  table.addScalar<math::RsqrtOp>(unary([](D x) { return 1 / std::sqrt(x); }));
  table.addScalar<math::CbrtOp>(unary([](D x) { return std::cbrt(x); }));
  table.addScalar<math::ExpOp>(unary([](D x) { return std::exp(x); }));
  table.addScalar<math::Exp2Op>(unary([](D x) { return std::exp2(x); }));
  table.addScalar<math::ExpM1Op>(unary([](D x) { return std::expm1(x); }));
  table.addScalar<math::LogOp>(unary([](D x) { return std::log(x); }));
  table.addScalar<math::Log2Op>(unary([](D x) { return std::log2(x); }));
  table.addScalar<math::Log10Op>(unary([](D x) { return std::log10(x); }));
  table.addScalar<math::Log1pOp>(unary([](D x) { return std::log1p(x); }));
  table.addScalar<math::SinOp>(unary([](D x) { return std::sin(x); }));
  table.addScalar<math::CosOp>(unary([](D x) { return std::cos(x); }));
  table.addScalar<math::TanOp>(unary([](D x) { return std::tan(x); }));
  table.addScalar<math::AsinOp>(unary([](D x) { return std::asin(x); }));
  table.addScalar<math::AcosOp>(unary([](D x) { return std::acos(x); }));
  table.addScalar<math::AtanOp>(unary([](D x) { return std::atan(x); }));
  table.addScalar<math::SinhOp>(unary([](D x) { return std::sinh(x); }));
  table.addScalar<math::CoshOp>(unary([](D x) { return std::cosh(x); }));
  table.addScalar<math::TanhOp>(unary([](D x) { return std::tanh(x); }));
  table.addScalar<math::AsinhOp>(unary([](D x) { return std::asinh(x); }));
  table.addScalar<math::AcoshOp>(unary([](D x) { return std::acosh(x); }));
  table.addScalar<math::AtanhOp>(unary([](D x) { return std::atanh(x); }));
  table.addScalar<math::ErfOp>(unary([](D x) { return std::erf(x); }));
  table.addScalar<math::ErfcOp>(unary([](D x) { return std::erfc(x); }));

  table.addScalar<math::Atan2Op>(
      binary([](D y, D x) { return std::atan2(y, x); }));
  table.addScalar<math::PowFOp>(
      binary([](D x, D y) { return std::pow(x, y); }));
  table.addScalar<math::CopySignOp>(
      binary([](D x, D y) { return std::copysign(x, y); }));
  table.addScalar<math::FmaOp>(fusedMultiplyAdd);
  table.addScalar<vector::FMAOp>(fusedMultiplyAdd);
  table.addScalar<math::FPowIOp>(
      [](Operation *, ArrayRef<Scalar> in, MutableArrayRef<Scalar> out) {
        out[0] = makeFloat(out[0].kind,
                           std::pow(toDouble(in[0]), double(toSigned(in[1]))));
        return success();
      });
  table.addScalar<math::SincosOp>(
      [](Operation *, ArrayRef<Scalar> in, MutableArrayRef<Scalar> out) {
        out[0] = makeFloat(out[0].kind, std::sin(toDouble(in[0])));
        out[1] = makeFloat(out[1].kind, std::cos(toDouble(in[0])));
        return success();
      });

  table.addScalar<math::IsNaNOp>(
      classify([](const APFloat &x) { return x.isNaN(); }));
  table.addScalar<math::IsInfOp>(
      classify([](const APFloat &x) { return x.isInfinity(); }));
  table.addScalar<math::IsFiniteOp>(
      classify([](const APFloat &x) { return x.isFinite(); }));
  table.addScalar<math::IsNormalOp>(
      classify([](const APFloat &x) { return x.isNormal(); }));

  table.addScalar<math::AbsIOp>(
      [](Operation *, ArrayRef<Scalar> in, MutableArrayRef<Scalar> out) {
        uint64_t value = toSigned(in[0]);
        out[0] = makeInteger(out[0].kind, toSigned(in[0]) < 0 ? -value : value);
        return success();
      });
  table.addScalar<math::IPowIOp>(ipowi);
  table.addScalar<math::CountLeadingZerosOp>(
      count([](const APInt &x) { return x.countl_zero(); }));
  table.addScalar<math::CountTrailingZerosOp>(
      count([](const APInt &x) { return x.countr_zero(); }));
  table.addScalar<math::CtPopOp>(
      count([](const APInt &x) { return x.popcount(); }));
}
