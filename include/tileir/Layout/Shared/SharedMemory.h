//===- SharedMemory.h -------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost of moving a tile between registers and shared memory, and the order
// of elements in shared memory that costs least.
//
// Shared memory has 32 banks of 4 bytes. Lanes whose accesses make up 128 bytes
// are served together (all 32 for up to 4 bytes each, 16 for 8, 8 for 16), in
// as many wavefronts as one bank has different words to give. A layout of
// shared memory has bits of Offset only, in elements, and is one to one.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAYOUT_SHARED_SHAREDMEMORY_H
#define TILEIR_LAYOUT_SHARED_SHAREDMEMORY_H

#include "tileir/Layout/Core/AccessWidth.h"
#include "tileir/Layout/Core/LinearLayout.h"

namespace tileir::layout {

/// The way in which a warp moves its registers to or from shared memory.
struct SharedAccess {
  /// Elements that one access of a lane moves.
  unsigned vector = 1;
  /// Position i of a vector is a register that has its bit `vectorBits[j]`
  /// where i has bit j.
  llvm::SmallVector<unsigned, 4> vectorBits;
  /// Accesses of a lane, and what each takes for the warp. The latter is the
  /// same for all, as they differ by exclusive or with a constant.
  unsigned accesses = 1, wavefronts = 1;
  /// Wavefronts of an access without conflicts.
  unsigned idealWavefronts = 1;

  unsigned getConflicts() const { return wavefronts - idealWavefronts; }
  unsigned getTotalWavefronts() const { return accesses * wavefronts; }
  /// What one access is preferred to another for, the first one first.
  std::pair<unsigned, unsigned> getCost() const {
    return {getTotalWavefronts(), accesses};
  }
};

/// The offset that each register of each lane has in `shared`. Its only axis of
/// more than one value is the last one.
LinearLayout getOffsets(const LinearLayout &registers,
                        const LinearLayout &shared);

/// Access by vectors of a given size; none if registers do not hold vectors
/// that are whole, aligned and in the same order everywhere in `shared`.
std::optional<SharedAccess> getSharedAccess(const LinearLayout &registers,
                                            const LinearLayout &shared,
                                            unsigned elementBits,
                                            unsigned vector);
/// Accesses by the largest vectors of up to `maxVectorBits`.
SharedAccess getWidestAccess(const LinearLayout &registers,
                             const LinearLayout &shared, unsigned elementBits,
                             unsigned maxVectorBits = kMaxAccessBits);

/// The number of elements that lie side by side along `axis` of the tile that
/// `registers` hold, and in `shared`: one asynchronous copy moves no more.
int64_t getCopyLength(const LinearLayout &registers, unsigned axis,
                      const LinearLayout &shared, unsigned elementBits);
/// The fewest bytes that an asynchronous copy moves.
inline constexpr int64_t kMinCopyBytes = 4;

/// The instructions for whole matrices (MatrixAccess.h) that there are:
/// ldmatrix, stmatrix.
struct MatrixInstructions {
  bool loads = false, stores = false;
};

/// An order of elements in shared memory, and the accesses of both sides: those
/// of a side that moves matrices are the ones of its addresses.
struct Swizzle {
  LinearLayout shared;
  SharedAccess write, read;

  /// Exclusive ors that make an offset out of a coordinate; 0 if its bits are
  /// only permuted.
  unsigned getNumXors() const;
};

/// The order with the fewest wavefronts, then accesses, then exclusive ors, of
/// those built for each pair of vector sizes. With equal sizes there is always
/// one without conflicts. Elements have 8, 16, 32 or 64 bits. Each side can
/// move whole matrices if `matrices` has the instruction, the writer where that
/// is better than vectors.
Swizzle chooseSwizzle(const LinearLayout &writer, const LinearLayout &reader,
                      unsigned elementBits,
                      unsigned maxVectorBits = kMaxAccessBits,
                      MatrixInstructions matrices = {});

} // namespace tileir::layout

#endif // TILEIR_LAYOUT_SHARED_SHAREDMEMORY_H
