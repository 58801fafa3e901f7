//===- Runs.h - Accesses to elements side by side ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILETOLINALG_RUNS_H
#define TILEIR_LIB_CONVERSION_TILETOLINALG_RUNS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace tileir::to_linalg {

/// How elements of an access lie along an axis of its tile, in runs that start
/// at multiples of their length.
struct Run {
  int64_t lanes = 0; // 0: each by itself
  int64_t axis = 0;
  /// Whether it has to be checked that they lie side by side: that the last one
  /// is as far from the first as it should be, and that `steps`, if that is not
  /// null, goes up by one.
  bool isChecked = false;
  mlir::Value steps = {};
};

/// Of each tile.load and tile.store.
using Runs = llvm::DenseMap<mlir::Operation *, Run>;

/// Finds the runs of all accesses in `module`, by the analysis of axes or by
/// the form of their pointers. Null if that analysis fails.
std::optional<Runs> findRuns(mlir::ModuleOp module);

} // namespace tileir::to_linalg

#endif // TILEIR_LIB_CONVERSION_TILETOLINALG_RUNS_H
