//===- TritonComputeOps.td ---------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Arithmetic, within elements and across them. Included by TritonOps.td.

def TT_DotOp : TT_Op<"dot", [Pure, AllTypesMatch<["c", "result"]>]> {
  let summary = "Matrix product, added to a tensor";
  let description = [{
    `inputPrecision` tells what may be done to elements of f32: `ieee` (default)
    nothing, `tf32` rounding to 10 bits of mantissa.

    - TT15: a, b and c have one rank, 2 or more, and sizes that fit.

    ```mlir
    %d = tt.dot %a, %b, %c, inputPrecision = tf32
        : tensor<64x32xf32> * tensor<32x16xf32> -> tensor<64x16xf32>
    ```
  }];
  let arguments = (ins TT_NumberTensor:$a, TT_NumberTensor:$b,
      TT_NumberTensor:$c,
      DefaultValuedAttr<TT_Precision,
          "::tileir::triton::Precision::IEEE">:$inputPrecision,
      DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc);
  let results = (outs TT_NumberTensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict `:`
    type($a) `*` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
}

class TT_CombineOp<string mnemonic> : TT_Op<mnemonic, [
    Pure, SameOperandsShape, SingleBlock]> {
  let regions = (region SizedRegion<1>:$combineOp);
  let hasVerifier = 1;
}

def TT_DotScaledOp : TT_Op<"dot_scaled", [
    Pure, AttrSizedOperandSegments, AllTypesMatch<["c", "result"]>]> {
  let summary = "Matrix product of operands that are scaled along K";
  let description = [{
    A scale is a byte s, for the factor 2^(s - 127) of 32 elements along K; 255 is
    NaN. Those of B are in rows of N. Two elements of `e2m1` are in a byte, the
    first one in its lower half: along K, or else (`lhs_k_pack = false`) along M
    or N.

    - TT22: sizes of A, B, C and scales fit, all with two axes; elements are as
      `lhs` and `rhs` say.

    ```mlir
    %d = tt.dot_scaled %a scale %sa, %b scale %sb, %c lhs = e4m3 rhs = e2m1
        {fastMath = false}
        : tensor<32x64xf8E4M3FN>, tensor<32x2xi8>
        * tensor<32x16xi8>, tensor<16x2xi8> -> tensor<32x16xf32>
    ```
  }];
  let arguments = (ins TT_NumberTensor:$a, TT_NumberTensor:$b,
      TT_NumberTensor:$c, Optional<TT_TensorOf<I8>>:$a_scale,
      Optional<TT_TensorOf<I8>>:$b_scale, TT_ScaledElement:$a_elem_type,
      TT_ScaledElement:$b_elem_type, BoolAttr:$fastMath,
      DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack,
      DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack);
  let results = (outs TT_NumberTensor:$result);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c
    `lhs` `=` $a_elem_type `rhs` `=` $b_elem_type attr-dict `:`
    type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->`
    type($result)
  }];
  let hasVerifier = 1;
}

def TT_ReduceOp : TT_CombineOp<"reduce"> {
  let summary = "Combine the elements along an axis";
  let description = [{
    The region combines elements of all operands with others of them; it is
    associative. Results lack the axis; those of tensors of one axis are scalars.

    - TT16: the axis is one of the operands'; as many results as operands.
    - TT17: the region takes the operands' elements twice, and returns them once.

    ```mlir
    %sum = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<8x16xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<TT_Like>:$result);
}

