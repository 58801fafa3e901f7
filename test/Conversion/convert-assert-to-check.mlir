// convert-assert-to-check: an assertion is a check that the caller reports.
//
// RUN: tile-opt %s --convert-assert-to-check | FileCheck %s
// RUN: tile-run %s --backend=interp --grid=1 --inputs=7
// RUN: tile-run %s --backend=cpu --grid=1 --inputs=7
// RUN: not tile-run %s --backend=interp --grid=3 --inputs=7 2>&1 | FileCheck %s --check-prefix=FAILED
// RUN: not tile-run %s --backend=cpu --grid=3 --inputs=7 2>&1 | FileCheck %s --check-prefixes=FAILED,ALL
// RUN: not tile-run %s --backend=interp --grid=1 --inputs=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not tile-run %s --backend=cpu --grid=1 --inputs=0 2>&1 | FileCheck %s --check-prefix=ZERO

// CHECK: module attributes {einsum.check_sites = ["{{.*}}convert-assert-to-check.mlir:[[@LINE+20]]:3: assertion failed: expected one program", "{{.*}}:[[@LINE+21]]:3: assertion failed: expected {n} > 0"]}
// CHECK-LABEL: func.func @kernel
// CHECK: %[[C:.*]] = arith.cmpi eq
// CHECK: %[[F:.*]] = arith.xori %[[C]], %true
// CHECK: scf.if %[[F]] {
// CHECK:   %[[SITE:.*]] = arith.constant 0 : i64
// CHECK:   func.call @tileirReportCheck(%[[SITE]],
// CHECK: scf.if
// CHECK:   %[[SITE:.*]] = arith.constant 1 : i64
// CHECK:   func.call @tileirReportCheck(%[[SITE]],
// CHECK: func.func private @tileirReportCheck(i64, memref<?xi64>)

// FAILED: convert-assert-to-check.mlir:[[@LINE+8]]:3: {{.*}}assertion failed: expected one program
// ALL-SAME: (the first of 2 failed checks)
// ZERO: convert-assert-to-check.mlir:[[@LINE+7]]:3: {{.*}}assertion failed: expected {n} > 0
func.func @kernel(%n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %id = tile.program_id x
  %isFirst = arith.cmpi eq, %id, %c0 : i32
  %isPositive = arith.cmpi sgt, %n, %c0 : i32
  cf.assert %isFirst, "expected one program"
  cf.assert %isPositive, "expected {n} > 0"
  return
}
