//===- TileBulkOps.td --------------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Copies of dense blocks between memory and shared memory in bulk, each begun
// by one thread for all. Included by TileOps.td.

def Tile_BulkLoadOp : Tile_Op<"bulk_load"> {
  let summary = "Copy a dense block of a memref to shared memory in bulk";
  let description = [{
    The elements that `tile.load_view` gives for a tile of the stage's sizes, to
    a stage of the buffer, by one thread for all: it begins the copy, whose bytes
    arrive at the iteration of the channel that has this stage. They are all
    bytes of the stage: what is outside of the memref arrives as 0. Before
    `tile.channel_wait` the stage must not be read: the interpreter reads from it
    as from memory that nothing has written. Nobody may write to what is read
    meanwhile.

    With `sizes` the block has these along `axes`, which may be in any order, and
    its elements in row-major order are those of the stage in row-major order: so
    the rows of a matrix may run along several axes of the memref. With `steps`
    the elements of the block are so far apart along its axes.

    With `multicast` the programs of the grid form clusters of so many along x,
    each of which copies a part of the same block, and all parts arrive at all of
    them: it has the same indices for all programs of a cluster, which run the
    same iterations. What `tile.channel_acquire` announces are the bytes of the
    whole block, and a stage is free when all programs of the cluster have
    released it.

    The source is a memref, or a tensor map of one (`tile.tensor_map`), as
    `tile-use-tensor-maps` leaves it.

    - T18, T19, T20, T54 as of `tile.load_view`; with `sizes` axes need not
      increase.
    - T44: the buffer has one axis of stages, as many as the channel, before the
      axes of the tile.
    - T49: `sizes` has a positive entry per axis, and their product is the number
      of elements of a stage.
    - T45: the box of a tensor map has sizes that divide those of the tile, and
      1 along other axes. Its steps are those of the copy, and 1 along others.
    - T50: `multicast` is 2, 4 or 8, the same one in all of a kernel's copies that
      have it, and divides the number of boxes along some axis. The size of the
      grid along x is a multiple of it.

    ```mlir
    func.func @f(%m: memref<?x?xbf16>, %i: index) attributes {tile.kernel} {
      %b = tile.alloc : !tile.buffer<4x128x64xbf16>
      %ch = tile.channel stages 4
      tile.roles warps [8, 4] {
      }, {
        %s = tile.channel_acquire %ch[%i] bytes 16384
        tile.bulk_load %m[%i, %i], %b[%s] through %ch
            : memref<?x?xbf16>, !tile.buffer<4x128x64xbf16>
      }
      return
    }
    // The rows of two programs each.
    func.func @h(%m: memref<?x?xbf16>, %i: index) attributes {tile.kernel} {
      %b = tile.alloc : !tile.buffer<4x64x128xbf16>
      %ch = tile.channel stages 4
      tile.roles warps [8, 4] {
      }, {
        %s = tile.channel_acquire %ch[%i] bytes 16384
        tile.bulk_load %m[%i, %i], %b[%s] through %ch multicast 2
            : memref<?x?xbf16>, !tile.buffer<4x64x128xbf16>
      }
      return
    }
    // Of 8 x 16 pixels, 64 channels each: every other row and column.
    func.func @g(%m: memref<?x34x18x64xbf16>, %i: index)
        attributes {tile.kernel} {
      %b = tile.alloc : !tile.buffer<4x128x64xbf16>
      %ch = tile.channel stages 4
      tile.roles warps [8, 4] {
      }, {
        %s = tile.channel_acquire %ch[%i] bytes 16384
        tile.bulk_load %m[%i, %i, %i, %i], %b[%s] through %ch axes [1, 2, 3]
            sizes [8, 16, 64] steps [2, 2, 1]
            : memref<?x34x18x64xbf16>, !tile.buffer<4x128x64xbf16>
      }
      return
    }
    ```
  }];
  let arguments = (ins Arg<AnyTypeOf<[AnyMemRef, Tile_TensorMap]>, "",
                           [MemRead]>:$source,
                       Variadic<Index>:$indices,
                       Arg<Tile_Buffer, "", [MemWrite]>:$buffer,
                       Index:$stage, Tile_Channel:$channel,
                       OptionalAttr<DenseI64ArrayAttr>:$axes,
                       OptionalAttr<DenseI64ArrayAttr>:$sizes,
                       OptionalAttr<DenseI64ArrayAttr>:$steps,
                       OptionalAttr<I64Attr>:$multicast);
  let assemblyFormat = [{
    $source `[` $indices `]` `,` $buffer `[` $stage `]` `through` $channel
    (`axes` $axes^)? (`sizes` $sizes^)? (`steps` $steps^)?
    (`multicast` $multicast^)? attr-dict `:` type($source) `,` type($buffer)
  }];
  let extraClassDeclaration = [{
    /// A stage of the buffer.
    ::mlir::RankedTensorType getStageType();
    /// The tile that is copied: with `sizes` the same elements as a stage.
    ::mlir::RankedTensorType getTile();
    /// The axes of the source along which the axes of the tile run.
    ::llvm::SmallVector<int64_t> listAxes();
    /// How far apart its elements are along these.
    ::llvm::SmallVector<int64_t> listSteps();
    /// Bytes of a copy.
    int64_t getNumBytes();
  }];
  let hasVerifier = 1;
}

