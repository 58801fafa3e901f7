//===- Destination.h - Memrefs that results are written to ------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_DESTINATION_H
#define TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_DESTINATION_H

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

namespace tileir::to_vector {

/// The op that stores the only result of `op` in a memref, if that memref can
/// be written while `op` computes: nothing that `op` reads, and nothing between
/// the two ops, needs what it held. Else null. `readsWhatItWrites` tells of an
/// operand that `op` reads only the elements of it that it computes next.
mlir::bufferization::MaterializeInDestinationOp
getDestination(mlir::Operation *op,
               llvm::function_ref<bool(unsigned)> readsWhatItWrites);

} // namespace tileir::to_vector

#endif // TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_DESTINATION_H
