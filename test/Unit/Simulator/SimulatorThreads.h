//===- SimulatorThreads.h ---------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a few instructions in each thread of a launch, one word in and one out,
// against an expectation for each thread.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TEST_UNIT_SIMULATOR_SIMULATORTHREADS_H
#define TILEIR_TEST_UNIT_SIMULATOR_SIMULATORTHREADS_H

#include "SimulatorRun.h"

#include <functional>

namespace tileir::sim::test {

using ThreadWords = std::vector<uint32_t>;

/// A kernel that stores `%r`, an i32 made by `body` from the thread `%t` and
/// the input `%x`, to out[thread of the grid].
inline std::string makeThreadKernel(const std::string &declarations,
                                    const std::string &body) {
  return "target triple = \"nvptx64-nvidia-cuda\"\n"
         "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
         "declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n" +
         declarations +
         "define ptx_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) "
         "%in) {\n"
         "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
         "  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
         "  %first = mul i32 %block, %size\n"
         "  %i = add i32 %first, %t\n"
         "  %pin = getelementptr i32, ptr addrspace(1) %in, i32 %i\n"
         "  %pout = getelementptr i32, ptr addrspace(1) %out, i32 %i\n"
         "  %x = load i32, ptr addrspace(1) %pin, align 4\n" +
         body +
         "  store i32 %r, ptr addrspace(1) %pout, align 4\n"
         "  ret void\n}\n";
}

/// An input without order.
inline uint32_t getInput(uint32_t i) { return i * 2654435761u >> 7; }

/// Runs the kernel on all threads and compares each result.
inline void check(const std::string &declarations, const std::string &body,
                  const std::function<uint32_t(uint32_t)> &expected,
                  RunOptions options = {}) {
  for (bool optimize : {false, true}) {
    options.simulator.optimize = optimize;
    uint32_t threads = options.grid[0] * options.block[0];
    std::vector<ThreadWords> arrays = {ThreadWords(threads),
                                       ThreadWords(threads)};
    for (uint32_t i = 0; i < threads; ++i)
      arrays[1][i] = getInput(i);
    RunResult result =
        run(makeThreadKernel(declarations, body), arrays, options);
    ASSERT_EQ(result.error + result.text(), "") << body;
    for (uint32_t i = 0; i < threads; ++i)
      ASSERT_EQ(arrays[0][i], expected(i)) << body << "thread " << i;
  }
}

} // namespace tileir::sim::test

#endif // TILEIR_TEST_UNIT_SIMULATOR_SIMULATORTHREADS_H
