//===- Exec.h ---------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types that the handlers of instructions share: registers as vectors of 32
// lanes, in the vector extension of GCC and clang. The sources that include
// this (Exec*.cpp) are compiled once per instruction set, in a namespace of its
// own: TILEIR_SIM_ISA. They use no inline function of the standard library that
// could be emitted out of line, or the linker might pick the copy for a machine
// that this host is not.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_EXEC_EXEC_H
#define TILEIR_LIB_SIMULATOR_EXEC_EXEC_H

#include "Exec/Warp.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#ifndef TILEIR_SIM_ISA
#error "define TILEIR_SIM_ISA, the namespace of this instruction set"
#endif

// Vectors are passed between inlined functions only.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace tileir::sim {
namespace TILEIR_SIM_ISA {

#define SIM_INLINE static inline __attribute__((always_inline))

typedef uint32_t U32 __attribute__((vector_size(128), may_alias));
typedef int32_t S32 __attribute__((vector_size(128), may_alias));
typedef float F32 __attribute__((vector_size(128), may_alias));
typedef uint64_t U64 __attribute__((vector_size(256), aligned(128), may_alias));
typedef int64_t S64 __attribute__((vector_size(256), aligned(128), may_alias));
typedef double F64 __attribute__((vector_size(256), aligned(128), may_alias));

/// The two widths of registers, for templates.
struct Int32 {
  typedef U32 U;
  typedef S32 S;
  typedef uint32_t Lane;
  static constexpr Lane width = 32;
};
struct Int64 {
  typedef U64 U;
  typedef S64 S;
  typedef uint64_t Lane;
  static constexpr Lane width = 64;
};

/// The register at `slot`, as a vector type.
template <typename V> SIM_INLINE V &reg(Warp &warp, uint32_t slot) {
  return *reinterpret_cast<V *>(warp.registers + slot * kLanes);
}

SIM_INLINE U32 activeMask32(Warp &warp) {
  return *reinterpret_cast<U32 *>(warp.activeLanes);
}
SIM_INLINE U64 activeMask64(Warp &warp) {
  return (U64) __builtin_convertvector(
      *reinterpret_cast<S32 *>(warp.activeLanes), S64);
}

/// Writes the active lanes of a register.
SIM_INLINE void put(Warp &warp, uint32_t slot, U32 value) {
  U32 &r = reg<U32>(warp, slot);
  if (__builtin_expect(warp.active == kAllLanes, 1)) {
    r = value;
    return;
  }
  U32 mask = activeMask32(warp);
  r = (value & mask) | (r & ~mask);
}
SIM_INLINE void put(Warp &warp, uint32_t slot, U64 value) {
  U64 &r = reg<U64>(warp, slot);
  if (__builtin_expect(warp.active == kAllLanes, 1)) {
    r = value;
    return;
  }
  U64 mask = activeMask64(warp);
  r = (value & mask) | (r & ~mask);
}
SIM_INLINE void put(Warp &w, uint32_t s, S32 v) { put(w, s, (U32)v); }
SIM_INLINE void put(Warp &w, uint32_t s, F32 v) { put(w, s, (U32)v); }
SIM_INLINE void put(Warp &w, uint32_t s, S64 v) { put(w, s, (U64)v); }
SIM_INLINE void put(Warp &w, uint32_t s, F64 v) { put(w, s, (U64)v); }

/// A register as an array. Single lanes are read and written through arrays: a
/// variable index into a vector makes the compiler spill all of it.
SIM_INLINE uint32_t *lanes32(Warp &warp, uint32_t slot) {
  return warp.registers + slot * kLanes;
}
SIM_INLINE uint64_t *lanes64(Warp &warp, uint32_t slot) {
  return reinterpret_cast<uint64_t *>(warp.registers + slot * kLanes);
}

/// A result that is made lane by lane; `put` its `vector`.
union LaneResult {
  U32 vector;
  uint32_t lane[kLanes];
};

/// The lanes of a register whose lowest bit is set, as a mask.
SIM_INLINE uint32_t toMask(Warp &warp, uint32_t slot) {
  uint32_t mask = 0;
#if defined(__AVX2__)
  auto *parts = reinterpret_cast<const __m256i *>(lanes32(warp, slot));
  for (unsigned i = 0; i < 4; ++i)
    mask |= uint32_t(_mm256_movemask_ps(
                _mm256_castsi256_ps(_mm256_slli_epi32(parts[i], 31))))
            << i * 8;
#elif defined(__SSE2__)
  auto *parts = reinterpret_cast<const __m128i *>(lanes32(warp, slot));
  for (unsigned i = 0; i < 8; ++i)
    mask |= uint32_t(
                _mm_movemask_ps(_mm_castsi128_ps(_mm_slli_epi32(parts[i], 31))))
            << i * 4;
#else
  const uint32_t *values = lanes32(warp, slot);
  for (unsigned i = 0; i < kLanes; ++i)
    mask |= (values[i] & 1) << i;
#endif
  return mask;
}

/// Calls `body(lane)` for each lane in `mask`.
template <typename Body> SIM_INLINE void forLanes(uint32_t mask, Body body) {
  for (; mask; mask &= mask - 1)
    body((unsigned)__builtin_ctz(mask));
}

/// 1 where a comparison holds.
SIM_INLINE U32 toBool(S32 comparison) { return (U32)comparison & 1; }
SIM_INLINE U32 toBool(S64 comparison) {
  return toBool(__builtin_convertvector(comparison, S32));
}

/// The vector of f(a[lane], more[lane]...). Unrolled, or the compiler does not
/// make vector instructions of it where there are such.
template <typename Function, typename V, typename... Vs>
SIM_INLINE V mapLanes(Function f, V a, Vs... more) {
#pragma GCC unroll 32
  for (unsigned i = 0; i < kLanes; ++i)
    a[i] = f(a[i], more[i]...);
  return a;
}

/// A literal as a message. The constructor of std::string from a literal is a
/// template, of which this source would make its own copy.
SIM_INLINE std::string toMessage(const char *text) {
  std::string message;
  message.assign(text);
  return message;
}

// Each source adds its handlers to the table, which has kNumOpcodes entries.
void addIntegerHandlers(Handler *table);  // ExecInteger.cpp
void addFloatHandlers(Handler *table);    // ExecFloat.cpp
void addMathHandlers(Handler *table);     // ExecMath.cpp
void addConvertHandlers(Handler *table);  // ExecConvert.cpp
void addControlHandlers(Handler *table);  // ExecControl.cpp
void addWarpHandlers(Handler *table);     // ExecWarp.cpp: collectives, barriers
void addMemoryHandlers(Handler *table);   // ExecMemory.cpp
void addAtomicHandlers(Handler *table);   // ExecAtomic.cpp
void addCopyHandlers(Handler *table);     // ExecCopy.cpp: cp.async, ldmatrix
void addMmaHandlers(Handler *table);      // ExecMma.cpp
void addBulkHandlers(Handler *table);     // ExecBulk.cpp
void addMBarrierHandlers(Handler *table); // ExecMBarrier.cpp
void addWgmmaHandlers(Handler *table);    // ExecWgmma.cpp
void addTextureHandlers(Handler *table);  // ExecTexture.cpp
void addHandlers(Handler *table);         // all of them

} // namespace TILEIR_SIM_ISA
} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_EXEC_EXEC_H
