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

static void collectTerms(AffineExpr expr, int64_t factor,
                         SmallVectorImpl<AxisTerm> &terms) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && binary.getKind() == AffineExprKind::Add) {
    collectTerms(binary.getLHS(), factor, terms);
    return collectTerms(binary.getRHS(), factor, terms);
  }
  int64_t product;
  if (binary && binary.getKind() == AffineExprKind::Mul)
    if (auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
        constant && !llvm::MulOverflow(factor, constant.getValue(), product))
      return collectTerms(binary.getLHS(), product, terms);
  terms.push_back({expr, factor});
}

static SmallVector<SmallVector<AxisTerm>> getTerms(AffineMap map) {
  SmallVector<SmallVector<AxisTerm>> terms;
  for (AffineExpr axis : map.getResults())
    collectTerms(axis, 1, terms.emplace_back());
  return terms;
}

OperandAccess::OperandAccess(SpecAttr spec, ArrayRef<int64_t> sizes,
                             AffineMap map, ShapedType type)
    : spec(spec), sizes(sizes), map(map), shape(type.getShape()),
      axisStrides(getAxisStrides(type)), terms(getTerms(map)) {}

static AffineMap getMap(SpecAttr spec, unsigned operand) {
  if (operand < spec.getNumOperands())
    return spec.getMaps()[operand];
  SmallVector<AffineExpr> axes;
  for (unsigned index = 0; index < spec.getNumResultIndices(); ++index)
    axes.push_back(getAffineDimExpr(index, spec.getContext()));
  return AffineMap::get(spec.getNumIndices(), spec.getLookups().size(), axes,
                        spec.getContext());
}

static ShapedType getType(ContractOp op, unsigned operand) {
  if (operand == op.getInputs().size())
    return op.getOutputType();
  return cast<ShapedType>(op.getInputs()[operand].getType());
}

OperandAccess::OperandAccess(ContractOp op, ArrayRef<int64_t> sizes,
                             unsigned operand)
    : OperandAccess(op.getSpec(), sizes, getMap(op.getSpec(), operand),
                    getType(op, operand)) {}

OperandAccess::OperandAccess(SpecAttr spec, ArrayRef<int64_t> sizes,
                             AffineExpr axis)
    : spec(spec), sizes(sizes),
      map(AffineMap::get(spec.getNumIndices(), spec.getLookups().size(), axis)),
      shape({ShapedType::kDynamic}), axisStrides(SmallVector<int64_t>{1}),
      terms(getTerms(map)) {}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

bool OperandAccess::isSummed(AffineExpr expr) const {
  for (unsigned index = spec.getNumResultIndices();
       index < spec.getNumIndices(); ++index)
    if (sizes[index] != 1 && spec.usesIndex(expr, index))
      return true;
  return false;
}

SmallVector<AffineExpr> OperandAccess::getExternal() const {
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr axis) {
    return split(axis, [&](AffineExpr part) { return isSummed(part); }).first;
  });
}

SmallVector<AffineExpr> OperandAccess::getReduction() const {
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr axis) {
    return split(axis, [&](AffineExpr part) { return isSummed(part); }).second;
  });
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
  SmallVector<AxisTerm> all;
  for (auto [ofAxis, stride] : llvm::zip_equal(terms, *axisStrides))
    for (AxisTerm term : ofAxis)
      all.push_back({term.expr, term.factor * stride});
  return all;
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
  for (ArrayRef<AxisTerm> ofAxis : terms) {
    int64_t &sum = advance.emplace_back(0);
    for (AxisTerm term : ofAxis)
      if (spec.usesIndex(term.expr, index) &&
          (!isa<AffineDimExpr>(term.expr) ||
           llvm::AddOverflow(sum, term.factor, sum)))
        return std::nullopt;
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

std::optional<int64_t> OperandAccess::getPlainStride(unsigned index) const {
  if (!axisStrides)
    return std::nullopt;
  int64_t stride = 0;
  for (AxisTerm term : getOffsetTerms())
    if (isa<AffineDimExpr>(term.expr) && spec.usesIndex(term.expr, index))
      stride += term.factor;
  return stride;
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
