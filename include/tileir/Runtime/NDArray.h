//===- NDArray.h - Arrays that programs run on ------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dense array in C order on the host: the arguments and results of whatever
// runs a program (the interpreter, compiled code).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_RUNTIME_NDARRAY_H
#define TILEIR_RUNTIME_NDARRAY_H

#include "tileir/Runtime/Workspace.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tileir::runtime {

/// Element types of arrays. Integers are two's complement; Index is 64 bits.
enum class ElementKind {
  I1,
  I8,
  I16,
  I32,
  I64,
  Index,
  F8E4M3FN,
  F8E5M2,
  F16,
  BF16,
  F32,
  F64
};

/// Zeros, at first, that begin with a line of the cache: vectors at multiples
/// of their own size lie in one line each. Large ones are in huge pages, as far
/// as the system has some, so that times do not depend on which pages a process
/// happens to get.
class AlignedBytes {
public:
  AlignedBytes() = default;
  explicit AlignedBytes(size_t count) : AlignedBytes(count, Uninitialized()) {
    if (count)
      std::memset(data(), 0, count);
  }
  AlignedBytes(const AlignedBytes &other)
      : AlignedBytes(other.size(), Uninitialized()) {
    if (count)
      std::memcpy(data(), other.data(), count);
  }
  AlignedBytes(AlignedBytes &&other)
      : bytes(std::move(other.bytes)), count(std::exchange(other.count, 0)) {}
  /// Into the memory that is there, if it is of the same size.
  AlignedBytes &operator=(const AlignedBytes &other) {
    if (count != other.count)
      return *this = AlignedBytes(other);
    if (count && this != &other)
      std::memcpy(data(), other.data(), count);
    return *this;
  }
  AlignedBytes &operator=(AlignedBytes &&other) {
    bytes = std::move(other.bytes);
    count = std::exchange(other.count, 0);
    return *this;
  }

  uint8_t *data() { return bytes.get(); }
  const uint8_t *data() const { return bytes.get(); }
  size_t size() const { return count; }

private:
  struct Release {
    void operator()(uint8_t *data) { releaseWorkspace(data); }
  };
  struct Uninitialized {};
  AlignedBytes(size_t count, Uninitialized)
      : bytes(static_cast<uint8_t *>(allocateWorkspace(count))), count(count) {}

  std::unique_ptr<uint8_t, Release> bytes;
  size_t count = 0;
};

/// Size of one element in bytes (I1 takes one).
size_t getElementSize(ElementKind kind);

bool isFloat(ElementKind kind);
/// Whether it is a float of 8 bits.
bool isF8(ElementKind kind);
/// The format of a float in LLVM's arithmetic; not of integers.
const llvm::fltSemantics &getSemantics(ElementKind kind);

/// The name as in MLIR: "f32", "i8", ...
llvm::StringRef getElementName(ElementKind kind);

/// The kind of an MLIR element type, if arrays can have it.
std::optional<ElementKind> getElementKind(mlir::Type type);

/// "4x5xf32", as in MLIR types.
std::string shapeToString(llvm::ArrayRef<int64_t> shape, ElementKind kind);

/// A dense array in C order. Copies are deep. New elements are zero.
class NDArray {
public:
  NDArray() = default;
  /// Sizes must not be negative.
  NDArray(ElementKind kind, llvm::ArrayRef<int64_t> shape);

  ElementKind getKind() const { return kind; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getNumElements() const;

  uint8_t *getData() { return bytes.data(); }
  const uint8_t *getData() const { return bytes.data(); }
  size_t getNumBytes() const { return bytes.size(); }

  template <typename T> llvm::MutableArrayRef<T> as() {
    return {reinterpret_cast<T *>(bytes.data()), bytes.size() / sizeof(T)};
  }
  template <typename T> llvm::ArrayRef<T> as() const {
    return {reinterpret_cast<const T *>(bytes.data()),
            bytes.size() / sizeof(T)};
  }

  /// Element `i` in C order. Floats of all kinds convert exactly to double;
  /// setDouble rounds to nearest even. Integers are sign extended (I1 is 0 or
  /// 1) and setInteger keeps the low bits.
  double getDouble(int64_t i) const;
  void setDouble(int64_t i, double value);
  int64_t getInteger(int64_t i) const;
  void setInteger(int64_t i, int64_t value);

  /// The coordinates of element `i`.
  llvm::SmallVector<int64_t> getCoordinates(int64_t i) const;

private:
  ElementKind kind = ElementKind::F32;
  llvm::SmallVector<int64_t> shape;
  AlignedBytes bytes;
};

} // namespace tileir::runtime

#endif // TILEIR_RUNTIME_NDARRAY_H
