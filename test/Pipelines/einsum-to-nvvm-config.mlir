// einsum-to-nvvm-pipeline with config=auto: each kernel is divided for itself, and right.
//
// RUN: tile-opt %s --einsum-to-tile-pipeline="config=auto" | FileCheck %s
// RUN: tile-opt %s --einsum-to-tile-pipeline="config={auto stages=1}" | FileCheck %s --check-prefix=ONE
// RUN: tile-opt %s --einsum-to-tile-pipeline | FileCheck %s --check-prefix=NONE
// RUN: tile-run %s --entry=sum --backend=sim --chip=sm_70 --random=7 --check=interp --pipeline="einsum-to-nvvm-pipeline{chip=sm_70 config=auto}" | FileCheck %s --check-prefix=SUM
// RUN: tile-run %s --entry=conv --backend=sim --chip=sm_70 --random=7 --check=interp --pipeline="einsum-to-nvvm-pipeline{chip=sm_70 config={auto stages=1}}" | FileCheck %s --check-prefix=CONV
// RUN: tile-run %s --entry=batch --backend=sim --chip=sm_70 --random=7 --check=interp --pipeline="einsum-to-nvvm-pipeline{chip=sm_70 config=auto}" | FileCheck %s --check-prefix=BATCH

// CHECK-DAG: func.func private @sum_contract({{.*}} attributes {tile.config = #tile.config<block={{16|32}}x{{.*}}>, tile.kernel}
// CHECK-DAG: func.func private @conv_contract({{.*}} attributes {tile.config = #tile.config<block={{16|32}}x{{.*}} stages=2>, tile.kernel}
// CHECK-DAG: func.func private @batch_contract({{.*}} attributes {tile.config = #tile.config<block={{.*}} atom={{.*}}>, tile.kernel}
// CHECK-DAG: func.func private @floats_contract({{.*}} attributes {tile.config = #tile.config<block=128x128x32 warp=64x32 split_k=1 stages=2>, tile.kernel}
// ONE-DAG: func.func private @conv_contract({{.*}} attributes {tile.config = #tile.config<block={{16|32}}x{{.*}} stages=1>, tile.kernel}
// NONE-COUNT-4: tile.config = #tile.config<block=128x128x32 warp=64x32 split_k=1 stages=2>

// Two products and what is made of them, in more programs than the default has.
// SUM: check against interp: passed
// SUM-NEXT: launch @sum_contract, grid {{[4-9]}}x{{[2-9]}}x1
// SUM-NOT: launch
func.func @sum(%a: tensor<100x64xf16>, %b: tensor<64x72xf16>, %c: tensor<100x40xf16>,
               %d: tensor<40x72xf16>) -> tensor<100x72xf16> {
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<100x64xf16>, tensor<64x72xf16>) -> tensor<100x72xf16>
  %1 = einsum.contract "mk, kn -> mn" (%c, %d) : (tensor<100x40xf16>, tensor<40x72xf16>) -> tensor<100x72xf16>
  %2 = arith.addf %0, %1 : tensor<100x72xf16>
  %zero = arith.constant dense<0.0> : tensor<100x72xf16>
  %3 = arith.maximumf %2, %zero : tensor<100x72xf16>
  return %3 : tensor<100x72xf16>
}

// CONV: check against interp: passed
// CONV-NEXT: launch @conv_contract, grid {{16|32}}x{{[1-4]}}x1
func.func @conv(%x: tensor<2x18x18x32xf16>, %w: tensor<64x3x3x32xf16>) -> tensor<2x16x16x64xf16> {
  %0 = einsum.contract "n(h+r)(w+s)c, krsc -> nhwk" (%x, %w)
      : (tensor<2x18x18x32xf16>, tensor<64x3x3x32xf16>) -> tensor<2x16x16x64xf16>
  return %0 : tensor<2x16x16x64xf16>
}

// BATCH: check against interp: passed
// BATCH-NEXT: launch @batch_contract, grid {{[2-9]}}x{{[1-9]}}x3
func.func @batch(%x: tensor<3x50x32xf16>, %w: tensor<3x32x64xf16>) -> tensor<3x50x64xf16> {
  %0 = einsum.contract "bmk, bkn -> bmn" (%x, %w)
      : (tensor<3x50x32xf16>, tensor<3x32x64xf16>) -> tensor<3x50x64xf16>
  return %0 : tensor<3x50x64xf16>
}

// Nothing is chosen for f32.
func.func @floats(%x: tensor<64x32xf32>, %w: tensor<32x64xf32>) -> tensor<64x64xf32> {
  %0 = einsum.contract "mk, kn -> mn" (%x, %w) : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
