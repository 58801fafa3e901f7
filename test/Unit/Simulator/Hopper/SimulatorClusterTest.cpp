//===- SimulatorClusterTest.cpp - Clusters and their shared memory --------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels in PTX whose blocks exchange numbers through each other's shared
// memory, what they must not leave out, and launches that a chip refuses.
//
//===----------------------------------------------------------------------===//

#include "SimulatorRun.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {
constexpr const char *kSync = "barrier.cluster.arrive.aligned;\n"
                              "barrier.cluster.wait.aligned;\n";

/// A kernel of one pointer, in %rd1, with 32 words of shared memory, in %r1;
/// %r2: the thread, %r3: the rank, %r4: the rank behind it, %rd2: the thread's
/// word of the array.
std::string getKernel(const std::string &body,
                      const std::string &directives = "") {
  return R"(.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 x) )" +
         directives + R"({
  .shared .align 16 .b8 data[128];
  .shared .align 8 .b64 bar;
  .reg .pred %p<4>;
  .reg .b32 %r<32>;
  .reg .b64 %rd<16>;
  ld.param.u64 %rd1, [x];
  mov.u32 %r1, data;
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %cluster_ctarank;
  mov.u32 %r5, %cluster_nctarank;
  add.u32 %r4, %r3, 1;
  rem.u32 %r4, %r4, %r5;
  mov.u32 %r6, %ctaid.x;
  shl.b32 %r7, %r6, 5;
  add.u32 %r7, %r7, %r2;
  mul.wide.u32 %rd2, %r7, 4;
  add.u64 %rd2, %rd1, %rd2;
  shl.b32 %r8, %r2, 2;
  add.u32 %r9, %r1, %r8;
)" + body +
         "  ret;\n}\n";
}

/// Each thread puts 100 * block + thread into its block's memory, and reads
/// that of the next rank.
std::string getRing(const std::string &before, const std::string &after) {
  return getKernel(R"(
  mad.lo.u32 %r10, %r6, 100, %r2;
  st.shared.u32 [%r9], %r10;
)" + before + R"(
  mapa.shared::cluster.u32 %r11, %r9, %r4;
  ld.shared::cluster.u32 %r12, [%r11];
  st.global.u32 [%rd2], %r12;
)" + after);
}

RunOptions getOptions(uint32_t blocks, uint32_t cluster) {
  RunOptions options;
  options.chip = "sm_90a";
  options.grid = {blocks, 1, 1};
  options.cluster = {cluster, 1, 1};
  return options;
}

std::string runText(const std::string &kernel, uint32_t cluster = 2) {
  std::vector<std::vector<uint32_t>> x = {std::vector<uint32_t>(32 * 8)};
  RunResult result = run(kernel, x, getOptions(8, cluster));
  return result.error + result.text();
}
} // namespace

TEST(Cluster, Ring) {
  for (uint32_t size : {1u, 2u, 4u, 8u}) {
    std::vector<std::vector<uint32_t>> x = {std::vector<uint32_t>(32 * 8)};
    RunResult result = run(getRing(kSync, kSync), x, getOptions(8, size));
    EXPECT_EQ(result.error + result.text(), "") << size;
    for (uint32_t b = 0; b < 8; ++b)
      for (uint32_t t = 0; t < 32; ++t)
        EXPECT_EQ(x[0][32 * b + t],
                  100 * (b / size * size + (b + 1) % size) + t)
            << size << ": " << b << ", " << t;
  }
}

