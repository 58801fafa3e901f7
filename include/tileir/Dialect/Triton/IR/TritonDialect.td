//===- TritonDialect.td ------------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TRITON_IR_TRITONDIALECT_TD
#define TILEIR_DIALECT_TRITON_IR_TRITONDIALECT_TD

include "mlir/IR/OpBase.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::tileir::triton";
  let summary = "The IR of Triton before layouts, as input";
  let description = [{
    What Triton 3.4 to 3.9 write as `.ttir`: a kernel in Python after Triton's
    passes on machine-independent IR. The ops, attributes and types are those
    that kernels use, in the text that Triton prints; `arith`, `math`, `scf` and
    `cf` are upstream's. `convert-triton-to-tile` makes tile programs of it,
    which is the only thing to do with it: ops fold nothing, and say no more of
    their meaning than the conversion needs.

    Attributes of arguments and of ops that begin with `tt.` are hints to Triton;
    the conversion says which of them it takes.

    ```mlir
    tt.func public @scale(%x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32},
                          %n: i32) attributes {noinline = false} {
      %c64 = arith.constant 64 : i32
      %pid = tt.get_program_id x : i32
      %start = arith.muli %pid, %c64 : i32
      %lane = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %first = tt.splat %start : i32 -> tensor<64xi32>
      %i = arith.addi %first, %lane : tensor<64xi32>
      %size = tt.splat %n : i32 -> tensor<64xi32>
      %mask = arith.cmpi slt, %i, %size : tensor<64xi32>
      %base = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %p = tt.addptr %base, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %x = tt.load %p, %mask : tensor<64x!tt.ptr<f32>>
      %y = arith.addf %x, %x : tensor<64xf32>
      tt.store %p, %y, %mask : tensor<64x!tt.ptr<f32>>
      tt.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerOperations();
  }];
}

def TTG_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::tileir::triton";
  let summary = "What `.ttir` has of Triton's IR for GPUs";
  let description = [{
    Newer releases write barriers of kernels by an op of this dialect.
  }];
}

#endif // TILEIR_DIALECT_TRITON_IR_TRITONDIALECT_TD
