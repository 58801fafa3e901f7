//===- HostCode.cpp - Code that launches kernels --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Target/PTX/HostCode.h"

#include "tileir/Dialect/Einsum/IR/ArgumentAttributes.h"
#include "tileir/Target/PTX/Lowering.h"
#include "tileir/Target/PTX/PTX.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVM/NVVM/Utils.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::ptx;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

SmallVector<NVVM::NVVMTargetAttr> ptx::getTargets(ModuleOp module) {
  SmallVector<NVVM::NVVMTargetAttr> targets;
  auto add = [&](Attribute target) {
    if (auto nvvm = dyn_cast_or_null<NVVM::NVVMTargetAttr>(target))
      targets.push_back(nvvm);
  };
  module.walk([&](Operation *op) {
    if (auto kernels = dyn_cast<gpu::GPUModuleOp>(op))
      if (ArrayAttr attributes = kernels.getTargetsAttr())
        llvm::for_each(attributes, add);
    if (auto binary = dyn_cast<gpu::BinaryOp>(op))
      for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
        add(object.getTarget());
  });
  return targets;
}

bool ptx::takeBarePointers(ModuleOp module) {
  bool bare = true;
  module.walk([&](gpu::LaunchFuncOp launch) {
    auto kernel = module.lookupSymbol<LLVM::LLVMFuncOp>(launch.getKernelAttr());
    if (kernel)
      bare &= kernel.getNumArguments() == launch.getNumKernelOperands();
  });
  return bare;
}

namespace {
/// Without libdevice, which is not on every machine and would give other counts
/// where it is: the simulator knows its functions. And without optimization,
/// which the simulator does with what code generation does after it.
struct Serializer : public NVVM::SerializeGPUModuleBase {
  Serializer(gpu::GPUModuleOp kernels, NVVM::NVVMTargetAttr target)
      : SerializeGPUModuleBase(*kernels, target) {
    librariesToLink.clear();
    if (ArrayAttr files = target.getLink())
      librariesToLink.append(files.begin(), files.end());
  }

  LogicalResult optimizeModule(llvm::Module &, int) override {
    return success();
  }
};
} // namespace

static Expected<std::string> getBitcode(gpu::GPUModuleOp kernels,
                                        NVVM::NVVMTargetAttr target) {
  NVVM::SerializeGPUModuleBase::init();
  std::optional<SmallVector<char, 0>> bitcode =
      Serializer(kernels, target).run();
  if (!bitcode)
    return createStringError("gpu.module @" + kernels.getName() +
                             " does not translate to LLVM IR");
  return std::string(bitcode->begin(), bitcode->end());
}

/// Replaces a gpu.module by a gpu.binary, like gpu-module-to-binary.
static Error makeBinary(gpu::GPUModuleOp kernels, NVVM::NVVMTargetAttr target,
                        KernelFormat format) {
  auto image = format == KernelFormat::Ptx ? translateToPTX(kernels)
                                           : getBitcode(kernels, target);
  if (!image)
    return image.takeError();
  OpBuilder builder(kernels);
  auto object = builder.getAttr<gpu::ObjectAttr>(
      target, gpu::CompilationTarget::Offload, builder.getStringAttr(*image),
      /*properties=*/DictionaryAttr(), /*kernels=*/gpu::KernelTableAttr());
  gpu::BinaryOp::create(builder, kernels.getLoc(), kernels.getName(),
                        /*offloadingHandler=*/nullptr,
                        builder.getArrayAttr(object));
  kernels.erase();
  return Error::success();
}

Error ptx::makeBinaries(ModuleOp module, KernelFormat format,
                        StringRef pipeline) {
  for (auto kernels :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
    if (Error error = checkLowered(kernels, pipeline))
      return error;
    auto target = getNvvmTarget(kernels);
    if (!target)
      return target.takeError();
    if (Error error = makeBinary(kernels, *target, format))
      return error;
  }
  return Error::success();
}

Error ptx::lowerHostCode(ModuleOp module, bool barePointers, bool verifyEach) {
  module.walk(einsum::removeArgumentAttributes);
  std::string pipeline =
      llvm::formatv("gpu-host-to-llvm-pipeline{{bare-pointers={0}}",
                    barePointers)
          .str();
  PassManager passes(module.getContext());
  if (Error error = runPasses(passes, module, pipeline, verifyEach))
    return error;
  return checkLowered(module, pipeline);
}
