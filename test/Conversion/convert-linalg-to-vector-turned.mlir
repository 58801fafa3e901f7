// convert-linalg-to-vector: elements move to other axes by squares of vectors, before other ops by way of a buffer; compiled
// code gives what the interpreter gives.
//
// RUN: tile-opt %s --einsum-attach-machine=cpu=haswell --convert-linalg-to-vector --split-input-file | FileCheck %s
// RUN: tile-run %s --entry=moves --cpu=znver4 --random=1 --check=interp | FileCheck %s --check-prefix=AGREES
// RUN: tile-run %s --entry=moves --cpu=haswell --random=2 --check=interp | FileCheck %s --check-prefix=AGREES
// RUN: tile-run %s --entry=bytes --random=3 --check=interp | FileCheck %s --check-prefix=AGREES
// RUN: tile-run %s --entry=added --cpu=znver4 --random=4 --check=interp | FileCheck %s --check-prefix=AGREES
// RUN: tile-run %s --entry=added --cpu=haswell --random=5 --check=interp | FileCheck %s --check-prefix=AGREES
//
// AGREES: check against interp: passed

#all = affine_map<(i, j, k) -> (i, j, k)>
#turned = affine_map<(i, j, k) -> (k, i, j)>
#plane = affine_map<(i, j) -> (i, j)>
#other = affine_map<(i, j) -> (j, i)>
#first = affine_map<(i, j, k) -> (k, i)>

// 8 rows of 8 lanes: three stages of shuffles.
// CHECK-LABEL: @moves
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c3{{.*}} step %c1
// CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c16{{.*}} step %c8
// CHECK: scf.for %[[K:.*]] = %c0{{.*}} to %c24{{.*}} step %c8
// CHECK-COUNT-8: vector.load %{{.*}}[%{{.*}}, %[[I]], %[[J]]] : memref<24x3x16xf32{{.*}}>, vector<8xf32>
// CHECK-COUNT-24: vector.shuffle
// CHECK-COUNT-8: vector.store %{{.*}}[%[[I]], %{{.*}}, %[[K]]] : memref<3x16x24xf32>, vector<8xf32>
// CHECK-NOT: linalg.generic
func.func @moves(%x: memref<24x3x16xf32>, %y: memref<3x16x24xf32>) {
  linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<24x3x16xf32>) outs(%y : memref<3x16x24xf32>) {
  ^bb0(%a: f32, %_: f32):
    linalg.yield %a : f32
  }
  return
}

// No more than 16 rows; sizes that have 4 in common.
// CHECK-LABEL: @bytes
// CHECK-COUNT-16: vector.load {{.*}} vector<16xi8>
// CHECK-COUNT-4: vector.load {{.*}} vector<4xi16>
// CHECK-NOT: vector.load
func.func @bytes(%x: memref<64x32xi8>, %y: memref<32x64xi8>, %z: memref<12x20xi16>, %u: memref<20x12xi16>) {
  linalg.generic {indexing_maps = [#other, #plane], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<64x32xi8>) outs(%y : memref<32x64xi8>) {
  ^bb0(%a: i8, %_: i8):
    linalg.yield %a : i8
  }
  linalg.generic {indexing_maps = [#other, #plane], iterator_types = ["parallel", "parallel"]}
      ins(%z : memref<12x20xi16>) outs(%u : memref<20x12xi16>) {
  ^bb0(%a: i16, %_: i16):
    linalg.yield %a : i16
  }
  return
}

// Operands of a sum, of which one does not move along the second loop.
// CHECK-LABEL: @added
// CHECK: %[[TURNED:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8x16x24xf32>
// CHECK: vector.shuffle
// CHECK: vector.store %{{.*}}, %[[TURNED]]
// CHECK: %[[FIRST:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8x24xf32>
// CHECK: vector.shuffle
// CHECK: vector.store %{{.*}}, %[[FIRST]][%{{.*}}, %{{.*}}] : memref<8x24xf32>, vector<8xf32>
// CHECK-DAG: vector.load %[[TURNED]]
// CHECK-DAG: vector.load %[[FIRST]]
// CHECK: arith.mulf %{{.*}} : vector<
// CHECK-NOT: linalg.generic
func.func @added(%x: memref<24x8x16xf32>, %z: memref<24x8xf32>, %y: memref<8x16x24xf32>) {
  linalg.generic {indexing_maps = [#turned, #first, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %z : memref<24x8x16xf32>, memref<24x8xf32>) outs(%y : memref<8x16x24xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.mulf %a, %b : f32
    %e = arith.addf %d, %c : f32
    linalg.yield %e : f32
  }
  return
}
