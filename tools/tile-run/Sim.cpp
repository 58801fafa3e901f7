//===- Sim.cpp - Run programs on the GPU simulator ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host code is compiled for this CPU and calls the simulator by way of
// GpuRuntime.
//
//===----------------------------------------------------------------------===//

#include "Sim.h"

#include "Cpu.h"
#include "Lower.h"
#include "LowerKernels.h"
#include "Progress.h"
#include "tileir/Runtime/SimulatorRuntime.h"

using namespace mlir;
using namespace tileir;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::formatv;

Expected<std::unique_ptr<sim::Simulator>>
tileir::createSimulator(const SimOptions &options, StringRef chip,
                        bool optimize) {
  auto found = sim::getChip(chip);
  if (!found)
    return found.takeError();
  sim::SimulatorOptions simulator = options.simulator;
  simulator.optimize = optimize;
  simulator.progress = Progress("sim");
  return std::make_unique<sim::Simulator>(**found, std::move(simulator));
}

Expected<RunOutputs> tileir::runSim(func::FuncOp entry,
                                    ArrayRef<NDArray> arguments,
                                    StringRef pipeline, unsigned repeat,
                                    const SimOptions &options,
                                    RunReport &report) {
  double start = now();
  OwningOpRef<ModuleOp> lowered = entry->getParentOfType<ModuleOp>().clone();
  if (!hasKernels(*lowered))
    return createStringError(
        "--backend=sim: expected a gpu.module or gpu.launch, found none; "
        "--backend=cpu runs code without kernels");
  CpuProgram::prepare(lowered->lookupSymbol<func::FuncOp>(entry.getName()));
  std::string chip = getChip(*lowered, options);
  auto kernels = lowerKernels(*lowered, pipeline, chip);
  if (!kernels)
    return kernels.takeError();
  std::string hostPipeline =
      formatv("gpu-host-to-llvm-pipeline{{bare-pointers={0}}",
              kernels->barePointers)
          .str();
  if (Error error = runPasses(*lowered, hostPipeline))
    return std::move(error);
  if (Error error = checkLowered(*lowered, hostPipeline))
    return std::move(error);

  auto simulator = createSimulator(options, chip, kernels->optimize);
  if (!simulator)
    return simulator.takeError();
  report.sim.emplace(
      SimReport{&(*simulator)->getChip(), {}, options.simulator.instrument});
  SimulatorRuntime runtime(**simulator);
  ActiveGpuRuntime active(runtime);
  auto program =
      CpuProgram::compile(*lowered, entry.getName(), entry.getFunctionType(),
                          getGpuRuntimeFunctions());
  // The modules are loaded by now.
  if (Error error = runtime.takeError()) {
    consumeError(program.takeError());
    return std::move(error);
  }
  if (!program)
    return program.takeError();
  report.compileSeconds = now() - start;
  return runProgram(**program, entry, arguments, /*warmUps=*/0, repeat, report,
                    [&] {
                      report.sim->launches = runtime.takeLaunches();
                      return runtime.takeError();
                    });
}
