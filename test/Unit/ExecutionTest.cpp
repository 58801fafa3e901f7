//===- ExecutionTest.cpp - Backends, checks, bisection, reports -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the library promises beyond what test/Tools/tile-run-*.test see of it:
// executables by themselves, several at a time, and errors that callers get.
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Bisect.h"
#include "tileir/Execution/Inputs.h"
#include "tileir/Execution/Program.h"
#include "tileir/Execution/Report.h"
#include "tileir/Execution/Sim/SimKernel.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::runtime;

namespace {

constexpr llvm::StringLiteral kProduct = R"(
func.func @main(%a: tensor<4x3xf32>, %b: tensor<3x2xf32>) -> tensor<4x2xf32> {
  %0 = einsum.contract "mk, kn -> mn" (%a, %b)
      : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
)";

constexpr llvm::StringLiteral kSum = R"(
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
)";

class ExecutionTest : public testing::Test {
protected:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerAll(registry);
    return registry;
  }

  func::FuncOp parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    return llvm::cantFail(findEntry(*module));
  }
  static std::unique_ptr<Executable> compile(StringRef name,
                                             func::FuncOp entry) {
    auto backend = llvm::cantFail(createBackend(name));
    EXPECT_EQ(backend->getName(), name);
    return llvm::cantFail(backend->compile(entry));
  }
  /// The error of compiling `entry`.
  static std::string fail(StringRef name, func::FuncOp entry,
                          BackendOptions options = {}) {
    auto backend = llvm::cantFail(createBackend(name, std::move(options)));
    auto executable = backend->compile(entry);
    return executable ? "" : llvm::toString(executable.takeError());
  }

  MLIRContext context{makeRegistry()};
  OwningOpRef<ModuleOp> module;
};

TEST_F(ExecutionTest, RunsTheSameOnEachBackend) {
  func::FuncOp entry = parse(kProduct);
  std::string before;
  llvm::raw_string_ostream(before) << *module;
  auto arguments = llvm::cantFail(drawInputs(entry, 3));
  auto reference = compile("interp", entry);
  auto expected = llvm::cantFail(reference->run(arguments));
  EXPECT_EQ(expected.longestReduction, 3);
  // Two of each, which live at the same time.
  std::vector<std::unique_ptr<Executable>> executables;
  for (StringRef name : {"cpu", "sim", "cpu", "sim"})
    executables.push_back(compile(name, entry));
  std::string after;
  llvm::raw_string_ostream(after) << *module;
  EXPECT_EQ(after, before);
  // They do not need the module.
  module = {};
  for (auto &executable : executables)
    for (int run = 0; run < 2; ++run) {
      auto result = llvm::cantFail(executable->run(arguments));
      ASSERT_EQ(result.outputs.size(), 1u);
      EXPECT_GT(result.seconds, 0);
      auto check =
          llvm::cantFail(checkOutputs(arguments, result, expected, 1e-5));
      EXPECT_TRUE(check.passed) << check.describeWorst();
      if (result.sim)
        EXPECT_EQ(result.sim->launches.size(), 1u);
    }
  EXPECT_FALSE(expected.sim);
}

TEST_F(ExecutionTest, LeavesArgumentsAndReturnsMemrefs) {
  func::FuncOp entry = parse(R"(
func.func @main(%a: memref<2xi32>, %b: memref<2xi32>) -> tensor<1xi32> {
  memref.copy %a, %b : memref<2xi32> to memref<2xi32>
  %c = arith.constant dense<9> : tensor<1xi32>
  return %c : tensor<1xi32>
}
)");
  auto arguments =
      llvm::cantFail(readInputs(entry, {"nan:2xi32", "zeros:2xi32"}, 0));
  for (StringRef name : {"interp", "cpu"}) {
    auto result = llvm::cantFail(compile(name, entry)->run(arguments));
    ASSERT_EQ(result.outputs.size(), 3u);
    EXPECT_EQ(result.outputs[0].getInteger(0), 9);
    EXPECT_EQ(result.outputs[1].getInteger(1), -1);
    EXPECT_EQ(result.outputs[2].getInteger(1), -1);
    EXPECT_EQ(arguments[1].getInteger(1), 0);
  }
}

