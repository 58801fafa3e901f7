//===- SimulatorRecursionTest.cpp - Functions that call themselves --------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursion: each thread to a depth of its own, against the same functions in
// C++; what is kept in a frame; stacks that end.
//
//===----------------------------------------------------------------------===//

#include "SimulatorThreads.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

uint32_t fibonacci(uint32_t n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

constexpr const char *kFibonacci = R"(
define i32 @fibonacci(i32 %n) noinline {
  %small = icmp ult i32 %n, 2
  br i1 %small, label %leaf, label %inner
inner:
  %a = sub i32 %n, 1
  %x = call i32 @fibonacci(i32 %a)
  %b = sub i32 %n, 2
  %y = tail call i32 @fibonacci(i32 %b)
  %sum = add i32 %x, %y
  ret i32 %sum
leaf:
  ret i32 %n
}
)";

TEST(SimulatorRecursion, LanesGoToDifferentDepths) {
  RunOptions options;
  options.grid = {2, 1, 1};
  options.block = {64, 1, 1};
  check(
      kFibonacci,
      "  %n = urem i32 %x, 12\n"
      "  %r = call i32 @fibonacci(i32 %n)\n",
      [](uint32_t i) { return fibonacci(getInput(i) % 12); }, options);
}

uint32_t male(uint32_t n);
uint32_t female(uint32_t n) { return n == 0 ? 1 : n - male(female(n - 1)); }
uint32_t male(uint32_t n) { return n == 0 ? 0 : n - female(male(n - 1)); }

/// Hofstadter's sequences.
std::string getSequence(const std::string &self, const std::string &other,
                        int first) {
  return "define i32 @" + self + "(i32 %n) {\n" +
         "  %zero = icmp eq i32 %n, 0\n"
         "  br i1 %zero, label %first, label %next\n"
         "first:\n  ret i32 " +
         std::to_string(first) +
         "\nnext:\n  %before = sub i32 %n, 1\n"
         "  %inner = call i32 @" +
         self + "(i32 %before)\n  %outer = call i32 @" + other +
         "(i32 %inner)\n  %value = sub i32 %n, %outer\n  ret i32 %value\n}\n";
}

TEST(SimulatorRecursion, TwoFunctionsCallEachOther) {
  check(getSequence("female", "male", 1) + getSequence("male", "female", 0),
        "  %n = urem i32 %x, 11\n"
        "  %f = call i32 @female(i32 %n)\n"
        "  %m = call i32 @male(i32 %n)\n"
        "  %h = mul i32 %f, 100\n"
        "  %r = add i32 %h, %m\n",
        [](uint32_t i) {
          uint32_t n = getInput(i) % 11;
          return female(n) * 100 + male(n);
        });
}

/// The ways to write n as a sum of numbers up to `most`.
uint64_t partitions(uint32_t n, uint32_t most) {
  uint64_t ways = n == 0;
  for (uint32_t i = 1; i <= n && i <= most; ++i)
    ways += partitions(n - i, i);
  return ways;
}

TEST(SimulatorRecursion, LoopsGoOnBehindCalls) {
  check(R"(
define i64 @partitions(i32 %n, i32 %most) {
entry:
  %zero = icmp eq i32 %n, 0
  %first = zext i1 %zero to i64
  %less = icmp ult i32 %n, %most
  %end = select i1 %less, i32 %n, i32 %most
  %none = icmp eq i32 %end, 0
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i32 [ 1, %entry ], [ %next, %loop ]
  %ways = phi i64 [ %first, %entry ], [ %sum, %loop ]
  %rest = sub i32 %n, %i
  %more = call i64 @partitions(i32 %rest, i32 %i)
  %sum = add i64 %ways, %more
  %next = add i32 %i, 1
  %goes = icmp ule i32 %next, %end
  br i1 %goes, label %loop, label %exit
exit:
  %all = phi i64 [ %first, %entry ], [ %sum, %loop ]
  ret i64 %all
}
)",
        "  %n = urem i32 %x, 14\n"
        "  %wide = call i64 @partitions(i32 %n, i32 9)\n"
        "  %r = trunc i64 %wide to i32\n",
        [](uint32_t i) { return uint32_t(partitions(getInput(i) % 14, 9)); });
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

void fill(uint32_t *out, uint32_t n) {
  uint32_t own[4];
  for (uint32_t k = 0; k < 4; ++k)
    own[k] = n * k + 1;
  if (n != 0)
    fill(own, n - 1);
  for (uint32_t k = 0; k < 4; ++k)
    out[k] += own[3 - k];
}

