//===- Arrays.cpp - Arrays as Python hands them over ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers as PEP 3118 has them, in native order only, and DLPack's interface in
// C from its version 1.2 on.
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"

using namespace tileir::python;

/// The type that a format of one character stands for.
static bool getType(const char *format, Py_ssize_t size, TileirType &type) {
  if (!format || !format[0] || format[1])
    return false;
  switch (format[0]) {
  case 'f':
    return type = TILEIR_F32, true;
  case 'd':
    return type = TILEIR_F64, true;
  case 'e':
    return type = TILEIR_F16, true;
  case 'b':
    return type = TILEIR_I8, true;
  case 'i':
  case 'l':
  case 'q':
    return type = size == 4 ? TILEIR_I32 : TILEIR_I64, size == 4 || size == 8;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// DLPack
//===----------------------------------------------------------------------===//

namespace {
/// DLTensor of DLPack, whose layout is fixed.
struct Tensor {
  void *data;
  int32_t device, deviceId, rank;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t offset;
};
} // namespace

/// DLPackExchangeAPI, as far as it is used.
struct tileir::python::ExchangeApi {
  uint32_t major, minor;
  ExchangeApi *previous;
  void *allocate, *fromObject, *toObject;
  /// Describes a tensor, which the object goes on to own.
  int (*readTensor)(void *object, Tensor *tensor);
};

/// The interface of a type's tensors, or null. The last types are kept: asking
/// costs as much as a small product.
static const ExchangeApi *findExchangeApi(PyTypeObject *type) {
  static PyTypeObject *known = nullptr;
  static const ExchangeApi *api = nullptr;
  if (type == known)
    return api;
  nb::object capsule =
      nb::getattr(nb::handle(reinterpret_cast<PyObject *>(type)),
                  "__dlpack_c_exchange_api__", nb::none());
  const ExchangeApi *found = nullptr;
  if (PyCapsule_IsValid(capsule.ptr(), "dlpack_exchange_api"))
    found = static_cast<const ExchangeApi *>(
        PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
  // What other versions have there is not known.
  if (!found || found->major != 1)
    return nullptr;
  // Keeps the type, or another one might come to its place.
  Py_INCREF(type);
  known = type;
  return api = found;
}

/// The type that DLPack has numbers for.
static bool getType(uint8_t code, uint8_t bits, TileirType &type) {
  struct Known {
    uint8_t code, bits;
    TileirType type;
  };
  static constexpr Known types[] = {
      {2, 32, TILEIR_F32},      {2, 64, TILEIR_F64},    {2, 16, TILEIR_F16},
      {4, 16, TILEIR_BF16},     {0, 32, TILEIR_I32},    {0, 8, TILEIR_I8},
      {10, 8, TILEIR_F8E4M3FN}, {12, 8, TILEIR_F8E5M2}, {0, 64, TILEIR_I64}};
  for (const Known &known : types)
    if (known.code == code && known.bits == bits)
      return type = known.type, true;
  return false;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

bool Array::read(nb::handle object, bool isOutput,
                 std::optional<TileirType> as) {
  Reinterpreted *other = nullptr;
  if (nb::try_cast<Reinterpreted *>(object, other) && other) {
    object = other->array;
    as = other->type;
  }
  if (PyObject_CheckBuffer(object.ptr()))
    return readBuffer(object, isOutput, as);
  const ExchangeApi *api = findExchangeApi(Py_TYPE(object.ptr()));
  return api && readTensor(object, *api);
}

bool Array::readBuffer(nb::handle object, bool isOutput,
                       std::optional<TileirType> as) {
  if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();
    return false;
  }
  isHeld = true;
  if (!as && !::getType(view.format, view.itemsize, type))
    return false;
  type = as.value_or(type);
  if (isOutput && view.readonly)
    return false;
  static_assert(sizeof(Py_ssize_t) == sizeof(int64_t));
  data = view.buf;
  elementSize = view.itemsize;
  return setStrides(reinterpret_cast<const int64_t *>(view.shape),
                    reinterpret_cast<const int64_t *>(view.strides), view.ndim,
                    view.itemsize);
}

bool Array::readTensor(nb::handle object, const ExchangeApi &api) {
  Tensor tensor;
  if (api.readTensor(object.ptr(), &tensor) != 0) {
    PyErr_Clear();
    return false;
  }
  constexpr int32_t cpu = 1;
  if (tensor.device != cpu || tensor.lanes != 1 ||
      !::getType(tensor.code, tensor.bits, type))
    return false;
  elementSize = tensor.bits / 8;
  data = static_cast<char *>(tensor.data) + tensor.offset;
  return setStrides(tensor.shape, tensor.strides, tensor.rank, 1);
}

/// Takes over a shape and its strides, of `unit` an element. Returns false if
/// compiled code cannot follow them.
bool Array::setStrides(const int64_t *sizes, const int64_t *steps, size_t axes,
                       int64_t unit) {
  if (axes > kMaxAxes || reinterpret_cast<uintptr_t>(data) % elementSize != 0)
    return false;
  rank = axes;
  bool isEmpty = false;
  for (size_t axis = 0; axis < rank; ++axis) {
    shape[axis] = sizes[axis];
    isEmpty |= shape[axis] == 0;
  }
  for (size_t axis = 0; axis < rank; ++axis) {
    if (shape[axis] <= 1 || isEmpty) {
      strides[axis] = 1;
      continue;
    }
    if (steps[axis] <= 0 || steps[axis] % unit != 0)
      return false;
    strides[axis] = steps[axis] / unit;
  }
  return true;
}

void Array::addTo(std::string &key) const {
  int64_t head[] = {static_cast<int64_t>(type), static_cast<int64_t>(rank)};
  key.append(reinterpret_cast<const char *>(head), sizeof(head));
  size_t bytes = rank * sizeof(int64_t);
  key.append(reinterpret_cast<const char *>(shape.data()), bytes);
  key.append(reinterpret_cast<const char *>(strides.data()), bytes);
}

bool Array::mayOverlap(const Array &other) const {
  auto getEnd = [](const Array &array) {
    int64_t last = 0;
    for (size_t axis = 0; axis < array.rank; ++axis) {
      if (array.shape[axis] == 0)
        return static_cast<const char *>(array.data);
      last += (array.shape[axis] - 1) * array.strides[axis];
    }
    return static_cast<const char *>(array.data) +
           (last + 1) * array.elementSize;
  };
  return data < getEnd(other) && other.data < getEnd(*this);
}
