//===- ConversionTest.cpp - Tests of conversions between layouts ----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes plans on registers that hold the numbers of their elements.
//
//===----------------------------------------------------------------------===//

#include "LayoutTesting.h"

#include "tileir/Layout/Fragments/Blocked.h"
#include "tileir/Layout/Fragments/MmaAtom.h"
#include "tileir/Layout/Shared/Conversion.h"

#include "gtest/gtest.h"

using namespace tileir::layout;
using namespace llvm;

namespace {
/// Of all registers: by warp, lane, register.
using Registers = std::vector<std::vector<std::vector<uint64_t>>>;
} // namespace

static constexpr uint64_t kUndefined = ~uint64_t(0);

static Registers makeRegisters(const LinearLayout &layout) {
  return Registers(
      layout.getSize(InDim::Warp),
      std::vector<std::vector<uint64_t>>(
          layout.getSize(InDim::Lane),
          std::vector<uint64_t>(layout.getSize(InDim::Register), kUndefined)));
}

static void executeRounds(const LinearLayout &rounds, const Registers &from,
                          Registers &to) {
  for (uint64_t warp = 0; warp < from.size(); ++warp)
    for (uint64_t round = 0; round < rounds.getSize(InDim::Register); ++round) {
      auto step = [&](uint64_t lane) {
        return rounds.apply({{InDim::Register, round},
                             {InDim::Lane, lane},
                             {InDim::Warp, warp}});
      };
      std::vector<uint64_t> offered;
      for (uint64_t lane = 0; lane < from[warp].size(); ++lane)
        offered.push_back(from[warp][lane][step(lane)[0]]);
      for (uint64_t lane = 0; lane < from[warp].size(); ++lane)
        to[warp][lane][step(lane)[2]] = offered[step(lane)[1]];
    }
}

static void executeSwizzle(const Swizzle &swizzle, const LinearLayout &src,
                           const LinearLayout &dst, const Registers &from,
                           Registers &to) {
  std::map<uint64_t, uint64_t> offsets = findOffsets(swizzle.shared);
  std::vector<uint64_t> memory(offsets.size(), kUndefined);
  forEachPlace(src, [&](Thread p) {
    memory[offsets[elementAt(src, p)]] = from[p.warp][p.lane][p.reg];
  });
  forEachPlace(dst, [&](Thread p) {
    to[p.warp][p.lane][p.reg] = memory[offsets[elementAt(dst, p)]];
  });
}

/// Plans and executes a conversion.
static ConversionPlan::Kind convert(const LinearLayout &src,
                                    const LinearLayout &dst) {
  auto plan = planConversion(src, dst, 32, /*matrices=*/{});
  if (!plan) {
    ADD_FAILURE() << "no plan";
    return ConversionPlan::Kind::None;
  }
  Registers from = makeRegisters(src), to = makeRegisters(dst);
  forEachPlace(
      src, [&](Thread p) { from[p.warp][p.lane][p.reg] = elementAt(src, p); });
  switch (plan->kind) {
  case ConversionPlan::Kind::None:
    to = from;
    break;
  case ConversionPlan::Kind::Registers:
    forEachPlace(dst, [&](Thread p) {
      uint64_t source =
          plan->registers.getElementAt({{InDim::Register, p.reg}});
      to[p.warp][p.lane][p.reg] = from[p.warp][p.lane][source];
    });
    break;
  case ConversionPlan::Kind::Shuffles:
    executeRounds(plan->rounds, from, to);
    break;
  case ConversionPlan::Kind::SharedMemory:
    executeSwizzle(*plan->swizzle, src, dst, from, to);
    break;
  }
  unsigned wrong = 0;
  forEachPlace(dst, [&](Thread p) {
    wrong += to[p.warp][p.lane][p.reg] != elementAt(dst, p);
  });
  EXPECT_EQ(wrong, 0u) << toString(src) << "\n" << toString(dst);
  return plan->kind;
}

using Kind = ConversionPlan::Kind;

TEST(Conversion, TakesTheCheapestWay) {
  LinearLayout rows = getBlocked({32, 32}, {{1, 4}, {4, 8}, {2, 2}, {1, 0}});
  EXPECT_EQ(convert(rows, rows), Kind::None);
  // Other registers of the same lane.
  EXPECT_EQ(convert(rows, rows.selectBits(InDim::Register, {1, 2, 0, 3})),
            Kind::Registers);
  // Other lanes of the same warp.
  EXPECT_EQ(convert(rows, rows.selectBits(InDim::Lane, {1, 0, 2, 4, 3})),
            Kind::Shuffles);
  // Other warps.
  EXPECT_EQ(convert(rows, rows.selectBits(InDim::Warp, {1, 0})),
            Kind::SharedMemory);
}

TEST(Conversion, ReadsTheNearestCopy) {
  // All lanes and warps of a row hold its sum; each wants it in fewer places.
  LinearLayout full = getBlocked({32, 32}, {{1, 4}, {4, 8}, {2, 2}, {1, 0}});
  LinearLayout sums = full.removeAxis(1);
  EXPECT_EQ(convert(sums, sums), Kind::None);
  // Registers that hold copies are a matter of registers.
  LinearLayout twice = sums;
  twice.addBasis(InDim::Register, 0);
  EXPECT_EQ(convert(sums, twice), Kind::Registers);
  EXPECT_EQ(convert(twice, sums), Kind::Registers);
  // Lanes that had copies want different parts, which they have.
  LinearLayout spread({4});
  spread.setBases(InDim::Register, {1, 2});
  spread.setBases(InDim::Lane, {0, 0});
  LinearLayout dense({4});
  dense.setBases(InDim::Lane, {1, 2});
  EXPECT_EQ(convert(spread, dense), Kind::Shuffles);
  EXPECT_EQ(convert(dense, spread), Kind::Shuffles);
}

