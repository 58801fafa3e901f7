//===- UnpackFloats.h - No pairs of f32 -------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From sm_100 on, LLVM computes vectors of f32 by instructions on pairs. A pair
// needs registers side by side, for which ptxas spilled; and not all chips have
// such instructions: for others ptxas makes two of each.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TARGET_PTX_UNPACKFLOATS_H
#define TILEIR_LIB_TARGET_PTX_UNPACKFLOATS_H

#include "tileir/Target/Gpu/Gpu.h"

#include "llvm/IR/Module.h"

namespace tileir::ptx {

/// Makes scalars of vectors of f32, in functions that have matrix instructions
/// and in all for a chip without instructions on pairs. Pairs of f16 remain.
/// Comes before LLVM's passes and `limitVectorizer`.
void unpackFloats(llvm::Module &module, const machine::Gpu &chip);

} // namespace tileir::ptx

#endif // TILEIR_LIB_TARGET_PTX_UNPACKFLOATS_H
