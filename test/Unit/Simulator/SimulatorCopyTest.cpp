//===- SimulatorCopyTest.cpp ----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async: its groups, what arrives when, and what it finds and counts.
//
//===----------------------------------------------------------------------===//

#include "SimulatorTestSupport.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstring>

using namespace tileir::sim;

namespace {

constexpr uint32_t kTo = 0, kFrom = 2, kBytes = 4, kResults = 8;

/// A block that can copy from a buffer of `size` bytes, whose byte i is
/// pattern(i).
class CopyTest : public TestBlock {
public:
  explicit CopyTest(uint32_t bytes, uint32_t threads = 32, uint64_t size = 2048)
      : TestBlock(threads), bytes(bytes) {
    Access access;
    access.space = Space::Global;
    access.elementBytes = 4;
    access.elements = bytes / 4;
    copy = &addAccess(Opcode::CpAsync, access);
    partial = &addAccess(Opcode::CpAsync, access);
    for (Instr *instr : {copy, partial}) {
      instr->a = kTo;
      instr->b = kFrom;
    }
    partial->c = kBytes;
    commit = &add(Opcode::CpAsyncCommit);
    for (int64_t groups = -1; groups < 4; ++groups) {
      waits.push_back(&add(Opcode::CpAsyncWait));
      waits.back()->imm = groups;
    }
    access.space = Space::Shared;
    access.elements = 1;
    load = &addAccess(Opcode::Load, access);
    load->a = kTo;
    setList(*load, {kResults}, {});
    store = &addAccess(Opcode::Store, access);
    store->a = kTo;
    setList(*store, {}, {kBytes});
    start();
    source = static_cast<uint8_t *>(cantFail(memory.allocate(size)));
    for (uint64_t i = 0; i < size; ++i)
      source[i] = pattern(i);
  }

  static uint8_t pattern(uint64_t i) { return uint8_t(i * 7 + i / 256 + 1); }
  uint64_t sourceAddress() const { return reinterpret_cast<uint64_t>(source); }

  /// Lane l of `lanes` copies source[from + l * bytes] to shared[to + ...].
  void issue(uint32_t to, uint32_t from, uint32_t lanes = kAllLanes,
             uint32_t warp = 0) {
    warps[warp].setActive(lanes);
    setAddresses(to, from, warp);
    run(*copy, warp);
  }
  void setAddresses(uint32_t to, uint32_t from, uint32_t warp = 0) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      get64(kTo, lane, warp) = kSharedBase + to + lane * bytes;
      get64(kFrom, lane, warp) = sourceAddress() + from + lane * bytes;
    }
  }
  void close(uint32_t lanes = kAllLanes) {
    warps[0].setActive(lanes);
    run(*commit);
  }
  void wait(int64_t groups, uint32_t lanes = kAllLanes) {
    warps[0].setActive(lanes);
    run(*waits[groups + 1]);
  }
  /// Whether the lane's part at `to` has arrived from `from`; else it must be
  /// NaN patterns.
  bool arrived(uint32_t to, uint32_t from, unsigned lane) {
    const uint8_t *at = shared(to + lane * bytes);
    if (std::all_of(at, at + bytes, [](uint8_t b) { return b == 0xff; }))
      return false;
    for (unsigned i = 0; i < bytes; ++i)
      EXPECT_EQ(at[i], pattern(from + lane * bytes + i)) << to << " " << lane;
    return true;
  }
  /// The lanes whose part has arrived.
  uint32_t arrivedLanes(uint32_t to, uint32_t from) {
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      mask |= uint32_t(arrived(to, from, lane)) << lane;
    return mask;
  }

  uint32_t bytes;
  Instr *copy, *partial, *commit, *load, *store;
  std::vector<Instr *> waits;
  uint8_t *source = nullptr;
};

