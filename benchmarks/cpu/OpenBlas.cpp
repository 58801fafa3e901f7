//===- OpenBlas.cpp - Products of OpenBLAS --------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Row-major products by cblas. It has no batched ones: these are a loop, and so
// are sums of products.
//
//===----------------------------------------------------------------------===//

#include "Baseline.h"

#include <dlfcn.h>

using namespace tileir::bench;

namespace {
constexpr int kRowMajor = 101, kNoTranspose = 111;

template <typename T>
using Product = void (*)(int order, int transposeA, int transposeB, int m,
                         int n, int k, T alpha, const T *a, int lda, const T *b,
                         int ldb, T beta, T *c, int ldc);

void *openLibrary() {
  static void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  return library;
}

template <typename T> Run makeProducts(const Problem &problem, void *function) {
  auto product = reinterpret_cast<Product<T>>(function);
  std::vector<int64_t> sizes = problem.getInts("sizes");
  int m = int(sizes[0]), n = int(sizes[1]), k = int(sizes[2]);
  int64_t batch = sizes.size() > 3 ? sizes[3] : 1;
  bool isSum = problem.get("kind") == "brgemm";
  const T *a = problem.getInput<T>(0), *b = problem.getInput<T>(1);
  T *c = static_cast<T *>(problem.output);
  if (batch == 1)
    return repeat([=] {
      product(kRowMajor, kNoTranspose, kNoTranspose, m, n, k, 1, a, k, b, n, 0,
              c, n);
    });
  return repeat([=] {
    for (int64_t i = 0; i < batch; ++i)
      product(kRowMajor, kNoTranspose, kNoTranspose, m, n, k, 1, a + i * m * k,
              k, b + i * k * n, n, isSum && i ? 1 : 0,
              isSum ? c : c + i * m * n, n);
  });
}
} // namespace

bool tileir::bench::makeOpenBlas(const Problem &problem, Run &run,
                                 std::string &text) {
  std::string kind = problem.get("kind"), type = problem.get("type");
  if ((kind != "gemm" && kind != "brgemm") || (type != "f32" && type != "f64"))
    return text = "no such operation", false;
  if (!openLibrary())
    return text = "libopenblas.so.0 is not there", false;
  void *function =
      dlsym(openLibrary(), type == "f32" ? "cblas_sgemm" : "cblas_dgemm");
  if (!function)
    return text = "libopenblas.so.0 has no cblas", false;
  run = type == "f32" ? makeProducts<float>(problem, function)
                      : makeProducts<double>(problem, function);
  auto getConfig = reinterpret_cast<const char *(*)()>(
      dlsym(openLibrary(), "openblas_get_config"));
  text = getConfig ? getConfig() : "";
  return true;
}
