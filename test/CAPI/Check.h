/*===- Check.h - Operations against the reference -----------------*- C -*-===*\
|*                                                                            *|
|* Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Runs an operation of any type on small integers and compares it with       *|
|* Reference.h. What lies in gaps between the elements of the output has to   *|
|* stay.                                                                      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TILEIR_TEST_CAPI_CHECK_H
#define TILEIR_TEST_CAPI_CHECK_H

#include "Reference.h"

#include <stdio.h>

static const char *const typeNames[] = {"f32",  "f64", "f16",
                                        "bf16", "i32", "i8"};
static const size_t typeSizes[] = {4, 8, 2, 2, 4, 1};

static void setElement(TileirType type, void *data, size_t i, double value) {
  switch (type) {
  case TILEIR_F32:
    ((float *)data)[i] = (float)value;
    break;
  case TILEIR_F64:
    ((double *)data)[i] = value;
    break;
  case TILEIR_F16:
    ((_Float16 *)data)[i] = (_Float16)value;
    break;
  case TILEIR_BF16: {
    /* The values of the tests have few bits: the rest is 0. */
    float wide = (float)value;
    uint32_t bits;
    memcpy(&bits, &wide, sizeof(bits));
    ((uint16_t *)data)[i] = (uint16_t)(bits >> 16);
    break;
  }
  case TILEIR_I32:
    ((int32_t *)data)[i] = (int32_t)value;
    break;
  default:
    ((int8_t *)data)[i] = (int8_t)value;
    break;
  }
}

static double getElement(TileirType type, const void *data, size_t i) {
  switch (type) {
  case TILEIR_F32:
    return ((const float *)data)[i];
  case TILEIR_F64:
    return ((const double *)data)[i];
  case TILEIR_F16:
    return ((const _Float16 *)data)[i];
  case TILEIR_BF16: {
    uint32_t bits = (uint32_t)((const uint16_t *)data)[i] << 16;
    float wide;
    memcpy(&wide, &bits, sizeof(wide));
    return wide;
  }
  case TILEIR_I32:
    return ((const int32_t *)data)[i];
  default:
    return ((const int8_t *)data)[i];
  }
}

/** Elements as `type` and as the reference has them. */
typedef struct {
  void *typed;
  double *exact;
} Tensor;

static Tensor makeTensor(TileirType type, size_t elements, unsigned salt,
                         int isDivisor) {
  Tensor tensor = {malloc(elements * typeSizes[type]),
                   malloc(elements * sizeof(double))};
  for (size_t i = 0; i < elements; ++i) {
    unsigned hash = (unsigned)i * 2654435761u + salt * 40503u;
    unsigned number = (hash >> 15) % 7;
    /* What a quotient is divided by is a power of two. */
    tensor.exact[i] = isDivisor ? 1 << number % 3 : (double)number - 3;
    setElement(type, tensor.typed, i, tensor.exact[i]);
  }
  return tensor;
}

static void freeTensor(Tensor tensor) {
  free(tensor.typed);
  free(tensor.exact);
}

/** Compiles and runs an operation, and compares each element. Returns whether
 *  anything is wrong, and says what. */
static inline int
checkOperation(const char *name,
               const TileirOperationDescription *description) {
  const TileirOperationDescription d = *description;
  const TileirType type = d.type;
  char *message = NULL;
  TileirOperation *operation = tileirCreateOperation(&d, &message);
  if (!operation) {
    printf("%s, %s: %s\n", name, typeNames[type], message);
    tileirFreeMessage(message);
    return 1;
  }
  size_t elements = referenceExtent(d.dim_sizes, d.strides_out);
  Tensor in0 =
      makeTensor(type, referenceExtent(d.dim_sizes, d.strides_in0), 1, 0);
  Tensor in1 = makeTensor(type, referenceExtent(d.dim_sizes, d.strides_in1), 2,
                          d.main == TILEIR_DIV);
  Tensor bias =
      makeTensor(type, referenceExtent(d.dim_sizes, d.strides_bias), 3, 0);
  Tensor out = makeTensor(type, elements, 4, 0);
  referenceRun(&d, in0.exact, d.strides_in1.size ? in1.exact : NULL, bias.exact,
               out.exact);
  const void *inputs[3];
  size_t numInputs = 0;
  inputs[numInputs++] = in0.typed;
  if (d.main != TILEIR_COPY)
    inputs[numInputs++] = in1.typed;
  if (d.first_touch == TILEIR_BIAS)
    inputs[numInputs++] = bias.typed;
  int failed = tileirGetNumInputs(operation) != numInputs;
  if (failed)
    printf("%s, %s: expected %zu inputs, found %zu\n", name, typeNames[type],
           numInputs, tileirGetNumInputs(operation));
  else
    tileirRun(operation, inputs, out.typed);
  for (size_t i = 0; i < elements && !failed; ++i) {
    double found = getElement(type, out.typed, i);
    if (!(found == out.exact[i])) {
      printf("%s, %s%s: expected element %zu to be %g, found %g\n", name,
             typeNames[type], d.optimize ? ", optimized" : "", i, out.exact[i],
             found);
      failed = 1;
    }
  }
  tileirDestroyOperation(operation);
  freeTensor(in0);
  freeTensor(in1);
  freeTensor(bias);
  freeTensor(out);
  return failed;
}

#endif /* TILEIR_TEST_CAPI_CHECK_H */
