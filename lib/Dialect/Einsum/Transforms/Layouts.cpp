//===- Layouts.cpp - Orders of the axes of tensors ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups are found by going over the ops of a block once, where each links its
// result with operands of the same order, or fixes those whose order it needs.
//
//===----------------------------------------------------------------------===//

#include "Layouts.h"

#include "tileir/Dialect/Einsum/Analysis/ContractionDims.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Einsum/IR/Pointwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tileir::einsum;

/// Below as many axes, an order is a transposition, which kernels read as well.
static constexpr int64_t kLeastRank = 3;
/// The order of images whose channels were second, and are last.
static constexpr int64_t kPixelsFirst[] = {0, 2, 3, 1};

/// Whether a tensor of any order is made where it is needed.
static bool isMade(Operation *op) {
  SplatElementsAttr splat;
  return isa_and_nonnull<tensor::EmptyOp>(op) ||
         (op && matchPattern(op, m_Constant(&splat)));
}

static bool isPooling(Operation *op) {
  return isa<linalg::PoolingNchwMaxOp, linalg::PoolingNchwSumOp>(op);
}

/// Whether a structured op other than a pooling reads some operand along other
/// axes than those of its loops, which another order of these has to tell.
static bool needsMaps(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && !isPooling(op) &&
         (isa<linalg::GenericOp>(op) ||
          llvm::any_of(structured.getIndexingMapsArray(), [](AffineMap map) {
            return map.getNumResults() != 0 && !map.isIdentity();
          }));
}

/// `values` with those at the places `order` in this order.
template <typename T>
static SmallVector<T> permute(ArrayRef<T> values, ArrayRef<int64_t> order) {
  return order.empty() ? SmallVector<T>(values)
                       : applyPermutation(values, order);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

unsigned LayoutGroups::find(Value value) {
  auto [group, isNew] = groupOf.try_emplace(value, groups.size());
  if (isNew)
    groups.emplace_back().values.push_back(value);
  return group->second;
}

void LayoutGroups::link(Value a, Value b) {
  unsigned into = find(a), from = find(b);
  if (into == from)
    return;
  for (Value value : groups[from].values) {
    groupOf[value] = into;
    groups[into].values.push_back(value);
  }
  groups[from].values.clear();
}

void LayoutGroups::fix(Value value) {
  if (isa<RankedTensorType>(value.getType()))
    fixed.insert(value);
}

void LayoutGroups::visit(Operation *op) {
  auto isStatic = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.hasStaticShape() && type.getRank() >= kLeastRank &&
           !type.getEncoding();
  };
  for (Value result : op->getResults()) {
    if (!isStatic(result))
      fix(result);
    else
      find(result);
  }
  auto linkOperand = [&](Value operand) {
    if (!isMade(operand.getDefiningOp()))
      link(op->getResult(0), operand);
  };
  if (auto contract = dyn_cast<ContractOp>(op)) {
    llvm::for_each(contract.getTables(), [&](Value table) { fix(table); });
    if (Value outs = contract.getOuts()) {
      fix(outs);
      llvm::for_each(op->getResults(), [&](Value result) { fix(result); });
    }
    return;
  }
  if (isMade(op))
    return;
  if (std::optional<PointwiseOp> pointwise = PointwiseOp::get(op)) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    auto identity = llvm::seq<unsigned>(0, type.getRank());
    for (const PointwiseOp::Operand &operand : pointwise->operands)
      if (llvm::equal(operand.axes, identity))
        linkOperand(operand.value);
    if (pointwise->body && !needsMaps(op))
      linkOperand(cast<linalg::LinalgOp>(op).getDpsInits()[0]);
    return;
  }
  if (auto generic = dyn_cast<linalg::GenericOp>(op);
      generic && generic.hasPureTensorSemantics()) {
    llvm::for_each(generic.getDpsInits(), [&](Value init) { fix(init); });
    llvm::for_each(generic->getResults(), [&](Value result) { fix(result); });
    return;
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op);
      pad && pad.getConstantPaddingValue() && pad.getLow().empty() &&
      pad.getHigh().empty())
    return linkOperand(pad.getSource());
  if (isPooling(op)) {
    linkOperand(op->getOperand(0));
    linkOperand(op->getOperand(2));
    pooled.insert(op->getResult(0));
    return fix(op->getOperand(1));
  }
  llvm::for_each(op->getOperands(), [&](Value operand) { fix(operand); });
  llvm::for_each(op->getResults(), [&](Value result) { fix(result); });
}

std::optional<unsigned> LayoutGroups::findChannels(ContractOp op) {
  if (auto permutation = op.getPermutation())
    return permutation->back();
  SpecAttr spec = op.getSpec();
  ContractionDims dims(spec, getStaticIndexSizes(op));
  std::optional<unsigned> found;
  for (ContractionDim dim :
       {ContractionDim::N, ContractionDim::M, ContractionDim::Batch}) {
    SmallVector<unsigned> indices =
        llvm::filter_to_vector(dims.getIndices(dim), [&](unsigned index) {
          return index < spec.getNumResultIndices() &&
                 op.getOutputType().getDimSize(index) > 1;
        });
    if (indices.size() == 1 && !found)
      found = indices.front();
  }
  return found;
}

