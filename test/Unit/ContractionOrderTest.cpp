//===- ContractionOrderTest.cpp - Tests of the order of contraction -------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/Transforms/ContractionOrder.h"

#include "gtest/gtest.h"

#include <chrono>
#include <cmath>
#include <random>

using namespace llvm;
using namespace tileir::einsum;

namespace {
/// A contraction, as indices 'a' = bit 0, 'b' = bit 1, ...
struct Problem {
  SmallVector<IndexSet> operands;
  IndexSet result = 0;
  SmallVector<int64_t> sizes;

  ContractionOrder solve(unsigned maxExhaustive = 10,
                         int64_t unknownSize = 64) const {
    return findContractionOrder(operands, result, sizes,
                                {maxExhaustive, unknownSize});
  }
};
} // namespace

static IndexSet indices(StringRef names) {
  IndexSet set = 0;
  for (char name : names)
    set |= IndexSet(1) << (name - 'a');
  return set;
}

static Problem makeProblem(ArrayRef<StringRef> operands, StringRef result,
                           ArrayRef<int64_t> sizes) {
  Problem problem;
  for (StringRef operand : operands)
    problem.operands.push_back(indices(operand));
  problem.result = indices(result);
  problem.sizes.assign(sizes.begin(), sizes.end());
  return problem;
}

/// Random indices, each with a size from 1 to `maxSize`.
static Problem makeRandomProblem(std::mt19937 &engine, unsigned numOperands,
                                 int64_t maxSize) {
  Problem problem;
  unsigned numIndices = 2 + engine() % 7;
  for (unsigned i = 0; i < numIndices; ++i)
    problem.sizes.push_back(1 + engine() % maxSize);
  IndexSet used = 0;
  for (unsigned i = 0; i < numOperands; ++i) {
    // Few indices, so that intermediate results differ.
    IndexSet operand = engine() & engine() & ((1u << numIndices) - 1);
    problem.operands.push_back(operand);
    used |= operand;
  }
  problem.result = engine() & engine() & used;
  return problem;
}

/// The multiplications of contracting operands of all `indices`.
static double getCost(IndexSet indices, ArrayRef<int64_t> sizes) {
  double cost = 1;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (indices >> i & 1)
      cost *= sizes[i];
  return cost;
}

/// Contracts operands `i` and `j` of `live` and returns what is left.
static std::vector<IndexSet> contract(const std::vector<IndexSet> &live,
                                      size_t i, size_t j, IndexSet result) {
  std::vector<IndexSet> rest;
  IndexSet needed = result;
  for (size_t k = 0; k < live.size(); ++k)
    if (k != i && k != j) {
      rest.push_back(live[k]);
      needed |= live[k];
    }
  rest.push_back((live[i] | live[j]) & needed);
  return rest;
}

/// The fewest multiplications, by trying every pair at every step.
static double bruteForce(const std::vector<IndexSet> &live, IndexSet result,
                         ArrayRef<int64_t> sizes) {
  if (live.size() == 1)
    return 0;
  double best = HUGE_VAL;
  for (size_t i = 0; i < live.size(); ++i)
    for (size_t j = i + 1; j < live.size(); ++j)
      best = std::min(
          best, getCost(live[i] | live[j], sizes) +
                    bruteForce(contract(live, i, j, result), result, sizes));
  return best;
}

static double bruteForce(const Problem &problem) {
  return bruteForce({problem.operands.begin(), problem.operands.end()},
                    problem.result, problem.sizes);
}

/// Each operand is used once, indices are those needed later, and the costs of
/// the steps add up. Sizes must be known.
static void expectValid(const ContractionOrder &order, const Problem &problem,
                        bool checkCost = true) {
  size_t numOperands = problem.operands.size();
  ASSERT_EQ(order.steps.size(), numOperands - 1);
  std::vector<IndexSet> live(problem.operands.begin(), problem.operands.end());
  std::vector<bool> used(2 * numOperands - 1);
  double multiplications = 0;
  for (const ContractionStep &step : order.steps) {
    ASSERT_LT(step.lhs, live.size());
    ASSERT_LT(step.rhs, live.size());
    ASSERT_NE(step.lhs, step.rhs);
    ASSERT_FALSE(used[step.lhs]);
    ASSERT_FALSE(used[step.rhs]);
    used[step.lhs] = used[step.rhs] = true;
    IndexSet both = live[step.lhs] | live[step.rhs], needed = problem.result;
    for (size_t i = 0; i < live.size(); ++i)
      if (!used[i])
        needed |= live[i];
    EXPECT_EQ(step.indices, both & needed);
    live.push_back(step.indices);
    multiplications += getCost(both, problem.sizes);
  }
  EXPECT_EQ(order.steps.back().indices, problem.result);
  if (checkCost)
    EXPECT_EQ(order.multiplications, multiplications);
}

