//===- Lowering.h - From einsum to the LLVM dialect -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TENSOROPERATION_LOWERING_H
#define TILEIR_LIB_TENSOROPERATION_LOWERING_H

#include "Module.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace tileir {

/// The dialects and interfaces that lowering an operation needs.
void registerOperationDialects(mlir::DialectRegistry &registry);

/// Lowers operations, one at a time. Passes that all of them need are made
/// once.
class OperationLowering {
public:
  explicit OperationLowering(mlir::MLIRContext *context);

  /// Has passes choose what the schedule of `module` leaves open.
  mlir::LogicalResult chooseSchedule(OperationModule &module);

  /// Lowers `module` to the LLVM dialect. `needsOptimizer` tells whether its
  /// loops are those of scalars, which LLVM should vectorize.
  mlir::LogicalResult lower(OperationModule &module, bool &needsOptimizer);

private:
  mlir::MLIRContext *context;
  mlir::PassManager kernels, finish;
};

/// Makes of each tensor.pad with zeros a buffer that is filled with zeros, and
/// a contraction that copies into it.
std::unique_ptr<mlir::Pass> createPadBuffersPass();

/// Everything from scf, memref, vector, arith, ... and openmp to the LLVM
/// dialect, by one conversion, with memrefs as pointers.
std::unique_ptr<mlir::Pass> createConvertOperationToLLVMPass();

} // namespace tileir

#endif // TILEIR_LIB_TENSOROPERATION_LOWERING_H
