//===- SimulatorClusterGemmTest.cpp ---------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The GEMM of clusters (SimulatorClusterGemm.h) is right without a finding, and
// each planted fault is found.
//
//===----------------------------------------------------------------------===//

#include "SimulatorClusterGemm.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

/// The first line of the text that begins with `begin`, from 1 on.
uint32_t findLine(const std::string &text, const std::string &begin) {
  size_t at = text.find(begin);
  return at == std::string::npos
             ? 0
             : 1 + std::count(text.begin(), text.begin() + at, '\n');
}

TEST(ClusterGemm, IsRight) {
  const std::string ptx = makeGemm();
  const uint32_t loadOfA = findLine(ptx, "  cp.async.bulk.tensor.2d");
  ASSERT_NE(loadOfA, 0u);
  for (uint32_t rounds : {1, 2, 3, 4, 5, 8}) {
    GemmResult result = runGemm(ptx, rounds);
    ASSERT_EQ(result.text, "") << rounds;
    EXPECT_EQ(result.wrong, 0u) << rounds;
    // B is read once for a cluster, A once, sectors of 32 bytes.
    uint64_t sectors[2] = {}, bytes[2] = {};
    for (const AccessSummary &access : result.counters.accesses)
      for (uint32_t i = 0; i < 2; ++i)
        if (access.location.line == loadOfA + i) {
          sectors[i] += access.counters.sectors;
          bytes[i] += access.counters.bytes;
        }
    const uint32_t clusters = kGemmBlocks / kCluster;
    EXPECT_EQ(bytes[0], rounds * kGemmBlocks * kRows * kDepth * 2) << rounds;
    EXPECT_EQ(bytes[1], rounds * clusters * kColumns * kDepth * 2) << rounds;
    for (uint32_t i = 0; i < 2; ++i)
      EXPECT_EQ(sectors[i], bytes[i] / 32) << rounds;
    EXPECT_EQ(result.counters.wgmma, rounds * kGemmBlocks * 4 * (kDepth / 16));
  }
}

