//===- ArgumentChecks.h - Checks of promised sizes --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_EINSUMLOWERING_ARGUMENTCHECKS_H
#define TILEIR_CONVERSION_EINSUMLOWERING_ARGUMENTCHECKS_H

#include "tileir/Conversion/EinsumLowering/CheckEmitter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tileir::lowering {

/// Emits, at the beginning of each function of `module`, checks of what its
/// attributes promise of the sizes of its arguments, and removes these
/// attributes. Those for example inputs stay.
void emitArgumentChecks(mlir::ModuleOp module, CheckEmitter &checks);

} // namespace tileir::lowering

#endif // TILEIR_CONVERSION_EINSUMLOWERING_ARGUMENTCHECKS_H
