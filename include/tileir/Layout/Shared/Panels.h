//===- Panels.h - Shared memory of bulk copies and wgmma --------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bulk copies by tensor maps write boxes whose rows have at most 128 bytes. A
// tile is cut along its last axis into panels of such rows: 128, 64 or 32 bytes
// side by side, one row after the other, one panel after the other. Of each
// address, the bits that number the chunk of 16 bytes in its row are exchanged
// by exclusive or with bits 7 and up (the swizzle of the map, as wide as a
// row), so that the same chunk of 8 rows lies in different banks.
//
// wgmma reads operands in this form by a descriptor: PTX ISA, "Matrix
// Descriptor" and "Strides" of wgmma.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAYOUT_SHARED_PANELS_H
#define TILEIR_LAYOUT_SHARED_PANELS_H

#include "tileir/Layout/Core/LinearLayout.h"

namespace tileir::layout {

/// Where matrices in panels have to begin, in bytes: patterns of swizzles
/// repeat after 1024.
constexpr int64_t kPanelAlignment = 1024;
/// The most axes of a tensor map, and how far apart the elements of its boxes
/// are at most along one.
constexpr int64_t kMaxMapAxes = 5, kMaxMapStep = 8;

/// The bytes of a panel's row for a tile of this shape: 128, 64 or 32, as many
/// as divide its last axis. 0 if there are none, or a size is no power of two.
int64_t getPanelBytes(llvm::ArrayRef<int64_t> shape, unsigned elementBits);

/// The tile as it lies in memory, in panels whose rows have `panelBytes`: those
/// of getPanelBytes, or fewer where a copy has shorter rows.
LinearLayout getPanelLayout(llvm::ArrayRef<int64_t> shape, unsigned elementBits,
                            int64_t panelBytes);

/// The bytes of the rows of the panels in which a tile lies; 0 if it does not
/// lie in panels.
int64_t findPanelBytes(const LinearLayout &layout,
                       llvm::ArrayRef<int64_t> shape, unsigned elementBits);

/// An operand of wgmma in panels, of `shape` as it lies in memory: M x K or
/// N x K if K runs along rows, else K x M or K x N.
struct PanelOperand {
  std::array<int64_t, 2> shape;
  unsigned elementBits;
  int64_t panelBytes;
  bool isAlongK;

  /// The descriptor but for the address: its bits 0 to 13 are those of the
  /// address divided by 16.
  uint64_t getDescriptor() const;
  /// Bytes from the beginning of the operand to the part of an instruction:
  /// rows from 64 * `group` on of M, elements from `k` on of K.
  int64_t getOffset(int64_t group, int64_t k) const;
};

} // namespace tileir::layout

#endif // TILEIR_LAYOUT_SHARED_PANELS_H
