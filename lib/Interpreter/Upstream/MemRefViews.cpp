//===- MemRefViews.cpp - Views of memory ----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that give another shape to the same memory. A view that leaves the memory
// it was made from is an error when it is made, so that accesses need only be
// checked against its shape.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;

/// Gives the memref as it is; the type of the result is checked as any.
template <typename Op>
static LogicalResult runForward(Evaluator &evaluator, Op op) {
  evaluator.set(op->getResult(0),
                RuntimeValue(evaluator.get(op->getOperand(0))));
  return success();
}

static LogicalResult runDistinctObjects(Evaluator &evaluator,
                                        memref::DistinctObjectsOp op) {
  for (auto [result, operand] :
       llvm::zip_equal(op.getResults(), op.getOperands()))
    evaluator.set(result, RuntimeValue(evaluator.get(operand)));
  return success();
}

static LogicalResult runSubView(Evaluator &evaluator, memref::SubViewOp op) {
  auto array = getLive(evaluator, op, op.getSource());
  if (failed(array))
    return failure();
  auto part = slice(op, **array, evaluator.getInts(op.getMixedOffsets()),
                    evaluator.getInts(op.getMixedSizes()),
                    evaluator.getInts(op.getMixedStrides()));
  if (failed(part))
    return failure();
  evaluator.set(op.getResult(), dropAxes(*part, op.getDroppedDims()));
  return success();
}

/// Sets the result to `array` if it is within its memory.
static LogicalResult setView(Evaluator &evaluator, Operation *op, Array array) {
  for (auto [axis, size] : llvm::enumerate(array.shape))
    if (size < 0)
      return op->emitError("the size of axis ")
             << axis << " is negative: " << size;
  if (!array.fitsStorage())
    return op->emitError("the view of shape ")
           << interp::toString(array.shape) << ", with offset " << array.offset
           << " and strides " << interp::toString(array.strides)
           << ", is not within the memory of "
           << array.storage->getNumBytes() - array.base << " bytes";
  evaluator.set(op->getResult(0), std::move(array));
  return success();
}

static LogicalResult runReinterpretCast(Evaluator &evaluator,
                                        memref::ReinterpretCastOp op) {
  auto source = getLive(evaluator, op, op.getSource());
  if (failed(source))
    return failure();
  Array view = **source;
  view.offset = evaluator.getInts(op.getMixedOffsets()).front();
  view.shape = evaluator.getInts(op.getMixedSizes());
  view.strides = evaluator.getInts(op.getMixedStrides());
  return setView(evaluator, op, std::move(view));
}

static LogicalResult runView(Evaluator &evaluator, memref::ViewOp op) {
  auto source = getLive(evaluator, op, op.getSource());
  auto kind = getKind(op, op.getType());
  if (failed(source) || failed(kind))
    return failure();
  int64_t shift = evaluator.getInt(op.getByteShift());
  if (shift < 0 || shift > (*source)->getNumElements())
    return op.emitError("shifts by ")
           << shift << " bytes in a memory of " << (*source)->getNumElements();
  Array view;
  view.storage = (*source)->storage;
  view.kind = *kind;
  view.base = (*source)->base + (*source)->offset + shift;
  SmallVector<int64_t> shape =
      fillShape(op.getType(), evaluator.getInts(op.getSizes()));
  view.shape.assign(shape.begin(), shape.end());
  view.strides = getDenseStrides(shape);
  return setView(evaluator, op, std::move(view));
}

static LogicalResult runTranspose(Evaluator &evaluator,
                                  memref::TransposeOp op) {
  auto source = getLive(evaluator, op, op.getIn());
  if (failed(source))
    return failure();
  Array view = **source;
  for (auto [axis, expr] : llvm::enumerate(op.getPermutation().getResults())) {
    unsigned from = cast<AffineDimExpr>(expr).getPosition();
    view.shape[axis] = (*source)->shape[from];
    view.strides[axis] = (*source)->strides[from];
  }
  evaluator.set(op.getResult(), std::move(view));
  return success();
}

