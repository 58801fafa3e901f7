//===- SimulatorShadowTest.cpp --------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Races, reads of what was never written and missing waits in shared memory:
// single cases with their messages. SimulatorRacesTest.cpp has random accesses.
//
//===----------------------------------------------------------------------===//

#include "SimulatorShadowScene.h"

#include "gtest/gtest.h"

using namespace tileir::sim;

namespace {

TEST(SharedShadow, OrdersByBarriers) {
  ShadowScene s;
  s.store(0, 3, 128);
  s.sync();
  s.load(1, 5, 128);
  s.load(1, 6, 128);
  s.load(2, 0, 128); // loads do not race with each other
  EXPECT_EQ(s.take(), "");
  s.store(3, 1, 128);
  EXPECT_EQ(
      s.take(),
      "shared-race: store of 4 bytes at shared offset 128 is not ordered "
      "with the load by warp 1, lanes 0x00000060 at kernel.py:7; expected "
      "a barrier between them");
  s.load(0, 3, 128);
  EXPECT_EQ(s.take(),
            "shared-race: load of 4 bytes at shared offset 128 is not ordered "
            "with the store by warp 3, lane 1 at kernel.py:9; expected a "
            "barrier between them");
  s.sync();
  s.store(0, 0, 128);
  s.sync(0x3);
  s.load(1, 0, 128);
  EXPECT_EQ(s.take(), "");
  // Warp 2 learns it from warp 1, though it never met warp 0.
  s.store(0, 0, 132);
  s.sync(0x3);
  s.sync(0x6);
  s.store(2, 0, 132);
  EXPECT_EQ(s.take(), "");
  s.load(3, 0, 132);
  EXPECT_NE(s.take(), "");
}

TEST(SharedShadow, OrdersWithinAWarp) {
  ShadowScene s;
  Warp &warp = s.warps[0];
  s.store(0, 4, 0);
  s.load(0, 4, 0); // the same thread
  s.store(0, 4, 0);
  EXPECT_EQ(s.take(), "");
  s.load(0, 5, 0);
  EXPECT_EQ(s.take(),
            "shared-race: load of 4 bytes at shared offset 0 is not ordered "
            "with the store by warp 0, lane 4 at kernel.py:9; expected a "
            "barrier or a warp synchronisation between them");
  s.worker.block.synchronizeLanes(warp, kAllLanes);
  s.store(0, 6, 0);
  EXPECT_EQ(s.take(), "");
  s.worker.block.synchronizeLanes(warp, 1u << 6 | 1u << 8);
  s.load(0, 8, 0);
  EXPECT_EQ(s.take(), "");
  s.load(0, 9, 0);
  EXPECT_NE(s.take(), "");
}

TEST(SharedShadow, KeepsStampsOfLanesThatSynchroniseApart) {
  ShadowScene s;
  Warp &warp = s.warps[0];
  s.store(0, 0, 0);
  s.sync();
  // Lane 1 loads, meets lane 3; then lane 2 loads and meets lane 3: the store
  // of lane 3 is behind both.
  s.load(0, 1, 0);
  s.worker.block.synchronizeLanes(warp, 1u << 1 | 1u << 3);
  s.load(0, 2, 0);
  s.worker.block.synchronizeLanes(warp, 1u << 2 | 1u << 3);
  s.store(0, 3, 0);
  EXPECT_EQ(s.take(), "");
  // And not if lane 1 loads once more.
  s.sync();
  s.load(0, 1, 0);
  s.worker.block.synchronizeLanes(warp, 1u << 1 | 1u << 3);
  s.load(0, 2, 0);
  s.load(0, 1, 0);
  s.worker.block.synchronizeLanes(warp, 1u << 2 | 1u << 3);
  s.store(0, 3, 0);
  EXPECT_NE(s.take(), "");
}

TEST(SharedShadow, KnowsTheLanesOfAccessesSideBySide) {
  for (uint32_t bytes : {1, 2, 4, 8, 16}) {
    ShadowScene s(2, 1);
    for (bool isStore : {true, false}) {
      SCOPED_TRACE(testing::Message() << bytes << " bytes, store " << isStore);
      const uint32_t base = kLanes; // any place
      uint64_t addresses[kLanes];
      for (unsigned lane = 0; lane < kLanes; ++lane)
        addresses[lane] = kSharedBase + base + bytes * lane;
      s.worker.block.shadow->access(s.warps[1], &s.program.code[isStore],
                                    kAllLanes, addresses, bytes, isStore,
                                    /*atomic=*/false, /*sideBySide=*/true);
      EXPECT_EQ(s.take(), "");
      // Each byte belongs to its lane only.
      for (unsigned byte = 0; byte < bytes * kLanes; ++byte) {
        const uint32_t lane = byte / bytes, other = (lane + 4) % kLanes;
        s.access(!isStore, 1, lane, base + byte, 1);
        EXPECT_EQ(s.take(), "") << byte;
        s.access(isStore, 1, other, base + byte, 1);
        EXPECT_NE(s.take(), "") << byte;
      }
      s.sync();
    }
  }
}

TEST(SharedShadow, StartsAgainWhenStampsRunOut) {
  ShadowScene s;
  s.store(0, 0, 0);
  s.worker.block.now = 0x7fffff00;
  s.store(0, 0, 4);
  beginBlock(s.worker.block);
  EXPECT_LT(s.worker.block.now, 10u);
  s.load(0, 0, 4);
  EXPECT_EQ(s.take().substr(0, 20), "uninitialized-shared");
  s.sync();
  s.store(1, 0, 4);
  s.sync();
  s.load(0, 0, 4);
  EXPECT_EQ(s.take(), "");
}

TEST(SharedShadow, FindsTwoLanesOfOneInstruction) {
  ShadowScene s;
  uint64_t addresses[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    addresses[lane] = kSharedBase + 4 * lane;
  noteShared(s.warps[0], &s.program.code[1], kAllLanes, addresses, 4, true,
             false);
  EXPECT_EQ(s.take(), "");
  s.sync();
  addresses[9] = addresses[2];
  noteShared(s.warps[0], &s.program.code[1], kAllLanes, addresses, 4, true,
             false);
  EXPECT_EQ(s.take(),
            "shared-race: store of 4 bytes at shared offset 8 meets the store "
            "of lane 2 of the same warp by the same instruction; expected "
            "different bytes, or a barrier between them");
}

TEST(SharedShadow, WatchesBytesAtSmallGranules) {
  for (uint32_t granule : {1, 2, 4}) {
    ShadowScene s(4, granule);
    s.store(0, 0, 64, granule);
    s.store(1, 0, 64 + granule, granule);
    EXPECT_EQ(s.take(), "") << granule;
    s.load(2, 0, 64, 2 * granule);
    EXPECT_NE(s.take(), "") << granule;
  }
}

TEST(SharedShadow, AtomicsRaceWithPlainAccessesOnly) {
  ShadowScene s;
  s.store(0, 0, 0);
  s.sync();
  for (unsigned warp = 0; warp < 4; ++warp)
    for (unsigned lane = 0; lane < 3; ++lane) {
      s.store(warp, lane, 0, 4, true);
      s.load(warp, lane, 0, 4, true);
    }
  EXPECT_EQ(s.take(), "");
  s.load(2, 1, 0);
  EXPECT_EQ(s.take(),
            "shared-race: load of 4 bytes at shared offset 0 is not ordered "
            "with the atomic store by warp 0, lanes 0x00000007 at kernel.py:9; "
            "expected a barrier between them");
  s.sync();
  s.load(2, 1, 0);
  s.load(1, 0, 0, 4, true);
  EXPECT_EQ(s.take(), "");
  s.store(2, 1, 0);
  EXPECT_EQ(s.take(),
            "shared-race: store of 4 bytes at shared offset 0 is not ordered "
            "with the atomic load by warp 1, lane 0 at kernel.py:7; expected a "
            "barrier between them");
  s.store(1, 0, 0, 4, true);
  EXPECT_NE(s.take(), ""); // with the plain store
}

TEST(SharedShadow, FindsReadsOfWhatWasNeverWritten) {
  ShadowScene s;
  s.store(0, 0, 0, 8);
  s.load(0, 0, 0, 8);
  EXPECT_EQ(s.take(), "");
  s.load(0, 0, 0, 16);
  EXPECT_EQ(s.take(), "uninitialized-shared: load of 16 bytes at shared offset "
                      "0 reads bytes that this block has never written; "
                      "expected a store before it");
  s.store(1, 0, 64, 4, true);
  s.load(2, 0, 64, 4, true);
  EXPECT_EQ(s.take(), "");
  // The next block starts anew.
  beginBlock(s.worker.block);
  s.store(2, 5, 0); // not a race with the block before
  EXPECT_EQ(s.take(), "");
  s.load(0, 0, 64, 4, true);
  EXPECT_EQ(s.take().substr(0, 20), "uninitialized-shared");
}

TEST(SharedShadow, CopiesHaveToBeWaitedFor) {
  ShadowScene s;
  s.pend(1, 2, 32);
  s.load(1, 2, 36);
  EXPECT_EQ(s.take(),
            "missing-wait: load of 4 bytes at shared offset 36 meets bytes "
            "that the cp.async by warp 1, lane 2 at kernel.py:9 is still to "
            "write; expected its wait, and a barrier, between them");
  s.store(1, 2, 40);
  EXPECT_EQ(s.take().substr(0, 11), "shared-race");
  s.complete(1, 2, 32);
  s.load(1, 2, 32, 16);
  EXPECT_EQ(s.take(), "");
  s.load(1, 3, 32, 16); // waited for by lane 2 only
  EXPECT_EQ(s.take().substr(0, 11), "shared-race");
  s.sync();
  s.load(0, 3, 32, 16);
  EXPECT_EQ(s.take(), "");
  // The next copy into the buffer must be behind the load.
  s.pend(1, 2, 32);
  EXPECT_EQ(s.take(),
            "shared-race: cp.async of 16 bytes at shared offset 32 is not "
            "ordered with the load by warp 0, lane 3 at kernel.py:7; expected "
            "a barrier between them");
  // Two copies to the same bytes.
  s.pend(2, 2, 32);
  EXPECT_EQ(s.take().substr(0, 11), "shared-race");
  // A copy that is never waited for does not outlive its block.
  beginBlock(s.worker.block);
  s.store(0, 0, 32);
  s.load(0, 0, 32);
  EXPECT_EQ(s.take(), "");
}

} // namespace
