//===- SimulatorCallsTest.cpp ---------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Intrinsics that access memory, hints, exits and traps, each in a small
// kernel.
//
//===----------------------------------------------------------------------===//

#include "SimulatorThreads.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Of bytes/4 words that each copy brings, the thread reads its lane's.
TEST(SimulatorCalls, AsyncCopies) {
  for (std::string cache : {"ca", "cg"})
    for (unsigned bytes : {4u, 8u, 16u})
      for (bool hasSize : {false, true}) {
        if (cache == "cg" && bytes != 16)
          continue;
        std::string name = "@llvm.nvvm.cp.async." + cache + ".shared.global." +
                           std::to_string(bytes) + (hasSize ? ".s" : "");
        std::string pointers = "(ptr addrspace(3) %ps, ptr addrspace(1) %pin";
        unsigned words = bytes / 4;
        // Every words-th thread copies the words of the threads behind it; with
        // a size, only the first half of the bytes: the rest is zeros.
        std::string last = std::to_string(words - 1);
        check("@s = addrspace(3) global [32 x i32] undef, align 16\n"
              "declare void " +
                  name + "(ptr addrspace(3), ptr addrspace(1)" +
                  (hasSize ? ", i32)\n" : ")\n") +
                  "declare void @llvm.nvvm.cp.async.commit.group()\n"
                  "declare void @llvm.nvvm.cp.async.wait.group(i32)\n"
                  "declare void @llvm.nvvm.cp.async.wait.all()\n"
                  "declare void @llvm.nvvm.bar.warp.sync(i32)\n",
              "  %ps = getelementptr i32, ptr addrspace(3) @s, i32 %t\n"
              "  %rest = and i32 %t, " +
                  last +
                  "\n"
                  "  %copies = icmp eq i32 %rest, 0\n"
                  "  br i1 %copies, label %copy, label %wait\n"
                  "copy:\n"
                  "  call void " +
                  name + pointers +
                  (hasSize ? ", i32 " + std::to_string(bytes / 2) + ")\n"
                           : ")\n") +
                  "  call void @llvm.nvvm.cp.async.commit.group()\n"
                  "  br label %wait\n"
                  "wait:\n" +
                  (hasSize ? "  call void @llvm.nvvm.cp.async.wait.all()\n"
                           : "  call void @llvm.nvvm.cp.async.wait.group(i32 "
                             "0)\n") +
                  "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n"
                  "  %r = load i32, ptr addrspace(3) %ps, align 4\n",
              [=](uint32_t i) {
                if (!hasSize)
                  return getInput(i);
                if (words == 1)
                  return getInput(i) & 0xffff;
                return i % words < words / 2 ? getInput(i) : 0;
              });
      }
}

/// Matrix m is stored as its words; register m of lane l is then word l.
TEST(SimulatorCalls, MatrixLoadsAndStores) {
  RunOptions options;
  options.chip = "sm_90"; // for stmatrix
  for (unsigned count : {1u, 2u, 4u})
    for (bool transposed : {false, true}) {
      std::string end = "m8n8.x" + std::to_string(count) +
                        (transposed ? ".trans" : "") + ".b16";
      std::string load = "@llvm.nvvm.ldmatrix.sync.aligned." + end + ".p3";
      std::string store = "@llvm.nvvm.stmatrix.sync.aligned." + end + ".p3";
      std::string result = "i32", types, values;
      if (count > 1) {
        result = "{";
        for (unsigned m = 0; m < count; ++m)
          result += m ? ", i32" : "i32";
        result += "}";
      }
      std::string body = "  %row = mul i32 %t, 4\n"
                         "  %ps = getelementptr i32, ptr addrspace(3) @s, i32 "
                         "%row\n";
      for (unsigned m = 0; m < count; ++m) {
        std::string n = std::to_string(m);
        body += "  %v" + n + " = add i32 %x, " + n + "\n";
        types += ", i32";
        values += ", i32 %v" + n;
      }
      body += "  call void " + store + "(ptr addrspace(3) %ps" + values +
              ")\n  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n  %l = call " +
              result + " " + load + "(ptr addrspace(3) %ps)\n";
      std::string last = count == 1 ? "%l" : "%e";
      if (count > 1)
        body += "  %e = extractvalue " + result + " %l, " +
                std::to_string(count - 1) + "\n";
      body += "  %r = add i32 " + last + ", 0\n";
      check(
          "@s = addrspace(3) global [128 x i32] undef, align 16\n"
          "declare void @llvm.nvvm.bar.warp.sync(i32)\n"
          "declare void " +
              store + "(ptr addrspace(3)" + types +
              ")\n"
              "declare " +
              result + " " + load + "(ptr addrspace(3))\n",
          body, [=](uint32_t i) { return getInput(i) + count - 1; }, options);
    }
}