TEST(Cluster, GenericAddresses) {
  std::string kernel = getKernel(std::string(R"(
  mov.u32 %r20, 7;
  st.shared.u32 [%r9], %r20;
)") + kSync + R"(
  cvt.u64.u32 %rd3, %r9;
  cvta.shared.u64 %rd4, %rd3;
  mapa.u64 %rd5, %rd4, %r4;
  atom.add.u32 %r10, [%rd5], %r6;
  getctarank.u64 %r11, %rd5;
  getctarank.u64 %r12, %rd4;
  shl.b32 %r11, %r11, 8;
  or.b32 %r13, %r11, %r12;
  isspacep.shared::cluster %p1, %rd5;
  isspacep.shared::cta %p2, %rd5;
  selp.u32 %r14, 65536, 0, %p1;
  selp.u32 %r15, 131072, 0, %p2;
  or.b32 %r13, %r13, %r14;
  or.b32 %r13, %r13, %r15;
)" + kSync + R"(
  ld.shared.u32 %r16, [%r9];
  shl.b32 %r16, %r16, 20;
  or.b32 %r13, %r13, %r16;
  st.global.u32 [%rd2], %r13;
)");
  std::vector<std::vector<uint32_t>> x = {std::vector<uint32_t>(32 * 4)};
  RunResult result = run(kernel, x, getOptions(4, 2));
  EXPECT_EQ(result.error + result.text(), "");
  for (uint32_t b = 0; b < 4; ++b)
    for (uint32_t t = 0; t < 32; ++t)
      EXPECT_EQ(x[0][32 * b + t],
                (7 + (b ^ 1)) << 20 | 65536 | ((b + 1) % 2) << 8 | b % 2)
          << b;
}

TEST(Cluster, SpecialRegisters) {
  std::string kernel = getKernel(R"(
  mov.u32 %r10, %cluster_ctaid.x;
  mov.u32 %r11, %cluster_ctaid.y;
  mov.u32 %r12, %cluster_nctaid.x;
  mov.u32 %r13, %cluster_nctaid.y;
  mov.u32 %r14, %clusterid.x;
  mov.u32 %r15, %clusterid.y;
  mov.u32 %r16, %nclusterid.x;
  mov.u32 %r17, %nclusterid.y;
  mov.u32 %r18, %ctaid.y;
  mad.lo.u32 %r18, %r18, 4, %r6;
  mul.wide.u32 %rd3, %r18, 4;
  add.u64 %rd3, %rd1, %rd3;
  mad.lo.u32 %r10, %r11, 10, %r10;
  mad.lo.u32 %r10, %r12, 100, %r10;
  mad.lo.u32 %r10, %r13, 1000, %r10;
  mad.lo.u32 %r10, %r14, 10000, %r10;
  mad.lo.u32 %r10, %r15, 100000, %r10;
  mad.lo.u32 %r10, %r16, 1000000, %r10;
  mad.lo.u32 %r10, %r17, 10000000, %r10;
  mad.lo.u32 %r10, %r3, 100000000, %r10;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 st.global.u32 [%rd3], %r10;
)",
                                 ".reqnctapercluster 2, 2, 1");
  std::vector<std::vector<uint32_t>> x = {std::vector<uint32_t>(24)};
  RunOptions options = getOptions(4, 0);
  options.grid = {4, 6, 1};
  RunResult result = run(kernel, x, options);
  EXPECT_EQ(result.error + result.text(), "");
  for (uint32_t by = 0; by < 6; ++by)
    for (uint32_t bx = 0; bx < 4; ++bx)
      EXPECT_EQ(x[0][4 * by + bx], bx % 2 + 10 * (by % 2) + 200 + 2000 +
                                       10000 * (bx / 2) + 100000 * (by / 2) +
                                       2000000 + 30000000 +
                                       100000000 * (bx % 2 + by % 2 * 2));
}

TEST(Cluster, MissingBarriers) {
  EXPECT_NE(runText(getRing("", kSync)).find("may not have begun"),
            std::string::npos);
  std::string ended = runText(getRing(kSync, ""));
  EXPECT_NE(ended.find("block-lifetime: load of 4 bytes at shared offset 0 of "
                       "rank 1, a block that has ended"),
            std::string::npos)
      << ended;
  // Rank 1, which arrives last, goes on first: rank 0 is still there, by luck.
  std::string late = runText(getRing(
      std::string(kSync) + "setp.eq.u32 %p1, %r3, 0;\n@%p1 ret;\n", ""));
  EXPECT_NE(late.find("block-lifetime: load at shared offset 0 of rank 0 may "
                      "come after the end of that block"),
            std::string::npos)
      << late;
  std::string relaxed =
      runText(getRing("barrier.cluster.arrive.relaxed.aligned;\n"
                      "barrier.cluster.wait.aligned;\n",
                      kSync));
  EXPECT_NE(relaxed.find("shared-race: load of 4 bytes at shared offset 0 of "
                         "rank "),
            std::string::npos)
      << relaxed;
}

