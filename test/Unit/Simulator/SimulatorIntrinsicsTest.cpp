//===- SimulatorIntrinsicsTest.cpp ----------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Special registers, what the lanes of a warp do together, and barriers, each
// in a small kernel.
//
//===----------------------------------------------------------------------===//

#include "SimulatorThreads.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

//===----------------------------------------------------------------------===//
// Special registers
//===----------------------------------------------------------------------===//

void checkRegister(const std::string &name,
                   const std::function<uint32_t(uint32_t)> &expected) {
  RunOptions options;
  options.grid = {3, 1, 1};
  options.block = {80, 1, 1};
  options.dynamicSharedBytes = 640;
  bool known = name == "tid.x" || name == "ctaid.x" || name == "ntid.x";
  std::string call = "call i32 @llvm.nvvm.read.ptx.sreg." + name + "()\n";
  check(known ? "" : "declare i32 @llvm.nvvm.read.ptx.sreg." + name + "()\n",
        "  %r = " + call, expected, options);
}

TEST(SimulatorIntrinsics, SpecialRegisters) {
  auto lane = [](uint32_t i) { return i % 80 % 32; };
  checkRegister("tid.x", [](uint32_t i) { return i % 80; });
  checkRegister("tid.y", [](uint32_t) { return 0; });
  checkRegister("tid.z", [](uint32_t) { return 0; });
  checkRegister("tid.w", [](uint32_t) { return 0; });
  checkRegister("ntid.x", [](uint32_t) { return 80; });
  checkRegister("ntid.y", [](uint32_t) { return 1; });
  checkRegister("ntid.z", [](uint32_t) { return 1; });
  checkRegister("ctaid.x", [](uint32_t i) { return i / 80; });
  checkRegister("ctaid.y", [](uint32_t) { return 0; });
  checkRegister("ctaid.z", [](uint32_t) { return 0; });
  checkRegister("nctaid.x", [](uint32_t) { return 3; });
  checkRegister("nctaid.y", [](uint32_t) { return 1; });
  checkRegister("nctaid.z", [](uint32_t) { return 1; });
  checkRegister("laneid", lane);
  checkRegister("warpid", [](uint32_t i) { return i % 80 / 32; });
  checkRegister("nwarpid", [](uint32_t) { return 3; });
  checkRegister("warpsize", [](uint32_t) { return 32; });
  checkRegister("lanemask.eq", [=](uint32_t i) { return 1u << lane(i); });
  checkRegister("lanemask.lt", [=](uint32_t i) { return (1u << lane(i)) - 1; });
  checkRegister("lanemask.le", [=](uint32_t i) { return (2u << lane(i)) - 1; });
  checkRegister("lanemask.gt",
                [=](uint32_t i) { return ~((2u << lane(i)) - 1); });
  checkRegister("lanemask.ge",
                [=](uint32_t i) { return ~((1u << lane(i)) - 1); });
  checkRegister("dynamic_smem_size", [](uint32_t) { return 640; });
}

/// Times go on; which multiprocessor it was is less than their number.
TEST(SimulatorIntrinsics, RegistersWithoutFixedValue) {
  RunOptions options;
  options.grid = {200, 1, 1};
  check(
      "declare i32 @llvm.nvvm.read.ptx.sreg.smid()\n"
      "declare i32 @llvm.nvvm.read.ptx.sreg.nsmid()\n",
      "  %s = call i32 @llvm.nvvm.read.ptx.sreg.smid()\n"
      "  %n = call i32 @llvm.nvvm.read.ptx.sreg.nsmid()\n"
      "  %less = icmp ult i32 %s, %n\n"
      "  %r = zext i1 %less to i32\n",
      [](uint32_t) { return 1; }, options);
  for (std::string name : {"clock64", "globaltimer"})
    check("declare i64 @llvm.nvvm.read.ptx.sreg." + name + "()\n",
          "  %a = call i64 @llvm.nvvm.read.ptx.sreg." + name + "()\n" +
              "  %b = call i64 @llvm.nvvm.read.ptx.sreg." + name + "()\n" +
              "  %less = icmp ule i64 %a, %b\n"
              "  %r = zext i1 %less to i32\n",
          [](uint32_t) { return 1; });
  for (std::string name :
       {"clock", "globaltimer.lo", "gridid", "total_smem_size"})
    check("declare i32 @llvm.nvvm.read.ptx.sreg." + name + "()\n",
          "  %a = call i32 @llvm.nvvm.read.ptx.sreg." + name + "()\n" +
              "  %z = and i32 %a, 0\n  %r = add i32 %z, %t\n",
          [](uint32_t i) { return i; });
}

