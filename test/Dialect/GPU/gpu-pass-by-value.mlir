// gpu-pass-by-value: kernels take the address of arrays that are passed by value.
//
// RUN: tile-opt %s --pass-pipeline="builtin.module(gpu.module(gpu-pass-by-value))" | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @kernel(
  // CHECK-SAME: %[[N:.*]]: i64, %[[MAP:.*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<16 x i64>, nvvm.grid_constant}, %[[READ:.*]]: !llvm.array<16 x i64>)
  // CHECK-NEXT: llvm.load %[[MAP]] : !llvm.ptr -> i64
  // CHECK-NEXT: llvm.load %[[MAP]] : !llvm.ptr -> i32
  // CHECK-NEXT: llvm.extractvalue %[[READ]][0]
  llvm.func @kernel(%n: i64, %map: !llvm.array<16 x i64>, %read: !llvm.array<16 x i64>) attributes {gpu.kernel, nvvm.kernel} {
    %p = builtin.unrealized_conversion_cast %map : !llvm.array<16 x i64> to !llvm.ptr
    %x = llvm.load %p : !llvm.ptr -> i64
    %q = builtin.unrealized_conversion_cast %map : !llvm.array<16 x i64> to !llvm.ptr
    %y = llvm.load %q : !llvm.ptr -> i32
    // What uses the array itself keeps it.
    %z = llvm.extractvalue %read[0] : !llvm.array<16 x i64>
    llvm.return
  }

  // Other functions are called, not launched.
  // CHECK-LABEL: llvm.func @function(
  // CHECK-SAME: %{{.*}}: !llvm.array<16 x i64>)
  llvm.func @function(%map: !llvm.array<16 x i64>) {
    %p = builtin.unrealized_conversion_cast %map : !llvm.array<16 x i64> to !llvm.ptr
    %x = llvm.load %p : !llvm.ptr -> i64
    llvm.return
  }
}
