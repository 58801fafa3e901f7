//===- SimBackend.cpp - Run programs on the GPU simulator -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Backends.h"
#include "Cpu/HostProgram.h"
#include "GpuProgram.h"
#include "Sim/CreateSimulator.h"
#include "tileir/Runtime/SimulatorRuntime.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::runtime;
using llvm::Error;
using llvm::Expected;

Expected<std::unique_ptr<sim::Simulator>>
execution::createSimulator(const BackendOptions &options, StringRef chip,
                           bool optimize) {
  auto found = machine::getGpu(chip);
  if (!found)
    return found.takeError();
  sim::SimulatorOptions simulator = options.simulator;
  simulator.optimize =
      optimize && options.optLevel != llvm::CodeGenOptLevel::None;
  simulator.progress = options.progress;
  return std::make_unique<sim::Simulator>(**found, std::move(simulator));
}

namespace {

class SimExecutable : public Executable {
public:
  Error compile(func::FuncOp entry, const BackendOptions &options) {
    double start = now();
    ProgramCopy program(entry);
    auto kernels = lowerGpuProgram(program.entry, options,
                                   getChip(*program.module, options.chip),
                                   ptx::KernelFormat::Bitcode, "sim");
    if (!kernels)
      return kernels.takeError();
    // The pipeline may have named another chip.
    auto created = createSimulator(
        options, getChip(*program.module, options.chip), kernels->optimize);
    if (Error error = std::move(created).moveInto(simulator))
      return error;
    runtime = std::make_unique<SimulatorRuntime>(*simulator);
    Error error = HostProgram::compile(*program.module, entry, options.optLevel,
                                       runtime.get())
                      .moveInto(host);
    compileSeconds = now() - start;
    return error;
  }

  Expected<RunResult> run(ArrayRef<NDArray> arguments) override {
    auto result = host->run(arguments);
    SimReport report =
        makeReport(*simulator, runtime->takeLaunches(), runtime->takeCopies());
    if (result)
      result->sim = std::move(report);
    return result;
  }

private:
  std::unique_ptr<sim::Simulator> simulator;
  std::unique_ptr<SimulatorRuntime> runtime;
  std::unique_ptr<HostProgram> host;
};

class SimBackend : public Backend {
public:
  explicit SimBackend(BackendOptions options) : options(std::move(options)) {}

  StringRef getName() const override { return "sim"; }

  Expected<std::unique_ptr<Executable>> compile(func::FuncOp entry) override {
    auto executable = std::make_unique<SimExecutable>();
    if (Error error = executable->compile(entry, options))
      return std::move(error);
    return executable;
  }

private:
  BackendOptions options;
};

} // namespace

std::unique_ptr<Backend> execution::createSimBackend(BackendOptions options) {
  return std::make_unique<SimBackend>(std::move(options));
}