def TT_ScanOp : TT_CombineOp<"scan"> {
  let summary = "Combine the elements along an axis up to each one";
  let description = [{
    As `tt.reduce`, with each intermediate result; from the end where `reverse`.

    - TT16, TT17 as of `tt.reduce`; results have the operands' shape.

    ```mlir
    %sums = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.scan.return %c : f32
    }) : (tensor<64xf32>) -> tensor<64xf32>
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis,
                       DefaultValuedAttr<BoolAttr, "false">:$reverse);
  let results = (outs Variadic<TT_Tensor>:$result);
}

class TT_CombineReturnOp<string mnemonic, string parent>
    : TT_Op<mnemonic, [HasParent<parent>, Pure, Terminator, ReturnLike]> {
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

def TT_ReduceReturnOp : TT_CombineReturnOp<"reduce.return", "ReduceOp"> {
  let summary = "What two elements combine to";
  let description = [{
    ```mlir
    %most = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.maxsi %a, %b : i32
      tt.reduce.return %c : i32
    }) : (tensor<64xi32>) -> i32
    ```
  }];
}

def TT_ScanReturnOp : TT_CombineReturnOp<"scan.return", "ScanOp"> {
  let summary = "What two elements combine to";
  let description = [{
    ```mlir
    %most = "tt.scan"(%x) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.maxsi %a, %b : i32
      tt.scan.return %c : i32
    }) : (tensor<64xi32>) -> tensor<64xi32>
    ```
  }];
}

def TT_FpToFpOp : TT_Op<"fp_to_fp", [Pure, SameOperandsAndResultShape]> {
  let summary = "Floats as floats of another type";
  let description = [{
    ```mlir
    %y = tt.fp_to_fp %x, rounding = rtne : tensor<64xf32> -> tensor<64xf8E5M2>
    %z = tt.fp_to_fp %y : tensor<64xf8E5M2> -> tensor<64xf32>
    ```
  }];
  let arguments = (ins TT_FloatLike:$src, OptionalAttr<TT_Rounding>:$rounding);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = [{
    $src attr-dict (`,` `rounding` `=` $rounding^)? `:` type($src) `->`
    type($result)
  }];
}

def TT_ClampFOp : TT_Op<"clampf", [Pure, SameOperandsAndResultType]> {
  let summary = "Floats within bounds";
  let description = [{
    `propagateNan = all`: NaN where x or a bound is NaN; `none`: a bound where x
    is NaN.

    ```mlir
    %y = tt.clampf %x, %low, %high, propagateNan = none : tensor<64xf32>
    ```
  }];
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$min, TT_FloatLike:$max,
                       TT_PropagateNan:$propagateNan);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = [{
    $x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:`
    type($result)
  }];
}

def TT_MulhiUIOp : TT_Op<"mulhiui", [Pure, SameOperandsAndResultType]> {
  let summary = "The upper half of a product of integers without sign";
  let description = [{
    ```mlir
    %h = tt.mulhiui %x, %y : tensor<64xi32>
    ```
  }];
  let arguments = (ins TT_IntegerLike:$x, TT_IntegerLike:$y);
  let results = (outs TT_IntegerLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_PreciseSqrtOp : TT_Op<"precise_sqrt", [Pure, SameOperandsAndResultType]> {
  let summary = "The square root, rounded correctly";
  let description = [{
    ```mlir
    %y = tt.precise_sqrt %x : tensor<64xf32>
    ```
  }];
  let arguments = (ins TT_FloatLike:$x);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def TT_PreciseDivFOp : TT_Op<"precise_divf", [Pure, SameOperandsAndResultType]> {
  let summary = "The quotient, rounded correctly";
  let description = [{
    ```mlir
    %z = tt.precise_divf %x, %y : tensor<64xf32>
    ```
  }];
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$y);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_ExternElementwiseOp : TT_Op<"extern_elementwise", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "A function of a library, applied to each element";
  let description = [{
    ```mlir
    %y = tt.extern_elementwise %x {libname = "", libpath = "", pure = true,
                                   symbol = "__nv_tanhf"}
        : (tensor<64xf32>) -> tensor<64xf32>
    ```
  }];
  let arguments = (ins Variadic<TT_Like>:$srcs, StrAttr:$libname,
                       StrAttr:$libpath, StrAttr:$symbol, BoolAttr:$pure);
  let results = (outs TT_Like:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, $result)
  }];
}

def TT_ElementwiseInlineAsmOp : TT_Op<"elementwise_inline_asm", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "PTX, applied to each element";
  let description = [{
    ```mlir
    %y = tt.elementwise_inline_asm "mov.b32 $0, $1;"
        {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x
        : tensor<64xf32> -> tensor<64xi32>
    ```
  }];
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure,
                       I32Attr:$packed_element, Variadic<TT_Like>:$args);
  let results = (outs Variadic<TT_Like>:$result);
  let assemblyFormat = [{
    $asm_string attr-dict ($args^ `:` type($args))? `->` type($result)
  }];
}

def TT_GatherOp : TT_Op<"gather", [Pure]> {
  let summary = "The elements at indices along an axis";
  let description = [{
    - TT18: the result has the indices' shape, which is the operand's but along
      the axis, and the operand's elements.

    ```mlir
    %y = tt.gather %x[%i] {axis = 0 : i32} : (tensor<64xf32>, tensor<16xi32>) -> tensor<16xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src, TT_IntegerTensor:$indices, I32Attr:$axis,
                       UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src `[` $indices `]` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def TT_HistogramOp : TT_Op<"histogram", [Pure, TT_MaskOf<"mask", "src">]> {
  let summary = "How often each number occurs";
  let description = [{
    Operands: numbers and, optionally, which of them count. Element i of the
    result is how often i occurs.

    ```mlir
    %h = tt.histogram %x : tensor<64xi32> -> tensor<16xi32>
    ```
  }];
  let arguments = (ins TT_IntegerTensor:$src,
                       Optional<TT_TensorOf<I1>>:$mask);
  let results = (outs TT_IntegerTensor:$result);
  let assemblyFormat = [{
    $src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)
  }];
}
