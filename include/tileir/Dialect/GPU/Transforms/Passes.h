//===- Passes.h - Passes on upstream's gpu dialect --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_GPU_TRANSFORMS_PASSES_H
#define TILEIR_DIALECT_GPU_TRANSFORMS_PASSES_H

#include "tileir/Target/Gpu/Gpu.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

#include <string>

namespace tileir {

#define GEN_PASS_DECL
#include "tileir/Dialect/GPU/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tileir/Dialect/GPU/Transforms/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_DIALECT_GPU_TRANSFORMS_PASSES_H
