//===- SimulatorKernelsTest.cpp -------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole kernels, from LLVM IR to results, with and without LLVM's passes: what
// they compute is compared with plain loops.
//
//===----------------------------------------------------------------------===//

#include "SimulatorRun.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

const std::string kTriple = "target triple = \"nvptx64-nvidia-cuda\"\n"
                            "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                            "declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
                            "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n";
/// %i is the thread's number in the grid.
const std::string kIndex =
    "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
    "  %m = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
    "  %bm = mul i32 %b, %m\n"
    "  %i = add i32 %bm, %t\n";

/// Runs a kernel in 3 blocks of 45 threads, once as it is and once optimized:
/// expects no finding and these words in the last array.
void agree(const std::string &ir, std::vector<std::vector<uint32_t>> arrays,
           const std::vector<uint32_t> &expected,
           const std::vector<uint32_t> &scalars = {}) {
  for (bool optimize : {false, true}) {
    auto copy = arrays;
    RunOptions options;
    options.grid = {3, 1, 1};
    options.block = {45, 1, 1};
    options.simulator.optimize = optimize;
    options.simulator.threads = 1;
    RunResult result = run(kTriple + ir, copy, options, scalars);
    ASSERT_EQ(result.error, "");
    EXPECT_EQ(result.text(), "");
    ASSERT_EQ(copy.back(), expected) << (optimize ? "optimized" : "as it is");
  }
}

constexpr unsigned kThreads = 135;

std::vector<uint32_t> iota(unsigned count, uint32_t factor = 1) {
  std::vector<uint32_t> values(count);
  for (unsigned i = 0; i < count; ++i)
    values[i] = i * factor;
  return values;
}
std::vector<uint32_t> zeros(unsigned count) {
  return std::vector<uint32_t>(count);
}

