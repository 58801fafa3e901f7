//===- RunAhead.h - Loads that run ahead of their loop ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Software pipelining of two kinds of ops: some loads, with all that they
// depend on, and the rest, which comes some iterations later. What runs ahead
// is decided here, the loop is rewritten by upstream's pipeliner.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_TILE_TRANSFORMS_RUNAHEAD_H
#define TILEIR_LIB_DIALECT_TILE_TRANSFORMS_RUNAHEAD_H

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "llvm/ADT/SetVector.h"

namespace tileir::tile {

/// Whether `op` is a product of matrices.
inline bool isProduct(mlir::Operation *op) {
  return llvm::isa<DotOp, MmaOp>(op);
}

/// Whether an op by itself, without those in it, may write to global memory.
bool mayWrite(mlir::Operation *op);

/// The products that stand in a loop itself.
llvm::SmallVector<mlir::Operation *> findProducts(mlir::scf::ForOp loop);

/// The ops of the body of `loop` that `roots` depend on, and `roots`; with
/// those of the iterations before if `isCarried`.
llvm::SetVector<mlir::Operation *>
getSources(mlir::scf::ForOp loop, llvm::ArrayRef<mlir::Operation *> roots,
           bool isCarried);

/// The stages of what goes through registers on its way to shared memory. On
/// chips where other loads are asynchronous, two are enough for these.
inline int64_t getRegisterStages(mlir::Operation *kernel) {
  int64_t stages = getConfig(kernel).stages;
  TargetAttr target = TargetAttr::find(kernel);
  return target && target.getAsync() ? std::min<int64_t>(stages, 2) : stages;
}

class RunAhead {
public:
  /// `loads` are ops of the loop's body that read global memory.
  RunAhead(mlir::scf::ForOp loop, llvm::ArrayRef<mlir::Operation *> loads);

  /// The failure reason why they cannot run ahead; empty if they can.
  std::string check();
  /// All that runs ahead, in the order of the body.
  const llvm::SetVector<mlir::Operation *> &getOps() const { return ops; }
  bool contains(mlir::Operation *op) const { return ops.contains(op); }

  /// Lets them run `distance` iterations ahead; in an iteration, `first` come
  /// first, then they, then the rest. Never fails if there is no failure
  /// reason.
  mlir::FailureOr<mlir::scf::ForOp>
  apply(mlir::RewriterBase &rewriter, unsigned distance,
        const llvm::SetVector<mlir::Operation *> &first = {});

private:
  std::string checkOp(mlir::Operation *op);

  mlir::scf::ForOp loop;
  llvm::SetVector<mlir::Operation *> ops;
};

} // namespace tileir::tile

#endif // TILEIR_LIB_DIALECT_TILE_TRANSFORMS_RUNAHEAD_H
