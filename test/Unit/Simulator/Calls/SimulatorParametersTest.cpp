//===- SimulatorParametersTest.cpp - Computed addresses of parameters -----===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters of kernels whose address is computed: elements of structs and
// arrays by value, and one parameter or the other.
//
//===----------------------------------------------------------------------===//

#include "SimulatorRun.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

/// A kernel in PTX: out[thread] = the word that `load` puts into %r1.
std::string getFile(const std::string &parameters, const std::string &load) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n"
         ".visible .entry k(.param .u64 a, " +
         parameters +
         ")\n{ .reg .b32 %t, %r<9>; .reg .b64 %p, %q<9>; .reg .pred %c;\n"
         " ld.param.u64 %p, [a]; cvta.to.global.u64 %p, %p;\n"
         " mov.u32 %t, %tid.x; mul.wide.u32 %q0, %t, 4;\n"
         " add.s64 %p, %p, %q0; setp.lt.u32 %c, %t, 7;\n" +
         load + " st.global.b32 [%p], %r1; ret; }\n";
}

std::vector<uint32_t> count(uint32_t first) {
  std::vector<uint32_t> words(32);
  for (uint32_t i = 0; i < 32; ++i)
    words[i] = first + i;
  return words;
}

/// Struct {i32, i32[6]}: element thread % `size`.
const char *const kIndexed =
    " rem.u32 %r2, %t, SIZE; mul.wide.u32 %q1, %r2, 4; mov.b64 %q2, s;\n"
    " add.s64 %q2, %q2, %q1; ld.param.b32 %r1, [%q2+4];\n";

std::string getIndexed(unsigned size) {
  std::string load = kIndexed;
  return getFile(".param .align 4 .b8 s[28]",
                 load.replace(load.find("SIZE"), 4, std::to_string(size)));
}

RunOptions withStruct() {
  RunOptions options;
  options.structs = {{9, 10, 20, 30, 40, 50, 60}};
  return options;
}

TEST(SimulatorParametersTest, ElementsOfStructsInPTX) {
  std::vector<std::vector<uint32_t>> arrays = {count(0)};
  RunResult result = run(getIndexed(6), arrays, withStruct());
  EXPECT_EQ(result.error + result.text(), "");
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(arrays[0][i], 10 * (i % 6 + 1));
}

/// cvta.param of a computed address gives one for generic loads; the address
/// may have 32 bits.
TEST(SimulatorParametersTest, OtherAddressesOfElements) {
  for (const char *load :
       {" and.b32 %r2, %t, 3; mul.wide.u32 %q1, %r2, 4; mov.b64 %q2, s;\n"
        " add.s64 %q2, %q2, %q1; cvta.param.u64 %q3, %q2;\n"
        " ld.b32 %r1, [%q3+8];\n",
        " and.b32 %r2, %t, 3; shl.b32 %r2, %r2, 2; mov.b32 %r3, s;\n"
        " add.s32 %r2, %r3, %r2; ld.param.b32 %r1, [%r2+8];\n"}) {
    std::vector<std::vector<uint32_t>> arrays = {count(0)};
    RunResult result =
        run(getFile(".param .align 4 .b8 s[28]", load), arrays, withStruct());
    EXPECT_EQ(result.error + result.text(), "") << load;
    for (uint32_t i = 0; i < 32; ++i)
      EXPECT_EQ(arrays[0][i], 10 * (i % 4 + 2)) << load;
  }
}

TEST(SimulatorParametersTest, ElementsOfStructsInLLVM) {
  const std::string ir = R"(
    target triple = "nvptx64-nvidia-cuda"
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    define ptx_kernel void @k(ptr addrspace(1) %out,
                              ptr byval({i32, [6 x i32]}) align 4 %s) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %i = urem i32 %t, 6
      %at = getelementptr {i32, [6 x i32]}, ptr %s, i32 0, i32 1, i32 %i
      %x = load i32, ptr %at
      %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
      store i32 %x, ptr addrspace(1) %to
      ret void
    })";
  for (bool optimize : {false, true}) {
    RunOptions options = withStruct();
    options.simulator.optimize = optimize;
    std::vector<std::vector<uint32_t>> arrays = {count(0)};
    RunResult result = run(ir, arrays, options);
    EXPECT_EQ(result.error + result.text(), "");
    for (uint32_t i = 0; i < 32; ++i)
      EXPECT_EQ(arrays[0][i], 10 * (i % 6 + 1));
  }
}

TEST(SimulatorParametersTest, ElementsBeyondAreFound) {
  std::vector<std::vector<uint32_t>> arrays = {count(0)};
  RunResult result = run(getIndexed(7), arrays, withStruct());
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.text(),
            "out-of-bounds: load of 4 bytes at " +
                result.findings.at(0).message.substr(19, 14) +
                ", 0 bytes behind the end of buffer 'argument 1' of 28 "
                "bytes\n");
}

/// What Triton writes for a choice of descriptors: the address of one of two
/// parameters. Each stays a pointer, whose array is given.
TEST(SimulatorParametersTest, OneOfTwoParameters) {
  std::vector<std::vector<uint32_t>> arrays = {count(0), count(100),
                                               count(200)};
  RunResult result =
      run(getFile(".param .u64 b, .param .u64 c, .param .u32 x, .param .u32 y",
                  " mov.b64 %q1, b; mov.b64 %q2, c;\n"
                  " selp.b64 %q3, %q1, %q2, %c; ld.param.b64 %q4, [%q3];\n"
                  " cvta.to.global.u64 %q4, %q4; add.s64 %q4, %q4, %q0;\n"
                  " ld.global.b32 %r1, [%q4]; mov.b64 %q1, y;\n"
                  " @%c mov.b64 %q1, x; ld.param.b32 %r2, [%q1];\n"
                  " add.s32 %r1, %r1, %r2;\n"),
          arrays, {}, {1000, 2000});
  EXPECT_EQ(result.error + result.text(), "");
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(arrays[0][i], i < 7 ? 1100 + i : 2200 + i);
}

} // namespace
