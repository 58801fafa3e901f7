//===- SimulatorPipelineTest.cpp ------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pipeline as kernels for Hopper have it, in LLVM IR: warp 0 fills stages by
// bulk copies, two consumer warps add what is in them, full and empty mbarriers
// between them. It is right without a finding, for any number of rounds; each
// planted fault is found.
//
//===----------------------------------------------------------------------===//

#include "SimulatorRun.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

constexpr uint32_t kStages = 3, kWords = 64;

void replace(std::string &text, const std::string &from,
             const std::string &to) {
  size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

/// @in has `rounds` chunks of 64 words; @out[t] gets the sum of word t of each.
const char *const kPipeline = R"(
@data = internal addrspace(3) global [192 x i32] poison, align 128
@full = internal addrspace(3) global [3 x i64] poison, align 8
@empty = internal addrspace(3) global [3 x i64] poison, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare void @llvm.nvvm.fence.mbarrier_init.release.cluster()
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3), ptr addrspace(3), ptr addrspace(1), i32, i64, i1)

define ptx_kernel void @pipeline(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %rounds) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 0
  %any = icmp ne i32 %rounds, 0
  br i1 %first, label %init, label %ready
init:
  %i = phi i32 [ 0, %entry ], [ %i1, %init ]
  %fi = getelementptr i64, ptr addrspace(3) @full, i32 %i
  %ei = getelementptr i64, ptr addrspace(3) @empty, i32 %i
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %fi, i32 1)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %ei, i32 2)
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 3
  br i1 %more, label %init, label %made
made:
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %producer = icmp ult i32 %tid, 32
  br i1 %any, label %role, label %end
role:
  br i1 %producer, label %one, label %consume
one:
  br i1 %first, label %produce, label %end

produce:
  %k = phi i32 [ 0, %one ], [ %k1, %issue ]
  %ks = urem i32 %k, 3
  %kd = udiv i32 %k, 3
  %kp = and i32 %kd, 1
  %kq = xor i32 %kp, 1
  %f = getelementptr i64, ptr addrspace(3) @full, i32 %ks
  %e = getelementptr i64, ptr addrspace(3) @empty, i32 %ks
  br label %waitempty
waitempty:
  %ready0 = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) %e, i32 %kq)
  br i1 %ready0, label %issue, label %waitempty
issue:
  %s = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) %f, i32 256)
  %to0 = mul i32 %ks, 64
  %to = getelementptr i32, ptr addrspace(3) @data, i32 %to0
  %from0 = mul i32 %k, 64
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %from0
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) %to, ptr addrspace(3) %f, ptr addrspace(1) %from, i32 256, i64 0, i1 false)
  %k1 = add i32 %k, 1
  %kmore = icmp ult i32 %k1, %rounds
  br i1 %kmore, label %produce, label %end

consume:
  %word = sub i32 %tid, 32
  %lane = and i32 %tid, 31
  %leader = icmp eq i32 %lane, 0
  br label %round
round:
  %n = phi i32 [ 0, %consume ], [ %n1, %next ]
  %sum = phi i32 [ 0, %consume ], [ %sum1, %next ]
  %ns = urem i32 %n, 3
  %nd = udiv i32 %n, 3
  %np = and i32 %nd, 1
  %nf = getelementptr i64, ptr addrspace(3) @full, i32 %ns
  %ne = getelementptr i64, ptr addrspace(3) @empty, i32 %ns
  br label %waitfull
waitfull:
  %ready1 = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) %nf, i32 %np)
  br i1 %ready1, label %use, label %waitfull
use:
  %at0 = mul i32 %ns, 64
  %at1 = add i32 %at0, %word
  %at = getelementptr i32, ptr addrspace(3) @data, i32 %at1
  %x = load i32, ptr addrspace(3) %at
  %sum1 = add i32 %sum, %x
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  br i1 %leader, label %release, label %next
release:
  %t = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) %ne)
  br label %next
next:
  %n1 = add i32 %n, 1
  %nmore = icmp ult i32 %n1, %rounds
  br i1 %nmore, label %round, label %finish
finish:
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %word
  store i32 %sum1, ptr addrspace(1) %q
  br label %end
end:
  ret void
}
)";

RunResult runPipeline(const std::string &ir, uint32_t rounds,
                      std::vector<std::vector<uint32_t>> &arrays) {
  arrays = {std::vector<uint32_t>(kWords * (rounds + 1)),
            std::vector<uint32_t>(kWords, 0)};
  for (uint32_t i = 0; i < arrays[0].size(); ++i)
    arrays[0][i] = i * 7 + 3;
  RunOptions options;
  options.block = {96, 1, 1};
  options.chip = "sm_90a";
  options.simulator.stepLimit = 1 << 20;
  return run(ir, arrays, options, {rounds});
}