using Pairs = std::vector<std::pair<unsigned, unsigned>>;

static void expectSteps(const ContractionOrder &order, const Pairs &expected) {
  Pairs pairs;
  for (const ContractionStep &step : order.steps)
    pairs.push_back({step.lhs, step.rhs});
  EXPECT_EQ(pairs, expected);
}

TEST(ContractionOrderTest, TwoOperands) {
  Problem problem = makeProblem({"ab", "bc"}, "ac", {2, 3, 5});
  ContractionOrder order = problem.solve();
  expectSteps(order, {{0, 1}});
  EXPECT_EQ(order.steps[0].indices, indices("ac"));
  EXPECT_EQ(order.multiplications, 30);
}

TEST(ContractionOrderTest, ExampleOfTheDocumentation) {
  // ij, jk, kl -> il
  Problem problem = makeProblem({"ab", "bc", "cd"}, "ad", {2, 3, 5, 100});
  ContractionOrder order = problem.solve();
  expectSteps(order, {{0, 1}, {3, 2}});
  EXPECT_EQ(order.steps[0].indices, indices("ac"));
  EXPECT_EQ(order.multiplications, 30 + 1000);

  problem.sizes = {100, 5, 3, 2};
  order = problem.solve();
  expectSteps(order, {{1, 2}, {0, 3}});
  EXPECT_EQ(order.multiplications, 30 + 1000);
}

TEST(ContractionOrderTest, ExhaustiveIsOptimal) {
  std::mt19937 engine(1);
  for (unsigned numOperands = 2; numOperands <= 6; ++numOperands)
    for (unsigned trial = 0; trial < 200; ++trial) {
      Problem problem = makeRandomProblem(engine, numOperands, 20);
      ContractionOrder order = problem.solve();
      expectValid(order, problem);
      ASSERT_EQ(order.multiplications, bruteForce(problem))
          << numOperands << " operands, trial " << trial;
    }
}

TEST(ContractionOrderTest, GreedyTakesTheCheapestPair) {
  std::mt19937 engine(2);
  unsigned worse = 0;
  for (unsigned trial = 0; trial < 500; ++trial) {
    Problem problem = makeRandomProblem(engine, 4 + trial % 3, 20);
    ContractionOrder order = problem.solve(/*maxExhaustive=*/3);
    expectValid(order, problem);
    double best = bruteForce(problem);
    EXPECT_GE(order.multiplications, best);
    worse += order.multiplications > best;
    double cheapest = HUGE_VAL;
    for (IndexSet &lhs : problem.operands)
      for (IndexSet &rhs : problem.operands)
        if (&lhs != &rhs)
          cheapest = std::min(cheapest, getCost(lhs | rhs, problem.sizes));
    const ContractionStep &first = order.steps.front();
    EXPECT_EQ(getCost(problem.operands[first.lhs] | problem.operands[first.rhs],
                      problem.sizes),
              cheapest);
  }
  // Otherwise the limit had no effect.
  EXPECT_GT(worse, 0u);
}

TEST(ContractionOrderTest, LimitIsInclusive) {
  std::mt19937 engine(3);
  for (unsigned trial = 0; trial < 1000; ++trial) {
    Problem problem = makeRandomProblem(engine, 5, 20);
    double best = bruteForce(problem);
    EXPECT_EQ(problem.solve(/*maxExhaustive=*/5).multiplications, best);
    if (problem.solve(/*maxExhaustive=*/4).multiplications > best)
      return;
  }
  FAIL() << "no problem tells the two methods apart";
}

TEST(ContractionOrderTest, TiesGoLeftToRight) {
  for (unsigned numOperands = 2; numOperands <= 8; ++numOperands) {
    Problem same;
    same.operands.assign(numOperands, indices("a"));
    same.result = indices("a");
    same.sizes = {7};
    // a chain of square matrices
    Problem chain;
    for (unsigned i = 0; i < numOperands; ++i)
      chain.operands.push_back(IndexSet(3) << i);
    chain.result = IndexSet(1) | IndexSet(1) << numOperands;
    chain.sizes.assign(numOperands + 1, 4);

    Pairs steps = {{0, 1}};
    for (unsigned i = 2; i < numOperands; ++i)
      steps.push_back({numOperands + i - 2, i});
    for (unsigned maxExhaustive : {10u, 1u}) {
      SCOPED_TRACE(std::to_string(numOperands) + " operands, max-exhaustive " +
                   std::to_string(maxExhaustive));
      expectSteps(same.solve(maxExhaustive), steps);
      expectSteps(chain.solve(maxExhaustive), steps);
    }
  }
}

