//===- Interpreter.cpp - The entry of the reference interpreter -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks arguments against the function's type, lends their memory to the
// evaluator, so that writes to memrefs land in them, and copies results out.
//
//===----------------------------------------------------------------------===//

#include "Tile/TileLaunch.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

/// Argument `position` of `function` as a value of its type; for a pointer the
/// array that it points at.
static FailureOr<RuntimeValue>
importArgument(func::FuncOp function, unsigned position, NDArray &argument) {
  Type type = function.getArgumentTypes()[position];
  auto shaped = dyn_cast<ShapedType>(type);
  auto mismatch = [&]() -> InFlightDiagnostic {
    return function.emitError("argument ")
           << position << " of '" << function.getSymName() << "' is "
           << shapeToString(argument.getShape(), argument.getKind())
           << ", expected " << type;
  };
  auto pointer = dyn_cast<tile::PtrType>(type);
  if (!tile::isKernel(function))
    pointer = {}; // there is nothing to be done with one
  auto kind = getElementKind(pointer ? pointer.getPointee()
                                     : getElementTypeOrSelf(type));
  if (!kind || (shaped && !isa<RankedTensorType, MemRefType>(type)))
    return function.emitError("argument ")
           << position << " of '" << function.getSymName() << "' has type "
           << type
           << ", expected a ranked tensor or memref, or a scalar, of i1, i8, "
              "i16, i32, i64, index, f8E4M3FN, f8E5M2, f16, bf16, f32 or f64";
  SmallVector<int64_t> shape(argument.getShape());
  if (pointer)
    shape = {argument.getNumElements()}; // a pointer knows nothing of axes
  int64_t rank = pointer ? 1 : shaped ? shaped.getRank() : 0;
  if (*kind != argument.getKind() || static_cast<int64_t>(shape.size()) != rank)
    return mismatch();

  Array array;
  array.storage = Storage::borrow(argument.getData(), argument.getNumBytes());
  array.kind = *kind;
  array.shape.assign(shape.begin(), shape.end());
  array.strides = getDenseStrides(shape);
  if (pointer)
    return RuntimeValue(std::move(array));
  if (!shaped)
    return RuntimeValue(array.read(0));
  for (auto [size, expected] : llvm::zip_equal(shape, shaped.getShape()))
    if (!ShapedType::isDynamic(expected) && size != expected)
      return mismatch();
  if (failed(checkType(function, array, type,
                       "argument " + Twine(position) + " of '" +
                           function.getSymName() + "'")))
    return failure();
  return RuntimeValue(std::move(array));
}

/// A dense copy of a result; a scalar has rank 0.
static NDArray exportResult(const RuntimeValue &value) {
  Array target;
  auto lend = [&](NDArray &result) {
    target.storage = Storage::borrow(result.getData(), result.getNumBytes());
    target.kind = result.getKind();
    target.shape.assign(result.getShape().begin(), result.getShape().end());
    target.strides = getDenseStrides(target.shape);
  };
  if (auto *scalar = std::get_if<Scalar>(&value)) {
    NDArray result(scalar->kind, {});
    lend(result);
    target.write(0, *scalar);
    return result;
  }
  const Array &array = std::get<Array>(value);
  NDArray result(array.kind, array.shape);
  lend(result);
  copyElements(array, target);
  return result;
}

static FailureOr<SmallVector<RuntimeValue>>
importArguments(func::FuncOp function, MutableArrayRef<NDArray> arguments) {
  if (arguments.size() != function.getNumArguments())
    return function.emitError("'")
           << function.getSymName() << "' takes " << function.getNumArguments()
           << " arguments, but " << arguments.size() << " are given";
  SmallVector<RuntimeValue> values;
  for (auto [position, argument] : llvm::enumerate(arguments)) {
    auto value = importArgument(function, position, argument);
    if (failed(value))
      return failure();
    values.push_back(std::move(*value));
  }
  return values;
}

FailureOr<InterpreterResult>
tileir::interpretKernel(func::FuncOp kernel, std::array<int64_t, 3> grid,
                        MutableArrayRef<NDArray> arguments,
                        const InterpreterOptions &options) {
  if (!tile::isKernel(kernel))
    return kernel.emitError("'")
           << kernel.getSymName() << "' is not a kernel, expected a function "
           << "with '" << tile::TileDialect::kKernel << "'";
  auto values = importArguments(kernel, arguments);
  if (failed(values))
    return failure();
  Evaluator evaluator(options);
  if (failed(Launch(kernel, grid).run(evaluator, kernel, *values)))
    return failure();
  InterpreterResult result;
  result.longestReduction = evaluator.longestReduction;
  return result;
}

FailureOr<InterpreterResult>
tileir::interpret(func::FuncOp function, MutableArrayRef<NDArray> arguments,
                  const InterpreterOptions &options) {
  if (tile::isKernel(function))
    return function.emitError("'")
           << function.getSymName() << "' is a kernel, expected a grid of "
           << "programs to run it on";
  auto values = importArguments(function, arguments);
  if (failed(values))
    return failure();

  Evaluator evaluator(options);
  auto results = evaluator.call(function, function, *values);
  if (failed(results))
    return failure();
  InterpreterResult result;
  for (const RuntimeValue &value : *results) {
    auto *array = std::get_if<Array>(&value);
    if (array && array->storage->isFreed)
      return function.emitError("'")
             << function.getSymName() << "' returns memory that was freed";
    auto *scalar = std::get_if<Scalar>(&value);
    if (scalar && scalar->isPoison)
      return emitPoison(function, "a result");
    if (array && failed(checkNoPoison(function, *array, "a result")))
      return failure();
    result.results.push_back(exportResult(value));
  }
  result.longestReduction = evaluator.longestReduction;
  return result;
}
