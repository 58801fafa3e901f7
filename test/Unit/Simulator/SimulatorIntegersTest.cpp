//===- SimulatorIntegersTest.cpp ------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Intrinsics on integers, against the same written with wide integers.
//
//===----------------------------------------------------------------------===//

#include "SimulatorEvaluate.h"

#include "llvm/ADT/bit.h"

using namespace tileir::sim::test;

namespace {

const char *const kIntegerTypes[] = {"i2",  "i3",  "i4",  "i8", "i16",
                                     "i24", "i32", "i48", "i64"};

using Wide = __int128;

Wide toWide(uint64_t x, unsigned bits, bool isSigned) {
  return isSigned ? Wide(signExtend(x, bits)) : Wide(x);
}
Wide largest(unsigned bits, bool isSigned) {
  return (Wide(1) << (bits - isSigned)) - 1;
}
Wide smallest(unsigned bits, bool isSigned) {
  return isSigned ? -(Wide(1) << (bits - 1)) : 0;
}

struct Operation {
  const char *name;
  Wide (*apply)(Wide, Wide);
};
const Operation kOperations[] = {{"add", [](Wide x, Wide y) { return x + y; }},
                                 {"sub", [](Wide x, Wide y) { return x - y; }},
                                 {"mul", [](Wide x, Wide y) { return x * y; }}};

/// The two results of a call that returns {value, i1} as value * 2 + flag does
/// not fit; two kernels check one each.
std::string makeOverflowKernel(const std::string &name, const std::string &type,
                               bool flag) {
  std::string pair = "{" + type + ", i1}";
  return "target triple = \"nvptx64-nvidia-cuda\"\n"
         "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "declare " +
         pair + " @" + name + "(" + type + ", " + type +
         ")\n"
         "define ptx_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) "
         "%ax, ptr addrspace(1) %ay) {\n"
         "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "  %i = zext i32 %t to i64\n"
         "  %px = getelementptr i64, ptr addrspace(1) %ax, i64 %i\n"
         "  %py = getelementptr i64, ptr addrspace(1) %ay, i64 %i\n"
         "  %x = load " +
         type +
         ", ptr addrspace(1) %px, align 8\n"
         "  %y = load " +
         type +
         ", ptr addrspace(1) %py, align 8\n"
         "  %r = call " +
         pair + " @" + name + "(" + type + " %x, " + type +
         " %y)\n"
         "  %v = extractvalue " +
         pair + " %r, " + (flag ? "1" : "0") +
         "\n"
         "  %w = zext " +
         (flag ? "i1" : type) +
         " %v to i64\n"
         "  %po = getelementptr i64, ptr addrspace(1) %out, i64 %i\n"
         "  store i64 %w, ptr addrspace(1) %po, align 8\n"
         "  ret void\n}\n";
}

TEST(SimulatorIntegers, Overflow) {
  for (std::string type : {"i8", "i16", "i24", "i32", "i64"})
    for (bool isSigned : {false, true})
      for (const Operation &operation : kOperations)
        for (bool flag : {false, true}) {
          unsigned bits = bitsOf(type);
          std::string name = std::string("llvm.") + (isSigned ? "s" : "u") +
                             operation.name + ".with.overflow." + type;
          std::vector<Words> arrays = {Words(96), makeOperands(type, 3),
                                       makeOperands(type, 4)};
          RunOptions options;
          options.block = {96, 1, 1};
          options.simulator.optimize = false;
          std::string kernel = makeOverflowKernel(name, type, flag);
          if (type == "i64")
            kernel.replace(kernel.find("  %w = zext"),
                           kernel.find("  %po") - kernel.find("  %w = zext"),
                           flag ? "  %w = zext i1 %v to i64\n"
                                : "  %w = add i64 %v, 0\n");
          RunResult result = run(kernel, arrays, options);
          ASSERT_EQ(result.error + result.text(), "") << name;
          for (unsigned i = 0; i < 96; ++i) {
            Wide exact = operation.apply(toWide(arrays[1][i], bits, isSigned),
                                         toWide(arrays[2][i], bits, isSigned));
            bool overflows = exact < smallest(bits, isSigned) ||
                             exact > largest(bits, isSigned);
            uint64_t expected =
                flag ? overflows : lowBits(uint64_t(exact), bits);
            ASSERT_EQ(arrays[0][i], expected)
                << name << std::hex << " of " << arrays[1][i] << ", "
                << arrays[2][i] << (flag ? " (flag)" : "");
          }
        }
}

TEST(SimulatorIntegers, Saturation) {
  for (std::string type : kIntegerTypes)
    for (bool isSigned : {false, true})
      for (const Operation &operation : kOperations) {
        if (std::string(operation.name) == "mul")
          continue;
        unsigned bits = bitsOf(type);
        check({type,
               std::string("llvm.") + (isSigned ? "s" : "u") + operation.name +
                   ".sat." + type,
               {type, type}},
              [=](uint64_t x, uint64_t y, uint64_t) {
                Wide exact = operation.apply(toWide(x, bits, isSigned),
                                             toWide(y, bits, isSigned));
                exact = std::max(std::min(exact, largest(bits, isSigned)),
                                 smallest(bits, isSigned));
                return lowBits(uint64_t(exact), bits);
              });
      }
}

TEST(SimulatorIntegers, MinMaxAbs) {
  for (std::string type : kIntegerTypes) {
    unsigned bits = bitsOf(type);
    for (bool isSigned : {false, true})
      for (bool isMax : {false, true})
        check({type,
               std::string("llvm.") + (isSigned ? "s" : "u") +
                   (isMax ? "max." : "min.") + type,
               {type, type}},
              [=](uint64_t x, uint64_t y, uint64_t) {
                bool less =
                    toWide(x, bits, isSigned) < toWide(y, bits, isSigned);
                return less == isMax ? y : x;
              });
    check({type, "llvm.abs." + type, {type}, ", i1 false"},
          [=](uint64_t x, uint64_t, uint64_t) {
            return signExtend(x, bits) < 0 ? lowBits(-x, bits) : x;
          });
    for (bool isSigned : {false, true})
      check({"i8",
             std::string(isSigned ? "llvm.scmp.i8." : "llvm.ucmp.i8.") + type,
             {type, type}},
            [=](uint64_t x, uint64_t y, uint64_t) -> uint64_t {
              Wide a = toWide(x, bits, isSigned), b = toWide(y, bits, isSigned);
              return lowBits((a > b) - (a < b), 8);
            });
  }
}

TEST(SimulatorIntegers, Bits) {
  for (std::string type : kIntegerTypes) {
    unsigned bits = bitsOf(type);
    auto reverse = [=](uint64_t x) {
      uint64_t r = 0;
      for (unsigned i = 0; i < bits; ++i)
        r |= (x >> i & 1) << (bits - 1 - i);
      return r;
    };
    check({type, "llvm.ctpop." + type, {type}},
          [](uint64_t x, uint64_t, uint64_t) -> uint64_t {
            return llvm::popcount(x);
          });
    check({type, "llvm.ctlz." + type, {type}, ", i1 false"},
          [=](uint64_t x, uint64_t, uint64_t) -> uint64_t {
            return llvm::countl_zero(x) - (64 - bits);
          });
    check({type, "llvm.cttz." + type, {type}, ", i1 false"},
          [=](uint64_t x, uint64_t, uint64_t) -> uint64_t {
            return std::min<unsigned>(llvm::countr_zero(x), bits);
          });
    check({type, "llvm.bitreverse." + type, {type}},
          [=](uint64_t x, uint64_t, uint64_t) { return reverse(x); });
    if (bits % 16 == 0)
      check({type, "llvm.bswap." + type, {type}},
            [=](uint64_t x, uint64_t, uint64_t) {
              return llvm::byteswap(x) >> (64 - bits);
            });
    if (bits == 48)
      continue; // a pair fits no register
    for (bool isLeft : {false, true})
      check({type,
             (isLeft ? "llvm.fshl." : "llvm.fshr.") + type,
             {type, type, type}},
            [=](uint64_t x, uint64_t y, uint64_t z) {
              unsigned __int128 pair = (unsigned __int128)x << bits | y;
              unsigned amount = z % bits;
              pair = isLeft ? pair << amount >> bits : pair >> amount;
              return lowBits(uint64_t(pair), bits);
            });
  }
}

TEST(SimulatorIntegers, NvvmProducts) {
  struct {
    const char *indices, *type;
    bool isSigned;
  } types[] = {{"s", "i16", true},  {"us", "i16", false},
               {"i", "i32", true},  {"ui", "i32", false},
               {"ll", "i64", true}, {"ull", "i64", false}};
  for (auto &t : types) {
    unsigned bits = bitsOf(t.type);
    bool isSigned = t.isSigned;
    check(
        {t.type, std::string("llvm.nvvm.mulhi.") + t.indices, {t.type, t.type}},
        [=](uint64_t x, uint64_t y, uint64_t) {
          unsigned __int128 product =
              isSigned ? (unsigned __int128)(toWide(x, bits, true) *
                                             toWide(y, bits, true))
                       : (unsigned __int128)x * y;
          return lowBits(uint64_t(product >> bits), bits);
        });
    check({t.type,
           std::string("llvm.nvvm.sad.") + t.indices,
           {t.type, t.type, t.type}},
          [=](uint64_t x, uint64_t y, uint64_t z) {
            Wide difference =
                toWide(x, bits, isSigned) - toWide(y, bits, isSigned);
            Wide magnitude = difference < 0 ? -difference : difference;
            return lowBits(uint64_t(magnitude) + z, bits);
          });
  }
  for (bool isSigned : {false, true})
    check({"i32",
           isSigned ? "llvm.nvvm.mul24.i" : "llvm.nvvm.mul24.ui",
           {"i32", "i32"}},
          [=](uint64_t x, uint64_t y, uint64_t) {
            Wide product = toWide(lowBits(x, 24), 24, isSigned) *
                           toWide(lowBits(y, 24), 24, isSigned);
            return lowBits(uint64_t(product), 32);
          });
  for (bool xSigned : {false, true})
    for (bool ySigned : {false, true}) {
      std::string ends =
          std::string(xSigned ? "s" : "u") + "." + (ySigned ? "s" : "u");
      check({"i32", "llvm.nvvm.idp4a." + ends, {"i32", "i32", "i32"}},
            [=](uint64_t x, uint64_t y, uint64_t z) {
              for (unsigned i = 0; i < 4; ++i)
                z += uint64_t(toWide(x >> 8 * i & 0xff, 8, xSigned) *
                              toWide(y >> 8 * i & 0xff, 8, ySigned));
              return lowBits(z, 32);
            });
    }
}

TEST(SimulatorIntegers, NvvmBits) {
  check({"i32", "llvm.nvvm.prmt", {"i32", "i32", "i32"}},
        [](uint64_t x, uint64_t y, uint64_t selector) {
          uint64_t bytes = x | y << 32, result = 0;
          for (unsigned i = 0; i < 4; ++i) {
            unsigned nibble = selector >> 4 * i & 15;
            uint64_t byte = bytes >> 8 * (nibble & 7) & 0xff;
            if (nibble & 8)
              byte = byte & 0x80 ? 0xff : 0;
            result |= byte << 8 * i;
          }
          return result;
        });
  for (std::string type : {"i32", "i64"})
    for (bool isSigned : {false, true})
      for (bool asShift : {false, true}) {
        unsigned bits = bitsOf(type);
        check({"i32",
               std::string(isSigned ? "llvm.nvvm.flo.s." : "llvm.nvvm.flo.u.") +
                   type,
               {type},
               asShift ? ", i1 true" : ", i1 false"},
              [=](uint64_t x, uint64_t, uint64_t) -> uint64_t {
                if (isSigned && signExtend(x, bits) < 0)
                  x = lowBits(~x, bits);
                if (x == 0)
                  return 0xffffffff;
                unsigned place = 63 - llvm::countl_zero(x);
                return asShift ? bits - 1 - place : place;
              });
      }
  for (bool isLeft : {false, true})
    check({"i32",
           isLeft ? "llvm.nvvm.fshl.clamp.i32" : "llvm.nvvm.fshr.clamp.i32",
           {"i32", "i32", "i32"}},
          [=](uint64_t x, uint64_t y, uint64_t z) {
            uint64_t pair = x << 32 | y, amount = std::min<uint64_t>(z, 32);
            return isLeft ? (amount == 32 ? y : pair << amount >> 32)
                          : lowBits(pair >> amount, 32);
          });
  check({"double", "llvm.nvvm.lohi.i2d", {"i32", "i32"}},
        [](uint64_t x, uint64_t y, uint64_t) { return x | y << 32; });
  check({"i32", "llvm.nvvm.d2i.lo", {"double"}},
        [](uint64_t x, uint64_t, uint64_t) { return lowBits(x, 32); });
  check({"i32", "llvm.nvvm.d2i.hi", {"double"}},
        [](uint64_t x, uint64_t, uint64_t) { return x >> 32; });
}

/// Reductions, rearrangements and element-wise functions of vectors.
TEST(SimulatorIntegers, Vectors) {
  auto kernel = [](const std::string &declarations, const std::string &body) {
    return "target triple = \"nvptx64-nvidia-cuda\"\n" + declarations +
           "define ptx_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) "
           "%a) {\n"
           "  %x = load <4 x i32>, ptr addrspace(1) %a, align 16\n" +
           body +
           "  store <4 x i32> %r, ptr addrspace(1) %out, align 16\n"
           "  ret void\n}\n";
  };
  auto evaluate = [&](const std::string &declarations, const std::string &body,
                      std::vector<uint32_t> expected) {
    for (bool optimize : {false, true}) {
      std::vector<std::vector<uint32_t>> arrays = {std::vector<uint32_t>(4),
                                                   {7, uint32_t(-3), 12, 5}};
      RunOptions options;
      options.block = {1, 1, 1};
      options.simulator.optimize = optimize;
      RunResult result = run(kernel(declarations, body), arrays, options);
      EXPECT_EQ(result.error + result.text(), "");
      EXPECT_EQ(arrays[0], expected) << body;
    }
  };
  auto reduce = [&](const std::string &name, uint32_t expected) {
    evaluate("declare i32 @llvm.vector.reduce." + name + ".v4i32(<4 x i32>)\n",
             "  %s = call i32 @llvm.vector.reduce." + name +
                 ".v4i32(<4 x i32> %x)\n  %r = insertelement <4 x i32> %x, "
                 "i32 %s, i64 2\n",
             {7, uint32_t(-3), expected, 5});
  };
  reduce("add", 21);
  reduce("mul", uint32_t(-1260));
  reduce("and", 4 & 5 & uint32_t(-3));
  reduce("or", uint32_t(-1));
  reduce("xor", 7u ^ uint32_t(-3) ^ 12u ^ 5u);
  reduce("smin", uint32_t(-3));
  reduce("smax", 12);
  reduce("umin", 5);
  reduce("umax", uint32_t(-3));
  evaluate("declare <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32>)\n",
           "  %r = call <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32> %x)\n",
           {5, 12, uint32_t(-3), 7});
  evaluate("declare <4 x i32> @llvm.smax.v4i32(<4 x i32>, <4 x i32>)\n",
           "  %r = call <4 x i32> @llvm.smax.v4i32(<4 x i32> %x, <4 x i32> "
           "<i32 6, i32 6, i32 6, i32 6>)\n",
           {7, 6, 12, 6});
  evaluate(
      "declare <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32>, i64)\n"
      "declare <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32>, <2 x i32>, "
      "i64)\n",
      "  %h = call <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32> %x, "
      "i64 2)\n"
      "  %r = call <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32> %x, "
      "<2 x i32> %h, i64 0)\n",
      {12, 5, 12, 5});
  evaluate("declare {<2 x i32>, <2 x i32>} "
           "@llvm.vector.deinterleave2.v4i32(<4 x i32>)\n"
           "declare <4 x i32> @llvm.vector.interleave2.v4i32(<2 x i32>, <2 x "
           "i32>)\n",
           "  %d = call {<2 x i32>, <2 x i32>} "
           "@llvm.vector.deinterleave2.v4i32(<4 x i32> %x)\n"
           "  %e = extractvalue {<2 x i32>, <2 x i32>} %d, 0\n"
           "  %o = extractvalue {<2 x i32>, <2 x i32>} %d, 1\n"
           "  %r = call <4 x i32> @llvm.vector.interleave2.v4i32(<2 x i32> %o, "
           "<2 x i32> %e)\n",
           {uint32_t(-3), 7, 5, 12});
}

} // namespace
