//===- FragmentsTest.cpp - Tests of layouts by name -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments are checked against the formulas of the PTX ISA, macro-MMAs by
// running all instructions on the registers of all lanes.
//
//===----------------------------------------------------------------------===//

#include "LayoutTesting.h"

#include "tileir/Layout/Fragments/Fragments.h"

#include "gtest/gtest.h"

using namespace tileir::layout;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Blocked
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// m8n8k4
//===----------------------------------------------------------------------===//

/// Row and column of element i of a lane's fragment, as the PTX ISA has it.
static std::pair<unsigned, unsigned> getReference(Operand operand, Major major,
                                                  unsigned lane, unsigned i) {
  unsigned t = lane % 4, hi = lane >= 16 ? 4 : 0;
  bool isRow = major == Major::Row;
  switch (operand) {
  case Operand::A:
    return isRow ? std::pair(t + hi, i) : std::pair(i + hi, t);
  case Operand::B:
    return isRow ? std::pair(t, i + hi) : std::pair(i, t + hi);
  case Operand::AccF32:
    return {(lane & 1) + (i & 2) + hi, (i & 4) + (lane & 2) + (i & 1)};
  case Operand::AccF16:
    return {t + hi, i};
  }
  return {};
}

static constexpr Operand kOperands[] = {Operand::A, Operand::B, Operand::AccF32,
                                        Operand::AccF16};
static constexpr Major kMajors[] = {Major::Row, Major::Column};
static constexpr MacroMma kMacros[] = {MacroMma::M16N16K8, MacroMma::M32N32K8};

TEST(Mma884, FragmentsAreThoseOfTheISA) {
  for (Operand operand : kOperands)
    for (Major major : kMajors) {
      LinearLayout layout = getQuadPairFragment(operand, major);
      bool isInput = operand == Operand::A || operand == Operand::B;
      ASSERT_EQ(layout.getSize(InDim::Register), isInput ? 4u : 8u);
      ASSERT_EQ(layout.getSize(InDim::Lane), 32u);
      forEachPlace(layout, [&](Thread p) {
        auto [row, column] = getReference(operand, major, p.lane, p.reg);
        EXPECT_EQ(layout.getCoordinate(elementAt(layout, p)),
                  (Coordinate{int(row), int(column)}));
      });
    }
}

/// What the paper's figure 2 shows of the 16x16x8 macro-MMA, for row-major A
/// and column-major B.
TEST(Mma884, HasTheOwnersOfThePaper) {
  Mma884 mma;
  auto getOwners = [](const LinearLayout &layout, Coordinate at) {
    std::set<uint64_t> lanes;
    forEachPlace(layout, [&](Thread p) {
      if (layout.getCoordinate(elementAt(layout, p)) == at)
        lanes.insert(p.lane);
    });
    return lanes;
  };
  LinearLayout a = getMma884(mma, Operand::A, Major::Row, {16, 8});
  LinearLayout b = getMma884(mma, Operand::B, Major::Column, {8, 16});
  LinearLayout c = getMma884(mma, Operand::AccF32, Major::Row, {16, 16});
  for (int k = 0; k < 8; ++k) {
    EXPECT_EQ(getOwners(a, {0, k}), (std::set<uint64_t>{0, 8}));
    EXPECT_EQ(getOwners(b, {k, 0}), (std::set<uint64_t>{0, 4}));
  }
  for (Coordinate at :
       {Coordinate{0, 0}, Coordinate{0, 1}, Coordinate{0, 4}, Coordinate{0, 5}})
    EXPECT_EQ(getOwners(c, at), (std::set<uint64_t>{0}));
  for (Coordinate at :
       {Coordinate{0, 2}, Coordinate{0, 3}, Coordinate{0, 6}, Coordinate{0, 7}})
    EXPECT_EQ(getOwners(c, at), (std::set<uint64_t>{2}));
  EXPECT_TRUE(c.isInjective());
}

TEST(Mma884, RefusesTilesThatDoNotFit) {
  Mma884 mma{MacroMma::M32N32K8, 2, 1};
  EXPECT_EQ(checkMma884(mma, Operand::A, {64, 8}), "");
  EXPECT_EQ(checkMma884(mma, Operand::B, {8, 32}), "");
  EXPECT_EQ(checkMma884(mma, Operand::A, {32, 8}),
            "expects powers of two of at least 64 x 8, found 32 x 8");
  EXPECT_EQ(checkMma884(mma, Operand::B, {8, 48}),
            "expects powers of two of at least 8 x 32, found 8 x 48");
  EXPECT_EQ(checkMma884(mma, Operand::AccF32, {64, 16}),
            "expects powers of two of at least 64 x 32, found 64 x 16");
  EXPECT_EQ(checkMma884(mma, Operand::A, {2, 64, 8}), "");
  std::string refused = "expects two axes, or three with a power of two of "
                        "batches, found ";
  EXPECT_EQ(checkMma884(mma, Operand::A, {64}), refused + "1");
  EXPECT_EQ(checkMma884(mma, Operand::A, {3, 64, 8}), refused + "3");
}

