// Columns that are computed as dot products are copied. Threads do not share that copy, also not those of a loop around the
// contraction, and it is freed.
//
// RUN: tile-opt --convert-einsum-to-vector %s | FileCheck %s --implicit-check-not=memref.alloc

#machine = #einsum.machine<cpu = "any", vector_bits = 256, registers = 16, fma = 2, latency = 4, l1 = 32768,
    l2 = 1048576, l3 = 8388608, cores = 2, bf16 = false>
module attributes {einsum.machine = #machine} {

// On the stack, of which nothing is freed.
// CHECK-LABEL: @alone
// CHECK: memref.alloca() {{.*}} : memref<64xf32>
// CHECK: return
func.func @alone(%a: memref<8x64xf32>, %b: memref<64x9xf32>, %c: memref<8x9xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<8x9xf32>) {schedule = #einsum.schedule<
      tile = [4, 1], unroll = 1, dims = [
      <"m" prim 8>, <"n" prim 9>, <"k" prim 64>]>}
    : (memref<8x64xf32>, memref<64x9xf32>)
  return
}

// CHECK-LABEL: @shared
// CHECK: scf.parallel
// CHECK: %[[COPY:.*]] = memref.alloc() {{.*}} : memref<64xf32>
// CHECK: vector.load %[[COPY]]
// CHECK: memref.dealloc %[[COPY]]
// CHECK: scf.reduce
func.func @shared(%a: memref<4x8x64xf32>, %b: memref<4x64x9xf32>, %c: memref<4x8x9xf32>) {
  einsum.contract "bmk, bkn -> bmn" (%a, %b) outs(%c : memref<4x8x9xf32>) {schedule = #einsum.schedule<
      tile = [4, 1], unroll = 1, dims = [
      <"b" parallel 4>, <"m" prim 8>, <"n" prim 9>,
      <"k" prim 64>]>}
    : (memref<4x8x64xf32>, memref<4x64x9xf32>)
  return
}

// The loop is that of the program, not of the schedule.
// CHECK-LABEL: @around
// CHECK: scf.parallel
// CHECK: memref.alloc{{a?}}() {{.*}} : memref<64xf32>
// CHECK: scf.reduce
func.func @around(%a: memref<4x8x64xf32>, %b: memref<64x9xf32>, %c: memref<4x8x9xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %x = memref.subview %a[%i, 0, 0] [1, 8, 64] [1, 1, 1] : memref<4x8x64xf32> to memref<8x64xf32, strided<[64, 1], offset: ?>>
    %y = memref.subview %c[%i, 0, 0] [1, 8, 9] [1, 1, 1] : memref<4x8x9xf32> to memref<8x9xf32, strided<[9, 1], offset: ?>>
    einsum.contract "mk, kn -> mn" (%x, %b) outs(%y : memref<8x9xf32, strided<[9, 1], offset: ?>>) {schedule = #einsum.schedule<
        tile = [4, 1], unroll = 1, dims = [
        <"m" prim 8>, <"n" prim 9>, <"k" prim 64>]>}
      : (memref<8x64xf32, strided<[64, 1], offset: ?>>, memref<64x9xf32>)
    scf.reduce
  }
  return
}

// What is larger than 32 KiB does not lie on the stack.
// CHECK-LABEL: @large
// CHECK: %[[COPY:.*]] = memref.alloc() {{.*}} : memref<10000xf32>
// CHECK: vector.load %[[COPY]]
// CHECK: memref.dealloc %[[COPY]]
// CHECK: return
func.func @large(%a: memref<8x10000xf32>, %b: memref<10000x9xf32>, %c: memref<8x9xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<8x9xf32>) {schedule = #einsum.schedule<
      tile = [4, 1], unroll = 1, dims = [
      <"m" prim 8>, <"n" prim 9>, <"k" prim 10000>]>}
    : (memref<8x10000xf32>, memref<10000x9xf32>)
  return
}

}
