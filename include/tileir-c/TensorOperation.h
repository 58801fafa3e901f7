/*===- tileir-c/TensorOperation.h - Tensor operations by C --------*- C -*-===*\
|*                                                                            *|
|* Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Compiles a tensor operation for this CPU: described by its loops, as the   *|
|* tensor operation backend of mini_jit does (user interface, section 5.1),   *|
|* or by an einsum specification and shapes. Operations are cached by their   *|
|* whole description. All functions may be called from several threads.       *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TILEIR_C_TENSOROPERATION_H
#define TILEIR_C_TENSOROPERATION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this interface. It grows when something is added: functions,
 *  or fields at the end of a structure that begins with its size. What was
 * there stays, so that programs need not be compiled again. */
#define TILEIR_C_VERSION 4

/** The version of the library, at least that of the header it came with. */
int tileirGetVersion(void);

/** Elements of tensors. Floats of 8 and 16 bits and i8 are summed in f32 and
 * i32 and rounded once, at the end (i8: modulo 2^8). The last three are for
 *  contractions by a specification, I64 for their tables alone. */
typedef enum {
  TILEIR_F32,
  TILEIR_F64,
  TILEIR_F16,
  TILEIR_BF16,
  TILEIR_I32,
  TILEIR_I8,
  TILEIR_F8E4M3FN,
  TILEIR_F8E5M2,
  TILEIR_I64
} TileirType;

/** Roles of dimensions: batch, rows, columns, summed. */
typedef enum {
  TILEIR_DIM_C,
  TILEIR_DIM_M,
  TILEIR_DIM_N,
  TILEIR_DIM_K
} TileirDim;

/** How a dimension is executed. */
typedef enum { TILEIR_SEQ, TILEIR_SHARED, TILEIR_PRIM } TileirExec;

typedef enum {
  TILEIR_NONE, /* first touch: the output of a sum is added to, any other is
                  overwritten; last touch: nothing is done */
  TILEIR_ZERO, /* first touch: the output is overwritten */
  TILEIR_LOAD, /* first touch: the output is added to */
  TILEIR_BIAS, /* first touch: starts from a further input, of strides_bias */
  TILEIR_COPY, /* main, also with permuted strides */
  TILEIR_ADD,
  TILEIR_SUB,
  TILEIR_MUL,
  TILEIR_DIV,
  TILEIR_MIN,
  TILEIR_MAX,
  TILEIR_GEMM,
  TILEIR_BRGEMM,
  TILEIR_RELU /* last touch */
} TileirPrimitive;

typedef struct {
  const int64_t *data;
  size_t size;
} TileirInts;

/** An operation by its loops, the outermost first. Strides count elements; 0
 *  where an operand does not depend on a dimension. All arrays have an entry
 *  per dimension; strides_in1 of a copy, and strides_bias without a bias, are
 *  empty. Entries of dim_types and exec_types are TileirDim and TileirExec.
 *
 *  GEMM and BRGEMM: dimensions of type C move in in0, in1 and out, M in in0 and
 *  out, N in in1 and out, K in in0 or in1 and not in out. The others have no K,
 *  and their C, M and N are all the same: they move in out and in an operand,
 *  which is repeated along those where only the other one does (ADD ... MAX:
 *  one of the two at most). Elements of the output do not overlap.
 *
 *  SHARED dimensions come first, PRIM ones last: one or two that are not K, and
 *  of K none (COPY ... MAX), one (GEMM) or more (BRGEMM). */
typedef struct {
  TileirType type;
  TileirPrimitive first_touch, main, last_touch;
  TileirInts dim_types, exec_types, dim_sizes;
  TileirInts strides_in0, strides_in1, strides_out, strides_bias;
  /** Whether loops may be fused, split, reordered and made primitives: those
   *  that are SEQ are then free. Otherwise they are taken as they are. */
  int optimize;
  /** Most threads; 0: as many as there are cores. Used if `optimize`, or if
   *  there are SHARED dimensions. */
  int threads;
} TileirOperationDescription;

/** A table that a specification looks up in, row-major. */
typedef struct {
  const char *name;
  TileirType type; /* I32 or I64 */
  TileirInts shape;
} TileirTable;

/** A contraction by its specification and the shapes of its inputs. Sizes of
 *  indices that no shape tells come from `sizes`, as in "r=3,s=3"; an index of
 *  the result that no operand uses has to have one there, and the result is
 *  repeated along it. A size may be 0. Inputs and output are row-major and of
 * one type, and tables i32, unless options say so. */
typedef struct {
  const char *spec;
  TileirType type;
  size_t num_inputs;
  const TileirInts *shapes;
  const char *sizes;   /* or NULL */
  const char *padding; /* "none", "zero", or NULL: none */
  TileirPrimitive first_touch, last_touch;
  TileirInts strides_bias; /* per index of the result */
  int threads;
} TileirEinsumDescription;

