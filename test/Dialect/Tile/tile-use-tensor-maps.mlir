// tile-use-tensor-maps: bulk copies by maps that the host makes, and the layouts of their boxes in shared memory.
//
// RUN: tile-opt %s --tile-use-tensor-maps | FileCheck %s

// CHECK-DAG: #[[$WIDE:.*]] = #tile.layout<offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [0, 64]]>
// CHECK-DAG: #[[$NARROW:.*]] = #tile.layout<offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>

// Rows of 128 bytes, of a tile that has two panels of them; those of 32 bytes of another one. Copies of the same tile have one map.
// CHECK-LABEL: func.func @kernel(
// CHECK-SAME: %[[MAP:[^:]*]]: !tile.tensor_map<1x64x64xbf16, swizzle = 128>, %[[SMALL:[^:]*]]: !tile.tensor_map<16x16xf16, swizzle = 32>)
func.func @kernel(%a: memref<3x?x128xbf16>, %b: memref<?x16xf16>, %i: index) attributes {tile.kernel} {
  %c2 = arith.constant 2 : index
  // CHECK: %[[A:.*]] = tile.alloc : <4x64x128xbf16, #[[$WIDE]]>
  %sa = tile.alloc : !tile.buffer<4x64x128xbf16>
  // CHECK: %[[B:.*]] = tile.alloc : <4x16x16xf16, #[[$NARROW]]>
  %sb = tile.alloc : !tile.buffer<4x16x16xf16>
  %ch = tile.channel stages 4
  tile.roles warps [4, 4] {
  }, {
    %s = tile.channel_acquire %ch[%i] bytes 16896
    // CHECK: tile.bulk_load %[[MAP]][%{{.*}}, %{{.*}}, %{{.*}}], %[[A]][%{{.*}}] through %{{.*}} axes [1, 2] : !tile.tensor_map<1x64x64xbf16, swizzle = 128>, <4x64x128xbf16, #[[$WIDE]]>
    tile.bulk_load %a[%c2, %i, %i], %sa[%s] through %ch axes [1, 2] : memref<3x?x128xbf16>, !tile.buffer<4x64x128xbf16>
    // CHECK: tile.bulk_load %[[SMALL]]
    tile.bulk_load %b[%i, %i], %sb[%s] through %ch : memref<?x16xf16>, !tile.buffer<4x16x16xf16>
    %t = tile.channel_acquire %ch[%c2] bytes 16384
    // CHECK: tile.bulk_load %[[MAP]]
    tile.bulk_load %a[%i, %i, %i], %sa[%t] through %ch axes [1, 2] : memref<3x?x128xbf16>, !tile.buffer<4x64x128xbf16>
  }
  return
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:.*]]: memref<3x?x128xbf16>, %[[B:.*]]: memref<?x16xf16>
// CHECK: %[[FIRST:.*]] = tile.tensor_map %[[A]] : memref<3x?x128xbf16> -> <1x64x64xbf16, swizzle = 128>
// CHECK-NEXT: %[[SECOND:.*]] = tile.tensor_map %[[B]] : memref<?x16xf16> -> <16x16xf16, swizzle = 32>
// CHECK-NEXT: tile.launch @kernel grid({{.*}}) (%[[A]], %[[B]], %{{.*}}, %[[FIRST]], %[[SECOND]])
func.func @main(%a: memref<3x?x128xbf16>, %b: memref<?x16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b, %c1) : memref<3x?x128xbf16>, memref<?x16xf16>, index
  return
}

// Windows: a row of the stage has the last axes of the tile. Where these are several, a panel is of one value of the others.
// CHECK-LABEL: func.func @windows(
// CHECK-SAME: !tile.tensor_map<1x8x16x64xbf16, swizzle = 128>
// CHECK-SAME: !tile.tensor_map<1x16x32xbf16, swizzle = 64>
// CHECK: tile.bulk_load {{.*}} axes [0, 1, 2, 3] sizes [1, 8, 16, 64] : !tile.tensor_map<1x8x16x64xbf16, swizzle = 128>, <2x128x64xbf16, #{{.*}}>
// CHECK: tile.bulk_load {{.*}} axes [1, 0, 2] sizes [16, 4, 32] : !tile.tensor_map<1x16x32xbf16, swizzle = 64>, <2x16x128xbf16, #{{.*}}>
func.func @windows(%a: memref<?x34x18x64xbf16>, %b: memref<?x?x32xbf16>, %i: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %sa = tile.alloc : !tile.buffer<2x128x64xbf16>
  %sb = tile.alloc : !tile.buffer<2x16x128xbf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
  }, {
    %s = tile.channel_acquire %ch[%i] bytes 20480
    tile.bulk_load %a[%i, %i, %i, %c0], %sa[%s] through %ch axes [0, 1, 2, 3] sizes [1, 8, 16, 64] : memref<?x34x18x64xbf16>, !tile.buffer<2x128x64xbf16>
    tile.bulk_load %b[%i, %i, %c0], %sb[%s] through %ch axes [1, 0, 2] sizes [16, 4, 32] : memref<?x?x32xbf16>, !tile.buffer<2x16x128xbf16>
  }
  return
}

