// memref-promote-to-stack: all buffers of constant size, if they need little together; otherwise the small ones.

// RUN: tile-opt %s --pass-pipeline="builtin.module(func.func(memref-promote-to-stack))" | FileCheck %s
// RUN: tile-opt %s --pass-pipeline="builtin.module(func.func(memref-promote-to-stack{budget=5000 small=8}))" | FileCheck %s --check-prefix=TIGHT

func.func private @use(memref<?xf32>, memref<1024xf32>, memref<2xf32>)

// CHECK-LABEL: @buffers
// CHECK: memref.alloca() : memref<1024xf32>
// CHECK: memref.alloca() : memref<2xf32>
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
// TIGHT-LABEL: @buffers
// TIGHT: memref.alloca() : memref<1024xf32>
func.func @buffers(%n: index) {
  %large = memref.alloc() : memref<1024xf32>
  %small = memref.alloc() : memref<2xf32>
  %any = memref.alloc(%n) : memref<?xf32>
  func.call @use(%any, %large, %small) : (memref<?xf32>, memref<1024xf32>, memref<2xf32>) -> ()
  return
}

// Together above what the second run takes for few; the first one's limit is 64 KiB.
// CHECK-LABEL: @many
// CHECK-COUNT-2: memref.alloca() : memref<1024xf32>
// TIGHT-LABEL: @many
// TIGHT-COUNT-2: memref.alloc() : memref<1024xf32>
// TIGHT: memref.alloca() : memref<2xf32>
func.func @many(%n: memref<?xf32>) {
  %0 = memref.alloc() : memref<1024xf32>
  %1 = memref.alloc() : memref<1024xf32>
  %small = memref.alloc() : memref<2xf32>
  func.call @use(%n, %0, %small) : (memref<?xf32>, memref<1024xf32>, memref<2xf32>) -> ()
  func.call @use(%n, %1, %small) : (memref<?xf32>, memref<1024xf32>, memref<2xf32>) -> ()
  return
}

// What is returned is not of this function.
// CHECK-LABEL: @returned
// CHECK: memref.alloc() : memref<8xf32>
func.func @returned() -> memref<8xf32> {
  %0 = memref.alloc() : memref<8xf32>
  return %0 : memref<8xf32>
}
