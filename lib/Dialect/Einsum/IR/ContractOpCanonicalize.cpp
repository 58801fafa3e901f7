//===- ContractOpCanonicalize.cpp - Rewrites of einsum.contract -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folds and canonicalization patterns, all on tensors except for the removal of
// reduced letters of size 1. A "permutation" below is a contraction that only
// reorders the axes of one operand.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/LetterSizes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tileir::einsum;

static Type getElement(Value value) {
  return cast<ShapedType>(value.getType()).getElementType();
}

/// If `op` is a permutation, the letter on each axis of its operand. (Letter i
/// is also axis i of the result.)
static std::optional<SmallVector<unsigned>> getPermutation(ContractOp op) {
  SpecAttr spec = op.getSpec();
  if (!op.hasTensorForm() || spec.getNumOperands() != 1 ||
      spec.getNumLetters() != spec.getNumResultLetters() ||
      spec.getMaps()[0].getNumResults() != spec.getNumLetters() ||
      getElement(op.getInputs()[0]) != op.getOutputType().getElementType())
    return std::nullopt;
  SmallVector<unsigned> permutation;
  for (unsigned axis = 0; axis < spec.getNumLetters(); ++axis) {
    auto letter = spec.getBareLetter(0, axis);
    if (!letter || llvm::is_contained(permutation, *letter))
      return std::nullopt;
    permutation.push_back(*letter);
  }
  return permutation;
}

/// The identity permutation is its operand.
LogicalResult ContractOp::fold(FoldAdaptor adaptor,
                               SmallVectorImpl<OpFoldResult> &results) {
  auto permutation = getPermutation(*this);
  if (!permutation || !llvm::is_sorted(*permutation) ||
      getInputs()[0].getType() != getResult().getType())
    return failure();
  results.push_back(getInputs()[0]);
  return success();
}

namespace {

/// Reads the operand of a permutation instead of its result.
struct ComposeOperandPermutation : OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    SpecAttr spec = op.getSpec();
    for (unsigned operand = 0; operand < spec.getNumOperands(); ++operand) {
      auto producer = op.getInputs()[operand].getDefiningOp<ContractOp>();
      auto permutation = producer ? getPermutation(producer) : std::nullopt;
      if (!permutation)
        continue;
      SmallVector<AffineExpr> axes;
      for (unsigned axis : *permutation)
        axes.push_back(spec.getMaps()[operand].getResult(axis));
      SmallVector<AffineMap> maps(spec.getMaps());
      maps[operand] =
          AffineMap::get(spec.getNumLetters(), spec.getLookups().size(), axes,
                         op.getContext());
      // Table operands follow the order of look-ups, which may change.
      auto newSpec = SpecAttr::getCanonical(op.getContext(), spec.getLetters(),
                                            spec.getNumResultLetters(),
                                            spec.getLookups(), maps);
      SmallVector<Value> tables;
      for (StringRef table : newSpec.getTables())
        tables.push_back(op.getTable(table));
      rewriter.modifyOpInPlace(op, [&] {
        op.setSpecAttr(newSpec);
        op.getInputsMutable()[operand].assign(producer.getInputs()[0]);
        op.getTablesMutable().assign(tables);
      });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no operand is a permutation");
  }
};

/// Forms the result of a contraction in the order into which a permutation puts
/// it afterwards.
struct ComposeResultPermutation : OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    auto permutation = getPermutation(op);
    if (!permutation)
      return rewriter.notifyMatchFailure(op, "not a permutation");
    auto producer = op.getInputs()[0].getDefiningOp<ContractOp>();
    if (!producer || !producer->hasOneUse() || producer.getOuts() ||
        op.getOuts())
      return rewriter.notifyMatchFailure(
          op, "the operand is no contraction with one use and without outs");

    // Letter i of the producer's result becomes letter permutation[i].
    SpecAttr spec = producer.getSpec();
    std::string letters = spec.getLetters().str();
    SmallVector<unsigned> newPosition =
        llvm::to_vector(llvm::seq<unsigned>(0, spec.getNumLetters()));
    for (auto [oldPosition, position] : llvm::enumerate(*permutation)) {
      letters[position] = spec.getLetters()[oldPosition];
      newPosition[oldPosition] = position;
    }
    SmallVector<AffineExpr> dims;
    for (unsigned position : newPosition)
      dims.push_back(rewriter.getAffineDimExpr(position));
    SmallVector<LookupAttr> lookups;
    for (LookupAttr lookup : spec.getLookups())
      lookups.push_back(LookupAttr::get(
          op.getContext(), lookup.getTable(),
          llvm::map_to_vector(lookup.getLetters(),
                              [&](unsigned l) { return newPosition[l]; })));
    SmallVector<AffineMap> maps;
    for (AffineMap map : spec.getMaps())
      maps.push_back(map.replaceDimsAndSymbols(dims, {}, spec.getNumLetters(),
                                               lookups.size()));
    auto newSpec = SpecAttr::getCanonical(
        op.getContext(), letters, spec.getNumResultLetters(), lookups, maps);
    rewriter.replaceOpWithNewOp<ContractOp>(
        op, op.getResult().getType(), newSpec, producer.getInputs(),
        producer.getTables(), /*outs=*/Value(), producer.getPadAttr(),
        producer.getAccAttr(), producer.getSizesAttr());
    return success();
  }
};

