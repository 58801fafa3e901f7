//===- Simulator.cpp ------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The objects of the public interface; Load.cpp and Launch.cpp hold what they
// do.
//
//===----------------------------------------------------------------------===//

#include "tileir/Simulator/Simulator.h"

#include "Memory/DeviceHeap.h"
#include "Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace tileir::sim;

LoadedModule::LoadedModule() = default;
LoadedModule::~LoadedModule() = default;

Simulator::Simulator(const tileir::machine::Gpu &chip, SimulatorOptions options)
    : chip(chip), options(std::move(options)),
      heap(std::make_unique<DeviceHeap>(memory)) {}
Simulator::~Simulator() = default;

bool Simulator::setHeapLimit(uint64_t bytes) { return heap->setLimit(bytes); }
uint64_t Simulator::getHeapLimit() const { return heap->getLimit(); }
std::vector<uint64_t> Simulator::getHeapAllocations() const {
  return heap->getAllocations();
}

void Simulator::unload(LoadedModule *module) {
  for (auto &global : module->globals)
    llvm::consumeError(
        memory.free(reinterpret_cast<void *>(global.getValue())));
  llvm::erase_if(modules, [&](auto &owned) { return owned.get() == module; });
}

std::vector<std::string> LoadedModule::getKernelNames() const {
  std::vector<std::string> names;
  for (const auto &entry : kernels)
    names.push_back(entry.getKey().str());
  llvm::sort(names);
  return names;
}

std::vector<std::string> LoadedModule::getGlobalNames() const {
  std::vector<std::string> names;
  for (const auto &entry : globals)
    names.push_back(entry.getKey().str());
  llvm::sort(names);
  return names;
}

llvm::Expected<void *> LoadedModule::getGlobal(llvm::StringRef name) {
  auto found = globals.find(name);
  if (found == globals.end())
    return llvm::createStringError("no global variable '" + name +
                                   "' in the module");
  return reinterpret_cast<void *>(found->second);
}
