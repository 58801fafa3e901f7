//===- TritonPasses.td - Conversions from Triton -----------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_TRITONPASSES_TD
#define TILEIR_CONVERSION_TRITONPASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTritonToTilePass
    : Pass<"convert-triton-to-tile", "::mlir::ModuleOp"> {
  let summary = "Make tile programs of Triton's kernels";
  let description = [{
    Public functions become kernels; private ones are inlined. Returns in the
    middle become structured control flow. `arith`, `math` and `scf` stay.

    | op of `tt` | becomes |
    |---|---|
    | `get_program_id`, `make_range`, `splat`, `broadcast`, `trans`, `addptr`, `int_to_ptr`, `ptr_to_int`, `load`, `store`, `atomic_rmw`, `atomic_cas`, `dot` | the op of `tile` |
    | `expand_dims`, `reshape` | `tile.reshape` |
    | `reduce`, `scan` by one op of `arith` | `tile.reduce`, `tile.scan` |
    | other `reduce` and `scan` | the region on halves of tiles, log2(n) times |
    | `split`, `join`, `cat` | a choice by the position, and a reduction |
    | `gather`, `histogram` | a loop over the positions and bins: choices, and a reduction for each |
    | `bitcast` | `tile.ptr_to_ptr`, `arith.bitcast` |
    | `extern_elementwise` of libdevice, `clampf`, `mulhiui`, `fp_to_fp` | `math`, `arith` |

    Where Triton's meaning is another one than that of `tile`:

    - A masked `tt.load` without `other` leaves elements undefined: a `tile.psi`
      says so, whose elements are poison where the mask is false. With
      `undefined-other=zero` they are 0, as code for NVIDIA's GPUs has it.
    - What a `tt.gather` takes from outside of its operand is undefined, too. A
      `tt.histogram` does not count numbers that have no bin.
    - A product with scales is one of bf16, or of f16 where an operand has such
      elements: elements times their scales, rounded.
    - A descriptor is a pointer, sizes and strides, and an access to a block of
      it one by pointers, with a mask that is false outside of the array. A
      kernel's argument that is one becomes a pointer; behind it stand the sizes
      and strides that Triton passes there. What host code has set to be NaN
      outside the text does not tell: it is 0.
    - Maxima by `arith.maxnumf`, as `tl.max` has them, drop NaN: `tile.reduce
      maxnum`.
    - `tf32` products are those of `tile.dot` with `precision = "tf32"`; `tf32x3`
      and other ways to approximate f32 become products of f32.
    - `tt.divisibility` of arguments becomes `tile.multiple_of`, which the
      interpreter enforces. Hints on ops, hints of loops, cache policies,
      assumptions and barriers are dropped.
    - `tt.assert` becomes `cf.assert` of all elements together.
    - `tt.print` becomes `tile.print` for each operand: a line for each element,
      with the program and the place in front.

    What has no counterpart is an error, at the op. Locations lose names of
    variables, but those of arguments.

    Example:

    ```mlir
    tt.func public @negate(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
      %lane = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %base = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %q = tt.addptr %base, %lane : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %x = tt.load %q : tensor<64x!tt.ptr<f32>>
      %y = arith.negf %x : tensor<64xf32>
      tt.store %q, %y : tensor<64x!tt.ptr<f32>>
      tt.return
    }
    ```

    becomes

    ```mlir
    func.func @negate(%p: !tile.ptr<f32> {tile.multiple_of = 16 : i64})
        attributes {tile.kernel} {
      %lane = tile.range 0 to 64 : tensor<64xi32>
      %base = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
      %q = tile.addptr %base, %lane : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      %x = tile.load %q : tensor<64x!tile.ptr<f32>>
      %y = arith.negf %x : tensor<64xf32>
      tile.store %q, %y : tensor<64x!tile.ptr<f32>>
      return
    }
    ```
  }];
  let options = [
    Option<"undefinedOther", "undefined-other", "std::string", "\"poison\"",
           "What masked-off elements of loads without `other` are: `poison` or `zero`">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
    "::tileir::tile::TileDialect"];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernels converted">,
    Statistic<"numUndefined", "num-undefined",
              "Masked loads whose other elements are undefined">,
    Statistic<"numHints", "num-hints", "Hints that were dropped">
  ];
}

#endif // TILEIR_CONVERSION_TRITONPASSES_TD
