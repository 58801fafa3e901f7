// What goes to a memref by materialize_in_destination is written there as it is computed only if nobody needs what was there: no
// operand of the contraction or its kernel, or an op in between.
//
// RUN: %python %source/test/Conversion/exact.py --tile-run tile-run --tile-opt tile-opt %s | FileCheck %s
// RUN: tile-opt --convert-einsum-to-vector %s | FileCheck %s --check-prefix=DIRECT
// CHECK: 10 functions, 0 wrong

#machine = #einsum.machine<cpu = "any", vector_bits = 256, registers = 16, fma = 2, latency = 4, l1 = 32768,
    l2 = 1048576, l3 = 8388608, cores = 2, bf16 = false>
module attributes {einsum.machine = #machine} {

// The second vector of columns would be computed from the first one of the product.
func.func @operand(%a: memref<4x16xf32>, %b: memref<16x16xf32>) {
  %ta = bufferization.to_tensor %a restrict writable : memref<4x16xf32> to tensor<4x16xf32>
  %tb = bufferization.to_tensor %b restrict : memref<16x16xf32> to tensor<16x16xf32>
  %c = einsum.contract "mk, kn -> mn" (%ta, %tb) {schedule = #einsum.schedule<
      tile = [2, 1], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 16>, <"k" prim 16>]>}
    : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
  bufferization.materialize_in_destination %c in writable %a : (tensor<4x16xf32>, memref<4x16xf32>) -> ()
  return
}

// Two views of one memref.
func.func @views(%x: memref<6x16xf32>, %b: memref<16x16xf32>) {
  %a = memref.subview %x[0, 0] [4, 16] [1, 1] : memref<6x16xf32> to memref<4x16xf32, strided<[16, 1]>>
  %d = memref.subview %x[2, 0] [4, 16] [1, 1] : memref<6x16xf32> to memref<4x16xf32, strided<[16, 1], offset: 32>>
  %ta = bufferization.to_tensor %a restrict : memref<4x16xf32, strided<[16, 1]>> to tensor<4x16xf32>
  %tb = bufferization.to_tensor %b restrict : memref<16x16xf32> to tensor<16x16xf32>
  %c = einsum.contract "mk, kn -> mn" (%ta, %tb) {schedule = #einsum.schedule<
      tile = [2, 1], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 16>, <"k" prim 16>]>}
    : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
  bufferization.materialize_in_destination %c in writable %d
    : (tensor<4x16xf32>, memref<4x16xf32, strided<[16, 1], offset: 32>>) -> ()
  return
}

// The first part of a sum would overwrite what the epilogue needs after the last one.
func.func @epilogue(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %x: memref<4x8xf32>) {
  %ta = bufferization.to_tensor %a restrict : memref<4x6xf32> to tensor<4x6xf32>
  %tb = bufferization.to_tensor %b restrict : memref<6x8xf32> to tensor<6x8xf32>
  %tx = bufferization.to_tensor %x restrict writable : memref<4x8xf32> to tensor<4x8xf32>
  %y = einsum.kernel (%p = %ta : tensor<4x6xf32>, %q = %tb : tensor<6x8xf32>, %r = %tx : tensor<4x8xf32>) -> tensor<4x8xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 1], unroll = 1, dims = [
        <"k" seq 2 step 3>, <"m" prim 4>, <"n" prim 8>,
        <"k" prim 3>]>}
      : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %m = arith.mulf %ab, %r : tensor<4x8xf32>
    einsum.yield %m : tensor<4x8xf32>
  }
  bufferization.materialize_in_destination %y in writable %x : (tensor<4x8xf32>, memref<4x8xf32>) -> ()
  return
}

