//===- MmaAtomTest.cpp - Tests of atoms -----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments are checked against the formulas of the PTX ISA, operands by
// running all instructions of an atom on the registers of all lanes: each
// product of the matrices has to come up once.
//
//===----------------------------------------------------------------------===//

#include "LayoutTesting.h"

#include "tileir/Layout/Fragments/MmaAtom.h"
#include "tileir/Layout/Fragments/Warpgroup.h"

#include "gtest/gtest.h"

#include <map>

using namespace tileir::layout;
using namespace llvm;

//===----------------------------------------------------------------------===//
// The PTX ISA
//===----------------------------------------------------------------------===//

/// Row and column of element i of a lane's fragment, as the PTX ISA has it for
/// the product of a quad pair.
static Coordinate getQuadPair(Operand operand, unsigned lane, unsigned i) {
  int t = lane % 4, hi = lane >= 16 ? 4 : 0, e = i;
  bool isRow = operand.major == Major::Row;
  switch (operand.matrix) {
  case Matrix::A:
    return isRow ? Coordinate{t + hi, e} : Coordinate{e + hi, t};
  case Matrix::B:
    return isRow ? Coordinate{t, e + hi} : Coordinate{e, t + hi};
  case Matrix::Acc:
    if (operand.type == Scalar::F16)
      return {t + hi, e};
    return {int(lane & 1) + (e & 2) + hi, (e & 4) + int(lane & 2) + (e & 1)};
  }
  return {};
}

/// The same of the instructions of a whole warp, whose operands are words of
/// `inWord` elements.
static Coordinate getSync(Operand operand, unsigned lane, unsigned i,
                          int inWord) {
  int group = lane / 4, t = lane % 4, e = i;
  int word = e / inWord, first = inWord * t + e % inWord;
  switch (operand.matrix) {
  case Matrix::A: // words 1 and 3 are 8 rows below, words 2 and 3 right of them
    return {group + 8 * (word % 2), first + 4 * inWord * (word / 2)};
  case Matrix::B:
    return {first + 4 * inWord * word, group};
  case Matrix::Acc:
    return {group + 8 * (e / 2), 2 * t + e % 2};
  }
  return {};
}
template <int inWord>
static Coordinate getSync(Operand operand, unsigned lane, unsigned i) {
  return getSync(operand, lane, i, inWord);
}

/// What an instruction is: products of `m` x `n` x `k`, each of the lanes for
/// which `product` has one number.
struct Instruction {
  int m, n, k;
  unsigned (*getProduct)(unsigned lane);
  Coordinate (*getPosition)(Operand operand, unsigned lane, unsigned i);
};

