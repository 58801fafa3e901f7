//===- TileMachine.cpp - Ops of the machine level -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts say where values are, not what they are: here they mean nothing, a
// buffer is an array of its own that each execution of tile.alloc begins anew,
// and there is nobody to wait for at a barrier. tile.mma is in TileMath.cpp.
//
//===----------------------------------------------------------------------===//

#include "Tile/TileChannels.h"
#include "Tile/TileCopies.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

static LogicalResult runConvertLayout(Evaluator &evaluator,
                                      tile::ConvertLayoutOp op) {
  evaluator.set(op.getResult(), RuntimeValue(evaluator.get(op.getSource())));
  return success();
}

static LogicalResult runAlloc(Evaluator &evaluator, tile::AllocOp op) {
  tile::BufferType type = op.getBuffer().getType();
  auto kind = getKind(op, type.getElementType());
  if (failed(kind))
    return failure();
  auto array = allocate(op, *kind, type.getShape());
  if (failed(array))
    return failure();
  array->storage->forget();
  evaluator.set(op.getBuffer(), std::move(*array));
  return success();
}

FailureOr<Array> interp::getStage(Evaluator &evaluator, Operation *op,
                                  Value buffer, ValueRange indices) {
  Array stage = evaluator.getArray(buffer);
  SmallVector<int64_t> index = evaluator.getInts(indices);
  size_t numIndices = index.size();
  index.resize(stage.getRank());
  auto position = getPosition(op, stage, index);
  if (failed(position))
    return failure();
  stage.offset = *position;
  stage.shape.erase(stage.shape.begin(), stage.shape.begin() + numIndices);
  stage.strides.erase(stage.strides.begin(),
                      stage.strides.begin() + numIndices);
  return stage;
}

static LogicalResult runLocalStore(Evaluator &evaluator,
                                   tile::LocalStoreOp op) {
  auto stage = getStage(evaluator, op, op.getBuffer(), op.getIndices());
  if (failed(stage) || failed(checkNoReader(evaluator, op, *stage)))
    return failure();
  const Array &value = evaluator.getArray(op.getValue());
  for (int64_t i = 0, e = value.getNumElements(); i < e; ++i)
    stage->write(stage->offset + i, value.read(i)); // both are dense
  return success();
}

static LogicalResult runLocalLoad(Evaluator &evaluator, tile::LocalLoadOp op) {
  auto stage = getStage(evaluator, op, op.getBuffer(), op.getIndices());
  if (failed(stage))
    return failure();
  if (auto offsets = op.getOffsets())
    stage->offset = stage->getPosition(*offsets);
  stage->shape.assign(cast<RankedTensorType>(op.getType()).getShape());
  auto result = allocate(op, stage->kind, stage->shape);
  if (failed(result))
    return failure();
  for (int64_t i = 0, e = result->getNumElements(); i < e; ++i) {
    int64_t position = stage->getPosition(delinearize({result->shape, i}));
    if (stage->getState(position) == Storage::State::Unwritten)
      return op.emitError(inElement({result->shape, i}))
             << "reads shared memory that nothing has written";
    result->write(i, stage->read(position));
  }
  evaluator.set(op.getResult(), std::move(*result));
  return success();
}

void interp::forget(const Array &place) {
  place.storage->setState(place.getByte(place.offset),
                          place.getNumElements() * getElementSize(place.kind),
                          Storage::State::Unwritten);
}

void interp::arrive(const PendingCopy &copy) {
  for (int64_t i = 0, e = copy.values.getNumElements(); i < e; ++i)
    copy.place.write(copy.place.offset + i,
                     copy.values.read(i)); // both are dense
}

LogicalResult interp::beginCopy(Evaluator &evaluator, Operation *op,
                                Value buffer, ValueRange stages, Array values,
                                bool isWithNext) {
  auto stage = getStage(evaluator, op, buffer, stages);
  if (failed(stage))
    return failure();
  if (failed(checkNoReader(evaluator, op, *stage)))
    return failure();
  forget(*stage);
  evaluator.pendingCopies.push_back(
      {*stage, std::move(values), evaluator.numCopyGroups});
  if (!isWithNext)
    ++evaluator.numCopyGroups;
  evaluator.set(op->getResult(0),
                Scalar{runtime::ElementKind::I64, ++evaluator.numCopies});
  return success();
}

static LogicalResult runAsyncWait(Evaluator &evaluator, tile::AsyncWaitOp op) {
  auto &pending = evaluator.pendingCopies;
  while (!pending.empty() && evaluator.numCopyGroups - pending.front().group >
                                 int64_t(op.getPending())) {
    arrive(pending.front());
    pending.pop_front();
  }
  int64_t numArrived = evaluator.numCopies - int64_t(pending.size());
  for (Value token : op.getTokens())
    if (int64_t number = evaluator.getInt(token); number > numArrived)
      return op.emitError("expects to wait for each copy that it names, found "
                          "'pending' = ")
             << op.getPending() << ", which leaves copy " << number << " of "
             << evaluator.numCopies << " on its way";
  return success();
}

static LogicalResult runBarrier(Evaluator &, tile::BarrierOp) {
  return success();
}

/// Element i of a half is element 2 i or 2 i + 1 of the whole: tiles are dense.
static LogicalResult runSplit(Evaluator &evaluator, tile::SplitOp op) {
  const Array whole = evaluator.getArray(op.getSource());
  for (auto [number, half] : llvm::enumerate(op.getResults())) {
    auto result =
        allocate(op, whole.kind, ArrayRef<int64_t>(whole.shape).drop_back());
    if (failed(result))
      return failure();
    for (int64_t i = 0, e = result->getNumElements(); i < e; ++i)
      result->write(i, whole.read(2 * i + number));
    evaluator.set(half, std::move(*result));
  }
  return success();
}

static LogicalResult runJoin(Evaluator &evaluator, tile::JoinOp op) {
  const Array lhs = evaluator.getArray(op.getLhs());
  SmallVector<int64_t> shape(lhs.shape.begin(), lhs.shape.end());
  shape.push_back(2);
  auto result = allocate(op, lhs.kind, shape);
  if (failed(result))
    return failure();
  for (auto [number, half] : llvm::enumerate(op.getOperands())) {
    const Array &source = evaluator.getArray(half);
    for (int64_t i = 0, e = source.getNumElements(); i < e; ++i)
      result->write(2 * i + number, source.read(i));
  }
  evaluator.set(op.getResult(), std::move(*result));
  return success();
}

void interp::addTileMachineHandlers(HandlerTable &table) {
  table.add(runConvertLayout);
  table.add(runAlloc);
  table.add(runLocalStore);
  table.add(runLocalLoad);
  table.add(runBarrier);
  table.add(runAsyncWait);
  table.add(runSplit);
  table.add(runJoin);
}
