//===- VerifyLowered.cpp - gpu-verify-kernels, gpu-verify-host ------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contracts of kernels before they are translated (G in Passes.td), and of
// the code that launches them before it becomes the LLVM dialect (H). They come
// after gpu-to-nvvm-pipeline and before gpu-host-to-llvm-pipeline, and change
// nothing.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Contract.h"
#include "tileir/Dialect/GPU/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace tileir {
#define GEN_PASS_DEF_GPUVERIFYKERNELSPASS
#define GEN_PASS_DEF_GPUVERIFYHOSTPASS
#include "tileir/Dialect/GPU/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static constexpr Contract kLoweredContract{"gpu-verify-kernels"};

/// Bytes of shared memory that need no word of the launch, on all chips.
static constexpr uint64_t kMaxStaticShared = 48 * 1024;

/// G1.
static LogicalResult verifyTarget(gpu::GPUModuleOp kernels) {
  ArrayAttr targets = kernels.getTargetsAttr();
  if (targets && !targets.empty() &&
      isa<NVVM::NVVMTargetAttr>(*targets.begin()))
    return success();
  InFlightDiagnostic error =
      kLoweredContract.violate(kernels, "G1")
      << "expects #nvvm.target as its first target, found ";
  if (targets && !targets.empty())
    error << *targets.begin();
  else
    error << "none";
  return error << ": gpu-prepare-for-nvvm gives it one";
}

/// G3.
static LogicalResult verifyShared(LLVM::GlobalOp global) {
  if (global.getAddrSpace() != unsigned(NVVM::NVVMMemorySpace::Shared))
    return success();
  uint64_t bytes =
      DataLayout::closest(global).getTypeSize(global.getType()).getFixedValue();
  if (bytes <= kMaxStaticShared)
    return success();
  return kLoweredContract.violate(global, "G3")
         << "expects at most " << kMaxStaticShared
         << " bytes of shared memory in an array, found " << bytes
         << ": use gpu.dynamic_shared_memory, whose size the launch tells";
}

/// G2. Casts are around the op that was not lowered.
static LogicalResult verifyDialects(gpu::GPUModuleOp kernels) {
  Operation *left = nullptr;
  kernels.walk([&](Operation *op) {
    if (op != kernels &&
        !isa<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()) &&
        (!left || isa<UnrealizedConversionCastOp>(left)))
      left = op;
  });
  if (!left)
    return success();
  return kLoweredContract.violate(left, "G2")
         << "expects the LLVM and NVVM dialects in a gpu.module, found '"
         << left->getName()
         << "': run gpu-to-nvvm-pipeline, or write what it lowers";
}

namespace {
struct GpuVerifyKernelsPass
    : tileir::impl::GpuVerifyKernelsPassBase<GpuVerifyKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto kernels : getOperation().getOps<gpu::GPUModuleOp>()) {
      WalkResult result = kernels.walk(
          [](LLVM::GlobalOp op) -> WalkResult { return verifyShared(op); });
      if (result.wasInterrupted() || failed(verifyTarget(kernels)) ||
          failed(verifyDialects(kernels)))
        return signalPassFailure();
      ++numModules;
    }
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Host code
//===----------------------------------------------------------------------===//

static constexpr Contract kHostContract{"gpu-verify-host"};

static constexpr StringLiteral kHostDialects[] = {
    "affine", "arith", "async",  "builtin", "cf",  "func", "gpu",   "index",
    "llvm",   "math",  "memref", "omp",     "scf", "ub",   "vector"};

static LogicalResult verifyHost(Operation *op) {
  for (Type type : llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()),
                                      SmallVector<Type>(op->getResultTypes())))
    if (isa<TensorType>(type))
      return kHostContract.violate(op, "H1")
             << "expects memrefs, found " << type
             << ": run tile-bufferize-host, or one-shot-bufferize";
  if (!llvm::is_contained(kHostDialects, op->getName().getDialectNamespace()))
    return kHostContract.violate(op, "H2")
           << "expects a dialect that gpu-host-to-llvm-pipeline lowers, found '"
           << op->getName().getDialectNamespace() << "': lower it before";
  if (isa<gpu::LaunchOp>(op))
    return kHostContract.violate(op, "H3")
           << "expects a function that gpu.launch_func launches, found a "
              "region: run gpu-kernel-outlining";
  return success();
}

namespace {
struct GpuVerifyHostPass
    : tileir::impl::GpuVerifyHostPassBase<GpuVerifyHostPass> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result =
        getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
          if (isa<gpu::GPUModuleOp, gpu::BinaryOp>(op))
            return WalkResult::skip();
          numLaunches += isa<gpu::LaunchFuncOp>(op);
          return failed(verifyHost(op)) ? WalkResult::interrupt()
                                        : WalkResult::advance();
        });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
