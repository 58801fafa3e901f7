//===- Bufferization.cpp - Between tensors and memrefs --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor made from a memref is what it holds at that moment, and a memref
// made from a tensor is memory of its own.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;

/// Sets `result` to a copy of `value`.
static LogicalResult setCopy(Evaluator &evaluator, Operation *op, Value value,
                             bool isHeap = false) {
  auto array = getLive(evaluator, op, value);
  if (failed(array))
    return failure();
  auto copy = clone(op, **array);
  if (failed(copy))
    return failure();
  copy->storage->isHeap = isHeap;
  evaluator.set(op->getResult(0), std::move(*copy));
  return success();
}

static LogicalResult runToTensor(Evaluator &evaluator,
                                 bufferization::ToTensorOp op) {
  return setCopy(evaluator, op, op.getBuffer());
}

static LogicalResult runToBuffer(Evaluator &evaluator,
                                 bufferization::ToBufferOp op) {
  return setCopy(evaluator, op, op.getTensor());
}

static LogicalResult runClone(Evaluator &evaluator, bufferization::CloneOp op) {
  return setCopy(evaluator, op, op.getInput(), /*isHeap=*/true);
}

static LogicalResult runAllocTensor(Evaluator &evaluator,
                                    bufferization::AllocTensorOp op) {
  if (op.getCopy())
    return setCopy(evaluator, op, op.getCopy());
  auto kind = getKind(op, op.getType());
  if (failed(kind))
    return failure();
  auto array = allocate(
      op, *kind,
      fillShape(op.getType(), evaluator.getInts(op.getDynamicSizes())));
  if (failed(array))
    return failure();
  evaluator.set(op.getResult(), std::move(*array));
  return success();
}

static LogicalResult runDeallocTensor(Evaluator &,
                                      bufferization::DeallocTensorOp) {
  return success();
}

static LogicalResult
runMaterialize(Evaluator &evaluator,
               bufferization::MaterializeInDestinationOp op) {
  Array source = evaluator.getArray(op.getSource());
  auto target = getLive(evaluator, op, op.getDest());
  if (failed(target))
    return failure();
  if (!op.getResult())
    return interp::copy(op, source, **target);
  if (failed(checkSameShape(op, source, "the source", **target, "the target")))
    return failure();
  evaluator.set(op.getResult(), std::move(source));
  return success();
}

/// Frees each memref whose condition holds, unless one that is retained shares
/// its memory; the conditions of the retained ones tell who owns it then.
static LogicalResult runBufferizationDealloc(Evaluator &evaluator,
                                             bufferization::DeallocOp op) {
  SmallVector<bool> owned(op.getRetained().size());
  for (auto [memref, condition] :
       llvm::zip_equal(op.getMemrefs(), op.getConditions())) {
    Storage &storage = *evaluator.getArray(memref).storage;
    bool isRetained = false;
    for (auto [isOwned, retained] : llvm::zip_equal(owned, op.getRetained())) {
      bool aliases = evaluator.getArray(retained).storage.get() == &storage;
      isRetained |= aliases;
      isOwned |= aliases && evaluator.getScalar(condition).bits;
    }
    // A memref may be listed twice.
    if (isRetained || !evaluator.getScalar(condition).bits || storage.isFreed)
      continue;
    if (!storage.isHeap)
      return op.emitError("frees memory that was not allocated");
    storage.isFreed = true;
  }
  for (auto [result, isOwned] : llvm::zip_equal(op.getResults(), owned))
    evaluator.set(result, makeBool(isOwned));
  return success();
}

void interp::addBufferizationHandlers(HandlerTable &table) {
  table.add(runToTensor);
  table.add(runToBuffer);
  table.add(runClone);
  table.add(runAllocTensor);
  table.add(runDeallocTensor);
  table.add(runMaterialize);
  table.add(runBufferizationDealloc);
}
