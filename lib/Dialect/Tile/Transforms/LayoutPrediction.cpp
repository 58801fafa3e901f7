//===- LayoutPrediction.cpp - The layout that a value will have -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tile-assign-layouts asks before it gives a tile a layout: whether it is
// cheap to make again, where what is computed of it is stored, and which layout
// its operands, a loop or an if suggest. Changes nothing.
//
//===----------------------------------------------------------------------===//

#include "LayoutAssigner.h"
#include "ReduceInWarps.h"
#include "RunAhead.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::LinearLayout;

bool LayoutAssigner::isCheap(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isTile(value))
    return true;
  if (!op)
    return false;
  auto known = cheap.find(value);
  if (known != cheap.end())
    return known->second;
  // Where offsets or addresses are not cheap, they are converted: pointers
  // cannot be.
  if (auto addptr = dyn_cast<AddPtrOp>(op))
    return cheap[value] = isCheap(addptr.getPtr());
  if (isa<IntToPtrOp>(op))
    return cheap[value] = true;
  bool answer =
      isa<arith::ConstantOp, ub::PoisonOp, SplatOp, RangeOp, BroadcastOp,
          ReshapeOp, TransOp>(op) ||
      (isElementwise(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
         return isCheap(operand);
       }));
  return cheap[value] = answer;
}

LayoutAttr LayoutAssigner::choose(ArrayRef<LayoutAttr> layouts) const {
  LayoutAttr best;
  for (LayoutAttr layout : layouts)
    // Tiles from or to memory have to be in such a layout anyway.
    if (layout &&
        (!best || (fragments.contains(best) && !fragments.contains(layout))))
      best = layout;
  return best;
}

/// What becomes an argument of the condition of a loop; or else an argument of
/// what it repeats, and a result.
static SmallVector<Value> getSources(scf::WhileOp loop, bool isCondition,
                                     unsigned number) {
  if (isCondition)
    return {loop.getInits()[number], loop.getYieldOp().getOperand(number)};
  return {loop.getConditionOp().getArgs()[number]};
}

SmallVector<Value> tile::getSources(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto argument = cast<BlockArgument>(value);
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::WhileOp>(parent))
      return ::getSources(loop, argument.getOwner() == loop.getBeforeBody(),
                          argument.getArgNumber());
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop || argument == loop.getInductionVar())
      return {};
    return {loop.getTiedLoopInit(argument)->get(),
            loop.getTiedLoopYieldedValue(argument)->get()};
  }
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {loop.getInitArgs()[number], loop.getYieldedValues()[number]};
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return ::getSources(loop, /*isCondition=*/false, number);
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return {ifOp.thenYield().getOperand(number),
            ifOp.elseYield().getOperand(number)};
  return op->getOperands();
}

bool LayoutAssigner::isLoaded(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isTile(value) || (op && isProduct(op)))
    return false;
  if (op && isAccess(op))
    return true;
  auto [known, isNew] = loaded.try_emplace(value, false);
  if (!isNew)
    return known->second;
  return loaded[value] = llvm::any_of(
             getSources(value), [&](Value source) { return isLoaded(source); });
}

/// Where something from memory joins fragments, all goes on as it is stored:
/// there, unlike in fragments, accesses are wide.
LayoutAttr LayoutAssigner::choose(Operation *op, ArrayRef<LayoutAttr> layouts) {
  LayoutAttr chosen = choose(layouts);
  if (!chosen || !fragments.contains(chosen) ||
      llvm::none_of(op->getOperands(), [&](Value operand) {
        return isCheap(operand) && isLoaded(operand);
      }))
    return chosen;
  LayoutAttr store = findStore(op->getResult(0));
  return store ? store : chosen;
}

LayoutAttr LayoutAssigner::getRetiledLayout(Operation *op, LayoutAttr attr) {
  Value operand = op->getOperand(0);
  ArrayRef<int64_t> shape = getSizes(operand);
  LinearLayout layout = attr.getLayout(getSizes(op->getResult(0)));
  if (isa<BroadcastOp>(op))
    return getAttr(unbroadcast(layout, shape));
  if (isa<ReshapeOp>(op))
    return getAttr(layout.reshape(shape));
  return getAttr(layout.transpose(
      invertPermutationVector(cast<TransOp>(op).getPermutation())));
}

LayoutAttr LayoutAssigner::getMadeLayout(Value value) {
  if (LayoutAttr layout = predict(value))
    return layout;
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<ReshapeOp, TransOp>(op))
    return nullptr;
  Value source = op->getOperand(0);
  LayoutAttr attr = getMadeLayout(source);
  if (!attr)
    return nullptr;
  LinearLayout layout = attr.getLayout(getSizes(source));
  if (auto trans = dyn_cast<TransOp>(op))
    return getAttr(layout.transpose(trans.getPermutation()));
  return getAttr(layout.reshape(getSizes(value)));
}

