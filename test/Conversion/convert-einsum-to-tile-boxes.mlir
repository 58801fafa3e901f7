// convert-einsum-to-tile for a target with products of warpgroups: blocks are boxes of indices where M, N or K is several ones.
//
// RUN: tile-opt %s --tile-attach-target=chip=sm_90a --einsum-to-tile-pipeline="config={block=128x128x32}" | FileCheck %s
// RUN: tile-opt %s --tile-attach-target=chip=sm_80 --einsum-to-tile-pipeline="config={block=128x128x32}" | FileCheck %s --check-prefix=RANGES

// RANGES-NOT: tensor<{{.*}}x{{.*}}x{{.*}}xbf16>
// RANGES: func.func @main

// An image of 28 x 28 in boxes of 4 x 32: seven along the rows, one along the columns, with what is beyond the last column
// left out; nine places of the filter, with 64 channels in two parts each. Windows begin one row and one column before.
// CHECK-LABEL: func.func private @main_contract(
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i64
// CHECK-DAG: %[[C7:.*]] = arith.constant 7 : i64
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[C18:.*]] = arith.constant 18 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[BEFORE:.*]] = arith.constant -1 : index
// CHECK: %[[NUMBER:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK-DAG: %[[INNER:.*]] = arith.remui %[[NUMBER]], %[[C7]]
// CHECK-DAG: %[[IMAGE:.*]] = arith.divui %[[NUMBER]], %[[C7]]
// CHECK-DAG: %[[START:.*]] = arith.muli %[[INNER]], %[[C4]]
// CHECK-DAG: %[[H:.*]] = arith.index_cast %[[START]]
// CHECK-DAG: %[[N:.*]] = arith.index_cast %[[IMAGE]]
// CHECK: scf.for %[[STEP:.*]] = %[[C0]] to %[[C18]] step %[[C1]]
// CHECK-DAG: %[[PART:.*]] = arith.remui %[[STEP]], %[[C2]]
// CHECK-DAG: %[[C:.*]] = arith.muli %[[PART]], %[[C32]]
// CHECK-DAG: %[[PLACE:.*]] = arith.divui %[[STEP]], %[[C2]]
// CHECK-DAG: %[[S:.*]] = arith.remui %[[PLACE]], %[[C3]]
// CHECK-DAG: %[[R:.*]] = arith.divui %[[PLACE]], %[[C3]]
// CHECK-DAG: %[[COLUMN:.*]] = arith.addi %[[S]], %[[BEFORE]]
// CHECK: %[[A:.*]] = tile.load_view %{{.*}}[%[[N]], %{{.*}}, %[[COLUMN]], %[[C]]] in_bounds [true, false, false, true] : memref<2x28x28x64xbf16> -> tensor<1x4x32x32xbf16>
// CHECK: tile.reshape %[[A]] : tensor<1x4x32x32xbf16> -> tensor<128x32xbf16>
// CHECK: %[[B:.*]] = tile.load_view %{{.*}}[%[[R]], %[[S]], %[[C]], %[[C0]]] in_bounds [true, true, true, true] : memref<3x3x64x128xbf16> -> tensor<1x1x32x128xbf16>
// CHECK: tile.reshape %[[B]] : tensor<1x1x32x128xbf16> -> tensor<32x128xbf16>
// CHECK: tile.dot
// CHECK: %[[BIAS:.*]] = tile.load_view %{{.*}}[%[[C0]]] in_bounds [true] : memref<128xbf16> -> tensor<128xbf16>
// CHECK: tile.store_view %{{.*}}, %{{.*}}[%[[N]], %[[H]], %[[C0]], %[[C0]]] in_bounds [true, true, false, true] : tensor<1x4x32x128xbf16>, memref<2x28x28x128xbf16>
func.func @main(%x: tensor<2x28x28x64xbf16>, %w: tensor<3x3x64x128xbf16>, %b: tensor<128xbf16>) -> tensor<2x28x28x128xbf16> {
  %c = einsum.contract "n(h+r-1)(w+s-1)c, rsck -> nhwk" (%x, %w) {pad = "zero"} : (tensor<2x28x28x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x28x28x128xbf16>
  %e = tensor.empty() : tensor<2x28x28x128xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(n,h,w,k) -> (n,h,w,k)>, affine_map<(n,h,w,k) -> (k)>, affine_map<(n,h,w,k) -> (n,h,w,k)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<2x28x28x128xbf16>, tensor<128xbf16>) outs(%e : tensor<2x28x28x128xbf16>) {
  ^bb0(%p: bf16, %q: bf16, %o: bf16):
    %s = arith.addf %p, %q : bf16
    linalg.yield %s : bf16
  } -> tensor<2x28x28x128xbf16>
  return %r : tensor<2x28x28x128xbf16>
}

