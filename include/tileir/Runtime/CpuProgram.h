//===- CpuProgram.h - A function compiled for this CPU ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a module in the LLVM dialect in process and calls one function of it
// on arrays.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_RUNTIME_CPUPROGRAM_H
#define TILEIR_RUNTIME_CPUPROGRAM_H

#include "tileir/Runtime/Jit.h"
#include "tileir/Runtime/NDArray.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace tileir::runtime {

class CpuProgram {
public:
  /// Prepares `function`, before it is lowered, to be called by this class: it
  /// gets a C interface, and its tensor arguments are not written to.
  static void prepare(mlir::func::FuncOp function);

  /// Compiles `module`, which a pipeline lowered to the LLVM dialect. `entry`
  /// is the prepared function and `type` the type that it had. `functions` can
  /// be called by it, besides those of this process. LLVM optimizes at `level`.
  /// Global constructors of the module run here, destructors with that of this
  /// class.
  static llvm::Expected<std::unique_ptr<CpuProgram>>
  compile(mlir::ModuleOp module, llvm::StringRef entry, mlir::FunctionType type,
          llvm::ArrayRef<HostFunction> functions = {},
          llvm::CodeGenOptLevel level = llvm::CodeGenOptLevel::Aggressive);
  ~CpuProgram();

  /// The code of such a module alone, for who calls it with descriptors:
  /// `void(ptr array)`, whose array has a pointer to that of the results, if
  /// there are any, and to those of the arguments. Results are of Workspace.h.
  /// A function that was not prepared, and takes nothing but pointers, gets
  /// those of the array.
  static llvm::Expected<std::unique_ptr<JitCode>>
  compileCode(mlir::ModuleOp module, llvm::StringRef entry,
              llvm::ArrayRef<HostFunction> functions = {},
              llvm::CodeGenOptLevel level = llvm::CodeGenOptLevel::Aggressive);

  /// Calls the function. `arguments` fit its argument types; what it writes to
  /// memrefs is in them afterwards. Fails with the message of a run-time check
  /// that failed. `seconds`, if given, gets the time of the call alone. If
  /// `memory` is given, the elements of each argument are there, and only
  /// there. A function without results may be called several times, which
  /// `seconds` is the time of.
  llvm::Expected<llvm::SmallVector<NDArray>>
  run(llvm::MutableArrayRef<NDArray> arguments, double *seconds = nullptr,
      llvm::ArrayRef<uint8_t *> memory = {}, unsigned numCalls = 1);

private:
  CpuProgram();

  std::unique_ptr<JitCode> code;
  /// Element kinds and ranks of the results.
  llvm::SmallVector<std::pair<ElementKind, int64_t>> results;
  std::vector<std::string> checkSites;
};

} // namespace tileir::runtime

#endif // TILEIR_RUNTIME_CPUPROGRAM_H
