//===- NvvmTarget.h - What the chip of a gpu.module can do ------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_GPU_TRANSFORMS_NVVMTARGET_H
#define TILEIR_LIB_DIALECT_GPU_TRANSFORMS_NVVMTARGET_H

#include "tileir/Target/Gpu/Gpu.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include <optional>

namespace tileir::gpu_transforms {

/// The first #nvvm.target of a gpu.module, as the table of GPUs knows it.
struct NvvmTarget {
  bool hasTanh = false, hasMinMaxNaN = false;
  unsigned ptx = 0; ///< 65 for +ptx65; 0: none is asked for

  static std::optional<NvvmTarget> find(mlir::gpu::GPUModuleOp module) {
    mlir::ArrayAttr targets = module.getTargetsAttr();
    for (mlir::Attribute attr :
         targets ? targets.getValue() : llvm::ArrayRef<mlir::Attribute>()) {
      auto target = llvm::dyn_cast<mlir::NVVM::NVVMTargetAttr>(attr);
      if (!target)
        continue;
      NvvmTarget result;
      if (const auto *gpu = machine::findGpuOrOlder(target.getChip())) {
        result.hasTanh = gpu->hasTanh;
        result.hasMinMaxNaN = gpu->hasMinMaxNaN;
      }
      llvm::StringRef features = target.getFeatures();
      features = features.substr(features.find("+ptx"));
      if (features.consume_front("+ptx"))
        features.consumeInteger(10, result.ptx);
      return result;
    }
    return std::nullopt;
  }
};

} // namespace tileir::gpu_transforms

#endif // TILEIR_LIB_DIALECT_GPU_TRANSFORMS_NVVMTARGET_H
