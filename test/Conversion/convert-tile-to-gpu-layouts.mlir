// convert-tile-to-gpu: tile.convert_layout within threads and within warps. What it computes is tested by running it
// (Simulator/tile-layouts.test).
//
// RUN: tile-opt --convert-tile-to-gpu %s | FileCheck %s --implicit-check-not=nvvm.shfl

#lanes = #tile.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#turned = #tile.layout<register = [[2], [1]], lane = [[4], [8], [16], [32], [64]], warp = []>
#copies = #tile.layout<register = [[1], [2], [0]], lane = [[4], [8], [16], [32], [64]], warp = []>
#moved = #tile.layout<register = [[1], [2]], lane = [[8], [4], [16], [32], [64]], warp = []>
#mirrored = #tile.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[64]]>
#straight = #tile.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[0]]>
#exchanged = #tile.layout<register = [[1], [4]], lane = [[2], [8], [16], [32], [64]], warp = []>

// CHECK-LABEL: gpu.func @none
// CHECK:         %[[X:.*]] = arith.negf
// CHECK-NEXT:    arith.addf %[[X]], %[[X]] : vector<4xf32>
func.func @none(%v: f32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %x0 = tile.splat %v : f32 -> tensor<128xf32, #lanes>
  %x = arith.negf %x0 : tensor<128xf32, #lanes>
  %y = tile.convert_layout %x : tensor<128xf32, #lanes> -> tensor<128xf32, #lanes>
  %z = arith.addf %y, %y : tensor<128xf32, #lanes>
  return
}

// CHECK-LABEL: gpu.func @registers
// CHECK:         %[[X:.*]] = arith.negf
// CHECK:         vector.shuffle %[[X]], %[[X]] [0, 2, 1, 3] : vector<4xf32>
// CHECK:         vector.shuffle %[[X]], %[[X]] [0, 1, 2, 3, 0, 1, 2, 3] : vector<4xf32>
func.func @registers(%v: f32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %x0 = tile.splat %v : f32 -> tensor<128xf32, #lanes>
  %x = arith.negf %x0 : tensor<128xf32, #lanes>
  %y = tile.convert_layout %x : tensor<128xf32, #lanes> -> tensor<128xf32, #turned>
  %z = tile.convert_layout %x : tensor<128xf32, #lanes> -> tensor<128xf32, #copies>
  return
}

// Each register comes from the lane with bits 0 and 1 exchanged.
// CHECK-LABEL: gpu.func @lanes
// CHECK:         vector.to_elements
// CHECK:         nvvm.shfl.sync  idx %{{.*}}, %{{.*}}, %[[LANE:[a-z0-9_]+]], %{{.*}} : i32 -> i32
// CHECK-COUNT-3: nvvm.shfl.sync  idx %{{.*}}, %{{.*}}, %[[LANE]], %{{.*}} : i32 -> i32
// CHECK:         vector.from_elements %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : vector<4xf32>
func.func @lanes(%v: f32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %x0 = tile.splat %v : f32 -> tensor<128xf32, #lanes>
  %x = arith.negf %x0 : tensor<128xf32, #lanes>
  %y = tile.convert_layout %x : tensor<128xf32, #lanes> -> tensor<128xf32, #moved>
  return
}

// A warp that has its lanes in another order.
// CHECK-LABEL: gpu.func @warps
// CHECK-COUNT-4: nvvm.shfl.sync  idx
func.func @warps(%v: f32) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %x0 = tile.splat %v : f32 -> tensor<128xf32, #straight>
  %x = arith.negf %x0 : tensor<128xf32, #straight>
  %y = tile.convert_layout %x : tensor<128xf32, #straight> -> tensor<128xf32, #mirrored>
  return
}

