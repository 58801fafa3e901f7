//===- LinearLayoutTest.cpp - Tests of the layout algebra -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutTesting.h"

#include "tileir/Layout/Fragments/Blocked.h"

#include "gtest/gtest.h"

using namespace tileir::layout;
using namespace llvm;

/// What design notes write down for the f32 accumulator of one m8n8k4.
static LinearLayout makeAccumulator() {
  LinearLayout layout({8, 8});
  layout.addBasis(InDim::Register, {0, 1});
  layout.addBasis(InDim::Register, {2, 0});
  layout.addBasis(InDim::Register, {0, 4});
  for (Coordinate basis : {Coordinate{1, 0}, Coordinate{0, 2}, Coordinate{0, 0},
                           Coordinate{0, 0}, Coordinate{4, 0}})
    layout.addBasis(InDim::Lane, basis);
  return layout;
}

TEST(LinearLayout, AppliesAndPrints) {
  LinearLayout layout = makeAccumulator();
  EXPECT_EQ(layout.apply({{InDim::Register, 3}, {InDim::Lane, 18}}),
            (Coordinate{6, 3}));
  EXPECT_EQ(toString(layout),
            "register = [[0, 1], [2, 0], [0, 4]], lane = [[1, 0], [0, 2], "
            "[0, 0], [0, 0], [4, 0]], warp = []");
  EXPECT_EQ(toString(LinearLayout::identity({2, 4}, InDim::Offset)),
            "offset = [[0, 1], [0, 2], [1, 0]]");
  LinearLayout blocks = LinearLayout::identity({2}, InDim::Block);
  EXPECT_EQ(toString(blocks),
            "register = [], lane = [], warp = [], block = [[1]]");
  EXPECT_TRUE(layout == makeAccumulator());
  EXPECT_TRUE(layout != layout.reshape({4, 16}));
  EXPECT_TRUE(layout != layout.drop(InDim::Lane));
}

TEST(LinearLayout, KnowsWhatItReaches) {
  LinearLayout layout = makeAccumulator();
  EXPECT_TRUE(layout.isSurjective());
  EXPECT_FALSE(layout.isInjective()); // four quad pairs have copies
  EXPECT_FALSE(layout.invert());
  EXPECT_FALSE(layout.drop(InDim::Register).isSurjective());
  EXPECT_EQ(layout.getFreeBits(InDim::Lane), 0b01100u);
  EXPECT_EQ(layout.getFreeBits(InDim::Register), 0u);

  // A sum of bits before is as free as 0 is.
  LinearLayout sum({4});
  sum.setBases(InDim::Register, {1});
  sum.setBases(InDim::Lane, {2, 3, 2});
  EXPECT_EQ(sum.getFreeBits(InDim::Lane), 0b110u);
}

TEST(LinearLayout, Inverts) {
  std::mt19937 random(1);
  for (unsigned trial = 0; trial < 50; ++trial) {
    LinearLayout layout = makeRandom(random, {4, 8, 2}, 2, 3, 1);
    auto inverse = layout.invert();
    ASSERT_TRUE(inverse);
    forEachPlace(layout, [&](Thread p) {
      EXPECT_EQ(inverse->apply({{InDim::Offset, elementAt(layout, p)}}),
                (Coordinate{int(p.reg), int(p.lane), int(p.warp), 0, 0}));
    });
    // Whatever the element numbers are permuted by is undone.
    LinearLayout same = layout.compose(*inverse);
    EXPECT_TRUE(same.isInjective());
    EXPECT_EQ(same.getBasis(InDim::Lane, 1), (Coordinate{0, 2, 0, 0, 0}));
  }
}

TEST(LinearLayout, PseudoInvertsToTheFirstPlace) {
  std::mt19937 random(2);
  for (unsigned trial = 0; trial < 50; ++trial) {
    LinearLayout layout = makeRandom(random, {4, 8}, 3, 3, 2);
    LinearLayout inverse = layout.pseudoInvert();
    std::set<uint64_t> inFirstLane, inFirstWarp;
    forEachPlace(layout, [&](Thread p) {
      if (p.warp == 0)
        inFirstWarp.insert(elementAt(layout, p));
      if (p.warp == 0 && p.lane == 0)
        inFirstLane.insert(elementAt(layout, p));
    });
    for (uint64_t element = 0; element < 32; ++element) {
      Coordinate place = inverse.apply({{InDim::Offset, element}});
      EXPECT_EQ(elementAt(layout, {uint64_t(place[0]), uint64_t(place[1]),
                                   uint64_t(place[2])}),
                element);
      EXPECT_EQ(place[2] == 0, inFirstWarp.count(element) == 1);
      EXPECT_EQ(place[1] == 0 && place[2] == 0,
                inFirstLane.count(element) == 1);
    }
  }
}

