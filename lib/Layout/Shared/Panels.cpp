//===- Panels.cpp ---------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bit by bit: bits 0 to 3 of an address are within a chunk, then come those of
// the chunk in its row, the row, and the panel.
//
//===----------------------------------------------------------------------===//

#include "tileir/Layout/Shared/Panels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileir::layout;
using namespace llvm;

static constexpr int64_t kChunkBytes = 16, kMostBytes = 128, kLeastBytes = 32;
/// The first bit of an address that swizzles exchange chunks by.
static constexpr unsigned kSwizzleBit = 7;
/// Rows that descriptors count by.
static constexpr int64_t kRowGroup = 8;
/// The rows of a warpgroup.
static constexpr int64_t kGroupRows = 64;

int64_t tileir::layout::getPanelBytes(ArrayRef<int64_t> shape,
                                      unsigned elementBits) {
  if (shape.empty() || !all_of(shape, isPowerOf2_64) || elementBits < 8)
    return 0;
  int64_t bytes = std::min<int64_t>(shape.back() * elementBits / 8, kMostBytes);
  return bytes < kLeastBytes ? 0 : bytes;
}

LinearLayout tileir::layout::getPanelLayout(ArrayRef<int64_t> shape,
                                            unsigned elementBits,
                                            int64_t panel) {
  assert(panel >= kLeastBytes && panel <= getPanelBytes(shape, elementBits) &&
         "the tile has no such panels");
  LinearLayout layout(shape);
  unsigned last = shape.size() - 1;
  unsigned elementBit = Log2_64(elementBits / 8);
  unsigned chunkBit = Log2_64(kChunkBytes), rowBit = Log2_64(panel);
  for (unsigned bit = elementBit; bit < rowBit; ++bit)
    layout.addUnit(InDim::Offset, last, bit - elementBit);
  unsigned address = rowBit;
  for (unsigned axis = last; axis-- > 0;)
    for (unsigned bit = 0; bit < Log2_64(shape[axis]); ++bit, ++address) {
      Coordinate basis(shape.size(), 0);
      basis[axis] = int32_t(1) << bit;
      if (address >= kSwizzleBit && address - kSwizzleBit + chunkBit < rowBit)
        basis[last] = int32_t(1)
                      << (address - kSwizzleBit + chunkBit - elementBit);
      layout.addBasis(InDim::Offset, basis);
    }
  for (unsigned bit = rowBit - elementBit; bit < Log2_64(shape[last]); ++bit)
    layout.addUnit(InDim::Offset, last, bit);
  return layout;
}

int64_t tileir::layout::findPanelBytes(const LinearLayout &layout,
                                       ArrayRef<int64_t> shape,
                                       unsigned elementBits) {
  for (int64_t panel = getPanelBytes(shape, elementBits); panel >= kLeastBytes;
       panel /= 2)
    if (layout == getPanelLayout(shape, elementBits, panel))
      return panel;
  return 0;
}

uint64_t PanelOperand::getDescriptor() const {
  // From panel to panel, where an instruction needs several; and from eight
  // rows to the next.
  uint64_t leading = isAlongK ? kChunkBytes : shape[0] * panelBytes;
  uint64_t stride = kRowGroup * panelBytes;
  uint64_t swizzle = Log2_64(2 * kMostBytes / panelBytes);
  return (leading / kChunkBytes & 0x3fff) << 16 |
         (stride / kChunkBytes & 0x3fff) << 32 | swizzle << 62;
}

int64_t PanelOperand::getOffset(int64_t group, int64_t k) const {
  int64_t bytes = elementBits / 8;
  // The element at the beginning, by row and column of memory.
  int64_t row = isAlongK ? group * kGroupRows : k;
  int64_t column = (isAlongK ? k : group * kGroupRows) * bytes;
  return column / panelBytes * shape[0] * panelBytes + row * panelBytes +
         column % panelBytes;
}