// Lanes that differ in bit 0 exchange half of their registers; the other half stays. The odd ones offer registers 0
// and 1, the even ones 2 and 3.
// CHECK-LABEL: gpu.func @exchange
// CHECK:         %[[X:.*]]:4 = vector.to_elements
// CHECK:         %[[ODD:.*]] = arith.cmpi ne
// CHECK:         arith.select %[[ODD]], %[[X]]#2, %[[X]]#0
// CHECK:         arith.select %[[ODD]], %[[X]]#3, %[[X]]#1
// CHECK:         %[[OFFER0:.*]] = arith.select %[[ODD]], %[[X]]#0, %[[X]]#2
// CHECK:         %[[OFFER1:.*]] = arith.select %[[ODD]], %[[X]]#1, %[[X]]#3
// CHECK:         %[[ONE:.*]] = arith.constant 1 : i32
// CHECK:         vector.from_elements %[[OFFER0]]
// CHECK:         nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %[[ONE]], %{{.*}} : i32 -> i32
// CHECK:         vector.from_elements %[[OFFER1]]
// CHECK:         nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %[[ONE]], %{{.*}} : i32 -> i32
// CHECK:         %[[ODD2:.*]] = arith.cmpi ne
// CHECK-COUNT-4: arith.select %[[ODD2]]
func.func @exchange(%v: f32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %x0 = tile.splat %v : f32 -> tensor<128xf32, #lanes>
  %x = arith.negf %x0 : tensor<128xf32, #lanes>
  %y = tile.convert_layout %x : tensor<128xf32, #lanes> -> tensor<128xf32, #exchanged>
  return
}

// Words of two halves, or of four bits as bytes; pointers are two words.
// CHECK-LABEL: gpu.func @halves
// CHECK:         vector.bitcast %{{.*}} : vector<2xf16> to vector<1xi32>
// CHECK:         nvvm.shfl.sync  idx
// CHECK:         vector.bitcast %{{.*}} : vector<1xi32> to vector<2xf16>
// CHECK:         nvvm.shfl.sync  idx
func.func @halves(%v: f16) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %x0 = tile.splat %v : f16 -> tensor<128xf16, #lanes>
  %x = arith.negf %x0 : tensor<128xf16, #lanes>
  %y = tile.convert_layout %x : tensor<128xf16, #lanes> -> tensor<128xf16, #moved>
  return
}

// CHECK-LABEL: gpu.func @bits
// CHECK-COUNT-4: arith.extui %{{.*}} : i1 to i8
// CHECK:         vector.bitcast %{{.*}} : vector<4xi8> to vector<1xi32>
// CHECK:         nvvm.shfl.sync  idx
// CHECK-COUNT-4: arith.trunci %{{.*}} : i8 to i1
func.func @bits() attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %x0 = tile.range 0 to 128 : tensor<128xi32, #lanes>
  %x = arith.trunci %x0 : tensor<128xi32, #lanes> to tensor<128xi1, #lanes>
  %y = tile.convert_layout %x : tensor<128xi1, #lanes> -> tensor<128xi1, #moved>
  return
}

// CHECK-LABEL: gpu.func @pointers
// CHECK:         vector.bitcast %{{.*}} : vector<1xi64> to vector<2xi32>
// CHECK-COUNT-2: nvvm.shfl.sync  idx
// CHECK:         vector.bitcast %{{.*}} : vector<2xi32> to vector<1xi64>
// CHECK-COUNT-6: nvvm.shfl.sync  idx
func.func @pointers(%v: !tile.ptr<i8>) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %splat = tile.splat %v : !tile.ptr<i8> -> tensor<128x!tile.ptr<i8>, #lanes>
  %r = tile.range 0 to 128 : tensor<128xi32, #lanes>
  %x = tile.addptr %splat, %r : tensor<128x!tile.ptr<i8>, #lanes>, tensor<128xi32, #lanes>
  %y = tile.convert_layout %x : tensor<128x!tile.ptr<i8>, #lanes> -> tensor<128x!tile.ptr<i8>, #moved>
  return
}
