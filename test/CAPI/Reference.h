/*===- Reference.h - What an operation means ----------------------*- C -*-===*\
|*                                                                            *|
|* Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Goes through all points of the loops of a description and computes in      *|
|* double, in which the small integers of the tests are exact. Shares no code *|
|* with what it is compared with.                                             *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TILEIR_TEST_CAPI_REFERENCE_H
#define TILEIR_TEST_CAPI_REFERENCE_H

#include "tileir-c/TensorOperation.h"

#include <stdlib.h>
#include <string.h>

/** Elements that an operand with `strides` reaches. */
static size_t referenceExtent(TileirInts sizes, TileirInts strides) {
  size_t extent = 1;
  for (size_t i = 0; i < strides.size; ++i)
    extent += (size_t)((sizes.data[i] - 1) * strides.data[i]);
  return extent;
}

static double referenceCombine(TileirPrimitive main, double a, double b) {
  switch (main) {
  case TILEIR_COPY:
    return a;
  case TILEIR_ADD:
    return a + b;
  case TILEIR_SUB:
    return a - b;
  case TILEIR_DIV:
    return a / b;
  case TILEIR_MIN:
    return a < b ? a : b;
  case TILEIR_MAX:
    return a > b ? a : b;
  default:
    return a * b;
  }
}

/** Calls that visit each point of the loops: `pass` 0 sets the output, 1 adds
 *  up or combines, 2 ends. Elements that no point reaches stay. */
static void referenceVisit(const TileirOperationDescription *d, int pass,
                           const double *in0, const double *in1,
                           const double *bias, double *out) {
  size_t dims = d->dim_sizes.size;
  int64_t index[64] = {0};
  int sums = d->main == TILEIR_GEMM || d->main == TILEIR_BRGEMM;
  for (;;) {
    size_t a = 0, b = 0, o = 0, c = 0;
    for (size_t i = 0; i < dims; ++i) {
      a += (size_t)(index[i] * d->strides_in0.data[i]);
      o += (size_t)(index[i] * d->strides_out.data[i]);
      if (d->strides_in1.size)
        b += (size_t)(index[i] * d->strides_in1.data[i]);
      if (d->strides_bias.size)
        c += (size_t)(index[i] * d->strides_bias.data[i]);
    }
    if (pass == 0) {
      if (!sums || d->first_touch == TILEIR_ZERO)
        out[o] = 0;
      else if (d->first_touch == TILEIR_BIAS)
        out[o] = bias[c];
    } else if (pass == 1) {
      double value = referenceCombine(d->main, in0[a], in1 ? in1[b] : 0);
      out[o] = sums ? out[o] + value : value;
    } else if (d->last_touch == TILEIR_RELU && out[o] < 0) {
      out[o] = 0;
    }
    size_t i = dims;
    while (i > 0 && ++index[i - 1] == d->dim_sizes.data[i - 1])
      index[--i] = 0;
    if (i == 0)
      return;
  }
}

static void referenceRun(const TileirOperationDescription *d, const double *in0,
                         const double *in1, const double *bias, double *out) {
  for (int pass = 0; pass < 3; ++pass)
    referenceVisit(d, pass, in0, in1, bias, out);
}

#endif /* TILEIR_TEST_CAPI_REFERENCE_H */
