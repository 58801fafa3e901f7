//===- Cuda.cpp - Run programs on a GPU -----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Cuda/Cuda.h"

#include "tileir/Execution/GpuHost.h"
#include "tileir/Runtime/CudaRuntime.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using llvm::Expected;

Expected<RunOutputs> execution::runCuda(func::FuncOp entry,
                                        ArrayRef<NDArray> arguments,
                                        StringRef pipeline, unsigned repeat,
                                        RunReport &report) {
  auto program =
      lowerGpuProgram(entry, pipeline, "sm_70", KernelFormat::Ptx, "cuda");
  if (!program)
    return program.takeError();
  auto runtime = CudaRuntime::create();
  if (!runtime)
    return runtime.takeError();
  return runGpuProgram(*program, entry, arguments, **runtime, repeat, report,
                       [] {});
}