TEST(SimulatorCopy, ArrivesAtTheWait) {
  for (uint32_t bytes : {4u, 8u, 16u}) {
    CopyTest test(bytes);
    test.issue(64, 32, 0xfff7ffff);
    EXPECT_EQ(test.arrivedLanes(64, 32), 0u);
    test.close();
    EXPECT_EQ(test.arrivedLanes(64, 32), 0u);
    test.wait(0);
    EXPECT_EQ(test.arrivedLanes(64, 32), 0xfff7ffffu);
    test.issue(64, 0); // what was there is lost
    EXPECT_EQ(test.arrivedLanes(64, 32), 0u);
    test.wait(-1);
    EXPECT_EQ(test.arrivedLanes(64, 0), kAllLanes);
    EXPECT_TRUE(test.takeFindings().empty());
  }
}

TEST(SimulatorCopy, StagesInOrder) {
  for (int open = 0; open < 4; ++open) {
    CopyTest test(8);
    for (unsigned stage = 0; stage < 3; ++stage) {
      test.issue(stage * 512, stage * 256);
      test.issue(stage * 512 + 256, stage * 256 + 16); // two a group
      test.close();
    }
    test.issue(1536, 8); // of a group that is not closed
    test.wait(open);
    for (int stage = 0; stage < 3; ++stage) {
      uint32_t expected = stage < 3 - open ? kAllLanes : 0;
      EXPECT_EQ(test.arrivedLanes(stage * 512, stage * 256), expected);
      EXPECT_EQ(test.arrivedLanes(stage * 512 + 256, stage * 256 + 16),
                expected);
    }
    EXPECT_EQ(test.arrivedLanes(1536, 8), 0u);
    test.wait(-1);
    EXPECT_EQ(test.arrivedLanes(1536, 8), kAllLanes);
    EXPECT_EQ(test.arrivedLanes(1024, 512), kAllLanes);
    EXPECT_TRUE(test.takeFindings().empty());
  }
}

TEST(SimulatorCopy, EmptyGroupsCount) {
  CopyTest test(4);
  test.issue(0, 0);
  test.close();
  test.wait(1);
  EXPECT_EQ(test.arrivedLanes(0, 0), 0u);
  test.close(); // an empty group is the last one now
  test.wait(1);
  EXPECT_EQ(test.arrivedLanes(0, 0), kAllLanes);
}

TEST(SimulatorCopy, GroupsBelongToLanes) {
  CopyTest test(16);
  const uint32_t low = 0x0000ffff, high = 0xffff0000;
  test.issue(0, 0);
  test.close();
  test.close(low); // the low lanes are a group ahead
  test.issue(512, 256);
  test.close();
  test.wait(2, kAllLanes);
  EXPECT_EQ(test.arrivedLanes(0, 0), low);
  EXPECT_EQ(test.arrivedLanes(512, 256), 0u);
  test.wait(1, 0xff00ff00); // for the active lanes only
  EXPECT_EQ(test.arrivedLanes(0, 0), low | 0xff000000);
  EXPECT_EQ(test.arrivedLanes(512, 256), 0u);
  test.wait(0, 0x00010001);
  EXPECT_EQ(test.arrivedLanes(0, 0), low | 0xff010000);
  EXPECT_EQ(test.arrivedLanes(512, 256), 0x00010001u);
  test.wait(0, high | low);
  EXPECT_EQ(test.arrivedLanes(0, 0) & test.arrivedLanes(512, 256), kAllLanes);
  EXPECT_TRUE(test.takeFindings().empty());
}

TEST(SimulatorCopy, ZeroFill) {
  for (uint32_t bytes : {4u, 8u, 16u}) {
    CopyTest test(bytes);
    test.setAddresses(0, 16);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      test.get32(kBytes, lane) = lane % (bytes + 1);
      if (lane % (bytes + 1) == 0)
        test.get64(kFrom, lane) = lane; // may not be looked at
    }
    test.run(*test.partial);
    test.wait(-1);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned i = 0; i < bytes; ++i)
        EXPECT_EQ(*test.shared(lane * bytes + i),
                  i < lane % (bytes + 1)
                      ? CopyTest::pattern(16 + lane * bytes + i)
                      : 0)
            << bytes << " " << lane << " " << i;
    EXPECT_TRUE(test.takeFindings().empty());
  }
}

