//===- HostProgram.cpp - Host code compiled in process --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cpu/HostProgram.h"

#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Execution/Program.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::runtime;
using llvm::Error;
using llvm::Expected;

/// The arguments of `entry` as kernels know those that they are passed.
static std::vector<GuardedArgument> describeArguments(func::FuncOp entry) {
  std::vector<GuardedArgument> arguments;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    arguments.push_back({"argument " + std::to_string(i)});
  auto module = entry->getParentOfType<ModuleOp>();
  entry.walk([&](tile::LaunchOp launch) {
    auto kernel = module.lookupSymbol<func::FuncOp>(launch.getKernel());
    for (auto [i, value] : llvm::enumerate(launch.getArguments())) {
      auto argument = dyn_cast<BlockArgument>(value);
      if (!argument || argument.getOwner() != &entry.front())
        continue;
      GuardedArgument &known = arguments[argument.getArgNumber()];
      known.name = "argument " + std::to_string(i);
      if (auto multiple = kernel.getArgAttrOfType<IntegerAttr>(
              i, tile::TileDialect::kMultipleOf);
          multiple && llvm::isPowerOf2_64(multiple.getInt()))
        known.alignment =
            std::max<uint64_t>(known.alignment, multiple.getInt());
    }
  });
  return arguments;
}

/// Lets the GPU calls of host code go to `runtime`, if there is one.
static std::optional<ActiveGpuRuntime> activate(GpuRuntime *runtime) {
  if (!runtime)
    return std::nullopt;
  return std::optional<ActiveGpuRuntime>(std::in_place, *runtime);
}

void HostProgram::prepare(func::FuncOp entry) { CpuProgram::prepare(entry); }

Expected<std::unique_ptr<HostProgram>>
HostProgram::compile(ModuleOp module, func::FuncOp entry,
                     llvm::CodeGenOptLevel level, GpuRuntime *runtime) {
  std::unique_ptr<HostProgram> host(new HostProgram());
  host->runtime = runtime;
  host->memrefArguments = getWritableArguments(entry);
  host->arguments = describeArguments(entry);
  std::optional<ActiveGpuRuntime> active = activate(runtime);
  auto program = CpuProgram::compile(
      module, entry.getName(), entry.getFunctionType(),
      runtime ? getGpuRuntimeFunctions() : ArrayRef<HostFunction>(), level);
  // The modules are loaded by now.
  if (runtime)
    if (Error error = runtime->takeError()) {
      consumeError(program.takeError());
      return std::move(error);
    }
  if (!program)
    return program.takeError();
  host->program = std::move(*program);
  return host;
}

HostProgram::~HostProgram() {
  // Destructors of the code unload the modules of its kernels.
  std::optional<ActiveGpuRuntime> active = activate(runtime);
  program.reset();
}

void HostProgram::guard(std::string prefix) {
  isGuarded = true;
  where = std::move(prefix);
}

Expected<RunResult> HostProgram::run(ArrayRef<NDArray> arguments) {
  std::optional<ActiveGpuRuntime> active = activate(runtime);
  // Into the memory of the last run, whose pages are there.
  copies.resize(arguments.size());
  llvm::copy(arguments, copies.begin());
  RunResult result;
  // Masked accesses whose other lanes lie in a gap may take a CPU longer, so
  // that runs after the first one, which are timed, are not guarded.
  std::unique_ptr<GuardedMemory> memory;
  auto sizes = llvm::map_to_vector(
      copies, [](const NDArray &array) { return array.getNumBytes(); });
  if (isGuarded && sizes != guardedSizes) {
    if (Error error = GuardedMemory::create(copies, this->arguments, where)
                          .moveInto(memory))
      return std::move(error);
    memory->start(copies);
  }
  if (runtime)
    for (auto [array, argument] : llvm::zip_equal(copies, this->arguments))
      runtime->nameHostMemory(array.getData(), array.getNumBytes(),
                              argument.name);
  auto results =
      program->run(copies, &result.seconds,
                   memory ? memory->getData() : ArrayRef<uint8_t *>());
  if (memory)
    if (Error error = memory->finish(copies)) {
      consumeError(results.takeError());
      return std::move(error);
    }
  guardedSizes = std::move(sizes);
  if (runtime)
    if (Error error = runtime->takeError()) {
      consumeError(results.takeError());
      return std::move(error);
    }
  if (!results)
    return results.takeError();
  result.outputs = std::move(*results);
  for (unsigned i : memrefArguments)
    result.outputs.push_back(copies[i]);
  return result;
}
