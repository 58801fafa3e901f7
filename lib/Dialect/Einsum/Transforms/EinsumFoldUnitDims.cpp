//===- EinsumFoldUnitDims.cpp - einsum-fold-unit-dims ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Indices that are dropped become 0 in the maps of operands; then axes of size
// 1 that are read at 0 are dropped as well. After it, a contraction that has
// neither a schedule nor outs has no such axes, and none of its result but
// those that tables or windows need, and the last one of M and of N. Buffers
// that results are stored to lose such axes, too.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/ContractionDim.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SmallBitVector.h"

namespace tileir::einsum {
#define GEN_PASS_DEF_EINSUMFOLDUNITDIMSPASS
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"
} // namespace tileir::einsum

using namespace mlir;
using namespace tileir::einsum;

/// Keeps of the indices `dropped` those in a sum of which one index would be
/// left, but not all that its axis holds: an axis of a bare index has its size.
static void keepWindows(ContractOp op, ArrayRef<int64_t> sizes,
                        llvm::SmallBitVector &dropped) {
  SmallVector<AffineExpr> dims;
  for (unsigned index = 0; index < sizes.size(); ++index)
    dims.push_back(dropped[index] ? getAffineConstantExpr(0, op.getContext())
                                  : getAffineDimExpr(index, op.getContext()));
  for (auto [input, map] :
       llvm::zip_equal(op.getInputs(), op.getSpec().getMaps()))
    for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
      auto left = dyn_cast<AffineDimExpr>(expr.replaceDims(dims));
      int64_t size = cast<ShapedType>(input.getType()).getDimSize(axis);
      if (!left || left == expr ||
          (!ShapedType::isDynamic(size) && size == sizes[left.getPosition()]))
        continue;
      for (unsigned index = 0; index < sizes.size(); ++index)
        if (expr.isFunctionOfDim(index))
          dropped.reset(index);
    }
}

/// The indices of a contraction's result that can be dropped.
static llvm::SmallBitVector getUnitIndices(ContractOp op) {
  SpecAttr spec = op.getSpec();
  llvm::SmallBitVector unit(spec.getNumIndices());
  SmallVector<int64_t> sizes = getStaticIndexSizes(op);
  for (unsigned index = 0; index < spec.getNumResultIndices(); ++index)
    unit[index] = sizes[index] == 1;
  for (LookupAttr lookup : spec.getLookups())
    for (unsigned index : lookup.getIndices())
      unit.reset(index);
  keepWindows(op, sizes, unit);
  for (ContractionDim dim : {ContractionDim::M, ContractionDim::N}) {
    int last = -1;
    bool isKept = false;
    for (unsigned index = 0; index < spec.getNumResultIndices(); ++index)
      if (spec.getContractionDim(index) == dim) {
        last = index;
        isKept |= !unit[index];
      }
    if (!isKept && last >= 0)
      unit.reset(last);
  }
  return unit;
}

/// Groups of axes, one for each that is not dropped.
static SmallVector<ReassociationIndices>
getGroups(const llvm::SmallBitVector &dropped) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices group;
  bool hasKept = false;
  for (unsigned axis = 0; axis < dropped.size(); ++axis) {
    if (!dropped[axis] && std::exchange(hasKept, true))
      groups.push_back(std::exchange(group, {}));
    group.push_back(axis);
  }
  if (hasKept)
    groups.push_back(group);
  return groups;
}

static RankedTensorType dropAxes(RankedTensorType type,
                                 const llvm::SmallBitVector &dropped) {
  SmallVector<int64_t> shape;
  for (auto [axis, size] : llvm::enumerate(type.getShape()))
    if (!dropped[axis])
      shape.push_back(size);
  return RankedTensorType::get(shape, type.getElementType());
}

namespace {

/// A contraction without some of its indices, as it is made.
struct FoldedContraction {
  FoldedContraction(ContractOp op, const llvm::SmallBitVector &dropped);

  bool changesOperands() const {
    return llvm::any_of(droppedAxes, [](auto &axes) { return axes.any(); });
  }
  void replace(RewriterBase &rewriter);

  ContractOp op;
  llvm::SmallBitVector dropped;
  /// Written in the indices of `op`.
  SmallVector<AffineMap> maps;
  SmallVector<llvm::SmallBitVector> droppedAxes;
};

} // namespace

FoldedContraction::FoldedContraction(ContractOp op,
                                     const llvm::SmallBitVector &dropped)
    : op(op), dropped(dropped) {
  MLIRContext *context = op.getContext();
  AffineExpr zero = getAffineConstantExpr(0, context);
  SmallVector<AffineExpr> dims;
  for (unsigned index = 0; index < dropped.size(); ++index)
    dims.push_back(dropped[index] ? zero : getAffineDimExpr(index, context));
  for (auto [input, map] :
       llvm::zip_equal(op.getInputs(), op.getSpec().getMaps())) {
    auto type = cast<ShapedType>(input.getType());
    llvm::SmallBitVector axes(map.getNumResults());
    SmallVector<AffineExpr> kept;
    for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
      AffineExpr without = expr.replaceDims(dims);
      axes[axis] = type.getDimSize(axis) == 1 && without == zero;
      if (!axes[axis])
        kept.push_back(without);
    }
    maps.push_back(
        AffineMap::get(map.getNumDims(), map.getNumSymbols(), kept, context));
    droppedAxes.push_back(axes);
  }
}

