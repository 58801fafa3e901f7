//===- TensorOperationTest.cpp - Operations by C++ ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is compiled once and found again, descriptions by specifications, and
// several threads. Numbers of all kinds of loops are compared in test/CAPI.
//
//===----------------------------------------------------------------------===//

#include "tileir/TensorOperation/TensorOperation.h"

#include "gtest/gtest.h"

#include <cmath>
#include <functional>
#include <limits>
#include <malloc.h>
#include <numeric>
#include <thread>

using namespace tileir;

namespace {

constexpr ContractionDim C = ContractionDim::Batch, M = ContractionDim::M,
                         N = ContractionDim::N, K = ContractionDim::K;
constexpr DimExecution Seq = DimExecution::Seq, Shared = DimExecution::Shared,
                       Prim = DimExecution::Prim;

/// Expects that there is an operation.
template <typename Description>
TensorOperation::Pointer create(const Description &description) {
  std::string message;
  TensorOperation::Pointer operation =
      TensorOperation::create(description, message);
  EXPECT_TRUE(operation) << message;
  EXPECT_EQ(message, "");
  return operation;
}

std::vector<float> run(const TensorOperation &operation,
                       const std::vector<const void *> &inputs,
                       std::vector<float> output) {
  EXPECT_EQ(operation.getNumInputs(), inputs.size());
  if (operation.getNumInputs() == inputs.size())
    operation(inputs.data(), output.data());
  return output;
}

/// Small integers from `first` on.
std::vector<float> makeValues(size_t size, int first = -3) {
  std::vector<float> values(size);
  for (size_t i = 0; i < size; ++i)
    values[i] =
        static_cast<float>(static_cast<int>((i * i + i / 7) % 7) + first);
  return values;
}

/// A product of row-major matrices.
OperationDescription makeProduct(int64_t m, int64_t n, int64_t k) {
  OperationDescription description;
  description.dimTypes = {M, N, K};
  description.execTypes = {Prim, Prim, Prim};
  description.dimSizes = {m, n, k};
  description.stridesIn0 = {k, 0, 1};
  description.stridesIn1 = {0, 1, n};
  description.stridesOut = {n, 1, 0};
  return description;
}

std::vector<float> multiply(const std::vector<float> &a,
                            const std::vector<float> &b, int64_t m, int64_t n,
                            int64_t k) {
  std::vector<float> c(m * n, 0);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t l = 0; l < k; ++l)
        c[i * n + j] += a[i * k + l] * b[l * n + j];
  return c;
}

/// Run by itself, as ctest does, this finds nothing that others prepared.
TEST(TensorOperation, EinsumAsTheFirstCall) {
  EinsumDescription einsum;
  einsum.spec = "mk,kn->mn";
  einsum.shapes = {{3, 2}, {2, 16}};
  auto operation = create(einsum);
  ASSERT_TRUE(operation);
  auto a = makeValues(6), b = makeValues(32, -2);
  EXPECT_EQ(run(*operation, {a.data(), b.data()}, std::vector<float>(48)),
            multiply(a, b, 3, 16, 2));
}

TEST(TensorOperation, TellsWhatItIs) {
  auto operation = create(makeProduct(4, 24, 8));
  ASSERT_TRUE(operation);
  EXPECT_EQ(operation->getNumInputs(), 2u);
  EXPECT_EQ(operation->getOutputShape(), (std::vector<int64_t>{4, 24}));
  EXPECT_NE(operation->getSchedule().find("prim 24>"), std::string::npos)
      << operation->getSchedule();
  const CompileTimes &times = operation->getCompileTimes();
  for (double step : {times.schedule, times.lowering, times.translation,
                      times.codeGeneration, times.linking}) {
    EXPECT_GT(step, 0);
    EXPECT_LT(step, times.getTotal());
  }
  auto a = makeValues(32), b = makeValues(192, -2);
  EXPECT_EQ(run(*operation, {a.data(), b.data()}, std::vector<float>(96, 5)),
            multiply(a, b, 4, 24, 8));
}

