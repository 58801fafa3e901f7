//===- SimulatorMBarrierTest.cpp ------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mbarriers: phases and states as the PTX ISA counts them, order between
// threads, and what is found. Kernels are PTX, and LLVM's intrinsics.
//
//===----------------------------------------------------------------------===//

#include "Async/SimulatorPtx.h"
#include "SimulatorTestSupport.h"

#include "llvm/ADT/StringExtras.h"

#include <random>

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

/// Counts arrivals as the ISA says, in numbers of its own.
struct Model {
  int expected, pending, bytes = 0, phase = 0;
  explicit Model(int count) : expected(count), pending(count) {}
  int arrive(int count, int tx = 0, bool drops = false) {
    int before = pending;
    bytes += tx;
    pending -= count;
    if (drops)
      expected -= count;
    finish();
    return before;
  }
  void complete(int tx) {
    bytes -= tx;
    finish();
  }
  void finish() {
    if (pending == 0 && bytes == 0) {
      ++phase;
      pending = expected;
    }
  }
};

TEST(SimulatorMBarrier, CountsAsTheModel) {
  // One thread does random operations, and stores each state's pending count
  // and both parities' waits after each.
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    int count = 1 + random() % 6, results = 0;
    Model model(count);
    std::string body =
        "mbarrier.init.shared.b64 [%bar], " + std::to_string(count) + ";\n";
    std::vector<uint32_t> expected;
    auto keep = [&](const std::string &reg, uint32_t value) {
      body += "st.global.u32 [%out+" + std::to_string(4 * results++) + "], " +
              reg + ";\n";
      expected.push_back(value);
    };
    for (int step = 0; step < 40; ++step) {
      int kind = random() % 5;
      if (model.pending > 0 && kind < 4) {
        int most = model.pending;
        int n = 1 + random() % most, tx = 16 * (random() % 4);
        bool drops = kind == 1 && model.expected > n;
        std::string name = drops ? "arrive_drop" : "arrive";
        if (kind == 2) {
          n = 1;
          body += "mbarrier." + name +
                  ".expect_tx.release.cta.shared::cta.b64 "
                  "%state, [%bar], " +
                  std::to_string(tx) + ";\n";
        } else if (kind == 3 && n < most) {
          tx = 0;
          body += "mbarrier." + name +
                  ".noComplete.release.cta.shared.b64 "
                  "%state, [%bar], " +
                  std::to_string(n) + ";\n";
        } else {
          tx = 0;
          body += "mbarrier." + name + ".shared.b64 %state, [%bar], " +
                  std::to_string(n) + ";\n";
        }
        int phase = model.phase, before = model.arrive(n, tx, drops);
        body += "mbarrier.pending_count.b64 %r1, %state;\n";
        keep("%r1", before);
        body += "mbarrier.test_wait.shared.b64 %p, [%bar], %state;\n"
                "selp.u32 %r1, 1, 0, %p;\n";
        keep("%r1", model.phase != phase);
      } else if (model.bytes > 0) {
        int tx = std::min(model.bytes, 16 * int(1 + random() % 3));
        body += "mbarrier.complete_tx.shared.b64 [%bar], " +
                std::to_string(tx) + ";\n";
        model.complete(tx);
      }
      for (int parity : {0, 1}) {
        body += "mbarrier.test_wait.parity.shared.b64 %p, [%bar], " +
                std::to_string(parity) + ";\nselp.u32 %r1, 1, 0, %p;\n";
        keep("%r1", (model.phase & 1) != parity);
      }
    }
    PtxRun run = runPtx(body, results, {1, 1, 1});
    ASSERT_EQ(run.error, "");
    EXPECT_EQ(run.out, expected) << body;
    EXPECT_EQ(run.text(), "");
  }
}

