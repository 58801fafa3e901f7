//===- SchedulePasses.td - Passes that make schedules ------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_TRANSFORMS_SCHEDULEPASSES_TD
#define TILEIR_DIALECT_EINSUM_TRANSFORMS_SCHEDULEPASSES_TD

include "mlir/Pass/PassBase.td"

def EinsumFuseDimsPass : Pass<"einsum-fuse-dims"> {
  let summary = "Make one loop of dimensions that follow each other in memory";
  let description = [{
    Two sequential dimensions of a contraction's `schedule` are one if they have
    the same kind and, in each operand and the result, the stride of the outer
    one is the stride of the inner one times its size. Inside of an
    `einsum.kernel`, so do its other operands. Loops over few values leave a
    kernel little to do; and the dimension that two make can be split in ways
    that suit kernels better.

    With `min-kernel-size`, at least one of the two has to be smaller; without,
    all that can be fused are. Dimensions of an index in several parts stay.

    A remark tells the dimensions, or why nothing was fused.

    Example: rows and columns of an image, in a convolution of 1x1:

    ```mlir
    %y = einsum.contract "nhwc, ck -> nhwk" (%x, %w)
        : (tensor<4x14x14x256xf32>, tensor<256x512xf32>) -> tensor<4x14x14x512xf32>
    ```

    becomes

    ```mlir
    %y = einsum.contract "nhwc, ck -> nhwk" (%x, %w) {schedule = #einsum.schedule<
             dims = [
             <"nhw" seq 784>,
             <"k" seq 512>,
             <"c" seq 256>]>}
        : (tensor<4x14x14x256xf32>, tensor<256x512xf32>) -> tensor<4x14x14x512xf32>
    ```
  }];
  let options = [
    Option<"minKernelSize", "min-kernel-size", "int64_t", "0",
           "Size from which a dimension is large enough for a kernel; 0: none "
           "is, and all that can be fused are">
  ];
  let statistics = [
    Statistic<"numFused", "num-fused", "Dimensions that became part of others">
  ];
}

def EinsumSplitDimsPass : Pass<"einsum-split-dims"> {
  let summary = "Split loops that are too long for a kernel";
  let description = [{
    Makes two of each sequential dimension of a contraction's `schedule` that is
    larger than `max-kernel-size`. The inner one is the largest number that

    - divides the dimension,
    - is at most `max-kernel-size`,
    - is a multiple of what kernels prefer: of the lanes of a vector, for the
      dimension with stride 1 in the result, and of 4 otherwise; if that leaves
      none, of half of it, and so on;

    where neither part is smaller than `min-kernel-size`. The outer part is
    split again if it is too large. 1600, with at most 1024, is 2 x 800; with
    parts of 16 at least, 20 x 80; of 32 at least, 50 x 32.

    A remark tells the dimensions, or why nothing was split.

    Example:

    ```mlir
    %c = einsum.contract "mk, kn -> mn" (%a, %b)
        : (tensor<1600x64xf32>, tensor<64x64xf32>) -> tensor<1600x64xf32>
    ```

    becomes, with `min-kernel-size=32`,

    ```mlir
    %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<
             dims = [
             <"m" seq 50 step 32>,
             <"m" seq 32>,
             <"n" seq 64>,
             <"k" seq 64>]>}
        : (tensor<1600x64xf32>, tensor<64x64xf32>) -> tensor<1600x64xf32>
    ```
  }];
  let options = [
    Option<"minKernelSize", "min-kernel-size", "int64_t", "16",
           "Least size of both parts">,
    Option<"maxKernelSize", "max-kernel-size", "int64_t", "1024",
           "Largest size of a dimension that stays as it is">
  ];
  let statistics = [
    Statistic<"numSplit", "num-split", "Dimensions that were added">
  ];
}

def EinsumIdentifyPrimitivesPass : Pass<"einsum-identify-primitives"> {
  let summary = "Decide which loops of a contraction form its kernel";
  let description = [{
    Makes dimensions of `schedule` `prim`, and puts them last:

    - **lanes**, which lie along vectors: the largest dimension with stride 1 in
      the result;
    - **rows**: for a product, one that moves only the operand that lanes do not
      move; for a copy that transposes, the one with stride 1 in the operand;
      otherwise, and if there are several, the one with the smallest stride in
      the result, which is written in its order;
    - the summed dimensions, at most `max-sums` of them, those with small strides
      innermost. Two or more of a product make it a `brgemm`. Where sums are not
      formed in the result's element type all of them are part of the kernel,
      and of one operand only one is.

    A remark tells the dimensions, or why a contraction has none: three or more
    operands, padding, dynamic shapes, prim dimensions that are there already.

    Example:

    ```mlir
    %c = einsum.contract "ackm, bcnk -> abnm" (%a, %b)
        : (tensor<32x8x32x32xf32>, tensor<32x8x32x32xf32>) -> tensor<32x32x32x32xf32>
    ```

    becomes

    ```mlir
    %c = einsum.contract "ackm, bcnk -> abnm" (%a, %b) {schedule = #einsum.schedule<
             lanes = 3, dims = [
             <"a" seq 32>,
             <"b" seq 32>,
             <"n" prim 32>,
             <"m" prim 32>,
             <"c" prim 8>,
             <"k" prim 32>]>}
        : (tensor<32x8x32x32xf32>, tensor<32x8x32x32xf32>) -> tensor<32x32x32x32xf32>
    ```
  }];
  let options = [
    Option<"maxSums", "max-sums", "int64_t", "0",
           "Most summed dimensions that become prim; 0: all of them">
  ];
  let statistics = [
    Statistic<"numIdentified", "num-identified", "Kernels identified">
  ];
}

