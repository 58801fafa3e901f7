//===- CudaBackend.cpp - Run programs on a GPU ----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Backends.h"
#include "Cpu/HostProgram.h"
#include "GpuProgram.h"
#include "tileir/Runtime/CudaRuntime.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::runtime;
using llvm::Error;
using llvm::Expected;

namespace {

class CudaExecutable : public Executable {
public:
  Error compile(func::FuncOp entry, const BackendOptions &options) {
    double start = now();
    flushL2 = options.flushL2;
    ProgramCopy program(entry);
    // The driver compiles PTX for all GPUs from that chip on.
    auto kernels = lowerGpuProgram(program.entry, options, machine::kDefaultGpu,
                                   ptx::KernelFormat::Ptx, "cuda");
    if (!kernels)
      return kernels.takeError();
    if (Error error = CudaRuntime::create().moveInto(runtime))
      return error;
    Error error = HostProgram::compile(*program.module, entry, options.optLevel,
                                       runtime.get())
                      .moveInto(host);
    compileSeconds = now() - start;
    return error;
  }

  Expected<RunResult> run(ArrayRef<NDArray> arguments) override {
    if (Error error = runtime->startTimes(flushL2))
      return std::move(error);
    auto result = host->run(arguments);
    if (!result)
      return result;
    auto seconds = runtime->takeTimes();
    if (!seconds)
      return seconds.takeError();
    result->kernelSeconds = *seconds;
    result->megahertz = runtime->getMegahertz();
    return result;
  }

  /// The driver loads kernels when they are first launched.
  bool needsWarmUp() const override { return true; }

private:
  bool flushL2 = false;
  std::unique_ptr<CudaRuntime> runtime;
  std::unique_ptr<HostProgram> host;
};

class CudaBackend : public Backend {
public:
  explicit CudaBackend(BackendOptions options) : options(std::move(options)) {}

  StringRef getName() const override { return "cuda"; }

  Expected<std::unique_ptr<Executable>> compile(func::FuncOp entry) override {
    auto executable = std::make_unique<CudaExecutable>();
    if (Error error = executable->compile(entry, options))
      return std::move(error);
    return executable;
  }

private:
  BackendOptions options;
};

} // namespace

std::unique_ptr<Backend> execution::createCudaBackend(BackendOptions options) {
  return std::make_unique<CudaBackend>(std::move(options));
}
