//===- SwizzleTest.cpp - Tests of shared memory ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts by ranks are checked against counts of addresses, and chosen orders by
// the latter.
//
//===----------------------------------------------------------------------===//

#include "LayoutTesting.h"

#include "tileir/Layout/Fragments/Blocked.h"
#include "tileir/Layout/Fragments/MmaAtom.h"

#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

using namespace tileir::layout;
using namespace llvm;

/// Goes through all accesses of all warps: each lane's vectors are whole, in
/// order and aligned, all registers are moved once, and each access takes
/// `access.wavefronts`.
static void expectAccess(const LinearLayout &registers,
                         const LinearLayout &shared, unsigned elementBits,
                         const SharedAccess &access) {
  std::map<uint64_t, uint64_t> offsets = findOffsets(shared);
  ASSERT_EQ(offsets.size(), countElements(shared));
  auto offsetAt = [&](uint64_t reg, uint64_t lane, uint64_t warp) {
    return offsets[elementAt(registers, {reg, lane, warp})];
  };
  uint64_t vectorMask = 0;
  for (unsigned bit : access.vectorBits)
    vectorMask |= uint64_t(1) << bit;
  unsigned wrong = 0, accesses = 0;
  for (uint64_t warp = 0; warp < registers.getSize(InDim::Warp); ++warp)
    for (uint64_t first = 0; first < registers.getSize(InDim::Register);
         ++first) {
      if (first & vectorMask)
        continue;
      accesses += warp == 0;
      SmallVector<uint64_t> addresses;
      for (uint64_t lane = 0; lane < registers.getSize(InDim::Lane); ++lane) {
        uint64_t start = offsetAt(first, lane, warp);
        wrong += start % access.vector != 0;
        for (uint64_t i = 0; i < access.vector; ++i) {
          uint64_t reg = first;
          for (unsigned j = 0; j < access.vectorBits.size(); ++j)
            if (i >> j & 1)
              reg |= uint64_t(1) << access.vectorBits[j];
          wrong += offsetAt(reg, lane, warp) != start + i;
        }
        addresses.push_back(start * elementBits / 8);
      }
      wrong += countWavefronts(addresses, access.vector * elementBits / 8) !=
               access.wavefronts;
    }
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(accesses, access.accesses);
}

