// tile-bufferize-host: tensors of host code become memrefs; those of tile kernels stay tiles. That the result computes the
// same is tested by einsum-to-tile-pipeline, of which it is a part.
//
// RUN: tile-opt --tile-bufferize-host --split-input-file %s | FileCheck %s --implicit-check-not=memref.copy
// RUN: tile-opt --tile-bufferize-host --tile-bufferize-host --split-input-file %s | FileCheck %s --implicit-check-not=memref.copy

// Element-wise ops become linalg; boundaries of functions memrefs without layout. The kernel stays as it is, though it has
// the same ops on tensors.
// CHECK-LABEL: func.func @elementwise
// CHECK-SAME: (%[[X:.*]]: memref<64xf32>, %[[Y:.*]]: memref<64xf32>) -> (memref<64xf32>, memref<64xf32>)
// CHECK-NEXT: %[[SUM:.*]] = memref.alloc() {{.*}} : memref<64xf32>
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[X]], %[[Y]] : memref<64xf32>, memref<64xf32>) outs(%[[SUM]] : memref<64xf32>)
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: return %[[X]], %[[SUM]]
func.func @elementwise(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %sum = arith.addf %x, %y : tensor<64xf32>
  return %x, %sum : tensor<64xf32>, tensor<64xf32>
}
// CHECK: func.func private @kernel(%[[P:.*]]: !tile.ptr<f32>) attributes {tile.kernel} {
// CHECK-NEXT: %[[ONES:.*]] = arith.constant dense<1.000000e+00> : tensor<64xf32>
// CHECK-NEXT: %[[RANGE:.*]] = tile.range 0 to 64 : tensor<64xi32>
// CHECK-NEXT: %[[PS:.*]] = tile.splat %[[P]] : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
// CHECK-NEXT: %[[QS:.*]] = tile.addptr %[[PS]], %[[RANGE]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[ONES]], %[[ONES]] : tensor<64xf32>
// CHECK-NEXT: tile.program_id
// CHECK-NEXT: %[[R:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[SUM]]) -> (tensor<64xf32>) : i32 {
// CHECK-NEXT: math.exp %[[ACC]] : tensor<64xf32>
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: tile.store %[[QS]], %[[R]] : tensor<64x!tile.ptr<f32>>
// CHECK-NEXT: return
func.func private @kernel(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %ones = arith.constant dense<1.0> : tensor<64xf32>
  %range = tile.range 0 to 64 : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %qs = tile.addptr %ps, %range : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %sum = arith.addf %ones, %ones : tensor<64xf32>
  %n = tile.program_id x
  %r = scf.for %i = %n to %n step %n iter_args(%acc = %sum) -> tensor<64xf32> : i32 {
    %e = math.exp %acc : tensor<64xf32>
    scf.yield %e : tensor<64xf32>
  }
  tile.store %qs, %r : tensor<64x!tile.ptr<f32>>
  return
}

// -----

// What is not used any more is written in place.
// CHECK-LABEL: func.func @in_place
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>)
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[Y]] : memref<?xf32>, memref<?xf32>) outs(%[[X]] : memref<?xf32>)
// CHECK: return %[[X]]
func.func @in_place(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %z = arith.mulf %x, %y : tensor<?xf32>
  return %z : tensor<?xf32>
}

// -----

