//===- Chip.cpp -----------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of chips. What is the same on all of them (1024 threads a block,
// 65536 registers an SM, 32 banks of 4 bytes, four schedulers, 16 lanes of
// special functions, 64 of 32-bit integers) are the defaults of Chip.
//
// Sources: [G] CUDA C++ Programming Guide, "Compute Capabilities" (tables of
// features, technical specifications and arithmetic throughput); [V], [T], [A],
// [H] NVIDIA's white papers "Tesla V100 GPU Architecture" (WP-08608), "Turing
// GPU Architecture" (WP-09183), "A100 Tensor Core GPU Architecture", "H100
// Tensor Core GPU Architecture"; [D] the data sheets of T4, A10 and L4.
//
// - Shared memory, warps and blocks of an SM: [G]. From sm_80 on the system
//   keeps 1 KB of each block's shared memory, so a block gets 1 KB less than an
//   SM has.
// - SMs, boost clocks, bandwidths: [V] [T] [A] [H] [D].
// - Rates of f32 and f64 lanes: [G]. Rates of mma: dense, f16 with f32
//   accumulation. They follow from the peaks in [V] [D] [A] [H], for example
//   V100: 125 Tflop/s = 80 SMs * 1.53 GHz * 2 * 512.
// - H100: 2048 f16 multiply-adds an SM and clock are what wgmma reaches; with
//   mma.sync the same tensor cores reach about 62 % of it (Luo et al.,
//   "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture", 2024,
//   arXiv 2402.13499).
//   Its clock is the 1.83 GHz that [H]'s tensor peaks are for (989 Tflop/s).
//
//===----------------------------------------------------------------------===//

#include "tileir/Simulator/Chip.h"

#include <array>

using namespace tileir::sim;

namespace {
struct Rates {
  const char *product;
  uint32_t sms;
  double clockGHz, fma32, fma64, mma16, mmaTf32, mma8, mma64, mmaSync;
  double globalGBs;
};
struct Row {
  const char *name;
  uint32_t computeCapability, sharedPerSm, sharedPerBlock; // KB
  uint32_t warpsPerSm, blocksPerSm;
  const Rates &rates;
};
} // namespace

// clang-format off
// SMs, GHz, lanes of f32 and f64, mma of f16, tf32, i8, f64, mma.sync, GB/s
static constexpr Rates
    kV100 = {"V100 SXM2",        80, 1.530,  64, 32,  512,    0,    0,   0, 1,     900},
    kT4   = {"T4",               40, 1.590,  64,  2,  512,    0, 1024,   0, 1,     320},
    kA100 = {"A100 SXM4 40 GB", 108, 1.410,  64, 32, 1024,  512, 2048,  64, 1,    1555},
    kA10  = {"A10",              72, 1.695, 128,  2,  512,  256, 1024,   0, 1,     600},
    kL4   = {"L4",               58, 2.040, 128,  2,  512,  256, 1024,   0, 1,     300},
    kH100 = {"H100 SXM5",       132, 1.830, 128, 64, 2048, 1024, 4096, 128, 0.62, 3350};

// KB of shared memory of an SM and of a block, warps and blocks of an SM
static constexpr Row kRows[] = {
    {"sm_70",  70,  96,  96, 64, 32, kV100},
    {"sm_75",  75,  64,  64, 32, 16, kT4},
    {"sm_80",  80, 164, 163, 64, 32, kA100},
    {"sm_86",  86, 100,  99, 48, 16, kA10},
    {"sm_89",  89, 100,  99, 48, 24, kL4},
    {"sm_90",  90, 228, 227, 64, 32, kH100},
    {"sm_90a", 90, 228, 227, 64, 32, kH100},
};
// clang-format on

static Chip makeChip(const Row &row) {
  const Rates &rates = row.rates;
  Chip chip;
  chip.name = row.name;
  chip.product = rates.product;
  chip.computeCapability = row.computeCapability;
  chip.sharedPerSm = row.sharedPerSm * 1024;
  chip.maxSharedPerBlock = row.sharedPerBlock * 1024;
  chip.maxWarpsPerSm = row.warpsPerSm;
  chip.maxBlocksPerSm = row.blocksPerSm;
  chip.sms = rates.sms;
  chip.clockGHz = rates.clockGHz;
  chip.fma32 = rates.fma32;
  chip.fma64 = rates.fma64;
  chip.mma16 = rates.mma16;
  chip.mmaTf32 = rates.mmaTf32;
  chip.mma8 = rates.mma8;
  chip.mma64 = rates.mma64;
  chip.mmaSync = rates.mmaSync;
  chip.globalGBs = rates.globalGBs;
  return chip;
}

llvm::Expected<const Chip *> tileir::sim::getChip(llvm::StringRef name) {
  static const auto chips = [] {
    std::array<Chip, std::size(kRows)> made;
    for (size_t i = 0; i < made.size(); ++i)
      made[i] = makeChip(kRows[i]);
    return made;
  }();
  std::string known;
  for (const Chip &chip : chips) {
    if (chip.name == name)
      return &chip;
    known += (known.empty() ? "" : ", ") + chip.name.str();
  }
  return llvm::createStringError("unknown chip '" + name +
                                 "': expected one of " + known);
}
