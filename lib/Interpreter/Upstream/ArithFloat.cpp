//===- ArithFloat.cpp - Floating-point arithmetic -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The floating-point half of the arith dialect, conversions included. Every
// result is the correctly rounded one of its type; fast-math flags allow other
// results, none of which is taken here. A float that the integer type of a
// conversion does not have is an error.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include <cmath>

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

double interp::maximum(double left, double right) {
  if (std::isnan(left) || std::isnan(right))
    return left + right;
  if (left == right)
    return std::signbit(left) ? right : left;
  return left > right ? left : right;
}

double interp::minimum(double left, double right) {
  if (std::isnan(left) || std::isnan(right))
    return left + right;
  if (left == right)
    return std::signbit(left) ? left : right;
  return left < right ? left : right;
}

/// Computes the same as maximum, but a NaN loses. Zeros may come out with
/// either sign.
static double maxnum(double left, double right) {
  if (std::isnan(left) || std::isnan(right))
    return std::isnan(left) ? right : left;
  return maximum(left, right);
}

static double minnum(double left, double right) {
  if (std::isnan(left) || std::isnan(right))
    return std::isnan(left) ? right : left;
  return minimum(left, right);
}

ScalarFunction interp::binary(double (*function)(double, double)) {
  return [function](Operation *, ArrayRef<Scalar> in,
                    MutableArrayRef<Scalar> out) {
    out[0] = makeFloat(out[0].kind, function(toDouble(in[0]), toDouble(in[1])));
    return success();
  };
}

bool interp::compare(arith::CmpFPredicate predicate, double lhs, double rhs) {
  using P = arith::CmpFPredicate;
  bool unordered = std::isnan(lhs) || std::isnan(rhs);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::OEQ:
    return lhs == rhs;
  case P::OGT:
    return lhs > rhs;
  case P::OGE:
    return lhs >= rhs;
  case P::OLT:
    return lhs < rhs;
  case P::OLE:
    return lhs <= rhs;
  case P::ONE:
    return !unordered && lhs != rhs;
  case P::ORD:
    return !unordered;
  case P::UEQ:
    return unordered || lhs == rhs;
  case P::UGT:
    return unordered || lhs > rhs;
  case P::UGE:
    return unordered || lhs >= rhs;
  case P::ULT:
    return unordered || lhs < rhs;
  case P::ULE:
    return unordered || lhs <= rhs;
  case P::UNE:
    return unordered || lhs != rhs;
  case P::UNO:
    return unordered;
  case P::AlwaysTrue:
    return true;
  }
  llvm_unreachable("unknown predicate");
}

/// Integers of up to 64 bits do not all fit double: APFloat rounds them once.
static ScalarFunction fromInteger(bool isSigned) {
  return [isSigned](Operation *, ArrayRef<Scalar> in,
                    MutableArrayRef<Scalar> out) {
    APInt integer(64, isSigned ? toSigned(in[0]) : toUnsigned(in[0]));
    APFloat result(getSemantics(out[0].kind));
    result.convertFromAPInt(integer, isSigned, APFloat::rmNearestTiesToEven);
    out[0] = makeFloat(out[0].kind, result);
    return success();
  };
}

static ScalarFunction toInteger(bool isSigned) {
  return [isSigned](Operation *op, ArrayRef<Scalar> in,
                    MutableArrayRef<Scalar> out) -> LogicalResult {
    unsigned width = getWidth(out[0].kind);
    APSInt result(width, /*isUnsigned=*/!isSigned);
    bool isExact;
    if (toAPFloat(in[0]).convertToInteger(result, APFloat::rmTowardZero,
                                          &isExact) == APFloat::opInvalidOp)
      return op->emitError("converts ")
             << interp::toString(in[0])
             << (isSigned ? " to a signed" : " to an unsigned")
             << " integer of " << width << " bits, which does not have it";
    out[0] = makeInteger(out[0].kind, result.getExtValue());
    return success();
  };
}

/// The rounding mode that a conversion asks for.
static APFloat::roundingMode getRounding(arith::RoundingMode mode) {
  switch (mode) {
  case arith::RoundingMode::to_nearest_even:
    return APFloat::rmNearestTiesToEven;
  case arith::RoundingMode::downward:
    return APFloat::rmTowardNegative;
  case arith::RoundingMode::upward:
    return APFloat::rmTowardPositive;
  case arith::RoundingMode::toward_zero:
    return APFloat::rmTowardZero;
  case arith::RoundingMode::to_nearest_away:
    return APFloat::rmNearestTiesToAway;
  }
  llvm_unreachable("unknown rounding mode");
}

