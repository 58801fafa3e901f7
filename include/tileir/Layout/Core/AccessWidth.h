//===- AccessWidth.h - The width of an access of memory ---------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whoever assigns layouts, emits accesses or predicts their cost limits the
// width by what is known to it: what a layout gives a thread side by side,
// contiguity, alignment, masks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAYOUT_CORE_ACCESSWIDTH_H
#define TILEIR_LAYOUT_CORE_ACCESSWIDTH_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"

#include <cstdint>

namespace tileir::layout {

/// The most bits that an instruction moves for a lane from or to memory.
constexpr unsigned kMaxAccessBits = 128;

/// The number of elements that one access moves: a power of two.
class AccessWidth {
public:
  /// Starts with as many elements as one instruction can move.
  explicit AccessWidth(unsigned elementBits)
      : elementBits(elementBits), elements(kMaxAccessBits / elementBits) {}
  /// Limits the width to `count` elements; `why` is the reason.
  void limit(int64_t count, llvm::StringRef why = "") {
    if (count >= elements)
      return;
    elements = llvm::bit_floor(uint64_t(count));
    reason = why;
  }

  int64_t getNumElements() const { return elements; }
  int64_t getNumBits() const { return elements * elementBits; }
  /// The reason for the last limit; empty if an instruction moves no more.
  llvm::StringRef getReason() const { return reason; }

private:
  unsigned elementBits;
  int64_t elements;
  llvm::StringRef reason;
};

} // namespace tileir::layout

#endif // TILEIR_LAYOUT_CORE_ACCESSWIDTH_H
