//===- Sim.cpp - Run programs on the GPU simulator ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Sim/Sim.h"

#include "tileir/Execution/GpuHost.h"
#include "tileir/Execution/Progress.h"
#include "tileir/Runtime/SimulatorRuntime.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using llvm::Expected;

Expected<std::unique_ptr<sim::Simulator>>
execution::createSimulator(const SimOptions &options, StringRef chip,
                           bool optimize) {
  auto found = sim::getChip(chip);
  if (!found)
    return found.takeError();
  sim::SimulatorOptions simulator = options.simulator;
  simulator.optimize = optimize;
  simulator.progress = Progress("sim");
  return std::make_unique<sim::Simulator>(**found, std::move(simulator));
}

Expected<RunOutputs> execution::runSim(func::FuncOp entry,
                                       ArrayRef<NDArray> arguments,
                                       StringRef pipeline, unsigned repeat,
                                       const SimOptions &options,
                                       RunReport &report) {
  std::string chip = getChip(entry->getParentOfType<ModuleOp>(), options);
  auto program =
      lowerGpuProgram(entry, pipeline, chip, KernelFormat::Bitcode, "sim");
  if (!program)
    return program.takeError();
  // The pipeline may have named another chip.
  chip = getChip(*program->module, options);
  auto simulator = createSimulator(options, chip, program->kernels.optimize);
  if (!simulator)
    return simulator.takeError();
  report.sim.emplace(
      SimReport{&(*simulator)->getChip(), {}, options.simulator.instrument});
  SimulatorRuntime runtime(**simulator);
  return runGpuProgram(*program, entry, arguments, runtime, repeat, report,
                       [&] { report.sim->launches = runtime.takeLaunches(); });
}
