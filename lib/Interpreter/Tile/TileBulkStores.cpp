//===- TileBulkStores.cpp - Bulk stores, and who still reads --------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bulk store takes its values when it begins, and nobody may write to its
// buffer until somebody has waited for it. Memory gets them when the program
// ends.
//
//===----------------------------------------------------------------------===//

#include "Tile/TileChannels.h"
#include "Tile/TileCopies.h"
#include "Tile/TileLaunch.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;

/// Whether two places, which are dense, have a byte in common.
static bool overlapDensely(const Array &left, const Array &right) {
  auto getEnd = [](const Array &array) {
    return array.getByte(array.offset + array.getNumElements());
  };
  return left.storage == right.storage &&
         left.getByte(left.offset) < getEnd(right) &&
         right.getByte(right.offset) < getEnd(left);
}

LogicalResult interp::checkNoReader(Evaluator &evaluator, Operation *op,
                                    const Array &place) {
  if (!evaluator.channels)
    return success();
  auto emitReader = [&](Operation *reader, StringRef name, StringRef wait) {
    InFlightDiagnostic diagnostic =
        op->emitError("accesses shared memory that a ")
        << name << " still reads, expected a " << wait << " before";
    diagnostic.attachNote(reader->getLoc()) << "the " << name;
    return diagnostic;
  };
  for (const PendingProduct &product : evaluator.channels->products)
    for (const Array &read : product.reads)
      if (!product.isDone && overlapDensely(read, place))
        return emitReader(product.op, "product", "tile.mma_wait");
  for (const PendingStore &store : evaluator.channels->stores)
    if (!store.isRead && overlapDensely(store.source, place))
      return emitReader(store.op, "bulk store", "tile.bulk_store_wait");
  return success();
}

static LogicalResult runBulkStore(Evaluator &evaluator, tile::BulkStoreOp op) {
  auto source = getStage(evaluator, op, op.getBuffer(), {});
  if (failed(getLaunch(evaluator, op)) || failed(source))
    return failure();
  for (int64_t i = 0, e = source->getNumElements(); i < e; ++i)
    if (source->getState(source->offset + i) == Storage::State::Unwritten)
      return op.emitError(inElement({source->shape, i}))
             << "reads shared memory that nothing has written";
  auto values = clone(op, *source);
  if (failed(values))
    return failure();
  PendingStore store{op, evaluator.role, false, *source, {}, {}};
  auto write = [&](const Array &memory, int64_t position, const Scalar &value) {
    store.memory = memory;
    store.elements.push_back({position, value});
  };
  if (failed(writeView(evaluator, op, op.getDestination(),
                       {op.getIndices(), op.getAxes(), {}, {}}, *values,
                       write)))
    return failure();
  evaluator.channels->stores.push_back(std::move(store));
  return success();
}

static LogicalResult runBulkStoreWait(Evaluator &evaluator,
                                      tile::BulkStoreWaitOp op) {
  if (failed(getLaunch(evaluator, op)))
    return failure();
  int64_t numLater = 0;
  for (PendingStore &store : llvm::reverse(evaluator.channels->stores))
    if (store.role == evaluator.role)
      store.isRead |= ++numLater > int64_t(op.getPending());
  return success();
}

LogicalResult interp::endStores(const ChannelTable &table) {
  for (const PendingStore &store : table.stores) {
    if (!store.isRead)
      return store.op->emitError("is on its way when the program ends, "
                                 "expected a tile.bulk_store_wait after it");
    for (auto [position, value] : store.elements)
      store.memory.write(position, value);
  }
  return success();
}

static LogicalResult runProxyFence(Evaluator &, tile::ProxyFenceOp) {
  return success();
}

void interp::addTileBulkStoreHandlers(HandlerTable &table) {
  table.add(runBulkStore);
  table.add(runBulkStoreWait);
  table.add(runProxyFence);
}
