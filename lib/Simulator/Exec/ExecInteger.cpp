//===- ExecInteger.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of integer arithmetic, of copies, and of the casts between integers.
// Most are one expression, for both widths of registers, in the lists below.
//
//===----------------------------------------------------------------------===//

#include "Exec/Exec.h"

namespace tileir::sim {
namespace TILEIR_SIM_ISA {
namespace {

//===----------------------------------------------------------------------===//
// Instructions that are more than one operator of C++.
//===----------------------------------------------------------------------===//

SIM_INLINE U32 truncate(U64 x) { return __builtin_convertvector(x, U32); }
SIM_INLINE U64 extend(U32 x) { return __builtin_convertvector(x, U64); }
SIM_INLINE S64 extend(S32 x) { return __builtin_convertvector(x, S64); }

SIM_INLINE uint32_t countOnes(uint32_t x) { return __builtin_popcount(x); }
SIM_INLINE uint64_t countOnes(uint64_t x) { return __builtin_popcountll(x); }
SIM_INLINE uint32_t swapBytes(uint32_t x) { return __builtin_bswap32(x); }
SIM_INLINE uint64_t swapBytes(uint64_t x) { return __builtin_bswap64(x); }

template <typename T> SIM_INLINE typename T::U countOnes(typename T::U x) {
  return mapLanes([](typename T::Lane lane) { return countOnes(lane); }, x);
}
template <typename T>
SIM_INLINE typename T::U countLeadingZeros(typename T::U x) {
  for (unsigned shift = 1; shift < T::width; shift *= 2)
    x |= x >> shift;
  return countOnes<T>(~x);
}
template <typename T> SIM_INLINE typename T::U swapBytes(typename T::U x) {
  return mapLanes([](typename T::Lane lane) { return swapBytes(lane); }, x);
}
template <typename T> SIM_INLINE typename T::U reverseBits(typename T::U x) {
  constexpr typename T::Lane ones = -1;
  constexpr typename T::Lane bits = ones / 3;     // 0x55...
  constexpr typename T::Lane pairs = ones / 5;    // 0x33...
  constexpr typename T::Lane nibbles = ones / 17; // 0x0f...
  x = (x >> 1 & bits) | (x & bits) << 1;
  x = (x >> 2 & pairs) | (x & pairs) << 2;
  x = (x >> 4 & nibbles) | (x & nibbles) << 4;
  return swapBytes<T>(x);
}

template <typename T>
SIM_INLINE typename T::U keepLow(typename T::U x, int64_t bits) {
  typename T::Lane ones = -1;
  return bits < int64_t(T::width) ? x & ~(ones << bits) : x;
}
template <typename T>
SIM_INLINE typename T::S signExtend(typename T::U x, int64_t bits) {
  int shift = int(T::width) - int(bits);
  return (typename T::S)(x << (typename T::Lane)shift) >> shift;
}

SIM_INLINE U32 multiplyHigh(U32 a, U32 b) {
  return truncate(extend(a) * extend(b) >> 32);
}
SIM_INLINE U32 multiplyHigh(S32 a, S32 b) {
  return truncate((U64)(extend(a) * extend(b)) >> 32);
}
SIM_INLINE U64 multiplyHigh(U64 a, U64 b) {
  return mapLanes(
      [](uint64_t x, uint64_t y) -> uint64_t {
        return (unsigned __int128)x * y >> 64;
      },
      a, b);
}
SIM_INLINE U64 multiplyHigh(S64 a, S64 b) {
  return (U64)mapLanes(
      [](int64_t x, int64_t y) -> int64_t { return (__int128)x * y >> 64; }, a,
      b);
}

/// The index of an address times the size of an element, mostly a power of two.
SIM_INLINE U64 scale(U64 index, int64_t factor) {
  if (__builtin_expect(factor > 0 && (factor & (factor - 1)) == 0, 1))
    return index << (uint64_t)__builtin_ctzll(factor);
  return index * (uint64_t)factor;
}

/// Quotients; `b` is not 0. Of 32 bits by way of doubles: a quotient that is
/// not whole is further from the next whole number than its rounding error.
SIM_INLINE U32 quotient(U32 a, U32 b) {
  return __builtin_convertvector(
      __builtin_convertvector(a, F64) / __builtin_convertvector(b, F64), U32);
}
SIM_INLINE U64 quotient(U64 a, U64 b) {
  return mapLanes([](uint64_t x, uint64_t y) { return x / y; }, a, b);
}

//===----------------------------------------------------------------------===//
// The lists: name of the opcode, result.
//===----------------------------------------------------------------------===//

// clang-format off

// For both widths. a, b and c are operands of the width, U and S the vectors of
// its unsigned and signed lanes. Where shifting by the width is possible, it is
// done in two steps.
#define SIM_INTEGER_LIST(X)                                                    \
  X(Copy, a)                                                                   \
  X(Add, a + b)                                                                \
  X(Sub, a - b)                                                                \
  X(Mul, a * b)                                                                \
  X(MulHiS, multiplyHigh((S)a, (S)b))                                          \
  X(MulHiU, multiplyHigh(a, b))                                                \
  X(And, a & b)                                                                \
  X(Or, a | b)                                                                 \
  X(Xor, a ^ b)                                                                \
  X(Shl, b < T::width ? a << (b & (T::width - 1)) : U{})                       \
  X(LShr, b < T::width ? a >> (b & (T::width - 1)) : U{})                      \
  X(AShr, (S)a >> (S)(b < T::width ? b : U{} + (T::width - 1)))                \
  X(SMin, (S)a < (S)b ? a : b)                                                 \
  X(SMax, (S)a > (S)b ? a : b)                                                 \
  X(UMin, a < b ? a : b)                                                       \
  X(UMax, a > b ? a : b)                                                       \
  X(FshL, a << (c & (T::width - 1)) | b >> 1 >> (~c & (T::width - 1)))         \
  X(FshR, a << 1 << (~c & (T::width - 1)) | b >> (c & (T::width - 1)))         \
  X(Ctpop, countOnes<T>(a))                                                    \
  X(Ctlz, countLeadingZeros<T>(a))                                             \
  X(Cttz, countOnes<T>(~a & (a - 1)))                                          \
  X(BitReverse, reverseBits<T>(a))                                             \
  X(ByteSwap, swapBytes<T>(a))                                                 \
  X(CmpEq, toBool(a == b))                                                     \
  X(CmpNe, toBool(a != b))                                                     \
  X(CmpULt, toBool(a < b))                                                     \
  X(CmpULe, toBool(a <= b))                                                    \
  X(CmpSLt, toBool((S)a < (S)b))                                               \
  X(CmpSLe, toBool((S)a <= (S)b))                                              \
  X(Mask, keepLow<T>(a, instr->imm))                                           \
  X(SignExtend, signExtend<T>(a, instr->imm))

// Between widths. a32, b32, a64, b64 are the operands read as these widths.
#define SIM_CAST_LIST(X)                                                       \
  X(MulAdd32, a64 + scale((U64)extend((S32)b32), instr->imm))                  \
  X(MulAdd64, a64 + scale(b64, instr->imm))                                    \
  X(AddImm64, a64 + (uint64_t)instr->imm)                                      \
  X(Extract32, a32 >> (uint32_t)instr->imm & instr->extra)                     \
  X(Extract64, truncate(a64 >> (uint64_t)instr->imm) & instr->extra)           \
  X(Pack32, a32 | b32 << (uint32_t)instr->imm)                                 \
  X(Pack64, extend(a32) | extend(b32) << 32)                                   \
  X(Truncate, truncate(a64))                                                   \
  X(ZExtTo64, extend(a32))                                                     \
  X(SExtTo64, __builtin_convertvector((S32)a32, S64))
// clang-format on

// Operands are references: what an expression does not name is not read.
#define SIM_DEFINE(NAME, RESULT)                                               \
  template <typename T> const Instr *NAME(Warp &warp, const Instr *instr) {    \
    typedef typename T::U U;                                                   \
    [[maybe_unused]] typedef typename T::S S;                                  \
    const U &a = reg<U>(warp, instr->a);                                       \
    [[maybe_unused]] const U &b = reg<U>(warp, instr->b);                      \
    [[maybe_unused]] const U &c = reg<U>(warp, instr->c);                      \
    put(warp, instr->dst, RESULT);                                             \
    return instr + 1;                                                          \
  }
SIM_INTEGER_LIST(SIM_DEFINE)
#undef SIM_DEFINE

#define SIM_DEFINE(NAME, RESULT)                                               \
  const Instr *NAME(Warp &warp, const Instr *instr) {                          \
    [[maybe_unused]] const U32 &a32 = reg<U32>(warp, instr->a);                \
    [[maybe_unused]] const U32 &b32 = reg<U32>(warp, instr->b);                \
    [[maybe_unused]] const U64 &a64 = reg<U64>(warp, instr->a);                \
    [[maybe_unused]] const U64 &b64 = reg<U64>(warp, instr->b);                \
    put(warp, instr->dst, RESULT);                                             \
    return instr + 1;                                                          \
  }
SIM_CAST_LIST(SIM_DEFINE)
#undef SIM_DEFINE

/// dst = (a & 1) ? b : c.
const Instr *select32(Warp &warp, const Instr *instr) {
  S32 chosen = (S32)(reg<U32>(warp, instr->a) << 31) < 0;
  put(warp, instr->dst,
      chosen ? reg<U32>(warp, instr->b) : reg<U32>(warp, instr->c));
  return instr + 1;
}
const Instr *select64(Warp &warp, const Instr *instr) {
  S32 chosen = (S32)(reg<U32>(warp, instr->a) << 31) < 0;
  put(warp, instr->dst,
      __builtin_convertvector(chosen, S64) ? reg<U64>(warp, instr->b)
                                           : reg<U64>(warp, instr->c));
  return instr + 1;
}

/// fns: as the PTX ISA defines it.
uint32_t findNthSet(uint32_t mask, uint32_t base, int32_t offset) {
  int64_t left = offset == 0 ? 1 : std::abs(int64_t(offset));
  for (int64_t place = base; place >= 0 && place < 32;
       place += offset < 0 ? -1 : 1) {
    if (mask >> place & 1 && --left == 0)
      return place;
    if (offset == 0)
      break;
  }
  return ~0u;
}
const Instr *findNthSetOfLanes(Warp &warp, const Instr *instr) {
  const U32 &mask = reg<U32>(warp, instr->a), &base = reg<U32>(warp, instr->b);
  const U32 &offset = reg<U32>(warp, instr->c);
  U32 result = {};
  for (unsigned lane = 0; lane < kLanes; ++lane)
    result[lane] = findNthSet(mask[lane], base[lane], int32_t(offset[lane]));
  put(warp, instr->dst, result);
  return instr + 1;
}

/// The lanes of a comparison that holds.
SIM_INLINE uint32_t toLanes(U32 bools) {
  uint32_t lanes = 0;
#pragma GCC unroll 32
  for (unsigned i = 0; i < kLanes; ++i)
    lanes |= bools[i] << i;
  return lanes;
}

/// All divisions. Signed ones divide magnitudes, as unsigned numbers: that of
/// the smallest number is one too.
template <typename T, bool isSigned, bool isRemainder>
const Instr *divide(Warp &warp, const Instr *instr) {
  typedef typename T::U U;
  typedef typename T::S S;
  U a = reg<U>(warp, instr->a), b = reg<U>(warp, instr->b);
  S isZero = b == 0;
  uint32_t zeroLanes = toLanes(toBool(isZero)) & warp.active;
  if (__builtin_expect(zeroLanes != 0, 0))
    noteDivisionByZero(warp, instr, zeroLanes);
  b -= (U)isZero; // dividing by 1 there
  U negativeA = isSigned ? (U)((S)a < 0) : U{};
  U negativeB = isSigned ? (U)((S)b < 0) : U{};
  a = (a ^ negativeA) - negativeA;
  b = (b ^ negativeB) - negativeB;
  U result = quotient(a, b), negative = negativeA ^ negativeB;
  if (isRemainder) {
    result = a - result * b;
    negative = negativeA;
  }
  result = (result ^ negative) - negative;
  put(warp, instr->dst, result & ~(U)isZero);
  if (__builtin_expect(warp.undefinedLanes, 0))
    return trackWarp(warp, instr);
  return instr + 1;
}

} // namespace

void addIntegerHandlers(Handler *table) {
#define SIM_ADD(NAME, RESULT)                                                  \
  table[unsigned(Opcode::NAME##32)] = NAME<Int32>;                             \
  table[unsigned(Opcode::NAME##64)] = NAME<Int64>;
  SIM_INTEGER_LIST(SIM_ADD)
#undef SIM_ADD
#define SIM_ADD(NAME, RESULT) table[unsigned(Opcode::NAME)] = NAME;
  SIM_CAST_LIST(SIM_ADD)
#undef SIM_ADD
#define SIM_ADD(NAME, IS_SIGNED, IS_REMAINDER)                                 \
  table[unsigned(Opcode::NAME##32)] = divide<Int32, IS_SIGNED, IS_REMAINDER>;  \
  table[unsigned(Opcode::NAME##64)] = divide<Int64, IS_SIGNED, IS_REMAINDER>;
  SIM_ADD(SDiv, true, false)
  SIM_ADD(UDiv, false, false)
  SIM_ADD(SRem, true, true)
  SIM_ADD(URem, false, true)
#undef SIM_ADD
  table[unsigned(Opcode::FindNthSet)] = findNthSetOfLanes;
  table[unsigned(Opcode::Select32)] = select32;
  table[unsigned(Opcode::Select64)] = select64;
}

} // namespace TILEIR_SIM_ISA
} // namespace tileir::sim
