// convert-tile-to-gpu: buffers, accesses to them and barriers. What they compute, and bank conflicts, are tested by
// running them (Simulator/tile-layouts.test, Simulator/tile-gemm.test).
//
// RUN: tile-opt --convert-tile-to-gpu %s | FileCheck %s

#rows = #tile.layout<blocked shape = [32, 32], register = [1, 8], lane = [8, 4], warp = [1, 1], order = [1, 0]>
#a = #tile.layout<mma a row, shape = [32, 32], atom = volta_16x16x8, warp = [1, 1]>
#swizzle = #tile.layout<swizzle shape = [32, 32], bits = 16, write = #rows, read = #a>
#line = #tile.layout<register = [[1], [2]], lane = [[4], [8], [16], [0], [32]], warp = [[0]]>
#twice = #tile.layout<register = [[0], [1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#bytes = #tile.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = []>
#half_bytes = #tile.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#wide = #tile.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#apart = #tile.layout<register = [[64], [32]], lane = [[1], [2], [4], [8], [16]], warp = []>

// CHECK:       llvm.mlir.global external @tile_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

// A pointer for each way in which registers flip bits of what the lane adds, 16-byte accesses at constants from it.
// CHECK-LABEL: gpu.func @swizzled
// CHECK:         %[[X:.*]] = arith.negf
// CHECK:         %[[BUFFER:.*]] = arith.constant 2048 : i32
// CHECK:         %[[LANE:.*]] = arith.xori
// CHECK:         %[[OFFSET:.*]] = arith.addi %[[BUFFER]], %[[LANE]] : i32
// CHECK:         %[[SHARED:.*]] = llvm.mlir.addressof @tile_shared : !llvm.ptr<3>
// CHECK:         %[[P:.*]] = llvm.getelementptr %[[SHARED]][%[[OFFSET]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
// CHECK:         %[[X0:.*]] = vector.shuffle %[[X]], %[[X]] [0, 1, 2, 3, 4, 5, 6, 7]
// CHECK:         llvm.store %[[X0]], %[[P]] {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<3>
// CHECK:         %[[C32:.*]] = arith.constant 32 : i32
// CHECK:         %[[FLIPPED:.*]] = arith.xori %[[LANE]], %[[C32]]
// CHECK:         %[[OFFSET:.*]] = arith.addi %[[BUFFER]], %[[FLIPPED]]
// CHECK:         %[[Q:.*]] = llvm.getelementptr %{{.*}}[%[[OFFSET]]]
// CHECK:         %[[Q1:.*]] = llvm.getelementptr %[[Q]][512]
// CHECK:         llvm.store %{{.*}}, %[[Q1]] {alignment = 16 : i64} : vector<8xf16>
// CHECK:         %[[P1:.*]] = llvm.getelementptr %[[P]][1024]
// CHECK:         llvm.store %{{.*}}, %[[P1]]
// CHECK:         %[[Q2:.*]] = llvm.getelementptr %[[Q]][1536]
// CHECK:         llvm.store %{{.*}}, %[[Q2]]
// CHECK-NEXT:    gpu.barrier
// CHECK-COUNT-8: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<8xf16>
// CHECK-NOT:     llvm.load
// CHECK:         vector.from_elements {{.*}} : vector<64xf16>
func.func @swizzled(%v: f16)
    attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 4096 : i64} {
  %x0 = tile.splat %v : f16 -> tensor<32x32xf16, #rows>
  %x = arith.negf %x0 : tensor<32x32xf16, #rows>
  %b = tile.alloc {offset = 2048 : i64} : !tile.buffer<32x32xf16, #swizzle>
  tile.local_store %x, %b : tensor<32x32xf16, #rows>, !tile.buffer<32x32xf16, #swizzle>
  tile.barrier
  %y = tile.local_load %b : !tile.buffer<32x32xf16, #swizzle> -> tensor<32x32xf16, #a>
  return
}

