//===- Lower.cpp - What of a program is compiled --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Lower.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::execution;

Error execution::removeUnreachable(ModuleOp module, StringRef entry) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.getName() != entry)
      function.setPrivate();
  PassManager manager(module.getContext());
  manager.addPass(createSymbolDCEPass());
  if (failed(manager.run(module)))
    return createStringError("the file does not verify");
  return Error::success();
}
