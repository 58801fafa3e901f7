//===- Module.h - Descriptions as modules -----------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A description becomes a module with one function on memrefs: the inputs, then
// the output.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TENSOROPERATION_MODULE_H
#define TILEIR_LIB_TENSOROPERATION_MODULE_H

#include "TableChecks.h"
#include "Validation.h"
#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallVector.h"

namespace tileir::tensor_operation {

/// The name of the function.
constexpr llvm::StringLiteral kEntry = "operation";

/// A module that is to be compiled.
struct OperationModule {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  size_t numInputs = 0;
  llvm::SmallVector<int64_t> outputShape;
  /// Whether passes choose its schedule.
  bool optimize = true;
  /// Threads that may run it.
  int64_t threads = 1;
  /// What to verify before it runs, or null.
  std::unique_ptr<TableChecks> tableChecks;
};

/// Makes the module of a description that was validated.
llvm::Expected<OperationModule>
makeModule(mlir::MLIRContext *context, const OperationDescription &description);
llvm::Expected<OperationModule>
makeModule(mlir::MLIRContext *context, const EinsumDescription &description);

/// Collects what goes wrong in a context while it lives.
class ErrorCollector {
public:
  explicit ErrorCollector(mlir::MLIRContext *context);
  ~ErrorCollector();

  /// All of it, or `otherwise` if nobody said what went wrong.
  llvm::Error take(llvm::StringRef otherwise);

private:
  mlir::MLIRContext *context;
  uint64_t handler;
  std::string text;
};

} // namespace tileir::tensor_operation

#endif // TILEIR_LIB_TENSOROPERATION_MODULE_H