//===----------------------------------------------------------------------===//
// The lanes of a warp
//===----------------------------------------------------------------------===//

TEST(SimulatorIntrinsics, Shuffles) {
  // Segments of 8 lanes: c = mask of the segment << 8 | clamp.
  struct {
    const char *mode;
    unsigned amount, clamp;
    int (*from)(int lane); ///< before the bounds
  } shuffles[] = {{"up", 3, 24 << 8, [](int l) { return l - 3; }},
                  {"down", 5, 24 << 8 | 31, [](int l) { return l + 5; }},
                  {"bfly", 6, 24 << 8 | 31, [](int l) { return l ^ 6; }},
                  {"idx", 2, 24 << 8 | 31, [](int l) { return (l & ~7) + 2; }}};
  for (auto &s : shuffles)
    for (std::string type : {"i32", "f32"})
      for (bool withPredicate : {false, true}) {
        auto isIn = [&](uint32_t l) {
          int from = s.from(l);
          return from >= int(l & ~7u) && from <= int(l | 7);
        };
        std::string value = type == "i32" ? "i32" : "float";
        std::string name = std::string("@llvm.nvvm.shfl.sync.") + s.mode + "." +
                           type + (withPredicate ? "p" : "");
        std::string result = withPredicate ? "{" + value + ", i1}" : value;
        std::string body = type == "i32" ? "  %v = add i32 %x, 0\n"
                                         : "  %v = bitcast i32 %x to float\n";
        body += "  %s = call " + result + " " + name + "(i32 -1, " + value +
                " %v, i32 " + std::to_string(s.amount) + ", i32 " +
                std::to_string(s.clamp) + ")\n";
        if (withPredicate)
          body += "  %p = extractvalue " + result +
                  " %s, 1\n"
                  "  %w = extractvalue " +
                  result + " %s, 0\n";
        body += "  %f = bitcast " + value + " " +
                (withPredicate ? "%w" : "%s") + " to i32\n";
        body += withPredicate ? "  %q = zext i1 %p to i32\n"
                                "  %h = shl i32 %q, 31\n"
                                "  %r = xor i32 %f, %h\n"
                              : "  %r = add i32 %f, 0\n";
        check("declare " + result + " " + name + "(i32, " + value +
                  ", i32, i32)\n",
              body, [&](uint32_t l) {
                uint32_t x = getInput(isIn(l) ? s.from(l) : l);
                return withPredicate && isIn(l) ? x ^ 0x80000000u : x;
              });
      }
}

TEST(SimulatorIntrinsics, Votes) {
  uint32_t odd = 0;
  for (uint32_t i = 0; i < 32; ++i)
    odd |= (getInput(i) & 1) << i;
  auto checkVote = [](const std::string &mode, const std::string &predicate,
                      uint32_t expected) {
    std::string result = mode == "ballot" ? "i32" : "i1";
    std::string name = "@llvm.nvvm.vote." + mode + ".sync";
    check("declare " + result + " " + name + "(i32, i1)\n",
          predicate + "  %v = call " + result + " " + name +
              "(i32 -1, i1 %p)\n" +
              (mode == "ballot" ? "  %r = add i32 %v, 0\n"
                                : "  %r = zext i1 %v to i32\n"),
          [=](uint32_t) { return expected; });
  };
  std::string isOdd = "  %p = trunc i32 %x to i1\n";
  std::string always = "  %p = icmp ult i32 %t, 32\n";
  std::string never = "  %p = icmp ugt i32 %t, 32\n";
  checkVote("ballot", isOdd, odd);
  checkVote("any", isOdd, 1);
  checkVote("all", isOdd, 0);
  checkVote("uni", isOdd, 0);
  checkVote("all", always, 1);
  checkVote("uni", always, 1);
  checkVote("uni", never, 1);
  checkVote("any", never, 0);
}

