//===- SimulatorMatrixTest.cpp --------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ldmatrix and stmatrix, element by element against the formula of the PTX ISA,
// and what they find and count.
//
//===----------------------------------------------------------------------===//

#include "SimulatorTestSupport.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

using namespace tileir::sim;

namespace {

constexpr uint32_t kMatrices = 8;

class MatrixTest : public TestBlock {
public:
  MatrixTest(unsigned count, bool transposed, bool isStore,
             uint32_t threads = 32, uint32_t sharedBytes = 4096)
      : TestBlock(threads, sharedBytes), count(count) {
    Access access;
    access.space = Space::Shared;
    access.elementBytes = 2;
    access.elements = 8;
    access.transpose = transposed;
    instr = &addAccess(isStore ? Opcode::StMatrix : Opcode::LdMatrix, access);
    instr->a = kAddress;
    std::vector<uint32_t> registers(count);
    std::iota(registers.begin(), registers.end(), kMatrices);
    setList(*instr, isStore ? std::vector<uint32_t>{} : registers,
            isStore ? registers : std::vector<uint32_t>{});
    instr->imm = 16;
    start();
  }
  /// Rows at kSharedBase + 16 + 16 * (position of the row).
  void setRows(const std::vector<unsigned> &positions, uint32_t warp = 0) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      get64(kAddress, lane, warp) =
          lane < positions.size() ? kSharedBase + 16 * positions[lane] : lane;
  }
  /// Element (row, column) of matrix m.
  uint16_t &element(const std::vector<unsigned> &positions, unsigned m,
                    unsigned row, unsigned column) {
    return reinterpret_cast<uint16_t *>(
        shared(16 + 16 * positions[8 * m + row]))[column];
  }
  /// Writes all of shared memory as the kernel would, so that it is defined.
  void define() {
    for (unsigned offset = 0; offset < 4096; offset += 32)
      noteShared(warps[0], instr, 0u, offset, 32, true, false);
    synchronizeWarps(worker.block, 1);
    takeFindings();
  }

  unsigned count;
  Instr *instr;
};

std::vector<unsigned> shuffledRows(unsigned count) {
  std::vector<unsigned> positions(8 * count);
  std::iota(positions.begin(), positions.end(), 3);
  std::shuffle(positions.begin(), positions.end(), std::mt19937(count));
  return positions;
}

TEST(SimulatorMatrix, LoadAgainstFormula) {
  for (unsigned count : {1u, 2u, 4u})
    for (bool transposed : {false, true}) {
      SCOPED_TRACE(testing::Message() << "x" << count << " " << transposed);
      MatrixTest test(count, transposed, false);
      std::vector<unsigned> rows = shuffledRows(count);
      test.setRows(rows);
      test.define();
      for (unsigned m = 0; m < count; ++m)
        for (unsigned r = 0; r < 8; ++r)
          for (unsigned c = 0; c < 8; ++c)
            test.element(rows, m, r, c) = m * 64 + r * 8 + c;
      ASSERT_EQ(test.run(*test.instr), test.instr + 1);
      for (unsigned m = 0; m < count; ++m)
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          unsigned g = lane >> 2, t = lane & 3;
          unsigned low = m * 64 + (transposed ? 2 * t * 8 + g : g * 8 + 2 * t);
          unsigned high = low + (transposed ? 8 : 1);
          EXPECT_EQ(test.get32(kMatrices + m, lane), low | high << 16)
              << m << " " << lane;
        }
      EXPECT_TRUE(test.takeFindings().empty());
      EXPECT_EQ(test.worker.accesses[0].bytes, count * 128);
    }
}

TEST(SimulatorMatrix, StoreAgainstFormula) {
  for (unsigned count : {1u, 2u, 4u})
    for (bool transposed : {false, true}) {
      SCOPED_TRACE(testing::Message() << "x" << count << " " << transposed);
      MatrixTest test(count, transposed, true);
      std::vector<unsigned> rows = shuffledRows(count);
      test.setRows(rows);
      for (unsigned m = 0; m < count; ++m)
        for (unsigned lane = 0; lane < kLanes; ++lane)
          test.get32(kMatrices + m, lane) =
              (m * 64 + 2 * lane) | (m * 64 + 2 * lane + 1) << 16;
      ASSERT_EQ(test.run(*test.instr), test.instr + 1);
      for (unsigned m = 0; m < count; ++m)
        for (unsigned lane = 0; lane < kLanes; ++lane)
          for (unsigned i = 0; i < 2; ++i) {
            unsigned r = lane >> 2, c = 2 * (lane & 3) + i;
            if (transposed)
              std::swap(r, c);
            EXPECT_EQ(test.element(rows, m, r, c), m * 64 + 2 * lane + i);
          }
      EXPECT_TRUE(test.takeFindings().empty());
    }
}

