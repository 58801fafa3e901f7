//===- TritonDescriptorOps.td ------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Descriptors of arrays, and accesses to blocks of them. Included by
// TritonOps.td.

def TT_MakeTensorDescOp : TT_Op<"make_tensor_descriptor", [
    Pure, AttrSizedOperandSegments]> {
  let summary = "Describe an array, and blocks of it";
  let description = [{
    The array begins at a pointer, and has sizes and strides, in elements; the
    last stride is 1. `padding = 2 : i32` gives NaN for what is loaded outside
    of it, instead of 0.

    - TT19: there is a size and a stride for each axis of the block; the pointer
      is to elements of the block's type.

    ```mlir
    %d = tt.make_tensor_descriptor %p, [%m, %n], [%s, %c1]
        : <f16>, <64x32xf16>
    ```
  }];
  let arguments = (ins TT_PtrType:$base, Variadic<I32>:$shape,
                       Variadic<I64>:$strides,
                       DefaultValuedAttr<TT_Padding,
                           "::tileir::triton::Padding::Zero">:$padding);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:` type($base) `,`
    type($result)
  }];
  let hasVerifier = 1;
}

class TT_BlockOp<string mnemonic, list<Trait> traits>
    : TT_Op<mnemonic, traits> {
  let hasVerifier = 1;
}

def TT_DescriptorLoadOp
    : TT_BlockOp<"descriptor_load", [MemoryEffects<[MemRead]>]> {
  let summary = "Load a block";
  let description = [{
    The block begins at the indices. What is outside of the array is padding.

    - TT20: there is an index for each axis; the tensor has the elements of the
      block, and may lack axes of size one.

    ```mlir
    %x = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16>
    ```
  }];
  let arguments = (ins TT_TensorDescType:$desc, Variadic<I32>:$indices,
      DefaultValuedAttr<TT_CacheModifier,
          "::tileir::triton::CacheModifier::None">:$cache,
      DefaultValuedAttr<TT_EvictionPolicy,
          "::tileir::triton::EvictionPolicy::Normal">:$evict,
      OptionalAttr<TT_CachePolicyAttr>:$cachePolicy);
  let results = (outs TT_NumberTensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]`
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` qualified(type($desc)) `->` type($result)
  }];
}

def TT_DescriptorStoreOp
    : TT_BlockOp<"descriptor_store", [MemoryEffects<[MemWrite]>]> {
  let summary = "Store a block";
  let description = [{
    What is outside of the array is not written.

    - TT20 as of `tt.descriptor_load`.

    ```mlir
    tt.descriptor_store %d[%i, %j], %x : !tt.tensordesc<64x32xf16>, tensor<64x32xf16>
    ```
  }];
  let arguments = (ins TT_TensorDescType:$desc, Variadic<I32>:$indices,
                       TT_NumberTensor:$src);
  let assemblyFormat = [{
    $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,`
    type($src)
  }];
}

def TT_DescriptorReduceOp
    : TT_BlockOp<"descriptor_reduce", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Change a block, each element at once";
  let description = [{
    Integers of the block's type tell whether `min` and `max` are signed.

    - TT20 as of `tt.descriptor_load`.

    ```mlir
    tt.descriptor_reduce add, %d[%i, %j], %x : !tt.tensordesc<64x32xf16>, tensor<64x32xf16>
    ```
  }];
  let arguments = (ins TT_DescriptorReduceKind:$kind, TT_TensorDescType:$desc,
                       Variadic<I32>:$indices, TT_NumberTensor:$src);
  let assemblyFormat = [{
    $kind `,` $desc `[` $indices `]` `,` $src attr-dict `:`
    qualified(type($desc)) `,` type($src)
  }];
}

def TT_DescriptorGatherOp
    : TT_BlockOp<"descriptor_gather", [MemoryEffects<[MemRead]>]> {
  let summary = "Load rows";
  let description = [{
    Operands: the index of each row, and that of the first column.

    - TT21: the block has one row, the tensor as many as there are indices.

    ```mlir
    %x = tt.descriptor_gather %d[%i, %j]
        : (!tt.tensordesc<1x64xf32>, tensor<32xi32>, i32) -> tensor<32x64xf32>
    ```
  }];
  let arguments = (ins TT_TensorDescType:$desc, TT_IntegerTensor:$rows,
                       I32:$column);
  let results = (outs TT_NumberTensor:$result);
  let assemblyFormat = [{
    $desc `[` $rows `,` $column `]` attr-dict `:`
    functional-type(operands, results)
  }];
}

def TT_DescriptorScatterOp
    : TT_BlockOp<"descriptor_scatter", [MemoryEffects<[MemWrite]>]> {
  let summary = "Store rows";
  let description = [{
    - TT21 as of `tt.descriptor_gather`.

    ```mlir
    tt.descriptor_scatter %d[%i, %j], %x
        : !tt.tensordesc<1x64xf32>, tensor<32xi32>, i32, tensor<32x64xf32>
    ```
  }];
  let arguments = (ins TT_TensorDescType:$desc, TT_IntegerTensor:$rows,
                       I32:$column, TT_NumberTensor:$src);
  let assemblyFormat = [{
    $desc `[` $rows `,` $column `]` `,` $src attr-dict `:` type(operands)
  }];
}
