//===- SimulatorClusterIntrinsicsTest.cpp ---------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asynchronous copies of clusters as intrinsics of LLVM: multicast, arrivals in
// other blocks, copies between shared memories, and cp.async that arrives at an
// mbarrier. Results, and the same kernels with a fault each.
//
//===----------------------------------------------------------------------===//

#include "SimulatorRun.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

constexpr const char *kDeclarations = R"(
@data = internal addrspace(3) global [32 x i32] poison, align 128
@got = internal addrspace(3) global [32 x i32] poison, align 128
@bar = internal addrspace(3) global i64 poison, align 8
@empty = internal addrspace(3) global i64 poison, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare void @llvm.nvvm.barrier.cluster.arrive()
declare void @llvm.nvvm.barrier.cluster.wait()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.fence.proxy.async()
declare void @llvm.nvvm.fence.mbarrier_init.release.cluster()
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cluster.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.mbarrier.arrive.scope.cluster.space.cluster(ptr addrspace(7), i32)
declare void @llvm.nvvm.mbarrier.arrive.relaxed.scope.cluster.space.cluster(ptr addrspace(7), i32)
declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7), ptr addrspace(3), ptr addrspace(1), i32, i16, i64, i1, i1)
declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.cluster(ptr addrspace(7), ptr addrspace(3), ptr addrspace(3), i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.mbarrier.arrive(ptr)
declare void @llvm.nvvm.cp.async.mbarrier.arrive.shared(ptr addrspace(3))
declare void @llvm.nvvm.cp.async.mbarrier.arrive.noinc(ptr)
declare void @llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared(ptr addrspace(3))
)";

/// Rank 0 copies @in to both blocks, twice; each adds what it gets.
const std::string kMulticastKernel = std::string(kDeclarations) + R"(
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %first = icmp eq i32 %tid, 0
  %zero = icmp eq i32 %rank, 0
  %sends = and i1 %first, %zero
  br i1 %first, label %init, label %made
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @empty, i32 2)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %made
made:
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
  %remote = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @empty, i32 0)
  br label %round
round:
  %n = phi i32 [ 0, %made ], [ %n1, %next ]
  %sum = phi i32 [ 0, %made ], [ %sum1, %next ]
  br i1 %first, label %expect, label %wait
expect:
  %s = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 128)
  br i1 %sends, label %send, label %wait
send:
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7) addrspacecast (ptr addrspace(3) @data to ptr addrspace(7)), ptr addrspace(3) @bar, ptr addrspace(1) %in, i32 128, i16 3, i64 0, i1 true, i1 false)
  br label %wait
wait:
  %over = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cluster.space.cta(ptr addrspace(3) @bar, i32 %n)
  br i1 %over, label %use, label %wait
use:
  %at = getelementptr i32, ptr addrspace(3) @data, i32 %tid
  %x = load i32, ptr addrspace(3) %at
  %sum1 = add i32 %sum, %x
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  br i1 %first, label %release, label %released
release:
  call void @llvm.nvvm.mbarrier.arrive.scope.cluster.space.cluster(ptr addrspace(7) %remote, i32 1)
  br label %released
released:
  br i1 %zero, label %free, label %next
free:
  %freed = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cluster.space.cta(ptr addrspace(3) @empty, i32 %n)
  br i1 %freed, label %next, label %free
next:
  %n1 = add i32 %n, 1
  %more = icmp ult i32 %n1, 2
  br i1 %more, label %round, label %end
end:
  %row = mul i32 %rank, 32
  %word = add i32 %row, %tid
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %word
  store i32 %sum1, ptr addrspace(1) %to
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
  ret void
}
)";

