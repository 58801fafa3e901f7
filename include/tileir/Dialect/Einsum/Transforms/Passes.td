//===- Passes.td - Passes of the einsum dialect ------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_TRANSFORMS_PASSES_TD
#define TILEIR_DIALECT_EINSUM_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def EinsumContractPairwisePass : Pass<"einsum-contract-pairwise"> {
  let summary = "Split contractions of three or more operands into pairs";
  let description = [{
    Replaces a contraction of n > 2 operands by n - 1 contractions of two. The
    order is the one with the fewest multiplications, where contracting a pair
    costs the product of the sizes of all indices that either of the two uses;
    the intermediate result keeps the indices that the result or an operand
    still to come uses. Up to `max-exhaustive` operands all orders are compared
    (dynamic programming over subsets); with more the cheapest pair is taken
    repeatedly. Of equal orders the first, from left to right, is taken. A size
    that is not known counts as `unknown-size`.

    Intermediate results have the element type of the accumulator. On memrefs
    they are allocated before and freed after.

    Example: `"ij, jk, kl -> il"` with i = 2, j = 3, k = 5, l = 100 becomes

    ```mlir
    %0 = einsum.contract "ij, jk -> ik" (%a, %b)
           : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
    %1 = einsum.contract "ik, kl -> il" (%0, %c)
           : (tensor<2x5xf32>, tensor<5x100xf32>) -> tensor<2x100xf32>
    ```

    with 30 + 1000 multiplications, where the other order needs 1500 + 600.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"maxExhaustive", "max-exhaustive", "unsigned", "10",
           "Most operands for which all orders are compared (at most 16)">,
    Option<"unknownSize", "unknown-size", "int64_t", "64",
           "What the size of an index counts as when it is not known">,
    Option<"memrefs", "memrefs", "bool", "true",
           "Also split those on memrefs, which allocates and frees">
  ];
  let statistics = [
    Statistic<"numSplit", "num-split", "Contractions split into pairs">,
    Statistic<"numPairs", "num-pairs", "Contractions of two operands created">
  ];
}

def EinsumFusePass : Pass<"einsum-fuse"> {
  let summary = "Form kernels of contractions and the pointwise ops around them";
  let description = [{
    Makes an `einsum.kernel` of each contraction on tensors together with

    - its **epilogue**: pointwise ops whose operands are results of the kernel's
      ops, or tensors from outside;
    - **other contractions** whose results feed the same epilogue, if they have
      the same result shape and divide it in the same way into batch, M and
      N (if M and N are exchanged, so are the operands);
    - its **prologues**: pointwise ops that make an operand. They are computed
      again by each program that reads the element.

    All of it is what feeds one op, the kernel's last: an op joins if nothing
    outside the kernel uses its result. Constants and fills with constants are
    copied. Pointwise ops are those of `einsum.kernel`; their shapes have no
    size of 0, their elements are i1, i8, i16, i32, i64 or floats, and what they
    read from outside the kernel is not i1, which memory does not address.

    Sizes may be dynamic. A `tensor.dim` of what a kernel may compute becomes
    one of what it reads; a `tensor.empty` of dynamic shape is an operand, which
    tells its size and is not read.

    A remark tells what was formed, and why a contraction or a pointwise op did
    not join the op that uses it. Contractions of three or more operands are
    left alone: `einsum-contract-pairwise` comes before.

    Example:

    ```mlir
    func.func @f(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %c: tensor<64x48xf32>) -> tensor<64x48xf32> {
      %ab = einsum.contract "mk, kn -> mn" (%a, %b)
          : (tensor<64x32xf32>, tensor<32x48xf32>) -> tensor<64x48xf32>
      %sum = arith.addf %ab, %c : tensor<64x48xf32>
      return %sum : tensor<64x48xf32>
    }
    ```

    becomes

    ```mlir
    func.func @f(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %c: tensor<64x48xf32>) -> tensor<64x48xf32> {
      %y = einsum.kernel (%p = %a : tensor<64x32xf32>, %q = %b : tensor<32x48xf32>,
                          %r = %c : tensor<64x48xf32>) -> tensor<64x48xf32> {
        %ab = einsum.contract "mk, kn -> mn" (%p, %q)
            : (tensor<64x32xf32>, tensor<32x48xf32>) -> tensor<64x48xf32>
        %sum = arith.addf %ab, %r : tensor<64x48xf32>
        einsum.yield %sum : tensor<64x48xf32>
      }
      return %y : tensor<64x48xf32>
    }
    ```
  }];
  let dependentDialects = ["::tileir::einsum::EinsumDialect"];
  let options = [
    Option<"prologues", "prologues", "bool", "true",
           "Fuse pointwise ops that make operands">,
    Option<"recompute", "recompute", "bool", "true",
           "Also those whose elements a contraction reads several times, and "
           "so computes again">,
    Option<"maxContractions", "max-contractions", "unsigned", "4",
           "Most contractions in a kernel">
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernels formed">,
    Statistic<"numFused", "num-fused", "Ops that became part of a kernel">
  ];
}

