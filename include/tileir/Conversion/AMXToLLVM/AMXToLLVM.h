//===- AMXToLLVM.h - Registers of AMX as LLVM has them ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-amx-to-llvm: the amx dialect, and the branches that pass its values.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_AMXTOLLVM_AMXTOLLVM_H
#define TILEIR_CONVERSION_AMXTOLLVM_AMXTOLLVM_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace tileir::amx_to_llvm {

/// The attribute of an `amx.tile_load` of what is read once, and is not to
/// drive out of the first cache what is read again.
inline constexpr llvm::StringLiteral kStreamedTile = "nontemporal";

/// Upstream's patterns, and one for streamed loads. Upstream's
/// configureAMXLegalizeForExportTarget makes ops illegal.
void populateAMXToLLVMPatterns(mlir::LLVMTypeConverter &converter,
                               mlir::RewritePatternSet &patterns);

} // namespace tileir::amx_to_llvm

namespace tileir {

#define GEN_PASS_DECL_CONVERTAMXTOLLVMPASS
#include "tileir/Conversion/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_CONVERSION_AMXTOLLVM_AMXTOLLVM_H
