//===- ContractOpVerify.h - Verifier of einsum.contract ---------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_EINSUM_IR_CONTRACTOPVERIFY_H
#define TILEIR_LIB_DIALECT_EINSUM_IR_CONTRACTOPVERIFY_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

namespace tileir::einsum {

/// Checks what depends on the sizes of indices: constraints C11, C12, C14 and
/// C19. Where `emitError` gives an inactive diagnostic, nothing is reported.
mlir::LogicalResult
verifyIndexSizes(ContractOp op,
                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Constraints C25 to C28, of the schedule.
mlir::LogicalResult verifySchedule(ContractOp op);

} // namespace tileir::einsum

#endif // TILEIR_LIB_DIALECT_EINSUM_IR_CONTRACTOPVERIFY_H