TEST(TensorOperation, KeepsLoopsThatAreNotOptimized) {
  OperationDescription description = makeProduct(4, 24, 8);
  description.dimTypes = {M, M, N, K};
  description.execTypes = {Seq, Prim, Prim, Prim};
  description.dimSizes = {2, 2, 24, 8};
  description.stridesIn0 = {16, 8, 0, 1};
  description.stridesIn1 = {0, 0, 1, 24};
  description.stridesOut = {48, 24, 1, 0};
  auto operation = create(description);
  ASSERT_TRUE(operation);
  EXPECT_NE(operation->getSchedule().find(
                "<\"a\" seq 2>, <\"b\" prim 2>, <\"c\" prim 24>, <\"d\" "
                "prim 8>"),
            std::string::npos)
      << operation->getSchedule();
  // What is free is fused.
  description.execTypes = {Seq, Seq, Seq, Seq};
  description.optimize = true;
  auto optimized = create(description);
  ASSERT_TRUE(optimized);
  EXPECT_NE(optimized->getSchedule().find("<\"ab\" prim 4"), std::string::npos)
      << optimized->getSchedule();
  auto a = makeValues(32), b = makeValues(192, -2);
  for (const auto &each : {operation, optimized})
    EXPECT_EQ(run(*each, {a.data(), b.data()}, std::vector<float>(96)),
              multiply(a, b, 4, 24, 8));
}

//===----------------------------------------------------------------------===//
// The cache
//===----------------------------------------------------------------------===//

TEST(TensorOperation, FindsWhatIsCompiled) {
  auto first = create(makeProduct(3, 16, 5));
  EXPECT_EQ(first, create(makeProduct(3, 16, 5)));
  EinsumDescription einsum;
  einsum.spec = "mk,kn->mn";
  einsum.shapes = {{3, 5}, {5, 16}};
  auto second = create(einsum);
  EXPECT_EQ(second, create(einsum));
  EXPECT_NE(first, second);
}

TEST(TensorOperation, CompilesAgainAfterClearingTheCache) {
  auto first = create(makeProduct(3, 16, 6));
  TensorOperation::clearCache();
  auto second = create(makeProduct(3, 16, 6));
  EXPECT_NE(first, second);
  // The first one still works.
  auto a = makeValues(18), b = makeValues(96);
  EXPECT_EQ(run(*first, {a.data(), b.data()}, std::vector<float>(48)),
            multiply(a, b, 3, 16, 6));
}

/// Each description differs from the first in one field.
TEST(TensorOperation, DistinguishesDescriptionsByEachField) {
  // 4 x 4 x 4, in which all strides can be exchanged.
  OperationDescription base = makeProduct(4, 4, 4);
  std::vector<OperationDescription> all = {base};
  auto add = [&](const std::function<void(OperationDescription &)> &change) {
    all.push_back(base);
    change(all.back());
  };
  using D = OperationDescription;
  for (auto type : {OperationType::F64, OperationType::F16, OperationType::BF16,
                    OperationType::I32, OperationType::I8})
    add([&](D &d) { d.type = type; });
  add([](D &d) { d.firstTouch = Primitive::None; });
  add([](D &d) { d.firstTouch = Primitive::Load; });
  add([](D &d) { d.lastTouch = Primitive::Relu; });
  add([](D &d) { d.execTypes = {Seq, Prim, Prim}; });
  add([](D &d) { d.execTypes = {Shared, Prim, Prim}; });
  add([](D &d) { d.dimSizes = {4, 4, 3}; });
  add([](D &d) { d.dimSizes = {3, 4, 4}; });
  add([](D &d) { d.stridesIn0 = {1, 0, 4}; });
  add([](D &d) { d.stridesIn0 = {8, 0, 1}; });
  add([](D &d) { d.stridesIn1 = {0, 4, 1}; });
  add([](D &d) { d.stridesOut = {1, 4, 0}; });
  add([](D &d) { d.optimize = true; });
  add([](D &d) { d.threads = 1; });
  add([](D &d) { d.threads = 2; });
  for (std::vector<int64_t> bias :
       {std::vector<int64_t>{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {4, 1, 0}})
    add([&](D &d) {
      d.firstTouch = Primitive::Bias;
      d.stridesBias = bias;
    });
  std::vector<TensorOperation::Pointer> operations;
  for (const OperationDescription &description : all)
    operations.push_back(create(description));
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(operations[i], create(all[i]));
    for (size_t j = 0; j < i; ++j)
      EXPECT_NE(operations[i], operations[j]) << i << " and " << j;
  }
  // What is a product of columns is another one of rows.
  auto a = makeValues(16), b = makeValues(16, -2);
  EXPECT_EQ(run(*operations[0], {a.data(), b.data()}, std::vector<float>(16)),
            multiply(a, b, 4, 4, 4));
}

