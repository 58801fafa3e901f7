//===- Values.h - Arrays and values of the interpreter ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The run-time values of SSA values. Tensors, vectors and memrefs are all views
// of shared storage. A tensor or vector is dense and its storage is not
// written once it has a name: ops that "modify" one write a copy. Memrefs
// alias. Storage keeps which elements nobody has written, and which are poison,
// where there are any.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_INTERPRETER_CORE_VALUES_H
#define TILEIR_LIB_INTERPRETER_CORE_VALUES_H

#include "Core/Scalar.h"

#include "mlir/Support/LLVM.h"

#include <cstdlib>
#include <memory>
#include <variant>

namespace tileir::interp {

/// Bytes that arrays view.
class Storage {
public:
  /// Zeroed bytes, or null if there is not as much memory.
  static std::shared_ptr<Storage> allocate(int64_t numBytes);

  /// Bytes that the caller keeps alive.
  static std::shared_ptr<Storage> borrow(uint8_t *data, int64_t numBytes);

  uint8_t *getData() const { return data; }
  int64_t getNumBytes() const { return numBytes; }

  enum class State : uint8_t { Unwritten, Written, Poison };
  /// That of bytes, which is Written if all are.
  State getState(int64_t byte, int64_t numBytes) const {
    State state = State::Written;
    for (int64_t i = 0; states && i < numBytes && state == State::Written; ++i)
      state = State(states.get()[byte + i]);
    return state;
  }
  void setState(int64_t byte, int64_t numBytes, State state);
  /// Whether a state may be another than Written.
  bool hasStates() const { return bool(states); }
  /// Makes all bytes unwritten. Without memory for that they stay written.
  void forget();

  /// Whether memref.dealloc may free this, and whether it did. The bytes stay
  /// until the last view is gone.
  bool isHeap = false;
  bool isFreed = false;

private:
  struct Free {
    void operator()(uint8_t *bytes) const { std::free(bytes); }
  };
  std::unique_ptr<uint8_t, Free> owned;
  std::unique_ptr<uint8_t, Free> states; // of each byte; null: all written
  uint8_t *data = nullptr;
  int64_t numBytes = 0;
};

/// A strided view. All its elements are within its storage.
struct Array {
  std::shared_ptr<Storage> storage;
  runtime::ElementKind kind = runtime::ElementKind::F32;
  int64_t base = 0;   // the byte of the storage that positions count from
  int64_t offset = 0; // the position of the first element
  mlir::SmallVector<int64_t, 4> shape, strides;

  int64_t getRank() const { return shape.size(); }
  int64_t getNumElements() const;
  /// Whether the elements are contiguous and in C order.
  bool isDense() const;

  /// The position of the element at `index`, which must be inside.
  int64_t getPosition(mlir::ArrayRef<int64_t> index) const;
  int64_t getByte(int64_t position) const {
    return base +
           position * static_cast<int64_t>(runtime::getElementSize(kind));
  }
  uint8_t *at(int64_t position) const {
    return storage->getData() + getByte(position);
  }
  Storage::State getState(int64_t position) const {
    return storage->getState(getByte(position), runtime::getElementSize(kind));
  }
  Scalar read(int64_t position) const;
  void write(int64_t position, Scalar scalar) const;

  /// Whether `index` is inside.
  bool contains(mlir::ArrayRef<int64_t> index) const;
  /// The index of the element that `byte` of the storage belongs to, if there
  /// is one. Strides are those of a slice of a dense array in any order of
  /// axes.
  std::optional<mlir::SmallVector<int64_t>> findIndex(int64_t byte) const;
  /// Whether all elements are within the storage.
  bool fitsStorage() const;
};

/// The run-time value of an SSA value.
using RuntimeValue = std::variant<Scalar, Array>;

/// The strides of a dense array.
mlir::SmallVector<int64_t, 4> getDenseStrides(mlir::ArrayRef<int64_t> shape);

/// The product of sizes that are not negative, or nothing if it overflows.
std::optional<int64_t> getProduct(mlir::ArrayRef<int64_t> sizes);

/// Element `number`, in C order, of a tile of this shape; without axes it is a
/// scalar.
struct TileElement {
  mlir::ArrayRef<int64_t> shape;
  int64_t number = 0;
};
mlir::SmallVector<int64_t> delinearize(TileElement element);

/// "(3, 5)"
std::string formatIndex(mlir::ArrayRef<int64_t> index);

/// "4x5": a shape in diagnostics; a rank of 0 is "scalar".
std::string toString(mlir::ArrayRef<int64_t> shape);

/// A dense array of zeros, or nothing if there is not as much memory.
std::optional<Array> allocate(runtime::ElementKind kind,
                              mlir::ArrayRef<int64_t> shape);

/// Copies elements between arrays of one shape and kind.
void copyElements(const Array &from, const Array &to);

/// Calls `visit` for each index of a space in C order until it returns false;
/// returns whether it never did.
template <typename Visitor>
bool forEachIndex(mlir::ArrayRef<int64_t> shape, Visitor visit) {
  if (llvm::is_contained(shape, 0))
    return true;
  mlir::SmallVector<int64_t, 4> index(shape.size(), 0);
  while (true) {
    if (!visit(mlir::ArrayRef<int64_t>(index)))
      return false;
    int64_t axis = shape.size() - 1;
    for (; axis >= 0 && ++index[axis] == shape[axis]; --axis)
      index[axis] = 0;
    if (axis < 0)
      return true;
  }
}

} // namespace tileir::interp

#endif // TILEIR_LIB_INTERPRETER_CORE_VALUES_H