/** More about a contraction. What is 0 says nothing. Since version 2. */
typedef struct {
  /** sizeof(TileirEinsumOptions): fields beyond it are 0. */
  size_t size;
  /** Per input and axis, in elements, positive; an empty one, or NULL instead
   * of all of them: row-major. */
  const TileirInts *strides;
  TileirInts strides_out;        /* per index of the result; empty: row-major */
  const TileirType *input_types; /* per input, or NULL: all of `type` */
  /** Where products and sums are formed, or NULL: f64 if an input is f64, f32
   *  for other floats, i32 for integers. */
  const TileirType *accumulator;
  /** All tables, in the order of inputs. Without: those of the specification,
   * as it names them one after the other, i32, of the sizes of their indices.
   */
  size_t num_tables;
  const TileirTable *tables;
  /** Whether what tile-tune found to be fastest is used, where that is known
   *  (tileirGetTuned): a file of its results, "" for that of the user, or NULL:
   *  it is not asked for. Since version 3. */
  const char *tuned;
} TileirEinsumOptions;

typedef struct TileirOperation TileirOperation;

/** Compiles an operation, or finds it compiled. Returns null if it cannot be;
 *  then, and if `message` is not null, *message tells reason and is freed by
 *  tileirFreeMessage. */
TileirOperation *
tileirCreateOperation(const TileirOperationDescription *description,
                      char **message);
TileirOperation *tileirCreateEinsum(const TileirEinsumDescription *description,
                                    char **message);
TileirOperation *
tileirCreateEinsumWithOptions(const TileirEinsumDescription *description,
                              const TileirEinsumOptions *options,
                              char **message);
void tileirFreeMessage(char *message);

/** The text of a program of MLIR that does the same on this CPU, in a function
 *  of memrefs: for tile-tune, which writes results that `tuned` finds. Returns
 *  null as the functions above, and otherwise what tileirFreeMessage frees.
 *  Since version 3. */
char *tileirPrintEinsum(const TileirEinsumDescription *description,
                        const TileirEinsumOptions *options, char **message);

typedef enum {
  TILEIR_ERROR_NONE,
  TILEIR_ERROR_DESCRIPTION,   /* fields that are no values, or do not fit */
  TILEIR_ERROR_SPECIFICATION, /* it cannot be parsed */
  TILEIR_ERROR_SHAPE,         /* shapes, sizes, types and strides of inputs */
  TILEIR_ERROR_COMPILATION,   /* it is valid, but could not be compiled */
  TILEIR_ERROR_TABLE          /* a table leads outside (tileirRunChecked) */
} TileirErrorKind;

/** What the message of an error is about, for programs that point at it. */
typedef struct {
  TileirErrorKind kind;
  int operand, axis; /* the input, tables after operands, and its axis, or -1 */
  /** Characters of the specification, from 0; -1 and 0: it is not about any. */
  int64_t position, length;
} TileirErrorDetails;

/** Of the last operation that this thread could not create or run; of the kind
 *  NONE if there is none. */
TileirErrorDetails tileirGetLastError(void);

/** Ends the use of an operation. */
void tileirDestroyOperation(TileirOperation *operation);

/** How many inputs it takes: operands, then tables, then the bias. */
size_t tileirGetNumInputs(const TileirOperation *operation);

/** The sizes of the output, as long as the operation lives: by loops those of
 *  its dimensions by stride, the largest first; by a specification those of the
 *  indices of the result. */
TileirInts tileirGetOutputShape(const TileirOperation *operation);

/** Runs it: a call of compiled code. `output` overlaps no input. Tables are
 *  trusted. */
void tileirRun(const TileirOperation *operation, const void *const *inputs,
               void *output);

/** Runs it and returns 1 if its tables lead to no read outside of an operand
 * and to no divisor below 1, which looks at each entry once. If they do,
 * nothing runs and it returns 0; then, and if `message` is not null, *message
 * tells of the first and is freed by tileirFreeMessage. */
int tileirRunChecked(const TileirOperation *operation,
                     const void *const *inputs, void *output, char **message);

/** Verifies tables of a contraction as tileirRunChecked does, for who runs it
 *  elsewhere: `tables` are those of the description, in memory of this CPU.
 *  Returns 0 if they lead outside, or for an error of the description. Since
 *  version 4. */
int tileirCheckTables(const TileirEinsumDescription *description,
                      const TileirEinsumOptions *options,
                      const void *const *tables, char **message);

/** Seconds that it took to compile it. */
double tileirGetCompileSeconds(const TileirOperation *operation);

/** Multiplications and additions of its contractions: those of three or more
 *  operands are made of pairs, in the order that needs fewest. */
double tileirGetFlops(const TileirOperation *operation);

/** The specifications of these contractions, one a line, as long as it lives.
 */
const char *tileirGetContractions(const TileirOperation *operation);

/** Its schedule as text, as of #einsum.schedule, as long as it lives; empty if
 *  it has none. */
const char *tileirGetSchedule(const TileirOperation *operation);

/** What tile-tune had found for it, as options of einsum-choose-schedule, as
 *  long as it lives; empty if that was not asked for, or nothing was known.
 *  Since version 3. */
const char *tileirGetTuned(const TileirOperation *operation);

/** Forgets compiled operations; those in use live until they are destroyed. */
void tileirClearCache(void);

/** Keeps at most `operations`, those that were asked for last; 4096 unless this
 *  is called. */
void tileirSetCacheLimit(size_t operations);

/** Requests since the process started, and how many operations are kept. */
typedef struct {
  size_t hits, misses, size, limit;
} TileirCacheStatistics;
TileirCacheStatistics tileirGetCacheStatistics(void);

#ifdef __cplusplus
}
#endif

#endif /* TILEIR_C_TENSOROPERATION_H */
