//===- Drawing.h - Pictures of layouts --------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout as an SVG picture: the tile as a grid of elements, and in each
// element the place that holds it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAYOUT_DRAWING_DRAWING_H
#define TILEIR_LAYOUT_DRAWING_DRAWING_H

#include "tileir/Layout/Core/LinearLayout.h"

namespace tileir::layout {

/// Draws a tile with axes. Registers: the lanes (after their warp, if there are
/// several) and, of the first, the register; in the colours of their quad
/// pairs, the upper quads darker. Shared memory: the offset and, above it, the
/// bank; in the colours of the banks. Axes before the last one lie below each
/// other, and of a large tile only the first 64 rows and columns are drawn.
/// `elementBits` is for banks.
void drawLayout(const LinearLayout &layout, unsigned elementBits,
                llvm::StringRef title, llvm::raw_ostream &os);

} // namespace tileir::layout

#endif // TILEIR_LAYOUT_DRAWING_DRAWING_H
