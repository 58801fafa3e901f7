//===- Peak.cpp - The peak of multiplications and additions ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fused multiply-adds on registers alone, as many at once as hide each other's
// latency: no program gets more done at the clock of the moment. The text that
// goes with it tells how many operations a run has. Products of AMX are of its
// registers, four sums at once.
//
//===----------------------------------------------------------------------===//

#include "Baseline.h"

#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

using namespace tileir::bench;

namespace {
constexpr int kSteps = 64, kSums = 12;

/// A function of kSteps times so many products on each of kSums registers,
/// which are 0 at first: what was in them may take longer. It is in assembly,
/// because a compiler finds out that the sums are known.
#define TILEIR_PEAK(NAME, CLEAR, MULTIPLY, ...)                                \
  void NAME(uint64_t count) {                                                  \
    asm volatile(".irp i,0,1,2,3,4,5,6,7,8,9,10,11,14,15\n" CLEAR "\n.endr"    \
                 :                                                             \
                 :                                                             \
                 : __VA_ARGS__);                                               \
    for (uint64_t i = 0; i < count * kSteps; ++i)                              \
      asm volatile(".irp i,0,1,2,3,4,5,6,7,8,9,10,11\n" MULTIPLY "\n.endr"     \
                   :                                                           \
                   :                                                           \
                   : __VA_ARGS__);                                             \
  }

#if defined(__x86_64__)
#define TILEIR_REGISTERS                                                       \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",      \
      "xmm9", "xmm10", "xmm11", "xmm14", "xmm15"
#define TILEIR_PEAK_X86(NAME, REGISTER, MULTIPLY)                              \
  TILEIR_PEAK(NAME, "vpxor %%xmm\\i, %%xmm\\i, %%xmm\\i",                      \
              MULTIPLY " %%" REGISTER "14, %%" REGISTER "15, %%" REGISTER      \
                       "\\i",                                                  \
              TILEIR_REGISTERS)
TILEIR_PEAK_X86(useF32Avx512, "zmm", "vfmadd231ps")
TILEIR_PEAK_X86(useF64Avx512, "zmm", "vfmadd231pd")
TILEIR_PEAK_X86(useBf16Avx512, "zmm", "vdpbf16ps")
TILEIR_PEAK_X86(useI8Avx512, "zmm", "vpdpbusd")

/// Sixteen rows of 64 bytes in each of eight registers.
struct alignas(64) TileConfig {
  uint8_t palette = 1, start = 0, reserved[14] = {};
  uint16_t bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
/// kSums products are four sums of three.
#define TILEIR_PEAK_AMX(NAME, MULTIPLY)                                        \
  void NAME(uint64_t count) {                                                  \
    static const TileConfig config;                                            \
    asm volatile("ldtilecfg %0\n.irp i,0,1,2,3,4,5\ntilezero %%tmm\\i\n.endr"  \
                 :                                                             \
                 : "m"(config));                                               \
    for (uint64_t i = 0; i < count * kSteps; ++i)                              \
      asm volatile(".rept 3\n.irp i,0,1,2,3\n" MULTIPLY                        \
                   " %%tmm5, %%tmm4, %%tmm\\i\n.endr\n.endr" ::);              \
    asm volatile("tilerelease" ::);                                            \
  }
TILEIR_PEAK_AMX(useBf16Amx, "tdpbf16ps")
TILEIR_PEAK_AMX(useI8Amx, "tdpbssd")

/// Asks the system for registers of AMX.
bool requestAmx() {
#if defined(__linux__)
  constexpr int kRequestPermission = 0x1023, kTileData = 18;
  return __builtin_cpu_supports("amx-tile") &&
         syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}
TILEIR_PEAK_X86(useF32Avx2, "ymm", "vfmadd231ps")
TILEIR_PEAK_X86(useF64Avx2, "ymm", "vfmadd231pd")
#elif defined(__aarch64__)
#define TILEIR_REGISTERS                                                       \
  "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11",    \
      "v14", "v15"
TILEIR_PEAK(useF32Neon, "movi v\\i.2d, #0", "fmla v\\i.4s, v14.4s, v15.4s",
            TILEIR_REGISTERS)
TILEIR_PEAK(useF64Neon, "movi v\\i.2d, #0", "fmla v\\i.2d, v14.2d, v15.2d",
            TILEIR_REGISTERS)
#endif

/// What there is, of AVX2 and before with `holdsToAvx2`; `lanes` are the
/// products of an instruction.
Run choose(const std::string &type, [[maybe_unused]] bool holdsToAvx2,
           int &lanes) {
#if defined(__x86_64__)
  bool hasAvx512 = !holdsToAvx2 && __builtin_cpu_supports("avx512f");
  bool hasAvx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  int bits = hasAvx512 ? 512 : 256;
  if (type == "f32" && (hasAvx512 || hasAvx2))
    return lanes = bits / 32, hasAvx512 ? useF32Avx512 : useF32Avx2;
  if (type == "f64" && (hasAvx512 || hasAvx2))
    return lanes = bits / 64, hasAvx512 ? useF64Avx512 : useF64Avx2;
  if (type == "bf16 amx" && requestAmx())
    return lanes = 16 * 16 * 32, useBf16Amx;
  if (type == "i8 amx" && requestAmx())
    return lanes = 16 * 16 * 64, useI8Amx;
  if (type == "i8 amx" && hasAvx512 && __builtin_cpu_supports("avx512vnni"))
    return lanes = 64, useI8Avx512;
  if (type.rfind("bf16", 0) == 0 && hasAvx512 &&
      __builtin_cpu_supports("avx512bf16"))
    return lanes = 32, useBf16Avx512;
#elif defined(__aarch64__)
  if (type == "f32")
    return lanes = 4, useF32Neon;
  if (type == "f64")
    return lanes = 2, useF64Neon;
#endif
  return Run();
}
} // namespace

bool tileir::bench::makePeak(const Problem &problem, Run &run,
                             std::string &text) {
  std::string type = problem.get("type");
  int lanes = 0;
  run = choose(type, problem.get("isa") == "avx2", lanes);
  text = run ? std::to_string(2 * lanes * kSteps * kSums)
             : "no peak of " + type + " is known for this processor";
  return bool(run);
}
