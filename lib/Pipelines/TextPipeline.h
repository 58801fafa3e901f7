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

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <string>

namespace tileir {

/// Adds the passes of `text` to `manager`, for the pipeline `name`. They have
/// to be registered.
void addTextPipeline(mlir::OpPassManager &manager, llvm::StringRef name,
                     llvm::StringRef text);

/// Registers a pipeline of passes on modules, which `getText` puts together.
/// By hand rather than by PassPipelineRegistration, to refuse other anchors
/// than a module: the text names passes on modules.
template <typename Options>
void registerTextPipeline(llvm::StringRef name, llvm::StringRef description,
                          std::string (*getText)(const Options &)) {
  mlir::registerPassPipeline(
      name, description,
      [=](mlir::OpPassManager &manager, llvm::StringRef text,
          llvm::function_ref<llvm::LogicalResult(const llvm::Twine &)>
              errorHandler) -> llvm::LogicalResult {
        Options options;
        if (failed(options.parseFromString(text)))
          return llvm::failure();
        if (manager.getOpName() &&
            *manager.getOpName() != mlir::ModuleOp::getOperationName())
          return errorHandler(name +
                              ": expected it in builtin.module(...), "
                              "found it in " +
                              manager.getOpAnchorName() + "(...)");
        return mlir::parsePassPipeline(getText(options), manager);
      },
      [](llvm::function_ref<void(const mlir::detail::PassOptions &)> handler) {
        handler(Options());
      });
}

void registerEinsumToCpuPipeline();
void registerEinsumToTilePipeline();
void registerGpuPipelines();
void registerTileToCpuPipeline();
void registerTileToNvvmPipelines();

} // namespace tileir

#endif // TILEIR_LIB_PIPELINES_TEXTPIPELINE_H
