//===- GpuProgram.cpp - Programs that launch kernels ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels become binaries in the module of their host code, which is then
// lowered to code for this CPU that calls a GPU, or the simulator of one.
//
//===----------------------------------------------------------------------===//

#include "GpuProgram.h"

#include "Cpu/HostProgram.h"
#include "tileir/Target/PTX/Lowering.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::ptx;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

std::string execution::getChip(ModuleOp module, StringRef requested) {
  if (!requested.empty())
    return requested.str();
  SmallVector<NVVM::NVVMTargetAttr> targets = getTargets(module);
  return targets.empty() ? machine::kDefaultGpu.str()
                         : targets.front().getChip().str();
}

Expected<LoweredKernels> execution::lowerKernels(ModuleOp module,
                                                 const BackendOptions &options,
                                                 StringRef chip,
                                                 KernelFormat format) {
  std::string text = options.pipeline.empty() ? getKernelPipeline(module, chip)
                                              : options.pipeline;
  PassManager passes(module.getContext());
  if (Error error = runPasses(passes, module, text, options.verifyEach))
    return std::move(error);
  LoweredKernels lowered;
  lowered.barePointers = takeBarePointers(module);
  if (Error error = makeBinaries(module, format, text))
    return std::move(error);
  lowered.optimize = llvm::any_of(
      getTargets(module), [](auto target) { return target.getO() > 0; });
  return lowered;
}

Expected<LoweredKernels>
execution::lowerGpuProgram(func::FuncOp entry, const BackendOptions &options,
                           StringRef chip, KernelFormat format,
                           StringRef backend) {
  auto module = entry->getParentOfType<ModuleOp>();
  if (!hasKernels(module))
    return createStringError("--backend=" + backend +
                             ": expected a gpu.module or gpu.launch, found "
                             "none; --backend=cpu runs code without kernels");
  HostProgram::prepare(entry);
  auto kernels = lowerKernels(module, options, chip, format);
  if (!kernels)
    return kernels;
  if (Error error =
          lowerHostCode(module, kernels->barePointers, options.verifyEach))
    return std::move(error);
  return kernels;
}