TEST(TensorOperation, DistinguishesEinsumsByEachField) {
  EinsumDescription base;
  base.spec = "ab,bc->ac";
  base.shapes = {{4, 4}, {4, 4}};
  std::vector<EinsumDescription> all(10, base);
  all[1].spec = "ab,bc->ca";
  all[2].type = OperationType::F64;
  all[3].shapes = {{4, 4}, {4, 5}};
  all[4].padding = "none";
  all[5].firstTouch = Primitive::Load;
  all[6].lastTouch = Primitive::Relu;
  all[7].threads = 1;
  all[8].firstTouch = Primitive::Bias;
  all[8].stridesBias = {0, 1};
  all[9].sizes = "a=4";
  std::vector<TensorOperation::Pointer> operations;
  for (const EinsumDescription &description : all)
    operations.push_back(create(description));
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_NE(operations[i], operations[j]) << i << " and " << j;
}

/// The same numbers, one of them in another vector.
TEST(TensorOperation, DoesNotTakeWrongLengthsForWhatItFinds) {
  OperationDescription description = makeProduct(4, 4, 4);
  create(description);
  description.stridesIn0.push_back(0);
  description.stridesIn1 = {1, 4};
  std::string message;
  EXPECT_FALSE(TensorOperation::create(description, message));
  EXPECT_EQ(message, "expected strides_in0 to have 3 entries, as many as "
                     "dim_types, found 4");
}

TEST(TensorOperation, DoesNotKeepErrors) {
  OperationDescription description = makeProduct(4, 4, 4);
  description.dimSizes = {4, 4, 0};
  for (int i = 0; i < 2; ++i) {
    std::string message;
    EXPECT_FALSE(TensorOperation::create(description, message));
    EXPECT_EQ(message, "expected dim_sizes[2] to be positive, found 0");
  }
}

//===----------------------------------------------------------------------===//
// Specifications
//===----------------------------------------------------------------------===//

TEST(TensorOperation, ConvolutionWithABias) {
  EinsumDescription conv;
  conv.spec = "c(h+r)(w+s),kcrs->khw";
  conv.shapes = {{2, 6, 20}, {3, 2, 3, 3}};
  conv.firstTouch = Primitive::Bias;
  conv.stridesBias = {1, 0, 0};
  conv.lastTouch = Primitive::Relu;
  auto operation = create(conv);
  ASSERT_TRUE(operation);
  EXPECT_EQ(operation->getOutputShape(), (std::vector<int64_t>{3, 4, 18}));
  auto x = makeValues(240), w = makeValues(54, -2), bias = makeValues(3);
  std::vector<float> expected(216);
  for (int k = 0; k < 3; ++k)
    for (int h = 0; h < 4; ++h)
      for (int v = 0; v < 18; ++v) {
        float sum = bias[k];
        for (int c = 0; c < 2; ++c)
          for (int r = 0; r < 3; ++r)
            for (int s = 0; s < 3; ++s)
              sum += x[(c * 6 + h + r) * 20 + v + s] *
                     w[((k * 2 + c) * 3 + r) * 3 + s];
        expected[(k * 4 + h) * 18 + v] = std::max(sum, 0.0f);
      }
  EXPECT_EQ(run(*operation, {x.data(), w.data(), bias.data()},
                std::vector<float>(216, 9)),
            expected);
}

