// An epilogue that rescales in 64 bits: LLVM's code generation makes a store of 64 bits of a masked one that truncates to 32 bits
// and stores one lane. A lane that is alone is stored as a scalar. (Such a store would change the row below. Of more than four
// columns, a vector that begins earlier holds the last one.)
//
// RUN: tile-opt --convert-einsum-to-vector %s | FileCheck %s
// RUN: %python %source/test/Conversion/exact.py --tile-run tile-run --tile-opt tile-opt %s | FileCheck %s --check-prefix=EXACT
// EXACT: 1 functions, 0 wrong

#machine = #einsum.machine<cpu = "any", vector_bits = 256, registers = 16, fma = 2, latency = 4, l1 = 32768,
    l2 = 1048576, l3 = 8388608, cores = 2, bf16 = false>
module attributes {einsum.machine = #machine} {

// CHECK-LABEL: @requantize
// CHECK-NOT: vector.maskedstore
// CHECK: memref.store {{.*}} : memref<4xi32>
func.func @requantize(%a: tensor<4x3xi8>, %b: tensor<3x1xi8>, %scale: tensor<1xi64>) -> tensor<4x1xi32> {
  %y = einsum.kernel (%p = %a : tensor<4x3xi8>, %q = %b : tensor<3x1xi8>, %r = %scale : tensor<1xi64>) -> tensor<4x1xi32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 1], dims = [
        <"m" prim 4>, <"n" prim 1>, <"k" prim 3>]>}
      : (tensor<4x3xi8>, tensor<3x1xi8>) -> tensor<4x1xi32>
    %wide = arith.extsi %ab : tensor<4x1xi32> to tensor<4x1xi64>
    %e = tensor.empty() : tensor<4x1xi64>
    %scales = linalg.broadcast ins(%r : tensor<1xi64>) outs(%e : tensor<4x1xi64>) dimensions = [0]
    %scaled = arith.muli %wide, %scales : tensor<4x1xi64>
    %one = arith.constant dense<1> : tensor<4x1xi64>
    %half = arith.shrsi %scaled, %one : tensor<4x1xi64>
    %narrow = arith.trunci %half : tensor<4x1xi64> to tensor<4x1xi32>
    einsum.yield %narrow : tensor<4x1xi32>
  }
  return %y : tensor<4x1xi32>
}

}