/// A fence makes a relaxed arrival release.
TEST(Cluster, FenceAndRelaxedArrive) {
  EXPECT_EQ(runText(getRing("fence.acq_rel.cluster;\n"
                            "barrier.cluster.arrive.relaxed.aligned;\n"
                            "barrier.cluster.wait.aligned;\n",
                            kSync)),
            "");
}

TEST(Cluster, LocalStoreMeetsRemoteLoad) {
  std::string text = runText(getRing(kSync, std::string("st.shared.u32 [%r9], "
                                                        "%r2;\n") +
                                                kSync));
  EXPECT_NE(text.find("shared-race: "), std::string::npos) << text;
  EXPECT_EQ(runText(getRing(kSync, std::string(kSync) +
                                       "st.shared.u32 [%r9], %r2;\n")),
            "");
}

TEST(Cluster, WrongRank) {
  std::string text =
      runText(getRing(std::string(kSync) + "add.u32 %r4, %r4, 2;\n", kSync));
  EXPECT_NE(text.find("out-of-bounds: load of 4 bytes at shared offset 0 of "
                      "rank "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("expected a rank below 2, the blocks of the cluster"),
            std::string::npos)
      << text;
}

TEST(Cluster, Deadlock) {
  // Rank 1 waits at a barrier of its block that only it reaches half of.
  std::string text = runText(getKernel(R"(
  setp.eq.u32 %p1, %r3, 1;
  mbarrier.init.shared.b64 [bar], 1;
  @%p1 bra stuck;
)" + std::string(kSync) + R"(
  ret;
stuck:
  mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;
  @!%p2 bra stuck;
)"));
  EXPECT_NE(text.find("barrier.cluster.wait waits for ever"), std::string::npos)
      << text;
}

TEST(Cluster, ArriveTwice) {
  std::string text = runText(getKernel("barrier.cluster.arrive.aligned;\n"
                                       "barrier.cluster.arrive.aligned;\n"));
  EXPECT_NE(text.find("mismatched-barrier: barrier.cluster.arrive for the "
                      "second time"),
            std::string::npos)
      << text;
  EXPECT_NE(runText(getKernel("barrier.cluster.wait.aligned;\n"))
                .find("barrier.cluster.wait without an arrival"),
            std::string::npos);
}

/// Rank 0 tells rank 1 by an mbarrier there that its word is written.
static std::string getProducer(const std::string &arrive) {
  return getKernel(R"(
  setp.eq.u32 %p1, %r2, 0;
  @%p1 mbarrier.init.shared.b64 [bar], 1;
  fence.mbarrier_init.release.cluster;
)" + std::string(kSync) +
                   R"(
  setp.ne.u32 %p2, %r3, 0;
  @%p2 bra consume;
  @!%p1 bra done;
  mapa.shared::cluster.u32 %r11, %r1, %r4;
  mov.u32 %r12, bar;
  mapa.shared::cluster.u32 %r12, %r12, %r4;
  add.u32 %r13, %r6, 42;
  st.shared::cluster.u32 [%r11], %r13;
  )" + arrive + R"( _, [%r12];
  bra done;
consume:
  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [bar], 0;
  @!%p3 bra consume;
  ld.shared.u32 %r14, [%r1];
  st.global.u32 [%rd2], %r14;
done:
)" + kSync);
}

TEST(Cluster, RemoteArrive) {
  std::vector<std::vector<uint32_t>> x = {std::vector<uint32_t>(32 * 4)};
  RunResult result =
      run(getProducer("mbarrier.arrive.release.cluster.shared::cluster.b64"), x,
          getOptions(4, 2));
  EXPECT_EQ(result.error + result.text(), "");
  for (uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(x[0][32 + t], 42u);
    EXPECT_EQ(x[0][96 + t], 44u);
  }
  std::string text = runText(
      getProducer("mbarrier.arrive.relaxed.cluster.shared::cluster.b64"));
  EXPECT_NE(text.find("shared-race: "), std::string::npos) << text;
}

/// Rank 0 writes a word of rank 1 and arrives there; warp 0 of rank 1 waits,
/// and tells its warp 1, which reads the word, by a flag.
static std::string getHandOver(const std::string &order) {
  const bool isOrdered = !order.empty();
  return getKernel(R"(
  setp.eq.u32 %p1, %r2, 0;
  mov.u32 %r20, 0;
  @%p1 mbarrier.init.shared.b64 [bar], 1;
  @%p1 st.shared.u32 [data+64], %r20;
  fence.mbarrier_init.release.cluster;
)" + std::string(kSync) +
                   R"(
  shr.u32 %r21, %r2, 5;
  setp.ne.u32 %p2, %r3, 0;
  @%p2 bra consume;
  @!%p1 bra done;
  mapa.shared::cluster.u32 %r11, %r1, %r4;
  mov.u32 %r12, bar;
  mapa.shared::cluster.u32 %r12, %r12, %r4;
  mov.u32 %r13, 42;
  st.shared::cluster.u32 [%r11], %r13;
  mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r12];
  bra done;
consume:
  setp.ne.u32 %p3, %r21, 0;
  @%p3 bra second;
wait:
  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [bar], 0;
  @!%p3 bra wait;
  mov.u32 %r20, 1;
  @%p1 st.)" + (isOrdered ? "release" : "relaxed") +
                   R"(.cta.shared.u32 [data+64], %r20;
  bra done;
