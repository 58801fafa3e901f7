//===- TensorOperation.cpp - Tensor operations by C -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of tileir-c/TensorOperation.h, by the C++ interface. Values are
// taken over as they are, for the validation there to judge.
//
//===----------------------------------------------------------------------===//

#include "tileir-c/TensorOperation.h"

#include "tileir/TensorOperation/TensorOperation.h"

#include <cstdlib>
#include <cstring>

using namespace tileir;

struct TileirOperation {
  TensorOperation::Pointer operation;
};

static_assert(TILEIR_I8 == static_cast<int>(OperationType::I8));
static_assert(TILEIR_DIM_K == static_cast<int>(ContractionDim::K));
static_assert(TILEIR_PRIM == static_cast<int>(DimExecution::Prim));
static_assert(TILEIR_GEMM == static_cast<int>(Primitive::Gemm));
static_assert(TILEIR_RELU == static_cast<int>(Primitive::Relu));

static void setMessage(char **message, const std::string &text) {
  if (!message)
    return;
  *message = static_cast<char *>(std::malloc(text.size() + 1));
  if (*message)
    std::memcpy(*message, text.c_str(), text.size() + 1);
}

/// The entries of `ints`, as values of an enumeration or as they are. One that
/// no enumeration has becomes one that none has either.
template <typename T = int64_t>
static std::vector<T> toVector(const TileirInts &ints) {
  std::vector<T> values;
  for (size_t i = 0; i < ints.size; ++i) {
    int64_t value = ints.data[i];
    if (std::is_enum_v<T> && value != static_cast<int>(value))
      value = -1;
    values.push_back(static_cast<T>(value));
  }
  return values;
}

/// Whether all arrays that have entries are there.
static bool hasData(std::initializer_list<TileirInts> arrays) {
  for (const TileirInts &ints : arrays)
    if (ints.size > 0 && !ints.data)
      return false;
  return true;
}

template <typename Description>
static TileirOperation *create(const Description &description, char **message) {
  std::string text;
  TensorOperation::Pointer operation =
      TensorOperation::create(description, text);
  if (operation)
    return new TileirOperation{std::move(operation)};
  setMessage(message, text);
  return nullptr;
}

TileirOperation *
tileirCreateOperation(const TileirOperationDescription *description,
                      char **message) {
  if (!description ||
      !hasData({description->dim_types, description->exec_types,
                description->dim_sizes, description->strides_in0,
                description->strides_in1, description->strides_out,
                description->strides_bias})) {
    setMessage(message, "expected a description whose arrays are there where "
                        "their sizes are not 0, found a null pointer");
    return nullptr;
  }
  OperationDescription operation;
  operation.type = static_cast<OperationType>(description->type);
  operation.firstTouch = static_cast<Primitive>(description->first_touch);
  operation.main = static_cast<Primitive>(description->main);
  operation.lastTouch = static_cast<Primitive>(description->last_touch);
  operation.dimTypes = toVector<ContractionDim>(description->dim_types);
  operation.execTypes = toVector<DimExecution>(description->exec_types);
  operation.dimSizes = toVector(description->dim_sizes);
  operation.stridesIn0 = toVector(description->strides_in0);
  operation.stridesIn1 = toVector(description->strides_in1);
  operation.stridesOut = toVector(description->strides_out);
  operation.stridesBias = toVector(description->strides_bias);
  operation.optimize = description->optimize != 0;
  operation.threads = description->threads;
  return create(operation, message);
}

TileirOperation *tileirCreateEinsum(const TileirEinsumDescription *description,
                                    char **message) {
  bool isWhole = description && description->spec &&
                 (description->num_inputs == 0 || description->shapes) &&
                 hasData({description->strides_bias});
  for (size_t i = 0; isWhole && i < description->num_inputs; ++i)
    isWhole = hasData({description->shapes[i]});
  if (!isWhole) {
    setMessage(message, "expected a description with a specification and with "
                        "a shape for each input, found a null pointer");
    return nullptr;
  }
  EinsumDescription einsum;
  einsum.spec = description->spec;
  einsum.type = static_cast<OperationType>(description->type);
  for (size_t i = 0; i < description->num_inputs; ++i)
    einsum.shapes.push_back(toVector(description->shapes[i]));
  einsum.sizes = description->sizes ? description->sizes : "";
  einsum.padding = description->padding ? description->padding : "";
  einsum.firstTouch = static_cast<Primitive>(description->first_touch);
  einsum.lastTouch = static_cast<Primitive>(description->last_touch);
  einsum.stridesBias = toVector(description->strides_bias);
  einsum.threads = description->threads;
  return create(einsum, message);
}

void tileirFreeMessage(char *message) { std::free(message); }

void tileirDestroyOperation(TileirOperation *operation) { delete operation; }

size_t tileirGetNumInputs(const TileirOperation *operation) {
  return operation->operation->getNumInputs();
}

TileirInts tileirGetOutputShape(const TileirOperation *operation) {
  const std::vector<int64_t> &shape = operation->operation->getOutputShape();
  return {shape.data(), shape.size()};
}

void tileirRun(const TileirOperation *operation, const void *const *inputs,
               void *output) {
  (*operation->operation)(inputs, output);
}

double tileirGetCompileSeconds(const TileirOperation *operation) {
  return operation->operation->getCompileTimes().getTotal();
}

const char *tileirGetSchedule(const TileirOperation *operation) {
  return operation->operation->getSchedule().c_str();
}

void tileirClearCache(void) { TensorOperation::clearCache(); }