// Of copies in lanes and warps the first one is stored: bit 3 of the lane and the warp.
// CHECK-LABEL: gpu.func @copies
// CHECK:         %[[X:.*]] = arith.negf
// CHECK:         %[[MASK:.*]] = arith.constant 40 : i32
// CHECK:         %[[COPY:.*]] = arith.andi %{{.*}}, %[[MASK]] : i32
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %[[COPY]], %{{.*}} : i32
// CHECK:         scf.if %[[FIRST]] {
// CHECK:           llvm.store %[[X]], %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK:         }
func.func @copies(%v: f32)
    attributes {tile.kernel, tile.num_warps = 2 : i64, tile.shared_bytes = 256 : i64} {
  %x0 = tile.splat %v : f32 -> tensor<64xf32, #line>
  %x = arith.negf %x0 : tensor<64xf32, #line>
  %b = tile.alloc {offset = 0 : i64} : !tile.buffer<64xf32>
  tile.local_store %x, %b : tensor<64xf32, #line>, !tile.buffer<64xf32>
  return
}

// Of copies in registers as well.
// CHECK-LABEL: gpu.func @register_copies
// CHECK:         vector.shuffle %{{.*}}, %{{.*}} [0, 2]
// CHECK-NEXT:    llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<3>
// CHECK-NOT:     llvm.store
func.func @register_copies(%v: f32)
    attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 256 : i64} {
  %x0 = tile.splat %v : f32 -> tensor<64xf32, #twice>
  %x = arith.negf %x0 : tensor<64xf32, #twice>
  %b = tile.alloc {offset = 0 : i64} : !tile.buffer<64xf32>
  tile.local_store %x, %b : tensor<64xf32, #twice>, !tile.buffer<64xf32>
  return
}

// Stage (i, j) of 2 x 3 is 256 (3 i + j) bytes behind the first.
// CHECK-LABEL: gpu.func @stages
// CHECK:         %[[BUFFER:.*]] = arith.constant 0 : i32
// CHECK:         %[[I:.*]] = arith.index_cast %arg0 : index to i32
// CHECK:         %[[J:.*]] = arith.index_cast %arg1 : index to i32
// CHECK:         %[[C3:.*]] = arith.constant 3 : i32
// CHECK:         %[[ROW:.*]] = arith.muli %[[I]], %[[C3]] : i32
// CHECK:         %[[STAGE:.*]] = arith.addi %[[ROW]], %[[J]] : i32
// CHECK:         %[[C256:.*]] = arith.constant 256 : i32
// CHECK:         %[[BYTES:.*]] = arith.muli %[[STAGE]], %[[C256]] : i32
// CHECK:         %[[OFFSET:.*]] = arith.addi %[[BUFFER]], %{{.*}} : i32
// CHECK:         %[[FIRST:.*]] = llvm.getelementptr %{{.*}}[%[[OFFSET]]]
// CHECK:         llvm.getelementptr %[[FIRST]][%[[BYTES]]]
// CHECK:         llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<8xi8>
func.func @stages(%i: index, %j: index)
    attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 1536 : i64} {
  %b = tile.alloc {offset = 0 : i64} : !tile.buffer<2x3x256xi8>
  %y = tile.local_load %b[%i, %j] : !tile.buffer<2x3x256xi8> -> tensor<256xi8, #bytes>
  return
}

// A part begins where its first element is.
// CHECK-LABEL: gpu.func @part
// CHECK: %[[POINTER:.*]] = llvm.getelementptr
// CHECK: %[[PART:.*]] = llvm.getelementptr %[[POINTER]][128]
// CHECK: llvm.load %[[PART]] {alignment = 4 : i64} : !llvm.ptr<3> -> vector<4xi8>
// CHECK-NOT: llvm.load
// CHECK: gpu.return
func.func @part()
    attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 256 : i64} {
  %b = tile.alloc {offset = 0 : i64} : !tile.buffer<256xi8>
  %y = tile.local_load %b at [128] : !tile.buffer<256xi8> -> tensor<128xi8, #half_bytes>
  return
}

// No more than 16 bytes at once; and one element where neighbours are in other lanes.
// CHECK-LABEL: gpu.func @widths
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<2xf64>
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> f64
func.func @widths() attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 1024 : i64} {
  %b = tile.alloc {offset = 0 : i64} : !tile.buffer<128xf64>
  %x = tile.local_load %b : !tile.buffer<128xf64> -> tensor<128xf64, #wide>
  %y = tile.local_load %b : !tile.buffer<128xf64> -> tensor<128xf64, #apart>
  return
}
