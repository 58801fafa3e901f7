/*===- RandomOperations.c - Random descriptions by C ----------------------===*\
|*                                                                            *|
|* Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Valid descriptions of all kinds, with dimensions, orders, gaps, touches,   *|
|* types and executions at random, against Reference.h.                       *|
|*                                                                            *|
|*   RandomOperations [count [first seed]]                                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "Check.h"

enum { MOST = 6 };

static uint64_t state;

static unsigned below(unsigned limit) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % limit;
}

static int chance(unsigned percent) { return below(100) < percent; }

/** Storage of a description. */
typedef struct {
  int64_t types[MOST], execs[MOST], sizes[MOST];
  int64_t in0[MOST], in1[MOST], out[MOST], bias[MOST];
  TileirOperationDescription description;
} Random;

/** Strides along the dimensions that `has` tells, in a random order, now and
 *  then with gaps; in inputs, now and then, all at random. */
static void makeStrides(const Random *random, size_t dims, const int *has,
                        int64_t *strides, int isInput) {
  size_t order[MOST], count = 0;
  for (size_t i = 0; i < dims; ++i) {
    strides[i] = 0;
    if (has[i])
      order[count++] = i;
  }
  for (size_t i = count; i-- > 1;) {
    size_t other = below((unsigned)i + 1), dim = order[i];
    order[i] = order[other];
    order[other] = dim;
  }
  if (isInput && chance(8)) {
    for (size_t i = 0; i < count; ++i)
      strides[order[i]] = 1 + below(5);
    return;
  }
  int gaps = chance(30);
  int64_t extent = 1;
  if (gaps && chance(20))
    extent += below(3);
  for (size_t i = 0; i < count; ++i) {
    if (gaps)
      extent += below(4);
    strides[order[i]] = extent;
    extent *= random->sizes[order[i]];
  }
}

static int64_t makeSize(void) {
  return chance(15) ? 1 : chance(25) ? 1 + below(40) : 1 + below(9);
}

/** Puts dimension `from` at `to`. */
static void moveDim(Random *random, size_t from, size_t to) {
  int64_t type = random->types[from], exec = random->execs[from];
  for (; from > to; --from) {
    random->types[from] = random->types[from - 1];
    random->execs[from] = random->execs[from - 1];
  }
  random->types[to] = type;
  random->execs[to] = exec;
}

/** How large a sum may be for the type to hold it. */
static int64_t getMostTerms(TileirType type) {
  return type == TILEIR_I8     ? 14
         : type == TILEIR_BF16 ? 28
         : type == TILEIR_F16  ? 220
                               : 100000;
}

static size_t makeDims(Random *random, int product, int isMul) {
  TileirOperationDescription *d = &random->description;
  size_t dims = 0;
  int narrow =
      d->type == TILEIR_F16 || d->type == TILEIR_BF16 || d->type == TILEIR_I8;
  d->optimize = chance(60);
  int free = d->optimize && chance(70);
  /* The kernel: one or two that are kept, and what is summed. */
  size_t kernelKept = 1 + below(2);
  size_t kernelSummed = d->main == TILEIR_GEMM     ? 1
                        : d->main == TILEIR_BRGEMM ? 2
                                                   : 0;
  size_t others = below(3);
  for (size_t i = 0; i < kernelKept + kernelSummed + others; ++i) {
    int isKernel = i >= others;
    int isSum = i >= others + kernelKept ||
                (!isKernel && product && (!narrow || free) && chance(30));
    random->types[dims] = isSum     ? TILEIR_DIM_K
                          : product ? (int64_t)below(3)
                          : isMul   ? (int64_t)below(3)
                                    : (int64_t)TILEIR_DIM_C;
    random->execs[dims] = free       ? TILEIR_SEQ
                          : isKernel ? TILEIR_PRIM
                                     : TILEIR_SEQ;
    ++dims;
  }
  /* The order within the kernel, and what threads share, first. */
  for (int turn = 0; turn < 3; ++turn) {
    size_t begin = free ? 0 : others;
    size_t from = begin + below((unsigned)(dims - begin));
    moveDim(random, from, begin + below((unsigned)(from - begin + 1)));
  }
  if (!free && others > 0 && random->types[0] != TILEIR_DIM_K && chance(30))
    random->execs[0] = TILEIR_SHARED;
  int64_t terms = getMostTerms(d->type);
  for (size_t i = 0; i < dims; ++i) {
    random->sizes[i] = makeSize();
    if (random->types[i] != TILEIR_DIM_K)
      continue;
    while (random->sizes[i] > terms)
      random->sizes[i] = 1 + random->sizes[i] / 2 % terms;
    terms /= random->sizes[i];
  }
  return dims;
}

