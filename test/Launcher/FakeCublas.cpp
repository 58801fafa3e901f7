//===- FakeCublas.cpp - In the place of cuBLAS ----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multiplies as cublasGemmEx says, on "device" memory of FakeCuda.cpp, which is
// of the host. That runs no kernels: what follows a right result, and what a
// wrong one, a test sees by TILEIR_FAKE_CUBLAS:
//   copy    the product is put also where the last kernel should have left its
//   kernel  the same, but one element is wrong there
//   cublas  the same, but one element of the product is wrong
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

namespace {

int numHandles = 0;

struct AtExit {
  ~AtExit() { std::fprintf(stderr, "at exit: %d cuBLAS\n", numHandles); }
} atExit;

} // namespace

extern "C" {

int cublasCreate_v2(void **handle) {
  *handle = &numHandles;
  ++numHandles;
  return 0;
}

int cublasDestroy_v2(void *) {
  --numHandles;
  return 0;
}

int cublasGetVersion_v2(void *, int *version) {
  *version = 120000;
  return 0;
}

/// Matrices are stored by columns. 15: not supported.
int cublasGemmEx(void *handle, int transposeA, int transposeB, int m, int n,
                 int k, const float *alpha, const _Float16 *a, int typeA,
                 int strideA, const _Float16 *b, int typeB, int strideB,
                 const float *beta, _Float16 *c, int typeC, int strideC,
                 int compute, int algorithm) {
  if (handle != &numHandles || typeA != 2 || typeB != 2 || typeC != 2 ||
      compute != 68 || algorithm != -1 || *alpha != 1 || *beta != 0)
    return 15;
  if (strideA < (transposeA ? k : m) || strideB < (transposeB ? n : k) ||
      strideC < m)
    return 7;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += float(transposeA ? a[l + i * strideA] : a[i + l * strideA]) *
               float(transposeB ? b[j + l * strideB] : b[l + j * strideB]);
      c[i + j * strideC] = _Float16(sum);
    }
  const char *given = std::getenv("TILEIR_FAKE_CUBLAS");
  std::string mode = given ? given : "";
  if (mode.empty())
    return 0;
  if (mode == "cublas")
    c[0] += _Float16(0.25);
  auto *buffer = static_cast<uint64_t *>(
      dlsym(dlopen("libcuda.so.1", RTLD_NOW), "tileirFakeLastBuffer"));
  auto *result = reinterpret_cast<_Float16 *>(*buffer);
  std::memcpy(result, c, 2 * size_t(m) * size_t(n));
  if (mode == "kernel")
    result[m * n - 1] += _Float16(0.25);
  return 0;
}
}
