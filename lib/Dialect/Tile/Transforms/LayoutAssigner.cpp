//===- LayoutAssigner.cpp - Give the tiles of a kernel layouts ------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops are visited in order, so that operands have their layouts, or are cheap.
// What loops carry is predicted from what flows into it and around
// (LayoutPrediction.cpp).
//
//===----------------------------------------------------------------------===//

#include "LayoutAssigner.h"

#include "tileir/Dialect/Tile/Transforms/Contracts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::LinearLayout;

static RankedTensorType withLayout(Type tile, LayoutAttr layout) {
  auto type = cast<RankedTensorType>(tile);
  return RankedTensorType::get(type.getShape(), type.getElementType(), layout);
}

LayoutAssigner::LayoutAssigner(func::FuncOp kernel,
                               const layout::TileConfig &config,
                               int64_t defaultWarps, bool useMma)
    : kernel(kernel), config(config), numWarps(defaultWarps), useMma(useMma) {}

LogicalResult LayoutAssigner::run() {
  if (failed(verifyTakesLayouts(kernel)))
    return failure();
  chooseMmas();
  kernel->setAttr(
      TileDialect::kNumWarps,
      IntegerAttr::get(IntegerType::get(kernel.getContext(), 64), numWarps));
  chooseAnchors();
  if (failed(assign(kernel.getBody().front())))
    return failure();
  eraseUnused();
  sinkRetiling();
  return checkResult();
}

//===----------------------------------------------------------------------===//
// Values in other layouts
//===----------------------------------------------------------------------===//

Value LayoutAssigner::getIn(Value value, LayoutAttr layout) {
  if (!isTile(value) || getLayout(value.getType()) == layout)
    return value;
  auto key = std::make_pair(value, Attribute(layout));
  if (Value known = made.lookup(key))
    return known;
  if (isCheap(value))
    return rematerialize(value, layout);
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointAfterValue(value);
  ++numConversions;
  return made[key] = ConvertLayoutOp::create(
             builder, value.getLoc(), withLayout(value.getType(), layout),
             value);
}

/// Makes a cheap value once more.
Value LayoutAssigner::rematerialize(Value value, LayoutAttr attr) {
  Operation *op = value.getDefiningOp();
  OpBuilder builder(op);
  LayoutAttr ofOperands = isa<BroadcastOp, ReshapeOp, TransOp>(op)
                              ? getRetiledLayout(op, attr)
                              : attr;
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isTile(operand) ? getIn(operand, ofOperands) : operand);
  Operation *clone = builder.clone(*op);
  clone->setOperands(operands);
  for (auto [result, old] :
       llvm::zip_equal(clone->getResults(), op->getResults())) {
    result.setType(withLayout(result.getType(), attr));
    made[{old, attr}] = result;
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(clone))
    constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue())
                              .reshape(cast<ShapedType>(constant.getType())));
  return made[{value, attr}];
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

LogicalResult LayoutAssigner::assign(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(assign(&op)))
      return failure();
  return success();
}

void LayoutAssigner::assignAll(Operation *op, LayoutAttr layout) {
  for (OpOperand &operand : op->getOpOperands())
    operand.set(getIn(operand.get(), layout));
  for (Value result : op->getResults())
    if (isTile(result))
      result.setType(withLayout(result.getType(), layout));
}

