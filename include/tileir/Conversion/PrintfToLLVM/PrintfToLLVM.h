//===- PrintfToLLVM.h - gpu.printf as calls of printf -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-printf-to-llvm: what programs print on the CPU.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_PRINTFTOLLVM_PRINTFTOLLVM_H
#define TILEIR_CONVERSION_PRINTFTOLLVM_PRINTFTOLLVM_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_CONVERTPRINTFTOLLVMPASS
#include "tileir/Conversion/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_CONVERSION_PRINTFTOLLVM_PRINTFTOLLVM_H