TEST(ClusterGemm, FaultsAreFound) {
  struct Fault {
    const char *what, *from, *to, *found;
  };
  const std::string sync = "  barrier.cluster.arrive;\n"
                           "  barrier.cluster.wait;\n";
  const std::string begin = sync + "  setp.lt.u32", end = sync + "  ret;";
  const std::string wait = "  wgmma.wait_group.sync.aligned 0;\n",
                    release = "  @%p2 mbarrier.arrive.release.cluster.shared::"
                              "cluster.b64 _, [%empty];\n";
  const std::string waitAndRelease = wait + release,
                    releaseAndWait = release + wait;
  const Fault faults[] = {
      {"each block keeps its half", "mov.b16 %mask, 3;",
       "shl.b32 %r0, 1, %rank;\n  cvt.u16.u32 %mask, %r0;",
       "2048 bytes pending"},
      {"all goes to rank 0", "mov.b16 %mask, 3;", "mov.b16 %mask, 1;",
       "deadlock: "},
      {"to a block that is not there", "mov.b16 %mask, 3;", "mov.b16 %mask, 7;",
       "invalid-copy: "},
      {"no remote arrival", "mapa.shared::cluster.u32 %empty, %empty, %r4;",
       "mapa.shared::cluster.u32 %empty, %empty, %rank;\n"
       "  setp.lt.u32 %p2, %r4, 1;",
       "has 4 of 8 arrivals"},
      {"arrivals at rank 0 only", "setp.lt.u32 %p2, %r4, 2;",
       "setp.lt.u32 %p2, %r4, 1;", "deadlock: "},
      {"both arrivals at the own block",
       "mapa.shared::cluster.u32 %empty, %empty, %r4;",
       "mapa.shared::cluster.u32 %empty, %empty, %rank;", "shared-race: "},
      {"relaxed arrivals", "arrive.release.cluster", "arrive.relaxed.cluster",
       "shared-race: "},
      {"the bytes of the own copies alone", "[%full], 12288", "[%full], 10240",
       "mbarrier-misuse: "},
      {"too many bytes", "[%full], 12288", "[%full], 14336",
       "2048 bytes pending"},
      {"the consumer waits for the other parity",
       "shared::cta.b64 %p1, [%full], %parity",
       "shared::cta.b64 %p1, [%full], %r7", "missing-wait: "},
      {"the producer waits for the other parity", "[%empty], %other;",
       "[%empty], %parity;", "deadlock: "},
      {"the producer does not wait", "@!%p1 bra waitEmpty;", "",
       "phase-lapped: "},
      {"a release before the products are done", waitAndRelease.c_str(),
       releaseAndWait.c_str(), "shared-race: "},
      {"no wait for the products", wait.c_str(), "", "missing-wait: "},
      {"both blocks load one half", "shl.b32 %r2, %rank, 11;",
       "mov.u32 %r2, 0;", "shared-race: "},
      {"no barrier behind the mbarriers", begin.c_str(), "  setp.lt.u32",
       "may not have begun"},
      {"a barrier of the block alone", begin.c_str(),
       "  bar.sync 0;\n  setp.lt.u32", "may not have begun"},
      {"no barrier at the end", end.c_str(), "  ret;", "block-lifetime: "},
  };
  for (const Fault &fault : faults) {
    std::string ptx = makeGemm();
    change(ptx, fault.from, fault.to);
    if (ptx.find("%r7") != std::string::npos)
      change(ptx, "waitFull:\n", "  xor.b32 %r7, %parity, 1;\nwaitFull:\n");
    GemmResult result = runGemm(ptx, 5);
    EXPECT_NE(result.text.find(fault.found), std::string::npos)
        << fault.what << ": " << fault.found << "\nin\n"
        << result.text;
    // Lanes that another lane of their warp keeps waiting are no cause.
    EXPECT_EQ(result.text.find("divergent-barrier"), std::string::npos)
        << fault.what << ": " << result.text;
  }
}

/// A block writes to the tile of B of the other one before that multiplies.
TEST(ClusterGemm, ProductMeetsStoreOfAnotherBlock) {
  // Of one round, so that nothing but the product reads the place later. The
  // last lane of warp 0 writes, when it has seen the bytes arrive.
  const std::string store =
      "  setp.ne.u32 %p3, %tid, 31;\n  @%p3 bra stored;\n"
      "  mov.u32 %r8, stages;\n  add.u32 %r8, %r8, 8192;\n"
      "  xor.b32 %r9, %rank, 1;\n"
      "  mapa.shared::cluster.u32 %r8, %r8, %r9;\n  mov.u32 %r10, 0;\n"
      "  st.shared::cluster.u32 [%r8], %r10;\nstored:\n"
      "  bar.warp.sync -1;\n";
  const std::string order = "  fence.proxy.async;\n"
                            "  barrier.cluster.arrive.RELAXED\n"
                            "  barrier.cluster.wait;\n";
  for (bool isOrdered : {false, true}) {
    std::string ptx = makeGemm(), sync = order;
    change(sync, ".RELAXED", isOrdered ? ";" : ".relaxed;");
    change(ptx, "  wgmma.fence.sync", store + sync + "  wgmma.fence.sync");
    // The other warps reach the barrier of the cluster as often.
    change(ptx, "  setp.ne.u32 %p0, %tid, 128;\n  @%p0 bra done;\n",
           "  setp.ne.u32 %p0, %tid, 128;\n  @%p0 bra idle;\n");
    change(ptx, "  add.u32 %k, %k, 1;\n  bra produce;\n",
           "  add.u32 %k, %k, 1;\nidle:\n" + sync + "  bra done;\n");
    GemmResult result = runGemm(ptx, 1);
    const bool isFound =
        result.text.find("shared-race: wgmma.mma_async of 16 bytes at shared "
                         "offset 8192") != std::string::npos;
    EXPECT_EQ(isFound, !isOrdered) << result.text;
  }
}

} // namespace
