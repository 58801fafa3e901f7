//===- Plugin.cpp - TileIR for the packaged mlir-opt ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   mlir-opt --load-dialect-plugin=TileIRPlugin.so
//            --load-pass-plugin=TileIRPlugin.so
//            --pass-pipeline='builtin.module(einsum-to-cpu-pipeline)' ...
//
//===----------------------------------------------------------------------===//

#include "tileir/InitAllDialects.h"
#include "tileir/InitAllPasses.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "TileIR", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            tileir::registerAllDialects(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "TileIR", LLVM_VERSION_STRING,
          [] { tileir::registerAllPasses(); }};
}
