//===- UnrolledLoop.h - Loops that LLVM unrolls or not ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_EINSUMLOWERING_UNROLLEDLOOP_H
#define TILEIR_CONVERSION_EINSUMLOWERING_UNROLLEDLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir::lowering {

/// Keeps LLVM from unrolling a loop: each copy of what it does would take
/// registers. The LLVM dialect has to be loaded.
void keepLoop(mlir::scf::ForOp loop);

/// Has LLVM unroll a loop of few ops on vectors in all its iterations:
/// addresses and branches would take longer than they. LLVM does not do that by
/// itself to what is on vectors. The LLVM dialect has to be loaded.
void unrollShortLoop(mlir::scf::ForOp loop);

} // namespace tileir::lowering

#endif // TILEIR_CONVERSION_EINSUMLOWERING_UNROLLEDLOOP_H
