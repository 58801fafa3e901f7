//===- Xsmm.cpp - Products of libxsmm -------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Its kernels are column-major: a row-major product is that of the operands
// exchanged. Batches and blocks are loops over a kernel, sums of products its
// batch-reduce kernels with strides. "way other" asks for the second way there
// is: batch-reduce in place of single products.
//
//===----------------------------------------------------------------------===//

#include "../Baseline.h"

#include <libxsmm.h>

using namespace tileir::bench;

namespace {
template <typename T> struct Kernels;

template <> struct Kernels<float> {
  static constexpr auto get = libxsmm_smmdispatch;
  static constexpr auto getReduce = libxsmm_smmdispatch_reducebatch_strd;
};
template <> struct Kernels<double> {
  static constexpr auto get = libxsmm_dmmdispatch;
  static constexpr auto getReduce = libxsmm_dmmdispatch_reducebatch_strd;
};

template <typename T> bool makeProducts(const Problem &problem, Run &run) {
  std::vector<int64_t> sizes = problem.getInts("sizes");
  // Named as the kernel sees them.
  int n = int(sizes[0]), m = int(sizes[1]), k = int(sizes[2]);
  int64_t batch = sizes.size() > 3 ? sizes[3] : 1;
  const T *a = problem.getInput<T>(1), *b = problem.getInput<T>(0);
  T *c = static_cast<T *>(problem.output);
  T one = 1, zero = 0;
  int64_t strideA = int64_t(k) * m, strideB = int64_t(n) * k,
          strideC = int64_t(n) * m;
  if (problem.get("kind") == "brgemm") {
    auto kernel =
        Kernels<T>::getReduce(m, n, k, libxsmm_blasint(strideA * sizeof(T)),
                              libxsmm_blasint(strideB * sizeof(T)), &m, &k, &m,
                              &one, &zero, nullptr, nullptr);
    unsigned long long count = batch;
    if (kernel)
      run = repeat([=] { kernel(a, b, c, &count); });
    return kernel;
  }
  auto kernel =
      Kernels<T>::get(m, n, k, &m, &k, &m, &one, &zero, nullptr, nullptr);
  if (kernel)
    run = repeat([=] {
      for (int64_t i = 0; i < batch; ++i)
        kernel(a + i * strideA, b + i * strideB, c + i * strideC);
    });
  return kernel;
}

/// The contraction of seed 004: 32 x 32 blocks, each a sum of 8 products of
/// 32^3. "first zero" overwrites and "last relu" ends with the maximum with 0,
/// for each block while it is in the cache.
bool makeBlocks(const Problem &problem, Run &run) {
  constexpr int64_t kOuter = 32, kSummed = 8, kBlock = 32 * 32;
  int size = 32;
  float one = 1, beta = problem.get("first") == "zero" ? 0 : 1;
  bool isRelu = problem.get("last") == "relu";
  const float *a = problem.getInput<float>(0), *b = problem.getInput<float>(1);
  float *c = static_cast<float *>(problem.output);
  auto reduce = libxsmm_smmdispatch_reducebatch_strd(
      size, size, size, kBlock * sizeof(float), kBlock * sizeof(float), &size,
      &size, &size, &one, &beta, nullptr, nullptr);
  auto add = libxsmm_smmdispatch(size, size, size, &size, &size, &size, &one,
                                 &one, nullptr, nullptr);
  bool isReduce =
      (problem.get("main") == "brgemm") != (problem.get("way") == "other");
  if (!reduce || !add || (!isReduce && beta == 0))
    return false;
  run = repeat([=] {
    unsigned long long count = kSummed;
    for (int64_t i = 0; i < kOuter; ++i)
      for (int64_t j = 0; j < kOuter; ++j) {
        const float *blockA = a + i * kSummed * kBlock,
                    *blockB = b + j * kSummed * kBlock;
        float *block = c + (i * kOuter + j) * kBlock;
        if (isReduce)
          reduce(blockA, blockB, block, &count);
        for (int64_t l = 0; l < kSummed && !isReduce; ++l)
          add(blockA + l * kBlock, blockB + l * kBlock, block);
        for (int64_t l = 0; l < kBlock && isRelu; ++l)
          block[l] = block[l] > 0 ? block[l] : 0;
      }
  });
  return true;
}
} // namespace

extern "C" bool tileirBenchMake(const Problem &problem, Run &run,
                                std::string &text) {
  std::string kind = problem.get("kind"), type = problem.get("type");
  bool isProduct = kind == "gemm" || kind == "brgemm";
  bool isMade = false;
  if (kind == "blocks" && type == "f32")
    isMade = makeBlocks(problem, run);
  else if (isProduct && type == "f32")
    isMade = makeProducts<float>(problem, run);
  else if (isProduct && type == "f64")
    isMade = makeProducts<double>(problem, run);
  text = isMade ? "libxsmm " LIBXSMM_VERSION : "no such kernel";
  return isMade;
}
