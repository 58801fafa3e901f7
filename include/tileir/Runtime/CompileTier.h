//===- CompileTier.h - How long a compilation may take ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A choice of einsum-to-cpu-pipeline and of the JIT.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_RUNTIME_COMPILETIER_H
#define TILEIR_RUNTIME_COMPILETIER_H

namespace tileir::runtime {

/// The time that a compilation may take.
enum class CompileTier {
  /// A user waits for it: a short list of passes, and code is generated from
  /// LLVM IR as it is.
  Fast,
  /// All passes, and LLVM's pipeline of level 3.
  Full
};

} // namespace tileir::runtime

#endif // TILEIR_RUNTIME_COMPILETIER_H