TEST(LinearLayout, FindsTheNearestSource) {
  std::mt19937 random(3);
  for (unsigned trial = 0; trial < 50; ++trial) {
    LinearLayout src = makeRandom(random, {4, 8}, 3, 3, 2);
    LinearLayout dst = makeRandom(random, {4, 8}, 2, 3, 2);
    LinearLayout map = src.invertAndCompose(dst);
    std::map<uint64_t, std::set<std::pair<uint64_t, uint64_t>>> holders;
    forEachPlace(src, [&](Thread p) {
      holders[elementAt(src, p)].insert({p.warp, p.lane});
    });
    forEachPlace(dst, [&](Thread p) {
      Coordinate from = map.apply({{InDim::Register, p.reg},
                                   {InDim::Lane, p.lane},
                                   {InDim::Warp, p.warp}});
      Thread source{uint64_t(from[0]), uint64_t(from[1]), uint64_t(from[2])};
      uint64_t element = elementAt(dst, p);
      EXPECT_EQ(elementAt(src, source), element);
      const auto &who = holders[element];
      bool warpHolds = std::any_of(who.begin(), who.end(),
                                   [&](auto w) { return w.first == p.warp; });
      EXPECT_EQ(source.warp == p.warp, warpHolds);
      EXPECT_EQ(source.warp == p.warp && source.lane == p.lane,
                who.count({p.warp, p.lane}) == 1);
    });
  }
}

TEST(LinearLayout, MultipliesAndDivides) {
  std::mt19937 random(4);
  LinearLayout inner = makeRandom(random, {4, 2}, 1, 2, 0);
  LinearLayout outer = makeRandom(random, {2, 8}, 2, 1, 2);
  LinearLayout both = inner.product(outer);
  EXPECT_EQ(both.getShape(), ArrayRef<int64_t>({8, 16}));
  forEachPlace(both, [&](Thread p) {
    Coordinate low =
        inner.getCoordinate(elementAt(inner, {p.reg % 2, p.lane % 4, 0}));
    Coordinate high =
        outer.getCoordinate(elementAt(outer, {p.reg / 2, p.lane / 4, p.warp}));
    EXPECT_EQ(both.getCoordinate(elementAt(both, p)),
              (Coordinate{low[0] + 4 * high[0], low[1] + 2 * high[1]}));
  });
  EXPECT_TRUE(both.divideLeft(inner) == outer);
  EXPECT_TRUE(both.divideRight(outer) == inner);
  EXPECT_FALSE(both.divideLeft(outer));
  EXPECT_FALSE(both.divideRight(inner));
  EXPECT_FALSE(inner.divideLeft(both));
  EXPECT_FALSE(inner.divideRight(both));
}

TEST(LinearLayout, TakesTheQuotientByWarps) {
  LinearLayout block = getBlocked({32, 64}, {{1, 4}, {4, 8}, {2, 2}, {1, 0}});
  // Repeats lie above the warps: 32 = 1 * 4 * 2 * 4.
  EXPECT_FALSE(block.quotient(InDim::Warp));
  block = getBlocked({8, 64}, {{1, 4}, {4, 8}, {2, 2}, {1, 0}});
  EXPECT_EQ(block.quotient(InDim::Warp),
            getBlocked({4, 32}, {{1, 4}, {4, 8}, {1, 1}, {1, 0}}));
  // Warps with copies take no part of the tile.
  EXPECT_EQ(block.removeAxis(0).quotient(InDim::Warp)->getShape(),
            ArrayRef<int64_t>({32}));
  // Half of the tile is nobody's.
  LinearLayout holes({4});
  holes.setBases(InDim::Warp, {2});
  EXPECT_FALSE(holes.quotient(InDim::Warp));
}

TEST(LinearLayout, FindsRunsOfRegisters) {
  LinearLayout layout = getBlocked({16, 32}, {{2, 4}, {8, 4}, {1, 1}, {1, 0}});
  EXPECT_EQ(layout.getContiguity(1), 4u);
  EXPECT_EQ(layout.getContiguity(0), 2u);
  EXPECT_EQ(layout.getContiguousBits(0), (SmallVector<unsigned, 4>{2}));
  // In another order of registers, it is the same run.
  LinearLayout shuffled = layout.selectBits(InDim::Register, {2, 1, 0, 3});
  EXPECT_EQ(shuffled.getContiguousBits(1), (SmallVector<unsigned, 4>{2, 1}));
  // A lane that swaps neighbours spoils it.
  LinearLayout swapped = layout;
  swapped.addBasis(InDim::Warp, {0, 1});
  EXPECT_EQ(swapped.getContiguity(1), 1u);
  EXPECT_EQ(makeAccumulator().getContiguity(1), 2u);
}

