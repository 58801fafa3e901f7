//===- TritonToTile.h - Triton's IR to tile programs ------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-triton-to-tile: kernels as Triton writes them become tile programs.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_TRITONTOTILE_TRITONTOTILE_H
#define TILEIR_CONVERSION_TRITONTOTILE_TRITONTOTILE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_CONVERTTRITONTOTILEPASS
#include "tileir/Conversion/Passes.h.inc"

namespace triton_to_tile {

/// Whether functions of Triton's are in `module`.
bool hasTritonFunctions(mlir::ModuleOp module);
/// Makes tile programs of the functions of Triton's in `module`, if there are
/// some, as convert-triton-to-tile does. Diagnostics tell where that fails.
mlir::LogicalResult convertTritonFunctions(mlir::ModuleOp module);

} // namespace triton_to_tile
} // namespace tileir

#endif // TILEIR_CONVERSION_TRITONTOTILE_TRITONTOTILE_H
