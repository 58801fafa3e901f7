// einsum-choose-schedule: with absorb-sums, the summed loop directly around a kernel that is written becomes part of it, where
// that is faster; without, it stays.
// RUN: tile-opt %s --einsum-attach-machine=cpu=znver5 --einsum-choose-schedule=absorb-sums=true | FileCheck %s
// RUN: tile-opt %s --einsum-attach-machine=cpu=znver5 --einsum-choose-schedule | FileCheck %s --check-prefix=STAYS
// RUN: tile-run %s --backend=cpu --random=3 --check=interp \
// RUN:   --pipeline='einsum-choose-schedule{absorb-sums=true},einsum-to-cpu-pipeline' --entry=blocks

// The sum over c stays in registers then.
// CHECK-LABEL: @blocks
// CHECK: dims = [<"a" seq 4>, <"b" seq 4>, <"c" prim 8>, <"m" prim 32>, <"n" prim 32>, <"k" prim 32>]
// STAYS-LABEL: @blocks
// STAYS: dims = [<"a" seq 4>, <"b" seq 4>, <"c" seq 8>, <"m" prim 32>, <"n" prim 32>, <"k" prim 32>]
func.func @blocks(%a: tensor<4x8x32x32xf32>, %b: tensor<4x8x32x32xf32>) -> tensor<4x4x32x32xf32> {
  %y = einsum.contract "ackm, bcnk -> abnm" (%a, %b) {schedule = #einsum.schedule<dims = [<"a" seq 4>, <"b" seq 4>,
      <"c" seq 8>, <"m" prim 32>, <"n" prim 32>, <"k" prim 32>]>}
    : (tensor<4x8x32x32xf32>, tensor<4x8x32x32xf32>) -> tensor<4x4x32x32xf32>
  return %y : tensor<4x4x32x32xf32>
}

// A loop that is not summed lies between.
// CHECK-LABEL: @between
// CHECK: dims = [<"c" seq 8>, <"a" seq 4>, <"b" seq 4>, <"m" prim 32>, <"n" prim 32>, <"k" prim 32>]
func.func @between(%a: tensor<4x8x32x32xf32>, %b: tensor<4x8x32x32xf32>) -> tensor<4x4x32x32xf32> {
  %y = einsum.contract "ackm, bcnk -> abnm" (%a, %b) {schedule = #einsum.schedule<dims = [<"c" seq 8>, <"a" seq 4>,
      <"b" seq 4>, <"m" prim 32>, <"n" prim 32>, <"k" prim 32>]>}
    : (tensor<4x8x32x32xf32>, tensor<4x8x32x32xf32>) -> tensor<4x4x32x32xf32>
  return %y : tensor<4x4x32x32xf32>
}
