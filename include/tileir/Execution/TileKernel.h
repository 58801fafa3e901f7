//===- TileKernel.h - Launch a kernel of tiles by itself --------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_TILEKERNEL_H
#define TILEIR_EXECUTION_TILEKERNEL_H

#include "tileir/Runtime/NDArray.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace tileir::execution {

/// A host function that launches a kernel, and what it is run on: a program for
/// any backend.
struct KernelLaunch {
  mlir::func::FuncOp host;
  llvm::SmallVector<runtime::NDArray> arguments;
};

/// Whether `module` has kernels of tiles.
bool hasTileKernels(mlir::ModuleOp module);

/// Adds a host function to `module` that launches the tile kernel `name`, or
/// the only one, with `grid` programs (x, y, z). Its arguments are memrefs, for
/// the pointers and memrefs of the kernel; scalars are constants in it. `items`
/// are for all arguments of the kernel (Inputs.h, PointerItems.h), in order;
/// those that are drawn come from `seed`. Pointers into the array of another
/// argument have no argument of the host function. Fails where there is no such
/// kernel, or where an item does not fit.
llvm::Expected<KernelLaunch> addLaunch(mlir::ModuleOp module,
                                       llvm::StringRef name,
                                       llvm::ArrayRef<uint32_t> grid,
                                       llvm::ArrayRef<std::string> items,
                                       uint64_t seed);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_TILEKERNEL_H
