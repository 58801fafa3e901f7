// tile-specialize: kernels learn what their launches imply, and get a second version for sizes that allow wide accesses.
//
// RUN: tile-opt --tile-specialize --split-input-file %s | FileCheck %s
// RUN: tile-opt --tile-specialize=versions=0 --split-input-file %s | FileCheck %s --check-prefix=ONE

// The example of the documentation. The first size does not matter.
// CHECK-LABEL: func.func @kernel(
// CHECK-SAME:    %{{.*}}: memref<?x?xf32>)
// CHECK-LABEL: func.func @kernel_aligned(
// CHECK-SAME:    memref<?x?xf32> {tile.size_multiple_of = array<i64: 1, 4>})
// ONE-NOT: @kernel_aligned
func.func @kernel(%x: memref<?x?xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32>
  tile.store_view %zeros, %x[%c0, %c0] : tensor<16x16xf32>, memref<?x?xf32>
  return
}
// CHECK-LABEL: func.func @main(
// CHECK:         %[[N:.*]] = memref.dim %arg0, %c1
// CHECK:         %[[REST:.*]] = arith.remui %[[N]], %c4
// CHECK:         %[[HOLDS:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK:         scf.if %[[HOLDS]] {
// CHECK-NEXT:      tile.launch @kernel_aligned
// CHECK-NEXT:    } else {
// CHECK-NEXT:      tile.launch @kernel grid
// ONE-LABEL: func.func @main(
// ONE-NOT:     scf.if
// ONE:         return
func.func @main(%x: memref<?x?xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1)(%x) : memref<?x?xf32>
  return
}

// -----

// What host code implies: by a promise, which is tested, and by arithmetic and constants. No version is needed.
// CHECK-LABEL: func.func @kernel(
// CHECK-SAME:    %{{.*}}: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 8>}
// CHECK-SAME:    %{{.*}}: memref<?xf16> {tile.size_multiple_of = array<i64: 16>}
// CHECK-SAME:    %{{.*}}: i64 {tile.multiple_of = 8 : i64}
// CHECK-SAME:    %{{.*}}: i64 {tile.multiple_of = 4 : i64}
// CHECK-NOT: @kernel_aligned
func.func @kernel(%x: memref<?x?xf16>, %y: memref<?xf16>, %n: i64, %four: i64) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : tensor<16x16xf16>
  %line = arith.constant dense<0.0> : tensor<16xf16>
  tile.store_view %zeros, %x[%c0, %c0] : tensor<16x16xf16>, memref<?x?xf16>
  tile.store_view %line, %y[%c0] : tensor<16xf16>, memref<?xf16>
  return
}
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %arg0: memref<?x?xf16>)
// CHECK:         arith.remui
// CHECK:         scf.if
// CHECK-NEXT:      tile.launch @kernel grid
// CHECK-NEXT:    }
// CHECK-NOT:     tile.launch
func.func @main(%x: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 8>}) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %four = arith.constant 4 : i64
  %n = memref.dim %x, %c1 : memref<?x?xf16>
  %twice = arith.muli %n, %c2 : index
  %number = arith.index_cast %n : index to i64
  %y = memref.alloc(%twice) : memref<?xf16>
  tile.launch @kernel grid(%c1, %c1, %c1)(%x, %y, %number, %four) : memref<?x?xf16>, memref<?xf16>, i64, i64
  memref.dealloc %y : memref<?xf16>
  return
}

// -----

// Through pointers, a number says how rows are aligned and where the mask ends. A number that does not matter is not
// tested.
// CHECK-LABEL: func.func @rows(
// CHECK-LABEL: func.func @rows_aligned(
// CHECK-SAME:    !tile.ptr<f32>, %{{.*}}: i64 {tile.multiple_of = 4 : i64}, %{{.*}}: i64)
func.func @rows(%p: !tile.ptr<f32>, %n: i64, %row: i64) attributes {tile.kernel} {
  %zeros = arith.constant dense<0.0> : tensor<32xf32>
  %lane = tile.range 0 to 32 : tensor<32xi64>
  %end = tile.splat %n : i64 -> tensor<32xi64>
  %mask = arith.cmpi slt, %lane, %end : tensor<32xi64>
  %start = arith.muli %row, %n : i64
  %base = tile.addptr %p, %start : !tile.ptr<f32>, i64
  %bases = tile.splat %base : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %q = tile.addptr %bases, %lane : tensor<32x!tile.ptr<f32>>, tensor<32xi64>
  tile.store %q, %zeros mask %mask : tensor<32x!tile.ptr<f32>>
  return
}
// CHECK-LABEL: func.func @main(
// CHECK:         %[[REST:.*]] = arith.remui %arg1, %c4
// CHECK-NOT:     arith.remui
func.func @main(%x: memref<?xf32>, %n: i64, %row: i64) {
  %c1 = arith.constant 1 : index
  tile.launch @rows grid(%c1, %c1, %c1)(%x, %n, %row) : memref<?xf32>, i64, i64
  return
}