// Calls and declarations have memrefs, too.
// CHECK: func.func private @declared(memref<?xf32>) -> memref<?xf32>
// CHECK-LABEL: func.func @calls
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[I:.*]]: index) -> (memref<?xf32>, f32)
// CHECK-NEXT: %[[Y:.*]] = call @declared(%[[X]]) : (memref<?xf32>) -> memref<?xf32>
// CHECK-NEXT: %[[E:.*]] = memref.load %[[Y]][%[[I]]]
// CHECK-NEXT: return %[[Y]], %[[E]]
func.func private @declared(%x: tensor<?xf32>) -> tensor<?xf32>
func.func @calls(%x: tensor<?xf32>, %i: index) -> (tensor<?xf32>, f32) {
  %y = func.call @declared(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %e = tensor.extract %y[%i] : tensor<?xf32>
  return %y, %e : tensor<?xf32>, f32
}

// -----

// A result that has gaps in memory is copied, by linalg.copy.
// CHECK-LABEL: func.func @slice
// CHECK-SAME: %[[X:.*]]: memref<8x8xf32>) -> memref<4x4xf32>
// CHECK-NEXT: %[[VIEW:.*]] = memref.subview %[[X]][2, 2] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 18>>
// CHECK-NEXT: %[[COPY:.*]] = memref.alloc() {{.*}} : memref<4x4xf32>
// CHECK-NEXT: linalg.copy ins(%[[VIEW]] : {{.*}}) outs(%[[COPY]] : memref<4x4xf32>)
// CHECK-NEXT: return %[[COPY]]
func.func @slice(%x: tensor<8x8xf32>) -> tensor<4x4xf32> {
  %s = tensor.extract_slice %x[2, 2] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  return %s : tensor<4x4xf32>
}

// -----

// So is what a kernel is launched with.
// CHECK-LABEL: func.func @launch
// CHECK-SAME: %[[X:.*]]: memref<8x8xf32>, %[[OUT:.*]]: memref<4x4xf32>) -> memref<4x4xf32>
// CHECK: %[[VIEW:.*]] = memref.subview %[[X]][2, 2] [4, 4] [1, 1]
// CHECK: linalg.copy ins(%[[VIEW]] : {{.*}}) outs(%[[COPY:.*]] : memref<4x4xf32>)
// CHECK: tile.launch @kernel grid({{.*}}) (%[[COPY]], %[[OUT]]) : memref<4x4xf32>, memref<4x4xf32>
// CHECK-NEXT: return %[[OUT]]
// CHECK: func.func private @kernel
// CHECK-NEXT: return
func.func @launch(%x: tensor<8x8xf32>, %out: memref<4x4xf32>) -> tensor<4x4xf32> {
  %s = tensor.extract_slice %x[2, 2] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %b = bufferization.to_buffer %s read_only : tensor<4x4xf32> to memref<4x4xf32>
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%b, %out) : memref<4x4xf32>, memref<4x4xf32>
  %y = bufferization.to_tensor %out restrict writable : memref<4x4xf32> to tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
func.func private @kernel(%p: !tile.ptr<f32> {tile.readonly}, %q: !tile.ptr<f32>) attributes {tile.kernel} {
  return
}

// -----

// What a kernel reads later is not written over: the exponential has a buffer of its own.
// CHECK-LABEL: func.func @read_later
// CHECK-SAME: %[[X:.*]]: memref<8xf32>, %[[OUT:.*]]: memref<8xf32>) -> memref<8xf32>
// CHECK: %[[E:.*]] = memref.alloc()
// CHECK: linalg.generic {{.*}} ins(%[[X]] : memref<8xf32>) outs(%[[E]] : memref<8xf32>)
// CHECK: tile.launch @kernel grid({{.*}}) (%[[X]], %[[OUT]])
// CHECK: return %[[E]]
func.func @read_later(%x: tensor<8xf32>, %out: memref<8xf32>) -> tensor<8xf32> {
  %e = math.exp %x : tensor<8xf32>
  %b = bufferization.to_buffer %x read_only : tensor<8xf32> to memref<8xf32>
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%b, %out) : memref<8xf32>, memref<8xf32>
  return %e : tensor<8xf32>
}
func.func private @kernel(%p: !tile.ptr<f32> {tile.readonly}, %q: !tile.ptr<f32>) attributes {tile.kernel} {
  return
}

// -----

// Loops carry memrefs; what is made anew in an iteration may leave it.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: %[[X:.*]]: memref<8xf32>, %[[Y:.*]]: memref<8xf32>, %{{.*}}: index) -> memref<8xf32>
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %{{.*}}) -> (memref<8xf32>)
// CHECK: memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[Y]], %[[P]]
// CHECK: scf.yield %{{.*}} : memref<8xf32>
func.func @loop(%x: tensor<8xf32>, %y: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> tensor<8xf32> {
    %d = arith.divf %y, %p : tensor<8xf32>
    scf.yield %d : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Contractions on tensors of the host are bufferized as one-shot-bufferize does; constants become globals.
// CHECK: memref.global "private" constant @[[$GLOBAL:.*]] : memref<2x3xf32>
// CHECK-LABEL: func.func @contraction() -> memref<3x2xf32>
// CHECK-DAG: %[[C:.*]] = memref.get_global @[[$GLOBAL]]
// CHECK-DAG: %[[R:.*]] = memref.alloc()
// CHECK: einsum.contract "ij -> ji" (%[[C]]) outs(%[[R]] : memref<3x2xf32>)
func.func @contraction() -> tensor<3x2xf32> {
  %c = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = einsum.contract "ij -> ji" (%c) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
