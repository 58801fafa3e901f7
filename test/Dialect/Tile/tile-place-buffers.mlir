// tile-place-buffers: what kernels access lives on the device, from the first launch that needs it to the last. That
// programs give the same numbers with it and without is tested by tile-place-buffers-run.mlir, what is copied by
// test/Simulator/residency.test.
//
// RUN: tile-opt --tile-place-buffers --split-input-file %s | FileCheck %s
// A second run finds nothing to do.
// RUN: tile-opt --tile-place-buffers --split-input-file %s -o %t.once
// RUN: tile-opt --tile-place-buffers --split-input-file %t.once | diff %t.once -
// RUN: tile-opt --tile-place-buffers=per-launch --split-input-file %s | FileCheck %s --check-prefix=EACH
// RUN: tile-opt --tile-place-buffers --split-input-file %s --remark-policy=all --remarks-filter=tile -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: 'memref.load' of the host needs what kernels have computed: it is copied from the device
// REMARK: argument 0 is copied for this launch only: it is not an argument, an allocation or a constant, without gaps

// A chain: one copy of the argument, none of what is between, one of the result.
// CHECK-LABEL: func.func @chain
// CHECK-SAME:    (%[[X:.*]]: memref<64xf32>)
// CHECK-NEXT:    %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:    %[[Y:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT:    %[[DX:.*]] = gpu.alloc () {tile.memory = "argument 0"} : memref<64xf32, #gpu.address_space<global>>
// CHECK-NEXT:    gpu.memcpy %[[DX]], %[[X]]
// CHECK-NEXT:    %[[DT:.*]] = gpu.alloc () {tile.memory = "temporary 0"}
// CHECK-NEXT:    tile.launch @f grid(%[[C1]], %[[C1]], %[[C1]]) (%[[DX]], %[[DT]]) : memref<64xf32, #gpu.address_space<global>>, memref<64xf32, #gpu.address_space<global>>
// CHECK-NEXT:    gpu.dealloc %[[DX]]
// CHECK-NEXT:    %[[DY:.*]] = gpu.alloc () {tile.memory = "result 0"}
// CHECK-NEXT:    tile.launch @f {{.*}} (%[[DT]], %[[DY]])
// CHECK-NEXT:    gpu.dealloc %[[DT]]
// CHECK-NEXT:    gpu.memcpy %[[Y]], %[[DY]]
// CHECK-NEXT:    gpu.dealloc %[[DY]]
// CHECK-NEXT:    return %[[Y]]
// EACH-LABEL: func.func @chain
// EACH-COUNT-3: gpu.memcpy
// EACH:         tile.launch
func.func @chain(%x: memref<64xf32>) -> memref<64xf32> {
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<64xf32>
  %y = memref.alloc() : memref<64xf32>
  tile.launch @f grid(%c1, %c1, %c1) (%x, %t) : memref<64xf32>, memref<64xf32>
  tile.launch @f grid(%c1, %c1, %c1) (%t, %y) : memref<64xf32>, memref<64xf32>
  memref.dealloc %t : memref<64xf32>
  return %y : memref<64xf32>
}

// An argument that is written and returned, passed twice: one buffer, one copy each way.
// CHECK-LABEL: func.func @same
// CHECK-COUNT-1: gpu.alloc
// CHECK-NEXT:    gpu.memcpy
// CHECK-NEXT:    tile.launch @f {{.*}} (%[[D:.*]], %[[D]])
// CHECK-NEXT:    gpu.memcpy %arg0, %[[D]]
// CHECK-NEXT:    gpu.dealloc %[[D]]
// CHECK-NEXT:    return %arg0
func.func @same(%x: memref<64xf32>) -> memref<64xf32> {
  %c1 = arith.constant 1 : index
  tile.launch @f grid(%c1, %c1, %c1) (%x, %x) : memref<64xf32>, memref<64xf32>
  return %x : memref<64xf32>
}

// Loops and branches of launches: copies stand outside. What the branch leaves undone is in the device memory.
// CHECK-LABEL: func.func @loop
// CHECK:         gpu.memcpy
// CHECK:         gpu.memcpy
// CHECK:         scf.for
// CHECK-NOT:       gpu.
// CHECK:           scf.if
// CHECK-NOT:         gpu.
// CHECK:             tile.launch
// CHECK:         gpu.memcpy %arg1
// CHECK-NOT:     gpu.memcpy
// CHECK:         return
func.func @loop(%x: memref<64xf32>, %y: memref<64xf32>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      tile.launch @f grid(%c1, %c1, %c1) (%x, %y) : memref<64xf32>, memref<64xf32>
    }
  }
  return
}

