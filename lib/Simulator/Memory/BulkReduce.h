//===- BulkReduce.h ---------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic of cp.reduce.async.bulk.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_MEMORY_BULKREDUCE_H
#define TILEIR_LIB_SIMULATOR_MEMORY_BULKREDUCE_H

#include "Program.h"

namespace tileir::sim {

/// Combines elements at a global address with those at `from`, each atomically.
/// `operation` is Add, SMin, SMax, Inc, Dec, And, Or or Xor; the type says
/// whether it is that of floats or of unsigned integers.
void reduceGlobal(AtomicOp operation, ElementType type, bool isSigned,
                  uint64_t address, const uint8_t *from, uint32_t bytes);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_MEMORY_BULKREDUCE_H
