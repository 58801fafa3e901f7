//===- ClusterInfo.h - What programs of a cluster share ---------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a number of a kernel is the same in all programs of a cluster: those
// whose number along x differs by less than the cluster's size, which divides
// the number of the first one, and the size of the grid.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_ANALYSIS_CLUSTERINFO_H
#define TILEIR_DIALECT_TILE_ANALYSIS_CLUSTERINFO_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace tileir::tile {

class ClusterInfo {
public:
  explicit ClusterInfo(int64_t cluster) : cluster(cluster) {}

  /// Whether `value`, of an integer type, is.
  bool isSame(mlir::Value value) { return get(value).kind == Kind::Same; }

private:
  /// Of a number: the same one for all, or one more for each program than for
  /// the one before.
  enum class Kind { Same, Consecutive, Unknown };
  struct Info {
    Kind kind = Kind::Unknown;
    /// Divides the number, that of the first program.
    int64_t divisor = 1;
  };

  Info get(mlir::Value value);
  void forgetSame();
  Info compute(mlir::Value value);
  Info computeCarried(mlir::BlockArgument argument);
  Info computeArith(mlir::Operation *op);

  int64_t cluster;
  llvm::DenseMap<mlir::Value, Info> known;
};

} // namespace tileir::tile

#endif // TILEIR_DIALECT_TILE_ANALYSIS_CLUSTERINFO_H
