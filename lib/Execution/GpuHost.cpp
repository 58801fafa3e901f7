//===- GpuHost.cpp - Run programs that launch kernels ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host code is compiled for this CPU and calls a GPU, or the simulator of one,
// by way of GpuRuntime.
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/GpuHost.h"

#include "tileir/Execution/Cpu/Cpu.h"
#include "tileir/Execution/Progress.h"
#include "tileir/Target/PTX/Lowering.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::formatv;

Expected<GpuProgram> execution::lowerGpuProgram(func::FuncOp entry,
                                                StringRef pipeline,
                                                StringRef chip,
                                                KernelFormat format,
                                                StringRef backend) {
  GpuProgram program{entry->getParentOfType<ModuleOp>().clone(), {}, now()};
  ModuleOp module = *program.module;
  if (!hasKernels(module))
    return createStringError("--backend=" + backend +
                             ": expected a gpu.module or gpu.launch, found "
                             "none; --backend=cpu runs code without kernels");
  CpuProgram::prepare(module.lookupSymbol<func::FuncOp>(entry.getName()));
  auto kernels = lowerKernels(module, pipeline, chip, format);
  if (!kernels)
    return kernels.takeError();
  program.kernels = *kernels;
  std::string hostPipeline =
      formatv("gpu-host-to-llvm-pipeline{{bare-pointers={0}}",
              kernels->barePointers)
          .str();
  if (Error error = runPasses(module, hostPipeline))
    return std::move(error);
  if (Error error = checkLowered(module, hostPipeline))
    return std::move(error);
  return program;
}

Expected<RunOutputs>
execution::runGpuProgram(const GpuProgram &gpuProgram, func::FuncOp entry,
                         ArrayRef<NDArray> arguments, GpuRuntime &runtime,
                         unsigned repeat, RunReport &report,
                         llvm::function_ref<void()> afterRun) {
  ActiveGpuRuntime active(runtime);
  auto program =
      CpuProgram::compile(gpuProgram.module.get(), entry.getName(),
                          entry.getFunctionType(), getGpuRuntimeFunctions());
  // The modules are loaded by now.
  if (Error error = runtime.takeError()) {
    consumeError(program.takeError());
    return std::move(error);
  }
  if (!program)
    return program.takeError();
  report.compileSeconds = now() - gpuProgram.start;
  return runProgram(**program, entry, arguments, /*warmUps=*/0, repeat, report,
                    [&] {
                      afterRun();
                      return runtime.takeError();
                    });
}
