//===- GlobalMemory.h - Accesses of global memory ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Global memory is moved in sectors of 32 bytes, so that lanes that are next to
// each other best access what lies side by side. Whoever assigns layouts, emits
// accesses or predicts their cost asks the functions in here.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAYOUT_GLOBAL_GLOBALMEMORY_H
#define TILEIR_LAYOUT_GLOBAL_GLOBALMEMORY_H

#include "tileir/Layout/Core/AccessWidth.h"
#include "tileir/Layout/Core/LinearLayout.h"

namespace tileir::layout {

/// Bytes of a sector.
constexpr int64_t kSectorBytes = 32;

/// Elements of a tile that are next to each other in memory.
struct Run {
  unsigned axis = 0;
  int64_t length = 1;
};

/// The layout in which a tile is loaded or stored: each thread has a vector of
/// up to 128 bits along the run; lanes go on along it, then along other axes,
/// and warps after them.
LinearLayout getCoalesced(llvm::ArrayRef<int64_t> shape, unsigned elementBits,
                          Run run, int64_t numWarps);

/// The way in which a warp moves its registers to or from global memory, in
/// which elements lie side by side along one axis.
struct GlobalAccess {
  /// Elements that one access of a lane moves.
  int64_t vector = 1;
  /// Accesses of a lane.
  int64_t accesses = 1;
  /// An access of a warp goes to so many lines of the tile, and in each to
  /// vectors that begin within so many elements, `stride` from one to the next.
  int64_t lines = 1, span = 1, stride = 1;
  /// The number of warps that hold the same elements.
  int64_t copies = 1;

  /// Elements from the first to the last one that an access touches in a line
  /// of which it has `span`.
  double getReach(double span) const { return span - stride + vector; }
};

/// Accesses of vectors of `width`, if registers have as many neighbours along
/// the axis; else of as many as they have.
GlobalAccess getGlobalAccess(const LinearLayout &layout, unsigned axis,
                             AccessWidth width);

/// The sectors of `bytes` side by side, on average over all places where they
/// may begin: multiples of `alignment`, which is in bytes, too.
double countSectors(double bytes, double alignment);

} // namespace tileir::layout

#endif // TILEIR_LAYOUT_GLOBAL_GLOBALMEMORY_H
