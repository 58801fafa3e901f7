//===- Stages.h - Padded inputs and their borders ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What loops copy of padded inputs (StagedOperand.h), and kernels of which
// tiles at the border read copies.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_STAGES_H
#define TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_STAGES_H

#include "Nest.h"

namespace tileir::to_vector {

/// The copy of a box of an input, without access and source.
Stage makeStage(einsum::StagedOperand box);

/// The buffer of a copy.
mlir::Value allocateStage(IndexBuilder &index, const Stage &stage);

/// Copies what the loops inside of those of `ivs` (null: of one iteration) read
/// of a padded input; or what they read `rows` later, each of which is
/// `rowMove`.
void emitStage(IndexBuilder &index, const Nest &nest, const Stage &stage,
               mlir::Value buffer, llvm::ArrayRef<mlir::Value> ivs,
               mlir::Value rows = {}, llvm::ArrayRef<int64_t> rowMove = {});

/// Emits the kernel for what reads no border, and for each tile that does:
/// along lines at the border all of them, and else the first and the last one.
/// Their copies are in `buffer`.
void emitBorderedKernel(IndexBuilder &index, const Nest &nest,
                        llvm::ArrayRef<Cursor> cursors,
                        llvm::ArrayRef<mlir::Value> ivs, mlir::Value buffer);

} // namespace tileir::to_vector

#endif // TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_STAGES_H