static LogicalResult runMetadata(Evaluator &evaluator,
                                 memref::ExtractStridedMetadataOp op) {
  auto source = getLive(evaluator, op, op.getSource());
  if (failed(source))
    return failure();
  Array array = **source;
  Array base = array;
  base.offset = 0;
  base.shape.clear();
  base.strides.clear();
  evaluator.set(op.getBaseBuffer(), std::move(base));
  evaluator.set(op.getOffset(), makeIndex(array.offset));
  for (auto [result, size] : llvm::zip_equal(op.getSizes(), array.shape))
    evaluator.set(result, makeIndex(size));
  for (auto [result, stride] : llvm::zip_equal(op.getStrides(), array.strides))
    evaluator.set(result, makeIndex(stride));
  return success();
}

//===----------------------------------------------------------------------===//
// Reshaping
//===----------------------------------------------------------------------===//

static LogicalResult runMemRefExpandShape(Evaluator &evaluator,
                                          memref::ExpandShapeOp op) {
  auto source = getLive(evaluator, op, op.getSrc());
  if (failed(source))
    return failure();
  Array view = **source;
  view.shape = evaluator.getInts(op.getMixedOutputShape());
  view.strides.assign(view.shape.size(), 1);
  for (auto [axis, group] : llvm::enumerate(op.getReassociationIndices())) {
    SmallVector<int64_t> sizes;
    for (int64_t i : group)
      sizes.push_back(view.shape[i]);
    bool isNegative =
        llvm::any_of(sizes, [](int64_t size) { return size < 0; });
    if (isNegative || getProduct(sizes) != (*source)->shape[axis])
      return op.emitError("expands axis ")
             << axis << ", of size " << (*source)->shape[axis] << ", to "
             << interp::toString(sizes);
    int64_t stride = (*source)->strides[axis];
    for (int64_t i : llvm::reverse(group)) {
      view.strides[i] = stride;
      stride *= view.shape[i];
    }
  }
  evaluator.set(op.getResult(), std::move(view));
  return success();
}

/// Axes collapse where each continues the next one that has several elements.
static LogicalResult runMemRefCollapseShape(Evaluator &evaluator,
                                            memref::CollapseShapeOp op) {
  auto source = getLive(evaluator, op, op.getSrc());
  if (failed(source))
    return failure();
  Array view = **source;
  view.shape.clear();
  view.strides.clear();
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t size = 1, stride = (*source)->strides[group.back()];
    for (int64_t i : llvm::reverse(group)) {
      if (size == 1)
        stride = (*source)->strides[i];
      else if ((*source)->shape[i] > 1 &&
               (*source)->strides[i] != size * stride)
        return op.emitError("collapses axis ")
               << i << ", which does not continue the next";
      size *= (*source)->shape[i];
    }
    view.shape.push_back(size);
    view.strides.push_back(stride);
  }
  evaluator.set(op.getResult(), std::move(view));
  return success();
}

static LogicalResult runMemRefReshape(Evaluator &evaluator,
                                      memref::ReshapeOp op) {
  auto source = getLive(evaluator, op, op.getSource());
  auto sizes = getLive(evaluator, op, op.getShape());
  if (failed(source) || failed(sizes))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < (*sizes)->shape[0]; ++i)
    shape.push_back((*sizes)->read((*sizes)->getPosition(i)).bits);
  auto view = reshape(op, **source, shape);
  if (failed(view))
    return failure();
  evaluator.set(op.getResult(), std::move(*view));
  return success();
}

void interp::addMemRefViewHandlers(HandlerTable &table) {
  table.add(runForward<memref::AssumeAlignmentOp>);
  table.add(runForward<memref::CastOp>);
  table.add(runForward<memref::MemorySpaceCastOp>);
  table.add(runDistinctObjects);
  table.add(runSubView);
  table.add(runReinterpretCast);
  table.add(runView);
  table.add(runTranspose);
  table.add(runMetadata);
  table.add(runMemRefExpandShape);
  table.add(runMemRefCollapseShape);
  table.add(runMemRefReshape);
}
