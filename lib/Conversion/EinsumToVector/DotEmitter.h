//===- DotEmitter.h - Sums along vectors ------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_DOTEMITTER_H
#define TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_DOTEMITTER_H

#include "MicrokernelEmitter.h"

namespace tileir::to_vector {

/// A buffer of `size` accumulators: on the stack if threads do not share it.
mlir::Value allocate(IndexBuilder &index, const Nest &nest, int64_t size);

/// How many lanes, too few for a vector, are better computed as dot products
/// along the innermost summed dimension, or how many of a tile are where
/// vectors are to lie along it; 0 for none.
int64_t getDotLanes(const Nest &nest);

/// Where an input does not follow along the innermost sum in memory, replaces
/// it by a copy of its `lanes` lanes that does, and moves `cursors` there. Sets
/// Nest::groupSize.
/// Returns the buffers that are to be freed.
llvm::SmallVector<mlir::Value>
packForDots(IndexBuilder &index, Nest &nest, Lanes lanes,
            llvm::SmallVectorImpl<Cursor> &cursors);

/// The sums of `rows` rows and `lanes` lanes, as a vector of lanes for each
/// row. There are at most as many of them as a vector has lanes.
llvm::SmallVector<mlir::Value> emitDots(IndexBuilder &index, const Nest &nest,
                                        llvm::ArrayRef<Access> accesses,
                                        int64_t rows, Lanes lanes,
                                        llvm::ArrayRef<Cursor> cursors);

} // namespace tileir::to_vector

#endif // TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_DOTEMITTER_H