LayoutGroups::LayoutGroups(Block &block) {
  for (Operation &op : block)
    visit(&op);
  for (auto [number, group] : llvm::enumerate(groups)) {
    bool isOpen =
        !group.values.empty() && llvm::none_of(group.values, [&](Value value) {
          bool isSeen = llvm::any_of(value.getUsers(), [&](Operation *user) {
            return user->getBlock() != &block;
          });
          return isSeen || fixed.contains(value) || isa<BlockArgument>(value);
        });
    if (!isOpen)
      continue;
    unsigned rank = cast<RankedTensorType>(group.values[0].getType()).getRank();
    // What most contractions that make tensors of it call channels, and
    // permutations have last on their other side.
    SmallVector<unsigned> votes(rank);
    for (Value value : group.values) {
      if (auto contract = value.getDefiningOp<ContractOp>())
        if (std::optional<unsigned> axis = findChannels(contract))
          ++votes[*axis];
      for (Operation *user : value.getUsers())
        if (auto contract = dyn_cast<ContractOp>(user))
          if (auto permutation = contract.getPermutation())
            ++votes[llvm::find(*permutation, rank - 1) - permutation->begin()];
    }
    unsigned channels = llvm::max_element(votes) - votes.begin();
    if (votes[channels] == 0 || channels + 1 == rank)
      continue;
    for (unsigned axis = 0; axis < rank; ++axis)
      if (axis != channels)
        group.order.push_back(axis);
    group.order.push_back(channels);
    bool isPooled = llvm::any_of(
        group.values, [&](Value value) { return pooled.contains(value); });
    if (isPooled && ArrayRef(group.order) != ArrayRef(kPixelsFirst))
      group.order.clear();
    else
      open.push_back(number);
  }
}

void LayoutGroups::setReordered(unsigned group, bool isReordered) {
  groups[group].isReordered = isReordered;
}

void LayoutGroups::setReordered(bool isReordered) {
  for (unsigned group : open)
    setReordered(group, isReordered);
}

ArrayRef<int64_t> LayoutGroups::getOrder(Value value) const {
  auto group = groupOf.find(value);
  if (group == groupOf.end() || !groups[group->second].isReordered)
    return {};
  return groups[group->second].order;
}

RankedTensorType LayoutGroups::getType(Value value) const {
  auto type = cast<RankedTensorType>(value.getType());
  return type.clone(permute(type.getShape(), getOrder(value)));
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static AffineMap permuteResults(AffineMap map, ArrayRef<int64_t> order) {
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                        permute(map.getResults(), order), map.getContext());
}

ContractOp tileir::einsum::createReordered(OpBuilder &builder, ContractOp op,
                                           const LayoutGroups &groups,
                                           ValueRange inputs) {
  SpecAttr spec = op.getSpec();
  unsigned numResultIndices = spec.getNumResultIndices();
  auto indices = llvm::to_vector(llvm::seq<unsigned>(0, spec.getNumIndices()));
  llvm::copy(permute(ArrayRef(indices).take_front(numResultIndices),
                     groups.getOrder(op.getResult())),
             indices.begin());
  SmallVector<AffineMap> maps;
  for (auto [map, input] : llvm::zip_equal(spec.getMaps(), op.getInputs()))
    maps.push_back(permuteResults(map, groups.getOrder(input)));
  SpecAttr reordered = spec.reorder(indices, numResultIndices, maps);
  auto tables =
      llvm::map_to_vector(reordered.getTables(),
                          [&](StringRef table) { return op.getTable(table); });
  auto result = ContractOp::create(
      builder, op.getLoc(), groups.getType(op.getResult()), reordered, inputs,
      tables, op.getOuts(), op.getPadAttr(), op.getAccAttr(),
      op.getPrecisionAttr(), op.getSizesAttr(), op.getScheduleAttr());
  result->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return result;
}

namespace {

/// Writes the ops of a block, one after the other.
class Reorderer {
public:
  Reorderer(Block &block, const LayoutGroups &groups)
      : groups(groups), builder(block.getParentOp()->getContext()) {}

  void rewrite(Operation *op) {
    builder.setInsertionPoint(op);
    Operation *reordered = create(op);
    ValueRange results = reordered->getResults();
    // A permutation into the order that its operand has is gone.
    SmallVector<Value> folded;
    if (succeeded(builder.tryFold(reordered, folded)) && !folded.empty()) {
      results = folded;
      reordered->erase();
    }
    for (auto [from, to] : llvm::zip_equal(op->getResults(), results)) {
      if (isReordered(from))
        moved[from] = to;
      else
        from.replaceAllUsesWith(to);
    }
    written.push_back(op);
  }

