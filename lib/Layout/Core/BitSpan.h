//===- BitSpan.h ------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A space of bit vectors, given by vectors that span it: Gaussian elimination
// over the field of two elements, one vector at a time.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_LAYOUT_CORE_BITSPAN_H
#define TILEIR_LIB_LAYOUT_CORE_BITSPAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"

#include <cstdint>
#include <optional>

namespace tileir::layout {

class BitSpan {
public:
  BitSpan() = default;
  explicit BitSpan(llvm::ArrayRef<uint64_t> vectors) {
    for (uint64_t vector : vectors)
      insert(vector);
  }

  /// Adds the next vector; false if it is a sum of vectors before.
  bool insert(uint64_t vector) {
    Row row{vector, uint64_t(1) << numInserted++};
    reduce(row);
    if (row.vector)
      rows.push_back(row);
    return row.vector;
  }
  bool contains(uint64_t vector) const { return solve(vector).has_value(); }
  /// A mask of inserted vectors (by order of insertion) whose sum is `vector`.
  /// Has only vectors that were not sums of those before, so it is unique.
  std::optional<uint64_t> solve(uint64_t vector) const {
    Row row{vector, 0};
    reduce(row);
    return row.vector ? std::nullopt : std::optional(row.summands);
  }
  unsigned getRank() const { return rows.size(); }

private:
  struct Row {
    uint64_t vector, summands;
  };
  /// Rows are in order of insertion: each lacks the highest bits of those
  /// before it, so one round is enough.
  void reduce(Row &row) const {
    for (const Row &known : rows)
      if (row.vector & llvm::bit_floor(known.vector)) {
        row.vector ^= known.vector;
        row.summands ^= known.summands;
      }
  }

  llvm::SmallVector<Row, 16> rows;
  unsigned numInserted = 0;
};

/// The sum of the vectors whose bits are set in `mask`.
inline uint64_t sumOf(llvm::ArrayRef<uint64_t> vectors, uint64_t mask) {
  uint64_t sum = 0;
  for (auto [i, vector] : llvm::enumerate(vectors))
    if (mask >> i & 1)
      sum ^= vector;
  return sum;
}

} // namespace tileir::layout

#endif // TILEIR_LIB_LAYOUT_CORE_BITSPAN_H
