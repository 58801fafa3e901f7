//===- ContractOpCanonicalize.cpp - Rewrites of einsum.contract -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folds and canonicalization patterns, all on tensors except for the removal of
// reduced indices of size 1. A "permutation" is a contraction for which
// getPermutation gives one. A rewrite is done only if the new op
// verifies and no index changes its size or loses a static one, see replace().
//
//===----------------------------------------------------------------------===//

#include "ContractOpVerify.h"

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tileir::einsum;

static Type getElement(Value value) {
  return cast<ShapedType>(value.getType()).getElementType();
}

std::optional<SmallVector<unsigned>> ContractOp::getPermutation() {
  SpecAttr spec = getSpec();
  if (!hasTensorForm() || spec.getNumOperands() != 1 ||
      spec.getNumIndices() != spec.getNumResultIndices() ||
      spec.getMaps()[0].getNumResults() != spec.getNumIndices() ||
      getElement(getInputs()[0]) != getOutputType().getElementType())
    return std::nullopt;
  SmallVector<unsigned> permutation;
  for (unsigned axis = 0; axis < spec.getNumIndices(); ++axis) {
    auto index = spec.getBareIndex(0, axis);
    if (!index || llvm::is_contained(permutation, *index))
      return std::nullopt;
    permutation.push_back(*index);
  }
  return permutation;
}

/// The identity permutation is its operand.
LogicalResult ContractOp::fold(FoldAdaptor adaptor,
                               SmallVectorImpl<OpFoldResult> &results) {
  auto permutation = getPermutation();
  if (!permutation || !llvm::is_sorted(*permutation) ||
      getInputs()[0].getType() != getResult().getType())
    return failure();
  results.push_back(getInputs()[0]);
  return success();
}

namespace {

/// The parts of a contraction that a rewrite changes.
struct Parts {
  SpecAttr spec;
  SmallVector<Value> inputs, tables;
  Value outs;
  StringAttr pad;
  TypeAttr acc;
  StringAttr precision;
  DictionaryAttr sizes;
  /// Fits any order of axes, as long as the indices stay.
  ScheduleAttr schedule;
  Type resultType; // null on memrefs

  explicit Parts(ContractOp op)
      : spec(op.getSpec()), inputs(op.getInputs()), tables(op.getTables()),
        outs(op.getOuts()), pad(op.getPadAttr()), acc(op.getAccAttr()),
        precision(op.getPrecisionAttr()), sizes(op.getSizesAttr()),
        schedule(op.getScheduleAttr()),
        resultType(op.hasTensorForm() ? op.getResult().getType() : Type()) {}

  /// Sets the specification, and the tables of `op` in its order.
  void setSpec(SpecAttr newSpec, ContractOp op) {
    spec = newSpec;
    tables.clear();
    for (StringRef table : spec.getTables())
      tables.push_back(op.getTable(table));
  }
};

} // namespace

/// Whether all indices of `newOp` have the sizes that those of `op` have,
/// except that a dynamic one may be static now.
static bool keepsSizes(ContractOp newOp, ContractOp op) {
  SmallVector<int64_t> oldSizes = getStaticIndexSizes(op);
  StringRef oldIndices = op.getSpec().getIndices();
  for (auto [index, size] :
       llvm::zip(newOp.getSpec().getIndices(), getStaticIndexSizes(newOp))) {
    int64_t oldSize = oldSizes[oldIndices.find(index)];
    if (!ShapedType::isDynamic(oldSize) && size != oldSize)
      return false;
  }
  return true;
}

