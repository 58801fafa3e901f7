//===- RolePasses.td - Passes that divide warps into roles -*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of Passes.td: what makes programs of `tile.roles`.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_TRANSFORMS_ROLEPASSES_TD
#define TILEIR_DIALECT_TILE_TRANSFORMS_ROLEPASSES_TD

include "mlir/Pass/PassBase.td"

def TileWarpSpecializePass : Pass<"tile-warp-specialize"> {
  let summary = "Let some warps load what others multiply";
  let description = [{
    Divides a kernel into two roles (`tile.roles`) if it has one loop with all
    its `tile.dot` ops, of tiles that the loop loads by `tile.load_view`, straight
    or through `tile.trans` and `tile.reshape` (M, N or K of a block may be several
    axes of memory), and that is all they are for: four warps copy the tiles
    to shared memory in bulk, as many stages ahead as the kernel's `tile.config`
    has, or as the loop has iterations, and all other warps, four for each 64
    rows of the sum, multiply them there by instructions of warpgroups, and do
    whatever else the kernel does. A channel keeps the two in step. With two
    stages or more, a product that only adds to a sum is on its way while the next
    one is begun; others are waited for where they are. A product outside of
    loops is one of a single iteration.

    Operand A may also come from before the loop, or from another product of it,
    as the weights of attention do, or be computed of what the loop loads: then
    those who multiply load it, and it stays in their registers.

    Instructions for f8 sum up in fewer bits than f32 has. With `promote-sums`,
    the product of each iteration, of a K of at most 128, is a sum of its own,
    which `arith.addf` adds to the one that the loop carries; that needs
    registers for both. A remark, `promote-sums`, says why if it cannot be.

    A kernel is kept, and a remark says why, if its loop is of another form; if
    no atom of warpgroups of the target takes the types, the orders or the sizes
    (M of 64, 128 or 256, the same of all products, and sums
    that fit into registers); if bulk copies cannot find the tiles (a memref of at
    most five axes in row-major order that the kernel takes, with rows known to be
    a multiple of 16 bytes apart, whose last axis is one of the tile, with a
    multiple of 32 bytes; axes along M, N or K in the order of memory); if
    what is loaded may be written before, or where it is depends on what the
    kernel loads, but for numbers of arguments that are `tile.readonly`.

    Before layouts are assigned. `tile-use-tensor-maps` comes after them.

    Example:

    ```mlir
    %r = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero)
        -> (tensor<128x128xf32>) {
      %x = tile.load_view %a[%i, %k] : memref<?x?xbf16> -> tensor<128x64xbf16>
      %y = tile.load_view %b[%k, %j] : memref<?x?xbf16> -> tensor<64x128xbf16>
      %sum = tile.dot %x, %y, %acc : tensor<128x64xbf16>, tensor<64x128xbf16>,
          tensor<128x128xf32>
      scf.yield %sum : tensor<128x128xf32>
    }
    tile.store_view %r, %c[%i, %j] : tensor<128x128xf32>, memref<?x?xf32>
    ```

    becomes

    ```mlir
    func.func @f(%a: memref<?x?xbf16>, %b: memref<?x?xbf16>,
        %c: memref<?x?xf32>, %i: index, %j: index, %n: index,
        %c0: index, %c1: index, %c64: index) attributes {tile.kernel} {
      %zero = arith.constant dense<0.0> : tensor<128x128xf32>
      %sa = tile.alloc : !tile.buffer<4x128x64xbf16>
      %sb = tile.alloc : !tile.buffer<4x64x128xbf16>
      %ch = tile.channel stages 4
      tile.roles warps [8, 4] registers [240, 24] {
        %r:2 = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero, %t = %c0)
            -> (tensor<128x128xf32>, index) {
          %s = tile.channel_wait %ch[%t]
          %sum = tile.mma_async %sa[%s] row, %sb[%s] row, %acc atom <wgmma_k16_bf16>
              : !tile.buffer<4x128x64xbf16>, !tile.buffer<4x64x128xbf16>,
                tensor<128x128xf32>
          %same = tile.mma_wait %sum pending 1 : tensor<128x128xf32>
          %before = arith.subi %t, %c1 : index
          tile.channel_release %ch[%before]
          %next = arith.addi %t, %c1 : index
          scf.yield %same, %next : tensor<128x128xf32>, index
        }
        %all = tile.mma_wait %r#0 pending 0 : tensor<128x128xf32>
        tile.store_view %all, %c[%i, %j] : tensor<128x128xf32>, memref<?x?xf32>
      }, {
        %r = scf.for %k = %c0 to %n step %c64 iter_args(%t = %c0) -> (index) {
          %s = tile.channel_acquire %ch[%t] bytes 32768
          tile.bulk_load %a[%i, %k], %sa[%s] through %ch
              : memref<?x?xbf16>, !tile.buffer<4x128x64xbf16>
          tile.bulk_load %b[%k, %j], %sb[%s] through %ch
              : memref<?x?xbf16>, !tile.buffer<4x64x128xbf16>
          %next = arith.addi %t, %c1 : index
          scf.yield %next : index
        }
      }
      return
    }
    ```
  }];
  let options = [
    Option<"promoteSums", "promote-sums", "bool", /*default=*/"true",
           "Add up products in f32 where instructions have fewer bits for sums">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numSpecialized", "num-specialized", "Kernels divided into roles">,
    Statistic<"numPromoted", "num-promoted",
              "Kernels whose products are added up in f32">,
    Statistic<"numKept", "num-kept", "Kernels with products that were kept">
  ];
}