static const Instruction &getInstruction(const MmaAtom &atom) {
  auto ofQuads = [](unsigned lane) { return lane >> 2 & 3; };
  auto ofWarp = [](unsigned) { return 0u; };
  static const std::map<StringRef, Instruction> instructions = {
      {"volta_16x16x8", {8, 8, 4, ofQuads, getQuadPair}},
      {"volta_32x32x8", {8, 8, 4, ofQuads, getQuadPair}},
      {"m16n8k8_f16", {16, 8, 8, ofWarp, getSync<2>}},
      {"m8n8k16_i8", {8, 8, 16, ofWarp, getSync<4>}},
      {"m16n8k16_f16", {16, 8, 16, ofWarp, getSync<2>}},
      {"m16n8k16_bf16", {16, 8, 16, ofWarp, getSync<2>}},
      {"m16n8k8_tf32", {16, 8, 8, ofWarp, getSync<1>}},
      {"m16n8k32_i8", {16, 8, 32, ofWarp, getSync<4>}},
      {"m8n8k4_f64", {8, 8, 4, ofWarp, getSync<1>}},
      {"m16n8k32_f8", {16, 8, 32, ofWarp, getSync<4>}},
      {"wgmma_k16_f16", {16, 8, 16, ofWarp, getSync<2>}},
      {"wgmma_k16_bf16", {16, 8, 16, ofWarp, getSync<2>}},
      {"wgmma_k8_tf32", {16, 8, 8, ofWarp, getSync<1>}},
      {"wgmma_k32_f8", {16, 8, 32, ofWarp, getSync<4>}},
      {"wgmma_k32_i8", {16, 8, 32, ofWarp, getSync<4>}}};
  return instructions.at(atom.name);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

TEST(MmaAtom, IsFoundByName) {
  for (const MmaAtom &atom : getAtoms())
    EXPECT_EQ(findAtom(atom.name), &atom);
  EXPECT_EQ(findAtom("m8n8k4"), nullptr);
  std::string names; // test/lit.cfg.py has them in full
  for (const MmaAtom &atom : getAtoms())
    names += (names.empty() ? "" : " or ") + atom.name.str();
  EXPECT_EQ(getAtomNames(), names);
}

TEST(MmaAtom, SaysWhatItTakes) {
  const MmaAtom &volta = *findAtom("volta_16x16x8");
  EXPECT_EQ(describeTypes(volta),
            "f16 operands and an accumulator of f16 or f32");
  Operand column = {Matrix::A, Scalar::F16, Major::Column};
  EXPECT_TRUE(chooseOrder(volta, column) == column);
  EXPECT_EQ(getFragment(volta, {Matrix::A, Scalar::F32}), nullptr);
  // Only row-major A and column-major B.
  const MmaAtom &ampere = *findAtom("m16n8k16_f16");
  EXPECT_EQ(describeTypes(*findAtom("m16n8k8_tf32")),
            "f32 (precision tf32) operands and an accumulator of f32");
  EXPECT_EQ(describeTypes(*findAtom("m16n8k32_f8")),
            "f8E4M3FN or f8E5M2 operands and an accumulator of f32");
  EXPECT_EQ(getFragment(ampere, column), nullptr);
  EXPECT_TRUE(chooseOrder(ampere, column) ==
              (Operand{Matrix::A, Scalar::F16, Major::Row}));
  EXPECT_TRUE(chooseOrder(ampere, {Matrix::B, Scalar::F16, Major::Row}) ==
              (Operand{Matrix::B, Scalar::F16, Major::Column}));
}

/// Of those of warpgroups, memory has 16-bit elements in both orders.
TEST(MmaAtom, SaysWhatItTakesFromSharedMemory) {
  const MmaAtom &half = *findAtom("wgmma_k16_f16"),
                &byte = *findAtom("wgmma_k32_i8");
  for (Major major : {Major::Row, Major::Column}) {
    EXPECT_TRUE(isSharedOperand(half, {Matrix::A, Scalar::F16, major}));
    EXPECT_TRUE(isSharedOperand(half, {Matrix::B, Scalar::F16, major}));
    EXPECT_FALSE(isSharedOperand(half, {Matrix::A, Scalar::BF16, major}));
    EXPECT_FALSE(isSharedOperand(half, {Matrix::Acc, Scalar::F16, major}));
    EXPECT_FALSE(isSharedOperand(*findAtom("m16n8k16_f16"),
                                 {Matrix::A, Scalar::F16, major}));
  }
  EXPECT_TRUE(isSharedOperand(byte, {Matrix::A, Scalar::I8, Major::Row}));
  EXPECT_FALSE(isSharedOperand(byte, {Matrix::A, Scalar::I8, Major::Column}));
  EXPECT_TRUE(isSharedOperand(byte, {Matrix::B, Scalar::I8, Major::Column}));
  EXPECT_FALSE(isSharedOperand(byte, {Matrix::B, Scalar::I8, Major::Row}));
}

TEST(MmaAtom, KnowsWhoseSumsArePromoted) {
  for (const MmaAtom &atom : getAtoms())
    EXPECT_EQ(hasNarrowSums(atom), atom.name == "wgmma_k32_f8");
  EXPECT_EQ(checkPromotion({64, 128, 128}), "");
  EXPECT_EQ(checkPromotion({128, 128, 64}), "");
  EXPECT_EQ(checkPromotion({256, 64, 32}), "");
  EXPECT_EQ(checkPromotion({256, 128, 32}),
            "a product of 256 x 128 takes 128 registers of each thread for two "
            "sums, of 112");
  EXPECT_EQ(checkPromotion({64, 64, 256}),
            "a block has a K of 256: expected at most 128");
}

TEST(MmaAtom, KnowsTheWorkOfAnInstruction) {
  for (const MmaAtom &entry : getAtoms()) {
    const MmaAtom *atom = &entry;
    const Instruction &instruction = getInstruction(*atom);
    unsigned products = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      products = std::max(products, instruction.getProduct(lane) + 1);
    EXPECT_EQ(atom->getInstructionWork(),
              products * instruction.m * instruction.n * instruction.k);
  }
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// What the paper's figure 2 shows of the 16x16x8 macro-MMA, for row-major A
/// and column-major B.
TEST(MmaAtom, HasTheOwnersOfThePaper) {
  MmaGrid grid{findAtom("volta_16x16x8")};
  auto getOwners = [](const LinearLayout &layout, Coordinate at) {
    std::set<uint64_t> lanes;
    forEachPlace(layout, [&](Thread p) {
      if (layout.getCoordinate(elementAt(layout, p)) == at)
        lanes.insert(p.lane);
    });
    return lanes;
  };
  LinearLayout a =
      getOperand(grid, {Matrix::A, Scalar::F16, Major::Row}, {16, 8});
  LinearLayout b =
      getOperand(grid, {Matrix::B, Scalar::F16, Major::Column}, {8, 16});
  LinearLayout c = getOperand(grid, {Matrix::Acc, Scalar::F32}, {16, 16});
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

TEST(MmaAtom, RefusesTilesThatDoNotFit) {
  MmaGrid grid{findAtom("volta_32x32x8"), 2, 1};
  Operand a{Matrix::A}, b{Matrix::B}, acc{Matrix::Acc, Scalar::F32};
  EXPECT_EQ(checkOperand(grid, a, {64, 8}), "");
  EXPECT_EQ(checkOperand(grid, b, {8, 32}), "");
  EXPECT_EQ(checkOperand(grid, a, {32, 8}),
            "expects powers of two of at least 64 x 8, found 32 x 8");
  EXPECT_EQ(checkOperand(grid, b, {8, 48}),
            "expects powers of two of at least 8 x 32, found 8 x 48");
  EXPECT_EQ(checkOperand(grid, acc, {64, 16}),
            "expects powers of two of at least 64 x 32, found 64 x 16");
  EXPECT_EQ(checkOperand(grid, a, {2, 64, 8}), "");
  std::string refused = "expects two axes, or three with a power of two of "
                        "batches, found ";
  EXPECT_EQ(checkOperand(grid, a, {64}), refused + "1");
  EXPECT_EQ(checkOperand(grid, a, {3, 64, 8}), refused + "3");
  EXPECT_EQ(checkOperand({findAtom("m16n8k16_f16")}, b, {16, 8}),
            "m16n8k16_f16 takes no such operand");
}

/// A matrix of an instruction, as registers hold it: elements of the tile.
using Elements = std::map<std::pair<int, int>, Coordinate>;

/// What the lanes of one product of an instruction hold of an operand.
static Elements collect(const Instruction &instruction, unsigned product,
                        const LinearLayout &layout, Operand operand,
                        unsigned first, unsigned count, unsigned warp) {
  Elements elements;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < count; ++i)
      if (instruction.getProduct(lane) == product) {
        Coordinate at = instruction.getPosition(operand, lane, i);
        elements[{at[0], at[1]}] = layout.getCoordinate(
            elementAt(layout, {first * count + i, lane, warp}));
      }
  return elements;
}

/// Runs all instructions of all warps and notes which products they form:
/// each (row, column, k) has to come up once, in the element's own place.
static void expectWholeProduct(const MmaGrid &grid,
                               const std::array<Operand, 3> &operands,
                               int64_t m, int64_t n, int64_t k) {
  const Instruction &instruction = getInstruction(*grid.atom);
  LinearLayout layouts[] = {getOperand(grid, operands[0], {m, k}),
                            getOperand(grid, operands[1], {k, n}),
                            getOperand(grid, operands[2], {m, n})};
  unsigned warps = grid.warpsM * grid.warpsN;
  unsigned counts[3];
  for (unsigned i = 0; i < 3; ++i) {
    ASSERT_EQ(layouts[i].getSize(InDim::Warp), warps);
    ASSERT_EQ(layouts[i].getSize(InDim::Lane), 32u);
    counts[i] = getFragment(*grid.atom, operands[i])->getSize(InDim::Register);
  }
  auto steps = listSteps(grid, m, n, k);
  ASSERT_EQ(int64_t(steps.size()),
            m * n * k / (warps * grid.atom->getInstructionWork()));
  unsigned products = grid.atom->getInstructionWork() /
                      (instruction.m * instruction.n * instruction.k);
  std::vector<unsigned> formed(m * n * k, 0);
  unsigned wrong = 0;
  for (unsigned warp = 0; warp < warps; ++warp)
    for (const MmaStep &step : steps)
      for (unsigned product = 0; product < products; ++product) {
        auto get = [&](unsigned i, unsigned first) {
          return collect(instruction, product, layouts[i], operands[i], first,
                         counts[i], warp);
        };
        Elements a = get(0, step.a), b = get(1, step.b), c = get(2, step.c);
        for (int row = 0; row < instruction.m; ++row)
          for (int column = 0; column < instruction.n; ++column)
            for (int depth = 0; depth < instruction.k; ++depth) {
              Coordinate left = a.at({row, depth}),
                         right = b.at({depth, column}),
                         sum = c.at({row, column});
              wrong += left[1] != right[0] || left[0] != sum[0] ||
                       right[1] != sum[1];
              ++formed[(left[0] * n + right[1]) * k + left[1]];
            }
      }
  EXPECT_EQ(wrong, 0u);
  EXPECT_TRUE(llvm::all_of(formed, [](unsigned count) { return count == 1; }));
}

TEST(MmaAtom, InstructionsFormTheWholeProduct) {
  for (const MmaAtom &entry : getAtoms()) {
    const MmaAtom *atom = &entry;
    auto list = [&](Matrix matrix) {
      SmallVector<Operand> operands;
      for (const MmaAtom::Fragment &fragment : atom->fragments)
        if (fragment.operand.matrix == matrix)
          operands.push_back(fragment.operand);
      return operands;
    };
    auto [m, n, k] = std::make_tuple(atom->m, atom->n, atom->k);
    for (Operand a : list(Matrix::A))
      for (Operand b : list(Matrix::B))
        for (Operand acc : list(Matrix::Acc)) {
          SCOPED_TRACE(atom->name.str());
          expectWholeProduct({atom}, {a, b, acc}, m, n, k);
          expectWholeProduct({atom}, {a, b, acc}, 2 * m, n, 2 * k);
          expectWholeProduct({atom}, {a, b, acc}, m, 4 * n, k);
          expectWholeProduct({atom, 2, 4}, {a, b, acc}, 4 * m, 4 * n, k);
        }
  }
  // The paper's block: four warps of 64 x 64, and K in strips of 8.
  expectWholeProduct({findAtom("volta_16x16x8"), 2, 2},
                     {Operand{Matrix::A, Scalar::F16, Major::Row},
                      {Matrix::B, Scalar::F16, Major::Column},
                      {Matrix::Acc, Scalar::F32}},
                     128, 128, 32);
}

/// Of a batch, grid after grid of warps has an element each.
TEST(MmaAtom, BatchesHaveWarpsOfTheirOwn) {
  for (const MmaAtom &entry : getAtoms())
    for (const MmaAtom::Fragment &fragment : entry.fragments) {
      MmaGrid grid{&entry, 2, 1};
      SmallVector<int64_t> shape(fragment.layout.getShape());
      if (fragment.operand.matrix != Matrix::B)
        shape[0] *= 2;
      LinearLayout one = getOperand(grid, fragment.operand, shape);
      LinearLayout four =
          getOperand(grid, fragment.operand, {4, shape[0], shape[1]});
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
TEST(MmaAtom, InstructionsGoAlongKLast) {
  for (const MmaAtom &entry : getAtoms()) {
    const MmaAtom *atom = &entry;
    auto steps = listSteps({atom}, 2 * atom->m, 4 * atom->n, 2 * atom->k);
    size_t sums = 8 << (atom->stepsM.size() + atom->stepsN.size());
    ASSERT_EQ(steps.size(), sums * 2 << atom->stepsK.size());
    for (size_t i = 0; i < steps.size(); ++i)
      EXPECT_EQ(steps[i].c, i % sums);
  }
}
