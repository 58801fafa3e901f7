//===- TileViews.cpp - Dense blocks, and tiles in other shapes ------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that only move elements: between memrefs and tiles (load_view,
// store_view), and from tile to tile (splat, range, reshape, broadcast, trans).
//
//===----------------------------------------------------------------------===//

#include "Tile/TileCopies.h"
#include "Tile/TileElements.h"
#include "Tile/TileLaunch.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;

//===----------------------------------------------------------------------===//
// Views of memrefs
//===----------------------------------------------------------------------===//

/// Calls `visit` with the number of each element of the tile in C order and its
/// position in the memref, or nothing for those that are outside.
static LogicalResult forEachInView(
    Evaluator &evaluator, Operation *op, const Array &array,
    const ViewOfMemref &view, ArrayRef<int64_t> shape,
    llvm::function_ref<LogicalResult(int64_t, std::optional<int64_t>)> visit) {
  SmallVector<int64_t> first = evaluator.getInts(view.indices);
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(shape.size()));
  if (view.axes)
    axes.assign(view.axes->begin(), view.axes->end());
  SmallVector<int64_t> steps(axes.size(), 1);
  if (view.steps)
    steps.assign(view.steps->begin(), view.steps->end());
  for (int64_t axis = 0; axis < array.getRank(); ++axis)
    if (!llvm::is_contained(axes, axis) &&
        (first[axis] < 0 || first[axis] >= array.shape[axis]))
      return op->emitError("is out of bounds: index ")
             << first[axis] << " along axis " << axis
             << ", which is none of the tile, of a memref of shape "
             << interp::toString(array.shape);
  if (evaluator.launch)
    evaluator.launch->beginOp();
  if (view.inBounds)
    for (auto [axis, isInside, size, step] :
         llvm::zip_equal(axes, *view.inBounds, shape, steps))
      if (int64_t reach = (size - 1) * step;
          isInside &&
          (first[axis] < 0 || first[axis] >= array.shape[axis] - reach))
        return op->emitError("breaks its promise of 'in_bounds': indices ")
               << first[axis] << " to " << first[axis] + reach << " along axis "
               << axis << " of a memref of shape "
               << interp::toString(array.shape);
  int64_t i = 0;
  return success(forEachIndex(shape, [&](ArrayRef<int64_t> offsets) {
    SmallVector<int64_t> index = first;
    for (auto [axis, offset, step] : llvm::zip_equal(axes, offsets, steps))
      index[axis] = static_cast<int64_t>(uint64_t(index[axis]) +
                                         uint64_t(offset) * uint64_t(step));
    std::optional<int64_t> position;
    if (array.contains(index))
      position = array.getPosition(index);
    return succeeded(visit(i++, position));
  }));
}

FailureOr<Array> interp::readView(Evaluator &evaluator, Operation *op,
                                  Value memref, const ViewOfMemref &view,
                                  ArrayRef<int64_t> shape) {
  auto array = getLive(evaluator, op, memref);
  if (failed(array))
    return failure();
  auto tile = allocate(op, (*array)->kind, shape);
  if (failed(tile))
    return failure();
  auto load = [&](int64_t i, std::optional<int64_t> position) {
    if (!position)
      return success(); // new arrays are zeros
    if (failed(noteAccess(evaluator, op, **array, *position, Access::Read,
                          {shape, i})))
      return failure();
    tile->write(i, (*array)->read(*position));
    return success();
  };
  if (failed(forEachInView(evaluator, op, **array, view, shape, load)))
    return failure();
  return tile;
}

template <typename Op> static ViewOfMemref getView(Op op) {
  return {op.getIndices(), op.getAxes(), op.getSteps(), op.getInBounds()};
}

static LogicalResult runLoadView(Evaluator &evaluator, tile::LoadViewOp op) {
  auto tile = readView(evaluator, op, op.getMemref(), getView(op),
                       op.getType().getShape());
  if (failed(tile))
    return failure();
  evaluator.set(op.getResult(), std::move(*tile));
  return success();
}

static LogicalResult runAsyncLoadView(Evaluator &evaluator,
                                      tile::AsyncLoadViewOp op) {
  auto type = cast<RankedTensorType>(op.getTile());
  FailureOr<Array> tile;
  if (op.getMask() && !evaluator.getInt(op.getMask())) {
    auto kind = getKind(op, type);
    if (failed(kind))
      return failure();
    tile = allocate(op, *kind, type.getShape());
  } else {
    tile =
        readView(evaluator, op, op.getMemref(), getView(op), type.getShape());
  }
  return failure(failed(tile) ||
                 failed(beginCopy(evaluator, op, op.getBuffer(), op.getStages(),
                                  std::move(*tile), op.getWithNext())));
}