def EinsumInlineKernelsPass : Pass<"einsum-inline-kernels"> {
  let summary = "Replace each einsum.kernel by its body";
  let description = [{
    For lowerings that do not take kernels: what stood in one is computed op by
    op, with intermediate results in memory.

    Example:

    ```mlir
    %y = einsum.kernel (%p = %a : tensor<64x32xf32>, %q = %b : tensor<32x48xf32>,
                        %r = %c : tensor<64x48xf32>) -> tensor<64x48xf32> {
      %product = einsum.contract "mk, kn -> mn" (%p, %q)
          : (tensor<64x32xf32>, tensor<32x48xf32>) -> tensor<64x48xf32>
      %sum = arith.addf %product, %r : tensor<64x48xf32>
      einsum.yield %sum : tensor<64x48xf32>
    }
    ```

    becomes

    ```mlir
    %product = einsum.contract "mk, kn -> mn" (%a, %b)
        : (tensor<64x32xf32>, tensor<32x48xf32>) -> tensor<64x48xf32>
    %sum = arith.addf %product, %c : tensor<64x48xf32>
    ```
  }];
  let statistics = [
    Statistic<"numInlined", "num-inlined", "Kernels replaced">
  ];
}

def EinsumPermuteOperandsPass : Pass<"einsum-permute-operands"> {
  let summary = "Copy operands into an order that wide accesses can read";
  let description = [{
    A kernel reads an operand by accesses of 128 bits if the last axis of the
    operand is the innermost index of M, of N or of K, alone. The image of a convolution, `nc(h+r)(w+s)`, has no such axis:
    this pass makes a copy in the order `n(h+r)(w+s)c`, by a contraction of one
    operand, and has the contraction read that.

    Of matrix products only, on tensors of static shape. The axis that becomes
    the last one is that of a summed index which is an axis of its own in both
    operands, or else that of the operand's innermost index of M or N; its size
    has to be a multiple of the elements in 128 bits. A copy reads and writes
    each element once. It pays if the kernel reads an element `min-reuse` times
    by narrow accesses, for each position of a window, and for each block of the
    other operand's M or N; or less often, if these leave most of the
    memory that they touch. Operands that are dense blocks of matrices stay as they are, in
    whatever order, and so do those with a wide last axis.

    With `row-bytes` the target has bulk copies of rows that are a multiple of so
    many bytes in memory (16 on Hopper), and instructions that multiply what they
    copy. An operand of 16-bit elements whose rows are another length is copied in
    an order with such rows, a matrix too, if the kernel reads an element twice.
    So is one of 8-bit elements, or of f32 that are multiplied as tf32, if its rows
    do not lie along K as well.

    A remark tells the order of the axes and the reuse, or why there is no
    copy: indices that are parts of other axes, or index tables, sizes that are
    no multiple, few reads, dynamic sizes. `einsum-fuse` comes after it, and
    canonicalization before it, which would undo it.

    Example:

    ```mlir
    %out = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%image, %filter)
        : (tensor<4x64x30x30xf16>, tensor<64x128x3x3xf16>) -> tensor<4x128x28x28xf16>
    ```

    becomes

    ```mlir
    %0 = einsum.contract "adbc -> abcd" (%image)
        : (tensor<4x64x30x30xf16>) -> tensor<4x30x30x64xf16>
    %1 = einsum.contract "dabc -> abcd" (%filter)
        : (tensor<64x128x3x3xf16>) -> tensor<128x3x3x64xf16>
    %out = einsum.contract "n(h+r)(w+s)c, krsc -> nkhw" (%0, %1)
        : (tensor<4x30x30x64xf16>, tensor<128x3x3x64xf16>) -> tensor<4x128x28x28xf16>
    ```
  }];
  let options = [
    Option<"minReuse", "min-reuse", "int64_t", "4",
           "How often a kernel has to read an element by narrow accesses for a "
           "copy to pay; 0: all that can be wide are">,
    Option<"block", "block", "int64_t", "128",
           "M and N of a block of the result">,
    Option<"rowBytes", "row-bytes", "int64_t", "0",
           "What divides the bytes of rows that bulk copies read; 0: there are "
           "no bulk copies">
  ];
  let statistics = [
    Statistic<"numPermuted", "num-permuted", "Operands that are copied">
  ];
}

