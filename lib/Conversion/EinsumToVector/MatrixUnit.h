//===- MatrixUnit.h - Kernels of matrix units -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A register of AMX has 16 rows of 64 bytes. A product of two adds up, for each
// of 16 rows and 16 lanes, the products of 16 groups: words of 32 bits, which
// hold 2 elements of bf16 or 4 of i8 that follow each other along a sum. The
// operand of the rows has its groups side by side; the one of the lanes has a
// row for each group.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_MATRIXUNIT_H
#define TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_MATRIXUNIT_H

#include "MicrokernelEmitter.h"

namespace tileir::to_vector {

/// Groups in a row of a register.
inline constexpr int64_t kMatrixGroups = 16;

/// Decides along which summed dimension of the kernel `nest` groups are, and
/// adds to Nest::pack the inputs that are not as registers are.
void prepareMatrixKernel(Nest &nest);

/// Allocates a buffer for panels of input `input`, and describes it.
Access allocateMatrixPanels(IndexBuilder &index, const Nest &nest,
                            unsigned input, unsigned panelDim);

/// Copies what the kernel reads of `operand`, with `cursors` at its first
/// element, into `panels`, as registers are; steps of the sum and rows that are
/// missing in a register are 0:
///
///   lanes: [part of lanes][sums...][group][lanes of the part][element]
///   rows:  [16 rows][sums...][16 groups][row][group][element]
void emitMatrixPack(IndexBuilder &index, const Nest &nest,
                    const Operand &operand, llvm::ArrayRef<Cursor> cursors,
                    const Access &panels);

/// Whether tiles go through Nest::scratch: they are converted, are changed by
/// an epilogue, or start from something else than 0, or vectors are not whole.
bool needsScratch(const Nest &nest);

/// A buffer for sums that go on in another call of the kernel, of the loops
/// from `level` on: one tile after the other.
Access allocateMatrixSums(IndexBuilder &index, const Nest &nest,
                          unsigned level);

/// As emitKernel, for a matrix unit.
void emitMatrixKernel(IndexBuilder &index, const Nest &nest,
                      llvm::ArrayRef<Cursor> cursors, mlir::Value isFirst,
                      mlir::Value isLast);

} // namespace tileir::to_vector

#endif // TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_MATRIXUNIT_H
