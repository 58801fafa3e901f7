//===- OperandAccess.cpp - How operands are accessed ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// It needs axes that split (C3), as the verifier of einsum.contract says.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/Analysis/OperandAccess.h"

#include "tileir/Dialect/Einsum/IR/IndexRange.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir::einsum;

/// The part of `expr` that is no `isPart`, and the one that is. By C3 sums
/// split when their addends do, products with a constant when the other factor
/// does, and nothing else mixes external and summed indices.
static std::pair<AffineExpr, AffineExpr>
split(AffineExpr expr, function_ref<bool(AffineExpr)> isPart) {
  AffineExpr zero = getAffineConstantExpr(0, expr.getContext());
  if (!isPart(expr))
    return {expr, zero};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && binary.getKind() == AffineExprKind::Add) {
    auto [leftRest, leftPart] = split(binary.getLHS(), isPart);
    auto [rightRest, rightPart] = split(binary.getRHS(), isPart);
    return {leftRest + rightRest, leftPart + rightPart};
  }
  if (binary && binary.getKind() == AffineExprKind::Mul &&
      isa<AffineConstantExpr>(binary.getRHS())) {
    auto [rest, part] = split(binary.getLHS(), isPart);
    return {rest * binary.getRHS(), part * binary.getRHS()};
  }
  return {zero, expr};
}

OperandAccess::OperandAccess(SpecAttr spec, ArrayRef<int64_t> sizes,
                             AffineMap map)
    : spec(spec), sizes(sizes), map(map) {
  auto isSummed = [&](AffineExpr expr) {
    for (unsigned index = spec.getNumResultLetters();
         index < spec.getNumLetters(); ++index)
      if (sizes[index] != 1 && spec.usesLetter(expr, index))
        return true;
    return false;
  };
  for (AffineExpr axis : map.getResults()) {
    auto [rest, summed] = split(axis, isSummed);
    external.push_back(rest);
    reduction.push_back(summed);
  }
}

OperandAccess::OperandAccess(SpecAttr spec, ArrayRef<int64_t> sizes,
                             AffineMap map, ShapedType type)
    : OperandAccess(spec, sizes, map) {
  shape.assign(type.getShape().begin(), type.getShape().end());
  axisStrides = einsum::getAxisStrides(type);
}

OperandAccess::OperandAccess(ContractOp op, ArrayRef<int64_t> sizes,
                             unsigned operand)
    : OperandAccess(op.getSpec(), sizes, op.getSpec().getMaps()[operand],
                    cast<ShapedType>(op.getInputs()[operand].getType())) {}

OperandAccess::OperandAccess(SpecAttr spec, ArrayRef<int64_t> sizes,
                             AffineExpr axis)
    : OperandAccess(spec, sizes,
                    AffineMap::get(spec.getNumLetters(),
                                   spec.getLookups().size(), axis)) {
  shape = {ShapedType::kDynamic};
  axisStrides = SmallVector<int64_t>{1};
}

//===----------------------------------------------------------------------===//
// Reads outside
//===----------------------------------------------------------------------===//

bool OperandAccess::isInside(unsigned axis) const {
  // Nothing is read when some index has no values.
  if (llvm::is_contained(sizes, 0))
    return true;
  // The size of an index that stands alone is that of its axis, by C11.
  AffineExpr expr = map.getResult(axis);
  if (isa<AffineDimExpr>(expr))
    return true;
  auto range = getIndexRange(expr, spec, sizes);
  return range && !ShapedType::isDynamic(shape[axis]) && range->min >= 0 &&
         range->max < shape[axis];
}

SmallVector<unsigned> OperandAccess::getAxesOutside() const {
  return llvm::filter_to_vector(llvm::seq<unsigned>(0, map.getNumResults()),
                                [&](unsigned axis) { return !isInside(axis); });
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

SmallVector<AxisTerm> OperandAccess::getOffsetTerms() const {
  SmallVector<AxisTerm> terms;
  for (auto [axis, stride] : llvm::zip_equal(map.getResults(), *axisStrides))
    for (AxisTerm term : getAxisTerms(axis))
      terms.push_back({term.expr, term.factor * stride});
  return terms;
}

int64_t OperandAccess::getConstant() const {
  int64_t constant = 0;
  for (AxisTerm term : getOffsetTerms())
    if (auto number = dyn_cast<AffineConstantExpr>(term.expr))
      constant += number.getValue() * term.factor;
  return constant;
}

std::optional<SmallVector<int64_t>>
OperandAccess::getAdvance(unsigned index) const {
  SmallVector<int64_t> advance;
  for (AffineExpr axis : map.getResults()) {
    AffineExpr part = split(axis, [&](AffineExpr inner) {
                        return spec.usesLetter(inner, index);
                      }).second;
    auto linear = LinearAxis::get(part, spec.getNumLetters());
    if (!linear)
      return std::nullopt;
    advance.push_back(linear->coefficients[index]);
  }
  return advance;
}

bool OperandAccess::isStrided(ArrayRef<unsigned> indices) const {
  SmallVector<SmallVector<int64_t>> advances;
  for (unsigned index : indices) {
    auto advance = getAdvance(index);
    if (!advance)
      return false;
    advances.push_back(*advance);
  }
  bool isConstant = llvm::all_of(advances, [](ArrayRef<int64_t> advance) {
    return llvm::all_of(advance, [](int64_t steps) { return steps == 0; });
  });
  return indices.size() == 1 || isConstant || getStride(indices);
}

std::optional<int64_t>
OperandAccess::getStride(ArrayRef<unsigned> indices) const {
  if (!axisStrides)
    return std::nullopt;
  auto getOne = [&](unsigned index) -> std::optional<int64_t> {
    auto advance = getAdvance(index);
    if (!advance)
      return std::nullopt;
    int64_t sum = 0, product;
    for (auto [steps, stride] : llvm::zip_equal(*advance, *axisStrides))
      if (llvm::MulOverflow(steps, stride, product) ||
          llvm::AddOverflow(sum, product, sum))
        return std::nullopt;
    return sum;
  };
  auto stride = getOne(indices.front());
  auto expected = stride;
  // Where one index ends its run the next one has to take over.
  for (auto [inner, index] : llvm::zip(indices, indices.drop_front())) {
    int64_t next;
    if (!expected || ShapedType::isDynamic(sizes[inner]) ||
        llvm::MulOverflow(*expected, sizes[inner], next) ||
        getOne(index) != next)
      return std::nullopt;
    expected = next;
  }
  return stride;
}
