//===- Passes.td - Passes of the einsum dialect ------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_TRANSFORMS_PASSES_TD
#define TILEIR_DIALECT_EINSUM_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "tileir/Dialect/Einsum/Transforms/SchedulePasses.td"

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

def EinsumFoldUnitDimsPass : Pass<"einsum-fold-unit-dims"> {
  let summary = "Drop dimensions of size 1 from contractions";
  let description = [{
    Drops from contractions on tensors each index of the result that has size 1,
    and each axis of an operand that has size 1 and is read at 0; around the
    contraction there is a `tensor.collapse_shape` or `tensor.expand_shape`
    instead. It is to contractions what `linalg-fold-unit-extent-dims` is to
    linalg: after both, those of one network have equal ranks, and the reshapes
    between them cancel out, which would hide from `einsum-fuse` what can be
    fused.

    An index stays if it is the only one of M or of N, if a table is looked up by
    it, or if the axis of its window has more than the window. A contraction with `outs` or with a schedule stays as it is.
    What a `tensor.expand_shape` makes and `bufferization.materialize_in_destination` stores is stored as it was before, to a
    `memref.collapse_shape` of the buffer, so that a kernel can write it there.

    Example: a convolution of one image by filters of 1x1,

    ```mlir
    %y = einsum.contract "nchw, kc(0)(0) -> nkhw" (%x, %f)
        : (tensor<1x8x14x14xf32>, tensor<16x8x1x1xf32>) -> tensor<1x16x14x14xf32>
    ```

    becomes

    ```mlir
    func.func @folded(%x: tensor<1x8x14x14xf32>, %f: tensor<16x8x1x1xf32>)
        -> tensor<1x16x14x14xf32> {
      %image = tensor.collapse_shape %x [[0, 1], [2], [3]]
          : tensor<1x8x14x14xf32> into tensor<8x14x14xf32>
      %filters = tensor.collapse_shape %f [[0], [1, 2, 3]]
          : tensor<16x8x1x1xf32> into tensor<16x8xf32>
      %z = einsum.contract "chw, kc -> khw" (%image, %filters)
          : (tensor<8x14x14xf32>, tensor<16x8xf32>) -> tensor<16x14x14xf32>
      %y = tensor.expand_shape %z [[0, 1], [2], [3]] output_shape [1, 16, 14, 14]
          : tensor<16x14x14xf32> into tensor<1x16x14x14xf32>
      return %y : tensor<1x16x14x14xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numFolded", "num-folded", "Contractions of fewer dimensions">,
    Statistic<"numIndices", "num-indices", "Indices dropped">,
    Statistic<"numStores", "num-stores", "Results stored with fewer dimensions">
  ];
}

def EinsumChooseLayoutsPass : Pass<"einsum-choose-layouts"> {
  let summary = "Choose the order of axes of tensors between contractions";
  let description = [{
    Contractions read and make tensors in any order of their axes, but not at
    the same speed: where images have their channels as the last axis, vectors
    of results are stored as they are, and operands are read along lines.

    Tensors that pointwise ops, `tensor.pad`, `linalg.fill` and poolings
    (`linalg.pooling_nchw_max` and `_sum`) lead to each other share one order.
    Of those that are static, of three axes or more, and neither arguments of
    the function nor returned or read by other ops, this pass makes the
    channels the last axis where that takes fewer cycles, by the model of
    `einsum-choose-schedule`: first all of them, and then all but those for
    which it takes more. Channels are the axis of the result of a contraction
    that one of its operands alone has, if that has no other of these axes;
    else the one that both have. Of a permutation they are the axis that is
    last on its other side; permutations that change no order any more are
    gone. Results of the function stay the same, but for the order in which sums
    are added up.

    Comes after `einsum-pad-operands` and before `einsum-fuse`.

    Example: in

    ```mlir
    func.func @twice(%x: tensor<1x64x58x58xf32>, %v: tensor<64x64x3x3xf32>, %w: tensor<64x64x3x3xf32>)
        -> tensor<1x64x54x54xf32> {
      %y = einsum.contract "nc(h+r)(w+s), kcrs -> nkhw" (%x, %v)
          : (tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32>
      %e = math.absf %y : tensor<1x64x56x56xf32>
      %z = einsum.contract "nc(h+r)(w+s), kcrs -> nkhw" (%e, %w)
          : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x54x54xf32>
      return %z : tensor<1x64x54x54xf32>
    }
    ```

    `%y` and `%e` become tensors of 1x56x56x64, the specifications
    `nc(h+r)(w+s), kcrs -> nhwk` and `n(h+r)(w+s)c, kcrs -> nkhw`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"always", "always", "bool", "false",
           "Reorder all tensors that can be, whatever the model says">
  ];
  let statistics = [
    Statistic<"numReordered", "num-reordered",
              "Tensors that are in another order">
  ];
}

def EinsumHoistInvariantsPass : Pass<"einsum-hoist-invariants"> {
  let summary = "Compute once what a pointwise op after a contraction repeats";
  let description = [{
    A `linalg.generic` that reads the result of a contraction, and becomes its
    epilogue, may compute the same for many elements, as the scale of a
    normalization, which depends on the channel alone. This pass computes that
    by a `linalg.generic` over the dimensions that it depends on. Results stay
    the same, bit by bit.

    What is computed for fewer than `min-reuse` elements stays, and so do
    conversions by themselves, elements of less than 8 bits, which kernels do not
    read, ops on dynamic shapes or with regions in their bodies, and what depends
    on no dimension. `einsum-fuse` with `recompute = false`, which comes after it,
    leaves such ops outside of kernels.

    Example: in

    ```mlir
    #element = affine_map<(k, p) -> (k, p)>
    #channel = affine_map<(k, p) -> (k)>
    func.func @scaled(%a: tensor<16x8xf32>, %b: tensor<8x100xf32>, %v: tensor<16xf32>)
        -> tensor<16x100xf32> {
      %c = einsum.contract "kc, cp -> kp" (%a, %b)
          : (tensor<16x8xf32>, tensor<8x100xf32>) -> tensor<16x100xf32>
      %e = tensor.empty() : tensor<16x100xf32>
      %d = linalg.generic {indexing_maps = [#element, #channel, #element],
                           iterator_types = ["parallel", "parallel"]}
          ins(%c, %v : tensor<16x100xf32>, tensor<16xf32>)
          outs(%e : tensor<16x100xf32>) {
      ^bb0(%x: f32, %variance: f32, %out: f32):
        %scale = math.rsqrt %variance : f32
        %y = arith.mulf %x, %scale : f32
        linalg.yield %y : f32
      } -> tensor<16x100xf32>
      return %d : tensor<16x100xf32>
    }
    ```

    the 16 roots are computed before, instead of 1600.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"minReuse", "min-reuse", "int64_t", "4",
           "For how many elements a value is computed at least">
  ];
  let statistics = [
    Statistic<"numHoisted", "num-hoisted", "Values computed once">
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
           "Also those whose elements a contraction, or a pointwise op of more "
           "dimensions, reads several times, and so computes again">,
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