TEST(SimulatorCalls, ScopedAtomics) {
  struct {
    const char *name;
    uint32_t (*combine)(uint32_t old, uint32_t x);
  } atomics[] = {
      {"add", [](uint32_t old, uint32_t x) { return old + x; }},
      {"and", [](uint32_t old, uint32_t x) { return old & x; }},
      {"or", [](uint32_t old, uint32_t x) { return old | x; }},
      {"xor", [](uint32_t old, uint32_t x) { return old ^ x; }},
      {"exch", [](uint32_t, uint32_t x) { return x; }},
      {"max", [](uint32_t old,
                 uint32_t x) { return int32_t(old) > int32_t(x) ? old : x; }},
      {"min", [](uint32_t old,
                 uint32_t x) { return int32_t(old) < int32_t(x) ? old : x; }},
      {"inc", [](uint32_t old, uint32_t x) { return old >= x ? 0 : old + 1; }},
      {"dec", [](uint32_t old, uint32_t x) {
         return old == 0 || old > x ? x : old - 1;
       }}};
  for (auto &atomic : atomics)
    for (std::string scope : {"cta", "sys"}) {
      std::string name = std::string("@llvm.nvvm.atomic.") + atomic.name +
                         ".gen.i." + scope + ".i32.p1";
      // out starts as 0: then the input, then the operand.
      check("declare i32 " + name + "(ptr addrspace(1), i32)\n",
            "  %o = call i32 " + name +
                "(ptr addrspace(1) %pin, i32 70000)\n"
                "  %n = load i32, ptr addrspace(1) %pin, align 4\n"
                "  %h = mul i32 %n, 3\n"
                "  %r = add i32 %h, %o\n",
            [&](uint32_t i) {
              uint32_t old = getInput(i);
              return atomic.combine(old, 70000) * 3 + old;
            });
    }
  check("declare i32 @llvm.nvvm.atomic.cas.gen.i.cta.i32.p1(ptr addrspace(1), "
        "i32, i32)\n",
        "  %a = call i32 @llvm.nvvm.atomic.cas.gen.i.cta.i32.p1(ptr "
        "addrspace(1) %pin, i32 %t, i32 5)\n"
        "  %b = call i32 @llvm.nvvm.atomic.cas.gen.i.cta.i32.p1(ptr "
        "addrspace(1) %pin, i32 %x, i32 6)\n"
        "  %n = load i32, ptr addrspace(1) %pin, align 4\n"
        "  %s = sub i32 %a, %b\n"
        "  %r = add i32 %s, %n\n",
        [](uint32_t i) { // thread 0: its input is 0 as well
          return i == 0 ? uint32_t(0 - 5 + 5) : 6u;
        });
  check("declare float @llvm.nvvm.atomic.add.gen.f.sys.f32.p1(ptr "
        "addrspace(1), float)\n",
        "  %f = uitofp i32 %t to float\n"
        "  store float %f, ptr addrspace(1) %pin, align 4\n"
        "  %o = call float @llvm.nvvm.atomic.add.gen.f.sys.f32.p1(ptr "
        "addrspace(1) %pin, float 2.0)\n"
        "  %n = load float, ptr addrspace(1) %pin, align 4\n"
        "  %s = fadd float %o, %n\n"
        "  %r = fptoui float %s to i32\n",
        [](uint32_t i) { return 2 * i + 2; });
}