/// Replaces a reduced letter of size 1 by the index 0.
struct DropUnitReduction : OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    SpecAttr spec = op.getSpec();
    SmallVector<int64_t> sizes = getStaticLetterSizes(op);
    for (unsigned letter = spec.getNumResultLetters();
         letter < spec.getNumLetters(); ++letter) {
      bool indexesTable = llvm::any_of(spec.getLookups(), [&](LookupAttr l) {
        return llvm::is_contained(l.getLetters(), letter);
      });
      if (sizes[letter] == 1 && !indexesTable)
        return drop(op, letter, rewriter);
    }
    return rewriter.notifyMatchFailure(op, "no reduced letter of size 1");
  }

  /// An axis that is a letter alone tells the letter's size; one that becomes
  /// so must not tell another.
  static bool keepsSizes(ContractOp op, ArrayRef<AffineMap> maps) {
    SmallVector<int64_t> sizes = getStaticLetterSizes(op);
    for (auto [operand, map] : llvm::enumerate(maps))
      for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        if (!dim || op.getSpec().getBareLetter(operand, axis))
          continue;
        auto type = cast<ShapedType>(op.getInputs()[operand].getType());
        if (type.isDynamicDim(axis) ||
            type.getDimSize(axis) != sizes[dim.getPosition()])
          return false;
      }
    return true;
  }

  LogicalResult drop(ContractOp op, unsigned letter,
                     PatternRewriter &rewriter) const {
    SpecAttr spec = op.getSpec();
    SmallVector<AffineExpr> dims;
    for (unsigned i = 0; i < spec.getNumLetters(); ++i)
      dims.push_back(i == letter ? rewriter.getAffineConstantExpr(0)
                                 : rewriter.getAffineDimExpr(i));
    SmallVector<AffineMap> maps;
    for (AffineMap map : spec.getMaps())
      maps.push_back(map.replaceDimsAndSymbols(dims, {}, spec.getNumLetters(),
                                               spec.getLookups().size()));
    if (!keepsSizes(op, maps))
      return rewriter.notifyMatchFailure(
          op, "an axis would become a single letter of another size");
    auto newSpec = SpecAttr::getCanonical(op.getContext(), spec.getLetters(),
                                          spec.getNumResultLetters(),
                                          spec.getLookups(), maps);
    DictionaryAttr newSizes = op.getSizesAttr();
    if (newSizes) {
      NamedAttrList list(newSizes);
      list.erase(spec.getLetters().substr(letter, 1));
      newSizes = list.empty() ? nullptr : list.getDictionary(op.getContext());
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.setSpecAttr(newSpec);
      if (newSizes)
        op.setSizesAttr(newSizes);
      else
        op.removeSizesAttr();
    });
    return success();
  }
};

/// Reads the source of a tensor.cast that hides static sizes.
struct FoldOperandCast : OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    IRMapping sources;
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      auto cast = operand.getDefiningOp<tensor::CastOp>();
      bool folds = cast && operand != op.getOuts() &&
                   tensor::canFoldIntoConsumerOp(cast);
      operands.push_back(folds ? cast.getSource() : operand);
    }
    if (llvm::equal(operands, op->getOperands()))
      return rewriter.notifyMatchFailure(op, "no operand is a cast");
    size_t numInputs = op.getInputs().size();
    ValueRange values(operands);
    if (failed(inferLetterSizes(op.getSpec(), values.take_front(numInputs),
                                values.slice(numInputs, op.getTables().size()),
                                op.getOuts(), op.getOutputType(),
                                op.getSizesAttr(), op.isPadded(), nullptr)))
      return rewriter.notifyMatchFailure(op, "the casts will fail at run time");
    rewriter.modifyOpInPlace(op, [&] { op->setOperands(operands); });
    return success();
  }
};

/// Gives the result the static sizes that its letters have, and drops outs
/// where it only told these.
struct RefineResultType : OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasTensorForm())
      return rewriter.notifyMatchFailure(op, "on memrefs");
    SmallVector<int64_t> shape = getStaticLetterSizes(op);
    shape.truncate(op.getSpec().getNumResultLetters());
    ShapedType oldType = op.getOutputType();
    auto type = RankedTensorType::get(shape, oldType.getElementType());
    if (op.getOuts() ? !type.hasStaticShape() : type == oldType)
      return rewriter.notifyMatchFailure(op, "no more sizes are known");
    auto newOp =
        ContractOp::create(rewriter, op.getLoc(), type, op.getSpec(),
                           op.getInputs(), op.getTables(), /*outs=*/Value(),
                           op.getPadAttr(), op.getAccAttr(), op.getSizesAttr());
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, oldType, newOp.getResult());
    return success();
  }
};

} // namespace

void ContractOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *context) {
  patterns.add<ComposeOperandPermutation, ComposeResultPermutation,
               DropUnitReduction, FoldOperandCast, RefineResultType>(context);
}
