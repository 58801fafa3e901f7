//===- Warpgroup.h - Products of warpgroups ---------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a block of a product by wgmma takes, if a warpgroup of its own copies
// the operands: which sizes there are, and how registers are shared out.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAYOUT_FRAGMENTS_WARPGROUP_H
#define TILEIR_LAYOUT_FRAGMENTS_WARPGROUP_H

#include "tileir/Layout/Fragments/TileConfig.h"

namespace tileir::layout {

/// The warps of a warpgroup, and its rows of the sum.
inline constexpr int64_t kGroupWarps = 4, kGroupRows = 64;
/// The most warpgroups that multiply.
inline constexpr int64_t kMaxGroups = 4;
/// Bytes of a row in shared memory at the least, and the multiples at which
/// rows of memory begin.
inline constexpr int64_t kMinRunBytes = 32, kRowAlignment = 16;
/// Registers that a thread of products needs beside sums.
inline constexpr int64_t kOtherRegisters = 40;
/// Registers of a multiprocessor.
inline constexpr int64_t kAllRegisters = 65536;
/// The most of K that is summed up in an accumulator whose sums are narrow.
inline constexpr int64_t kNarrowSum = 128;
/// Bytes of the two barriers of a stage.
inline constexpr int64_t kStageBarrierBytes = 16;

/// Registers of a thread of the products, and of the copies, if `groups`
/// multiply and one copies.
struct RoleRegisters {
  int64_t product, copy;
};
RoleRegisters getRoleRegisters(int64_t groups);

/// The failure reason why warpgroups cannot multiply a block of this size by
/// `atom`, with sums of `accBits`, or an empty text.
std::string checkWarpgroups(const MmaAtom &atom, const TileSizes &block,
                            unsigned accBits);

/// Whether accumulators of f32 hold fewer bits than f32 has, 13 of the fraction
/// ("DeepSeek-V3 Technical Report", 3.3.2): those of f8 do.
bool hasNarrowSums(const MmaAtom &atom);

/// The failure reason why the product of each step of a block, which
/// `checkWarpgroups` has no objection to, cannot be a sum of its own that is
/// added to the one of all steps in f32, or an empty text.
std::string checkPromotion(const TileSizes &block);

} // namespace tileir::layout

#endif // TILEIR_LAYOUT_FRAGMENTS_WARPGROUP_H
