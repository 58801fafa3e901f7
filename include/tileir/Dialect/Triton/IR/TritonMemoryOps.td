//===- TritonMemoryOps.td ----------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Pointers, loads, stores and atomics. Included by TritonOps.td.

/// `value` has the type of what `pointers` point at, or is absent.
class TT_PointeeOf<string value, string pointers> : OptionalTypesMatchWith<
    value # " has the type of what the pointers point at", pointers, value,
    "::tileir::triton::getPointee($_self)">;
/// `mask` is an i1 for each of `pointers`, or absent.
class TT_MaskOf<string mask, string pointers> : OptionalTypesMatchWith<
    mask # " is an i1 for each pointer", pointers, mask,
    "::tileir::triton::withElement($_self, "
    "::mlir::IntegerType::get($_self.getContext(), 1))">;

def TT_AddPtrOp : TT_Op<"addptr", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "Advance pointers by a number of elements";
  let description = [{
    - TT12: pointers and offsets are both scalars, or tensors of one shape.

    ```mlir
    %q = tt.addptr %p, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    ```
  }];
  let arguments = (ins TT_PointerLike:$ptr, TT_IntegerLike:$offset);
  let results = (outs TT_PointerLike:$result);
  let assemblyFormat = [{
    $ptr `,` $offset attr-dict `:` type($result) `,` type($offset)
  }];
  let hasVerifier = 1;
}

def TT_LoadOp : TT_Op<"load", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead]>,
    TypesMatchWith<"the result is what the pointers point at", "ptr", "result",
                   "::tileir::triton::getPointee($_self)">,
    TT_MaskOf<"mask", "ptr">, TT_PointeeOf<"other", "ptr">]> {
  let summary = "Load the elements that pointers point at";
  let description = [{
    Operands: pointers, mask, and what elements are where the mask is false;
    without the last they are undefined there. `cachePolicy` is what 3.9 writes
    for `cacheModifier` and `evictionPolicy` of releases before.

    ```mlir
    %x = tt.load %p : tensor<64x!tt.ptr<f32>>
    %y = tt.load %p, %m, %z cacheModifier = ca evictionPolicy = evict_last
        : tensor<64x!tt.ptr<f32>>
    %w = tt.load %p, %m {cachePolicy = #tt.cache_policy<cache_modifier = ca>,
                         isVolatile = true} : tensor<64x!tt.ptr<f32>>
    ```
  }];
  let arguments = (ins TT_PointerLike:$ptr, Optional<TT_BoolLike>:$mask,
      Optional<TT_Like>:$other,
      DefaultValuedAttr<TT_CacheModifier,
          "::tileir::triton::CacheModifier::None">:$cache,
      DefaultValuedAttr<TT_EvictionPolicy,
          "::tileir::triton::EvictionPolicy::Normal">:$evict,
      OptionalAttr<TT_CachePolicyAttr>:$cachePolicy,
      DefaultValuedAttr<BoolAttr, "false">:$isVolatile);
  let results = (outs TT_Like:$result);
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
}

def TT_StoreOp : TT_Op<"store", [
    MemoryEffects<[MemWrite]>,
    TypesMatchWith<"the value is what the pointers point at", "ptr", "value",
                   "::tileir::triton::getPointee($_self)">,
    TT_MaskOf<"mask", "ptr">]> {
  let summary = "Store elements where pointers point at";
  let description = [{
    Operands: pointers, values and mask; attributes as of `tt.load`.

    ```mlir
    tt.store %p, %x : tensor<64x!tt.ptr<f32>>
    tt.store %p, %x, %m evictionPolicy = evict_first : tensor<64x!tt.ptr<f32>>
    ```
  }];
  let arguments = (ins TT_PointerLike:$ptr, TT_Like:$value,
      Optional<TT_BoolLike>:$mask,
      DefaultValuedAttr<TT_CacheModifier,
          "::tileir::triton::CacheModifier::None">:$cache,
      DefaultValuedAttr<TT_EvictionPolicy,
          "::tileir::triton::EvictionPolicy::Normal">:$evict,
      OptionalAttr<TT_CachePolicyAttr>:$cachePolicy);
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
}

def TT_AtomicRMWOp : TT_Op<"atomic_rmw", [
    MemoryEffects<[MemRead, MemWrite]>, AllTypesMatch<["val", "result"]>]> {
  let summary = "Read, change and write elements, each at once";
  let description = [{
    What it does, its order and scope, pointers, values and mask.

    - TT13: values and mask have the pointers' shape; values are of the pointee.

    ```mlir
    %old = tt.atomic_rmw fadd, acq_rel, gpu, %p, %x, %m
        : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>
    ```
  }];
  let arguments = (ins TT_AtomicKind:$kind, TT_PointerLike:$ptr, TT_Like:$val,
                       Optional<TT_BoolLike>:$mask, TT_MemoryOrder:$sem,
                       TT_Scope:$scope);
  let results = (outs TT_Like:$result);
  let assemblyFormat = [{
    $kind `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def TT_AtomicCASOp : TT_Op<"atomic_cas", [
    MemoryEffects<[MemRead, MemWrite]>,
    AllTypesMatch<["cmp", "val", "result"]>]> {
  let summary = "Exchange elements that are equal to something, each at once";
  let description = [{
    Order, scope, pointers, what elements are compared with, and what they are
    then. The result is what was there before.

    - TT13 as of `tt.atomic_rmw`.

    ```mlir
    %old = tt.atomic_cas acq_rel, gpu, %p, %expected, %x : (!tt.ptr<i32>, i32, i32) -> i32
    ```
  }];
  let arguments = (ins TT_PointerLike:$ptr, TT_Like:$cmp, TT_Like:$val,
                       TT_MemoryOrder:$sem, TT_Scope:$scope);
  let results = (outs TT_Like:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

class TT_CastOp<string mnemonic, Type from, Type to>
    : TT_Op<mnemonic, [Pure, SameOperandsAndResultShape]> {
  let arguments = (ins from:$src);
  let results = (outs to:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_IntToPtrOp : TT_CastOp<"int_to_ptr", TT_LikeOf<I64>, TT_PointerLike> {
  let summary = "Addresses as pointers";
  let description = [{
    ```mlir
    %p = tt.int_to_ptr %i : i64 -> !tt.ptr<f32>
    ```
  }];
}

def TT_PtrToIntOp : TT_CastOp<"ptr_to_int", TT_PointerLike, TT_LikeOf<I64>> {
  let summary = "Pointers as addresses";
  let description = [{
    ```mlir
    %i = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
    ```
  }];
}

def TT_BitcastOp : TT_CastOp<"bitcast", TT_Like, TT_Like> {
  let summary = "The same bits as another type";
  let description = [{
    Also pointers, as pointers to another type.

    - TT14: both are numbers of one width, or both are pointers.

    ```mlir
    %y = tt.bitcast %x : tensor<64xf32> -> tensor<64xi32>
    %q = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i32>
    ```
  }];
  let hasVerifier = 1;
}
