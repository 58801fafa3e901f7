//===- SimulatorSyncTest.cpp ----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order that atomics and fences make between the warps of a block, and
// atomics of blocks on several host threads.
//
//===----------------------------------------------------------------------===//

#include "SimulatorTestSupport.h"

#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"

#include <atomic>
#include <cstring>
#include <thread>

using namespace tileir::sim;

namespace {

enum class Order { Plain, Volatile, Relaxed, Ordered };

constexpr uint32_t kValue = 2, kResult = 4;
constexpr unsigned kData = 0, kOther = 64, kFlag = 128;

/// Three warps that load, store and add 32-bit words in shared or global
/// memory, one lane at a time.
class SyncScene : public TestBlock {
public:
  explicit SyncScene(bool inShared = true) : TestBlock(96) {
    for (Order order :
         {Order::Plain, Order::Volatile, Order::Relaxed, Order::Ordered}) {
      Access access;
      access.space = inShared ? Space::Shared : Space::Global;
      access.isVolatile = order == Order::Volatile;
      access.isAtomic = order == Order::Relaxed || order == Order::Ordered;
      access.acquire = order == Order::Ordered;
      Instr &load = addAccess(Opcode::Load, access);
      setList(load, {kResult}, {});
      loads[unsigned(order)] = &load;
      access.acquire = false;
      access.release = order == Order::Ordered;
      Instr &store = addAccess(Opcode::Store, access);
      setList(store, {}, {kValue});
      stores[unsigned(order)] = &store;
      access.acquire = access.release;
      access.isAtomic = true;
      access.atomicOp = AtomicOp::Add;
      Instr &add = addAccess(Opcode::AtomicRmw, access);
      add.b = kValue;
      add.dst = kResult;
      adds[unsigned(order)] = &add;
      for (Instr *instr : {&load, &store, &add})
        instr->a = kAddress;
    }
    fences = &add(Opcode::Fence);
    Access access;
    access.isAtomic = true;
    compareExchange = &addAccess(Opcode::AtomicCmpXchg, access);
    compareExchange->a = kAddress;
    compareExchange->b = compareExchange->c = kValue;
    program.usesFences = true;
    start();
    base = kSharedBase;
    if (!inShared)
      base = reinterpret_cast<uint64_t>(cantFail(memory.allocate(256)));
    // Every word has a value before the rest starts.
    for (unsigned offset : {kData, kOther, kFlag})
      store(0, offset);
    for (unsigned w = 0; w < 3; ++w)
      warps[w].setActive(kAllLanes);
    synchronizeWarps(worker.block, 7);
  }

  void load(unsigned warp, unsigned offset, Order order = Order::Plain,
            unsigned lane = 0) {
    run(*loads[unsigned(order)], warp, offset, lane);
  }
  void store(unsigned warp, unsigned offset, Order order = Order::Plain,
             unsigned lane = 0) {
    run(*stores[unsigned(order)], warp, offset, lane);
  }
  void rmw(unsigned warp, unsigned offset, Order order, unsigned lane = 0) {
    run(*adds[unsigned(order)], warp, offset, lane);
  }
  /// Replaces 1 by 1.
  void compareOne(unsigned warp, unsigned offset) {
    run(*compareExchange, warp, offset, 0);
  }
  void fence(unsigned warp, unsigned lane = 0) { run(*fences, warp, 0, lane); }
  /// Whether there was a race since the last call, and nothing else. That
  /// nothing orders volatile accesses of the flag itself does not count.
  bool takeRace() {
    bool race = false;
    for (const Finding &finding : takeFindings()) {
      if (finding.kind == FindingKind::UnorderedVolatile)
        continue;
      EXPECT_TRUE(finding.kind == FindingKind::SharedRace ||
                  finding.kind == FindingKind::GlobalRace)
          << finding.message;
      race = true;
    }
    return race;
  }

private:
  void run(const Instr &instr, unsigned warp, unsigned offset, unsigned lane) {
    warps[warp].setActive(1u << lane);
    get64(kAddress, lane, warp) = base + offset;
    get32(kValue, lane, warp) = 1;
    TestBlock::run(instr, warp);
  }

