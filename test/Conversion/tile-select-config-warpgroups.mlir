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
// Each op counts once, however often it is used.
// CHECK-LABEL: @squares
// CHECK: tile.config
func.func @squares(%a: tensor<1024x1024xf16>, %b: tensor<1024x1024xf16>) -> tensor<1024x1024xf16> {
  %0 = einsum.kernel (%p = %a : tensor<1024x1024xf16>, %q = %b : tensor<1024x1024xf16>) -> tensor<1024x1024xf16> {
    %s1 = arith.mulf %p, %p : tensor<1024x1024xf16>
    %s2 = arith.mulf %s1, %s1 : tensor<1024x1024xf16>
    %s3 = arith.mulf %s2, %s2 : tensor<1024x1024xf16>
    %s4 = arith.mulf %s3, %s3 : tensor<1024x1024xf16>
    %s5 = arith.mulf %s4, %s4 : tensor<1024x1024xf16>
    %s6 = arith.mulf %s5, %s5 : tensor<1024x1024xf16>
    %s7 = arith.mulf %s6, %s6 : tensor<1024x1024xf16>
    %s8 = arith.mulf %s7, %s7 : tensor<1024x1024xf16>
    %s9 = arith.mulf %s8, %s8 : tensor<1024x1024xf16>
    %s10 = arith.mulf %s9, %s9 : tensor<1024x1024xf16>
    %s11 = arith.mulf %s10, %s10 : tensor<1024x1024xf16>
    %s12 = arith.mulf %s11, %s11 : tensor<1024x1024xf16>
    %s13 = arith.mulf %s12, %s12 : tensor<1024x1024xf16>
    %s14 = arith.mulf %s13, %s13 : tensor<1024x1024xf16>
    %s15 = arith.mulf %s14, %s14 : tensor<1024x1024xf16>
    %s16 = arith.mulf %s15, %s15 : tensor<1024x1024xf16>
    %s17 = arith.mulf %s16, %s16 : tensor<1024x1024xf16>
    %s18 = arith.mulf %s17, %s17 : tensor<1024x1024xf16>
    %s19 = arith.mulf %s18, %s18 : tensor<1024x1024xf16>
    %s20 = arith.mulf %s19, %s19 : tensor<1024x1024xf16>
    %s21 = arith.mulf %s20, %s20 : tensor<1024x1024xf16>
    %s22 = arith.mulf %s21, %s21 : tensor<1024x1024xf16>
    %s23 = arith.mulf %s22, %s22 : tensor<1024x1024xf16>
    %s24 = arith.mulf %s23, %s23 : tensor<1024x1024xf16>
    %s25 = arith.mulf %s24, %s24 : tensor<1024x1024xf16>
    %s26 = arith.mulf %s25, %s25 : tensor<1024x1024xf16>
    %s27 = arith.mulf %s26, %s26 : tensor<1024x1024xf16>
    %s28 = arith.mulf %s27, %s27 : tensor<1024x1024xf16>
    %s29 = arith.mulf %s28, %s28 : tensor<1024x1024xf16>
    %s30 = arith.mulf %s29, %s29 : tensor<1024x1024xf16>
    %s31 = arith.mulf %s30, %s30 : tensor<1024x1024xf16>
    %s32 = arith.mulf %s31, %s31 : tensor<1024x1024xf16>
    %s33 = arith.mulf %s32, %s32 : tensor<1024x1024xf16>
    %s34 = arith.mulf %s33, %s33 : tensor<1024x1024xf16>
    %s35 = arith.mulf %s34, %s34 : tensor<1024x1024xf16>
    %s36 = arith.mulf %s35, %s35 : tensor<1024x1024xf16>
    %s37 = arith.mulf %s36, %s36 : tensor<1024x1024xf16>
    %s38 = arith.mulf %s37, %s37 : tensor<1024x1024xf16>
    %s39 = arith.mulf %s38, %s38 : tensor<1024x1024xf16>
    %s40 = arith.mulf %s39, %s39 : tensor<1024x1024xf16>
    %s = einsum.contract "mk, kn -> mn" (%s40, %q) : (tensor<1024x1024xf16>, tensor<1024x1024xf16>) -> tensor<1024x1024xf16>
    einsum.yield %s : tensor<1024x1024xf16>
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
