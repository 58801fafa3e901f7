//===- Tensor.cpp - Making tensors, and their elements --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors are dense, so element i in C order is at position i. The contents of
// an empty tensor are undefined; here they are zeros.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;

/// Sets the result of `op` to `array`, if there is one.
template <typename Op>
static LogicalResult setArray(Evaluator &evaluator, Op op,
                              FailureOr<Array> array) {
  if (failed(array))
    return failure();
  evaluator.set(op.getResult(), std::move(*array));
  return success();
}

/// A new tensor of the type of the result.
template <typename Op>
static FailureOr<Array> makeResult(Evaluator &evaluator, Op op,
                                   ValueRange dynamicSizes) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  auto kind = getKind(op, type);
  if (failed(kind))
    return failure();
  return allocate(op, *kind, fillShape(type, evaluator.getInts(dynamicSizes)));
}

static LogicalResult runEmpty(Evaluator &evaluator, tensor::EmptyOp op) {
  return setArray(evaluator, op,
                  makeResult(evaluator, op, op.getDynamicSizes()));
}

static LogicalResult runTensorSplat(Evaluator &evaluator, tensor::SplatOp op) {
  auto array = makeResult(evaluator, op, op.getDynamicSizes());
  if (failed(array))
    return failure();
  Scalar value = evaluator.getScalar(op.getInput());
  for (int64_t i = 0, e = array->getNumElements(); i < e; ++i)
    array->write(i, value);
  return setArray(evaluator, op, array);
}

static LogicalResult runTensorFromElements(Evaluator &evaluator,
                                           tensor::FromElementsOp op) {
  auto array = makeResult(evaluator, op, {});
  if (failed(array))
    return failure();
  for (auto [i, element] : llvm::enumerate(op.getElements()))
    array->write(i, evaluator.getScalar(element));
  return setArray(evaluator, op, array);
}

/// Runs a region for the element at each index of `array` that `skip` does not
/// exclude.
static LogicalResult
fillByRegion(Evaluator &evaluator, Region &region, const Array &array,
             llvm::function_ref<bool(ArrayRef<int64_t>)> skip) {
  return success(forEachIndex(array.shape, [&](ArrayRef<int64_t> index) {
    if (skip(index))
      return true;
    SmallVector<RuntimeValue> arguments;
    for (int64_t i : index)
      arguments.push_back(makeIndex(i));
    auto terminator = evaluator.run(region, arguments);
    if (failed(terminator))
      return false;
    array.write(array.getPosition(index),
                evaluator.getScalar((*terminator)->getOperand(0)));
    return true;
  }));
}

static LogicalResult runGenerate(Evaluator &evaluator, tensor::GenerateOp op) {
  auto array = makeResult(evaluator, op, op.getDynamicExtents());
  if (failed(array) || failed(fillByRegion(evaluator, op.getBody(), *array,
                                           [](auto) { return false; })))
    return failure();
  return setArray(evaluator, op, array);
}

static LogicalResult runPad(Evaluator &evaluator, tensor::PadOp op) {
  Array source = evaluator.getArray(op.getSource());
  SmallVector<int64_t> low = evaluator.getInts(op.getMixedLowPad());
  SmallVector<int64_t> high = evaluator.getInts(op.getMixedHighPad());
  SmallVector<int64_t> shape;
  for (auto [size, before, after] : llvm::zip_equal(source.shape, low, high)) {
    if (before < 0 || after < 0)
      return op.emitError("pads by ")
             << before << " and " << after << ", expected no negative number";
    shape.push_back(size + before + after);
  }
  auto array = allocate(op, source.kind, shape);
  if (failed(array))
    return failure();
  auto inner =
      slice(op, *array, low, source.shape, SmallVector<int64_t>(low.size(), 1));
  if (failed(inner))
    return failure();
  copyElements(source, *inner);
  auto isInner = [&](ArrayRef<int64_t> index) {
    return llvm::all_of(llvm::zip_equal(index, low, source.shape),
                        [](auto axis) {
                          auto [i, before, size] = axis;
                          return i >= before && i - before < size;
                        });
  };
  if (failed(fillByRegion(evaluator, op.getRegion(), *array, isInner)))
    return failure();
  return setArray(evaluator, op, array);
}

//===----------------------------------------------------------------------===//
// Elements and sizes
//===----------------------------------------------------------------------===//

static LogicalResult runTensorExtract(Evaluator &evaluator,
                                      tensor::ExtractOp op) {
  const Array &array = evaluator.getArray(op.getTensor());
  auto position = getPosition(op, array, evaluator.getInts(op.getIndices()));
  if (failed(position))
    return failure();
  evaluator.set(op.getResult(), array.read(*position));
  return success();
}

static LogicalResult runTensorInsert(Evaluator &evaluator,
                                     tensor::InsertOp op) {
  const Array &array = evaluator.getArray(op.getDest());
  auto position = getPosition(op, array, evaluator.getInts(op.getIndices()));
  if (failed(position))
    return failure();
  auto copy = clone(op, array);
  if (failed(copy))
    return failure();
  copy->write(*position, evaluator.getScalar(op.getScalar()));
  return setArray(evaluator, op, copy);
}

static LogicalResult runTensorDim(Evaluator &evaluator, tensor::DimOp op) {
  const Array &array = evaluator.getArray(op.getSource());
  int64_t axis = evaluator.getInt(op.getIndex());
  if (axis < 0 || axis >= array.getRank())
    return op.emitError("asks for axis ")
           << axis << " of a tensor of rank " << array.getRank();
  evaluator.set(op.getResult(), makeIndex(array.shape[axis]));
  return success();
}

static LogicalResult runTensorRank(Evaluator &evaluator, tensor::RankOp op) {
  evaluator.set(op.getResult(),
                makeIndex(evaluator.getArray(op.getTensor()).getRank()));
  return success();
}

static LogicalResult runCast(Evaluator &evaluator, tensor::CastOp op) {
  return setArray(evaluator, op, Array(evaluator.getArray(op.getSource())));
}

static LogicalResult runBitcast(Evaluator &evaluator, tensor::BitcastOp op) {
  Array array = evaluator.getArray(op.getSource());
  auto kind = getKind(op, op.getType());
  if (failed(kind))
    return failure();
  array.kind = *kind;
  return setArray(evaluator, op, std::move(array));
}

void interp::addTensorHandlers(HandlerTable &table) {
  table.add(runEmpty);
  table.add(runTensorSplat);
  table.add(runTensorFromElements);
  table.add(runGenerate);
  table.add(runPad);
  table.add(runTensorExtract);
  table.add(runTensorInsert);
  table.add(runTensorDim);
  table.add(runTensorRank);
  table.add(runCast);
  table.add(runBitcast);
}
