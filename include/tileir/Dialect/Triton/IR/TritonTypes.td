//===- TritonTypes.td --------------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TRITON_IR_TRITONTYPES_TD
#define TILEIR_DIALECT_TRITON_IR_TRITONTYPES_TD

include "tileir/Dialect/Triton/IR/TritonDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/EnumAttr.td"

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def TT_PtrType : TypeDef<TT_Dialect, "Ptr", [
    DeclareTypeInterfaceMethods<VectorElementTypeInterface>]> {
  let mnemonic = "ptr";
  let summary = "A pointer to an element";
  let description = [{
    Address space 1, global memory, is not written. Triton 3.9 names spaces:
    `"constant"` is that of pointers to `tl.const`, 4.

    Examples: `!tt.ptr<f16>`, `!tt.ptr<f16, "constant">`, `!tt.ptr<f16, 3>`
  }];
  let parameters = (ins "::mlir::Type":$pointee,
                        DefaultValuedParameter<"int", "1">:$addressSpace);
  let assemblyFormat =
      "`<` $pointee (`,` custom<AddressSpace>($addressSpace)^)? `>`";
  let extraClassDeclaration = [{
    static constexpr int kGlobal = 1;
    static constexpr int kConstant = 4;
  }];
}

def TT_TensorDescType : TypeDef<TT_Dialect, "TensorDesc"> {
  let mnemonic = "tensordesc";
  let summary = "An array of which blocks are loaded and stored";
  let description = [{
    The sizes of a block, and its elements, of which integers may have a sign.
    Triton up to 3.8 writes the type of the block: `!tt.tensordesc<tensor<...>>`.

    Examples: `!tt.tensordesc<64x32xf16>`, `!tt.tensordesc<8x64xui32>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType);
  let assemblyFormat = "`<` custom<Block>($shape, $elementType) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// What is loaded, whose integers have no sign.
    ::mlir::RankedTensorType getBlock() const;
  }];
}

class TT_TensorOf<Type element> : Type<And<[
      CPred<"::tileir::triton::isTile($_self)">,
      SubstLeaves<"$_self",
          "::llvm::cast<::mlir::RankedTensorType>($_self).getElementType()",
          element.predicate>]>,
    "tensor of static, positive sizes of " # element.summary,
    "::mlir::RankedTensorType">;
class TT_LikeOf<Type element> : AnyTypeOf<[element, TT_TensorOf<element>],
    element.summary # ", or a tensor of it">;

def TT_Number : AnyTypeOf<[AnySignlessInteger, AnyFloat], "integer or float">;
def TT_Pointer : DialectType<TT_Dialect,
    CPred<"::llvm::isa<::tileir::triton::PtrType>($_self)">, "!tt.ptr">;
def TT_Element : AnyTypeOf<[AnySignlessInteger, AnyFloat, TT_Pointer],
    "integer, float or !tt.ptr">;
def TT_Tensor : TT_TensorOf<TT_Element>;
def TT_NumberTensor : TT_TensorOf<TT_Number>;
def TT_IntegerTensor : TT_TensorOf<AnySignlessInteger>;
def TT_Like : TT_LikeOf<TT_Element>;
def TT_NumberLike : TT_LikeOf<TT_Number>;
def TT_IntegerLike : TT_LikeOf<AnySignlessInteger>;
def TT_FloatLike : TT_LikeOf<AnyFloat>;
def TT_PointerLike : TT_LikeOf<TT_Pointer>;
def TT_BoolLike : TT_LikeOf<I1>;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class TT_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tileir::triton";
}

def TT_Axis : TT_Enum<"Axis", "an axis of the grid", [
    I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">,
    I32EnumAttrCase<"Z", 2, "z">]>;

def TT_CacheModifier : TT_Enum<"CacheModifier", "how an access uses caches", [
    I32EnumAttrCase<"None", 1, "none">, I32EnumAttrCase<"CA", 2, "ca">,
    I32EnumAttrCase<"CG", 3, "cg">, I32EnumAttrCase<"WB", 4, "wb">,
    I32EnumAttrCase<"CS", 5, "cs">, I32EnumAttrCase<"WT", 6, "wt">,
    I32EnumAttrCase<"CV", 7, "cv">]>;

def TT_EvictionPolicy : TT_Enum<"EvictionPolicy", "how long caches keep data", [
    I32EnumAttrCase<"Normal", 1, "evict_normal">,
    I32EnumAttrCase<"EvictFirst", 2, "evict_first">,
    I32EnumAttrCase<"EvictLast", 3, "evict_last">]>;

def TT_ScaledElement : TT_Enum<"ScaledElement", "elements that are scaled", [
    I32EnumAttrCase<"E4M3", 0, "e4m3">, I32EnumAttrCase<"E5M2", 1, "e5m2">,
    I32EnumAttrCase<"E2M3", 2, "e2m3">, I32EnumAttrCase<"E3M2", 3, "e3m2">,
    I32EnumAttrCase<"E2M1", 4, "e2m1">, I32EnumAttrCase<"BF16", 5, "bf16">,
    I32EnumAttrCase<"FP16", 6, "fp16">]>;

def TT_Precision : TT_Enum<"Precision", "how a product takes f32", [
    I32EnumAttrCase<"TF32", 0, "tf32">, I32EnumAttrCase<"TF32x3", 1, "tf32x3">,
    I32EnumAttrCase<"IEEE", 2, "ieee">, I32EnumAttrCase<"BF16x3", 3, "bf16x3">,
    I32EnumAttrCase<"BF16x6", 4, "bf16x6">]>;

def TT_AtomicKind : TT_Enum<"AtomicKind", "what an atomic access does", [
    I32EnumAttrCase<"And", 1, "and">, I32EnumAttrCase<"Or", 2, "or">,
    I32EnumAttrCase<"Xor", 3, "xor">, I32EnumAttrCase<"Add", 4, "add">,
    I32EnumAttrCase<"FAdd", 5, "fadd">, I32EnumAttrCase<"Max", 6, "max">,
    I32EnumAttrCase<"Min", 7, "min">, I32EnumAttrCase<"UMax", 8, "umax">,
    I32EnumAttrCase<"UMin", 9, "umin">,
    I32EnumAttrCase<"Exchange", 10, "exch">]>;

def TT_MemoryOrder : TT_Enum<"MemoryOrder", "the order of an atomic access", [
    I32EnumAttrCase<"Relaxed", 1, "relaxed">,
    I32EnumAttrCase<"Acquire", 2, "acquire">,
    I32EnumAttrCase<"Release", 3, "release">,
    I32EnumAttrCase<"AcqRel", 4, "acq_rel">]>;

def TT_Scope : TT_Enum<"Scope", "whom an atomic access synchronizes with", [
    I32EnumAttrCase<"GPU", 1, "gpu">, I32EnumAttrCase<"CTA", 2, "cta">,
    I32EnumAttrCase<"System", 3, "sys">]>;

def TT_Padding : TT_Enum<"Padding", "what is loaded outside of an array", [
    I32EnumAttrCase<"Zero", 1, "zero">, I32EnumAttrCase<"NaN", 2, "nan">]>;

def TT_DescriptorReduceKind
    : TT_Enum<"DescriptorReduceKind", "what changes a block", [
    I32EnumAttrCase<"Add", 1, "add">, I32EnumAttrCase<"Min", 2, "min">,
    I32EnumAttrCase<"Max", 3, "max">, I32EnumAttrCase<"Inc", 4, "inc">,
    I32EnumAttrCase<"Dec", 5, "dec">, I32EnumAttrCase<"And", 6, "and">,
    I32EnumAttrCase<"Or", 7, "or">, I32EnumAttrCase<"Xor", 8, "xor">]>;

def TT_Rounding : TT_Enum<"Rounding", "how a float is made narrower", [
    I32EnumAttrCase<"ToZero", 0, "rtz">,
    I32EnumAttrCase<"ToNearestEven", 1, "rtne">]>;

def TT_PropagateNan : TT_Enum<"PropagateNan", "whether NaN is kept", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"All", 0xFFFF, "all">]>;

def TT_CachePolicyAttr : AttrDef<TT_Dialect, "CachePolicy"> {
  let mnemonic = "cache_policy";
  let summary = "How an access uses caches";
  let description = [{
    What older releases write as `cacheModifier` and `evictionPolicy`.

    Example: `#tt.cache_policy<cache_modifier = ca, eviction_policy = evict_last>`
  }];
  let parameters = (ins
      DefaultValuedParameter<"::tileir::triton::CacheModifier",
          "::tileir::triton::CacheModifier::None">:$cache_modifier,
      DefaultValuedParameter<"::tileir::triton::EvictionPolicy",
          "::tileir::triton::EvictionPolicy::Normal">:$eviction_policy);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // TILEIR_DIALECT_TRITON_IR_TRITONTYPES_TD
