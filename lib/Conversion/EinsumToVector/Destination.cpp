//===- Destination.cpp - Memrefs that results are written to --------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result that is written to its destination at once is written earlier than
// the program says, and while operands are still read. Memrefs are told apart
// by what they are views of; as everywhere, memrefs that are not views of one
// buffer do not overlap.
//
//===----------------------------------------------------------------------===//

#include "Destination.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::to_vector;
using bufferization::MaterializeInDestinationOp;
using bufferization::ToTensorOp;

/// Returns the buffer that `memref` is a view of.
static Value getBase(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// Whether `tensor` may be, or be computed of, what `base` holds.
static bool comesFrom(Value tensor, Value base) {
  llvm::SetVector<Value> values;
  values.insert(tensor);
  for (size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    if (isa<BaseMemRefType>(value.getType())) {
      if (getBase(value) == base)
        return true;
      continue;
    }
    Operation *op = value.getDefiningOp();
    // A loop carries what it is given, and a region reads what is around it.
    if (!op)
      op = isa<FunctionOpInterface>(value.getParentBlock()->getParentOp())
               ? nullptr
               : value.getParentBlock()->getParentOp();
    if (!op)
      continue;
    op->walk([&](Operation *inner) {
      values.insert(inner->operand_begin(), inner->operand_end());
    });
  }
  return false;
}

/// Whether `op` may read or write what `base` holds.
static bool mayAccess(Operation *op, Value base) {
  if (auto tensor = dyn_cast<ToTensorOp>(op))
    return getBase(tensor.getBuffer()) == base;
  if (auto store = dyn_cast<MaterializeInDestinationOp>(op))
    return !isa<BaseMemRefType>(store.getDest().getType()) ||
           getBase(store.getDest()) == base;
  auto effects = getEffectsRecursively(op);
  return !effects ||
         llvm::any_of(*effects, [&](const MemoryEffects::EffectInstance &it) {
           return !it.getValue() || getBase(it.getValue()) == base;
         });
}

MaterializeInDestinationOp
to_vector::getDestination(Operation *op,
                          function_ref<bool(unsigned)> readsWhatItWrites) {
  if (!op->getResult(0).hasOneUse())
    return nullptr;
  auto store =
      dyn_cast<MaterializeInDestinationOp>(*op->getResult(0).user_begin());
  if (!store || !isa<MemRefType>(store.getDest().getType()) ||
      store->getBlock() != op->getBlock())
    return nullptr;
  Operation *producer = store.getDest().getDefiningOp();
  if (producer && producer->getBlock() == op->getBlock() &&
      !producer->isBeforeInBlock(op))
    return nullptr;
  Value base = getBase(store.getDest());
  for (Operation *between = op->getNextNode(); between != store;
       between = between->getNextNode())
    if (mayAccess(between, base))
      return nullptr;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    auto tensor = operand.getDefiningOp<ToTensorOp>();
    bool isDestination = tensor && tensor.getBuffer() == store.getDest();
    if (comesFrom(operand, base) && !(isDestination && readsWhatItWrites(i)))
      return nullptr;
  }
  return store;
}
