//===- TilePlan.cpp - How a contraction becomes tile programs -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With rows, columns and a sum, a program computes a block by tile.dot: rows
// are the letters of the first operand alone, columns those of the second, and
// batch letters, which both have, are fixed. In batches rows or columns may
// have no letters, as in depthwise convolutions: matrix instructions pay even
// if most of a block is in vain. All else (transpositions, sums, outer and
// element-wise products, products of types that tile.dot does not take) is
// computed element by element, with all letters of the result as rows. Where
// nothing is summed and an operand has other letters side by side than the
// result, these are columns: one axis of a tile goes along memory in loads, and
// the other one in stores.
//
//===----------------------------------------------------------------------===//

#include "TilePlan.h"

#include "tileir/Dialect/Einsum/Analysis/ContractionDims.h"
#include "tileir/Dialect/Einsum/IR/LetterSizes.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;

/// The type to which the operands of a tile.dot that sums in `acc` are
/// converted; null if there is none.
static Type getDotElement(ContractOp op) {
  Type acc = op.getAccumulatorType();
  Type element = getElementTypeOrSelf(op.getInputs()[0]);
  bool isUniform = llvm::all_of(op.getInputs(), [&](Value input) {
    return getElementTypeOrSelf(input) == element;
  });
  if (isUniform && ((acc.isF32() && (element.isF16() || element.isBF16())) ||
                    (acc.isInteger(32) && element.isInteger(8))))
    return element;
  return isa<FloatType>(acc) ? acc : Type();
}

