//===- TileTypes.td ----------------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_IR_TILETYPES_TD
#define TILEIR_DIALECT_TILE_IR_TILETYPES_TD

include "tileir/Dialect/Tile/IR/TileDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

class Tile_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Tile_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Tile_PtrType : Tile_Type<"Ptr", "ptr", [
    DeclareTypeInterfaceMethods<VectorElementTypeInterface>]> {
  let summary = "A pointer to elements in global memory";
  let description = [{
    The address of an element. Pointers are advanced by `tile.addptr`, in
    elements; a tile of pointers, `tensor<64x!tile.ptr<f32>>`, has an address per
    element. Pointees: i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32, f64; i1 has no address.

    Example: `!tile.ptr<f16>`
  }];
  let parameters = (ins "::mlir::Type":$pointee);
  let assemblyFormat = "`<` $pointee `>`";
  let genVerifyDecl = 1;
}

def Tile_BufferType : Tile_Type<"Buffer", "buffer"> {
  let summary = "A tile that has been given a place in shared memory";
  let description = [{
    What machine-level lowering puts between global memory and registers. The
    layout says at which offset each element lies (T28, T29 of `LayoutAttr`);
    without one, elements are in row-major order. All sizes are positive.

    Examples: `!tile.buffer<128x64xf16>`,
    `!tile.buffer<2x2xi8, #tile.layout<offset = [[1, 0], [0, 1]]>>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType,
                        DefaultValuedParameter<"::tileir::tile::LayoutAttr", "{}">:$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_TokenType : Tile_Type<"Token", "token"> {
  let summary = "A tile that is on its way to shared memory";
  let description = [{
    What `tile.async_load_view` and `tile.async_load` give, and
    `tile.async_wait` takes: the tile has arrived there.
  }];
}

def Tile_ChannelType : Tile_Type<"Channel", "channel"> {
  let summary = "A bounded queue of stages between two roles";
  let description = [{
    What `tile.channel` makes, by which the roles of a program keep in step.
  }];
}

def Tile_TensorMapType : Tile_Type<"TensorMap", "tensor_map"> {
  let summary = "How bulk copies find boxes of a memref";
  let description = [{
    What `tile.tensor_map` makes of a memref: the sizes of a box along each of
    its axes, the bytes within which chunks of 16 bytes are exchanged in shared
    memory, and the distance of its elements along each axis of the memref (1
    where no `steps` are given).

    There are 1 to 5 sizes from 1 to 256, and as many steps from 1 to 8, the last
    one 1; a size times its step is no more than 256. `swizzle` is 0, 32, 64 or
    128, and the last axis of a box has a multiple of 16 bytes, and no more than
    `swizzle`, if that is not 0.

    Examples: `!tile.tensor_map<128x64xbf16, swizzle = 128>`,
    `!tile.tensor_map<1x8x16x64xbf16, swizzle = 128, steps = [1, 2, 2, 1]>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$box,
                        "::mlir::Type":$elementType, "int64_t":$swizzle,
                        ArrayRefParameter<"int64_t">:$steps);
  let extraClassDeclaration = [{
    /// Whether elements of a box are further apart than those of memory.
    bool hasSteps() const {
      return ::llvm::any_of(getSteps(),
                            [](int64_t step) { return step != 1; });
    }
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}
def Tile_TensorMap : DialectType<Tile_Dialect,
    CPred<"::llvm::isa<::tileir::tile::TensorMapType>($_self)">,
    "!tile.tensor_map", "::tileir::tile::TensorMapType">;

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

def Tile_Number : AnyTypeOf<[I1, I8, I16, I32, I64, F8E4M3FN, F8E5M2, F16, BF16, F32, F64],
    "i1, i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32 or f64">;
def Tile_Integer : AnyTypeOf<[I1, I8, I16, I32, I64], "i1, i8, i16, i32 or i64">;
def Tile_Pointer : DialectType<Tile_Dialect,
    CPred<"::llvm::isa<::tileir::tile::PtrType>($_self)">, "!tile.ptr">;

/// A tile whose elements satisfy a constraint: a tensor whose sizes are all
/// static and positive (`TileType` in Tile.h).
class Tile_TileOf<Type element> : Type<And<[
      CPred<"::tileir::tile::TileType::isTile($_self)">,
      SubstLeaves<"$_self",
          "::llvm::cast<::mlir::RankedTensorType>($_self).getElementType()",
          element.predicate>]>,
    "tile (a tensor of static, positive sizes) of " # element.summary,
    "::mlir::RankedTensorType">;
/// A tile, or one value of its elements.
class Tile_ScalarOrTileOf<Type element> : AnyTypeOf<
    [element, Tile_TileOf<element>],
    element.summary # ", or a tile of them">;

def Tile_AnyElement : AnyTypeOf<[Tile_Number, Tile_Pointer],
    "i1, i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or !tile.ptr">;
def Tile_AnyTile : Tile_TileOf<Tile_AnyElement>;
def Tile_NumberTile : Tile_TileOf<Tile_Number>;
def Tile_ScalarOrTile : Tile_ScalarOrTileOf<Tile_AnyElement>;
def Tile_NumberLike : Tile_ScalarOrTileOf<Tile_Number>;
def Tile_IntegerLike : Tile_ScalarOrTileOf<Tile_Integer>;
def Tile_PointerLike : Tile_ScalarOrTileOf<Tile_Pointer>;
def Tile_PredicateLike : Tile_ScalarOrTileOf<I1>;

#endif // TILEIR_DIALECT_TILE_IR_TILETYPES_TD
