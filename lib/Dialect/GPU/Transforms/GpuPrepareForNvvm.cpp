//===- GpuPrepareForNvvm.cpp - gpu-prepare-for-nvvm -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/GPU/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace tileir {
#define GEN_PASS_DEF_GPUPREPAREFORNVVMPASS
#include "tileir/Dialect/GPU/Transforms/Passes.h.inc"
} // namespace tileir

/// The alignment of the array that convert-gpu-to-nvvm looks for, in bytes.
static constexpr uint64_t kDynamicSharedAlignment =
    NVVM::kSharedMemoryAlignmentBit / 8;
static constexpr auto kShared =
    static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);

static bool isDynamicShared(LLVM::GlobalOp global) {
  auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
  return array && array.getNumElements() == 0 &&
         global.getAddrSpace() == kShared &&
         global.getAlignment().value_or(0) == kDynamicSharedAlignment;
}

/// Declares the shared memory whose size the launch tells, where it is used.
static void declareDynamicShared(gpu::GPUModuleOp module) {
  bool isUsed = module
                    .walk([](gpu::DynamicSharedMemoryOp) {
                      return WalkResult::interrupt();
                    })
                    .wasInterrupted();
  if (!isUsed || llvm::any_of(module.getOps<LLVM::GlobalOp>(), isDynamicShared))
    return;
  OpBuilder builder(module.getContext());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), /*numElements=*/0);
  auto global = LLVM::GlobalOp::create(
      builder, module.getLoc(), type, /*isConstant=*/false,
      LLVM::Linkage::External, "dynamic_shared", /*value=*/Attribute(),
      kDynamicSharedAlignment, kShared);
  // The symbol table renames it where the name is taken.
  SymbolTable(module).insert(global, module.getBody()->begin());
}

/// Writes the intrinsics that convert-gpu-to-nvvm refuses as calls by name,
/// which it leaves alone.
static void keepIntrinsics(gpu::GPUModuleOp module) {
  module.walk([](LLVM::FastmathFlagsInterface op) {
    if (!isa<LLVM::CopySignOp, LLVM::CosOp, LLVM::Exp2Op, LLVM::ExpOp,
             LLVM::FAbsOp, LLVM::FCeilOp, LLVM::FFloorOp, LLVM::Log10Op,
             LLVM::Log2Op, LLVM::LogOp, LLVM::PowOp, LLVM::RoundEvenOp,
             LLVM::RoundOp, LLVM::SinOp, LLVM::SqrtOp>(op.getOperation()))
      return;
    StringRef name = op->getName().getStringRef();
    name.consume_front("llvm.intr.");
    OpBuilder builder(op);
    op->replaceAllUsesWith(LLVM::CallIntrinsicOp::create(
        builder, op->getLoc(), op->getResult(0).getType(),
        builder.getStringAttr("llvm." + name), op->getOperands(),
        op.getFastmathAttr()));
    op->erase();
  });
}

namespace {
struct GpuPrepareForNvvmPass
    : public tileir::impl::GpuPrepareForNvvmPassBase<GpuPrepareForNvvmPass> {
  using Base::Base;

  void runOnOperation() override {
    if (optLevel > 3) {
      getOperation().emitError("gpu-prepare-for-nvvm: expected opt-level to be "
                               "0 to 3, found ")
          << static_cast<unsigned>(optLevel);
      return signalPassFailure();
    }
    std::string needed = features;
    const machine::Gpu *gpu = machine::findGpuOrOlder(chip);
    if (needed.empty() && gpu && gpu->ptxVersion)
      needed = "+ptx" + std::to_string(gpu->ptxVersion);
    auto target = NVVM::NVVMTargetAttr::get(
        &getContext(), optLevel, "nvptx64-nvidia-cuda", chip, needed);
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>()) {
      if (!module.getTargets())
        module.setTargetsAttr(ArrayAttr::get(&getContext(), target));
      declareDynamicShared(module);
      keepIntrinsics(module);
    }
  }
};
} // namespace
