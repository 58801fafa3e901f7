//===- Formula.h - Numbers that follow from sizes ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Grids of kernels, and conditions that sizes have to meet, as formulas over
// the sizes of the buffers of a launch; docs/bundles.md lists the operations.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAUNCH_FORMULA_H
#define TILEIR_LAUNCH_FORMULA_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tileir::launch {

/// Gives the size of an argument along an axis.
using GetSize = std::function<std::optional<int64_t>(size_t, size_t)>;

/// A number, the size of an argument along an axis, or an operation.
struct Formula {
  enum class Kind { Number, Size, Operation } kind = Kind::Number;
  int64_t number = 0;
  size_t argument = 0, axis = 0;
  std::string operation; ///< one of kOperations
  std::vector<Formula> operands;

  /// Whether it is the number `value`.
  bool is(int64_t value) const {
    return kind == Kind::Number && number == value;
  }
};

/// The operations, each of two operands. Conditions are 0 or 1.
inline const char *const kOperations[] = {"add",     "sub", "mul", "div", "rem",
                                          "ceildiv", "min", "max", "eq",  "ne",
                                          "lt",      "le",  "and", "or"};

/// The result of an operation; none if it overflows, or divides by 0.
inline std::optional<int64_t> compute(const std::string &operation, int64_t a,
                                      int64_t b) {
  int64_t result = 0;
  if (operation == "add")
    return __builtin_add_overflow(a, b, &result) ? std::nullopt
                                                 : std::optional(result);
  if (operation == "sub")
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt
                                                 : std::optional(result);
  if (operation == "mul")
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt
                                                 : std::optional(result);
  if (operation == "div" || operation == "rem" || operation == "ceildiv") {
    if (b <= 0 || a < 0)
      return std::nullopt;
    return operation == "rem"   ? a % b
           : operation == "div" ? a / b
                                : a / b + (a % b != 0);
  }
  if (operation == "min" || operation == "max")
    return operation == "min" ? std::min(a, b) : std::max(a, b);
  if (operation == "eq" || operation == "ne")
    return (a == b) == (operation == "eq");
  if (operation == "lt" || operation == "le")
    return operation == "lt" ? a < b : a <= b;
  return operation == "and" ? a && b : a || b;
}

/// The value of a formula; none if it has none.
inline std::optional<int64_t> evaluate(const Formula &formula,
                                       const GetSize &getSize) {
  if (formula.kind == Formula::Kind::Number)
    return formula.number;
  if (formula.kind == Formula::Kind::Size)
    return getSize(formula.argument, formula.axis);
  std::optional<int64_t> a = evaluate(formula.operands[0], getSize);
  std::optional<int64_t> b = evaluate(formula.operands[1], getSize);
  return a && b ? compute(formula.operation, *a, *b) : std::nullopt;
}

/// As in "ceildiv(axis 0 of argument 3, 64)".
inline std::string toString(const Formula &formula) {
  if (formula.kind == Formula::Kind::Number)
    return std::to_string(formula.number);
  if (formula.kind == Formula::Kind::Size)
    return "axis " + std::to_string(formula.axis) + " of argument " +
           std::to_string(formula.argument);
  return formula.operation + "(" + toString(formula.operands[0]) + ", " +
         toString(formula.operands[1]) + ")";
}

/// Says what a condition expects, and the sizes that are not so.
inline std::string describeFailure(const Formula &condition,
                                   const GetSize &getSize) {
  using Kind = Formula::Kind;
  auto show = [&](const Formula &formula) {
    return std::to_string(evaluate(formula, getSize).value_or(-1));
  };
  if (condition.operation == "eq") {
    const Formula &lhs = condition.operands[0], &rhs = condition.operands[1];
    if (lhs.operation == "rem" && rhs.is(0))
      return "expected " + toString(lhs.operands[0]) + " to be a multiple of " +
             toString(lhs.operands[1]) + ", found " + show(lhs.operands[0]);
    if (lhs.kind == Kind::Size && rhs.kind == Kind::Size)
      return "expected " + toString(lhs) + " and " + toString(rhs) +
             " to be equal, found " + show(lhs) + " and " + show(rhs);
  }
  return "expected sizes with " + toString(condition);
}

} // namespace tileir::launch

#endif // TILEIR_LAUNCH_FORMULA_H
