//===- Compiler.h - Compiles operations -------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TENSOROPERATION_COMPILER_H
#define TILEIR_LIB_TENSOROPERATION_COMPILER_H

#include "Lowering.h"
#include "tileir/Runtime/Jit.h"
#include "tileir/TensorOperation/TensorOperation.h"

#include "mlir/IR/MLIRContext.h"

namespace tileir {

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

private:
  OperationCompiler();
  template <typename Description>
  llvm::Expected<TensorOperation::Pointer>
  compileDescription(const Description &description);

  mlir::MLIRContext context;
  std::unique_ptr<OperationLowering> lowering;
  std::unique_ptr<Jit> jit;
};

} // namespace tileir

#endif // TILEIR_LIB_TENSOROPERATION_COMPILER_H
