//===- Inputs.h - What --inputs can say -------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_INPUTS_H
#define TILEIR_EXECUTION_INPUTS_H

#include "tileir/Runtime/Compare.h"

#include "llvm/Support/Error.h"

namespace tileir::execution {

/// Whether an item is a scalar such as i32:5.
bool isScalarInput(llvm::StringRef item);

/// The array that an item of --inputs stands for:
///   file.npy                  that of a NumPy file
///   i32:5, f16:0.5, ...       a scalar: an array without axes
///   zeros:128x64xf32          zeros
///   nan:128x64xf32            all bits set: NaN, or -1
///   random:128x64xf16         drawn from `random`
llvm::Expected<NDArray> readInput(llvm::StringRef item, RandomArrays &random);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_INPUTS_H
