//===- Optimize.h - Optimize LLVM IR ----------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_RUNTIME_OPTIMIZE_H
#define TILEIR_LIB_RUNTIME_OPTIMIZE_H

#include "llvm/Support/CodeGen.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace tileir::runtime {

/// Runs LLVM's pipeline of a level above `None` on `module`, for `machine`.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              llvm::CodeGenOptLevel level);

/// Makes integer arithmetic of conversions from f32 to bf16 that `machine`
/// lacks.
void expandBFloat(llvm::Module &module, const llvm::TargetMachine &machine);

} // namespace tileir::runtime

#endif // TILEIR_LIB_RUNTIME_OPTIMIZE_H
