//===- GlobalMemoryTest.cpp - Tests of accesses of global memory ----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Widths by hand, and what accesses touch against the addresses of all lanes.
//
//===----------------------------------------------------------------------===//

#include "LayoutTesting.h"

#include "tileir/Layout/Global/GlobalMemory.h"

#include "gtest/gtest.h"

using namespace tileir::layout;

TEST(GlobalMemory, width) {
  AccessWidth width(16);
  EXPECT_EQ(width.getNumElements(), 8);
  EXPECT_EQ(width.getNumBits(), 128);
  EXPECT_EQ(width.getReason(), "");
  width.limit(8, "not needed");
  EXPECT_EQ(width.getReason(), "");
  width.limit(7, "odd");
  EXPECT_EQ(width.getNumElements(), 4);
  EXPECT_EQ(width.getReason(), "odd");
  width.limit(5, "wider than it is");
  EXPECT_EQ(width.getNumBits(), 64);
  EXPECT_EQ(width.getReason(), "odd");
}

TEST(GlobalMemory, sectorsOnAverage) {
  for (int64_t bytes = 2; bytes <= 512; bytes += 2)
    for (int64_t alignment = 2; alignment <= 64; alignment *= 2) {
      if (bytes % alignment)
        continue;
      double sum = 0, places = 0;
      for (int64_t begin = 0; begin < 64; begin += alignment, ++places)
        sum += (begin + bytes - 1) / kSectorBytes - begin / kSectorBytes + 1;
      EXPECT_DOUBLE_EQ(countSectors(bytes, alignment), sum / places)
          << bytes << " bytes at multiples of " << alignment;
    }
}

/// The sectors that all accesses of all warps touch, those of each access by
/// itself, of a matrix whose lines begin at multiples of `pitch` elements.
static int64_t countByLane(const LinearLayout &layout, unsigned axis,
                           int64_t vector, int64_t pitch, unsigned bits) {
  int64_t sectors = 0;
  for (uint64_t warp = 0; warp < layout.getSize(InDim::Warp); ++warp)
    for (uint64_t reg = 0; reg < layout.getSize(InDim::Register);
         reg += vector) {
      std::set<int64_t> touched;
      for (uint64_t lane = 0; lane < layout.getSize(InDim::Lane); ++lane)
        for (int64_t i = 0; i < vector; ++i) {
          auto place = layout.apply({{InDim::Register, reg + i},
                                     {InDim::Lane, lane},
                                     {InDim::Warp, warp}});
          int64_t element = place[1 - axis] * pitch + place[axis];
          touched.insert(element * bits / 8 / kSectorBytes);
        }
      sectors += touched.size();
    }
  return sectors;
}

TEST(GlobalMemory, accessesAsOfAllLanes) {
  for (int64_t rows : {16, 64})
    for (int64_t columns : {16, 32, 256})
      for (unsigned axis : {0, 1})
        for (unsigned bits : {16, 32})
          for (int64_t warps : {1, 4, 16})
            for (int64_t limit : {1, 2, 8}) {
              int64_t shape[] = {rows, columns};
              LinearLayout layout =
                  getCoalesced(shape, bits, {axis, shape[axis]}, warps);
              AccessWidth width(bits);
              width.limit(limit);
              GlobalAccess access = getGlobalAccess(layout, axis, width);
              EXPECT_LE(access.vector, limit);
              EXPECT_EQ(access.vector * access.accesses,
                        int64_t(layout.getSize(InDim::Register)));
              EXPECT_EQ(access.copies * rows * columns,
                        int64_t(32 * warps * layout.getSize(InDim::Register)));
              // Lines that begin at all multiples of a vector.
              int64_t counted = countByLane(layout, axis, access.vector,
                                            1024 + access.vector, bits);
              double bytes = access.getReach(access.span) * bits / 8;
              EXPECT_DOUBLE_EQ(
                  warps * access.accesses * access.lines *
                      countSectors(bytes, access.vector * bits / 8),
                  counted)
                  << toString(layout);
            }
}
