//===- LoopAccess.h - What an op reads and writes --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_SCF_TRANSFORMS_LOOPACCESS_H
#define TILEIR_LIB_DIALECT_SCF_TRANSFORMS_LOOPACCESS_H

#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tileir::scf_transforms {

/// Elements of a memref, or of memory that pointers of LLVM lead to.
struct Access {
  mlir::Value memref; ///< null: by a pointer
  bool isWrite;
  /// Of the first element, which `numElements` along the last axis begin with;
  /// empty: anywhere in the memref.
  llvm::SmallVector<mlir::Value> indices;
  int64_t numElements = 1;
};

/// Appends what `op` and the ops in it read and write. Fails if that is not
/// known.
mlir::LogicalResult collectAccesses(mlir::Operation *op,
                                    llvm::SmallVectorImpl<Access> &accesses);

/// Whether one writes what the other one may read or write, too.
bool mayConflict(const Access &lhs, const Access &rhs);

/// Whether two loops are of one kind, and have the same bounds and steps.
bool haveSameIterations(mlir::LoopLikeOpInterface lhs,
                        mlir::LoopLikeOpInterface rhs);

/// Whether loops of the same bounds and steps reach the same elements of a
/// buffer in the same iterations alone: both go along some axis by each of
/// their indices.
bool areOfOneIteration(const Access &lhs, mlir::LoopLikeOpInterface left,
                       const Access &rhs, mlir::LoopLikeOpInterface right);

} // namespace tileir::scf_transforms

#endif // TILEIR_LIB_DIALECT_SCF_TRANSFORMS_LOOPACCESS_H
