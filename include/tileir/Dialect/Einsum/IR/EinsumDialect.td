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

    Function arguments may carry two attributes of this dialect, which tell
    tools how to make an example input; neither changes what a program means:

    | attribute | on | meaning |
    |---|---|---|
    | `einsum.value_range = array<i64: lo, hi>` | an argument with integer elements | draw integers from lo to hi, both included |
    | `einsum.example_shape = array<i64: ...>` | an argument with dynamic sizes | the sizes to use |
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
