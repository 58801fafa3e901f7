//===- TritonGpuOps.td -------------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What `.ttir` has of the dialect ttg.

#ifndef TILEIR_DIALECT_TRITON_IR_TRITONGPUOPS_TD
#define TILEIR_DIALECT_TRITON_IR_TRITONGPUOPS_TD

include "tileir/Dialect/Triton/IR/TritonDialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TTG_BarrierOp : Op<TTG_Dialect, "barrier",
                       [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Make the accesses before it come before those after it";
  let description = [{
    `all`, or the memory that it orders. In a program of tiles, which is one
    thread of control, accesses are in order as it is.

    ```mlir
    ttg.barrier all
    ```
  }];
  let arguments = (ins StrAttr:$space);
  let hasCustomAssemblyFormat = 1;
}

#endif // TILEIR_DIALECT_TRITON_IR_TRITONGPUOPS_TD
