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
include "mlir/IR/EnumAttr.td"

class Einsum_Attr<string name, string attrMnemonic>
    : AttrDef<Einsum_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Einsum_LookupAttr : Einsum_Attr<"Lookup", "lookup"> {
  let summary = "What one symbol of an einsum specification stands for";
  let description = [{
    Either an element of a look-up table, `sh[c]`: the table's name and the
    indices in its brackets; or, with an empty name, the index itself. The latter
    keeps products such as `h*w` within semi-affine expressions, where one
    factor has to be a symbol. Indices are positions in `SpecAttr::getIndices`.

    Example: `#einsum.lookup<"sh"[4]>`
  }];
  let parameters = (ins StringRefParameter<"name of the table, or empty">:$table,
                        ArrayRefParameter<"unsigned">:$indices);
  let assemblyFormat = "`<` $table `[` $indices `]` `>`";
  let extraClassDeclaration = [{
    /// Whether the symbol is an index and not an element of a table.
    bool isIndex() const { return getTable().empty(); }
  }];
}

def Einsum_SpecAttr : Einsum_Attr<"Spec", "spec"> {
  let summary = "A parsed einsum specification";
  let description = [{
    The parsed form of a specification such as
    `"nc(h+sh[c])(w+sw[c]), ck -> nkhw"`. Its grammar (white space is free):

    ```
    spec   ::= term (`,` term)* `->` index*
    term   ::= axis*
    axis   ::= index | `(` expr `)`
    expr   ::= mul ((`+` | `-`) mul)*
    mul    ::= unary ((`*` | `/` | `%`) unary)*
    unary  ::= `-` unary | integer | index | `(` expr `)`
             | name `[` index (`,` index)* `]`
    index ::= [a-zA-Z]      name ::= [a-zA-Z_][a-zA-Z_0-9]*
    ```

    `/` is floor division and `%` its modulus; divisors must be positive. An
    index of the result is external, any other is reduced (summed over). An
    axis has at most 1000 indices, integers and parentheses.

    The parameters:

    - `indices`: the indices, those of the result first and in its order, then
      the reduced ones in order of first use. Position i is dimension `d<i>`.
    - `numResultIndices`: how many of them index the result.
    - `lookups`: what the symbols `s<i>` of the maps stand for.
    - `maps`: per operand the (semi-)affine map from indices and look-ups to
      positions along the operand's axes.

    Example: `#einsum.spec<"n(h+sh[c]), ck -> nkh">` has indices `"nkhc"`,
    three of them in the result, one look-up `sh[d3]` and the maps
    `(d0, d1, d2, d3)[s0] -> (d0, d2 + s0)` and
    `(d0, d1, d2, d3)[s0] -> (d3, d1)`.
  }];
  let parameters = (ins StringRefParameter<"all indices">:$indices,
                        "unsigned":$numResultIndices,
                        ArrayRefParameter<"LookupAttr">:$lookups,
                        ArrayRefParameter<"::mlir::AffineMap">:$maps);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// Parses `text`. An error goes to `emitError` with the offset in `text` at
    /// which it was found, and null is returned.
    static SpecAttr parse(
        ::mlir::MLIRContext *context, ::llvm::StringRef text,
        ::llvm::function_ref<::mlir::InFlightDiagnostic(size_t)> emitError);

    /// Makes a specification, with reduced indices and look-ups renumbered (and
    /// unused ones dropped) in the order in which they are printed, so that
    /// parsing the text gives the same attribute.
    static SpecAttr getCanonical(::mlir::MLIRContext *context,
                                 ::llvm::StringRef indices,
                                 unsigned numResultIndices,
                                 ::llvm::ArrayRef<LookupAttr> lookups,
                                 ::llvm::ArrayRef<::mlir::AffineMap> maps);

    /// Makes a specification of `maps`, which are written in the indices and
    /// look-ups of this one, with its indices in the order `order`, the first
    /// `numResultIndices` of them those of the result. Those that `order` lacks
    /// are 0.
    SpecAttr reorder(::llvm::ArrayRef<unsigned> order, unsigned numResultIndices,
                     ::llvm::ArrayRef<::mlir::AffineMap> maps) const;

    unsigned getNumOperands() const { return getMaps().size(); }
    unsigned getNumIndices() const { return getIndices().size(); }
    bool isReduction(unsigned index) const {
      return index >= getNumResultIndices();
    }
    /// The dimension of the contraction to which an index belongs.
    ContractionDim getContractionDim(unsigned index) const;

    /// Whether an operand uses the index of this name.
    bool isUsed(char index) const;

    /// Whether operand `operand` depends on `index`, by itself or by a table.
    bool usesIndex(unsigned operand, unsigned index) const;
    bool usesIndex(::mlir::AffineExpr axis, unsigned index) const;

    /// The index that axis `axis` of `operand` consists of, if it is a bare one.
    std::optional<unsigned> getBareIndex(unsigned operand, unsigned axis) const;

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

//===----------------------------------------------------------------------===//
// Schedules for the CPU
//===----------------------------------------------------------------------===//

def Einsum_Execution : I32EnumAttr<"Execution", "how a dimension is executed", [
    I32EnumAttrCase<"Seq", 0, "seq">, I32EnumAttrCase<"Parallel", 1, "parallel">,
    I32EnumAttrCase<"Prim", 2, "prim">]> {
  let cppNamespace = "::tileir::einsum";
  let genSpecializedAttr = 0;
}

def Einsum_DimAttr : Einsum_Attr<"Dim", "dim"> {
  let summary = "A loop dimension of a schedule";
  let description = [{
    A loop over `size` values of an index, or of several indices that are gone
    through as one (the last one is the innermost), in steps of `step`: the
    index `n` of size 1024 may be a dimension of size 16 and step 64, and one
    of size 64 and step 1.

    `exec` is `seq`, a sequential loop; `parallel`, divided among threads; or
    `prim`, part of the innermost kernel.

    Whether it belongs to the batch, to M, N or K of the contraction, and by how
    many elements a step of it moves in each operand, follow from the contraction
    and the layouts of its operands: `einsum-print-schedules` shows them.

    Example: `#einsum.dim<"n" seq 16 step 64>`
  }];
  let parameters = (ins StringRefParameter<"the indices">:$indices,
                        "::tileir::einsum::Execution":$exec, "int64_t":$size,
                        DefaultValuedParameter<"int64_t", "1">:$step);
  let assemblyFormat = [{
    `<` $indices $exec $size (`step` $step^)? `>`
  }];
  let genVerifyDecl = 1;
}

def Einsum_ScheduleAttr : Einsum_Attr<"Schedule", "schedule"> {
  let summary = "Decisions about the loops that compute a contraction";
  let description = [{
    The attribute `schedule` of `einsum.contract`: a nest of loops, the outermost
    first, around a kernel over the `prim` dimensions. It holds decisions alone.
    What follows from the contraction, its operands and the pointwise ops of the
    `einsum.kernel` around it is not written down, so that a schedule stays valid
    when the layout of an operand changes; `einsum-print-schedules` shows it:
    strides of dimensions, and to which one of the contraction they belong, what a block of the result starts from, what
    the kernel computes, and what is done to a finished block.

    - `lanes`: which of `dims` lies along vectors; if it is summed, the kernel is
      dot products, one for each of its rows, or each pair of what its two other
      dimensions go over. If absent, the `prim` dimension with stride 1 in the
      result.
    - `matrix`: whether the kernel runs on the machine's matrix unit, with tiles of
      16 rows by a vector in its registers.
    - `tile`: rows and vectors that are held in registers; of dot products, rows
      and columns.
    - `unroll`: how many steps of the innermost summed dimension are one
      iteration.
    - `prefetch`: how many of these steps ahead lines of operands are
      prefetched, and those of the result before the sum; if absent, none are.
    - `pack`: operands of which the kernel reads a copy, whose order is that of
      its loops.

    What is absent is chosen by the lowering. If a summed dimension is outside of the
    kernel, sums are kept in the result between its calls, or, if that has elements of
    another type, in a buffer. A result that is larger than what the
    third cache of `einsum.machine` keeps is written past the caches, by
    nontemporal stores, where vectors of it are aligned. The seed is the tensor operation
    backend of `mini_jit`, whose configurations have the same parts.

    Constraints:

    - C23: `prim` dimensions come last, `parallel` ones first; a `parallel`
      dimension is not summed.
    - C24: two `prim` dimensions at most are not summed. If there are `prim`
      dimensions and the contraction sums, one of them at least is summed, and
      no more than one if it has one operand.
    - C25: the dimensions of an index, or of indices that are gone through as
      one, cover it once: each step is the product of step and size of the next
      smaller one, the least is 1, and sizes multiply to that of the indices.
    - C26: indices that are gone through as one belong to one dimension of the
      contraction: all to the batch, or all to M, to N or to K.
    - C27: with `matrix`, two operands of bf16 are summed in f32, or two of i8 in
      i32; of two `prim` dimensions that are not summed, each operand has one; and
      `tile`, if there is one, fits eight registers: one for each 16 rows of an
      operand, for each vector of the other one, and for each product of both.
    - C28: a contraction with a schedule has one or two operands, of static
      shape and with strided layouts, indices of known sizes, and `pad = "none"`.

    Example:

    ```mlir
    func.func @f(%a: tensor<32x8x32x32xf32>, %b: tensor<32x8x32x32xf32>) -> tensor<32x32x32x32xf32> {
      %c = einsum.contract "ackm, bcnk -> abnm" (%a, %b) {schedule = #einsum.schedule<
               tile = [8, 2], unroll = 4, dims = [<"a" parallel 32>, <"b" seq 32>,
               <"c" prim 8>, <"m" prim 32>, <"n" prim 32>, <"k" prim 32>]>}
          : (tensor<32x8x32x32xf32>, tensor<32x8x32x32xf32>) -> tensor<32x32x32x32xf32>
      return %c : tensor<32x32x32x32xf32>
    }
    ```
  }];
  let parameters = (ins OptionalArrayRefParameter<"::tileir::einsum::DimAttr">:$dims,
                        DefaultValuedParameter<"int64_t", "-1">:$lanes,
                        DefaultValuedParameter<"bool", "false">:$matrix,
                        OptionalArrayRefParameter<"int64_t">:$tile,
                        DefaultValuedParameter<"int64_t", "0">:$unroll,
                        DefaultValuedParameter<"int64_t", "0">:$prefetch,
                        OptionalArrayRefParameter<"int64_t">:$pack);
  let assemblyFormat = [{
    `<` (`lanes` `=` $lanes^ `,` ` `)? (`matrix` `=` $matrix^ `,` ` `)?
    (`tile` `=` `[` $tile^ `]` `,` ` `)?
    (`unroll` `=` $unroll^ `,` ` `)? (`prefetch` `=` $prefetch^ `,` ` `)?
    (`pack` `=` `[` $pack^ `]` `,` ` `)?
    `dims` `=` `[` (`]`) : ($dims^ `]`)? `>`
  }];
  let genVerifyDecl = 1;
}

def Einsum_MachineAttr : Einsum_Attr<"Machine", "machine"> {
  let summary = "What passes know of a CPU";
  let description = [{
    The attribute `einsum.machine` of a module, which `einsum-attach-machine`
    sets from the table of CPUs, and tools that run code to what they find;
    without it passes take the CPU `generic` of the table, whatever machine they
    run on.

    - `cpu`: as LLVM names it; `vector_bits`: bits of a vector, a power of two;
      `registers`: how many vectors it holds;
    - `fma`: multiply-adds of vectors that start in a cycle, `latency`: cycles
      until one can be added to;
    - `l1`, `l2`, `l3`: bytes of the caches (of data); `cores`: threads that run
      at once;
    - `bf16`: whether dot products of bf16 pairs (`vdpbf16ps`) are there, and
      faster than multiply-adds of f32;
    - `amx`: whether there is a matrix unit, AMX, for products of bf16 and of i8;
    - `vnni`: whether vectors have products of four u8 and i8 that are added to an
      i32 (`vpdpbusd`);
    - `costs`: cycles, and parts of caches, by which estimates tell kernels
      apart, where they are not those that the table of CPUs has for `cpu`:
      names of [`CpuCosts.def`](../../include/tileir/Target/Cpu/CpuCosts.def)
      with positive numbers, as `costs = {tile_cycles = 30.0}`.

    Example:

    ```mlir
    module attributes {einsum.machine = #einsum.machine<cpu = "znver4", vector_bits = 512,
        registers = 32, fma = 1, latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432,
        cores = 2, bf16 = true>} {}
    ```
  }];
  let parameters = (ins StringRefParameter<"name of the CPU">:$cpu,
                        "int64_t":$vectorBits, "int64_t":$registers,
                        "int64_t":$fma, "int64_t":$latency, "int64_t":$l1,
                        "int64_t":$l2, "int64_t":$l3, "int64_t":$cores,
                        "bool":$bf16,
                        "bool":$amx, "bool":$vnni,
                        AttrParameter<"::tileir::machine::CpuCosts", "",
                                      "const ::tileir::machine::CpuCosts &">:$costs);
  let assemblyFormat = [{
    `<` `cpu` `=` $cpu `,` `vector_bits` `=` $vectorBits `,` `registers` `=`
    $registers `,` `fma` `=` $fma `,` `latency` `=` $latency `,` `l1` `=` $l1 `,`
    `l2` `=` $l2 `,` `l3` `=` $l3 `,` `cores` `=` $cores `,` `bf16` `=` $bf16
    `` custom<MachineExtras>(ref($cpu), $amx, $vnni, $costs) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// What an entry of the table of CPUs says.
    static MachineAttr get(::mlir::MLIRContext *context,
                           const ::tileir::machine::Cpu &cpu);

    /// The attribute `einsum.machine` of an op around `op`, or else that of the
    /// default CPU.
    static MachineAttr find(::mlir::Operation *op);

    /// Whether the caches keep so little of a result of `bytes` that it is
    /// streamed: written past them.
    bool streams(double bytes) const;
  }];
}

#endif // TILEIR_DIALECT_EINSUM_IR_EINSUMATTRS_TD
