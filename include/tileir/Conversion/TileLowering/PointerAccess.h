//===- PointerAccess.h - Loads and stores at pointers -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses to numbers, or vectors of them, at pointers of LLVM, which has no
// floats of 8 bits: they are loaded and stored as bytes. Nor does it compare
// and swap floats: they are taken as integers.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_TILELOWERING_POINTERACCESS_H
#define TILEIR_CONVERSION_TILELOWERING_POINTERACCESS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tileir::tile_lowering {

mlir::Value createLoad(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Type type, mlir::Value pointer, unsigned alignment,
                       bool isVolatile = false);
void createStore(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value value, mlir::Value pointer, unsigned alignment);
/// What was at `pointer`, where `value` is written if that has the bits of
/// `compare`.
mlir::Value createCompareAndSwap(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value pointer, mlir::Value compare,
                                 mlir::Value value,
                                 mlir::LLVM::AtomicOrdering order,
                                 llvm::StringRef syncScope = "");

} // namespace tileir::tile_lowering

#endif // TILEIR_CONVERSION_TILELOWERING_POINTERACCESS_H
