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

#endif // TILEIR_DIALECT_LINALG_TRANSFORMS_PASSES_TD
