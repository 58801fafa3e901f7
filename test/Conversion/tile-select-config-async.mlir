// tile-select-config for chips with asynchronous copies: stages, and groups of programs.
//
// RUN: tile-opt %s --tile-attach-target=chip=sm_80 --tile-select-config=config=auto | FileCheck %s
// RUN: tile-opt %s --tile-attach-target=chip=sm_80 --tile-select-config="config={auto stages=6}" | FileCheck %s --check-prefix=SIX
// RUN: tile-opt %s --tile-attach-target=chip=sm_80 --tile-select-config | FileCheck %s --check-prefix=DEFAULT
// RUN: tile-opt %s --tile-attach-target=chip=sm_80 --tile-select-config="config={stages=2}" | FileCheck %s --check-prefix=TWO
// RUN: not tile-opt %s --tile-attach-target=chip=sm_80 --tile-select-config="config={auto stages=9}" 2>&1 | FileCheck %s --check-prefix=NINE
// RUN: tile-opt %s --tile-attach-target=chip=sm_80 --tile-select-config="config=auto list=2" --remark-format=emitRemark --remarks-filter=tile \
// RUN:   2>&1 >/dev/null | FileCheck %s --check-prefix=LIST

// LIST: [Passed] select-config
// LIST: [Analysis] list-configs | Category:tile | config="block={{.*}} warp={{.*}} stages={{[0-9].*}}", estimate={{[0-9.]+}}, instructions={{[0-9]+}}
// LIST-NEXT: einsum.contract
// LIST-NEXT: ^
// LIST-NEXT: [Analysis] list-configs
// LIST: [Passed] select-config
// DEFAULT-COUNT-5: tile.config = #tile.config<block=128x128x32 warp=64x32 split_k=1 stages=3>
// TWO-COUNT-5: tile.config = #tile.config<block=128x128x32 warp=64x32 split_k=1 stages=2>
// NINE: error: tile-select-config selects among configurations of 1 to 8 stages for sm_80, found 9

// L2 holds the operands: programs in order.
// CHECK-LABEL: @square
// CHECK: tile.config = #tile.config<block={{.*}} atom=m16n8k16_f16 split_k={{[0-9]}} stages={{[34]}}>
// SIX-LABEL: @square
// SIX: stages=6>
func.func @square(%a: tensor<1024x1024xf16>, %b: tensor<1024x1024xf16>) -> tensor<1024x1024xf16> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<1024x1024xf16>, tensor<1024x1024xf16>) -> tensor<1024x1024xf16>
  return %c : tensor<1024x1024xf16>
}

// It does not: programs that run together are a rectangle.
// CHECK-LABEL: @large
// CHECK: tile.config = #tile.config<{{.*}} stages={{[34]}} group={{4|8|16}}>
func.func @large(%a: tensor<8192x8192xbf16>, %b: tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8192x8192xbf16>, tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16>
  return %c : tensor<8192x8192xbf16>
}

// Two steps at most.
// CHECK-LABEL: @shallow
// CHECK: stages={{[12]}}>
func.func @shallow(%a: tensor<1024x32xf16>, %b: tensor<32x1024xf16>) -> tensor<1024x1024xf16> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<1024x32xf16>, tensor<32x1024xf16>) -> tensor<1024x1024xf16>
  return %c : tensor<1024x1024xf16>
}

// An operand that pointwise ops compute goes through registers.
// CHECK-LABEL: @prologue
// CHECK: einsum.kernel
// CHECK-SAME: tile.config = #tile.config<
func.func @prologue(%a: tensor<1024x1024xf16>, %b: tensor<1024x1024xf16>) -> tensor<1024x1024xf16> {
  %0 = einsum.kernel (%p = %a : tensor<1024x1024xf16>, %q = %b : tensor<1024x1024xf16>) -> tensor<1024x1024xf16> {
    %1 = arith.addf %p, %p : tensor<1024x1024xf16>
    %2 = einsum.contract "mk, kn -> mn" (%1, %q) : (tensor<1024x1024xf16>, tensor<1024x1024xf16>) -> tensor<1024x1024xf16>
    einsum.yield %2 : tensor<1024x1024xf16>
  }
  return %0 : tensor<1024x1024xf16>
}

// Bytes, which one atom takes.
// CHECK-LABEL: @bytes
// CHECK: atom=m16n8k32_i8 {{.*}} stages={{[34]}}>
func.func @bytes(%a: tensor<512x2048xi8>, %b: tensor<512x2048xi8>) -> tensor<512x512xi32> {
  %c = einsum.contract "mk, nk -> mn" (%a, %b) : (tensor<512x2048xi8>, tensor<512x2048xi8>) -> tensor<512x512xi32>
  return %c : tensor<512x512xi32>
}
