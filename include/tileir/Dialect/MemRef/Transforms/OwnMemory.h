//===- OwnMemory.h - Arguments to memory of their own -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_MEMREF_TRANSFORMS_OWNMEMORY_H
#define TILEIR_DIALECT_MEMREF_TRANSFORMS_OWNMEMORY_H

#include "mlir/IR/Value.h"

namespace tileir::memref_transforms {

/// Whether a value is an argument of a function to whose memory nothing else
/// leads, as its attribute `llvm.noalias` says.
bool isArgumentOfOwnMemory(mlir::Value value);

} // namespace tileir::memref_transforms

#endif // TILEIR_DIALECT_MEMREF_TRANSFORMS_OWNMEMORY_H
