//===- SimulatorPtx.h -------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs statements of PTX as one kernel for sm_90a, with registers of usual
// names, some mbarriers and shared data, for tests of asynchronous copies.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TEST_UNIT_SIMULATOR_SIMULATORPTX_H
#define TILEIR_TEST_UNIT_SIMULATOR_SIMULATORPTX_H

#include "SimulatorRun.h"

namespace tileir::sim::test {

struct PtxRun : RunResult {
  std::vector<uint32_t> out;
};

/// Shared memory: 16 mbarriers from [%bar] on, data from [%data] on (%data32:
/// its address). %out, %in: global memory, %n words of each; %map: parameters
/// of 128 bytes, tensor maps.
inline PtxRun runPtx(const std::string &body, uint32_t outWords,
                     std::array<uint32_t, 3> block,
                     const std::vector<uint32_t> &in = {0},
                     uint32_t dataBytes = 4096) {
  std::string text =
      ".version 8.4\n.target sm_90a\n.address_size 64\n"
      ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
      ".reg .pred %p, %q, %first;\n"
      ".reg .b32 %r<32>;\n.reg .b32 %tid, %lane, %i, %sum, %data32, %bar32;\n"
      ".reg .b64 %out, %in, %addr, %src, %dst, %state, %bar, %data;\n"
      ".shared .align 8 .b64 bars[16];\n"
      ".shared .align 1024 .b8 data[" +
      std::to_string(dataBytes) +
      "];\n"
      "ld.param.u64 %out, [p0];\nld.param.u64 %in, [p1];\n"
      "cvta.to.global.u64 %out, %out;\ncvta.to.global.u64 %in, %in;\n"
      "mov.u64 %bar, bars;\nmov.u64 %data, data;\n"
      "mov.u32 %data32, data;\nmov.u32 %bar32, bars;\n"
      "mov.u32 %tid, %tid.x;\n" +
      body + "ret;\n}\n";
  std::vector<std::vector<uint32_t>> arrays = {
      std::vector<uint32_t>(outWords, 0), in};
  RunOptions options;
  options.block = block;
  options.chip = "sm_90a";
  PtxRun result;
  static_cast<RunResult &>(result) = run(text, arrays, options);
  result.out = arrays[0];
  return result;
}

} // namespace tileir::sim::test

#endif // TILEIR_TEST_UNIT_SIMULATOR_SIMULATORPTX_H
