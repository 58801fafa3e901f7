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
    costs the product of the sizes of all letters that either of the two uses;
    the intermediate result keeps the letters that the result or an operand
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
           "What the size of a letter counts as when it is not known">
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
      the same result shape and divide it in the same way into batch, row and
      column letters (if rows and columns are exchanged, so are the operands);
    - its **prologues**: pointwise ops that make an operand. They are computed
      again by each program that reads the element.

    All of it is what feeds one op, the kernel's last: an op joins if nothing
    outside the kernel uses its result. Constants and fills with constants are
    copied. Pointwise ops are those of `einsum.kernel`; their shapes have to be
    static, their elements i1, i8, i16, i32, i64 or floats, and what they read
    from outside the kernel is not i1, which memory does not address.

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
    operand is the innermost letter of the result's rows or columns, or of the
    sum, alone. The image of a convolution, `nc(h+r)(w+s)`, has no such axis:
    this pass makes a copy in the order `n(h+r)(w+s)c`, by a contraction of one
    operand, and has the contraction read that.

    Of matrix products only, on tensors of static shape. The axis that becomes
    the last one is that of a summed letter which is an axis of its own in both
    operands, or else that of the operand's innermost row or column; its size
    has to be a multiple of the elements in 128 bits. A copy reads and writes
    each element once. It pays if the kernel reads an element `min-reuse` times
    by narrow accesses, for each place of a window, and for each block of the
    other operand's rows or columns; or less often, if these leave most of the
    memory that they touch. Operands that are dense blocks of matrices stay as they are, in
    whatever order, and so do those with a wide last axis.

    A remark tells the order of the axes and the reuse, or why there is no
    copy: letters that are parts of other axes, or index tables, sizes that are
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
           "Rows and columns of a block of the result">
  ];
  let statistics = [
    Statistic<"numPermuted", "num-permuted", "Operands that are copied">
  ];
}

def EinsumSplitKPass : Pass<"einsum-split-k"> {
  let summary = "Divide long sums among programs";
  let description = [{
    Makes of a contraction one for each of `ways` parts of a summed letter, and
    a second one that sums these: split-K. A product of few rows and columns and
    a long sum has too few programs for a GPU; this multiplies them.

    The part is a new letter of the first result, whose elements are those of
    the accumulator. The letter that is split is the largest of the sum whose
    axes allow it. If it is the only one, parts are multiples of the depth of
    `block`. Where they reach beyond its end, the first contraction is padded,
    if each operand has an axis that is this letter alone; if one has not, parts
    have to divide the letter. With `ways=0`, there are as many parts as make
    the result's blocks up to `programs` programs, of four blocks of depth at
    least. The sum is formed in another order, with integers to the same result.

    A remark tells how a contraction was split, or why it was not: sizes that
    are dynamic, letters that index tables or are divided, parts that do not
    divide. `einsum-fuse` comes after it, and joins the epilogue to the second
    contraction.

    Example: with `ways=4`,

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
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
  let options = [
    Option<"ways", "ways", "int64_t", "0",
           "Parts of a sum; 1: none are split, 0: as many as fill the GPU">,
    ListOption<"block", "block", "int64_t",
               "Rows, columns and depth of the block of a program",
               "llvm::cl::list_init<int64_t>({128, 128, 32})">,
    Option<"programs", "programs", "int64_t", "80",
           "Programs that fill the GPU: its multiprocessors">
  ];
  let statistics = [
    Statistic<"numSplit", "num-split", "Contractions split">
  ];
}

#endif // TILEIR_DIALECT_EINSUM_TRANSFORMS_PASSES_TD
