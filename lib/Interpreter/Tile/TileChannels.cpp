//===- TileChannels.cpp - Channels, bulk copies, products -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handlers of what roles have in common. A channel is at run time its
// number among those of the program.
//
//===----------------------------------------------------------------------===//

#include "Tile/TileChannels.h"
#include "Tile/TileCopies.h"
#include "Tile/TileLaunch.h"
#include "Tile/TileRoles.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

static Channel &getChannel(Evaluator &evaluator, Value channel) {
  return evaluator.channels->channels[evaluator.getInt(channel)];
}

static LogicalResult runChannel(Evaluator &evaluator, tile::ChannelOp op) {
  if (failed(getLaunch(evaluator, op)))
    return failure();
  auto &channels = evaluator.channels->channels;
  evaluator.set(op.getChannel(),
                Scalar{ElementKind::I64, int64_t(channels.size())});
  channels.push_back({int64_t(op.getStages()), 0, {}});
  return success();
}

/// Fails if an iteration got other bytes than it was to get.
static LogicalResult checkBytes(const ChannelIteration &iteration) {
  if (iteration.bytes == iteration.expectedBytes)
    return success();
  return iteration.acquire->emitError("announces ")
         << iteration.expectedBytes << " bytes, but " << iteration.bytes
         << " were copied before the next iteration was acquired";
}

static LogicalResult runAcquire(Evaluator &evaluator,
                                tile::ChannelAcquireOp op) {
  Channel &channel = getChannel(evaluator, op.getChannel());
  int64_t number = evaluator.getInt(op.getIteration());
  if (number != channel.getNumAcquired())
    return op.emitError("acquires iteration ")
           << number << ", expected " << channel.getNumAcquired()
           << ": iterations are acquired in order, each once";
  if (!channel.iterations.empty() &&
      failed(checkBytes(channel.iterations.back())))
    return failure();
  if (failed(evaluator.turns->waitUntil(
          evaluator.role, op,
          [&] { return number - channel.numStages < channel.numReleased; },
          [&] {
            return formatv("for iteration {0} to be released",
                           number - channel.numStages)
                .str();
          })))
    return failure();
  channel.iterations.push_back({op, int64_t(op.getBytes()), 0, false, {}});
  evaluator.turns->noteProgress();
  evaluator.set(op.getStage(),
                makeInteger(ElementKind::Index, number % channel.numStages));
  return success();
}

static LogicalResult runBulkLoad(Evaluator &evaluator, tile::BulkLoadOp op) {
  Channel &channel = getChannel(evaluator, op.getChannel());
  int64_t stage = evaluator.getInt(op.getStage());
  if (channel.iterations.empty())
    return op.emitError("copies to a stage that is not acquired, expected a "
                        "tile.channel_acquire before");
  ChannelIteration &iteration = channel.iterations.back();
  int64_t number = channel.getNumAcquired() - 1;
  if (stage != number % channel.numStages)
    return op.emitError("copies to stage ")
           << stage << ", expected stage " << number % channel.numStages
           << " of iteration " << number << ", which was acquired last";
  if (iteration.hasArrived)
    return op.emitError("copies to the stage of iteration ")
           << number << ", which somebody has waited for";
  if (auto cluster = op.getMulticast()) {
    auto launch = getLaunch(evaluator, op);
    auto indices = llvm::map_to_vector(
        op.getIndices(), [&](Value index) { return evaluator.getInt(index); });
    if (failed(launch) ||
        failed((*launch)->noteMulticast(op, *cluster, indices)))
      return failure();
  }
  auto place = getStage(evaluator, op, op.getBuffer(), op.getStage());
  auto values = readView(evaluator, op, op.getSource(),
                         {op.getIndices(), op.getAxes(), op.getSteps(), {}},
                         op.getTile().getShape());
  if (failed(place) || failed(values) ||
      failed(checkNoReader(evaluator, op, *place)))
    return failure();
  forget(*place);
  iteration.bytes += op.getNumBytes();
  if (iteration.bytes > iteration.expectedBytes)
    return op.emitError("makes ")
           << iteration.bytes << " bytes of iteration " << number
           << ", expected the " << iteration.expectedBytes
           << " that its tile.channel_acquire announces";
  iteration.copies.push_back({*place, std::move(*values), 0});
  evaluator.turns->noteProgress();
  return success();
}

static LogicalResult runWait(Evaluator &evaluator, tile::ChannelWaitOp op) {
  Channel &channel = getChannel(evaluator, op.getChannel());
  int64_t number = evaluator.getInt(op.getIteration());
  if (number < channel.numReleased)
    return op.emitError("waits for iteration ")
           << number << ", expected one that is not released yet: at least "
           << channel.numReleased;
  auto find = [&]() -> ChannelIteration * {
    return number < channel.getNumAcquired()
               ? &channel.iterations[number - channel.numReleased]
               : nullptr;
  };
  if (failed(evaluator.turns->waitUntil(
          evaluator.role, op,
          [&] {
            ChannelIteration *iteration = find();
            return iteration && iteration->bytes == iteration->expectedBytes;
          },
          [&] {
            ChannelIteration *iteration = find();
            return iteration
                       ? formatv("for {0} bytes of iteration {1}, of which {2} "
                                 "have been copied",
                                 iteration->expectedBytes, number,
                                 iteration->bytes)
                             .str()
                       : formatv("for iteration {0}, which is not acquired",
                                 number)
                             .str();
          })))
    return failure();
  ChannelIteration &iteration = *find();
  if (!iteration.hasArrived)
    llvm::for_each(iteration.copies, arrive);
  iteration.hasArrived = true;
  evaluator.set(op.getStage(),
                makeInteger(ElementKind::Index, number % channel.numStages));
  return success();
}