/// Warps that hold one tile may all store it; a warp that stores another value
/// races with them.
TEST(SimulatorMatrix, StoresOfOneValueByTwoWarps) {
  for (bool isSame : {true, false})
    for (bool areWanted : {true, false}) {
      MatrixTest test(4, /*transposed=*/true, /*isStore=*/true, 64);
      test.worker.block.launch->sameValueStores = areWanted;
      for (unsigned w : {0u, 1u}) {
        test.setRows(shuffledRows(4), w);
        for (unsigned m = 0; m < 4; ++m)
          for (unsigned lane = 0; lane < kLanes; ++lane)
            test.get32(kMatrices + m, lane, w) = m * 64 + lane;
        if (w == 1 && !isSame)
          test.get32(kMatrices + 3, 5, w) += 1;
        ASSERT_EQ(test.run(*test.instr, w), test.instr + 1);
      }
      std::vector<Finding> findings = test.takeFindings();
      ASSERT_EQ(findings.size(), size_t(!isSame) + areWanted);
      for (const Finding &finding : findings)
        EXPECT_TRUE(finding.kind == FindingKind::SharedRace
                        ? !isSame
                        : finding.kind == FindingKind::SameValueStore);
    }
}

TEST(SimulatorMatrix, Conflicts) {
  struct Case {
    unsigned pitch; ///< between rows, in rows of 16 bytes
    uint64_t wavefronts;
  };
  for (const Case &c : {Case{1, 1}, Case{2, 2}, Case{4, 4}, Case{8, 8},
                        Case{9, 1}, Case{5, 1}, Case{6, 2}, Case{0, 1}})
    for (unsigned count : {1u, 2u, 4u}) {
      MatrixTest test(count, false, false);
      std::vector<unsigned> rows(8 * count);
      for (unsigned i = 0; i < rows.size(); ++i)
        rows[i] = i % 8 * c.pitch + i / 8 * 11;
      test.setRows(rows);
      test.run(*test.instr);
      const AccessCounters &counters = test.worker.accesses[0];
      EXPECT_EQ(counters.wavefronts, c.wavefronts * count) << c.pitch;
      EXPECT_EQ(counters.idealWavefronts, count);
      EXPECT_EQ(counters.warps, 1u);
      EXPECT_EQ(counters.lanes, 32u);
    }
}

TEST(SimulatorMatrix, BadRows) {
  for (bool isStore : {false, true}) {
    MatrixTest test(2, false, isStore);
    test.define();
    std::vector<unsigned> rows(16);
    std::iota(rows.begin(), rows.end(), 0);
    test.setRows(rows);
    test.get64(kAddress, 3) += 8;
    test.get64(kAddress, 12) = kSharedBase + 4096 - 16; // + 16: behind the end
    test.get64(kAddress, 20) = 0;                       // not looked at
    for (unsigned lane = 0; lane < kLanes; ++lane)
      test.get32(kMatrices, lane) = test.get32(kMatrices + 1, lane) = 7;
    std::memset(test.shared(), 1, 4096);
    ASSERT_EQ(test.run(*test.instr), test.instr + 1);
    std::vector<Finding> findings = test.takeFindings();
    ASSERT_EQ(findings.size(), 2u);
    EXPECT_EQ(findings[0].kind, FindingKind::Misaligned);
    EXPECT_EQ(findings[0].lane, 3u);
    EXPECT_EQ(findings[0].address, kSharedBase + 16 * 4 + 8);
    EXPECT_EQ(findings[1].kind, FindingKind::SharedUndefined);
    EXPECT_EQ(findings[1].lane, 12u);
    for (unsigned lane = 0; lane < kLanes && !isStore; ++lane) {
      EXPECT_EQ(test.get32(kMatrices, lane), lane / 4 == 3 ? 0 : 0x01010101u);
      EXPECT_EQ(test.get32(kMatrices + 1, lane),
                lane / 4 == 4 ? 0 : 0x01010101u);
    }
    for (unsigned row = 0; row < 16 && isStore; ++row)
      EXPECT_EQ(*test.shared(16 + 16 * row), row == 3 || row == 12 ? 1 : 7);
  }
}

/// The last row begins within shared memory, but ends behind it.
TEST(SimulatorMatrix, RowAcrossTheEnd) {
  MatrixTest test(1, false, true, 32, 16 * 9 + 8);
  test.setRows({0, 1, 2, 3, 4, 5, 6, 8});
  test.run(*test.instr);
  std::vector<Finding> findings = test.takeFindings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::SharedUndefined);
  EXPECT_EQ(findings[0].lane, 7u);
}

TEST(SimulatorMatrix, NeedsTheWholeWarp) {
  MatrixTest test(1, false, false, 48);
  EXPECT_EQ(test.run(*test.instr, 1), nullptr); // 16 lanes
  EXPECT_TRUE(test.worker.block.aborted);
  std::vector<Finding> findings = test.takeFindings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::DivergentBarrier);
  // Lanes that are alive may still come.
  MatrixTest divergent(1, false, false);
  divergent.warps[0].setActive(0xffff);
  EXPECT_EQ(divergent.run(*divergent.instr), nullptr);
  EXPECT_TRUE(divergent.takeFindings().empty());
}

TEST(SimulatorMatrix, SharedChecks) {
  MatrixTest test(1, false, false, 64);
  std::vector<unsigned> rows(8);
  std::iota(rows.begin(), rows.end(), 0);
  test.setRows(rows);
  test.run(*test.instr); // nobody has written
  std::vector<Finding> findings = test.takeFindings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::UninitializedShared);
  for (unsigned offset = 16; offset < 144; offset += 16)
    noteShared(test.warps[1], test.instr, 0u, offset, 16, true, false);
  test.takeFindings();
  test.run(*test.instr);
  findings = test.takeFindings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::SharedRace);
  synchronizeWarps(test.worker.block, 3);
  test.run(*test.instr);
  EXPECT_TRUE(test.takeFindings().empty());
}

} // namespace
