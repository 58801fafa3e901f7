//===- Inputs.h - Arrays that programs are run on ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments by items of text, as `tile-run --inputs` has them, or drawn from a
// seed.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_INPUTS_H
#define TILEIR_EXECUTION_INPUTS_H

#include "tileir/Runtime/Compare.h"
#include "tileir/Runtime/NumPy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tileir::execution {

/// Whether an item is a scalar such as i32:5.
bool isScalarInput(llvm::StringRef item);

/// The item for a scalar of `kind` that a bare number stands for: "5" is
/// "i32:5", "true" is "i1:1". Other items stay as they are.
std::string addScalarKind(llvm::StringRef item, runtime::ElementKind kind);

/// The array that an item stands for:
///   file.npy                  that of a NumPy file
///   i32:5, f16:0.5, ...       a scalar: an array without axes
///   zeros:128x64xf32          zeros
///   nan:128x64xf32            all bits set: NaN, or -1
///   random:128x64xf16         drawn from `random`
/// Arrays of more than 2^31 bytes are made of no item but a file.
/// Integers without signs come from files only, and where the option says so.
llvm::Expected<runtime::NDArray>
readInput(llvm::StringRef item, runtime::RandomArrays &random,
          runtime::UnsignedIntegers unsignedIntegers =
              runtime::UnsignedIntegers::Refuse);

/// The arguments of `entry`, one item each; items that are drawn come from
/// `seed`. Fails where an array has not the element type, rank and static sizes
/// of its argument. An i64 array fits an argument of index elements, which
/// NumPy does not have.
llvm::Expected<llvm::SmallVector<runtime::NDArray>>
readInputs(mlir::func::FuncOp entry, llvm::ArrayRef<std::string> items,
           uint64_t seed);

/// Draws the arguments of `entry` from `seed`: floats from [-1, 1], integers
/// from the argument's einsum.value_range, or from [-4, 4]. Dynamic sizes are
/// those of einsum.example_shape; fails where there is none, and for arrays of
/// more than 2^31 bytes.
llvm::Expected<llvm::SmallVector<runtime::NDArray>>
drawInputs(mlir::func::FuncOp entry, uint64_t seed);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_INPUTS_H
