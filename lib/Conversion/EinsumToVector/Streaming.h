//===- Streaming.h - Results that are written past the caches ---*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_STREAMING_H
#define TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_STREAMING_H

#include "Nest.h"

namespace tileir::to_vector {

/// Whether the result of `nest`, the memref `result`, is written past the
/// caches of `machine`: a condition that is built at the insertion point, or
/// null if it never is.
mlir::Value emitStreamCondition(IndexBuilder &index, const Nest &nest,
                                mlir::Value result,
                                einsum::MachineAttr machine);

} // namespace tileir::to_vector

#endif // TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_STREAMING_H
