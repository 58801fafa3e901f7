//===- EinsumDialect.td - The einsum dialect ---------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_IR_EINSUMDIALECT_TD
#define TILEIR_DIALECT_EINSUM_IR_EINSUMDIALECT_TD

include "mlir/IR/OpBase.td"

def Einsum_Dialect : Dialect {
  let name = "einsum";
  let cppNamespace = "::tileir::einsum";
  let summary = "Extended Einstein summation on tensors and memrefs";
  let description = [{
    A contraction whose operands are indexed by expressions of the summation
    indices: affine (convolutions), or through look-up tables (shift and sparse
    convolutions). The class of expressions is that of extended tensor
    contractions (P. Tillet's post on `triton.ops.einsum`): each axis is
    f(indices of the result) + g(summed indices), with arbitrary f and g.

    Arguments of functions may carry attributes of this dialect. Two tell tools
    how to make an example input:

    | attribute | on | meaning |
    |---|---|---|
    | `einsum.value_range = array<i64: lo, hi>` | an argument with integer elements | draw integers from lo to hi, both included |
    | `einsum.example_shape = array<i64: ...>` | an argument with dynamic sizes | the sizes to use |

    Three promise something of sizes that are known only at run time, by an entry
    for each axis. Kernels for GPUs rely on it: 128-bit accesses to elements of
    f16 need multiples of 8. Calls that break a promise fail with an error that
    names the argument, the axis and the promise, unless checks are switched off:

    | attribute | meaning of an entry | nothing is known |
    |---|---|---|
    | `einsum.multiple_of = array<i64: ...>` | the size is a multiple of it | 1 |
    | `einsum.at_least = array<i64: ...>` | the size is not less | 0 |
    | `einsum.at_most = array<i64: ...>` | the size is not greater | -1 |

    ```mlir
    func.func @main(%a: tensor<?x?xf16> {einsum.multiple_of = array<i64: 1, 8>},
                    %b: tensor<?x?xf16> {einsum.multiple_of = array<i64: 8, 8>,
                                         einsum.at_most = array<i64: 4096, -1>})
        -> tensor<?x?xf32> {
      %c = einsum.contract "mk, kn -> mn" (%a, %b)
          : (tensor<?x?xf16>, tensor<?x?xf16>) -> tensor<?x?xf32>
      return %c : tensor<?x?xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

#endif // TILEIR_DIALECT_EINSUM_IR_EINSUMDIALECT_TD
