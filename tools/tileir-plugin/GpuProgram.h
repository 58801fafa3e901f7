//===- GpuProgram.h - Programs whose kernels run on a GPU -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of tileir-c/Program.h that are about GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TOOLS_TILEIR_PLUGIN_GPUPROGRAM_H
#define TILEIR_TOOLS_TILEIR_PLUGIN_GPUPROGRAM_H

#include "tileir-c/Program.h"

namespace tileir::plugin {

int getGpuChip(int device, MlirStringCallback chip, MlirStringCallback error,
               void *userData);
void *compileForGpu(MlirModule module, MlirStringRef entry, int device);
int runOnGpu(void *code, void **arguments, void *stream,
             MlirStringCallback error, void *userData);
void releaseGpuCode(void *code);

} // namespace tileir::plugin

#endif // TILEIR_TOOLS_TILEIR_PLUGIN_GPUPROGRAM_H
