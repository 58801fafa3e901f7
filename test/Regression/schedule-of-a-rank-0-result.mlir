// A result without axes, whose sum starts from an operand or goes through an epilogue: lowering it crashed.
//
// RUN: tile-opt --convert-einsum-to-vector %s | FileCheck %s
// RUN: %python %source/test/Conversion/exact.py --tile-run tile-run --tile-opt tile-opt %s | FileCheck %s --check-prefix=EXACT
// RUN: tile-run %s --entry=chosen --random=1 --check=interp | FileCheck %s --check-prefix=CHOSEN
// EXACT: 4 functions, 0 wrong
// CHOSEN: check against interp: passed

#machine = #einsum.machine<cpu = "any", vector_bits = 256, registers = 16, fma = 2, latency = 4, l1 = 32768,
    l2 = 1048576, l3 = 8388608, cores = 2, bf16 = false>
module attributes {einsum.machine = #machine} {

// CHECK-LABEL: @load(
// CHECK-NOT: einsum.contract
// CHECK: vector.fma
// CHECK: arith.addf {{.*}} : vector<1xf32>
// CHECK: memref.store
func.func @load(%a: tensor<67xf32>, %b: tensor<67xf32>, %c: tensor<f32>) -> tensor<f32> {
  %y = einsum.kernel (%p = %a : tensor<67xf32>, %q = %b : tensor<67xf32>, %r = %c : tensor<f32>) -> tensor<f32> {
    %ab = einsum.contract "k, k -> " (%p, %q) {schedule = #einsum.schedule<
        tile = [1, 1], dims = [<"k" prim 67>]>}
      : (tensor<67xf32>, tensor<67xf32>) -> tensor<f32>
    %sum = arith.addf %ab, %r : tensor<f32>
    einsum.yield %sum : tensor<f32>
  }
  return %y : tensor<f32>
}

// Two parts of the sum, so few that they are not summed along vectors.
// CHECK-LABEL: @load_touches
// CHECK-NOT: einsum.contract
// CHECK: arith.select
func.func @load_touches(%a: tensor<6xf32>, %b: tensor<6xf32>, %c: tensor<f32>) -> tensor<f32> {
  %y = einsum.kernel (%p = %a : tensor<6xf32>, %q = %b : tensor<6xf32>, %r = %c : tensor<f32>) -> tensor<f32> {
    %ab = einsum.contract "k, k -> " (%p, %q) {schedule = #einsum.schedule<
        tile = [1, 1], dims = [
        <"k" seq 2 step 3>, <"k" prim 3>]>}
      : (tensor<6xf32>, tensor<6xf32>) -> tensor<f32>
    %sum = arith.addf %ab, %r : tensor<f32>
    einsum.yield %sum : tensor<f32>
  }
  return %y : tensor<f32>
}

// CHECK-LABEL: @epilogue
// CHECK-NOT: einsum.contract
// CHECK: arith.mulf {{.*}} : vector<1xf32>
// CHECK: arith.maximumf {{.*}} : vector<1xf32>
// CHECK: memref.store
func.func @epilogue(%a: tensor<4x16xf32>, %b: tensor<4x16xf32>, %c: tensor<f32>) -> tensor<f32> {
  %y = einsum.kernel (%p = %a : tensor<4x16xf32>, %q = %b : tensor<4x16xf32>, %r = %c : tensor<f32>) -> tensor<f32> {
    %ab = einsum.contract "ck, ck -> " (%p, %q) {schedule = #einsum.schedule<
        tile = [1, 1], dims = [
        <"c" prim 4>, <"k" prim 16>]>}
      : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<f32>
    %scaled = arith.mulf %ab, %r : tensor<f32>
    %zero = arith.constant dense<0.0> : tensor<f32>
    %relu = arith.maximumf %scaled, %zero : tensor<f32>
    einsum.yield %relu : tensor<f32>
  }
  return %y : tensor<f32>
}

// What the pipeline makes of one without a schedule.
// CHECK-LABEL: @chosen
func.func @chosen(%a: tensor<67xf32>, %b: tensor<67xf32>, %c: tensor<f32>) -> tensor<f32> {
  %ab = einsum.contract "k, k -> " (%a, %b) : (tensor<67xf32>, tensor<67xf32>) -> tensor<f32>
  %sum = arith.addf %ab, %c : tensor<f32>
  return %sum : tensor<f32>
}

}
