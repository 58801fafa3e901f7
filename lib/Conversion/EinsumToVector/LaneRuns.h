//===- LaneRuns.h - Lanes that tables lead to, by rows ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pixels that are gone through as one, of an image with a border: a table leads
// to each of them, but those of a row lie side by side. A vector of them is a
// load under a mask for each row that it is part of.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_LANERUNS_H
#define TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_LANERUNS_H

#include "Access.h"

namespace tileir::to_vector {

/// The lanes of a vector that are of one row.
struct LaneRun {
  mlir::Value mask;
  /// What the table adds to the position of lane 0, if it were of this row.
  mlir::Value offset;
};

/// Whether lanes of `access` along `dim` are runs.
bool hasLaneRuns(const Access &access, unsigned dim, Lanes lanes);

/// The runs of a vector along `dim`, which steps of sums do not change.
llvm::SmallVector<LaneRun> findLaneRuns(IndexBuilder &index,
                                        const Access &access,
                                        const Cursor &cursor, unsigned dim,
                                        Lanes lanes);

/// Loads the vector by its runs. Lanes beyond `count` are 0.
mlir::Value loadLaneRuns(IndexBuilder &index, const Access &access,
                         const Cursor &cursor, unsigned dim, Lanes lanes,
                         llvm::ArrayRef<LaneRun> runs);

} // namespace tileir::to_vector

#endif // TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_LANERUNS_H
