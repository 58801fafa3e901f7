//===- SimulatorAccessTest.cpp --------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What loads and stores count, against known patterns and plain set arithmetic;
// races in global memory; and how long fully instrumented accesses take
// (printed only).
//
//===----------------------------------------------------------------------===//

#include "SimulatorTestSupport.h"

#include "gtest/gtest.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <set>

using namespace tileir::sim;

namespace {

/// A block of some warps with one load and one store of `bytes` bytes.
class AccessScene : public TestBlock {
public:
  AccessScene(Space space, uint32_t bytes, uint32_t warps = 1,
              uint32_t sharedBytes = 48 * 1024)
      : TestBlock(warps * kLanes, sharedBytes) {
    Access access;
    access.space = space;
    access.elementBytes = std::min<uint32_t>(bytes, 4);
    access.elements = bytes / access.elementBytes;
    std::vector<uint32_t> slots;
    for (uint32_t i = 0; i < access.elements; ++i)
      slots.push_back(kData + i);
    load = &addAccess(Opcode::Load, access);
    setList(*load, slots, {});
    store = &addAccess(Opcode::Store, access);
    setList(*store, {}, slots);
    load->a = store->a = kAddress;
    program.sharedGranule = program.globalGranule = access.elementBytes;
  }

  void setAddresses(uint64_t base, std::function<uint64_t(uint32_t)> offset,
                    uint32_t warp = 0) {
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      get64(kAddress, lane, warp) = base + offset(lane);
  }
  AccessCounters &counters() { return worker.accesses[0]; }

