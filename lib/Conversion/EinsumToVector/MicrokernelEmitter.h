//===- MicrokernelEmitter.h - The innermost kernel --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_MICROKERNELEMITTER_H
#define TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_MICROKERNELEMITTER_H

#include "Nest.h"

namespace tileir::to_vector {

/// A tile's values of a dimension: `count` parts of `size` each, from `begin`.
struct Parts {
  int64_t begin, size, count;
};

/// `total` values in as few parts of at most `most` as possible, of sizes that
/// differ by one at most: larger ones first.
llvm::SmallVector<Parts> balance(int64_t total, int64_t most);

/// Lanes in parts of at most `tileVectors` vectors; `vectors` are those of a
/// part. The last vector of all may be narrower, and may be masked.
struct LaneParts {
  Parts parts;
  llvm::SmallVector<Lanes> vectors;
  /// Whether sums are formed along vectors (DotEmitter.h).
  bool areDots = false;

  /// Lanes of all vectors, also those beyond the end.
  int64_t getWidth() const {
    int64_t width = 0;
    for (const Lanes &lanes : vectors)
      width += lanes.width;
    return width;
  }
};
llvm::SmallVector<LaneParts> getLaneParts(const Nest &nest);
/// Rows in parts of at most `most`; for a matrix unit, of whole registers but
/// for the last.
llvm::SmallVector<Parts> getRowParts(const Nest &nest, int64_t most);

/// Emits `body` for each of `parts`, in a loop if there are several. It is
/// given where the part begins: a value, or, if that is null, the constant.
void emitParts(
    IndexBuilder &index, Parts parts,
    llvm::function_ref<void(mlir::Value begin, int64_t constant)> body);

/// Moves all cursors to where a part of `dim` begins.
llvm::SmallVector<Cursor> moveTo(IndexBuilder &index, const Nest &nest,
                                 llvm::ArrayRef<Cursor> cursors,
                                 std::optional<unsigned> dim, mlir::Value begin,
                                 int64_t constant);

/// Emits the kernel, with `cursors` (of the accesses of `nest`) at its first
/// element. `isFirst`, `isLast` tell whether it initializes the result and
/// whether it runs the epilogue; null: it always does.
void emitKernel(IndexBuilder &index, const Nest &nest,
                llvm::ArrayRef<Cursor> cursors, mlir::Value isFirst,
                mlir::Value isLast);

} // namespace tileir::to_vector

#endif // TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_MICROKERNELEMITTER_H
