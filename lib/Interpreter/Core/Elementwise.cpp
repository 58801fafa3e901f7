//===- Elementwise.cpp - Ops on elements, selection, constants ------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes any op on scalars one on tensors and vectors. Both are dense, so
// element i in C order is at position i. Any result computed from poison is
// poison.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

//===----------------------------------------------------------------------===//
// Element-wise application
//===----------------------------------------------------------------------===//

/// Applies `function` to each element of operands of one shape.
static LogicalResult runOnArrays(Evaluator &evaluator, Operation *op,
                                 const ScalarFunction &function,
                                 MutableArrayRef<Scalar> results) {
  SmallVector<Array, 3> inputs;
  for (Value operand : op->getOperands()) {
    inputs.push_back(evaluator.getArray(operand));
    if (failed(checkSameShape(op, inputs.front(), "operand 0", inputs.back(),
                              "another operand")))
      return failure();
  }
  SmallVector<Array, 1> outputs;
  for (Scalar result : results) {
    auto output = allocate(op, result.kind, inputs.front().shape);
    if (failed(output))
      return failure();
    outputs.push_back(std::move(*output));
  }
  SmallVector<Scalar, 3> operands(inputs.size());
  int64_t numElements = inputs.front().getNumElements();
  for (int64_t i = 0; i < numElements; ++i) { // all are dense
    for (auto [operand, input] : llvm::zip_equal(operands, inputs))
      operand = input.read(i);
    if (failed(function(op, operands, results)))
      return failure();
    for (auto [result, output] : llvm::zip_equal(results, outputs))
      output.write(i, result);
  }
  for (auto [result, output] : llvm::zip_equal(op->getResults(), outputs))
    evaluator.set(result, std::move(output));
  return success();
}

/// A result that depends on poison is poison, and is not computed.
static ScalarFunction makeStrict(ScalarFunction function) {
  return [function](Operation *op, ArrayRef<Scalar> in,
                    MutableArrayRef<Scalar> out) -> LogicalResult {
    bool isPoison =
        llvm::any_of(in, [](const Scalar &scalar) { return scalar.isPoison; });
    LogicalResult result = isPoison ? success() : function(op, in, out);
    for (Scalar &scalar : out)
      scalar.isPoison = isPoison;
    return result;
  };
}

Handler HandlerTable::makeElementwise(ScalarFunction scalarFunction) {
  ScalarFunction function = makeStrict(std::move(scalarFunction));
  return [function](Evaluator &evaluator, Operation *op) -> LogicalResult {
    SmallVector<Scalar, 2> results;
    for (Type type : op->getResultTypes()) {
      auto kind = getKind(op, type);
      if (failed(kind))
        return failure();
      results.push_back({*kind, 0});
    }
    if (isa<TensorType, VectorType>(op->getResult(0).getType()))
      return runOnArrays(evaluator, op, function, results);
    SmallVector<Scalar, 3> operands;
    for (Value operand : op->getOperands())
      operands.push_back(std::get<Scalar>(evaluator.get(operand)));
    if (failed(function(op, operands, results)))
      return failure();
    for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
      evaluator.set(result, value);
    return success();
  };
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

FailureOr<Scalar> interp::makeScalar(Operation *op, TypedAttr attr) {
  auto kind = getKind(op, attr.getType());
  if (failed(kind))
    return failure();
  if (auto value = dyn_cast<FloatAttr>(attr))
    return makeFloat(*kind, value.getValue());
  if (auto value = dyn_cast<IntegerAttr>(attr))
    return makeInteger(*kind, value.getValue().getSExtValue());
  return op->emitError("the interpreter cannot read the constant ") << attr;
}

/// Writes the elements of `values` in C order.
template <typename Range, typename Convert>
static LogicalResult fill(const Array &array, Range &&values, Convert convert) {
  int64_t i = 0;
  for (const auto &value : values)
    array.write(i++, convert(value));
  return success();
}

static LogicalResult fillConstant(Operation *op, const Array &array,
                                  ElementsAttr attr) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    auto numBytes = array.storage->getNumBytes();
    if (!blob || static_cast<int64_t>(blob->getData().size()) != numBytes)
      return op->emitError("expects a dense resource of ")
             << numBytes << " bytes";
    std::memcpy(array.at(0), blob->getData().data(), numBytes);
    return success();
  }
  if (isFloat(array.kind)) {
    if (auto values = attr.tryGetValues<APFloat>())
      return fill(array, *values, [&](const APFloat &value) {
        return makeFloat(array.kind, value);
      });
  } else if (auto values = attr.tryGetValues<APInt>()) {
    return fill(array, *values, [&](const APInt &value) {
      return makeInteger(array.kind, value.getSExtValue());
    });
  }
  return op->emitError("the interpreter cannot read the constant of type ")
         << attr.getType();
}

FailureOr<Array> interp::makeConstant(Evaluator &evaluator, Operation *op,
                                      ElementsAttr attr) {
  auto known = evaluator.constants.find(attr);
  if (known != evaluator.constants.end())
    return known->second;
  auto kind = getKind(op, attr.getType());
  if (failed(kind))
    return failure();
  auto array = allocate(op, *kind, attr.getShapedType().getShape());
  if (failed(array) || failed(fillConstant(op, *array, attr)))
    return failure();
  evaluator.constants[attr] = *array;
  return array;
}

static LogicalResult runConstant(Evaluator &evaluator, arith::ConstantOp op) {
  if (auto elements = dyn_cast<ElementsAttr>(op.getValue())) {
    auto array = makeConstant(evaluator, op, elements);
    if (failed(array))
      return failure();
    evaluator.set(op, std::move(*array));
    return success();
  }
  auto scalar = makeScalar(op, op.getValue());
  if (failed(scalar))
    return failure();
  evaluator.set(op, *scalar);
  return success();
}

static LogicalResult runPoison(Evaluator &evaluator, ub::PoisonOp op) {
  auto poison = makePoison(op, op.getType());
  if (failed(poison))
    return failure();
  evaluator.set(op, std::move(*poison));
  return success();
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

/// One condition for whole values, of any type, or one for each element.
static LogicalResult runSelect(Evaluator &evaluator, arith::SelectOp op) {
  if (op.getCondition().getType().isInteger(1)) {
    auto condition = std::get<Scalar>(evaluator.get(op.getCondition()));
    FailureOr<RuntimeValue> chosen =
        condition.isPoison ? makePoison(op, op.getType())
                           : evaluator.get(condition.bits ? op.getTrueValue()
                                                          : op.getFalseValue());
    if (failed(chosen))
      return failure();
    evaluator.set(op, std::move(*chosen));
    return success();
  }
  Scalar kind;
  auto elementKind = getKind(op, op.getType());
  if (failed(elementKind))
    return failure();
  kind.kind = *elementKind;
  return runOnArrays(
      evaluator, op,
      [](Operation *, ArrayRef<Scalar> in, MutableArrayRef<Scalar> out) {
        out[0] = in[0].bits ? in[1] : in[2];
        out[0].isPoison |= in[0].isPoison;
        return success();
      },
      kind);
}

void interp::addElementwiseHandlers(HandlerTable &table) {
  table.add(runConstant);
  table.add(runPoison);
  table.add(runSelect);
}
