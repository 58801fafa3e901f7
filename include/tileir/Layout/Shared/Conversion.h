//===- Conversion.h - From one layout to another ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts the registers of a tile from one layout to another, in the cheapest
// way that can.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAYOUT_SHARED_CONVERSION_H
#define TILEIR_LAYOUT_SHARED_CONVERSION_H

#include "tileir/Layout/Shared/SharedMemory.h"

namespace tileir::layout {

/// The axes of ConversionPlan::rounds: the register of `src` that a lane
/// offers, the lane from which it takes, and the register of `dst` to which.
enum RoundAxis { kOffered, kFromLane, kTaken };

struct ConversionPlan {
  enum class Kind {
    /// Each register is what it has to be.
    None,
    /// Each lane has all it needs, in the same registers as other lanes.
    Registers,
    /// Each warp has all it needs.
    Shuffles,
    SharedMemory,
  };
  Kind kind = Kind::None;

  /// Registers: from a register of `dst` (Register) to the one of `src` that it
  /// is a copy of (the only axis).
  LinearLayout registers;

  /// Shuffles: one round for each value of Register, in which each lane offers
  /// a register and takes one that another lane offers. The axes are those of
  /// RoundAxis.
  LinearLayout rounds;

  /// SharedMemory: `src` writes, `dst` reads.
  std::optional<Swizzle> swizzle;
};

/// None if `dst` needs elements of another block. Both layouts are of the same
/// tile, have as many lanes, warps and blocks, and hold all elements.
std::optional<ConversionPlan> planConversion(const LinearLayout &src,
                                             const LinearLayout &dst,
                                             unsigned elementBits,
                                             MatrixInstructions matrices);

/// The number of shuffles that a warp executes in these rounds: each moves 32
/// bits of a lane, and those of rounds that take from the same lane share them.
uint64_t countShuffles(const LinearLayout &rounds, unsigned elementBits);

/// Whether each lane takes from the one whose number differs from its own by a
/// number that the round tells.
bool isButterfly(const LinearLayout &rounds);

/// Accesses of shared memory by a warp, and the wavefronts of all of them.
struct SharedCost {
  double accesses = 0, wavefronts = 0;
};

/// What a conversion takes of a warp, on average over the warps of a block.
struct ConversionCost {
  double shuffles = 0;
  /// The elements of a lane that these move: a word holds several small ones.
  double shuffledElements = 0;
  SharedCost write, read;
};

/// The cost of the plan for a conversion of `src` within a block.
ConversionCost getConversionCost(const ConversionPlan &plan,
                                 const LinearLayout &src, unsigned elementBits);

} // namespace tileir::layout

#endif // TILEIR_LAYOUT_SHARED_CONVERSION_H
