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

class Tile_Turn<string mnemonic>
    : Tile_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tile_TakeTurnOp : Tile_Turn<"take_turn"> {
  let summary = "Let the warpgroups of a role go on one after the other";
  let description = [{
    From here to `tile.pass_turn` one warpgroup of the role at a time, the first
    one before all others, each as often as they. What they begin there, such as
    products, so begins in this order. It has no effect on what is computed.

    - T55: it stands in a role, and behind it in its block comes a
      `tile.pass_turn`; in between is nothing that waits for others, and no op
      with regions.

    ```mlir
    func.func @f() attributes {tile.kernel} {
      tile.roles warps [8, 4] {
        tile.take_turn
        tile.pass_turn
      }, {
      }
      return
    }
    ```
  }];
}

def Tile_PassTurnOp : Tile_Turn<"pass_turn"> {
  let summary = "Let the next warpgroup of a role go on";
  let description = [{
    The one behind `tile.take_turn` has the turn no longer.

    - T55: before it in its block is a `tile.take_turn`, as of that.

    ```mlir
    func.func @f() attributes {tile.kernel} {
      tile.roles warps [8, 4] {
        tile.take_turn
        tile.pass_turn
      }, {
      }
      return
    }
    ```
  }];
}

def Tile_MmaAsyncOp : Tile_Op<"mma_async", [
    AllTypesMatch<["acc", "result"]>]> {
  let summary = "Begin a matrix product of operands in shared memory";
  let description = [{
    `acc` + A * B, of a stage of each buffer. A buffer holds its operand in row
    order, M x K and K x N, or in column order, as its transpose. A may also be
    a tile, M x K, which threads have in registers.

    The product is on its way until a `tile.mma_wait` has waited for it. Before,
    the result may only be the accumulator of another `tile.mma_async`, be
    carried by a loop, or be waited for, and what is read must not be written: the
    interpreter finds both.

    - T46: buffers with one axis of stages before two of a matrix: M x K (row) or
      K x M (column), and K x N (row) or N x K (column), for an accumulator of
      M x N. A tile A has no stage, and row order.
    - T47: the atom is one of warpgroups, and takes these types and orders; M is
      64 times a power of two, N a power of two from 8 to 256, and K a multiple
      of the atom's. Each four warps have 64 rows of the accumulator: its layout,
      if it has one, is that of the atom for a grid of M / 16 warps, and so is that
      of a tile A.

    ```mlir
    %y = tile.mma_async %a[%s] row, %b[%s] row, %x atom <wgmma_k16_bf16>
        : !tile.buffer<4x128x64xbf16>, !tile.buffer<4x64x256xbf16>, tensor<128x256xf32>
    %z = tile.mma_wait %y pending 0 : tensor<128x256xf32>
    %v = tile.mma_async %weights, %b[%s] row, %z atom <wgmma_k16_bf16>
        : tensor<128x64xbf16>, !tile.buffer<4x64x256xbf16>, tensor<128x256xf32>
    ```
  }];
  let arguments = (ins Arg<AnyTypeOf<[Tile_Buffer, Tile_NumberTile]>, "",
                           [MemRead]>:$a,
                       DefaultValuedAttr<Tile_Major, "::tileir::tile::Major::Row">:$a_order,
                       Arg<Tile_Buffer, "", [MemRead]>:$b, Index:$b_stage,
                       Tile_Major:$b_order,
                       Tile_NumberTile:$acc, Tile_MmaAtomAttr:$atom,
                       Optional<Index>:$a_stage);
  let results = (outs Tile_NumberTile:$result);
  let assemblyFormat = [{
    $a (`[` $a_stage^ `]` $a_order)? `,` $b `[` $b_stage `]` $b_order `,` $acc `atom`
    $atom attr-dict `:` type($a) `,` type($b) `,` type($acc)
  }];
  let extraClassDeclaration = [{
    /// The grid of warps: 16 rows each.
    ::tileir::layout::MmaGrid getGrid();
    /// The layout that the accumulator has with these warps.
    ::tileir::layout::LinearLayout getAccLayout();
    /// The layout that a tile A has with these warps.
    ::tileir::layout::LinearLayout getLayoutA();
    /// The buffer of A; null if A is in registers.
    ::mlir::TypedValue<BufferType> getBufferA();
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
