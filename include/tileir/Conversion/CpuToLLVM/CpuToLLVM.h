//===- CpuToLLVM.h - Kernels for the CPU to llvm ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-cpu-to-llvm: loops, vectors and memrefs become the LLVM dialect, by
// one conversion.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_CPUTOLLVM_CPUTOLLVM_H
#define TILEIR_CONVERSION_CPUTOLLVM_CPUTOLLVM_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_CONVERTCPUTOLLVMPASS
#include "tileir/Conversion/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_CONVERSION_CPUTOLLVM_CPUTOLLVM_H