def EinsumParallelizePass : Pass<"einsum-parallelize"> {
  let summary = "Divide loops of a contraction among threads";
  let description = [{
    Makes sequential dimensions of `schedule` that are not summed `parallel`, and
    puts them first: the outermost one, or as many of the outer ones as it takes
    for their iterations to divide among `threads` threads. If these do not,
    another dimension is split, exactly, and its outer part is parallel, too, or
    alone if that divides better; it may be one of the kernel, of which whole
    vectors of lanes and 8 rows at least have to remain; around a kernel, those
    inside of a loop over a sum are only split.

    Contractions with less than `min-work` steps, multiply-adds of a product, are
    left alone; an element that is copied or added counts as 8 steps.

    A remark tells the dimensions, or why they stayed as they were.

    Example: with `threads=2`,

    ```mlir
    %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<
             dims = [
             <"m" prim 1024>,
             <"n" prim 64>,
             <"k" prim 64>]>}
        : (tensor<1024x64xf32>, tensor<64x64xf32>) -> tensor<1024x64xf32>
    ```

    becomes

    ```mlir
    %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<
             dims = [
             <"m" parallel 2 step 512>,
             <"m" prim 512>,
             <"n" prim 64>,
             <"k" prim 64>]>}
        : (tensor<1024x64xf32>, tensor<64x64xf32>) -> tensor<1024x64xf32>
    ```
  }];
  let options = [
    Option<"threads", "threads", "int64_t", "0",
           "Threads; 0: as many as the machine has cores">,
    Option<"minWork", "min-work", "int64_t", "262144",
           "Steps below which a contraction stays with one thread">
  ];
  let statistics = [
    Statistic<"numParallelized", "num-parallelized",
              "Contractions that became parallel">
  ];
}

