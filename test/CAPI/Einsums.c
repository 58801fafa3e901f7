/*===- Einsums.c - Contractions by a specification, by C ------------------===*\
|*                                                                            *|
|* Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Strides, types, tables, repeated results, sizes of 0, checks at run time,  *|
|* the places that errors tell, the cache, and the layout of the structures:  *|
|* programs that were compiled against an older header go on working.         *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "Check.h"

#include <assert.h>

#define LIST(...)                                                              \
  {(const int64_t[]){__VA_ARGS__},                                             \
   sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)}
#define INTS(...) ((TileirInts)LIST(__VA_ARGS__))

static int failures;

#define EXPECT(condition, ...)                                                 \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("line %d: ", __LINE__);                                           \
      printf(__VA_ARGS__);                                                     \
      printf("\n");                                                            \
      ++failures;                                                              \
    }                                                                          \
  } while (0)

/* Fields keep their places: new ones come after the last. */
static_assert(sizeof(TileirInts) == 16 && sizeof(TileirTable) == 32, "");
static_assert(offsetof(TileirEinsumDescription, type) == 8, "");
static_assert(offsetof(TileirEinsumDescription, shapes) == 24, "");
static_assert(offsetof(TileirEinsumDescription, padding) == 40, "");
static_assert(offsetof(TileirEinsumDescription, strides_bias) == 56, "");
static_assert(offsetof(TileirEinsumDescription, threads) == 72, "");
static_assert(sizeof(TileirEinsumDescription) == 80, "");
static_assert(offsetof(TileirEinsumOptions, strides) == 8, "");
static_assert(offsetof(TileirEinsumOptions, strides_out) == 16, "");
static_assert(offsetof(TileirEinsumOptions, input_types) == 32, "");
static_assert(offsetof(TileirEinsumOptions, accumulator) == 40, "");
static_assert(offsetof(TileirEinsumOptions, num_tables) == 48, "");
static_assert(offsetof(TileirEinsumOptions, tables) == 56, "");
static_assert(offsetof(TileirEinsumOptions, tuned) == 64, "");
static_assert(sizeof(TileirEinsumOptions) == 72, "");
static_assert(offsetof(TileirErrorDetails, position) == 16, "");
static_assert(sizeof(TileirErrorDetails) == 32, "");
static_assert(sizeof(TileirOperationDescription) == 136, "");
static_assert(TILEIR_I8 == 5 && TILEIR_I64 == 8 && TILEIR_RELU == 13, "");

static TileirOperation *create(int line, const TileirEinsumDescription *d,
                               const TileirEinsumOptions *options) {
  char *message = NULL;
  TileirOperation *operation =
      tileirCreateEinsumWithOptions(d, options, &message);
  if (!operation) {
    printf("line %d: %s: %s\n", line, d->spec, message);
    ++failures;
  }
  tileirFreeMessage(message);
  return operation;
}
#define CREATE(d, options) create(__LINE__, &(d), options)
/** Options with their size. */
#define OPTIONS(...)                                                           \
  (&(TileirEinsumOptions){.size = sizeof(TileirEinsumOptions), __VA_ARGS__})

/** A product of a transposed view by rows with gaps, into columns. */
static void checkStrides(void) {
  float a[3 * 2], b[3 * 10], c[4 * 9];
  for (int i = 0; i < 6; ++i)
    a[i] = (float)(i - 2);
  for (int i = 0; i < 30; ++i)
    b[i] = (float)(i % 7);
  for (int i = 0; i < 36; ++i)
    c[i] = -1;
  TileirEinsumDescription d = {
      .spec = "mk, kn -> mn",
      .num_inputs = 2,
      .shapes = (TileirInts[]){INTS(2, 3), INTS(3, 4)},
      .first_touch = TILEIR_ZERO,
  };
  TileirInts strides[] = {INTS(1, 2), INTS(10, 2)};
  TileirOperation *operation =
      CREATE(d, OPTIONS(.strides = strides, .strides_out = INTS(2, 9)));
  if (!operation)
    return;
  tileirRun(operation, (const void *[]){a, b}, c);
  for (int i = 0; i < 36; ++i) {
    float expected = -1;
    int m = i % 9 / 2, n = i / 9;
    if (m < 2 && i % 9 % 2 == 0) {
      expected = 0;
      for (int k = 0; k < 3; ++k)
        expected += a[k * 2 + m] * b[k * 10 + n * 2];
    }
    EXPECT(c[i] == expected, "element %d: expected %g, found %g", i,
           (double)expected, (double)c[i]);
  }
  tileirDestroyOperation(operation);
}

