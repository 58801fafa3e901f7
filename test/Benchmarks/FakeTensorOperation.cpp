//===- FakeTensorOperation.cpp - Products by plain loops ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What benchmarks/cpu needs of the C interface, for "mk, kn -> mn" of f32. The
// environment's TILEIR_FAKE makes it "wrong" in the last element, "refuse" an
// operation or "crash".
//
//===----------------------------------------------------------------------===//

#include "tileir-c/TensorOperation.h"

#include <cstdlib>
#include <cstring>

struct TileirOperation {
  int64_t m, n, k;
};

static bool is(const char *mode) {
  const char *found = std::getenv("TILEIR_FAKE");
  return found && std::strcmp(found, mode) == 0;
}

TileirOperation *tileirCreateOperation(const TileirOperationDescription *,
                                       char **message) {
  *message = strdup("expected a specification, found loops");
  return nullptr;
}

TileirOperation *
tileirCreateEinsumWithOptions(const TileirEinsumDescription *description,
                              const TileirEinsumOptions *, char **message) {
  if (is("crash"))
    std::abort();
  if (is("refuse") || std::strcmp(description->spec, "mk, kn -> mn") != 0) {
    *message = strdup("expected another specification");
    return nullptr;
  }
  const int64_t *a = description->shapes[0].data,
                *b = description->shapes[1].data;
  return new TileirOperation{a[0], b[1], a[1]};
}

void tileirFreeMessage(char *message) { std::free(message); }
void tileirDestroyOperation(TileirOperation *operation) { delete operation; }
size_t tileirGetNumInputs(const TileirOperation *) { return 2; }
double tileirGetCompileSeconds(const TileirOperation *) { return 0.5; }
const char *tileirGetSchedule(const TileirOperation *) { return "plain loops"; }

void tileirRun(const TileirOperation *operation, const void *const *inputs,
               void *output) {
  auto [m, n, k] = *operation;
  auto *a = static_cast<const float *>(inputs[0]),
       *b = static_cast<const float *>(inputs[1]);
  auto *c = static_cast<float *>(output);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += a[i * k + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
  if (is("wrong"))
    c[m * n - 1] += 1;
}
