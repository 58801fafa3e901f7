//===- TileMemoryOps.td ------------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Pointers, loads, stores and atomics. Included by TileOps.td.

def Tile_AddPtrOp : Tile_Op<"addptr", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "Advance pointers by a number of elements";
  let description = [{
    - T14: pointers and offsets are both scalars, or tiles of one shape and layout.

    ```mlir
    %q = tile.addptr %p, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    ```
  }];
  let arguments = (ins Tile_PointerLike:$ptr,
      Tile_ScalarOrTileOf<AnyTypeOf<[I32, I64], "i32 or i64">>:$offset);
  let results = (outs Tile_PointerLike:$result);
  let assemblyFormat = [{
    $ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

class Tile_PointerCastOp<string mnemonic, Type from, Type to>
    : Tile_Op<mnemonic, [Pure]> {
  let arguments = (ins from:$source);
  let results = (outs to:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_IntToPtrOp : Tile_PointerCastOp<"int_to_ptr",
    Tile_ScalarOrTileOf<I64>, Tile_PointerLike> {
  let summary = "Addresses as pointers";
  let description = [{
    Such a pointer may reach the memory of all arguments of the kernel, and no
    other: neither `tile.noalias` nor `tile.readonly` help where a kernel has
    it. Addresses are those of one launch: they may be kept in memory for its
    programs, but host code and later launches do not know them.

    - T53: source and result are both scalars, or tiles of one shape and layout.

    ```mlir
    %p = tile.int_to_ptr %i : i64 -> !tile.ptr<f32>
    ```
  }];
}

def Tile_PtrToIntOp : Tile_PointerCastOp<"ptr_to_int",
    Tile_PointerLike, Tile_ScalarOrTileOf<I64>> {
  let summary = "Pointers as addresses";
  let description = [{
    Addresses are counted in bytes.

    - T53: source and result are both scalars, or tiles of one shape and layout.

    ```mlir
    %i = tile.ptr_to_int %p : tensor<64x!tile.ptr<f32>> -> tensor<64xi64>
    ```
  }];
}

def Tile_PtrToPtrOp : Tile_PointerCastOp<"ptr_to_ptr",
    Tile_PointerLike, Tile_PointerLike> {
  let summary = "The same addresses as pointers to another type";
  let description = [{
    What is accessed through the result must be aligned to the size of its
    pointee.

    - T53: source and result are both scalars, or tiles of one shape and layout.

    ```mlir
    %q = tile.ptr_to_ptr %p : !tile.ptr<i8> -> !tile.ptr<f16>
    ```
  }];
}

def Tile_LoadOp : Tile_Op<"load", [AttrSizedOperandSegments, InferTypeOpAdaptor,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Load the elements that pointers point at";
  let description = [{
    Where the mask is false nothing is read, and the element is that of `other`,
    or 0 without one.

    With `is_volatile` memory is read whenever the program comes here: the load
    is not moved, merged with others or left out. On a GPU one thread reads each
    element, so that all have the same value of what may change meanwhile.

    - T15: the mask is an i1 for a scalar pointer, or a tile of i1 of the
      pointers' shape.
    - T16: `other` has the result's type, and comes with a mask.

    ```mlir
    %x = tile.load %p : tensor<64x!tile.ptr<f32>>
    %y = tile.load %p mask %m other %z : tensor<64x!tile.ptr<f32>>
    %flag = tile.load %q {is_volatile} : !tile.ptr<i32>
    ```
  }];
  let arguments = (ins Tile_PointerLike:$ptr,
                       Optional<Tile_PredicateLike>:$mask,
                       Optional<Tile_ScalarOrTile>:$other,
                       UnitAttr:$is_volatile);
  let results = (outs Tile_NumberLike:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Tile_StoreOp : Tile_Op<"store"> {
  let summary = "Store elements where pointers point at";
  let description = [{
    Where the mask is false nothing is written. Two elements of one store that
    go to one address are an error (which of them stays is not specified).

    - T15: the mask is an i1 for a scalar pointer, or a tile of i1 of the
      pointers' shape.
    - T17: the value has the pointers' shape, and their pointee as elements.

    ```mlir
    tile.store %p, %x : tensor<64x!tile.ptr<f32>>
    tile.store %p, %x mask %m : tensor<64x!tile.ptr<f32>>
    ```
  }];
  let arguments = (ins Arg<Tile_PointerLike, "", [MemWrite]>:$ptr,
                       Tile_NumberLike:$value,
                       Optional<Tile_PredicateLike>:$mask);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Tile_LoadViewOp : Tile_Op<"load_view"> {
  let summary = "Load a dense block of a memref";
  let description = [{
    The elements at `indices + position in the tile`. The axes of the tile are
    those of the memref, or those that `axes` lists in increasing order; along
    the others the tile is one element deep. An element whose index is negative
    or not below the memref's size along one of the tile's axes reads as 0;
    along the other axes indices must be inside.

    With `steps` the elements of the tile are so far apart along its axes: those
    at `indices + steps * position in the tile`.

    - T18: as many indices as the memref has axes.
    - T19: `axes` has an entry per axis of the tile, increasing, below the
      memref's rank; without it the ranks are equal.
    Along axes of the tile for which `in_bounds` is true, the whole tile is
    promised to be inside, so that nothing has to be compared. The interpreter
    checks it.

    - T20: the element types are the same.
    - T33: `in_bounds` has an entry per axis of the tile.
    - T54: `steps` has a positive entry per axis of the tile: 1 along the last
      axis of the memref, whose elements are accessed side by side.

    ```mlir
    %t = tile.load_view %m[%i, %j] : memref<?x?xf16> -> tensor<64x32xf16>
    %u = tile.load_view %b[%n, %i, %j] axes [1, 2] in_bounds [false, true]
        : memref<8x?x?xf16> -> tensor<64x32xf16>
    // Every other row.
    %v = tile.load_view %m[%i, %j] steps [2, 1] : memref<?x?xf16> -> tensor<64x32xf16>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$memref,
                       Variadic<Index>:$indices,
                       OptionalAttr<DenseI64ArrayAttr>:$axes,
                       OptionalAttr<DenseI64ArrayAttr>:$steps,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds);
  let results = (outs Tile_NumberTile:$result);
  let assemblyFormat = [{
    $memref `[` $indices `]` (`axes` $axes^)? (`steps` $steps^)?
    (`in_bounds` $in_bounds^)? attr-dict `:` type($memref) `->`
    type($result)
  }];
  let hasVerifier = 1;
}

def Tile_StoreViewOp : Tile_Op<"store_view"> {
  let summary = "Store a dense block into a memref";
  let description = [{
    As `tile.load_view`; elements that fall outside along the tile's axes are
    not written.

    - T18, T19, T20, T33 as of `tile.load_view`.

    ```mlir
    tile.store_view %t, %m[%i, %j] : tensor<64x32xf16>, memref<?x?xf16>
    ```
  }];
  let arguments = (ins Tile_NumberTile:$value,
                       Arg<AnyMemRef, "", [MemWrite]>:$memref,
                       Variadic<Index>:$indices,
                       OptionalAttr<DenseI64ArrayAttr>:$axes,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds);
  let assemblyFormat = [{
    $value `,` $memref `[` $indices `]` (`axes` $axes^)?
    (`in_bounds` $in_bounds^)? attr-dict `:`
    type($value) `,` type($memref)
  }];
  let hasVerifier = 1;
}

def Tile_DefaultOrder
    : DefaultValuedAttr<Tile_MemoryOrder,
                        "::tileir::tile::MemoryOrder::Relaxed">;
def Tile_DefaultScope
    : DefaultValuedAttr<Tile_MemoryScope,
                        "::tileir::tile::MemoryScope::Device">;

def Tile_AtomicRMWOp : Tile_Op<"atomic_rmw", [
    AllTypesMatch<["value", "result"]>]> {
  let summary = "Read, change and write elements, each at once";
  let description = [{
    Each element's read and write is one step that no other program comes
    between. The result is what was there before, 0 where the mask is false. The
    order among the elements is not specified. Those of programs are ordered as
    `order` says, nothing by default, for the programs that `scope` says, those
    of the launch by default (see `MemoryOrder`, `MemoryScope`).

    - T15: the mask is an i1 for a scalar pointer, or a tile of i1 of the
      pointers' shape.
    - T17: the value has the pointers' shape, and their pointee as elements.
    - T21: the operation fits the element type (see `AtomicKind`).

    ```mlir
    %old = tile.atomic_rmw add %p, %x mask %m : tensor<64x!tile.ptr<f32>>
    ```
  }];
  let arguments = (ins Tile_AtomicKind:$kind,
                       Arg<Tile_PointerLike, "", [MemRead, MemWrite]>:$ptr,
                       Tile_NumberLike:$value,
                       Optional<Tile_PredicateLike>:$mask,
                       Tile_DefaultOrder:$order, Tile_DefaultScope:$scope);
  let results = (outs Tile_NumberLike:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_AtomicCASOp : Tile_Op<"atomic_cas", [
    AllTypesMatch<["compare", "value", "result"]>]> {
  let summary = "Write elements that are equal to something, each at once";
  let description = [{
    Compare and swap: where memory has the bits of `compare`, `value` is
    written. As of `tile.atomic_rmw`, each element's read and write is one step,
    the result is what was there before, 0 where the mask is false, and `order`
    and `scope` say what is ordered; where nothing is written nothing is
    released. Floats are compared as bits: NaN may be equal, and 0 is not -0.

    - T15: the mask is an i1 for a scalar pointer, or a tile of i1 of the
      pointers' shape.
    - T17: both values have the pointers' shape, and their pointee as elements.
    - T52: elements have 16, 32 or 64 bits.

    ```mlir
    %old = tile.atomic_cas %p, %c, %x mask %m order acquire : tensor<64x!tile.ptr<i32>>
    ```
  }];
  let arguments = (ins Arg<Tile_PointerLike, "", [MemRead, MemWrite]>:$ptr,
                       Tile_NumberLike:$compare, Tile_NumberLike:$value,
                       Optional<Tile_PredicateLike>:$mask,
                       Tile_DefaultOrder:$order, Tile_DefaultScope:$scope);
  let results = (outs Tile_NumberLike:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