/** Each type of inputs into each type of results, where einsum has it. */
static void checkTypes(void) {
  static const TileirType types[] = {TILEIR_F32,  TILEIR_F64, TILEIR_F16,
                                     TILEIR_BF16, TILEIR_I32, TILEIR_I8};
  int count = 0;
  for (int left = 0; left < 6; ++left)
    for (int right = 0; right < 6; ++right)
      for (int result = 0; result < 6; ++result) {
        if ((left < 4) != (right < 4) || (left < 4) != (result < 4))
          continue;
        ++count;
        TileirType inputTypes[] = {types[left], types[right]};
        TileirEinsumDescription d = {
            .spec = "mk, kn -> mn",
            .type = types[result],
            .num_inputs = 2,
            .shapes = (TileirInts[]){INTS(3, 5), INTS(5, 18)},
            .first_touch = TILEIR_ZERO,
            .threads = 1,
        };
        TileirOperation *operation =
            CREATE(d, OPTIONS(.input_types = inputTypes));
        if (!operation)
          continue;
        Tensor a = makeTensor(types[left], 15, 1, 0);
        Tensor b = makeTensor(types[right], 90, 2, 0);
        Tensor c = makeTensor(types[result], 54, 3, 0);
        tileirRun(operation, (const void *[]){a.typed, b.typed}, c.typed);
        for (int i = 0; i < 54; ++i) {
          double expected = 0, found = getElement(types[result], c.typed, i);
          for (int k = 0; k < 5; ++k)
            expected += a.exact[i / 18 * 5 + k] * b.exact[k * 18 + i % 18];
          EXPECT(found == expected, "%s, %s -> %s: expected %g, found %g",
                 typeNames[types[left]], typeNames[types[right]],
                 typeNames[types[result]], expected, found);
          if (found != expected)
            break;
        }
        freeTensor(a);
        freeTensor(b);
        freeTensor(c);
        tileirDestroyOperation(operation);
      }
  EXPECT(count == 4 * 4 * 4 + 2 * 2 * 2, "expected 72 cases, found %d", count);
}

/** Sums that f32 cannot form, and floats of 8 bits. */
static void checkAccumulators(void) {
  float big[] = {16777216, 1, -16777216}, sum = -1;
  TileirType wide = TILEIR_F64;
  TileirEinsumDescription d = {
      .spec = "i ->",
      .num_inputs = 1,
      .shapes = (TileirInts[]){INTS(3)},
      .first_touch = TILEIR_ZERO,
  };
  TileirOperation *operation = CREATE(d, OPTIONS(.accumulator = &wide));
  if (operation) {
    tileirRun(operation, (const void *[]){big}, &sum);
    EXPECT(sum == 1, "in f64: expected 1, found %g", (double)sum);
    tileirDestroyOperation(operation);
  }
  /* 1.5 and -2 in both formats, whose sum of products with 1.5 is -0.75. */
  static const uint8_t values[2][2] = {{0x3c, 0xc0}, {0x3e, 0xc0}};
  for (int format = 0; format < 2; ++format) {
    TileirType type = format ? TILEIR_F8E5M2 : TILEIR_F8E4M3FN;
    uint8_t ones[] = {values[format][0], values[format][0]};
    TileirType inputTypes[] = {type, type};
    TileirEinsumDescription dot = {
        .spec = "i, i ->",
        .num_inputs = 2,
        .shapes = (TileirInts[]){INTS(2), INTS(2)},
        .first_touch = TILEIR_ZERO,
    };
    operation = CREATE(dot, OPTIONS(.input_types = inputTypes));
    if (!operation)
      continue;
    tileirRun(operation, (const void *[]){values[format], ones}, &sum);
    EXPECT(sum == -0.75f, "f8, %d: expected -0.75, found %g", format,
           (double)sum);
    tileirDestroyOperation(operation);
  }
}

