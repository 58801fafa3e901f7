//===- InitAllDialects.h - Register the dialects of TileIR ------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_INITALLDIALECTS_H
#define TILEIR_INITALLDIALECTS_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/Transforms/BufferizableOpInterfaceImpl.h"
#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Dialect/Triton/IR/Triton.h"

namespace tileir {

/// Adds the dialects of TileIR and their interface implementations.
inline void registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<einsum::EinsumDialect, tile::TileDialect, triton::TTDialect,
                  triton::TTGDialect>();
  einsum::registerBufferizableOpInterfaceExternalModels(registry);
}

} // namespace tileir

#endif // TILEIR_INITALLDIALECTS_H
