//===- EinsumAttrs.td - Attributes of the einsum dialect ---*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_IR_EINSUMATTRS_TD
#define TILEIR_DIALECT_EINSUM_IR_EINSUMATTRS_TD

include "tileir/Dialect/Einsum/IR/EinsumDialect.td"
include "mlir/IR/AttrTypeBase.td"

class Einsum_Attr<string name, string attrMnemonic>
    : AttrDef<Einsum_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Einsum_LookupAttr : Einsum_Attr<"Lookup", "lookup"> {
  let summary = "What one symbol of an einsum specification stands for";
  let description = [{
    Either an element of a look-up table, `sh[c]`: the table's name and the
    letters that index it; or, with an empty name, the letter itself. The latter
    keeps products such as `h*w` within semi-affine expressions, where one
    factor has to be a symbol. Letters are positions in `SpecAttr::getLetters`.

    Example: `#einsum.lookup<"sh"[4]>`
  }];
  let parameters = (ins StringRefParameter<"name of the table, or empty">:$table,
                        ArrayRefParameter<"unsigned">:$letters);
  let assemblyFormat = "`<` $table `[` $letters `]` `>`";
  let extraClassDeclaration = [{
    /// Whether the symbol is a letter and not an element of a table.
    bool isLetter() const { return getTable().empty(); }
  }];
}

def Einsum_SpecAttr : Einsum_Attr<"Spec", "spec"> {
  let summary = "A parsed einsum specification";
  let description = [{
    The parsed form of a specification such as
    `"nc(h+sh[c])(w+sw[c]), ck -> nkhw"`. Its grammar (white space is free):

    ```
    spec   ::= term (`,` term)* `->` letter*
    term   ::= axis*
    axis   ::= letter | `(` expr `)`
    expr   ::= mul ((`+` | `-`) mul)*
    mul    ::= unary ((`*` | `/` | `%`) unary)*
    unary  ::= `-` unary | integer | letter | `(` expr `)`
             | name `[` letter (`,` letter)* `]`
    letter ::= [a-zA-Z]      name ::= [a-zA-Z_][a-zA-Z_0-9]*
    ```

    `/` is floor division and `%` its modulus; divisors must be positive. A
    letter of the result is external, any other is reduced (summed over). An
    axis has at most 1000 letters, integers and parentheses.

    The parameters:

    - `letters`: the letters, those of the result first and in its order, then
      the reduced ones in order of first use. Position i is dimension `d<i>`.
    - `numResultLetters`: how many of them index the result.
    - `lookups`: what the symbols `s<i>` of the maps stand for.
    - `maps`: per operand the (semi-)affine map from letters and look-ups to the
      operand's indices.

    Example: `#einsum.spec<"n(h+sh[c]), ck -> nkh">` has letters `"nkhc"`,
    three of them in the result, one look-up `sh[d3]` and the maps
    `(d0, d1, d2, d3)[s0] -> (d0, d2 + s0)` and
    `(d0, d1, d2, d3)[s0] -> (d3, d1)`.
  }];
  let parameters = (ins StringRefParameter<"all letters">:$letters,
                        "unsigned":$numResultLetters,
                        ArrayRefParameter<"LookupAttr">:$lookups,
                        ArrayRefParameter<"::mlir::AffineMap">:$maps);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The role of a letter: external letters are batch letters where several
    /// operands use them, row letters where only the first does and column
    /// letters where only a later one does.
    enum class LetterKind { Batch, Row, Column, Reduction };

    /// Parses `text`. An error goes to `emitError` with the offset in `text` at
    /// which it was found, and null is returned.
    static SpecAttr parse(
        ::mlir::MLIRContext *context, ::llvm::StringRef text,
        ::llvm::function_ref<::mlir::InFlightDiagnostic(size_t)> emitError);

    /// Makes a specification, with reduced letters and look-ups renumbered (and
    /// unused ones dropped) in the order in which they are printed, so that
    /// parsing the text gives the same attribute.
    static SpecAttr getCanonical(::mlir::MLIRContext *context,
                                 ::llvm::StringRef letters,
                                 unsigned numResultLetters,
                                 ::llvm::ArrayRef<LookupAttr> lookups,
                                 ::llvm::ArrayRef<::mlir::AffineMap> maps);

    /// Makes a specification of `maps`, which are written in the letters and
    /// look-ups of this one, with its letters in the order `order`, the first
    /// `numResultLetters` of them those of the result.
    SpecAttr reorder(::llvm::ArrayRef<unsigned> order, unsigned numResultLetters,
                     ::llvm::ArrayRef<::mlir::AffineMap> maps) const;

    unsigned getNumOperands() const { return getMaps().size(); }
    unsigned getNumLetters() const { return getLetters().size(); }
    bool isReduction(unsigned letter) const {
      return letter >= getNumResultLetters();
    }
    LetterKind getLetterKind(unsigned letter) const;

    /// Whether an operand uses the letter of this name.
    bool isUsed(char letter) const;

    /// Whether operand `operand` depends on `letter`, by itself or by a table.
    bool usesLetter(unsigned operand, unsigned letter) const;
    bool usesLetter(::mlir::AffineExpr axis, unsigned letter) const;

    /// The letter that axis `axis` of `operand` consists of, if it is a bare one.
    std::optional<unsigned> getBareLetter(unsigned operand, unsigned axis) const;

    /// Whether `axis` looks something up in a table.
    bool usesTable(::mlir::AffineExpr axis) const;

    /// The names of the tables, in order of first use: the order of the table
    /// operands of an op with this specification.
    ::llvm::SmallVector<::llvm::StringRef> getTables() const;

    /// Prints one axis as in a specification, without outer parentheses.
    void printAxis(::llvm::raw_ostream &os, ::mlir::AffineExpr axis) const;
    std::string axisToString(unsigned operand, unsigned axis) const;

    /// The specification in canonical form; parsing it gives this attribute.
    std::string toString() const;
  }];
}

#endif // TILEIR_DIALECT_EINSUM_IR_EINSUMATTRS_TD