TEST(SimulatorCalls, SpacesAndFences) {
  std::string declarations = "@s = addrspace(3) global [1 x i32] undef\n";
  std::string body = "  %in0 = addrspacecast ptr addrspace(1) %pin to ptr\n"
                     "  %s0 = addrspacecast ptr addrspace(3) @s to ptr\n"
                     "  %l0 = alloca i32\n"
                     "  %r0 = add i32 0, 0\n";
  unsigned bit = 0;
  for (std::string space : {"global", "shared", "local"}) {
    declarations += "declare i1 @llvm.nvvm.isspacep." + space + "(ptr)\n";
    for (std::string pointer : {"%in0", "%s0", "%l0"}) {
      std::string n = std::to_string(bit), next = std::to_string(bit + 1);
      body += "  %p" + n + " = call i1 @llvm.nvvm.isspacep." + space + "(ptr " +
              pointer + ")\n  %z" + n + " = zext i1 %p" + n + " to i32\n  %h" +
              n + " = shl i32 %z" + n + ", " + n + "\n  %r" + next +
              " = or i32 %r" + n + ", %h" + n + "\n";
      ++bit;
    }
  }
  for (std::string fence : {"cta", "gl", "sys"}) {
    declarations += "declare void @llvm.nvvm.membar." + fence + "()\n";
    body += "  call void @llvm.nvvm.membar." + fence + "()\n";
  }
  check(declarations, body + "  %r = add i32 %r9, 0\n",
        [](uint32_t) { return 1 | 1 << 4 | 1 << 8; });
}

TEST(SimulatorCalls, LoadsThatNobodyWrites) {
  check("declare i32 @llvm.nvvm.ldu.global.i.i32.p1(ptr addrspace(1), i32)\n"
        "declare i32 @llvm.nvvm.ldg.global.i.i32.p1(ptr addrspace(1), i32)\n",
        "  %a = call i32 @llvm.nvvm.ldu.global.i.i32.p1(ptr addrspace(1) %pin, "
        "i32 4)\n"
        "  %b = call i32 @llvm.nvvm.ldg.global.i.i32.p1(ptr addrspace(1) %pin, "
        "i32 4)\n"
        "  %r = add i32 %a, %b\n",
        [](uint32_t i) { return 2 * getInput(i); });
}

//===----------------------------------------------------------------------===//
// Hints, exits and traps
//===----------------------------------------------------------------------===//

TEST(SimulatorCalls, HintsDoNothing) {
  check("declare void @llvm.nvvm.nanosleep(i32)\n"
        "declare void @llvm.nvvm.prefetch.global.L2(ptr addrspace(1))\n"
        "declare void @llvm.assume(i1)\n"
        "declare i1 @llvm.expect.i1(i1, i1)\n",
        "  call void @llvm.nvvm.nanosleep(i32 100)\n"
        "  call void @llvm.nvvm.prefetch.global.L2(ptr addrspace(1) %pin)\n"
        "  %small = icmp ult i32 %t, 1024\n"
        "  %likely = call i1 @llvm.expect.i1(i1 %small, i1 true)\n"
        "  call void @llvm.assume(i1 %likely)\n"
        "  call void asm sideeffect \"\", \"~{memory}\"()\n"
        "  %r = add i32 %x, 1\n",
        [](uint32_t i) { return getInput(i) + 1; });
}

TEST(SimulatorCalls, ExitEndsThreads) {
  check("declare void @llvm.nvvm.exit()\n",
        "  store volatile i32 9, ptr addrspace(1) %pout, align 4\n"
        "  %odd = trunc i32 %t to i1\n"
        "  br i1 %odd, label %leave, label %stay\n"
        "leave:\n"
        "  call void @llvm.nvvm.exit()\n"
        "  unreachable\n"
        "stay:\n"
        "  %r = add i32 %t, 0\n",
        [](uint32_t i) { return i % 2 ? 9 : i; });
}

/// The findings of a kernel in which the threads for which `condition` holds do
/// `body`.
std::string runBranch(const std::string &declarations,
                      const std::string &condition, const std::string &body) {
  std::vector<ThreadWords> arrays = {ThreadWords(32), ThreadWords(32)};
  return run(makeThreadKernel(declarations,
                              "  %taken = " + condition +
                                  "\n"
                                  "  br i1 %taken, label %then, label %rest\n"
                                  "then:\n" +
                                  body +
                                  "  br label %rest\n"
                                  "rest:\n"
                                  "  %r = add i32 %t, 0\n"),
             arrays)
      .text();
}
std::string runTrap(const std::string &declarations, const std::string &body) {
  return runBranch(declarations, "icmp eq i32 %t, 5", body);
}

