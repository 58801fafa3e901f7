//===- EinsumOps.td - Operations of the einsum dialect -----*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_IR_EINSUMOPS_TD
#define TILEIR_DIALECT_EINSUM_IR_EINSUMOPS_TD

include "tileir/Dialect/Einsum/IR/EinsumAttrs.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// Elements of operands and results.
def Einsum_Element : AnyTypeOf<[F8E4M3FN, F8E5M2, F16, BF16, F32, F64, I8, I32]>;
def Einsum_Operand : AnyTypeOf<[RankedTensorOf<[Einsum_Element]>,
                                MemRefOf<[Einsum_Element]>],
    "ranked tensor or memref of f8E4M3FN, f8E5M2, f16, bf16, f32, f64, i8 or i32 elements">;
def Einsum_Table : AnyTypeOf<[AnyRankedTensor, AnyMemRef],
    "ranked tensor or memref">;

def Einsum_ContractOp : Op<Einsum_Dialect, "contract", [
    AttrSizedOperandSegments,
    ConditionallySpeculatable,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "Extended tensor contraction";
  let description = [{
    Multiplies elements of the operands and sums the products over the indices
    that the result does not have:

    ```
    result[indices of the result] =
        sum over the other indices of  input0[axes0] * input1[axes1] * ...
    ```

    (the product itself if there are no other indices), where each axis is an
    index or an expression of indices and look-ups; the
    grammar is that of `#einsum.spec`. On tensors the op is a value; on memrefs
    it writes `outs`, which must not overlap an input or table.

    | | shape | elements |
    |---|---|---|
    | inputs | an axis per axis of its term | all of f8E4M3FN, f8E5M2, f16, bf16, f32, f64, or all of i8, i32 |
    | tables | an axis for each index in its brackets, of its size | i32, i64 |
    | outs | that of the result | those of the result |
    | result | the indices after `->` | floats or integers, as the inputs |

    Attributes:

    - `pad`: `"none"` (default): every read must fall inside its operand;
      `"zero"`: a read that falls outside gives 0.
    - `acc`: the element type in which products and sums are formed. Operands
      are converted to it, the sum is rounded to the result's type once.
      Default: f64 if an operand is f64, f32 for other floats, i32 (modulo
      2^32) for i8 and i32, which are signed.
    - `precision`: `"full"` (default), or `"tf32"`: elements of the two operands,
      which are f32, are rounded to tf32 (10 bits of mantissa, to nearest, ties
      away from zero, as `cvt.rna.tf32.f32` does) before they are multiplied.
      Products and sums are those of `acc`.
    - `sizes`: sizes of indices that no type tells, as the window of a pooling.
    - `schedule`: how the CPU computes it (`#einsum.schedule`, with constraints
      C23 to C28); what it computes is the same.

    The size of an index is, in this order: its entry in `sizes`; the size of an
    axis of an operand, table, outs or result that is that index alone (an axis
    that simplifies to an index, as `(2*h/2)`, is that index); with
    `pad = "none"`, where it is the only index of unknown size in a linear axis
    and its coefficient is positive, the largest that keeps every read of that
    axis inside.

    Constraints (C1-C6 are checked when the specification is parsed):

    - C1: the specification follows the grammar.
    - C2: the indices of the result are distinct, and an operand uses each.
    - C3: each axis is f(indices of the result) + g(reduced indices).
    - C4: constants, and what they multiply and add up to, fit in 64 bits.
    - C5: constant divisors are positive.
    - C6: a table is indexed by the same number of indices everywhere.
    - C7: there are as many operands as terms.
    - C8: an operand has as many axes as its term, the result (and outs) as many
      as indices follow `->`.
    - C9: each table of the specification is provided once, and no other.
    - C10: a table has as many axes as indices in its brackets, and i32 or i64 elements.
    - C11: an index has the same size wherever it occurs.
    - C12: the size of each index is known or can be found from the operands.
    - C13: `pad` is "none" or "zero".
    - C14: with `pad = "none"`, a read without a table, of static sizes, stays
      inside its operand.
    - C15: the elements of the inputs and the result are all floats or all
      integers.
    - C16: `acc` is a float type that holds the inputs' floats exactly, or i32
      for integers.
    - C17: all operands are tensors and there is one result, of the type of outs
      if there is outs, or all are memrefs, with outs, which is no input, and
      without a result.
    - C18: `sizes` gives indices of the specification sizes that are not negative.
    - C19: divisors without tables are positive for all values of their indices.
    - C29: `precision` is "full" or "tf32"; "tf32" is for two operands of f32 with
      an accumulator of f32.

    Example: a shift convolution

    ```mlir
    %d = einsum.contract "nc(h+sh[c])(w+sw[c]), ck -> nkhw" (%x, %w)
           tables(sh = %sh : tensor<64xi32>, sw = %sw : tensor<64xi32>) {pad = "zero"}
         : (tensor<8x64x28x28xf32>, tensor<64x128xf32>) -> tensor<8x128x28x28xf32>
    ```

    Example: a matrix product on memrefs

    ```mlir
    einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<?x?xf32>)
      : (memref<?x?xf32>, memref<?x?xf32>)
    ```
  }];

  let arguments = (ins Einsum_SpecAttr:$spec,
                       Variadic<Einsum_Operand>:$inputs,
                       Variadic<Einsum_Table>:$tables,
                       Optional<Einsum_Operand>:$outs,
                       OptionalAttr<StrAttr>:$pad,
                       OptionalAttr<TypeAttr>:$acc,
                       OptionalAttr<StrAttr>:$precision,
                       OptionalAttr<DictionaryAttr>:$sizes,
                       OptionalAttr<Einsum_ScheduleAttr>:$schedule);
  let results = (outs Optional<Einsum_Operand>:$result);

  let builders = [
    // Infers the result type: sizes as documented, elements those of the inputs.
    // What cannot be inferred is dynamic, and then needs outs.
    OpBuilder<(ins "SpecAttr":$spec, "::mlir::ValueRange":$inputs,
                   CArg<"::mlir::ValueRange", "{}">:$tables,
                   CArg<"::llvm::StringRef", "\"none\"">:$pad)>,
    // Without a schedule.
    OpBuilder<(ins "::mlir::TypeRange":$resultTypes, "SpecAttr":$spec,
                   "::mlir::ValueRange":$inputs, "::mlir::ValueRange":$tables,
                   "::mlir::Value":$outs, "::mlir::StringAttr":$pad,
                   "::mlir::TypeAttr":$acc, "::mlir::StringAttr":$precision,
                   "::mlir::DictionaryAttr":$sizes)>
  ];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;

  let extraClassDeclaration = [{
    /// Whether reads outside an operand give 0.
    bool isPadded() { return getPad().value_or("none") == "zero"; }

    /// Whether elements of the operands are rounded to tf32.
    bool isTF32() { return getPrecision().value_or("full") == "tf32"; }

    /// The type in which products and sums are formed.
    ::mlir::Type getAccumulatorType();

    /// Whether the op is on tensors.
    bool hasTensorForm() { return getNumResults() == 1; }

    /// The type of the result, or on memrefs that of outs.
    ::mlir::ShapedType getOutputType();

    /// The table operand for the name `table`.
    ::mlir::Value getTable(::llvm::StringRef table);

    /// If the op only reorders the axes of one tensor (a permutation), the index
    /// on each axis of that; index i is also axis i of the result.
    std::optional<::llvm::SmallVector<unsigned>> getPermutation();

    /// Whether the einsum.kernel around it computes this operand.
    bool isComputed(unsigned operand);

    /// Creates the same contraction of two operands in the other order: M and N
    /// change places.
    ContractOp createExchanged(::mlir::OpBuilder &builder);

    ::mlir::Speculation::Speculatability getSpeculatability();
  }];
}

