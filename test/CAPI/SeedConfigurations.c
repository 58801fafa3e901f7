/*===- SeedConfigurations.c - The configurations of the seed by C ---------===*\
|*                                                                            *|
|* Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The three configurations with which the tensor operation backend of        *|
|* mini_jit was measured, through the C interface, compiled as C. Numbers are *|
|* small integers, whose sums are exact, compared with plain loops over       *|
|* matrices of 32x32.                                                         *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "tileir-c/TensorOperation.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 32, DEPTH = 8, BLOCK = SIZE * SIZE };

/** An integer from -3 to 3. */
static float valueAt(size_t i, unsigned salt) {
  unsigned hash = (unsigned)i * 2654435761u + salt * 40503u;
  return (float)((hash >> 16) % 7) - 3;
}

/** out[a][b] is the sum over c of in0[a][c] * in1[b][c], all of matrices by
 *  columns; it is added to what was there unless it starts from `zero`. */
static void compute(const float *in0, const float *in1, float *out, int zero,
                    int relu) {
  for (size_t a = 0; a < SIZE; ++a)
    for (size_t b = 0; b < SIZE; ++b) {
      float *block = out + (a * SIZE + b) * BLOCK;
      for (size_t i = 0; zero && i < BLOCK; ++i)
        block[i] = 0;
      for (size_t c = 0; c < DEPTH; ++c) {
        const float *left = in0 + (a * DEPTH + c) * BLOCK;
        const float *right = in1 + (b * DEPTH + c) * BLOCK;
        for (size_t n = 0; n < SIZE; ++n)
          for (size_t k = 0; k < SIZE; ++k)
            for (size_t m = 0; m < SIZE; ++m)
              block[m + SIZE * n] += left[m + SIZE * k] * right[k + SIZE * n];
      }
      for (size_t i = 0; relu && i < BLOCK; ++i)
        if (block[i] < 0)
          block[i] = 0;
    }
}

static int check(int number, TileirPrimitive first, TileirPrimitive main,
                 TileirPrimitive last, TileirExec third, int optimize) {
  int64_t types[] = {TILEIR_DIM_M, TILEIR_DIM_N, TILEIR_DIM_K,
                     TILEIR_DIM_M, TILEIR_DIM_N, TILEIR_DIM_K};
  int64_t execs[] = {TILEIR_SEQ,  TILEIR_SEQ,  third,
                     TILEIR_PRIM, TILEIR_PRIM, TILEIR_PRIM};
  int64_t sizes[] = {32, 32, 8, 32, 32, 32};
  int64_t in0Strides[] = {8192, 0, 1024, 1, 0, 32};
  int64_t in1Strides[] = {0, 8192, 1024, 0, 32, 1};
  int64_t outStrides[] = {32768, 1024, 0, 1, 32, 0};
  TileirOperationDescription description = {
      .type = TILEIR_F32,
      .first_touch = first,
      .main = main,
      .last_touch = last,
      .dim_types = {types, 6},
      .exec_types = {execs, 6},
      .dim_sizes = {sizes, 6},
      .strides_in0 = {in0Strides, 6},
      .strides_in1 = {in1Strides, 6},
      .strides_out = {outStrides, 6},
      .optimize = optimize,
      .threads = 1,
  };
  char *message = NULL;
  TileirOperation *operation = tileirCreateOperation(&description, &message);
  if (!operation) {
    printf("configuration %d: %s\n", number, message);
    tileirFreeMessage(message);
    return 1;
  }
  size_t inputElements = SIZE * DEPTH * BLOCK, elements = SIZE * SIZE * BLOCK;
  float *in0 = malloc(inputElements * sizeof(float));
  float *in1 = malloc(inputElements * sizeof(float));
  float *out = malloc(elements * sizeof(float));
  float *expected = malloc(elements * sizeof(float));
  for (size_t i = 0; i < inputElements; ++i) {
    in0[i] = valueAt(i, 1);
    in1[i] = valueAt(i, 2);
  }
  for (size_t i = 0; i < elements; ++i)
    out[i] = expected[i] = valueAt(i, 3);
  compute(in0, in1, expected, first == TILEIR_ZERO, last == TILEIR_RELU);
  const void *inputs[] = {in0, in1};
  tileirRun(operation, inputs, out);
  size_t wrong = 0, negative = 0;
  for (size_t i = 0; i < elements; ++i) {
    if (!(out[i] == expected[i]) && wrong++ == 0)
      printf("configuration %d: expected element %zu to be %g, found %g\n",
             number, i, expected[i], out[i]);
    negative += out[i] < 0;
  }
  /* Without relu a third of the elements at least is negative. */
  if ((last == TILEIR_RELU) != (negative == 0) || wrong) {
    printf("configuration %d: %zu wrong, %zu negative\n", number, wrong,
           negative);
    wrong = 1;
  }
  if (tileirGetNumInputs(operation) != 2 ||
      !(tileirGetCompileSeconds(operation) > 0) ||
      !tileirGetSchedule(operation)[0]) {
    printf("configuration %d: wrong properties\n", number);
    wrong = 1;
  }
  printf("configuration %d%s: compiled in %.1f ms\n", number,
         optimize ? ", optimized" : "",
         tileirGetCompileSeconds(operation) * 1e3);
  tileirDestroyOperation(operation);
  free(in0);
  free(in1);
  free(out);
  free(expected);
  return wrong != 0;
}

int main(void) {
  int failures = 0;
  for (int optimize = 0; optimize < 2; ++optimize) {
    failures +=
        check(1, TILEIR_NONE, TILEIR_GEMM, TILEIR_NONE, TILEIR_SEQ, optimize);
    failures += check(2, TILEIR_NONE, TILEIR_BRGEMM, TILEIR_NONE, TILEIR_PRIM,
                      optimize);
    failures += check(3, TILEIR_ZERO, TILEIR_BRGEMM, TILEIR_RELU, TILEIR_PRIM,
                      optimize);
  }
  return failures != 0;
}
