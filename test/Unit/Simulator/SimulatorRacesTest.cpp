//===- SimulatorRacesTest.cpp ---------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random accesses to shared memory against an oracle that keeps all of them and
// a vector clock of each thread: no false finding, and none is missed.
//
//===----------------------------------------------------------------------===//

#include "SimulatorShadowScene.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <random>

using namespace tileir::sim;

namespace {

/// Keeps all accesses, and what each thread knows of each other.
class Oracle {
public:
  Oracle(uint32_t warps, uint32_t granules)
      : numThreads(warps * kLanes), history(granules),
        clocks(numThreads, std::vector<uint32_t>(numThreads)) {
    for (uint32_t t = 0; t < numThreads; ++t)
      clocks[t][t] = 1;
  }

  void synchronize(const std::vector<uint32_t> &threads) {
    std::vector<uint32_t> met(numThreads);
    for (uint32_t t : threads)
      for (uint32_t u = 0; u < numThreads; ++u)
        met[u] = std::max(met[u], clocks[t][u]);
    for (uint32_t t : threads) {
      clocks[t] = met;
      ++clocks[t][t];
    }
  }

  bool isTainted(uint32_t granule) const { return history[granule].tainted; }

  /// Adds what is wrong with this access.
  void access(uint32_t thread, uint32_t granule, bool isStore, bool atomic,
              bool &race, bool &uninitialized) {
    History &h = history[granule];
    bool written = false, conflict = false;
    for (const Entry &e : h.entries) {
      written |= e.isStore;
      if ((e.isStore || isStore) && !(e.atomic && atomic))
        conflict |= e.clock > clocks[thread][e.thread];
    }
    race |= conflict;
    h.tainted |= conflict;
    uninitialized |= !conflict && !isStore && !written;
    h.entries.push_back({thread, clocks[thread][thread], isStore, atomic});
  }

private:
  struct Entry {
    uint32_t thread, clock;
    bool isStore, atomic;
  };
  struct History {
    std::vector<Entry> entries;
    bool tainted = false; ///< by a race: only the first one counts
  };
  uint32_t numThreads;
  std::vector<History> history;
  std::vector<std::vector<uint32_t>> clocks;
};

struct Totals {
  unsigned races = 0, uninitialized = 0, clean = 0;
};

/// Runs random accesses of some lanes of each warp in a small piece of memory.
void runRandom(unsigned seed, Totals &totals) {
  std::mt19937 random(seed);
  auto pick = [&](uint32_t n) { return uint32_t(random() % n); };
  const uint32_t warps = 1 + pick(5), granule = 1u << pick(3);
  // Some with accesses of whole warps side by side.
  const bool whole = pick(4) == 0;
  const uint32_t granules = whole ? 128 : 16 + pick(2) * 16;
  const uint32_t lanes = 2 + pick(5);
  const bool useAtomics = pick(2), useLanes = pick(2);
  // Often enough ordered for long runs without a race.
  const uint32_t syncRate = 1 + pick(6);
  ShadowScene s(warps, granule, granules * granule);
  for (unsigned block = 0; block < 3; ++block) {
    if (block)
      beginBlock(s.worker.block);
    for (uint32_t w = 0; w < warps; ++w) {
      delete[] s.warps[w].laneKnown;
      s.warps[w].laneKnown = nullptr;
    }
    Oracle oracle(warps, granules);
    auto syncWarps = [&](uint32_t mask) {
      s.sync(mask);
      std::vector<uint32_t> threads;
      for (uint32_t t = 0; t < warps * kLanes; ++t)
        if (mask >> t / kLanes & 1)
          threads.push_back(t);
      oracle.synchronize(threads);
    };
    if (pick(3)) { // often everything is written first
      for (uint32_t g = 0; g < granules; ++g) {
        bool race = false, uninitialized = false;
        s.store(0, 0, g * granule, granule);
        oracle.access(0, g, true, false, race, uninitialized);
      }
      syncWarps((1u << warps) - 1);
    }
    for (unsigned step = 0; step < 150; ++step) {
      if (pick(10) < syncRate) {
        uint32_t all = (1u << warps) - 1;
        if (pick(3) || !useLanes) {
          syncWarps(pick(2) ? all : 1 + pick(all));
          continue;
        }
        uint32_t w = pick(warps), mask = 1 + pick((1u << lanes) - 1);
        if (pick(4) == 0)
          mask = kAllLanes;
        s.worker.block.synchronizeLanes(s.warps[w], mask);
        std::vector<uint32_t> threads;
        for (uint32_t lane = 0; lane < kLanes; ++lane)
          if (mask >> lane & 1)
            threads.push_back(w * kLanes + lane);
        oracle.synchronize(threads);
        continue;
      }
      const bool sideBySide = whole && pick(2);
      const uint32_t w = pick(warps);
      const uint32_t mask =
          sideBySide ? kAllLanes : 1 + pick((1u << lanes) - 1);
      const uint32_t count = 1u << pick(sideBySide ? 3 : 5); // of each lane
      const bool isStore = pick(3) == 0, atomic = useAtomics && pick(2);
      uint64_t addresses[kLanes];
      uint32_t same = pick(granules / count) * count;
      bool sameForAll = pick(3) == 0, tainted = false;
      if (sideBySide)
        same = pick(granules / count - kLanes + 1) * count;
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        uint32_t first = sideBySide   ? same + lane * count
                         : sameForAll ? same
                                      : pick(granules / count) * count;
        addresses[lane] = kSharedBase + first * granule;
        if (mask >> lane & 1)
          for (uint32_t g = first; g < first + count; ++g)
            tainted |= oracle.isTainted(g);
      }
      if (tainted)
        continue;
      bool race = false, uninitialized = false;
      for (uint32_t lane = 0; lane < kLanes; ++lane)
        for (uint32_t g = 0; (mask >> lane & 1) && g < count; ++g)
          oracle.access(w * kLanes + lane,
                        (addresses[lane] - kSharedBase) / granule + g, isStore,
                        atomic, race, uninitialized);
      s.worker.block.shadow->access(s.warps[w], &s.program.code[isStore], mask,
                                    addresses, count * granule, isStore, atomic,
                                    sideBySide);
      bool foundRace = false, foundUninitialized = false;
      std::string messages;
      for (const Finding &finding : s.takeFindings()) {
        foundRace |= finding.kind == FindingKind::SharedRace;
        foundUninitialized |= finding.kind == FindingKind::UninitializedShared;
        messages += finding.message;
      }
      ASSERT_EQ(foundRace, race)
          << "seed " << seed << ", step " << step << ", " << messages;
      ASSERT_EQ(foundUninitialized, uninitialized)
          << "seed " << seed << ", step " << step << ", " << messages;
      totals.races += race;
      totals.uninitialized += uninitialized;
      totals.clean += !race && !uninitialized;
    }
  }
}

TEST(Races, AgreeWithAnOracleOnRandomAccesses) {
  Totals totals;
  for (unsigned seed = 0; seed < 1200 && !HasFatalFailure(); ++seed)
    runRandom(seed, totals);
  std::printf("%u races, %u uninitialised, %u clean accesses\n", totals.races,
              totals.uninitialized, totals.clean);
  EXPECT_GT(totals.races, 10000u);
  EXPECT_GT(totals.uninitialized, 10000u);
  EXPECT_GT(totals.clean, 50000u);
}

} // namespace
