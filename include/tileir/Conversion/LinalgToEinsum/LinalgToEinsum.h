//===- LinalgToEinsum.h - linalg to contractions ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-linalg-to-einsum: named and generic ops of linalg become
// contractions.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_LINALGTOEINSUM_LINALGTOEINSUM_H
#define TILEIR_CONVERSION_LINALGTOEINSUM_LINALGTOEINSUM_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_CONVERTLINALGTOEINSUMPASS
#include "tileir/Conversion/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_CONVERSION_LINALGTOEINSUM_LINALGTOEINSUM_H