LogicalResult interp::writeView(
    Evaluator &evaluator, Operation *op, Value memref, const ViewOfMemref &view,
    const Array &values,
    llvm::function_ref<void(const Array &, int64_t, const Scalar &)> write) {
  auto array = getLive(evaluator, op, memref);
  if (failed(array))
    return failure();
  auto store = [&](int64_t i, std::optional<int64_t> position) {
    TileElement element{values.shape, i};
    if (!position)
      return success();
    Scalar value = values.read(i);
    if (value.isPoison)
      return emitPoison(op, "a value", element);
    if (failed(noteAccess(evaluator, op, **array, *position, Access::Write,
                          element)))
      return failure();
    write(**array, *position, value);
    return success();
  };
  return forEachInView(evaluator, op, **array, view, values.shape, store);
}

static LogicalResult runStoreView(Evaluator &evaluator, tile::StoreViewOp op) {
  return writeView(evaluator, op, op.getMemref(),
                   {op.getIndices(), op.getAxes(), {}, op.getInBounds()},
                   evaluator.getArray(op.getValue()),
                   [](const Array &memory, int64_t position,
                      const Scalar &value) { memory.write(position, value); });
}

//===----------------------------------------------------------------------===//
// Tiles from scalars
//===----------------------------------------------------------------------===//

static LogicalResult runTileSplat(Evaluator &evaluator, tile::SplatOp op) {
  Elements value(evaluator, op.getValue());
  return setElements(evaluator, op, op.getResult(),
                     [&](int64_t) -> FailureOr<Scalar> { return value[0]; });
}

static LogicalResult runRange(Evaluator &evaluator, tile::RangeOp op) {
  auto kind = getKind(op, op.getType());
  if (failed(kind))
    return failure();
  return setElements(evaluator, op, op.getResult(),
                     [&](int64_t i) -> FailureOr<Scalar> {
                       return makeInteger(*kind, op.getStart() + i);
                     });
}

//===----------------------------------------------------------------------===//
// Tiles from tiles
//===----------------------------------------------------------------------===//

static LogicalResult runTileReshape(Evaluator &evaluator, tile::ReshapeOp op) {
  auto array = reshape(op, evaluator.getArray(op.getSource()),
                       cast<RankedTensorType>(op.getType()).getShape());
  if (failed(array))
    return failure();
  evaluator.set(op.getResult(), std::move(*array));
  return success();
}

/// Sets the result to the elements of a view, which tiles are not.
static LogicalResult setCopy(Evaluator &evaluator, Operation *op,
                             const Array &view) {
  auto copy = clone(op, view);
  if (failed(copy))
    return failure();
  evaluator.set(op->getResult(0), std::move(*copy));
  return success();
}

static LogicalResult runTileBroadcast(Evaluator &evaluator,
                                      tile::BroadcastOp op) {
  const Array &source = evaluator.getArray(op.getSource());
  Array view = source;
  view.shape.assign(op.getType().getShape().begin(),
                    op.getType().getShape().end());
  view.strides.assign(view.shape.size(), 0);
  int64_t padding = view.getRank() - source.getRank();
  for (int64_t axis = 0; axis < source.getRank(); ++axis)
    if (source.shape[axis] != 1)
      view.strides[padding + axis] = source.strides[axis];
  return setCopy(evaluator, op, view);
}

static LogicalResult runTrans(Evaluator &evaluator, tile::TransOp op) {
  const Array &source = evaluator.getArray(op.getSource());
  Array view = source;
  for (auto [axis, from] : llvm::enumerate(op.getPermutation())) {
    view.shape[axis] = source.shape[from];
    view.strides[axis] = source.strides[from];
  }
  return setCopy(evaluator, op, view);
}

void interp::addTileViewHandlers(HandlerTable &table) {
  table.add(runLoadView);
  table.add(runAsyncLoadView);
  table.add(runStoreView);
  table.add(runTileSplat);
  table.add(runRange);
  table.add(runTileReshape);
  table.add(runTileBroadcast);
  table.add(runTrans);
}
