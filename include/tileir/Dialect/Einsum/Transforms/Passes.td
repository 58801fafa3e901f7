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

    A remark tells what was formed, and why a contraction did not join the op
    that uses it. Contractions of three or more operands are left alone:
    `einsum-contract-pairwise` comes before.

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

#endif // TILEIR_DIALECT_EINSUM_TRANSFORMS_PASSES_TD