/// Each block sends 32 words to the other.
const std::string kSendKernel = std::string(kDeclarations) + R"(
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %peer = xor i32 %rank, 1
  %first = icmp eq i32 %tid, 0
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %tid
  %value = load i32, ptr addrspace(1) %from
  %mine = add i32 %value, %rank
  %at = getelementptr i32, ptr addrspace(3) @data, i32 %tid
  store i32 %mine, ptr addrspace(3) %at
  call void @llvm.nvvm.fence.proxy.async()
  br i1 %first, label %init, label %made
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %made
made:
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
  br i1 %first, label %send, label %wait
send:
  %s = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 128)
  %to = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @got, i32 %peer)
  %tell = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @bar, i32 %peer)
  %tell32 = ptrtoint ptr addrspace(7) %tell to i32
  %mbar = inttoptr i32 %tell32 to ptr addrspace(3)
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.cluster(ptr addrspace(7) %to, ptr addrspace(3) %mbar, ptr addrspace(3) @data, i32 128)
  br label %wait
wait:
  %over = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cluster.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %over, label %use, label %wait
use:
  %place = getelementptr i32, ptr addrspace(3) @got, i32 %tid
  %x = load i32, ptr addrspace(3) %place
  %row = mul i32 %rank, 32
  %word = add i32 %row, %tid
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %word
  store i32 %x, ptr addrspace(1) %q
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
  ret void
}
)";

/// Warp 0 copies a word a lane, warp 1 gives what has arrived.
const std::string kCopyKernel = std::string(kDeclarations) + R"(
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 0
  %lane = and i32 %tid, 31
  %at = getelementptr i32, ptr addrspace(3) @data, i32 %lane
  br i1 %first, label %init, label %made
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 32)
  br label %made
made:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %produces = icmp ult i32 %tid, 32
  br i1 %produces, label %copy, label %wait
copy:
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %at, ptr addrspace(1) %from)
TELL
  br label %end
wait:
  %over = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cluster.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %over, label %use, label %wait
use:
  %x = load i32, ptr addrspace(3) %at
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %x, ptr addrspace(1) %to
  br label %end
end:
  ret void
}
)";

