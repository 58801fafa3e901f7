//===- TileFolds.cpp ------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folds and canonicalizations. Each holds for every element type; identities
// of floating-point arithmetic that round differently are not here.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

//===----------------------------------------------------------------------===//
// Retiling
//===----------------------------------------------------------------------===//

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  if (Attribute value = adaptor.getValue())
    if (isa<IntegerAttr, FloatAttr>(value))
      return SplatElementsAttr::get(cast<ShapedType>(getType()), value);
  return {};
}

OpFoldResult RangeOp::fold(FoldAdaptor) {
  // One element is a constant; longer ranges stay what axis analysis knows.
  if (getEnd() - getStart() != 1)
    return {};
  auto type = cast<ShapedType>(getType());
  return SplatElementsAttr::get(
      type, IntegerAttr::get(type.getElementType(), getStart()));
}

/// A splat constant in another shape.
static OpFoldResult foldSplat(Attribute value, Type type) {
  auto splat = dyn_cast_if_present<SplatElementsAttr>(value);
  if (!splat)
    return {};
  return SplatElementsAttr::get(cast<ShapedType>(type),
                                splat.getSplatValue<Attribute>());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto source = getSource().getDefiningOp<ReshapeOp>()) {
    getSourceMutable().assign(source.getSource());
    return getResult();
  }
  if (auto elements =
          dyn_cast_if_present<DenseElementsAttr>(adaptor.getSource()))
    return elements.reshape(cast<ShapedType>(getType()));
  return {};
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto source = getSource().getDefiningOp<BroadcastOp>()) {
    getSourceMutable().assign(source.getSource());
    return getResult();
  }
  return foldSplat(adaptor.getSource(), getType());
}

OpFoldResult TransOp::fold(FoldAdaptor adaptor) {
  ArrayRef<int64_t> permutation = getPermutation();
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return getSource();
  if (auto source = getSource().getDefiningOp<TransOp>()) {
    SmallVector<int64_t> composed;
    for (int64_t axis : permutation)
      composed.push_back(source.getPermutation()[axis]);
    setPermutation(composed);
    getSourceMutable().assign(source.getSource());
    return getResult();
  }
  return foldSplat(adaptor.getSource(), getType());
}

namespace {
/// op(splat x) is a splat of x.
template <typename Op> struct RetileOfSplat : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto splat = op.getSource().template getDefiningOp<SplatOp>();
    if (!splat)
      return rewriter.notifyMatchFailure(op, "the operand is not a splat");
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getValue());
    return success();
  }
};
} // namespace

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<RetileOfSplat<ReshapeOp>>(context);
}
void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<RetileOfSplat<BroadcastOp>>(context);
}
void TransOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<RetileOfSplat<TransOp>>(context);
}

//===----------------------------------------------------------------------===//
// Arithmetic across elements
//===----------------------------------------------------------------------===//

OpFoldResult DotOp::fold(FoldAdaptor adaptor) {
  // 0 @ b + acc: for floats 0 * inf is NaN, so integers only.
  if (isa<IntegerType>(getElement(getType())) &&
      (matchPattern(adaptor.getA(), m_Zero()) ||
       matchPattern(adaptor.getB(), m_Zero())))
    return getAcc();
  return {};
}

namespace {
/// dot(a, b, 0) + c is dot(a, b, c): for floats 0 + x is x, but for the sign of
/// a zero, and sums of a dot have no specified order.
template <typename AddOp> struct AddToDot : OpRewritePattern<AddOp> {
  using OpRewritePattern<AddOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp op,
                                PatternRewriter &rewriter) const override {
    for (unsigned i = 0; i < 2; ++i) {
      auto dot = op->getOperand(i).template getDefiningOp<DotOp>();
      bool isZero = dot && (matchPattern(dot.getAcc(), m_Zero()) ||
                            matchPattern(dot.getAcc(), m_PosZeroFloat()));
      if (!isZero || !dot->hasOneUse())
        continue;
      rewriter.replaceOpWithNewOp<DotOp>(op, op.getType(), dot.getA(),
                                         dot.getB(), op->getOperand(1 - i),
                                         dot.getPrecisionAttr());
      return success();
    }
    return rewriter.notifyMatchFailure(
        op, "no operand is a dot with accumulator 0 and one use");
  }
};
} // namespace

void DotOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<AddToDot<arith::AddFOp>, AddToDot<arith::AddIOp>>(context);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getOffset(), m_Zero()))
    return getPtr();
  return {};
}

/// The operand of the cast that gives the operand of `op`, if it has the type
/// of the result of `op`.
template <typename Cast, typename Op> static OpFoldResult skipCasts(Op op) {
  auto inner = op.getSource().template getDefiningOp<Cast>();
  if (inner && inner.getSource().getType() == op.getType())
    return inner.getSource();
  return {};
}

OpFoldResult IntToPtrOp::fold(FoldAdaptor) {
  return skipCasts<PtrToIntOp>(*this);
}

