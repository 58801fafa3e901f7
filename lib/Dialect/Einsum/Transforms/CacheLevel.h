//===- CacheLevel.h - Caches that operands stay in --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the cost models of kernels share: which cache holds what, and what it
// takes to bring a byte from there.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_CACHELEVEL_H
#define TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_CACHELEVEL_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

namespace tileir::einsum {

/// Where an operand is read from.
enum class Level { L1, L2, L3, Memory };

/// Cycles for one byte.
double getCycles(const machine::CpuCosts &costs, Level level,
                 bool isStream = true);

/// Whether `count` pieces of `piece` bytes, `stride` bytes apart, stay in a
/// cache. Strides that are multiples of large powers of two leave most of its
/// sets unused.
bool staysIn(int64_t cache, int64_t way, double share, double count,
             double piece, int64_t stride);

/// The cache that such pieces stay in; one operand may fill the part `l2Share`
/// of the second one.
Level getLevel(MachineAttr machine, const machine::CpuCosts &costs,
               double count, double piece, int64_t stride, double l2Share);

} // namespace tileir::einsum

#endif // TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_CACHELEVEL_H