TEST(SimulatorIntrinsics, Matches) {
  auto value = [](uint32_t l) { return getInput(l) & 3; };
  auto same = [&](uint32_t l) {
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < 32; ++i)
      lanes |= uint32_t(value(i) == value(l)) << i;
    return lanes;
  };
  for (std::string type : {"i32", "i64"}) {
    std::string widen = type == "i32" ? "  %v = and i32 %x, 3\n"
                                      : "  %n = and i32 %x, 3\n"
                                        "  %z = zext i32 %n to i64\n"
                                        "  %v = shl i64 %z, 40\n";
    check("declare i32 @llvm.nvvm.match.any.sync." + type + "(i32, " + type +
              ")\n",
          widen + "  %r = call i32 @llvm.nvvm.match.any.sync." + type +
              "(i32 -1, " + type + " %v)\n",
          same);
    for (bool equal : {false, true})
      check("declare {i32, i1} @llvm.nvvm.match.all.sync." + type + "p(i32, " +
                type + ")\n",
            (equal ? "  %v = add " + type + " 0, 77\n" : widen) +
                "  %m = call {i32, i1} @llvm.nvvm.match.all.sync." + type +
                "p(i32 -1, " + type + " %v)\n" +
                "  %p = extractvalue {i32, i1} %m, 1\n"
                "  %l = extractvalue {i32, i1} %m, 0\n"
                "  %q = zext i1 %p to i32\n"
                "  %r = sub i32 %l, %q\n",
            [=](uint32_t) { return equal ? ~0u - 1 : 0; });
  }
}

TEST(SimulatorIntrinsics, Reductions) {
  struct {
    const char *name;
    uint32_t (*combine)(uint32_t, uint32_t);
  } reductions[] = {
      {"add", [](uint32_t a, uint32_t b) { return a + b; }},
      {"min",
       [](uint32_t a, uint32_t b) { return int32_t(a) < int32_t(b) ? a : b; }},
      {"max",
       [](uint32_t a, uint32_t b) { return int32_t(a) > int32_t(b) ? a : b; }},
      {"umin", [](uint32_t a, uint32_t b) { return a < b ? a : b; }},
      {"umax", [](uint32_t a, uint32_t b) { return a > b ? a : b; }},
      {"and", [](uint32_t a, uint32_t b) { return a & b; }},
      {"or", [](uint32_t a, uint32_t b) { return a | b; }},
      {"xor", [](uint32_t a, uint32_t b) { return a ^ b; }}};
  auto value = [](uint32_t i) { return getInput(i) - 9999999; };
  for (auto &r : reductions) {
    uint32_t expected = value(0);
    for (uint32_t i = 1; i < 32; ++i)
      expected = r.combine(expected, value(i));
    std::string name = std::string("@llvm.nvvm.redux.sync.") + r.name;
    check("declare i32 " + name + "(i32, i32)\n",
          "  %v = sub i32 %x, 9999999\n  %r = call i32 " + name +
              "(i32 %v, i32 -1)\n",
          [=](uint32_t) { return expected; });
  }
}

