//===- Sim.h - Run programs on the GPU simulator ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_SIM_SIM_H
#define TILEIR_EXECUTION_SIM_SIM_H

#include "tileir/Execution/Report.h"
#include "tileir/Execution/Sim/SimOptions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace tileir::execution {

/// A simulator as the options say, which optimizes kernels or not.
llvm::Expected<std::unique_ptr<sim::Simulator>>
createSimulator(const SimOptions &options, llvm::StringRef chip, bool optimize);

/// Runs `entry`, host code that launches kernels.
llvm::Expected<RunOutputs> runSim(mlir::func::FuncOp entry,
                                  llvm::ArrayRef<NDArray> arguments,
                                  llvm::StringRef pipeline, unsigned repeat,
                                  const SimOptions &options, RunReport &report);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_SIM_SIM_H
