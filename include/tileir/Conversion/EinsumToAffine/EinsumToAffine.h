//===- EinsumToAffine.h - Contractions to loops -----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-einsum-to-affine: contractions on buffers become affine loops.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_EINSUMTOAFFINE_EINSUMTOAFFINE_H
#define TILEIR_CONVERSION_EINSUMTOAFFINE_EINSUMTOAFFINE_H

#include "tileir/Dialect/Einsum/IR/RuntimeChecks.h"

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_CONVERTEINSUMTOAFFINEPASS
#include "tileir/Conversion/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_CONVERSION_EINSUMTOAFFINE_EINSUMTOAFFINE_H
