//===- Inputs.cpp - Arrays that programs are run on -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Inputs.h"

#include "mlir/Support/DebugStringHelper.h"

#include <algorithm>

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::runtime;

/// The largest argument that is drawn, in bytes; it is copied for each run.
static constexpr double kMaxDrawnBytes = 0x1p31;
/// Integers are drawn from here, where nothing else is said.
static constexpr int64_t kDrawnLow = -4, kDrawnHigh = 4;

/// The size of an array in bytes; a double, which does not overflow.
static double getNumBytes(ArrayRef<int64_t> shape, double elementBytes) {
  for (int64_t size : shape)
    elementBytes *= static_cast<double>(size);
  return elementBytes;
}

/// The kinds that an item can name: all but index, which files do not have.
static constexpr ElementKind kKinds[] = {
    ElementKind::I1,     ElementKind::I8,  ElementKind::I16,
    ElementKind::I32,    ElementKind::I64, ElementKind::F8E4M3FN,
    ElementKind::F8E5M2, ElementKind::F16, ElementKind::BF16,
    ElementKind::F32,    ElementKind::F64};

static std::optional<ElementKind> parseKind(StringRef name) {
  for (ElementKind kind : kKinds)
    if (getElementName(kind) == name)
      return kind;
  return std::nullopt;
}

bool execution::isScalarInput(StringRef item) {
  return item.contains(':') && parseKind(item.split(':').first);
}

std::string execution::addScalarKind(StringRef item, ElementKind kind) {
  if (item == "true" || item == "false")
    return (getElementName(kind) + Twine(item == "true" ? ":1" : ":0")).str();
  double number;
  uint64_t integer;
  if (item.getAsDouble(number) && item.getAsInteger(0, integer))
    return item.str();
  return (getElementName(kind) + ":" + item).str();
}

static Error failItem(StringRef item, const Twine &message) {
  return createStringError("--inputs: '" + item + "': " + message);
}

/// "128x64xf32".
static Expected<NDArray> parseShape(StringRef item, StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  std::optional<ElementKind> kind = parseKind(parts.pop_back_val());
  SmallVector<int64_t> shape;
  for (StringRef part : parts)
    if (part.getAsInteger(10, shape.emplace_back()) || shape.back() < 0)
      kind.reset();
  if (!kind)
    return failItem(item, "expected sizes and an element type, such as "
                          "128x64xf32, found '" +
                              text + "'");
  if (getNumBytes(shape, getElementSize(*kind)) > kMaxDrawnBytes)
    return failItem(item, "is too large: expected at most 2^31 bytes");
  return NDArray(*kind, shape);
}

/// The value of "i32:5", "f16:0.5".
static Expected<NDArray> parseScalar(StringRef item, ElementKind kind,
                                     StringRef text) {
  NDArray scalar(kind, {});
  if (isFloat(kind)) {
    double value;
    if (text.getAsDouble(value))
      return failItem(item, "expected a number, found '" + text + "'");
    scalar.setDouble(0, value);
    return scalar;
  }
  // The number may be signed or unsigned.
  unsigned bits = kind == ElementKind::I1 ? 1 : getElementSize(kind) * 8;
  int64_t value;
  uint64_t unsignedValue;
  if (!text.getAsInteger(0, value) && isIntN(bits, value))
    scalar.setInteger(0, value);
  else if (!text.getAsInteger(0, unsignedValue) && isUIntN(bits, unsignedValue))
    scalar.setInteger(0, static_cast<int64_t>(unsignedValue));
  else
    return failItem(item, "expected an integer of " + Twine(bits) +
                              " bits, found '" + text + "'");
  return scalar;
}

