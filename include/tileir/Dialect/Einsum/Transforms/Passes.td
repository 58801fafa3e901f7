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

#endif // TILEIR_DIALECT_EINSUM_TRANSFORMS_PASSES_TD
