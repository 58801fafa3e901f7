//===- SimulatorNamesTest.cpp ---------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that are decoded only: what the names of mma mean, and the errors for
// calls that cannot be simulated.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "tileir/Simulator/Simulator.h"

#include "gtest/gtest.h"

using namespace tileir::sim;

namespace {

/// Decodes the kernel @k of `ir`: what `inspect` sees of it, or the error.
std::string decodeText(const std::string &ir,
                       const std::function<void(Program &)> &inspect) {
  auto chip = tileir::machine::getGpu("sm_90");
  SimulatorOptions options;
  options.optimize = false;
  Simulator simulator(**chip, options);
  auto module = simulator.load(llvm::MemoryBufferRef(ir, "test.ll"));
  if (!module)
    return llvm::toString(module.takeError());
  auto kernel = (*module)->getKernel("k");
  if (!kernel)
    return llvm::toString(kernel.takeError());
  inspect(*(*kernel)->program);
  return "";
}

/// A call of `name` on zeros.
std::string makeCall(const std::string &result, const std::string &name,
                     const std::vector<std::string> &types) {
  std::string declared, passed;
  for (const std::string &type : types) {
    declared += (declared.empty() ? "" : ", ") + type;
    passed += (passed.empty() ? "" : ", ") + type + " " +
              (type.rfind("ptr", 0) == 0 ? "null" : "zeroinitializer");
  }
  return "target triple = \"nvptx64-nvidia-cuda\"\ndeclare " + result + " @" +
         name + "(" + declared + ")\ndefine ptx_kernel void @k() {\n" +
         (result == "void" ? "  call " : "  %r = call ") + result + " @" +
         name + "(" + passed + ")\n  ret void\n}\n";
}

std::string repeat(const std::string &text, unsigned count) {
  std::string all;
  for (unsigned i = 0; i < count; ++i)
    all += (i ? ", " : "") + text;
  return all;
}

TEST(SimulatorNames, MmaNames) {
  using T = ElementType;
  struct {
    const char *name;
    const char *a, *b, *c, *d; ///< types of the arguments
    unsigned as, bs, cs, ds;   ///< how many of them
    MmaShape shape;
    T aType, bType, cType, dType;
    unsigned aRegisters, bRegisters, cRegisters, dRegisters;
  } names[] = {
      {"m8n8k4.row.col.f32.f32", "<2 x half>", "<2 x half>", "float", "float",
       2, 2, 8, 8, MmaShape::M8N8K4, T::F16, T::F16, T::F32, T::F32, 4, 4, 8,
       8},
      {"m8n8k4.col.row.f32.f16", "<2 x half>", "<2 x half>", "<2 x half>",
       "float", 2, 2, 4, 8, MmaShape::M8N8K4, T::F16, T::F16, T::F16, T::F32, 4,
       4, 8, 8},
      {"m8n8k4.row.row.f16.f16", "<2 x half>", "<2 x half>", "<2 x half>",
       "<2 x half>", 2, 2, 4, 4, MmaShape::M8N8K4, T::F16, T::F16, T::F16,
       T::F16, 4, 4, 8, 8},
      {"m16n8k8.row.col.f16.f16", "<2 x half>", "<2 x half>", "<2 x half>",
       "<2 x half>", 2, 1, 2, 2, MmaShape::M16N8K8, T::F16, T::F16, T::F16,
       T::F16, 4, 2, 4, 4},
      {"m16n8k16.row.col.f32.f32", "<2 x half>", "<2 x half>", "float", "float",
       4, 2, 4, 4, MmaShape::M16N8K16, T::F16, T::F16, T::F32, T::F32, 8, 4, 4,
       4},
      {"m16n8k16.row.col.bf16", "i32", "i32", "float", "float", 4, 2, 4, 4,
       MmaShape::M16N8K16, T::BF16, T::BF16, T::F32, T::F32, 4, 2, 4, 4},
      {"m16n8k8.row.col.bf16", "i32", "i32", "float", "float", 2, 1, 4, 4,
       MmaShape::M16N8K8, T::BF16, T::BF16, T::F32, T::F32, 2, 1, 4, 4},
      {"m16n8k8.row.col.tf32", "i32", "i32", "float", "float", 4, 2, 4, 4,
       MmaShape::M16N8K8, T::TF32, T::TF32, T::F32, T::F32, 4, 2, 4, 4},
      {"m16n8k4.row.col.tf32", "i32", "i32", "float", "float", 2, 1, 4, 4,
       MmaShape::M16N8K4, T::TF32, T::TF32, T::F32, T::F32, 2, 1, 4, 4},
      {"m8n8k4.row.col.f64", "double", "double", "double", "double", 1, 1, 2, 2,
       MmaShape::M8N8K4, T::F64, T::F64, T::F64, T::F64, 1, 1, 2, 2},
      {"m16n8k16.row.col.f64", "double", "double", "double", "double", 8, 4, 4,
       4, MmaShape::M16N8K16, T::F64, T::F64, T::F64, T::F64, 8, 4, 4, 4},
      {"m8n8k16.row.col.s8", "i32", "i32", "i32", "i32", 1, 1, 2, 2,
       MmaShape::M8N8K16, T::I8, T::I8, T::I32, T::I32, 1, 1, 2, 2},
      {"m16n8k16.row.col.satfinite.u8.s8", "i32", "i32", "i32", "i32", 2, 1, 4,
       4, MmaShape::M16N8K16, T::U8, T::I8, T::I32, T::I32, 2, 1, 4, 4},
      {"m16n8k32.row.col.u8", "i32", "i32", "i32", "i32", 4, 2, 4, 4,
       MmaShape::M16N8K32, T::U8, T::U8, T::I32, T::I32, 4, 2, 4, 4},
      {"m16n8k32.row.col.f32.e4m3.e5m2.f32", "i32", "i32", "float", "float", 4,
       2, 4, 4, MmaShape::M16N8K32, T::E4M3, T::E5M2, T::F32, T::F32, 4, 2, 4,
       4},
      {"m16n8k16.row.col.f16.e5m2.e5m2.f16", "i32", "i32", "<2 x half>",
       "<2 x half>", 2, 1, 2, 2, MmaShape::M16N8K16, T::E5M2, T::E5M2, T::F16,
       T::F16, 2, 1, 4, 4},
  };
  for (auto &n : names) {
    std::string name = n.name;
    std::vector<std::string> types;
    types.insert(types.end(), n.as, n.a);
    types.insert(types.end(), n.bs, n.b);
    types.insert(types.end(), n.cs, n.c);
    bool seen = false;
    std::string error = decodeText(
        makeCall("{" + repeat(n.d, n.ds) + "}", "llvm.nvvm.mma." + name, types),
        [&](Program &program) {
          ASSERT_EQ(program.mmas.size(), 1u) << name;
          const Mma &mma = program.mmas[0];
          EXPECT_EQ(mma.shape, n.shape) << name;
          EXPECT_EQ("m" + std::to_string(mma.m) + "n" + std::to_string(mma.n) +
                        "k" + std::to_string(mma.k),
                    name.substr(0, name.find('.')));
          EXPECT_EQ(mma.a, n.aType) << name;
          EXPECT_EQ(mma.b, n.bType) << name;
          EXPECT_EQ(mma.c, n.cType) << name;
          EXPECT_EQ(mma.d, n.dType) << name;
          EXPECT_EQ(mma.aRegisters, n.aRegisters) << name;
          EXPECT_EQ(mma.bRegisters, n.bRegisters) << name;
          EXPECT_EQ(mma.cRegisters, n.cRegisters) << name;
          EXPECT_EQ(mma.dRegisters, n.dRegisters) << name;
          EXPECT_EQ(mma.aRowMajor, name.find(".row.") == name.find('.'))
              << name;
          EXPECT_EQ(mma.bRowMajor,
                    name.substr(name.find('.') + 5).rfind("row", 0) == 0)
              << name;
          EXPECT_EQ(mma.saturate, name.find("satfinite") != std::string::npos)
              << name;
          seen = true;
        });
    EXPECT_EQ(error, "") << name;
    EXPECT_TRUE(seen);
  }
}

/// The error names what it is and where.
TEST(SimulatorNames, UnsupportedCalls) {
  struct {
    const char *result, *name;
    std::vector<std::string> types;
    const char *hint; ///< also in the message
  } calls[] = {
      {"void", "llvm.nvvm.tcgen05.fence.before.thread.sync", {}, "sm_100"},
      {"i1", "llvm.nvvm.vote.all", {"i1"}, ""},
      {"i32", "llvm.nvvm.read.ptx.sreg.pm0", {}, ""},
      {"{i32, i32, i32, i32}",
       "llvm.nvvm.mma.m16n8k32.row.col.s4",
       {"i32", "i32", "i32", "i32", "i32", "i32", "i32"},
       ""},
      {"i32", "vprintf", {"ptr", "ptr"}, "format"},
      {"float", "__nv_tgammaf", {"float"}, ""}};
  for (auto &call : calls) {
    std::string error = decodeText(makeCall(call.result, call.name, call.types),
                                   [](Program &) {});
    EXPECT_NE(error.find(call.name), std::string::npos)
        << call.name << ": " << error;
    EXPECT_NE(error.find("cannot simulate"), std::string::npos) << error;
    EXPECT_NE(error.find(call.hint), std::string::npos) << error;
  }
}

TEST(SimulatorNames, IndirectCallsAreRefused) {
  std::string error = decodeText("target triple = \"nvptx64-nvidia-cuda\"\n"
                                 "define ptx_kernel void @k(ptr %f) {\n"
                                 "  call void %f()\n"
                                 "  ret void\n}\n",
                                 [](Program &) {});
  EXPECT_NE(error.find("call through a pointer"), std::string::npos) << error;
}

} // namespace
