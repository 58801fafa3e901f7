//===- TileChannels.h - Channels and products between roles -----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A channel is a bounded queue of iterations: acquired ones are at its end,
// released ones leave at its front. All that is asynchronous happens as late as
// it may: copies arrive at the wait for their iteration, the result of a
// product is poison until a wait for it, a stage that is released holds
// nothing, and bulk stores reach memory when the program ends.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_INTERPRETER_TILE_TILECHANNELS_H
#define TILEIR_LIB_INTERPRETER_TILE_TILECHANNELS_H

#include "Core/Evaluator.h"

namespace tileir::interp {

/// An iteration of a channel that is acquired and not released.
struct ChannelIteration {
  mlir::Operation *acquire;
  int64_t expectedBytes, bytes = 0; ///< announced, and of copies so far
  bool hasArrived = false;          ///< somebody has waited for it
  mlir::SmallVector<PendingCopy, 2> copies;
};

struct Channel {
  int64_t numStages;
  int64_t numReleased = 0;
  std::deque<ChannelIteration> iterations; ///< numReleased is the first one

  int64_t getNumAcquired() const {
    return numReleased + int64_t(iterations.size());
  }
};

/// A product that was begun.
struct PendingProduct {
  mlir::Operation *op;
  unsigned role;
  int64_t number;                    ///< among those of its role, from 1
  bool isDone;                       ///< somebody has waited for it
  llvm::SmallVector<Array, 2> reads; ///< stages
  Array result;                      ///< poison, by which the program names it
  Array values;
};

/// A bulk store that was begun.
struct PendingStore {
  mlir::Operation *op;
  unsigned role;
  bool isRead;  ///< somebody has waited for it
  Array source; ///< what it reads
  Array memory;
  /// Positions in memory, and what will be there.
  std::vector<std::pair<int64_t, Scalar>> elements;
};

struct ChannelTable {
  std::vector<Channel> channels;
  std::vector<PendingProduct> products;
  llvm::DenseMap<unsigned, int64_t> numProducts; ///< of each role
  std::vector<PendingStore> stores;              ///< in order
};

/// Fails if a product or a bulk store that is on its way reads part of `place`,
/// which `op` is to write or to give back.
mlir::LogicalResult checkNoReader(Evaluator &evaluator, mlir::Operation *op,
                                  const Array &place);

/// Ends the bulk stores of a program; fails if nobody has waited for one.
mlir::LogicalResult endStores(const ChannelTable &table);

/// `acc` + a * b, each sum in order; an error if an element is poison
/// (TileMath.cpp).
mlir::FailureOr<Array> multiply(Evaluator &evaluator, mlir::Operation *op,
                                const Array &a, const Array &b,
                                const Array &acc, bool isTF32);

} // namespace tileir::interp

#endif // TILEIR_LIB_INTERPRETER_TILE_TILECHANNELS_H
