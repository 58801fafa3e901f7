//===- TextPipeline.cpp - Pipelines put together as text ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextPipeline.h"

#include "tileir/Pipelines/Pipelines.h"

#include "llvm/Support/ErrorHandling.h"

void tileir::pipelines::addTextPipeline(mlir::OpPassManager &manager,
                                        llvm::StringRef name,
                                        llvm::StringRef text) {
  if (failed(mlir::parsePassPipeline(text, manager)))
    llvm::report_fatal_error(
        name + " finds its passes by name: call mlir::registerAllPasses and "
               "tileir::registerAllPasses first");
}

void tileir::registerPipelines(bool verifyContracts) {
  registerEinsumToCpuPipeline(verifyContracts);
  pipelines::registerEinsumToTilePipeline(verifyContracts);
  pipelines::registerGpuPipelines(verifyContracts);
  pipelines::registerTileToCpuPipeline(verifyContracts);
  pipelines::registerTileToNvvmPipelines(verifyContracts);
}
