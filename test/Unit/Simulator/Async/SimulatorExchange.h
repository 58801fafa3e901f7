//===- SimulatorExchange.h --------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two blocks of a cluster that send each other words, as PTX, for tests of what
// arrives at mbarriers of other blocks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TEST_UNIT_SIMULATOR_SIMULATOREXCHANGE_H
#define TILEIR_TEST_UNIT_SIMULATOR_SIMULATOREXCHANGE_H

#include "SimulatorRun.h"

#define EXPECT_FINDS(text, part)                                               \
  EXPECT_NE((text).find(part), std::string::npos) << part << "\nin\n" << (text)

namespace tileir::sim::test {

/// Two blocks of a warp. %r1, %r2: this thread's word of the array `data` here,
/// and in the other block; %r3: `bar` in the other block; %r4: the thread;
/// %r5: the rank; %r6: the array `got`; %first: lane 0; %rd1: the thread's word
/// of the result. `bar` is for one arrival and the bytes given. What was
/// received is in `got`, in the other block at %r7.
inline std::string getExchange(const std::string &send, uint32_t bytes,
                               const std::string &wait = R"(
wait:
  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p, [bar], 0;
  @!%p bra wait;
)",
                               const std::string &after = "") {
  return R"(.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 x) {
  .shared .align 16 .b8 data[512];
  .shared .align 16 .b8 got[512];
  .shared .align 8 .b64 bar;
  .reg .pred %p, %first;
  .reg .b32 %r<32>;
  .reg .b64 %rd<16>;
  ld.param.u64 %rd1, [x];
  mov.u32 %r4, %tid.x;
  mov.u32 %r5, %cluster_ctarank;
  xor.b32 %r8, %r5, 1;
  mov.u32 %r1, data;
  mov.u32 %r6, got;
  mad.lo.u32 %r1, %r4, 4, %r1;
  mad.lo.u32 %r6, %r4, 4, %r6;
  mapa.shared::cluster.u32 %r2, %r1, %r8;
  mapa.shared::cluster.u32 %r7, %r6, %r8;
  mov.u32 %r9, bar;
  mapa.shared::cluster.u32 %r3, %r9, %r8;
  mad.lo.u32 %r10, %r5, 32, %r4;
  mul.wide.u32 %rd2, %r10, 4;
  add.u64 %rd1, %rd1, %rd2;
  setp.eq.u32 %first, %r4, 0;
  mad.lo.u32 %r11, %r5, 1000, %r4;
  st.shared.u32 [%r1], %r11;
  @%first mbarrier.init.shared.b64 [bar], 1;
  @%first fence.mbarrier_init.release.cluster;
  fence.proxy.async;
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  @%first mbarrier.arrive.expect_tx.shared.b64 _, [bar], )" +
         std::to_string(bytes) + ";\n" + send + wait +
         "  ld.shared.u32 %r12, [%r6];\n"
         "  st.global.u32 [%rd1], %r12;\n" +
         after +
         "  barrier.cluster.arrive.aligned;\n"
         "  barrier.cluster.wait.aligned;\n  ret;\n}\n";
}

inline RunResult runExchange(const std::string &kernel,
                             std::vector<uint32_t> &out) {
  std::vector<std::vector<uint32_t>> arrays = {std::vector<uint32_t>(64)};
  RunOptions options;
  options.chip = "sm_90a";
  options.grid = {2, 1, 1};
  options.cluster = {2, 1, 1};
  options.simulator.stepLimit = 1 << 18;
  RunResult result = run(kernel, arrays, options);
  out = arrays[0];
  return result;
}
/// What is found in it.
inline std::string findIn(const std::string &kernel) {
  std::vector<uint32_t> out;
  RunResult result = runExchange(kernel, out);
  return result.error + result.text();
}

} // namespace tileir::sim::test

#endif // TILEIR_TEST_UNIT_SIMULATOR_SIMULATOREXCHANGE_H
