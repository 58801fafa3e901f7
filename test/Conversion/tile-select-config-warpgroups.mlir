// tile-select-config for chips with instructions of warpgroups: which kernels get them, and which do not.
//
// RUN: tile-opt %s --tile-attach-target=chip=sm_90a --tile-select-config=config=auto | FileCheck %s
// RUN: tile-opt %s --tile-attach-target=chip=sm_90 --tile-select-config=config=auto | FileCheck %s --check-prefix=OLDER
// RUN: tile-opt %s --tile-attach-target=chip=sm_90a --tile-select-config="config={auto stages=2}" | FileCheck %s --check-prefix=TWO

// OLDER-NOT: wgmma

// CHECK-LABEL: @square
// CHECK: tile.config = #tile.config<block=128x256x64 warp=16x256 atom=wgmma_k16_bf16 split_k=1 stages=4 group={{[0-9]+}} cluster=2>
// TWO-LABEL: @square
// TWO: atom=wgmma_k16_bf16 split_k=1 stages=2
func.func @square(%a: tensor<8192x8192xbf16>, %b: tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8192x8192xbf16>, tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16>
  return %c : tensor<8192x8192xbf16>
}

// Blocks are boxes, whose K is that of the channels.
// CHECK-LABEL: @convolution
// CHECK: tile.config = #tile.config<block={{[0-9]+x[0-9]+}}x32 {{.*}} atom=wgmma_k32_i8
func.func @convolution(%a: tensor<8x58x66x32xi8>, %b: tensor<256x3x3x32xi8>) -> tensor<8x56x64x256xi32> {
  %c = einsum.contract "n(h+r)(w+s)c, krsc -> nhwk" (%a, %b) : (tensor<8x58x66x32xi8>, tensor<256x3x3x32xi8>) -> tensor<8x56x64x256xi32>
  return %c : tensor<8x56x64x256xi32>
}

// Half of the smallest block would be in vain.
// CHECK-LABEL: @narrow
// CHECK: tile.config = #tile.config<{{.*}} atom=m16n8k{{[0-9]+}}_f16
func.func @narrow(%a: tensor<16x1024xf16>, %b: tensor<1024x1024xf16>) -> tensor<16x1024xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<16x1024xf16>, tensor<1024x1024xf16>) -> tensor<16x1024xf32>
  return %c : tensor<16x1024xf32>
}

// Rows begin where no tensor map can.
// CHECK-LABEL: @unaligned
// CHECK: tile.config = #tile.config<{{.*}} atom=m16n8k{{[0-9]+}}_f16
func.func @unaligned(%a: tensor<1024x1020xf16>, %b: tensor<1020x1024xf16>) -> tensor<1024x1024xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<1024x1020xf16>, tensor<1020x1024xf16>) -> tensor<1024x1024xf32>
  return %c : tensor<1024x1024xf32>
}

// Sizes that are multiples of something are known to be aligned, others are not.
// CHECK-LABEL: @dynamic
// CHECK: tile.config = #tile.config<{{.*}} atom=wgmma_k16_f16
func.func @dynamic(%a: tensor<?x?xf16> {einsum.multiple_of = array<i64: 1, 8>}, %b: tensor<?x1024xf16>) -> tensor<?x1024xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<?x?xf16>, tensor<?x1024xf16>) -> tensor<?x1024xf32>
  return %c : tensor<?x1024xf32>
}
// CHECK-LABEL: @anything
// CHECK: tile.config = #tile.config<{{.*}} atom=m16n8k{{[0-9]+}}_f16
func.func @anything(%a: tensor<?x?xf16>, %b: tensor<?x1024xf16>) -> tensor<?x1024xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<?x?xf16>, tensor<?x1024xf16>) -> tensor<?x1024xf32>
  return %c : tensor<?x1024xf32>
}

// What pointwise ops compute is in no memory that could be copied: operand A may be in registers, operand B not. What they make of
// the sum does not matter.
// CHECK-LABEL: @computed_b
// CHECK: atom=m16n8k{{[0-9]+}}_f16
func.func @computed_b(%a: tensor<1024x1024xf16>, %b: tensor<1024x1024xf16>) -> tensor<1024x1024xf16> {
  %0 = einsum.kernel (%p = %a : tensor<1024x1024xf16>, %q = %b : tensor<1024x1024xf16>) -> tensor<1024x1024xf16> {
    %1 = arith.addf %q, %q : tensor<1024x1024xf16>
    %2 = einsum.contract "mk, kn -> mn" (%p, %1) : (tensor<1024x1024xf16>, tensor<1024x1024xf16>) -> tensor<1024x1024xf16>
    einsum.yield %2 : tensor<1024x1024xf16>
  }
  return %0 : tensor<1024x1024xf16>
}
// CHECK-LABEL: @computed_a
// CHECK: atom=wgmma_k16_f16
func.func @computed_a(%a: tensor<1024x1024xf16>, %b: tensor<1024x1024xf16>) -> tensor<1024x1024xf16> {
  %0 = einsum.kernel (%p = %a : tensor<1024x1024xf16>, %q = %b : tensor<1024x1024xf16>) -> tensor<1024x1024xf16> {
    %1 = arith.addf %p, %p : tensor<1024x1024xf16>
    %2 = einsum.contract "mk, kn -> mn" (%1, %q) : (tensor<1024x1024xf16>, tensor<1024x1024xf16>) -> tensor<1024x1024xf16>
    einsum.yield %2 : tensor<1024x1024xf16>
  }
  return %0 : tensor<1024x1024xf16>
}
// CHECK-LABEL: @epilogue
// CHECK: atom=wgmma_k16_f16
func.func @epilogue(%a: tensor<1024x1024xf16>, %b: tensor<1024x1024xf16>) -> tensor<1024x1024xf16> {
  %0 = einsum.kernel (%p = %a : tensor<1024x1024xf16>, %q = %b : tensor<1024x1024xf16>) -> tensor<1024x1024xf16> {
    %1 = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<1024x1024xf16>, tensor<1024x1024xf16>) -> tensor<1024x1024xf16>
    %2 = arith.addf %1, %1 : tensor<1024x1024xf16>
    einsum.yield %2 : tensor<1024x1024xf16>
  }
  return %0 : tensor<1024x1024xf16>
}
