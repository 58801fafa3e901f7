//===- TileBulkOps.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of bulk copies and of tensor maps (TileBulkOps.td).
//
//===----------------------------------------------------------------------===//

#include "Verifiers.h"

#include "tileir/Dialect/Tile/IR/BulkCopy.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

RankedTensorType BulkLoadOp::getStageType() {
  BufferType buffer = getBuffer().getType();
  return RankedTensorType::get(buffer.getShape().drop_front(),
                               buffer.getElementType());
}

RankedTensorType BulkLoadOp::getTile() {
  RankedTensorType stage = getStageType();
  return getSizes() ? RankedTensorType::get(*getSizes(), stage.getElementType())
                    : stage;
}

SmallVector<int64_t> BulkLoadOp::listAxes() {
  if (auto axes = getAxes())
    return llvm::to_vector(*axes);
  return llvm::to_vector(llvm::seq<int64_t>(getTile().getRank()));
}

int64_t BulkLoadOp::getNumBytes() {
  RankedTensorType tile = getTile();
  return tile.getNumElements() * tile.getElementTypeBitWidth() / 8;
}

SmallVector<int64_t> BulkLoadOp::listSteps() {
  if (auto steps = getSteps())
    return llvm::to_vector(*steps);
  return SmallVector<int64_t>(getTile().getRank(), 1);
}

std::optional<BulkCopy> BulkCopy::get(Operation *op) {
  auto listAxes = [](std::optional<ArrayRef<int64_t>> axes, int64_t rank) {
    return axes ? llvm::to_vector(*axes)
                : llvm::to_vector(llvm::seq<int64_t>(rank));
  };
  if (auto load = dyn_cast<BulkLoadOp>(op))
    return BulkCopy{op,
                    &load.getSourceMutable(),
                    load.getIndices(),
                    load.getBuffer(),
                    load.getStageType(),
                    load.getTile(),
                    load.listAxes(),
                    load.listSteps(),
                    int64_t(load.getMulticast().value_or(1))};
  if (auto store = dyn_cast<BulkStoreOp>(op)) {
    RankedTensorType tile = store.getTile();
    return BulkCopy{op,
                    &store.getDestinationMutable(),
                    store.getIndices(),
                    store.getBuffer(),
                    tile,
                    tile,
                    listAxes(store.getAxes(), tile.getRank()),
                    SmallVector<int64_t>(tile.getRank(), 1),
                    1};
  }
  return std::nullopt;
}

SmallVector<int64_t> BulkCopy::countBoxes() const {
  ArrayRef<int64_t> box = getMap().getBox();
  SmallVector<int64_t> counts;
  for (auto [axis, size] : llvm::zip_equal(axes, tile.getShape()))
    counts.push_back(size / box[axis]);
  return counts;
}

unsigned BulkCopy::findSharedAxis() const {
  auto counts = countBoxes();
  auto *shared = llvm::find_if(
      counts, [&](int64_t count) { return count % programs == 0; });
  return shared - counts.begin();
}

/// T45.
static LogicalResult verifyBox(Operation *op) {
  BulkCopy copy = *BulkCopy::get(op);
  TensorMapType map = copy.getMap();
  if (!map)
    return success();
  SmallVector<int64_t> sizes(map.getBox().size(), 1), steps = sizes;
  for (auto [axis, size, step] :
       llvm::zip_equal(copy.axes, copy.tile.getShape(), copy.steps)) {
    sizes[axis] = size;
    steps[axis] = step;
  }
  for (auto [size, box] : llvm::zip_equal(sizes, map.getBox()))
    if (size % box != 0)
      return op->emitOpError("expects a box whose sizes divide those of the "
                             "tile along its axes, ")
             << copy.tile << ", and 1 along others, found " << map << " (T45)";
  if (map.getSteps() != ArrayRef(steps))
    return op->emitOpError("expects a map with the steps of the copy, [")
           << steps << "], found " << map << " (T45)";
  return success();
}

