//===- TileUseTensorMaps.cpp - tile-use-tensor-maps -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs bulk copies of memrefs that are arguments of their kernel, as
// tile-warp-specialize leaves them. Afterwards they copy by tensor maps, which
// are further arguments, and the buffers have the layout that the boxes of
// these maps have in shared memory (Panels.h).
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Transforms/Passes.h"
#include "tileir/Layout/Shared/Panels.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEUSETENSORMAPSPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

/// The most elements of a box along an axis.
static constexpr int64_t kMaxBoxSize = 256;

/// Gives the buffer the layout of panels.
static LogicalResult setLayout(BulkLoadOp op) {
  BufferType buffer = op.getBuffer().getType();
  RankedTensorType tile = op.getTile();
  unsigned bits = tile.getElementTypeBitWidth();
  if (!layout::getPanelBytes(tile.getShape(), bits))
    return op.emitError("tile-use-tensor-maps: expected sizes that are powers "
                        "of two, and rows of at least 32 bytes, found ")
           << tile << ": copy a larger tile";
  auto panels = LayoutAttr::get(op.getContext(),
                                layout::getPanelLayout(tile.getShape(), bits));
  if (buffer.getLayout() && buffer.getLayout() != panels)
    return op.emitError("tile-use-tensor-maps: expected a buffer without a "
                        "layout, or the one of the boxes, found ")
           << buffer;
  op.getBuffer().setType(BufferType::get(op.getContext(), buffer.getShape(),
                                         buffer.getElementType(), panels));
  return success();
}

/// The map that the copy needs of its memref.
static TensorMapType getMapType(BulkLoadOp op) {
  auto memref = cast<MemRefType>(op.getSource().getType());
  RankedTensorType tile = op.getTile();
  int64_t bytes =
      layout::getPanelBytes(tile.getShape(), tile.getElementTypeBitWidth());
  SmallVector<int64_t> box(memref.getRank(), 1);
  for (auto [axis, size] : llvm::zip_equal(op.listAxes(), tile.getShape()))
    box[axis] = std::min(size, kMaxBoxSize);
  box[op.listAxes().back()] = bytes * 8 / tile.getElementTypeBitWidth();
  return TensorMapType::get(op.getContext(), box, tile.getElementType(), bytes);
}

namespace {
struct TileUseTensorMapsPass
    : tileir::tile::impl::TileUseTensorMapsPassBase<TileUseTensorMapsPass> {
  using TileUseTensorMapsPassBase::TileUseTensorMapsPassBase;

  void runOnOperation() override {
    SymbolTableCollection tables;
    SymbolUserMap users(tables, getOperation());
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (isKernel(kernel) && failed(run(kernel, users.getUsers(kernel))))
        return signalPassFailure();
  }

private:
  LogicalResult run(func::FuncOp kernel, ArrayRef<Operation *> users);
};
} // namespace

LogicalResult TileUseTensorMapsPass::run(func::FuncOp kernel,
                                         ArrayRef<Operation *> users) {
  // Copies that need the same map of an argument, in order.
  llvm::MapVector<std::pair<Value, Type>, SmallVector<BulkLoadOp>> copies;
  auto add = [&](BulkLoadOp op) -> WalkResult {
    if (failed(setLayout(op)))
      return failure();
    if (!isa<MemRefType>(op.getSource().getType()))
      return success();
    auto argument = dyn_cast<BlockArgument>(op.getSource());
    if (!argument || argument.getOwner() != &kernel.front())
      return op.emitError("tile-use-tensor-maps: expected an argument of the "
                          "kernel, of which the host can make a map, found "
                          "another memref: pass it to the kernel");
    copies[{argument, getMapType(op)}].push_back(op);
    return success();
  };
  if (kernel.isExternal() || kernel.walk(add).wasInterrupted())
    return failure(!kernel.isExternal());
  for (auto &[needed, ops] : copies) {
    auto memref = cast<BlockArgument>(needed.first);
    unsigned number = kernel.getNumArguments();
    if (failed(kernel.insertArgument(number, needed.second, DictionaryAttr(),
                                     memref.getLoc())))
      return failure();
    for (BulkLoadOp op : ops)
      op.getSourceMutable().assign(kernel.getArgument(number));
    for (Operation *user : users) {
      auto launch = cast<LaunchOp>(user);
      OpBuilder builder(launch);
      Value map =
          MakeTensorMapOp::create(builder, launch.getLoc(), needed.second,
                                  launch.getArguments()[memref.getArgNumber()]);
      launch.getArgumentsMutable().append(map);
    }
    ++numMaps;
    numCopies += ops.size();
  }
  return success();
}
