//===- VectorizerLimit.h ----------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a GPU, LLVM's SLP vectorizer makes pairs of halves, and little else. Its
// time grows faster than the size of a basic block: over kernels whose warps
// have large tiles it sat for seconds to minutes. PTX emission and simulator
// do without it in the same functions, before LLVM's passes run.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TARGET_PTX_VECTORIZERLIMIT_H
#define TILEIR_TARGET_PTX_VECTORIZERLIMIT_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

namespace tileir::ptx {

/// Sees to it that the SLP vectorizer leaves functions with large basic blocks
/// alone: it does so where floating-point numbers are not to appear on their
/// own, which means nothing else to NVPTX.
inline void limitVectorizer(llvm::Module &module) {
  constexpr size_t kMaxBlock = 4000;
  for (llvm::Function &function : module)
    if (llvm::any_of(function, [](const llvm::BasicBlock &block) {
          return block.size() > kMaxBlock;
        }))
      function.addFnAttr(llvm::Attribute::NoImplicitFloat);
}

} // namespace tileir::ptx

#endif // TILEIR_TARGET_PTX_VECTORIZERLIMIT_H
