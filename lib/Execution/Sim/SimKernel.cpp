//===- SimKernel.cpp - Launch a kernel by itself --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Sim/SimKernel.h"

#include "Backends.h"
#include "GpuProgram.h"
#include "Sim/CreateSimulator.h"
#include "Sim/KernelArguments.h"
#include "Sim/KernelNames.h"
#include "tileir/Target/PTX/Lowering.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "tileir/Execution/Inputs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Demangle/Demangle.h"

#include <cstring>

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::ptx;
using namespace tileir::runtime;

bool execution::isLLVMIR(MemoryBufferRef file) {
  StringRef name = file.getBufferIdentifier();
  if (name.ends_with(".ll") || name.ends_with(".llir") ||
      name.ends_with(".bc") || sim::isPTX(file) ||
      identify_magic(file.getBuffer()) == file_magic::bitcode)
    return true;
  // No MLIR begins like that.
  StringRef text = file.getBuffer().ltrim();
  return any_of(ArrayRef<StringRef>{";", "source_filename", "target ",
                                    "define ", "declare "},
                [&](StringRef start) { return text.starts_with(start); });
}

namespace {
/// The arguments of a kernel in memory that it can access.
class DeviceArguments {
public:
  static Expected<std::unique_ptr<DeviceArguments>>
  create(sim::Simulator &simulator, const sim::Kernel &kernel,
         ArrayRef<NDArray> arrays, ArrayRef<PointerItem> pointers) {
    std::unique_ptr<DeviceArguments> arguments(
        new DeviceArguments(simulator, kernel));
    for (auto [i, array] : llvm::enumerate(arrays)) {
      void *&buffer = arguments->buffers.emplace_back(nullptr);
      if (!isBuffer(kernel.arguments[i]) || pointers[i].same)
        continue;
      auto address = simulator.getMemory().allocate(
          array.getNumBytes(), "argument " + std::to_string(i));
      if (!address)
        return address.takeError();
      buffer = *address;
      std::memcpy(buffer, array.getData(), array.getNumBytes());
    }
    for (auto [i, pointer] : llvm::enumerate(pointers)) {
      unsigned owner = pointer.same.value_or(i);
      auto *first = static_cast<std::byte *>(arguments->buffers[owner]);
      arguments->addresses.push_back(
          first + pointer.offset * getElementSize(arrays[owner].getKind()));
    }
    return arguments;
  }

  ~DeviceArguments() {
    for (void *buffer : buffers)
      if (buffer)
        consumeError(simulator.getMemory().free(buffer));
  }

  /// Returns the operands of the launch: a pointer to each argument.
  SmallVector<const void *> getPointers(ArrayRef<NDArray> arrays) const {
    SmallVector<const void *> pointers;
    for (auto [i, array] : llvm::enumerate(arrays))
      pointers.push_back(isBuffer(kernel.arguments[i])
                             ? static_cast<const void *>(&addresses[i])
                             : array.getData());
    return pointers;
  }

  /// The arrays of pointer arguments, as they are now.
  SmallVector<NDArray> read(ArrayRef<NDArray> arrays) const {
    SmallVector<NDArray> results;
    for (auto [array, buffer] : llvm::zip(arrays, buffers))
      if (buffer) {
        NDArray &result = results.emplace_back(array);
        std::memcpy(result.getData(), buffer, result.getNumBytes());
      }
    return results;
  }

private:
  DeviceArguments(sim::Simulator &simulator, const sim::Kernel &kernel)
      : simulator(simulator), kernel(kernel) {}

  sim::Simulator &simulator;
  const sim::Kernel &kernel;
  SmallVector<void *> buffers;   // null for scalars, and without an array
  SmallVector<void *> addresses; // what is passed; null for scalars
};
} // namespace

SimKernel::SimKernel(std::unique_ptr<sim::Simulator> simulator,
                     const sim::LaunchConfig &launch)
    : simulator(std::move(simulator)), launch(launch) {}

SimKernel::~SimKernel() = default;

/// Adds the kernels of a module.
static void addCandidates(const sim::ModuleContents &contents,
                          MemoryBufferRef ir, StringRef module,
                          SmallVectorImpl<Candidate> &candidates) {
  for (const std::string &name : contents.kernels)
    candidates.push_back({module.str(), name, ir});
}

Error SimKernel::load(ArrayRef<Candidate> candidates, StringRef name) {
  auto chosen = chooseKernel(candidates, name);
  if (!chosen)
    return chosen.takeError();
  if (Error error = simulator->load(chosen->ir, chosen->name).moveInto(module))
    return error;
  return module->getKernel(chosen->name).moveInto(kernel);
}

