//===- HostProgram.h - Host code compiled in process ------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The backends cpu, sim and cuda have this in common: a function of lowered
// host code, whose GPU calls, if there are any, go to a GpuRuntime.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_EXECUTION_CPU_HOSTPROGRAM_H
#define TILEIR_LIB_EXECUTION_CPU_HOSTPROGRAM_H

#include "Cpu/GuardedMemory.h"
#include "tileir/Execution/Backend.h"
#include "tileir/Runtime/CpuProgram.h"
#include "tileir/Runtime/GpuRuntime.h"

namespace tileir::execution {

class HostProgram {
public:
  /// Prepares `entry`, before it is lowered, to be called by this class.
  static void prepare(mlir::func::FuncOp entry);

  /// Compiles `module`, which was made of that of `entry` by lowering.
  /// `runtime` outlives the program. LLVM optimizes at `level`.
  static llvm::Expected<std::unique_ptr<HostProgram>>
  compile(mlir::ModuleOp module, mlir::func::FuncOp entry,
          llvm::CodeGenOptLevel level, runtime::GpuRuntime *runtime = nullptr);
  ~HostProgram();

  /// From now on arguments are guarded (GuardedMemory.h) in each run but those
  /// on arguments of the same sizes as in the run before.
  void guard(std::string where);

  /// See Executable::run. An error of a GPU call comes before what it led to.
  llvm::Expected<RunResult> run(llvm::ArrayRef<runtime::NDArray> arguments);

private:
  HostProgram() = default;

  runtime::GpuRuntime *runtime = nullptr;
  std::unique_ptr<runtime::CpuProgram> program;
  llvm::SmallVector<unsigned> memrefArguments;
  std::vector<GuardedArgument> arguments;
  bool isGuarded = false;
  std::string where;
  llvm::SmallVector<size_t> guardedSizes;     // of the last run
  llvm::SmallVector<runtime::NDArray> copies; // of its arguments
};

} // namespace tileir::execution

#endif // TILEIR_LIB_EXECUTION_CPU_HOSTPROGRAM_H
