//===- TileChannelOps.td -----------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Programs whose warps have roles: some copy operands to shared memory, others
// multiply them there, and channels keep them in step. Included by TileOps.td.

def Tile_Channel : DialectType<Tile_Dialect,
    CPred<"::llvm::isa<::tileir::tile::ChannelType>($_self)">, "!tile.channel",
    "::tileir::tile::ChannelType">,
    BuildableType<"$_builder.getType<::tileir::tile::ChannelType>()">;

def Tile_RolesOp : Tile_Op<"roles", [RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"::tileir::tile::EndRoleOp">,
    DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "Warps that do different things at the same time";
  let description = [{
    Each region is a role: all of them run at the same time, the first one on the
    first `warps` of the program, the next one on those that follow, and so on.
    The op ends when all roles have. A role sees the values before the op, and
    gives none. Roles agree by channels alone: what one writes to shared memory,
    another may read only behind a channel.

    A role without tiles is run by one thread of its warps. If there are tiles,
    they are those of the first role, whose warps are `tile.num_warps`.

    With `registers`, each thread of a role has so many while the roles run.

    - T40: at least two roles, each with a number of warps that is a positive
      multiple of 4, of 32 warps together at most; roles are in a kernel, and in
      no other role.
    - T41: registers for each role, multiples of 8 from 24 to 240, and for all
      threads no more than an equal share of the 65536 of a multiprocessor,
      rounded down to a multiple of 8, gives them.

    ```mlir
    func.func @f(%i: index) attributes {tile.kernel} {
      %ch = tile.channel stages 2
      tile.roles warps [8, 4] registers [240, 24] {
        %s = tile.channel_wait %ch[%i]
        tile.channel_release %ch[%i]
      }, {
        %t = tile.channel_acquire %ch[%i] bytes 0
      }
      return
    }
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$warps,
                       OptionalAttr<DenseI64ArrayAttr>:$registers);
  let regions = (region VariadicRegion<SizedRegion<1>>:$roles);
  let assemblyFormat = [{
    `warps` $warps (`registers` $registers^)? attr-dict-with-keyword $roles
  }];
  let extraClassDeclaration = [{
    /// The number of the role that `op` is part of, and its op; null if none.
    static std::pair<RolesOp, unsigned> find(::mlir::Operation *op);
    /// The first warp of a role.
    int64_t getFirstWarp(unsigned role);
    /// The warps of all roles.
    int64_t getNumWarps();
  }];
  let hasVerifier = 1;
}

def Tile_EndRoleOp : Tile_Op<"end_role", [Pure, ReturnLike, Terminator,
    HasParent<"::tileir::tile::RolesOp">]> {
  let summary = "The end of a role";
  let description = [{
    Ends each region of `tile.roles`; it need not be written.

    ```mlir
    func.func @f() attributes {tile.kernel} {
      tile.roles warps [4, 4] {
        tile.end_role
      }, {
        tile.end_role
      }
      return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_ChannelOp : Tile_Op<"channel"> {
  let summary = "A bounded queue of stages between two roles";
  let description = [{
    One role fills stages, another one empties them, both in the order of
    iterations, which are numbered from 0: iteration i has stage i mod `stages`
    of whatever buffers the copies of a channel go to. The channel holds no data.

    | | |
    |---|---|
    | `tile.channel_acquire` | waits until the stage of an iteration is free |
    | `tile.bulk_load` | begins a copy to the stage |
    | `tile.channel_wait` | waits until all copies of an iteration have arrived |
    | `tile.channel_release` | says that the stage is not read any more |

    `offset`, in bytes from the beginning of the program's shared memory, is set
    by `tile-allocate-shared`: a channel has two barriers of 8 bytes for each
    stage.

    - T42: from 1 to 64 stages; it stands in a kernel, outside of roles. One role
      acquires, another one waits and releases.

    ```mlir
    func.func @f() attributes {tile.kernel} {
      %ch = tile.channel stages 4
      return
    }
    ```
  }];
  let arguments = (ins I64Attr:$stages, OptionalAttr<I64Attr>:$offset);
  let results = (outs Res<Tile_Channel, "", [MemAlloc]>:$channel);
  let assemblyFormat = "`stages` $stages attr-dict";
  let extraClassDeclaration = [{
    /// Bytes of shared memory for the barriers of all stages.
    int64_t getNumBytes() { return 16 * getStages(); }
  }];
  let hasVerifier = 1;
}

class Tile_ChannelAccess<string mnemonic>
    : Tile_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]>;

def Tile_ChannelAcquireOp : Tile_ChannelAccess<"channel_acquire"> {
  let summary = "Wait until a stage is free";
  let description = [{
    Until the iteration that had this stage before is released. Gives the stage,
    `iteration` mod `stages`, and announces that so many bytes will be copied to
    it by `tile.bulk_load`. Iterations are acquired in order, each once.

    - T43: `bytes` is not negative. A role acquires, another one waits.

    ```mlir
    func.func @f(%i: index) attributes {tile.kernel} {
      %ch = tile.channel stages 2
      tile.roles warps [4, 4] {
      }, {
        %s = tile.channel_acquire %ch[%i] bytes 16384
      }
      return
    }
    ```
  }];
  let arguments = (ins Tile_Channel:$channel, Index:$iteration, I64Attr:$bytes);
  let results = (outs Index:$stage);
  let assemblyFormat = "$channel `[` $iteration `]` `bytes` $bytes attr-dict";
  let hasVerifier = 1;
}

def Tile_ChannelWaitOp : Tile_ChannelAccess<"channel_wait"> {
  let summary = "Wait until the copies of an iteration have arrived";
  let description = [{
    As many bytes as its `tile.channel_acquire` has announced. Gives the stage,
    which may be read from now on, until `tile.channel_release`.

    - T43: it stands in a role, and not in the one that acquires.

    ```mlir
    func.func @f(%i: index) attributes {tile.kernel} {
      %ch = tile.channel stages 2
      tile.roles warps [4, 4] {
        %s = tile.channel_wait %ch[%i]
      }, {
      }
      return
    }
    ```
  }];
  let arguments = (ins Tile_Channel:$channel, Index:$iteration);
  let results = (outs Index:$stage);
  let assemblyFormat = "$channel `[` $iteration `]` attr-dict";
  let hasVerifier = 1;
}

def Tile_ChannelReleaseOp : Tile_ChannelAccess<"channel_release"> {
  let summary = "Give a stage back";
  let description = [{
    The stage of this iteration is not read any more: no product that reads it is
    still on its way (`tile.mma_wait`). Iterations are released in order, each
    once, and after they were waited for. One with a negative number is none.

    - T43: it stands in a role, and not in the one that acquires.

    ```mlir
    func.func @f(%i: index) attributes {tile.kernel} {
      %ch = tile.channel stages 2
      tile.roles warps [4, 4] {
        tile.channel_release %ch[%i]
      }, {
      }
      return
    }
    ```
  }];
  let arguments = (ins Tile_Channel:$channel, Index:$iteration);
  let assemblyFormat = "$channel `[` $iteration `]` attr-dict";
  let hasVerifier = 1;
}

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
    the rows of a matrix may run along several axes of the memref.

    With `multicast` the programs of the grid form clusters of so many along x,
    each of which copies a part of the same block, and all parts arrive at all of
    them: it has the same indices for all programs of a cluster, which run the
    same iterations. What `tile.channel_acquire` announces are the bytes of the
    whole block, and a stage is free when all programs of the cluster have
    released it.

    The source is a memref, or a tensor map of one (`tile.tensor_map`), as
    `tile-use-tensor-maps` leaves it.

    - T18, T19, T20 as of `tile.load_view`; with `sizes` axes need not increase.
    - T44: the buffer has one axis of stages, as many as the channel, before the
      axes of the tile.
    - T49: `sizes` has a positive entry per axis, and their product is the number
      of elements of a stage.
    - T45: the box of a tensor map has sizes that divide those of the tile, and
      1 along other axes.
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
    // Of 8 x 16 pixels, 64 channels each.
    func.func @g(%m: memref<?x34x18x64xbf16>, %i: index)
        attributes {tile.kernel} {
      %b = tile.alloc : !tile.buffer<4x128x64xbf16>
      %ch = tile.channel stages 4
      tile.roles warps [8, 4] {
      }, {
        %s = tile.channel_acquire %ch[%i] bytes 16384
        tile.bulk_load %m[%i, %i, %i, %i], %b[%s] through %ch axes [1, 2, 3]
            sizes [8, 16, 64]
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
                       OptionalAttr<I64Attr>:$multicast);
  let assemblyFormat = [{
    $source `[` $indices `]` `,` $buffer `[` $stage `]` `through` $channel
    (`axes` $axes^)? (`sizes` $sizes^)? (`multicast` $multicast^)? attr-dict `:` type($source) `,`
    type($buffer)
  }];
  let extraClassDeclaration = [{
    /// A stage of the buffer.
    ::mlir::RankedTensorType getStageType();
    /// The tile that is copied: with `sizes` the same elements as a stage.
    ::mlir::RankedTensorType getTile();
    /// The axes of the source along which the axes of the tile run.
    ::llvm::SmallVector<int64_t> listAxes();
    /// Bytes of a copy.
    int64_t getNumBytes();
    /// How many boxes of its map a copy has along each axis of the tile.
    ::llvm::SmallVector<int64_t> countBoxes();
    /// The first axis of the tile along which the boxes are shared out among
    /// the programs of a cluster; the rank if there is none.
    unsigned findSharedAxis();
  }];
  let hasVerifier = 1;
}

def Tile_MmaAsyncOp : Tile_Op<"mma_async", [
    AllTypesMatch<["acc", "result"]>]> {
  let summary = "Begin a matrix product of operands in shared memory";
  let description = [{
    `acc` + A * B, of a stage of each buffer. A buffer holds its operand in row
    order, M x K and K x N, or in column order, as its transpose.

    The product is on its way until a `tile.mma_wait` has waited for it. Before,
    the result may only be the accumulator of another `tile.mma_async`, be
    carried by a loop, or be waited for, and what is read must not be written: the
    interpreter finds both.

    - T46: buffers with one axis of stages before two of a matrix: M x K (row) or
      K x M (column), and K x N (row) or N x K (column), for an accumulator of
      M x N.
    - T47: the atom is one of warpgroups, and takes these types and orders; M is
      64 times a power of two, N a power of two from 8 to 256, and K a multiple
      of the atom's. Each four warps have 64 rows of the accumulator: its layout,
      if it has one, is that of the atom for a grid of M / 16 warps.

    ```mlir
    %y = tile.mma_async %a[%s] row, %b[%s] row, %x atom <wgmma_k16_bf16>
        : !tile.buffer<4x128x64xbf16>, !tile.buffer<4x64x256xbf16>, tensor<128x256xf32>
    %z = tile.mma_wait %y pending 0 : tensor<128x256xf32>
    ```
  }];
  let arguments = (ins Arg<Tile_Buffer, "", [MemRead]>:$a, Index:$a_stage,
                       Tile_Major:$a_order,
                       Arg<Tile_Buffer, "", [MemRead]>:$b, Index:$b_stage,
                       Tile_Major:$b_order,
                       Tile_NumberTile:$acc, Tile_MmaAtomAttr:$atom);
  let results = (outs Tile_NumberTile:$result);
  let assemblyFormat = [{
    $a `[` $a_stage `]` $a_order `,` $b `[` $b_stage `]` $b_order `,` $acc `atom`
    $atom attr-dict `:` type($a) `,` type($b) `,` type($acc)
  }];
  let extraClassDeclaration = [{
    /// The grid of warps: 16 rows each.
    ::tileir::layout::MmaGrid getGrid();
    /// The layout that the accumulator has with these warps.
    ::tileir::layout::LinearLayout getAccLayout();
    /// The shape of A (M x K) and of B (K x N).
    std::array<int64_t, 2> getShapeA();
    std::array<int64_t, 2> getShapeB();
  }];
  let hasVerifier = 1;
}

def Tile_MmaWaitOp : Tile_Op<"mma_wait", [
    MemoryEffects<[MemRead, MemWrite]>,
    AllTypesMatch<["source", "result"]>]> {
  let summary = "Wait for matrix products";
  let description = [{
    Until all products that the role has begun are done, but for the last
    `pending` ones. Gives the same tile; with `pending` 0 it may be used.

    - T37: `pending` is not negative.

    ```mlir
    %z = tile.mma_wait %y pending 1 : tensor<128x256xf32>
    ```
  }];
  let arguments = (ins Tile_NumberTile:$source, I64Attr:$pending);
  let results = (outs Tile_NumberTile:$result);
  let assemblyFormat = [{
    $source `pending` $pending attr-dict `:` type($source)
  }];
  let hasVerifier = 1;
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