/// Thread 0 writes, all others read behind a wait.
std::string publish(const std::string &init, const std::string &arrive,
                    const std::string &wait) {
  return "setp.eq.u32 %first, %tid, 0;\n" + init +
         "@!%first bra READ;\n"
         "st.shared.u32 [%data], 42;\n" +
         arrive + "READ:\n" + wait +
         "ld.shared.u32 %r1, [%data];\n"
         "mad.wide.u32 %addr, %tid, 4, %out;\n"
         "st.global.u32 [%addr], %r1;\n";
}
const char *const kInit = "@%first mbarrier.init.shared.b64 [%bar], 1;\n"
                          "bar.sync 0;\n";
const char *const kArrive = "mbarrier.arrive.shared.b64 _, [%bar];\n";
const char *const kWait =
    "WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%bar], 0;\n"
    "@!%p bra WAIT;\n";

TEST(SimulatorMBarrier, OrdersThreads) {
  for (const char *wait :
       {kWait,
        "WAIT: mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 %p, "
        "[%bar], 0;\n@!%p bra WAIT;\n",
        "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p, [%bar], 0, 1000;\n"
        "@!%p bra WAIT;\n"}) {
    PtxRun run = runPtx(publish(kInit, kArrive, wait), 128, {128, 1, 1});
    ASSERT_EQ(run.error, "");
    EXPECT_EQ(run.text(), "");
    EXPECT_EQ(run.out, std::vector<uint32_t>(128, 42));
  }
}

TEST(SimulatorMBarrier, FindsPlantedFaults) {
  auto find = [&](const std::string &body, uint32_t threads = 64) {
    PtxRun run = runPtx(body, 128, {threads, 1, 1});
    EXPECT_EQ(run.error, "");
    return run.text();
  };
  auto expect = [&](const std::string &body, const std::string &text) {
    std::string all = find(body);
    EXPECT_NE(all.find(text), std::string::npos) << text << "\nin\n" << all;
  };
  expect(publish(kInit, kArrive, ""), "shared-race: ");
  expect(publish(kInit, "mbarrier.arrive.relaxed.cta.shared.b64 _, [%bar];\n",
                 kWait),
         "shared-race: load of 4 bytes");
  // Another parity does not wait.
  expect(publish(kInit, kArrive,
                 "W: mbarrier.try_wait.parity.shared.b64 %p, [%bar], 1;\n"
                 "@!%p bra W;\n"),
         "shared-race: ");
  expect(publish("", kArrive, kWait),
         "mbarrier-misuse: mbarrier.arrive at shared offset 0 where there is "
         "no mbarrier; expected mbarrier.init before");
  expect(
      publish("@%first mbarrier.init.shared.b64 [%bar], 1;\n", kArrive, kWait),
      "shared-race: the wait at shared offset 0 is not ordered with the "
      "mbarrier.init by warp 0, lane 0");
  expect(publish("@%first mbarrier.init.shared.b64 [%bar], 2;\nbar.sync 0;\n",
                 kArrive, kWait),
         "deadlock: the wait for parity 0 of the mbarrier at shared offset 0 "
         "waits for ever: its phase 0 has 1 of 2 arrivals and 0 bytes pending");
  expect(publish(kInit, "mbarrier.arrive.expect_tx.shared.b64 _, [%bar], 64;\n",
                 kWait),
         "its phase 0 has 0 of 1 arrivals and 64 bytes pending");
  expect(publish(kInit, "mbarrier.arrive.shared.b64 _, [%bar], 3;\n", kWait),
         "mbarrier-misuse: mbarrier.arrive at shared offset 0 arrives 3 times "
         "in phase 0, where 1 of 1 arrivals and 0 bytes are pending");
  expect(
      publish(std::string(kInit) +
                  "@%first mbarrier.init.shared.b64 [%bar], 1;\n",
              kArrive, kWait),
      "mbarrier-misuse: mbarrier.init at shared offset 0 meets the mbarrier");
  expect(publish("@%first mbarrier.init.shared.b64 [%bar], 0;\nbar.sync 0;\n",
                 "", ""),
         "mbarrier-misuse: mbarrier.init at shared offset 0 for 0 arrivals");
  expect(publish(kInit, "st.shared.u32 [%bar], 5;\n" + std::string(kArrive),
                 kWait),
         "mbarrier-misuse: store of 4 bytes at shared offset 0 meets the "
         "mbarrier of the mbarrier.init by warp 0, lane 0");
  expect(publish(kInit,
                 "mbarrier.complete_tx.shared.b64 [%bar], 64;\n" +
                     std::string(kArrive),
                 kWait),
         "bytes pending");
  expect(publish(kInit,
                 "mbarrier.arrive.noComplete.shared.b64 %state, [%bar], 1;\n",
                 kWait),
         "with .noComplete is the last arrival of phase 0");
  expect(publish("@%first mbarrier.init.shared.b64 [%bar+4], 1;\n", "", ""),
         "misaligned: mbarrier.init of 8 bytes");
  expect(publish(kInit, "mbarrier.expect_tx.shared.b64 [%bar], 1048576;\n", ""),
         "expected at most 1048575");
  // After mbarrier.inval the bytes may be used as any.
  EXPECT_EQ(find(publish(kInit, kArrive,
                         std::string(kWait) +
                             "bar.sync 0;\n"
                             "@%first mbarrier.inval.shared.b64 [%bar];\n"
                             "@%first st.shared.u32 [%bar], 5;\n")),
            "");
}

