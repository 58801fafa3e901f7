//===- SimulatorArrivalTest.cpp -------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies that arrive at an mbarrier: bulk copies between the shared memories of
// a cluster, and cp.async by cp.async.mbarrier.arrive; and relaxed arrivals
// behind a fence. Results, and what is found where a wait, a fence or the bytes
// are wrong.
//
//===----------------------------------------------------------------------===//

#include "SimulatorExchange.h"
#include "SimulatorPtx.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

constexpr const char *kSend =
    "mov.u32 %r20, 128;\n"
    "@%first cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::"
    "bytes [%r7], [%r1], %r20, [%r3];\n";

TEST(AsyncArrival, BulkBetweenBlocks) {
  std::vector<uint32_t> out;
  RunResult result = runExchange(getExchange(kSend, 128), out);
  EXPECT_EQ(result.error + result.text(), "");
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(out[i], (i < 32 ? 1000 : 0) + i % 32) << i;
  EXPECT_EQ(result.counters.bulkBytes, 256u);
  EXPECT_EQ(result.counters.shared.sectors, 0u);

  const std::string send = kSend;
  EXPECT_FINDS(findIn(getExchange(send, 128, "")),
               "missing-wait: load of 4 bytes at shared offset 512");
  EXPECT_FINDS(findIn(getExchange(send, 144)), "16 bytes pending");
  EXPECT_FINDS(findIn(getExchange(send, 112)),
               "mbarrier-misuse: cp.async.bulk at shared offset ");
  std::string size = send;
  size.replace(size.find("128"), 3, "120");
  EXPECT_FINDS(findIn(getExchange(size, 128)),
               "invalid-copy: cp.async.bulk of 120 bytes; expected a multiple "
               "of 16");
  std::string kernel = getExchange(send, 128);
  kernel.erase(kernel.find("  fence.proxy.async;\n"), 21);
  EXPECT_FINDS(findIn(kernel), "missing-proxy-fence: cp.async.bulk reads at "
                               "shared offset 0");
  // It is still to read what the block writes.
  EXPECT_FINDS(findIn(getExchange(send + "st.shared.u32 [%r1], %r4;\n", 128)),
               "shared-race: store of 4 bytes at shared offset 0 meets bytes "
               "that the cp.async.bulk");
  std::string remote = send;
  remote.replace(remote.find("[%r1]"), 5, "[%r2]");
  EXPECT_FINDS(findIn(getExchange(remote, 128)),
               "invalid-copy: cp.async.bulk from the shared memory of another "
               "block");
}

/// A bulk copy of `data` by each block, whose words the other block writes
/// before, `order` being between both.
std::string getRemoteWrite(const std::string &copy, const std::string &order) {
  std::string kernel = getExchange(copy, 128);
  kernel.replace(kernel.find("  @%first mbarrier.arrive.expect_tx"), 0,
                 "  st.shared::cluster.u32 [%r2], %r11;\n"
                 "  fence.proxy.async;\n" +
                     order);
  return kernel;
}