TEST(SimulatorPipeline, IsRight) {
  for (uint32_t rounds : {0, 1, 2, 3, 4, 7, 20}) {
    std::vector<std::vector<uint32_t>> arrays;
    RunResult result = runPipeline(kPipeline, rounds, arrays);
    ASSERT_EQ(result.error, "");
    EXPECT_EQ(result.text(), "") << rounds;
    for (uint32_t t = 0; t < kWords; ++t) {
      uint32_t sum = 0;
      for (uint32_t k = 0; k < rounds; ++k)
        sum += arrays[0][k * kWords + t];
      EXPECT_EQ(arrays[1][t], sum) << rounds << " " << t;
    }
    EXPECT_EQ(result.counters.bulkBytes, rounds * kWords * 4);
  }
}

TEST(SimulatorPipeline, FaultsAreFound) {
  struct Fault {
    const char *what, *from, *to, *found;
  };
  const Fault faults[] = {
      {"the producer does not wait",
       "br i1 %ready0, label %issue, label %waitempty",
       "br i1 true, label %issue, label %waitempty", "phase-lapped: "},
      {"nobody waits for what is full",
       "br i1 %ready1, label %use, label %waitfull",
       "br i1 true, label %use, label %waitfull",
       "uninitialized-shared: load of 4 bytes"},
      {"the producer waits for the other parity", "i32 %kq)", "i32 %kp)",
       "deadlock: the wait for parity 0 of the mbarrier"},
      {"a consumer waits for the other parity", "i32 %np)", "i32 %ready9)",
       "missing-wait: load of 4 bytes"},
      {"too few bytes are expected", "%f, i32 256)", "%f, i32 240)",
       "mbarrier-misuse: cp.async.bulk"},
      {"too many bytes are expected", "%f, i32 256)", "%f, i32 272)",
       "16 bytes pending"},
      {"no bytes are expected",
       "call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr "
       "addrspace(3) %f, i32 256)",
       "call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) %f)",
       "missing-wait: load of 4 bytes"},
      {"a copy is forgotten", "%from, i32 256,", "%from, i32 128,",
       "128 bytes pending"},
      {"empty counts one consumer", "%ei, i32 2)", "%ei, i32 1)",
       "phase-lapped: "},
      {"empty counts three", "%ei, i32 2)", "%ei, i32 3)", "deadlock: "},
      {"full counts two", "%fi, i32 1)", "%fi, i32 2)", "deadlock: "},
      {"all lanes release", "br i1 %leader, label %release, label %next",
       "br i1 true, label %release, label %next", "phase-lapped: "},
      {"the release comes before the use",
       "  %x = load i32, ptr addrspace(3) %at\n",
       "  %t9 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) "
       "%ne)\n  %x = load i32, ptr addrspace(3) %at\n",
       "phase-lapped: "},
      {"nobody releases", "br i1 %leader, label %release, label %next",
       "br i1 false, label %release, label %next", "deadlock: "},
      {"no barrier behind the mbarriers",
       "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n", "",
       "is not ordered with the mbarrier.init"},
      {"a stage too few", "%ks = urem i32 %k, 3", "%ks = urem i32 %k, 2",
       "phase-lapped: "},
      {"the copy names the other barrier",
       "(ptr addrspace(3) %to, ptr addrspace(3) %f,",
       "(ptr addrspace(3) %to, ptr addrspace(3) %e,",
       "deadlock: the wait for parity 0 of the mbarrier at shared offset 768"},
      {"the next stage is filled", "%to0 = mul i32 %ks, 64",
       "%to9 = add i32 %ks, 1\n  %to8 = urem i32 %to9, 3\n  %to0 = mul i32 "
       "%to8, 64",
       "shared-race: cp.async.bulk"},
      {"the producer ends one round early",
       "%kmore = icmp ult i32 %k1, %rounds",
       "%k2 = add i32 %k1, 1\n  %kmore = icmp ult i32 %k2, %rounds",
       "deadlock: "},
  };
  for (const Fault &fault : faults) {
    std::string ir = kPipeline;
    replace(ir, fault.from, fault.to);
    if (ir.find("%ready9") != std::string::npos)
      replace(ir, "  br label %waitfull\n",
              "  %ready9 = xor i32 %np, 1\n  br label %waitfull\n");
    std::vector<std::vector<uint32_t>> arrays;
    RunResult result = runPipeline(ir, 8, arrays);
    EXPECT_EQ(result.error, "") << fault.what;
    EXPECT_NE(result.text().find(fault.found), std::string::npos)
        << fault.what << ": " << fault.found << "\nin\n"
        << result.text();
    EXPECT_EQ(result.text().find("step-limit"), std::string::npos)
        << fault.what;
  }
}

} // namespace
