//===- IndexRange.cpp - Values that indices take --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranges are exact for linear axes, by enumeration for others, and by interval
// arithmetic where enumeration would take too long.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/IndexRange.h"

#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir::einsum;

//===----------------------------------------------------------------------===//
// Linear axes
//===----------------------------------------------------------------------===//

/// Adds `factor * expr` to `result`.
static bool addLinear(AffineExpr expr, int64_t factor, LinearAxis &result) {
  auto addTo = [&](int64_t &sum, int64_t value) {
    auto product = llvm::checkedMul(factor, value);
    auto total = product ? llvm::checkedAdd(sum, *product) : std::nullopt;
    if (total)
      sum = *total;
    return total.has_value();
  };
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return addTo(result.constant, constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return addTo(result.coefficients[dim.getPosition()], 1);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addLinear(binary.getLHS(), factor, result) &&
           addLinear(binary.getRHS(), factor, result);
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (binary.getKind() != AffineExprKind::Mul || !constant)
    return false;
  auto product = llvm::checkedMul(factor, constant.getValue());
  return product && addLinear(binary.getLHS(), *product, result);
}

std::optional<LinearAxis> LinearAxis::get(AffineExpr axis,
                                          unsigned numIndices) {
  LinearAxis result;
  result.coefficients.resize(numIndices);
  if (!addLinear(axis, 1, result))
    return std::nullopt;
  return result;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// The most points that getIndexRange enumerates.
static constexpr int64_t kMaxEnumeration = 1 << 20;

/// Evaluates `expr` at one point. Nothing on overflow or a divisor below 1.
static std::optional<int64_t> evaluate(AffineExpr expr, SpecAttr spec,
                                       ArrayRef<int64_t> indices) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return indices[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return indices[spec.getLookups()[symbol.getPosition()].getIndices()[0]];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto lhs = evaluate(binary.getLHS(), spec, indices);
  auto rhs = evaluate(binary.getRHS(), spec, indices);
  if (!lhs || !rhs)
    return std::nullopt;
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return llvm::checkedAdd(*lhs, *rhs);
  case AffineExprKind::Mul:
    return llvm::checkedMul(*lhs, *rhs);
  case AffineExprKind::FloorDiv:
    if (*rhs < 1)
      return std::nullopt;
    return llvm::divideFloorSigned(*lhs, *rhs);
  default:
    if (*rhs < 1)
      return std::nullopt;
    return llvm::mod(*lhs, *rhs);
  }
}

/// The exact range of a linear axis.
static std::optional<IndexRange> getLinearRange(const LinearAxis &linear,
                                                ArrayRef<int64_t> sizes) {
  IndexRange range = {linear.constant, linear.constant};
  for (auto [coefficient, size] : llvm::zip(linear.coefficients, sizes)) {
    if (coefficient == 0)
      continue;
    int64_t &bound = coefficient > 0 ? range.max : range.min;
    auto sum = llvm::checkedMulAdd(coefficient, size - 1, bound);
    if (!sum)
      return std::nullopt;
    bound = *sum;
  }
  return range;
}

/// Interval arithmetic: an enclosing range.
static std::optional<IndexRange> getInterval(AffineExpr expr, SpecAttr spec,
                                             ArrayRef<int64_t> sizes) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return IndexRange{constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return IndexRange{0, sizes[dim.getPosition()] - 1};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return IndexRange{
        0, sizes[spec.getLookups()[symbol.getPosition()].getIndices()[0]] - 1};
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto lhs = getInterval(binary.getLHS(), spec, sizes);
  auto rhs = getInterval(binary.getRHS(), spec, sizes);
  if (!lhs || !rhs)
    return std::nullopt;
  if (binary.getKind() == AffineExprKind::Mod) {
    if (rhs->min < 1)
      return std::nullopt;
    return IndexRange{0, rhs->max - 1};
  }
  // The other operators are monotonic in each argument: look at the corners.
  std::optional<IndexRange> range;
  for (int64_t l : {lhs->min, lhs->max})
    for (int64_t r : {rhs->min, rhs->max}) {
      std::optional<int64_t> value;
      if (binary.getKind() == AffineExprKind::Add)
        value = llvm::checkedAdd(l, r);
      else if (binary.getKind() == AffineExprKind::Mul)
        value = llvm::checkedMul(l, r);
      else if (rhs->min >= 1)
        value = llvm::divideFloorSigned(l, r);
      if (!value)
        return std::nullopt;
      if (!range)
        range = {*value, *value};
      range = {std::min(range->min, *value), std::max(range->max, *value)};
    }
  return range;
}

std::optional<IndexRange>
tileir::einsum::getIndexRange(AffineExpr expr, SpecAttr spec,
                              ArrayRef<int64_t> sizes) {
  if (spec.usesTable(expr))
    return std::nullopt;
  SmallVector<unsigned> used;
  int64_t points = 1;
  for (unsigned index = 0; index < spec.getNumIndices(); ++index) {
    if (!spec.usesIndex(expr, index))
      continue;
    if (ShapedType::isDynamic(sizes[index]) || sizes[index] < 1)
      return std::nullopt;
    used.push_back(index);
    // Saturates above the limit.
    points = std::min(points, kMaxEnumeration) *
             std::min(sizes[index], kMaxEnumeration + 1);
  }
  if (auto linear = LinearAxis::get(expr, spec.getNumIndices()))
    return getLinearRange(*linear, sizes);
  if (points > kMaxEnumeration)
    return getInterval(expr, spec, sizes);

  std::optional<IndexRange> range;
  SmallVector<int64_t> point(spec.getNumIndices());
  while (true) {
    auto value = evaluate(expr, spec, point);
    if (!value)
      return std::nullopt;
    if (!range)
      range = {*value, *value};
    range = {std::min(range->min, *value), std::max(range->max, *value)};
    unsigned position = 0;
    while (position < used.size() &&
           ++point[used[position]] == sizes[used[position]])
      point[used[position++]] = 0;
    if (position == used.size())
      return range;
  }
}
