// LLVM's code generation makes a store of 32 bits of a masked one that truncates integers of 32 bits and stores one lane: what
// is less than a vector of narrower elements is stored one by one. Such a store would change the rows below. (Of more than four
// columns, a vector that begins earlier holds the last ones.)
//
// RUN: tile-opt --convert-einsum-to-vector %s | FileCheck %s --implicit-check-not=vector.maskedstore
// RUN: %python %source/test/Conversion/exact.py --tile-run tile-run --tile-opt tile-opt %s | FileCheck %s --check-prefix=EXACT
// RUN: %python %source/test/Conversion/exact.py --tile-run tile-run --tile-opt tile-opt %s --vector-bits=128 | FileCheck %s --check-prefix=EXACT
// RUN: %python %source/test/Conversion/exact.py --tile-run tile-run --tile-opt tile-opt %s --vector-bits=512 | FileCheck %s --check-prefix=EXACT
// EXACT: 5 functions, 0 wrong

#machine = #einsum.machine<cpu = "any", vector_bits = 256, registers = 16, fma = 2, latency = 4, l1 = 32768,
    l2 = 1048576, l3 = 8388608, cores = 2, bf16 = false>
module attributes {einsum.machine = #machine} {

// CHECK-LABEL: @bytes
// CHECK: memref.store {{.*}} : memref<6xi8>
func.func @bytes(%a: memref<2x3xi8>, %b: memref<3x3xi8>, %c: memref<2x3xi8>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<2x3xi8>) {schedule = #einsum.schedule<
      tile = [2, 1], dims = [
      <"m" prim 2>, <"n" prim 3>, <"k" prim 3>]>}
    : (memref<2x3xi8>, memref<3x3xi8>)
  return
}

// Nothing is truncated here, and elements are stored 9 apart.
// CHECK-LABEL: @columns
// CHECK: memref.store {{.*}} : memref<27xi8>
func.func @columns(%a: memref<9x3xi8>, %c: memref<3x9xi8>) {
  einsum.contract "nm -> mn" (%a) outs(%c : memref<3x9xi8>) {schedule = #einsum.schedule<
      lanes = 1, tile = [2, 1], dims = [
      <"n" prim 9>, <"m" prim 3>]>}
    : (memref<9x3xi8>)
  return
}

// CHECK-LABEL: @halves
// CHECK: memref.store {{.*}} : memref<6xf16>
func.func @halves(%a: memref<2x3xf16>, %b: memref<3x3xf16>, %c: memref<2x3xf16>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<2x3xf16>) {schedule = #einsum.schedule<
      tile = [2, 1], dims = [
      <"m" prim 2>, <"n" prim 3>, <"k" prim 3>]>}
    : (memref<2x3xf16>, memref<3x3xf16>)
  return
}

// The epilogue makes them narrow.
// CHECK-LABEL: @fused_bfloats
// CHECK: memref.store {{.*}} : memref<6xbf16>
func.func @fused_bfloats(%a: tensor<2x3xf32>, %b: tensor<3x3xf32>) -> tensor<2x3xbf16> {
  %y = einsum.kernel (%p = %a : tensor<2x3xf32>, %q = %b : tensor<3x3xf32>) -> tensor<2x3xbf16> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 1], dims = [
        <"m" prim 2>, <"n" prim 3>, <"k" prim 3>]>}
      : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
    %t = arith.truncf %ab : tensor<2x3xf32> to tensor<2x3xbf16>
    einsum.yield %t : tensor<2x3xbf16>
  }
  return %y : tensor<2x3xbf16>
}
// CHECK-LABEL: @fused_bytes
// CHECK: memref.store {{.*}} : memref<6xi8>
func.func @fused_bytes(%a: tensor<2x3xi32>, %b: tensor<3x3xi32>) -> tensor<2x3xi8> {
  %y = einsum.kernel (%p = %a : tensor<2x3xi32>, %q = %b : tensor<3x3xi32>) -> tensor<2x3xi8> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 1], dims = [
        <"m" prim 2>, <"n" prim 3>, <"k" prim 3>]>}
      : (tensor<2x3xi32>, tensor<3x3xi32>) -> tensor<2x3xi32>
    %t = arith.trunci %ab : tensor<2x3xi32> to tensor<2x3xi8>
    einsum.yield %t : tensor<2x3xi8>
  }
  return %y : tensor<2x3xi8>
}

}
