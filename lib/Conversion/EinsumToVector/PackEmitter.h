//===- PackEmitter.h - Copies of operands in panels -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_PACKEMITTER_H
#define TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_PACKEMITTER_H

#include "Nest.h"

namespace tileir::to_vector {

/// The dimension of which panels of `operand` hold parts: the one of lanes and
/// rows on which it depends; nothing if it depends on both, or on none.
std::optional<unsigned> getPanelDim(const Nest &nest, const Operand &operand);

/// Allocates a buffer for the panels of an operand, and describes it.
Access allocatePanels(IndexBuilder &index, const Nest &nest, unsigned panelDim);

/// Copies what the kernel reads of `operand`, with `cursors` at its first
/// element, into `panels`: its value, with pointwise ops, in the type of the
/// accumulator, or pairs of bf16 values. A panel holds the lanes (or rows) of a
/// tile for all that is summed: [part of lanes][sums...][lanes of the part].
void emitPack(IndexBuilder &index, const Nest &nest, const Operand &operand,
              llvm::ArrayRef<Cursor> cursors, const Access &panels);

} // namespace tileir::to_vector

#endif // TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_PACKEMITTER_H
