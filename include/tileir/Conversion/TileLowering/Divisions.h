//===- Divisions.h - Divisions in lanes that are masked off -----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program divides all elements of its tiles, those too that a mask keeps from
// being stored. Below tiles an integer division by zero is undefined: it stops
// a CPU, and LLVM concludes from it that the mask holds and drops the mask.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_TILELOWERING_DIVISIONS_H
#define TILEIR_CONVERSION_TILELOWERING_DIVISIONS_H

#include "mlir/IR/Operation.h"

namespace tileir::tile_lowering {

/// Has integer divisions and remainders in the kernels below `root` divide by 1
/// where the quotient is undefined: where the divisor is 0, or where it is -1
/// and the dividend the smallest number, whose quotient then wraps.
void guardDivisions(mlir::Operation *root);

} // namespace tileir::tile_lowering

#endif // TILEIR_CONVERSION_TILELOWERING_DIVISIONS_H
