//===- LowerKernels.cpp - Kernels of a module as LLVM bitcode -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerKernels.h"

#include "Lower.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVM/NVVM/Utils.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tileir;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::formatv;

bool tileir::hasKernels(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa<gpu::GPUModuleOp, gpu::BinaryOp, gpu::LaunchOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The targets of NVIDIA that kernels are, or were, lowered for.
static SmallVector<NVVM::NVVMTargetAttr> getTargets(ModuleOp module) {
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

std::string tileir::getChip(ModuleOp module, const SimOptions &options) {
  if (!options.chip.empty())
    return options.chip;
  SmallVector<NVVM::NVVMTargetAttr> targets = getTargets(module);
  return targets.empty() ? kDefaultChip.str() : targets.front().getChip().str();
}

/// Whether all memrefs that kernels get could be one pointer each.
static bool allowsBarePointers(ModuleOp module) {
  auto allow = [](Value value) {
    auto type = dyn_cast<MemRefType>(value.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    return !type ||
           (type.hasStaticShape() &&
            succeeded(type.getStridesAndOffset(strides, offset)) &&
            offset == 0 && !llvm::any_of(strides, ShapedType::isDynamic));
  };
  bool allowed = true;
  module.walk([&](Operation *op) {
    if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op))
      allowed &= llvm::all_of(kernel.getArguments(), allow);
    if (auto launch = dyn_cast<gpu::LaunchOp>(op)) {
      llvm::SetVector<Value> captured;
      getUsedValuesDefinedAbove(launch.getBody(), captured);
      allowed &= llvm::all_of(captured, allow);
    }
  });
  return allowed;
}

/// Whether kernels, lowered already, take memrefs as one pointer each.
static bool takesBarePointers(ModuleOp module) {
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

/// The first target of a gpu.module, which has to be NVIDIA's.
static Expected<NVVM::NVVMTargetAttr> getTarget(gpu::GPUModuleOp kernels) {
  ArrayAttr targets = kernels.getTargetsAttr();
  auto target = targets ? dyn_cast<NVVM::NVVMTargetAttr>(*targets.begin())
                        : NVVM::NVVMTargetAttr();
  if (!target)
    return createStringError(
        "gpu.module @" + kernels.getName() +
        ": expected #nvvm.target as its first target, after the pipeline; "
        "gpu-prepare-for-nvvm gives it one");
  return target;
}

/// Replaces a gpu.module by a gpu.binary with LLVM bitcode, like
/// gpu-module-to-binary{format=llvm}.
static Error makeBinary(gpu::GPUModuleOp kernels, NVVM::NVVMTargetAttr target) {
  NVVM::SerializeGPUModuleBase::init();
  std::optional<SmallVector<char, 0>> bitcode =
      Serializer(kernels, target).run();
  if (!bitcode)
    return createStringError("gpu.module @" + kernels.getName() +
                             " does not translate to LLVM IR");
  OpBuilder builder(kernels);
  auto object = builder.getAttr<gpu::ObjectAttr>(
      target, gpu::CompilationTarget::Offload,
      builder.getStringAttr(StringRef(bitcode->data(), bitcode->size())),
      /*properties=*/DictionaryAttr(), /*kernels=*/gpu::KernelTableAttr());
  gpu::BinaryOp::create(builder, kernels.getLoc(), kernels.getName(),
                        /*offloadingHandler=*/nullptr,
                        builder.getArrayAttr(object));
  kernels.erase();
  return Error::success();
}

Expected<LoweredKernels>
tileir::lowerKernels(ModuleOp module, StringRef pipeline, StringRef chip) {
  std::string text = pipeline.str();
  if (text.empty())
    text = formatv("gpu-to-nvvm-pipeline{{chip={0} bare-pointers={1}}", chip,
                   allowsBarePointers(module))
               .str();
  if (Error error = runPasses(module, text))
    return std::move(error);
  LoweredKernels lowered;
  lowered.barePointers = takesBarePointers(module);
  for (auto kernels :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
    if (Error error = checkLowered(kernels, text))
      return std::move(error);
    auto target = getTarget(kernels);
    if (!target)
      return target.takeError();
    if (Error error = makeBinary(kernels, *target))
      return std::move(error);
  }
  lowered.optimize = llvm::any_of(
      getTargets(module), [](auto target) { return target.getO() > 0; });
  return lowered;
}