second:
  ld.)" + (isOrdered ? "acquire" : "relaxed") +
                   R"(.cta.shared.u32 %r22, [data+64];
  setp.eq.u32 %p3, %r22, 0;
  @%p3 bra second;
  ld.shared.u32 %r14, [%r1];
  st.global.u32 [%rd2], %r14;
done:
)" + kSync);
}

/// What one warp of a block knows of another block, the next one does not.
TEST(Cluster, OrderIsOfWarps) {
  RunOptions options = getOptions(2, 2);
  options.block = {64, 1, 1};
  std::vector<std::vector<uint32_t>> x = {std::vector<uint32_t>(32 * 3)};
  RunResult result = run(getHandOver("ordered"), x, options);
  EXPECT_EQ(result.error + result.text(), "");
  for (uint32_t t = 64; t < 96; ++t)
    EXPECT_EQ(x[0][t], 42u) << t;
  std::string text = run(getHandOver(""), x, options).text();
  EXPECT_NE(
      text.find("shared-race: load of 4 bytes at shared offset 0 of rank 1 "
                "is not ordered with the store by warp 0 of rank 0"),
      std::string::npos)
      << text;
}

/// Rank 0 writes a word of rank 1 and sets a flag there by `store`; rank 1
/// polls it by `load`.
static std::string getFlag(const std::string &store, const std::string &load) {
  return getKernel(R"(
  setp.eq.u32 %p1, %r2, 0;
  mov.u32 %r20, 0;
  @%p1 st.shared.u32 [data+64], %r20;
)" + std::string(kSync) +
                   R"(
  setp.ne.u32 %p2, %r3, 0;
  @%p2 bra consume;
  @!%p1 bra done;
  mapa.shared::cluster.u32 %r11, %r1, %r4;
  add.u32 %r12, %r6, 42;
  st.shared::cluster.u32 [%r11], %r12;
  mov.u32 %r20, 1;
  )" + store + R"(
  bra done;
consume:
  )" + load + R"(.shared.u32 %r22, [data+64];
  setp.eq.u32 %p3, %r22, 0;
  @%p3 bra consume;
  ld.shared.u32 %r14, [%r1];
  st.global.u32 [%rd2], %r14;
done:
)" + kSync);
}