def Einsum_KernelOp : Op<Einsum_Dialect, "kernel", [
    IsolatedFromAbove, RecursiveMemoryEffects, RecursivelySpeculatable,
    SingleBlock]> {
  let summary = "Contractions and pointwise ops that become one kernel";
  let description = [{
    The unit of fusion: what its body computes is computed by one device
    function, without intermediate results in memory. Its value is that of the
    body, whose arguments are the operands.

    A **pointwise op** computes each element of its result from one element of
    each operand and nothing else, without side effects or undefined behaviour:
    element-wise ops of `arith` and `math` on tensors, and structured ops of
    `linalg` on tensors (`linalg.generic`, `linalg.broadcast`, `linalg.add`,
    `linalg.fill`, ...) whose loops are all parallel, whose result is indexed by
    the loops in order, whose operands are indexed by some of the loops, each
    once, and whose region has element-wise ops that read no element of `outs`.
    Where sizes are dynamic, those along one axis have to be equal when the
    kernel runs.

    - C20: the arguments of the body have the types of the operands.
    - C21: the body holds contractions and pointwise ops on tensors, constants
      and `tensor.empty`, and nothing else.
    - C22: the body ends by yielding a value of the result's type.

    Example: relu(a * b + bias)

    ```mlir
    %y = einsum.kernel (%p = %a : tensor<128x256xf16>, %q = %b : tensor<256x192xf16>,
                        %c = %bias : tensor<128x192xf16>) -> tensor<128x192xf16> {
      %ab = einsum.contract "mk, kn -> mn" (%p, %q)
          : (tensor<128x256xf16>, tensor<256x192xf16>) -> tensor<128x192xf16>
      %sum = arith.addf %ab, %c : tensor<128x192xf16>
      %zero = arith.constant dense<0.0> : tensor<128x192xf16>
      %relu = arith.maximumf %sum, %zero : tensor<128x192xf16>
      einsum.yield %relu : tensor<128x192xf16>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Einsum_YieldOp : Op<Einsum_Dialect, "yield", [
    Pure, Terminator, ReturnLike, HasParent<"KernelOp">]> {
  let summary = "The value of an einsum.kernel";
  let description = [{
    Ends the body of `einsum.kernel`.

    ```mlir
    %y = einsum.kernel (%x = %a : tensor<4xf32>) -> tensor<4xf32> {
      %z = arith.addf %x, %x : tensor<4xf32>
      einsum.yield %z : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

#endif // TILEIR_DIALECT_EINSUM_IR_EINSUMOPS_TD
