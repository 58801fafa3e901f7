//===- Compiler.h - Compiles operations -------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TENSOROPERATION_COMPILER_H
#define TILEIR_LIB_TENSOROPERATION_COMPILER_H

#include "Module.h"
#include "tileir/Runtime/CompileTier.h"
#include "tileir/Runtime/Jit.h"
#include "tileir/TensorOperation/TensorOperation.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

#include <map>

namespace tileir::tensor_operation {

/// einsum-to-cpu-pipeline for operations, of which schedules are looked at.
/// Passes are made once: their patterns are more work than a small module.
struct OperationPasses {
  /// `config` is that of einsum-to-cpu-pipeline.
  OperationPasses(mlir::MLIRContext *context, bool optimize, int64_t threads,
                  const std::string &config);

  /// Chooses schedules.
  mlir::PassManager schedule;
  /// The passes to the LLVM dialect: by kernels alone, or what these leave as
  /// well.
  mlir::PassManager fast, full;
};

/// The compiler of a process, with what costs time to make: dialects and the
/// description of the machine. Not to be used by two threads at once.
class OperationCompiler {
public:
  static llvm::Expected<std::unique_ptr<OperationCompiler>> create();

  /// Compiles a description that was validated.
  llvm::Expected<TensorOperation::Pointer>
  compile(const OperationDescription &description);
  llvm::Expected<TensorOperation::Pointer>
  compile(const EinsumDescription &description);

  /// The text of its program for tile-tune.
  llvm::Expected<std::string>
  printProgram(const EinsumDescription &description);

  /// What is wrong with its tables.
  llvm::Error checkTables(const EinsumDescription &description,
                          const void *const *tables);

private:
  OperationCompiler();
  template <typename Description>
  llvm::Expected<TensorOperation::Pointer>
  compileDescription(const Description &description);

  /// Lowers to the LLVM dialect, in the fast tier if that will do.
  llvm::Expected<runtime::CompileTier> lower(OperationModule &module,
                                             OperationPasses &passes);
  OperationPasses &getPasses(const OperationModule &module,
                             const std::string &config);

  mlir::MLIRContext context;
  /// The passes by `optimize`, `threads` and `config`.
  std::map<std::tuple<bool, int64_t, std::string>, OperationPasses> passes;
  std::unique_ptr<runtime::Jit> jit;
};

} // namespace tileir::tensor_operation

#endif // TILEIR_LIB_TENSOROPERATION_COMPILER_H
