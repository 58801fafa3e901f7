//===- PanelsTest.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against what the hardware does, written down by address: a bulk copy writes
// row by row and exchanges chunks of 16 bytes, and an instruction finds the
// parts of an operand by the fields of its descriptor.
//
//===----------------------------------------------------------------------===//

#include "tileir/Layout/Shared/Panels.h"

#include "gtest/gtest.h"

#include <map>

using namespace tileir::layout;

namespace {

/// The address of chunk bits exchanged by a swizzle as wide as a row.
int64_t swizzle(int64_t address, int64_t width) {
  return address ^ ((address / 128 % (width / 16)) * 16);
}

/// Where element (row, column) of a box lies that was copied to `begin`.
int64_t getCopied(int64_t row, int64_t column, int64_t width, int64_t bytes) {
  return swizzle(row * width + column * bytes, width);
}

TEST(PanelsTest, BytesOfRows) {
  EXPECT_EQ(getPanelBytes({64, 64}, 16), 128);
  EXPECT_EQ(getPanelBytes({64, 256}, 16), 128);
  EXPECT_EQ(getPanelBytes({64, 32}, 16), 64);
  EXPECT_EQ(getPanelBytes({2, 16, 32}, 8), 32);
  EXPECT_EQ(getPanelBytes({64, 8}, 32), 32);
  EXPECT_EQ(getPanelBytes({64, 8}, 16), 0);
  EXPECT_EQ(getPanelBytes({48, 64}, 16), 0);
}

TEST(PanelsTest, LayoutIsThatOfBulkCopies) {
  for (unsigned bits : {8, 16, 32})
    for (int64_t rows : {1, 8, 64, 256})
      for (int64_t columns : {16, 32, 64, 128, 256}) {
        int64_t width = getPanelBytes({rows, columns}, bits), bytes = bits / 8;
        if (!width)
          continue;
        LinearLayout places =
            *getPanelLayout({rows, columns}, bits, width).invert();
        for (int64_t row = 0; row < rows; ++row)
          for (int64_t column = 0; column < columns; ++column) {
            int64_t inPanel = width / bytes;
            int64_t expected = column / inPanel * rows * width +
                               getCopied(row, column % inPanel, width, bytes);
            uint64_t element = row * columns + column;
            ASSERT_EQ(int64_t(places.getElementAt({{InDim::Offset, element}}) *
                              bytes),
                      expected)
                << bits << " bits, " << rows << " x " << columns << " at "
                << row << ", " << column;
          }
      }
}

/// The fields of a descriptor, in bytes.
struct Fields {
  explicit Fields(uint64_t bits)
      : start((bits & 0x3fff) * 16), leading((bits >> 16 & 0x3fff) * 16),
        stride((bits >> 32 & 0x3fff) * 16), width(256 >> (bits >> 62)) {}
  int64_t start, leading, stride, width;
};

/// Where an instruction reads element (i, k) of its operand, with i along M or
/// N: 8 rows of K are `stride` apart from the next 8; in the other order rows
/// are those of K, and panels of M or N are `leading` apart.
int64_t getRead(const Fields &fields, bool isAlongK, int64_t i, int64_t k,
                int64_t bytes) {
  int64_t offset;
  if (isAlongK)
    offset = i / 8 * fields.stride + i % 8 * fields.width + k * bytes;
  else
    offset = i * bytes / fields.width * fields.leading + k / 8 * fields.stride +
             k % 8 * fields.width + i * bytes % fields.width;
  return swizzle(fields.start + offset, fields.width);
}

TEST(PanelsTest, DescriptorsFindWhatCopiesHaveWritten) {
  for (unsigned bits : {8, 16, 32})
    for (bool isAlongK : {true, false})
      for (int64_t size : {16, 64, 128, 256}) // of M or N
        for (int64_t depth : {16, 32, 64, 128}) {
          if (!isAlongK && bits != 16)
            continue; // no instruction takes it
          std::array<int64_t, 2> shape = {isAlongK ? size : depth,
                                          isAlongK ? depth : size};
          int64_t bytes = bits / 8, step = 32 / bytes;
          if (depth % step != 0)
            continue;
          // Where copies have shorter rows, panels are narrower.
          for (int64_t panel = getPanelBytes(shape, bits); panel >= 32;
               panel /= 2) {
            PanelOperand operand = {shape, bits, panel, isAlongK};
            LinearLayout layout = getPanelLayout(shape, bits, panel);
            ASSERT_EQ(findPanelBytes(layout, shape, bits), panel);
            LinearLayout places = *layout.invert();
            int64_t groups = size >= 64 ? size / 64 : 1, rows = size / groups;
            for (int64_t group = 0; group < groups; ++group)
              for (int64_t k = 0; k < depth; k += step) {
                Fields fields(operand.getDescriptor() +
                              operand.getOffset(group, k) / 16);
                for (int64_t i = 0; i < rows; ++i)
                  for (int64_t j = 0; j < step; ++j) {
                    int64_t row = group * rows + i, column = k + j;
                    if (!isAlongK)
                      std::swap(row, column);
                    uint64_t element = row * shape[1] + column;
                    ASSERT_EQ(getRead(fields, isAlongK, i, j, bytes),
                              int64_t(places.getElementAt(
                                          {{InDim::Offset, element}}) *
                                      bytes))
                        << bits << " bits, " << size << " x " << depth
                        << (isAlongK ? ", " : " transposed, ") << group << ", "
                        << i << ", " << k + j << ", panels of " << panel;
                  }
              }
          }
        }
}

TEST(PanelsTest, OtherLayoutsHaveNoPanels) {
  EXPECT_EQ(findPanelBytes(LinearLayout({64, 64}), {64, 64}, 16), 0);
  EXPECT_EQ(findPanelBytes(getPanelLayout({64, 64}, 16, 64), {64, 64}, 8), 0);
}

} // namespace
