// convert-tile-to-gpu: tile.reduce and tile.scan, in registers and among lanes. What they compute is tested by running
// them (Simulator/tile-layouts.test).
//
// RUN: tile-opt --convert-tile-to-gpu %s | FileCheck %s --implicit-check-not=nvvm.shfl

#columns = #tile.layout<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = []>
#rows = #tile.layout<register = [[1, 0], [0, 1]], lane = [[0, 2], [0, 4], [2, 0], [4, 0], [8, 0]], warp = [[16, 0]]>
#kept = #tile.layout<register = [[1]], lane = [[0], [0], [2], [4], [8]], warp = [[16]]>
#lines = #tile.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#halves = #tile.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = []>
#small = #tile.layout<register = [[1]], lane = [[2], [0], [0], [0], [0]], warp = []>

// A row is in the registers of a lane: three sums.
// CHECK-LABEL: gpu.func @in_registers
// CHECK:         %[[X:.*]]:4 = vector.to_elements
// CHECK:         %[[A:.*]] = arith.addf %[[X]]#0, %[[X]]#1 : f32
// CHECK:         %[[B:.*]] = arith.addf %[[X]]#2, %[[X]]#3 : f32
// CHECK:         %[[C:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK-NOT:     arith.addf
// CHECK:         vector.from_elements %[[C]] : vector<1xf32>
func.func @in_registers(%v: f32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %x0 = tile.splat %v : f32 -> tensor<32x4xf32, #columns>
  %x = arith.negf %x0 : tensor<32x4xf32, #columns>
  %y = tile.reduce add %x axis 1 : tensor<32x4xf32, #columns>
  %z = arith.negf %y : tensor<32xf32, #lines>
  return
}

// Registers first, then lanes 1 and 2 away, for each of two rows.
// CHECK-LABEL: gpu.func @among_lanes
// CHECK:         %[[X:.*]]:4 = vector.to_elements
// CHECK:         %[[A:.*]] = arith.maximumf %[[X]]#0, %[[X]]#2 : f32
// CHECK:         %[[B:.*]] = arith.maximumf %[[X]]#1, %[[X]]#3 : f32
// CHECK:         %[[ONE:.*]] = arith.constant 1 : i32
// CHECK:         nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %[[ONE]], %{{.*}} : i32 -> i32
// CHECK:         nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %[[ONE]], %{{.*}} : i32 -> i32
// CHECK:         arith.maximumf %[[A]], %{{.*}} : f32
// CHECK:         arith.maximumf %[[B]], %{{.*}} : f32
// CHECK:         %[[TWO:.*]] = arith.constant 2 : i32
// CHECK-COUNT-2: nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %[[TWO]], %{{.*}} : i32 -> i32
// CHECK:         %[[C:.*]] = arith.maximumf
// CHECK:         %[[D:.*]] = arith.maximumf
// CHECK-NOT:     arith.maximumf
// CHECK:         vector.from_elements %[[C]], %[[D]] : vector<2xf32>
func.func @among_lanes(%v: f32) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %x0 = tile.splat %v : f32 -> tensor<32x8xf32, #rows>
  %x = arith.negf %x0 : tensor<32x8xf32, #rows>
  %y = tile.reduce max %x axis 1 : tensor<32x8xf32, #rows>
  %z = arith.negf %y : tensor<32xf32, #kept>
  return
}

// All threads have the result, a scalar.
// CHECK-LABEL: gpu.func @scalar
// CHECK-COUNT-5: nvvm.shfl.sync  bfly
// CHECK:         %[[SUM:.*]] = arith.xori %{{.*}}, %{{.*}} : i32
// CHECK:         arith.index_cast %[[SUM]] : i32 to index
func.func @scalar() attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %x = tile.range 0 to 128 : tensor<128xi32, #halves>
  %y = tile.reduce xor %x axis 0 : tensor<128xi32, #halves>
  %z = arith.index_cast %y : i32 to index
  return
}