/** Rows by a table of i64, which alone tells how many there are. */
static void checkTables(void) {
  float data[4 * 3], rows[2 * 3];
  for (int i = 0; i < 12; ++i)
    data[i] = (float)i;
  int64_t table[] = {2, 1};
  TileirTable tables[] = {{"row", TILEIR_I64, INTS(2)}};
  TileirEinsumDescription d = {
      .spec = "(row[i])d -> id",
      .num_inputs = 1,
      .shapes = (TileirInts[]){INTS(4, 3)},
      .first_touch = TILEIR_ZERO,
  };
  TileirOperation *operation =
      CREATE(d, OPTIONS(.num_tables = 1, .tables = tables));
  if (!operation)
    return;
  TileirInts shape = tileirGetOutputShape(operation);
  EXPECT(shape.size == 2 && shape.data[0] == 2 && shape.data[1] == 3,
         "expected a result of 2x3");
  const void *inputs[] = {data, table};
  char *message = NULL;
  EXPECT(tileirRunChecked(operation, inputs, rows, &message),
         "expected tables that lead nowhere else");
  for (int i = 0; i < 6; ++i)
    EXPECT(rows[i] == data[table[i / 3] * 3 + i % 3], "element %d: found %g", i,
           (double)rows[i]);
  tileirDestroyOperation(operation);

  /* The same without an operation, and without operands. */
  TileirEinsumOptions *options = OPTIONS(.num_tables = 1, .tables = tables);
  const void *own[] = {table};
  EXPECT(tileirCheckTables(&d, options, own, &message),
         "expected tables that lead nowhere else");
  table[1] = 4;
  EXPECT(!tileirCheckTables(&d, options, own, &message) &&
             strstr(message, "reads index 4, outside of its size 4"),
         "found \"%s\"", message);
  EXPECT(tileirGetLastError().kind == TILEIR_ERROR_TABLE,
         "expected an error of a table");
  tileirFreeMessage(message);
  message = NULL;
  EXPECT(!tileirCheckTables(NULL, NULL, own, &message) && message,
         "expected a description to be asked for");
  tileirFreeMessage(message);
}

/** What wrong tables get. The output stays. */
static void expectTableError(int line, const TileirEinsumDescription *d,
                             int32_t *first, int32_t *second,
                             const char *words) {
  float data[8] = {0}, output[16] = {5};
  TileirOperation *operation = create(line, d, NULL);
  if (!operation)
    return;
  char *message = NULL;
  const void *inputs[] = {data, first, second};
  int passed = tileirRunChecked(operation, inputs, output, &message);
  TileirErrorDetails details = tileirGetLastError();
  if (!words) {
    EXPECT(passed, "line %d: found \"%s\"", line, message);
  } else {
    EXPECT(!passed && strcmp(message ? message : "", words) == 0,
           "line %d: expected \"%s\", found \"%s\"", line, words,
           message ? message : "(null)");
    EXPECT(details.kind == TILEIR_ERROR_TABLE && details.operand == 0 &&
               details.axis == 0 && details.position == 0,
           "line %d: found kind %d, operand %d, axis %d, position %d", line,
           details.kind, details.operand, details.axis, (int)details.position);
    EXPECT(output[0] == 5, "line %d: expected nothing to run", line);
  }
  tileirFreeMessage(message);
  tileirDestroyOperation(operation);
}

