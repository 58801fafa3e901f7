// convert-printf-to-llvm: the C library prints; GPU modules stay as they are.

// RUN: tile-opt %s --convert-printf-to-llvm --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-DAG: llvm.mlir.global internal constant @[[N:.*]]("n is %d\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[X:.*]]("x is %f of %lld\0A\00")
// CHECK-DAG: llvm.func @printf(!llvm.ptr, ...) -> i32
// CHECK: func.func @print(%[[n:.*]]: i32, %[[x:.*]]: f64, %[[k:.*]]: i64)
func.func @print(%n: i32, %x: f64, %k: i64) {
  // CHECK: %[[F:.*]] = llvm.mlir.addressof @[[N]] : !llvm.ptr
  // CHECK: llvm.call @printf(%[[F]], %[[n]]) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  gpu.printf "n is %d\n", %n : i32
  // CHECK: %[[G:.*]] = llvm.mlir.addressof @[[X]] : !llvm.ptr
  // CHECK: llvm.call @printf(%[[G]], %[[x]], %[[k]])
  gpu.printf "x is %f of %lld\n", %x, %k : f64, i64
  // CHECK: llvm.mlir.addressof @[[N]]
  gpu.printf "n is %d\n", %n : i32
  return
}

gpu.module @kernels {
  gpu.func @kernel(%n: i32) kernel {
    // CHECK: gpu.printf "%d", %{{.*}} : i32
    gpu.printf "%d", %n : i32
    gpu.return
  }
}

// -----

// A module has texts of its own.
// CHECK: llvm.mlir.global internal constant @[[N:.*]]("n is %d\0A\00")
// CHECK: func.func @again
// CHECK: llvm.mlir.addressof @[[N]]
func.func @again(%n: i32) {
  gpu.printf "n is %d\n", %n : i32
  return
}

// -----

func.func @narrow(%x: f16) {
  // expected-error@+1 {{'gpu.printf' op convert-printf-to-llvm expects arguments of i32, i64 and f64, found 'f16'}}
  gpu.printf "%f", %x : f16
  return
}

// -----

func.func private @printf(i32)

func.func @other(%x: f64) {
  // expected-error@+1 {{'gpu.printf' op convert-printf-to-llvm expects @printf to be C's, found another symbol of this name: rename it}}
  gpu.printf "%f", %x : f64
  return
}
