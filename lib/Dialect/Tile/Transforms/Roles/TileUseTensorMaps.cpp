//===- TileUseTensorMaps.cpp - tile-use-tensor-maps -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs bulk copies of memrefs that are arguments of their kernel, as
// tile-warp-specialize and tile-use-bulk-stores leave them. Afterwards they
// copy by tensor maps, which are further arguments, and the buffers have the
// layout that the boxes of these maps have in shared memory (Panels.h).
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Transforms/Passes.h"
#include "tileir/Layout/Shared/Panels.h"

#include "tileir/Dialect/Tile/IR/BulkCopy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEUSETENSORMAPSPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using llvm::formatv;

/// What a box reaches over at most along an axis.
static constexpr int64_t kMaxBoxReach = 256;

/// The bytes of a row of the box that the copy needs, a panel's; 0 if there is
/// none: a stage with sizes that are powers of two, of rows along the last axis
/// of memory.
static int64_t getRowBytes(const BulkCopy &copy) {
  SmallVector<int64_t> shape(copy.stage.getShape());
  if (!layout::getPanelBytes(shape, copy.tile.getElementTypeBitWidth()))
    return 0;
  shape.back() = std::min(shape.back(), copy.tile.getShape().back());
  return layout::getPanelBytes(shape, copy.tile.getElementTypeBitWidth());
}

/// The axes of the tile that the last axis of a stage runs along are the last
/// ones, as many as this; 0 if a row of the stage is no part of the tile.
static unsigned countRowAxes(const BulkCopy &copy) {
  int64_t length = 1, row = copy.stage.getShape().back();
  unsigned count = 0;
  for (int64_t size : llvm::reverse(copy.tile.getShape())) {
    if (length == row)
      break;
    length *= size;
    ++count;
  }
  return length == row ? count : 0;
}

/// The failure reason why no box has the order of a panel, or an empty text.
static std::string checkOrder(const BulkCopy &copy) {
  ArrayRef<int64_t> axes = copy.axes;
  int64_t rank = copy.indices.size();
  if (rank > layout::kMaxMapAxes)
    return formatv("memory of at most {0} axes", layout::kMaxMapAxes);
  if (*llvm::max_element(copy.steps) > layout::kMaxMapStep)
    return formatv("steps of at most {0}", layout::kMaxMapStep);
  if (axes.back() != rank - 1)
    return "the last axis of memory as the last one of the tile";
  unsigned ofRow = countRowAxes(copy);
  if (!ofRow)
    return "whole axes in a row of the stage";
  // Rows of a panel follow each other as they do in memory.
  SmallVector<int64_t> ofRows;
  for (auto [axis, size] :
       llvm::zip(axes.drop_back(ofRow), copy.tile.getShape()))
    if (size > 1)
      ofRows.push_back(axis);
  if (!llvm::is_sorted(ofRows))
    return "rows of the stage along axes in their order in memory";
  return "";
}

/// Gives the buffer the layout of panels.
static LogicalResult setLayout(const BulkCopy &copy) {
  Operation *op = copy.op;
  BufferType buffer = copy.buffer.getType();
  RankedTensorType stage = copy.stage;
  int64_t bytes = getRowBytes(copy);
  if (!bytes)
    return op->emitError("tile-use-tensor-maps: expected sizes that are powers "
                         "of two, and rows of at least 32 bytes, found ")
           << copy.tile << ": copy a larger tile";
  if (std::string expected = checkOrder(copy); !expected.empty())
    return op->emitError("tile-use-tensor-maps: expected ")
           << expected << ", found axes [" << copy.axes << "] by steps ["
           << copy.steps << "] of " << copy.memory->get().getType()
           << " for a stage " << stage;
  auto panels = LayoutAttr::get(
      op->getContext(),
      layout::getPanelLayout(stage.getShape(), stage.getElementTypeBitWidth(),
                             bytes));
  if (buffer.getLayout() && buffer.getLayout() != panels)
    return op->emitError("tile-use-tensor-maps: expected a buffer without a "
                         "layout, or the one of the boxes, found ")
           << buffer;
  Value(copy.buffer)
      .setType(BufferType::get(op->getContext(), buffer.getShape(),
                               buffer.getElementType(), panels));
  return success();
}

/// Makes boxes smaller if there are too few for the programs of a cluster: by
/// the outermost rows, so that each program copies what lies side by side in a
/// panel.
static void shareOut(const BulkCopy &copy, MutableArrayRef<int64_t> box) {
  int64_t programs = copy.programs;
  ArrayRef<int64_t> shape = copy.tile.getShape(), axes = copy.axes;
  for (auto [axis, size] : llvm::zip_equal(axes, shape))
    if (size / box[axis] % programs == 0)
      return;
  for (auto [axis, size] : llvm::zip_equal(axes, shape))
    if (size > 1) {
      box[axis] = std::max<int64_t>(size / programs, 1);
      return;
    }
}

/// The map that the copy needs of its memref: of a panel of the stage.
static TensorMapType getMapType(const BulkCopy &copy) {
  auto memref = cast<MemRefType>(copy.memory->get().getType());
  RankedTensorType tile = copy.tile;
  SmallVector<int64_t> box(memref.getRank(), 1), steps = box;
  ArrayRef<int64_t> axes = copy.axes;
  unsigned ofRow = countRowAxes(copy);
  for (auto [axis, step] : llvm::zip_equal(axes, copy.steps))
    steps[axis] = step;
  for (auto [axis, size] : llvm::zip(axes.drop_back(ofRow), tile.getShape()))
    box[axis] = std::min<int64_t>(
        size, llvm::bit_floor(uint64_t(kMaxBoxReach) / steps[axis]));
  int64_t bytes = getRowBytes(copy);
  box[axes.back()] = bytes * 8 / tile.getElementTypeBitWidth();
  shareOut(copy, box);
  return TensorMapType::get(memref.getContext(), box, tile.getElementType(),
                            bytes, steps);
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
  llvm::MapVector<std::pair<Value, Type>, SmallVector<OpOperand *>> copies;
  auto add = [&](Operation *op) -> WalkResult {
    auto copy = BulkCopy::get(op);
    if (!copy)
      return success();
    if (failed(setLayout(*copy)))
      return failure();
    if (copy->getMap())
      return success();
    auto argument = dyn_cast<BlockArgument>(copy->memory->get());
    if (!argument || argument.getOwner() != &kernel.front())
      return op->emitError("tile-use-tensor-maps: expected an argument of the "
                           "kernel, of which the host can make a map, found "
                           "another memref: pass it to the kernel");
    copies[{argument, getMapType(*copy)}].push_back(copy->memory);
    return success();
  };
  if (kernel.isExternal() || kernel.walk(add).wasInterrupted())
    return failure(!kernel.isExternal());
  for (auto &[needed, operands] : copies) {
    auto memref = cast<BlockArgument>(needed.first);
    unsigned number = kernel.getNumArguments();
    if (failed(kernel.insertArgument(number, needed.second, DictionaryAttr(),
                                     memref.getLoc())))
      return failure();
    for (OpOperand *memory : operands)
      memory->set(kernel.getArgument(number));
    for (Operation *user : users) {
      auto launch = cast<LaunchOp>(user);
      OpBuilder builder(launch);
      Value map =
          MakeTensorMapOp::create(builder, launch.getLoc(), needed.second,
                                  launch.getArguments()[memref.getArgNumber()]);
      launch.getArgumentsMutable().append(map);
    }
    ++numMaps;
    numCopies += operands.size();
  }
  return success();
}