LogicalResult LayoutAssigner::assign(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return assign(loop);
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return assign(ifOp);
  if (auto whileOp = dyn_cast<scf::WhileOp>(op))
    return assign(whileOp);
  if (auto roles = dyn_cast<RolesOp>(op)) {
    for (Region &role : roles.getRoles())
      if (failed(assign(role.front())))
        return failure();
    return success();
  }
  if (!hasTiles(op) || isa<scf::YieldOp, scf::ConditionOp>(op) ||
      (op->getNumResults() > 0 && isCheap(op->getResult(0)) &&
       isTile(op->getResult(0))))
    return success();
  if (auto dot = dyn_cast<DotOp>(op)) {
    assignDot(dot);
    return success();
  }
  if (LayoutAttr anchor = anchors.lookup(op)) {
    Value ofProduct;
    if (auto product = dyn_cast<MmaAsyncOp>(op);
        product && isTile(product.getA()))
      ofProduct = getIn(product.getA(), getAttr(product.getLayoutA()));
    assignAll(op, anchor);
    if (ofProduct)
      op->setOperand(0, ofProduct);
    return success();
  }
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    LayoutAttr source = getReductionSource(reduce, predict(reduce.getSource()));
    reduce.getSourceMutable().assign(getIn(reduce.getSource(), source));
    if (isTile(reduce.getResult()))
      reduce.getResult().setType(
          withLayout(reduce.getResult().getType(), getReduced(reduce, source)));
    return success();
  }
  if (auto store = dyn_cast<LocalStoreOp>(op)) {
    // Shared memory takes any.
    LayoutAttr layout = getMadeLayout(store.getValue());
    assignAll(op, layout ? layout : getDefault(store.getValue().getType()));
    return success();
  }
  SmallVector<LayoutAttr> layouts;
  Type tile;
  for (Value operand : op->getOperands())
    if (isTile(operand)) {
      layouts.push_back(getLayout(operand.getType()));
      tile = operand.getType();
    }
  LayoutAttr layout = choose(op, layouts);
  assignAll(op, layout ? layout : getDefault(tile));
  return success();
}

LogicalResult LayoutAssigner::assign(scf::ForOp op) {
  SmallVector<LayoutAttr> layouts;
  for (auto [init, argument, yielded] : llvm::zip_equal(
           op.getInitArgs(), op.getRegionIterArgs(), op.getYieldedValues()))
    layouts.push_back(
        isTile(init)
            ? getCarried({argument, yielded, op.getTiedLoopResult(argument)})
            : LayoutAttr());
  for (auto [i, layout] : llvm::enumerate(layouts)) {
    if (!layout)
      continue;
    OpOperand &init = op.getInitArgsMutable()[i];
    init.set(getIn(init.get(), layout));
    Type type = withLayout(init.get().getType(), layout);
    op.getRegionIterArg(i).setType(type);
    op.getResult(i).setType(type);
  }
  if (failed(assign(*op.getBody())))
    return failure();
  setOperands(op.getBody()->getTerminator()->getOpOperands(), layouts);
  return success();
}

LogicalResult LayoutAssigner::assign(scf::IfOp op) {
  SmallVector<LayoutAttr> layouts;
  for (auto [i, result] : llvm::enumerate(op.getResults()))
    layouts.push_back(isTile(result)
                          ? getCarried({op.thenYield().getOperand(i),
                                        op.elseYield().getOperand(i), result})
                          : LayoutAttr());
  for (auto [result, layout] : llvm::zip_equal(op.getResults(), layouts))
    if (layout)
      result.setType(withLayout(result.getType(), layout));
  for (Region *region : op.getRegions()) {
    if (region->empty())
      continue;
    if (failed(assign(region->front())))
      return failure();
    setOperands(region->front().getTerminator()->getOpOperands(), layouts);
  }
  return success();
}

