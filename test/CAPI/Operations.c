/*===- Operations.c - Operations of all kinds and types by C --------------===*\
|*                                                                            *|
|* Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Each case in each type, as it is and optimized, against Reference.h. What  *|
|* lies in gaps between the elements of the output has to stay.               *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "Check.h"

#define INTS(...)                                                              \
  {(const int64_t[]){__VA_ARGS__},                                             \
   sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)}
#define C TILEIR_DIM_C
#define M TILEIR_DIM_M
#define N TILEIR_DIM_N
#define K TILEIR_DIM_K
#define SEQ TILEIR_SEQ
#define SHARED TILEIR_SHARED
#define PRIM TILEIR_PRIM

typedef struct {
  const char *name;
  TileirOperationDescription description;
} Case;

static const Case cases[] = {
    {"gemm, dense, in one kernel",
     {.main = TILEIR_GEMM,
      .first_touch = TILEIR_ZERO,
      .dim_types = INTS(M, N, K),
      .exec_types = INTS(PRIM, PRIM, PRIM),
      .dim_sizes = INTS(5, 19, 13),
      .strides_in0 = INTS(13, 0, 1),
      .strides_in1 = INTS(0, 1, 19),
      .strides_out = INTS(19, 1, 0)}},
    {"gemm with gaps, added to the output",
     {.main = TILEIR_GEMM,
      .first_touch = TILEIR_NONE,
      .dim_types = INTS(M, N, K),
      .exec_types = INTS(PRIM, PRIM, PRIM),
      .dim_sizes = INTS(6, 33, 7),
      .strides_in0 = INTS(10, 0, 1),
      .strides_in1 = INTS(0, 1, 40),
      .strides_out = INTS(37, 1, 0)}},
    {"gemm by columns, loaded, relu",
     {.main = TILEIR_GEMM,
      .first_touch = TILEIR_LOAD,
      .last_touch = TILEIR_RELU,
      .dim_types = INTS(N, M, K),
      .exec_types = INTS(PRIM, PRIM, PRIM),
      .dim_sizes = INTS(4, 17, 9),
      .strides_in0 = INTS(0, 1, 20),
      .strides_in1 = INTS(11, 0, 1),
      .strides_out = INTS(18, 1, 0)}},
    {"gemm with a bias of columns and relu, rows in a loop",
     {.main = TILEIR_GEMM,
      .first_touch = TILEIR_BIAS,
      .last_touch = TILEIR_RELU,
      .dim_types = INTS(M, M, N, K),
      .exec_types = INTS(SEQ, PRIM, PRIM, PRIM),
      .dim_sizes = INTS(3, 4, 16, 8),
      .strides_in0 = INTS(32, 8, 0, 1),
      .strides_in1 = INTS(0, 0, 1, 16),
      .strides_out = INTS(64, 16, 1, 0),
      .strides_bias = INTS(0, 0, 2, 0)}},
    {"gemm with a bias of rows",
     {.main = TILEIR_GEMM,
      .first_touch = TILEIR_BIAS,
      .dim_types = INTS(M, N, K),
      .exec_types = INTS(PRIM, PRIM, PRIM),
      .dim_sizes = INTS(3, 20, 8),
      .strides_in0 = INTS(8, 0, 1),
      .strides_in1 = INTS(0, 1, 20),
      .strides_out = INTS(20, 1, 0),
      .strides_bias = INTS(1, 0, 0)}},
    {"gemm with a transposed bias with gaps",
     {.main = TILEIR_GEMM,
      .first_touch = TILEIR_BIAS,
      .dim_types = INTS(M, N, K),
      .exec_types = INTS(PRIM, PRIM, PRIM),
      .dim_sizes = INTS(3, 20, 8),
      .strides_in0 = INTS(8, 0, 1),
      .strides_in1 = INTS(0, 1, 20),
      .strides_out = INTS(20, 1, 0),
      .strides_bias = INTS(1, 4, 0)}},
    {"gemm with one bias for all",
     {.main = TILEIR_GEMM,
      .first_touch = TILEIR_BIAS,
      .dim_types = INTS(M, N, K),
      .exec_types = INTS(PRIM, PRIM, PRIM),
      .dim_sizes = INTS(3, 20, 8),
      .strides_in0 = INTS(8, 0, 1),
      .strides_in1 = INTS(0, 1, 20),
      .strides_out = INTS(20, 1, 0),
      .strides_bias = INTS(0, 0, 0)}},
    {"gemm of one row",
     {.main = TILEIR_GEMM,
      .first_touch = TILEIR_ZERO,
      .dim_types = INTS(M, N, K),
      .exec_types = INTS(PRIM, PRIM, PRIM),
      .dim_sizes = INTS(1, 21, 12),
      .strides_in0 = INTS(0, 0, 1),
      .strides_in1 = INTS(0, 1, 21),
      .strides_out = INTS(0, 1, 0)}},
    {"product of a matrix and a vector",
     {.main = TILEIR_GEMM,
      .first_touch = TILEIR_ZERO,
      .dim_types = INTS(M, K),
      .exec_types = INTS(PRIM, PRIM),
      .dim_sizes = INTS(23, 14),
      .strides_in0 = INTS(14, 1),
      .strides_in1 = INTS(0, 1),
      .strides_out = INTS(1, 0)}},
    {"batched gemm, shared by threads",
     {.main = TILEIR_GEMM,
      .first_touch = TILEIR_ZERO,
      .last_touch = TILEIR_RELU,
      .dim_types = INTS(C, M, N, K),
      .exec_types = INTS(SHARED, PRIM, PRIM, PRIM),
      .dim_sizes = INTS(9, 8, 16, 8),
      .strides_in0 = INTS(64, 8, 0, 1),
      .strides_in1 = INTS(128, 0, 1, 16),
      .strides_out = INTS(128, 16, 1, 0),
      .threads = 2}},
    {"brgemm",
     {.main = TILEIR_BRGEMM,
      .first_touch = TILEIR_NONE,
      .last_touch = TILEIR_RELU,
      .dim_types = INTS(M, N, K, M, N, K),
      .exec_types = INTS(SEQ, SEQ, PRIM, PRIM, PRIM, PRIM),
      .dim_sizes = INTS(2, 3, 3, 4, 8, 4),
      .strides_in0 = INTS(48, 0, 16, 1, 0, 4),
      .strides_in1 = INTS(0, 96, 32, 0, 4, 1),
      .strides_out = INTS(96, 32, 0, 1, 4, 0)}},
    {"products of all pairs",
     {.main = TILEIR_MUL,
      .dim_types = INTS(M, N),
      .exec_types = INTS(PRIM, PRIM),
      .dim_sizes = INTS(7, 18),
      .strides_in0 = INTS(2, 0),
      .strides_in1 = INTS(0, 1),
      .strides_out = INTS(18, 1)}},
    {"copy",
     {.main = TILEIR_COPY,
      .dim_types = INTS(C, C),
      .exec_types = INTS(PRIM, PRIM),
      .dim_sizes = INTS(6, 35),
      .strides_in0 = INTS(35, 1),
      .strides_out = INTS(35, 1)}},
    {"permutation of the seed",
     {.main = TILEIR_COPY,
      .dim_types = INTS(C, C, C, C),
      .exec_types = INTS(SEQ, SEQ, PRIM, PRIM),
      .dim_sizes = INTS(3, 4, 7, 3),
      .strides_in0 = INTS(84, 21, 3, 1),
      .strides_out = INTS(84, 3, 12, 1)}},
    {"transposition with gaps and relu",
     {.main = TILEIR_COPY,
      .first_touch = TILEIR_ZERO,
      .last_touch = TILEIR_RELU,
      .dim_types = INTS(M, N),
      .exec_types = INTS(PRIM, PRIM),
      .dim_sizes = INTS(18, 21),
      .strides_in0 = INTS(1, 20),
      .strides_out = INTS(22, 1)}},
    {"copy of every other element",
     {.main = TILEIR_COPY,
      .dim_types = INTS(C),
      .exec_types = INTS(PRIM),
      .dim_sizes = INTS(37),
      .strides_in0 = INTS(2),
      .strides_out = INTS(3)}},
    {"copy of rows into the gaps of others",
     {.main = TILEIR_COPY,
      .dim_types = INTS(C, C),
      .exec_types = INTS(PRIM, PRIM),
      .dim_sizes = INTS(4, 3),
      .strides_in0 = INTS(3, 1),
      .strides_out = INTS(5, 2)}},
    {"add",
     {.main = TILEIR_ADD,
      .dim_types = INTS(M, N),
      .exec_types = INTS(PRIM, PRIM),
      .dim_sizes = INTS(9, 20),
      .strides_in0 = INTS(20, 1),
      .strides_in1 = INTS(20, 1),
      .strides_out = INTS(20, 1)}},
    {"sub of a transposed operand, relu",
     {.main = TILEIR_SUB,
      .last_touch = TILEIR_RELU,
      .dim_types = INTS(C, M, N),
      .exec_types = INTS(SEQ, PRIM, PRIM),
      .dim_sizes = INTS(2, 9, 20),
      .strides_in0 = INTS(180, 20, 1),
      .strides_in1 = INTS(180, 1, 9),
      .strides_out = INTS(200, 22, 1)}},
    {"sub of rows",
     {.main = TILEIR_SUB,
      .dim_types = INTS(M, N),
      .exec_types = INTS(PRIM, PRIM),
      .dim_sizes = INTS(9, 20),
      .strides_in0 = INTS(20, 1),
      .strides_in1 = INTS(3, 0),
      .strides_out = INTS(20, 1)}},
    {"sub from columns",
     {.main = TILEIR_SUB,
      .dim_types = INTS(M, N),
      .exec_types = INTS(PRIM, PRIM),
      .dim_sizes = INTS(9, 20),
      .strides_in0 = INTS(0, 1),
      .strides_in1 = INTS(1, 9),
      .strides_out = INTS(20, 1)}},
    {"mul",
     {.main = TILEIR_MUL,
      .dim_types = INTS(C, C),
      .exec_types = INTS(PRIM, PRIM),
      .dim_sizes = INTS(9, 20),
      .strides_in0 = INTS(20, 1),
      .strides_in1 = INTS(1, 9),
      .strides_out = INTS(20, 1)}},
    {"div",
     {.main = TILEIR_DIV,
      .dim_types = INTS(M, N),
      .exec_types = INTS(PRIM, PRIM),
      .dim_sizes = INTS(9, 20),
      .strides_in0 = INTS(20, 1),
      .strides_in1 = INTS(20, 1),
      .strides_out = INTS(20, 1)}},
    {"min",
     {.main = TILEIR_MIN,
      .dim_types = INTS(M, N),
      .exec_types = INTS(PRIM, PRIM),
      .dim_sizes = INTS(9, 20),
      .strides_in0 = INTS(20, 1),
      .strides_in1 = INTS(20, 1),
      .strides_out = INTS(20, 1)}},
    {"max, shared by threads",
     {.main = TILEIR_MAX,
      .dim_types = INTS(M, M, N),
      .exec_types = INTS(SHARED, PRIM, PRIM),
      .dim_sizes = INTS(5, 9, 20),
      .strides_in0 = INTS(180, 20, 1),
      .strides_in1 = INTS(0, 20, 1),
      .strides_out = INTS(180, 20, 1)}},
    /* Parts of sums are kept in the output, so the types are wide. */
    {"gemm with a sum in loops",
     {.main = TILEIR_GEMM,
      .first_touch = TILEIR_ZERO,
      .last_touch = TILEIR_RELU,
      .dim_types = INTS(K, M, K, N, K),
      .exec_types = INTS(SEQ, SEQ, SEQ, PRIM, PRIM),
      .dim_sizes = INTS(2, 5, 3, 16, 4),
      .strides_in0 = INTS(12, 24, 4, 0, 1),
      .strides_in1 = INTS(192, 0, 64, 1, 16),
      .strides_out = INTS(0, 16, 0, 1, 0)}},
};

/** Whether a case is valid in a type. */
static int isValid(const Case *test, TileirType type) {
  const TileirOperationDescription *d = &test->description;
  if (d->main == TILEIR_DIV)
    return type != TILEIR_I32 && type != TILEIR_I8;
  if (type == TILEIR_F32 || type == TILEIR_F64 || type == TILEIR_I32)
    return 1;
  for (size_t i = 0; i < d->dim_types.size; ++i)
    if (d->dim_types.data[i] == K && d->exec_types.data[i] != PRIM)
      return 0;
  return 1;
}

int main(void) {
  int failures = 0, count = 0;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    for (TileirType type = TILEIR_F32; type <= TILEIR_I8; ++type)
      for (int optimize = 0; optimize < 2; ++optimize)
        if (isValid(&cases[i], type)) {
          TileirOperationDescription d = cases[i].description;
          d.type = type;
          d.optimize = optimize;
          failures += checkOperation(cases[i].name, &d);
          ++count;
        }
  printf("%d of %d failed\n", failures, count);
  return failures != 0 || count < 290;
}
