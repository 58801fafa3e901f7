//===- Lower.cpp - Run pass pipelines -------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace llvm;
using namespace mlir;
using namespace tileir;

Error tileir::addPasses(PassManager &manager, StringRef pipeline) {
  StringRef passes = pipeline;
  if (passes.starts_with("builtin.module(") && passes.ends_with(")"))
    passes = passes.drop_front(strlen("builtin.module(")).drop_back();
  std::string message;
  raw_string_ostream os(message);
  if (failed(parsePassPipeline(passes, manager, os)))
    return createStringError("--pipeline does not parse: " +
                             StringRef(message).trim().str());
  return Error::success();
}

Error tileir::runPasses(ModuleOp module, StringRef pipeline) {
  PassManager manager(module.getContext());
  if (Error error = addPasses(manager, pipeline))
    return error;
  if (failed(manager.run(module)))
    return createStringError("the pipeline '" + pipeline + "' failed");
  return Error::success();
}

/// gpu.binary and gpu.launch_func become calls when they are translated.
static bool translates(Operation *op) {
  return isa<LLVM::LLVMDialect, NVVM::NVVMDialect, mlir::omp::OpenMPDialect>(
             op->getDialect()) ||
         isa<ModuleOp, gpu::BinaryOp, gpu::LaunchFuncOp>(op);
}

/// " at file:1:2", if it is known.
static std::string describeLocation(Location location) {
  auto line = location->findInstanceOf<FileLineColLoc>();
  if (!line)
    return "";
  return (" at " + line.getFilename().getValue() + ":" + Twine(line.getLine()) +
          ":" + Twine(line.getColumn()))
      .str();
}

Error tileir::checkLowered(Operation *op, StringRef pipeline) {
  // Casts are what is around the op that was not lowered.
  Operation *left = nullptr;
  op->walk([&](Operation *inner) {
    if (inner != op && !translates(inner) &&
        (!left || isa<UnrealizedConversionCastOp>(left)))
      left = inner;
  });
  if (!left)
    return Error::success();
  return createStringError("the pipeline '" + pipeline +
                           "' must end in the LLVM dialect, but leaves " +
                           left->getName().getStringRef() +
                           describeLocation(left->getLoc()));
}

Error tileir::removeUnreachable(ModuleOp module, StringRef entry) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.getName() != entry)
      function.setPrivate();
  PassManager manager(module.getContext());
  manager.addPass(createSymbolDCEPass());
  if (failed(manager.run(module)))
    return createStringError("the file does not verify");
  return Error::success();
}
