//===- Windows.h - Contractions of windows of memory ------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What convert-einsum-to-tile will do, for those who choose its configurations.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_EINSUMTOTILE_WINDOWS_H
#define TILEIR_CONVERSION_EINSUMTOTILE_WINDOWS_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Layout/Fragments/TileConfig.h"

namespace tileir::to_tile {

/// The block of a contraction of two operands in memory with this
/// configuration, of which K may be smaller, if the blocks of both operands are
/// windows of memory, ranges or boxes of indices, which tensor maps copy in the
/// order that the atom of the configuration, of warpgroups, takes. Whether rows
/// of memory are aligned is another question.
std::optional<layout::TileSizes> getWindows(einsum::ContractOp op,
                                            const layout::TileConfig &config);

} // namespace tileir::to_tile

#endif // TILEIR_CONVERSION_EINSUMTOTILE_WINDOWS_H