TEST(Conversion, RefusesOtherBlocks) {
  LinearLayout src({4}), dst({4});
  src.setBases(InDim::Register, {1});
  src.setBases(InDim::Block, {2});
  dst.setBases(InDim::Register, {2});
  dst.setBases(InDim::Block, {1});
  EXPECT_TRUE(planConversion(src, src, 32, /*matrices=*/{}));
  EXPECT_FALSE(planConversion(src, dst, 32, /*matrices=*/{}));
}

TEST(Conversion, ConvertsAccumulatorsToOperands) {
  // As in a chain of two products.
  MmaGrid grid{&getAtoms().front(), 2, 1};
  LinearLayout acc = getOperand(grid, {Matrix::Acc, Scalar::F32}, {64, 32});
  LinearLayout a = getOperand(grid, {Matrix::A}, {64, 32});
  EXPECT_EQ(convert(acc, a), Kind::Shuffles);
  LinearLayout rows = getBlocked({64, 32}, {{1, 4}, {4, 8}, {2, 1}, {1, 0}});
  EXPECT_EQ(convert(acc, rows), Kind::SharedMemory);

  // The atoms of 16 x 8 after Volta have as rows of A what they have as rows of
  // the accumulator, if a warp has whole ones.
  for (StringRef name : {"m16n8k8_f16", "m16n8k16_f16", "m16n8k16_bf16"})
    for (int64_t warpsN : {1, 2}) {
      MmaGrid sync{findAtom(name), 2, warpsN};
      Scalar type = getTypes(*sync.atom, Matrix::A).front();
      LinearLayout acc = getOperand(sync, {Matrix::Acc, Scalar::F32}, {64, 32});
      LinearLayout a = getOperand(sync, {Matrix::A, type}, {64, 32});
      EXPECT_EQ(convert(acc, a),
                warpsN == 1 ? Kind::Registers : Kind::SharedMemory)
          << name.str();
    }
}

TEST(Conversion, ConvertsAnything) {
  std::mt19937 random(8);
  std::map<Kind, unsigned> kinds;
  for (unsigned trial = 0; trial < 200; ++trial) {
    auto make = [&](unsigned registerBits, unsigned warpBits) {
      return trial % 2 ? makeRandom(random, {16, 16}, registerBits, 5, warpBits)
                       : makeRandomPermutation(random, {16, 16}, registerBits,
                                               5, warpBits);
    };
    unsigned warpBits = trial / 2 % 3;
    unsigned spare = trial / 6 % 3;
    ++kinds[convert(make(3 + spare, warpBits), make(3 + spare / 2, warpBits))];
    // Within warps: the same warps, else other bits.
    LinearLayout src = makeRandom(random, {16, 8}, 3 + spare, 4, 0);
    LinearLayout dst = makeRandom(random, {16, 8}, 3, 4, 0);
    src.addBasis(InDim::Warp, random() % 128);
    dst.addBasis(InDim::Warp, random() % 128);
    ++kinds[convert(src, dst)];
  }
  EXPECT_GT(kinds[Kind::Shuffles], 100u);
  EXPECT_GT(kinds[Kind::SharedMemory], 50u);
}

/// The shuffles of a warp, word by word: of the rounds in which a lane takes
/// from the same one, two elements of 16 bits share a shuffle.
static uint64_t countWords(const LinearLayout &rounds, unsigned elementBits) {
  std::map<int32_t, unsigned> ofLane;
  for (uint64_t round = 0; round < rounds.getSize(InDim::Register); ++round)
    ++ofLane[rounds.apply({{InDim::Register, round}})[kFromLane]];
  uint64_t words = 0;
  for (auto [lane, count] : ofLane)
    if (lane != 0 || !isButterfly(rounds))
      words += (count * elementBits + 31) / 32;
  return words;
}

TEST(Conversion, CountsWhatAPlanTakes) {
  const MmaAtom &atom = getAtoms().front();
  unsigned shuffled = 0, shared = 0;
  for (int64_t rows : {16, 32, 64})
    for (int64_t depth : {8, 16, 32})
      for (int64_t warps : {1, 2, 4}) {
        LinearLayout src = getBlocked(
            {rows, depth},
            {{1, 8}, {32 / (depth / 8), depth / 8}, {warps, 1}, {1, 0}});
        if (rows / warps < atom.m)
          continue;
        LinearLayout dst =
            getOperand({&atom, warps, 1}, {Matrix::A, Scalar::F16, Major::Row},
                       {rows, depth});
        auto plan = planConversion(src, dst, 16, /*matrices=*/{});
        ConversionCost cost = getConversionCost(*plan, src, 16);
        if (plan->kind == ConversionPlan::Kind::Shuffles) {
          ++shuffled;
          EXPECT_EQ(cost.shuffles, countWords(plan->rounds, 16));
          EXPECT_EQ(cost.write.wavefronts + cost.read.wavefronts, 0);
          continue;
        }
        ASSERT_EQ(plan->kind, ConversionPlan::Kind::SharedMemory);
        ++shared;
        EXPECT_EQ(cost.shuffles, 0);
        // Each element is written once, and read by all lanes that need it.
        double read = 2. * 32 * warps * dst.getSize(InDim::Register);
        EXPECT_EQ(cost.write.wavefronts * warps, rows * depth * 2 / 128)
            << toString(src) << " to " << toString(dst);
        EXPECT_EQ(cost.read.wavefronts * warps, read / 128)
            << toString(src) << " to " << toString(dst);
      }
  EXPECT_GT(shuffled, 0u);
  EXPECT_GT(shared, 0u);
}
