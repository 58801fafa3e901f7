//===- KernelBuilder.h - Build a kernel and its launch ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_TILELOWERING_KERNELBUILDER_H
#define TILEIR_CONVERSION_TILELOWERING_KERNELBUILDER_H

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tileir::tile_lowering {

/// Builds a kernel whose arguments are found on the way, and launches it. All
/// its integers are of i64.
class KernelBuilder {
protected:
  /// Adds a private kernel to the module of `symbols`, whose name begins with
  /// `name`. It will be launched where `hostBuilder` stands.
  KernelBuilder(mlir::OpBuilder &hostBuilder, mlir::Location loc,
                llvm::StringRef name, mlir::SymbolTable &symbols);

  void setAttr(llvm::StringRef name, mlir::Attribute value) {
    kernel->setAttr(name, value);
  }
  /// Ends the kernel, and launches it on `grid`.
  void launch(std::array<mlir::Value, 3> grid);

  //===--------------------------------------------------------------------===//
  // Arguments
  //===--------------------------------------------------------------------===//

  /// The argument of type `type` for which the launch passes `value`;
  /// `assumption` is an attribute of it.
  mlir::Value pass(mlir::Value value, mlir::Type type,
                   llvm::StringRef assumption = "");
  /// A pointer to the first element of `memref`.
  mlir::Value passPointer(mlir::Value memref, llvm::StringRef assumption);
  /// A number that the host knows, as i64.
  mlir::Value passNumber(mlir::OpFoldResult number);

  //===--------------------------------------------------------------------===//
  // Tiles
  //===--------------------------------------------------------------------===//

  mlir::RankedTensorType getTile(llvm::ArrayRef<int64_t> shape,
                                 mlir::Type element) {
    return mlir::RankedTensorType::get(shape, element);
  }
  /// `value` at each element of a tile; a tile stays.
  mlir::Value splat(mlir::Value value, mlir::RankedTensorType type);
  mlir::Value splatNumber(mlir::OpFoldResult number,
                          mlir::RankedTensorType type);
  /// 0, 1, ..., size - 1.
  mlir::Value createRange(int64_t size);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value multiply(mlir::Value lhs, mlir::Value rhs);
  /// Whether 0 <= value < bound.
  mlir::Value isBelow(mlir::Value value, mlir::Value bound);
  /// Repeats `tile`, which runs along `axis`, to `shape`; null stays null.
  mlir::Value expand(mlir::Value tile, unsigned axis,
                     llvm::ArrayRef<int64_t> shape);
  /// `tile`, axis i of which runs along axis `along[i]`, broadcast to `shape`.
  mlir::Value spread(mlir::Value tile, llvm::ArrayRef<unsigned> along,
                     llvm::ArrayRef<int64_t> shape);
  /// The conjunction of two masks; null stands for true.
  mlir::Value both(mlir::Value lhs, mlir::Value rhs);
  /// `pointer`, advanced by a tile of offsets.
  mlir::Value pointTo(mlir::Value pointer, mlir::Value offsets);

  mlir::OpBuilder &hostBuilder;
  mlir::OpBuilder builder; // stands in the kernel
  mlir::Location loc;
  mlir::Type i64;

private:
  mlir::func::FuncOp kernel;
  llvm::SmallVector<mlir::Value> launchArguments;
  llvm::SmallVector<llvm::StringRef> assumptions; // per argument, or ""
  /// The arguments of values that are passed, by their types in the kernel;
  /// values of index as i64.
  llvm::DenseMap<std::pair<mlir::Value, mlir::Type>, mlir::Value> passed;
  llvm::DenseMap<mlir::Value, mlir::Value> casts;
};

} // namespace tileir::tile_lowering

#endif // TILEIR_CONVERSION_TILELOWERING_KERNELBUILDER_H