static void makeRandom(Random *random) {
  memset(random, 0, sizeof(*random));
  TileirOperationDescription *d = &random->description;
  d->type = (TileirType)below(6);
  d->main = chance(60) ? (chance(50) ? TILEIR_GEMM : TILEIR_BRGEMM)
                       : (TileirPrimitive)(TILEIR_COPY + below(7));
  if (d->main == TILEIR_DIV && d->type >= TILEIR_I32)
    d->main = TILEIR_MAX;
  int product = d->main == TILEIR_GEMM || d->main == TILEIR_BRGEMM;
  int isMul = d->main == TILEIR_MUL, isCopy = d->main == TILEIR_COPY;
  d->first_touch = (TileirPrimitive)below(product ? 4 : 2);
  d->last_touch = chance(40) ? TILEIR_RELU : TILEIR_NONE;
  d->threads = (int)below(3);
  size_t dims = makeDims(random, product, isMul);

  int in0[MOST], in1[MOST], out[MOST], bias[MOST];
  int whole = (int)below(2);
  for (size_t i = 0; i < dims; ++i) {
    int64_t type = random->types[i];
    in0[i] = type != TILEIR_DIM_N;
    in1[i] = type != TILEIR_DIM_M;
    if (!product && !isMul) {
      /* One of the operands may be repeated. */
      in0[i] = isCopy || whole == 0 || chance(80);
      in1[i] = whole == 1 || chance(80);
      if (!in0[i] && !in1[i])
        in0[i] = 1;
    }
    if (type == TILEIR_DIM_K && chance(10))
      in1[i] = 0;
    out[i] = type != TILEIR_DIM_K;
    bias[i] = out[i] && chance(50);
  }
  makeStrides(random, dims, in0, random->in0, 1);
  makeStrides(random, dims, in1, random->in1, 1);
  makeStrides(random, dims, out, random->out, 0);
  makeStrides(random, dims, bias, random->bias, 1);
  d->dim_types = (TileirInts){random->types, dims};
  d->exec_types = (TileirInts){random->execs, dims};
  d->dim_sizes = (TileirInts){random->sizes, dims};
  d->strides_in0 = (TileirInts){random->in0, dims};
  d->strides_in1 = (TileirInts){random->in1, isCopy ? 0 : dims};
  d->strides_out = (TileirInts){random->out, dims};
  d->strides_bias =
      (TileirInts){random->bias, d->first_touch == TILEIR_BIAS ? dims : 0};
}

static void printInts(const char *name, TileirInts ints) {
  printf("  %s:", name);
  for (size_t i = 0; i < ints.size; ++i)
    printf(" %lld", (long long)ints.data[i]);
  printf("\n");
}

int main(int argc, char **argv) {
  unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 150;
  unsigned first = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
  unsigned failures = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (unsigned seed = first; seed < first + count; ++seed) {
    state = seed * 7919u;
    Random random;
    makeRandom(&random);
    const TileirOperationDescription *d = &random.description;
    char name[32];
    snprintf(name, sizeof(name), "seed %u", seed);
    if (getenv("TILEIR_TEST_VERBOSE"))
      printf("%s\n", name);
    if (!checkOperation(name, d))
      continue;
    ++failures;
    printf("  main %d, first touch %d, last touch %d, optimize %d, threads "
           "%d\n",
           (int)d->main, (int)d->first_touch, (int)d->last_touch, d->optimize,
           d->threads);
    printInts("types", d->dim_types);
    printInts("execs", d->exec_types);
    printInts("sizes", d->dim_sizes);
    printInts("in0", d->strides_in0);
    printInts("in1", d->strides_in1);
    printInts("out", d->strides_out);
    printInts("bias", d->strides_bias);
  }
  printf("%u of %u failed\n", failures, count);
  return failures != 0;
}