  Instr *load, *store;
};

/// The wavefronts of one load of shared memory, and the least there could be.
std::pair<uint64_t, uint64_t>
getWavefronts(uint32_t bytes, std::function<uint32_t(uint32_t)> offset,
              uint32_t active = kAllLanes) {
  AccessScene scene(Space::Shared, bytes);
  scene.start();
  scene.warps[0].setActive(active);
  scene.setAddresses(kSharedBase, offset);
  scene.run(*scene.load);
  EXPECT_EQ(scene.counters().warps, 1u);
  EXPECT_EQ(scene.counters().bytes, __builtin_popcount(active) * bytes);
  return {scene.counters().wavefronts, scene.counters().idealWavefronts};
}

using Pair = std::pair<uint64_t, uint64_t>;

TEST(Wavefronts, OfKnownPatterns) {
  auto column = [](uint32_t pitch) {
    return [=](uint32_t lane) { return lane * pitch * 4; };
  };
  EXPECT_EQ(getWavefronts(4, column(1)), Pair(1, 1));
  EXPECT_EQ(getWavefronts(4, column(2)), Pair(2, 1));
  EXPECT_EQ(getWavefronts(4, column(32)), Pair(32, 1)); // a 32x32 tile
  EXPECT_EQ(getWavefronts(4, column(33)), Pair(1, 1));  // and with padding
  EXPECT_EQ(getWavefronts(4, column(64)), Pair(32, 1));
  EXPECT_EQ(getWavefronts(4, column(12)), Pair(4, 1));
  EXPECT_EQ(getWavefronts(4, column(0)), Pair(1, 1)); // the same word
  auto pairs = [](uint32_t lane) { return lane / 2 * 4; };
  EXPECT_EQ(getWavefronts(4, pairs), Pair(1, 1));
  // Two words of one bank, one of them for many lanes.
  EXPECT_EQ(getWavefronts(4, [](uint32_t l) { return l == 7 ? 128u : 0u; }),
            Pair(2, 1));
  // Narrow accesses share words.
  EXPECT_EQ(getWavefronts(1, [](uint32_t lane) { return lane; }), Pair(1, 1));
  EXPECT_EQ(getWavefronts(2, [](uint32_t lane) { return lane * 64; }),
            Pair(16, 1));
  // 8 bytes go by half-warps.
  EXPECT_EQ(getWavefronts(8, [](uint32_t lane) { return lane * 8; }),
            Pair(2, 2));
  EXPECT_EQ(getWavefronts(8, [](uint32_t lane) { return lane * 16; }),
            Pair(4, 2));
  EXPECT_EQ(getWavefronts(8, [](uint32_t lane) { return lane / 16 * 8; }),
            Pair(2, 2));
  EXPECT_EQ(getWavefronts(
                8, [](uint32_t lane) { return lane * 128; }, 0xffff),
            Pair(16, 1));
  // 16 bytes go by quarter-warps: rows of 64 bytes, plain, padded, swizzled.
  EXPECT_EQ(getWavefronts(16, [](uint32_t lane) { return lane * 16; }),
            Pair(4, 4));
  EXPECT_EQ(getWavefronts(16, [](uint32_t lane) { return lane * 64; }),
            Pair(16, 4));
  EXPECT_EQ(getWavefronts(16, [](uint32_t lane) { return lane * 80; }),
            Pair(4, 4));
  EXPECT_EQ(getWavefronts(16,
                          [](uint32_t lane) {
                            uint32_t chunk = 2 ^ (lane >> 1 & 3);
                            return lane * 64 + chunk * 16;
                          }),
            Pair(4, 4));
  EXPECT_EQ(getWavefronts(16, [](uint32_t lane) { return lane * 128; }),
            Pair(32, 4));
  EXPECT_EQ(getWavefronts(
                16, [](uint32_t lane) { return lane * 128; }, 0x1010001),
            Pair(3, 3));
  EXPECT_EQ(getWavefronts(4, column(32), 0x80000000), Pair(1, 1));
}

/// By the definition: lanes that are served together, words in each bank.
Pair countWavefrontsPlainly(uint32_t bytes, const uint64_t *addresses,
                            uint32_t active) {
  uint32_t lanesTogether = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  Pair result;
  for (uint32_t group = 0; group < 32; group += lanesTogether) {
    std::map<uint64_t, std::set<uint64_t>> banks;
    for (uint32_t lane = group; lane < group + lanesTogether; ++lane)
      if (active >> lane & 1)
        for (uint64_t byte = addresses[lane]; byte < addresses[lane] + bytes;
             ++byte)
          banks[byte / 4 % 32].insert(byte / 4);
    size_t most = 0;
    for (const auto &bank : banks)
      most = std::max(most, bank.second.size());
    result.first += most;
    result.second += most != 0;
  }
  return result;
}

TEST(Wavefronts, AgreeWithTheDefinition) {
  std::mt19937 random(3);
  for (uint32_t bytes : {1, 2, 4, 8, 16}) {
    AccessScene scene(Space::Shared, bytes);
    scene.start();
    AccessCounters &counters = scene.counters();
    for (unsigned i = 0; i < 3000; ++i) {
      const uint32_t span = 2u << random() % 11, stride = random() % 65;
      const bool isStrided = random() % 2;
      uint32_t active = random() % 3 ? kAllLanes : random() | 1;
      scene.warps[0].setActive(active);
      scene.setAddresses(kSharedBase, [&](uint32_t lane) {
        return (isStrided ? lane * stride : random() % span) * bytes % 48000 /
               bytes * bytes;
      });
      counters = {};
      scene.run(*scene.load);
      Pair expected =
          countWavefrontsPlainly(bytes, &scene.get64(kAddress, 0), active);
      ASSERT_EQ(Pair(counters.wavefronts, counters.idealWavefronts), expected)
          << bytes << " bytes, stride " << stride << ", span " << span;
    }
  }
}

TEST(Sectors, AgreeWithTheDefinition) {
  std::mt19937 random(5);
  for (uint32_t bytes : {1, 2, 4, 8, 16, 32}) {
    AccessScene scene(Space::Global, bytes);
    scene.start();
    uint64_t base = reinterpret_cast<uint64_t>(
        llvm::cantFail(scene.memory.allocate(1 << 20, "a")));
    AccessCounters &counters = scene.counters();
    std::set<uint64_t> touched;
    auto expect = [&](uint64_t sectors, uint64_t ideal, const char *what) {
      counters = {};
      scene.run(*scene.load);
      ASSERT_EQ(counters.sectors, sectors) << bytes << " bytes, " << what;
      ASSERT_EQ(counters.idealSectors, ideal) << bytes << " bytes, " << what;
    };
    scene.setAddresses(base, [&](uint32_t lane) { return lane * bytes; });
    expect(bytes, bytes, "side by side");
    if (bytes < 32) {
      scene.setAddresses(base + bytes,
                         [&](uint32_t lane) { return lane * bytes; });
      expect(bytes + 1, bytes, "side by side, not from a sector on");
    }
    scene.setAddresses(base, [&](uint32_t lane) { return 640; });
    expect(1, 1, "the same");
    scene.setAddresses(base, [&](uint32_t lane) { return 4096 - lane * 128; });
    expect(32, bytes, "far apart, backwards");
    scene.worker.sectorsOfLaunch = 0;
    endLaunch(scene.launch, scene.memory);
    for (unsigned i = 0; i < 2000; ++i) {
      const uint32_t span = 2u << random() % 13;
      const bool isStrided = random() % 2;
      const int32_t stride = int32_t(random() % 65) - 32;
      uint32_t active = random() % 3 ? kAllLanes : random() | 1;
      scene.warps[0].setActive(active);
      std::set<uint64_t> sectors, starts;
      scene.setAddresses(base, [&](uint32_t lane) {
        const int32_t place =
            isStrided ? 1024 + int32_t(i % 99) + stride * int32_t(lane)
                      : int32_t(random() % span);
        uint64_t offset = uint64_t(place) * bytes;
        if (active >> lane & 1) {
          sectors.insert((base + offset) / 32);
          starts.insert(offset);
        }
        return offset;
      });
      expect(sectors.size(), (starts.size() * bytes + 31) / 32, "random");
      touched.insert(sectors.begin(), sectors.end());
      ASSERT_EQ(scene.worker.sectorsOfLaunch, touched.size());
    }
    // Another wave of blocks starts anew, the launch does not.
    const uint64_t before = scene.worker.sectorsOfWaves;
    scene.worker.block.wave = 2;
    scene.warps[0].setActive(kAllLanes);
    scene.setAddresses(base, [&](uint32_t lane) { return lane * 64; });
    expect(32, bytes, "in another wave");
    scene.setAddresses(base, [&](uint32_t lane) { return lane * bytes; });
    expect(bytes, bytes, "in another wave, side by side");
    for (uint32_t i = 0; i < 64; ++i)
      touched.insert(base / 32 + (i < 32 ? i * 2 : (i - 32) * bytes / 32));
    EXPECT_EQ(scene.worker.sectorsOfWaves - before, 32u + bytes / 2);
    EXPECT_EQ(scene.worker.sectorsOfLaunch, touched.size());
  }
}

//===----------------------------------------------------------------------===//
// Races in global memory
//===----------------------------------------------------------------------===//

class GlobalRaces : public testing::Test {
protected:
  GlobalRaces() : scene(Space::Global, 4, 2) {
    scene.launch.grid[0] = 3;
    scene.launch.grid[1] = 2;
  }
  void start() {
    scene.start();
    base = reinterpret_cast<uint64_t>(
        llvm::cantFail(scene.memory.allocate(4096, "c")));
  }
  void setBlock(uint64_t linear) {
    Block &block = scene.worker.block;
    block.linear = linear;
    block.index[0] = linear % 3;
    block.index[1] = linear / 3;
    beginBlock(block);
  }
  /// One lane's access; the kind and message of what was found.
  std::string run(const Instr &instr, uint32_t warp, uint32_t lane,
                  uint32_t offset) {
    scene.warps[warp].setActive(1u << lane);
    scene.get64(kAddress, lane, warp) = base + offset;
    scene.run(instr, warp);
    std::string text;
    for (const Finding &finding : scene.takeFindings()) {
      text += std::string(getName(finding.kind)) + ": " + finding.message;
      EXPECT_EQ(finding.address, base + offset);
    }
    return text;
  }
  std::string load(uint32_t warp, uint32_t lane, uint32_t offset) {
    return run(*scene.load, warp, lane, offset);
  }
  std::string store(uint32_t warp, uint32_t lane, uint32_t offset) {
    return run(*scene.store, warp, lane, offset);
  }

