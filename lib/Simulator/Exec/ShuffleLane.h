//===- ShuffleLane.h --------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From which lane a shuffle takes its value (PTX ISA, shfl.sync). Inlined
// always: it is compiled for several instruction sets.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_EXEC_SHUFFLELANE_H
#define TILEIR_LIB_SIMULATOR_EXEC_SHUFFLELANE_H

#include "Program.h"

namespace tileir::sim {

/// The lane that `lane` takes its value from: itself if that which `amount` and
/// `clamp` name is not in range.
static inline __attribute__((always_inline)) uint32_t
getShuffleLane(ShflMode mode, uint32_t lane, uint32_t amount, uint32_t clamp,
               bool &inRange) {
  int b = amount & 31, c = clamp & 31;
  int segment = clamp >> 8 & 31, l = lane;
  int minLane = l & segment, maxLane = minLane | (c & ~segment), from = l;
  inRange = false;
  switch (mode) {
  case ShflMode::Up:
    from = l - b;
    inRange = from >= maxLane;
    break;
  case ShflMode::Down:
    from = l + b;
    inRange = from <= maxLane;
    break;
  case ShflMode::Bfly:
    from = l ^ b;
    inRange = from <= maxLane;
    break;
  case ShflMode::Idx:
    from = minLane | (b & ~segment);
    inRange = from <= maxLane;
    break;
  }
  return inRange ? from : l;
}

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_EXEC_SHUFFLELANE_H
