//===- EinsumValidation.cpp - Rules for descriptions by einsums -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fields one by one. Rules that the specification takes part in are checked
// when the module is made.
//
//===----------------------------------------------------------------------===//

#include "FieldChecks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace tileir;
using namespace tileir::tensor_operation;

static ErrorDetails atAxis(size_t operand, size_t axis) {
  return {ErrorDetails::Kind::Shape, static_cast<int>(operand),
          static_cast<int>(axis)};
}

/// Checks that bytes of input `operand` can be counted.
static Error checkShape(size_t operand, ArrayRef<int64_t> shape) {
  int64_t bytes = 8;
  for (auto [axis, size] : enumerate(shape)) {
    if (size < 0)
      return failAt(atAxis(operand, axis),
                    "expected the size of axis {0} of input {1} not to be "
                    "negative, found {2}",
                    axis, operand, size);
    if (MulOverflow(bytes, std::max<int64_t>(size, 1), bytes))
      return failAt(atAxis(operand, axis),
                    "expected input {0} to fit in memory, found axis {1} of "
                    "size {2}",
                    operand, axis, size);
  }
  return Error::success();
}

/// Checks that strides fit a shape, and that offsets can be counted.
static Error checkStrides(const EinsumDescription &description,
                          size_t operand) {
  ArrayRef<int64_t> strides = description.strides[operand];
  ArrayRef<int64_t> shape = description.shapes[operand];
  if (strides.empty())
    return Error::success();
  if (strides.size() != shape.size())
    return fail("expected strides[{0}] to have {1} entries, as many as its "
                "shape, or none, found {2}",
                operand, shape.size(), strides.size());
  int64_t extent = 8;
  for (auto [axis, stride] : enumerate(strides)) {
    if (stride <= 0)
      return failAt(atAxis(operand, axis),
                    "expected the stride of axis {0} of input {1} to be "
                    "positive, found {2}: copy the input",
                    axis, operand, stride);
    int64_t reach;
    if (MulOverflow(stride, 8 * std::max<int64_t>(shape[axis], 1), reach) ||
        AddOverflow(extent, reach, extent))
      return failAt(atAxis(operand, axis),
                    "expected offsets of 64 bits, found stride {0} of axis {1} "
                    "of input {2}",
                    stride, axis, operand);
  }
  return Error::success();
}

static Error checkTypes(const EinsumDescription &description) {
  if (Error error = checkType("type", description.type, kNumOperandTypes))
    return error;
  if (description.accumulator)
    if (Error error = checkType("accumulator", *description.accumulator,
                                kNumOperandTypes))
      return error;
  size_t numInputs = description.shapes.size();
  if (!description.inputTypes.empty() &&
      description.inputTypes.size() != numInputs)
    return fail("expected input_types to have {0} entries, as many as there "
                "are shapes, found {1}",
                numInputs, description.inputTypes.size());
  for (auto [operand, type] : enumerate(description.inputTypes))
    if (Error error = checkType(formatv("input_types[{0}]", operand).str(),
                                type, kNumOperandTypes))
      return error;
  return Error::success();
}

static Error checkTables(const EinsumDescription &description) {
  for (auto [i, table] : enumerate(description.tables)) {
    if (table.type != OperationType::I32 && table.type != OperationType::I64)
      return failAt({ErrorDetails::Kind::Shape,
                     static_cast<int>(description.shapes.size() + i)},
                    "expected table '{0}' to have elements of I32 or I64, "
                    "found {1}",
                    table.name, getName(table.type));
    if (Error error = checkShape(description.shapes.size() + i, table.shape))
      return error;
    for (const TableDescription &other :
         ArrayRef(description.tables).take_front(i))
      if (other.name == table.name)
        return fail("expected one table '{0}', found two", table.name);
  }
  return Error::success();
}

static Error checkBias(const EinsumDescription &description) {
  for (auto [index, stride] : enumerate(description.stridesBias))
    if (stride < 0)
      return fail("expected strides_bias[{0}] not to be negative, found {1}",
                  index, stride);
  if (description.firstTouch != Primitive::Bias &&
      !description.stridesBias.empty())
    return fail("expected strides_bias to be empty, for first_touch is not "
                "BIAS, found {0} entries",
                description.stridesBias.size());
  return Error::success();
}

static Error checkInputs(const EinsumDescription &description) {
  if (description.shapes.empty())
    return fail("expected one shape or more, found none");
  if (!description.strides.empty() &&
      description.strides.size() != description.shapes.size())
    return fail("expected strides of {0} inputs, as many as there are shapes, "
                "found {1}",
                description.shapes.size(), description.strides.size());
  for (auto [operand, shape] : enumerate(description.shapes))
    if (Error error = checkShape(operand, shape))
      return error;
  for (size_t operand = 0; operand < description.strides.size(); ++operand)
    if (Error error = checkStrides(description, operand))
      return error;
  return Error::success();
}

Error tensor_operation::validate(const EinsumDescription &description) {
  if (Error error = checkTypes(description))
    return error;
  if (Error error = checkPlace("first_touch", description.firstTouch, kFirst))
    return error;
  if (Error error = checkPlace("last_touch", description.lastTouch, kLast))
    return error;
  if (description.threads < 0)
    return fail("expected threads to be positive, or 0 for all cores, found "
                "{0}",
                description.threads);
  if (Error error = checkInputs(description))
    return error;
  if (!description.padding.empty() && description.padding != "none" &&
      description.padding != "zero")
    return fail("expected padding \"none\" or \"zero\", found \"{0}\"",
                description.padding);
  if (Error error = checkTables(description))
    return error;
  return checkBias(description);
}