TEST(LinearLayout, FollowsRetiling) {
  std::mt19937 random(5);
  LinearLayout layout = makeRandom(random, {4, 8, 2}, 2, 4, 1);
  LinearLayout flat = layout.reshape({64});
  LinearLayout turned = layout.transpose({2, 0, 1});
  LinearLayout removed = layout.removeAxis(1);
  EXPECT_EQ(turned.getShape(), ArrayRef<int64_t>({2, 4, 8}));
  EXPECT_EQ(removed.getShape(), ArrayRef<int64_t>({4, 2}));
  EXPECT_TRUE(removed.isSurjective());
  EXPECT_EQ(removed.getFreeBits(InDim::Register), 0u);
  forEachPlace(layout, [&](Thread p) {
    Coordinate at = layout.getCoordinate(elementAt(layout, p));
    EXPECT_EQ(elementAt(flat, p), uint64_t(at[0] * 16 + at[1] * 2 + at[2]));
    EXPECT_EQ(turned.getCoordinate(elementAt(turned, p)),
              (Coordinate{at[2], at[0], at[1]}));
  });

  // A lane has of the shorter tile what it had, and nothing twice.
  for (uint64_t lane = 0; lane < 16; ++lane) {
    std::set<uint64_t> had, has;
    for (uint64_t reg = 0; reg < layout.getSize(InDim::Register); ++reg) {
      Coordinate at = layout.getCoordinate(elementAt(layout, {reg, lane, 1}));
      had.insert(at[0] * 2 + at[2]);
    }
    for (uint64_t reg = 0; reg < removed.getSize(InDim::Register); ++reg)
      has.insert(elementAt(removed, {reg, lane, 1}));
    EXPECT_EQ(has.size(), removed.getSize(InDim::Register));
    for (uint64_t element : has)
      EXPECT_EQ(had.count(element), 1u);
  }

  LinearLayout column = makeRandom(random, {4, 1}, 1, 2, 0);
  LinearLayout wide = column.broadcast({2, 4, 8});
  EXPECT_TRUE(wide.isSurjective());
  forEachPlace(wide, [&](Thread p) {
    Coordinate at = wide.getCoordinate(elementAt(wide, p));
    EXPECT_EQ(uint64_t(at[1]), elementAt(column, {p.reg % 2, p.lane, 0}));
  });
}

TEST(LinearLayout, EmbedsInALargerTile) {
  std::mt19937 random(5);
  LinearLayout layout = makeRandom(random, {4, 8}, 3, 2, 0),
               embedded = layout.embed({8, 32});
  EXPECT_EQ(embedded.getShape(), ArrayRef<int64_t>({8, 32}));
  EXPECT_FALSE(embedded.isSurjective());
  forEachPlace(layout, [&](Thread p) {
    EXPECT_EQ(embedded.getCoordinate(elementAt(embedded, p)),
              layout.getCoordinate(elementAt(layout, p)));
  });
}

TEST(LinearLayout, TakesHalves) {
  // Bit 1 of the register chooses the half.
  LinearLayout layout({4, 2});
  layout.addBasis(InDim::Register, {1, 0});
  layout.addBasis(InDim::Register, {0, 1});
  layout.addBasis(InDim::Lane, {2, 0});
  unsigned bit = 7;
  auto half = layout.getHalf(bit);
  ASSERT_TRUE(half);
  EXPECT_EQ(bit, 1u);
  EXPECT_EQ(half->getShape(), ArrayRef<int64_t>({4}));
  for (uint64_t lane : {0, 1})
    for (uint64_t reg : {0, 1})
      EXPECT_EQ(elementAt(*half, {reg, lane, 0}) * 2,
                elementAt(layout, {reg, lane, 0}));
  // A lane chooses it, or a register together with something else, or nothing.
  LinearLayout byLane({2}), mixed({2, 2}), none({2}), longer({4});
  byLane.addBasis(InDim::Lane, 1);
  mixed.addBasis(InDim::Register, {1, 1});
  mixed.addBasis(InDim::Lane, {1, 0});
  for (unsigned b : {0, 1})
    longer.addUnit(InDim::Register, 0, b);
  for (const LinearLayout &other : {byLane, mixed, none, longer})
    EXPECT_FALSE(other.getHalf(bit));
}
