// Volatile loads stay where they are, and as many as they are; others are merged, moved out of loops and left out.
// RUN: tile-opt %s --cse --loop-invariant-code-motion --canonicalize | FileCheck %s
// RUN: tile-opt %s --tile-prefetch | FileCheck %s --check-prefix=PREFETCH

// CHECK-LABEL: @plain
// CHECK-NOT:     tile.load
// CHECK:         %[[X:.*]] = tile.load
// CHECK-NOT:     tile.load
// CHECK:         scf.for
// CHECK-NEXT:      tile.store %{{.*}}, %[[X]]
func.func @plain(%p: !tile.ptr<f32>, %q: !tile.ptr<f32> {tile.noalias}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %unused = tile.load %p : !tile.ptr<f32>
  %x = tile.load %p : !tile.ptr<f32>
  %y = tile.load %p : !tile.ptr<f32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    tile.store %q, %y : !tile.ptr<f32>
  }
  return
}

// CHECK-LABEL: @kept
// CHECK:         tile.load %{{.*}} {is_volatile}
// CHECK-NEXT:    %[[X:.*]] = tile.load %{{.*}} {is_volatile}
// CHECK-NEXT:    %[[Y:.*]] = tile.load %{{.*}} {is_volatile}
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      %[[Z:.*]] = tile.load %{{.*}} {is_volatile}
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[Y]], %[[Z]]
// CHECK-NEXT:      tile.store %{{.*}}, %[[S]]
func.func @kept(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %unused = tile.load %p {is_volatile} : !tile.ptr<f32>
  %x = tile.load %p {is_volatile} : !tile.ptr<f32>
  %y = tile.load %p {is_volatile} : !tile.ptr<f32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %z = tile.load %p {is_volatile} : !tile.ptr<f32>
    %s = arith.addf %y, %z : f32
    tile.store %q, %s : !tile.ptr<f32>
  }
  return
}

// The operands of a product: none is loaded an iteration before, as nothing moves past a volatile load.
// PREFETCH-LABEL: @product
// PREFETCH-NOT:     tile.load
// PREFETCH:         scf.for
// PREFETCH:           tile.load %{{[^ ]*}} : tensor
// PREFETCH-NEXT:      tile.load %{{[^ ]*}} {is_volatile}
// PREFETCH-NEXT:      tile.dot
// PREFETCH-NOT:     tile.load
func.func @product(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %o: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf32>) : i32 {
    %is = tile.splat %i : i32 -> tensor<16x16xi32>
    %pi = tile.addptr %ps, %is : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %qi = tile.addptr %qs, %is : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %a = tile.load %pi : tensor<16x16x!tile.ptr<f32>>
    %b = tile.load %qi {is_volatile} : tensor<16x16x!tile.ptr<f32>>
    %d = tile.dot %a, %b, %acc : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %s = tile.reduce add %sum axis 0 : tensor<16x16xf32>
  %t = tile.reduce add %s axis 0 : tensor<16xf32>
  tile.store %o, %t : !tile.ptr<f32>
  return
}