TEST(SimulatorCalls, Traps) {
  EXPECT_NE(runTrap("declare void @llvm.trap()\n", "  call void @llvm.trap()\n")
                .find("trap: llvm.trap"),
            std::string::npos);
  EXPECT_NE(runTrap("declare void @llvm.debugtrap()\n",
                    "  call void @llvm.debugtrap()\n")
                .find("trap: llvm.debugtrap"),
            std::string::npos);
  std::string text = runTrap(
      "@m = addrspace(4) constant [6 x i8] c\"i < n\\00\"\n"
      "@f = addrspace(4) constant [5 x i8] c\"a.cu\\00\"\n"
      "@n = addrspace(4) constant [7 x i8] c\"kernel\\00\"\n"
      "declare void @__assertfail(ptr, ptr, i32, ptr, i64)\n",
      "  call void @__assertfail(ptr addrspacecast (ptr addrspace(4) @m to "
      "ptr), ptr addrspacecast (ptr addrspace(4) @f to ptr), i32 12, ptr "
      "addrspacecast (ptr addrspace(4) @n to ptr), i64 1)\n");
  EXPECT_NE(text.find("assertion failed: i < n, a.cu:12, in kernel"),
            std::string::npos)
      << text;
}

//===----------------------------------------------------------------------===//
// mma
//===----------------------------------------------------------------------===//

/// Sums of 1 * 1 over k, on top of the input.
TEST(SimulatorCalls, Mma) {
  struct {
    const char *name, *a, *one;
    unsigned as, bs, k;
  } mmas[] = {{"m16n8k8.row.col.tf32", "i32", "1065353216", 4, 2, 8},
              {"m16n8k16.row.col.bf16", "i32", "1065369472", 4, 2, 16},
              {"m16n8k16.row.col.f32.f32", "<2 x half>", "<half 1.0, half 1.0>",
               4, 2, 16}};
  for (auto &m : mmas) {
    std::string name = std::string("@llvm.nvvm.mma.") + m.name, types, values;
    for (unsigned i = 0; i < m.as + m.bs; ++i) {
      types += std::string(i ? ", " : "") + m.a;
      values += std::string(i ? ", " : "") + m.a + " " + m.one;
    }
    std::string result = "{float, float, float, float}";
    check("declare " + result + " " + name + "(" + types +
              ", float, float, float, float)\n",
          "  %f = uitofp i32 %t to float\n"
          "  %d = call " +
              result + " " + name + "(" + values +
              ", float %f, float 0.0, float 0.0, float 1.0)\n"
              "  %d0 = extractvalue " +
              result +
              " %d, 0\n"
              "  %d3 = extractvalue " +
              result +
              " %d, 3\n"
              "  %s = fmul float %d0, 64.0\n"
              "  %u = fadd float %s, %d3\n"
              "  %r = fptoui float %u to i32\n",
          [=](uint32_t i) { return (m.k + i) * 64 + m.k + 1; });
  }
}

/// An mma that only half of the lanes reach never happens.
TEST(SimulatorCalls, MmaByHalfAWarp) {
  std::string result = "{double, double}";
  std::string name = "@llvm.nvvm.mma.m8n8k4.row.col.f64";
  std::string text = runBranch(
      "declare " + result + " " + name + "(double, double, double, double)\n",
      "icmp ult i32 %t, 16",
      "  %f = uitofp i32 %x to double\n"
      "  %d = call " +
          result + " " + name +
          "(double %f, double 1.0, double 0.0, double 0.0)\n"
          "  %e = extractvalue " +
          result +
          " %d, 0\n"
          "  %u = fptoui double %e to i32\n"
          "  store i32 %u, ptr addrspace(1) %pout, align 4\n");
  EXPECT_EQ(text, "divergent-barrier: mma by a warp of which only the lanes "
                  "0x0000ffff are left; expected all 32\n");
}

} // namespace
