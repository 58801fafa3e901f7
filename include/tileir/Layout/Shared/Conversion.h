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
  /// a register and takes one that another lane offers. The axes are
  ///
  /// - 0: the register of `src` that the lane offers,
  /// - 1: the lane from which it takes,
  /// - 2: the register of `dst` to which it takes.
  LinearLayout rounds;

  /// SharedMemory: `src` writes, `dst` reads.
  std::optional<Swizzle> swizzle;
};

/// None if `dst` needs elements of another block. Both layouts are of the same
/// tile, have as many lanes, warps and blocks, and hold all elements.
std::optional<ConversionPlan> planConversion(const LinearLayout &src,
                                             const LinearLayout &dst,
                                             unsigned elementBits);

} // namespace tileir::layout

#endif // TILEIR_LAYOUT_SHARED_CONVERSION_H
