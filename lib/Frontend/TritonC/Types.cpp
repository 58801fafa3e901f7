//===- Types.cpp - Types of Triton-C values -------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Types.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tileir::triton_c {

bool isFloat(Element element) { return element >= Element::Half; }

bool isUnsigned(Element element) {
  return element == Element::Bool ||
         (element >= Element::UInt8 && element <= Element::UInt64);
}

unsigned getBits(Element element) {
  switch (element) {
  case Element::Bool:
    return 1;
  case Element::Int8:
  case Element::UInt8:
    return 8;
  case Element::Int16:
  case Element::UInt16:
  case Element::Half:
  case Element::BFloat16:
    return 16;
  case Element::Int32:
  case Element::UInt32:
  case Element::Float:
    return 32;
  case Element::Int64:
  case Element::UInt64:
  case Element::Double:
    return 64;
  }
  llvm_unreachable("all elements are listed");
}

llvm::StringRef getName(Element element) {
  static constexpr llvm::StringLiteral names[] = {
      "bool",   "int8",   "int16", "int",      "int64", "uint8", "uint16",
      "uint32", "uint64", "half",  "bfloat16", "float", "double"};
  return names[static_cast<unsigned>(element)];
}

Element promote(Element element) {
  return !isFloat(element) && getBits(element) < 32 ? Element::Int32 : element;
}

Element getCommon(Element lhs, Element rhs) {
  if (isFloat(lhs) || isFloat(rhs)) {
    if (!isFloat(lhs) || !isFloat(rhs))
      return isFloat(lhs) ? lhs : rhs;
    // Neither of the two formats of 16 bits holds the other.
    if (lhs != rhs && getBits(lhs) == 16 && getBits(rhs) == 16)
      return Element::Float;
    return std::max(lhs, rhs);
  }
  lhs = promote(lhs);
  rhs = promote(rhs);
  if (getBits(lhs) != getBits(rhs))
    return getBits(lhs) > getBits(rhs) ? lhs : rhs;
  return isUnsigned(lhs) ? lhs : rhs;
}

bool holds(Element element, int64_t value) {
  unsigned bits = getBits(element);
  if (isUnsigned(element))
    return value >= 0 && (bits == 64 || llvm::isUIntN(bits, value));
  return llvm::isIntN(bits, value);
}

int64_t wrap(Element element, int64_t value) {
  unsigned bits = getBits(element);
  if (element == Element::Bool)
    return value != 0;
  if (bits == 64)
    return value;
  if (isUnsigned(element))
    return value & llvm::maskTrailingOnes<uint64_t>(bits);
  return llvm::SignExtend64(value, bits);
}

double roundTo(Element element, double value) {
  const llvm::fltSemantics *semantics = &llvm::APFloat::IEEEdouble();
  if (element == Element::Half)
    semantics = &llvm::APFloat::IEEEhalf();
  else if (element == Element::BFloat16)
    semantics = &llvm::APFloat::BFloat();
  else if (element == Element::Float)
    semantics = &llvm::APFloat::IEEEsingle();
  llvm::APFloat number(value);
  bool isExact;
  number.convert(*semantics, llvm::APFloat::rmNearestTiesToEven, &isExact);
  number.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &isExact);
  return number.convertToDouble();
}

int64_t ValueType::countElements() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

ValueType ValueType::withShape(llvm::ArrayRef<int64_t> sizes) const {
  ValueType type = *this;
  type.shape.assign(sizes.begin(), sizes.end());
  return type;
}

ValueType ValueType::withElement(Element other) const {
  ValueType type = *this;
  type.element = other;
  return type;
}

std::string ValueType::str() const {
  std::string text = getName(element).str();
  if (isPointer)
    text += "*";
  return isTile() ? text + toString(shape) : text;
}

std::string toString(llvm::ArrayRef<int64_t> sizes) {
  std::string text = "[";
  for (auto [i, size] : llvm::enumerate(sizes))
    text += (i ? ", " : "") + llvm::itostr(size);
  return text + "]";
}

std::optional<Sizes> broadcastShapes(llvm::ArrayRef<int64_t> lhs,
                                     llvm::ArrayRef<int64_t> rhs) {
  if (lhs.size() < rhs.size())
    std::swap(lhs, rhs);
  Sizes result(lhs.begin(), lhs.end());
  size_t pad = lhs.size() - rhs.size();
  for (size_t i = 0; i < rhs.size(); ++i) {
    int64_t &size = result[pad + i];
    if (size != rhs[i] && size != 1 && rhs[i] != 1)
      return std::nullopt;
    if (size == 1)
      size = rhs[i];
  }
  return result;
}

} // namespace tileir::triton_c
