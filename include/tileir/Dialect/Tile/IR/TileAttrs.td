//===- TileAttrs.td ----------------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_IR_TILEATTRS_TD
#define TILEIR_DIALECT_TILE_IR_TILEATTRS_TD

include "tileir/Dialect/Tile/IR/TileDialect.td"
include "mlir/IR/EnumAttr.td"

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tileir::tile";
}

def Tile_Axis : Tile_Enum<"Axis", "an axis of the grid", [
    I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">,
    I32EnumAttrCase<"Z", 2, "z">]>;

def Tile_Combiner : Tile_Enum<"Combiner", "an associative operation", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Mul", 1, "mul">,
    I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"UMax", 4, "umax">, I32EnumAttrCase<"UMin", 5, "umin">,
    I32EnumAttrCase<"And", 6, "and">, I32EnumAttrCase<"Or", 7, "or">,
    I32EnumAttrCase<"Xor", 8, "xor">]> {
  let description = [{
    On floats `add`, `mul`, and `max`, `min` in the sense of `arith.maximumf` and
    `arith.minimumf` (NaN if one is NaN). On integers all: `max`, `min` signed,
    `umax`, `umin` unsigned; sums and products modulo the width. On i1 only
    `and`, `or`, `xor`.
  }];
}

def Tile_AtomicKind : Tile_Enum<"AtomicKind", "what an atomic access does", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"UMax", 3, "umax">,
    I32EnumAttrCase<"UMin", 4, "umin">, I32EnumAttrCase<"And", 5, "and">,
    I32EnumAttrCase<"Or", 6, "or">, I32EnumAttrCase<"Xor", 7, "xor">,
    I32EnumAttrCase<"Exchange", 8, "xchg">]> {
  let description = [{
    `add` and `xchg` on integers and floats; `max` and `min` (signed), `umax`,
    `umin`, `and`, `or`, `xor` on integers.
  }];
}

#endif // TILEIR_DIALECT_TILE_IR_TILEATTRS_TD
