//===- DotToLLVM.h - Dots of small integers as LLVM has them ----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-dot-to-llvm: products of fours of i8 that are added up.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_DOTTOLLVM_DOTTOLLVM_H
#define TILEIR_CONVERSION_DOTTOLLVM_DOTTOLLVM_H

#include "mlir/Pass/Pass.h"

namespace tileir::dot_to_llvm {

/// The attribute of an `arith.muli` of u8 and i8, both extended to i32, where
/// the machine adds up four products at once.
inline constexpr llvm::StringLiteral kFours = "fours";

} // namespace tileir::dot_to_llvm

namespace tileir {

#define GEN_PASS_DECL_CONVERTDOTTOLLVMPASS
#include "tileir/Conversion/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_CONVERSION_DOTTOLLVM_DOTTOLLVM_H
