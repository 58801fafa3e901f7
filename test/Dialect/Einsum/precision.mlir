// einsum.contract with precision = "tf32": what rewrites it keeps the precision, and tile.dot gets it; a copy or a sum of
// what is computed has none.
//
// RUN: tile-opt %s | tile-opt | FileCheck %s --check-prefix=PRINT
// RUN: tile-opt %s --einsum-split-k=factor=2 | FileCheck %s --check-prefix=SPLIT
// RUN: tile-opt %s --einsum-pad-operands | FileCheck %s --check-prefix=PAD
// RUN: tile-opt %s --einsum-to-tile-pipeline="config={block=16x16x8}" | FileCheck %s --check-prefix=TILE
// RUN: tile-opt %s --einsum-to-tile-pipeline="config={block=32x32x32 warp=32x32 split_k=2}" --tile-split-k | FileCheck %s --check-prefix=PARTS
// RUN: tile-opt %s --convert-einsum-to-affine --canonicalize | FileCheck %s --check-prefix=AFFINE

// PRINT-LABEL: @product
// PRINT: einsum.contract "mk, kn -> mn" (%{{.*}}, %{{.*}}) {precision = "tf32"}
// SPLIT-LABEL: @product
// SPLIT: einsum.contract {{.*}}precision = "tf32"
// SPLIT: einsum.contract
// SPLIT-NOT: precision
// SPLIT: return
// TILE-DAG: tile.dot {{.*}} {precision = "tf32"}
// PARTS: tile.dot {{.*}} {precision = "tf32"} : tensor<2x32x16xf32>
func.func @product(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {precision = "tf32"}
      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// PAD-LABEL: @padded
// PAD: tensor.pad
// PAD: einsum.contract {{.*}}precision = "tf32"
func.func @padded(%a: tensor<8x16xf32>, %b: tensor<3x8xf32>) -> tensor<16x8xf32> {
  %c = einsum.contract "c(w+s-1), sc -> wc" (%a, %b) {pad = "zero", precision = "tf32"}
      : (tensor<8x16xf32>, tensor<3x8xf32>) -> tensor<16x8xf32>
  return %c : tensor<16x8xf32>
}

// On memrefs: half of the last bit that stays is added, and what is below is cut.
// AFFINE-LABEL: @memrefs
// AFFINE-DAG: %[[half:.*]] = arith.constant 4096 : i32
// AFFINE-DAG: %[[kept:.*]] = arith.constant -8192 : i32
// AFFINE: %[[bits:.*]] = arith.bitcast %[[x:.*]] : f32 to i32
// AFFINE: %[[up:.*]] = arith.addi %[[bits]], %[[half]] : i32
// AFFINE: %[[cut:.*]] = arith.andi %[[up]], %[[kept]] : i32
// AFFINE: %[[rounded:.*]] = arith.bitcast %[[cut]] : i32 to f32
// AFFINE: %[[nan:.*]] = arith.cmpf uno, %[[x]], %[[x]] : f32
// AFFINE: arith.select %[[nan]], %[[x]], %[[rounded]] : f32
func.func @memrefs(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x4xf32>) {precision = "tf32"}
      : (memref<4x4xf32>, memref<4x4xf32>)
  return
}
