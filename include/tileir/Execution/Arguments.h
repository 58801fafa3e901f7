//===- Arguments.h - Entry function and its inputs --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_ARGUMENTS_H
#define TILEIR_EXECUTION_ARGUMENTS_H

#include "tileir/Runtime/NDArray.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace tileir::execution {

/// The function `name` of `module`; without a name `main`, or the only public
/// function with a body. Its arguments and results must be ranked tensors or
/// memrefs of elements that arrays can have.
llvm::Expected<mlir::func::FuncOp> findEntry(mlir::ModuleOp module,
                                             llvm::StringRef name);

/// Refuses programs with values of a static size that no machine has memory
/// for.
llvm::Error checkStaticSizes(mlir::ModuleOp module);

/// The size of an array in bytes; a double, which does not overflow.
double getNumBytes(llvm::ArrayRef<int64_t> shape, double elementBytes);

/// The largest argument that is drawn, in bytes; it is copied for each run.
constexpr double kMaxDrawnBytes = 0x1p31;
/// Integers are drawn from here, where nothing else is said.
constexpr int64_t kDrawnLow = -4, kDrawnHigh = 4;

/// The arguments of `entry`, from the items of --inputs (see Inputs.h); `seed`
/// is that of items that are drawn.
llvm::Expected<llvm::SmallVector<NDArray>>
readInputs(mlir::func::FuncOp entry, llvm::ArrayRef<std::string> items,
           uint64_t seed);

/// Draws the arguments of `entry` from a seed. Integers come from
/// einsum.value_range, or from [-4, 4]; dynamic sizes from
/// einsum.example_shape.
llvm::Expected<llvm::SmallVector<NDArray>> drawInputs(mlir::func::FuncOp entry,
                                                      uint64_t seed);

/// The arguments of `entry` that it may write to: memrefs.
llvm::SmallVector<unsigned> getWritableArguments(mlir::func::FuncOp entry);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_ARGUMENTS_H