TEST_F(ExecutionTest, FindsPlantedDifference) {
  func::FuncOp entry = parse(kProduct);
  auto arguments = llvm::cantFail(drawInputs(entry, 3));
  auto result = llvm::cantFail(compile("cpu", entry)->run(arguments));
  auto reference = llvm::cantFail(createBackend("interp"));
  auto right =
      llvm::cantFail(checkAgainst(*reference, entry, arguments, result));
  EXPECT_TRUE(right.passed);
  EXPECT_EQ(right.against, "interp");
  double value = result.outputs[0].getDouble(5);
  result.outputs[0].setDouble(5, value + 1);
  auto wrong =
      llvm::cantFail(checkAgainst(*reference, entry, arguments, result));
  EXPECT_FALSE(wrong.passed);
  EXPECT_EQ(wrong.output, 0u);
  EXPECT_EQ(wrong.index, (llvm::SmallVector<int64_t>{2, 1}));
  EXPECT_FLOAT_EQ(wrong.got, value + 1);
  EXPECT_NE(wrong.describeWorst().find("output 0 at [2, 1] is "),
            std::string::npos);
  // NaN is no number that a tolerance covers.
  result.outputs[0].setDouble(5, std::nan(""));
  EXPECT_FALSE(
      llvm::cantFail(checkAgainst(*reference, entry, arguments, result, 1e30))
          .passed);
}

TEST_F(ExecutionTest, RefusesToCompareOtherOutputs) {
  RunResult got, expected;
  got.outputs.emplace_back(ElementKind::F32, ArrayRef<int64_t>{2, 3});
  auto check = checkOutputs({}, got, expected);
  ASSERT_FALSE(bool(check));
  EXPECT_EQ(llvm::toString(check.takeError()),
            "the function has another number of results");
  expected.outputs.emplace_back(ElementKind::I32, ArrayRef<int64_t>{2, 3});
  check = checkOutputs({}, got, expected);
  ASSERT_FALSE(bool(check));
  EXPECT_EQ(llvm::toString(check.takeError()),
            "output 0 has shape 2x3xf32, expected 2x3xi32");
}

TEST_F(ExecutionTest, RefusesProgramsThatAreNotForABackend) {
  auto unknown = createBackend("gpu");
  ASSERT_FALSE(bool(unknown));
  EXPECT_EQ(llvm::toString(unknown.takeError()),
            "backend: expected 'interp', 'cpu', 'sim' or 'cuda', found 'gpu'");
  func::FuncOp entry = parse(kSum);
  for (StringRef name : {"sim", "cuda"})
    EXPECT_EQ(fail(name, entry),
              "--backend=" + name.str() +
                  ": expected a gpu.module or gpu.launch, found none; "
                  "--backend=cpu runs code without kernels");
  BackendOptions options;
  options.pipeline = "canonicalize";
  EXPECT_NE(fail("cpu", entry, options).find("must end in the LLVM dialect"),
            std::string::npos);
  options.pipeline = "no-such-pass";
  EXPECT_NE(fail("cpu", entry, options).find("does not parse"),
            std::string::npos);
}