def EinsumChooseSchedulePass : Pass<"einsum-choose-schedule"> {
  let summary = "Choose the schedule of a contraction by a cost model";
  let description = [{
    Compares candidates by the cycles that they are estimated to take on the
    machine (`einsum.machine`, or else the CPU `generic`), and sets

    - lanes and rows of the kernel, and whether it runs on the `matrix` unit;
    - `tile`: the rows and vectors that are held in registers, at most; as many
      as hide the latency of multiply-adds, and no more than there are
      registers;
    - `unroll`, and `prefetch` for what is larger than caches;
    - loops around the kernel over panels of the lanes, over blocks of the rows,
      and over parts of the sum, where what it reads is larger than caches;
    - `pack`: the operand of the lanes, where vectors cannot be loaded from it,
      or where its strides keep it from staying in a cache.

    A contraction without a schedule has its dimensions fused first. What a
    schedule says is kept: with prim dimensions, only tile, unrolling,
    prefetching and packing are chosen, and one with prim dimensions and a tile
    stays as it is. With `absorb-sums`, a `seq` loop over a sum that is directly
    around the prim dimensions becomes one of them where that is faster: results
    stay in registers from one step to the next.

    A loop over rows of an operand that a `tensor.pad` makes is divided into
    blocks, if convert-einsum-to-vector can then copy what a block reads into
    the second cache.

    With `threads`, dimensions are divided among them, as by
    `einsum-parallelize`.

    What other options say is not chosen but done, for all contractions whose schedules leave it open; it is an error if no
    kernel of one does it. `tile-tune` compares kernels by them, and `list` tells which there are. `panel` is how many vectors
    of the lanes make a panel, `block` how many rows a block, 0 if these are not divided; `sum-parts` is 1 for a sum that is not.

    Example: `tile-opt --einsum-choose-schedule`

    ```mlir
    %c = einsum.contract "mk, kn -> mn" (%a, %b)
        : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    ```
  }];
  let options = [
    Option<"lanes", "lanes", "std::string", "\"\"",
           "Indices that lie along vectors; chosen if empty">,
    Option<"rows", "rows", "std::string", "\"\"",
           "Indices of the kernel's rows; chosen if empty">,
    Option<"panel", "panel", "int64_t", "-1",
           "Vectors of a panel of the lanes; 0: no panels, -1: chosen">,
    Option<"block", "block", "int64_t", "-1",
           "Rows of a block; 0: no blocks, -1: chosen">,
    Option<"sumParts", "sum-parts", "int64_t", "0",
           "Parts that the sum is divided into; 0: chosen">,
    Option<"pack", "pack", "::tileir::einsum::PackMode",
           "::tileir::einsum::PackMode::Any", "Operands that are copied first",
           [{::llvm::cl::values(
             clEnumValN(::tileir::einsum::PackMode::Any, "any", "chosen"),
             clEnumValN(::tileir::einsum::PackMode::Needed, "needed", "those that vectors cannot be loaded from"),
             clEnumValN(::tileir::einsum::PackMode::Lanes, "lanes", "also one of the lanes that is read several times"),
             clEnumValN(::tileir::einsum::PackMode::Both, "both", "also one of the rows that is converted, that tables lead to, or that a matrix unit reads"))}]>,
    Option<"unit", "unit", "::tileir::einsum::Unit", "::tileir::einsum::Unit::Any", "What computes kernels",
           [{::llvm::cl::values(
             clEnumValN(::tileir::einsum::Unit::Any, "any", "chosen"),
             clEnumValN(::tileir::einsum::Unit::Vector, "vector", "vectors"),
             clEnumValN(::tileir::einsum::Unit::Matrix, "matrix", "the matrix unit"))}]>,
    ListOption<"tile", "tile", "int64_t",
               "Rows and vectors that are held in registers; chosen if empty">,
    Option<"unroll", "unroll", "int64_t", "0",
           "Steps of the sum that are one iteration; 0: chosen">,
    Option<"prefetch", "prefetch", "int64_t", "-1",
           "Steps that are prefetched ahead; 0: none, -1: chosen">,
    Option<"threads", "threads", "int64_t", "1",
           "Threads to divide loops among; 0: the cores of the machine">,
    Option<"list", "list", "int64_t", "0",
           "Tell so many of the best kernels that are compared, in remarks">,
    Option<"absorbSums", "absorb-sums", "bool", "false",
           "Also make a summed loop directly around a kernel that is written "
           "part of it, where that is faster">
  ];
  let statistics = [
    Statistic<"numChosen", "num-chosen", "Schedules chosen">
  ];
}

def EinsumPrintSchedulesPass : Pass<"einsum-print-schedules"> {
  let summary = "Show what follows from schedules";
  let description = [{
    A schedule (`#einsum.schedule`) holds decisions alone. A remark at each
    contraction with one tells what follows from these, the contraction and its
    operands:

    - `initialization`: what a block of the result starts from: `zero`; `load`,
      an operand of the `einsum.kernel` that is added to the sum; `bias`, one
      that is broadcast to it or permuted; or `none`, if nothing is summed.
    - `main`: the kernel: `copy` (of one operand, also permuted), `sum` (of one
      operand), `mul`, `gemm` (one summed `prim` dimension), `brgemm` (several:
      a sum of matrix products); `add`, `sub`, `div`, `min`, `max` in an
      `einsum.kernel` that combines a permuted operand with another one.
    - `epilogue`: what is done to a finished block: `none`; `relu`; or any
      `fused` pointwise ops of the `einsum.kernel`.
    - of each dimension, to which one of the contraction it belongs: `m`, indices
      of the first operand and the result; `n`, those of the second one and the
      result; `k`, summed ones; or `batch`, those of all operands and the result,
      or of the result if there is one operand;
    - and its strides: by how many elements a step of it moves in
      each operand and, last, in the result; `?` where this is not one number:
      where an index is divided or indexes a table, or where indices that are
      gone through as one do not follow each other in memory. Then the lowering
      makes a table of offsets.

    A block of the result is initialized when all summed dimensions around the
    kernel are at their first value, and is finished when they are at their last.

    Example: `tile-opt --einsum-print-schedules` says of

    ```mlir
    %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<
             dims = [<"n" seq 4 step 16>, <"m" prim 32>, <"n" prim 16>, <"k" prim 64>]>}
        : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
    ```

    `initialization = zero, main = gemm, epilogue = none, dims = ["n" n seq 4
    step 16 strides [0, 16, 16], "m" m prim 32 strides [64, 0, 64], "n" n prim 16
    strides [0, 1, 1], "k" k prim 64 strides [1, 64, 0]]`.
  }];
  let statistics = [
    Statistic<"numPrinted", "num-printed", "Schedules shown">
  ];
}

#endif // TILEIR_DIALECT_EINSUM_TRANSFORMS_SCHEDULEPASSES_TD
