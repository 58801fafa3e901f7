//===- GlobalAccess.h - Registers from and to global memory -----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One instruction moves up to 128 bits: a run of registers whose elements
// follow one another in memory, from an address that is a multiple of the
// run's size.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILETOGPU_GLOBALACCESS_H
#define TILEIR_LIB_CONVERSION_TILETOGPU_GLOBALACCESS_H

#include "Patterns.h"

#include "tileir/Dialect/Tile/Analysis/GlobalRuns.h"

namespace tileir::to_gpu {

/// Counts an access, and tells its width by a remark.
void reportWidth(mlir::Operation *op, const layout::AccessWidth &width,
                 GlobalAccesses &accesses);

/// The layout of a tile, or of a scalar in the kernel of `op`: all threads hold
/// copies of it.
layout::LinearLayout getLayoutOrScalar(mlir::Operation *op, mlir::Type type);

/// The registers of a tile as runs, which one access each moves.
class Runs {
public:
  /// Runs of `length` along an axis.
  Runs(const layout::LinearLayout &layout, unsigned axis, int64_t length);

  /// The register of the first element of each run.
  llvm::ArrayRef<unsigned> getFirst() const { return first; }
  /// The offset from that register for each element of a run.
  llvm::ArrayRef<unsigned> getOffsets() const { return offsets; }

private:
  llvm::SmallVector<unsigned> first, offsets;
};

/// Returns a value for the run that begins with a register: its address (an
/// i64), or whether it is accessed (an i1, or null if always). Runs that have
/// the latter in common are accessed in one branch.
using RunValue = llvm::function_ref<mlir::Value(unsigned)>;

/// Loads the registers of a tile by runs. `others` replace them where runs are
/// not accessed; 0 if empty.
mlir::Value emitLoads(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Type type, const Runs &runs, RunValue getAddress,
                      RunValue getMask, llvm::ArrayRef<mlir::Value> others);

/// Stores the registers of a tile of this layout by runs, each element once.
void emitStores(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                const layout::LinearLayout &layout, const Runs &runs,
                RunValue getAddress, RunValue getMask);

/// Computes values; none where there are no results.
using ValuesBuilder =
    llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &)>;
/// Returns what `body` computes where `mask` (null: always) is true, else
/// `other`, which is null if there are no results.
llvm::SmallVector<mlir::Value> emitMasked(mlir::OpBuilder &builder,
                                          mlir::Location loc, mlir::Value mask,
                                          ValuesBuilder body,
                                          ValuesBuilder other);

/// The conjunction of two masks; null stands for true.
mlir::Value andMasks(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value lhs, mlir::Value rhs);

/// Global memory at an address.
mlir::Value emitPointer(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value address);

} // namespace tileir::to_gpu

#endif // TILEIR_LIB_CONVERSION_TILETOGPU_GLOBALACCESS_H
