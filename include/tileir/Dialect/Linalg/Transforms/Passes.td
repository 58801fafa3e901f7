//===- Passes.td - Passes on linalg ------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_LINALG_TRANSFORMS_PASSES_TD
#define TILEIR_DIALECT_LINALG_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LinalgComputeInPlacePass
    : Pass<"linalg-compute-in-place", "::mlir::func::FuncOp"> {
  let summary = "Compute element-wise results where an operand was";
  let description = [{
    An element-wise `linalg.generic` whose result goes into an empty tensor gets
    one of its operands in the place of that, if nothing uses the operand
    afterwards, and it has the type of the result and is read at the same
    elements. So bufferization computes in place, and a row of elements takes
    half of the first cache.

    Example:

    ```mlir
    func.func @square_root(%x: tensor<8xf32>) -> tensor<8xf32> {
      %empty = tensor.empty() : tensor<8xf32>
      %root = linalg.generic {
          indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
          iterator_types = ["parallel"]}
          ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %y = math.sqrt %in : f32
        linalg.yield %y : f32
      } -> tensor<8xf32>
      return %root : tensor<8xf32>
    }
    ```

    becomes

    ```mlir
    %root = linalg.generic {
        indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
        iterator_types = ["parallel"]}
        ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %y = math.sqrt %in : f32
      linalg.yield %y : f32
    } -> tensor<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
  let statistics = [
    Statistic<"numInPlace", "num-in-place", "Results in the place of operands">
  ];
}

def LinalgRecomputeIndicesPass
    : Pass<"linalg-recompute-indices", "::mlir::func::FuncOp"> {
  let summary = "Compute indices and masks where they are used";
  let description = [{
    An element-wise `linalg.generic` gets copies of the ops that compute its
    operands of integers, and of the reshapes between them, if others use them,
    too. So fusion, which takes in what has one user, leaves no tensor of them.
    Copied are ops of a few instructions on integers, or comparisons, whose
    operands are smaller than their result or are copied themselves, and all
    such ops that make an `i1`, which no vector reads from memory.

    Example:

    ```mlir
    #row = affine_map<(i) -> (i)>
    func.func @both(%n: i32, %x: tensor<8xf32>, %y: tensor<8xf32>)
        -> (tensor<8xf32>, tensor<8xf32>) {
      %zero = arith.constant 0.0 : f32
      %bits = tensor.empty() : tensor<8xi1>
      %empty = tensor.empty() : tensor<8xf32>
      %mask = linalg.generic {
          indexing_maps = [#row], iterator_types = ["parallel"]}
          outs(%bits : tensor<8xi1>) {
      ^bb0(%out: i1):
        %i = linalg.index 0 : index
        %number = arith.index_cast %i : index to i32
        %inside = arith.cmpi slt, %number, %n : i32
        linalg.yield %inside : i1
      } -> tensor<8xi1>
      %a = linalg.generic {
          indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
          ins(%mask, %x : tensor<8xi1>, tensor<8xf32>)
          outs(%empty : tensor<8xf32>) {
      ^bb0(%inside: i1, %in: f32, %out: f32):
        %z = arith.select %inside, %in, %zero : f32
        linalg.yield %z : f32
      } -> tensor<8xf32>
      %b = linalg.generic {
          indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
          ins(%mask, %y : tensor<8xi1>, tensor<8xf32>)
          outs(%empty : tensor<8xf32>) {
      ^bb0(%inside: i1, %in: f32, %out: f32):
        %z = arith.select %inside, %zero, %in : f32
        linalg.yield %z : f32
      } -> tensor<8xf32>
      return %a, %b : tensor<8xf32>, tensor<8xf32>
    }
    ```

    gets a copy of the first op for each of the others.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
  let statistics = [
    Statistic<"numRecomputed", "num-recomputed", "Ops that were copied">
  ];
}

#endif // TILEIR_DIALECT_LINALG_TRANSFORMS_PASSES_TD