TilePlan::TilePlan(ContractOp op, const PlanOptions &options)
    : op(op), spec(op.getSpec()), sizes(getStaticLetterSizes(op)),
      block(options.block), options(options) {
  ContractionDims dims(spec, sizes);
  batch.assign(dims.getIndices(ContractionDim::Batch));
  rows.assign(dims.getIndices(ContractionDim::M));
  columns.assign(dims.getIndices(ContractionDim::N));
  depth.assign(dims.getIndices(ContractionDim::K));
  // A batch of products of matrices and vectors; of a single one most of the
  // dot would be in vain.
  bool isNarrow = rows.empty() || columns.empty();
  bool takesNarrow = options.narrowDots && !batch.empty();
  if (spec.getNumOperands() == 2 && hasDepth() &&
      !(rows.empty() && columns.empty()))
    dotElement = getDotElement(op);
  if (isNarrow && !(takesNarrow && dotElement && dotElement.isF16()))
    dotElement = nullptr;
  if (!usesDot()) {
    useNoDot();
    divideCopy();
  }
  cutBlock();
  for (unsigned operand = 0; operand < spec.getNumOperands(); ++operand)
    planOperand(operand);
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

/// Divides the letters of a result that orders elements in another way than an
/// operand. Short axes would leave threads without work.
void TilePlan::divideCopy() {
  constexpr int64_t kShort = 8;
  auto isLong = [&](ArrayRef<unsigned> letters) {
    int64_t size = getStaticSize(letters);
    return ShapedType::isDynamic(size) || size >= kShort;
  };
  if (hasDepth())
    return;
  for (unsigned operand = 0; operand < spec.getNumOperands(); ++operand)
    for (unsigned axis = 0; axis < spec.getMaps()[operand].getNumResults();
         ++axis)
      if (!spec.getBareLetter(operand, axis))
        return;
  for (unsigned operand = 0; operand < spec.getNumOperands(); ++operand)
    for (unsigned axis = spec.getMaps()[operand].getNumResults(); axis-- > 0;) {
      auto last = llvm::find(rows, *spec.getBareLetter(operand, axis));
      if (last == rows.end())
        continue;
      if (isLong({rows.begin(), last}) && isLong({last, rows.end()})) {
        columns.assign(last, rows.end());
        rows.erase(last, rows.end());
        return;
      }
      break;
    }
}

/// Cuts the block to sizes that are known to be smaller.
void TilePlan::cutBlock() {
  block = options.block;
  auto cut = [&](int64_t &extent, ArrayRef<unsigned> letters,
                 int64_t layout::TileSizes::*least) {
    int64_t size = getStaticSize(letters);
    if (ShapedType::isDynamic(size))
      return;
    if (letters.empty() && !usesDot()) {
      extent = 1;
      return;
    }
    int64_t whole = std::max<int64_t>(size, 1);
    if (const auto &minBlock = options.minBlock)
      whole = std::max<int64_t>(llvm::PowerOf2Ceil(whole), (*minBlock).*least);
    extent = std::min(extent, whole);
  };
  // A program without a dot and without a sum has one tile only.
  if (!hasDepth() && !hasColumns())
    block.m *= block.n;
  cut(block.m, rows, &layout::TileSizes::m);
  cut(block.n, columns, &layout::TileSizes::n);
  cut(block.k, depth, &layout::TileSizes::k);
}

int64_t TilePlan::getStaticSize(ArrayRef<unsigned> letters) const {
  return getTotalSize(letters, sizes);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool TilePlan::isSummed(AffineExpr expr) const {
  return llvm::any_of(
      depth, [&](unsigned letter) { return spec.usesLetter(expr, letter); });
}

/// The part of `expr` that is no `isPart`, and the one that is. C3 of
/// einsum.contract: sums split when their addends do, products with a constant
/// when the other factor does, and nothing else mixes letters.
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

void TilePlan::planOperand(unsigned operand) {
  OperandPlan &plan = operands.emplace_back();
  for (auto [axis, expr] :
       llvm::enumerate(spec.getMaps()[operand].getResults())) {
    auto [external, summed] =
        split(expr, [&](AffineExpr part) { return isSummed(part); });
    plan.external.push_back(external);
    plan.reduction.push_back(summed);
    if ((op.isPadded() || options.checksReads) &&
        !isAxisInside(op, operand, axis, sizes))
      plan.maskedAxes.push_back(axis);
  }
}

MemRefRead TilePlan::getRead(unsigned operand, ArrayRef<unsigned> axes,
                             MemRefType type) const {
  MemRefRead read;
  for (unsigned axis : axes) {
    read.external.push_back(operands[operand].external[axis]);
    read.reduction.push_back(operands[operand].reduction[axis]);
  }
  std::optional<SmallVector<int64_t>> strides;
  if (type.hasStaticShape())
    strides = mlir::computeSuffixProduct(type.getShape());
  read.steps = getStepPattern(read.reduction, std::move(strides));
  return read;
}

StepPattern
TilePlan::getStepPattern(ArrayRef<AffineExpr> reduction,
                         std::optional<SmallVector<int64_t>> strides) const {
  StepPattern steps;
  steps.advance.assign(reduction.size(), 0);
  if (depth.empty())
    return steps;
  unsigned innermost = depth.front();
  for (auto [expr, advance] : llvm::zip_equal(reduction, steps.advance)) {
    AffineExpr part = split(expr, [&](AffineExpr inner) {
                        return spec.usesLetter(inner, innermost);
                      }).second;
    auto linear = LinearAxis::get(part, spec.getNumLetters());
    if (!linear) {
      steps.advance.assign(reduction.size(), 0);
      return steps;
    }
    advance = linear->coefficients[innermost];
  }
  steps.isUniform = isUniform(reduction, std::move(strides));
  if (steps.isUniform)
    steps.group = block.k;
  else if (!ShapedType::isDynamic(sizes[innermost]))
    steps.group = std::gcd(sizes[innermost], block.k);
  return steps;
}

/// Whether all positions of the sum are equally far apart.
bool TilePlan::isUniform(ArrayRef<AffineExpr> reduction,
                         std::optional<SmallVector<int64_t>> strides) const {
  SmallVector<LinearAxis> axes;
  for (AffineExpr expr : reduction) {
    auto linear = LinearAxis::get(expr, spec.getNumLetters());
    if (!linear || linear->constant != 0)
      return false;
    axes.push_back(std::move(*linear));
  }
  if (depth.size() == 1 ||
      llvm::none_of(reduction, [&](AffineExpr expr) { return isSummed(expr); }))
    return true;
  // Where one letter ends its run the next one has to take over: in elements
  // of memory, so that strides have to be known.
  if (!strides)
    return false;
  auto getStride = [&](unsigned letter) -> std::optional<int64_t> {
    int64_t stride = 0;
    for (auto [axis, size] : llvm::zip_equal(axes, *strides)) {
      int64_t product;
      if (llvm::MulOverflow(axis.coefficients[letter], size, product) ||
          llvm::AddOverflow(stride, product, stride))
        return std::nullopt;
    }
    return stride;
  };
  auto expected = getStride(depth.front());
  for (auto [inner, letter] : llvm::zip(depth, ArrayRef(depth).drop_front())) {
    int64_t next;
    if (!expected || ShapedType::isDynamic(sizes[inner]) ||
        llvm::MulOverflow(*expected, sizes[inner], next) ||
        getStride(letter) != next)
      return false;
    expected = next;
  }
  return true;
}