Expected<NDArray> execution::readInput(StringRef item, RandomArrays &random,
                                       UnsignedIntegers unsignedIntegers) {
  auto [what, rest] = item.split(':');
  bool isDrawn = what == "random";
  if (isDrawn || what == "zeros" || what == "nan") {
    auto array = parseShape(item, rest);
    if (!array)
      return array.takeError();
    if (what == "nan")
      std::fill_n(array->getData(), array->getNumBytes(), 0xFF);
    return isDrawn ? random.draw(array->getKind(), array->getShape(), kDrawnLow,
                                 kDrawnHigh)
                   : std::move(*array);
  }
  if (std::optional<ElementKind> kind = parseKind(what))
    return parseScalar(item, *kind, rest);
  return readNumPy(item, unsignedIntegers);
}

/// The kind of the elements of an argument. NumPy has no index type: it reads
/// as a 64-bit integer.
static ElementKind getKind(ShapedType type) {
  return *getElementKind(type.getElementType());
}

Expected<SmallVector<NDArray>>
execution::readInputs(func::FuncOp entry, ArrayRef<std::string> items,
                      uint64_t seed) {
  if (items.size() != entry.getNumArguments())
    return createStringError("--inputs: expected " +
                             Twine(entry.getNumArguments()) +
                             " files for the arguments of @" + entry.getName() +
                             ", found " + Twine(items.size()));
  SmallVector<NDArray> arrays;
  RandomArrays random(seed);
  for (auto [i, item] : llvm::enumerate(items)) {
    auto array = readInput(item, random);
    if (!array)
      return array.takeError();
    auto type = cast<ShapedType>(entry.getArgumentTypes()[i]);
    ElementKind kind = getKind(type);
    ElementKind found = array->getKind();
    if (kind == ElementKind::Index && found == ElementKind::I64)
      found = kind;
    // Files do not tell one f8 from another (see NumPyFile.h).
    if (kind == ElementKind::F8E5M2 && found == ElementKind::F8E4M3FN &&
        StringRef(item).ends_with(".npy"))
      found = kind;
    if (found != kind ||
        failed(verifyCompatibleShape(type.getShape(), array->getShape())))
      return createStringError(
          item + ": expected " + shapeToString(type.getShape(), kind) +
          " for argument " + Twine(i) + " of @" + entry.getName() + ", found " +
          shapeToString(array->getShape(), array->getKind()));
    NDArray argument(kind, array->getShape());
    std::copy_n(array->getData(), array->getNumBytes(), argument.getData());
    arrays.push_back(std::move(argument));
  }
  return arrays;
}

Expected<SmallVector<NDArray>> execution::drawInputs(func::FuncOp entry,
                                                     uint64_t seed) {
  RandomArrays random(seed);
  SmallVector<NDArray> arrays;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    auto type = cast<ShapedType>(entry.getArgumentTypes()[i]);
    SmallVector<int64_t> shape(type.getShape());
    if (!type.hasStaticShape()) {
      auto example =
          entry.getArgAttrOfType<DenseI64ArrayAttr>(i, "einsum.example_shape");
      if (!example)
        return createStringError(
            "--random: argument " + Twine(i) + " of @" + entry.getName() +
            " has dynamic sizes (" + debugString(type) +
            "): give --inputs, or the attribute einsum.example_shape = "
            "array<i64: ...>");
      shape.assign(example.asArrayRef().begin(), example.asArrayRef().end());
    }
    // An array that would not fit in memory is better refused than tried.
    if (getNumBytes(shape, getElementSize(getKind(type))) > kMaxDrawnBytes)
      return createStringError("--random: argument " + Twine(i) + " of @" +
                               entry.getName() + " (" +
                               shapeToString(shape, getKind(type)) +
                               ") is too large: expected at most 2^31 bytes");
    int64_t low = kDrawnLow, high = kDrawnHigh;
    if (auto range = entry.getArgAttrOfType<DenseI64ArrayAttr>(
            i, "einsum.value_range")) {
      low = range[0];
      high = range[1];
    }
    arrays.push_back(random.draw(getKind(type), shape, low, high));
  }
  return arrays;
}