def TileMulticastPass : Pass<"tile-multicast", "::mlir::ModuleOp"> {
  let summary = "Let programs of a cluster copy for each other";
  let description = [{
    If `cluster` of a kernel's `tile.config` is more than 1, so many programs
    along x form a cluster. Each `tile.bulk_load` that copies the same block in
    all of them, such as that of B where they have different rows of A, gets
    `multicast`: each program copies a part of its rows to all. So L2 is read
    once for a cluster, and not once for a program.

    A copy stays as it is, and a remark says why, if programs of a cluster copy
    different blocks, or may copy different numbers of them, or if a block has
    fewer than 8 rows for each. So does a kernel without copies in bulk, or one
    with a launch whose size along x is not known to be a multiple of the
    cluster's.

    After `tile-warp-specialize`, and before `tile-use-tensor-maps`, which makes
    boxes of the parts.

    Example:

    ```mlir
    func.func @f(%b: memref<?x?xbf16>) attributes {tile.kernel,
        tile.config = #tile.config<cluster=2>} {
      %c0 = arith.constant 0 : index
      %sb = tile.alloc : !tile.buffer<4x64x256xbf16>
      %ch = tile.channel stages 4
      tile.roles warps [4, 4] {
      }, {
        %s = tile.channel_acquire %ch[%c0] bytes 32768
        tile.bulk_load %b[%c0, %c0], %sb[%s] through %ch
            : memref<?x?xbf16>, !tile.buffer<4x64x256xbf16>
      }
      return
    }
    ```

    becomes

    ```mlir
    func.func @f(%b: memref<?x?xbf16>) attributes {tile.kernel,
        tile.config = #tile.config<cluster=2>} {
      %c0 = arith.constant 0 : index
      %sb = tile.alloc : !tile.buffer<4x64x256xbf16>
      %ch = tile.channel stages 4
      tile.roles warps [4, 4] {
      }, {
        %s = tile.channel_acquire %ch[%c0] bytes 32768
        tile.bulk_load %b[%c0, %c0], %sb[%s] through %ch multicast 2
            : memref<?x?xbf16>, !tile.buffer<4x64x256xbf16>
      }
      return
    }
    ```
  }];
  let statistics = [
    Statistic<"numShared", "num-shared", "Copies that programs of a cluster share">
  ];
}

