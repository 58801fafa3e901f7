// convert-tile-to-gpu: launches pass addresses and dynamic sizes of device memory, and tell what they are.
//
// RUN: tile-opt --convert-tile-to-gpu --split-input-file %s | FileCheck %s

!dynamic = memref<?x8xf32, #gpu.address_space<global>>
!flat = memref<64xf32, #gpu.address_space<global>>

// The module's name is another one where the host has a function @kernels.
// CHECK: gpu.module @[[$MODULE:kernels_[0-9]+]]
// What NVVM knows of kernels goes along.
// CHECK: gpu.func @f(%{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.maxnreg = 64 : i32}
func.func @f(%m: memref<?x8xf32> {tile.readonly}, %p: !tile.ptr<f32>, %n: i32)
    attributes {tile.kernel, tile.num_warps = 4 : i64, nvvm.maxnreg = 64 : i32} {
  return
}

// CHECK-LABEL: func.func @once
// CHECK-SAME:    (%[[M:.*]]: memref<?x8xf32>, %[[P:.*]]: memref<64xf32>, %[[X:.*]]: index, %[[N:.*]]: i32)
// CHECK:         %[[IM:.*]] = memref.extract_aligned_pointer_as_index %[[M]]
// CHECK:         %[[AM:.*]] = arith.index_cast %[[IM]] : index to i64
// CHECK:         %[[DIM:.*]] = memref.dim %[[M]], %{{.*}} : memref<?x8xf32>
// CHECK:         %[[SM:.*]] = arith.index_cast %[[DIM]] : index to i64
// CHECK:         %[[IP:.*]] = memref.extract_aligned_pointer_as_index %[[P]]
// CHECK:         %[[AP:.*]] = arith.index_cast %[[IP]] : index to i64
// A grid may have no programs; a GPU takes none of these.
// CHECK:         %[[SOME:.*]] = arith.cmpi sgt, %[[X]], %{{.*}} : index
// CHECK:         scf.if %[[SOME]] {
// CHECK:           gpu.launch_func @[[$MODULE]]::@f blocks in (%[[X]], %{{.*}}, %{{.*}}) threads in (%{{.*}}, %{{.*}}, %{{.*}}) args(%[[AM]] : i64, %[[SM]] : i64, %[[AP]] : i64, %[[N]] : i32)
// CHECK-SAME:        tile.arguments = [{memory = "argument 0", readonly, type = memref<?x8xf32>}, {size = array<i64: 0, 0>}, {memory = "argument 1", type = memref<64xf32>}, {}]
// CHECK:         }
// CHECK-NOT:     gpu.
func.func @once(%m: !dynamic, %p: !flat, %x: index, %n: i32) {
  %c1 = arith.constant 1 : index
  tile.launch @f grid(%x, %c1, %c1) (%m, %p, %n) : !dynamic, !flat, i32
  return
}

// What is passed has a name, whatever its shape.
// CHECK-LABEL: func.func @named
// CHECK:         %[[D:.*]] = gpu.alloc () {tile.memory = "argument 0"} : memref<64xf32>
// CHECK:         memref.expand_shape %[[D]] {{.*}} : memref<64xf32> into memref<8x8xf32>
// CHECK-NOT:     scf.if
// CHECK:         gpu.launch_func
// CHECK-SAME:      tile.arguments = [{memory = "argument 0", readonly, type = memref<8x8xf32>}, {size = array<i64: 0, 0>}, {memory = "argument 0", type = memref<64xf32>}, {}]
func.func @named(%n: i32) {
  %c1 = arith.constant 1 : index
  %m = gpu.alloc () {tile.memory = "argument 0"} : !flat
  %s = memref.expand_shape %m [[0, 1]] output_shape [8, 8] : !flat into memref<8x8xf32, #gpu.address_space<global>>
  %d = memref.cast %s : memref<8x8xf32, #gpu.address_space<global>> to !dynamic
  tile.launch @f grid(%c1, %c1, %c1) (%d, %m, %n) : !dynamic, !flat, i32
  gpu.dealloc %m : !flat
  return
}

// CHECK-LABEL: func.func @kernels
// CHECK:         scf.for
// CHECK:           gpu.launch_func
func.func @kernels(%m: !dynamic, %p: !flat, %n: index, %k: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    tile.launch @f grid(%c1, %c1, %c1) (%m, %p, %k) : !dynamic, !flat, i32
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