TEST_F(ExecutionTest, TellsErrorsOfRuns) {
  func::FuncOp entry = parse(R"(
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<f32> {
  %0 = einsum.contract "k, k -> " (%a, %b)
      : (tensor<?xf32>, tensor<?xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
)");
  auto arguments =
      llvm::cantFail(readInputs(entry, {"zeros:2xf32", "zeros:3xf32"}, 0));
  auto result = compile("cpu", entry)->run(arguments);
  ASSERT_FALSE(bool(result));
  EXPECT_NE(llvm::toString(result.takeError()).find("size 2"),
            std::string::npos);
}

TEST_F(ExecutionTest, BisectsToTheFirstOtherAnswer) {
  // A fused multiply-add is rounded once.
  func::FuncOp entry = parse(R"(
#id = affine_map<(i) -> (i)>
func.func @main(%a: tensor<99xf32>) -> tensor<99xf32> {
  %o = tensor.empty() : tensor<99xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel"]}
      ins(%a : tensor<99xf32>) outs(%o : tensor<99xf32>) {
  ^bb0(%x: f32, %y: f32):
    %p = arith.mulf %x, %x fastmath<contract> : f32
    %s = arith.addf %p, %x fastmath<contract> : f32
    linalg.yield %s : f32
  } -> tensor<99xf32>
  return %0 : tensor<99xf32>
}
)");
  auto arguments = llvm::cantFail(drawInputs(entry, 3));
  std::string steps;
  auto result = llvm::cantFail(
      bisect(entry, "canonicalize,func.func(math-uplift-to-fma),cse", arguments,
             0, [&](unsigned number, StringRef pass, StringRef verdict) {
               steps += std::to_string(number) + pass.str() + "=" +
                        verdict.take_front(4).str() + ";";
             }));
  ASSERT_TRUE(result.firstDifferent);
  EXPECT_EQ(result.firstDifferent->pass, "math-uplift-to-fma");
  EXPECT_EQ(result.firstDifferent->number, 2u);
  EXPECT_NE(result.firstDifferent->text.find("math.fma"), std::string::npos);
  EXPECT_EQ(result.lastSame.pass, "canonicalize");
  EXPECT_EQ(result.lastSame.text.find("math.fma"), std::string::npos);
  EXPECT_EQ(steps, "1canonicalize=;1canonicalize=same;2math-uplift-to-fma=;"
                   "2math-uplift-to-fma=outp;");
  EXPECT_EQ(result.describe().rfind("the answer changes after pass 2, "
                                    "'math-uplift-to-fma': output 0 at [",
                                    0),
            0u);
  // With a tolerance it is the same answer.
  auto same =
      llvm::cantFail(bisect(entry, "func.func(math-uplift-to-fma)", arguments));
  EXPECT_FALSE(same.firstDifferent);
  EXPECT_EQ(same.numExecuted, 1u);
  auto error = bisect(entry, "no-such-pass", arguments);
  ASSERT_FALSE(bool(error));
  EXPECT_NE(llvm::toString(error.takeError()).find("does not parse"),
            std::string::npos);
}

TEST_F(ExecutionTest, ReportsRuns) {
  func::FuncOp entry = parse(kProduct);
  auto arguments = llvm::cantFail(drawInputs(entry, 3));
  RunReport report = startReport(entry, "sim");
  auto executable = compile("sim", entry);
  llvm::cantFail(measure(*executable, arguments, 3, report));
  EXPECT_EQ(report.seconds.size(), 3u);
  EXPECT_GT(report.compileSeconds, 0);
  EXPECT_EQ(report.flops, 2 * 4 * 3 * 2);
  llvm::json::Value json = report.toJSON();
  const llvm::json::Object &object = *json.getAsObject();
  EXPECT_EQ(object.getString("entry"), "main");
  EXPECT_EQ(object.getInteger("repeat"), 3);
  EXPECT_EQ(object.getArray("launches")->size(), 1u);
  EXPECT_TRUE(object.getArray("findings")->empty());
  EXPECT_TRUE(object.getNull("check"));
}

TEST_F(ExecutionTest, LaunchesAKernelByItself) {
  constexpr llvm::StringLiteral ir = R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @number(ptr addrspace(1) %p, i32 %first) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = add i32 %t, %first
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %t
  store i32 %v, ptr addrspace(1) %q
  ret void
}
)";
  llvm::MemoryBufferRef file(ir, "number.ll");
  EXPECT_TRUE(isLLVMIR(file));
  sim::LaunchConfig launch;
  launch.block = {8, 1, 1};
  auto kernel = llvm::cantFail(SimKernel::load(file, "", launch, {}));
  EXPECT_EQ(kernel->getName(), "number");
  auto arguments =
      llvm::cantFail(kernel->readArguments({"zeros:8xi32", "i32:5"}, 0));
  auto result = llvm::cantFail(kernel->run(arguments));
  ASSERT_EQ(result.outputs.size(), 1u);
  EXPECT_EQ(result.outputs[0].getInteger(7), 12);
  EXPECT_EQ(result.sim->getNumFindings(), 0u);
  // What is too short is a finding, not an error.
  auto shorter =
      llvm::cantFail(kernel->readArguments({"zeros:7xi32", "i32:5"}, 0));
  EXPECT_EQ(llvm::cantFail(kernel->run(shorter)).sim->getNumFindings(), 1u);
  auto none = SimKernel::load(file, "none", launch, {});
  ASSERT_FALSE(bool(none));
  EXPECT_EQ(llvm::toString(none.takeError()),
            "no such kernel 'none': expected a kernel of the file; it has "
            "@number");
}

} // namespace