TEST(SimulatorCopy, ReadsTheSourceAtTheWait) {
  CopyTest test(4);
  test.issue(0, 0, 1);
  test.source[1] = 99;
  test.wait(-1, 1);
  EXPECT_EQ(*test.shared(1), 99);
}

TEST(SimulatorCopy, MissingWait) {
  CopyTest test(4, 64);
  test.issue(0, 0);
  test.close();
  test.run(*test.load);
  EXPECT_EQ(test.get32(kResults, 5), 0xffffffffu);
  std::vector<Finding> findings = test.takeFindings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::MissingWait);
  test.wait(0);
  test.run(*test.load);
  EXPECT_TRUE(test.takeFindings().empty());
  uint32_t expected;
  std::memcpy(&expected, test.source + 20, 4);
  EXPECT_EQ(test.get32(kResults, 5), expected);
  // Another warp sees it after a barrier only.
  test.setAddresses(0, 0, 1);
  test.run(*test.load, 1);
  findings = test.takeFindings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::SharedRace);
  synchronizeWarps(test.worker.block, 3);
  test.run(*test.load, 1);
  EXPECT_TRUE(test.takeFindings().empty());
}

/// A stage may be filled again only when everyone has read it.
TEST(SimulatorCopy, ReuseWithoutBarrier) {
  for (bool synchronized : {true, false}) {
    CopyTest test(4, 64);
    test.issue(0, 0);
    test.wait(-1);
    synchronizeWarps(test.worker.block, 3);
    test.setAddresses(0, 0, 1);
    test.run(*test.load, 1);
    EXPECT_TRUE(test.takeFindings().empty());
    if (synchronized)
      synchronizeWarps(test.worker.block, 3);
    test.issue(0, 128);
    synchronizeWarps(test.worker.block, 3);
    test.wait(-1); // too late to order the read
    std::vector<Finding> findings = test.takeFindings();
    ASSERT_EQ(findings.size(), synchronized ? 0u : 1u);
    if (!synchronized)
      EXPECT_EQ(findings[0].kind, FindingKind::SharedRace);
  }
}

/// The source was written by a warp that nothing orders with the copy.
TEST(SimulatorCopy, SourceRace) {
  for (bool isPartial : {false, true}) {
    CopyTest test(16, 64);
    Buffer *buffer = test.memory.find(test.sourceAddress());
    noteGlobal(test.warps[1], test.store, 0u, *buffer,
               test.sourceAddress() + 64, 4, /*isStore=*/true,
               /*atomic=*/false);
    test.setAddresses(0, 0);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      test.get32(kBytes, lane) = lane == 4 ? 8 : 16;
    Instr &copy = isPartial ? *test.partial : *test.copy;
    test.warps[0].setActive(0xf);
    test.run(copy);
    EXPECT_TRUE(test.takeFindings().empty());
    test.warps[0].setActive(0xff0);
    test.run(copy);
    std::vector<Finding> findings = test.takeFindings();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].kind, FindingKind::GlobalRace);
    EXPECT_EQ(findings[0].lane, 4u);
    synchronizeWarps(test.worker.block, 3);
    test.setAddresses(1024, 0);
    test.run(copy);
    EXPECT_TRUE(test.takeFindings().empty());
  }
}

