//===- ExecConvert.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of conversions between floating-point types, and between them and
// integers. Types wider than float go through double, rounded to odd where
// double does not hold it (ExecFloat.h).
//
//===----------------------------------------------------------------------===//

#include "Exec/ExecFloat.h"

namespace tileir::sim {
namespace TILEIR_SIM_ISA {
namespace {

//===----------------------------------------------------------------------===//
// Integers to floating point.
//===----------------------------------------------------------------------===//

/// The upper and lower halves of 64-bit integers: x is their sum.
SIM_INLINE F64 upperHalf(S64 x) {
  S32 half = __builtin_convertvector(x >> 32, S32);
  return __builtin_convertvector(half, F64) * 0x1p32;
}
SIM_INLINE F64 upperHalf(U64 x) {
  U32 half = __builtin_convertvector(x >> 32, U32);
  return __builtin_convertvector(half, F64) * 0x1p32;
}
SIM_INLINE F64 lowerHalf(U64 x) {
  return __builtin_convertvector(__builtin_convertvector(x, U32), F64);
}

/// x + error, where only the sign of `error` matters.
SIM_INLINE U64 roundSum(F64 x, F64 error, int64_t rounding) {
  if (__builtin_expect(rounding == int64_t(Rounding::Nearest), 1))
    return (U64)x;
  S64 step =
      getStep((S64)(error < 0), (S64)(error > 0), (S64)(x < 0), rounding);
  return (U64)x + (U64)step;
}

template <typename T> SIM_INLINE U32 fromInteger(T, S32 x, int64_t rounding) {
  return roundTo<T>(__builtin_convertvector(x, F64), rounding);
}
template <typename T> SIM_INLINE U32 fromInteger(T, U32 x, int64_t rounding) {
  return roundTo<T>(__builtin_convertvector(x, F64), rounding);
}
template <typename T> SIM_INLINE U32 fromInteger(T, S64 x, int64_t rounding) {
  return roundTo<T>(addOdd(upperHalf(x), lowerHalf((U64)x)), rounding);
}
template <typename T> SIM_INLINE U32 fromInteger(T, U64 x, int64_t rounding) {
  return roundTo<T>(addOdd(upperHalf(x), lowerHalf(x)), rounding);
}
SIM_INLINE U32 fromInteger(TypeF32, S32 x, int64_t rounding) {
  if (__builtin_expect(rounding == int64_t(Rounding::Nearest), 1))
    return (U32) __builtin_convertvector(x, F32);
  return roundTo<TypeF32>(__builtin_convertvector(x, F64), rounding);
}
SIM_INLINE U32 fromInteger(TypeF32, U32 x, int64_t rounding) {
  if (__builtin_expect(rounding == int64_t(Rounding::Nearest), 1))
    return (U32) __builtin_convertvector(x, F32);
  return roundTo<TypeF32>(__builtin_convertvector(x, F64), rounding);
}
SIM_INLINE U64 fromInteger(TypeF64, S32 x, int64_t) {
  return (U64) __builtin_convertvector(x, F64);
}
SIM_INLINE U64 fromInteger(TypeF64, U32 x, int64_t) {
  return (U64) __builtin_convertvector(x, F64);
}
SIM_INLINE U64 fromInteger(TypeF64, S64 x, int64_t rounding) {
  F64 upper = upperHalf(x), lower = lowerHalf((U64)x), sum = upper + lower;
  return roundSum(sum, lower - (sum - upper), rounding);
}
SIM_INLINE U64 fromInteger(TypeF64, U64 x, int64_t rounding) {
  F64 upper = upperHalf(x), lower = lowerHalf(x), sum = upper + lower;
  return roundSum(sum, lower - (sum - upper), rounding);
}

//===----------------------------------------------------------------------===//
// Floating point to integers.
//===----------------------------------------------------------------------===//

/// Toward zero; what an integer of `bits` bits does not hold becomes the
/// nearest one that it does, NaN becomes 0. `I` is the width of the register:
/// narrower integers are zero-extended to it.
template <typename I, bool isSigned, typename F>
SIM_INLINE typename I::U toInteger(F x, int64_t bits, bool nanIsHighestBit) {
  typedef typename I::U U;
  typedef typename I::Lane Lane;
  typedef typename BitsOf<F>::Signed Comparison;
  Lane half = Lane(1) << (bits - 1), mask = half | (half - 1);
  F upper = F{} + float(half) * (isSigned ? 1 : 2); // the first too large one
  F lower = isSigned ? -upper : F{};
  Comparison tooLarge = (Comparison)(x >= upper);
  Comparison tooSmall = (Comparison)(x < lower);
  Comparison fits = (Comparison)(x >= lower) & ~tooLarge;
  Comparison isNaN = (Comparison)(x != x);
  x = (F)((Comparison)x & fits);
  U result = isSigned ? (U) __builtin_convertvector(x, typename I::S)
                      : __builtin_convertvector(x, U);
  Lane largest = isSigned ? half - 1 : mask, smallest = isSigned ? half : 0;
  result |= (U) __builtin_convertvector(tooLarge, typename I::S) & largest;
  result |= (U) __builtin_convertvector(tooSmall, typename I::S) & smallest;
  if (nanIsHighestBit)
    result |= (U) __builtin_convertvector(isNaN, typename I::S) & half;
  return result & mask;
}

//===----------------------------------------------------------------------===//
// The handlers.
//===----------------------------------------------------------------------===//

template <typename T, typename I, bool isSigned>
const Instr *convertFrom(Warp &warp, const Instr *instr) {
  if (isSigned)
    put(warp, instr->dst,
        fromInteger(T(), reg<typename I::S>(warp, instr->a), instr->imm));
  else
    put(warp, instr->dst,
        fromInteger(T(), reg<typename I::U>(warp, instr->a), instr->imm));
  return instr + 1;
}

/// Values that are converted to integers of a width have lanes of at least that
/// width.
SIM_INLINE F32 widenFor(Int32, F32 x) { return x; }
SIM_INLINE F64 widenFor(Int32, F64 x) { return x; }
SIM_INLINE F64 widenFor(Int64, F32 x) { return toDouble(x); }
SIM_INLINE F64 widenFor(Int64, F64 x) { return x; }

template <typename T, typename I, bool isSigned>
const Instr *convertTo(Warp &warp, const Instr *instr) {
  int64_t bits = instr->imm & (kNaNIsHighestBit - 1);
  bits = bits ? bits : I::width;
  auto x = widenFor(I(), T::load(reg<typename T::Bits>(warp, instr->a)));
  put(warp, instr->dst,
      toInteger<I, isSigned>(x, bits, instr->imm & kNaNIsHighestBit));
  return instr + 1;
}

// Between floating-point types: name, result. f16 and so on are the operand
// read as that type.
// clang-format off
#define SIM_FLOAT_LIST(X)                                                      \
  X(CvtF16ToF32, f16)                                                          \
  X(CvtF16ToF64, toDouble(f16))                                                \
  X(CvtBF16ToF32, bf16)                                                        \
  X(CvtBF16ToF64, toDouble(bf16))                                              \
  X(CvtF32ToF16, roundTo<TypeF16>(f32, instr->imm))                            \
  X(CvtF32ToBF16, roundTo<TypeBF16>(f32, instr->imm))                          \
  X(CvtF32ToTF32, floatToTf32(f32))                                            \
  X(CvtE4M3ToF32, e4m3ToFloat((U32)f32))                                       \
  X(CvtE5M2ToF32, e5m2ToFloat((U32)f32))                                       \
  X(CvtF32ToE4M3, floatToE4M3(f32))                                            \
  X(CvtF32ToE5M2, floatToE5M2(f32))                                            \
  X(CvtF32ToF64, toDouble(f32))                                                \
  X(CvtF64ToF16, roundTo<TypeF16>(f64, instr->imm))                            \
  X(CvtF64ToBF16, roundTo<TypeBF16>(f64, instr->imm))                          \
  X(CvtF64ToF32, roundTo<TypeF32>(f64, instr->imm))
// clang-format on
#define SIM_DEFINE(NAME, RESULT)                                               \
  const Instr *NAME(Warp &warp, const Instr *instr) {                          \
    [[maybe_unused]] const F32 &f32 = reg<F32>(warp, instr->a);                \
    [[maybe_unused]] const F64 &f64 = reg<F64>(warp, instr->a);                \
    [[maybe_unused]] F32 f16 = halfToFloat((U32)f32);                          \
    [[maybe_unused]] F32 bf16 = bfloatToFloat((U32)f32);                       \
    put(warp, instr->dst, RESULT);                                             \
    return instr + 1;                                                          \
  }
SIM_FLOAT_LIST(SIM_DEFINE)
#undef SIM_DEFINE

} // namespace

void addConvertHandlers(Handler *table) {
#define SIM_ADD(NAME, RESULT) table[unsigned(Opcode::NAME)] = NAME;
  SIM_FLOAT_LIST(SIM_ADD)
#undef SIM_ADD
#define SIM_ADD(TYPE, INTEGER, ...)                                            \
  table[unsigned(Opcode::Cvt##INTEGER##To##TYPE)] =                            \
      convertFrom<Type##TYPE, __VA_ARGS__>;                                    \
  table[unsigned(Opcode::Cvt##TYPE##To##INTEGER)] =                            \
      convertTo<Type##TYPE, __VA_ARGS__>;
#define SIM_ADD_INTEGERS(TYPE)                                                 \
  SIM_ADD(TYPE, S32, Int32, true)                                              \
  SIM_ADD(TYPE, U32, Int32, false)                                             \
  SIM_ADD(TYPE, S64, Int64, true)                                              \
  SIM_ADD(TYPE, U64, Int64, false)
  SIM_ADD_INTEGERS(F16)
  SIM_ADD_INTEGERS(BF16)
  SIM_ADD_INTEGERS(F32)
  SIM_ADD_INTEGERS(F64)
#undef SIM_ADD_INTEGERS
#undef SIM_ADD
}

} // namespace TILEIR_SIM_ISA
} // namespace tileir::sim