static void checkTableErrors(void) {
  TileirInts shapes[] = {INTS(8)};
  TileirEinsumDescription d = {
      .num_inputs = 1,
      .shapes = shapes,
      .sizes = "i=4,j=2",
      .first_touch = TILEIR_ZERO,
  };
#define TABLE(...) (int32_t[]){__VA_ARGS__}
#define EXPECT_TABLE_ERROR(text, pad, first, second, words)                    \
  do {                                                                         \
    d.spec = text;                                                             \
    d.padding = pad;                                                           \
    expectTableError(__LINE__, &d, first, second, words);                      \
  } while (0)
  EXPECT_TABLE_ERROR("(t[i]+j) -> ij", "none", TABLE(0, 6, 3, 1), NULL, NULL);
  EXPECT_TABLE_ERROR("(t[i]+j) -> ij", "none", TABLE(0, 6, 7, -1), NULL,
                     "axis 0 of operand 0 (j+t[i]), at i = 2, j = 1, reads "
                     "index 8, outside of its size 8: expected an index in [0, "
                     "8); change the table or pad with zeros");
  EXPECT_TABLE_ERROR("(t[i]+j) -> ij", "zero", TABLE(0, 6, 7, -1), NULL, NULL);
  /* Both tables at once: 3 + 5 is outside, though no other sum is. */
  EXPECT_TABLE_ERROR("(t[i]+u[j]) -> ij", "none", TABLE(0, 3, 2, 1),
                     TABLE(4, 5),
                     "axis 0 of operand 0 (t[i]+u[j]), at i = 1, j = 1, reads "
                     "index 8, outside of its size 8: expected an index in [0, "
                     "8); change the table or pad with zeros");
  /* An interval of remainders would hold 9, which is not read. */
  EXPECT_TABLE_ERROR("((t[i]+j)%10) -> ij", "none", TABLE(0, 3, 20, 16), NULL,
                     NULL);
  EXPECT_TABLE_ERROR("((t[i]+j)%10) -> ij", "none", TABLE(0, 3, 20, 18), NULL,
                     "axis 0 of operand 0 ((j+t[i])%10), at i = 3, j = 0, "
                     "reads index 8, outside of its size 8: expected an index "
                     "in [0, 8); change the table or pad with zeros");
  EXPECT_TABLE_ERROR("(j/t[i]) -> ij", "zero", TABLE(1, 2, 0, 1), NULL,
                     "axis 0 of operand 0 (j/t[i]), at i = 2, j = 0, divides "
                     "by 0: expected a positive divisor");
}

/** "i -> ij" and more, with j from `sizes` alone. */
static void checkRepeated(void) {
  float a[] = {1, 2, 3}, result[3 * 2 * 2];
  TileirEinsumDescription d = {
      .spec = "xi -> jik",
      .num_inputs = 1,
      .shapes = (TileirInts[]){INTS(1, 3)},
      .sizes = "k=2,j=2",
      .first_touch = TILEIR_ZERO,
  };
  TileirOperation *operation = CREATE(d, NULL);
  if (!operation)
    return;
  tileirRun(operation, (const void *[]){a}, result);
  for (int i = 0; i < 12; ++i)
    EXPECT(result[i] == a[i / 2 % 3], "element %d: found %g", i,
           (double)result[i]);
  tileirDestroyOperation(operation);
}

/** Sums of nothing are 0, and a result of no elements is not touched. */
static void checkZeroSizes(void) {
  float a[1] = {7}, c[6] = {1, 1, 1, 1, 1, 1};
  TileirInts shapes[] = {INTS(2, 0), INTS(0, 3)};
  TileirEinsumDescription d = {
      .spec = "mk, kn -> mn",
      .num_inputs = 2,
      .shapes = shapes,
      .first_touch = TILEIR_ZERO,
  };
  TileirOperation *operation = CREATE(d, NULL);
  if (operation) {
    tileirRun(operation, (const void *[]){a, a}, c);
    for (int i = 0; i < 6; ++i)
      EXPECT(c[i] == 0, "element %d: expected 0, found %g", i, (double)c[i]);
    tileirDestroyOperation(operation);
  }
  shapes[0] = INTS(0, 2);
  shapes[1] = INTS(2, 3);
  c[0] = 5;
  operation = CREATE(d, NULL);
  if (operation) {
    tileirRun(operation, (const void *[]){a, a}, c);
    EXPECT(c[0] == 5, "expected nothing to be written, found %g", (double)c[0]);
    tileirDestroyOperation(operation);
  }
}

/** A table without entries, which leads nowhere. */
static void checkEmptyTables(void) {
  float a[4] = {1, 2, 3, 4}, sum = 5;
  TileirTable tables[] = {{"t", TILEIR_I64, INTS(3, 0)}};
  TileirEinsumDescription d = {
      .spec = "(t[i,j]) ->",
      .num_inputs = 1,
      .shapes = (TileirInts[]){INTS(4)},
      .first_touch = TILEIR_ZERO,
  };
  TileirOperation *operation =
      CREATE(d, OPTIONS(.num_tables = 1, .tables = tables));
  if (!operation)
    return;
  EXPECT(tileirRunChecked(operation, (const void *[]){a, a}, &sum, NULL) &&
             sum == 0,
         "expected 0, found %g", (double)sum);
  tileirDestroyOperation(operation);
}

