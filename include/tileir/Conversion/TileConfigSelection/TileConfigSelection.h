//===- TileConfigSelection.h - How kernels divide products ------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tile-select-config: what becomes a kernel gets its tile configuration.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_TILECONFIGSELECTION_TILECONFIGSELECTION_H
#define TILEIR_CONVERSION_TILECONFIGSELECTION_TILECONFIGSELECTION_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_TILESELECTCONFIGPASS
#include "tileir/Conversion/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_CONVERSION_TILECONFIGSELECTION_TILECONFIGSELECTION_H
