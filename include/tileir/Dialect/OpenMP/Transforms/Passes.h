//===- Passes.h - Passes on upstream's omp dialect --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_OPENMP_TRANSFORMS_PASSES_H
#define TILEIR_DIALECT_OPENMP_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL
#include "tileir/Dialect/OpenMP/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tileir/Dialect/OpenMP/Transforms/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_DIALECT_OPENMP_TRANSFORMS_PASSES_H