typedef struct {
  TileirErrorKind kind;
  int operand, axis;
  /** The characters that it is about. */
  const char *text;
} Place;

static void expectError(int line, const TileirEinsumDescription *d,
                        const TileirEinsumOptions *options, const char *words,
                        Place place) {
  char *message = NULL;
  TileirOperation *operation =
      tileirCreateEinsumWithOptions(d, options, &message);
  TileirErrorDetails found = tileirGetLastError();
  if (operation || !message || !strstr(message, words)) {
    printf("line %d: expected \"%s\", found \"%s\"\n", line, words,
           message ? message : "(null)");
    ++failures;
  } else if (found.kind != place.kind || found.operand != place.operand ||
             found.axis != place.axis ||
             (place.text ? found.length != (int64_t)strlen(place.text) ||
                               strncmp(d->spec + found.position, place.text,
                                       strlen(place.text)) != 0
                         : found.position != -1)) {
    printf("line %d: %s: found kind %d, operand %d, axis %d, position %d, "
           "length %d\n",
           line, message, found.kind, found.operand, found.axis,
           (int)found.position, (int)found.length);
    ++failures;
  }
  tileirFreeMessage(message);
  if (operation)
    tileirDestroyOperation(operation);
}

/** A valid description, changed, and what it gets. */
#define EXPECT_ERROR(change, words, ...)                                       \
  do {                                                                         \
    TileirInts shapes[] = {INTS(4, 6), INTS(6, 5)};                            \
    TileirInts strides[] = {INTS(6, 1), INTS(5, 1)};                           \
    TileirType types[] = {TILEIR_F32, TILEIR_F32};                             \
    TileirTable tables[] = {{"t", TILEIR_I32, INTS(4)},                        \
                            {"u", TILEIR_I32, INTS(4)}};                       \
    TileirEinsumDescription d = {                                              \
        .spec = "mk, kn -> mn",                                                \
        .num_inputs = 2,                                                       \
        .shapes = shapes,                                                      \
        .first_touch = TILEIR_ZERO,                                            \
    };                                                                         \
    TileirEinsumOptions options =                                              \
        *OPTIONS(.strides = strides, .input_types = types, .tables = tables);  \
    change;                                                                    \
    expectError(__LINE__, &d, &options, words, (Place){__VA_ARGS__});          \
  } while (0)