/// Warp 0 fills a buffer in `rounds` rounds, warp 1 reads it; a barrier for
/// full ([%bar]) and one for empty ([%bar+8]).
std::string exchange(const std::string &waitEmpty, const std::string &release,
                     const std::string &skew = "") {
  return "setp.eq.u32 %first, %tid, 0;\n"
         "@%first mbarrier.init.shared.b64 [%bar], 32;\n"
         "@%first mbarrier.init.shared.b64 [%bar+8], 32;\n"
         "bar.sync 0;\n"
         "mov.u32 %i, 0;\n"
         "mov.u32 %sum, 0;\n"
         "setp.lt.u32 %q, %tid, 32;\n"
         "and.b32 %lane, %tid, 31;\n"
         "shl.b32 %r4, %lane, 2;\n"
         "add.u32 %r4, %r4, %data32;\n"
         "LOOP:\n"
         "and.b32 %r2, %i, 1;\n"
         "xor.b32 %r3, %r2, 1;\n"
         "@!%q bra CONSUME;\n" +
         waitEmpty + skew +
         "mul.lo.u32 %r5, %i, %lane;\n"
         "st.shared.u32 [%r4], %r5;\n"
         "mbarrier.arrive.shared.b64 _, [%bar];\n"
         "bra NEXT;\n"
         "CONSUME:\n"
         "FULL: mbarrier.try_wait.parity.shared.b64 %p, [%bar], %r2;\n"
         "@!%p bra FULL;\n"
         "ld.shared.u32 %r5, [%r4];\n"
         "add.u32 %sum, %sum, %r5;\n" +
         release +
         "NEXT:\n"
         "add.u32 %i, %i, 1;\n"
         "setp.lt.u32 %p, %i, 6;\n"
         "@%p bra LOOP;\n"
         "@%q bra END;\n"
         "mad.wide.u32 %addr, %lane, 4, %out;\n"
         "st.global.u32 [%addr], %sum;\n"
         "END:\n";
}
const char *const kWaitEmpty =
    "EMPTY: mbarrier.try_wait.parity.shared.b64 %p, [%bar+8], %r3;\n"
    "@!%p bra EMPTY;\n";
const char *const kRelease = "mbarrier.arrive.shared.b64 _, [%bar+8];\n";

TEST(SimulatorMBarrier, ProducerAndConsumer) {
  PtxRun run = runPtx(exchange(kWaitEmpty, kRelease), 32, {64, 1, 1});
  ASSERT_EQ(run.error, "");
  EXPECT_EQ(run.text(), "");
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(run.out[lane], lane * (0 + 1 + 2 + 3 + 4 + 5));
}

