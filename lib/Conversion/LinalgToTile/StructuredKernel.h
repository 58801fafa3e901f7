//===- StructuredKernel.h - The kernel of a structured op -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_LINALGTOTILE_STRUCTUREDKERNEL_H
#define TILEIR_LIB_CONVERSION_LINALGTOTILE_STRUCTUREDKERNEL_H

#include "StructuredAccess.h"

#include "tileir/Conversion/TileLowering/KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tileir::linalg_to_tile {

/// The kernel of a structured op that verifyHasKernel accepts: each program
/// computes `block` positions of the parallel loops, and at each of them all
/// iterations of the reductions, one after the other.
class StructuredKernel : tile_lowering::KernelBuilder {
public:
  StructuredKernel(mlir::OpBuilder &hostBuilder, mlir::linalg::LinalgOp op,
                   llvm::StringRef name, mlir::SymbolTable &symbols,
                   int64_t block);

  /// Emits the kernel, and its launch.
  void emit();
  int64_t getBlock() const { return block; }

private:
  /// The pointers to an operand's elements at a position of the parallel loops,
  /// and what its axes along reductions add, as pairs of indices and strides.
  struct Access {
    mlir::Value pointers;
    llvm::SmallVector<std::pair<mlir::AffineExpr, mlir::OpFoldResult>> moves;
  };

  // Indices are i64, and tiles of it where they differ among positions.
  mlir::Value getNumber(mlir::OpFoldResult number, mlir::Type type);
  mlir::Value toTile(mlir::Value value);
  /// An op on indices, scalars as long as both are.
  template <typename Op> mlir::Value combine(mlir::Value lhs, mlir::Value rhs) {
    if (lhs.getType() != rhs.getType()) {
      lhs = toTile(lhs);
      rhs = toTile(rhs);
    }
    return builder.createOrFold<Op>(loc, lhs, rhs);
  }
  mlir::Value emitIndex(mlir::AffineExpr expr);
  mlir::OpFoldResult getTotal(bool ofReductions);
  void setIndices(mlir::Value position, bool ofReductions);

  StridedView getView(mlir::Value memref);
  mlir::Value getPointer(const StridedView &view);
  llvm::StringRef getAssumption(mlir::Value root);
  bool isMovedByReductions(mlir::AffineExpr index);
  Access getAccess(mlir::OpOperand &operand);
  mlir::Value load(const Access &access);

  mlir::Value getCaptured(mlir::Value value);
  mlir::Value emitGather(mlir::memref::LoadOp op,
                         const mlir::IRMapping &values);
  mlir::Value emitIndexCast(mlir::Operation *op, mlir::Value value);
  void emitElementwise(mlir::Operation *op, mlir::IRMapping &values);
  void emitRegionOp(mlir::Operation *op, mlir::IRMapping &values);
  llvm::SmallVector<mlir::Value> emitRegion(mlir::ValueRange outputs);
  llvm::SmallVector<mlir::Value> emitReductions(mlir::ValueRange outputs);

  mlir::linalg::LinalgOp op;
  int64_t block;
  llvm::SmallVector<mlir::OpFoldResult> sizes; // of loops
  llvm::SmallVector<LoopGroup> groups;
  /// The index along each loop; of a group, that of its last loop.
  llvm::SmallVector<mlir::Value> indices;
  /// The sizes of memrefs along their axes, those of loops where they agree.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::OpFoldResult> known;
  // By the numbers of operands: accesses, and inputs that no reduction moves.
  llvm::DenseMap<unsigned, Access> accesses;
  llvm::DenseMap<unsigned, mlir::Value> invariants;
  llvm::DenseMap<mlir::Value, mlir::Value> bytes; // of i1 from the host
  /// The positions that there are; null if all are. And those at which no
  /// assertion of the region has failed.
  mlir::Value inside, asserted;
};

} // namespace tileir::linalg_to_tile

#endif // TILEIR_LIB_CONVERSION_LINALGTOTILE_STRUCTUREDKERNEL_H
