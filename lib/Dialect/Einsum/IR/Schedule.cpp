//===- Schedule.cpp - Schedules of contractions ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How operands are traversed along letters, and the schedule to start from.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/Schedule.h"

#include "tileir/Dialect/Einsum/IR/LetterSizes.h"

using namespace mlir;
using namespace tileir::einsum;

std::optional<SmallVector<int64_t>>
tileir::einsum::getAxisStrides(ShapedType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  SmallVector<int64_t> strides;
  if (auto memref = dyn_cast<MemRefType>(type)) {
    int64_t offset;
    if (failed(memref.getStridesAndOffset(strides, offset)) ||
        llvm::any_of(strides, ShapedType::isDynamic))
      return std::nullopt;
    return strides;
  }
  strides.resize(type.getRank());
  int64_t stride = 1;
  for (int64_t axis = type.getRank(); axis-- > 0;
       stride *= type.getDimSize(axis))
    strides[axis] = stride;
  return strides;
}

static void collectTerms(AffineExpr expr, int64_t factor,
                         SmallVectorImpl<AxisTerm> &terms) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && binary.getKind() == AffineExprKind::Add) {
    collectTerms(binary.getLHS(), factor, terms);
    return collectTerms(binary.getRHS(), factor, terms);
  }
  if (binary && binary.getKind() == AffineExprKind::Mul)
    if (auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      return collectTerms(binary.getLHS(), factor * constant.getValue(), terms);
  terms.push_back({expr, factor});
}

SmallVector<AxisTerm> tileir::einsum::getAxisTerms(AffineExpr axis) {
  SmallVector<AxisTerm> terms;
  collectTerms(axis, 1, terms);
  return terms;
}

std::optional<LetterStrides> tileir::einsum::getLetterStrides(SpecAttr spec,
                                                              AffineMap map,
                                                              ShapedType type) {
  auto axisStrides = getAxisStrides(type);
  if (!axisStrides)
    return std::nullopt;
  LetterStrides result;
  result.strides.assign(spec.getNumLetters(), 0);
  for (auto [axis, stride] : llvm::zip(map.getResults(), *axisStrides))
    for (AxisTerm term : getAxisTerms(axis))
      if (auto constant = dyn_cast<AffineConstantExpr>(term.expr)) {
        result.constant += constant.getValue() * term.factor * stride;
      } else if (auto dim = dyn_cast<AffineDimExpr>(term.expr)) {
        int64_t &sum = result.strides[dim.getPosition()];
        if (!ShapedType::isDynamic(sum))
          sum += term.factor * stride;
      } else {
        for (unsigned letter = 0; letter < spec.getNumLetters(); ++letter)
          if (spec.usesLetter(term.expr, letter))
            result.strides[letter] = ShapedType::kDynamic;
      }
  return result;
}

std::optional<LetterStrides>
tileir::einsum::getLetterStrides(ContractOp op, unsigned operand) {
  SpecAttr spec = op.getSpec();
  if (operand < op.getInputs().size())
    return getLetterStrides(
        spec, spec.getMaps()[operand],
        cast<ShapedType>(op.getInputs()[operand].getType()));
  auto map = AffineMap::getMultiDimIdentityMap(spec.getNumResultLetters(),
                                               op.getContext());
  return getLetterStrides(spec, map, op.getOutputType());
}

int64_t tileir::einsum::getDimStride(SpecAttr spec,
                                     const LetterStrides &strides,
                                     StringRef letters, ArrayRef<int64_t> sizes,
                                     int64_t step) {
  unsigned last = spec.getLetters().find(letters.back());
  int64_t innermost = strides.strides[last];
  if (ShapedType::isDynamic(innermost))
    return ShapedType::kDynamic;
  int64_t expected = innermost;
  for (char name : llvm::reverse(letters)) {
    unsigned letter = spec.getLetters().find(name);
    if (strides.strides[letter] != expected)
      return ShapedType::kDynamic;
    expected *= sizes[letter];
  }
  return innermost * step;
}

bool tileir::einsum::isSummed(SpecAttr spec, DimAttr dim) {
  return spec.isReduction(spec.getLetters().find(dim.getLetters().back()));
}

ScheduleAttr tileir::einsum::getSchedule(ContractOp op) {
  ScheduleAttr schedule = op.getScheduleAttr();
  return schedule ? schedule : getDefaultSchedule(op);
}

ScheduleAttr tileir::einsum::getDefaultSchedule(ContractOp op) {
  SpecAttr spec = op.getSpec();
  SmallVector<DimAttr> dims;
  for (auto [letter, size] : llvm::enumerate(getStaticLetterSizes(op)))
    dims.push_back(DimAttr::get(op.getContext(),
                                spec.getLetters().substr(letter, 1),
                                Execution::Seq, size, /*step=*/1));
  return ScheduleAttr::get(op.getContext(), dims, /*lanes=*/-1, /*tile=*/{},
                           /*unroll=*/0, /*prefetch=*/0, /*pack=*/{});
}