  Instr *loads[4], *stores[4], *adds[4], *fences, *compareExchange;
  uint64_t base = 0;
};

TEST(SimulatorSync, MessagePassing) {
  const Order orders[] = {Order::Plain, Order::Volatile, Order::Relaxed,
                          Order::Ordered};
  for (bool inShared : {true, false})
    for (Order storeOrder : orders)
      for (Order loadOrder : orders)
        for (bool fenceBefore : {false, true})
          for (bool fenceAfter : {false, true}) {
            SCOPED_TRACE(testing::Message()
                         << "store " << int(storeOrder) << ", load "
                         << int(loadOrder) << ", fences " << fenceBefore
                         << fenceAfter << ", shared " << inShared);
            SyncScene scene(inShared);
            scene.store(0, kData);
            if (fenceBefore)
              scene.fence(0);
            scene.store(0, kFlag, storeOrder);
            scene.load(1, kFlag, loadOrder);
            if (fenceAfter)
              scene.fence(1);
            scene.load(1, kData);
            bool released = storeOrder == Order::Ordered ||
                            (fenceBefore && storeOrder != Order::Plain);
            bool acquired = loadOrder == Order::Ordered ||
                            (fenceAfter && loadOrder != Order::Plain);
            EXPECT_EQ(scene.takeRace(), !(released && acquired));
          }
}

TEST(SimulatorSync, AtomicsDoNotRaceWithEachOther) {
  for (bool inShared : {true, false}) {
    SyncScene scene(inShared);
    scene.store(0, kData, Order::Relaxed);
    scene.load(1, kData, Order::Volatile);
    scene.rmw(2, kData, Order::Relaxed);
    EXPECT_FALSE(scene.takeRace());
    scene.load(0, kData); // a plain one does
    EXPECT_TRUE(scene.takeRace());
  }
}

TEST(SimulatorSync, OnlyWhatWasBeforeTheRelease) {
  SyncScene scene;
  scene.store(0, kFlag, Order::Ordered);
  scene.store(0, kData); // too late
  scene.load(1, kFlag, Order::Ordered);
  scene.load(1, kData);
  EXPECT_TRUE(scene.takeRace());

  SyncScene fenced;
  fenced.fence(0);
  fenced.store(0, kData); // too late
  fenced.store(0, kFlag, Order::Relaxed);
  fenced.load(1, kFlag, Order::Ordered);
  fenced.load(1, kData);
  EXPECT_TRUE(fenced.takeRace());
}

TEST(SimulatorSync, OnlyWhatIsAfterTheAcquire) {
  SyncScene scene;
  scene.store(0, kData);
  scene.store(0, kFlag, Order::Ordered);
  scene.load(1, kFlag, Order::Relaxed);
  scene.load(1, kData); // before the fence
  EXPECT_TRUE(scene.takeRace());
  scene.fence(1);
  scene.load(1, kData);
  EXPECT_FALSE(scene.takeRace());
}

TEST(SimulatorSync, OtherAddressDoesNotOrder) {
  SyncScene scene;
  scene.store(0, kData);
  scene.store(0, kFlag, Order::Ordered);
  scene.load(1, kOther, Order::Ordered);
  scene.load(1, kData);
  EXPECT_TRUE(scene.takeRace());
}

/// What a warp was told it hands on.
TEST(SimulatorSync, ThreeWarps) {
  SyncScene scene;
  scene.store(0, kData);
  scene.store(0, kFlag, Order::Ordered);
  scene.load(1, kFlag, Order::Ordered);
  scene.store(1, kOther, Order::Ordered);
  scene.load(2, kOther, Order::Ordered);
  scene.load(2, kData);
  EXPECT_FALSE(scene.takeRace());
  scene.store(2, kData);
  EXPECT_FALSE(scene.takeRace());
  scene.load(1, kData); // nothing came back
  EXPECT_TRUE(scene.takeRace());
}

/// A read-modify-write goes on with what was released; a plain atomic store
/// ends it.
TEST(SimulatorSync, ReleaseSequence) {
  SyncScene scene;
  scene.store(0, kData);
  scene.store(0, kFlag, Order::Ordered);
  scene.rmw(1, kFlag, Order::Relaxed);
  scene.load(2, kFlag, Order::Ordered);
  scene.load(2, kData);
  EXPECT_FALSE(scene.takeRace());

  SyncScene ended;
  ended.store(0, kData);
  ended.store(0, kFlag, Order::Ordered);
  ended.store(1, kFlag, Order::Relaxed);
  ended.load(2, kFlag, Order::Ordered);
  ended.load(2, kData);
  EXPECT_TRUE(ended.takeRace());

  SyncScene replaced;
  replaced.store(0, kData);
  replaced.store(0, kFlag, Order::Ordered);
  replaced.store(1, kFlag, Order::Ordered); // of its own, did not acquire
  replaced.load(2, kFlag, Order::Ordered);
  replaced.load(2, kData);
  EXPECT_TRUE(replaced.takeRace());
}

/// A compare-and-exchange stores only if the values are equal.
TEST(SimulatorSync, CompareExchangeThatFails) {
  for (bool inShared : {true, false}) {
    SyncScene scene(inShared);
    scene.store(0, kData);
    scene.rmw(0, kData, Order::Relaxed); // 2
    synchronizeWarps(scene.worker.block, 7);
    scene.load(1, kData);
    scene.compareOne(2, kData);
    EXPECT_FALSE(scene.takeRace());
    scene.store(0, kFlag); // 1
    synchronizeWarps(scene.worker.block, 7);
    scene.compareOne(2, kFlag);
    scene.load(1, kFlag);
    EXPECT_TRUE(scene.takeRace());
  }
}

/// Two releases to one counter, as the last arrival of a reduction sees them.
TEST(SimulatorSync, ReleasesJoin) {
  for (Order order : {Order::Ordered, Order::Relaxed}) {
    SyncScene scene;
    scene.store(0, kData);
    scene.store(1, kOther);
    for (unsigned w = 0; w < 3; ++w) {
      if (order == Order::Relaxed)
        scene.fence(w);
      scene.rmw(w, kFlag, order);
      if (order == Order::Relaxed)
        scene.fence(w);
    }
    scene.load(2, kData);
    scene.load(2, kOther);
    EXPECT_FALSE(scene.takeRace());
    scene.store(0, kOther); // the first did not see the second
    EXPECT_TRUE(scene.takeRace());
  }
}

/// A lock that lanes of one warp hold in turn.
TEST(SimulatorSync, LanesOfOneWarp) {
  SyncScene scene;
  scene.rmw(0, kFlag, Order::Ordered, 3);
  scene.store(0, kData, Order::Plain, 3);
  scene.store(0, kOther, Order::Plain, 3);
  scene.store(0, kFlag, Order::Ordered, 3);
  scene.rmw(0, kFlag, Order::Ordered, 17);
  scene.store(0, kData, Order::Plain, 17);
  scene.load(0, kOther, Order::Plain, 17);
  EXPECT_FALSE(scene.takeRace());
  scene.store(0, kFlag, Order::Ordered, 17);
  for (unsigned offset : {kData, kOther}) {
    scene.load(0, offset, Order::Plain, 5); // did not take the lock
    EXPECT_TRUE(scene.takeRace());
  }
}

/// From a lane through another warp to another lane.
TEST(SimulatorSync, LanesThroughAnotherWarp) {
  SyncScene scene;
  scene.store(0, kData, Order::Plain, 3);
  scene.store(0, kFlag, Order::Ordered, 3);
  scene.rmw(1, kFlag, Order::Ordered, 8);
  scene.rmw(0, kFlag, Order::Ordered, 17);
  scene.store(0, kData, Order::Plain, 17);
  EXPECT_FALSE(scene.takeRace());
}

/// What other lanes did before one of them releases is released if they have
/// met.
TEST(SimulatorSync, ReleaseOfALane) {
  constexpr unsigned kWriter = 5;
  struct Meeting {
    uint32_t lanes;
    unsigned releaser;
    bool isOrdered;
  };
  const Meeting meetings[] = {
      {0, 0, false},
      {0, kWriter, true},
      {kAllLanes, 0, true},
      {1u << kWriter | 1, 0, true},
      {1u << kWriter | 1u << 6, 0, false},
      {1u << kWriter | 1u << 6, 6, true},
  };
  for (bool inShared : {true, false})
    for (bool fences : {false, true})
      for (bool loads : {false, true})
        for (bool throughAnother : {false, true})
          for (const Meeting &meeting : meetings) {
            // Global memory keeps readers for kernels alone.
            if (loads && !inShared)
              continue;
            SCOPED_TRACE(testing::Message()
                         << "shared " << inShared << ", fences " << fences
                         << ", loads " << loads << ", through another "
                         << throughAnother << ", lanes " << meeting.lanes
                         << ", releaser " << meeting.releaser);
            SyncScene scene(inShared);
            if (loads)
              scene.load(0, kData, Order::Plain, kWriter);
            else
              scene.store(0, kData, Order::Plain, kWriter);
            if (meeting.lanes)
              scene.worker.block.synchronizeLanes(scene.warps[0],
                                                  meeting.lanes);
            if (fences)
              scene.fence(0, meeting.releaser);
            scene.store(0, kFlag, fences ? Order::Relaxed : Order::Ordered,
                        meeting.releaser);
            unsigned reader = 1;
            scene.load(1, kFlag, Order::Ordered);
            if (throughAnother) {
              scene.store(1, kOther, Order::Ordered);
              scene.load(2, kOther, Order::Ordered);
              reader = 2;
            }
            if (loads)
              scene.store(reader, kData);
            else
              scene.load(reader, kData);
            EXPECT_EQ(scene.takeRace(), !meeting.isOrdered);
            // A barrier of the block orders everything.
            if (loads)
              continue;
            synchronizeWarps(scene.worker.block, 7);
            scene.load(reader, kData);
            EXPECT_FALSE(scene.takeRace());
          }
}

/// What a block released means nothing to the next.
TEST(SimulatorSync, NextBlock) {
  SyncScene scene;
  scene.store(0, kData);
  scene.store(0, kFlag, Order::Ordered);
  scene.fence(0);
  beginBlock(scene.worker.block);
  scene.store(0, kData);
  scene.store(0, kFlag, Order::Relaxed); // the fence was in the last block
  scene.load(1, kFlag, Order::Ordered);
  scene.load(1, kData);
  EXPECT_TRUE(scene.takeRace());
}

/// Many variables that are released to again and again stay few snapshots.
TEST(SimulatorSync, ManyVariables) {
  SyncScene scene(false);
  auto *words =
      static_cast<uint32_t *>(cantFail(scene.memory.allocate(4 << 16)));
  std::memset(words, 0, 4 << 16);
  Access access = *(scene.program.accesses.end() - 2);
  ASSERT_EQ(access.opcode, Opcode::AtomicRmw);
  ASSERT_TRUE(access.release);
  const Instr &add = scene.program.code[access.instr];
  for (unsigned w = 0; w < 3; ++w)
    scene.warps[w].setActive(kAllLanes);
  for (unsigned round = 0; round < 6144; ++round) {
    unsigned w = round % 3;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      unsigned index = (round * 32 + lane * 2049) % (1 << 16);
      scene.get64(kAddress, lane, w) =
          reinterpret_cast<uint64_t>(words + index);
      scene.get32(kValue, lane, w) = 1;
    }
    static_cast<TestBlock &>(scene).run(add, w);
  }
  uint64_t sum = 0;
  for (unsigned i = 0; i < 1 << 16; ++i)
    sum += words[i];
  EXPECT_EQ(sum, 6144u * 32);
  EXPECT_TRUE(scene.takeFindings().empty());
}