/// Runs all instructions of all warps and notes which products they form:
/// each (row, column, k) has to come up once, in the element's own place.
static void expectWholeProduct(const Mma884 &mma, Major majorA, Major majorB,
                               Operand acc, int64_t m, int64_t n, int64_t k) {
  LinearLayout a = getMma884(mma, Operand::A, majorA, {m, k});
  LinearLayout b = getMma884(mma, Operand::B, majorB, {k, n});
  LinearLayout c = getMma884(mma, acc, Major::Row, {m, n});
  unsigned warps = mma.warpsM * mma.warpsN;
  ASSERT_EQ(a.getSize(InDim::Warp), warps);
  ASSERT_EQ(b.getSize(InDim::Warp), warps);
  ASSERT_EQ(c.getSize(InDim::Warp), warps);
  auto at = [](const LinearLayout &layout, uint64_t reg, uint64_t lane,
               uint64_t warp) {
    return layout.getCoordinate(elementAt(layout, {reg, lane, warp}));
  };
  std::vector<unsigned> formed(m * n * k, 0);
  unsigned wrong = 0;
  auto steps = listMma884(m / mma.warpsM, n / mma.warpsN, k);
  ASSERT_EQ(steps.size(), size_t(m * n * k) / (warps * 16 * 16 * 4));
  for (unsigned warp = 0; warp < warps; ++warp)
    for (const MmaStep &step : steps)
      for (unsigned pair = 0; pair < 4; ++pair) {
        // What the quad pair's lanes hold, at its place in the fragment.
        Coordinate matrixA[8][4], matrixB[4][8], matrixC[8][8];
        for (unsigned lane = 0; lane < 32; ++lane) {
          if ((lane >> 2 & 3) != pair)
            continue;
          for (unsigned i = 0; i < 4; ++i) {
            auto [ra, ka] = getReference(Operand::A, majorA, lane, i);
            matrixA[ra][ka] = at(a, 4 * step.a + i, lane, warp);
            auto [kb, cb] = getReference(Operand::B, majorB, lane, i);
            matrixB[kb][cb] = at(b, 4 * step.b + i, lane, warp);
          }
          for (unsigned i = 0; i < 8; ++i) {
            auto [rc, cc] = getReference(acc, Major::Row, lane, i);
            matrixC[rc][cc] = at(c, 8 * step.c + i, lane, warp);
          }
        }
        for (unsigned row = 0; row < 8; ++row)
          for (unsigned column = 0; column < 8; ++column)
            for (unsigned depth = 0; depth < 4; ++depth) {
              Coordinate left = matrixA[row][depth],
                         right = matrixB[depth][column],
                         sum = matrixC[row][column];
              wrong += left[1] != right[0] || left[0] != sum[0] ||
                       right[1] != sum[1];
              ++formed[(left[0] * n + right[1]) * k + left[1]];
            }
      }
  EXPECT_EQ(wrong, 0u);
  EXPECT_TRUE(llvm::all_of(formed, [](unsigned count) { return count == 1; }));
}

TEST(Mma884, InstructionsFormTheWholeProduct) {
  for (MacroMma macro : kMacros)
    for (Major majorA : kMajors)
      for (Major majorB : kMajors)
        for (Operand acc : {Operand::AccF32, Operand::AccF16}) {
          Mma884 one{macro, 1, 1};
          int64_t size = one.getMacroSize();
          expectWholeProduct(one, majorA, majorB, acc, size, size, 8);
          expectWholeProduct(one, majorA, majorB, acc, 2 * size, size, 16);
          expectWholeProduct({macro, 2, 4}, majorA, majorB, acc, 4 * size,
                             4 * size, 8);
        }
  // The paper's block: four warps of 64 x 64, and K in strips of 8.
  expectWholeProduct({MacroMma::M16N16K8, 2, 2}, Major::Row, Major::Column,
                     Operand::AccF32, 128, 128, 32);
}

/// Of a batch, grid after grid of warps has an element each.
TEST(Mma884, BatchesHaveWarpsOfTheirOwn) {
  Mma884 mma{MacroMma::M16N16K8, 2, 1};
  for (Operand operand : {Operand::A, Operand::B, Operand::AccF32}) {
    bool isB = operand == Operand::B;
    SmallVector<int64_t> shape = {isB ? 8 : 32,
                                  isB || operand == Operand::AccF32 ? 16 : 8};
    LinearLayout one = getMma884(mma, operand, Major::Row, shape);
    LinearLayout four =
        getMma884(mma, operand, Major::Row, {4, shape[0], shape[1]});
    ASSERT_EQ(four.getSize(InDim::Warp), 8u);
    forEachPlace(four, [&](Thread p) {
      Coordinate at = four.getCoordinate(elementAt(four, p));
      Coordinate inner =
          one.getCoordinate(elementAt(one, {p.reg, p.lane, p.warp % 2}));
      EXPECT_EQ(at, (Coordinate{int32_t(p.warp / 2), inner[0], inner[1]}));
    });
  }
}

/// Successive instructions add to different accumulators, and K is outermost.
TEST(Mma884, InstructionsGoAlongKLast) {
  auto steps = listMma884(32, 64, 16);
  ASSERT_EQ(steps.size(), 32u);
  for (size_t i = 0; i < steps.size(); ++i)
    EXPECT_EQ(steps[i].c, i % 8);
}
