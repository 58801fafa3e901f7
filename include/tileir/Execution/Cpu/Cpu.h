//===- Cpu.h - Run compiled code --------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_CPU_CPU_H
#define TILEIR_EXECUTION_CPU_CPU_H

#include "tileir/Execution/Check.h"
#include "tileir/Execution/Report.h"
#include "tileir/Runtime/CpuProgram.h"

namespace tileir::execution {

/// The results of `entry`, then its memref arguments.
llvm::SmallVector<NDArray> collectOutputs(mlir::func::FuncOp entry,
                                          llvm::SmallVector<NDArray> results,
                                          llvm::ArrayRef<NDArray> arguments);

/// Runs a program that was made of `entry`, `repeat` times, and before that
/// `warmUps` times that are not timed. Calls `afterRun` after each run.
llvm::Expected<RunOutputs>
runProgram(CpuProgram &program, mlir::func::FuncOp entry,
           llvm::ArrayRef<NDArray> arguments, unsigned warmUps, unsigned repeat,
           RunReport &report, llvm::function_ref<llvm::Error()> afterRun);

/// Lowers a copy of the module by `pipeline`, compiles and runs it.
llvm::Expected<RunOutputs> runCpu(mlir::func::FuncOp entry,
                                  llvm::ArrayRef<NDArray> arguments,
                                  llvm::StringRef pipeline, unsigned repeat,
                                  RunReport &report);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_CPU_CPU_H
