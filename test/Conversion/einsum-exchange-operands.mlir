// Operands are exchanged where instructions of warpgroups would have them the other way, and nowhere else.
// RUN: tile-opt %s --tile-attach-target=chip=sm_90a --einsum-fuse --einsum-exchange-operands | FileCheck %s
// RUN: tile-opt %s --tile-attach-target=chip=sm_90a --einsum-fuse --einsum-exchange-operands --remark-policy=all \
// RUN:   --remarks-filter=tile -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:
// RUN: tile-opt %s --tile-attach-target=chip=sm_80 --einsum-fuse --einsum-exchange-operands | FileCheck %s --check-prefix=WARPS
// Blocks that are for no such instruction.
// RUN: tile-opt %s --tile-attach-target=chip=sm_90a --einsum-fuse --einsum-exchange-operands="config={block=16x128x64}" \
// RUN:   --remark-policy=all --remarks-filter=tile 2>&1 | FileCheck %s --check-prefixes=WARPS,BLOCK
// RUN: tile-opt %s --tile-attach-target=chip=sm_90a --einsum-fuse \
// RUN:   --einsum-exchange-operands="config={atom=m16n8k16_bf16 warp=64x32}" --remark-policy=all --remarks-filter=tile 2>&1 \
// RUN: | FileCheck %s --check-prefixes=WARPS,ATOM
// BLOCK: remark: [Missed] exchange-operands {{.*}}Reason="blocks have an M of 16: expected a multiple of 64"
// ATOM: remark: [Missed] exchange-operands {{.*}}Reason="the configuration asks for m16n8k16_bf16"

// WARPS-NOT: "kn, mk -> mn"

// CHECK-LABEL: @few_rows
// CHECK: einsum.contract "kn, mk -> mn" (%arg1, %arg0) : (tensor<512x256xbf16>, tensor<16x512xbf16>) -> tensor<16x256xf32>
// REMARK: exchange-operands.mlir:[[# @LINE + 2]]:{{.*}} remark: [Passed] exchange-operands {{.*}}Reason="M is small"
func.func @few_rows(%a: tensor<16x512xbf16>, %b: tensor<512x256xbf16>) -> tensor<16x256xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<16x512xbf16>, tensor<512x256xbf16>) -> tensor<16x256xf32>
  return %c : tensor<16x256xf32>
}

// The tables and what is said of the contraction stay with it.
// CHECK-LABEL: @tables
// CHECK: einsum.contract "kn, m(t[k]) -> mn" (%arg1, %arg0) tables(t = %arg2 : tensor<512xi32>) {acc = f32, mine = 1 : i64, pad = "zero"}
// REMARK: remark: [Passed] exchange-operands {{.*}}Reason="M is small"
func.func @tables(%a: tensor<16x600xbf16>, %b: tensor<512x256xbf16>, %t: tensor<512xi32>) -> tensor<16x256xbf16> {
  %c = einsum.contract "m(t[k]), kn -> mn" (%a, %b) tables(t = %t : tensor<512xi32>) {acc = f32, mine = 1 : i64, pad = "zero"}
      : (tensor<16x600xbf16>, tensor<512x256xbf16>) -> tensor<16x256xbf16>
  return %c : tensor<16x256xbf16>
}

// Weights are converted: B would have to be in shared memory.
// CHECK-LABEL: @weights
// CHECK: %[[P:.*]] = arith.sitofp
// CHECK: einsum.contract "nk, mk -> mn" (%[[P]], %{{.*}})
// REMARK: remark: [Passed] exchange-operands {{.*}}Reason="pointwise ops make B"
// WARPS-LABEL: @weights
// WARPS: einsum.contract "mk, nk -> mn"
func.func @weights(%a: tensor<128x512xbf16>, %w: tensor<256x512xi8>) -> tensor<128x256xf32> {
  %b = arith.sitofp %w : tensor<256x512xi8> to tensor<256x512xbf16>
  %c = einsum.contract "mk, nk -> mn" (%a, %b) : (tensor<128x512xbf16>, tensor<256x512xbf16>) -> tensor<128x256xf32>
  return %c : tensor<128x256xf32>
}

// A is made already; then both are; N is small as well; a vector; sizes that are not known count as large.
// CHECK-LABEL: @kept
// CHECK-COUNT-3: einsum.contract "mk, kn -> mn"
// CHECK: einsum.contract "k, kn -> n"
// CHECK: einsum.contract "mk, kn -> mn"
func.func @kept(%a: tensor<16x64xbf16>, %b: tensor<64x128xbf16>, %s: tensor<64x32xbf16>, %v: tensor<64xbf16>,
                %d: tensor<?x64xbf16>) -> (tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x32xf32>, tensor<128xf32>, tensor<?x128xf32>) {
  %p = math.absf %a : tensor<16x64xbf16>
  %0 = einsum.contract "mk, kn -> mn" (%p, %b) : (tensor<16x64xbf16>, tensor<64x128xbf16>) -> tensor<16x128xf32>
  %q = math.absf %b : tensor<64x128xbf16>
  %r = math.exp %a : tensor<16x64xbf16>
  %1 = einsum.contract "mk, kn -> mn" (%r, %q) : (tensor<16x64xbf16>, tensor<64x128xbf16>) -> tensor<16x128xf32>
  %2 = einsum.contract "mk, kn -> mn" (%a, %s) : (tensor<16x64xbf16>, tensor<64x32xbf16>) -> tensor<16x32xf32>
  %3 = einsum.contract "k, kn -> n" (%v, %b) : (tensor<64xbf16>, tensor<64x128xbf16>) -> tensor<128xf32>
  %4 = einsum.contract "mk, kn -> mn" (%d, %b) : (tensor<?x64xbf16>, tensor<64x128xbf16>) -> tensor<?x128xf32>
  return %0, %1, %2, %3, %4 : tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x32xf32>, tensor<128xf32>, tensor<?x128xf32>
}

// No instruction of warpgroups takes f32.
// CHECK-LABEL: @floats
// CHECK: einsum.contract "mk, kn -> mn"
func.func @floats(%a: tensor<16x512xf32>, %b: tensor<512x256xf32>) -> tensor<16x256xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<16x512xf32>, tensor<512x256xf32>) -> tensor<16x256xf32>
  return %c : tensor<16x256xf32>
}

// CHECK-LABEL: @configured
// CHECK: einsum.contract "mk, kn -> mn"
// REMARK: remark: [Missed] exchange-operands {{.*}}Reason="its 'tile.config' has blocks of M and N as they are"
func.func @configured(%a: tensor<16x512xbf16>, %b: tensor<512x256xbf16>) -> tensor<16x256xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {tile.config = #tile.config<block=16x128x64>}
      : (tensor<16x512xbf16>, tensor<512x256xbf16>) -> tensor<16x256xf32>
  return %c : tensor<16x256xf32>
}
