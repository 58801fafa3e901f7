//===- Patterns.h - Parts of convert-linalg-to-vector -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The patterns of the conversion by concern, and the loops over vectors that
// they share.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_LINALGTOVECTOR_PATTERNS_H
#define TILEIR_LIB_CONVERSION_LINALGTOVECTOR_PATTERNS_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace tileir::linalg_to_vector {

/// The least length of a row that loops over vectors are made for.
inline constexpr int64_t kLeastRow = 4;

/// linalg.contract: products, by microkernels of contractions.
void populateContractPatterns(mlir::RewritePatternSet &patterns,
                              mlir::Pass::Statistic &count);
/// linalg.generic without sums: a vector along the last loop at once.
void populatePointwisePatterns(mlir::RewritePatternSet &patterns,
                               mlir::Pass::Statistic &count);
/// linalg.reduce along one axis.
void populateReducePatterns(mlir::RewritePatternSet &patterns,
                            mlir::Pass::Statistic &count);

/// Whether vectors of `type` lie in memory as scalars of it do, one after the
/// other.
bool isVectorElement(mlir::Type type);

/// Whether vectors along the last axis of `memref` are dense there.
bool hasVectors(mlir::Value memref);

/// Lanes of `count` vectors of the machine at `op`, with elements of `bits`,
/// but no more than `size`: a power of two.
int64_t getNumLanes(mlir::Operation *op, unsigned bits, int64_t count,
                    int64_t size);

/// Goes over `shape`, and calls `body` with the indices of each element.
void buildLoops(
    mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<int64_t> shape,
    llvm::function_ref<void(mlir::OpBuilder &, mlir::ValueRange)> body);

/// Calls `body` with the first index and the number of lanes of each vector of
/// a row of `size` elements: a loop over those with `lanes`, then shorter ones.
void buildVectors(
    mlir::OpBuilder &builder, mlir::Location loc, int64_t size, int64_t lanes,
    llvm::function_ref<void(mlir::OpBuilder &, mlir::Value, int64_t)> body);

} // namespace tileir::linalg_to_vector

#endif // TILEIR_LIB_CONVERSION_LINALGTOVECTOR_PATTERNS_H