  AccessScene scene;
  uint64_t base = 0;
};

TEST_F(GlobalRaces, BetweenBlocks) {
  start();
  setBlock(4);
  EXPECT_EQ(store(1, 7, 16), "");
  EXPECT_EQ(load(1, 7, 16), "");
  setBlock(5);
  EXPECT_EQ(store(0, 0, 20), "");
  EXPECT_EQ(store(0, 0, 16),
            "global-race: store of 4 bytes at byte 16 of buffer 'c' is not "
            "ordered with the store by block (1,1,0), warp 1, lane 7 at "
            "<unknown>; expected blocks to access different bytes");
  setBlock(0);
  EXPECT_EQ(load(0, 0, 20).substr(0, 11), "global-race");
  EXPECT_EQ(load(0, 0, 24), "");
  // The next launch starts anew.
  endLaunch(scene.launch, scene.memory);
  EXPECT_EQ(load(0, 0, 20), "");
  EXPECT_EQ(store(0, 0, 16), "");
}

TEST_F(GlobalRaces, NotWithBlocksThatHaveRunAFence) {
  scene.program.usesFences = true;
  start();
  setBlock(0);
  EXPECT_EQ(store(0, 0, 0), "");
  setBlock(1);
  EXPECT_EQ(load(0, 0, 0).substr(0, 11), "global-race");
  // A fence acquires what an atomic read before it has seen.
  Access flag;
  uint64_t addresses[kLanes] = {base};
  noteAtomicLoad(scene.warps[1], flag, 1, addresses);
  fence(scene.warps[1], Scope::Gpu);
  EXPECT_EQ(load(0, 0, 0), "");
  EXPECT_EQ(store(0, 0, 0), "");
  setBlock(2);
  EXPECT_EQ(store(0, 0, 0).substr(0, 11), "global-race");
}

TEST_F(GlobalRaces, NotOfLoadsOfWhatOthersUpdate) {
  scene.program.accesses[1].isAtomic = true;
  start();
  setBlock(0);
  EXPECT_EQ(store(0, 0, 0), "");
  setBlock(1);
  EXPECT_EQ(load(0, 0, 0), "");
  scene.program.accesses[1].isAtomic = false;
  EXPECT_EQ(store(0, 0, 0),
            "global-race: store of 4 bytes at byte 0 of buffer 'c' is not "
            "ordered with the atomic store by block (0,0,0), warp 0, lane 0 at "
            "<unknown>; expected blocks to access different bytes");
}

TEST_F(GlobalRaces, WithinABlock) {
  start();
  setBlock(2);
  EXPECT_EQ(store(0, 3, 64), "");
  EXPECT_EQ(store(0, 3, 64), "");
  EXPECT_EQ(load(1, 3, 64),
            "global-race: load of 4 bytes at byte 64 of buffer 'c' is not "
            "ordered with the store by the same block, warp 0, lane 3 at "
            "<unknown>; expected a barrier between them");
  EXPECT_EQ(store(0, 4, 64).substr(0, 11), "global-race");
  synchronizeWarps(scene.worker.block, 3);
  EXPECT_EQ(load(1, 3, 64), "");
  EXPECT_EQ(store(1, 9, 64), "");
}

TEST_F(GlobalRaces, OfStoresWithLoadsBefore) {
  start();
  scene.memory.find(base)->isStored = true;
  setBlock(2);
  auto put = [&](uint32_t warp, uint32_t lane, uint32_t offset) {
    scene.get32(kData, lane, warp) = offset + 1; // not what is there
    return store(warp, lane, offset);
  };
  EXPECT_EQ(load(1, 3, 64), "");
  EXPECT_EQ(put(0, 4, 64),
            "global-race: store of 4 bytes at byte 64 of buffer 'c' is not "
            "ordered with the load by the same block, warp 1, lane 3 at "
            "<unknown>; expected a barrier between them");
  // The lane itself; other lanes of its warp; behind a barrier.
  EXPECT_EQ(load(0, 3, 68), "");
  EXPECT_EQ(put(0, 3, 68), "");
  EXPECT_EQ(load(0, 3, 72), "");
  EXPECT_EQ(put(0, 5, 72).substr(0, 11), "global-race");
  EXPECT_EQ(load(0, 3, 76), "");
  EXPECT_EQ(load(1, 3, 76), "");
  synchronizeWarps(scene.worker.block, 3);
  EXPECT_EQ(put(1, 9, 76), "");
  // The first of two loads that are not ordered.
  EXPECT_EQ(load(0, 3, 80), "");
  EXPECT_EQ(load(1, 4, 80), "");
  EXPECT_EQ(put(1, 4, 80).substr(0, 11), "global-race");
  // Another block's loads, and a store of what is there already.
  EXPECT_EQ(load(0, 3, 84), "");
  setBlock(3);
  EXPECT_EQ(put(1, 4, 84), "");
  std::memset(reinterpret_cast<void *>(base + 88), 0, 4);
  EXPECT_EQ(load(0, 3, 88), "");
  scene.get32(kData, 4, 1) = 0;
  EXPECT_EQ(store(1, 4, 88), "");
}

TEST_F(GlobalRaces, NotBetweenAtomics) {
  scene.program.accesses[0].isVolatile = true;
  scene.program.accesses[1].isVolatile = true;
  start();
  setBlock(0);
  EXPECT_EQ(store(0, 0, 0), "");
  setBlock(1);
  EXPECT_EQ(load(0, 0, 0), "");
  EXPECT_EQ(store(0, 0, 0), "");
  EXPECT_EQ(load(1, 5, 0), "");
}

TEST_F(GlobalRaces, OfBytes) {
  scene.program.globalGranule = 1;
  start();
  setBlock(0);
  EXPECT_EQ(store(0, 0, 0), "");
  setBlock(1);
  // Two granules of a store by another block, seen by a narrower access.
  scene.program.accesses[1].elementBytes = scene.program.accesses[1].bytes = 2;
  EXPECT_EQ(store(0, 0, 4), "");
  EXPECT_EQ(store(0, 0, 2).substr(0, 28), "global-race: store of 2 byte");
}

//===----------------------------------------------------------------------===//
// Speed
//===----------------------------------------------------------------------===//

TEST(Speed, OfInstrumentedAccesses) {
  struct Case {
    const char *name;
    Space space;
    uint32_t bytes, stride;
  };
  for (const Case &c :
       {Case{"shared, 4 bytes, side by side", Space::Shared, 4, 4},
        Case{"shared, 4 bytes, broadcast", Space::Shared, 4, 0},
        Case{"shared, 4 bytes, 32-way conflict", Space::Shared, 4, 128},
        Case{"shared, 16 bytes, side by side", Space::Shared, 16, 16},
        Case{"shared, 16 bytes, padded rows", Space::Shared, 16, 80},
        Case{"global, 4 bytes, side by side", Space::Global, 4, 4},
        Case{"global, 4 bytes, strided", Space::Global, 4, 256},
        Case{"global, 16 bytes, side by side", Space::Global, 16, 16}}) {
    constexpr uint32_t kWarps = 8;
    AccessScene scene(c.space, c.bytes, kWarps);
    scene.start();
    uint64_t base = kSharedBase;
    if (c.space == Space::Global)
      base = reinterpret_cast<uint64_t>(
          llvm::cantFail(scene.memory.allocate(1 << 20)));
    for (uint32_t w = 0; w < kWarps; ++w)
      scene.setAddresses(
          base,
          [&](uint32_t lane) {
            return lane * c.stride + w * (c.stride ? c.stride : 4) * 32;
          },
          w);
    double nanoseconds[2] = {1e30, 1e30};
    for (unsigned repeat = 0; repeat < 20; ++repeat)
      for (bool isStore : {true, false}) {
        auto start = std::chrono::steady_clock::now();
        constexpr unsigned kPhases = 20;
        for (unsigned phase = 0; phase < kPhases; ++phase) {
          for (uint32_t w = 0; w < kWarps; ++w) {
            if (isStore && c.stride == 0)
              scene.warps[w].setActive(1);
            scene.run(isStore ? *scene.store : *scene.load, w);
            scene.warps[w].setActive(kAllLanes);
          }
          synchronizeWarps(scene.worker.block, 0xff);
        }
        std::chrono::duration<double, std::nano> time =
            std::chrono::steady_clock::now() - start;
        nanoseconds[isStore] =
            std::min(nanoseconds[isStore], time.count() / kPhases / kWarps);
      }
    EXPECT_TRUE(scene.takeFindings().empty());
    std::printf("%-34s load %5.0f ns, store %5.0f ns\n", c.name, nanoseconds[0],
                nanoseconds[1]);
  }
}

} // namespace
