//===- TilePredicateOps.td ---------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Predicated SSA (MAPL 2019, section 4.3), and assumptions. Included by TileOps.td.

def Tile_CmppOp : Tile_Op<"cmpp", [Pure, SameTypeOperands]> {
  let summary = "Compare, and give the predicate and its opposite";
  let description = [{
    `then` is what `arith.cmpi` or `arith.cmpf` gives; `else` is its negation, so
    that exactly one of them is true at each element, NaN or not. `predicate` is
    the name of a predicate of `arith.cmpi` for integers (`eq`, `slt`, `ult`,
    ...), of `arith.cmpf` for floats (`oeq`, `olt`, `uge`, ...).

    - T22: the predicate is one for the operands' element type.

    ```mlir
    %t, %e = tile.cmpp olt %x, %y : tensor<64xf32>
    ```
  }];
  let arguments = (ins StrAttr:$predicate, Tile_NumberLike:$lhs,
                       Tile_NumberLike:$rhs);
  let results = (outs Tile_PredicateLike:$thenPredicate,
                      Tile_PredicateLike:$elsePredicate);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_PsiOp : Tile_RangedOp<"psi", [Pure, SameVariadicOperandSize]> {
  let summary = "Merge values by their predicates";
  let description = [{
    At each element the value of the **last** pair whose predicate is true. If no
    predicate is true there, the element is poison: it may be merged away by
    another psi or stay under a false mask, but nothing may depend on it. The
    interpreter reports where something does; `tile-psi-to-select` gives it the
    first pair's value.

    - T23: at least one pair.
    - T24: each value has the result's type.
    - T25: the predicates are all i1, or all tiles of i1 of the result's shape.

    ```mlir
    %r = tile.psi %t ? %x, %e ? %zero : tensor<64xi1>, tensor<64xf32>
    ```
  }];
  let arguments = (ins Variadic<Tile_PredicateLike>:$predicates,
                       Variadic<Tile_ScalarOrTile>:$values);
  let results = (outs Tile_ScalarOrTile:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

// Not Pure: an assumption that holds in a branch or loop may not hold before it.
def Tile_AssumeOp : Tile_RangedOp<"assume", [NoMemoryEffect,
    SameOperandsAndResultType]> {
  let summary = "A value of which something is known";
  let description = [{
    The result is the operand, and the program promises the assumptions: axis analysis
    uses them, the interpreter checks them. For integers and pointers (whose
    `divisibility` is that of the address, in bytes; `contiguity` counts
    elements):

    - `divisibility`: per axis d: the first element of each run that `contiguity`
      speaks of is a multiple of d (of a scalar: its value).
    - `contiguity`: per axis c: elements come in runs of c that go up by one.
    - `constancy`: per axis c: elements come in runs of c equal ones.
    - `range`: lo, hi: each element lies in [lo, hi] (signed; not of pointers).

    - T26: the lists have an entry per axis (one for a scalar), at least 1, and
      those of contiguity and constancy divide the size; the range is lo, hi
      with lo <= hi.
    - T27: at least one assumption.

    ```mlir
    %j = tile.assume %i {divisibility = array<i64: 16>} : i32
    %k = tile.assume %t {contiguity = array<i64: 8>, range = array<i64: 0, 99>}
        : tensor<64xi32>
    ```
  }];
  let arguments = (ins
      AnyTypeOf<[Tile_IntegerLike, Tile_PointerLike]>:$value,
      OptionalAttr<DenseI64ArrayAttr>:$divisibility,
      OptionalAttr<DenseI64ArrayAttr>:$contiguity,
      OptionalAttr<DenseI64ArrayAttr>:$constancy,
      OptionalAttr<DenseI64ArrayAttr>:$range);
  let results = (outs AnyTypeOf<[Tile_IntegerLike, Tile_PointerLike]>:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
  let hasVerifier = 1;
}
