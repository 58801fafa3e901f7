//===- Chip.h - NVIDIA chips as data ----------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The limits that launches are held to, and the peak rates that the estimate
// of Report.h reads. Sources: the CUDA C++ Programming Guide (tables of compute
// capabilities) and NVIDIA's architecture white papers.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_SIMULATOR_CHIP_H
#define TILEIR_SIMULATOR_CHIP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace tileir::sim {

struct Chip {
  llvm::StringRef name;    ///< "sm_70"
  llvm::StringRef product; ///< the product whose rates are given: "V100 SXM2"
  uint32_t computeCapability = 70;
  uint32_t maxThreadsPerBlock = 1024;
  uint32_t maxBlockDim[3] = {1024, 1024, 64};
  uint32_t maxGridDim[3] = {0x7fffffff, 65535, 65535};
  uint32_t maxSharedPerBlock = 0; ///< bytes, with opt-in
  uint32_t maxStaticShared = 48 * 1024;
  uint32_t sharedPerSm = 0; ///< bytes that the blocks of an SM share
  uint32_t maxWarpsPerSm = 64, maxBlocksPerSm = 32, registersPerSm = 65536;
  uint32_t sms = 0;
  double clockGHz = 0; ///< boost
  /// Per SM and clock: multiply-adds of f32 and f64 lanes, of f16/bf16, tf32,
  /// i8 and f64 mma (0: no tensor core does it); lanes of special functions and
  /// of 32-bit integers; 128-byte shared wavefronts; warp instructions issued.
  double fma32 = 0, fma64 = 0, mma16 = 0, mmaTf32 = 0, mma8 = 0, mma64 = 0;
  double special = 16, integer = 64;
  /// The share of the mma rates that mma.sync reaches; all of them need wgmma
  /// where it is not 1.
  double mmaSync = 1;
  double sharedWavefronts = 1, issue = 4;
  double globalGBs = 0; ///< GB/s of device memory
};

/// The chip `name`, "sm_70", ...; an error that lists the known ones.
llvm::Expected<const Chip *> getChip(llvm::StringRef name);

} // namespace tileir::sim

#endif // TILEIR_SIMULATOR_CHIP_H
