/*===- InvalidDescriptions.c - What bad descriptions get ------------------===*\
|*                                                                            *|
|* Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Each mistake on its own, in a description that is valid without it, and    *|
|* the words of the message: what was expected and what was found.            *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "tileir-c/TensorOperation.h"

#include <stdio.h>
#include <string.h>

#define LIST(...)                                                              \
  {(const int64_t[]){__VA_ARGS__},                                             \
   sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)}
#define INTS(...) ((TileirInts)LIST(__VA_ARGS__))
#define C TILEIR_DIM_C
#define M TILEIR_DIM_M
#define N TILEIR_DIM_N
#define K TILEIR_DIM_K
#define SEQ TILEIR_SEQ
#define SHARED TILEIR_SHARED
#define PRIM TILEIR_PRIM

static int failures;

/** Shapes of the operands of makeEinsum. */
static int64_t einsumSizes[] = {4, 6, 6, 5};

/** That there is no operation, and that the message has `words`. */
static void expectMessage(const char *name, TileirOperation *operation,
                          char *message, const char *words) {
  if (operation) {
    printf("%s: expected an error, found an operation\n", name);
    ++failures;
    tileirDestroyOperation(operation);
  } else if (!message || !strstr(message, words)) {
    printf("%s: expected \"%s\", found \"%s\"\n", name, words,
           message ? message : "(null)");
    ++failures;
  }
  tileirFreeMessage(message);
}

/** A product of 4x6 by 6x5, added to what the output was. */
static const TileirOperationDescription product = {
    .type = TILEIR_F32,
    .first_touch = TILEIR_NONE,
    .main = TILEIR_GEMM,
    .last_touch = TILEIR_NONE,
    .dim_types = LIST(M, N, K),
    .exec_types = LIST(PRIM, PRIM, PRIM),
    .dim_sizes = LIST(4, 5, 6),
    .strides_in0 = LIST(6, 0, 1),
    .strides_in1 = LIST(0, 1, 5),
    .strides_out = LIST(5, 1, 0),
};

/** A transposition of 4x5. */
static const TileirOperationDescription copy = {
    .type = TILEIR_F32,
    .main = TILEIR_COPY,
    .dim_types = LIST(C, C),
    .exec_types = LIST(PRIM, PRIM),
    .dim_sizes = LIST(4, 5),
    .strides_in0 = LIST(5, 1),
    .strides_out = LIST(1, 4),
};

/** A sum of 4x5. */
static const TileirOperationDescription add = {
    .type = TILEIR_F32,
    .main = TILEIR_ADD,
    .dim_types = LIST(C, C),
    .exec_types = LIST(PRIM, PRIM),
    .dim_sizes = LIST(4, 5),
    .strides_in0 = LIST(5, 1),
    .strides_in1 = LIST(5, 1),
    .strides_out = LIST(1, 4),
};

static void expectError(const char *name,
                        const TileirOperationDescription *description,
                        const char *words) {
  char *message = NULL;
  TileirOperation *operation = tileirCreateOperation(description, &message);
  expectMessage(name, operation, message, words);
}

