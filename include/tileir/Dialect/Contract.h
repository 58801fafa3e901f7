//===- Contract.h - What holds between two stages ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contract says what the passes of a stage leave and those of the next one
// rely on: numbered constraints, in the description of the pass that verifies
// them. A pass that may be given what users write verifies its contract, too,
// so that a violation is the same error wherever it is found.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_CONTRACT_H
#define TILEIR_DIALECT_CONTRACT_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace tileir {

/// A contract, by the name of the pass that verifies it.
struct Contract {
  llvm::StringLiteral pass;

  /// The beginning of the error that `op` violates `constraint`: what was
  /// expected, what was found and how to mend it is to follow.
  mlir::InFlightDiagnostic violate(mlir::Operation *op,
                                   llvm::StringRef constraint) const {
    return op->emitError() << pass << ' ' << constraint << ": '"
                           << op->getName() << "' op ";
  }
};

} // namespace tileir

#endif // TILEIR_DIALECT_CONTRACT_H