/// Replaces `op` by a contraction of `parts`, whose indices mean what those of
/// `like` do. Fails, and changes nothing, if that would not be valid.
static LogicalResult replace(ContractOp op, const Parts &parts, ContractOp like,
                             PatternRewriter &rewriter) {
  OpBuilder detached(op.getContext());
  auto newOp = ContractOp::create(
      detached, op.getLoc(),
      parts.resultType ? TypeRange(parts.resultType) : TypeRange(), parts.spec,
      parts.inputs, parts.tables, parts.outs, parts.pad, parts.acc,
      parts.precision, parts.sizes, parts.schedule);
  auto quiet = [] { return InFlightDiagnostic(); };
  if (failed(verifyIndexSizes(newOp, quiet)) || !keepsSizes(newOp, like)) {
    newOp->erase();
    return rewriter.notifyMatchFailure(
        op, "an index would have another size, or an unknown one");
  }
  rewriter.insert(newOp);
  if (!op.hasTensorForm()) {
    rewriter.eraseOp(op);
    return success();
  }
  Value result = newOp.getResult();
  if (result.getType() != op.getResult().getType())
    result = tensor::CastOp::create(rewriter, op.getLoc(),
                                    op.getResult().getType(), result);
  rewriter.replaceOp(op, result);
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
      auto permutation = producer ? producer.getPermutation() : std::nullopt;
      if (!permutation)
        continue;
      SmallVector<AffineExpr> axes;
      for (unsigned axis : *permutation)
        axes.push_back(spec.getMaps()[operand].getResult(axis));
      SmallVector<AffineMap> maps(spec.getMaps());
      maps[operand] =
          AffineMap::get(spec.getNumIndices(), spec.getLookups().size(), axes,
                         op.getContext());
      Parts parts(op);
      parts.spec = SpecAttr::getCanonical(op.getContext(), spec.getIndices(),
                                          spec.getNumResultIndices(),
                                          spec.getLookups(), maps);
      // Table operands follow the order of look-ups, which may change.
      parts.tables.clear();
      for (StringRef table : parts.spec.getTables())
        parts.tables.push_back(op.getTable(table));
      parts.inputs[operand] = producer.getInputs()[0];
      if (succeeded(replace(op, parts, op, rewriter)))
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
    auto permutation = op.getPermutation();
    if (!permutation)
      return rewriter.notifyMatchFailure(op, "not a permutation");
    auto producer = op.getInputs()[0].getDefiningOp<ContractOp>();
    if (!producer || !producer->hasOneUse() || producer.getOuts() ||
        op.getOuts())
      return rewriter.notifyMatchFailure(
          op, "the operand is no contraction with one use and without outs");

    // Index i of the producer's result becomes index permutation[i].
    SpecAttr spec = producer.getSpec();
    ArrayRef<int64_t> oldShape = producer.getOutputType().getShape();
    SmallVector<int64_t> shape(op.getOutputType().getShape());
    auto order = llvm::to_vector(llvm::seq<unsigned>(0, spec.getNumIndices()));
    for (auto [index, position] : llvm::enumerate(*permutation)) {
      order[position] = index;
      if (ShapedType::isDynamic(shape[position]))
        shape[position] = oldShape[index];
    }
    Parts parts(producer);
    parts.setSpec(
        spec.reorder(order, spec.getNumResultIndices(), spec.getMaps()),
        producer);
    parts.resultType =
        RankedTensorType::get(shape, op.getOutputType().getElementType());
    return replace(op, parts, producer, rewriter);
  }
};

