//===- EinsumToTile.h - Contractions to tile programs -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-einsum-to-tile: contractions and fused kernels become tile programs
// and their launches.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_EINSUMTOTILE_EINSUMTOTILE_H
#define TILEIR_CONVERSION_EINSUMTOTILE_EINSUMTOTILE_H

#include "tileir/Dialect/Einsum/IR/RuntimeChecks.h"

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_CONVERTEINSUMTOTILEPASS
#define GEN_PASS_DECL_EINSUMEXCHANGEOPERANDSPASS
#define GEN_PASS_DECL_EINSUMVERIFYKERNELSPASS
#include "tileir/Conversion/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_CONVERSION_EINSUMTOTILE_EINSUMTOTILE_H
