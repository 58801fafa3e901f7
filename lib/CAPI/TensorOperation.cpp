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

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

using namespace tileir;

struct TileirOperation {
  TensorOperation::Pointer operation;
};

static_assert(TILEIR_I64 == static_cast<int>(OperationType::I64));
static_assert(TILEIR_ERROR_TABLE ==
              static_cast<int>(ErrorDetails::Kind::Table));
static_assert(TILEIR_DIM_K == static_cast<int>(ContractionDim::K));
static_assert(TILEIR_PRIM == static_cast<int>(DimExecution::Prim));
static_assert(TILEIR_GEMM == static_cast<int>(Primitive::Gemm));
static_assert(TILEIR_RELU == static_cast<int>(Primitive::Relu));

static thread_local ErrorDetails lastError;

int tileirGetVersion(void) { return TILEIR_C_VERSION; }

TileirErrorDetails tileirGetLastError(void) {
  return {static_cast<TileirErrorKind>(lastError.kind), lastError.operand,
          lastError.axis, lastError.position, lastError.length};
}

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

/// Says that the description has a null pointer where it may not.
static std::nullptr_t refuseNull(const char *expected, char **message) {
  lastError = {ErrorDetails::Kind::Description};
  setMessage(message,
             std::string("expected ") + expected + ", found a null pointer");
  return nullptr;
}

template <typename Description>
static TileirOperation *create(const Description &description, char **message) {
  std::string text;
  TensorOperation::Pointer operation =
      TensorOperation::create(description, text, &lastError);
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
                description->strides_bias}))
    return refuseNull("a description whose arrays are there where their sizes "
                      "are not 0",
                      message);
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

/// Whether all that a description by a specification points to is there.
static bool isWhole(const TileirEinsumDescription &einsum,
                    const TileirEinsumOptions &options) {
  if (!einsum.spec || (einsum.num_inputs > 0 && !einsum.shapes) ||
      (options.num_tables > 0 && !options.tables) ||
      !hasData({einsum.strides_bias, options.strides_out}))
    return false;
  for (size_t i = 0; i < einsum.num_inputs; ++i)
    if (!hasData({einsum.shapes[i]}) ||
        (options.strides && !hasData({options.strides[i]})))
      return false;
  for (size_t i = 0; i < options.num_tables; ++i)
    if (!options.tables[i].name || !hasData({options.tables[i].shape}))
      return false;
  return true;
}

/// The description of a contraction; none, which was told, if it is not whole.
static std::optional<EinsumDescription>
readEinsum(const TileirEinsumDescription *description,
           const TileirEinsumOptions *given, char **message) {
  // A program that knows fewer fields has a smaller structure.
  TileirEinsumOptions options = {};
  if (given)
    std::memcpy(&options, given, std::min(given->size, sizeof(options)));
  if (!description || !isWhole(*description, options)) {
    refuseNull("a description with a specification, with a shape for each "
               "input, and with a name and a shape for each table",
               message);
    return std::nullopt;
  }
  EinsumDescription einsum;
  einsum.spec = description->spec;
  einsum.type = static_cast<OperationType>(description->type);
  for (size_t i = 0; i < description->num_inputs; ++i) {
    einsum.shapes.push_back(toVector(description->shapes[i]));
    if (options.strides)
      einsum.strides.push_back(toVector(options.strides[i]));
    if (options.input_types)
      einsum.inputTypes.push_back(
          static_cast<OperationType>(options.input_types[i]));
  }
  einsum.sizes = description->sizes ? description->sizes : "";
  einsum.padding = description->padding ? description->padding : "";
  einsum.firstTouch = static_cast<Primitive>(description->first_touch);
  einsum.lastTouch = static_cast<Primitive>(description->last_touch);
  einsum.stridesBias = toVector(description->strides_bias);
  einsum.threads = description->threads;
  einsum.stridesOut = toVector(options.strides_out);
  if (options.accumulator)
    einsum.accumulator = static_cast<OperationType>(*options.accumulator);
  for (size_t i = 0; i < options.num_tables; ++i) {
    const TileirTable &table = options.tables[i];
    einsum.tables.push_back({table.name, static_cast<OperationType>(table.type),
                             toVector(table.shape)});
  }
  if (options.tuned)
    einsum.tuned = options.tuned;
  return einsum;
}

TileirOperation *
tileirCreateEinsumWithOptions(const TileirEinsumDescription *description,
                              const TileirEinsumOptions *options,
                              char **message) {
  auto einsum = readEinsum(description, options, message);
  return einsum ? create(*einsum, message) : nullptr;
}

TileirOperation *tileirCreateEinsum(const TileirEinsumDescription *description,
                                    char **message) {
  return tileirCreateEinsumWithOptions(description, nullptr, message);
}

int tileirCheckTables(const TileirEinsumDescription *description,
                      const TileirEinsumOptions *options,
                      const void *const *tables, char **message) {
  auto einsum = readEinsum(description, options, message);
  std::string text;
  if (!einsum)
    return 0;
  if (TensorOperation::checkTables(*einsum, tables, text, &lastError))
    return 1;
  setMessage(message, text);
  return 0;
}

char *tileirPrintEinsum(const TileirEinsumDescription *description,
                        const TileirEinsumOptions *options, char **message) {
  auto einsum = readEinsum(description, options, message);
  if (!einsum)
    return nullptr;
  std::string text, error;
  text = TensorOperation::printProgram(*einsum, error, &lastError);
  char *result = nullptr;
  setMessage(text.empty() ? message : &result, text.empty() ? error : text);
  return result;
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

int tileirRunChecked(const TileirOperation *operation,
                     const void *const *inputs, void *output, char **message) {
  std::string text;
  if (operation->operation->runChecked(inputs, output, text, &lastError))
    return 1;
  setMessage(message, text);
  return 0;
}

double tileirGetCompileSeconds(const TileirOperation *operation) {
  return operation->operation->getCompileTimes().getTotal();
}

double tileirGetFlops(const TileirOperation *operation) {
  return operation->operation->getFlops();
}

const char *tileirGetContractions(const TileirOperation *operation) {
  return operation->operation->getContractions().c_str();
}

const char *tileirGetTuned(const TileirOperation *operation) {
  return operation->operation->getTuned().c_str();
}

const char *tileirGetSchedule(const TileirOperation *operation) {
  return operation->operation->getSchedule().c_str();
}

void tileirClearCache(void) { TensorOperation::clearCache(); }

void tileirSetCacheLimit(size_t operations) {
  TensorOperation::setCacheLimit(operations);
}

TileirCacheStatistics tileirGetCacheStatistics(void) {
  CacheStatistics statistics = TensorOperation::getCacheStatistics();
  return {statistics.hits, statistics.misses, statistics.size,
          statistics.limit};
}
