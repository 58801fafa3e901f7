//===- DynamicSizesTest.cpp - One program on many sizes -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of dynamic sizes, alone and fused with what comes before and after
// it, is compiled once for the simulator and runs on 200 or 100 sizes, every
// remainder of a division by 8 among them for M, N and K, against plain loops
// on small integers, whose sums are exact. Nothing may be found.
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Backend.h"
#include "tileir/Execution/Program.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::runtime;

namespace {

constexpr llvm::StringLiteral kDynamicProduct = R"(
func.func @main(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>) -> tensor<?x?xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b)
      : (tensor<?x?xf16>, tensor<?x?xf16>) -> tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}
)";

/// relu(-a * b + bias), of which the fusion is one kernel.
constexpr llvm::StringLiteral kFused = R"(
func.func @main(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %bias: tensor<?xf16>)
    -> tensor<?x?xf32> {
  %negated = arith.negf %a : tensor<?x?xf16>
  %c = einsum.contract "mk, kn -> mn" (%negated, %b)
      : (tensor<?x?xf16>, tensor<?x?xf16>) -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %c, %c0 : tensor<?x?xf32>
  %n = tensor.dim %c, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %relu = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : tensor<?x?xf32>, tensor<?xf16>)
      outs(%empty : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f16, %out: f32):
    %zero = arith.constant 0.0 : f32
    %wide = arith.extf %y : f16 to f32
    %sum = arith.addf %x, %wide : f32
    %positive = arith.maximumf %sum, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<?x?xf32>
  return %relu : tensor<?x?xf32>
}
)";

/// Draws an array of small integers.
NDArray draw(std::mt19937 &generator, ArrayRef<int64_t> shape) {
  NDArray array(ElementKind::F16, shape);
  for (int64_t i = 0, e = array.getNumElements(); i < e; ++i)
    array.setDouble(i, int(generator() % 5) - 2);
  return array;
}

/// A chip, and whether the fusion is tested.
class DynamicSizesTest
    : public testing::TestWithParam<std::tuple<const char *, bool>> {};

TEST_P(DynamicSizesTest, OneProgramIsRightOnAllSizes) {
  DialectRegistry registry;
  registerAll(registry);
  MLIRContext context(registry);
  auto [chip, isFused] = GetParam();
  auto module =
      parseSourceString<ModuleOp>(isFused ? kFused : kDynamicProduct, &context);
  BackendOptions options;
  options.chip = chip;
  auto backend = llvm::cantFail(createBackend("sim", std::move(options)));
  auto program =
      llvm::cantFail(backend->compile(llvm::cantFail(findEntry(*module))));

  std::mt19937 generator(15);
  std::set<int64_t> remainders[3];
  unsigned numRuns = isFused ? 100 : 200, numAligned = 0, numGeneral = 0;
  for (unsigned run = 0; run < numRuns; ++run) {
    int64_t sizes[3];
    // Half of them are multiples of 8; 0 is one.
    for (int64_t &size : sizes)
      size = run % 2 ? generator() % 100 : 8 * (generator() % 13);
    auto [m, n, k] = sizes;
    for (unsigned i = 0; i < 3; ++i)
      remainders[i].insert(sizes[i] % 8);
    SmallVector<NDArray> inputs = {draw(generator, {m, k}),
                                   draw(generator, {k, n})};
    if (isFused)
      inputs.push_back(draw(generator, {n}));
    auto result = llvm::cantFail(program->run(inputs));
    SCOPED_TRACE(testing::Message() << m << ", " << n << ", " << k);
    ASSERT_TRUE(result.sim);
    ASSERT_EQ(result.sim->getNumFindings(), 0u);
    ASSERT_LE(result.sim->launches.size(), 1u);
    for (const sim::LaunchResult &launch : result.sim->launches)
      ++(StringRef(launch.counters.kernel).ends_with("_aligned") ? numAligned
                                                                 : numGeneral);
    const NDArray &output = result.outputs.front();
    ASSERT_EQ(output.getShape(), ArrayRef<int64_t>({m, n}));
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum +=
              inputs[0].getDouble(i * k + l) * inputs[1].getDouble(l * n + j);
        if (isFused)
          sum = std::max(inputs[2].getDouble(j) - sum, 0.0);
        ASSERT_EQ(output.getDouble(i * n + j), sum) << i << ", " << j;
      }
  }
  for (const std::set<int64_t> &each : remainders)
    EXPECT_EQ(each.size(), 8u);
  EXPECT_GT(numAligned, numRuns / 4);
  EXPECT_GT(numGeneral, numRuns / 4);
}

INSTANTIATE_TEST_SUITE_P(Chips, DynamicSizesTest,
                         testing::Combine(testing::Values("sm_70", "sm_80"),
                                          testing::Bool()),
                         [](const auto &info) {
                           std::string chip = std::get<0>(info.param);
                           return chip +
                                  (std::get<1>(info.param) ? "_fused" : "");
                         });

} // namespace