void FoldedContraction::replace(RewriterBase &rewriter) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs;
  for (auto [input, axes] : llvm::zip_equal(op.getInputs(), droppedAxes))
    inputs.push_back(
        axes.none()
            ? input
            : tensor::CollapseShapeOp::create(
                  rewriter, loc,
                  dropAxes(cast<RankedTensorType>(input.getType()), axes),
                  input, getGroups(axes)));
  SmallVector<unsigned> order;
  for (unsigned index = 0; index < dropped.size(); ++index)
    if (!dropped[index])
      order.push_back(index);
  SpecAttr spec = op.getSpec().reorder(
      order, op.getSpec().getNumResultIndices() - dropped.count(), maps);
  auto tables = llvm::map_to_vector(
      spec.getTables(), [&](StringRef table) { return op.getTable(table); });
  DictionaryAttr sizes = op.getSizesAttr();
  if (sizes) {
    NamedAttrList kept;
    for (NamedAttribute size : sizes)
      if (spec.getIndices().contains(size.getName().strref()))
        kept.append(size);
    sizes = kept.getDictionary(op.getContext());
  }
  auto type = cast<RankedTensorType>(op.getResult().getType());
  llvm::SmallBitVector axes(dropped);
  axes.resize(type.getRank());
  auto folded =
      ContractOp::create(rewriter, loc, dropAxes(type, axes), spec, inputs,
                         tables, /*outs=*/Value(), op.getPadAttr(),
                         op.getAccAttr(), op.getPrecisionAttr(), sizes);
  folded->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  if (axes.none())
    return rewriter.replaceOp(op, folded);
  rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
      op, type, folded.getResult(), getGroups(axes));
}

/// Stores what has got axes of size 1 as it was before, to a view of the buffer
/// without them: a kernel that made it can write it there. Returns whether it
/// does.
static bool storeWithoutUnitDims(RewriterBase &rewriter,
                                 bufferization::MaterializeInDestinationOp op) {
  auto expanded = op.getSource().getDefiningOp<tensor::ExpandShapeOp>();
  auto buffer = dyn_cast<TypedValue<MemRefType>>(op.getDest());
  if (!expanded || !buffer || !buffer.getType().hasStaticShape())
    return false;
  SmallVector<ReassociationIndices> groups = expanded.getReassociationIndices();
  if (!memref::CollapseShapeOp::isGuaranteedCollapsible(buffer.getType(),
                                                        groups))
    return false;
  // What comes before the kernel does not hide the buffer from it.
  rewriter.setInsertionPointAfterValue(buffer);
  Value view =
      memref::CollapseShapeOp::create(rewriter, op.getLoc(), buffer, groups);
  rewriter.modifyOpInPlace(op, [&] {
    op.getSourceMutable().assign(expanded.getSrc());
    op.getDestMutable().assign(view);
  });
  if (expanded->use_empty())
    rewriter.eraseOp(expanded);
  return true;
}

namespace {

struct EinsumFoldUnitDimsPass
    : tileir::einsum::impl::EinsumFoldUnitDimsPassBase<EinsumFoldUnitDimsPass> {
  using EinsumFoldUnitDimsPassBase::EinsumFoldUnitDimsPassBase;

  void runOnOperation() override {
    SmallVector<ContractOp> contractions;
    getOperation()->walk([&](ContractOp op) {
      if (op.hasTensorForm() && !op->getParentOfType<KernelOp>())
        contractions.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (ContractOp op : contractions)
      fold(rewriter, op);
    getOperation()->walk([&](bufferization::MaterializeInDestinationOp op) {
      numStores += storeWithoutUnitDims(rewriter, op);
    });
  }

private:
  void fold(RewriterBase &rewriter, ContractOp op) {
    remark::RemarkOpts options =
        remark::RemarkOpts::name("fold-unit-dims").category("einsum");
    FoldedContraction folded(op, getUnitIndices(op));
    if (folded.dropped.none() && !folded.changesOperands())
      return;
    if (op.getSchedule() || op.getOuts()) {
      remark::missed(op.getLoc(), options) << remark::reason(
          "it has {0}", op.getSchedule() ? "a schedule" : "outs");
      return;
    }
    std::string dropped;
    for (unsigned index : folded.dropped.set_bits())
      dropped += op.getSpec().getIndices()[index];
    remark::passed(op.getLoc(), options) << remark::metric("dropped", dropped);
    numIndices += folded.dropped.count();
    ++numFolded;
    folded.replace(rewriter);
  }
};

} // namespace
