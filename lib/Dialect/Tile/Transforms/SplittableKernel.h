//===- SplittableKernel.h - What tile-split-k-blocks takes ------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adding is not storing: each element may have one program only, before. So the
// kernels are those that convert-einsum-to-tile makes of products, before they
// get layouts: one loop, one tile.store_view of its sum, at a place that is
// another one for each program.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_TILE_TRANSFORMS_SPLITTABLEKERNEL_H
#define TILEIR_LIB_DIALECT_TILE_TRANSFORMS_SPLITTABLEKERNEL_H

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

namespace tileir::tile {

class SplittableKernel {
public:
  /// `users` are those of its symbol.
  SplittableKernel(mlir::func::FuncOp kernel,
                   llvm::ArrayRef<mlir::Operation *> users)
      : kernel(kernel), users(users), loc(kernel.getLoc()) {}

  /// Returns the reason why the kernel is kept; empty if it can be split.
  std::string match();
  /// Chooses the split-K factor for which the kernel's programs become
  /// `programs`.
  int64_t chooseFactor(int64_t programs);
  /// Returns how many parts of equal length a split-K factor of at most
  /// `factor` gives.
  int64_t getParts(int64_t factor) {
    return steps ? llvm::divideCeil(*steps, getSteps(factor)) : factor;
  }

protected:
  int64_t getSteps(int64_t factor) { return llvm::divideCeil(*steps, factor); }
  /// The axes of the memref along which the stored tile runs.
  llvm::SmallVector<int64_t> getTileAxes();

  mlir::func::FuncOp kernel;
  llvm::ArrayRef<mlir::Operation *> users;
  mlir::Location loc;
  StoreViewOp store;
  mlir::scf::ForOp loop;
  unsigned sum = 0;             // which result of the loop
  std::optional<int64_t> steps; // if they are known

private:
  std::string matchStore();
  std::string matchLoop();
  std::string matchPrograms();
  bool storesApart(Axis axis);
};

} // namespace tileir::tile

#endif // TILEIR_LIB_DIALECT_TILE_TRANSFORMS_SPLITTABLEKERNEL_H