static LogicalResult runRelease(Evaluator &evaluator,
                                tile::ChannelReleaseOp op) {
  Channel &channel = getChannel(evaluator, op.getChannel());
  int64_t number = evaluator.getInt(op.getIteration());
  if (number < 0)
    return success();
  if (number != channel.numReleased)
    return op.emitError("releases iteration ")
           << number << ", expected " << channel.numReleased
           << ": iterations are released in order, each once";
  if (channel.iterations.empty() || !channel.iterations.front().hasArrived)
    return op.emitError("releases iteration ")
           << number << ", expected a tile.channel_wait for it before";
  for (const PendingCopy &copy : channel.iterations.front().copies) {
    if (failed(checkNoReader(evaluator, op, copy.place)))
      return failure();
    forget(copy.place);
  }
  channel.iterations.pop_front();
  ++channel.numReleased;
  evaluator.turns->noteProgress();
  return success();
}

LogicalResult interp::checkChannels(const ChannelTable &table) {
  for (const Channel &channel : table.channels)
    for (auto [i, iteration] : llvm::enumerate(channel.iterations)) {
      if (failed(checkBytes(iteration)))
        return failure();
      if (!iteration.hasArrived)
        return iteration.acquire->emitError("acquires iteration ")
               << channel.numReleased + int64_t(i)
               << ", expected a tile.channel_wait for it before the roles end";
    }
  return success();
}

static LogicalResult runTensorMap(Evaluator &evaluator,
                                  tile::MakeTensorMapOp op) {
  evaluator.set(op.getMap(), RuntimeValue(evaluator.get(op.getMemref())));
  return success();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The operand that a stage holds, in row order.
static FailureOr<Array> readMatrix(Operation *op, const Array &stage,
                                   tile::Major order) {
  Array view = stage;
  if (order == tile::Major::Column) {
    std::swap(view.shape[0], view.shape[1]);
    std::swap(view.strides[0], view.strides[1]);
  }
  bool isWritten = forEachIndex(stage.shape, [&](ArrayRef<int64_t> index) {
    return stage.getState(stage.getPosition(index)) !=
           Storage::State::Unwritten;
  });
  if (!isWritten)
    return op->emitError("reads shared memory that nothing has written, "
                         "expected a tile.channel_wait before");
  return clone(op, view);
}

static PendingProduct *findProduct(Evaluator &evaluator, const Array &tile) {
  for (PendingProduct &product : evaluator.channels->products)
    if (product.result.storage == tile.storage)
      return &product;
  return nullptr;
}

static LogicalResult runMmaAsync(Evaluator &evaluator, tile::MmaAsyncOp op) {
  if (failed(getLaunch(evaluator, op)))
    return failure();
  auto placeB = getStage(evaluator, op, op.getB(), op.getBStage());
  if (failed(placeB))
    return failure();
  auto b = readMatrix(op, *placeB, op.getBOrder());
  if (failed(b))
    return failure();
  SmallVector<Array, 2> places = {*placeB};
  FailureOr<Array> a = failure();
  if (auto buffer = op.getBufferA()) {
    auto placeA = getStage(evaluator, op, buffer, op.getAStage());
    if (failed(placeA))
      return failure();
    a = readMatrix(op, *placeA, op.getAOrder());
    places.push_back(*placeA);
  } else {
    a = evaluator.getArray(op.getA());
  }
  if (failed(a))
    return failure();
  Array acc = evaluator.getArray(op.getAcc());
  if (PendingProduct *product = findProduct(evaluator, acc))
    acc = product->values;
  auto values =
      multiply(evaluator, op, *a, *b, acc, op.getAtom().getAtom()->isTf32);
  if (failed(values))
    return failure();
  auto result = makePoison(op, op.getType());
  if (failed(result))
    return failure();
  ChannelTable &table = *evaluator.channels;
  table.products.push_back(
      {op, evaluator.role, ++table.numProducts[evaluator.role], false,
       std::move(places), std::get<Array>(*result), std::move(*values)});
  evaluator.set(op.getResult(), std::move(*result));
  return success();
}

static LogicalResult runMmaWait(Evaluator &evaluator, tile::MmaWaitOp op) {
  if (failed(getLaunch(evaluator, op)))
    return failure();
  ChannelTable &table = *evaluator.channels;
  int64_t last = table.numProducts[evaluator.role] - int64_t(op.getPending());
  for (PendingProduct &product : table.products)
    product.isDone |= product.role == evaluator.role && product.number <= last;
  Array tile = evaluator.getArray(op.getSource());
  PendingProduct *product = findProduct(evaluator, tile);
  evaluator.set(op.getResult(),
                product && product->isDone ? product->values : tile);
  // The program cannot name these any more.
  tile = {};
  llvm::erase_if(table.products, [](const PendingProduct &product) {
    return product.isDone && product.result.storage.use_count() == 1;
  });
  return success();
}

/// Warpgroups are one in meaning.
template <typename Op> static LogicalResult runTurn(Evaluator &, Op) {
  return success();
}

void interp::addTileChannelHandlers(HandlerTable &table) {
  table.add(runTurn<tile::TakeTurnOp>);
  table.add(runTurn<tile::PassTurnOp>);
  table.add(runChannel);
  table.add(runAcquire);
  table.add(runBulkLoad);
  table.add(runWait);
  table.add(runRelease);
  table.add(runTensorMap);
  table.add(runMmaAsync);
  table.add(runMmaWait);
}
