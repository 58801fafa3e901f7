//===- Gpu.h - The table of GPUs --------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that is known of a GPU: the limits that kernels and launches are held to,
// the instructions that passes choose between, and the peak rates that
// estimates read. Passes, cost models, the simulator and the emission of PTX
// read this table; nothing else compares the names of chips. It needs LLVM's
// support library alone.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TARGET_GPU_GPU_H
#define TILEIR_TARGET_GPU_GPU_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace tileir::machine {

/// The chip of programs that name none: PTX for it runs on all later ones.
inline constexpr llvm::StringLiteral kDefaultGpu = "sm_70";

/// Threads of a warp, on all GPUs of NVIDIA.
inline constexpr int64_t kWarpSize = 32;

/// One entry of the table. Fields that are the same on all of today's GPUs come
/// last, with their values.
struct Gpu {
  llvm::StringRef name;    ///< for LLVM and ptxas: "sm_70"
  llvm::StringRef product; ///< the product whose rates are given: "V100 SXM2"
  uint32_t computeCapability = 70; ///< 70 of 7.0

  /// The version of PTX that kernels need, 65 of 6.5; 0: LLVM's own choice.
  uint32_t ptxVersion = 0;
  /// `tanh.approx`, in the version of PTX that kernels get.
  bool hasTanh = false;
  /// `min` and `max` that propagate NaN, and those of f16 and bf16.
  bool hasMinMaxNaN = false;
  /// The atoms that kernels of tiles are lowered to, by their names.
  llvm::SmallVector<llvm::StringRef, 2> mma;

  uint32_t sharedPerSm = 0;       ///< bytes that the blocks of an SM share
  uint32_t maxSharedPerBlock = 0; ///< bytes, with opt-in
  uint32_t maxWarpsPerSm = 64, maxBlocksPerSm = 32;
  uint32_t sms = 0;

  double clockGHz = 0; ///< boost
  /// Per SM and clock: multiply-adds of f32 and f64 lanes, of f16/bf16, tf32,
  /// i8 and f64 mma (0: no tensor core does it).
  double fma32 = 0, fma64 = 0, mma16 = 0, mmaTf32 = 0, mma8 = 0, mma64 = 0;
  /// The share of the mma rates that mma.sync reaches; all of them need wgmma
  /// where it is not 1.
  double mmaSync = 1;
  double globalGBs = 0; ///< GB/s of device memory
  uint32_t l2Bytes = 0; ///< that L2 holds

  /// Whether a thread can copy from global to shared memory, and wait for it
  /// later.
  bool hasAsync() const { return computeCapability >= 80; }
  /// Whether a warp can read matrices from shared memory.
  bool hasLdmatrix() const { return computeCapability >= 75; }
  /// Whether it can store matrices there.
  bool hasStmatrix() const { return computeCapability >= 90; }
  /// Whether four warps can multiply matrices of shared memory: this chip's own
  /// instructions, which later ones lack.
  bool hasWgmma() const {
    return computeCapability == 90 && name.ends_with("a");
  }
  /// Whether warps can hand registers to others.
  bool hasSetmaxnreg() const {
    return computeCapability >= 90 && computeCapability < 120 &&
           (name.ends_with("a") || name.ends_with("f"));
  }
  /// Whether one instruction computes two f32; elsewhere ptxas makes two of it.
  bool hasPackedF32() const {
    return computeCapability >= 100 && computeCapability < 110;
  }

  uint32_t maxThreadsPerBlock = 1024;
  uint32_t maxBlockDim[3] = {1024, 1024, 64};
  uint32_t maxGridDim[3] = {0x7fffffff, 65535, 65535};
  uint32_t maxStaticShared = 48 * 1024;
  uint32_t registersPerSm = 65536, maxRegistersPerThread = 255;
  /// Per SM and clock: lanes of special functions and of 32-bit integers;
  /// 128-byte shared wavefronts; warp instructions issued.
  double special = 16, integer = 64, sharedWavefronts = 1, issue = 4;
  /// Bytes that L2 gives an SM a clock, and clocks until a copy has arrived.
  double l2SmBytes = 32, copyLatency = 500;
};

/// Returns the entry of kDefaultGpu.
const Gpu &getDefaultGpu();

/// The GPU `name`; null if the table lacks it.
const Gpu *findGpu(llvm::StringRef name);

/// The GPU `name`; an error that lists the known ones.
llvm::Expected<const Gpu *> getGpu(llvm::StringRef name);

/// The GPU `name`, or for one that the table lacks the newest that is older:
/// what that one has, later ones have, too. Null if all are newer.
const Gpu *findGpuOrOlder(llvm::StringRef name);

/// The name that LLVM has for GPUs of `computeCapability`, 70 of 7.0.
std::string getGpuName(uint32_t computeCapability);

/// Whether `name` is one that LLVM has for a GPU of NVIDIA, known or not.
bool isGpuName(llvm::StringRef name);

/// All entries, in the order of the table.
llvm::SmallVector<const Gpu *> getGpus();

/// The names of all, in the same order, separated by commas.
std::string getGpuNames();

/// Adds an entry, for a chip that LLVM knows and the table lacks. Fails if it
/// has the name already. Not while other threads compile or simulate.
llvm::Error addGpu(const Gpu &gpu);

} // namespace tileir::machine

#endif // TILEIR_TARGET_GPU_GPU_H
