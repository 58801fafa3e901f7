// convert-linalg-to-vector as networks need it: loops around vectors are parallel, loops that are one row of memory are
// one, and sums of what a body computes are formed by vectors.
//
// RUN: tile-opt --convert-linalg-to-vector="parallel collapse min-parallel-elements=1" --split-input-file %s | FileCheck %s
// Those of few elements are not parallel; @variance has 1200.
// RUN: tile-opt --convert-linalg-to-vector="parallel collapse" --split-input-file %s | FileCheck %s --check-prefix=FEW --implicit-check-not=scf.parallel
// RUN: tile-opt --convert-linalg-to-vector="parallel collapse min-parallel-elements=1201" --split-input-file %s | FileCheck %s --check-prefix=FEW --implicit-check-not=scf.parallel
// RUN: tile-opt --convert-linalg-to-vector="parallel collapse min-parallel-elements=1200" --split-input-file %s | FileCheck %s --check-prefix=ENOUGH
// FEW: @variance
// FEW: scf.for
// ENOUGH: @variance
// ENOUGH: scf.parallel

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#zero = affine_map<(i, j) -> (i, 0)>
// CHECK-LABEL: @variance
// CHECK-SAME: (%[[X:.*]]: memref<6x200xf32>, %[[MEAN:.*]]: memref<6x1xf32>, %[[Y:.*]]: memref<6xf64>)
// CHECK: scf.parallel (%[[I:.*]]) = (%c0{{.*}}) to (%c6{{.*}}) step (%c1{{.*}}) {
// CHECK: memref.load %[[Y]][%[[I]]]
// CHECK: scf.for {{.*}} = %c0{{.*}} to %c192{{.*}} step %c16{{.*}} iter_args({{.*}}) -> (vector<16xf64>) {
// CHECK: vector.load %[[X]][%[[I]], %{{.*}}] : memref<6x200xf32>, vector<16xf32>
// CHECK: memref.load %[[MEAN]][%[[I]], %c0{{.*}}]
// CHECK: arith.mulf %{{.*}} : vector<16xf64>
// CHECK: arith.addf %{{.*}} : vector<16xf64>
// CHECK: vector.reduction <add>, %{{.*}}, %{{.*}} fastmath<reassoc> : vector<16xf64> into f64
// CHECK: vector.load %[[X]][%[[I]], %c192{{.*}}] : memref<6x200xf32>, vector<8xf32>
// CHECK: memref.store %{{.*}}, %[[Y]][%[[I]]]
// CHECK-NOT: linalg
func.func @variance(%x: memref<6x200xf32>, %mean: memref<6x1xf32>, %y: memref<6xf64>) {
  linalg.generic {indexing_maps = [#map, #zero, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %mean : memref<6x200xf32>, memref<6x1xf32>) outs(%y : memref<6xf64>) {
  ^bb0(%a: f32, %b: f32, %sum: f64):
    %d = arith.subf %a, %b : f32
    %e = arith.extf %d : f32 to f64
    %s = arith.mulf %e, %e : f64
    %t = arith.addf %s, %sum : f64
    linalg.yield %t : f64
  }
  return
}

// -----

// The rows of a channel, and the sum over both of its loops.
#image = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
#pixel = affine_map<(n, c, h, w) -> (n, c)>
// CHECK-LABEL: @channels
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) = (%c0{{.*}}, %c0{{.*}}) to (%c2{{.*}}, %c3{{.*}})
// CHECK: vector.load {{.*}} : memref<2x3x49xf32>, vector<16xf32>
// Nothing of the sum tells images from channels, either.
// CHECK: scf.parallel (%{{.*}}) = (%c0{{.*}}) to (%c6{{.*}})
// CHECK: vector.load {{.*}} : memref<6x49xf32>, vector<16xf32>
// CHECK: vector.reduction <maximumf>
// CHECK-NOT: linalg
func.func @channels(%x: memref<2x3x7x7xf32>, %bias: memref<3xf32>, %y: memref<2x3x7x7xf32>, %z: memref<2x3xf32>) {
  linalg.generic {indexing_maps = [#image, #channel, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %bias : memref<2x3x7x7xf32>, memref<3xf32>) outs(%y : memref<2x3x7x7xf32>) {
  ^bb0(%a: f32, %b: f32, %_: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#image, #pixel], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%y : memref<2x3x7x7xf32>) outs(%z : memref<2x3xf32>) {
  ^bb0(%a: f32, %most: f32):
    %m = arith.maximumf %a, %most : f32
    linalg.yield %m : f32
  }
  return
}

// -----

// All of it is one row, which is parallel by itself.
#all = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: @row
// CHECK: scf.parallel (%{{.*}}) = (%c0{{.*}}) to (%c60{{.*}}) step (%c4{{.*}})
// CHECK: math.tanh {{.*}} : vector<4xf64>
// CHECK: math.tanh {{.*}} : vector<2xf64>
// CHECK-NOT: linalg
module attributes {einsum.machine = #einsum.machine<cpu = "generic", vector_bits = 128, registers = 16, fma = 1,
    latency = 4, l1 = 32768, l2 = 262144, l3 = 8388608, cores = 1, bf16 = false>} {
  func.func @row(%x: memref<2x31xf64>, %y: memref<2x31xf64>) {
    linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<2x31xf64>) outs(%y : memref<2x31xf64>) {
    ^bb0(%a: f64, %_: f64):
      %t = math.tanh %a : f64
      linalg.yield %t : f64
    }
    return
  }
}

// -----

// What stays: a body that reads the sum twice, a combination that vectors do not have. The loops of an operand that is not
// dense and of one whose axes are turned are two still.
#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#exchanged = affine_map<(i, j) -> (j, i)>
// CHECK-LABEL: @left
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK-COUNT-8: vector.load %{{.*}} : memref<8x8xf32>, vector<8xf32>
// CHECK: memref<8x8xf32, strided<[9, 1]>>, vector<8xf32>
func.func @left(%x: memref<8x8xf32>, %y: memref<8xf32>, %z: memref<8x8xf32>, %strided: memref<8x8xf32, strided<[9, 1]>>) {
  linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %s = arith.mulf %a, %sum : f32
    %t = arith.addf %s, %sum : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %last: f32):
    %s = arith.subf %a, %last : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#exchanged, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x8xf32>) outs(%z : memref<8x8xf32>) {
  ^bb0(%a: f32, %_: f32):
    linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%strided : memref<8x8xf32, strided<[9, 1]>>) outs(%z : memref<8x8xf32>) {
  ^bb0(%a: f32, %_: f32):
    linalg.yield %a : f32
  }
  return
}