def Tile_BulkStoreOp : Tile_Op<"bulk_store"> {
  let summary = "Copy a buffer to a dense block of a memref in bulk";
  let description = [{
    The elements that `tile.store_view` stores for a tile of the buffer's sizes,
    by one thread for all: it begins the copy, which reads the buffer until a
    `tile.bulk_store_wait` of the same role has waited for it. What is outside of
    the memref is not written. When the elements arrive in memory nothing says
    but the end of the kernel: the program must not read them.

    What threads have stored to the buffer, the copy reads behind a
    `tile.proxy_fence` of theirs and a barrier; `tile-insert-fences` and
    `tile-insert-barriers` see to it.

    The destination is a memref, or a tensor map of one (`tile.tensor_map`), as
    `tile-use-tensor-maps` leaves it.

    - T18, T19, T20 as of `tile.store_view`.
    - T45: the box of a tensor map has sizes that divide those of the tile, and
      1 along other axes.
    - T51: it stands in a kernel.

    ```mlir
    func.func @f(%m: memref<?x?xbf16>, %i: index) attributes {tile.kernel} {
      %t = arith.constant dense<0.0> : tensor<128x64xbf16>
      %b = tile.alloc : !tile.buffer<128x64xbf16>
      tile.local_store %t, %b : tensor<128x64xbf16>, !tile.buffer<128x64xbf16>
      tile.bulk_store %b, %m[%i, %i] : !tile.buffer<128x64xbf16>, memref<?x?xbf16>
      tile.bulk_store_wait pending 0
      return
    }
    ```
  }];
  let arguments = (ins Arg<Tile_Buffer, "", [MemRead]>:$buffer,
                       Arg<AnyTypeOf<[AnyMemRef, Tile_TensorMap]>, "",
                           [MemWrite]>:$destination,
                       Variadic<Index>:$indices,
                       OptionalAttr<DenseI64ArrayAttr>:$axes);
  let assemblyFormat = [{
    $buffer `,` $destination `[` $indices `]` (`axes` $axes^)? attr-dict `:`
    type($buffer) `,` type($destination)
  }];
  let extraClassDeclaration = [{
    /// The tile that is copied: all of the buffer.
    ::mlir::RankedTensorType getTile();
  }];
  let hasVerifier = 1;
}

def Tile_BulkStoreWaitOp : Tile_Op<"bulk_store_wait", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Wait until bulk stores have read their buffers";
  let description = [{
    All that the role has begun, but for the last `pending` ones: these buffers
    may be written again, behind a barrier. No program may end before all of its
    bulk stores were waited for.

    - T37: `pending` is not negative.

    ```mlir
    tile.bulk_store_wait pending 0
    ```
  }];
  let arguments = (ins I64Attr:$pending);
  let assemblyFormat = "`pending` $pending attr-dict";
  let hasVerifier = 1;
}

def Tile_ProxyFenceOp : Tile_Op<"proxy_fence", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Let bulk stores see what threads have stored";
  let description = [{
    What each thread has stored to shared memory before, a bulk copy reads that
    is begun behind a barrier after this (PTX ISA, "Proxies": bulk copies access
    memory by the asynchronous proxy, threads by the generic one).
    `tile-insert-fences` puts it where it is needed.

    ```mlir
    tile.proxy_fence
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_MakeTensorMapOp : Tile_Op<"tensor_map", [Pure]> {
  let summary = "How bulk copies find the boxes of a memref";
  let description = [{
    Host code: what a kernel needs to know of a memref of the device to copy
    boxes of its elements (`tile.bulk_load`).

    - T48: the memref has elements of the map's type, and an axis for each size
      of the box; their order in memory is row-major, without gaps.

    ```mlir
    %map = tile.tensor_map %m : memref<?x4096xbf16> -> !tile.tensor_map<128x64xbf16, swizzle = 128>
    ```
  }];
  let arguments = (ins AnyMemRef:$memref);
  let results = (outs Tile_TensorMap:$map);
  let assemblyFormat = [{
    $memref attr-dict `:` type($memref) `->` type($map)
  }];
  let hasVerifier = 1;
}
