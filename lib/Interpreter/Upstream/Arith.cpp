//===- Arith.cpp - Integer arithmetic -------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The integer half of the arith dialect. Integers wrap; flags that promise no
// overflow are not checked. Undefined results (division by zero, shifts by the
// width) are errors.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

/// A function of two unsigned integers, whose low bits are the result. Adding,
/// subtracting, multiplying and bitwise logic do not depend on the sign.
static ScalarFunction unsignedOp(uint64_t (*function)(uint64_t, uint64_t)) {
  return [function](Operation *, ArrayRef<Scalar> in,
                    MutableArrayRef<Scalar> out) {
    out[0] = makeInteger(out[0].kind,
                         function(toUnsigned(in[0]), toUnsigned(in[1])));
    return success();
  };
}

static ScalarFunction signedOp(int64_t (*function)(int64_t, int64_t)) {
  return [function](Operation *, ArrayRef<Scalar> in,
                    MutableArrayRef<Scalar> out) {
    out[0] =
        makeInteger(out[0].kind, function(toSigned(in[0]), toSigned(in[1])));
    return success();
  };
}

static ScalarFunction unsignedDivision(uint64_t (*function)(uint64_t,
                                                            uint64_t)) {
  return [function](Operation *op, ArrayRef<Scalar> in,
                    MutableArrayRef<Scalar> out) -> LogicalResult {
    if (toUnsigned(in[1]) == 0)
      return op->emitError("divides ") << toUnsigned(in[0]) << " by zero";
    return unsignedOp(function)(op, in, out);
  };
}

/// A quotient that does not fit is undefined; a remainder then is 0.
static ScalarFunction signedDivision(int64_t (*function)(int64_t, int64_t),
                                     bool isRemainder = false) {
  return [=](Operation *op, ArrayRef<Scalar> in,
             MutableArrayRef<Scalar> out) -> LogicalResult {
    int64_t lhs = toSigned(in[0]), rhs = toSigned(in[1]);
    if (rhs == 0)
      return op->emitError("divides ") << lhs << " by zero";
    if (rhs == -1 && lhs == llvm::minIntN(getWidth(in[0].kind))) {
      out[0].bits = 0;
      if (isRemainder)
        return success();
      return op->emitError("overflows: divides ") << lhs << " by -1";
    }
    out[0] = makeInteger(out[0].kind, function(lhs, rhs));
    return success();
  };
}

static ScalarFunction shift(int64_t (*function)(Scalar, unsigned)) {
  return [function](Operation *op, ArrayRef<Scalar> in,
                    MutableArrayRef<Scalar> out) -> LogicalResult {
    if (toUnsigned(in[1]) >= getWidth(in[0].kind))
      return op->emitError("shifts by ")
             << toUnsigned(in[1]) << ", expected less than the width "
             << getWidth(in[0].kind);
    out[0] = makeInteger(out[0].kind, function(in[0], in[1].bits));
    return success();
  };
}

/// The low and high half of a product in twice the width.
static ScalarFunction extendedProduct(bool isSigned) {
  return [isSigned](Operation *, ArrayRef<Scalar> in,
                    MutableArrayRef<Scalar> out) {
    auto extend = [&](Scalar scalar) {
      return APInt(128, isSigned ? toSigned(scalar) : toUnsigned(scalar),
                   isSigned);
    };
    APInt product = extend(in[0]) * extend(in[1]);
    unsigned width = getWidth(in[0].kind);
    out[0] = makeInteger(out[0].kind, product.trunc(64).getSExtValue());
    out[1] =
        makeInteger(out[1].kind, product.lshr(width).trunc(64).getSExtValue());
    return success();
  };
}

bool interp::compare(arith::CmpIPredicate predicate, Scalar lhs, Scalar rhs) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return lhs.bits == rhs.bits;
  case arith::CmpIPredicate::ne:
    return lhs.bits != rhs.bits;
  case arith::CmpIPredicate::slt:
    return toSigned(lhs) < toSigned(rhs);
  case arith::CmpIPredicate::sle:
    return toSigned(lhs) <= toSigned(rhs);
  case arith::CmpIPredicate::sgt:
    return toSigned(lhs) > toSigned(rhs);
  case arith::CmpIPredicate::sge:
    return toSigned(lhs) >= toSigned(rhs);
  case arith::CmpIPredicate::ult:
    return toUnsigned(lhs) < toUnsigned(rhs);
  case arith::CmpIPredicate::ule:
    return toUnsigned(lhs) <= toUnsigned(rhs);
  case arith::CmpIPredicate::ugt:
    return toUnsigned(lhs) > toUnsigned(rhs);
  case arith::CmpIPredicate::uge:
    return toUnsigned(lhs) >= toUnsigned(rhs);
  }
  llvm_unreachable("unknown predicate");
}

