//===- TileToGPU.h - Tile programs to gpu -----------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-tile-to-gpu: tile programs with layouts become gpu kernels.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_TILETOGPU_TILETOGPU_H
#define TILEIR_CONVERSION_TILETOGPU_TILETOGPU_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_CONVERTTILETOGPUPASS
#include "tileir/Conversion/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_CONVERSION_TILETOGPU_TILETOGPU_H