TEST(SimulatorMBarrier, PhasesAreLapped) {
  // Nothing keeps the producer from lapping the consumer.
  std::string text = runPtx(exchange("", kRelease), 32, {64, 1, 1}).text();
  EXPECT_NE(text.find("phase-lapped: "), std::string::npos) << text;
  // A consumer that does not release.
  text = runPtx(exchange(kWaitEmpty, ""), 32, {64, 1, 1}).text();
  EXPECT_NE(text.find("deadlock: the wait for parity 0 of the mbarrier at "
                      "shared offset 8 waits for ever: its phase 0 has 32 of "
                      "32 arrivals and 0 bytes pending"),
            std::string::npos)
      << text;
}

/// A block whose two warps do single operations in an order that a test sets.
class PhasesTest : public TestBlock {
public:
  PhasesTest() : TestBlock(64) {
    Access access;
    access.space = Space::Shared;
    access.elementBytes = 8;
    access.acquire = access.release = access.isParity = true;
    init = &addAccess(Opcode::MBarrierInit, access);
    arriveAt = &addAccess(Opcode::MBarrierArrive, access);
    waitFor = &addAccess(Opcode::MBarrierWait, access);
    init->a = arriveAt->a = waitFor->a = 0;
    init->b = waitFor->b = 2;
    waitFor->dst = 3;
    start();
    for (uint32_t bar : {0, 8})
      operate(*init, 0, bar, 1);
    synchronizeWarps(worker.block, 3);
  }
  void operate(const Instr &instr, uint32_t warp, uint32_t bar,
               uint32_t value = 0) {
    warps[warp].setActive(1);
    get64(0, 0, warp) = kSharedBase + bar;
    get32(2, 0, warp) = value;
    run(instr, warp);
  }
  void arrive(uint32_t warp, uint32_t bar) { operate(*arriveAt, warp, bar); }
  /// Waits for a phase that is complete.
  void wait(uint32_t warp, uint32_t bar, uint32_t parity) {
    operate(*waitFor, warp, bar, parity);
    EXPECT_EQ(get32(3, 0, warp), 1u);
  }
  std::string text() {
    std::string all;
    for (const Finding &finding : takeFindings())
      all += std::string(getName(finding.kind)) + ": " + finding.message + "\n";
    return all;
  }

  Instr *init, *arriveAt, *waitFor;
};

TEST(SimulatorMBarrier, PhasesAreLappedInAnySchedule) {
  {
    PhasesTest test; // Warp 1 is as fast as it has to be.
    for (uint32_t phase = 0; phase < 4; ++phase) {
      test.arrive(0, 0);
      test.wait(1, 0, phase & 1);
    }
    std::string text = test.text();
    EXPECT_NE(text.find("phase-lapped: mbarrier.arrive completes phase 1 of "
                        "the mbarrier at shared offset 0, and no arrival is "
                        "ordered behind the wait of warp 1 at <unknown>"),
              std::string::npos)
        << text;
  }
  {
    PhasesTest test; // It says that it is done.
    for (uint32_t phase = 0; phase < 4; ++phase) {
      test.arrive(0, 0);
      test.wait(1, 0, phase & 1);
      test.arrive(1, 8);
      test.wait(0, 8, phase & 1);
    }
    EXPECT_EQ(test.text(), "");
  }
  {
    PhasesTest test; // Both arrive at one, without a wait between them.
    test.arrive(0, 0);
    test.arrive(1, 0);
    std::string text = test.text();
    EXPECT_NE(text.find("phase-lapped: mbarrier.arrive for phase 1 of the "
                        "mbarrier at shared offset 0 is not ordered behind the "
                        "completion of the phase before"),
              std::string::npos)
        << text;
  }
}