TEST(SimulatorCopy, BadAddresses) {
  CopyTest test(16, 32, 64);
  test.warps[0].setActive(0b111111);
  test.setAddresses(0, 0);
  test.get64(kTo, 0) = kSharedBase + 4096 - 8 + 8; // just behind
  test.get64(kTo, 1) = kSharedBase + 24;           // not 16-byte aligned
  test.get64(kFrom, 2) = test.sourceAddress() + 8;
  test.get64(kFrom, 3) = test.sourceAddress() + 64;
  test.get64(kTo, 4) = 64; // no address of shared memory
  test.get64(kFrom, 4) = test.sourceAddress();
  test.get64(kFrom, 5) = test.sourceAddress() + 16;
  EXPECT_EQ(test.run(*test.copy), test.copy + 1);
  test.wait(-1);
  EXPECT_EQ(*test.shared(80), CopyTest::pattern(16)); // lane 5
  EXPECT_EQ(*test.shared(32), 0); // nothing was read for lane 2
  EXPECT_EQ(*test.shared(24), 0xff);
  std::vector<Finding> findings = test.takeFindings();
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0].kind, FindingKind::OutOfBounds);
  EXPECT_EQ(findings[0].lane, 3u);
  EXPECT_EQ(findings[1].kind, FindingKind::Misaligned);
  EXPECT_EQ(findings[1].count, 2u); // lanes 1 and 2
  EXPECT_EQ(findings[2].kind, FindingKind::SharedUndefined);
  EXPECT_EQ(findings[2].count, 2u); // lanes 0 and 4

  CopyTest tooMany(4);
  tooMany.warps[0].setActive(1);
  tooMany.setAddresses(0, 0);
  tooMany.get32(kBytes, 0) = 5;
  tooMany.run(*tooMany.partial);
  findings = tooMany.takeFindings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::OutOfBounds);
}

TEST(SimulatorCopy, Counts) {
  struct Case {
    unsigned bytes, toStride, fromStride;
    uint64_t wavefronts, sectors;
  };
  const Case cases[] = {{16, 16, 16, 4, 16},  {16, 128, 16, 32, 16},
                        {16, 64, 32, 16, 32}, {8, 8, 8, 2, 8},
                        {8, 16, 16, 4, 16},   {4, 4, 4, 1, 4},
                        {4, 8, 64, 2, 32},    {4, 12, 4, 1, 4}};
  for (const Case &c : cases) {
    SCOPED_TRACE(testing::Message()
                 << c.bytes << " " << c.toStride << " " << c.fromStride);
    CopyTest test(c.bytes);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      test.get64(kTo, lane) = kSharedBase + lane * c.toStride;
      test.get64(kFrom, lane) = test.sourceAddress() + lane * c.fromStride;
    }
    test.run(*test.copy);
    const AccessCounters &counters = test.worker.accesses[0];
    EXPECT_EQ(counters.wavefronts, c.wavefronts);
    EXPECT_EQ(counters.idealWavefronts, c.bytes / 4);
    EXPECT_EQ(counters.sectors, c.sectors);
    EXPECT_EQ(counters.idealSectors, c.bytes);
    EXPECT_EQ(counters.warps, 1u);
    EXPECT_EQ(counters.lanes, 32u);
    EXPECT_EQ(counters.bytes, 32u * c.bytes);
  }
  // Bytes that are filled with zeros are not read.
  CopyTest test(16);
  test.setAddresses(0, 0);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    test.get32(kBytes, lane) = lane < 8 ? 16 : 0;
  test.run(*test.partial);
  EXPECT_EQ(test.worker.accesses[1].sectors, 4u);
  EXPECT_EQ(test.worker.accesses[1].idealSectors, 4u);
  EXPECT_EQ(test.worker.accesses[1].wavefronts, 4u);
}

TEST(SimulatorCopy, NeverAwaited) {
  CopyTest test(4);
  for (unsigned i = 0; i < 70000; ++i)
    test.issue(0, 0, 1);
  test.issue(4, 4, 2);
  test.wait(-1);
  EXPECT_TRUE(test.arrived(4 - 4, 0, 0)); // the latest are still known
  beginBlock(test.worker.block);
  test.takeFindings();
  test.issue(0, 0);
  beginBlock(test.worker.block); // the block ends with the copy open
  test.wait(-1);
  EXPECT_EQ(test.arrivedLanes(0, 0), 0u);
  EXPECT_TRUE(test.takeFindings().empty());
}

} // namespace
