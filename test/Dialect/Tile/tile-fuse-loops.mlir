// tile-fuse-loops: two loops that load the same tile become one.
//
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile-fuse-loops,cse)" --split-input-file | FileCheck %s
// RUN: tile-opt %s --tile-fuse-loops --split-input-file --remarks-filter=tile --remark-policy=all 2>&1 | FileCheck %s --check-prefix=REMARK

// Two products of one operand, the second after something that is computed of the first. The columns that the second one
// reads are computed before the loop.
// REMARK: [Passed] fuse-loops {{.*}} loads=1
// CHECK-LABEL: func.func @shared_operand
// CHECK: %[[COLUMN:.*]] = arith.muli
// CHECK: %[[SUMS:.*]]:2 = scf.for %[[K:[^ ]+]] = {{.*}} -> (tensor<32x32xf32>, tensor<32x32xf32>) {
// CHECK-NEXT: %[[A:.*]] = tile.load_view %arg0[%c0, %[[K]]]
// CHECK-NEXT: tile.load_view %arg1
// CHECK-NEXT: tile.dot %[[A]]
// CHECK-NEXT: tile.load_view %arg1[%[[K]], %[[COLUMN]]]
// CHECK-NEXT: tile.dot %[[A]]
// CHECK-NEXT: scf.yield
// CHECK: arith.negf %[[SUMS]]#0
// CHECK: arith.mulf {{.*}}, %[[SUMS]]#1
// CHECK-NOT: scf.for
func.func @shared_operand(%a: memref<32x64xf16>, %b: memref<64x64xf16>, %c: memref<32x32xf32>, %i: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %p = scf.for %k = %c0 to %c64 step %c32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
    %x = tile.load_view %a[%c0, %k] : memref<32x64xf16> -> tensor<32x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<64x64xf16> -> tensor<32x32xf16>
    %sum = tile.dot %x, %y, %acc : tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>
    scf.yield %sum : tensor<32x32xf32>
  }
  %n = arith.negf %p : tensor<32x32xf32>
  %column = arith.muli %i, %c32 : index
  %q = scf.for %k = %c0 to %c64 step %c32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
    %x = tile.load_view %a[%c0, %k] : memref<32x64xf16> -> tensor<32x32xf16>
    %y = tile.load_view %b[%k, %column] : memref<64x64xf16> -> tensor<32x32xf16>
    %sum = tile.dot %x, %y, %acc : tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>
    scf.yield %sum : tensor<32x32xf32>
  }
  %r = arith.mulf %n, %q : tensor<32x32xf32>
  tile.store_view %r, %c[%c0, %c0] : tensor<32x32xf32>, memref<32x32xf32>
  return
}

// -----

// Positions are compared as they are computed in each loop; other ones are other tiles.
// REMARK: [Passed] fuse-loops {{.*}} loads=1
// REMARK-NOT: [Passed]
// CHECK-LABEL: func.func @positions
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
func.func @positions(%a: memref<64xf32>, %c: memref<8xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %p = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<8xf32>) {
    %at = arith.muli %k, %c8 : index
    %x = tile.load_view %a[%at] : memref<64xf32> -> tensor<8xf32>
    %sum = arith.addf %x, %acc : tensor<8xf32>
    scf.yield %sum : tensor<8xf32>
  }
  %q = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<8xf32>) {
    %at = arith.muli %k, %c8 : index
    %x = tile.load_view %a[%at] : memref<64xf32> -> tensor<8xf32>
    %largest = arith.maximumf %x, %acc : tensor<8xf32>
    scf.yield %largest : tensor<8xf32>
  }
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<8xf32>) {
    %x = tile.load_view %a[%k] : memref<64xf32> -> tensor<8xf32>
    %sum = arith.addf %x, %acc : tensor<8xf32>
    scf.yield %sum : tensor<8xf32>
  }
  %s = arith.addf %p, %q : tensor<8xf32>
  %t = arith.addf %s, %r : tensor<8xf32>
  tile.store_view %t, %c[%c0] : tensor<8xf32>, memref<8xf32>
  return
}

// -----

// What is computed of the first one's result cannot be computed with it.
// REMARK: [Missed] fuse-loops {{.*}}the second one depends on the first one
// CHECK-LABEL: func.func @dependent
// CHECK-COUNT-2: scf.for
func.func @dependent(%a: memref<64xf32>, %c: memref<8xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %p = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %zero) -> (tensor<8xf32>) {
    %x = tile.load_view %a[%k] : memref<64xf32> -> tensor<8xf32>
    %largest = arith.maximumf %x, %acc : tensor<8xf32>
    scf.yield %largest : tensor<8xf32>
  }
  %minus = arith.negf %p : tensor<8xf32>
  %q = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %zero) -> (tensor<8xf32>) {
    %x = tile.load_view %a[%k] : memref<64xf32> -> tensor<8xf32>
    %shifted = arith.addf %x, %minus : tensor<8xf32>
    %sum = arith.addf %shifted, %acc : tensor<8xf32>
    scf.yield %sum : tensor<8xf32>
  }
  tile.store_view %q, %c[%c0] : tensor<8xf32>, memref<8xf32>
  return
}

// -----

// What is stored in between may be what the second one loads.
// REMARK: [Missed] fuse-loops {{.*}}memory is written between
// CHECK-LABEL: func.func @stored_between
// CHECK-COUNT-2: scf.for
func.func @stored_between(%a: memref<64xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %p = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %zero) -> (tensor<8xf32>) {
    %x = tile.load_view %a[%k] : memref<64xf32> -> tensor<8xf32>
    %sum = arith.addf %x, %acc : tensor<8xf32>
    scf.yield %sum : tensor<8xf32>
  }
  tile.store_view %p, %a[%c0] : tensor<8xf32>, memref<64xf32>
  %q = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %zero) -> (tensor<8xf32>) {
    %x = tile.load_view %a[%k] : memref<64xf32> -> tensor<8xf32>
    %sum = arith.addf %x, %acc : tensor<8xf32>
    scf.yield %sum : tensor<8xf32>
  }
  tile.store_view %q, %a[%c8] : tensor<8xf32>, memref<64xf32>
  return
}

// -----

// REMARK: [Missed] fuse-loops {{.*}}their bounds differ
// CHECK-LABEL: func.func @other_bounds
// CHECK-COUNT-2: scf.for
func.func @other_bounds(%a: memref<64xf32>, %c: memref<8xf32>, %n: index, %m: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %p = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %zero) -> (tensor<8xf32>) {
    %x = tile.load_view %a[%k] : memref<64xf32> -> tensor<8xf32>
    %sum = arith.addf %x, %acc : tensor<8xf32>
    scf.yield %sum : tensor<8xf32>
  }
  %q = scf.for %k = %c0 to %m step %c8 iter_args(%acc = %p) -> (tensor<8xf32>) {
    %x = tile.load_view %a[%k] : memref<64xf32> -> tensor<8xf32>
    %sum = arith.addf %x, %acc : tensor<8xf32>
    scf.yield %sum : tensor<8xf32>
  }
  tile.store_view %q, %c[%c0] : tensor<8xf32>, memref<8xf32>
  return
}
