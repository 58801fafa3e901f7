//===- FakeCublasLt.cpp - In the place of cuBLASLt ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of f16 with the epilogues that benchmarks/gpu asks for. What is not
// as the library wants it is status 7, what it has no algorithm for 15.
//
//===----------------------------------------------------------------------===//

#include "Fake.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

int numObjects = 0;

struct AtExit {
  ~AtExit() {
    std::fprintf(stderr, "at exit: %d objects of cuBLASLt\n", numObjects);
  }
} atExit;

struct Description {
  int transposeA = 0, transposeB = 0, epilogue = 1;
  const _Float16 *bias = nullptr;
};

struct Layout {
  int64_t rows, columns, stride;
};

struct Choice {
  uint64_t algorithm[8];
  size_t workspaceBytes;
  int status;
  float numWaves;
  int reserved[4];
};

constexpr uint64_t kAlgorithm = 0x7411e;
constexpr size_t kWorkspaceBytes = 1 << 20;

template <typename T> int create(void **object, T value) {
  *object = new T(value);
  ++numObjects;
  return 0;
}

template <typename T> int destroy(void *object) {
  delete static_cast<T *>(object);
  --numObjects;
  return 0;
}

} // namespace

extern "C" {

int cublasLtCreate(void **handle) { return create(handle, 0); }
int cublasLtDestroy(void *handle) { return destroy<int>(handle); }
size_t cublasLtGetVersion() { return 120001; }

int cublasLtMatmulDescCreate(void **description, int compute, int scale) {
  return compute == 68 && scale == 0 ? create(description, Description()) : 7;
}
int cublasLtMatmulDescDestroy(void *description) {
  return destroy<Description>(description);
}
int cublasLtMatmulDescSetAttribute(Description *description, int attribute,
                                   const void *value, size_t bytes) {
  int *number = attribute == 3   ? &description->transposeA
                : attribute == 4 ? &description->transposeB
                : attribute == 7 ? &description->epilogue
                                 : nullptr;
  if (number && bytes == sizeof(*number))
    std::memcpy(number, value, bytes);
  else if (attribute == 8 && bytes == sizeof(description->bias))
    std::memcpy(&description->bias, value, bytes);
  else
    return 7;
  return 0;
}

int cublasLtMatrixLayoutCreate(void **layout, int type, uint64_t rows,
                               uint64_t columns, int64_t stride) {
  if (type != 2 || stride < int64_t(rows))
    return 7;
  return create(layout, Layout{int64_t(rows), int64_t(columns), stride});
}
int cublasLtMatrixLayoutDestroy(void *layout) {
  return destroy<Layout>(layout);
}

int cublasLtMatmulPreferenceCreate(void **preference) {
  return create(preference, size_t(0));
}
int cublasLtMatmulPreferenceDestroy(void *preference) {
  return destroy<size_t>(preference);
}
int cublasLtMatmulPreferenceSetAttribute(size_t *preference, int attribute,
                                         const void *value, size_t bytes) {
  if (attribute != 1 || bytes != sizeof(size_t))
    return 7;
  std::memcpy(preference, value, bytes);
  return 0;
}

int cublasLtMatmulAlgoGetHeuristic(void *, const Description *description,
                                   const Layout *a, const Layout *b,
                                   const Layout *c, const Layout *d,
                                   const size_t *workspaceBytes, int numWanted,
                                   Choice *choices, int *numChoices) {
  int64_t rows = description->transposeA ? a->columns : a->rows;
  int64_t depth = description->transposeA ? a->rows : a->columns;
  int64_t depthB = description->transposeB ? b->columns : b->rows;
  int64_t columns = description->transposeB ? b->rows : b->columns;
  *numChoices = 0;
  if (depth != depthB || c->rows != rows || c->columns != columns || c != d)
    return 7;
  if (fake::mustFail("cublasLtMatmulAlgoGetHeuristic") || numWanted < 1 ||
      *workspaceBytes < kWorkspaceBytes)
    return 15;
  *numChoices = 1;
  choices[0] = {{kAlgorithm}, kWorkspaceBytes, 0, 1, {}};
  return 0;
}

int cublasLtMatmul(void *, const Description *description, const float *alpha,
                   const _Float16 *a, const Layout *layoutA, const _Float16 *b,
                   const Layout *layoutB, const float *beta, const _Float16 *c,
                   const Layout *layoutC, _Float16 *d, const Layout *layoutD,
                   const uint64_t *algorithm, const void *workspace,
                   size_t workspaceBytes, void *stream) {
  if (*alpha != 1 || *algorithm != kAlgorithm || !workspace || stream ||
      workspaceBytes < kWorkspaceBytes)
    return 7;
  // Default, or bias and ReLU.
  bool isBiasRelu = description->epilogue == 6;
  if ((!isBiasRelu && description->epilogue != 1) ||
      isBiasRelu != (description->bias != nullptr))
    return 15;
  int64_t depth = description->transposeA ? layoutA->rows : layoutA->columns;
  for (int64_t i = 0; i < layoutD->rows; ++i)
    for (int64_t j = 0; j < layoutD->columns; ++j) {
      float sum = 0;
      for (int64_t l = 0; l < depth; ++l)
        sum +=
            fake::toFloat(description->transposeA
                              ? a[l + i * layoutA->stride]
                              : a[i + l * layoutA->stride]) *
            fake::toFloat(description->transposeB ? b[j + l * layoutB->stride]
                                                  : b[l + j * layoutB->stride]);
      if (*beta != 0)
        sum += *beta * float(c[i + j * layoutC->stride]);
      if (isBiasRelu)
        sum = std::max(sum + float(description->bias[i]), 0.0f);
      d[i + j * layoutD->stride] = _Float16(sum);
    }
  fake::spoil("cublasLtMatmul", d[0]);
  return 0;
}
}
