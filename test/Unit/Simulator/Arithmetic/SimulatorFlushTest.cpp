//===- SimulatorFlushTest.cpp ---------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel's attributes and its module's flags say of subnormal numbers,
// and what __nvvm_reflect answers.
//
//===----------------------------------------------------------------------===//

#include "SimulatorEvaluate.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

const char *const kFlushes =
    "\"denormal-fp-math-f32\"=\"preserve-sign,preserve-sign\"";

/// A kernel that stores `body`'s %r, of `type`, for %x and %y of `operand`.
std::string makeIr(const std::string &body, const std::string &operand,
                   const std::string &type, const std::string &attributes) {
  return "target triple = \"nvptx64-nvidia-cuda\"\n"
         "declare float @llvm.fma.f32(float, float, float)\n"
         "declare float @llvm.sqrt.f32(float)\n"
         "declare float @llvm.floor.f32(float)\n"
         "declare float @llvm.fabs.f32(float)\n"
         "declare float @llvm.copysign.f32(float, float)\n"
         "declare float @llvm.maxnum.f32(float, float)\n"
         "declare float @llvm.nvvm.mul.rn.f(float, float)\n"
         "define float @half_of(float %x) alwaysinline {\n"
         "  %r = fmul float %x, 0.5\n  ret float %r\n}\n"
         "define ptx_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) "
         "%px, ptr addrspace(1) %py) " +
         attributes + " {\n  %x = load " + operand +
         ", ptr addrspace(1) %px\n  %y = load " + operand +
         ", ptr addrspace(1) %py\n" + body + "\n  store " + type +
         " %r, ptr addrspace(1) %out\n  ret void\n}\n";
}

uint64_t compute(const std::string &ir, uint64_t x, uint64_t y) {
  std::vector<Words> arrays = {{0}, {x}, {y}};
  RunOptions options;
  options.block = {1, 1, 1};
  RunResult result = run(ir, arrays, options);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.text(), "");
  return arrays[0][0];
}

struct FlushCase {
  const char *body, *operand, *type;
  double x, y;
  uint64_t flushed, kept;
};

TEST(SimulatorFlush, Attribute) {
  auto f32 = [](double x) { return encode("float", x); };
  auto f64 = [](double x) { return encode("double", x); };
  const double tiny = 0x1p-140, least = 0x1p-126;
  const FlushCase cases[] = {
      // Operands.
      {"%r = fadd float %x, %y", "float", "float", tiny, 0, 0, f32(tiny)},
      {"%r = fadd float %x, %y", "float", "float", -tiny, -0.0, f32(-0.0),
       f32(-tiny)},
      {"%r = fmul float %x, %y", "float", "float", tiny, 0x1p40, 0,
       f32(0x1p-100)},
      {"%r = fdiv float %x, %y", "float", "float", 1, -tiny, f32(-INFINITY),
       f32(-INFINITY)},
      {"%r = fdiv float %x, %y", "float", "float", 0x1p-100, tiny,
       f32(INFINITY), f32(0x1p40)},
      {"%r = call float @llvm.fma.f32(float %x, float %y, float %x)", "float",
       "float", tiny, 1, 0, f32(2 * tiny)},
      {"%r = call float @llvm.sqrt.f32(float %x)", "float", "float", tiny, 0, 0,
       f32(0x1p-70)},
      {"%r = call float @llvm.floor.f32(float %x)", "float", "float", -tiny, 0,
       f32(-0.0), f32(-1)},
      {"%r = call float @llvm.fabs.f32(float %x)", "float", "float", -tiny, 0,
       0, f32(tiny)},
      {"%r = call float @llvm.maxnum.f32(float %x, float %y)", "float", "float",
       tiny, 0, 0, f32(tiny)},
      {"%r = fneg float %x", "float", "float", tiny, 0, f32(-0.0), f32(-tiny)},
      {"%c = fcmp olt float %x, %y\n  %r = zext i1 %c to i32", "float", "i32",
       -tiny, 0, 0, 1},
      // Results.
      {"%r = fsub float %x, %y", "float", "float", 1.25 * least, 1.5 * least,
       f32(-0.0), f32(-0.25 * least)},
      {"%r = fmul float %x, %y", "float", "float", least, 0.5, 0,
       f32(0.5 * least)},
      {"%r = call float @half_of(float %x)", "float", "float", least, 0, 0,
       f32(0.5 * least)},
      // Conversions.
      {"%r = fptrunc double %x to float", "double", "float", tiny, 0, 0,
       f32(tiny)},
      {"%r = fpext float %x to double", "float", "double", tiny, 0, 0,
       f64(tiny)},
      // These keep what they get.
      {"%r = fmul double %x, %y", "double", "double", 0x1p-1040, 2,
       f64(0x1p-1039), f64(0x1p-1039)},
      {"%r = call float @llvm.copysign.f32(float %x, float %y)", "float",
       "float", tiny, -1, f32(-tiny), f32(-tiny)},
      {"%r = call float @llvm.nvvm.mul.rn.f(float %x, float %y)", "float",
       "float", tiny, 2, f32(2 * tiny), f32(2 * tiny)},
  };
  for (const FlushCase &c : cases) {
    uint64_t x = encode(c.operand, c.x), y = encode(c.operand, c.y);
    EXPECT_EQ(compute(makeIr(c.body, c.operand, c.type, kFlushes), x, y),
              c.flushed)
        << c.body;
    EXPECT_EQ(compute(makeIr(c.body, c.operand, c.type, ""), x, y), c.kept)
        << c.body;
    // Of f32 only if that is the type it is for.
    EXPECT_EQ(compute(makeIr(c.body, c.operand, c.type,
                             "\"denormal-fp-math\"=\"ieee,ieee\""),
                      x, y),
              c.kept)
        << c.body;
  }
}

TEST(SimulatorFlush, Reflect) {
  auto ask = [](const std::string &name, const std::string &flag) {
    return "target triple = \"nvptx64-nvidia-cuda\"\n"
           "@name = private constant [" +
           std::to_string(name.size() + 1) + " x i8] c\"" + name +
           "\\00\"\n"
           "declare i32 @__nvvm_reflect(ptr)\n"
           "define ptx_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) "
           "%px, ptr addrspace(1) %py) {\n"
           "  %r = call i32 @__nvvm_reflect(ptr @name)\n"
           "  store i32 %r, ptr addrspace(1) %out\n  ret void\n}\n" +
           flag;
  };
  const std::string flag = "!llvm.module.flags = !{!0}\n"
                           "!0 = !{i32 4, !\"nvvm-reflect-ftz\", i32 1}\n";
  EXPECT_EQ(compute(ask("__CUDA_FTZ", ""), 0, 0), 0u);
  EXPECT_EQ(compute(ask("__CUDA_FTZ", flag), 0, 0), 1u);
  // Ten times the compute capability.
  EXPECT_EQ(compute(ask("__CUDA_ARCH", ""), 0, 0) % 10, 0u);
  EXPECT_GE(compute(ask("__CUDA_ARCH", ""), 0, 0), 700u);
}

} // namespace