static void checkErrors(void) {
  const TileirErrorKind description = TILEIR_ERROR_DESCRIPTION,
                        spec = TILEIR_ERROR_SPECIFICATION,
                        shape = TILEIR_ERROR_SHAPE;
  EXPECT_ERROR(d.spec = NULL, "found a null pointer", description, -1, -1, 0);
  EXPECT_ERROR(d.spec = "mk, kn -> mz",
               "'z' is used by no operand: give its "
               "size",
               spec, -1, -1, "z");
  EXPECT_ERROR((d.spec = "mk, kn -> mzz", d.sizes = "z=2"),
               "repeated result index 'z'", spec, -1, -1, "z");
  EXPECT_ERROR(d.spec = "mk, k;n -> mn", "found ';'", spec, -1, -1, ";");
  EXPECT_ERROR(d.spec = "mk, kn", "expected ',' or '->'", spec, -1, -1, "");
  EXPECT_ERROR(d.spec = "mk, n -> mn", "expected input 1 to have 1 axes", shape,
               1, -1, "n");
  EXPECT_ERROR(d.spec = "mk -> m", "expected 1 shapes", shape, -1, -1, 0);
  EXPECT_ERROR(d.spec = "mk, nk -> mn",
               "index 'k' has size 6 in axis 1 of operand 0 but size 5 in axis "
               "1 of operand 1",
               shape, 1, 1, "k");
  EXPECT_ERROR((d.spec = "mk, (k+r)n -> mn", d.sizes = "r=3"),
               "reads indices 0 to 7, outside of its size 6", shape, 1, 0,
               "(k+r)");
  EXPECT_ERROR(d.spec = "mk, (k+7+r)n -> mn", "to have room for (k+r+7)", shape,
               1, 0, "(k+7+r)");
  EXPECT_ERROR((d.spec = "mk, (q+r)n -> mn"),
               "expected the shapes to tell the size of index 'q'", shape, -1,
               -1, "q");
  EXPECT_ERROR(d.sizes = "z=2",
               "expected sizes of indices of \"mk, kn -> "
               "mn\", found 'z'",
               shape, -1, -1, 0);
  EXPECT_ERROR(shapes[1] = INTS(6, -5), "not to be negative, found -5", shape,
               1, 1, 0);
  EXPECT_ERROR(strides[0] = INTS(6, 0), "to be positive, found 0: copy", shape,
               0, 1, 0);
  EXPECT_ERROR(strides[0] = INTS(6, -1), "to be positive, found -1", shape, 0,
               1, 0);
  EXPECT_ERROR(strides[0] = INTS(6), "expected strides[0] to have 2 entries",
               description, -1, -1, 0);
  EXPECT_ERROR(strides[1] = INTS(INT64_MAX / 4, 1), "offsets of 64 bits", shape,
               1, 0, 0);
  EXPECT_ERROR(options.strides_out = INTS(5),
               "expected strides_out to have 2 "
               "entries",
               description, -1, -1, 0);
  EXPECT_ERROR(options.strides_out = INTS(4, 1),
               "index 'm' in strides_out to be at "
               "least 5, found 4",
               shape, -1, -1, 0);
  EXPECT_ERROR(types[1] = TILEIR_I64, "expected input_types[1] to be one of",
               description, -1, -1, 0);
  EXPECT_ERROR(types[1] = TILEIR_I32,
               "expects the elements of all operands to "
               "be floats or all to be integers",
               shape, -1, -1, 0);
  EXPECT_ERROR(options.num_tables = 1,
               "expected tables of \"mk, kn -> mn\", found "
               "'t'",
               shape, 2, -1, 0);
  EXPECT_ERROR((d.spec = "(t[m]+u[m])k, kn -> mn", options.num_tables = 1),
               "expected table 'u'", shape, 3, -1, "u");
  EXPECT_ERROR((d.spec = "(t[m,n])k, kn -> mn", options.num_tables = 1),
               "expected table 't' to have 2 axes", shape, 2, -1, "t");
  EXPECT_ERROR((d.spec = "(t[m]+u[m])k, kn -> mn", options.num_tables = 2,
                tables[1].shape = INTS(3)),
               "index 'm' has size 4 in axis 0 of table 't' but size 3 in axis "
               "0 of table 'u'",
               shape, 3, 0, "u");
  EXPECT_ERROR((d.spec = "(t[m])k, kn -> mn", options.num_tables = 1,
                tables[0].type = TILEIR_F32),
               "expected table 't' to have elements of I32 or I64, found F32",
               shape, 2, -1, 0);
}

/** The order of a chain, and what it costs. */
static void checkReports(void) {
  TileirEinsumDescription d = {
      .spec = "ij, jk, k -> i",
      .num_inputs = 3,
      .shapes = (TileirInts[]){INTS(7, 5), INTS(5, 11), INTS(11)},
      .first_touch = TILEIR_ZERO,
  };
  TileirOperation *operation = CREATE(d, NULL);
  if (!operation)
    return;
  double flops = tileirGetFlops(operation);
  EXPECT(flops == 2 * (5 * 11 + 7 * 5), "expected 180, found %g", flops);
  const char *contractions = tileirGetContractions(operation);
  EXPECT(strcmp(contractions, "jk, k -> j\nij, j -> i") == 0, "found %s",
         contractions);
  tileirDestroyOperation(operation);
}

/** A program whose header has fewer options: what it does not know is 0. */
static void checkOlderPrograms(void) {
  TileirEinsumDescription d = {
      .spec = "ij -> ij",
      .num_inputs = 1,
      .shapes = (TileirInts[]){INTS(2, 2)},
      .first_touch = TILEIR_ZERO,
  };
  TileirInts strides[] = {INTS(1, 2)};
  TileirEinsumOptions options = {
      .size = offsetof(TileirEinsumOptions, strides_out),
      .strides = strides,
      .strides_out = INTS(0, 0, 0),
  };
  float a[] = {1, 2, 3, 4}, b[4];
  TileirOperation *operation = CREATE(d, &options);
  if (!operation)
    return;
  tileirRun(operation, (const void *[]){a}, b);
  EXPECT(b[0] == 1 && b[1] == 3 && b[2] == 2 && b[3] == 4,
         "expected a transposed matrix");
  tileirDestroyOperation(operation);
}

