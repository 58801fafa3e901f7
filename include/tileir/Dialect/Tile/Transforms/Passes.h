//===- Passes.h - Passes of the tile dialect --------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_TRANSFORMS_PASSES_H
#define TILEIR_DIALECT_TILE_TRANSFORMS_PASSES_H

#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Target/Gpu/Gpu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace tileir::tile {

#define GEN_PASS_DECL
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"

/// Adds the patterns of tile-peephole.
void populatePeepholePatterns(mlir::RewritePatternSet &patterns);

/// Adds the patterns of tile-psi-to-select.
void populatePsiToSelectPatterns(mlir::RewritePatternSet &patterns);

#define GEN_PASS_REGISTRATION
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"

} // namespace tileir::tile

#endif // TILEIR_DIALECT_TILE_TRANSFORMS_PASSES_H
