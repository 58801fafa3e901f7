//===- CombiningKinds.h - Combiners and atomics below tiles -----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names, in the dialects below, of the operations that combine tiles and
// that change memory.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_TILELOWERING_COMBININGKINDS_H
#define TILEIR_CONVERSION_TILELOWERING_COMBININGKINDS_H

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tileir::tile_lowering {

mlir::arith::AtomicRMWKind getArithKind(tile::Combiner combiner,
                                        mlir::Type element);
mlir::LLVM::AtomicBinOp getLLVMKind(tile::AtomicKind kind, mlir::Type element);

} // namespace tileir::tile_lowering

#endif // TILEIR_CONVERSION_TILELOWERING_COMBININGKINDS_H
