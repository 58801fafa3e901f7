//===- Lowering.cpp - Run the pipelines that kernels need -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Target/PTX/Lowering.h"

#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::ptx;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

Error ptx::addPasses(PassManager &manager, StringRef pipeline) {
  StringRef passes = pipeline;
  if (passes.starts_with("builtin.module(") && passes.ends_with(")"))
    passes = passes.drop_front(strlen("builtin.module(")).drop_back();
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(parsePassPipeline(passes, manager, os)))
    return createStringError("--pipeline does not parse: " +
                             StringRef(message).trim().str());
  return Error::success();
}

namespace {
/// Notes the first pass that fails, or leaves what does not verify.
class FailureRecorder : public PassInstrumentation {
public:
  explicit FailureRecorder(std::string &name) : name(name) {}

  void runAfterPassFailed(Pass *pass, Operation *) override {
    if (name.empty())
      name = pass->getArgument();
  }

private:
  std::string &name;
};
} // namespace

Error ptx::runPasses(PassManager &manager, ModuleOp module, StringRef pipeline,
                     bool verifyEach) {
  if (Error error = addPasses(manager, pipeline))
    return error;
#ifdef NDEBUG
  manager.enableVerifier(verifyEach);
#endif
  std::string failedPass;
  if (verifyEach)
    manager.addInstrumentation(std::make_unique<FailureRecorder>(failedPass));
  if (failed(manager.run(module)))
    return createStringError(
        "the pipeline '" + pipeline + "' failed" +
        (failedPass.empty() ? "" : " at the pass " + failedPass));
  if (!verifyEach && failed(verify(module)))
    return createStringError("the pipeline '" + pipeline +
                             "' leaves what does not verify; --verify-each "
                             "names the pass");
  return Error::success();
}

/// gpu.binary and gpu.launch_func become calls when they are translated.
static bool translates(Operation *op) {
  return isa<LLVM::LLVMDialect, NVVM::NVVMDialect, mlir::omp::OpenMPDialect>(
             op->getDialect()) ||
         isa<ModuleOp, gpu::BinaryOp, gpu::LaunchFuncOp>(op);
}

/// " at file:1:2", if it is known.
static std::string describeLocation(Location location) {
  auto line = location->findInstanceOf<FileLineColLoc>();
  if (!line)
    return "";
  return (" at " + line.getFilename().getValue() + ":" +
          llvm::Twine(line.getLine()) + ":" + llvm::Twine(line.getColumn()))
      .str();
}

Error ptx::checkLowered(Operation *op, StringRef pipeline) {
  // Casts are what is around the op that was not lowered.
  Operation *left = nullptr;
  op->walk([&](Operation *inner) {
    if (inner != op && !translates(inner) &&
        (!left || isa<UnrealizedConversionCastOp>(left)))
      left = inner;
  });
  if (!left)
    return Error::success();
  return createStringError("the pipeline '" + pipeline +
                           "' must end in the LLVM dialect, but leaves " +
                           left->getName().getStringRef() +
                           describeLocation(left->getLoc()));
}

/// Whether an op of these kinds is in `module`.
template <typename... Ops> static bool contains(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa<Ops...>(op) ? WalkResult::interrupt()
                               : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `module` is a tensor program of linalg alone.
static bool isLinalg(ModuleOp module) {
  return module
      .walk([](linalg::LinalgOp op) {
        return op.hasPureTensorSemantics() ? WalkResult::interrupt()
                                           : WalkResult::advance();
      })
      .wasInterrupted();
}

bool ptx::hasKernels(ModuleOp module) {
  return contains<gpu::GPUModuleOp, gpu::BinaryOp, gpu::LaunchOp,
                  tile::LaunchOp, einsum::ContractOp, einsum::KernelOp>(
             module) ||
         isLinalg(module);
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

std::string ptx::getKernelPipeline(ModuleOp module, StringRef chip) {
  if (contains<einsum::ContractOp, einsum::KernelOp>(module))
    return llvm::formatv("einsum-to-nvvm-pipeline{{chip={0}}", chip).str();
  if (contains<tile::LaunchOp>(module) ||
      llvm::any_of(module.getOps<func::FuncOp>(), tile::isKernel))
    return llvm::formatv("tile-to-nvvm-pipeline{{chip={0}}", chip).str();
  if (isLinalg(module) &&
      !contains<gpu::GPUModuleOp, gpu::BinaryOp, gpu::LaunchOp>(module))
    return llvm::formatv("einsum-to-nvvm-pipeline{{chip={0}}", chip).str();
  return llvm::formatv("gpu-to-nvvm-pipeline{{chip={0} bare-pointers={1}}",
                       chip, allowsBarePointers(module))
      .str();
}

Expected<NVVM::NVVMTargetAttr> ptx::getNvvmTarget(gpu::GPUModuleOp kernels) {
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
