//===- ModulePipeline.h - Pipelines of passes on modules --------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_PIPELINES_MODULEPIPELINE_H
#define TILEIR_LIB_PIPELINES_MODULEPIPELINE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace tileir::pipelines {

/// Registers a pipeline of passes on modules, which `build(manager, options)`
/// adds. By hand rather than by PassPipelineRegistration, to refuse other
/// anchors than a module. `verifyContracts` is the default of the option.
template <typename Options, typename Build>
void registerModulePipeline(llvm::StringRef name, llvm::StringRef description,
                            Build build, bool verifyContracts) {
  mlir::registerPassPipeline(
      name, description,
      [=](mlir::OpPassManager &manager, llvm::StringRef text,
          llvm::function_ref<llvm::LogicalResult(const llvm::Twine &)>
              errorHandler) -> llvm::LogicalResult {
        Options options;
        options.verifyContracts = verifyContracts;
        if (failed(options.parseFromString(text)))
          return llvm::failure();
        if (manager.getOpName() &&
            *manager.getOpName() != mlir::ModuleOp::getOperationName())
          return errorHandler(name +
                              ": expected it in builtin.module(...), "
                              "found it in " +
                              manager.getOpAnchorName() + "(...)");
        return build(manager, options);
      },
      [](llvm::function_ref<void(const mlir::detail::PassOptions &)> handler) {
        handler(Options());
      });
}

} // namespace tileir::pipelines

#endif // TILEIR_LIB_PIPELINES_MODULEPIPELINE_H