  bool isReordered(Value value) const {
    return !groups.getOrder(value).empty();
  }

  /// Erases what was written in another order; returns how many tensors are.
  unsigned finish() {
    for (Operation *op : llvm::reverse(written))
      op->erase();
    return moved.size();
  }

private:
  /// `value` in its order; of an operand of an op on elements, in that of its
  /// result.
  Value get(Value value, ArrayRef<int64_t> order = {}) {
    if (Value known = moved.lookup(value))
      return known;
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (order.empty() || !type || !isMade(value.getDefiningOp()))
      return value;
    type = type.clone(permute(type.getShape(), order));
    if (value.getDefiningOp<tensor::EmptyOp>())
      return tensor::EmptyOp::create(builder, value.getLoc(), type,
                                     ValueRange());
    SplatElementsAttr splat;
    matchPattern(value, m_Constant(&splat));
    return arith::ConstantOp::create(
        builder, value.getLoc(),
        DenseElementsAttr::get(type, splat.getSplatValue<Attribute>()));
  }

  Operation *create(Operation *op) {
    if (auto contract = dyn_cast<ContractOp>(op)) {
      auto inputs = llvm::map_to_vector(
          contract.getInputs(), [&](Value input) { return get(input); });
      return createReordered(builder, contract, groups, inputs);
    }
    if (needsMaps(op))
      return createGeneric(cast<linalg::LinalgOp>(op));
    ArrayRef<int64_t> order = groups.getOrder(op->getResult(0));
    if (isPooling(op))
      return createPooling(op, order);
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, get(operand, order));
    Operation *clone = builder.clone(*op, mapping);
    clone->getResult(0).setType(groups.getType(op->getResult(0)));
    if (auto pad = dyn_cast<tensor::PadOp>(clone)) {
      pad.setStaticLow(permute(pad.getStaticLow(), order));
      pad.setStaticHigh(permute(pad.getStaticHigh(), order));
    }
    return clone;
  }

  Operation *createGeneric(linalg::LinalgOp op) {
    ArrayRef<int64_t> order = groups.getOrder(op->getResult(0));
    MLIRContext *context = op.getContext();
    // The loops are those along the axes of the result.
    unsigned numLoops = op.getNumLoops();
    SmallVector<AffineExpr> loops(numLoops);
    for (unsigned loop = 0; loop < numLoops; ++loop)
      loops[order.empty() ? loop : order[loop]] =
          getAffineDimExpr(loop, context);
    SmallVector<AffineMap> maps;
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand).replaceDimsAndSymbols(
          loops, {}, numLoops, 0);
      bool isInit = op.isDpsInit(&operand);
      maps.push_back(
          permuteResults(map, isInit ? order : groups.getOrder(operand.get())));
    }
    auto inputs = llvm::map_to_vector(op.getDpsInputs(),
                                      [&](Value input) { return get(input); });
    auto outputs = llvm::map_to_vector(op.getDpsInits(), [&](Value output) {
      if (order.empty() && !isReordered(output))
        return output;
      return Value(tensor::EmptyOp::create(builder, op.getLoc(),
                                           groups.getType(op->getResult(0)),
                                           ValueRange()));
    });
    auto result = linalg::GenericOp::create(
        builder, op.getLoc(), ValueRange(outputs).getTypes(), inputs, outputs,
        maps, op.getIteratorTypesArray());
    IRMapping mapping;
    op->getRegion(0).cloneInto(&result.getRegion(), mapping);
    return result;
  }

  Operation *createPooling(Operation *op, ArrayRef<int64_t> order) {
    Value operands[] = {get(op->getOperand(0), order), op->getOperand(1)};
    Value init = get(op->getOperand(2), order);
    auto createAs = [&](auto from, auto kind) -> Operation * {
      using Op = decltype(kind);
      return Op::create(builder, op->getLoc(), TypeRange(init.getType()),
                        operands, init, from.getStrides(), from.getDilations());
    };
    if (auto max = dyn_cast<linalg::PoolingNchwMaxOp>(op))
      return createAs(max, linalg::PoolingNhwcMaxOp());
    return createAs(cast<linalg::PoolingNchwSumOp>(op),
                    linalg::PoolingNhwcSumOp());
  }

  const LayoutGroups &groups;
  OpBuilder builder;
  DenseMap<Value, Value> moved;
  SmallVector<Operation *> written;
};

} // namespace

unsigned tileir::einsum::reorder(Block &block, const LayoutGroups &groups) {
  Reorderer reorderer(block, groups);
  auto isReordered = [&](Value value) { return reorderer.isReordered(value); };
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    if (llvm::any_of(op.getResults(), isReordered) ||
        llvm::any_of(op.getOperands(), isReordered))
      ops.push_back(&op);
  for (Operation *op : ops)
    reorderer.rewrite(op);
  return reorderer.finish();
}