/// Replaces a reduced index of size 1 by the index 0.
struct DropUnitReduction : OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    SpecAttr spec = op.getSpec();
    SmallVector<int64_t> sizes = getStaticIndexSizes(op);
    for (unsigned index = spec.getNumResultIndices();
         index < spec.getNumIndices(); ++index) {
      bool indexesTable = llvm::any_of(spec.getLookups(), [&](LookupAttr l) {
        return !l.isIndex() && llvm::is_contained(l.getIndices(), index);
      });
      if (sizes[index] == 1 && !indexesTable &&
          succeeded(drop(op, index, rewriter)))
        return success();
    }
    return rewriter.notifyMatchFailure(op, "no reduced index of size 1");
  }

  /// An axis that is an index alone tells the index's size, where an
  /// expression may read less than the whole axis. So an axis may become an
  /// index only if its size and that of the index are known; verification
  /// compares them.
  static bool tellsNewSize(ContractOp op, ArrayRef<AffineMap> maps) {
    SmallVector<int64_t> sizes = getStaticIndexSizes(op);
    for (auto [operand, map] : llvm::enumerate(maps))
      for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        if (!dim || op.getSpec().getBareIndex(operand, axis))
          continue;
        auto type = cast<ShapedType>(op.getInputs()[operand].getType());
        if (type.isDynamicDim(axis) ||
            ShapedType::isDynamic(sizes[dim.getPosition()]))
          return true;
      }
    return false;
  }

  LogicalResult drop(ContractOp op, unsigned index,
                     PatternRewriter &rewriter) const {
    SpecAttr spec = op.getSpec();
    AffineExpr zero = rewriter.getAffineConstantExpr(0);
    SmallVector<AffineExpr> dims, symbols;
    for (unsigned i = 0; i < spec.getNumIndices(); ++i)
      dims.push_back(i == index ? zero : rewriter.getAffineDimExpr(i));
    for (auto [i, lookup] : llvm::enumerate(spec.getLookups()))
      symbols.push_back(lookup.isIndex() && lookup.getIndices()[0] == index
                            ? zero
                            : rewriter.getAffineSymbolExpr(i));
    SmallVector<AffineMap> maps;
    for (AffineMap map : spec.getMaps())
      maps.push_back(map.replaceDimsAndSymbols(
          dims, symbols, spec.getNumIndices(), spec.getLookups().size()));
    if (tellsNewSize(op, maps))
      return rewriter.notifyMatchFailure(
          op, "an axis would tell the size of an index");
    Parts parts(op);
    parts.spec = SpecAttr::getCanonical(op.getContext(), spec.getIndices(),
                                        spec.getNumResultIndices(),
                                        spec.getLookups(), maps);
    if (parts.spec.getNumIndices() != spec.getNumIndices() - 1 ||
        parts.spec.getTables() != spec.getTables())
      return rewriter.notifyMatchFailure(
          op, "another index or a table would vanish from a product with 0");
    parts.schedule = nullptr;
    if (op.getSizesAttr()) {
      NamedAttrList list(op.getSizesAttr());
      list.erase(spec.getIndices().substr(index, 1));
      parts.sizes =
          list.empty() ? nullptr : list.getDictionary(op.getContext());
    }
    return replace(op, parts, op, rewriter);
  }
};

/// Reads the source of a tensor.cast that hides static sizes.
struct FoldOperandCast : OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    Parts parts(op);
    bool folds = false;
    for (SmallVector<Value> *values : {&parts.inputs, &parts.tables})
      for (Value &value : *values) {
        auto cast = value.getDefiningOp<tensor::CastOp>();
        if (!cast || !tensor::canFoldIntoConsumerOp(cast))
          continue;
        value = cast.getSource();
        folds = true;
      }
    if (!folds)
      return rewriter.notifyMatchFailure(op, "no operand is a cast");
    // Fails where the casts will fail at run time.
    return replace(op, parts, op, rewriter);
  }
};

/// Gives the result the static sizes that its indices have, and drops outs
/// where it only told these.
struct RefineResultType : OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasTensorForm())
      return rewriter.notifyMatchFailure(op, "on memrefs");
    SmallVector<int64_t> shape = getStaticIndexSizes(op);
    shape.truncate(op.getSpec().getNumResultIndices());
    ShapedType oldType = op.getOutputType();
    auto type = RankedTensorType::get(shape, oldType.getElementType());
    if (op.getOuts() ? !type.hasStaticShape() : type == oldType)
      return rewriter.notifyMatchFailure(op, "no more sizes are known");
    Parts parts(op);
    parts.resultType = type;
    parts.outs = Value();
    return replace(op, parts, op, rewriter);
  }
};

} // namespace

void ContractOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *context) {
  patterns.add<ComposeOperandPermutation, ComposeResultPermutation,
               DropUnitReduction, FoldOperandCast, RefineResultType>(context);
}
