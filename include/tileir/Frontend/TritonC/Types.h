//===- Types.h - Types of Triton-C values -----------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_FRONTEND_TRITONC_TYPES_H
#define TILEIR_FRONTEND_TRITONC_TYPES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tileir::triton_c {

enum class Element {
  Bool,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Half,
  BFloat16,
  Float,
  Double,
};

bool isFloat(Element element);
/// Also of bool.
bool isUnsigned(Element element);
/// 1 for bool.
unsigned getBits(Element element);
llvm::StringRef getName(Element element);
/// What C's integer promotions make of it.
Element promote(Element element);
/// The type in which an operator works on operands of these types: C's usual
/// arithmetic conversions, with half and bfloat16 below float.
Element getCommon(Element lhs, Element rhs);
/// Whether the integer type holds `value`.
bool holds(Element element, int64_t value);
/// What an integer type makes of `value`, modulo its width.
int64_t wrap(Element element, int64_t value);

/// What a float type makes of `value`.
double roundTo(Element element, double value);

using Sizes = llvm::SmallVector<int64_t, 4>;

/// A scalar or a tile of numbers or of pointers to numbers.
struct ValueType {
  Element element = Element::Int32;
  bool isPointer = false;
  /// Whether what a pointer points at is only read.
  bool isConst = false;
  /// Empty for a scalar.
  Sizes shape;

  bool isTile() const { return !shape.empty(); }
  bool isInteger() const { return !isPointer && !isFloat(element); }
  int64_t countElements() const;
  ValueType withShape(llvm::ArrayRef<int64_t> sizes) const;
  ValueType withElement(Element other) const;
  /// Of the same element, scalar or not; const does not matter.
  bool hasSameElement(const ValueType &other) const {
    return element == other.element && isPointer == other.isPointer;
  }
  bool operator==(const ValueType &other) const {
    return hasSameElement(other) && shape == other.shape;
  }
  /// As messages call it: float*[16, 32].
  std::string str() const;
};

/// [16, 32]
std::string toString(llvm::ArrayRef<int64_t> sizes);
/// The common shape of operands: the shorter one is padded with ones on the
/// left, then sizes of one are repeated. None if they do not fit.
std::optional<Sizes> broadcastShapes(llvm::ArrayRef<int64_t> lhs,
                                     llvm::ArrayRef<int64_t> rhs);

} // namespace tileir::triton_c

#endif // TILEIR_FRONTEND_TRITONC_TYPES_H
