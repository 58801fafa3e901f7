//===- DynamicSizesTest.cpp - One program on many sizes -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of dynamic sizes is compiled once for the simulator and runs on 200
// sizes, every remainder of a division by 8 among them for M, N and K, against
// plain loops on small integers, whose sums are exact. Nothing may be found.
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

/// Draws a matrix of small integers.
NDArray draw(std::mt19937 &generator, int64_t rows, int64_t columns) {
  NDArray array(ElementKind::F16, {rows, columns});
  for (int64_t i = 0; i < rows * columns; ++i)
    array.setDouble(i, int(generator() % 5) - 2);
  return array;
}

class DynamicSizesTest : public testing::TestWithParam<const char *> {};

TEST_P(DynamicSizesTest, OneProgramIsRightOnAllSizes) {
  DialectRegistry registry;
  registerAll(registry);
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(kDynamicProduct, &context);
  BackendOptions options;
  options.chip = GetParam();
  auto backend = llvm::cantFail(createBackend("sim", std::move(options)));
  auto program =
      llvm::cantFail(backend->compile(llvm::cantFail(findEntry(*module))));

  std::mt19937 generator(15);
  std::set<int64_t> remainders[3];
  unsigned numAligned = 0, numGeneral = 0;
  for (unsigned run = 0; run < 200; ++run) {
    int64_t sizes[3];
    // Half of them are multiples of 8; 0 is one.
    for (int64_t &size : sizes)
      size = run % 2 ? generator() % 100 : 8 * (generator() % 13);
    auto [m, n, k] = sizes;
    for (unsigned i = 0; i < 3; ++i)
      remainders[i].insert(sizes[i] % 8);
    NDArray inputs[] = {draw(generator, m, k), draw(generator, k, n)};
    auto result = llvm::cantFail(program->run(inputs));
    SCOPED_TRACE(testing::Message() << m << ", " << n << ", " << k);
    ASSERT_TRUE(result.sim);
    ASSERT_EQ(result.sim->getNumFindings(), 0u);
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
        ASSERT_EQ(output.getDouble(i * n + j), sum) << i << ", " << j;
      }
  }
  for (const std::set<int64_t> &each : remainders)
    EXPECT_EQ(each.size(), 8u);
  EXPECT_GT(numAligned, 50u);
  EXPECT_GT(numGeneral, 50u);
}

INSTANTIATE_TEST_SUITE_P(Chips, DynamicSizesTest,
                         testing::Values("sm_70", "sm_80"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

} // namespace
