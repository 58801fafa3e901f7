// A copy into the middle of a buffer that was filled: each element is written once, in the order of memory.
// RUN: tile-opt %s --split-input-file --memref-copy-with-border --canonicalize | FileCheck %s
// RUN: tile-opt %s --split-input-file --memref-copy-with-border=parallel --canonicalize | FileCheck %s --check-prefix=THREADS

// CHECK-LABEL: @row
// CHECK-SAME: (%[[X:.*]]: memref<20xf32>)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<1xf32>
// CHECK: %[[Y:.*]] = memref.alloc() : memref<22xf32>
// CHECK: vector.store %[[ZERO]], %{{.*}}[%c0] : memref<22xf32>, vector<1xf32>
// CHECK: %[[A:.*]] = vector.load %{{.*}}[%c0] : memref<20xf32>, vector<8xf32>
// CHECK: vector.store %[[A]], %{{.*}}[%c1] : memref<22xf32>, vector<8xf32>
// CHECK: vector.load %{{.*}}[%c8]
// CHECK: vector.store %{{.*}}[%c9]
// The last vector begins earlier.
// CHECK: vector.load %{{.*}}[%c12]
// CHECK: vector.store %{{.*}}[%c13]
// CHECK: vector.store %[[ZERO]], %{{.*}}[%c21]
// CHECK-NOT: memref.copy
// CHECK-NOT: linalg.fill
func.func @row(%x: memref<20xf32>) -> memref<22xf32> {
  %zero = arith.constant 0.0 : f32
  %y = memref.alloc() : memref<22xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<22xf32>)
  %middle = memref.subview %y[1] [20] [1] : memref<22xf32> to memref<20xf32, strided<[1], offset: 1>>
  memref.copy %x, %middle : memref<20xf32> to memref<20xf32, strided<[1], offset: 1>>
  return %y : memref<22xf32>
}

// -----

// Images: rows above and below, columns left and right, each long run a loop. What has no border in front is one loop.
// CHECK-LABEL: @images
// CHECK: scf.for %{{.*}} = %c0 to %c128 step %c1
// CHECK:   scf.for %{{.*}} = %c0 to %{{.*}} step %c8
// CHECK:     vector.store %{{.*}}vector<8xf32>
// CHECK:   scf.for %{{.*}} = %c0 to %c30 step %c1
// CHECK:     vector.store %{{.*}}vector<2xf32>
// CHECK:     scf.for %{{.*}} = %c0 to %c160 step %c8
// CHECK:     vector.store %{{.*}}vector<1xf32>
// THREADS-LABEL: @images
// THREADS: scf.parallel (%{{.*}}) = (%c0) to (%c128)
func.func @images(%x: memref<4x32x30x160xf32>) -> memref<4x32x33x163xf32> {
  %low = arith.constant 0xFF800000 : f32
  %y = memref.alloc() : memref<4x32x33x163xf32>
  linalg.map outs(%y : memref<4x32x33x163xf32>)
    (%init: f32) {
      linalg.yield %low : f32
    }
  %middle = memref.subview %y[0, 0, 1, 2] [4, 32, 30, 160] [1, 1, 1, 1]
      : memref<4x32x33x163xf32> to memref<4x32x30x160xf32, strided<[172128, 5379, 163, 1], offset: 165>>
  memref.copy %x, %middle : memref<4x32x30x160xf32> to memref<4x32x30x160xf32, strided<[172128, 5379, 163, 1], offset: 165>>
  return %y : memref<4x32x33x163xf32>
}

// -----

// Without axes, and of a constant that stands in what fills.
// CHECK-LABEL: @scalar
// CHECK: memref.copy
// CHECK-LABEL: @inside
// CHECK: vector.store
func.func @scalar(%x: memref<f32>) -> memref<f32> {
  %zero = arith.constant 0.0 : f32
  %y = memref.alloc() : memref<f32>
  linalg.fill ins(%zero : f32) outs(%y : memref<f32>)
  %middle = memref.subview %y[] [] [] : memref<f32> to memref<f32>
  memref.copy %x, %middle : memref<f32> to memref<f32>
  return %y : memref<f32>
}
func.func @inside(%x: memref<20xf32>) -> (memref<22xf32>, memref<22xf32>) {
  %zero = arith.constant 0.0 : f32
  %y = memref.alloc() : memref<22xf32>
  linalg.map outs(%y : memref<22xf32>)
    (%init: f32) {
      %inner = arith.constant 0.0 : f32
      linalg.yield %inner : f32
    }
  %my = memref.subview %y[1] [20] [1] : memref<22xf32> to memref<20xf32, strided<[1], offset: 1>>
  memref.copy %x, %my : memref<20xf32> to memref<20xf32, strided<[1], offset: 1>>
  %z = memref.alloc() : memref<22xf32>
  linalg.fill ins(%zero : f32) outs(%z : memref<22xf32>)
  %mz = memref.subview %z[1] [20] [1] : memref<22xf32> to memref<20xf32, strided<[1], offset: 1>>
  memref.copy %x, %mz : memref<20xf32> to memref<20xf32, strided<[1], offset: 1>>
  return %y, %z : memref<22xf32>, memref<22xf32>
}

// -----

// Read in between; filled with what is no constant; of what has gaps; of what else fills.
// CHECK-LABEL: @kept
// CHECK-COUNT-4: memref.copy
func.func @kept(%x: memref<20xf32>, %g: memref<20xf32, strided<[2]>>, %v: f32) -> (f32, memref<22xf32>, memref<22xf32>, memref<22xf32>, memref<22xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<22xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<22xf32>)
  %read = memref.load %a[%c0] : memref<22xf32>
  %ma = memref.subview %a[1] [20] [1] : memref<22xf32> to memref<20xf32, strided<[1], offset: 1>>
  memref.copy %x, %ma : memref<20xf32> to memref<20xf32, strided<[1], offset: 1>>
  %b = memref.alloc() : memref<22xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<22xf32>)
  %mb = memref.subview %b[1] [20] [1] : memref<22xf32> to memref<20xf32, strided<[1], offset: 1>>
  memref.copy %x, %mb : memref<20xf32> to memref<20xf32, strided<[1], offset: 1>>
  %c = memref.alloc() : memref<22xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<22xf32>)
  %mc = memref.subview %c[1] [20] [1] : memref<22xf32> to memref<20xf32, strided<[1], offset: 1>>
  memref.copy %g, %mc : memref<20xf32, strided<[2]>> to memref<20xf32, strided<[1], offset: 1>>
  %d = memref.alloc() : memref<22xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<22xf32>)
  memref.store %v, %d[%c0] : memref<22xf32>
  %md = memref.subview %d[1] [20] [1] : memref<22xf32> to memref<20xf32, strided<[1], offset: 1>>
  memref.copy %x, %md : memref<20xf32> to memref<20xf32, strided<[1], offset: 1>>
  return %read, %a, %b, %c, %d : f32, memref<22xf32>, memref<22xf32>, memref<22xf32>, memref<22xf32>
}
