//===- AxisInfoTransfer.h ---------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transfer functions of axis analysis: what an op makes of the properties
// of its operands. The sources are split by what ops do.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_TILE_ANALYSIS_AXISINFOTRANSFER_H
#define TILEIR_LIB_DIALECT_TILE_ANALYSIS_AXISINFOTRANSFER_H

#include "tileir/Dialect/Tile/Analysis/AxisInfo.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include <numeric>

namespace tileir::tile {

/// Returns a divisor of a constant: its magnitude.
int64_t getMagnitude(int64_t value);
/// A product of divisors; one of them if it is too great.
int64_t multiply(int64_t lhs, int64_t rhs);
/// The least common multiple; one of both if it is too great.
int64_t getCommonMultiple(int64_t lhs, int64_t rhs);

/// Tells the range of an integer.
using GetRange = llvm::function_ref<mlir::ConstantIntRanges(mlir::Value)>;

/// Infers the properties of one result.
class Transfer {
public:
  Transfer(mlir::OpResult result, llvm::ArrayRef<AxisInfo> operands,
           GetRange getRange)
      : op(result.getOwner()), result(result), operands(operands),
        getRange(getRange), info(result.getType()) {}

  AxisInfo infer();

private:
  unsigned getNumAxes() const { return info.getNumAxes(); }
  mlir::Value getOperand(unsigned i) const { return op->getOperand(i); }

  /// Whether an operand has an element for each of the result's.
  bool hasResultShape(unsigned i) const {
    return getShape(getOperand(i).getType()) == getShape(result.getType());
  }
  /// The constant that all elements of an operand are.
  std::optional<int64_t> getConstant(unsigned i) const {
    return operands[i].value;
  }
  bool isNonNegative(mlir::Value value) const {
    return getRange(value).smin().isNonNegative();
  }
  /// Whether no run of `value` that goes up by one steps from the greatest
  /// integer to the least.
  bool neverWraps(mlir::Value value, bool isSigned) const {
    mlir::ConstantIntRanges range = getRange(value);
    return isSigned ? !range.smin().isMinSignedValue() ||
                          !range.smax().isMaxSignedValue()
                    : !range.umin().isZero() || !range.umax().isMaxValue();
  }
  /// The longest part of runs, aligned in value, none of which wraps.
  int64_t getUnwrapped(unsigned i, unsigned axis, bool isSigned) const {
    const AxisProperties &properties = operands[i][axis];
    if (neverWraps(getOperand(i), isSigned))
      return properties.contiguity;
    return std::gcd(properties.contiguity,
                    getPowerOfTwo(properties.divisibility));
  }

  /// Whether the exact result of the arithmetic always fits.
  bool fits() const;
  /// All elements are a multiple of `divisor`, or, if the arithmetic wraps, of
  /// its power of two.
  void setDivisor(int64_t divisor, bool isExact) {
    divisor = isExact ? divisor : getPowerOfTwo(divisor);
    for (unsigned axis = 0; axis < getNumAxes(); ++axis)
      info[axis].divisibility = divisor;
  }
  /// Runs along the axis go up by one, the first element is a multiple.
  void setRun(unsigned axis, int64_t length, int64_t divisor) {
    info[axis].contiguity = length;
    info[axis].divisibility = divisor;
  }
  /// Equal operands give equal results, for ops that work on each element.
  void setCommonConstancy();

  void inferSum();
  void inferProduct(int64_t lhs, int64_t rhs);
  void inferQuotient(int64_t divisor, bool isSigned, bool isFloor);
  void inferRemainder(int64_t divisor, bool isSigned);
  void inferAnd();
  void inferChoice(unsigned numConditions);
  void inferCompare(mlir::arith::CmpIPredicate predicate);
  void inferCast(bool isSigned);
  void inferAddPtr(AddPtrOp addptr);
  void inferPointerCast();
  void inferAssume(AssumeOp assume);
  void inferBroadcast();
  void inferReshape();
  void inferMemRef();

  mlir::Operation *op;
  mlir::OpResult result;
  llvm::ArrayRef<AxisInfo> operands;
  GetRange getRange;
  AxisInfo info;
};

} // namespace tileir::tile

#endif // TILEIR_LIB_DIALECT_TILE_ANALYSIS_AXISINFOTRANSFER_H
