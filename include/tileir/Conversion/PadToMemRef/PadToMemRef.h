//===- PadToMemRef.h - Borders of zeros to buffers --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-pad-to-memref: operands with a border of zeros become buffers.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_PADTOMEMREF_PADTOMEMREF_H
#define TILEIR_CONVERSION_PADTOMEMREF_PADTOMEMREF_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_CONVERTPADTOMEMREFPASS
#include "tileir/Conversion/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_CONVERSION_PADTOMEMREF_PADTOMEMREF_H
