//===- TensorSlices.cpp - Parts and shapes of tensors ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slices are copied, because tensors are dense; reshaping shares storage.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;

/// The part of `array` that a slicing op talks of.
template <typename Op>
static FailureOr<Array> getPart(Evaluator &evaluator, Op op,
                                const Array &array) {
  auto part = slice(op, array, evaluator.getInts(op.getMixedOffsets()),
                    evaluator.getInts(op.getMixedSizes()),
                    evaluator.getInts(op.getMixedStrides()));
  if (failed(part))
    return failure();
  return dropAxes(*part, op.getDroppedDims());
}

static LogicalResult runTensorExtractSlice(Evaluator &evaluator,
                                           tensor::ExtractSliceOp op) {
  auto part = getPart(evaluator, op, evaluator.getArray(op.getSource()));
  auto copy = failed(part) ? part : clone(op, *part);
  if (failed(copy))
    return failure();
  evaluator.set(op.getResult(), std::move(*copy));
  return success();
}

static LogicalResult runInsertSlice(Evaluator &evaluator,
                                    tensor::InsertSliceOp op) {
  auto copy = clone(op, evaluator.getArray(op.getDest()));
  if (failed(copy))
    return failure();
  auto part = getPart(evaluator, op, *copy);
  if (failed(part) ||
      failed(interp::copy(op, evaluator.getArray(op.getSource()), *part)))
    return failure();
  evaluator.set(op.getResult(), std::move(*copy));
  return success();
}

static LogicalResult runConcat(Evaluator &evaluator, tensor::ConcatOp op) {
  int64_t dim = op.getDim();
  SmallVector<Array> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(evaluator.getArray(input));
  SmallVector<int64_t> shape(inputs.front().shape.begin(),
                             inputs.front().shape.end());
  shape[dim] = 0;
  for (const Array &input : inputs)
    shape[dim] += input.shape[dim];
  auto result = allocate(op, inputs.front().kind, shape);
  if (failed(result))
    return failure();
  SmallVector<int64_t> offsets(shape.size(), 0), ones(shape.size(), 1);
  for (const Array &input : inputs) {
    shape[dim] = input.shape[dim];
    auto part = slice(op, *result, offsets, shape, ones);
    if (failed(part) || failed(interp::copy(op, input, *part)))
      return failure();
    offsets[dim] += input.shape[dim];
  }
  evaluator.set(op.getResult(), std::move(*result));
  return success();
}

//===----------------------------------------------------------------------===//
// Reshaping
//===----------------------------------------------------------------------===//

static LogicalResult setReshaped(Evaluator &evaluator, Operation *op,
                                 Value source, ArrayRef<int64_t> shape) {
  auto array = reshape(op, evaluator.getArray(source), shape);
  if (failed(array))
    return failure();
  evaluator.set(op->getResult(0), std::move(*array));
  return success();
}

static LogicalResult runTensorExpandShape(Evaluator &evaluator,
                                          tensor::ExpandShapeOp op) {
  const Array &source = evaluator.getArray(op.getSrc());
  SmallVector<int64_t> shape = evaluator.getInts(op.getMixedOutputShape());
  for (auto [axis, group] : llvm::enumerate(op.getReassociationIndices())) {
    SmallVector<int64_t> sizes;
    for (int64_t i : group)
      sizes.push_back(shape[i]);
    if (getProduct(sizes) != source.shape[axis])
      return op.emitError("expands axis ")
             << axis << ", of size " << source.shape[axis] << ", to "
             << interp::toString(sizes);
  }
  return setReshaped(evaluator, op, op.getSrc(), shape);
}

static LogicalResult runTensorCollapseShape(Evaluator &evaluator,
                                            tensor::CollapseShapeOp op) {
  const Array &source = evaluator.getArray(op.getSrc());
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    shape.push_back(1);
    for (int64_t i : group)
      shape.back() *= source.shape[i];
  }
  return setReshaped(evaluator, op, op.getSrc(), shape);
}

static LogicalResult runTensorReshape(Evaluator &evaluator,
                                      tensor::ReshapeOp op) {
  const Array &sizes = evaluator.getArray(op.getShape());
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < sizes.getNumElements(); ++i)
    shape.push_back(sizes.read(i).bits);
  return setReshaped(evaluator, op, op.getSource(), shape);
}

void interp::addTensorSliceHandlers(HandlerTable &table) {
  table.add(runTensorExtractSlice);
  table.add(runInsertSlice);
  table.add(runConcat);
  table.add(runTensorExpandShape);
  table.add(runTensorCollapseShape);
  table.add(runTensorReshape);
}