TEST(SimulatorRecursion, FramesHaveVariablesOfTheirOwn) {
  check(R"(
define void @fill(ptr %out, i32 %n) {
entry:
  %own = alloca [4 x i32], align 16
  br label %init
init:
  %k = phi i32 [ 0, %entry ], [ %k1, %init ]
  %p = getelementptr i32, ptr %own, i32 %k
  %kn = mul i32 %n, %k
  %v = add i32 %kn, 1
  store i32 %v, ptr %p, align 4
  %k1 = add i32 %k, 1
  %goes = icmp ult i32 %k1, 4
  br i1 %goes, label %init, label %made
made:
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %add, label %deeper
deeper:
  %m = sub i32 %n, 1
  call void @fill(ptr %own, i32 %m)
  br label %add
add:
  %j = phi i32 [ 0, %made ], [ 0, %deeper ], [ %j1, %add ]
  %back = sub i32 3, %j
  %from = getelementptr i32, ptr %own, i32 %back
  %to = getelementptr i32, ptr %out, i32 %j
  %a = load i32, ptr %from, align 4
  %b = load i32, ptr %to, align 4
  %c = add i32 %a, %b
  store i32 %c, ptr %to, align 4
  %j1 = add i32 %j, 1
  %again = icmp ult i32 %j1, 4
  br i1 %again, label %add, label %exit
exit:
  ret void
}
)",
        R"(
  %all = alloca [4 x i32], align 16
  store [4 x i32] zeroinitializer, ptr %all, align 16
  %n = urem i32 %x, 9
  call void @fill(ptr %all, i32 %n)
  %p2 = getelementptr i32, ptr %all, i32 2
  %r0 = load i32, ptr %all, align 4
  %r2 = load i32, ptr %p2, align 4
  %r2b = mul i32 %r2, 1000
  %r = add i32 %r0, %r2b
)",
        [](uint32_t i) {
          uint32_t all[4] = {};
          fill(all, getInput(i) % 9);
          return all[0] + all[2] * 1000;
        });
}

struct Pair {
  uint32_t a, b;
};
/// The callee changes its copy alone.
uint32_t change(Pair pair, uint32_t n) {
  pair.a += n;
  uint32_t deeper = n == 0 ? pair.b : change(pair, n - 1);
  return deeper * 3 + pair.a;
}

TEST(SimulatorRecursion, StructsGoByValue) {
  check(R"(
%pair = type { i32, i32 }
define i32 @change(ptr byval(%pair) align 4 %pair, i32 %n) {
  %a = load i32, ptr %pair, align 4
  %an = add i32 %a, %n
  store i32 %an, ptr %pair, align 4
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %leaf, label %inner
leaf:
  %pb = getelementptr i32, ptr %pair, i32 1
  %b = load i32, ptr %pb, align 4
  br label %join
inner:
  %m = sub i32 %n, 1
  %d = call i32 @change(ptr byval(%pair) align 4 %pair, i32 %m)
  br label %join
join:
  %deeper = phi i32 [ %b, %leaf ], [ %d, %inner ]
  %three = mul i32 %deeper, 3
  %own = load i32, ptr %pair, align 4
  %value = add i32 %three, %own
  ret i32 %value
}
)",
        R"(
  %p = alloca %pair, align 4
  %pb = getelementptr i32, ptr %p, i32 1
  store i32 %t, ptr %p, align 4
  store i32 7, ptr %pb, align 4
  %n = urem i32 %x, 6
  %c = call i32 @change(ptr byval(%pair) align 4 %p, i32 %n)
  %same = load i32, ptr %p, align 4
  %big = mul i32 %same, 65536
  %r = add i32 %c, %big
)",
        [](uint32_t i) { return change({i, 7}, getInput(i) % 6) + i * 65536; });
}

/// One circle calls another; values of several types live across calls.
float inner(float x, uint32_t n) {
  return n == 0 ? x : inner(x * 0.5f, n - 1) + x;
}
float outer(uint32_t n, float weight) {
  if (n == 0)
    return 1;
  float below = outer(n - 1, weight + 1);
  float half = inner(below, n % 4);
  return half * weight + below;
}

TEST(SimulatorRecursion, CirclesCallCircles) {
  check(R"(
define float @inner(float %x, i32 %n) {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %leaf, label %more
leaf:
  ret float %x
more:
  %h = fmul float %x, 5.0e-1
  %m = sub i32 %n, 1
  %d = call float @inner(float %h, i32 %m)
  %s = fadd float %d, %x
  ret float %s
}
define { float, i1 } @outer(i32 %n, float %weight) {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %leaf, label %more
leaf:
  ret { float, i1 } { float 1.0, i1 false }
more:
  %m = sub i32 %n, 1
  %w = fadd float %weight, 1.0
  %d = call { float, i1 } @outer(i32 %m, float %w)
  %q = urem i32 %n, 4
  %below = extractvalue { float, i1 } %d, 0
  %half = call float @inner(float %below, i32 %q)
  %again = extractvalue { float, i1 } %d, 0
  %product = fmul float %half, %weight
  %value = fadd float %product, %again
  %with = insertvalue { float, i1 } %d, float %value, 0
  %flag = extractvalue { float, i1 } %d, 1
  %not = xor i1 %flag, true
  %both = insertvalue { float, i1 } %with, i1 %not, 1
  ret { float, i1 } %both
}
)",
        R"(
  %n = urem i32 %x, 7
  %pair = call { float, i1 } @outer(i32 %n, float 1.0)
  %f = extractvalue { float, i1 } %pair, 0
  %odd = extractvalue { float, i1 } %pair, 1
  %i32 = fptoui float %f to i32
  %bit = zext i1 %odd to i32
  %two = mul i32 %i32, 2
  %r = add i32 %two, %bit
)",
        [](uint32_t i) {
          uint32_t n = getInput(i) % 7;
          return uint32_t(outer(n, 1)) * 2 + n % 2;
        });
}

