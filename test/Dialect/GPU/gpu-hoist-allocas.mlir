// gpu-hoist-allocas: what is allocated is, where its function begins; what has no constant size stays.

// RUN: tile-opt %s --pass-pipeline="builtin.module(gpu.module(gpu-hoist-allocas))" | FileCheck %s

gpu.module @kernels {
  llvm.func @use(!llvm.ptr)

  // CHECK-LABEL: llvm.func @branch
  // CHECK-NEXT: %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK-NEXT: %[[Q:.*]] = llvm.alloca %[[ONE]] x i64 : (i32) -> !llvm.ptr
  // CHECK-NEXT: %[[ONE64:.*]] = llvm.mlir.constant(1 : i64) : i64
  // CHECK-NEXT: %[[P:.*]] = llvm.alloca %[[ONE64]] x !llvm.struct<(i32)> : (i64) -> !llvm.ptr
  // CHECK-NEXT: llvm.alloca %{{.*}} x f32
  llvm.func @branch(%c: i1, %n: i32) {
    %kept = llvm.alloca %n x f32 : (i32) -> !llvm.ptr
    llvm.cond_br %c, ^then, ^end
  ^then:
    %one = llvm.mlir.constant(1 : i64) : i64
    %p = llvm.alloca %one x !llvm.struct<(i32)> : (i64) -> !llvm.ptr
    // CHECK: llvm.call @use(%[[P]])
    llvm.call @use(%p) : (!llvm.ptr) -> ()
    %other = llvm.mlir.constant(1 : i32) : i32
    %q = llvm.alloca %other x i64 : (i32) -> !llvm.ptr
    // CHECK: llvm.call @use(%[[Q]])
    llvm.call @use(%q) : (!llvm.ptr) -> ()
    // CHECK: %[[R:.*]] = llvm.alloca %{{.*}} x f32
    %r = llvm.alloca %n x f32 : (i32) -> !llvm.ptr
    // CHECK: llvm.call @use(%[[R]])
    llvm.call @use(%r) : (!llvm.ptr) -> ()
    llvm.br ^end
  ^end:
    llvm.return
  }

  // Functions of other dialects stay as they are.
  // CHECK-LABEL: gpu.func @other
  // CHECK: scf.if
  // CHECK-NEXT: llvm.mlir.constant
  // CHECK-NEXT: llvm.alloca
  gpu.func @other(%c: i1) kernel {
    scf.if %c {
      %one = llvm.mlir.constant(1 : i64) : i64
      %p = llvm.alloca %one x f32 : (i64) -> !llvm.ptr
      llvm.call @use(%p) : (!llvm.ptr) -> ()
    }
    gpu.return
  }
}
