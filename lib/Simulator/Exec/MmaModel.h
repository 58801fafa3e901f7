//===- MmaModel.h -----------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums of products as tensor cores round them, by published measurements: the
// products are exact; they and the accumulator are aligned to the largest
// exponent and cut, toward zero, to some bits behind the point; their sum is
// rounded to f32 toward zero, or to f16 to nearest even. A chip does some
// products at a time and hands the rounded sum on to the next ones.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_EXEC_MMAMODEL_H
#define TILEIR_LIB_SIMULATOR_EXEC_MMAMODEL_H

#include "Exec/ExecFloat.h"

namespace tileir::sim {
namespace TILEIR_SIM_ISA {

/// Rounds to nearest even, once: of the bits that a float does not hold, it
/// keeps whether there are any. (A value that float holds less exactly is 0 as
/// a half.)
SIM_INLINE U32 doubleToHalf(F64 x) {
  const uint64_t rest = (uint64_t(1) << 29) - 1;
  U64 bits = (U64)x;
  F64 sticky = (F64)((bits | ((bits & rest) + rest)) & ~rest);
  return floatToHalf(__builtin_convertvector(sticky, F32));
}

/// The smallest exponent of normal numbers of a type.
constexpr int getLeastExponent(ElementType type) {
  return type == ElementType::E4M3                               ? -6
         : type == ElementType::E5M2 || type == ElementType::F16 ? -14
                                                                 : -126;
}

/// The exponent of a number, of subnormal ones that of the smallest normal one.
SIM_INLINE int getExponent(double x, int least) {
  int exponent = __builtin_ilogb(x);
  return exponent < least ? least : exponent;
}

/// Toward zero, to a float with so many bits behind the point; too large ones
/// become infinite.
SIM_INLINE double cutToFloat(double x, int fractionBits) {
  union {
    float value;
    uint32_t bits;
  } rounded = {float(x)};
  if (__builtin_fabs(x) >= 0x1p128)
    return rounded.value;
  if (__builtin_fabs(double(rounded.value)) > __builtin_fabs(x))
    --rounded.bits;
  if (fractionBits < 23 && x - x == 0)
    rounded.bits &= ~0u << (23 - fractionBits);
  return rounded.value;
}

/// To nearest even.
SIM_INLINE double roundToHalf(double x) {
  if (x == 0 || x - x != 0)
    return x;
  double unit = __builtin_ldexp(1.0, getExponent(x, -14) - 10);
  double rounded = __builtin_rint(x / unit) * unit;
  return __builtin_fabs(rounded) > 65504
             ? __builtin_copysign(__builtin_inf(), x)
             : rounded;
}

/// What the model has to know of an mma.
struct ModelledTypes {
  unsigned elementBytes;  ///< of A and B
  int leastOfA, leastOfB; ///< the smallest exponents of their normal numbers
  bool isHalf;            ///< D is of f16
  int fractionBits;       ///< of the chip's sums for these types
};

/// c + the `count` products of a and b, `stride` apart in b.
SIM_INLINE double addGroup(const double *a, const double *b, unsigned stride,
                           unsigned count, double c,
                           const ModelledTypes &types) {
  double sum = c;
  for (unsigned i = 0; i < count; ++i)
    sum += a[i] * b[i * stride];
  if (sum - sum != 0) // an operand is no number, or infinite
    return sum;
  constexpr int kNone = -10000;
  int largest = c == 0 ? kNone : getExponent(c, -126);
  for (unsigned i = 0; i < count; ++i) {
    double right = b[i * stride];
    if (a[i] == 0 || right == 0)
      continue;
    int exponent =
        getExponent(a[i], types.leastOfA) + getExponent(right, types.leastOfB);
    largest = exponent > largest ? exponent : largest;
  }
  if (largest == kNone)
    return sum; // zero
  double scale = __builtin_ldexp(1.0, types.fractionBits - largest);
  double fixed = __builtin_trunc(c * scale);
  for (unsigned i = 0; i < count; ++i)
    fixed += __builtin_trunc(a[i] * b[i * stride] * scale);
  return fixed / scale;
}

/// c + the `k` products of a row of A and a column of B, as the chip does it.
SIM_INLINE double addAsHardware(const MmaModel &model, const double *a,
                                const double *b, unsigned stride, unsigned k,
                                double c, const ModelledTypes &types) {
  unsigned group = model.groupBytes / types.elementBytes;
  group = group < k ? group : k;
  for (unsigned i = 0; i < k; i += group) {
    c = addGroup(a + i, b + i * stride, stride, group, c, types);
    c = types.isHalf ? roundToHalf(c) : cutToFloat(c, types.fractionBits);
  }
  return c;
}

} // namespace TILEIR_SIM_ISA
} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_EXEC_MMAMODEL_H
