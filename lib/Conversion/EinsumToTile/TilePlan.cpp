//===- TilePlan.cpp - How a contraction becomes tile programs -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With rows, columns and a sum, a program computes a block by tile.dot: rows
// are the indices of the first operand alone, columns those of the second, and
// batch indices, which both have, are fixed. In batches rows or columns may
// have no indices, as in depthwise convolutions: matrix instructions pay even
// if most of a block is in vain. All else (transpositions, sums, outer and
// element-wise products, products of types that tile.dot does not take) is
// computed element by element, with all indices of the result as rows. Where
// nothing is summed and an operand has other indices side by side than the
// result, these are columns: one axis of a tile goes along memory in loads, and
// the other one in stores.
//
//===----------------------------------------------------------------------===//

#include "TilePlan.h"

#include "tileir/Dialect/Einsum/Analysis/ContractionDims.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::to_tile;

/// The type to which the operands of a tile.dot that sums in `acc` are
/// converted; null if there is none.
static Type getDotElement(ContractOp op) {
  Type acc = op.getAccumulatorType();
  Type element = getElementTypeOrSelf(op.getInputs()[0]);
  bool isUniform = llvm::all_of(op.getInputs(), [&](Value input) {
    return getElementTypeOrSelf(input) == element;
  });
  if (isUniform &&
      ((acc.isF32() && (element.isF16() || element.isBF16() ||
                        isa<Float8E4M3FNType, Float8E5M2Type>(element))) ||
       (acc.isInteger(32) && element.isInteger(8))))
    return element;
  return isa<FloatType>(acc) ? acc : Type();
}

/// Whether the target multiplies operands of 16 bits of this type by matrix
/// instructions, which do so much at once that most of it may be in vain.
static bool hasMatrixInstruction(ContractOp op, Type element) {
  std::string reason;
  return element && element.isIntOrFloat() &&
         element.getIntOrFloatBitWidth() == 16 &&
         !tile::selectAtoms(tile::listAtoms(op), element, element,
                            op.getAccumulatorType(), /*allowTf32=*/false,
                            reason)
              .empty();
}

TilePlan::TilePlan(ContractOp op, const PlanOptions &options)
    : op(op), spec(op.getSpec()), sizes(getStaticIndexSizes(op)),
      block(options.block), options(options) {
  ContractionDims dims(spec, sizes);
  batch.assign(dims.getIndices(ContractionDim::Batch));
  rows.assign(dims.getIndices(ContractionDim::M));
  columns.assign(dims.getIndices(ContractionDim::N));
  depth.assign(dims.getIndices(ContractionDim::K));
  // A matrix times a vector: most of the dot is in vain.
  bool isNarrow = rows.empty() || columns.empty();
  if (spec.getNumOperands() == 2 && hasDepth() &&
      !(rows.empty() && columns.empty()))
    dotElement = getDotElement(op);
  if (isNarrow && !(options.narrowDots && hasMatrixInstruction(op, dotElement)))
    dotElement = nullptr;
  if (!usesDot()) {
    useNoDot();
    divideCopy();
  }
  cutBlock();
  for (unsigned operand = 0; operand < spec.getNumOperands(); ++operand) {
    OperandAccess access(op, sizes, operand);
    bool isMasked = op.isPadded() || options.checksReads;
    auto maskedAxes =
        isMasked ? access.getAxesOutside() : SmallVector<unsigned>();
    operands.push_back({std::move(access), std::move(maskedAxes)});
  }
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

/// Divides the indices of a result that orders elements in another way than an
/// operand. Short axes would leave threads without work.
void TilePlan::divideCopy() {
  constexpr int64_t kShort = 8;
  auto isLong = [&](ArrayRef<unsigned> indices) {
    int64_t size = getStaticSize(indices);
    return ShapedType::isDynamic(size) || size >= kShort;
  };
  if (hasDepth())
    return;
  for (unsigned operand = 0; operand < spec.getNumOperands(); ++operand)
    for (unsigned axis = 0; axis < spec.getMaps()[operand].getNumResults();
         ++axis)
      if (!spec.getBareIndex(operand, axis))
        return;
  for (unsigned operand = 0; operand < spec.getNumOperands(); ++operand)
    for (unsigned axis = spec.getMaps()[operand].getNumResults(); axis-- > 0;) {
      auto last = llvm::find(rows, *spec.getBareIndex(operand, axis));
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
  auto cut = [&](int64_t &extent, ArrayRef<unsigned> indices,
                 int64_t layout::TileSizes::*least) {
    int64_t size = getStaticSize(indices);
    if (ShapedType::isDynamic(size))
      return;
    if (indices.empty() && !usesDot()) {
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

int64_t TilePlan::getStaticSize(ArrayRef<unsigned> indices) const {
  return getTotalSize(indices, sizes);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

OperandAccess TilePlan::getAccess(unsigned operand, ArrayRef<unsigned> axes,
                                  MemRefType type) const {
  return OperandAccess(spec, sizes, spec.getMaps()[operand].getSubMap(axes),
                       type);
}

StepPattern TilePlan::getStepPattern(const OperandAccess &access) const {
  StepPattern steps;
  steps.advance.assign(access.getNumAxes(), 0);
  if (depth.empty())
    return steps;
  auto advance = access.getAdvance(depth.front());
  if (!advance)
    return steps;
  steps.advance = *advance;
  steps.isUniform = access.isStrided(depth);
  if (steps.isUniform)
    steps.group = block.k;
  else if (int64_t size = sizes[depth.front()]; !ShapedType::isDynamic(size))
    steps.group = std::gcd(size, block.k);
  return steps;
}
