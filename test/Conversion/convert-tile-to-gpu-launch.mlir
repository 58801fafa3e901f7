// convert-tile-to-gpu: launches copy what they pass to device memory, and back what may have been written.
//
// RUN: tile-opt --convert-tile-to-gpu --split-input-file %s | FileCheck %s

// The module's name is another one where the host has a function @kernels.
// CHECK: gpu.module @[[$MODULE:kernels_[0-9]+]]
// CHECK: gpu.func @f(%{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i32)
func.func @f(%m: memref<?x8xf32> {tile.readonly}, %p: !tile.ptr<f32>, %n: i32)
    attributes {tile.kernel, tile.num_warps = 4 : i64} {
  return
}

// CHECK-LABEL: func.func @once
// CHECK-SAME:    (%[[M:.*]]: memref<?x8xf32>, %[[P:.*]]: memref<64xf32>, %[[X:.*]]: index, %[[N:.*]]: i32)
// CHECK:         %[[SIZE:.*]] = memref.dim %[[M]], %{{.*}} : memref<?x8xf32>
// CHECK:         %[[DM:.*]] = gpu.alloc (%[[SIZE]]) : memref<?x8xf32>
// CHECK:         gpu.memcpy %[[DM]], %[[M]] : memref<?x8xf32>, memref<?x8xf32>
// CHECK:         %[[IM:.*]] = memref.extract_aligned_pointer_as_index %[[DM]]
// CHECK:         %[[AM:.*]] = arith.index_cast %[[IM]] : index to i64
// CHECK:         %[[DIM:.*]] = memref.dim %[[M]], %{{.*}} : memref<?x8xf32>
// CHECK:         %[[SM:.*]] = arith.index_cast %[[DIM]] : index to i64
// CHECK:         %[[DP:.*]] = gpu.alloc () : memref<64xf32>
// CHECK:         gpu.memcpy %[[DP]], %[[P]] : memref<64xf32>, memref<64xf32>
// CHECK:         %[[IP:.*]] = memref.extract_aligned_pointer_as_index %[[DP]]
// CHECK:         %[[AP:.*]] = arith.index_cast %[[IP]] : index to i64
// A grid may have no programs; a GPU takes none of these.
// CHECK:         %[[SOME:.*]] = arith.cmpi sgt, %[[X]], %{{.*}} : index
// CHECK:         scf.if %[[SOME]] {
// CHECK:           gpu.launch_func @[[$MODULE]]::@f blocks in (%[[X]], %{{.*}}, %{{.*}}) threads in (%{{.*}}, %{{.*}}, %{{.*}}) args(%[[AM]] : i64, %[[SM]] : i64, %[[AP]] : i64, %[[N]] : i32)
// CHECK:         }
// CHECK-NOT:     gpu.memcpy %[[M]]
// CHECK:         gpu.memcpy %[[P]], %[[DP]] : memref<64xf32>, memref<64xf32>
// CHECK:         gpu.dealloc %[[DM]]
// CHECK:         gpu.dealloc %[[DP]]
func.func @once(%m: memref<?x8xf32>, %p: memref<64xf32>, %x: index, %n: i32) {
  %c1 = arith.constant 1 : index
  tile.launch @f grid(%x, %c1, %c1) (%m, %p, %n) : memref<?x8xf32>, memref<64xf32>, i32
  return
}

// A memref that is passed twice, the second time as it is: one copy, and back because of the pointer.
// CHECK-LABEL: func.func @twice
// CHECK-SAME:    (%[[M:.*]]: memref<64xf32>, %[[N:.*]]: i32)
// CHECK:         %[[DM:.*]] = gpu.alloc () : memref<64xf32>
// CHECK:         %[[A:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK-NOT:     gpu.alloc
// CHECK-NOT:     scf.if
// CHECK:         gpu.launch_func {{.*}} args(%[[A]] : i64, %{{.*}} : i64, %[[A]] : i64, %[[N]] : i32)
// CHECK:         gpu.memcpy %[[M]], %[[DM]]
// CHECK-NOT:     gpu.memcpy
func.func @twice(%m: memref<64xf32>, %n: i32) {
  %c1 = arith.constant 1 : index
  %s = memref.expand_shape %m [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  %d = memref.cast %s : memref<8x8xf32> to memref<?x8xf32>
  tile.launch @f grid(%c1, %c1, %c1) (%d, %m, %n) : memref<?x8xf32>, memref<64xf32>, i32
  return
}

// CHECK-LABEL: func.func @kernels
// CHECK:         scf.for
// CHECK:           gpu.launch_func
func.func @kernels(%m: memref<?x8xf32>, %p: memref<64xf32>, %n: index, %k: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    tile.launch @f grid(%c1, %c1, %c1) (%m, %p, %k) : memref<?x8xf32>, memref<64xf32>, i32
  }
  return
}

// -----

// Shared memory has no size of its own: launches tell how much a kernel takes.
// CHECK:         gpu.module @kernels
// CHECK:           llvm.mlir.global external @tile_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
// CHECK:           gpu.func @small
// CHECK:           gpu.func @none
func.func @small() attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 1024 : i64} {
  return
}
func.func @none() attributes {tile.kernel, tile.num_warps = 1 : i64} {
  return
}

// CHECK-LABEL: func.func @main
// CHECK:         %[[BYTES:.*]] = arith.constant 1024 : i32
// CHECK:         gpu.launch_func @kernels::@small {{.*}} dynamic_shared_memory_size %[[BYTES]]
// CHECK-NOT:     dynamic_shared_memory_size
// CHECK:         gpu.launch_func @kernels::@none
func.func @main() {
  %c1 = arith.constant 1 : index
  tile.launch @small grid(%c1, %c1, %c1) ()
  tile.launch @none grid(%c1, %c1, %c1) ()
  return
}

// -----

// A module without kernels stays as it is.
// CHECK:     module {
// CHECK-NOT:   gpu.module
// CHECK:       func.func @host
func.func @host() {
  return
}
