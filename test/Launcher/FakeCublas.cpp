//===- FakeCublas.cpp - In the place of cuBLAS ----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multiplies as cublasGemmEx says.
//
//===----------------------------------------------------------------------===//

#include "Fake.h"

#include <cstdio>

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
  if (fake::mustFail("cublasGemmEx"))
    return 13;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum +=
            fake::toFloat(transposeA ? a[l + i * strideA]
                                     : a[i + l * strideA]) *
            fake::toFloat(transposeB ? b[j + l * strideB] : b[l + j * strideB]);
      c[i + j * strideC] = _Float16(sum);
    }
  fake::spoil("cublasGemmEx", c[0]);
  return 0;
}
}