/// A conversion between integers that extends by the sign or by zeros.
static LogicalResult castSigned(Operation *, ArrayRef<Scalar> in,
                                MutableArrayRef<Scalar> out) {
  out[0] = makeInteger(out[0].kind, toSigned(in[0]));
  return success();
}

static LogicalResult castUnsigned(Operation *, ArrayRef<Scalar> in,
                                  MutableArrayRef<Scalar> out) {
  out[0] = makeInteger(out[0].kind, toUnsigned(in[0]));
  return success();
}

static LogicalResult bitcast(Operation *, ArrayRef<Scalar> in,
                             MutableArrayRef<Scalar> out) {
  out[0] = isFloat(out[0].kind)
               ? Scalar{out[0].kind, static_cast<int64_t>(toUnsigned(in[0]))}
               : makeInteger(out[0].kind, in[0].bits);
  return success();
}

static LogicalResult addExtended(Operation *, ArrayRef<Scalar> in,
                                 MutableArrayRef<Scalar> out) {
  out[0] = makeInteger(in[0].kind, toUnsigned(in[0]) + toUnsigned(in[1]));
  out[1] = makeBool(toUnsigned(out[0]) < toUnsigned(in[0]));
  return success();
}

void interp::addArithHandlers(HandlerTable &table) {
  using U = uint64_t;
  using S = int64_t;
  table.addScalar<arith::AddIOp>(unsignedOp([](U a, U b) { return a + b; }));
  table.addScalar<arith::SubIOp>(unsignedOp([](U a, U b) { return a - b; }));
  table.addScalar<arith::MulIOp>(unsignedOp([](U a, U b) { return a * b; }));
  table.addScalar<arith::AndIOp>(unsignedOp([](U a, U b) { return a & b; }));
  table.addScalar<arith::OrIOp>(unsignedOp([](U a, U b) { return a | b; }));
  table.addScalar<arith::XOrIOp>(unsignedOp([](U a, U b) { return a ^ b; }));
  table.addScalar<arith::MaxUIOp>(
      unsignedOp([](U a, U b) { return std::max(a, b); }));
  table.addScalar<arith::MinUIOp>(
      unsignedOp([](U a, U b) { return std::min(a, b); }));
  table.addScalar<arith::MaxSIOp>(
      signedOp([](S a, S b) { return std::max(a, b); }));
  table.addScalar<arith::MinSIOp>(
      signedOp([](S a, S b) { return std::min(a, b); }));

  table.addScalar<arith::DivUIOp>(
      unsignedDivision([](U a, U b) { return a / b; }));
  table.addScalar<arith::RemUIOp>(
      unsignedDivision([](U a, U b) { return a % b; }));
  table.addScalar<arith::CeilDivUIOp>(
      unsignedDivision([](U a, U b) { return a / b + (a % b != 0); }));
  table.addScalar<arith::DivSIOp>(
      signedDivision([](S a, S b) { return a / b; }));
  table.addScalar<arith::FloorDivSIOp>(signedDivision(
      [](S a, S b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }));
  table.addScalar<arith::CeilDivSIOp>(signedDivision(
      [](S a, S b) { return a / b + (a % b != 0 && (a < 0) == (b < 0)); }));
  table.addScalar<arith::RemSIOp>(
      signedDivision([](S a, S b) { return a % b; }, /*isRemainder=*/true));

  table.addScalar<arith::ShLIOp>(
      shift([](Scalar a, unsigned n) { return S(toUnsigned(a) << n); }));
  table.addScalar<arith::ShRUIOp>(
      shift([](Scalar a, unsigned n) { return S(toUnsigned(a) >> n); }));
  table.addScalar<arith::ShRSIOp>(
      shift([](Scalar a, unsigned n) { return toSigned(a) >> n; }));
  table.addScalar<arith::AddUIExtendedOp>(addExtended);
  table.addScalar<arith::MulSIExtendedOp>(extendedProduct(/*isSigned=*/true));
  table.addScalar<arith::MulUIExtendedOp>(extendedProduct(/*isSigned=*/false));

  table.addScalar<arith::ExtSIOp>(castSigned);
  table.addScalar<arith::ExtUIOp>(castUnsigned);
  table.addScalar<arith::TruncIOp>(castSigned);
  table.addScalar<arith::IndexCastOp>(castSigned);
  table.addScalar<arith::IndexCastUIOp>(castUnsigned);
  table.addScalar<arith::BitcastOp>(bitcast);
  table.addScalar<arith::CmpIOp>([](Operation *op, ArrayRef<Scalar> in,
                                    MutableArrayRef<Scalar> out) {
    out[0] =
        makeBool(compare(cast<arith::CmpIOp>(op).getPredicate(), in[0], in[1]));
    return success();
  });
}
