//===- TilePlan.cpp - How a contraction becomes tile programs -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With rows, columns and a sum, a program computes a block by tile.dot: rows
// are the letters of the first operand alone, columns those of the second, and
// batch letters, which both have, are fixed. All else (transpositions, sums,
// outer and element-wise products, products of types that tile.dot does not
// take) is computed element by element, with all letters of the result as rows.
//
//===----------------------------------------------------------------------===//

#include "TilePlan.h"

#include "tileir/Dialect/Einsum/IR/LetterSizes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;

/// The type to which the operands of a tile.dot that sums in `acc` are
/// converted; null if there is none.
static Type getDotElement(ContractOp op) {
  Type acc = op.getAccumulatorType();
  Type element = cast<MemRefType>(op.getInputs()[0].getType()).getElementType();
  bool isUniform = llvm::all_of(op.getInputs(), [&](Value input) {
    return cast<MemRefType>(input.getType()).getElementType() == element;
  });
  if (isUniform && ((acc.isF32() && (element.isF16() || element.isBF16())) ||
                    (acc.isInteger(32) && element.isInteger(8))))
    return element;
  return isa<FloatType>(acc) ? acc : Type();
}

TilePlan::TilePlan(ContractOp op, BlockShape block,
                   std::optional<BlockShape> minBlock, bool checksReads)
    : op(op), spec(op.getSpec()), sizes(getStaticLetterSizes(op)), block(block),
      maxBlock(block), minBlock(minBlock) {
  groupLetters();
  if (!rows.empty() && !columns.empty() && hasDepth())
    dotElement = getDotElement(op);
  if (!usesDot())
    useNoDot();
  cutBlock();
  for (unsigned operand = 0; operand < spec.getNumOperands(); ++operand)
    planOperand(operand, checksReads);
}

void TilePlan::useNoDot() {
  dotElement = nullptr;
  llvm::append_range(rows, batch);
  llvm::append_range(rows, columns);
  llvm::sort(rows, std::greater<>());
  batch.clear();
  columns.clear();
  cutBlock();
}

/// Cuts the block to sizes that are known to be smaller.
void TilePlan::cutBlock() {
  block = maxBlock;
  auto cut = [&](int64_t &extent, ArrayRef<unsigned> letters,
                 int64_t BlockShape::*least) {
    int64_t size = getStaticSize(letters);
    if (ShapedType::isDynamic(size))
      return;
    // Nothing masks an axis without letters.
    if (letters.empty()) {
      extent = 1;
      return;
    }
    int64_t whole = std::max<int64_t>(size, 1);
    if (minBlock)
      whole = std::max<int64_t>(llvm::PowerOf2Ceil(whole), (*minBlock).*least);
    extent = std::min(extent, whole);
  };
  // A program without a dot and without a sum has one tile only.
  if (!hasDepth())
    block.rows *= block.columns;
  cut(block.rows, rows, &BlockShape::rows);
  cut(block.columns, columns, &BlockShape::columns);
  cut(block.depth, depth, &BlockShape::depth);
}

int64_t TilePlan::getStaticSize(ArrayRef<unsigned> letters) const {
  int64_t product = 1;
  for (unsigned letter : letters)
    if (ShapedType::isDynamic(sizes[letter]) ||
        llvm::MulOverflow(product, sizes[letter], product))
      return ShapedType::kDynamic;
  return product;
}

void TilePlan::groupLetters() {
  using Kind = SpecAttr::LetterKind;
  // From the last letter of the result, whose stride in it is the smallest.
  for (unsigned letter = spec.getNumLetters(); letter-- > 0;) {
    if (sizes[letter] == 1)
      continue;
    switch (spec.getLetterKind(letter)) {
    case Kind::Batch:
      batch.push_back(letter);
      break;
    case Kind::Row:
      rows.push_back(letter);
      break;
    case Kind::Column:
      columns.push_back(letter);
      break;
    case Kind::Reduction:
      depth.push_back(letter);
      break;
    }
  }
  sortDepth();
}

