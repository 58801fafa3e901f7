//===- SharedMemoryPasses.td - Passes on shared memory -----*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of Passes.td: which tiles go through shared memory, where they are in
// it, and where warps wait for each other because of it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_TRANSFORMS_SHAREDMEMORYPASSES_TD
#define TILEIR_DIALECT_TILE_TRANSFORMS_SHAREDMEMORYPASSES_TD

include "mlir/Pass/PassBase.td"

def TilePipelinePass : Pass<"tile-pipeline"> {
  let summary = "Copy the operands of products to shared memory ahead";
  let description = [{
    On targets with asynchronous copies (`async` of `#tile.target`), a load in a
    loop whose result is only converted to the layout of an operand, through
    shared memory, becomes a `tile.async_load_view` or `tile.async_load` into a
    ring of buffers, and the conversion a `tile.local_load`. There are as many
    stages as the kernel's `tile.config` says, N: copies are begun N - 1 steps
    ahead, those of the first steps before the loop; those of a step are one
    group. Masks of the loads are those of the copies, and none of them reads
    anything after the last step. The loop carries the stage of the step before
    as its last value; the one of a step is one less, modulo N.

    A load is kept, for `tile-prefetch`, if its result is computed with before it
    is multiplied, if fewer than 4 bytes follow one another in global and in
    shared memory, and where `tile-prefetch` would keep it. A remark says why. If
    the stages need more shared memory than the chip has, that is an error.

    Example, with 2 stages, but for layouts, of

    ```mlir
    %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %ga = tile.load_view %a[%row, %k] : memref<?x?xf16> -> tensor<64x32xf16>
      %gb = tile.load_view %b[%k, %column] : memref<?x?xf16> -> tensor<32x64xf16>
      %fa = tile.convert_layout %ga : tensor<64x32xf16> -> tensor<64x32xf16>
      %fb = tile.convert_layout %gb : tensor<32x64xf16> -> tensor<32x64xf16>
      %sum = tile.dot %fa, %fb, %acc
          : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
      scf.yield %sum : tensor<64x64xf32>
    }
    ```

    the loop, before which the copies of its first step have begun, becomes

    ```mlir
    %r:4 = scf.for %k = %c0 to %n step %c32
        iter_args(%acc = %zero, %ta = %ta0, %tb = %tb0, %before = %first)
        -> (tensor<64x64xf32>, !tile.token, !tile.token, i32) {
      %next = arith.xori %before, %c1 : i32
      %i = arith.index_cast %before : i32 to index
      %j = arith.index_cast %next : i32 to index
      %end = arith.subi %n, %c32 : index
      %more = arith.cmpi slt, %k, %end : index
      %ahead = arith.addi %k, %c32 : index
      tile.async_wait %ta, %tb {pending = 0}
      %ta1 = tile.async_load_view %a[%row, %ahead], %sa[%i] mask %more with_next
          : memref<?x?xf16>, !tile.buffer<2x64x32xf16> as tensor<64x32xf16>
      %tb1 = tile.async_load_view %b[%ahead, %column], %sb[%i] mask %more
          : memref<?x?xf16>, !tile.buffer<2x32x64xf16> as tensor<32x64xf16>
      %fa = tile.local_load %sa[%j] : !tile.buffer<2x64x32xf16> -> tensor<64x32xf16>
      %fb = tile.local_load %sb[%j] : !tile.buffer<2x32x64xf16> -> tensor<32x64xf16>
      %sum = tile.dot %fa, %fb, %acc
          : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
      scf.yield %sum, %ta1, %tb1, %next
          : tensor<64x64xf32>, !tile.token, !tile.token, i32
    }
    tile.async_wait {pending = 0}
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::tileir::tile::TileDialect"];
  let statistics = [
    Statistic<"numPipelined", "num-pipelined", "Loops pipelined">,
    Statistic<"numCopies", "num-copies", "Loads that became asynchronous">,
    Statistic<"numKept", "num-kept", "Loads, or loops with loads, that were kept">
  ];
}

def TileSliceDepthPass : Pass<"tile-slice-depth", "::mlir::ModuleOp"> {
  let summary = "Load registers for the next slice of K while one is multiplied";
  let description = [{
    In a loop of `tile-pipeline` that reads both operands of one `tile.mma` from
    shared memory, the product is cut along K: into slices of as many elements as
    an instruction of the atom takes, or more where smaller slices would be read
    by more accesses. Each slice is loaded before the one before it is
    multiplied. The first slice of a step is loaded in the step before, after its
    other loads, the wait for the copies, and the begin of later ones; the loop
    carries it.

    Other loops are kept: those with other effects, or with more products. A
    remark says why.

    Example: with two slices, but for layouts and masks, with `tile.dot` for
    `tile.mma`, of

    ```mlir
    %r:3 = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero, %t = %t0, %i = %c0)
        -> (tensor<64x64xf32>, !tile.token, index) {
      tile.async_wait %t {pending = 0}
      %j = arith.xori %i, %c1 : index
      %t1 = tile.async_load_view %a[%row, %k], %sa[%j]
          : memref<?x?xf16>, !tile.buffer<2x64x32xf16> as tensor<64x32xf16>
      %fa = tile.local_load %sa[%i] : !tile.buffer<2x64x32xf16> -> tensor<64x32xf16>
      %fb = tile.local_load %sb : !tile.buffer<32x64xf16> -> tensor<32x64xf16>
      %sum = tile.dot %fa, %fb, %acc
          : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
      scf.yield %sum, %t1, %j : tensor<64x64xf32>, !tile.token, index
    }
    ```

    the loop, before which its step 0 has waited and loaded, becomes

    ```mlir
    %r:5 = scf.for %k = %c0 to %n step %c32
        iter_args(%acc = %zero, %t = %t1, %i = %c1, %a0 = %fa0, %b0 = %fb0)
        -> (tensor<64x64xf32>, !tile.token, index, tensor<64x16xf16>, tensor<16x64xf16>) {
      %before = arith.xori %i, %c1 : index
      %a1 = tile.local_load %sa[%before] at [0, 16] : !tile.buffer<2x64x32xf16> -> tensor<64x16xf16>
      %b1 = tile.local_load %sb at [16, 0] : !tile.buffer<32x64xf16> -> tensor<16x64xf16>
      %half = tile.dot %a0, %b0, %acc
          : tensor<64x16xf16>, tensor<16x64xf16>, tensor<64x64xf32>
      %next = arith.addi %k, %c32 : index
      tile.async_wait %t {pending = 0}
      %j = arith.xori %i, %c1 : index
      %t2 = tile.async_load_view %a[%row, %next], %sa[%j]
          : memref<?x?xf16>, !tile.buffer<2x64x32xf16> as tensor<64x32xf16>
      %a2 = tile.local_load %sa[%i] at [0, 0] : !tile.buffer<2x64x32xf16> -> tensor<64x16xf16>
      %b2 = tile.local_load %sb at [0, 0] : !tile.buffer<32x64xf16> -> tensor<16x64xf16>
      %sum = tile.dot %a1, %b1, %half
          : tensor<64x16xf16>, tensor<16x64xf16>, tensor<64x64xf32>
      scf.yield %sum, %t2, %j, %a2, %b2
          : tensor<64x64xf32>, !tile.token, index, tensor<64x16xf16>, tensor<16x64xf16>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::tileir::tile::TileDialect"];
  let statistics = [
    Statistic<"numSliced", "num-sliced", "Loops whose products are cut">,
    Statistic<"numKept", "num-kept", "Loops of tile-pipeline that were kept">
  ];
}

def TilePromoteSharedPass : Pass<"tile-promote-shared"> {
  let summary = "Move what warps exchange through shared memory";
  let description = [{
    Replaces each `tile.convert_layout` of a kernel that has to move elements
    between warps (or that shuffles cannot do) by a buffer, laid out such that
    both accesses have the fewest bank conflicts: a `tile.local_store` where the
    conversion was, and a `tile.local_load` before the first use of its result.
    Predicates are widened to i8 for that.

    Before, a `tile.reduce` along an axis that warps share becomes a reduction
    within each warp, a conversion of one element per warp, and a reduction of
    those; a `tile.scan` along such an axis is converted as a whole. Afterwards
    reductions, scans and conversions stay within a warp.

    One thread gets each element of the result of an atomic access or a volatile
    load: where other warps hold it, too, it goes through a buffer. A scalar is a
    tile of one element there.

    A conversion whose buffer would be too large goes by halves, one after the
    other, if there is a bit of an axis that registers choose before and after:
    `tile.split`, two conversions, `tile.join`.

    If the kernel's `tile.config` has two stages (on targets with asynchronous
    copies: two or more), a conversion in a loop (one
    that stands in the kernel itself) of a tile that the loop loads or carries
    gets two buffers, used in turn: the next iteration need not wait until this
    one is read. Which one it is is carried as an index, the last value of the
    loop.

    Example:

    ```mlir
    #rows = #tile.layout<blocked shape = [64, 64], register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
    #columns = #tile.layout<blocked shape = [64, 64], register = [8, 1], lane = [8, 4], warp = [1, 4], order = [0, 1]>
    func.func @f(%b: memref<64x64xf32>) attributes {tile.kernel, tile.num_warps = 4 : i64} {
      %c0 = arith.constant 0 : index
      %x = tile.load_view %b[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32, #rows>
      %y = tile.convert_layout %x : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
      tile.store_view %y, %b[%c0, %c0] : tensor<64x64xf32, #columns>, memref<64x64xf32>
      return
    }
    ```

    The conversion becomes, but for the layouts,

    ```mlir
    %s = tile.alloc : !tile.buffer<64x64xf32>
    tile.local_store %x, %s : tensor<64x64xf32>, !tile.buffer<64x64xf32>
    %y = tile.local_load %s : !tile.buffer<64x64xf32> -> tensor<64x64xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::tileir::tile::TileDialect"];
  let options = [
    Option<"maxBytes", "max-bytes", "uint64_t", "0",
           "Most bytes that the buffers of one conversion may take; 0: what "
           "the module's #tile.target says, if it has one">
  ];
  let statistics = [
    Statistic<"numBuffers", "num-buffers",
              "Conversions that go through shared memory">,
    Statistic<"numStaged", "num-staged", "Conversions with two buffers">,
    Statistic<"numHalved", "num-halved", "Conversions by halves">,
    Statistic<"numReductions", "num-reductions",
              "Reductions and scans that were across warps">,
    Statistic<"numTold", "num-told",
              "Results of atomic accesses and volatile loads that go to other "
              "warps">
  ];
}

def TileAllocateSharedPass : Pass<"tile-allocate-shared"> {
  let summary = "Give buffers their places in shared memory";
  let description = [{
    Sets `offset` of each `tile.alloc` of a kernel, and `tile.shared_bytes` of the
    kernel to the bytes that all take together. A buffer lives from its first
    access to its last one, and all through loops that leave something in it for
    another iteration or for what comes after; buffers that do not live at the
    same time share memory, if they do not fit in the first `share-above` bytes:
    it takes barriers to keep them in order.

    Example:

    ```mlir
    func.func @f() attributes {tile.kernel} {
      %x = arith.constant dense<1.0> : tensor<64x64xf32>
      %y = arith.constant dense<2.0> : tensor<64x64xf32>
      %a = tile.alloc : !tile.buffer<64x64xf32>
      %b = tile.alloc : !tile.buffer<64x64xf32>
      tile.local_store %x, %a : tensor<64x64xf32>, !tile.buffer<64x64xf32>
      %u = tile.local_load %a : !tile.buffer<64x64xf32> -> tensor<64x64xf32>
      tile.local_store %y, %b : tensor<64x64xf32>, !tile.buffer<64x64xf32>
      %v = tile.local_load %b : !tile.buffer<64x64xf32> -> tensor<64x64xf32>
      return
    }
    ```

    Both get `{offset = 0 : i64}`, and the kernel `tile.shared_bytes = 16384`.
  }];
  let options = [
    Option<"capacity", "capacity", "uint64_t", "0",
           "Bytes of shared memory that a program may use; 0 for any number">,
    Option<"shareAbove", "share-above", "uint64_t", "4096",
           "Bytes up to which buffers do not share memory">
  ];
  let statistics = [
    Statistic<"numBuffers", "num-buffers", "Buffers placed">,
    Statistic<"numBytes", "num-bytes", "Bytes of shared memory of all kernels">
  ];
}

def TileInsertFencesPass : Pass<"tile-insert-fences"> {
  let summary = "Let bulk stores see what threads store to shared memory";
  let description = [{
    Inserts a `tile.proxy_fence` behind each `tile.local_store` to a buffer that a
    `tile.bulk_store` reads, unless there is one before the next barrier.

    Before `tile-insert-barriers`, which orders the two.

    Example:

    ```mlir
    func.func @f(%m: memref<?x?xf32>, %i: index) attributes {tile.kernel} {
      %x = arith.constant dense<0.0> : tensor<64x64xf32>
      %s = tile.alloc : !tile.buffer<64x64xf32>
      tile.local_store %x, %s : tensor<64x64xf32>, !tile.buffer<64x64xf32>
      tile.bulk_store %s, %m[%i, %i] : !tile.buffer<64x64xf32>, memref<?x?xf32>
      tile.bulk_store_wait pending 0
      return
    }
    ```

    becomes

    ```mlir
    func.func @f(%m: memref<?x?xf32>, %i: index) attributes {tile.kernel} {
      %x = arith.constant dense<0.0> : tensor<64x64xf32>
      %s = tile.alloc : !tile.buffer<64x64xf32>
      tile.local_store %x, %s : tensor<64x64xf32>, !tile.buffer<64x64xf32>
      tile.proxy_fence
      tile.bulk_store %s, %m[%i, %i] : !tile.buffer<64x64xf32>, memref<?x?xf32>
      tile.bulk_store_wait pending 0
      return
    }
    ```
  }];
  let statistics = [
    Statistic<"numFences", "num-fences", "Fences inserted">
  ];
}

def TileInsertBarriersPass : Pass<"tile-insert-barriers"> {
  let summary = "Order the accesses of threads to shared memory";
  let description = [{
    Inserts a `tile.barrier` before each access to shared memory that another
    thread's access may still forbid: a load of what was stored, or a store to
    what was loaded or stored, since the last barrier on some path, around loops
    too. None is inserted where each thread keeps to its own elements, where
    buffers do not overlap, and between two buffers that iterations use in turn.

    Example, but for the layouts, which differ:

    ```mlir
    %s = tile.alloc {offset = 0 : i64} : !tile.buffer<64x64xf32>
    tile.local_store %x, %s : tensor<64x64xf32>, !tile.buffer<64x64xf32>
    %y = tile.local_load %s : !tile.buffer<64x64xf32> -> tensor<64x64xf32>
    ```

    becomes

    ```mlir
    %s = tile.alloc {offset = 0 : i64} : !tile.buffer<64x64xf32>
    tile.local_store %x, %s : tensor<64x64xf32>, !tile.buffer<64x64xf32>
    tile.barrier
    %y = tile.local_load %s : !tile.buffer<64x64xf32> -> tensor<64x64xf32>
    ```
  }];
  let statistics = [
    Statistic<"numBarriers", "num-barriers", "Barriers inserted">
  ];
}

#endif // TILEIR_DIALECT_TILE_TRANSFORMS_SHAREDMEMORYPASSES_TD
