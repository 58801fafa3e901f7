//===- CudaProgram.h - Run CUDA programs on the simulator -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A .cu file with its own `main`: clang compiles host code to a library, which
// this process loads, and which finds here what it calls of the CUDA runtime
// (lib/Execution/Sim/CudaRuntimeApi.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_SIM_CUDAPROGRAM_H
#define TILEIR_EXECUTION_SIM_CUDAPROGRAM_H

#include "tileir/Execution/Backend.h"
#include "tileir/Execution/Sim/CudaSource.h"

namespace tileir::execution {

/// What a program did.
struct CudaOutcome {
  int status = 0;                 ///< of main, or of exit
  std::string signal;             ///< that it ended by, if it did
  bool hasFailed = false;         ///< a call of the CUDA runtime was in error
  std::vector<std::string> leaks; ///< of memory of the device, a line for each
  double seconds = 0;
  SimReport sim;
};

/// Compiles the files at `paths`, CUDA C++ and C++, for `options.chip`, each by
/// itself, and runs their `main` with `arguments`, of which the first one is
/// the name of the program. It becomes this process: where it ends, by `exit`
/// or at the end of `main`, after its destructors `finish` is given what
/// happened, and its result is the status of this process. So this function
/// only returns to say why the program does not run: it does not compile, or
/// calls what the stand-in for the CUDA runtime lacks.
llvm::Error runCudaProgram(llvm::ArrayRef<std::string> paths,
                           llvm::ArrayRef<std::string> arguments,
                           const CudaOptions &cuda,
                           const BackendOptions &options,
                           llvm::function_ref<int(CudaOutcome)> finish);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_SIM_CUDAPROGRAM_H