LogicalResult LayoutAssigner::assign(scf::WhileOp op) {
  // What goes to the condition, and what goes on from there, are two lists.
  SmallVector<LayoutAttr> before, after;
  for (auto [i, argument] : llvm::enumerate(op.getBeforeArguments())) {
    LayoutAttr layout;
    if (isTile(argument))
      layout = getCarried({argument, op.getYieldOp().getOperand(i)});
    before.push_back(layout);
    if (!layout)
      continue;
    OpOperand &init = op.getInitsMutable()[i];
    init.set(getIn(init.get(), layout));
    argument.setType(withLayout(argument.getType(), layout));
  }
  for (auto [passed, argument, result] :
       llvm::zip_equal(op.getConditionOp().getArgs(), op.getAfterArguments(),
                       op.getResults())) {
    LayoutAttr layout;
    if (isTile(result))
      layout = getCarried({passed, argument, result});
    after.push_back(layout);
    if (!layout)
      continue;
    argument.setType(withLayout(argument.getType(), layout));
    result.setType(withLayout(result.getType(), layout));
  }
  if (failed(assign(*op.getBeforeBody())) || failed(assign(*op.getAfterBody())))
    return failure();
  MutableArrayRef<OpOperand> passed =
      op.getConditionOp()->getOpOperands().drop_front();
  setOperands(passed, after);
  setOperands(op.getYieldOp()->getOpOperands(), before);
  return success();
}

void LayoutAssigner::setOperands(MutableArrayRef<OpOperand> operands,
                                 ArrayRef<LayoutAttr> layouts) {
  for (auto [operand, layout] : llvm::zip_equal(operands, layouts))
    if (layout)
      operand.set(getIn(operand.get(), layout));
}

void LayoutAssigner::assignDot(DotOp op) {
  LayoutAttr accumulator = anchors.lookup(op);
  Value acc = getIn(op.getAcc(), accumulator);
  auto mma = mmas.find(op);
  if (mma == mmas.end()) {
    LinearLayout layout = accumulator.getLayout(getSizes(acc));
    for (unsigned i : {0, 1}) {
      OpOperand &operand = op->getOpOperand(i);
      operand.set(
          getIn(operand.get(),
                getAttr(getDotOperand(layout, i, getSizes(operand.get())))));
    }
    op.getAccMutable().assign(acc);
    op.getResult().setType(cast<RankedTensorType>(acc.getType()));
    return;
  }
  const Mma &choice = mma->second;
  auto getOperand = [&](Value value, const layout::Operand &operand) {
    return getIn(value, getAttr(layout::getOperand(choice.grid, operand,
                                                   getSizes(value))));
  };
  Value a = getOperand(op.getA(), choice.a);
  Value b = getOperand(op.getB(), choice.b);
  OpBuilder builder(op);
  auto product = MmaOp::create(
      builder, op.getLoc(), acc.getType(), a, b, acc,
      static_cast<Major>(choice.a.major), static_cast<Major>(choice.b.major),
      MmaAtomAttr::get(op.getContext(), choice.grid.atom), choice.grid.warpsM,
      choice.grid.warpsN);
  op.getResult().replaceAllUsesWith(product.getResult());
  op.erase();
}

/// Erases ops that were rematerialized in other layouts and are now unused.
void LayoutAssigner::eraseUnused() {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}

/// Moves what only retiles or converts to its first user: what needs shared
/// memory on the way can then be stored together, and loaded together.
void LayoutAssigner::sinkRetiling() {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (isa<ConvertLayoutOp, TransOp, ReshapeOp, BroadcastOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : llvm::reverse(ops)) {
    Operation *first = nullptr;
    for (Operation *user : op->getUsers()) {
      Operation *here = op->getBlock()->findAncestorOpInBlock(*user);
      if (!first || here->isBeforeInBlock(first))
        first = here;
    }
    if (!first)
      continue;
    // Conversions come before what retiles other tiles for the same user.
    if (isa<ConvertLayoutOp>(op))
      for (Operation *before = first->getPrevNode();
           before && before != op->getOperand(0).getDefiningOp() &&
           isa<TransOp, ReshapeOp, BroadcastOp>(before);
           before = before->getPrevNode())
        first = before;
    if (first != op)
      op->moveBefore(first);
  }
}

/// Each tile has a layout.
LogicalResult LayoutAssigner::checkResult() {
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    for (Value value : op->getResults())
      if (isTile(value) && !getLayout(value.getType()))
        return op->emitError("tile-assign-layouts found no layout for this "
                             "tile");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
