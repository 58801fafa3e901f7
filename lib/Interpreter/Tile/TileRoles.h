//===- TileRoles.h - Roles that take turns ----------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Roles are coroutines: each has a thread, but one runs at a time, until it has
// to wait for another one or ends. So an execution is always the same. If all
// wait, none of them will ever go on.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_INTERPRETER_TILE_TILEROLES_H
#define TILEIR_LIB_INTERPRETER_TILE_TILEROLES_H

#include "Core/Evaluator.h"

#include <condition_variable>
#include <mutex>

namespace tileir::interp {

class Turns {
public:
  explicit Turns(unsigned numRoles) : roles(numRoles) {}

  /// Calls `run` with the number of each role, each in a thread of its own.
  mlir::LogicalResult
  run(llvm::function_ref<mlir::LogicalResult(unsigned)> run);

  /// Lets other roles go on until `isReady`. If that can never be, fails after
  /// an error at `op`, which waits for what `describe` says.
  mlir::LogicalResult waitUntil(unsigned role, mlir::Operation *op,
                                llvm::function_ref<bool()> isReady,
                                llvm::function_ref<std::string()> describe);

  /// Something has happened for which another role may wait.
  void noteProgress() { ++progress; }

private:
  /// Passes the turn to the next role that has not ended, and waits until it
  /// comes back, unless this one has ended.
  void passTurn(unsigned role);
  mlir::LogicalResult emitDeadlock(unsigned role);

  struct Role {
    bool hasEnded = false;
    mlir::Operation *waiting = nullptr;
    std::string what;
    uint64_t progress = 0; ///< when it began to wait, or looked again
  };
  std::vector<Role> roles;
  std::mutex mutex;
  std::condition_variable changed;
  unsigned turn = 0;
  uint64_t progress = 0;
  bool hasFailed = false;
};

/// Fails if the roles have left iterations that nobody has waited for, or that
/// got too few bytes.
mlir::LogicalResult checkChannels(const ChannelTable &table);

} // namespace tileir::interp

#endif // TILEIR_LIB_INTERPRETER_TILE_TILEROLES_H