// Ops in between read the destination, or write it.
func.func @read_before(%a: memref<4x16xf32>, %b: memref<16x8xf32>, %c: memref<4x8xf32>, %o: memref<1xf32>) {
  %ta = bufferization.to_tensor %a restrict : memref<4x16xf32> to tensor<4x16xf32>
  %tb = bufferization.to_tensor %b restrict : memref<16x8xf32> to tensor<16x8xf32>
  %t = einsum.contract "mk, kn -> mn" (%ta, %tb) {schedule = #einsum.schedule<
      tile = [2, 1], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 8>, <"k" prim 16>]>}
    : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %zero = arith.constant 0 : index
  %v = memref.load %c[%zero, %zero] : memref<4x8xf32>
  memref.store %v, %o[%zero] : memref<1xf32>
  bufferization.materialize_in_destination %t in restrict writable %c : (tensor<4x8xf32>, memref<4x8xf32>) -> ()
  return
}
func.func @written_before(%a: memref<4x16xf32>, %b: memref<16x8xf32>, %c: memref<4x8xf32>) {
  %ta = bufferization.to_tensor %a restrict : memref<4x16xf32> to tensor<4x16xf32>
  %tb = bufferization.to_tensor %b restrict : memref<16x8xf32> to tensor<16x8xf32>
  %t = einsum.contract "mk, kn -> mn" (%ta, %tb) {schedule = #einsum.schedule<
      tile = [2, 1], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 8>, <"k" prim 16>]>}
    : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<4x8xf32>)
  bufferization.materialize_in_destination %t in restrict writable %c : (tensor<4x8xf32>, memref<4x8xf32>) -> ()
  return
}

// An element that is read just before it is written is no reason: a sum starts from it, or the epilogue of a whole sum reads it.
// DIRECT-LABEL: @start
// DIRECT-NOT: memref.alloc
// DIRECT: return
func.func @start(%a: memref<4x6xf32>, %b: memref<6x11xf32>, %x: memref<4x11xf32>) {
  %ta = bufferization.to_tensor %a restrict : memref<4x6xf32> to tensor<4x6xf32>
  %tb = bufferization.to_tensor %b restrict : memref<6x11xf32> to tensor<6x11xf32>
  %tx = bufferization.to_tensor %x restrict : memref<4x11xf32> to tensor<4x11xf32>
  %y = einsum.kernel (%p = %ta : tensor<4x6xf32>, %q = %tb : tensor<6x11xf32>, %r = %tx : tensor<4x11xf32>) -> tensor<4x11xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 1], unroll = 1, dims = [
        <"k" seq 2 step 3>, <"m" prim 4>, <"n" prim 11>,
        <"k" prim 3>]>}
      : (tensor<4x6xf32>, tensor<6x11xf32>) -> tensor<4x11xf32>
    %m = arith.addf %ab, %r : tensor<4x11xf32>
    %z = arith.constant dense<0.0> : tensor<4x11xf32>
    %n = arith.maximumf %m, %z : tensor<4x11xf32>
    einsum.yield %n : tensor<4x11xf32>
  }
  bufferization.materialize_in_destination %y in restrict writable %x : (tensor<4x11xf32>, memref<4x11xf32>) -> ()
  return
}
// DIRECT-LABEL: @residual
// DIRECT-NOT: memref.alloc
// DIRECT: return
func.func @residual(%a: memref<4x6xf32>, %b: memref<6x11xf32>, %x: memref<4x11xf32>) {
  %ta = bufferization.to_tensor %a restrict : memref<4x6xf32> to tensor<4x6xf32>
  %tb = bufferization.to_tensor %b restrict : memref<6x11xf32> to tensor<6x11xf32>
  %tx = bufferization.to_tensor %x restrict : memref<4x11xf32> to tensor<4x11xf32>
  %y = einsum.kernel (%p = %ta : tensor<4x6xf32>, %q = %tb : tensor<6x11xf32>, %r = %tx : tensor<4x11xf32>) -> tensor<4x11xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 1], unroll = 1, dims = [
        <"m" prim 4>, <"n" prim 11>,
        <"k" prim 6>]>}
      : (tensor<4x6xf32>, tensor<6x11xf32>) -> tensor<4x11xf32>
    %m = arith.mulf %ab, %r : tensor<4x11xf32>
    einsum.yield %m : tensor<4x11xf32>
  }
  bufferization.materialize_in_destination %y in restrict writable %x : (tensor<4x11xf32>, memref<4x11xf32>) -> ()
  return
}

