//===- tile-opt.cpp - The optimizer driver --------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An mlir-opt with the dialects, passes and pipelines of TileIR.
//
//===----------------------------------------------------------------------===//

#include "../Batch.h"
#include "../Dialects.h"
#include "tileir/InitAllPasses.h"

#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tileir::registerToolDialects(registry);
  // gpu-module-to-binary translates by these.
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  mlir::registerAllPasses();
  tileir::registerAllPasses(
      /*verifyContracts=*/std::getenv("TILEIR_VERIFY_CONTRACTS"));
  auto run = [&](int argc, char **argv) {
    return mlir::asMainReturnCode(mlir::MlirOptMain(
        argc, argv, "TileIR modular optimizer driver\n", registry));
  };
  return tileir::isBatch(argc, argv) ? tileir::runBatch(argv[0], run)
                                     : run(argc, argv);
}