def EinsumSplitKPass : Pass<"einsum-split-k"> {
  let summary = "Divide long sums among programs";
  let description = [{
    Makes of a contraction one for each of `factor` parts of a summed index, and
    a second one that sums these: split-K. A product of small M and N and
    large K has too few programs for a GPU; this multiplies them.

    The part is a new index of the first result, whose elements are those of
    the accumulator. The index that is split is the largest of the sum whose
    axes allow it. If it is the only one, parts are multiples of the K of the
    block of `config`. Where they reach beyond its end, the first contraction is
    padded, if each operand has an axis that is this index alone; if one has
    not, parts have to divide the index. With `factor=0`, there are as many
    parts as make the result's blocks up to `programs` programs, of four blocks
    along K at least. The sum is formed in another order, with integers to the
    same result.

    A remark tells how a contraction was split, or why it was not: sizes that
    are dynamic, indices of tables or are divided, parts that do not
    divide. `einsum-fuse` comes after it, and joins the epilogue to the second
    contraction.

    Example: with `factor=4`,

    ```mlir
    %c = einsum.contract "mk, kn -> mn" (%a, %b)
        : (tensor<64x4096xf16>, tensor<4096x64xf16>) -> tensor<64x64xf16>
    ```

    becomes

    ```mlir
    %parts = einsum.contract "m(1024*s+k), (1024*s+k)n -> smn" (%a, %b) {sizes = {k = 1024}}
        : (tensor<64x4096xf16>, tensor<4096x64xf16>) -> tensor<4x64x64xf32>
    %c = einsum.contract "smn -> mn" (%parts) : (tensor<4x64x64xf32>) -> tensor<64x64xf16>
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::tileir::tile::TileDialect"];
  let options = [
    Option<"factor", "factor", "int64_t", "0",
           "The split-K factor: parts of a sum; 1: none are split, 0: as many "
           "as fill the GPU">,
    Option<"config", "config", "std::string", "\"\"",
           "The tile configuration of the kernels, as in #tile.config<...>">,
    Option<"programs", "programs", "int64_t",
           "::tileir::machine::getDefaultGpu().sms",
           "Programs that fill the GPU: its multiprocessors">
  ];
  let statistics = [
    Statistic<"numSplit", "num-split", "Contractions split">
  ];
}

//===----------------------------------------------------------------------===//
// Schedules for the CPU
//===----------------------------------------------------------------------===//

def EinsumAttachMachinePass
    : Pass<"einsum-attach-machine", "::mlir::ModuleOp"> {
  let summary = "Say for which CPU the code of a module is";
  let description = [{
    Sets `einsum.machine` of the module to what is known of a CPU. A module that
    has a machine keeps it, if its CPU is the same. Passes never ask which CPU
    they run on; `tile-run`, which runs what it compiles, attaches that one.
    What the table of CPUs lacks is taken for one whose cores are built alike,
    with a remark: `emeraldrapids` for `sapphirerapids`.

    Example: with `cpu=znver4`, the module becomes

    ```mlir
    module attributes {einsum.machine = #einsum.machine<cpu = "znver4", vector_bits = 512,
        registers = 32, fma = 1, latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432,
        cores = 8, bf16 = true>} {
      func.func private @host()
    }
    ```
  }];
  let dependentDialects = ["::tileir::einsum::EinsumDialect"];
  let options = [Option<"cpu", "cpu", "std::string",
                        "::tileir::machine::kDefaultCpu.str()",
                        "Name of the CPU, as for LLVM">];
  let statistics = [
    Statistic<"numAttached", "num-attached", "Modules that got a machine">
  ];
}

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
      otherwise, and if there are several, the one with the smallest stride;
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
    for their iterations to divide among `threads` threads. If these do not, a
    dimension is split, exactly, and its outer part is parallel; that may be one
    of the kernel, of which whole vectors of lanes and 8 rows at least have to
    remain; around a kernel, those inside of a loop over a sum are only split.

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
    stays as it is.

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
           "Tell so many of the best kernels that are compared, in remarks">
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

def EinsumPadOperandsPass : Pass<"einsum-pad-operands"> {
  let summary = "Give operands the zeros that are read outside of them";
  let description = [{
    Kernels with a schedule read without checks. This pass makes contractions
    with `pad = "none"` of those with `pad = "zero"`, on tensors of static
    shape:

    - an operand of which some axis may be read outside gets a border of zeros
      (`tensor.pad`), and the axis is shifted by what is before it;
    - where no border will do, since a table tells what is read, a contraction
      of the operand alone, which stays padded, copies what is read into a
      tensor whose axes are the operand's indices;
    - an operand that is provably read inside stays.

    A contraction of which an operand would grow by more than `max-growth` stays
    as it is, and so does one whose only operand would be copied into the
    result. A remark tells how operands were padded, or why they were not.
    `einsum-fuse` comes after it: contractions in an `einsum.kernel` stay.

    Example:

    ```mlir
    %y = einsum.contract "nc(h+r-1)w, ckr -> nkhw" (%x, %f) {pad = "zero"}
        : (tensor<2x8x14x14xf32>, tensor<8x16x3xf32>) -> tensor<2x16x14x14xf32>
    ```

    becomes

    ```mlir
    func.func @inside(%x: tensor<2x8x14x14xf32>, %f: tensor<8x16x3xf32>)
        -> tensor<2x16x14x14xf32> {
      %zero = arith.constant 0.0 : f32
      %padded = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 1, 0] {
      ^bb0(%i: index, %j: index, %k: index, %l: index):
        tensor.yield %zero : f32
      } : tensor<2x8x14x14xf32> to tensor<2x8x16x14xf32>
      %y = einsum.contract "nc(h+r)w, ckr -> nkhw" (%padded, %f)
          : (tensor<2x8x16x14xf32>, tensor<8x16x3xf32>) -> tensor<2x16x14x14xf32>
      return %y : tensor<2x16x14x14xf32>
    }
    ```
  }];
  let options = [
    Option<"maxGrowth", "max-growth", "int64_t", "16",
           "By what factor an operand may grow">
  ];
  let statistics = [
    Statistic<"numRewritten", "num-rewritten",
              "Contractions that read inside now">,
    Statistic<"numPadded", "num-padded", "Operands with a border of zeros">,
    Statistic<"numCopied", "num-copied", "Operands copied as they are read">
  ];
}

def EinsumVerifyMemRefsPass
    : Pass<"einsum-verify-memrefs", "::mlir::ModuleOp"> {
  let summary = "Verify the contract of contractions on memrefs";
  let description = [{
    What bufferization leaves, before `convert-einsum-to-affine` and the
    lowering of memrefs. A violation is an error at the op, with the number of
    the constraint. Changes nothing.

    - (M1) There is no `einsum.kernel`.
    - (M2) No value is a tensor.
    - (M3) The memref that a contraction writes is none that it reads, also
      under another type or shape.

    Example: of

    ```mlir
    func.func @f(%a: memref<4xf32>) {
      %b = memref.cast %a : memref<4xf32> to memref<?xf32>
      einsum.contract "i -> i" (%b) outs(%a : memref<4xf32>) : (memref<?xf32>)
      return
    }
    ```

    it says `einsum-verify-memrefs M3: 'einsum.contract' op expects to write
    another memref than it reads, found the one of operand 0: copy it before`.
  }];
  let statistics = [
    Statistic<"numContractions", "num-contractions",
              "Contractions that keep the contract">
  ];
}

#endif // TILEIR_DIALECT_EINSUM_TRANSFORMS_PASSES_TD