#define EXPECT(valid, change, words)                                           \
  do {                                                                         \
    TileirOperationDescription d = valid;                                      \
    change;                                                                    \
    expectError(#change, &d, words);                                           \
  } while (0)

static void checkValues(void) {
  EXPECT(product, d.type = (TileirType)17,
         "expected type to be one of F32, F64, F16, BF16, I32, I8, found the "
         "value 17");
  EXPECT(product, d.main = (TileirPrimitive)99,
         "expected main to be one of NONE, ");
  EXPECT(product, d.main = TILEIR_RELU,
         "expected main to be one of COPY, ADD, SUB, MUL, DIV, MIN, MAX, GEMM, "
         "BRGEMM, found RELU");
  EXPECT(product, d.first_touch = TILEIR_GEMM,
         "expected first_touch to be one of NONE, ZERO, LOAD, BIAS, found "
         "GEMM");
  EXPECT(product, d.last_touch = TILEIR_ZERO,
         "expected last_touch to be one of NONE, RELU, found ZERO");
  EXPECT(product, d.last_touch = (TileirPrimitive)-1,
         "expected last_touch to be one of NONE, ");
  EXPECT(product, d.dim_types = INTS(M, 4, K),
         "expected dim_types[1] to be one of C, M, N, K, found the value 4");
  EXPECT(product, d.dim_types = INTS(M, N, K + (1ll << 32)),
         "expected dim_types[2] to be one of C, M, N, K");
  EXPECT(product, d.exec_types = INTS(PRIM, PRIM, -1),
         "expected exec_types[2] to be one of SEQ, SHARED, PRIM, found the "
         "value -1");
  EXPECT(product, d.threads = -2,
         "expected threads to be positive, or 0 for all cores, found -2");
  EXPECT(add, (d.main = TILEIR_DIV, d.type = TILEIR_I32),
         "expected a float type for DIV, found I32");
  EXPECT(add, (d.main = TILEIR_DIV, d.type = TILEIR_I8),
         "expected a float type for DIV, found I8");
}

static void checkLengths(void) {
  TileirInts none = {NULL, 0};
  int64_t many[53] = {0};
  EXPECT(product, d.exec_types = INTS(PRIM, PRIM),
         "expected exec_types to have 3 entries, as many as dim_types, found "
         "2");
  EXPECT(product, d.dim_sizes = INTS(4, 5, 6, 7),
         "expected dim_sizes to have 3 entries, as many as dim_types, found "
         "4");
  EXPECT(product, d.strides_in0 = none,
         "expected strides_in0 to have 3 entries");
  EXPECT(product, d.strides_in1 = INTS(1),
         "expected strides_in1 to have 3 entries");
  EXPECT(product, d.strides_out = INTS(5, 1),
         "expected strides_out to have 3 entries");
  EXPECT(product, d.strides_bias = INTS(0, 1, 0),
         "expected strides_bias to be empty, for first_touch is not BIAS, "
         "found 3 entries");
  EXPECT(product, d.first_touch = TILEIR_BIAS,
         "expected strides_bias to have 3 entries, as many as dim_types, "
         "found 0");
  EXPECT(copy, d.strides_in1 = INTS(0, 0),
         "expected strides_in1 to be empty, for COPY has one operand, found 2 "
         "entries");
  EXPECT(product, d.dim_types = none,
         "expected between 1 and 52 dimensions, found 0");
  EXPECT(product, (d.dim_types = (TileirInts){many, 53}),
         "expected between 1 and 52 dimensions, found 53");
}

static void checkSizes(void) {
  EXPECT(product, d.dim_sizes = INTS(4, 0, 6),
         "expected dim_sizes[1] to be positive, found 0");
  EXPECT(product, d.dim_sizes = INTS(-4, 5, 6),
         "expected dim_sizes[0] to be positive, found -4");
  EXPECT(product, d.strides_in0 = INTS(6, 0, -1),
         "expected strides_in0[2] not to be negative, found -1");
  EXPECT(product, d.strides_out = INTS(-5, 1, 0),
         "expected strides_out[0] not to be negative, found -5");
  EXPECT(product,
         (d.first_touch = TILEIR_BIAS, d.strides_bias = INTS(0, -1, 0)),
         "expected strides_bias[1] not to be negative, found -1");
  EXPECT(product, d.strides_in1 = INTS(0, 1, INT64_MAX / 2),
         "expected offsets of 64 bits, found strides_in1[2] = ");
  EXPECT(product, d.dim_sizes = INTS(INT64_MAX, 5, 6),
         "expected offsets of 64 bits, found strides_in0[0] = 6");
}

static void checkRoles(void) {
  EXPECT(product, d.strides_in1 = INTS(1, 1, 5),
         "expected dimension 0 (M, size 4) to have strides in in0 and out, and "
         "0 in in1, found strides 6, 1, 5");
  EXPECT(product, d.strides_in0 = INTS(0, 0, 1),
         "expected dimension 0 (M, size 4) to have strides in in0 and out");
  EXPECT(product, d.strides_in0 = INTS(6, 1, 1),
         "expected dimension 1 (N, size 5) to have strides in in1 and out, and "
         "0 in in0, found strides 1, 1, 1");
  EXPECT(product, d.strides_out = INTS(5, 1, 20),
         "expected dimension 2 (K, size 6) to have stride 0 in out, for it is "
         "summed, found strides 1, 5, 20");
  EXPECT(product,
         (d.strides_in0 = INTS(6, 0, 0), d.strides_in1 = INTS(0, 1, 0)),
         "expected dimension 2 (K, size 6) to have a stride in in0 or in1");
  EXPECT(product, d.strides_out = INTS(0, 1, 0),
         "expected dimension 0 (M, size 4) to have a stride in out; one that "
         "is summed is of type K");
  EXPECT(product, d.dim_types = INTS(C, N, K),
         "expected dimension 0 (C, size 4) to have strides in in0, in1 and "
         "out, found strides 6, 0, 5");
  EXPECT(copy, d.dim_types = INTS(C, K),
         "expected no dimension of type K, for COPY does not sum, found "
         "dimension 1 (K, size 5)");
  EXPECT(copy, d.strides_in0 = INTS(0, 1),
         "expected dimension 0 (C, size 4) to have a stride in in0: COPY "
         "repeats no elements");
  EXPECT(copy, d.strides_out = INTS(1, 0),
         "expected dimension 1 (C, size 5) to have a stride in out");
  EXPECT(add, (d.strides_in0 = INTS(0, 1), d.strides_in1 = INTS(0, 1)),
         "expected dimension 0 (C, size 4) to have a stride in in0 or in1");
  EXPECT(add, (d.strides_in0 = INTS(0, 1), d.strides_in1 = INTS(1, 0)),
         "expected one operand of ADD to have a stride in all dimensions, "
         "found a 0 in strides_in0 and in strides_in1");
}

static void checkOutput(void) {
  EXPECT(product, d.strides_out = INTS(4, 1, 0),
         "expected the stride of dimension 0 (M, size 4) in out to be at "
         "least 5, which dimension 1 (N, size 5) takes, found 4: elements of "
         "the output would overlap");
  EXPECT(copy, d.strides_out = INTS(1, 1), "elements of the output would");
  EXPECT(copy, d.strides_out = INTS(1, 3),
         "expected the stride of dimension 1 (C, size 5) in out to be at "
         "least 4");
}

static void checkExecution(void) {
  EXPECT(product, d.exec_types = INTS(PRIM, SEQ, PRIM),
         "expected SHARED dimensions first and PRIM ones last, found dimension "
         "0 (M, size 4), which is PRIM, before dimension 1 (N, size 5), which "
         "is SEQ");
  EXPECT(product, d.exec_types = INTS(SEQ, SHARED, PRIM),
         "which is SEQ, before dimension 1 (N, size 5), which is SHARED");
  EXPECT(product,
         (d.dim_types = INTS(K, M, N), d.exec_types = INTS(SHARED, PRIM, PRIM),
          d.dim_sizes = INTS(6, 4, 5), d.strides_in0 = INTS(1, 6, 0),
          d.strides_in1 = INTS(5, 0, 1), d.strides_out = INTS(0, 5, 1)),
         "expected dimension 0 (K, size 6) to be SEQ or PRIM, for threads "
         "cannot share a sum, found SHARED");
}

static void checkKernels(void) {
  EXPECT(product, d.exec_types = INTS(SEQ, SEQ, PRIM),
         "expected 1 or 2 PRIM dimensions that are not of type K for GEMM, "
         "found 0");
  EXPECT(product, d.exec_types = INTS(SEQ, SEQ, SEQ),
         "expected 1 or 2 PRIM dimensions that are not of type K for GEMM, "
         "found 0");
  EXPECT(product, d.main = TILEIR_BRGEMM,
         "expected 2 or more PRIM dimensions of type K for BRGEMM, found 1");
  EXPECT(product, (d.main = TILEIR_BRGEMM, d.optimize = 1),
         "expected 2 or more PRIM dimensions of type K for BRGEMM, found 1");
  EXPECT(product,
         (d.dim_types = INTS(K, M, N), d.exec_types = INTS(SEQ, PRIM, PRIM),
          d.dim_sizes = INTS(6, 4, 5), d.strides_in0 = INTS(1, 6, 0),
          d.strides_in1 = INTS(5, 0, 1), d.strides_out = INTS(0, 5, 1)),
         "expected 1 PRIM dimension of type K for GEMM, found 0");
  EXPECT(product,
         (d.dim_types = INTS(M, N, K, K),
          d.exec_types = INTS(PRIM, PRIM, PRIM, PRIM),
          d.dim_sizes = INTS(4, 5, 6, 2), d.strides_in0 = INTS(6, 0, 1, 24),
          d.strides_in1 = INTS(0, 1, 5, 30), d.strides_out = INTS(5, 1, 0, 0)),
         "expected 1 PRIM dimension of type K for GEMM, found 2: several are a "
         "BRGEMM");
  EXPECT(product,
         (d.dim_types = INTS(M, N), d.exec_types = INTS(SEQ, SEQ),
          d.dim_sizes = INTS(4, 5), d.strides_in0 = INTS(1, 0),
          d.strides_in1 = INTS(0, 1), d.strides_out = INTS(5, 1),
          d.optimize = 1),
         "expected a dimension of type K for GEMM, found none");
  EXPECT(copy,
         (d.dim_types = INTS(C, C, C), d.exec_types = INTS(PRIM, PRIM, PRIM),
          d.dim_sizes = INTS(4, 5, 6), d.strides_in0 = INTS(30, 6, 1),
          d.strides_out = INTS(30, 6, 1)),
         "expected 1 or 2 PRIM dimensions that are not of type K for COPY, "
         "found 3");
  EXPECT(product,
         (d.type = TILEIR_BF16, d.dim_types = INTS(K, M, N, K),
          d.exec_types = INTS(SEQ, PRIM, PRIM, PRIM),
          d.dim_sizes = INTS(2, 4, 5, 6), d.strides_in0 = INTS(24, 6, 0, 1),
          d.strides_in1 = INTS(30, 0, 1, 5), d.strides_out = INTS(0, 5, 1, 0)),
         "expected dimension 0 (K, size 2) to be PRIM, for sums of BF16 are "
         "formed in F32 and an output of BF16 cannot keep parts of them");
}

static void checkTouches(void) {
  EXPECT(copy, d.first_touch = TILEIR_LOAD,
         "expected first_touch NONE or ZERO for COPY, which overwrites the "
         "output, found LOAD");
  EXPECT(add, (d.first_touch = TILEIR_BIAS, d.strides_bias = INTS(0, 1)),
         "expected first_touch NONE or ZERO for ADD, which overwrites the "
         "output, found BIAS");
  EXPECT(product, (d.first_touch = TILEIR_BIAS, d.strides_bias = INTS(0, 1, 1)),
         "expected strides_bias[2] to be 0, for dimension 2 (K, size 6) is "
         "summed, found 1");
}

static void checkPointers(void) {
  char *message = NULL;
  TileirOperation *operation = tileirCreateOperation(NULL, &message);
  expectMessage("null", operation, message, "found a null pointer");
  EXPECT(product, d.dim_sizes.data = NULL, "found a null pointer");
  message = NULL;
  operation = tileirCreateEinsum(NULL, &message);
  expectMessage("null", operation, message, "found a null pointer");
  /* Nobody wants the message. */
  TileirOperationDescription d = product;
  d.threads = -1;
  if (tileirCreateOperation(&d, NULL)) {
    printf("expected no operation\n");
    ++failures;
  }
}

/** "mk,kn->mn" of 4x6 and 6x5. */
static TileirEinsumDescription makeEinsum(void) {
  static TileirInts shapes[2];
  shapes[0] = (TileirInts){(einsumSizes + 0), 2};
  shapes[1] = (TileirInts){(einsumSizes + 2), 2};
  TileirEinsumDescription einsum = {
      .spec = "mk,kn->mn",
      .type = TILEIR_F32,
      .num_inputs = 2,
      .shapes = shapes,
      .first_touch = TILEIR_ZERO,
  };
  return einsum;
}

#define EXPECT_EINSUM(change, words)                                           \
  do {                                                                         \
    TileirEinsumDescription d = makeEinsum();                                  \
    change;                                                                    \
    char *message = NULL;                                                      \
    TileirOperation *operation = tileirCreateEinsum(&d, &message);             \
    expectMessage(#change, operation, message, words);                         \
  } while (0)

static void checkEinsums(void) {
  EXPECT_EINSUM(d.spec = NULL, "found a null pointer");
  EXPECT_EINSUM(d.shapes = NULL, "found a null pointer");
  EXPECT_EINSUM(d.spec = "mk,k;->mn",
                "in the specification \"mk,k;->mn\", at character 5: ");
  EXPECT_EINSUM(d.spec = "mk,kn->mm",
                "in the specification \"mk,kn->mm\", at character ");
  EXPECT_EINSUM(d.spec = "mk,kn", "in the specification \"mk,kn\"");
  EXPECT_EINSUM(d.spec = "mk->mk",
                "expected 1 shapes, as many as \"mk -> mk\" has terms, found "
                "2");
  EXPECT_EINSUM(d.spec = "mk,knr->mnr",
                "expected input 1 to have 3 axes, as its term in \"mk, knr -> "
                "mnr\", found 2");
  EXPECT_EINSUM(d.spec = "mk,mn->kn",
                "index 'm' has size 4 in axis 0 of operand 0 but size 6 in "
                "axis 0 of operand 1");
  EXPECT_EINSUM(d.spec = "(m+r)k,kn->mn",
                "expected the shapes to tell the size of index 'm': give it "
                "in sizes, as m = 3");
  EXPECT_EINSUM((d.spec = "(m+r)k,kn->mn", d.sizes = "m=3,r=3"), "outside");
  EXPECT_EINSUM(d.sizes = "m", "expected sizes as in \"r=3,s=3\", found \"m\"");
  EXPECT_EINSUM(d.sizes = "m=x", "found \"m=x\"");
  EXPECT_EINSUM(d.sizes = "m=-1", "found \"m=-1\"");
  EXPECT_EINSUM(d.sizes = "r=3",
                "expected sizes of indices of \"mk, kn -> mn\", found 'r'");
  EXPECT_EINSUM(d.sizes = "m=4,m=4", "expected one size of index 'm'");
  EXPECT_EINSUM(d.sizes = "m=5",
                "index 'm' has size 5 in 'sizes' but size 4 in axis 0 of "
                "operand 0");
  EXPECT_EINSUM(d.padding = "same",
                "expected padding \"none\" or \"zero\", found \"same\"");
  EXPECT_EINSUM(d.num_inputs = 0, "expected one shape or more, found none");
  EXPECT_EINSUM(d.type = (TileirType)-1, "expected type to be one of F32, ");
  EXPECT_EINSUM(d.first_touch = TILEIR_MAX,
                "expected first_touch to be one of NONE, ZERO, LOAD, BIAS, "
                "found MAX");
  EXPECT_EINSUM(d.last_touch = TILEIR_BIAS,
                "expected last_touch to be one of NONE, RELU, found BIAS");
  EXPECT_EINSUM(d.threads = -1, "expected threads to be positive");
  EXPECT_EINSUM(d.strides_bias = INTS(0, 1),
                "expected strides_bias to be empty");
  EXPECT_EINSUM((d.first_touch = TILEIR_BIAS, d.strides_bias = INTS(1)),
                "expected strides_bias to have 2 entries, one per index of "
                "the result, found 1");
  EXPECT_EINSUM((d.first_touch = TILEIR_BIAS, d.strides_bias = INTS(0, -1)),
                "expected strides_bias[1] not to be negative, found -1");
  einsumSizes[0] = -1;
  EXPECT_EINSUM(d.threads = 0,
                "expected the size of axis 0 of input 0 not to be negative, "
                "found -1");
  einsumSizes[0] = INT64_MAX / 2;
  EXPECT_EINSUM(d.threads = 0, "expected input 0 to fit in memory");
  einsumSizes[0] = 4;
}

int main(void) {
  /* What is changed below is valid before. */
  TileirOperationDescription valid[] = {product, copy, add};
  for (size_t i = 0; i < 3; ++i) {
    char *message = NULL;
    TileirOperation *operation = tileirCreateOperation(&valid[i], &message);
    if (!operation) {
      printf("expected an operation, found \"%s\"\n", message);
      ++failures;
      continue;
    }
    tileirDestroyOperation(operation);
  }
  TileirEinsumDescription einsum = makeEinsum();
  TileirOperation *operation = tileirCreateEinsum(&einsum, NULL);
  if (operation)
    tileirDestroyOperation(operation);
  else
    ++failures;

  checkValues();
  checkLengths();
  checkSizes();
  checkRoles();
  checkOutput();
  checkExecution();
  checkKernels();
  checkTouches();
  checkPointers();
  checkEinsums();
  printf("%d failed\n", failures);
  return failures != 0;
}