OpFoldResult PtrToIntOp::fold(FoldAdaptor) {
  return skipCasts<IntToPtrOp>(*this);
}

OpFoldResult PtrToPtrOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  return skipCasts<PtrToPtrOp>(*this);
}

namespace {
/// addptr(addptr(p, a), b) with constants a and b is addptr(p, a + b).
struct AddPtrOfAddPtr : OpRewritePattern<AddPtrOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddPtrOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getPtr().getDefiningOp<AddPtrOp>();
    if (!inner || inner.getOffset().getType() != op.getOffset().getType())
      return rewriter.notifyMatchFailure(
          op, "the operand is not an addptr with offsets of the same type");
    Attribute first, second;
    if (!matchPattern(inner.getOffset(), m_Constant(&first)) ||
        !matchPattern(op.getOffset(), m_Constant(&second)))
      return rewriter.notifyMatchFailure(op, "the offsets are not constants");
    Value sum = arith::AddIOp::create(rewriter, op.getLoc(), inner.getOffset(),
                                      op.getOffset());
    rewriter.replaceOpWithNewOp<AddPtrOp>(op, inner.getPtr(), sum);
    return success();
  }
};

/// Masks that are all true are left out; accesses whose mask is all false are
/// not made.
template <typename Op> struct ConstantMask : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!op.getMask())
      return rewriter.notifyMatchFailure(op, "there is no mask");
    if (matchPattern(op.getMask(), m_One())) {
      rewriter.modifyOpInPlace(op, [&] {
        op.getMaskMutable().clear();
        if constexpr (std::is_same_v<Op, LoadOp>)
          op.getOtherMutable().clear();
      });
      return success();
    }
    if (!matchPattern(op.getMask(), m_Zero()))
      return rewriter.notifyMatchFailure(op, "the mask is not constant");
    if constexpr (std::is_same_v<Op, LoadOp>) {
      if (op.getOther())
        rewriter.replaceOp(op, op.getOther());
      else
        rewriter.replaceOpWithNewOp<arith::ConstantOp>(
            op, rewriter.getZeroAttr(op.getType()));
    } else {
      rewriter.eraseOp(op);
    }
    return success();
  }
};
} // namespace

void AddPtrOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<AddPtrOfAddPtr>(context);
}
void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<ConstantMask<LoadOp>>(context);
}
void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<ConstantMask<StoreOp>>(context);
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

LogicalResult CmppOp::fold(FoldAdaptor adaptor,
                           SmallVectorImpl<OpFoldResult> &results) {
  // Fold constants that arith can compare, and equal integers.
  auto type = getLhs().getType();
  if (!isa<IntegerType>(getElement(type)))
    return failure();
  auto predicate = *arith::symbolizeCmpIPredicate(getPredicate());
  std::optional<bool> value;
  if (getLhs() == getRhs()) {
    value = arith::applyCmpPredicate(predicate, APInt(1, 0), APInt(1, 0));
  } else {
    APInt lhs, rhs;
    if (matchPattern(getLhs(), m_ConstantInt(&lhs)) &&
        matchPattern(getRhs(), m_ConstantInt(&rhs)))
      value = arith::applyCmpPredicate(predicate, lhs, rhs);
  }
  if (!value)
    return failure();
  auto makeConstant = [&](bool b) -> Attribute {
    Builder builder(getContext());
    Type result = getThenPredicate().getType();
    if (auto shaped = dyn_cast<ShapedType>(result))
      return DenseElementsAttr::get(shaped, b);
    return builder.getBoolAttr(b);
  };
  results.push_back(makeConstant(*value));
  results.push_back(makeConstant(!*value));
  return success();
}

OpFoldResult PsiOp::fold(FoldAdaptor adaptor) {
  // The last pair decides if its predicate is true; one pair alone is its value
  // wherever the result means anything.
  if (getValues().size() == 1 ||
      matchPattern(adaptor.getPredicates().back(), m_One()))
    return getValues().back();
  // All values are the same.
  if (llvm::all_equal(getValues()))
    return getValues().back();
  return {};
}

namespace {
/// Pairs that never decide are left out: those that are false, and those before
/// one that is true.
struct DropPairs : OpRewritePattern<PsiOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PsiOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> predicates, values;
    for (auto [predicate, value] :
         llvm::zip(op.getPredicates(), op.getValues())) {
      if (matchPattern(predicate, m_Zero()))
        continue;
      if (matchPattern(predicate, m_One())) {
        predicates.clear();
        values.clear();
      }
      predicates.push_back(predicate);
      values.push_back(value);
    }
    if (values.empty())
      return rewriter.notifyMatchFailure(op, "no predicate is ever true");
    if (values.size() == op.getValues().size())
      return rewriter.notifyMatchFailure(op, "every pair may decide");
    rewriter.replaceOpWithNewOp<PsiOp>(op, op.getType(), predicates, values);
    return success();
  }
};
} // namespace

void PsiOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<DropPairs>(context);
}