static LogicalResult truncate(Operation *op, ArrayRef<Scalar> in,
                              MutableArrayRef<Scalar> out) {
  auto mode = cast<arith::TruncFOp>(op).getRoundingmode();
  APFloat value = toAPFloat(in[0]);
  bool losesInfo;
  value.convert(
      getSemantics(out[0].kind),
      getRounding(mode.value_or(arith::RoundingMode::to_nearest_even)),
      &losesInfo);
  out[0] = makeFloat(out[0].kind, value);
  return success();
}

FailureOr<Scalar> interp::combine(Operation *op, arith::AtomicRMWKind kind,
                                  Scalar left, Scalar right) {
  using K = arith::AtomicRMWKind;
  ElementKind element = left.kind;
  auto floats = [&](double value) { return makeFloat(element, value); };
  auto integers = [&](int64_t value) { return makeInteger(element, value); };
  switch (kind) {
  case K::addf:
    return floats(toDouble(left) + toDouble(right));
  case K::mulf:
    return floats(toDouble(left) * toDouble(right));
  case K::maximumf:
    return floats(maximum(toDouble(left), toDouble(right)));
  case K::minimumf:
    return floats(minimum(toDouble(left), toDouble(right)));
  case K::maxnumf:
    return floats(maxnum(toDouble(left), toDouble(right)));
  case K::minnumf:
    return floats(minnum(toDouble(left), toDouble(right)));
  case K::addi:
    return integers(toUnsigned(left) + toUnsigned(right));
  case K::muli:
    return integers(toUnsigned(left) * toUnsigned(right));
  case K::maxs:
    return toSigned(left) > toSigned(right) ? left : right;
  case K::mins:
    return toSigned(left) < toSigned(right) ? left : right;
  case K::maxu:
    return toUnsigned(left) > toUnsigned(right) ? left : right;
  case K::minu:
    return toUnsigned(left) < toUnsigned(right) ? left : right;
  case K::andi:
    return integers(left.bits & right.bits);
  case K::ori:
    return integers(left.bits | right.bits);
  case K::xori:
    return integers(left.bits ^ right.bits);
  case K::assign:
    return right;
  }
  return op->emitError(kUnknownToInterpreter)
         << "the reduction '" << arith::stringifyAtomicRMWKind(kind) << "'";
}

void interp::addArithFloatHandlers(HandlerTable &table) {
  using D = double;
  table.addScalar<arith::AddFOp>(binary([](D a, D b) { return a + b; }));
  table.addScalar<arith::SubFOp>(binary([](D a, D b) { return a - b; }));
  table.addScalar<arith::MulFOp>(binary([](D a, D b) { return a * b; }));
  table.addScalar<arith::DivFOp>(binary([](D a, D b) { return a / b; }));
  table.addScalar<arith::RemFOp>(
      binary([](D a, D b) { return std::fmod(a, b); }));
  table.addScalar<arith::MaximumFOp>(binary(maximum));
  table.addScalar<arith::MinimumFOp>(binary(minimum));
  table.addScalar<arith::MaxNumFOp>(binary(maxnum));
  table.addScalar<arith::MinNumFOp>(binary(minnum));
  table.addScalar<arith::NegFOp>(
      [](Operation *, ArrayRef<Scalar> in, MutableArrayRef<Scalar> out) {
        out[0] = makeFloat(out[0].kind, -toDouble(in[0]));
        return success();
      });
  table.addScalar<arith::ExtFOp>(
      [](Operation *, ArrayRef<Scalar> in, MutableArrayRef<Scalar> out) {
        out[0] = makeFloat(out[0].kind, toDouble(in[0]));
        return success();
      });
  table.addScalar<arith::TruncFOp>(truncate);
  table.addScalar<arith::SIToFPOp>(fromInteger(/*isSigned=*/true));
  table.addScalar<arith::UIToFPOp>(fromInteger(/*isSigned=*/false));
  table.addScalar<arith::FPToSIOp>(toInteger(/*isSigned=*/true));
  table.addScalar<arith::FPToUIOp>(toInteger(/*isSigned=*/false));
  table.addScalar<arith::CmpFOp>(
      [](Operation *op, ArrayRef<Scalar> in, MutableArrayRef<Scalar> out) {
        out[0] = makeBool(compare(cast<arith::CmpFOp>(op).getPredicate(),
                                  toDouble(in[0]), toDouble(in[1])));
        return success();
      });
}
