// Layouts as encodings: how they print, what their names stand for, and which ops take tiles that have them.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// In the order in which they are used. Names become bases.
// CHECK-DAG: #[[$ACC:.*]] = #tile.layout<register = {{\[\[}}0, 1], [2, 0], [0, 4]], lane = {{\[\[}}1, 0], [0, 2], [8, 0], [0, 8], [4, 0]], warp = []>
#acc = #tile.layout<mma c f32, shape = [16, 16], atom = volta_16x16x8, warp = [1, 1]>
// CHECK-DAG: #[[$TURNED:.*]] = #tile.layout<register = {{\[\[}}1, 0], [0, 2], [4, 0]], lane = {{\[\[}}0, 1], [2, 0], [0, 8], [8, 0], [0, 4]], warp = []>
// CHECK-DAG: #[[$SUMS:.*]] = #tile.layout<register = {{\[\[}}2]], lane = {{\[\[}}1], [0], [8], [0], [4]], warp = []>
// CHECK-DAG: #[[$A:.*]] = #tile.layout<register = {{\[\[}}0, 1], [0, 2], [0, 4], [16, 0], [0, 8]], lane = {{\[\[}}1, 0], [2, 0], [8, 0], [0, 0], [4, 0]], warp = {{\[\[}}0, 0], [32, 0]]>
#a = #tile.layout<mma a row, shape = [64, 16], atom = volta_16x16x8, warp = [2, 2]>
// CHECK-DAG: #[[$B:.*]] = #tile.layout<register = {{\[\[}}0, 1], [0, 2], [4, 0], [0, 4], [8, 0]], lane = {{\[\[}}1, 0], [2, 0], [0, 0], [0, 16], [0, 8]], warp = {{\[\[}}0, 32], [0, 0]]>
#b = #tile.layout<mma b row, shape = [16, 64], atom = volta_32x32x8, warp = [2, 2]>
// CHECK-DAG: #[[$ROWS:.*]] = #tile.layout<register = {{\[\[}}0, 1], [0, 2], [0, 4], [32, 0]], lane = {{\[\[}}0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = {{\[\[}}0, 0], [16, 0]]>
#rows = #tile.layout<blocked shape = [64, 16], register = [1, 8], lane = [16, 2], warp = [2, 2], order = [1, 0]>
// CHECK-DAG: #[[$SHARED:.*]] = #tile.layout<offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 8], [16, 0], [32, 0]]>
#shared = #tile.layout<swizzle shape = [64, 16], bits = 16, write = #rows, read = #a>
// The fastest axis is the last one unless told otherwise.
// CHECK-DAG: #[[$LINE:.*]] = #tile.layout<register = {{\[\[}}1], [2], [128]], lane = {{\[\[}}4], [8], [16], [32], [64]], warp = []>
#line = #tile.layout<blocked shape = [256], register = [4], lane = [32], warp = [1]>
// CHECK-DAG: #[[$BLOCKS:.*]] = #tile.layout<register = {{\[\[}}1]], lane = [], warp = [], block = {{\[\[}}2]]>
#blocks = #tile.layout<block = [[2]], register = [[1]]>
// CHECK-DAG: #[[$ONE:.*]] = #tile.layout<register = [], lane = [], warp = []>
#one = #tile.layout<lane = []>

// CHECK-LABEL: func.func private @types
// CHECK-SAME: tensor<64x16xf16, #[[$A]]>, tensor<16x64xf16, #[[$B]]>, tensor<64x16xf16, #[[$ROWS]]>, !tile.buffer<64x16xf16, #[[$SHARED]]>, tensor<4xf32, #[[$BLOCKS]]>, tensor<1xf32, #[[$ONE]]>
func.func private @types(tensor<64x16xf16, #a>, tensor<16x64xf16, #b>, tensor<64x16xf16, #rows>,
                         !tile.buffer<64x16xf16, #shared>, tensor<4xf32, #blocks>, tensor<1xf32, #one>)

// CHECK-LABEL: func.func @ops
func.func @ops(%p: !tile.ptr<f32>, %x: tensor<16x16xf32, #acc>) {
  // CHECK: tile.range 0 to 256 : tensor<256xi32, #[[$LINE]]>
  %i = tile.range 0 to 256 : tensor<256xi32, #line>
  // CHECK: tile.splat %{{.*}} : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #[[$LINE]]>
  %base = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #line>
  // CHECK: tile.addptr
  %q = tile.addptr %base, %i : tensor<256x!tile.ptr<f32>, #line>, tensor<256xi32, #line>
  // CHECK: %[[L:.*]] = tile.load %{{.*}} : tensor<256x!tile.ptr<f32>, #[[$LINE]]>
  %l = tile.load %q : tensor<256x!tile.ptr<f32>, #line>
  // CHECK: arith.mulf %[[L]], %[[L]] : tensor<256xf32, #[[$LINE]]>
  %s = arith.mulf %l, %l : tensor<256xf32, #line>
  tile.store %q, %s : tensor<256x!tile.ptr<f32>, #line>
  // CHECK: arith.truncf %{{.*}} : tensor<16x16xf32, #[[$ACC]]> to tensor<16x16xf16, #[[$ACC]]>
  %h = arith.truncf %x : tensor<16x16xf32, #acc> to tensor<16x16xf16, #acc>
  // CHECK: math.exp2 %{{.*}} : tensor<16x16xf32, #[[$ACC]]>
  %e = math.exp2 %x : tensor<16x16xf32, #acc>
  // Retiling takes the layout along.
  // CHECK: %[[T:.*]] = tile.trans %{{.*}} [1, 0] : tensor<16x16xf32, #[[$ACC]]>
  %t = tile.trans %e [1, 0] : tensor<16x16xf32, #acc>
  // CHECK: arith.negf %[[T]] : tensor<16x16xf32, #[[$TURNED]]>
  %n = arith.negf %t : tensor<16x16xf32, #tile.layout<register = [[1, 0], [0, 2], [4, 0]],
      lane = [[0, 1], [2, 0], [0, 8], [8, 0], [0, 4]], warp = []>>
  // CHECK: %[[R:.*]] = tile.reduce add %{{.*}} axis 1 : tensor<16x16xf32, #[[$ACC]]>
  %r = tile.reduce add %e axis 1 : tensor<16x16xf32, #acc>
  // CHECK: arith.negf %[[R]] : tensor<16xf32, #[[$SUMS]]>
  %u = arith.negf %r : tensor<16xf32, #tile.layout<register = [[2]],
      lane = [[1], [0], [8], [0], [4]], warp = []>>
  // CHECK: tile.reduce add %{{.*}} axis 0 : tensor<16xf32, #[[$SUMS]]>
  %v = tile.reduce add %u axis 0 : tensor<16xf32, #tile.layout<register = [[2]],
      lane = [[1], [0], [8], [0], [4]], warp = []>>
  return
}