TEST(SimulatorIntrinsics, ActiveMaskElectWarpSync) {
  check("declare i32 @llvm.nvvm.activemask()\n",
        "  %r = call i32 @llvm.nvvm.activemask()\n",
        [](uint32_t) { return ~0u; });
  RunOptions options;
  options.chip = "sm_90";
  check(
      "declare {i32, i1} @llvm.nvvm.elect.sync(i32)\n"
      "declare void @llvm.nvvm.bar.warp.sync(i32)\n",
      "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n"
      "  %e = call {i32, i1} @llvm.nvvm.elect.sync(i32 -1)\n"
      "  %l = extractvalue {i32, i1} %e, 0\n"
      "  %p = extractvalue {i32, i1} %e, 1\n"
      "  %q = zext i1 %p to i32\n"
      "  %s = shl i32 %q, 8\n"
      "  %r = or i32 %l, %s\n",
      [](uint32_t i) { return i == 0 ? 256 : 0; }, options);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// A value goes from each thread to its opposite one through shared memory,
/// with `barrier` between.
void checkBarrier(const std::string &declaration, const std::string &barrier) {
  RunOptions options;
  options.grid = {2, 1, 1};
  options.block = {96, 1, 1};
  check(
      "@s = addrspace(3) global [96 x i32] undef, align 16\n" + declaration,
      "  %ps = getelementptr i32, ptr addrspace(3) @s, i32 %t\n"
      "  store i32 %x, ptr addrspace(3) %ps, align 4\n" +
          barrier +
          "  %o = sub i32 95, %t\n"
          "  %po = getelementptr i32, ptr addrspace(3) @s, i32 %o\n"
          "  %r = load i32, ptr addrspace(3) %po, align 4\n",
      [](uint32_t i) { return getInput(i / 96 * 96 + 95 - i % 96); }, options);
}

TEST(SimulatorIntrinsics, Barriers) {
  for (std::string aligned : {"", ".aligned"}) {
    std::string name = "@llvm.nvvm.barrier.cta.sync" + aligned;
    checkBarrier("declare void " + name + ".all(i32)\n",
                 "  call void " + name + ".all(i32 1)\n");
    checkBarrier("declare void " + name + ".count(i32, i32)\n",
                 "  call void " + name + ".count(i32 2, i32 96)\n");
  }
  checkBarrier("declare void @llvm.nvvm.barrier0()\n",
               "  call void @llvm.nvvm.barrier0()\n");
  checkBarrier("declare void @llvm.nvvm.barrier.n(i32)\n",
               "  call void @llvm.nvvm.barrier.n(i32 3)\n");
  checkBarrier("declare void @llvm.nvvm.barrier(i32, i32)\n",
               "  call void @llvm.nvvm.barrier(i32 4, i32 96)\n");
}

TEST(SimulatorIntrinsics, BarrierReductions) {
  RunOptions options;
  options.block = {96, 1, 1};
  uint32_t odd = 0;
  for (uint32_t i = 0; i < 96; ++i)
    odd += getInput(i) & 1;
  for (std::string aligned : {"", ".aligned"})
    for (std::string kind : {"and", "or", "popc"})
      for (bool counted : {false, true}) {
        std::string type = kind == "popc" ? "i32" : "i1";
        std::string name = "@llvm.nvvm.barrier.cta.red." + kind + aligned +
                           (counted ? ".count" : ".all");
        check(
            "declare " + type + " " + name +
                (counted ? "(i32, i32, i1)\n" : "(i32, i1)\n"),
            "  %p = trunc i32 %x to i1\n  %v = call " + type + " " + name +
                (counted ? "(i32 1, i32 96, i1 %p)\n" : "(i32 1, i1 %p)\n") +
                (kind == "popc" ? "  %r = add i32 %v, 0\n"
                                : "  %r = zext i1 %v to i32\n"),
            [=](uint32_t) {
              return kind == "popc" ? odd : kind == "or" ? 1 : 0;
            },
            options);
      }
  for (std::string kind : {"and", "or", "popc"})
    check(
        "declare i32 @llvm.nvvm.barrier0." + kind + "(i32)\n",
        "  %p = and i32 %x, 1\n  %r = call i32 @llvm.nvvm.barrier0." + kind +
            "(i32 %p)\n",
        [=](uint32_t) { return kind == "popc" ? odd
                               : kind == "or" ? 1
                                              : 0; },
        options);
}

/// The first warp arrives only, the second waits: a producer and a consumer.
/// MLIR writes the arrival as inline assembly.
TEST(SimulatorIntrinsics, BarrierArrive) {
  RunOptions options;
  options.block = {64, 1, 1};
  std::string arrive = "@llvm.nvvm.barrier.cta.arrive";
  std::string sync = "@llvm.nvvm.barrier.cta.sync.count";
  for (std::string call :
       {arrive + ".count(i32 1, i32 64)",
        arrive + ".aligned.count(i32 1, i32 64)",
        std::string("asm sideeffect \"bar.arrive $0, $1;\", \"r,r\"(i32 1, "
                    "i32 64)")})
    check(
        "@s = addrspace(3) global [32 x i32] undef, align 16\n"
        "declare void " +
            arrive +
            ".count(i32, i32)\n"
            "declare void " +
            arrive +
            ".aligned.count(i32, i32)\n"
            "declare void " +
            sync + "(i32, i32)\n",
        "  %l = and i32 %t, 31\n"
        "  %ps = getelementptr i32, ptr addrspace(3) @s, i32 %l\n"
        "  %isFirst = icmp ult i32 %t, 32\n"
        "  br i1 %isFirst, label %produce, label %consume\n"
        "produce:\n"
        "  store i32 %x, ptr addrspace(3) %ps, align 4\n"
        "  call void " +
            call +
            "\n"
            "  br label %end\n"
            "consume:\n"
            "  call void " +
            sync +
            "(i32 1, i32 64)\n"
            "  %y = load i32, ptr addrspace(3) %ps, align 4\n"
            "  br label %end\n"
            "end:\n"
            "  %r = phi i32 [ 0, %produce ], [ %y, %consume ]\n",
        [](uint32_t i) { return i < 32 ? 0 : getInput(i - 32); }, options);
}

} // namespace
