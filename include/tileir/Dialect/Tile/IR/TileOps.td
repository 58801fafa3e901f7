//===- TileOps.td ------------------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// All operations of the dialect: values and shapes here; TileMemoryOps.td,
// TilePredicateOps.td and TileMachineOps.td hold the rest. Constraints are numbered T1, T2, ...
// through all of them; verifiers and tests cite the numbers.

#ifndef TILEIR_DIALECT_TILE_IR_TILEOPS_TD
#define TILEIR_DIALECT_TILE_IR_TILEOPS_TD

include "tileir/Dialect/Tile/IR/TileAttrs.td"
include "tileir/Dialect/Tile/IR/TileTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;
/// An op that tells ranges of integers to upstream's analysis.
class Tile_RangedOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, traits # [
        DeclareOpInterfaceMethods<InferIntRangeInterface,
                                  ["inferResultRanges"]>]>;

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

def Tile_ProgramIdOp : Tile_RangedOp<"program_id", [Pure]> {
  let summary = "Index of this program in the grid";
  let description = [{
    From 0 to `tile.num_programs` - 1 along the axis.

    - T1: stands in a function with `tile.kernel`.

    ```mlir
    %id = tile.program_id x
    ```
  }];
  let arguments = (ins Tile_Axis:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict";
  let hasVerifier = 1;
}

def Tile_NumProgramsOp : Tile_RangedOp<"num_programs", [Pure]> {
  let summary = "Number of programs of the grid along an axis";
  let description = [{
    At least 1.

    - T1: stands in a function with `tile.kernel`.

    ```mlir
    %n = tile.num_programs y
    ```
  }];
  let arguments = (ins Tile_Axis:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict";
  let hasVerifier = 1;
}

def Tile_LaunchOp : Tile_Op<"launch", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Run a kernel on a grid of programs";
  let description = [{
    Host code: runs @kernel once for each point of the grid, and returns when all
    programs have ended. A memref may stand for a pointer argument with the same
    element type: the kernel gets the address of its first element; it has to be
    contiguous (identity layout). What the programs write is visible afterwards:
    the op reads its memrefs and pointers, and writes those that the kernel does
    not declare `tile.readonly`.

    - T2: the kernel is a function with `tile.kernel` in the same module.
    - T3: as many operands as the kernel has arguments, and of their types, but
      for memrefs given for pointers. A memref may also lie in device memory
      where the kernel's argument names no memory space, as
      `tile-place-buffers` arranges it.

    ```mlir
    tile.launch @add grid(%c16, %c1, %c1) (%a, %b, %n)
        : memref<1024xf32>, memref<1024xf32>, i32
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Index:$gridX, Index:$gridY,
                       Index:$gridZ, Variadic<AnyType>:$arguments);
  let assemblyFormat = [{
    $kernel `grid` `(` $gridX `,` $gridY `,` $gridZ `)` `(` $arguments `)`
    attr-dict (`:` type($arguments)^)?
  }];
}

//===----------------------------------------------------------------------===//
// Making and retiling tiles
//===----------------------------------------------------------------------===//

def Tile_SplatOp : Tile_RangedOp<"splat", [Pure]> {
  let summary = "A tile whose elements are all one value";
  let description = [{
    - T4: the operand's type is the result's element type.

    ```mlir
    %t = tile.splat %x : f32 -> tensor<8x16xf32>
    ```
  }];
  let arguments = (ins Tile_AnyElement:$value);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_RangeOp : Tile_RangedOp<"range", [Pure]> {
  let summary = "The integers from start to end";
  let description = [{
    `start, start + 1, ..., end - 1`, Triton-C's `start ... end`.

    - T5: the result has one axis, of end - start elements, at least 1; they are
      i32 or i64, and hold the bounds.

    ```mlir
    %t = tile.range 0 to 64 : tensor<64xi32>
    ```
  }];
  let arguments = (ins I64Attr:$start, I64Attr:$end);
  let results = (outs Tile_TileOf<AnyTypeOf<[I32, I64], "i32 or i64">>:$result);
  let assemblyFormat = "$start `to` $end attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ReshapeOp : Tile_RangedOp<"reshape", [Pure]> {
  let summary = "The same elements, in row-major order, in another shape";
  let description = [{
    Adding axes of size one (`newaxis`) is its usual use.

    - T6: operand and result have the same element type and number of elements.

    ```mlir
    %t = tile.reshape %x : tensor<64xf32> -> tensor<64x1xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_BroadcastOp : Tile_RangedOp<"broadcast", [Pure]> {
  let summary = "Repeat a tile along axes of size one";
  let description = [{
    The operand's shape is padded with ones on the left to the rank of the
    result; then each axis of size one is repeated to the result's size.

    - T7: same element type; after padding each size is 1 or the result's.

    ```mlir
    %t = tile.broadcast %x : tensor<64x1xf32> -> tensor<64x32xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_TransOp : Tile_RangedOp<"trans", [Pure, InferTypeOpAdaptor]> {
  let summary = "Permute the axes of a tile";
  let description = [{
    Axis i of the result is axis `permutation[i]` of the operand; Triton-C's `^`
    is `[1, 0]`.

    - T8: `permutation` holds each axis of the operand once.

    ```mlir
    %t = tile.trans %x [1, 0] : tensor<8x16xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source $permutation attr-dict `:` type($source)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Arithmetic across elements
//===----------------------------------------------------------------------===//

def Tile_DotOp : Tile_Op<"dot", [Pure,
    AllTypesMatch<["acc", "result"]>]> {
  let summary = "Matrix product of tiles, added to an accumulator";
  let description = [{
    `result = acc + a @ b` with a of M x K, b of K x N and acc of M x N elements;
    axes before the last two, the same in all, are batches.

    | a, b | acc and result |
    |---|---|
    | f16, bf16 | f32, or the type of a and b |
    | f8E4M3FN, f8E5M2 | f32 |
    | f32 | f32 |
    | f64 | f64 |
    | i8 (signed) | i32 |

    Products and sums are formed in the type of acc (for f16 and bf16
    accumulators in f32, rounded once at the end); the order of summation is not
    specified. Integer sums are modulo 2^32.

    - T9: a, b and acc have the same rank, 2 or more, and equal batch sizes.
    - T10: K is the same in a and b; M and N are those of acc.
    `precision` is "full" (default), or "tf32": elements of a and b are rounded
    to tf32 (10 bits of mantissa, to nearest, ties away from zero, as
    `cvt.rna.tf32.f32` does) before they are multiplied.

    - T11: the element types are a row of the table.
    - T37: `precision` is "full" or "tf32"; "tf32" is for a and b of f32.

    ```mlir
    %d = tile.dot %a, %b, %c
        : tensor<64x32xf16>, tensor<32x128xf16>, tensor<64x128xf32>
    ```
  }];
  let arguments = (ins Tile_NumberTile:$a, Tile_NumberTile:$b,
                       Tile_NumberTile:$acc, OptionalAttr<StrAttr>:$precision);
  let results = (outs Tile_NumberTile:$result);
  let extraClassDeclaration = [{
    /// Whether elements of a and b are rounded to tf32.
    bool isTF32() { return getPrecision().value_or("full") == "tf32"; }
  }];
  let assemblyFormat = [{
    $a `,` $b `,` $acc attr-dict `:` type($a) `,` type($b) `,` type($acc)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_ReduceOp : Tile_Op<"reduce", [Pure, InferTypeOpAdaptor]> {
  let summary = "Combine the elements along an axis";
  let description = [{
    The result lacks the axis; that of a tile of one axis is a scalar. The order
    in which elements are combined is not specified.

    - T12: the axis is one of the operand's.
    - T13: the operation fits the element type (see `Combiner`).

    ```mlir
    %row = tile.reduce add %x axis 1 : tensor<8x16xf32>
    %all = tile.reduce max %y axis 0 : tensor<8xf32>
    ```
  }];
  let arguments = (ins Tile_Combiner:$combiner, Tile_NumberTile:$source,
                       I64Attr:$axis);
  let results = (outs Tile_NumberLike:$result);
  let assemblyFormat = [{
    $combiner $source `axis` $axis attr-dict `:` type($source)
  }];
}

def Tile_ScanOp : Tile_Op<"scan", [Pure, SameOperandsAndResultType]> {
  let summary = "Combine the elements along an axis up to each one";
  let description = [{
    Element i along the axis of the result combines elements 0 to i of the
    operand; with `reverse`, elements i to the last.

    - T12: the axis is one of the operand's.
    - T13: the operation fits the element type (see `Combiner`).

    ```mlir
    %sums = tile.scan add %x axis 1 : tensor<8x16xi32>
    %rest = tile.scan max %x axis 0 reverse : tensor<8x16xi32>
    ```
  }];
  let arguments = (ins Tile_Combiner:$combiner, Tile_NumberTile:$source,
                       I64Attr:$axis, UnitAttr:$reverse);
  let results = (outs Tile_NumberTile:$result);
  let assemblyFormat = [{
    $combiner $source `axis` $axis (`reverse` $reverse^)? attr-dict `:`
    type($source)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

def Tile_PrintOp : Tile_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "Print a text for each element";
  let description = [{
    Prints the format once for each element of the tiles, in row-major order,
    with the element of each operand there; scalars are the same for all. With
    scalars alone it is printed once. A program prints in order; nothing is said
    of different programs, nor, on a GPU, of elements that different threads
    hold. The text goes to the standard output.

    The format is as of `printf`: `%d` prints a signed, `%u` an unsigned integer,
    `%x` and `%X` one in hexadecimal; `%f`, `%e`, `%g` and `%a` print floats;
    `%%` is a percent sign. Flags, a width and a precision may stand after `%`;
    lengths say nothing, as types are known. A boolean is 0 or 1.

    - T56: the format has a conversion for each operand, one for its element
      type.
    - T57: all operands that are tiles have one shape.

    ```mlir
    tile.print "%d: x is %5.2f\n" %i, %x : tensor<64xi32>, tensor<64xf32>
    ```
  }];
  let arguments = (ins StrAttr:$format, Variadic<Tile_NumberLike>:$values);
  let assemblyFormat = "$format ($values^)? attr-dict (`:` type($values)^)?";
  let hasVerifier = 1;
}

include "tileir/Dialect/Tile/IR/TileMemoryOps.td"
include "tileir/Dialect/Tile/IR/TilePredicateOps.td"
include "tileir/Dialect/Tile/IR/TileMachineOps.td"
include "tileir/Dialect/Tile/IR/TileChannelOps.td"
include "tileir/Dialect/Tile/IR/TileBulkOps.td"

#endif // TILEIR_DIALECT_TILE_IR_TILEOPS_TD