TEST(TensorOperation, PaddedConvolutionTakesSizes) {
  EinsumDescription conv;
  conv.spec = "c(h+r-1)(w+s-1),kcrs->khw";
  conv.shapes = {{2, 5, 19}, {3, 2, 3, 3}};
  conv.padding = "zero";
  conv.sizes = "h=5,w=19";
  auto operation = create(conv);
  ASSERT_TRUE(operation);
  EXPECT_EQ(operation->getOutputShape(), (std::vector<int64_t>{3, 5, 19}));
  EXPECT_NE(operation->getSchedule().find(
                "<\"c\" prim 2>, <\"r\" prim 3>, <\"s\" prim 3>"),
            std::string::npos)
      << operation->getSchedule();
  auto x = makeValues(190), w = makeValues(54, -2);
  std::vector<float> expected(285);
  for (int k = 0; k < 3; ++k)
    for (int h = 0; h < 5; ++h)
      for (int v = 0; v < 19; ++v)
        for (int c = 0; c < 2; ++c)
          for (int r = 0; r < 3; ++r)
            for (int s = 0; s < 3; ++s) {
              int y = h + r - 1, z = v + s - 1;
              if (y >= 0 && y < 5 && z >= 0 && z < 19)
                expected[(k * 5 + h) * 19 + v] +=
                    x[(c * 5 + y) * 19 + z] * w[((k * 2 + c) * 3 + r) * 3 + s];
            }
  EXPECT_EQ(run(*operation, {x.data(), w.data()}, std::vector<float>(285, 9)),
            expected);
}

TEST(TensorOperation, TablesFollowTheOperands) {
  EinsumDescription shift;
  shift.spec = "c(h+sh[c])(w+sw[c]),ck->khw";
  shift.shapes = {{5, 6, 18}, {5, 4}};
  shift.sizes = "h=4,w=16";
  shift.firstTouch = Primitive::Load;
  auto operation = create(shift);
  ASSERT_TRUE(operation);
  auto x = makeValues(540), w = makeValues(20, -2), before = makeValues(256);
  std::vector<int32_t> sh = {0, 1, 2, 1, 0}, sw = {2, 0, 1, 1, 2};
  std::vector<float> expected = before;
  for (int k = 0; k < 4; ++k)
    for (int h = 0; h < 4; ++h)
      for (int v = 0; v < 16; ++v)
        for (int c = 0; c < 5; ++c)
          expected[(k * 4 + h) * 16 + v] +=
              x[(c * 6 + h + sh[c]) * 18 + v + sw[c]] * w[c * 4 + k];
  EXPECT_EQ(run(*operation, {x.data(), w.data(), sh.data(), sw.data()}, before),
            expected);
}

/// Deep enough for the sum to be interrupted: parts of it lie in the output,
/// whose contents are part of the sum.
TEST(TensorOperation, PaddedSumOntoTheOutput) {
  EinsumDescription conv;
  conv.spec = "c(h+r-1)(w+s-1),kcrs->khw";
  conv.shapes = {{512, 7, 7}, {32, 512, 3, 3}};
  conv.padding = "zero";
  conv.sizes = "h=7,w=7";
  conv.firstTouch = Primitive::Load;
  conv.lastTouch = Primitive::Relu;
  auto operation = create(conv);
  ASSERT_TRUE(operation);
  auto x = makeValues(512 * 49), w = makeValues(32 * 512 * 9, -2),
       before = makeValues(32 * 49);
  std::vector<float> expected = before;
  for (int k = 0; k < 32; ++k)
    for (int h = 0; h < 7; ++h)
      for (int v = 0; v < 7; ++v) {
        float &sum = expected[(k * 7 + h) * 7 + v];
        for (int c = 0; c < 512; ++c)
          for (int r = 0; r < 3; ++r)
            for (int s = 0; s < 3; ++s) {
              int y = h + r - 1, z = v + s - 1;
              if (y >= 0 && y < 7 && z >= 0 && z < 7)
                sum +=
                    x[(c * 7 + y) * 7 + z] * w[((k * 512 + c) * 3 + r) * 3 + s];
            }
        sum = std::max(sum, 0.0f);
      }
  EXPECT_EQ(run(*operation, {x.data(), w.data()}, before), expected)
      << operation->getSchedule();
}

