//===- LinalgToVector.h - Structured ops to vectors -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-linalg-to-vector: what tile programs compute on buffers becomes loops
// over vectors.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_LINALGTOVECTOR_LINALGTOVECTOR_H
#define TILEIR_CONVERSION_LINALGTOVECTOR_LINALGTOVECTOR_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_CONVERTLINALGTOVECTORPASS
#include "tileir/Conversion/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_CONVERSION_LINALGTOVECTOR_LINALGTOVECTOR_H