TEST(SimulatorMBarrier, Intrinsics) {
  // Each of LLVM's forms once: thread 0 arrives, then waits.
  const std::string shared = "ptr addrspace(3)", cluster = "ptr addrspace(7)";
  std::string declarations, body;
  auto call = [&](const std::string &type, const std::string &name,
                  const std::string &operands, const std::string &result = "") {
    std::string types;
    for (llvm::StringRef operand :
         llvm::split(llvm::StringRef(operands), ", ")) {
      llvm::StringRef t = operand.rsplit(' ').first;
      types += (types.empty() ? "" : ", ") + t.str();
    }
    std::string declaration =
        "declare " + type + " @llvm.nvvm." + name + "(" + types + ")\n";
    if (declarations.find(declaration) == std::string::npos)
      declarations += declaration;
    body += (result.empty() ? "  " : "  " + result + " = ") + "call " + type +
            " @llvm.nvvm." + name + "(" + operands + ")\n";
  };
  int waits = 0;
  std::string all = "true";
  auto wait = [&](const std::string &name, const std::string &operands) {
    std::string n = std::to_string(waits++);
    call("i1", name, operands, "%w" + n);
    body += "  %a" + n + " = and i1 " + all + ", %w" + n + "\n";
    all = "%a" + n;
  };
  const std::string at = shared + " @bar";
  int phase = 0;
  auto check = [&] {
    std::string parity = ", i32 " + std::to_string(phase++ & 1);
    wait("mbarrier.try.wait.parity.scope.cta.space.cta", at + parity);
    wait("mbarrier.test.wait.parity.scope.cluster.space.cta", at + parity);
    wait("mbarrier.try.wait.parity.tl.relaxed.scope.cta.space.cta",
         at + parity + ", i32 20");
    wait("mbarrier.test.wait.parity.relaxed.scope.cta.space.cta", at + parity);
  };
  call("void", "mbarrier.init.shared", at + ", i32 1");
  call("i64", "mbarrier.arrive.shared", at, "%s0");
  wait("mbarrier.test.wait.shared", at + ", i64 %s0");
  wait("mbarrier.try.wait.scope.cta.space.cta", at + ", i64 %s0");
  wait("mbarrier.try.wait.tl.scope.cluster.space.cta",
       at + ", i64 %s0, i32 10");
  check();
  call("i64", "mbarrier.arrive.scope.cta.space.cta", at + ", i32 1", "%s1");
  check();
  call("i64", "mbarrier.arrive.relaxed.scope.cluster.space.cta", at + ", i32 1",
       "%s2");
  check();
  body += "  %far = addrspacecast " + at + " to " + cluster + "\n";
  call("void", "mbarrier.arrive.scope.cluster.space.cluster",
       cluster + " %far, i32 1");
  check();
  call("void", "mbarrier.expect.tx.scope.cta.space.cta", at + ", i32 48");
  call("i64", "mbarrier.arrive.expect.tx.scope.cta.space.cta", at + ", i32 16",
       "%s3");
  call("void", "mbarrier.complete.tx.scope.cta.space.cta", at + ", i32 64");
  check();
  body += "  %generic = addrspacecast " + at + " to ptr\n";
  call("i64", "mbarrier.arrive", "ptr %generic", "%s4");
  call("i32", "mbarrier.pending.count", "i64 %s4", "%count");
  check();
  call("void", "mbarrier.inval.shared", at);
  call("void", "mbarrier.init", "ptr %generic, i32 3");
  phase = 0;
  call("i64", "mbarrier.arrive.noComplete.shared", at + ", i32 1", "%s5");
  call("i64", "mbarrier.arrive.drop.shared", at, "%s6");
  call("i64", "mbarrier.arrive.drop.expect.tx.scope.cta.space.cta",
       at + ", i32 0", "%s7");
  check();
  call("i64", "mbarrier.arrive.shared", at, "%s8");
  check();
  std::string ir = declarations +
                   "@bar = internal addrspace(3) global i64 poison, align 8\n"
                   "define ptx_kernel void @k(ptr addrspace(1) %out) {\n" +
                   body + "  %r = zext i1 " + all +
                   " to i32\n  %sum = add i32 %r, %count\n"
                   "  store i32 %sum, ptr addrspace(1) %out\n  ret void\n}\n";
  std::vector<std::vector<uint32_t>> arrays = {{0}};
  RunOptions options;
  options.block = {1, 1, 1};
  options.chip = "sm_90a";
  RunResult result = run(ir, arrays, options);
  ASSERT_EQ(result.error, "") << ir;
  EXPECT_EQ(result.text(), "");
  EXPECT_EQ(arrays[0][0], 2u);
}

} // namespace