TEST(Kernels, LoopOfAnotherLengthInEachThread) {
  // Collatz steps: a loop with an if in it.
  std::vector<uint32_t> expected;
  for (unsigned i = 0; i < kThreads; ++i) {
    uint32_t steps = 0;
    for (uint32_t n = i + 1; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
      ++steps;
    expected.push_back(steps);
  }
  agree("define ptx_kernel void @k(ptr %out) {\nentry:\n" + kIndex +
            "  %n0 = add i32 %i, 1\n"
            "  %p = getelementptr i32, ptr %out, i32 %i\n"
            "  br label %head\n"
            "head:\n"
            "  %n = phi i32 [%n0, %entry], [%n2, %join]\n"
            "  %s = phi i32 [0, %entry], [%s2, %join]\n"
            "  %done = icmp eq i32 %n, 1\n"
            "  br i1 %done, label %exit, label %body\n"
            "body:\n"
            "  %odd = trunc i32 %n to i1\n"
            "  br i1 %odd, label %up, label %down\n"
            "up:\n"
            "  %n3 = mul i32 %n, 3\n"
            "  %n31 = add i32 %n3, 1\n"
            "  br label %join\n"
            "down:\n"
            "  %nh = lshr i32 %n, 1\n"
            "  br label %join\n"
            "join:\n"
            "  %n2 = phi i32 [%n31, %up], [%nh, %down]\n"
            "  %s2 = add i32 %s, 1\n"
            "  br label %head\n"
            "exit:\n"
            "  store i32 %s, ptr %p\n"
            "  ret void\n}\n",
        {zeros(kThreads)}, expected);
}

TEST(Kernels, SwapsInALoop) {
  // Fibonacci numbers by a pair of phis that swap.
  std::vector<uint32_t> expected;
  for (unsigned i = 0; i < kThreads; ++i) {
    uint32_t a = 0, b = 1;
    for (unsigned j = 0; j < i; ++j) {
      uint32_t sum = a + b;
      a = b;
      b = sum;
    }
    expected.push_back(a ^ 3 * b);
  }
  agree("define ptx_kernel void @k(ptr %out) {\nentry:\n" + kIndex +
            "  %p = getelementptr i32, ptr %out, i32 %i\n"
            "  %none = icmp eq i32 %i, 0\n"
            "  br i1 %none, label %exit, label %loop\n"
            "loop:\n"
            "  %a = phi i32 [0, %entry], [%c, %loop]\n"
            "  %c = phi i32 [1, %entry], [%sum, %loop]\n"
            "  %j = phi i32 [0, %entry], [%j2, %loop]\n"
            "  %sum = add i32 %a, %c\n"
            "  %j2 = add i32 %j, 1\n"
            "  %more = icmp ult i32 %j2, %i\n"
            "  br i1 %more, label %loop, label %exit\n"
            "exit:\n"
            "  %x = phi i32 [0, %entry], [%c, %loop]\n"
            "  %y = phi i32 [1, %entry], [%sum, %loop]\n"
            "  %y3 = mul i32 %y, 3\n"
            "  %r = xor i32 %x, %y3\n"
            "  store i32 %r, ptr %p\n"
            "  ret void\n}\n",
        {zeros(kThreads)}, expected);
}

TEST(Kernels, NestedLoopsWithBreaks) {
  // The first pair (x, y), y inner, with x * y = i; 0 if there is none below 9.
  std::vector<uint32_t> expected;
  for (unsigned i = 0; i < kThreads; ++i) {
    uint32_t found = 0;
    for (unsigned x = 1; x < 9 && !found; ++x)
      for (unsigned y = 1; y < 9; ++y)
        if (x * y == i) {
          found = 16 * x + y;
          break;
        } else if (x * y > i) {
          break;
        }
    expected.push_back(found);
  }
  agree("define ptx_kernel void @k(ptr %out) {\nentry:\n" + kIndex +
            "  br label %outer\n"
            "outer:\n"
            "  %x = phi i32 [1, %entry], [%x2, %next]\n"
            "  br label %inner\n"
            "inner:\n"
            "  %y = phi i32 [1, %outer], [%y2, %again]\n"
            "  %xy = mul i32 %x, %y\n"
            "  %hit = icmp eq i32 %xy, %i\n"
            "  br i1 %hit, label %found, label %test\n"
            "test:\n"
            "  %over = icmp ugt i32 %xy, %i\n"
            "  br i1 %over, label %next, label %again\n"
            "again:\n"
            "  %y2 = add i32 %y, 1\n"
            "  %ymore = icmp ult i32 %y2, 9\n"
            "  br i1 %ymore, label %inner, label %next\n"
            "next:\n"
            "  %x2 = add i32 %x, 1\n"
            "  %xmore = icmp ult i32 %x2, 9\n"
            "  br i1 %xmore, label %outer, label %exit\n"
            "found:\n"
            "  %x16 = shl i32 %x, 4\n"
            "  %xandy = add i32 %x16, %y\n"
            "  br label %exit\n"
            "exit:\n"
            "  %r = phi i32 [%xandy, %found], [0, %next]\n"
            "  %p = getelementptr i32, ptr %out, i32 %i\n"
            "  store i32 %r, ptr %p\n"
            "  ret void\n}\n",
        {zeros(kThreads)}, expected);
}

TEST(Kernels, SwitchWithFallThrough) {
  std::vector<uint32_t> expected;
  for (unsigned i = 0; i < kThreads; ++i) {
    uint32_t r = 1000;
    switch (i % 7) {
    case 2:
      r += 20;
      [[fallthrough]];
    case 5:
      r += 50;
      break;
    case 6:
      r = 7;
    }
    expected.push_back(r);
  }
  agree("define ptx_kernel void @k(ptr %out) {\nentry:\n" + kIndex +
            "  %p = getelementptr i32, ptr %out, i32 %i\n"
            "  %rest = urem i32 %i, 7\n"
            "  switch i32 %rest, label %exit [i32 2, label %two\n"
            "    i32 5, label %five\n i32 6, label %exit6]\n"
            "two:\n"
            "  br label %five\n"
            "five:\n"
            "  %s = phi i32 [1000, %entry], [1020, %two]\n"
            "  %s5 = add i32 %s, 50\n"
            "  br label %exit\n"
            "exit6:\n"
            "  br label %exit\n"
            "exit:\n"
            "  %r = phi i32 [1000, %entry], [%s5, %five], [7, %exit6]\n"
            "  store i32 %r, ptr %p\n"
            "  ret void\n}\n",
        {zeros(kThreads)}, expected);
}

TEST(Kernels, CallsAreInlined) {
  std::vector<uint32_t> expected;
  for (unsigned i = 0; i < kThreads; ++i)
    expected.push_back((i + 3) * (i + 3) + i + 3);
  agree("define i32 @square(i32 %x) noinline optnone {\n"
        "  %r = mul i32 %x, %x\n  ret i32 %r\n}\n"
        "define void @both(i32 %x, ptr %p) {\n"
        "  %s = call i32 @square(i32 %x)\n"
        "  %r = add i32 %s, %x\n"
        "  store i32 %r, ptr %p\n  ret void\n}\n"
        "define ptx_kernel void @k(ptr %out) {\n" +
            kIndex +
            "  %x = add i32 %i, 3\n"
            "  %p = getelementptr i32, ptr %out, i32 %i\n"
            "  call void @both(i32 %x, ptr %p)\n"
            "  ret void\n}\n",
        {zeros(kThreads)}, expected);
}

TEST(Kernels, StackArraysAndTablesInConstantMemory) {
  // The digits of i in base 5 through an array on the stack, then a table.
  const uint32_t table[5] = {7, 1, 9, 2, 4};
  std::vector<uint32_t> expected;
  for (unsigned i = 0; i < kThreads; ++i)
    expected.push_back(table[i / 25 % 5] * 100 + table[i / 5 % 5] * 10 +
                       table[i % 5]);
  agree("@table = internal addrspace(4) constant [5 x i32] [i32 7, i32 1, i32 "
        "9, i32 2, i32 4]\n"
        "define ptx_kernel void @k(ptr %out) {\nentry:\n  %d = alloca [3 x "
        "i32]\n" +
            kIndex +
            "  br label %split\n"
            "split:\n"
            "  %j = phi i32 [0, %entry], [%j2, %split]\n"
            "  %n = phi i32 [%i, %entry], [%n2, %split]\n"
            "  %digit = urem i32 %n, 5\n"
            "  %n2 = udiv i32 %n, 5\n"
            "  %slot = getelementptr i32, ptr %d, i32 %j\n"
            "  store i32 %digit, ptr %slot\n"
            "  %j2 = add i32 %j, 1\n"
            "  %more = icmp ult i32 %j2, 3\n"
            "  br i1 %more, label %split, label %join\n"
            "join:\n"
            "  %k = phi i32 [2, %split], [%k2, %join]\n"
            "  %s = phi i32 [0, %split], [%s2, %join]\n"
            "  %from = getelementptr i32, ptr %d, i32 %k\n"
            "  %at = load i32, ptr %from\n"
            "  %entry1 = getelementptr [5 x i32], ptr addrspace(4) @table, i32 "
            "0, i32 %at\n"
            "  %value = load i32, ptr addrspace(4) %entry1\n"
            "  %s10 = mul i32 %s, 10\n"
            "  %s2 = add i32 %s10, %value\n"
            "  %k2 = sub i32 %k, 1\n"
            "  %again = icmp sge i32 %k2, 0\n"
            "  br i1 %again, label %join, label %exit\n"
            "exit:\n"
            "  %p = getelementptr i32, ptr %out, i32 %i\n"
            "  store i32 %s2, ptr %p\n"
            "  ret void\n}\n",
        {zeros(kThreads)}, expected);
}

TEST(Kernels, PackedBytesAndOddIntegers) {
  // Each byte of a word times 3, modulo 2^7, as i7 in vectors.
  std::vector<uint32_t> words = iota(kThreads, 0x01234567), expected;
  for (uint32_t word : words) {
    uint32_t r = 0;
    for (unsigned j = 0; j < 4; ++j)
      r |= ((word >> 8 * j) * 3 & 0x7f) << 8 * j;
    expected.push_back(r);
  }
  agree("define ptx_kernel void @k(ptr %in, ptr %out) {\n" + kIndex +
            "  %p = getelementptr i32, ptr %in, i32 %i\n"
            "  %q = getelementptr i32, ptr %out, i32 %i\n"
            "  %w = load i32, ptr %p\n"
            "  %v = bitcast i32 %w to <4 x i8>\n"
            "  %n = trunc <4 x i8> %v to <4 x i7>\n"
            "  %x = mul <4 x i7> %n, <i7 3, i7 3, i7 3, i7 3>\n"
            "  %z = zext <4 x i7> %x to <4 x i8>\n"
            "  store <4 x i8> %z, ptr %q, align 4\n"
            "  ret void\n}\n",
        {words, zeros(kThreads)}, expected);
}

TEST(Kernels, IntegersOfMoreThan64Bits) {
  // A sum of folds of (x + 3 y - z), (x * y) and so on, in 96 and 128 bits.
  std::vector<uint32_t> words = iota(2 * kThreads, 0x9e3779b9), expected;
  using Wide = unsigned __int128;
  auto fold = [](Wide x) {
    return uint32_t(x) ^ uint32_t(x >> 32) ^ uint32_t(x >> 64) ^
           uint32_t(x >> 96);
  };
  for (unsigned i = 0; i < kThreads; ++i) {
    uint64_t a, b = words[2 * i];
    std::memcpy(&a, &words[2 * i], 8);
    Wide x = Wide(a) << 40 | b, y = Wide(__int128(int64_t(a)));
    Wide product = x * y, sum = x + y, difference = x - y;
    const Wide mask = (Wide(1) << 96) - 1;
    Wide cut = (product & mask) << 7 & mask;
    __int128 signedCut = __int128(cut << 32) >> 32 >> 37;
    uint32_t r = fold(product) + 3 * fold(sum) + 5 * fold(difference) +
                 7 * fold(Wide(signedCut));
    r += x < y ? 11 : 0;
    r += __int128(x) < __int128(y) ? 110 : 0;
    r += sum == difference ? 0 : 1100;
    expected.push_back(r);
  }
  std::string ir = "define i32 @fold(i128 %x) {\n"
                   "  %v = bitcast i128 %x to <4 x i32>\n"
                   "  %a = extractelement <4 x i32> %v, i32 0\n"
                   "  %b = extractelement <4 x i32> %v, i32 1\n"
                   "  %c = extractelement <4 x i32> %v, i32 2\n"
                   "  %d = extractelement <4 x i32> %v, i32 3\n"
                   "  %e = xor i32 %a, %b\n  %f = xor i32 %c, %d\n"
                   "  %g = xor i32 %e, %f\n  ret i32 %g\n}\n"
                   "define ptx_kernel void @k(ptr %in, ptr %out) {\n" +
                   kIndex +
                   "  %p = getelementptr i64, ptr %in, i32 %i\n"
                   "  %q = getelementptr i32, ptr %out, i32 %i\n"
                   "  %a = load i64, ptr %p, align 4\n"
                   "  %a128 = zext i64 %a to i128\n"
                   "  %low = trunc i64 %a to i32\n"
                   "  %b128 = zext i32 %low to i128\n"
                   "  %a40 = shl i128 %a128, 40\n"
                   "  %x = or i128 %a40, %b128\n"
                   "  %y = sext i64 %a to i128\n"
                   "  %product = mul i128 %x, %y\n"
                   "  %sum = add i128 %x, %y\n"
                   "  %difference = sub i128 %x, %y\n"
                   "  %cut = trunc i128 %product to i96\n"
                   "  %cut7 = shl i96 %cut, 7\n"
                   "  %cut37 = ashr i96 %cut7, 37\n"
                   "  %scut = sext i96 %cut37 to i128\n"
                   "  %f0 = call i32 @fold(i128 %product)\n"
                   "  %f1 = call i32 @fold(i128 %sum)\n"
                   "  %f2 = call i32 @fold(i128 %difference)\n"
                   "  %f3 = call i32 @fold(i128 %scut)\n"
                   "  %g1 = mul i32 %f1, 3\n"
                   "  %g2 = mul i32 %f2, 5\n"
                   "  %g3 = mul i32 %f3, 7\n"
                   "  %h1 = add i32 %f0, %g1\n"
                   "  %h2 = add i32 %h1, %g2\n"
                   "  %h3 = add i32 %h2, %g3\n"
                   "  %c1 = icmp ult i128 %x, %y\n"
                   "  %c2 = icmp sgt i128 %y, %x\n"
                   "  %c3 = icmp ne i128 %sum, %difference\n"
                   "  %s1 = select i1 %c1, i32 11, i32 0\n"
                   "  %s2 = select i1 %c2, i32 110, i32 0\n"
                   "  %s3 = select i1 %c3, i32 1100, i32 0\n"
                   "  %h4 = add i32 %h3, %s1\n"
                   "  %h5 = add i32 %h4, %s2\n"
                   "  %h6 = add i32 %h5, %s3\n"
                   "  store i32 %h6, ptr %q\n"
                   "  ret void\n}\n";
  agree(ir, {words, zeros(kThreads)}, expected);
}

TEST(Kernels, VectorsOfIntegersOfMoreThan64Bits) {
  // The words of two 128-bit elements, of one that an index chooses, and of a
  // vector that has one of them twice.
  std::vector<uint32_t> words = iota(2 * kThreads, 0x9e3779b9), expected;
  for (unsigned i = 0; i < kThreads; ++i) {
    uint32_t v[8], elements[2];
    for (unsigned k = 0; k < 8; ++k)
      v[k] = words[2 * i + k / 4] * (2 * k + 1);
    for (unsigned e = 0; e < 2; ++e)
      elements[e] =
          v[4 * e] + 3 * v[4 * e + 1] + 5 * v[4 * e + 2] + 7 * v[4 * e + 3];
    expected.push_back(elements[0] - 9 * elements[1] + 11 * elements[i % 2] +
                       13 * v[7] + 17 * v[2]);
  }
  std::string ir =
      "define i32 @fold(i128 %x) {\n"
      "  %v = bitcast i128 %x to <4 x i32>\n"
      "  %w = mul <4 x i32> %v, <i32 1, i32 3, i32 5, i32 7>\n"
      "  %s = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %w)"
      "\n  ret i32 %s\n}\n"
      "define ptx_kernel void @k(ptr %in, ptr %out) {\n" +
      kIndex +
      "  %i2 = shl i32 %i, 1\n"
      "  %p = getelementptr i32, ptr %in, i32 %i2\n"
      "  %q = getelementptr i32, ptr %out, i32 %i\n"
      "  %a = load <2 x i32>, ptr %p\n"
      "  %repeated = shufflevector <2 x i32> %a, <2 x i32> poison, <8 x "
      "i32> <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 "
      "1>\n"
      "  %c = mul <8 x i32> %repeated, <i32 1, i32 3, i32 5, i32 7, i32 "
      "9, i32 11, i32 13, i32 15>\n"
      "  %all = bitcast <8 x i32> %c to i256\n"
      "  %wide = zext i256 %all to i512\n"
      "  %up = shl i512 %wide, 160\n"
      "  %down = lshr i512 %up, 160\n"
      "  %same = trunc i512 %down to i256\n"
      "  %v = bitcast i256 %same to <2 x i128>\n"
      "  %odd = and i32 %i, 1\n"
      "  %x0 = extractelement <2 x i128> %v, i32 0\n"
      "  %x1 = extractelement <2 x i128> %v, i32 1\n"
      "  %xi = extractelement <2 x i128> %v, i32 %odd\n"
      "  %turned = shufflevector <2 x i128> %v, <2 x i128> poison, <2 "
      "x i32> <i32 1, i32 1>\n"
      "  %u = insertelement <2 x i128> %turned, i128 %x0, i32 0\n"
      "  %w = bitcast <2 x i128> %u to <8 x i32>\n"
      "  %w7 = extractelement <8 x i32> %w, i32 7\n"
      "  %w2 = extractelement <8 x i32> %w, i32 2\n"
      "  %f0 = call i32 @fold(i128 %x0)\n"
      "  %f1 = call i32 @fold(i128 %x1)\n"
      "  %fi = call i32 @fold(i128 %xi)\n"
      "  %g1 = mul i32 %f1, 9\n"
      "  %gi = mul i32 %fi, 11\n"
      "  %g7 = mul i32 %w7, 13\n"
      "  %g2 = mul i32 %w2, 17\n"
      "  %h1 = sub i32 %f0, %g1\n"
      "  %h2 = add i32 %h1, %gi\n"
      "  %h3 = add i32 %h2, %g7\n"
      "  %h4 = add i32 %h3, %g2\n"
      "  store i32 %h4, ptr %q\n"
      "  ret void\n}\n";
  agree(ir, {words, zeros(kThreads)}, expected);
}

TEST(Kernels, GlobalVariablesHoldAddressesOfOthers) {
  // @ends points at the second half of @data.
  std::vector<uint32_t> expected(kThreads, 30 + 40);
  agree("@data = internal addrspace(1) global [4 x i32] [i32 10, i32 20, i32 "
        "30, i32 40]\n"
        "@ends = addrspace(1) externally_initialized global {i8, ptr} {i8 1, "
        "ptr addrspacecast (ptr addrspace(1) getelementptr (i8, ptr "
        "addrspace(1) @data, i64 8) to ptr)}\n"
        "define ptx_kernel void @k(ptr %out) {\n" +
            kIndex +
            "  %h = load ptr, ptr addrspace(1) getelementptr (i8, ptr "
            "addrspace(1) @ends, i64 8)\n"
            "  %x = load i32, ptr %h\n"
            "  %h1 = getelementptr i32, ptr %h, i64 1\n"
            "  %y = load i32, ptr %h1\n"
            "  %r = add i32 %x, %y\n"
            "  %q = getelementptr i32, ptr %out, i32 %i\n"
            "  store i32 %r, ptr %q\n"
            "  ret void\n}\n",
        {zeros(kThreads)}, expected);
}

TEST(Kernels, BoundsAreScalars) {
  std::vector<uint32_t> expected = zeros(kThreads);
  for (unsigned i = 0; i < 77; ++i)
    expected[i] = i * 5 + 2;
  agree("define ptx_kernel void @k(ptr %in, ptr %out, i32 %n, i32 %plus) {\n" +
            kIndex +
            "  %c = icmp slt i32 %i, %n\n"
            "  br i1 %c, label %then, label %end\n"
            "then:\n"
            "  %p = getelementptr i32, ptr %in, i32 %i\n"
            "  %x = load i32, ptr %p\n"
            "  %y = add i32 %x, %plus\n"
            "  %q = getelementptr i32, ptr %out, i32 %i\n"
            "  store i32 %y, ptr %q\n"
            "  br label %end\n"
            "end:\n"
            "  ret void\n}\n",
        {iota(kThreads, 5), zeros(kThreads)}, expected, {77, 2});
}

} // namespace