Expected<std::unique_ptr<SimKernel>>
SimKernel::load(MemoryBufferRef ir, StringRef name,
                const sim::LaunchConfig &launch,
                const BackendOptions &options) {
  double start = now();
  auto contents = sim::readContents(ir);
  if (!contents)
    return contents.takeError();
  std::string chip = options.chip;
  if (chip.empty())
    chip = contents->chip;
  if (chip.empty())
    chip = machine::kDefaultGpu.str();
  auto simulator = createSimulator(options, chip, /*optimize=*/true);
  if (!simulator)
    return simulator.takeError();
  SmallVector<Candidate> candidates;
  addCandidates(*contents, ir, "", candidates);
  std::unique_ptr<SimKernel> loaded(
      new SimKernel(std::move(*simulator), launch));
  if (Error error = loaded->load(candidates, name))
    return std::move(error);
  loaded->compileSeconds = now() - start;
  return loaded;
}

Expected<std::unique_ptr<SimKernel>>
SimKernel::load(ModuleOp module, StringRef name,
                const sim::LaunchConfig &launch,
                const BackendOptions &options) {
  double start = now();
  if (!hasKernels(module))
    return createStringError("--grid: expected a gpu.module, found none");
  std::string chip = getChip(module, options.chip);
  auto kernels =
      lowerKernels(module, options, chip, ptx::KernelFormat::Bitcode);
  if (!kernels)
    return kernels.takeError();
  auto simulator = createSimulator(options, chip, kernels->optimize);
  if (!simulator)
    return simulator.takeError();
  SmallVector<Candidate> candidates;
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    auto object = dyn_cast<gpu::ObjectAttr>(binary.getObjects()[0]);
    if (!object || object.getFormat() != gpu::CompilationTarget::Offload)
      return createStringError("gpu.binary @" + binary.getName() +
                               ": expected LLVM bitcode as its first object");
    MemoryBufferRef ir(object.getObject().getValue(), binary.getName());
    auto contents = sim::readContents(ir);
    if (!contents)
      return contents.takeError();
    addCandidates(*contents, ir, binary.getName(), candidates);
  }
  std::unique_ptr<SimKernel> loaded(
      new SimKernel(std::move(*simulator), launch));
  if (Error error = loaded->load(candidates, name))
    return std::move(error);
  loaded->compileSeconds = now() - start;
  return loaded;
}

Expected<SmallVector<NDArray>>
SimKernel::readArguments(ArrayRef<std::string> items, uint64_t seed) {
  if (Error error = parsePointerItems(items).moveInto(pointers))
    return std::move(error);
  return readKernelArguments(*kernel, items, pointers, seed);
}

Error SimKernel::setGlobals(ArrayRef<std::string> items, uint64_t seed) {
  RandomArrays random(seed);
  std::vector<std::string> names = module->getGlobalNames();
  for (StringRef item : items) {
    StringRef name = item.split('=').first, value = item.split('=').second;
    auto found = llvm::find_if(names, [&](const std::string &candidate) {
      return candidate == name || demangle(candidate) == name;
    });
    if (found == names.end())
      return createStringError("--globals: no variable '" + name +
                               "' of the device: expected name=value with one "
                               "of " +
                               (names.empty() ? "none" : join(names, ", ")));
    auto address = module->getGlobal(*found);
    if (!address)
      return address.takeError();
    auto array = readInput(value, random, UnsignedIntegers::Bits);
    if (!array)
      return array.takeError();
    uint64_t bytes =
        simulator->getMemory().find(reinterpret_cast<uint64_t>(*address))->size;
    if (array->getNumBytes() != bytes)
      return createStringError(
          "--globals: '" + name + "' has " + Twine(bytes) +
          " bytes: expected a value of as many, found '" + value + "' of " +
          shapeToString(array->getShape(), array->getKind()));
    std::memcpy(*address, array->getData(), bytes);
  }
  return Error::success();
}

Expected<RunResult> SimKernel::run(ArrayRef<NDArray> arrays) {
  pointers.resize(arrays.size());
  auto arguments =
      DeviceArguments::create(*simulator, *kernel, arrays, pointers);
  if (!arguments)
    return arguments.takeError();
  double start = now();
  auto launched =
      simulator->launch(*kernel, launch, (*arguments)->getPointers(arrays));
  if (!launched)
    return launched.takeError();
  RunResult result;
  result.seconds = now() - start;
  result.outputs = (*arguments)->read(arrays);
  std::vector<sim::LaunchResult> launches;
  launches.push_back(std::move(*launched));
  result.sim = makeReport(*simulator, std::move(launches));
  return result;
}