// Each operation becomes the one of arith.
// CHECK-LABEL: gpu.func @combiners
// CHECK:         arith.muli %{{.*}}, %{{.*}} : i32
// CHECK:         nvvm.shfl
// CHECK:         arith.muli %{{.*}} : i32
// CHECK:         arith.maxsi %{{.*}}, %{{.*}} : i32
// CHECK:         nvvm.shfl
// CHECK:         arith.maxsi %{{.*}} : i32
// CHECK:         arith.minsi %{{.*}}, %{{.*}} : i32
// CHECK:         nvvm.shfl
// CHECK:         arith.minsi %{{.*}} : i32
// CHECK:         arith.maxui %{{.*}}, %{{.*}} : i32
// CHECK:         nvvm.shfl
// CHECK:         arith.maxui %{{.*}} : i32
// CHECK:         arith.minui %{{.*}}, %{{.*}} : i32
// CHECK:         nvvm.shfl
// CHECK:         arith.minui %{{.*}} : i32
// CHECK:         arith.andi %{{.*}}, %{{.*}} : i32
// CHECK:         nvvm.shfl
// CHECK:         arith.andi %{{.*}} : i32
// CHECK:         arith.ori %{{.*}}, %{{.*}} : i32
// CHECK:         nvvm.shfl
// CHECK:         arith.ori %{{.*}} : i32
func.func @combiners() attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %x = tile.range 0 to 4 : tensor<4xi32, #small>
  %mul = tile.reduce mul %x axis 0 : tensor<4xi32, #small>
  %max = tile.reduce max %x axis 0 : tensor<4xi32, #small>
  %min = tile.reduce min %x axis 0 : tensor<4xi32, #small>
  %umax = tile.reduce umax %x axis 0 : tensor<4xi32, #small>
  %umin = tile.reduce umin %x axis 0 : tensor<4xi32, #small>
  %and = tile.reduce and %x axis 0 : tensor<4xi32, #small>
  %or = tile.reduce or %x axis 0 : tensor<4xi32, #small>
  return
}

// Two elements in registers, then two lanes: the second register and the second lane add what comes before.
// CHECK-LABEL: gpu.func @scan
// CHECK:         %[[X:.*]]:2 = vector.to_elements
// CHECK:         %[[SUM:.*]] = arith.addf %[[X]]#0, %[[X]]#1 : f32
// CHECK:         nvvm.shfl.sync  bfly
// CHECK:         %[[BEFORE:.*]] = vector.to_elements %{{.*}} : vector<1xf32>
// CHECK:         %[[LATER:.*]] = arith.trunci
// CHECK:         %[[LONGER:.*]] = arith.addf %[[BEFORE]], %[[X]]#0 : f32
// CHECK:         %[[FIRST:.*]] = arith.select %[[LATER]], %[[LONGER]], %[[X]]#0 : f32
// CHECK:         %[[LONGER:.*]] = arith.addf %[[SUM]], %[[BEFORE]] : f32
// CHECK:         %[[SECOND:.*]] = arith.select %[[LATER]], %[[LONGER]], %[[SUM]] : f32
// CHECK:         vector.from_elements %[[FIRST]], %[[SECOND]] : vector<2xf32>
func.func @scan(%v: f32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %x0 = tile.splat %v : f32 -> tensor<4xf32, #small>
  %x = arith.negf %x0 : tensor<4xf32, #small>
  %y = tile.scan add %x axis 0 : tensor<4xf32, #small>
  return
}

// In reverse, those in the earlier half do.
// CHECK-LABEL: gpu.func @reverse
// CHECK:         %[[X:.*]]:2 = vector.to_elements
// CHECK:         %[[SUM:.*]] = arith.addf %[[X]]#1, %[[X]]#0 : f32
// CHECK:         nvvm.shfl.sync  bfly
// CHECK:         arith.select %{{.*}}, %[[SUM]], %{{.*}} : f32
// CHECK:         arith.select %{{.*}}, %[[X]]#1, %{{.*}} : f32
func.func @reverse(%v: f32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %x0 = tile.splat %v : f32 -> tensor<4xf32, #small>
  %x = arith.negf %x0 : tensor<4xf32, #small>
  %y = tile.scan add %x axis 0 reverse : tensor<4xf32, #small>
  return
}
