//===- Backends.h - The implementations of Backend --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_EXECUTION_BACKENDS_H
#define TILEIR_LIB_EXECUTION_BACKENDS_H

#include "tileir/Execution/Backend.h"

#include <chrono>

namespace tileir::execution {

std::unique_ptr<Backend> createInterpBackend(BackendOptions options);
std::unique_ptr<Backend> createCpuBackend(BackendOptions options);
std::unique_ptr<Backend> createSimBackend(BackendOptions options);
std::unique_ptr<Backend> createCudaBackend(BackendOptions options);

/// The time in seconds, from some point on.
inline double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// A copy of the module of `entry`, and `entry` in it.
struct ProgramCopy {
  explicit ProgramCopy(mlir::func::FuncOp entry)
      : module(entry->getParentOfType<mlir::ModuleOp>().clone()),
        entry(module->lookupSymbol<mlir::func::FuncOp>(entry.getName())) {}

  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp entry;
};

} // namespace tileir::execution

#endif // TILEIR_LIB_EXECUTION_BACKENDS_H
