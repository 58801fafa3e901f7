//===- Passes.td - Conversions between dialects ------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_PASSES_TD
#define TILEIR_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertEinsumToAffinePass
    : Pass<"convert-einsum-to-affine", "::mlir::ModuleOp"> {
  let summary = "Lower einsum.contract to affine loops";
  let description = [{
    The plain meaning of any specification, as loops on memrefs: the outermost
    letters of the result as one `affine.parallel`, the other letters of the
    result as `affine.for` inside of it, then the reduced letters as `affine.for`
    with the sum as loop-carried value. Contractions of three or more operands
    are first split as by `einsum-contract-pairwise`. On tensors the loops work
    on `bufferization.to_buffer` of the operands; usually one runs
    `one-shot-bufferize` before.

    Operands whose axes are affine are read by `affine.load`. Axes with look-ups
    load the table by `memref.load` and compute the index in `arith`. With
    `pad = "zero"` a read that may fall outside is guarded by `affine.if` or
    `scf.if`. Where sizes are dynamic but not affine symbols, the loops are those
    of `scf`.

    `checks` tells what is verified at run time; a failed check calls
    `tileirReportCheck(site, values)`, where `site` is an index into the module's
    attribute `einsum.check_sites` of message templates:

    - `none`: nothing.
    - `sizes` (default): before the loops, that dynamic sizes agree and that
      linear axes of dynamic size stay inside; the loops run only if so.
      Divisors from tables: that they are positive.
    - `all`: also each read that is not known to stay inside; it gives 0 if not.

    Example: `einsum.contract "mk, kn -> mn"` becomes

    ```mlir
    affine.parallel (%m) = (0) to (64) {
      affine.for %n = 0 to 32 {
        %zero = arith.constant 0.0 : f32
        %sum = affine.for %k = 0 to 16 iter_args(%acc = %zero) -> (f32) {
          %a = affine.load %A[%m, %k] : memref<64x16xf32>
          %b = affine.load %B[%k, %n] : memref<16x32xf32>
          %ab = arith.mulf %a, %b : f32
          %next = arith.addf %acc, %ab : f32
          affine.yield %next : f32
        }
        affine.store %sum, %C[%m, %n] : memref<64x32xf32>
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
  let options = [
    Option<"checks", "checks", "::tileir::RuntimeChecks",
           "::tileir::RuntimeChecks::Sizes", "What is verified at run time",
           [{::llvm::cl::values(
             clEnumValN(::tileir::RuntimeChecks::None, "none", "nothing"),
             clEnumValN(::tileir::RuntimeChecks::Sizes, "sizes",
                        "sizes, before the loops"),
             clEnumValN(::tileir::RuntimeChecks::All, "all",
                        "sizes, and each read"))}]>,
    Option<"parallelIterations", "parallel-iterations", "int64_t", "64",
           "Make as many outer loops parallel as give this many iterations; "
           "0 for none">
  ];
  let statistics = [
    Statistic<"numLowered", "num-lowered", "Contractions lowered">,
    Statistic<"numAffineReads", "num-affine-reads",
              "Operands read by affine.load">,
    Statistic<"numGeneralReads", "num-general-reads",
              "Operands read by memref.load">,
    Statistic<"numGuardedReads", "num-guarded-reads",
              "Operands read under a guard, for padding or a check">
  ];
}

#endif // TILEIR_CONVERSION_PASSES_TD