TEST(ContractionOrderTest, UnknownSizes) {
  Problem problem = makeProblem({"ab", "bc", "cd"}, "ad", {-1, 10, 10, 20});
  // a * (100 + 200) against 2000 + a * 200
  ContractionOrder small = problem.solve(10, /*unknownSize=*/19);
  expectSteps(small, {{0, 1}, {3, 2}});
  EXPECT_EQ(small.multiplications, 19 * 300);
  ContractionOrder large = problem.solve(10, /*unknownSize=*/21);
  expectSteps(large, {{1, 2}, {0, 3}});
  EXPECT_EQ(large.multiplications, 2000 + 21 * 200);
  // The default is 64, and every negative size is unknown.
  problem.sizes[0] = INT64_MIN;
  EXPECT_EQ(
      findContractionOrder(problem.operands, problem.result, problem.sizes)
          .multiplications,
      2000 + 64 * 200);
}

TEST(ContractionOrderTest, SizesOfZeroAndOne) {
  Problem zero = makeProblem({"ab", "bc", "cd"}, "ad", {0, 0, 5, 6});
  expectValid(zero.solve(), zero);
  EXPECT_EQ(zero.solve().multiplications, 0);
  Problem one = makeProblem({"ab", "bc", "cd"}, "ad", {1, 1, 1, 1});
  EXPECT_EQ(one.solve().multiplications, 2);
}

TEST(ContractionOrderTest, SizesWhoseProductNeedsMoreThan64Bits) {
  const int64_t big = int64_t(1) << 62;
  Problem problem = makeProblem({"ab", "bc", "cd"}, "ad", {big, big, big, 2});
  ContractionOrder order = problem.solve();
  expectSteps(order, {{1, 2}, {0, 3}});
  EXPECT_EQ(order.multiplications, std::ldexp(1.0, 126));
}

TEST(ContractionOrderTest, CostsThatDoublesCannotHold) {
  // 40 indices of size 2^62: every cost is infinite.
  Problem problem;
  for (unsigned i = 0; i < 4; ++i)
    problem.operands.push_back(((IndexSet(1) << 40) - 1) ^ (IndexSet(1) << i));
  problem.result = 1;
  problem.sizes.assign(40, int64_t(1) << 62);
  expectValid(problem.solve(), problem, /*checkCost=*/false);
  expectValid(problem.solve(/*maxExhaustive=*/2), problem,
              /*checkCost=*/false);
  // Infinity times zero is no number.
  problem.sizes.back() = 0;
  expectValid(problem.solve(), problem, /*checkCost=*/false);
  expectValid(problem.solve(/*maxExhaustive=*/2), problem,
              /*checkCost=*/false);
}

TEST(ContractionOrderTest, AllIndices) {
  Problem problem;
  problem.sizes.assign(52, 2);
  for (unsigned i = 0; i < 3; ++i)
    problem.operands.push_back(IndexSet(7) << (49 - i));
  problem.result = IndexSet(1) << 51;
  ContractionOrder order = problem.solve();
  expectValid(order, problem);
  EXPECT_EQ(order.multiplications, bruteForce(problem));
}

TEST(ContractionOrderTest, OperandsWithoutIndices) {
  Problem problem = makeProblem({"", "a", ""}, "a", {8});
  ContractionOrder order = problem.solve();
  expectValid(order, problem);
  // The two scalars first.
  EXPECT_EQ(order.multiplications, 1 + 8);
}

TEST(ContractionOrderTest, ManyOperands) {
  // A chain of matrices in one order or another; 20 operands are too many even
  // when all orders are asked for.
  std::mt19937 engine(4);
  for (unsigned numOperands : {16u, 20u}) {
    Problem problem;
    for (unsigned i = 0; i < numOperands; ++i)
      problem.operands.push_back(IndexSet(3) << i);
    problem.result = IndexSet(1) | IndexSet(1) << numOperands;
    for (unsigned i = 0; i <= numOperands; ++i)
      problem.sizes.push_back(2 + engine() % 30);
    auto start = std::chrono::steady_clock::now();
    ContractionOrder order = problem.solve(/*maxExhaustive=*/100);
    std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - start;
    expectValid(order, problem);
    EXPECT_LT(seconds.count(), 30);

    // The best order that contracts neighbours only.
    std::vector<std::vector<double>> best(numOperands,
                                          std::vector<double>(numOperands, 0));
    for (unsigned length = 1; length < numOperands; ++length)
      for (unsigned i = 0; i + length < numOperands; ++i) {
        double &cost = best[i][i + length] = HUGE_VAL;
        for (unsigned k = i; k < i + length; ++k)
          cost = std::min<double>(cost, best[i][k] + best[k + 1][i + length] +
                                            problem.sizes[i] *
                                                problem.sizes[k + 1] *
                                                problem.sizes[i + length + 1]);
      }
    if (numOperands == 16)
      EXPECT_LE(order.multiplications, best[0][numOperands - 1]);
  }
}
