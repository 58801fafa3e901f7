//===- TextPipeline.h - Pipelines put together as text ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pipeline is put together as text: upstream's pass headers take longer to
// compile than the rest of the project, and the text is what a user would type.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_PIPELINES_TEXTPIPELINE_H
#define TILEIR_LIB_PIPELINES_TEXTPIPELINE_H

#include "ModulePipeline.h"

#include <string>

namespace tileir::pipelines {

/// Adds the passes of `text` to `manager`, for the pipeline `name`. They have
/// to be registered.
void addTextPipeline(mlir::OpPassManager &manager, llvm::StringRef name,
                     llvm::StringRef text);

/// The text of a pass that verifies a contract, if the pipeline does that.
template <typename Options>
std::string verify(const Options &options, llvm::StringRef pass) {
  return options.verifyContracts ? (pass + ",").str() : "";
}

/// Registers a pipeline of passes on modules, which `getText` puts together.
/// `verifyContracts` is the default of the option.
template <typename Options>
void registerTextPipeline(llvm::StringRef name, llvm::StringRef description,
                          std::string (*getText)(const Options &),
                          bool verifyContracts) {
  registerModulePipeline<Options>(
      name, description,
      [=](mlir::OpPassManager &manager, const Options &options) {
        return mlir::parsePassPipeline(getText(options), manager);
      },
      verifyContracts);
}

void registerEinsumToTilePipeline(bool verifyContracts);
void registerGpuPipelines(bool verifyContracts);
void registerTileToCpuPipeline(bool verifyContracts);
void registerTileToNvvmPipelines(bool verifyContracts);

} // namespace tileir::pipelines

#endif // TILEIR_LIB_PIPELINES_TEXTPIPELINE_H
