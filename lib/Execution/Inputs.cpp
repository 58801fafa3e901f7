//===- Inputs.cpp - What --inputs can say ---------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Inputs.h"

#include "tileir/Execution/Arguments.h"
#include "tileir/Runtime/NumPy.h"

#include <algorithm>

using namespace llvm;
using namespace tileir;
using namespace tileir::execution;

/// The kinds that an item can name: all but index, which files do not have.
static constexpr ElementKind kKinds[] = {
    ElementKind::I1,   ElementKind::I8,  ElementKind::I16,
    ElementKind::I32,  ElementKind::I64, ElementKind::F16,
    ElementKind::BF16, ElementKind::F32, ElementKind::F64};

static std::optional<ElementKind> parseKind(StringRef name) {
  for (ElementKind kind : kKinds)
    if (getElementName(kind) == name)
      return kind;
  return std::nullopt;
}

bool execution::isScalarInput(StringRef item) {
  return item.contains(':') && parseKind(item.split(':').first);
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
  // As signed or as unsigned number.
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

Expected<NDArray> execution::readInput(StringRef item, RandomArrays &random) {
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
  return readNumPy(item);
}