// A box has at most 256 elements along an axis, and there may be several.
// CHECK-LABEL: func.func @long(
// CHECK-SAME: !tile.tensor_map<256x64xi8, swizzle = 64>
func.func @long(%a: memref<?x64xi8>, %i: index) attributes {tile.kernel} {
  %b = tile.alloc : !tile.buffer<2x512x64xi8>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
  }, {
    %s = tile.channel_acquire %ch[%i] bytes 32768
    tile.bulk_load %a[%i, %i], %b[%s] through %ch : memref<?x64xi8>, !tile.buffer<2x512x64xi8>
  }
  return
}

// A box reaches over at most 256 elements, of which it has those of its steps.
// CHECK-LABEL: func.func @steps(
// CHECK-SAME: !tile.tensor_map<1x8x16x64xbf16, swizzle = 128, steps = [1, 2, 3, 1]>
// CHECK-SAME: !tile.tensor_map<64x64xi8, swizzle = 64, steps = [3, 1]>
// CHECK: tile.bulk_load {{.*}} axes [1, 2, 3] sizes [8, 16, 64] steps [2, 3, 1] : !tile.tensor_map<1x8x16x64xbf16, swizzle = 128, steps = [1, 2, 3, 1]>, <2x128x64xbf16, #{{.*}}>
func.func @steps(%a: memref<?x34x50x64xbf16>, %b: memref<?x64xi8>, %i: index) attributes {tile.kernel} {
  %sa = tile.alloc : !tile.buffer<2x128x64xbf16>
  %sb = tile.alloc : !tile.buffer<2x256x64xi8>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
  }, {
    %s = tile.channel_acquire %ch[%i] bytes 32768
    tile.bulk_load %a[%i, %i, %i, %i], %sa[%s] through %ch axes [1, 2, 3] sizes [8, 16, 64] steps [2, 3, 1] : memref<?x34x50x64xbf16>, !tile.buffer<2x128x64xbf16>
    tile.bulk_load %b[%i, %i], %sb[%s] through %ch steps [3, 1] : memref<?x64xi8>, !tile.buffer<2x256x64xi8>
  }
  return
}

// Parts for the programs of a cluster: panels, if there are enough, else rows.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME: !tile.tensor_map<64x64xbf16, swizzle = 128>
// CHECK-SAME: !tile.tensor_map<16x64xbf16, swizzle = 128>
// CHECK-SAME: !tile.tensor_map<1x2x8x64xbf16, swizzle = 128>
func.func @parts(%a: memref<?x256xbf16>, %b: memref<?x64xbf16>, %c: memref<?x34x18x64xbf16>, %i: index) attributes {tile.kernel} {
  %sa = tile.alloc : !tile.buffer<2x64x256xbf16>
  %sb = tile.alloc : !tile.buffer<2x64x64xbf16>
  %sc = tile.alloc : !tile.buffer<2x64x64xbf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
  }, {
    %s = tile.channel_acquire %ch[%i] bytes 49152
    tile.bulk_load %a[%i, %i], %sa[%s] through %ch multicast 4 : memref<?x256xbf16>, !tile.buffer<2x64x256xbf16>
    tile.bulk_load %b[%i, %i], %sb[%s] through %ch multicast 4 : memref<?x64xbf16>, !tile.buffer<2x64x64xbf16>
    tile.bulk_load %c[%i, %i, %i, %i], %sc[%s] through %ch axes [0, 1, 2, 3] sizes [1, 8, 8, 64] multicast 4 : memref<?x34x18x64xbf16>, !tile.buffer<2x64x64xbf16>
  }
  return
}