/// A flag orders blocks, if it is released and acquired for the cluster.
TEST(Cluster, FlagInSharedMemory) {
  for (const char *store :
       {"st.release.cluster.shared::cluster.u32 [%r11+64], %r20;",
        "fence.acq_rel.cluster;\n"
        "st.relaxed.cluster.shared::cluster.u32 [%r11+64], %r20;",
        "atom.add.release.cluster.shared::cluster.u32 %r23, [%r11+64], "
        "%r20;"}) {
    std::vector<std::vector<uint32_t>> x = {std::vector<uint32_t>(32 * 4)};
    RunResult result =
        run(getFlag(store, "ld.acquire.cluster"), x, getOptions(4, 2));
    EXPECT_EQ(result.error + result.text(), "") << store;
    for (uint32_t t = 0; t < 32; ++t) {
      EXPECT_EQ(x[0][32 + t], 42u) << store;
      EXPECT_EQ(x[0][96 + t], 44u) << store;
    }
  }
  using Case = std::pair<const char *, const char *>;
  for (auto [store, load] :
       {Case("st.relaxed.cluster.shared::cluster.u32 [%r11+64], %r20;",
             "ld.acquire.cluster"),
        Case("st.release.cluster.shared::cluster.u32 [%r11+64], %r20;",
             "ld.relaxed.cluster"),
        Case("st.release.cluster.shared::cluster.u32 [%r11+64], %r20;",
             "ld.acquire.cta")}) {
    std::string text = runText(getFlag(store, load));
    EXPECT_NE(
        text.find("shared-race: load of 4 bytes at shared offset 0 of rank 1 "
                  "is not ordered with the store by warp 0 of rank "),
        std::string::npos)
        << store << load << text;
  }
}

/// Rank 0 copies the first 128 bytes of the array to all blocks in the mask by
/// `copy`, twice; each block waits for its bytes and adds both to its part of
/// the array, `release` being what it does between them.
static std::string getMulticast(const std::string &release,
                                const std::string &copy =
                                    "cp.async.bulk.shared::cluster.global."
                                    "mbarrier::complete_tx::bytes.multicast::"
                                    "cluster [%r1], [%rd1], 128, [%r12], "
                                    "%rs1;",
                                const std::string &mask = "3") {
  return getKernel(R"(
  .shared .align 8 .b64 empty;
  .reg .b16 %rs1;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 mbarrier.init.shared.b64 [bar], 1;
  @%p1 mbarrier.init.shared.b64 [empty], 2;
  fence.mbarrier_init.release.cluster;
  mov.u32 %r12, bar;
  mov.u32 %r20, 0;
  mov.u32 %r21, 0;
  mov.b16 %rs1, )" +
                   mask + R"(;
  setp.eq.u32 %p2, %r3, 0;
  and.pred %p2, %p2, %p1;
)" + std::string(kSync) +
                   R"(
again:
  @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 128;
  @!%p2 bra wait;
  )" + copy + R"(
wait:
  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [bar], %r20;
  @!%p3 bra wait;
  ld.shared.u32 %r14, [%r9];
  add.u32 %r21, %r21, %r14;
  bar.warp.sync -1;
)" + release + R"(
  add.u32 %r20, %r20, 1;
  setp.lt.u32 %p3, %r20, 2;
  @%p3 bra again;
  add.u64 %rd2, %rd2, 128;
  st.global.u32 [%rd2], %r21;
)" + kSync);
}

/// Thread 0 tells rank 0 that its block has read, who waits for all.
constexpr const char *kRelease = R"(
  mov.u32 %r16, empty;
  mapa.shared::cluster.u32 %r15, %r16, 0;
  @%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r15];
  setp.ne.u32 %p3, %r3, 0;
  @%p3 bra released;
free:
  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [empty], %r20;
  @!%p3 bra free;
released:
)";

TEST(Cluster, Multicast) {
  std::vector<std::vector<uint32_t>> x = {std::vector<uint32_t>(32 * 3)};
  for (uint32_t i = 0; i < 32; ++i)
    x[0][i] = 1000 + i * i;
  RunResult result = run(getMulticast(kRelease), x, getOptions(2, 2));
  EXPECT_EQ(result.error + result.text(), "");
  for (uint32_t b = 1; b < 3; ++b)
    for (uint32_t t = 0; t < 32; ++t)
      EXPECT_EQ(x[0][32 * b + t], 2 * (1000 + t * t)) << b << ", " << t;
  // Two copies of 4 sectors, whatever the number of blocks, and two stores.
  uint64_t sectors = 0;
  for (const AccessSummary &access : result.counters.accesses)
    sectors += access.counters.sectors;
  EXPECT_EQ(sectors, 2u * 4 + 2 * 4);
}