/// The copy that pads is made by loops; the sum by a kernel.
TEST(TensorOperation, PaddedTables) {
  EinsumDescription shift;
  shift.spec = "c(h+sh[c])(w+sw[c]),ck->khw";
  shift.shapes = {{5, 4, 18}, {5, 4}};
  shift.sizes = "h=4,w=18";
  shift.padding = "zero";
  shift.lastTouch = Primitive::Relu;
  auto operation = create(shift);
  ASSERT_TRUE(operation);
  EXPECT_NE(operation->getSchedule().find("prim"), std::string::npos)
      << operation->getSchedule();
  auto x = makeValues(360), w = makeValues(20, -2);
  std::vector<int32_t> sh = {0, 1, -1, 1, 5}, sw = {-2, 0, 1, 17, -1};
  std::vector<float> expected(288);
  for (int k = 0; k < 4; ++k)
    for (int h = 0; h < 4; ++h)
      for (int v = 0; v < 18; ++v) {
        float sum = 0;
        for (int c = 0; c < 5; ++c) {
          int y = h + sh[c], z = v + sw[c];
          if (y >= 0 && y < 4 && z >= 0 && z < 18)
            sum += x[(c * 4 + y) * 18 + z] * w[c * 4 + k];
        }
        expected[(k * 4 + h) * 18 + v] = std::max(sum, 0.0f);
      }
  EXPECT_EQ(run(*operation, {x.data(), w.data(), sh.data(), sw.data()},
                std::vector<float>(288, 9)),
            expected);
}

/// LLVM's optimizer makes a calloc of a buffer that is filled with zeros. It
/// was the C library's, and given back to ours.
TEST(TensorOperation, BuffersOfZeros) {
  EinsumDescription gather;
  gather.spec = "(t[i])k, (i/2) -> i";
  gather.shapes = {{4, 4}, {4}};
  gather.padding = "zero";
  gather.tables = {{"t", OperationType::I32, {2}}};
  auto operation = create(gather);
  ASSERT_TRUE(operation);
  auto x = makeValues(16), y = makeValues(4);
  std::vector<int32_t> table = {3, 9};
  std::vector<float> expected = {(x[12] + x[13] + x[14] + x[15]) * y[0], 0};
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(run(*operation, {x.data(), y.data(), table.data()}, {9, 9}),
              expected);
}

/// In its canonical form the second table comes first.
TEST(TensorOperation, TablesAsTheSpecificationNamesThem) {
  EinsumDescription gather;
  gather.spec = "(4 + big[x] + j%mod[u])u, jx -> jux";
  gather.shapes = {{30, 3}, {5, 20}};
  auto operation = create(gather);
  ASSERT_TRUE(operation);
  auto x = makeValues(90), y = makeValues(100, -2);
  std::vector<int32_t> big(20), mod = {2, 3, 4};
  for (int i = 0; i < 20; ++i)
    big[i] = i - 4;
  std::vector<float> expected(300);
  for (int j = 0; j < 5; ++j)
    for (int u = 0; u < 3; ++u)
      for (int i = 0; i < 20; ++i)
        expected[(j * 3 + u) * 20 + i] =
            x[(4 + big[i] + j % mod[u]) * 3 + u] * y[j * 20 + i];
  EXPECT_EQ(run(*operation, {x.data(), y.data(), big.data(), mod.data()},
                std::vector<float>(300)),
            expected);
}

/// A divisor that is not positive is told, and nothing is divided by it.
TEST(TensorOperation, DivisorsFromTables) {
  EinsumDescription gather;
  gather.spec = "(w%t[j])j->wj";
  gather.shapes = {{8, 20}};
  gather.sizes = "w=6";
  auto operation = create(gather);
  ASSERT_TRUE(operation);
  auto x = makeValues(160);
  std::vector<int32_t> table(20, 4);
  table[3] = 3;
  std::vector<float> expected(120);
  for (int w = 0; w < 6; ++w)
    for (int j = 0; j < 20; ++j)
      expected[w * 20 + j] = x[w % table[j] * 20 + j];
  EXPECT_EQ(run(*operation, {x.data(), table.data()}, std::vector<float>(120)),
            expected);
  table[5] = 0;
  testing::internal::CaptureStderr();
  run(*operation, {x.data(), table.data()}, std::vector<float>(120));
  EXPECT_NE(
      testing::internal::GetCapturedStderr().find("expects positive divisors"),
      std::string::npos);
}