/// All lanes are at one depth: they may exchange values there.
TEST(SimulatorRecursion, LanesMeetInFunctions) {
  check(R"(
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
define i32 @sum(i32 %v, i32 %distance) convergent {
  %zero = icmp eq i32 %distance, 0
  br i1 %zero, label %leaf, label %inner
leaf:
  ret i32 %v
inner:
  %o = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 %distance, i32 31)
  %s = add i32 %v, %o
  %h = lshr i32 %distance, 1
  %d = call i32 @sum(i32 %s, i32 %h)
  %r = add i32 %d, %distance
  ret i32 %r
}
)",
        "  %r = call i32 @sum(i32 %t, i32 16)\n",
        [](uint32_t) { return 31u * 16 + 31; });
}

TEST(SimulatorRecursion, OfPTX) {
  std::string text = R"(
.version 8.0
.target sm_80
.address_size 64
.func (.param .b32 result) fib(.param .b32 n)
;
.func (.param .b32 result) fib(.param .b32 n)
{
  .reg .b32 %r<8>;
  .reg .pred %p;
  ld.param.b32 %r1, [n];
  setp.lt.u32 %p, %r1, 2;
  mov.b32 %r6, %r1;
  @%p bra LEAF;
  sub.u32 %r2, %r1, 1;
  {
  .param .b32 a;
  .param .b32 b;
  st.param.b32 [a], %r2;
  call (b), fib, (a);
  ld.param.b32 %r3, [b];
  }
  sub.u32 %r4, %r1, 2;
  {
  .param .b32 a;
  .param .b32 b;
  st.param.b32 [a], %r4;
  call (b), fib, (a);
  ld.param.b32 %r5, [b];
  }
  add.u32 %r6, %r3, %r5;
LEAF:
  st.param.b32 [result], %r6;
  ret;
}
.entry k(.param .u64 .ptr .global out)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  rem.u32 %r2, %r1, 13;
  {
  .param .b32 a;
  .param .b32 b;
  st.param.b32 [a], %r2;
  call (b), fib, (a);
  ld.param.b32 %r3, [b];
  }
  st.global.u32 [%rd3], %r3;
  ret;
}
)";
  std::vector<std::vector<uint32_t>> arrays(1, std::vector<uint32_t>(32));
  RunResult result = run(text, arrays);
  EXPECT_EQ(result.error + result.text(), "");
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(arrays[0][i], fibonacci(i % 13));
}

//===----------------------------------------------------------------------===//
// Ends of stacks
//===----------------------------------------------------------------------===//

std::string runAll(const std::string &declarations, const std::string &body,
                   uint64_t stackBytes) {
  RunOptions options;
  options.simulator.stackBytes = stackBytes;
  std::vector<ThreadWords> arrays(2, ThreadWords(32));
  RunResult result = run(makeThreadKernel(declarations, body), arrays, options);
  return result.error + result.text();
}

constexpr const char *kDeep = R"(
define i32 @deep(i32 %n) {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %leaf, label %inner
leaf:
  ret i32 1
inner:
  %m = sub i32 %n, 1
  %d = call i32 @deep(i32 %m)
  %r = mul i32 %d, %n
  ret i32 %r
}
)";

/// A frame has 16 bytes: where to go on, n, and padding.
TEST(SimulatorRecursion, StacksEnd) {
  EXPECT_EQ(runAll(kDeep, "  %r = call i32 @deep(i32 9)\n", 160), "");
  EXPECT_EQ(runAll(kDeep, "  %r = call i32 @deep(i32 10)\n", 160),
            "stack-overflow: the call of 'deep' needs 16 bytes more than the "
            "160 of a thread's stack; expected recursion that ends before "
            "that\n");
  EXPECT_EQ(runAll(kDeep, "  %r = call i32 @deep(i32 -1)\n", 1 << 16),
            "stack-overflow: the call of 'deep' needs 16 bytes more than the "
            "65536 of a thread's stack; expected recursion that ends before "
            "that\n");
  EXPECT_EQ(runAll(kDeep, "  %r = call i32 @deep(i32 1)\n", 8),
            "function 'deep' calls itself and needs 16 bytes of stack a call: "
            "expected at most the 8 of a thread's stack");
}

TEST(SimulatorRecursion, VariablesHaveSizes) {
  EXPECT_EQ(runAll(R"(
define i32 @f(i32 %n) {
  %v = alloca i32, i32 %n
  store i32 %n, ptr %v
  %r = call i32 @f(i32 %n)
  %l = load i32, ptr %v
  %s = add i32 %r, %l
  ret i32 %s
}
)",
                   "  %r = call i32 @f(i32 1)\n", 1024),
            "function 'f' calls itself and has a variable whose size is only "
            "known when it runs: expected one or the other");
}

} // namespace
