//===- PrefetchEmitter.h - Lines that are asked for ahead -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_PREFETCHEMITTER_H
#define TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_PREFETCHEMITTER_H

#include "MicrokernelEmitter.h"

namespace tileir::to_vector {

/// Emits what `prefetch` of a schedule says, for a tile of `rows` rows;
/// nothing, if it says nothing.
class PrefetchEmitter {
public:
  /// `accesses` are those of the nest, as they are within a tile.
  PrefetchEmitter(IndexBuilder &index, const Nest &nest,
                  llvm::ArrayRef<Access> accesses, int64_t rows,
                  const LaneParts &lanes)
      : index(index), nest(nest), accesses(accesses), rows(rows), lanes(lanes) {
  }

  /// Prefetches the lines of the result, if its sum takes as long as bringing
  /// them.
  void emitResult(llvm::ArrayRef<Cursor> cursors);
  /// Prefetches the inputs that are read some steps after step `step` of the
  /// `count` that are one iteration of the innermost sum.
  void emitInputs(llvm::ArrayRef<Cursor> cursors, int64_t step, int64_t count);

private:
  /// How many elements of an access are a line.
  int64_t getLineElements(const Access &access) const;
  /// Whether element `at` of adjacent ones begins a line, if the first does.
  bool beginsLine(const Access &access, int64_t at) const {
    return at % getLineElements(access) == 0;
  }
  void emitInput(unsigned access, const Cursor &cursor, int64_t step,
                 int64_t count);

  IndexBuilder &index;
  const Nest &nest;
  llvm::ArrayRef<Access> accesses;
  int64_t rows;
  const LaneParts &lanes;
};

} // namespace tileir::to_vector

#endif // TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_PREFETCHEMITTER_H
