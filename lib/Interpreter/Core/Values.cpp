//===- Values.cpp - Arrays and values of the interpreter ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Storage and element access. Elements are read and written as their bits.
//
//===----------------------------------------------------------------------===//

#include "Core/Values.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

/// Larger arrays are taken for a mistake of the program.
static constexpr int64_t kMaxBytes = int64_t(1) << 34;

std::shared_ptr<Storage> Storage::allocate(int64_t numBytes) {
  if (numBytes > kMaxBytes)
    return nullptr;
  auto storage = std::make_shared<Storage>();
  storage->owned.reset(
      static_cast<uint8_t *>(std::calloc(std::max<int64_t>(numBytes, 1), 1)));
  storage->data = storage->owned.get();
  storage->numBytes = numBytes;
  return storage->data ? storage : nullptr;
}

std::shared_ptr<Storage> Storage::borrow(uint8_t *data, int64_t numBytes) {
  auto storage = std::make_shared<Storage>();
  storage->data = data;
  storage->numBytes = numBytes;
  return storage;
}

void Storage::setState(int64_t byte, int64_t count, State state) {
  if (!states && state == State::Written)
    return;
  if (!states) {
    forget();
    if (!states)
      return;
    std::memset(states.get(), int(State::Written), numBytes);
  }
  std::memset(states.get() + byte, int(state), count);
}

void Storage::forget() {
  static_assert(int(State::Unwritten) == 0);
  states.reset(
      static_cast<uint8_t *>(std::calloc(std::max<int64_t>(numBytes, 1), 1)));
}

int64_t Array::getNumElements() const { return *getProduct(shape); }

bool Array::isDense() const {
  if (llvm::is_contained(shape, 0))
    return true;
  int64_t expected = 1;
  for (int64_t axis = getRank() - 1; axis >= 0; --axis) {
    if (shape[axis] != 1 && strides[axis] != expected)
      return false;
    expected *= shape[axis];
  }
  return true;
}

int64_t Array::getPosition(ArrayRef<int64_t> index) const {
  int64_t position = offset;
  for (auto [i, stride] : llvm::zip_equal(index, strides))
    position += i * stride;
  return position;
}

template <typename T> static int64_t load(const uint8_t *data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

static Scalar readBits(ElementKind kind, const uint8_t *data) {
  switch (kind) {
  case ElementKind::I1:
    return {kind, *data & 1};
  case ElementKind::I8:
    return {kind, load<int8_t>(data)};
  case ElementKind::I16:
    return {kind, load<int16_t>(data)};
  case ElementKind::F8E4M3FN:
  case ElementKind::F8E5M2:
    return {kind, load<uint8_t>(data)};
  case ElementKind::F16:
  case ElementKind::BF16:
    return {kind, load<uint16_t>(data)};
  case ElementKind::I32:
    return {kind, load<int32_t>(data)};
  case ElementKind::F32:
    return {kind, load<uint32_t>(data)};
  default:
    return {kind, load<int64_t>(data)};
  }
}

Scalar Array::read(int64_t position) const {
  Scalar scalar = readBits(kind, at(position));
  scalar.isPoison = getState(position) == Storage::State::Poison;
  return scalar;
}

void Array::write(int64_t position, Scalar scalar) const {
  // The low bytes, as on every host that MLIR runs on.
  static_assert(llvm::endianness::native == llvm::endianness::little);
  std::memcpy(at(position), &scalar.bits, getElementSize(kind));
  storage->setState(getByte(position), getElementSize(kind),
                    scalar.isPoison ? Storage::State::Poison
                                    : Storage::State::Written);
}

bool Array::contains(ArrayRef<int64_t> index) const {
  return index.size() == shape.size() &&
         llvm::all_of(llvm::zip_equal(index, shape), [](auto pair) {
           auto [i, size] = pair;
           return i >= 0 && i < size;
         });
}

std::optional<SmallVector<int64_t>> Array::findIndex(int64_t byte) const {
  if (byte < getByte(offset) || llvm::is_contained(shape, 0))
    return std::nullopt;
  int64_t rest =
      (byte - getByte(offset)) / static_cast<int64_t>(getElementSize(kind));
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq(getRank()));
  llvm::sort(axes, [&](int64_t left, int64_t right) {
    return strides[left] > strides[right];
  });
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t axis : axes) {
    if (shape[axis] == 1 || strides[axis] <= 0)
      continue;
    index[axis] = std::min(rest / strides[axis], shape[axis] - 1);
    rest -= index[axis] * strides[axis];
  }
  if (rest != 0)
    return std::nullopt;
  return index;
}

