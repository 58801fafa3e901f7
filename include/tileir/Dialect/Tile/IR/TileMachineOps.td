//===- TileMachineOps.td -----------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What appears once tiles have layouts: conversions between layouts, shared
// memory, barriers and matrix instructions. Included by TileOps.td.

def Tile_Buffer : DialectType<Tile_Dialect,
    CPred<"::llvm::isa<::tileir::tile::BufferType>($_self)">, "!tile.buffer",
    "::tileir::tile::BufferType">;

def Tile_ConvertLayoutOp : Tile_Op<"convert_layout", [Pure]> {
  let summary = "The same tile in another layout";
  let description = [{
    - T30: operand and result have the same shape and element type.

    ```mlir
    #rows = #tile.layout<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = []>
    #columns = #tile.layout<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0]], warp = []>
    func.func private @f(tensor<32x4xf32, #rows>) -> tensor<32x4xf32, #columns>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_AllocOp : Tile_Op<"alloc", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Shared memory for a tile";
  let description = [{
    Belongs to the program, from here to its end. `offset`, in bytes from the
    beginning of the program's shared memory, is set by `tile-allocate-shared`.

    ```mlir
    %b = tile.alloc : !tile.buffer<128x32xf16>
    %c = tile.alloc {offset = 8192 : i64} : !tile.buffer<2x128x32xf16>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset);
  let results = (outs Tile_Buffer:$buffer);
  let assemblyFormat = "attr-dict `:` type($buffer)";
}

def Tile_LocalStoreOp : Tile_Op<"local_store"> {
  let summary = "Store a tile into shared memory";
  let description = [{
    A buffer may have axes before those of the tile, each with an index: stages
    of a pipeline.

    - T31: the last sizes of the buffer are those of the tile, and there is an
      index for each axis before them; the element types are the same.

    ```mlir
    tile.local_store %x, %b : tensor<128x32xf16>, !tile.buffer<128x32xf16>
    tile.local_store %x, %c[%i] : tensor<128x32xf16>, !tile.buffer<2x128x32xf16>
    ```
  }];
  let arguments = (ins Tile_NumberTile:$value,
                       Arg<Tile_Buffer, "", [MemWrite]>:$buffer,
                       Variadic<Index>:$indices);
  let assemblyFormat = [{
    $value `,` $buffer (`[` $indices^ `]`)? attr-dict `:` type($value) `,`
    type($buffer)
  }];
  let hasVerifier = 1;
}

def Tile_LocalLoadOp : Tile_Op<"local_load"> {
  let summary = "Load a tile from shared memory";
  let description = [{
    With `at`, it is a part of the tile that the buffer, or its stage, holds: the
    one that begins at these offsets.

    - T31 as of `tile.local_store`, but for the sizes of a part.
    - T38: there is an offset for each axis of the tile. The sizes of a part
      divide those of the buffer, and the offsets are multiples of them within
      the buffer.

    ```mlir
    %x = tile.local_load %b : !tile.buffer<128x32xf16> -> tensor<128x32xf16>
    %y = tile.local_load %c[%i] at [0, 16] : !tile.buffer<2x128x32xf16> -> tensor<128x16xf16>
    ```
  }];
  let arguments = (ins Arg<Tile_Buffer, "", [MemRead]>:$buffer,
                       Variadic<Index>:$indices,
                       OptionalAttr<DenseI64ArrayAttr>:$offsets);
  let results = (outs Tile_NumberTile:$result);
  let assemblyFormat = [{
    $buffer (`[` $indices^ `]`)? (`at` $offsets^)? attr-dict `:` type($buffer)
    `->` type($result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$buffer,
                   "::mlir::ValueRange":$indices), [{
      build($_builder, $_state, result, buffer, indices, nullptr);
    }]>
  ];
  let extraClassDeclaration = [{
    /// The sizes of what the buffer, or its stage, holds.
    ::llvm::ArrayRef<int64_t> getStageShape() {
      return getBuffer().getType().getShape().drop_front(getIndices().size());
    }
  }];
  let hasVerifier = 1;
}

def Tile_Token : DialectType<Tile_Dialect,
    CPred<"::llvm::isa<::tileir::tile::TokenType>($_self)">, "!tile.token",
    "::tileir::tile::TokenType">,
    BuildableType<"$_builder.getType<::tileir::tile::TokenType>()">;

def Tile_AsyncLoadViewOp : Tile_Op<"async_load_view", [
    AttrSizedOperandSegments]> {
  let summary = "Copy a dense block of a memref to shared memory meanwhile";
  let description = [{
    The elements that `tile.load_view` gives for a tile of type `as`, into a
    stage of the buffer: the layout of the tile says which thread copies which
    elements. If `mask` is false nothing is read, and all of them are 0.

    They are in the buffer once a `tile.async_wait` has waited for the copy (and
    other threads find them there after a `tile.barrier` behind that). Before,
    the stage must not be accessed: the interpreter reads from it as from memory
    that nothing has written. Nobody may write to what is read meanwhile.

    A copy that is `with_next` is in one group with the next one; waits count
    groups.

    - T18, T19, T20, T33, T54 as of `tile.load_view`; T31 as of
      `tile.local_store`, with `stages` as the indices.
    - T39: behind a copy that is `with_next` comes another one in its block, and
      no `tile.async_wait` in between.

    ```mlir
    #rows = #tile.layout<blocked shape = [64, 32], register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
    func.func @f(%m: memref<?x?xf16>) attributes {tile.kernel} {
      %i = arith.constant 0 : index
      %j = arith.constant 1 : index
      %last = arith.constant true
      %b = tile.alloc : !tile.buffer<3x64x32xf16>
      %t = tile.async_load_view %m[%i, %i], %b[%i] with_next
          : memref<?x?xf16>, !tile.buffer<3x64x32xf16> as tensor<64x32xf16, #rows>
      %u = tile.async_load_view %m[%i, %i], %b[%j] mask %last in_bounds [true, true]
          : memref<?x?xf16>, !tile.buffer<3x64x32xf16> as tensor<64x32xf16, #rows>
      tile.async_wait %t, %u {pending = 0}
      return
    }
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$memref,
                       Variadic<Index>:$indices,
                       Arg<Tile_Buffer, "", [MemWrite]>:$buffer,
                       Variadic<Index>:$stages, Optional<I1>:$mask,
                       OptionalAttr<DenseI64ArrayAttr>:$axes,
                       OptionalAttr<DenseI64ArrayAttr>:$steps,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       UnitAttr:$with_next, TypeAttrOf<Tile_NumberTile>:$tile);
  let results = (outs Tile_Token:$token);
  let assemblyFormat = [{
    $memref `[` $indices `]` `,` $buffer (`[` $stages^ `]`)? (`mask` $mask^)?
    (`axes` $axes^)? (`steps` $steps^)? (`in_bounds` $in_bounds^)?
    (`with_next` $with_next^)? attr-dict `:` type($memref) `,` type($buffer) `as` $tile
  }];
  let hasVerifier = 1;
}

def Tile_AsyncLoadOp : Tile_Op<"async_load", [
    AttrSizedOperandSegments,
    OptionalTypesMatchWith<"the mask has an i1 for each pointer", "ptr", "mask",
        "::tileir::tile::withElement($_self, "
        "::mlir::IntegerType::get($_self.getContext(), 1))">]> {
  let summary = "Copy what pointers point at to shared memory meanwhile";
  let description = [{
    As `tile.async_load_view`, for the elements that `tile.load` gives: where
    the mask is false nothing is read, and the element is 0. The layout of the
    pointers says which thread copies which elements.

    - T31 as of `tile.local_store`, with `stages` as the indices; T39 as of
      `tile.async_load_view`.

    ```mlir
    func.func @f(%p: tensor<64x!tile.ptr<f32>>, %m: tensor<64xi1>) {
      %b = tile.alloc : !tile.buffer<64xf32>
      %t = tile.async_load %p, %b mask %m : tensor<64x!tile.ptr<f32>>, !tile.buffer<64xf32>
      tile.async_wait %t {pending = 0}
      return
    }
    ```
  }];
  let arguments = (ins Arg<Tile_TileOf<Tile_Pointer>, "", [MemRead]>:$ptr,
                       Arg<Tile_Buffer, "", [MemWrite]>:$buffer,
                       Variadic<Index>:$stages,
                       Optional<Tile_TileOf<I1>>:$mask, UnitAttr:$with_next);
  let results = (outs Tile_Token:$token);
  let assemblyFormat = [{
    $ptr `,` $buffer (`[` $stages^ `]`)? (`mask` $mask^)?
    (`with_next` $with_next^)? attr-dict `:` type($ptr) `,` type($buffer)
  }];
  let extraClassDeclaration = [{
    /// The tile that is copied, in the layout of the pointers.
    ::mlir::RankedTensorType getTile();
  }];
  let hasVerifier = 1;
}

def Tile_AsyncWaitOp : Tile_Op<"async_wait", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Wait for copies to shared memory";
  let description = [{
    Until all asynchronous copies that this program has begun have arrived, but
    for the last `pending` groups of them: a group ends with a copy that is not
    `with_next`. `tokens` are copies that are needed from now on.
    The interpreter finds those that are still on their way.

    - T37: `pending` is not negative.

    ```mlir
    tile.async_wait {pending = 0}
    ```
  }];
  let arguments = (ins Variadic<Tile_Token>:$tokens, I64Attr:$pending);
  let assemblyFormat = "($tokens^)? attr-dict";
  let hasVerifier = 1;
}

def Tile_BarrierOp : Tile_Op<"barrier", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Wait for all threads of the program";
  let description = [{
    What any thread did to shared memory before is seen by all after. Programs
    are single-threaded in meaning: without layouts this does nothing.

    ```mlir
    tile.barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_MmaOp : Tile_Op<"mma", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "Matrix product by matrix instructions";
  let description = [{
    As `tile.dot`, of tiles that lie in the fragments of an atom
    (`#tile.mma_atom`), and of the types that it takes.

    - T9, T10 as of `tile.dot`, with rank 2 or 3. Of a batch, each element
      belongs to warps of its own.
    - T32: the layouts of `a`, `b` and `acc` are `#tile.layout<mma ...>` of
      the atom and the grid of warps, for operands in the orders `a_order`
      and `b_order`.

    ```mlir
    #a = #tile.layout<mma a row, shape = [64, 32], atom = volta_16x16x8, warp = [2, 2]>
    #b = #tile.layout<mma b column, shape = [32, 64], atom = volta_16x16x8, warp = [2, 2]>
    #c = #tile.layout<mma c f32, shape = [64, 64], atom = volta_16x16x8, warp = [2, 2]>
    func.func private @f(tensor<64x32xf16, #a>, tensor<32x64xf16, #b>) -> tensor<64x64xf32, #c>
    ```
  }];
  let arguments = (ins Tile_NumberTile:$a, Tile_NumberTile:$b,
                       Tile_NumberTile:$acc, Tile_Major:$a_order,
                       Tile_Major:$b_order, Tile_MmaAtomAttr:$atom,
                       I64Attr:$warps_m, I64Attr:$warps_n);
  let results = (outs Tile_NumberTile:$result);
  let assemblyFormat = [{
    $a $a_order `,` $b $b_order `,` $acc `atom` $atom `warps` `(` $warps_m `,`
    $warps_n `)` attr-dict `:` type($a) `,` type($b) `,` type($acc)
  }];
  let extraClassDeclaration = [{
    ::tileir::layout::MmaGrid getGrid();
    /// A, B or the accumulator as the atom takes it.
    ::tileir::layout::Operand getOperandOf(::tileir::layout::Matrix matrix);
  }];
  let hasVerifier = 1;
}

def Tile_SplitOp : Tile_Op<"split", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "The two halves of a tile";
  let description = [{
    The elements 0 and 1 along the last axis. A tile that is too large for
    shared memory is moved by halves.

    - T36: the last axis of the whole has size 2; the halves have its other axes
      and its element type.

    ```mlir
    %lhs, %rhs = tile.split %t : tensor<64x2xf32> -> tensor<64xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source);
  let results = (outs Tile_AnyTile:$lhs, Tile_AnyTile:$rhs);
  let assemblyFormat = [{
    $source attr-dict `:` type($source) `->` type($lhs)
  }];
  let hasVerifier = 1;
}

def Tile_JoinOp : Tile_Op<"join", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "A tile of two halves";
  let description = [{
    The reverse of `tile.split`.

    - T36 as of `tile.split`.

    ```mlir
    %t = tile.join %lhs, %rhs : tensor<64xf32> -> tensor<64x2xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$lhs, Tile_AnyTile:$rhs);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)
  }];
  let hasVerifier = 1;
}
