//===- AxisInfoArith.cpp --------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Axis analysis of integer arithmetic.
//
//===----------------------------------------------------------------------===//

#include "AxisInfoTransfer.h"

#include <numeric>

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

int64_t tile::getMagnitude(int64_t value) {
  return value == std::numeric_limits<int64_t>::min() ? int64_t(1) << 62
                                                      : std::abs(value);
}

int64_t tile::multiply(int64_t lhs, int64_t rhs) {
  int64_t product;
  return llvm::MulOverflow(lhs, rhs, product) ? std::max(lhs, rhs) : product;
}

int64_t tile::getCommonMultiple(int64_t lhs, int64_t rhs) {
  if (lhs == 0 || rhs == 0)
    return 0;
  return multiply(lhs / std::gcd(lhs, rhs), rhs);
}

void Transfer::setCommonConstancy() {
  for (unsigned axis = 0; axis < getNumAxes(); ++axis) {
    int64_t constancy = 0;
    for (auto [i, operand] : llvm::enumerate(operands))
      // One scalar serves all elements.
      if (hasResultShape(i))
        constancy = std::gcd(constancy, operand[axis].constancy);
    info[axis].constancy = constancy;
  }
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

bool Transfer::fits() const {
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    if (flags.hasNoSignedWrap())
      return true;
  ConstantIntRanges lhs = getRange(getOperand(0)),
                    rhs = getRange(getOperand(1));
  unsigned width = lhs.smin().getBitWidth();
  bool overflows = false;
  for (const APInt &a : {lhs.smin(), lhs.smax()})
    for (const APInt &b : {rhs.smin(), rhs.smax()}) {
      APInt x = a.sext(2 * width), y = b.sext(2 * width);
      APInt exact = isa<arith::AddIOp>(op)   ? x + y
                    : isa<arith::SubIOp>(op) ? x - y
                                             : x * y;
      overflows |= !exact.isSignedIntN(width);
    }
  return !overflows;
}

void Transfer::inferSum() {
  setCommonConstancy();
  bool isExact = !isa<arith::AddIOp, arith::SubIOp>(op) || fits();
  const AxisInfo &lhs = operands[0], &rhs = operands[1];
  for (unsigned axis = 0; axis < getNumAxes(); ++axis) {
    int64_t run = std::gcd(lhs[axis].contiguity, rhs[axis].constancy);
    if (!isa<arith::SubIOp>(op))
      run = std::max(run, std::gcd(lhs[axis].constancy, rhs[axis].contiguity));
    int64_t divisor =
        std::gcd(lhs.getDivisor(axis, run), rhs.getDivisor(axis, run));
    setRun(axis, run, isExact ? divisor : getPowerOfTwo(divisor));
  }
}

void Transfer::inferProduct(int64_t lhs, int64_t rhs) {
  setCommonConstancy();
  setDivisor(multiply(lhs, rhs), isa<arith::MulIOp>(op) && fits());
}

/// Division by a constant. Between multiples of the divisor the quotient stays
/// the same, if it is rounded downwards.
void Transfer::inferQuotient(int64_t divisor, bool isSigned, bool isFloor) {
  setCommonConstancy();
  if (divisor <= 0)
    return;
  bool isNonNegative = this->isNonNegative(getOperand(0));
  int64_t all = operands[0].getDivisor();
  if (!isNonNegative && !isSigned)
    all = getPowerOfTwo(all);
  if (all % divisor == 0)
    setDivisor(all / divisor, /*isExact=*/true);
  if (!isNonNegative && isSigned && !isFloor)
    return;
  for (unsigned axis = 0; axis < getNumAxes(); ++axis) {
    const AxisProperties &properties = operands[0][axis];
    int64_t run = std::gcd(properties.contiguity,
                           std::gcd(properties.divisibility, divisor));
    if (!isNonNegative)
      run = getPowerOfTwo(run);
    info[axis].constancy = std::max(info[axis].constancy, run);
  }
}

/// The remainder of a division by a constant. Between multiples of the divisor
/// it goes up by one, as the dividend does.
void Transfer::inferRemainder(int64_t divisor, bool isSigned) {
  setCommonConstancy();
  if (divisor <= 0)
    return;
  bool isNonNegative = this->isNonNegative(getOperand(0));
  auto keep = [&](int64_t property) {
    return isNonNegative ? property : getPowerOfTwo(property);
  };
  for (unsigned axis = 0; axis < getNumAxes(); ++axis) {
    const AxisProperties &properties = operands[0][axis];
    int64_t run = 1;
    if (isNonNegative || !isSigned)
      run = keep(std::gcd(properties.contiguity,
                          std::gcd(properties.divisibility, divisor)));
    int64_t first = operands[0].getDivisor(axis, run);
    setRun(axis, run, std::gcd(isSigned ? first : keep(first), divisor));
  }
}

void Transfer::inferAnd() {
  setCommonConstancy();
  int64_t lhs = getPowerOfTwo(operands[0].getDivisor());
  int64_t rhs = getPowerOfTwo(operands[1].getDivisor());
  // Low bits are a remainder, high bits a quotient times a power of two.
  int64_t mask = getConstant(1).value_or(0);
  if (mask > 0 && llvm::isPowerOf2_64(mask + 1))
    return inferRemainder(mask + 1, /*isSigned=*/false);
  if (mask < 0 && llvm::isPowerOf2_64(-mask))
    inferQuotient(-mask, /*isSigned=*/true, /*isFloor=*/true);
  setDivisor(lhs == 0 || rhs == 0 ? 0 : std::max(lhs, rhs), /*isExact=*/true);
}
