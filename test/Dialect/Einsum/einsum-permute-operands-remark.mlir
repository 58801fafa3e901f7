// einsum-permute-operands tells the order in which an operand is copied, and why another one is not.
//
// RUN: tile-opt --einsum-permute-operands %s --remark-policy=all --remarks-filter=einsum 2>&1 >/dev/null | FileCheck %s
// RUN: tile-opt --einsum-permute-operands %s | FileCheck %s --check-prefix=SAME

func.func @copied(%a: tensor<4x64x30x30xf16>, %b: tensor<64x128x3x3xf16>) -> tensor<4x128x28x28xf16> {
  // CHECK: [[@LINE+2]]:8: remark: [Passed] permute-operands | Category:einsum | axes="0, 2, 3, 1", operand=0, reuse=7.8
  // CHECK: [[@LINE+1]]:8: remark: [Passed] permute-operands | Category:einsum | axes="1, 2, 3, 0", operand=1, reuse=25.0
  %0 = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%a, %b)
      : (tensor<4x64x30x30xf16>, tensor<64x128x3x3xf16>) -> tensor<4x128x28x28xf16>
  return %0 : tensor<4x128x28x28xf16>
}

// SAME-LABEL: @tables
func.func @tables(%a: tensor<4x128x30x30xf16>, %b: tensor<128x128xf16>, %t: tensor<128xi32>)
    -> tensor<4x128x28x28xf16> {
  // CHECK: [[@LINE+2]]:8: remark: [Missed] {{.*}} Reason="'w' is no axis by itself; 'c' is no axis by itself", operand=0
  // SAME-NEXT: "nc(h+t[c])(w+t[c]), ck -> nkhw"
  %0 = einsum.contract "nc(h+t[c])(w+t[c]), ck -> nkhw" (%a, %b) tables(t = %t : tensor<128xi32>)
      : (tensor<4x128x30x30xf16>, tensor<128x128xf16>) -> tensor<4x128x28x28xf16>
  return %0 : tensor<4x128x28x28xf16>
}

// SAME-LABEL: @sizes
func.func @sizes(%a: tensor<4x3x30x30xf16>, %b: tensor<3x100x3x3xf16>) -> tensor<4x100x28x28xf16> {
  // CHECK: [[@LINE+3]]:8: remark: [Missed] {{.*}} Reason="'w' is no axis by itself; 's' is no axis by itself; 'r' is no axis by itself; the size of 'c', 3, is no multiple of 8", operand=0
  // CHECK: [[@LINE+2]]:8: remark: [Missed] {{.*}} Reason="the size of 'k', 100, is no multiple of 8; the size of 's', 3, is no multiple of 8; the size of 'r', 3, is no multiple of 8; the size of 'c', 3, is no multiple of 8", operand=1
  // SAME-NEXT: "nc(h+r)(w+s), ckrs -> nkhw"
  %0 = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%a, %b)
      : (tensor<4x3x30x30xf16>, tensor<3x100x3x3xf16>) -> tensor<4x100x28x28xf16>
  return %0 : tensor<4x100x28x28xf16>
}

// SAME-LABEL: @reuse
func.func @reuse(%a: tensor<4x128x14x14xf16>, %b: tensor<128x256xf16>) -> tensor<4x256x14x14xf16> {
  // CHECK: [[@LINE+2]]:8: remark: [Missed] {{.*}} Reason="the kernel reads an element 2.0 times only, which costs less than a copy", operand=0
  // SAME-NEXT: "nchw, ck -> nkhw"
  %0 = einsum.contract "nchw, ck -> nkhw" (%a, %b)
      : (tensor<4x128x14x14xf16>, tensor<128x256xf16>) -> tensor<4x256x14x14xf16>
  return %0 : tensor<4x256x14x14xf16>
}

// SAME-LABEL: @dynamic
func.func @dynamic(%a: tensor<?x64x30x30xf16>, %b: tensor<64x128x3x3xf16>) -> tensor<?x128x28x28xf16> {
  // CHECK: [[@LINE+2]]:8: remark: [Missed] {{.*}} Reason="sizes are dynamic"
  // SAME-NEXT: "nc(h+r)(w+s), ckrs -> nkhw"
  %0 = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%a, %b)
      : (tensor<?x64x30x30xf16>, tensor<64x128x3x3xf16>) -> tensor<?x128x28x28xf16>
  return %0 : tensor<?x128x28x28xf16>
}

// Nothing is told of what is no product of blocks, on memrefs, in a kernel already, or wide.
// CHECK-NOT: remark
func.func @others(%a: tensor<4x64x30x30xf16>, %b: tensor<64x3x3xf16>, %c: memref<64x64xf16>, %d: memref<64x64xf32>,
                  %e: tensor<64x64xf16>) -> (tensor<4x64x28x28xf16>, tensor<64x64xf16>) {
  %0 = einsum.contract "nc(h+r)(w+s), crs -> nchw" (%a, %b)
      : (tensor<4x64x30x30xf16>, tensor<64x3x3xf16>) -> tensor<4x64x28x28xf16>
  einsum.contract "mk, kn -> mn" (%c, %c) outs(%d : memref<64x64xf32>) : (memref<64x64xf16>, memref<64x64xf16>)
  %1 = einsum.kernel (%x = %e : tensor<64x64xf16>) -> tensor<64x64xf16> {
    %2 = einsum.contract "mk, kn -> mn" (%x, %x) : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
    einsum.yield %2 : tensor<64x64xf16>
  }
  return %0, %1 : tensor<4x64x28x28xf16>, tensor<64x64xf16>
}
