//===- Autochoose.h - Tiles from a cost model -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tile-autochoose: contractions get the tile configuration of least cost.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_AUTOCHOOSE_AUTOCHOOSE_H
#define TILEIR_CONVERSION_AUTOCHOOSE_AUTOCHOOSE_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_TILEAUTOCHOOSEPASS
#include "tileir/Conversion/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_CONVERSION_AUTOCHOOSE_AUTOCHOOSE_H