/// The next copy overwrites what a block may still read.
TEST(Cluster, MulticastWithoutRelease) {
  std::string relaxed = kRelease;
  relaxed.replace(relaxed.find("arrive.release"), 14, "arrive.relaxed");
  for (const std::string &release : {std::string(), relaxed}) {
    std::vector<std::vector<uint32_t>> x = {std::vector<uint32_t>(32 * 3)};
    std::string text = run(getMulticast(release), x, getOptions(2, 2)).text();
    EXPECT_NE(text.find("shared-race: "), std::string::npos) << release << text;
    EXPECT_NE(text.find("of rank 1"), std::string::npos) << release << text;
  }
}

TEST(Cluster, BulkToAnotherBlock) {
  auto runCopies = [&](const std::string &copy, const std::string &mask) {
    std::vector<std::vector<uint32_t>> x = {std::vector<uint32_t>(32 * 3, 5)};
    RunResult result =
        run(getMulticast(kRelease, copy, mask), x, getOptions(2, 2));
    return result.error + result.text();
  };
  const std::string multicast =
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
      "multicast::cluster [%r1], [%rd1], 128, [%r12], %rs1;\n";
  const std::string single =
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%r24], [%rd1], 128, [%r25];\n";
  const std::string own = "mov.u32 %r24, %r1;\nmov.u32 %r25, %r12;\n";
  const std::string bytes = "mapa.shared::cluster.u32 %r24, %r1, %r4;\n";
  const std::string barrier = "mapa.shared::cluster.u32 %r25, %r12, %r4;\n";
  // One copy to each block is a multicast.
  EXPECT_EQ(runCopies(own + single + bytes + barrier + single, "3"), "");
  for (const char *mask : {"0", "4", "7"}) {
    std::string text = runCopies(multicast, mask);
    EXPECT_NE(text.find("expected a mask of the 2 of the cluster, not 0"),
              std::string::npos)
        << mask << text;
  }
  EXPECT_NE(runCopies(own + bytes + single, "3")
                .find("expected both in one "
                      "block"),
            std::string::npos);
  // Rank 1 never gets its bytes.
  EXPECT_NE(runCopies(multicast, "1").find("deadlock"), std::string::npos);
}

TEST(Cluster, Launches) {
  std::string kernel = getRing(kSync, kSync);
  std::vector<std::vector<uint32_t>> x = {std::vector<uint32_t>(32 * 32)};
  auto launch = [&](uint32_t grid, uint32_t cluster, const char *chip,
                    bool nonPortable) {
    RunOptions options = getOptions(grid, cluster);
    options.chip = chip;
    options.nonPortableCluster = nonPortable;
    RunResult result = run(kernel, x, options);
    return result.error + result.text();
  };
  EXPECT_NE(launch(6, 4, "sm_90a", false)
                .find("grid.x = 6: expected a multiple of 4, the blocks of a "
                      "cluster"),
            std::string::npos);
  EXPECT_NE(launch(16, 16, "sm_90a", false)
                .find("16 blocks in a cluster: expected at most 8, or the "
                      "non-portable size allowed"),
            std::string::npos);
  EXPECT_EQ(launch(16, 16, "sm_90a", true), "");
  EXPECT_NE(launch(32, 32, "sm_90a", true).find("expected at most 16"),
            std::string::npos);
  EXPECT_NE(
      runText(getKernel("", ".reqnctapercluster 4"), 2)
          .find("cluster.x = 2: expected 4, as its nvvm.cluster_dim says"),
      std::string::npos);
  EXPECT_NE(launch(2, 2, "sm_80", false).find("expected sm_90"),
            std::string::npos);
}
