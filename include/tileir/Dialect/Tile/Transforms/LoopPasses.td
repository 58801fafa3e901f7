//===- LoopPasses.td - Passes on loops of kernels ----------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of Passes.td: what changes when loops load tiles, before these have
// layouts.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_TRANSFORMS_LOOPPASSES_TD
#define TILEIR_DIALECT_TILE_TRANSFORMS_LOOPPASSES_TD

include "mlir/Pass/PassBase.td"

def TilePrefetchPass : Pass<"tile-prefetch"> {
  let summary = "Load the tiles of dots some iterations ahead";
  let description = [{
    Software-pipelines each `scf.for` of a kernel in which `tile.load` or
    `tile.load_view` feed a `tile.dot` (MAPL 2019, listing 7): the loads, and
    what computes their pointers and masks, are run `stages` - 1 iterations
    ahead of the rest, where `stages` is that of the kernel's `tile.config`;
    with one stage there is nothing to do. Those of the first iterations stand
    before the loop, under the mask "there is such an iteration"; in the loop,
    those of iteration i + stages - 1 come before the dot of iteration i, and
    are masked so that nothing is read after the last one; but views of at most
    128 bytes that are surely inside read the first elements of their memref then.

    A loop is kept, and a remark says why, if a load that would be run ahead
    depends on a dot, or on an op that may fail after the last iteration, and if
    the loop writes memory, unless all that is loaded ahead is reached through
    arguments with `tile.readonly` and `tile.noalias`. The induction variable
    must not overflow in the `stages` - 1 iterations after the last one.

    Example, with 2 stages:

    ```mlir
    %r:2 = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %zero, %p = %p0)
        -> (tensor<8x8xf32>, tensor<8x8x!tile.ptr<f32>>) : i32 {
      %a = tile.load %p : tensor<8x8x!tile.ptr<f32>>
      %sum = tile.dot %a, %b, %acc
          : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
      %next = tile.addptr %p, %step : tensor<8x8x!tile.ptr<f32>>, tensor<8x8xi32>
      scf.yield %sum, %next : tensor<8x8xf32>, tensor<8x8x!tile.ptr<f32>>
    }
    ```

    becomes

    ```mlir
    %any = arith.cmpi slt, %c0, %n : i32
    %m0 = tile.splat %any : i1 -> tensor<8x8xi1>
    %a0 = tile.load %p0 mask %m0 : tensor<8x8x!tile.ptr<f32>>
    %p1 = tile.addptr %p0, %step : tensor<8x8x!tile.ptr<f32>>, tensor<8x8xi32>
    %r:3 = scf.for %k = %c0 to %n step %c8
        iter_args(%acc = %zero, %p = %p1, %a = %a0)
        -> (tensor<8x8xf32>, tensor<8x8x!tile.ptr<f32>>, tensor<8x8xf32>) : i32 {
      %last = arith.subi %n, %c8 : i32
      %more = arith.cmpi slt, %k, %last : i32
      %m = tile.splat %more : i1 -> tensor<8x8xi1>
      %ahead = tile.load %p mask %m : tensor<8x8x!tile.ptr<f32>>
      %sum = tile.dot %a, %b, %acc
          : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
      %next = tile.addptr %p, %step : tensor<8x8x!tile.ptr<f32>>, tensor<8x8xi32>
      scf.yield %sum, %next, %ahead
          : tensor<8x8xf32>, tensor<8x8x!tile.ptr<f32>>, tensor<8x8xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::tileir::tile::TileDialect"];
  let statistics = [
    Statistic<"numPipelined", "num-pipelined", "Loops pipelined">,
    Statistic<"numKept", "num-kept", "Loops with dots that were kept">
  ];
}

def TileFuseLoopsPass : Pass<"tile-fuse-loops"> {
  let summary = "Make one loop of two that load the same tile";
  let description = [{
    Makes one loop of two neighbours of a kernel that have the same bounds and
    load a tile of the same place in each iteration, as two products of one
    operand do. The second one must not depend on the first one, and between
    them nothing may write to memory. Loads that the loop then has twice are
    one after `cse`. A remark tells of each pair with such a load, and why it
    is kept.

    Example:

    ```mlir
    %p = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load_view %a[%c0, %k] : memref<64x?xf16> -> tensor<64x32xf16>
      %y = tile.load_view %b[%k, %c0] : memref<?x64xf16> -> tensor<32x64xf16>
      %sum = tile.dot %x, %y, %acc
          : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
      scf.yield %sum : tensor<64x64xf32>
    }
    %q = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load_view %a[%c0, %k] : memref<64x?xf16> -> tensor<64x32xf16>
      %y = tile.load_view %c[%k, %c0] : memref<?x64xf16> -> tensor<32x64xf16>
      %sum = tile.dot %x, %y, %acc
          : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
      scf.yield %sum : tensor<64x64xf32>
    }
    ```

    becomes, with `cse`,

    ```mlir
    %0:2 = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero, %acc_0 = %zero)
        -> (tensor<64x64xf32>, tensor<64x64xf32>) {
      %x = tile.load_view %a[%c0, %k] : memref<64x?xf16> -> tensor<64x32xf16>
      %y = tile.load_view %b[%k, %c0] : memref<?x64xf16> -> tensor<32x64xf16>
      %sum = tile.dot %x, %y, %acc
          : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
      %z = tile.load_view %c[%k, %c0] : memref<?x64xf16> -> tensor<32x64xf16>
      %sum_1 = tile.dot %x, %z, %acc_0
          : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
      scf.yield %sum, %sum_1 : tensor<64x64xf32>, tensor<64x64xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numFused", "num-fused", "Loops fused with the one before">,
    Statistic<"numKept", "num-kept", "Loops that load the same tile, and stay">
  ];
}

def TileCarryOffsetsPass : Pass<"tile-carry-offsets"> {
  let summary = "Carry numbers instead of tiles that go up by one number";
  let description = [{
    Where an `scf.for` carries a tile of pointers or integers, to which each
    iteration adds a `tile.splat` or constant of equal elements, a scalar is
    carried instead, which is added to the tile before the loop. So pointers keep
    their form: what is known of the first ones holds for all. Tiles with
    layouts stay.

    Example:

    ```mlir
    scf.for %k = %c0 to %n step %c1 iter_args(%at = %p) -> (tensor<8x!tile.ptr<f32>>) {
      tile.store %at, %x : tensor<8x!tile.ptr<f32>>
      %next = tile.addptr %at, %eights : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
      scf.yield %next : tensor<8x!tile.ptr<f32>>
    }
    ```

    becomes, with `%eights` a constant,

    ```mlir
    scf.for %k = %c0 to %n step %c1 iter_args(%offset = %zero) -> (i64) {
      %offsets = tile.splat %offset : i64 -> tensor<8xi64>
      %at = tile.addptr %p, %offsets : tensor<8x!tile.ptr<f32>>, tensor<8xi64>
      tile.store %at, %x : tensor<8x!tile.ptr<f32>>
      %eight = arith.constant 8 : i32
      %step = arith.extsi %eight : i32 to i64
      %next = arith.addi %offset, %step : i64
      scf.yield %next : i64
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::tileir::tile::TileDialect"];
  let statistics = [
    Statistic<"numCarried", "num-carried", "Tiles that became numbers">
  ];
}

#endif // TILEIR_DIALECT_TILE_TRANSFORMS_LOOPPASSES_TD
