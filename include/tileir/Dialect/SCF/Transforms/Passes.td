//===- Passes.td - Passes on scf ---------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_SCF_TRANSFORMS_PASSES_TD
#define TILEIR_DIALECT_SCF_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ScfSplitParallelLoopsPass : Pass<"scf-split-parallel-loops"> {
  let summary = "Leave as many dimensions parallel as threads need";
  let description = [{
    OpenMP makes one loop of all dimensions of an `scf.parallel`, and divides to
    tell them apart in each iteration: code that no compiler makes vectors of.
    This pass leaves the outer dimensions parallel that have `iterations`
    iterations together, and makes nested `scf.for` of the others.

    Loops stay as they are that have one dimension, whose outer dimensions have
    fewer iterations or sizes that are not known, that reduce values, and those
    around other loops, whose iterations are long.

    Example, with `iterations=16`:

    ```mlir
    func.func @fill(%m: memref<4x64x58xf32>, %x: f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c58 = arith.constant 58 : index
      %c64 = arith.constant 64 : index
      scf.parallel (%i, %j, %k) = (%c0, %c0, %c0) to (%c4, %c64, %c58) step (%c1, %c1, %c1) {
        memref.store %x, %m[%i, %j, %k] : memref<4x64x58xf32>
      }
      return
    }
    ```

    becomes

    ```mlir
    scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c64) step (%c1, %c1) {
      scf.for %k = %c0 to %c58 step %c1 {
        memref.store %x, %m[%i, %j, %k] : memref<4x64x58xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
  let options = [
    Option<"iterations", "iterations", "int64_t", /*default=*/"16",
           "How many parallel iterations are enough">
  ];
  let statistics = [
    Statistic<"numSplit", "num-split", "Parallel loops split">
  ];
}

#endif // TILEIR_DIALECT_SCF_TRANSFORMS_PASSES_TD
