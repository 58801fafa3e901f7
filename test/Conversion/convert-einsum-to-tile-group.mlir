// convert-einsum-to-tile: with `group` of the tile configuration, programs go through strips of so many blocks along M,
// the last of which may be lower.
//
// RUN: tile-opt %s --einsum-to-tile-pipeline="config={block=32x32x16 warp=16x16 group=2}" | FileCheck %s
// RUN: tile-opt %s --einsum-to-tile-pipeline="config={block=32x32x16 warp=16x16}" | FileCheck %s --check-prefix=PLAIN --implicit-check-not=arith.remui
//
// RUN: tile-run %s --entry=even --backend=sim --chip=sm_80 --random=1 --check=interp --pipeline="einsum-to-nvvm-pipeline{chip=sm_80 config={block=32x32x16 warp=16x16 group=2}}"
// RUN: tile-run %s --entry=rest --backend=sim --chip=sm_80 --random=1 --check=interp --pipeline="einsum-to-nvvm-pipeline{chip=sm_80 config={block=32x32x16 warp=16x16 group=3 stages=3}}"
// RUN: tile-run %s --entry=dynamic --backend=sim --chip=sm_80 --inputs=random:168x40xf16,random:40x104xf16 --check=interp --pipeline="einsum-to-nvvm-pipeline{chip=sm_80 config={block=32x32x16 warp=16x16 group=4}}"
// RUN: tile-run %s --entry=dynamic --backend=sim --chip=sm_80 --inputs=random:37x41xf16,random:41x131xf16 --check=interp --pipeline="einsum-to-nvvm-pipeline{chip=sm_80 config={block=32x32x16 warp=16x16 group=4}}"

// Four blocks by three: two strips of two.
// CHECK-LABEL: func.func {{.*}}@even_contract(
// CHECK-SAME: group=2
// CHECK-DAG: %[[X:.*]] = tile.program_id x
// CHECK-DAG: %[[Y:.*]] = tile.program_id y
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : i32
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i32
// CHECK-DAG: %[[C6:.*]] = arith.constant 6 : i32
// CHECK: %[[BEFORE:.*]] = arith.muli %[[Y]], %[[C4]] : i32
// CHECK: %[[ID:.*]] = arith.addi %[[X]], %[[BEFORE]] : i32
// CHECK: %[[STRIP:.*]] = arith.divui %[[ID]], %[[C6]] : i32
// CHECK: %[[IN:.*]] = arith.remui %[[ID]], %[[C6]] : i32
// CHECK: %[[FIRST:.*]] = arith.muli %[[STRIP]], %[[C2]] : i32
// CHECK: %[[ROW:.*]] = arith.remui %[[IN]], %[[C2]] : i32
// CHECK: %[[M:.*]] = arith.addi %[[FIRST]], %[[ROW]] : i32
// CHECK: %[[N:.*]] = arith.divui %[[IN]], %[[C2]] : i32
// CHECK: arith.extsi %[[M]] : i32 to i64
// CHECK: arith.extsi %[[N]] : i32 to i64
// PLAIN-LABEL: func.func {{.*}}@even_contract(
// PLAIN: tile.program_id x
// PLAIN: tile.program_id y
func.func @even(%a: tensor<128x64xf16>, %b: tensor<64x96xf16>) -> tensor<128x96xf32> {
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<128x64xf16>, tensor<64x96xf16>) -> tensor<128x96xf32>
  return %0 : tensor<128x96xf32>
}

// Five blocks along M: the last strip has one, with a batch.
// CHECK-LABEL: func.func {{.*}}@rest_contract(
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
// CHECK: %[[HEIGHT:.*]] = arith.minui %[[LEFT]], %{{.*}} : i32
// CHECK: arith.remui %{{.*}}, %[[HEIGHT]] : i32
// CHECK: arith.divui %{{.*}}, %[[HEIGHT]] : i32
// CHECK: tile.program_id z
func.func @rest(%a: tensor<2x150x64xf16>, %b: tensor<2x64x100xf16>) -> tensor<2x150x100xf16> {
  %0 = einsum.contract "bmk, bkn -> bmn" (%a, %b) : (tensor<2x150x64xf16>, tensor<2x64x100xf16>) -> tensor<2x150x100xf16>
  return %0 : tensor<2x150x100xf16>
}

// The grid tells how many blocks there are.
// CHECK-LABEL: func.func {{.*}}@dynamic_contract(
// CHECK-DAG: tile.num_programs x
// CHECK-DAG: tile.num_programs y
// CHECK: arith.minui
func.func @dynamic(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>) -> tensor<?x?xf32> {
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<?x?xf16>, tensor<?x?xf16>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// One strip, or one column of blocks: nothing to reorder.
// CHECK-LABEL: func.func {{.*}}@flat_contract(
// CHECK-NOT: arith.remui
// CHECK: return
func.func @flat(%a: tensor<64x64xf16>, %b: tensor<64x512xf16>) -> tensor<64x512xf32> {
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x64xf16>, tensor<64x512xf16>) -> tensor<64x512xf32>
  return %0 : tensor<64x512xf32>
}

// CHECK-LABEL: func.func {{.*}}@narrow_contract(
// CHECK-NOT: arith.remui
// CHECK: return
func.func @narrow(%a: tensor<512x64xf16>, %b: tensor<64x32xf16>) -> tensor<512x32xf32> {
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<512x64xf16>, tensor<64x32xf16>) -> tensor<512x32xf32>
  return %0 : tensor<512x32xf32>
}
