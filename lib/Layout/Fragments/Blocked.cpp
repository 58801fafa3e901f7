//===- Blocked.cpp - Blocks of registers, lanes, warps --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocked layouts are written down bit by bit.
//
//===----------------------------------------------------------------------===//

#include "tileir/Layout/Fragments/Blocked.h"

#include "llvm/Support/MathExtras.h"

using namespace tileir::layout;
using namespace llvm;

LinearLayout tileir::layout::getBlocked(ArrayRef<int64_t> shape,
                                        const Blocked &blocked) {
  LinearLayout layout(shape);
  SmallVector<unsigned, 4> done(shape.size(), 0); // bits of each axis
  auto add = [&](InDim in, ArrayRef<int64_t> sizes) {
    for (unsigned axis : blocked.order)
      for (unsigned bit = 0; bit < Log2_64(sizes[axis]); ++bit)
        if (done[axis] < Log2_64(shape[axis]))
          layout.addUnit(in, axis, done[axis]++);
        else if (in != InDim::Register)
          layout.addBasis(in, 0);
  };
  add(InDim::Register, blocked.sizePerThread);
  add(InDim::Lane, blocked.threadsPerWarp);
  add(InDim::Warp, blocked.warpsPerBlock);
  for (unsigned axis : blocked.order)
    while (done[axis] < Log2_64(shape[axis]))
      layout.addUnit(InDim::Register, axis, done[axis]++);
  return layout;
}