// Host code that looks at what a kernel has computed, each time: only that is copied, and not back.
// CHECK-LABEL: func.func @between
// CHECK:         scf.for
// CHECK-NOT:       gpu.memcpy
// CHECK:           tile.launch
// CHECK-NEXT:      gpu.memcpy %arg1
// CHECK-NEXT:      memref.load %arg1
// CHECK-NOT:       gpu.memcpy
// CHECK:         return
func.func @between(%x: memref<64xf32>, %y: memref<64xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%last = %zero) -> f32 {
    tile.launch @f grid(%c1, %c1, %c1) (%x, %y) : memref<64xf32>, memref<64xf32>
    %e = memref.load %y[%c0] : memref<64xf32>
    %next = arith.addf %last, %e : f32
    scf.yield %next : f32
  }
  return %sum : f32
}

// What the host changes is copied once more, and what it gives to a kernel is computed.
// CHECK-LABEL: func.func @changed
// CHECK:         %[[T:.*]] = memref.alloc()
// CHECK:         memref.store %{{.*}}, %[[T]]
// CHECK-NEXT:    %[[DT:.*]] = gpu.alloc () {tile.memory = "computed 0"}
// CHECK-NEXT:    gpu.memcpy %[[DT]], %[[T]]
// CHECK:         tile.launch
// CHECK:         memref.store %{{.*}}, %[[T]]
// CHECK-NEXT:    gpu.memcpy %[[DT]], %[[T]]
// CHECK-NEXT:    tile.launch
func.func @changed(%y: memref<64xf32>, %e: f32) {
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<64xf32>
  memref.store %e, %t[%c1] : memref<64xf32>
  tile.launch @f grid(%c1, %c1, %c1) (%t, %y) : memref<64xf32>, memref<64xf32>
  memref.store %e, %t[%c1] : memref<64xf32>
  tile.launch @f grid(%c1, %c1, %c1) (%t, %y) : memref<64xf32>, memref<64xf32>
  memref.dealloc %t : memref<64xf32>
  return
}

// Zeros and copies are the device's, through another shape, too; sizes need not be known. What is overwritten is not
// copied there before.
// CHECK-LABEL: func.func @fill
// CHECK-SAME:    (%[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>, %[[N:.*]]: index)
// CHECK:         %[[DIM:.*]] = memref.dim %[[Y]]
// CHECK-NEXT:    %[[DY:.*]] = gpu.alloc (%[[DIM]]) : memref<?xf32, #gpu.address_space<global>>
// CHECK-NEXT:    gpu.memset %[[DY]], %{{.*}} : memref<?xf32, #gpu.address_space<global>>, f32
// CHECK-NEXT:    %[[DT:.*]] = gpu.alloc (%[[N]])
// CHECK-NEXT:    gpu.memcpy %[[DT]], %[[X]]
// CHECK-NEXT:    tile.launch @g {{.*}} (%[[DT]], %[[DY]])
// CHECK-NOT:     memref.alloc
func.func @fill(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<?xf32>)
  %t = memref.alloc(%n) : memref<?xf32>
  linalg.copy ins(%x : memref<?xf32>) outs(%t : memref<?xf32>)
  tile.launch @g grid(%c1, %c1, %c1) (%t, %y) : memref<?xf32>, memref<?xf32>
  memref.dealloc %t : memref<?xf32>
  return
}

// What a branch overwrites keeps its elements otherwise.
// CHECK-LABEL: func.func @maybe
// CHECK:         gpu.memcpy %{{.*}}, %arg1
// CHECK:         scf.if
// CHECK-NEXT:      gpu.memset
func.func @maybe(%x: memref<64xf32>, %y: memref<64xf32>, %c: i1) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.if %c {
    linalg.fill ins(%zero : f32) outs(%y : memref<64xf32>)
  }
  tile.launch @f grid(%c1, %c1, %c1) (%x, %y) : memref<64xf32>, memref<64xf32>
  return
}