/// Summed letters are ordered by their strides in the first operand, or the
/// second if that does not have them. What stands in a later axis has a smaller
/// stride; within an axis, what has a smaller factor.
void TilePlan::sortDepth() {
  auto getKey = [&](unsigned letter) {
    for (auto [operand, map] : llvm::enumerate(spec.getMaps()))
      for (int axis = map.getNumResults() - 1; axis >= 0; --axis) {
        AffineExpr expr = map.getResult(axis);
        if (!spec.usesLetter(expr, letter))
          continue;
        auto linear = LinearAxis::get(expr, spec.getNumLetters());
        uint64_t factor =
            linear ? llvm::AbsoluteValue(linear->coefficients[letter]) : 1;
        return std::make_tuple(unsigned(operand), -axis, factor, letter);
      }
    llvm_unreachable("an operand uses each letter");
  };
  llvm::sort(depth,
             [&](unsigned l, unsigned r) { return getKey(l) < getKey(r); });
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool TilePlan::isSummed(AffineExpr expr) const {
  return llvm::any_of(
      depth, [&](unsigned letter) { return spec.usesLetter(expr, letter); });
}

/// C3 of einsum.contract: sums split when their addends do, products with a
/// constant when the other factor does, and nothing else mixes letters.
std::pair<AffineExpr, AffineExpr> TilePlan::split(AffineExpr expr) const {
  AffineExpr zero = getAffineConstantExpr(0, expr.getContext());
  if (!isSummed(expr))
    return {expr, zero};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && binary.getKind() == AffineExprKind::Add) {
    auto [leftExternal, leftSummed] = split(binary.getLHS());
    auto [rightExternal, rightSummed] = split(binary.getRHS());
    return {leftExternal + rightExternal, leftSummed + rightSummed};
  }
  if (binary && binary.getKind() == AffineExprKind::Mul &&
      isa<AffineConstantExpr>(binary.getRHS())) {
    auto [external, summed] = split(binary.getLHS());
    return {external * binary.getRHS(), summed * binary.getRHS()};
  }
  return {zero, expr};
}

void TilePlan::planOperand(unsigned operand, bool checksReads) {
  OperandPlan &plan = operands.emplace_back();
  for (auto [axis, expr] :
       llvm::enumerate(spec.getMaps()[operand].getResults())) {
    auto [external, summed] = split(expr);
    plan.external.push_back(external);
    plan.reduction.push_back(summed);
    if ((op.isPadded() || checksReads) &&
        !isAxisInside(op, operand, axis, sizes))
      plan.maskedAxes.push_back(axis);
  }
}

Access TilePlan::getAccess(unsigned operand, ArrayRef<unsigned> axes,
                           MemRefType type) const {
  Access access;
  for (unsigned axis : axes) {
    access.external.push_back(operands[operand].external[axis]);
    access.reduction.push_back(operands[operand].reduction[axis]);
  }
  access.advance = getAdvance(access.reduction, type);
  return access;
}

std::optional<SmallVector<int64_t>>
TilePlan::getAdvance(ArrayRef<AffineExpr> reduction, MemRefType type) const {
  SmallVector<LinearAxis> axes;
  for (AffineExpr expr : reduction) {
    auto linear = LinearAxis::get(expr, spec.getNumLetters());
    if (!linear || linear->constant != 0)
      return std::nullopt;
    axes.push_back(std::move(*linear));
  }
  auto getFactors = [&](unsigned letter) {
    return llvm::map_to_vector(axes, [&](const LinearAxis &axis) {
      return axis.coefficients[letter];
    });
  };
  if (llvm::none_of(reduction, [&](AffineExpr expr) { return isSummed(expr); }))
    return SmallVector<int64_t>(axes.size(), 0);
  SmallVector<int64_t> innermost = getFactors(depth.front());
  if (depth.size() == 1)
    return innermost;

  // Where one letter ends its run the next one has to take over: in elements
  // of memory, so that shapes have to be known.
  if (!type.hasStaticShape())
    return std::nullopt;
  auto getStride = [&](ArrayRef<int64_t> factors) -> std::optional<int64_t> {
    int64_t stride = 0, size = 1;
    for (int64_t axis = axes.size() - 1; axis >= 0; --axis) {
      int64_t product;
      if (llvm::MulOverflow(factors[axis], size, product) ||
          llvm::AddOverflow(stride, product, stride) ||
          llvm::MulOverflow(size, type.getDimSize(axis), size))
        return std::nullopt;
    }
    return stride;
  };
  auto expected = getStride(innermost);
  for (auto [inner, letter] : llvm::zip(depth, ArrayRef(depth).drop_front())) {
    int64_t next;
    if (!expected || ShapedType::isDynamic(sizes[inner]) ||
        llvm::MulOverflow(*expected, sizes[inner], next) ||
        getStride(getFactors(letter)) != next)
      return std::nullopt;
    expected = next;
  }
  return innermost;
}