static LogicalResult verifyMulticast(BulkLoadOp op) {
  int64_t number = *op.getMulticast();
  if (!llvm::is_contained({2, 4, 8}, number))
    return op.emitOpError("expects 'multicast' to be 2, 4 or 8, found ")
           << number << " (T50)";
  if (auto kernel = op->getParentOfType<func::FuncOp>()) {
    int64_t cluster = getCluster(kernel);
    if (cluster != number)
      return op.emitOpError("expects the same 'multicast' in all copies of a "
                            "kernel, found ")
             << number << " and " << cluster << " (T50)";
  }
  BulkCopy copy = *BulkCopy::get(op);
  if (copy.getMap() && copy.findSharedAxis() == copy.tile.getRank())
    return op.emitOpError("expects a multiple of ")
           << number << " boxes along an axis, found "
           << op.getSource().getType() << " for " << op.getTile() << " (T50)";
  return success();
}

LogicalResult BulkLoadOp::verify() {
  BufferType buffer = getBuffer().getType();
  auto channel = getChannel().getDefiningOp<ChannelOp>();
  if (!channel)
    return emitOpError("expects a channel of 'tile.channel' (T44)");
  if (buffer.getShape().size() < 2 ||
      buffer.getShape().front() != int64_t(channel.getStages()))
    return emitOpError("expects a buffer with the ")
           << channel.getStages()
           << " stages of the channel before the axes of the tile, found "
           << buffer << " (T44)";
  std::optional<ArrayRef<int64_t>> sizes = getSizes(), axes = getAxes();
  SmallVector<int64_t> increasing;
  if (sizes) {
    int64_t numElements = getStageType().getNumElements();
    if (llvm::any_of(*sizes, [](int64_t size) { return size < 1; }) ||
        llvm::product_of(*sizes) != numElements)
      return emitOpError("expects 'sizes' that are positive, with the product ")
             << numElements << ", the elements of a stage, found [" << *sizes
             << "] (T49)";
    if (axes) {
      increasing = llvm::to_vector(*axes);
      llvm::sort(increasing);
      if (std::adjacent_find(increasing.begin(), increasing.end()) !=
          increasing.end())
        return emitOpError("expects different 'axes', found [")
               << *axes << "] (T19)";
      axes = increasing;
    }
  }
  if (failed(verifyView(*this, getSource().getType(), getTile(),
                        getIndices().size(), axes, std::nullopt, getSteps())) ||
      failed(verifySide(*this, getChannel())))
    return failure();
  if (failed(verifyBox(*this)))
    return failure();
  return getMulticast() ? verifyMulticast(*this) : success();
}

RankedTensorType BulkStoreOp::getTile() {
  BufferType buffer = getBuffer().getType();
  return RankedTensorType::get(buffer.getShape(), buffer.getElementType());
}

LogicalResult BulkStoreOp::verify() {
  if (!getKernel(*this))
    return emitOpError("expects to stand in a kernel (T51)");
  return failure(
      failed(verifyView(*this, getDestination().getType(), getTile(),
                        getIndices().size(), getAxes(), std::nullopt)) ||
      failed(verifyBox(*this)));
}

/// T37.
LogicalResult BulkStoreWaitOp::verify() {
  if (getPendingAttr().getInt() >= 0)
    return success();
  return emitOpError("expects 'pending' not to be negative, found ")
         << getPendingAttr().getInt() << " (T37)";
}

int64_t tile::getCluster(Operation *kernel) {
  int64_t cluster = 1;
  kernel->walk([&](BulkLoadOp op) {
    cluster = std::max<int64_t>(cluster, op.getMulticast().value_or(1));
  });
  return cluster;
}

LogicalResult MakeTensorMapOp::verify() {
  MemRefType memref = getMemref().getType();
  TensorMapType map = getMap().getType();
  if (memref.getElementType() != map.getElementType() ||
      memref.getRank() != int64_t(map.getBox().size()))
    return emitOpError("expects a memref with elements of ")
           << map.getElementType() << " and the " << map.getBox().size()
           << " axes of the box, found " << memref << " (T48)";
  if (!memref.getLayout().isIdentity())
    return emitOpError("expects a memref in row-major order without gaps, "
                       "found ")
           << memref << " (T48)";
  return success();
}