/// Returns the layout in which elements of a loaded tile are needed once they
/// are broadcast, to compute with or as addresses; null if there are several,
/// or it is not broadcast.
LayoutAttr LayoutAssigner::findRepeated(Value tile, bool repeats) {
  LayoutAttr found;
  for (Operation *user : tile.getUsers()) {
    LayoutAttr layout;
    if (isa<BroadcastOp, ReshapeOp, TransOp>(user)) {
      layout =
          findRepeated(user->getResult(0), repeats || isa<BroadcastOp>(user));
      if (layout)
        layout = getRetiledLayout(user, layout);
    } else if (isElementwise(user) && user->getNumResults() == 1) {
      Value result = user->getResult(0);
      layout = repeats && !isCheap(result) ? predict(result)
                                           : findRepeated(result, repeats);
    } else if (repeats && isAccess(user)) {
      layout = anchors.lookup(user);
    }
    if (!layout || (found && found != layout))
      return nullptr;
    found = layout;
  }
  return found;
}

LayoutAttr LayoutAssigner::getReduced(ReduceOp op, LayoutAttr source) {
  return getAttr(
      source.getLayout(getSizes(op.getSource())).removeAxis(op.getAxis()));
}

/// The layout of the access that stores what is computed of `value`, element by
/// element, or transposed; null if there is none.
LayoutAttr LayoutAssigner::findStore(Value value) {
  for (Operation *user : value.getUsers()) {
    if (isa<StoreOp, StoreViewOp>(user))
      return anchors.lookup(user);
    if (user->getNumResults() != 1 ||
        !(isElementwise(user) || isa<TransOp>(user)))
      continue;
    LayoutAttr found = findStore(user->getResult(0));
    if (!found || isElementwise(user))
      return found;
    auto trans = cast<TransOp>(user);
    return getAttr(
        found.getLayout(getSizes(trans.getResult()))
            .transpose(invertPermutationVector(trans.getPermutation())));
  }
  return nullptr;
}

/// Products whose elements along the axis are in fragments of different warps,
/// as those of a batch are, have to go through shared memory to be added up: on
/// the way they change to the layout in which the sum is stored, with those of
/// a thread in registers.
LayoutAttr LayoutAssigner::getReductionSource(ReduceOp op,
                                              LayoutAttr predicted) {
  if (!predicted)
    return getDefault(op.getSource().getType());
  if (!fragments.contains(predicted) || !isTile(op.getResult()) ||
      getWarpMask(predicted.getLayout(getSizes(op.getSource())),
                  op.getAxis()) == 0)
    return predicted;
  LayoutAttr result = findStore(op.getResult());
  if (!result)
    result = getDefault(op.getResult().getType());
  LinearLayout sum = result.getLayout(getSizes(op.getResult()));
  ArrayRef<int64_t> shape = getSizes(op.getSource());
  unsigned axis = op.getAxis();
  SmallVector<int64_t> one(shape);
  one[axis] = 1;
  return getAttr(sum.reshape(one).broadcast(shape));
}

LayoutAttr LayoutAssigner::predict(Value value) {
  llvm::SmallPtrSet<void *, 8> visited;
  return predict(value, visited);
}

LayoutAttr LayoutAssigner::predict(Value value,
                                   llvm::SmallPtrSetImpl<void *> &visited) {
  if (!isTile(value))
    return nullptr;
  if (LayoutAttr layout = getLayout(value.getType()))
    return layout;
  if (!visited.insert(value.getAsOpaquePointer()).second || isCheap(value))
    return nullptr;
  Operation *op = value.getDefiningOp();
  if (!op && isa<scf::WhileOp>(value.getParentBlock()->getParentOp())) {
    for (Value source : getSources(value))
      if (LayoutAttr layout = predict(source, visited))
        return layout;
    return nullptr;
  }
  if (!op) {
    auto argument = cast<BlockArgument>(value);
    auto loop = cast<scf::ForOp>(argument.getOwner()->getParentOp());
    unsigned number = argument.getArgNumber() - 1;
    LayoutAttr init = predict(loop.getInitArgs()[number], visited);
    return init ? init : predict(loop.getYieldedValues()[number], visited);
  }
  if (auto anchor = anchors.lookup(op))
    return anchor;
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    LayoutAttr source =
        getReductionSource(reduce, predict(reduce.getSource(), visited));
    return getReduced(reduce, source);
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return predict(
        loop.getRegionIterArgs()[cast<OpResult>(value).getResultNumber()],
        visited);
  if (isa<scf::WhileOp>(op))
    return predict(getSources(value).front(), visited);
  if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    LayoutAttr then = predict(ifOp.thenYield().getOperand(number), visited);
    return then ? then : predict(ifOp.elseYield().getOperand(number), visited);
  }
  auto layouts = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    return predict(operand, visited);
  });
  return choose(op, layouts);
}

/// Pointers that a loop carries tell nothing by themselves, but the accesses to
/// which they lead do.
static Operation *findAccess(Value pointers,
                             llvm::SmallPtrSetImpl<void *> &visited) {
  if (!visited.insert(pointers.getAsOpaquePointer()).second)
    return nullptr;
  for (Operation *user : pointers.getUsers()) {
    if (isAccess(user) && getAccessed(user).getType() == pointers.getType())
      return user;
    if (isElementwise(user))
      for (Value result : user->getResults())
        if (result.getType() == pointers.getType())
          if (Operation *access = findAccess(result, visited))
            return access;
  }
  return nullptr;
}

LayoutAttr LayoutAssigner::getCarried(ValueRange values) {
  for (Value value : values)
    if (LayoutAttr layout = predict(value))
      return layout;
  for (Value value : values) {
    llvm::SmallPtrSet<void *, 8> visited;
    if (Operation *access = findAccess(value, visited))
      return anchors.lookup(access);
  }
  return getDefault(values.front().getType());
}
