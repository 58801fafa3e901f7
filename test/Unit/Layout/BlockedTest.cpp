//===- BlockedTest.cpp - Tests of blocked layouts -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocked layouts against formulas, and their printed form.
//
//===----------------------------------------------------------------------===//

#include "LayoutTesting.h"

#include "tileir/Layout/Fragments/Blocked.h"

#include "gtest/gtest.h"

using namespace tileir::layout;
using namespace llvm;

TEST(Blocked, IsInOrder) {
  // 128 threads with rows of 8 elements, 4 threads to a row.
  LinearLayout layout = getBlocked({128, 32}, {{1, 8}, {8, 4}, {4, 1}, {1, 0}});
  forEachPlace(layout, [&](Thread p) {
    uint64_t thread = p.warp * 32 + p.lane;
    EXPECT_EQ(elementAt(layout, p),
              (thread / 4 + p.reg / 8 * 32) * 32 + thread % 4 * 8 + p.reg % 8);
  });
  // The same, column by column.
  LinearLayout columns =
      getBlocked({32, 128}, {{8, 1}, {4, 8}, {1, 4}, {0, 1}});
  EXPECT_TRUE(columns == layout.transpose({1, 0}));
}

TEST(Blocked, RepeatsAndCopies) {
  EXPECT_EQ(toString(getBlocked({8}, {{2}, {2}, {1}, {0}})),
            "register = [[1], [4]], lane = [[2]], warp = []");
  EXPECT_EQ(toString(getBlocked({8}, {{2}, {8}, {2}, {0}})),
            "register = [[1]], lane = [[2], [4], [0]], warp = [[0]]");
  EXPECT_EQ(toString(getBlocked({2, 2}, {{4, 2}, {1, 1}, {1, 1}, {0, 1}})),
            "register = [[1, 0], [0, 1]], lane = [], warp = []");
}