/// Bulk copies read and write what another block has written.
TEST(AsyncArrival, BulkMeetsStoresOfOtherBlocks) {
  const std::string ordered = "  barrier.cluster.arrive.aligned;\n"
                              "  barrier.cluster.wait.aligned;\n",
                    relaxed = "  barrier.cluster.arrive.relaxed.aligned;\n"
                              "  barrier.cluster.wait.aligned;\n";
  EXPECT_EQ(findIn(getRemoteWrite(kSend, ordered)), "");
  EXPECT_FINDS(findIn(getRemoteWrite(kSend, relaxed)),
               "shared-race: cp.async.bulk of 128 bytes at shared offset 0 of "
               "rank 0 is not ordered with the store by warp 0 of rank 1");
  // To global memory.
  const std::string toGlobal =
      "@%first cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], "
      "128;\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n"
      "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 4;\n"
      "st.shared.u32 [%r6], %r11;\n";
  std::string text = findIn(getRemoteWrite(toGlobal, relaxed));
  EXPECT_FINDS(text, "shared-race: cp.async.bulk of 128 bytes at shared offset "
                     "0 of rank 0 is not ordered with the store by warp 0 of "
                     "rank 1");
  // Into what another block has written.
  std::string back = kSend;
  back.replace(back.find("[%r7], [%r1]"), 12, "[%r2], [%r6]");
  auto receive = [&](const std::string &order) {
    std::string kernel = getRemoteWrite(back, order);
    kernel.replace(kernel.find("  st.shared.u32 [%r1]"), 0,
                   "  st.shared.u32 [%r6], %r11;\n");
    return findIn(kernel);
  };
  EXPECT_EQ(receive(ordered), "");
  EXPECT_FINDS(receive(relaxed), "shared-race: cp.async.bulk of 128 bytes at "
                                 "shared offset 0");
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

/// Warp 0 copies a word a lane and tells the mbarrier, which counts `count`;
/// warp 1 waits, if `waits`, and gives what has arrived.
PtxRun runCopies(const std::string &tell, uint32_t count, bool waits = true,
                 const std::string &end = "") {
  std::vector<uint32_t> in(32);
  for (uint32_t i = 0; i < 32; ++i)
    in[i] = 7 * i + 1;
  return runPtx("setp.eq.u32 %first, %tid, 0;\n"
                "@%first mbarrier.init.shared.b64 [%bar], " +
                    std::to_string(count) +
                    ";\nbar.sync 0;\n"
                    "and.b32 %lane, %tid, 31;\n"
                    "mad.lo.u32 %r1, %lane, 4, %data32;\n"
                    "mul.wide.u32 %src, %lane, 4;\n"
                    "setp.ge.u32 %q, %tid, 32;\n@%q bra consume;\n"
                    "add.u64 %src, %in, %src;\n"
                    "cp.async.ca.shared.global [%r1], [%src], 4;\n" +
                    tell + end + "bra done;\nconsume:\n" +
                    (waits ? "wait: mbarrier.try_wait.parity.shared.b64 %p, "
                             "[%bar], 0;\n@!%p bra wait;\n"
                           : "") +
                    "ld.shared.u32 %r2, [%r1];\n"
                    "add.u64 %dst, %out, %src;\n"
                    "st.global.u32 [%dst], %r2;\ndone:\n",
                32, {64, 1, 1}, in);
}

constexpr const char *kNoInc =
    "cp.async.mbarrier.arrive.noinc.shared.b64 [%bar32];\n";
constexpr const char *kInc =
    "cp.async.mbarrier.arrive.shared::cta.b64 [%bar32];\n"
    "mbarrier.arrive.shared.b64 _, [%bar32];\n";

TEST(AsyncArrival, ArrivalOfCopies) {
  const std::string waitAll = "cp.async.wait_all;\n";
  for (const char *tell : {kNoInc, kInc})
    for (const std::string &end : {std::string(), waitAll}) {
      PtxRun run = runCopies(tell, 32, true, end);
      EXPECT_EQ(run.error + run.text(), "") << tell << end;
      for (uint32_t i = 0; i < 32; ++i)
        EXPECT_EQ(run.out[i], 7 * i + 1) << tell << end;
    }
  // The arrivals that .noinc makes are expected, the others are added.
  EXPECT_EQ(runCopies(std::string(kNoInc) + kInc, 64).text(), "");
}

TEST(AsyncArrival, FaultsOfArrivalsOfCopies) {
  for (const char *tell : {kNoInc, kInc})
    EXPECT_FINDS(
        runCopies(tell, 32, /*waits=*/false).text(),
        "shared-race: cp.async of 4 bytes at shared offset 1024 is not "
        "ordered with the load by warp 1, lane 0");
  // An arrival alone tells nothing of copies.
  EXPECT_FINDS(
      runCopies("mbarrier.arrive.shared.b64 _, [%bar32];\n", 32).text(),
      "missing-wait: load of 4 bytes at shared offset ");
  EXPECT_FINDS(
      runCopies("cp.async.mbarrier.arrive.shared.b64 [%bar32];\n", 32).text(),
      "deadlock: ");
  EXPECT_FINDS(runCopies(kNoInc, 33).text(), "deadlock: ");
  EXPECT_FINDS(runCopies(kNoInc, 31).text(),
               "phase-lapped: cp.async.mbarrier.arrive for phase 1 of the "
               "mbarrier at shared offset 0");
  // A copy behind it is another one.
  EXPECT_FINDS(runCopies(std::string(kNoInc) +
                             "cp.async.ca.shared.global [%r1], [%src], 4;\n",
                         32)
                   .text(),
               "missing-wait: load of 4 bytes at shared offset ");
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

/// Thread 0 stores, and arrives without release; the other warp waits and
/// loads.
std::string getRelaxed(const std::string &fence) {
  return ".version 8.6\n.target sm_90a\n.address_size 64\n"
         ".visible .entry k(.param .u64 x) {\n"
         ".shared .align 8 .b32 data;\n.shared .align 8 .b64 bar;\n"
         ".reg .pred %p, %q;\n.reg .b32 %r<4>;\n.reg .b64 %rd<2>;\n"
         "ld.param.u64 %rd1, [x];\nmov.u32 %r1, %tid.x;\n"
         "setp.eq.u32 %p, %r1, 0;\n@%p mbarrier.init.shared.b64 [bar], 1;\n"
         "bar.sync 0;\nsetp.ge.u32 %q, %r1, 32;\n@%q bra consume;\n"
         "mov.u32 %r2, 42;\n@%p st.shared.u32 [data], %r2;\n" +
         fence +
         "@%p mbarrier.arrive.relaxed.cluster.shared::cta.b64 _, [bar];\n"
         "bra done;\nconsume:\n"
         "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p, [bar], "
         "0;\n@!%p bra consume;\n"
         "ld.shared.u32 %r3, [data];\nst.global.u32 [%rd1], %r3;\n"
         "done:\nret;\n}\n";
}

/// A fence makes a relaxed arrival release, in a cluster of one block and
/// without clusters.
TEST(AsyncArrival, FenceBeforeRelaxedArrival) {
  for (uint32_t cluster : {0, 1})
    for (const char *scope : {"", "cta", "cluster", "gpu", "sys"}) {
      RunOptions options;
      options.chip = "sm_90a";
      options.block = {64, 1, 1};
      options.cluster = {cluster, cluster, cluster};
      std::vector<std::vector<uint32_t>> out = {std::vector<uint32_t>(1)};
      const std::string fence =
          *scope ? std::string("fence.acq_rel.") + scope + ";\n" : "";
      RunResult result = run(getRelaxed(fence), out, options);
      EXPECT_EQ(result.error, "") << scope;
      EXPECT_EQ(out[0][0], 42u) << scope;
      if (*scope)
        EXPECT_EQ(result.text(), "") << scope << " " << cluster;
      else
        EXPECT_NE(result.text().find("shared-race: load of 4 bytes at shared "
                                     "offset "),
                  std::string::npos)
            << result.text();
    }
}

} // namespace