TEST(TensorOperation, ManyOperands) {
  for (bool relu : {false, true}) {
    EinsumDescription chain;
    chain.spec = "ab,bc,cd->ad";
    chain.shapes = {{3, 4}, {4, 5}, {5, 17}};
    chain.lastTouch = relu ? Primitive::Relu : Primitive::None;
    auto operation = create(chain);
    ASSERT_TRUE(operation);
    auto x = makeValues(12), y = makeValues(20, -2), z = makeValues(85);
    auto expected = multiply(multiply(x, y, 3, 5, 4), z, 3, 17, 5);
    for (float &value : expected)
      value = relu ? std::max(value, 0.0f) : value;
    EXPECT_EQ(run(*operation, {x.data(), y.data(), z.data()},
                  std::vector<float>(51, 9)),
              expected);
  }
}

/// What contractions hand to each other, and borders of zeros, lie in memory
/// that a call has to give back.
TEST(TensorOperation, FreesItsBuffers) {
  EinsumDescription chain, padded;
  chain.spec = "ab,bc,cd->ad";
  chain.shapes = {{64, 64}, {64, 64}, {64, 64}};
  chain.lastTouch = Primitive::Relu;
  padded.spec = "(a+b-1),b->a";
  padded.shapes = {{4096}, {3}};
  padded.padding = "zero";
  padded.sizes = "a=4096";
  auto x = makeValues(4096);
  const void *inputs[] = {x.data(), x.data(), x.data()};
  std::vector<float> output(4096);
  for (const EinsumDescription &description : {chain, padded}) {
    auto operation = create(description);
    ASSERT_TRUE(operation);
    auto getUsed = [] {
      struct mallinfo2 info = mallinfo2();
      return info.uordblks + info.hblkhd;
    };
    (*operation)(inputs, output.data());
    size_t before = getUsed();
    for (int call = 0; call < 100; ++call)
      (*operation)(inputs, output.data());
    // One buffer of one call is 16 KiB.
    EXPECT_LT(getUsed(), before + 16384);
  }
}

/// A sum is added to what was there; a permutation has nothing to add to.
TEST(TensorOperation, FirstTouchNoneOfEinsums) {
  EinsumDescription sum;
  sum.spec = "ab->b";
  sum.shapes = {{3, 20}};
  sum.firstTouch = Primitive::None;
  auto operation = create(sum);
  ASSERT_TRUE(operation);
  auto x = makeValues(60);
  std::vector<float> expected(20, 9);
  for (int i = 0; i < 60; ++i)
    expected[i % 20] += x[i];
  EXPECT_EQ(run(*operation, {x.data()}, std::vector<float>(20, 9)), expected);
  sum.spec = "ab->ba";
  operation = create(sum);
  ASSERT_TRUE(operation);
  for (int i = 0; i < 60; ++i)
    expected.resize(60), expected[i % 20 * 3 + i / 20] = x[i];
  EXPECT_EQ(run(*operation, {x.data()}, std::vector<float>(60, 9)), expected);
}