/// Blocks on several host threads add to the same words.
TEST(SimulatorSync, HostThreads) {
  constexpr unsigned kThreads = 4, kRounds = 10000;
  std::atomic<unsigned> started{0};
  DeviceMemory memory;
  auto *words = static_cast<uint32_t *>(cantFail(memory.allocate(64)));
  std::memset(words, 0, 64);
  auto work = [&] {
    TestBlock test;
    test.launch.memory = &memory;
    auto makeAdd = [&](AtomicOp op, ElementType type, unsigned bytes) {
      Access access;
      access.elementBytes = bytes;
      access.isAtomic = true;
      access.atomicOp = op;
      access.type = type;
      return &test.addAccess(Opcode::AtomicRmw, access);
    };
    Instr *instrs[] = {makeAdd(AtomicOp::Add, ElementType::I32, 4),
                       makeAdd(AtomicOp::FAdd, ElementType::F32, 4),
                       makeAdd(AtomicOp::Inc, ElementType::I64, 8)};
    for (Instr *instr : instrs) {
      instr->a = kAddress;
      instr->b = kValue;
    }
    test.start();
    ++started;
    while (started != kThreads)
      std::this_thread::yield();
    for (unsigned round = 0; round < kRounds; ++round)
      for (unsigned word = 0; word < 3; ++word) {
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          test.get64(kAddress, lane) = reinterpret_cast<uint64_t>(words + word);
          if (word == 2)
            test.get64(kValue, lane) = 9; // counts modulo 10
          else
            test.get32(kValue, lane) =
                word ? llvm::bit_cast<uint32_t>(1.f) : lane;
        }
        test.run(*instrs[word]);
      }
    EXPECT_TRUE(test.takeFindings().empty());
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(words[0], kThreads * kRounds * 496);
  EXPECT_EQ(words[1],
            llvm::bit_cast<uint32_t>(float(kThreads * kRounds * kLanes)));
  uint64_t wrapped;
  std::memcpy(&wrapped, words + 2, 8);
  EXPECT_EQ(wrapped, kThreads * kRounds * kLanes % 10);
}

} // namespace
