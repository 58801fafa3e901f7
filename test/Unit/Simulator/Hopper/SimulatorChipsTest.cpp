//===- SimulatorChipsTest.cpp ---------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// setmaxnreg with its pool of registers, and which chips have which
// instructions.
//
//===----------------------------------------------------------------------===//

#include "SimulatorEvaluate.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

std::string runPTX(const std::string &body, uint32_t threads,
                   const char *chip = "sm_90a") {
  std::string ptx = ".version 8.3\n.target sm_90a\n.address_size 64\n"
                    ".visible .entry k()\n{\n  .reg .pred %p<4>;\n"
                    "  .reg .b32 %r<16>;\n  .reg .b64 %x<4>;\n"
                    "  .shared .align 16 .b8 tile[64];\n"
                    "  mov.u32 %r0, %tid.x;\n" +
                    body + "  ret;\n}\n";
  std::vector<std::vector<uint8_t>> arrays;
  RunOptions options;
  options.chip = chip;
  options.block = {threads, 1, 1};
  RunResult result = run(ptx, arrays, options);
  return result.error + result.text();
}

/// Producers give registers back, two warpgroups of consumers take them: the
/// `ptx` of each.
std::string runRoles(const std::string &producer, const std::string &consumer,
                     uint32_t threads = 384) {
  return runPTX("  setp.ge.u32 %p0, %r0, 128;\n  @%p0 bra consumer;\n" +
                    producer + "  ret;\nconsumer:\n" + consumer,
                threads);
}

std::string set(const char *how, unsigned count) {
  return std::string("  setmaxnreg.") + how + ".sync.aligned.u32 " +
         std::to_string(count) + ";\n";
}

TEST(SimulatorRegisterPool, Fits) {
  // 168 * 384 = 40 * 128 + 232 * 256, whoever comes first.
  EXPECT_EQ(runRoles(set("dec", 40), set("inc", 232)), "");
  EXPECT_EQ(runRoles(set("inc", 232), set("dec", 136)), "");
  EXPECT_EQ(runPTX(set("dec", 40) + set("inc", 240), 128), "");
}

TEST(SimulatorRegisterPool, Starves) {
  const std::string expected =
      "deadlock: setmaxnreg.inc to 240 registers of a thread waits for ever: "
      "expected 9216 registers given back by others, found 7168 of the block's "
      "64512\n";
  EXPECT_EQ(runRoles(set("dec", 40), set("inc", 240)), expected);
  EXPECT_EQ(runRoles("", set("inc", 232)).substr(0, 47),
            "deadlock: setmaxnreg.inc to 232 registers of a ");
}

TEST(SimulatorRegisterPool, WrongWays) {
  EXPECT_EQ(runRoles(set("inc", 40), set("dec", 160)),
            "register-count: setmaxnreg.inc to 40 registers of a thread that "
            "has 168; expected at least 168\n");
  EXPECT_EQ(runRoles("", set("dec", 240)).substr(0, 47),
            "register-count: setmaxnreg.dec to 240 registers");
  EXPECT_NE(runPTX(set("dec", 20), 128).find("from 24 to 256 that 8 divides"),
            std::string::npos);
  EXPECT_NE(runPTX(set("dec", 44), 128).find("from 24 to 256 that 8 divides"),
            std::string::npos);
}

TEST(SimulatorRegisterPool, WholeWarpgroups) {
  EXPECT_EQ(runPTX(set("dec", 40), 64).substr(0, 62),
            "mismatched-collective: setmaxnreg of the warps 0 to 3, of whic");
  EXPECT_EQ(runPTX("  setp.lt.u32 %p0, %r0, 32;\n  @%p0 bra other;\n" +
                       set("dec", 40) + "  ret;\nother:\n" + set("dec", 40),
                   128)
                .substr(0, 22),
            "mismatched-collective:");
}

TEST(SimulatorChips, Instructions) {
  struct {
    const char *text, *name, *least, *before;
  } rows[] = {
      {"  mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r1, %r2}, {%r3, "
       "%r4}, {%r5}, {%r6, %r7};\n",
       "mma.m16n8k8.row.col.f16.f16", "sm_75", "sm_70"},
      {"  mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r3}, "
       "{%r4}, {%r5, %r6};\n",
       "mma.m8n8k16.row.col.s8", "sm_75", "sm_70"},
      {"  mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r1, %r2}, {%r3, "
       "%r4, %r5, %r6}, {%r7, %r8}, {%r9, %r10};\n",
       "mma.m16n8k16.row.col.f16.f16", "sm_80", "sm_75"},
      {"  mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%r1, %r2, %r3, "
       "%r4}, {%r5, %r6, %r7, %r8}, {%r9, %r10}, {%r1, %r2, %r3, %r4};\n",
       "mma.m16n8k32.row.col.f32.e4m3.e5m2.f32", "sm_89", "sm_86"},
      {"  cp.async.wait_all;\n", "cp.async.wait.all", "sm_80", "sm_75"},
      {"  redux.sync.add.s32 %r1, %r0, -1;\n", "redux.sync.add", "sm_80",
       "sm_75"},
      {"  elect.sync %r1|%p1, -1;\n", "elect.sync", "sm_90", "sm_89"},
      {"  griddepcontrol.wait;\n", "griddepcontrol.wait", "sm_90", "sm_89"},
      {"  setmaxnreg.dec.sync.aligned.u32 40;\n",
       "setmaxnreg.dec.sync.aligned.u32", "sm_90a", "sm_90"},
      {"  wgmma.fence.sync.aligned;\n", "wgmma.fence.sync.aligned", "sm_90a",
       "sm_100a"},
  };
  for (auto &row : rows) {
    EXPECT_EQ(runPTX(row.text, 128, row.least), "") << row.text;
    std::string error = runPTX(row.text, 128, row.before);
    EXPECT_NE(error.find(std::string(": ") + row.before + " has no '" +
                         row.name + "': expected " + row.least),
              std::string::npos)
        << row.text << error;
  }
}

} // namespace