static void checkCache(void) {
  TileirEinsumDescription d = {
      .spec = "i -> i",
      .num_inputs = 1,
      .first_touch = TILEIR_ZERO,
  };
  tileirClearCache();
  TileirCacheStatistics before = tileirGetCacheStatistics();
  EXPECT(before.size == 0, "expected no operation, found %zu", before.size);
  tileirSetCacheLimit(2);
  /* The second 1 is found, so that 2 goes when 3 comes. */
  static const int64_t sizes[] = {1, 2, 1, 3, 1, 2};
  for (size_t i = 0; i < 6; ++i) {
    TileirInts shape = {&sizes[i], 1};
    d.shapes = &shape;
    TileirOperation *operation = CREATE(d, NULL);
    if (operation)
      tileirDestroyOperation(operation);
  }
  TileirCacheStatistics after = tileirGetCacheStatistics();
  EXPECT(after.size == 2 && after.limit == 2, "found %zu of %zu operations",
         after.size, after.limit);
  EXPECT(after.hits - before.hits == 2 && after.misses - before.misses == 4,
         "expected 2 hits and 4 misses, found %zu and %zu",
         after.hits - before.hits, after.misses - before.misses);
  tileirSetCacheLimit(0);
  EXPECT(tileirGetCacheStatistics().size == 0, "expected no operation");
  tileirSetCacheLimit(before.limit);
}

/** Programs for tile-tune, and results that are not known. What is found is
 *  tested from Python (test/Python/Tune). */
static void checkTuned(void) {
  TileirEinsumDescription d = {
      .spec = "mk, kn -> mn",
      .num_inputs = 2,
      .shapes = (TileirInts[]){INTS(2, 3), INTS(3, 4)},
      .first_touch = TILEIR_ZERO,
      .threads = 1,
  };
  char *text = tileirPrintEinsum(&d, NULL, NULL);
  EXPECT(text && strncmp(text, "// threads=1\n", 13) == 0 &&
             strstr(text, "func.func @operation(%arg0: memref<2x3xf32>"),
         "found the program %s", text ? text : "(none)");
  tileirFreeMessage(text);
  // Views are of arrays as files have them.
  TileirInts strides[] = {INTS(1, 2), INTS(10, 2)};
  text = tileirPrintEinsum(&d, OPTIONS(.strides = strides), NULL);
  EXPECT(text && strstr(text, "%arg1: memref<27xf32>"), "found the program %s",
         text ? text : "(none)");
  tileirFreeMessage(text);

  char *message = NULL;
  d.spec = "mk, kn -> q";
  EXPECT(!tileirPrintEinsum(&d, NULL, &message) && message &&
             tileirGetLastError().kind == TILEIR_ERROR_SPECIFICATION,
         "expected no program, found %s", message ? message : "no message");
  tileirFreeMessage(message);
  EXPECT(!tileirPrintEinsum(NULL, NULL, NULL), "expected no program");

  d.spec = "mk, kn -> mn";
  TileirOperation *operation = CREATE(d, OPTIONS(.tuned = "/no/such/file"));
  if (operation) {
    EXPECT(*tileirGetTuned(operation) == 0, "found %s",
           tileirGetTuned(operation));
    tileirDestroyOperation(operation);
  }
}

int main(void) {
  EXPECT(tileirGetVersion() == TILEIR_C_VERSION && TILEIR_C_VERSION == 4,
         "expected version 4, found %d", tileirGetVersion());
  EXPECT(tileirGetLastError().kind == TILEIR_ERROR_NONE, "expected no error");
  checkStrides();
  checkTypes();
  checkAccumulators();
  checkTables();
  checkTableErrors();
  checkRepeated();
  checkZeroSizes();
  checkEmptyTables();
  checkErrors();
  checkReports();
  checkOlderPrograms();
  checkCache();
  checkTuned();
  printf("%d failed\n", failures);
  return failures != 0;
}