TEST(TensorOperation, ScalarResult) {
  EinsumDescription dot;
  dot.spec = "a,a->";
  dot.shapes = {{37}, {37}};
  auto operation = create(dot);
  ASSERT_TRUE(operation);
  EXPECT_TRUE(operation->getOutputShape().empty());
  auto x = makeValues(37), y = makeValues(37, -2);
  auto expected = multiply(x, y, 1, 1, 37);
  EXPECT_EQ(run(*operation, {x.data(), y.data()}, {9}), expected);
  dot.firstTouch = Primitive::Load;
  operation = create(dot);
  ASSERT_TRUE(operation);
  EXPECT_EQ(run(*operation, {x.data(), y.data()}, {9})[0], 9 + expected[0]);
  dot.firstTouch = Primitive::Bias;
  operation = create(dot);
  ASSERT_TRUE(operation);
  float bias = -5;
  EXPECT_EQ(run(*operation, {x.data(), y.data(), &bias}, {9})[0],
            -5 + expected[0]);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Where maxima of numbers would hide that something went wrong.
TEST(TensorOperation, ReluKeepsNaN) {
  OperationDescription copy;
  copy.main = Primitive::Copy;
  copy.lastTouch = Primitive::Relu;
  copy.dimTypes = {C};
  copy.execTypes = {Prim};
  copy.dimSizes = {19};
  copy.stridesIn0 = {1};
  copy.stridesOut = {1};
  auto operation = create(copy);
  ASSERT_TRUE(operation);
  std::vector<float> x(19, std::numeric_limits<float>::quiet_NaN());
  x[3] = -1;
  x[4] = 2;
  auto y = run(*operation, {x.data()}, std::vector<float>(19));
  for (int i = 0; i < 19; ++i) {
    if (i == 3)
      EXPECT_EQ(y[i], 0);
    else if (i == 4)
      EXPECT_EQ(y[i], 2);
    else
      EXPECT_TRUE(std::isnan(y[i])) << i;
  }
}

/// Sums of i8 are those of integers modulo 2^8, products of 16 bits.
TEST(TensorOperation, NarrowIntegersWrapOnce) {
  OperationDescription product = makeProduct(1, 16, 3);
  product.type = OperationType::I8;
  product.lastTouch = Primitive::Relu;
  auto operation = create(product);
  ASSERT_TRUE(operation);
  std::vector<int8_t> a = {100, 100, -128}, b(48), c(16, 7);
  for (int n = 0; n < 16; ++n) {
    b[n] = static_cast<int8_t>(n);
    b[16 + n] = static_cast<int8_t>(-n);
    b[32 + n] = static_cast<int8_t>(n % 2 ? 1 : -1);
  }
  const void *inputs[] = {a.data(), b.data()};
  (*operation)(inputs, c.data());
  // The sum is -128 or 128: relu makes that 0 or, after it, -128 of 128.
  for (int n = 0; n < 16; ++n)
    EXPECT_EQ(c[n], n % 2 ? 0 : -128) << n;
}

/// 1 + 2^-9 - 1: lost if parts of the sum were rounded to bf16.
TEST(TensorOperation, NarrowFloatsAreRoundedOnce) {
  OperationDescription product = makeProduct(2, 16, 4);
  product.type = OperationType::BF16;
  product.firstTouch = Primitive::Load;
  auto operation = create(product);
  ASSERT_TRUE(operation);
  auto toBits = [](float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return static_cast<uint16_t>(bits >> 16);
  };
  std::vector<uint16_t> a(8, toBits(1)), b(64), c(32, toBits(-1));
  for (int n = 0; n < 16; ++n) {
    b[n] = toBits(1);
    b[16 + n] = toBits(1.0f / 512);
    b[32 + n] = toBits(0);
    b[48 + n] = toBits(1.0f / 1024);
  }
  const void *inputs[] = {a.data(), b.data()};
  (*operation)(inputs, c.data());
  for (uint16_t bits : c)
    EXPECT_EQ(bits, toBits(3.0f / 1024));
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

TEST(TensorOperation, SharedLoopsGiveTheSame) {
  for (int threads : {0, 1, 2, 3}) {
    OperationDescription description = makeProduct(128, 96, 64);
    description.execTypes = {Seq, Seq, Seq};
    description.optimize = true;
    description.threads = threads;
    auto operation = create(description);
    ASSERT_TRUE(operation);
    bool isParallel =
        operation->getSchedule().find(" parallel ") != std::string::npos;
    if (threads != 0)
      EXPECT_EQ(isParallel, threads > 1) << operation->getSchedule();
    auto a = makeValues(128 * 64), b = makeValues(64 * 96, -2);
    EXPECT_EQ(
        run(*operation, {a.data(), b.data()}, std::vector<float>(128 * 96)),
        multiply(a, b, 128, 96, 64));
  }
}

/// Several threads ask for one operation: all get the same.
TEST(TensorOperation, ThreadsCompileOnce) {
  constexpr int numThreads = 4;
  std::vector<TensorOperation::Pointer> operations(numThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < numThreads; ++i)
    threads.emplace_back([&, i] {
      std::string message;
      operations[i] = TensorOperation::create(makeProduct(7, 33, 9), message);
    });
  for (std::thread &thread : threads)
    thread.join();
  ASSERT_TRUE(operations[0]);
  for (int i = 1; i < numThreads; ++i)
    EXPECT_EQ(operations[i], operations[0]);
}

} // namespace
