//===- NvvmTarget.h - What the chip of a gpu.module can do ------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_GPU_TRANSFORMS_NVVMTARGET_H
#define TILEIR_LIB_DIALECT_GPU_TRANSFORMS_NVVMTARGET_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include <optional>

namespace tileir {

/// The first #nvvm.target of a gpu.module, in numbers.
struct NvvmTarget {
  unsigned chip = 0; ///< 70 for sm_70, 90 for sm_90a
  unsigned ptx = 0;  ///< 65 for +ptx65; 0: none is asked for

  static std::optional<NvvmTarget> find(mlir::gpu::GPUModuleOp module) {
    mlir::ArrayAttr targets = module.getTargetsAttr();
    for (mlir::Attribute attr :
         targets ? targets.getValue() : llvm::ArrayRef<mlir::Attribute>()) {
      auto target = llvm::dyn_cast<mlir::NVVM::NVVMTargetAttr>(attr);
      if (!target)
        continue;
      NvvmTarget result;
      llvm::StringRef chip = target.getChip(), features = target.getFeatures();
      if (chip.consume_front("sm_"))
        chip.consumeInteger(10, result.chip);
      features = features.substr(features.find("+ptx"));
      if (features.consume_front("+ptx"))
        features.consumeInteger(10, result.ptx);
      return result;
    }
    return std::nullopt;
  }
};

} // namespace tileir

#endif // TILEIR_LIB_DIALECT_GPU_TRANSFORMS_NVVMTARGET_H