def TileOverlapProductsPass : Pass<"tile-overlap-products"> {
  let summary = "Compute on one product while the other one is on its way";
  let description = [{
    A loop of a role may have two products that it waits for: the second one is of
    what is computed of the first one, as attention has it, or both are of what an
    iteration computes. Its iterations overlap then: each begins the first product
    of the next one, and its own second product, and computes on what the former
    gives while the latter is on its way. The loop does the first
    half of an iteration before it, and the second half of the last one behind
    it; it is skipped if it has no iterations. What the second product adds to may
    be computed of the sum before, as long as nothing else is.

    While an iteration reads its stage, the next one does, too: the channel gets
    one more, if there is room for it in shared memory.

    A loop is kept, and a remark says why, if an iteration does not wait for each
    of its two products by itself, and for one stage, which it releases at its
    end; if more than the second product depends on the sum; if the products need
    too many registers; or if there is only room for one stage.

    After `tile-persistent`, and before layouts are assigned.

    Example:

    ```mlir
    func.func @f(%m: memref<64x64xf16>, %n: index) attributes {tile.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant dense<0.0> : tensor<64x64xf32>
      %sk = tile.alloc : !tile.buffer<3x64x64xf16>
      %sv = tile.alloc : !tile.buffer<3x64x64xf16>
      %ch = tile.channel stages 3
      tile.roles warps [4, 4] {
        %q = tile.load_view %m[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
        %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %t = %c0)
            -> (tensor<64x64xf32>, index) {
          %s = tile.channel_wait %ch[%t]
          %p = tile.mma_async %q, %sk[%s] column, %zero atom <wgmma_k16_f16>
              : tensor<64x64xf16>, !tile.buffer<3x64x64xf16>, tensor<64x64xf32>
          %pw = tile.mma_wait %p pending 0 : tensor<64x64xf32>
          %w = arith.truncf %pw : tensor<64x64xf32> to tensor<64x64xf16>
          %o = tile.mma_async %w, %sv[%s] row, %acc atom <wgmma_k16_f16>
              : tensor<64x64xf16>, !tile.buffer<3x64x64xf16>, tensor<64x64xf32>
          %ow = tile.mma_wait %o pending 0 : tensor<64x64xf32>
          tile.channel_release %ch[%t]
          %next = arith.addi %t, %c1 : index
          scf.yield %ow, %next : tensor<64x64xf32>, index
        }
      }, {
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numRotated", "num-rotated", "Loops whose products overlap">,
    Statistic<"numKept", "num-kept", "Loops with several products that were kept">
  ];
}

def TileTakeTurnsPass : Pass<"tile-take-turns"> {
  let summary = "Let warpgroups begin their products one after the other";
  let description = [{
    Where a role has several warpgroups, and its loop begins two products and
    computes while they are on their way, as `tile-overlap-products` leaves it, the
    warpgroups take turns (`tile.take_turn`): all products of one are begun before
    those of the next one. So tensor cores multiply for one warpgroup while the
    other one computes; without an order both may want the same at the same time.

    Where nothing is computed of what products give, there are no turns; where a
    loop waits between two products, a remark says that it is left alone.

    After `tile-overlap-products`.

    Example:

    ```mlir
    func.func @f(%n: index) attributes {tile.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant dense<0.0> : tensor<128x64xf32>
      %none = arith.constant dense<0.0> : tensor<128x64xf16>
      %sk = tile.alloc : !tile.buffer<3x64x64xf16>
      %sv = tile.alloc : !tile.buffer<3x64x64xf16>
      tile.roles warps [8, 4] {
        %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %w = %none)
            -> (tensor<128x64xf32>, tensor<128x64xf16>) {
          %p = tile.mma_async %none, %sk[%i] column, %zero atom <wgmma_k16_f16>
              : tensor<128x64xf16>, !tile.buffer<3x64x64xf16>, tensor<128x64xf32>
          %o = tile.mma_async %w, %sv[%i] row, %acc atom <wgmma_k16_f16>
              : tensor<128x64xf16>, !tile.buffer<3x64x64xf16>, tensor<128x64xf32>
          %pw = tile.mma_wait %p pending 1 : tensor<128x64xf32>
          %next = arith.truncf %pw : tensor<128x64xf32> to tensor<128x64xf16>
          %ow = tile.mma_wait %o pending 0 : tensor<128x64xf32>
          scf.yield %ow, %next : tensor<128x64xf32>, tensor<128x64xf16>
        }
      }, {
      }
      return
    }
    ```

    becomes

    ```mlir
    func.func @f(%n: index) attributes {tile.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant dense<0.0> : tensor<128x64xf32>
      %none = arith.constant dense<0.0> : tensor<128x64xf16>
      %sk = tile.alloc : !tile.buffer<3x64x64xf16>
      %sv = tile.alloc : !tile.buffer<3x64x64xf16>
      tile.roles warps [8, 4] {
        %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %w = %none)
            -> (tensor<128x64xf32>, tensor<128x64xf16>) {
          tile.take_turn
          %p = tile.mma_async %none, %sk[%i] column, %zero atom <wgmma_k16_f16>
              : tensor<128x64xf16>, !tile.buffer<3x64x64xf16>, tensor<128x64xf32>
          %o = tile.mma_async %w, %sv[%i] row, %acc atom <wgmma_k16_f16>
              : tensor<128x64xf16>, !tile.buffer<3x64x64xf16>, tensor<128x64xf32>
          tile.pass_turn
          %pw = tile.mma_wait %p pending 1 : tensor<128x64xf32>
          %next = arith.truncf %pw : tensor<128x64xf32> to tensor<128x64xf16>
          %ow = tile.mma_wait %o pending 0 : tensor<128x64xf32>
          scf.yield %ow, %next : tensor<128x64xf32>, tensor<128x64xf16>
        }
      }, {
      }
      return
    }
    ```
  }];
  let statistics = [
    Statistic<"numTurns", "num-turns", "Places where warpgroups take turns">
  ];
}

def TilePersistentPass : Pass<"tile-persistent", "::mlir::ModuleOp"> {
  let summary = "Let programs compute several blocks, one after the other";
  let description = [{
    If `persistent` of a kernel's `tile.config` is not 0, as many programs are
    launched as that for each multiprocessor of the target, or a few less, for
    whole clusters. Each role of the kernel is put into a loop over blocks: of
    `n` programs each takes every `n`-th block, x fastest. Iterations of channels
    are counted on, so that the copies for a block begin while the one before is
    multiplied and stored.

    A kernel is kept, and a remark says why, if its warps have no roles, if it does
    more outside of them than find its blocks, if a role does not count the
    iterations of its channel from 0 on in one loop, if a launch has a
    grid that is known at run time only, or if there are no more blocks than
    programs.

    After `tile-warp-specialize` and `tile-multicast`, and before layouts are
    assigned.

    Example:

    ```mlir
    func.func @f(%a: memref<?x?xbf16>) attributes {tile.kernel,
        tile.config = #tile.config<persistent=1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c64 = arith.constant 64 : index
      %x = tile.program_id x
      %i = arith.index_cast %x : i32 to index
      %sa = tile.alloc : !tile.buffer<4x64x64xbf16>
      %ch = tile.channel stages 4
      tile.roles warps [4, 4] {
        scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %c0) -> (index) {
          %s = tile.channel_wait %ch[%t]
          tile.channel_release %ch[%t]
          %next = arith.addi %t, %c1 : index
          scf.yield %next : index
        }
      }, {
        scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %c0) -> (index) {
          %s = tile.channel_acquire %ch[%t] bytes 8192
          tile.bulk_load %a[%i, %k], %sa[%s] through %ch
              : memref<?x?xbf16>, !tile.buffer<4x64x64xbf16>
          %next = arith.addi %t, %c1 : index
          scf.yield %next : index
        }
      }
      return
    }
    func.func @main(%a: memref<?x?xbf16>) {
      %c1 = arith.constant 1 : index
      %c500 = arith.constant 500 : index
      tile.launch @f grid(%c500, %c1, %c1) (%a) : memref<?x?xbf16>
      return
    }
    ```

    becomes, with 132 multiprocessors,

    ```mlir
    func.func @f(%a: memref<?x?xbf16>) attributes {tile.kernel,
        tile.config = #tile.config<persistent=1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c132 = arith.constant 132 : i32
      %c500 = arith.constant 500 : i32
      %sa = tile.alloc : !tile.buffer<4x64x64xbf16>
      %ch = tile.channel stages 4
      tile.roles warps [4, 4] {
        %x = tile.program_id x
        scf.for %block = %x to %c500 step %c132 iter_args(%t0 = %c0) -> (index) : i32 {
          %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %t0) -> (index) {
            %s = tile.channel_wait %ch[%t]
            tile.channel_release %ch[%t]
            %next = arith.addi %t, %c1 : index
            scf.yield %next : index
          }
          scf.yield %r : index
        }
      }, {
        %x = tile.program_id x
        scf.for %block = %x to %c500 step %c132 iter_args(%t0 = %c0) -> (index) : i32 {
          %i = arith.index_cast %block : i32 to index
          %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %t0) -> (index) {
            %s = tile.channel_acquire %ch[%t] bytes 8192
            tile.bulk_load %a[%i, %k], %sa[%s] through %ch
                : memref<?x?xbf16>, !tile.buffer<4x64x64xbf16>
            %next = arith.addi %t, %c1 : index
            scf.yield %next : index
          }
          scf.yield %r : index
        }
      }
      return
    }
    func.func @main(%a: memref<?x?xbf16>) {
      %c1 = arith.constant 1 : index
      %c132 = arith.constant 132 : index
      tile.launch @f grid(%c132, %c1, %c1) (%a) : memref<?x?xbf16>
      return
    }
    ```
  }];
  let options = [
    Option<"programs", "programs", "unsigned", "0",
           "Multiprocessors; 0: those of #tile.target">
  ];
  let statistics = [
    Statistic<"numPersistent", "num-persistent",
              "Kernels whose programs compute several blocks">,
    Statistic<"numKept", "num-kept", "Kernels that were kept">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def TileUseBulkStoresPass : Pass<"tile-use-bulk-stores"> {
  let summary = "Let bulk copies take results from shared memory";
  let description = [{
    A `tile.store_view` in a role, of the kernel's own block or of a loop of it,
    becomes a `tile.local_store` to a buffer of its own and a `tile.bulk_store`
    from there. In a loop (`tile-persistent`) the first one waits until the
    results of the iteration before have been read: until then, and so while the
    products of an iteration are computed, these are on their way to memory. A
    role does not end before its results have been read.

    A store is kept, and a remark says why, if no tensor map finds its tile (a
    memref of at most five axes in row-major order that the kernel takes and does
    not access elsewhere, with rows known to be a multiple of 16 bytes apart,
    whose last axis is one of the tile, with a power of two of elements that take
    32 bytes or more), if it is computed of a tile that is loaded, element by
    element, for then it is in the order of memory already, or if shared memory
    has no room for the buffer: in a loop beside all stages, else in their place.

    After `tile-persistent`, and before layouts are assigned.

    Example:

    ```mlir
    func.func @f(%c: memref<?x4096xf32>) attributes {tile.kernel} {
      %zero = arith.constant dense<0.0> : tensor<64x64xf32>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      tile.roles warps [4, 4] {
        scf.for %i = %c0 to %c4 step %c1 {
          tile.store_view %zero, %c[%i, %i] : tensor<64x64xf32>, memref<?x4096xf32>
        }
      }, {
      }
      return
    }
    ```

    becomes

    ```mlir
    func.func @f(%c: memref<?x4096xf32>) attributes {tile.kernel} {
      %zero = arith.constant dense<0.0> : tensor<64x64xf32>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %b = tile.alloc : !tile.buffer<64x64xf32>
      tile.roles warps [4, 4] {
        scf.for %i = %c0 to %c4 step %c1 {
          tile.bulk_store_wait pending 0
          tile.local_store %zero, %b : tensor<64x64xf32>, !tile.buffer<64x64xf32>
          tile.bulk_store %b, %c[%i, %i] : !tile.buffer<64x64xf32>, memref<?x4096xf32>
        }
        tile.bulk_store_wait pending 0
      }, {
      }
      return
    }
    ```
  }];
  let statistics = [
    Statistic<"numStores", "num-stores", "Stores in bulk">,
    Statistic<"numKept", "num-kept", "Stores that were kept">
  ];
}

def TileUseTensorMapsPass : Pass<"tile-use-tensor-maps", "::mlir::ModuleOp"> {
  let summary = "Let bulk copies find their boxes by tensor maps";
  let description = [{
    Each `tile.bulk_load` and `tile.bulk_store` of a memref that is an argument of
    its kernel copies by a tensor map of it (`tile.tensor_map`), which is another
    argument, and which host code makes before the launch. Copies of the same tile of the same memref
    have one map. The boxes are as large as maps allow: along the last axis a
    panel of 128 bytes, or of 64 or 32 if the tile has no more, along the others
    the tile, but 256 elements at most. If a row of the stage runs along several
    axes, a box has one element along all but the last of these. Where programs
    of a cluster share a copy, and there is no box for each along some axis, boxes
    have a part of the rows.

    The buffers get the layout in which the boxes lie in shared memory: one panel
    behind the other, swizzled. Instructions of warpgroups read it as it is.

    It is an error if the sizes of a tile are no powers of two, its rows have
    fewer than 32 bytes, its rows run along axes in another order than memory,
    the memref has more than five axes or is no argument, or the buffer has
    another layout.

    After `tile-warp-specialize`, `tile-multicast` and `tile-use-bulk-stores`.

    Example:

    ```mlir
    func.func @f(%a: memref<?x4096xbf16>, %i: index) attributes {tile.kernel} {
      %b = tile.alloc : !tile.buffer<4x128x64xbf16>
      %ch = tile.channel stages 4
      tile.roles warps [4, 4] {
      }, {
        %s = tile.channel_acquire %ch[%i] bytes 16384
        tile.bulk_load %a[%i, %i], %b[%s] through %ch
            : memref<?x4096xbf16>, !tile.buffer<4x128x64xbf16>
      }
      return
    }
    ```

    becomes

    ```mlir
    func.func @f(%a: memref<?x4096xbf16>, %i: index,
        %map: !tile.tensor_map<128x64xbf16, swizzle = 128>)
        attributes {tile.kernel} {
      %b = tile.alloc : !tile.buffer<4x128x64xbf16, #tile.layout<offset = [
          [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16],
          [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>>
      %ch = tile.channel stages 4
      tile.roles warps [4, 4] {
      }, {
        %s = tile.channel_acquire %ch[%i] bytes 16384
        tile.bulk_load %map[%i, %i], %b[%s] through %ch
            : !tile.tensor_map<128x64xbf16, swizzle = 128>,
              !tile.buffer<4x128x64xbf16, #tile.layout<offset = [
                [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8],
                [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>>
      }
      return
    }
    ```
  }];
  let statistics = [
    Statistic<"numMaps", "num-maps", "Tensor maps that kernels take">,
    Statistic<"numCopies", "num-copies", "Bulk copies by tensor maps">
  ];
}

#endif // TILEIR_DIALECT_TILE_TRANSFORMS_ROLEPASSES_TD
