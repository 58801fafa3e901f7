//===- LinalgToTile.h - structured ops to tile kernels ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-linalg-to-tile: structured ops on memrefs become kernels and their
// launches.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_LINALGTOTILE_LINALGTOTILE_H
#define TILEIR_CONVERSION_LINALGTOTILE_LINALGTOTILE_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_CONVERTLINALGTOTILEPASS
#include "tileir/Conversion/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_CONVERSION_LINALGTOTILE_LINALGTOTILE_H
