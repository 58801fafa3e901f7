//===- ExecFloat.h ----------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floating-point types narrower than float, in registers of 32 lanes: their
// conversions, and how arithmetic on each type is done. f16 and bf16 are bits
// in 32-bit lanes; arithmetic is done in float and then rounded to the narrow
// type. Float has at least 2p+2 bits for both, so that this gives the same as
// rounding once for + - * / and the square root; multiply-adds and conversions
// from wider types go through rounding to odd.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_EXEC_EXECFLOAT_H
#define TILEIR_LIB_SIMULATOR_EXEC_EXECFLOAT_H

#include "Exec/Exec.h"

namespace tileir::sim {
namespace TILEIR_SIM_ISA {

/// The vectors of bits, signed and unsigned, of a vector of float or double.
template <typename F> struct BitsOf;
template <> struct BitsOf<F32> {
  typedef U32 Unsigned;
  typedef S32 Signed;
};
template <> struct BitsOf<F64> {
  typedef U64 Unsigned;
  typedef S64 Signed;
};

SIM_INLINE F64 toDouble(F32 x) { return __builtin_convertvector(x, F64); }

#ifdef __F16C__
typedef uint16_t U16 __attribute__((vector_size(64), may_alias));
typedef _Float16 F16 __attribute__((vector_size(64), may_alias));

SIM_INLINE F32 halfToFloat(U32 bits) {
  return __builtin_convertvector((F16) __builtin_convertvector(bits, U16), F32);
}
/// Rounds to nearest even.
SIM_INLINE U32 floatToHalf(F32 x) {
  return __builtin_convertvector((U16) __builtin_convertvector(x, F16), U32);
}
#else
SIM_INLINE F32 halfToFloat(U32 bits) {
  // As a float, the shifted bits are the value * 2^-112, subnormals too.
  U32 shifted = (bits & 0x7fff) << 13;
  U32 value = (U32)((F32)shifted * 0x1p112f);
  U32 special = (U32)((S32)shifted >= 0x1f << 23) & 0x7f800000; // inf, NaN
  return (F32)(value | special | (bits & 0x8000) << 16);
}
/// Rounds to nearest even.
SIM_INLINE U32 floatToHalf(F32 x) {
  U32 bits = (U32)x, magnitude = bits & 0x7fffffff;
  // A carry out of the mantissa goes on to the exponent, up to infinity.
  U32 normal =
      (magnitude + (0xfff - (112u << 23)) + (magnitude >> 13 & 1)) >> 13;
  // The last bit of 0.5 is worth 2^-24, as that of subnormal halves: adding
  // rounds there.
  U32 subnormal = (U32)((F32)magnitude + 0.5f) - 0x3f000000;
  U32 nan = 0x7e00 | (magnitude >> 13 & 0x3ff);
  U32 large = (S32)magnitude > 0x7f800000 ? nan : U32{} + 0x7c00;
  U32 half = (S32)magnitude < 113 << 23 ? subnormal : normal;
  half = (S32)magnitude >= 143 << 23 ? large : half;
  return half | (bits >> 16 & 0x8000);
}
#endif

SIM_INLINE F32 bfloatToFloat(U32 bits) { return (F32)(bits << 16); }
/// Rounds to nearest even.
SIM_INLINE U32 floatToBFloat(F32 x) {
  U32 bits = (U32)x;
  U32 rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return x == x ? rounded : bits >> 16 | 0x40;
}
/// The byte of an f8 in the place of a half's bits: E5M2 is the upper half of
/// one. E4M3 has an exponent that is a bit shorter and 8 less, no infinities,
/// and NaN where all bits are ones.
SIM_INLINE F32 e5m2ToFloat(U32 bits) { return halfToFloat(bits << 8); }
SIM_INLINE F32 e4m3ToFloat(U32 bits) {
  U32 magnitude = bits & 0x7f;
  U32 half = (bits & 0x80) << 8 | magnitude << 7;
  F32 value = halfToFloat(half) * 256;
  U32 nan = (U32)(magnitude == 0x7f) & 0x7fc00000;
  return (F32)((U32)value | nan);
}

/// A float to an f8 whose largest number has the bits `largest`, to nearest
/// even: what is larger becomes that number, infinities too.
template <unsigned mantissa, unsigned bias, int largest>
SIM_INLINE U32 floatToF8(F32 x) {
  constexpr unsigned dropped = 23 - mantissa, rebias = (127 - bias) << 23;
  U32 bits = (U32)x, magnitude = bits & 0x7fffffff;
  U32 normal = (magnitude + ((1u << (dropped - 1)) - 1 - rebias) +
                (magnitude >> dropped & 1)) >>
               dropped;
  // The last bit of this float is worth that of subnormal numbers: adding
  // rounds there.
  constexpr unsigned shifter = (1 - bias - mantissa + 23 + 127) << 23;
  U32 subnormal = (U32)((F32)magnitude + (F32)(U32{} + shifter)) - shifter;
  U32 result = (S32)magnitude < int(rebias + (1u << 23)) ? subnormal : normal;
  result = (S32)result > largest ? U32{} + unsigned(largest) : result;
  result |= bits >> 24 & 0x80;
  return (S32)magnitude > 0x7f800000 ? U32{} + 0x7f : result; // NaN
}
SIM_INLINE U32 floatToE4M3(F32 x) { return floatToF8<3, 7, 0x7e>(x); }
SIM_INLINE U32 floatToE5M2(F32 x) { return floatToF8<2, 15, 0x7b>(x); }

/// tf32 is a float whose low 13 bits are not looked at.
SIM_INLINE F32 tf32ToFloat(U32 bits) { return (F32)(bits & ~0x1fffu); }
/// Rounds to nearest, half away from zero.
SIM_INLINE U32 floatToTf32(F32 x) {
  U32 bits = (U32)x;
  return (x == x ? bits + 0x1000 : bits | 0x400000) & ~0x1fffu;
}

/// x + error rounded to odd, where x is that sum rounded to nearest and only
/// the sign of `error` matters: what is not exact gets an odd last bit, so that
/// rounding again, to at least two bits less, gives what rounding once gives.
template <typename F> SIM_INLINE F roundToOdd(F x, F error) {
  typedef typename BitsOf<F>::Unsigned U;
  typedef typename BitsOf<F>::Signed S;
  U bits = (U)x;
  U inexact = (U)((error > 0) | (error < 0)); // not if NaN, from an infinite x
  // Toward zero first, if the error points there.
  U inward = inexact & (U)((S)(bits ^ (U)error) < 0);
  return (F)((bits + inward) | (inexact & 1));
}
/// a + b rounded to odd.
template <typename F> SIM_INLINE F addOdd(F a, F b) {
  F sum = a + b;
  F shareOfB = sum - a; // the error of a sum is a number (Knuth)
  return roundToOdd(sum, (a - (sum - shareOfB)) + (b - shareOfB));
}
/// A double rounded to float, to odd.
SIM_INLINE F32 doubleToFloatOdd(F64 x) {
  F32 rounded = __builtin_convertvector(x, F32);
  F64 error = x - toDouble(rounded);
  // The error itself may be too small for a float: its sign will do.
  S64 sign = (error < 0) - (error > 0);
  return roundToOdd(rounded, __builtin_convertvector(
                                 __builtin_convertvector(sign, S32), F32));
}

/// Zeros of their signs in place of numbers below `smallest`, the bits of the
/// smallest normal number.
template <typename Bits, typename Lane>
SIM_INLINE Bits flushBits(Bits bits, Lane signBit, Lane smallest) {
  Bits isSmall = (Bits)((bits & ~signBit) < smallest);
  return bits & (~isSmall | signBit);
}

// The types: Bits is the vector that a register holds, Float the one that
// arithmetic is done in, Lane its element, signBit a bit of Bits.

struct TypeF16 {
  typedef U32 Bits;
  typedef F32 Float;
  typedef float Lane;
  static constexpr uint32_t signBit = 0x8000;
  /// The smallest normal number.
  static constexpr uint32_t smallest = 0x0400;
  static constexpr int32_t infinity = 0x7c00;
  SIM_INLINE F32 load(U32 bits) { return halfToFloat(bits); }
  SIM_INLINE U32 store(F32 x) { return floatToHalf(x); }
  SIM_INLINE U32 store(F64 x) { return floatToHalf(doubleToFloatOdd(x)); }
};
struct TypeBF16 {
  typedef U32 Bits;
  typedef F32 Float;
  typedef float Lane;
  static constexpr uint32_t signBit = 0x8000;
  static constexpr uint32_t smallest = 0x0080;
  static constexpr int32_t infinity = 0x7f80;
  SIM_INLINE F32 load(U32 bits) { return bfloatToFloat(bits); }
  SIM_INLINE U32 store(F32 x) { return floatToBFloat(x); }
  SIM_INLINE U32 store(F64 x) { return floatToBFloat(doubleToFloatOdd(x)); }
};
struct TypeF32 {
  typedef U32 Bits;
  typedef F32 Float;
  typedef float Lane;
  static constexpr uint32_t signBit = 0x80000000;
  static constexpr uint32_t smallest = 0x00800000;
  static constexpr int32_t infinity = 0x7f800000;
  SIM_INLINE F32 load(U32 bits) { return (F32)bits; }
  SIM_INLINE U32 store(F32 x) { return (U32)x; }
  SIM_INLINE U32 store(F64 x) { return (U32) __builtin_convertvector(x, F32); }
};
struct TypeF64 {
  typedef U64 Bits;
  typedef F64 Float;
  typedef double Lane;
  static constexpr uint64_t signBit = uint64_t(1) << 63;
  static constexpr uint64_t smallest = uint64_t(1) << 52;
  SIM_INLINE F64 load(U64 bits) { return (F64)bits; }
  SIM_INLINE U64 store(F64 x) { return (U64)x; }
};

/// What is to be added to the bits of a number rounded to nearest, so that it
/// is rounded as `rounding` says: -1, 0 or 1. `above`: it is greater than the
/// exact number, `below`: it is less; `isNegative`: the exact number is.
template <typename S>
SIM_INLINE S getStep(S above, S below, S isNegative, int64_t rounding) {
  S inward = (above & ~isNegative) | (below & isNegative);
  if (rounding == int64_t(Rounding::Zero))
    return inward;
  S wrong = rounding == int64_t(Rounding::Down) ? above : below;
  return (inward & wrong) - (~inward & wrong);
}

/// A register of type T with the number x, rounded once.
template <typename T, typename F>
SIM_INLINE U32 roundTo(F x, int64_t rounding) {
  typedef typename BitsOf<F>::Signed S;
  U32 nearest = T::store(x);
  if (__builtin_expect(rounding == int64_t(Rounding::Nearest), 1))
    return nearest;
  F found;
  if constexpr (sizeof(F) == sizeof(F64))
    found = toDouble(T::load(nearest));
  else
    found = T::load(nearest);
  S step = getStep((S)(found > x), (S)(found < x), (S)(x < 0), rounding);
  return nearest + (U32) __builtin_convertvector(step, S32);
}

} // namespace TILEIR_SIM_ISA
} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_EXEC_EXECFLOAT_H
