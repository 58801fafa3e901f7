//===- Arrays.cpp - Arrays as Python hands them over ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers, as PEP 3118 has them. Formats in native order only.
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

bool Array::read(nb::handle object, bool isOutput,
                 std::optional<TileirType> as) {
  Reinterpreted *other = nullptr;
  if (nb::try_cast<Reinterpreted *>(object, other) && other) {
    object = other->array;
    as = other->type;
  }
  if (!PyObject_CheckBuffer(object.ptr()))
    return false;
  if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();
    return false;
  }
  isHeld = true;
  if (!as && !::getType(view.format, view.itemsize, type))
    return false;
  type = as.value_or(type);
  return readView(isOutput);
}

bool Array::readView(bool isOutput) {
  if (static_cast<size_t>(view.ndim) > kMaxAxes || (isOutput && view.readonly))
    return false;
  data = view.buf;
  rank = view.ndim;
  Py_ssize_t size = view.itemsize;
  if (reinterpret_cast<uintptr_t>(data) % size != 0)
    return false;
  bool isEmpty = false;
  for (size_t axis = 0; axis < rank; ++axis) {
    shape[axis] = view.shape[axis];
    isEmpty |= shape[axis] == 0;
  }
  for (size_t axis = 0; axis < rank; ++axis) {
    Py_ssize_t stride = view.strides[axis];
    if (shape[axis] <= 1 || isEmpty) {
      strides[axis] = 1;
      continue;
    }
    if (stride <= 0 || stride % size != 0)
      return false;
    strides[axis] = stride / size;
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
           (last + 1) * array.view.itemsize;
  };
  return data < getEnd(other) && other.data < getEnd(*this);
}
