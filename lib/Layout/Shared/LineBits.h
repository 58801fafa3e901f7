//===- LineBits.h -----------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes of shared memory (see SharedMemory.h) in bits of lanes and offsets.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_LAYOUT_SHARED_LINEBITS_H
#define TILEIR_LIB_LAYOUT_SHARED_LINEBITS_H

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tileir::layout {

/// Bits of a lane within those that are served together, for accesses of a
/// size: 128 bytes of at least 4 each.
inline unsigned getGroupLaneBits(unsigned accessBits) {
  return llvm::Log2_32(1024 / std::max(accessBits, 32u));
}
/// Bits of an offset within one word of every bank.
inline unsigned getLineBits(unsigned elementBits) {
  return llvm::Log2_32(1024 / elementBits);
}
/// Bits of an offset within a word.
inline unsigned getWordBits(unsigned elementBits) {
  return llvm::Log2_32(std::max(32u / elementBits, 1u));
}

} // namespace tileir::layout

#endif // TILEIR_LIB_LAYOUT_SHARED_LINEBITS_H