// A constant is copied once, before the loop, although it is named in it, and not back.
// CHECK-LABEL: func.func @constant
// CHECK:         %[[G:.*]] = memref.get_global @table
// CHECK:         gpu.alloc () {tile.memory = @table}
// CHECK-NEXT:    gpu.memcpy %{{.*}}, %[[G]]
// CHECK:         scf.for
// CHECK-NOT:       get_global
// CHECK-NOT:     gpu.memcpy %[[G]]
// CHECK:         return
memref.global "private" constant @table : memref<64xf32> = dense<1.0>
func.func @constant(%y: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %g = memref.get_global @table : memref<64xf32>
    %h = memref.get_global @table : memref<64xf32>
    tile.launch @f grid(%c1, %c1, %c1) (%g, %y) : memref<64xf32>, memref<64xf32>
    tile.launch @f grid(%c1, %c1, %c1) (%h, %y) : memref<64xf32>, memref<64xf32>
  }
  return
}

// Views are those of the device memory.
// CHECK-LABEL: func.func @views
// CHECK:         %[[D:.*]] = gpu.alloc () {tile.memory = "argument 0"} : memref<8x8xf32, #gpu.address_space<global>>
// CHECK:         %[[FLAT:.*]] = memref.collapse_shape %[[D]] {{\[\[}}0, 1]] : memref<8x8xf32, #gpu.address_space<global>> into memref<64xf32, #gpu.address_space<global>>
// CHECK:         tile.launch @f {{.*}} (%[[FLAT]],
func.func @views(%x: memref<8x8xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %flat = memref.collapse_shape %x [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  tile.launch @f grid(%c1, %c1, %c1) (%flat, %y) : memref<64xf32>, memref<64xf32>
  return
}

// What may be one of several is copied for the launch; the other argument lives on.
// CHECK-LABEL: func.func @chosen
// CHECK:         %[[S:.*]] = arith.select
// CHECK:         %[[DS:.*]] = gpu.alloc () : memref
// CHECK-NEXT:    gpu.memcpy %[[DS]], %[[S]]
// CHECK-NEXT:    tile.launch @f {{.*}} (%[[DS]], %[[DY:.*]])
// CHECK-NEXT:    gpu.dealloc %[[DS]]
// CHECK-NEXT:    gpu.memcpy %arg1, %[[DY]]
func.func @chosen(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>, %c: i1) {
  %c1 = arith.constant 1 : index
  %s = arith.select %c, %x, %z : memref<64xf32>
  tile.launch @f grid(%c1, %c1, %c1) (%s, %y) : memref<64xf32>, memref<64xf32>
  return
}

// A kernel that makes pointers of integers may write everything.
// CHECK-LABEL: func.func @addresses
// CHECK:         tile.launch @h {{.*}} (%[[X:.*]])
// CHECK-NEXT:    gpu.memcpy %arg0, %[[X]]
func.func @addresses(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @h grid(%c1, %c1, %c1) (%x) : memref<64xf32>
  return
}
func.func private @h(%x: !tile.ptr<f32> {tile.readonly}) attributes {tile.kernel} {
  %v = arith.constant 1.0 : f32
  %a = tile.ptr_to_int %x : !tile.ptr<f32> -> i64
  %p = tile.int_to_ptr %a : i64 -> !tile.ptr<f32>
  tile.store %p, %v : !tile.ptr<f32>
  return
}

func.func private @f(%x: memref<64xf32> {tile.readonly}, %y: memref<64xf32>) attributes {tile.kernel} {
  return
}
func.func private @g(%x: memref<?xf32> {tile.readonly}, %y: memref<?xf32>) attributes {tile.kernel} {
  return
}

// -----

// Memory of the device is aligned to the widest access: so are the pointers that launches pass.
// CHECK-LABEL: func.func private @pointers
// CHECK-SAME: %{{.*}}: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %{{.*}}: !tile.ptr<f32> {tile.multiple_of = 64 : i64}
func.func @launch(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @pointers grid(%c1, %c1, %c1) (%x, %x) : memref<64xf32>, memref<64xf32>
  return
}
func.func private @pointers(%x: !tile.ptr<f32>, %y: !tile.ptr<f32> {tile.multiple_of = 64 : i64}) attributes {tile.kernel} {
  return
}