bool Array::fitsStorage() const {
  if (llvm::is_contained(shape, 0))
    return true;
  std::optional<int64_t> lowest = offset, highest = offset;
  for (auto [size, stride] : llvm::zip_equal(shape, strides)) {
    std::optional<int64_t> &bound = stride < 0 ? lowest : highest;
    bound = llvm::checkedMulAdd(size - 1, stride, *bound);
    if (!bound)
      return false;
  }
  int64_t capacity = (storage->getNumBytes() - base) /
                     static_cast<int64_t>(getElementSize(kind));
  return *lowest >= 0 && *highest < capacity;
}

SmallVector<int64_t, 4> interp::getDenseStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t, 4> strides(shape.size(), 1);
  for (int64_t axis = int64_t(shape.size()) - 2; axis >= 0; --axis)
    // Wraps only where some other size is 0.
    strides[axis] = static_cast<int64_t>(uint64_t(strides[axis + 1]) *
                                         uint64_t(shape[axis + 1]));
  return strides;
}

std::optional<int64_t> interp::getProduct(ArrayRef<int64_t> sizes) {
  if (llvm::is_contained(sizes, 0))
    return 0;
  std::optional<int64_t> product = 1;
  for (int64_t size : sizes)
    if (!(product = llvm::checkedMul(*product, size)))
      return std::nullopt;
  return product;
}

SmallVector<int64_t> interp::delinearize(TileElement element) {
  SmallVector<int64_t> index(element.shape);
  for (int64_t &i : llvm::reverse(index)) {
    int64_t size = i;
    i = element.number % size;
    element.number /= size;
  }
  return index;
}

std::string interp::formatIndex(ArrayRef<int64_t> index) {
  std::string text = "(";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(index, os);
  return text + ")";
}

std::string interp::toString(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  return llvm::join(
      llvm::map_range(shape, [](int64_t size) { return std::to_string(size); }),
      "x");
}

std::optional<Array> interp::allocate(ElementKind kind,
                                      ArrayRef<int64_t> shape) {
  auto numElements = getProduct(shape);
  auto numBytes = numElements ? llvm::checkedMul<int64_t>(*numElements,
                                                          getElementSize(kind))
                              : std::nullopt;
  auto storage = numBytes ? Storage::allocate(*numBytes) : nullptr;
  if (!storage)
    return std::nullopt;
  Array array;
  array.storage = std::move(storage);
  array.kind = kind;
  array.shape.assign(shape.begin(), shape.end());
  array.strides = getDenseStrides(shape);
  return array;
}

void interp::copyElements(const Array &from, const Array &to) {
  if (llvm::is_contained(from.shape, 0))
    return;
  size_t size = getElementSize(from.kind);
  bool hasStates = from.storage->hasStates() || to.storage->hasStates();
  if (!hasStates && from.isDense() && to.isDense()) {
    std::memmove(to.at(to.offset), from.at(from.offset),
                 from.getNumElements() * size);
    return;
  }
  forEachIndex(from.shape, [&](ArrayRef<int64_t> index) {
    int64_t source = from.getPosition(index), target = to.getPosition(index);
    std::memcpy(to.at(target), from.at(source), size);
    to.storage->setState(to.getByte(target), size, from.getState(source));
    return true;
  });
}