// K in memory before M: K x M, in four parts of M.
// CHECK-LABEL: func.func private @columns_contract(
// CHECK: tile.load_view %{{.*}} : memref<32x8x32x32xbf16> -> tensor<4x1x32x32xbf16>
// CHECK: tile.trans %{{.*}} [0, 1, 3, 2]
// CHECK: tile.reshape %{{.*}} -> tensor<128x32xbf16>
func.func @columns(%a: tensor<32x8x32x32xbf16>, %b: tensor<32x8x32x32xbf16>) -> tensor<32x32x32x32xbf16> {
  %c = einsum.contract "ackm, bcnk -> abnm" (%a, %b) : (tensor<32x8x32x32xbf16>, tensor<32x8x32x32xbf16>) -> tensor<32x32x32x32xbf16>
  return %c : tensor<32x32x32x32xbf16>
}

// With a stride of two a window has every other row and column, also if there is an odd number of them.
// CHECK-LABEL: func.func private @strided_contract(
// CHECK-SAME: memref<2x29x29x64xbf16>
// CHECK: tile.load_view %{{.*}} steps [1, 2, 2, 1] in_bounds [true, false, false, true] : memref<2x29x29x64xbf16> -> tensor<1x8x16x32xbf16>
func.func @strided(%x: tensor<2x29x29x64xbf16>, %w: tensor<3x3x64x128xbf16>) -> tensor<2x14x14x128xbf16> {
  %c = einsum.contract "n(2*h+r)(2*w+s)c, rsck -> nhwk" (%x, %w) : (tensor<2x29x29x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x14x14x128xbf16>
  return %c : tensor<2x14x14x128xbf16>
}

// Not if elements are more than 8 apart; nor if sizes are not known; nor in memory whose rows are 60 bytes long.
// CHECK-LABEL: func.func private @far_contract(
// CHECK-NOT: tile.load_view {{.*}} -> tensor<{{.*}}x{{.*}}x{{.*}}xbf16>
// CHECK: return
func.func @far(%x: tensor<2x126x126x64xbf16>, %w: tensor<3x3x64x128xbf16>) -> tensor<2x14x14x128xbf16> {
  %c = einsum.contract "n(9*h+r)(9*w+s)c, rsck -> nhwk" (%x, %w) : (tensor<2x126x126x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x14x14x128xbf16>
  return %c : tensor<2x14x14x128xbf16>
}
// CHECK-LABEL: func.func private @dynamic_contract(
// CHECK-NOT: tile.load_view {{.*}} -> tensor<{{.*}}x{{.*}}x{{.*}}xbf16>
// CHECK: return
func.func @dynamic(%x: tensor<2x30x?x64xbf16>, %w: tensor<3x3x64x128xbf16>) -> tensor<2x28x?x128xbf16> {
  %c = einsum.contract "n(h+r)(w+s)c, rsck -> nhwk" (%x, %w) : (tensor<2x30x?x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x28x?x128xbf16>
  return %c : tensor<2x28x?x128xbf16>
}
// CHECK-LABEL: func.func private @rows_contract(
// CHECK-NOT: tile.load_view {{.*}} -> tensor<{{.*}}x{{.*}}x{{.*}}xbf16>
// CHECK: return
func.func @rows(%a: tensor<4x64x30xbf16>, %b: tensor<30x128xbf16>) -> tensor<4x64x128xbf16> {
  %c = einsum.contract "xmk, kn -> xmn" (%a, %b) : (tensor<4x64x30xbf16>, tensor<30x128xbf16>) -> tensor<4x64x128xbf16>
  return %c : tensor<4x64x128xbf16>
}

// A number that is multiplied to all elements has no axis.
// CHECK-LABEL: func.func private @scale_contract(
// CHECK: %[[FACTOR:.*]] = tile.load %{{.*}} : tensor<1x1x!tile.ptr<f32>>
// CHECK: tile.broadcast %[[FACTOR]] : tensor<1x1xf32> -> tensor<128x128xf32>
func.func @scale(%a: tensor<48x4x48xbf16>, %b: tensor<128x48xbf16>, %s: tensor<f32>) -> tensor<48x4x128xf32> {
  %c = einsum.contract "vwg, fg -> vwf" (%a, %b) : (tensor<48x4x48xbf16>, tensor<128x48xbf16>) -> tensor<48x4x128xf32>
  %e = tensor.empty() : tensor<48x4x128xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %c : tensor<f32>, tensor<48x4x128xf32>) outs(%e : tensor<48x4x128xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    linalg.yield %m : f32
  } -> tensor<48x4x128xf32>
  return %r : tensor<48x4x128xf32>
}

// Where a window is may be looked up: once a step, by the place of the filter. Not where channels of a step have windows of
// their own.
// CHECK-LABEL: func.func private @sparse_contract(
// CHECK-SAME: %[[TABLE:[^:]*]]: !tile.ptr<i32> {tile.readonly}
// CHECK: scf.for %[[X:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT: %[[I:.*]] = arith.index_cast %[[X]] : index to i64
// CHECK-NEXT: %[[P:.*]] = tile.addptr %[[TABLE]], %[[I]]
// CHECK-NEXT: %[[ENTRY:.*]] = tile.load %[[P]] : !tile.ptr<i32>
// CHECK-NEXT: %[[ROW:.*]] = arith.index_cast %[[ENTRY]] : i32 to index
// CHECK-NEXT: %[[TWICE:.*]] = arith.muli %[[ROW]], %{{.*}} : index
// CHECK-NEXT: %[[COLUMN:.*]] = arith.addi %[[TWICE]], %{{.*}} : index
// CHECK-NEXT: tile.load_view %{{.*}}[%{{.*}}, %[[ROW]], %[[COLUMN]], %{{.*}}] in_bounds [true, false, false, true] : memref<4x10x18x32xbf16> -> tensor<1x8x16x32xbf16>
func.func @sparse(%x: tensor<4x10x18x32xbf16>, %w: tensor<128x9x32xbf16>, %p: tensor<9xi32> {einsum.value_range = array<i64: 0, 2>}) -> tensor<4x8x16x128xbf16> {
  %out = einsum.contract "n(h+p[x])(w+2*p[x]-1)c, kxc -> nhwk" (%x, %w) tables(p = %p : tensor<9xi32>) {pad = "zero"}
      : (tensor<4x10x18x32xbf16>, tensor<128x9x32xbf16>) -> tensor<4x8x16x128xbf16>
  return %out : tensor<4x8x16x128xbf16>
}
// CHECK-LABEL: func.func private @shift_contract(
// CHECK-NOT: tile.load_view {{.*}} -> tensor<{{.*}}x{{.*}}x{{.*}}xbf16>
// CHECK: return
func.func @shift(%x: tensor<4x10x18x32xbf16>, %w: tensor<128x32xbf16>, %p: tensor<32xi32> {einsum.value_range = array<i64: 0, 2>}) -> tensor<4x8x16x128xbf16> {
  %out = einsum.contract "n(h+p[c])(w+p[c])c, kc -> nhwk" (%x, %w) tables(p = %p : tensor<32xi32>)
      : (tensor<4x10x18x32xbf16>, tensor<128x32xbf16>) -> tensor<4x8x16x128xbf16>
  return %out : tensor<4x8x16x128xbf16>
}