static void expectSwizzle(const LinearLayout &writer,
                          const LinearLayout &reader, unsigned elementBits,
                          const Swizzle &swizzle) {
  expectAccess(writer, swizzle.shared, elementBits, swizzle.write);
  expectAccess(reader, swizzle.shared, elementBits, swizzle.read);
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

TEST(SharedMemory, CountsConflicts) {
  // 32 lanes, a row of 64 f32 each: all in one bank.
  LinearLayout rows = getBlocked({32, 64}, {{1, 64}, {32, 1}, {1, 1}, {1, 0}});
  LinearLayout plain = LinearLayout::identity({32, 64}, InDim::Offset);
  auto scalar = getSharedAccess(rows, plain, 32, 1);
  ASSERT_TRUE(scalar);
  EXPECT_EQ(scalar->wavefronts, 32u);
  EXPECT_EQ(scalar->getConflicts(), 31u);
  EXPECT_EQ(scalar->accesses, 64u);
  auto vector = getSharedAccess(rows, plain, 32, 4);
  ASSERT_TRUE(vector);
  EXPECT_EQ(vector->wavefronts, 32u); // 8 lanes on the same 4 banks, 4 times
  EXPECT_EQ(vector->idealWavefronts, 4u);
  expectAccess(rows, plain, 32, *scalar);
  expectAccess(rows, plain, 32, *vector);
  // Column by column, registers are no vectors.
  LinearLayout columns =
      LinearLayout::identity({32, 64}, InDim::Offset, {0, 1});
  EXPECT_FALSE(getSharedAccess(rows, columns, 32, 2));
  EXPECT_EQ(getSharedAccess(rows, columns, 32, 1)->getConflicts(), 0u);
  EXPECT_EQ(getWidestAccess(rows, plain, 32).vector, 4u);
  EXPECT_EQ(getWidestAccess(rows, columns, 32).vector, 1u);
  // Lanes that read the same word do so at once.
  LinearLayout same = getBlocked({1, 64}, {{1, 64}, {32, 1}, {1, 1}, {1, 0}});
  LinearLayout row = LinearLayout::identity({1, 64}, InDim::Offset);
  EXPECT_EQ(getSharedAccess(same, row, 32, 1)->getConflicts(), 0u);
}

TEST(SharedMemory, CountsAsAddressesDo) {
  std::mt19937 random(6);
  unsigned withConflicts = 0;
  for (unsigned elementBits : {8, 16, 32, 64})
    for (unsigned trial = 0; trial < 40; ++trial) {
      LinearLayout registers =
          trial % 2 ? makeRandom(random, {32, 32}, 4, 5, 1)
                    : makeRandomPermutation(random, {32, 32}, 4, 5, 2);
      LinearLayout shared({32, 32});
      shared.setBases(InDim::Offset,
                      makeRandomPermutation(random, {32, 32}, 10, 0, 0)
                          .getBases(InDim::Register));
      for (unsigned vector = 1; vector * elementBits <= 128; vector *= 2)
        if (auto access =
                getSharedAccess(registers, shared, elementBits, vector)) {
          expectAccess(registers, shared, elementBits, *access);
          withConflicts += access->getConflicts() > 0;
        }
    }
  EXPECT_GT(withConflicts, 100u);
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

/// 128 bits a thread, along the order of memory.
static LinearLayout getCoalesced(int64_t rows, int64_t columns, Major major,
                                 unsigned elementBits, int64_t warps) {
  int64_t vector = 128 / elementBits;
  bool isRow = major == Major::Row;
  int64_t length = isRow ? columns : rows;
  int64_t lanes = std::min<int64_t>(32, std::max<int64_t>(length / vector, 1));
  Blocked blocked{{1, vector}, {32 / lanes, lanes}, {warps, 1}, {1, 0}};
  if (!isRow) {
    std::swap(blocked.sizePerThread[0], blocked.sizePerThread[1]);
    std::swap(blocked.threadsPerWarp[0], blocked.threadsPerWarp[1]);
    std::swap(blocked.warpsPerBlock[0], blocked.warpsPerBlock[1]);
    std::swap(blocked.order[0], blocked.order[1]);
  }
  return getBlocked({rows, columns}, blocked);
}

/// The example worked by hand: rows of four chunks of 16 bytes, of which
/// chunk c of a row is at c ^ (bit 1 of the row + 2 * bit 3 of the row).
TEST(Swizzle, FindsTheOneFoundByHand) {
  LinearLayout writer = getCoalesced(128, 32, Major::Row, 16, 4);
  LinearLayout reader =
      getOperand({&getAtoms().front(), 2, 2}, {Matrix::A}, {128, 32});
  Swizzle swizzle = chooseSwizzle(writer, reader, 16);
  EXPECT_EQ(swizzle.write.vector, 8u);
  EXPECT_EQ(swizzle.read.vector, 8u);
  EXPECT_EQ(swizzle.getNumXors(), 2u);
  for (auto [element, offset] : findOffsets(swizzle.shared)) {
    uint64_t row = element / 32, chunk = element / 8 % 4;
    uint64_t f = (row >> 1 & 1) + 2 * (row >> 3 & 1);
    EXPECT_EQ(offset, row * 32 + (chunk ^ f) * 8 + element % 8);
  }
}

TEST(Swizzle, LeavesAloneWhatHasNoConflicts) {
  LinearLayout writer = getCoalesced(64, 64, Major::Row, 32, 4);
  Swizzle swizzle = chooseSwizzle(writer, writer, 32);
  EXPECT_TRUE(swizzle.shared ==
              LinearLayout::identity({64, 64}, InDim::Offset));
  EXPECT_EQ(swizzle.write.vector, 4u);
}

/// Every operand of every atom, from coalesced global memory: no conflicts.
/// Lanes read 128 bits wherever they hold a run of eight along the memory's
/// order: along K, or where the atom has steps along the other axis.
TEST(Swizzle, ServesAllOperands) {
  for (const MmaAtom &atom : getAtoms())
    for (Matrix matrix : {Matrix::A, Matrix::B})
      for (Major major : {Major::Row, Major::Column})
        for (auto [rows, columns, warpsM, warpsN] :
             {std::tuple<int64_t, int64_t, int64_t, int64_t>{128, 32, 2, 2},
              {32, 128, 2, 2},
              {64, 32, 2, 1},
              {64, 64, 2, 2},
              {64, 64, 1, 1},
              {128, 64, 4, 1},
              {128, 128, 2, 2},
              {32, 32, 1, 1},
              {16, 16, 1, 1}}) {
          MmaGrid grid{&atom, warpsM, warpsN};
          Operand operand{matrix, Scalar::F16, major};
          if (!getFragment(atom, operand) ||
              !checkOperand(grid, operand, {rows, columns}).empty())
            continue;
          SCOPED_TRACE(std::string(formatv(
              "{0} {1} {2} {3}x{4}", atom.name, matrix == Matrix::A ? "A" : "B",
              major == Major::Row ? "row" : "column", rows, columns)));
          LinearLayout writer =
              getCoalesced(rows, columns, major, 16, warpsM * warpsN);
          LinearLayout reader = getOperand(grid, operand, {rows, columns});
          Swizzle swizzle = chooseSwizzle(writer, reader, 16);
          expectSwizzle(writer, reader, 16, swizzle);
          EXPECT_EQ(swizzle.write.getConflicts(), 0u);
          EXPECT_EQ(swizzle.read.getConflicts(), 0u);
          // Lanes hold words only: those are what ldmatrix is for.
          if (atom.stepsK.empty())
            continue;
          bool runsAlongK = (matrix == Matrix::A) == (major == Major::Row);
          if (runsAlongK || !atom.stepsM.empty()) {
            EXPECT_EQ(swizzle.write.vector, 8u);
            EXPECT_EQ(swizzle.read.vector, 8u);
          } else {
            EXPECT_GE(swizzle.write.vector, 4u);
            EXPECT_GE(swizzle.read.vector, 4u);
          }
        }
}

/// Accumulators on their way to coalesced stores.
TEST(Swizzle, ServesAccumulators) {
  for (const MmaAtom &atom : getAtoms())
    for (auto [type, elementBits] :
         {std::pair(Scalar::F32, 32u), {Scalar::F32, 16u}, {Scalar::F16, 16u}})
      for (int64_t size : {32, 64, 128}) {
        int64_t warps = size == 32 ? 1 : 2;
        MmaGrid grid{&atom, warps, warps};
        if (!getFragment(atom, {Matrix::Acc, type}))
          continue;
        SCOPED_TRACE(std::string(formatv("{0} f{1} of {2} {3}", atom.name,
                                         elementBits, getName(type), size)));
        LinearLayout writer =
            getOperand(grid, {Matrix::Acc, type}, {size, size});
        LinearLayout reader =
            getCoalesced(size, size, Major::Row, elementBits, warps * warps);
        Swizzle swizzle = chooseSwizzle(writer, reader, elementBits);
        expectSwizzle(writer, reader, elementBits, swizzle);
        EXPECT_EQ(swizzle.write.getConflicts(), 0u);
        EXPECT_EQ(swizzle.read.getConflicts(), 0u);
        // Lanes pack four of f16, as in the paper, or more.
        EXPECT_GE(std::min(swizzle.write.vector, swizzle.read.vector) *
                      elementBits,
                  64u);
        EXPECT_EQ(std::max(swizzle.write.vector, swizzle.read.vector) *
                      elementBits,
                  128u);
      }
}

/// With equal vectors there is always an order without conflicts, whatever the
/// layouts; the choice costs no more than that.
TEST(Swizzle, NeverHasConflictsForEqualVectors) {
  std::mt19937 random(7);
  for (unsigned elementBits : {8, 16, 32, 64})
    for (unsigned trial = 0; trial < 30; ++trial) {
      auto make = [&] {
        return trial % 2 ? makeRandom(random, {64, 32}, 6, 5, 1)
                         : makeRandomPermutation(random, {64, 32}, 5, 5, 2);
      };
      LinearLayout writer = make(), reader = make();
      Swizzle single = chooseSwizzle(writer, reader, elementBits, elementBits);
      expectSwizzle(writer, reader, elementBits, single);
      EXPECT_EQ(single.write.getConflicts(), 0u);
      EXPECT_EQ(single.read.getConflicts(), 0u);
      Swizzle wide = chooseSwizzle(writer, reader, elementBits);
      expectSwizzle(writer, reader, elementBits, wide);
      EXPECT_LE(
          wide.write.getTotalWavefronts() + wide.read.getTotalWavefronts(),
          single.write.getTotalWavefronts() + single.read.getTotalWavefronts());
    }
}
