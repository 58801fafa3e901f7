//===- FusionGroup.h - What becomes one kernel ------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_FUSIONGROUP_H
#define TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_FUSIONGROUP_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

namespace tileir::einsum {

/// The dimensions of the axes of a result; nothing for axes of size 1.
using ResultDims = llvm::SmallVector<std::optional<ContractionDim>>;

/// The options of einsum-fuse.
struct FusionOptions {
  bool prologues;
  /// Whether these may be computed more than once.
  bool recompute;
  unsigned maxContractions;
};

/// The ops of one block that feed its last one and become a kernel with it.
class FusionGroup {
public:
  static bool canBeLast(mlir::Operation *op);
  /// Remarks on a contraction that no group takes, if a pointwise op uses it.
  static void noteUnfit(mlir::Operation *op);

  /// Collects what joins `last`, but nothing of `taken`.
  FusionGroup(mlir::Operation *last, const FusionOptions &options,
              const llvm::SmallPtrSetImpl<mlir::Operation *> &taken);

  /// Whether there is a contraction, and something it is fused with.
  bool isWorthwhile() const;
  unsigned getNumContractions() const { return numContractions; }
  mlir::Operation *getLast() const { return ops.front().first; }
  /// The ops, from the last one to the first.
  llvm::SmallVector<mlir::Operation *> getOps() const {
    return llvm::to_vector(llvm::make_first_range(ops));
  }

  /// Moves the ops into a kernel.
  void emitKernel(mlir::RewriterBase &rewriter);

private:
  /// How the kernel's programs need the elements of a result.
  struct Use {
    bool inEpilogue = false;
    /// Whether it is along other axes than those of the kernel's result.
    bool isTransposed = false;
    /// Whether it is for an operand of a contraction.
    bool inPrologue = false;
    /// Whether what uses it reads elements of it several times.
    bool isReadAgain = false;
  };

  void tryToAdd(mlir::Operation *op, const FusionOptions &options);
  /// The reason why a contraction cannot join; empty if it can.
  std::string getFailureReason(ContractOp op, const Use &use,
                               const FusionOptions &options) const;
  void add(mlir::Operation *op, const Use &use);

  llvm::MapVector<mlir::Operation *, Use> ops;
  /// The uses of values by `ops`.
  llvm::DenseMap<mlir::Value, Use> uses;
  unsigned numContractions = 0;
  /// How all contractions divide the axes of the result into M and N.
  ResultDims resultDims;
  /// Contractions whose operands are exchanged.
  llvm::SmallPtrSet<mlir::Operation *, 4> exchanged;
};

} // namespace tileir::einsum

#endif // TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_FUSIONGROUP_H
