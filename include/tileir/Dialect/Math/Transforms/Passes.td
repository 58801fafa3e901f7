//===- Passes.td - Passes on arith and math ----------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_MATH_TRANSFORMS_PASSES_TD
#define TILEIR_DIALECT_MATH_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CpuApproximateMathPass : Pass<"cpu-approximate-math"> {
  let summary = "Compute functions on vectors by polynomials";
  let description = [{
    A function of `math` on a vector would become a call of libm for each
    element. This pass makes arithmetic on whole vectors of those below, in f32,
    and in f16 and bf16 by way of f32:

    | function | largest error, in units of the last place of f32 |
    |---|---|
    | `log`, `log2`, `log1p` | 2 |
    | `sin`, `cos`, of vectors with one axis | 2 |
    | `tanh`, `erf`, `erfc` | 5 |
    | `exp`, `expm1` | 5 near the ends of their range, else 2 |
    | `exp2` | 6 near the ends of its range, else 2 |
    | `powf` | 1; by a constant 3 it is two products, and 1.5 |

    NaN, infinities, zeros and subnormal operands give what libm gives; results
    of `exp`, `exp2` and `erfc` that would be subnormal may be 0. Vectors with an
    angle above 2^17 take libm's sine or cosine of each element.

    Also a maximum with 0, which keeps NaN and takes 0 for greater than -0,
    becomes a comparison and a selection: two instructions instead of three.

    Scalars stay as they are, and so do functions on f64 (a remark tells of
    them) and other functions.

    Example:

    ```mlir
    func.func @relu(%x: vector<16xf32>) -> vector<16xf32> {
      %zero = arith.constant dense<0.0> : vector<16xf32>
      %y = arith.maximumf %x, %zero : vector<16xf32>
      return %y : vector<16xf32>
    }
    ```

    becomes

    ```mlir
    func.func @relu(%x: vector<16xf32>) -> vector<16xf32> {
      %zero = arith.constant dense<0.0> : vector<16xf32>
      %stays = arith.cmpf ugt, %x, %zero : vector<16xf32>
      %y = arith.select %stays, %x, %zero : vector<16xi1>, vector<16xf32>
      return %y : vector<16xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
  let options = [
    ListOption<"functions", "functions", "std::string",
               "The functions to approximate, as tanh; none given: all of them">
  ];
  let statistics = [
    Statistic<"numApproximated", "num-approximated", "Functions approximated">,
    Statistic<"numMaxima", "num-maxima", "Maxima with 0 that are selections now">
  ];
}

def ExpandF8Pass : Pass<"expand-f8"> {
  let summary = "Compute with floats of 8 bits by integers and f32";
  let description = [{
    To LLVM, f8E4M3FN and f8E5M2 are bytes. This pass makes arithmetic on f32 of
    arithmetic on them, and integer arithmetic on bits of their conversions,
    which are exact from f8 and round once to it, to nearest even. What is too
    large for f8E5M2 becomes an infinity; f8E4M3FN has none, and what is too
    large becomes NaN, as `arith.truncf` and `llvm::APFloat` define it.

    Loads, stores and moves of f8 stay as they are. `arith.truncf` with another
    rounding mode is an error.

    Example:

    ```mlir
    func.func @widen(%x: f8E5M2) -> f32 {
      %y = arith.extf %x : f8E5M2 to f32
      return %y : f32
    }
    ```

    becomes

    ```mlir
    func.func @widen(%x: f8E5M2) -> f32 {
      %c8 = arith.constant 8 : i16
      %byte = arith.bitcast %x : f8E5M2 to i8
      %bits = arith.extui %byte : i8 to i16
      %upper = arith.shli %bits, %c8 : i16
      %half = arith.bitcast %upper : i16 to f16
      %y = arith.extf %half : f16 to f32
      return %y : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numExpanded", "num-expanded", "Conversions expanded">
  ];
}

#endif // TILEIR_DIALECT_MATH_TRANSFORMS_PASSES_TD
