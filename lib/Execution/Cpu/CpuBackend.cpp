//===- CpuBackend.cpp - Run code compiled for this CPU --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Backends.h"
#include "Cpu/HostProgram.h"
#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Execution/TileKernel.h"
#include "tileir/Runtime/HostCpu.h"
#include "tileir/Target/PTX/Lowering.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::ptx;
using namespace tileir::runtime;
using llvm::Error;
using llvm::Expected;

/// Whose accesses these are, for messages: the first kernel that `entry`
/// launches, with its place if it is known.
static std::string describeKernel(func::FuncOp entry) {
  func::FuncOp kernel = entry;
  auto module = entry->getParentOfType<ModuleOp>();
  entry.walk([&](tile::LaunchOp launch) {
    kernel = module.lookupSymbol<func::FuncOp>(launch.getKernel());
    return WalkResult::interrupt();
  });
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto place = kernel->getLoc()->findInstanceOf<FileLineColLoc>())
    os << place.getFilename().getValue() << ":" << place.getLine() << ":"
       << place.getColumn() << ": ";
  os << "out-of-bounds: kernel @" << kernel.getName() << " ";
  return text;
}

namespace {

class CpuExecutable : public Executable {
public:
  Error compile(func::FuncOp entry, StringRef pipeline, const machine::Cpu &cpu,
                const BackendOptions &options) {
    double start = now();
    ProgramCopy program(entry);
    attachMachine(*program.module, cpu);
    HostProgram::prepare(program.entry);
    PassManager passes(program.module->getContext());
    if (Error error =
            runPasses(passes, *program.module, pipeline, options.verifyEach))
      return error;
    if (Error error = checkLowered(*program.module, pipeline))
      return error;
    Error error = HostProgram::compile(*program.module, entry, options.optLevel)
                      .moveInto(host);
    compileSeconds = now() - start;
    return error;
  }

  /// From now on accesses outside of arguments end the process.
  void guard(func::FuncOp entry) { host->guard(describeKernel(entry)); }

  Expected<RunResult> run(ArrayRef<NDArray> arguments) override {
    return host->run(arguments);
  }

  bool needsWarmUp() const override { return true; }

private:
  std::unique_ptr<HostProgram> host;
};

class CpuBackend : public Backend {
public:
  explicit CpuBackend(BackendOptions options) : options(std::move(options)) {}

  StringRef getName() const override { return "cpu"; }

  Expected<std::unique_ptr<Executable>> compile(func::FuncOp entry) override {
    auto executable = std::make_unique<CpuExecutable>();
    auto module = entry->getParentOfType<ModuleOp>();
    auto cpu = getCpu(options.cpu);
    if (!cpu)
      return cpu.takeError();
    if (Error error = executable->compile(
            entry,
            options.pipeline.empty() ? getCpuPipeline(module, options.checked)
                                     : options.pipeline,
            *cpu, options))
      return std::move(error);
    if (options.guarded && hasTileKernels(module))
      executable->guard(entry);
    return executable;
  }

private:
  BackendOptions options;
};

} // namespace

std::string execution::getCpuPipeline(ModuleOp module, bool checked) {
  std::string name = hasTileKernels(module) ? "tile-to-cpu-pipeline"
                                            : "einsum-to-cpu-pipeline";
  return checked ? name + "{checks=all}" : name;
}

std::unique_ptr<Backend> execution::createCpuBackend(BackendOptions options) {
  return std::make_unique<CpuBackend>(std::move(options));
}
