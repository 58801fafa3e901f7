//===- TileToLinalg.h - Tile programs to linalg -----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-tile-to-linalg: tile programs become functions on linalg and loops.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_TILETOLINALG_TILETOLINALG_H
#define TILEIR_CONVERSION_TILETOLINALG_TILETOLINALG_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_CONVERTTILETOLINALGPASS
#include "tileir/Conversion/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_CONVERSION_TILETOLINALG_TILETOLINALG_H
