//===- TritonOps.td ----------------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// All operations: values and shapes here; TritonFunctionOps.td,
// TritonMemoryOps.td, TritonDescriptorOps.td and TritonComputeOps.td hold the
// rest. Constraints are numbered TT1, TT2, ... through all of them.

#ifndef TILEIR_DIALECT_TRITON_IR_TRITONOPS_TD
#define TILEIR_DIALECT_TRITON_IR_TRITONOPS_TD

include "tileir/Dialect/Triton/IR/TritonTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TT_Op<string mnemonic, list<Trait> traits = []>
    : Op<TT_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

def TT_GetProgramIdOp : TT_Op<"get_program_id", [Pure]> {
  let summary = "Index of this program in the grid";
  let description = [{
    ```mlir
    %pid = tt.get_program_id x : i32
    ```
  }];
  let arguments = (ins TT_Axis:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

def TT_GetNumProgramsOp : TT_Op<"get_num_programs", [Pure]> {
  let summary = "Number of programs of the grid along an axis";
  let description = [{
    ```mlir
    %n = tt.get_num_programs y : i32
    ```
  }];
  let arguments = (ins TT_Axis:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Making and retiling tensors
//===----------------------------------------------------------------------===//

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
  let summary = "The integers from start to end";
  let description = [{
    - TT1: the result has one axis, of end - start elements of i32.

    ```mlir
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    ```
  }];
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs TT_TensorOf<I32>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TT_SplatOp : TT_Op<"splat", [Pure]> {
  let summary = "A tensor whose elements are all one value";
  let description = [{
    - TT2: the operand has the type of the result's elements.

    ```mlir
    %t = tt.splat %x : f32 -> tensor<8x16xf32>
    ```
  }];
  let arguments = (ins TT_Element:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

def TT_UnsplatOp : TT_Op<"unsplat", [Pure,
    TypesMatchWith<"the result is an element", "src", "result",
                   "::tileir::triton::getElement($_self)">]> {
  let summary = "The element of a tensor that has one";
  let description = [{
    - TT3: the operand has one element.

    ```mlir
    %x = tt.unsplat %t : tensor<1x1xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Element:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
  let hasVerifier = 1;
}

def TT_ExpandDimsOp : TT_Op<"expand_dims", [Pure]> {
  let summary = "A tensor with one more axis, of size 1";
  let description = [{
    - TT4: the result has the operand's axes and, at `axis`, one of size 1.

    ```mlir
    %t = tt.expand_dims %x {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src, I32Attr:$axis);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

def TT_BroadcastOp : TT_Op<"broadcast", [Pure]> {
  let summary = "Repeat a tensor along axes of size 1";
  let description = [{
    - TT5: same rank and element type; each size is 1 or the result's.

    ```mlir
    %t = tt.broadcast %x : tensor<64x1xf32> -> tensor<64x32xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

def TT_ReshapeOp : TT_Op<"reshape", [Pure]> {
  let summary = "The same elements in another shape";
  let description = [{
    In row-major order, or in any order where `allow_reorder` says so.

    - TT6: operand and result have the same element type and number of elements.

    ```mlir
    %t = tt.reshape %x : tensor<64xf32> -> tensor<16x4xf32>
    %u = tt.reshape %x allow_reorder : tensor<64xf32> -> tensor<16x4xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src, UnitAttr:$allow_reorder,
                       UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src (`allow_reorder` $allow_reorder^)?
    (`efficient_layout` $efficient_layout^)? attr-dict `:` type($src) `->`
    type($result)
  }];
  let hasVerifier = 1;
}

def TT_TransOp : TT_Op<"trans", [Pure]> {
  let summary = "Permute the axes of a tensor";
  let description = [{
    Axis i of the result is axis `order[i]` of the operand.

    - TT7: `order` holds each axis once, and gives the result's shape.

    ```mlir
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<8x16xf32> -> tensor<16x8xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$order);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

def TT_SplitOp : TT_Op<"split", [Pure, AllTypesMatch<["outLHS", "outRHS"]>]> {
  let summary = "The elements 0 and 1 along the last axis";
  let description = [{
    - TT8: the whole has the axes of the halves, and a last one of size 2.

    ```mlir
    %lhs, %rhs = tt.split %t : tensor<64x2xf32> -> tensor<64xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Like:$outLHS, TT_Like:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($outLHS)";
  let hasVerifier = 1;
}

def TT_JoinOp : TT_Op<"join", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "The reverse of split";
  let description = [{
    - TT8: the whole has the axes of the halves, and a last one of size 2.

    ```mlir
    %t = tt.join %lhs, %rhs : tensor<64xf32> -> tensor<64x2xf32>
    ```
  }];
  let arguments = (ins TT_Like:$lhs, TT_Like:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_CatOp : TT_Op<"cat", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "The elements of two tensors, in any order";
  let description = [{
    - TT9: one axis; the result has the elements of both.

    ```mlir
    %t = tt.cat %x, %y : tensor<64xf32> -> tensor<128xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)
  }];
  let hasVerifier = 1;
}

include "tileir/Dialect/Triton/IR/TritonFunctionOps.td"
include "tileir/Dialect/Triton/IR/TritonMemoryOps.td"
include "tileir/Dialect/Triton/IR/TritonDescriptorOps.td"
include "tileir/Dialect/Triton/IR/TritonComputeOps.td"

#endif // TILEIR_DIALECT_TRITON_IR_TRITONOPS_TD
