//===- Scalar.h - Values of one element -------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scalar is its bits, so that moving one never changes it (not even the
// payload of a NaN). Arithmetic on floats goes through double: for f16, bf16
// and f32 the result of one +, -, *, / or square root, rounded to double and
// then to the type, is the correctly rounded one, because 53 bits are at least
// twice the type's precision plus two.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_INTERPRETER_CORE_SCALAR_H
#define TILEIR_LIB_INTERPRETER_CORE_SCALAR_H

#include "tileir/Runtime/NDArray.h"

namespace tileir::interp {

/// An integer or float. The bits of an integer are sign extended to 64 (those
/// of an i1 are 0 or 1), the encoding of a float is in the low bits, others 0.
struct Scalar {
  runtime::ElementKind kind = runtime::ElementKind::Index;
  int64_t bits = 0;
  /// Nothing may depend on the value (see interpretKernel).
  bool isPoison = false;

  bool operator==(const Scalar &other) const {
    return kind == other.kind && bits == other.bits;
  }
};

/// The width in bits; an index has 64.
unsigned getWidth(runtime::ElementKind kind);

/// The low bits of `value` as an integer of `kind`.
Scalar makeInteger(runtime::ElementKind kind, int64_t value);
inline Scalar makeIndex(int64_t value) {
  return {runtime::ElementKind::Index, value};
}
inline Scalar makeBool(bool value) { return {runtime::ElementKind::I1, value}; }

/// An integer, read as two's complement (a true i1 is -1) or as unsigned.
int64_t toSigned(Scalar scalar);
uint64_t toUnsigned(Scalar scalar);

/// `value` rounded to nearest even of the float type `kind`.
Scalar makeFloat(runtime::ElementKind kind, double value);
double roundTo(runtime::ElementKind kind, double value);

/// `value` rounded to tf32, which has 10 bits of mantissa, to nearest, ties
/// away from zero, as `cvt.rna.tf32.f32` does.
float roundToTF32(float value);

/// The exact value of a float.
double toDouble(Scalar scalar);

llvm::APFloat toAPFloat(Scalar scalar);
Scalar makeFloat(runtime::ElementKind kind, const llvm::APFloat &value);

/// As printed in diagnostics: "7", "-0.5", "nan".
std::string toString(Scalar scalar);

} // namespace tileir::interp

#endif // TILEIR_LIB_INTERPRETER_CORE_SCALAR_H
