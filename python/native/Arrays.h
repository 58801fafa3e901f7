//===- Arrays.h - Arrays as Python hands them over --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory, the element type, the shape and the strides of an object with a
// buffer, or whose type speaks DLPack in C, as tensors of torch. What compiled
// code cannot take as it is, such as a view with negative strides, is Python's
// to copy.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_PYTHON_ARRAYS_H
#define TILEIR_PYTHON_ARRAYS_H

#include "tileir-c/TensorOperation.h"

#include <nanobind/nanobind.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tileir::python {

namespace nb = nanobind;

/// The most axes of an array, and the most arrays of a call.
constexpr size_t kMaxAxes = 32, kMaxArrays = 128;

/// An array whose bytes another type of elements has, which Python's buffers do
/// not know: bfloat16 as integers of 16 bits.
struct Reinterpreted {
  nb::object array;
  TileirType type;
};

/// A view of an object's memory, while it lives.
class Array {
public:
  Array() = default;
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  ~Array() {
    if (isHeld)
      PyBuffer_Release(&view);
  }

  /// Reads `object`, whose elements are `as` if that is given, whatever it says
  /// itself. Returns false, without an exception, if compiled code cannot take
  /// it as it is.
  bool read(nb::handle object, bool isOutput = false,
            std::optional<TileirType> as = {});

  /// Appends type, shape and strides to the key of a call.
  void addTo(std::string &key) const;

  void *getData() const { return data; }
  TileirType getType() const { return type; }
  size_t getRank() const { return rank; }
  TileirInts getShape() const { return {shape.data(), rank}; }
  TileirInts getStrides() const { return {strides.data(), rank}; }

  /// Whether any byte between the first and the last element is `other`'s, too.
  bool mayOverlap(const Array &other) const;

private:
  bool readBuffer(nb::handle object, bool isOutput,
                  std::optional<TileirType> as);
  bool readTensor(nb::handle object, const struct ExchangeApi &api);
  bool setStrides(const int64_t *sizes, const int64_t *steps, size_t axes,
                  int64_t unit);

  Py_buffer view;
  bool isHeld = false;
  void *data = nullptr;
  TileirType type = TILEIR_F32;
  int64_t elementSize = 0;
  size_t rank = 0;
  /// Strides count elements. That of an axis of size 1 is 1.
  std::array<int64_t, kMaxAxes> shape, strides;
};

} // namespace tileir::python

#endif // TILEIR_PYTHON_ARRAYS_H