std::string editText(std::string text, const std::string &from,
                     const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

struct IntrinsicRun : RunResult {
  std::vector<uint32_t> out;
};

IntrinsicRun runIntrinsics(const std::string &ir, uint32_t blocks,
                           uint32_t threads = 32) {
  std::vector<std::vector<uint32_t>> arrays = {std::vector<uint32_t>(32),
                                               std::vector<uint32_t>(64)};
  for (uint32_t i = 0; i < 32; ++i)
    arrays[0][i] = 5 + i * i;
  RunOptions options;
  options.chip = "sm_90a";
  options.grid = options.cluster = {blocks, 1, 1};
  options.cluster[1] = options.cluster[2] = 1;
  options.block = {threads, 1, 1};
  IntrinsicRun result;
  static_cast<RunResult &>(result) = run(ir, arrays, options);
  result.out = arrays[1];
  return result;
}

#define EXPECT_FAULT(ir, part)                                                 \
  do {                                                                         \
    IntrinsicRun found = runIntrinsics(ir, 2);                                 \
    EXPECT_EQ(found.error, "");                                                \
    EXPECT_NE(found.text().find(part), std::string::npos) << part << "\nin\n"  \
                                                          << found.text();     \
  } while (0)

TEST(ClusterIntrinsics, Multicast) {
  IntrinsicRun result = runIntrinsics(kMulticastKernel, 2);
  EXPECT_EQ(result.error + result.text(), "");
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(result.out[i], 2 * (5 + i % 32 * (i % 32))) << i;
  EXPECT_EQ(result.counters.bulkBytes, 256u); // once for both blocks
  EXPECT_FAULT(editText(kMulticastKernel, "i16 3,", "i16 1,"),
               "128 bytes pending");
  EXPECT_FAULT(editText(kMulticastKernel, "i16 3,", "i16 4,"),
               "invalid-copy: cp.async.bulk with .multicast to the blocks 0x4");
  // Without the mask it is a copy to the own block.
  EXPECT_FAULT(
      editText(kMulticastKernel, "i1 true, i1 false)", "i1 false, i1 false)"),
      "128 bytes pending");
  EXPECT_FAULT(editText(kMulticastKernel,
                        "br i1 %over, label %use, label %wait",
                        "br i1 true, label %use, label %wait"),
               "missing-wait: load of 4 bytes at shared offset 0");
}

TEST(ClusterIntrinsics, RemoteArrive) {
  EXPECT_FAULT(editText(kMulticastKernel,
                        "call void @llvm.nvvm.mbarrier.arrive.scope.",
                        "call void @llvm.nvvm.mbarrier.arrive.relaxed.scope."),
               "shared-race: cp.async.bulk of 128 bytes at shared offset 0 of "
               "rank 1 is not ordered with the cp.async.bulk at ");
  EXPECT_FAULT(editText(kMulticastKernel, "(ptr addrspace(7) %remote, i32 1)",
                        "(ptr addrspace(7) %remote, i32 3)"),
               "mbarrier-misuse: mbarrier.arrive at shared offset ");
  EXPECT_FAULT(editText(kMulticastKernel,
                        "(ptr addrspace(3) @empty, i32 0)\n  br",
                        "(ptr addrspace(3) @empty, i32 %rank)\n  br"),
               "deadlock: the wait for parity 0 of the mbarrier");
  EXPECT_FAULT(editText(kMulticastKernel,
                        "(ptr addrspace(3) @empty, i32 0)\n  br",
                        "(ptr addrspace(3) @empty, i32 2)\n  br"),
               "of rank 2; expected a rank below 2");
}

TEST(ClusterIntrinsics, SharedToCluster) {
  IntrinsicRun result = runIntrinsics(kSendKernel, 2);
  EXPECT_EQ(result.error + result.text(), "");
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(result.out[i], 5 + i % 32 * (i % 32) + (i < 32)) << i;
  EXPECT_EQ(result.counters.bulkBytes, 256u);
  EXPECT_FAULT(
      editText(kSendKernel, "  call void @llvm.nvvm.fence.proxy.async()\n", ""),
      "missing-proxy-fence: cp.async.bulk reads at shared offset ");
  EXPECT_FAULT(editText(kSendKernel, "ptr addrspace(3) %mbar, ptr",
                        "ptr addrspace(3) @bar, ptr"),
               "expected both in one block");
  EXPECT_FAULT(editText(kSendKernel, "(ptr addrspace(3) @bar, i32 128)",
                        "(ptr addrspace(3) @bar, i32 144)"),
               "16 bytes pending");
}

TEST(ClusterIntrinsics, CopiesArrive) {
  const std::string arrive = "  %s = call i64 @llvm.nvvm.mbarrier.arrive."
                             "shared(ptr addrspace(3) @bar)";
  const std::string shared = "shared(ptr addrspace(3) @bar)\n";
  const std::string generic =
      "(ptr addrspacecast (ptr addrspace(3) @bar to ptr))\n";
  const std::string call = "  call void @llvm.nvvm.cp.async.mbarrier.arrive";
  const std::string forms[] = {
      call + "." + shared + arrive, call + generic + arrive,
      call + ".noinc." + shared, call + ".noinc" + generic};
  for (const std::string &form : forms) {
    IntrinsicRun result =
        runIntrinsics(editText(kCopyKernel, "TELL", form), 1, /*threads=*/64);
    EXPECT_EQ(result.error + result.text(), "") << form;
    for (uint32_t i = 0; i < 32; ++i)
      EXPECT_EQ(result.out[i], 5 + i * i) << form << i;
  }
  EXPECT_NE(runIntrinsics(editText(kCopyKernel, "TELL", arrive), 1, 64)
                .text()
                .find("missing-wait: load of 4 bytes"),
            std::string::npos);
  EXPECT_NE(
      runIntrinsics(editText(kCopyKernel, "TELL", call + "." + shared), 1, 64)
          .text()
          .find("deadlock: "),
      std::string::npos);
}

} // namespace
