//===- ExecFloat.cpp ------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of floating-point arithmetic: one expression each, for the four
// types. ExecFloat.h says how the narrow types are done.
//
//===----------------------------------------------------------------------===//

#include "Exec/ExecFloat.h"

#include <fenv.h>

namespace tileir::sim {
namespace TILEIR_SIM_ISA {
namespace {

/// The smaller one, the second if one is NaN; -0 is smaller than +0.
template <typename F> SIM_INLINE F lesser(F a, F b) {
  typedef typename BitsOf<F>::Unsigned U;
  return a < b ? a : a == b ? (F)((U)a | (U)b) : b;
}
/// The greater one, the second if one is NaN.
template <typename F> SIM_INLINE F greater(F a, F b) {
  typedef typename BitsOf<F>::Unsigned U;
  return a > b ? a : a == b ? (F)((U)a & (U)b) : b;
}

// a * b + c. Products of halves are exact in float, those of bfloats in double.
SIM_INLINE U32 multiplyAdd(TypeF16, F32 a, F32 b, F32 c) {
  return floatToHalf(addOdd(a * b, c));
}
SIM_INLINE U32 multiplyAdd(TypeBF16, F32 a, F32 b, F32 c) {
  return TypeBF16::store(addOdd(toDouble(a) * toDouble(b), toDouble(c)));
}
SIM_INLINE U32 multiplyAdd(TypeF32, F32 a, F32 b, F32 c) {
  return (U32)mapLanes(
      [](float x, float y, float z) { return __builtin_fmaf(x, y, z); }, a, b,
      c);
}
SIM_INLINE U64 multiplyAdd(TypeF64, F64 a, F64 b, F64 c) {
  return (U64)mapLanes(
      [](double x, double y, double z) { return __builtin_fma(x, y, z); }, a, b,
      c);
}

// Functions of the C library, most of them an instruction with AVX2.
#define SIM_FUNCTION_LIST(X) X(sqrt) X(floor) X(ceil) X(trunc) X(rint) X(round)
#define SIM_DEFINE(NAME)                                                       \
  SIM_INLINE F32 NAME##Lanes(F32 a) {                                          \
    return mapLanes([](float x) { return __builtin_##NAME##f(x); }, a);        \
  }                                                                            \
  SIM_INLINE F64 NAME##Lanes(F64 a) {                                          \
    return mapLanes([](double x) { return __builtin_##NAME(x); }, a);          \
  }
SIM_FUNCTION_LIST(SIM_DEFINE)
#undef SIM_DEFINE
SIM_INLINE F32 remainder(F32 a, F32 b) {
  return mapLanes([](float x, float y) { return __builtin_fmodf(x, y); }, a, b);
}
SIM_INLINE F64 remainder(F64 a, F64 b) {
  return mapLanes([](double x, double y) { return __builtin_fmod(x, y); }, a,
                  b);
}

/// What arithmetic gives: its NaNs of f16, bf16 and f32 are one number, without
/// sign and payload, whatever the operands were. So threads that compute one
/// value in different orders have the same bits.
template <typename T>
SIM_INLINE typename T::Bits withOneNan(typename T::Bits bits) {
  if constexpr (sizeof(typename T::Bits) == sizeof(U64)) {
    return bits;
  } else {
    constexpr uint32_t magnitude = T::signBit - 1;
    return (S32)(bits & magnitude) > T::infinity ? U32{} + magnitude : bits;
  }
}

// The lists: name of the opcode, result. a, b and c are the operands as
// T::Float, bitsA and bitsB as they are in registers.
// clang-format off
#define SIM_ARITHMETIC_LIST(X)                                                 \
  X(FAdd, withOneNan<T>(T::store(a + b)))                                      \
  X(FSub, withOneNan<T>(T::store(a - b)))                                      \
  X(FMul, withOneNan<T>(T::store(a * b)))                                      \
  X(FDiv, withOneNan<T>(T::store(a / b)))                                      \
  X(FRem, T::store(remainder(a, b)))                                           \
  X(FNeg, bitsA ^ T::signBit)                                                  \
  X(FAbs, bitsA & ~T::signBit)                                                 \
  X(FCopySign, (bitsA & ~T::signBit) | (bitsB & T::signBit))                   \
  X(FMinNum, withOneNan<T>(T::store(b == b ? lesser(a, b) : a)))               \
  X(FMaxNum, withOneNan<T>(T::store(b == b ? greater(a, b) : a)))              \
  X(FMinimum, withOneNan<T>(T::store(a == a ? lesser(a, b) : a)))              \
  X(FMaximum, withOneNan<T>(T::store(a == a ? greater(a, b) : a)))             \
  X(FFma, withOneNan<T>(multiplyAdd(T(), a, b, c)))                            \
  X(FSqrt, withOneNan<T>(T::store(sqrtLanes(a))))                              \
  X(FFloor, T::store(floorLanes(a)))                                           \
  X(FCeil, T::store(ceilLanes(a)))                                             \
  X(FTrunc, T::store(truncLanes(a)))                                           \
  X(FRint, T::store(rintLanes(a)))                                             \
  X(FRound, T::store(roundLanes(a)))                                           \
  X(FFlush, flushBits(bitsA, T::signBit, T::smallest))
// Arithmetic in a mode.
#define SIM_MODE_LIST(X)                                                       \
  X(FAddInMode, T::store(a + b))                                               \
  X(FSubInMode, T::store(a - b))                                               \
  X(FMulInMode, T::store(a * b))                                               \
  X(FDivInMode, T::store(a / b))                                               \
  X(FFmaInMode, multiplyAdd(T(), a, b, c))                                     \
  X(FSqrtInMode, T::store(sqrtLanes(a)))
#define SIM_COMPARISON_LIST(X)                                                 \
  X(FCmpOEq, a == b)                                                           \
  X(FCmpOLt, a < b)                                                            \
  X(FCmpOLe, a <= b)                                                           \
  X(FCmpONe, (a < b) | (a > b))                                                \
  X(FCmpOrd, (a == a) & (b == b))                                              \
  X(FCmpUEq, ~((a < b) | (a > b)))                                             \
  X(FCmpULt, ~(a >= b))                                                        \
  X(FCmpULe, ~(a > b))                                                         \
  X(FCmpUNe, a != b)                                                           \
  X(FCmpUno, (a != a) | (b != b))
// clang-format on

// Operands that an expression does not name are not read.
#define SIM_DEFINE(NAME, RESULT)                                               \
  template <typename T> const Instr *NAME(Warp &warp, const Instr *instr) {    \
    const typename T::Bits &bitsA = reg<typename T::Bits>(warp, instr->a);     \
    const typename T::Bits &bitsB = reg<typename T::Bits>(warp, instr->b);     \
    const typename T::Bits &bitsC = reg<typename T::Bits>(warp, instr->c);     \
    [[maybe_unused]] typename T::Float a = T::load(bitsA);                     \
    [[maybe_unused]] typename T::Float b = T::load(bitsB);                     \
    [[maybe_unused]] typename T::Float c = T::load(bitsC);                     \
    put(warp, instr->dst, RESULT);                                             \
    return instr + 1;                                                          \
  }
SIM_ARITHMETIC_LIST(SIM_DEFINE)
#undef SIM_DEFINE

#define SIM_DEFINE(NAME, RESULT)                                               \
  template <typename T> const Instr *NAME(Warp &warp, const Instr *instr) {    \
    typename T::Float a = T::load(reg<typename T::Bits>(warp, instr->a));      \
    typename T::Float b = T::load(reg<typename T::Bits>(warp, instr->b));      \
    typedef typename BitsOf<typename T::Float>::Signed Comparison;             \
    put(warp, instr->dst, toBool((Comparison)(RESULT)));                       \
    return instr + 1;                                                          \
  }
SIM_COMPARISON_LIST(SIM_DEFINE)
#undef SIM_DEFINE

//===----------------------------------------------------------------------===//
// Arithmetic in a mode
//===----------------------------------------------------------------------===//

/// The host's rounding, for as long as this lives. Operands and results are in
/// memory, so that what is between is computed between.
class HostRounding {
public:
  explicit HostRounding(int64_t mode) {
    constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                             FE_UPWARD};
    fesetround(modes[mode & kRoundingMask]);
    __asm__ volatile("" ::: "memory");
  }
  ~HostRounding() {
    __asm__ volatile("" ::: "memory");
    fesetround(FE_TONEAREST);
  }
};

/// [0, 1]; NaN and -0 become +0.
template <typename T>
SIM_INLINE typename T::Bits clampToOne(typename T::Bits x) {
  typedef typename BitsOf<typename T::Float>::Unsigned U;
  typename T::Float value = T::load(x), one = typename T::Float{} + 1;
  value = (typename T::Float)((U)(value > 0) & (U)value);
  return T::store(value > 1 ? one : value);
}

template <typename T, typename Operation>
SIM_INLINE const Instr *computeInMode(Warp &warp, const Instr *instr,
                                      Operation operation) {
  typedef typename T::Bits Bits;
  const int64_t mode = instr->imm;
  auto read = [&](uint32_t slot) {
    return slot == kNoRegister ? Bits{} : reg<Bits>(warp, slot);
  };
  Bits operands[3] = {read(instr->a), read(instr->b), read(instr->c)};
  if (mode & kFlush)
    for (Bits &operand : operands)
      operand = flushBits(operand, T::signBit, T::smallest);
  Bits result;
  auto compute = [&] {
    result = operation(T::load(operands[0]), T::load(operands[1]),
                       T::load(operands[2]));
  };
  if (mode & kRoundingMask) {
    HostRounding rounding(mode);
    __asm__ volatile("" ::"r"(operands), "r"(&result) : "memory");
    compute();
    __asm__ volatile("" ::"r"(&result) : "memory");
  } else {
    compute();
  }
  result = withOneNan<T>(result);
  if (mode & kFlush)
    result = flushBits(result, T::signBit, T::smallest);
  if (mode & kSaturate)
    result = clampToOne<T>(result);
  put(warp, instr->dst, result);
  return instr + 1;
}

#define SIM_DEFINE(NAME, RESULT)                                               \
  template <typename T> const Instr *NAME(Warp &warp, const Instr *instr) {    \
    typedef typename T::Float Float;                                           \
    return computeInMode<T>(warp, instr,                                       \
                            [](Float a, Float b, Float c) { return RESULT; }); \
  }
SIM_MODE_LIST(SIM_DEFINE)
#undef SIM_DEFINE

} // namespace

void addFloatHandlers(Handler *table) {
#define SIM_ADD(NAME, RESULT)                                                  \
  table[unsigned(Opcode::NAME##F16)] = NAME<TypeF16>;                          \
  table[unsigned(Opcode::NAME##BF16)] = NAME<TypeBF16>;                        \
  table[unsigned(Opcode::NAME##F32)] = NAME<TypeF32>;                          \
  table[unsigned(Opcode::NAME##F64)] = NAME<TypeF64>;
  SIM_ARITHMETIC_LIST(SIM_ADD)
  SIM_COMPARISON_LIST(SIM_ADD)
  SIM_MODE_LIST(SIM_ADD)
#undef SIM_ADD
}

} // namespace TILEIR_SIM_ISA
} // namespace tileir::sim