// Elsewhere than where the result is written.
// DIRECT-LABEL: @transposed(
// DIRECT: memref.alloc
func.func @transposed(%a: memref<11x6xf32>, %b: memref<6x11xf32>, %x: memref<11x11xf32>) {
  %ta = bufferization.to_tensor %a restrict : memref<11x6xf32> to tensor<11x6xf32>
  %tb = bufferization.to_tensor %b restrict : memref<6x11xf32> to tensor<6x11xf32>
  %tx = bufferization.to_tensor %x restrict : memref<11x11xf32> to tensor<11x11xf32>
  %y = einsum.kernel (%p = %ta : tensor<11x6xf32>, %q = %tb : tensor<6x11xf32>, %r = %tx : tensor<11x11xf32>) -> tensor<11x11xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 1], unroll = 1, dims = [
        <"m" prim 11>, <"n" prim 11>,
        <"k" prim 6>]>}
      : (tensor<11x6xf32>, tensor<6x11xf32>) -> tensor<11x11xf32>
    %e = tensor.empty() : tensor<11x11xf32>
    %rt = linalg.transpose ins(%r : tensor<11x11xf32>) outs(%e : tensor<11x11xf32>) permutation = [1, 0]
    %m = arith.addf %ab, %rt : tensor<11x11xf32>
    einsum.yield %m : tensor<11x11xf32>
  }
  bufferization.materialize_in_destination %y in restrict writable %x : (tensor<11x11xf32>, memref<11x11xf32>) -> ()
  return
}
// DIRECT-LABEL: @transposed_result
// DIRECT: memref.alloc
func.func @transposed_result(%a: memref<11x6xf32>, %b: memref<6x11xf32>, %x: memref<11x11xf32>) {
  %ta = bufferization.to_tensor %a restrict : memref<11x6xf32> to tensor<11x6xf32>
  %tb = bufferization.to_tensor %b restrict : memref<6x11xf32> to tensor<6x11xf32>
  %tx = bufferization.to_tensor %x restrict : memref<11x11xf32> to tensor<11x11xf32>
  %y = einsum.kernel (%p = %ta : tensor<11x6xf32>, %q = %tb : tensor<6x11xf32>, %r = %tx : tensor<11x11xf32>) -> tensor<11x11xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 1], unroll = 1, dims = [
        <"m" prim 11>, <"n" prim 11>,
        <"k" prim 6>]>}
      : (tensor<11x6xf32>, tensor<6x11xf32>) -> tensor<11x11xf32>
    %m = arith.addf %ab, %r : tensor<11x11xf32>
    %e = tensor.empty() : tensor<11x11xf32>
    %rt = linalg.transpose ins(%m : tensor<11x11xf32>) outs(%e : tensor<11x11xf32>) permutation = [1, 0]
    einsum.yield %rt : tensor<11x11xf32>
  }
  bufferization.materialize_in_destination %y in restrict writable %x : (tensor<11x11xf32>, memref<11x11xf32>) -> ()
  return
}

// Both are transposed: again it is the same element.
// DIRECT-LABEL: @both_transposed
// DIRECT-NOT: memref.alloc
// DIRECT: return
func.func @both_transposed(%a: memref<11x6xf32>, %b: memref<6x11xf32>, %x: memref<11x11xf32>) {
  %ta = bufferization.to_tensor %a restrict : memref<11x6xf32> to tensor<11x6xf32>
  %tb = bufferization.to_tensor %b restrict : memref<6x11xf32> to tensor<6x11xf32>
  %tx = bufferization.to_tensor %x restrict : memref<11x11xf32> to tensor<11x11xf32>
  %y = einsum.kernel (%p = %ta : tensor<11x6xf32>, %q = %tb : tensor<6x11xf32>, %r = %tx : tensor<11x11xf32>) -> tensor<11x11xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 1], unroll = 1, dims = [
        <"m" prim 11>, <"n" prim 11>,
        <"k" prim 6>]>}
      : (tensor<11x6xf32>, tensor<6x11xf32>) -> tensor<11x11xf32>
    %e0 = tensor.empty() : tensor<11x11xf32>
    %r0 = linalg.transpose ins(%r : tensor<11x11xf32>) outs(%e0 : tensor<11x11xf32>) permutation = [1, 0]
    %m = arith.addf %ab, %r0 : tensor<11x11xf32>
    %e = tensor.empty() : tensor<11x11xf32>
    %rt = linalg.transpose ins(%m : tensor<11x11xf32>) outs(%e : tensor<11x11xf32>) permutation = [1, 0]
    einsum.yield %rt : tensor<11x11xf32>
  }
  bufferization.materialize_in_destination %y in restrict writable %x : (tensor<11x11xf32>, memref<11x11xf32>) -> ()
  return
}

}
