//===- MatrixAccess.h - Accesses of whole matrices --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `ldmatrix` reads up to four matrices of 8 rows of 16 bytes from shared
// memory. Each lane gives the address of a row, and gets a word of each matrix:
// word lane mod 4 of row lane / 4, or transposed, for elements of 16 bits, the
// elements 2 (lane mod 4) and the next one of column lane / 4. To shared memory
// it is an access by vectors of 16 bytes, one per address; so the addresses are
// a layout as any other, and banks and swizzles are found for that. `stmatrix`
// is the same in the other direction.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAYOUT_SHARED_MATRIXACCESS_H
#define TILEIR_LAYOUT_SHARED_MATRIXACCESS_H

#include "tileir/Layout/Shared/SharedMemory.h"

namespace tileir::layout {

struct MatrixAccess {
  bool isTransposed = false;
  /// Bits of the register: those within a word, those that number the matrices
  /// of an instruction (two at most), and the others.
  llvm::SmallVector<unsigned, 2> wordBits, matrixBits;
  llvm::SmallVector<unsigned, 6> otherBits;
  /// The rows at whose beginnings the addresses are: first the bits of the
  /// register that go through the 16 bytes of a row, then `otherBits`. Lanes
  /// beyond the last row have none.
  LinearLayout rows;

  unsigned getNumMatrices() const { return 1u << matrixBits.size(); }
};

/// Returns how `registers` would be read or stored; none if lanes cannot hold
/// words of rows (or of columns, if it is transposed). The matrices that are
/// read together are those of the first registers, as an mma takes them; those
/// that are stored together lie side by side along their rows if they can. That
/// is where swizzles flip bits by the lane, so that the other stores are at
/// constant distances.
std::optional<MatrixAccess> getMatrixAccess(const LinearLayout &registers,
                                            unsigned elementBits,
                                            bool isTransposed,
                                            bool isStore = false);

/// Returns how they are read from `shared`; none if rows are not 16 bytes side
/// by side there.
std::optional<MatrixAccess> findMatrixAccess(const LinearLayout &registers,
                                             const LinearLayout &shared,
                                             unsigned elementBits);

/// Whether lanes and registers hold no element twice, so that each word of a
/// matrix has one lane to store it. Warps may hold the same.
bool canStoreMatrices(const LinearLayout &registers);

/// Returns how they are stored to `shared`; none if rows are not 16 bytes side
/// by side there, elements are held twice, or stores of vectors are as good.
std::optional<MatrixAccess> findMatrixStore(const LinearLayout &registers,
                                            const LinearLayout &shared,
                                            unsigned elementBits);

} // namespace tileir::layout

#endif // TILEIR_LAYOUT_SHARED_MATRIXACCESS_H
