//===- Passes.td - Passes on upstream's omp dialect --------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_OPENMP_TRANSFORMS_PASSES_TD
#define TILEIR_DIALECT_OPENMP_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def OpenMPSkipBarriersPass : Pass<"openmp-skip-barriers"> {
  let summary = "Let threads end a parallel region without waiting twice";
  let description = [{
    Threads wait for each other at the end of an `omp.wsloop`, and again at the
    end of the `omp.parallel` around it. This pass marks the loop `nowait` where
    nothing comes between the two, which is what `convert-scf-to-openmp` makes
    of each parallel loop. Loops that reduce values stay as they are.

    Example:

    ```mlir
    func.func @fill(%m: memref<64xf32>, %x: f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      omp.parallel {
        omp.wsloop {
          omp.loop_nest (%i) : index = (%c0) to (%c64) step (%c1) {
            memref.store %x, %m[%i] : memref<64xf32>
            omp.yield
          }
        }
        omp.terminator
      }
      return
    }
    ```

    becomes

    ```mlir
    omp.parallel {
      omp.wsloop nowait {
        omp.loop_nest (%i) : index = (%c0) to (%c64) step (%c1) {
          memref.store %x, %m[%i] : memref<64xf32>
          omp.yield
        }
      }
      omp.terminator
    }
    ```
  }];
  let dependentDialects = ["::mlir::omp::OpenMPDialect"];
  let statistics = [
    Statistic<"numSkipped", "num-skipped", "Barriers that threads skip">
  ];
}

#endif // TILEIR_DIALECT_OPENMP_TRANSFORMS_PASSES_TD
