// tile-select-config: what it sets, what it says, and what it declines. Here with config=auto; the test
// tile-select-config-given.mlir has configurations that are given.
//
// RUN: tile-opt %s --tile-select-config=config=auto --split-input-file --remark-policy=all --remarks-filter=tile 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t
// RUN: tile-opt %s --tile-select-config="config={auto stages=1}" --split-input-file | FileCheck %s --check-prefix=ONE

// Of a large product, large blocks keep tensor cores busy, and groups of programs share what L2 holds.
// CHECK-LABEL: @large
// REMARK: remark: [Passed] select-config | Category:tile | bound-by=tensor, candidates={{[0-9]+}}, chip=sm_70, instructions={{[0-9]+}}, its-microseconds={{.*}}, microseconds={{.*}}, next-block="block={{.*}}", sectors={{[0-9]+}}, selected="block=128x128x{{.*}} warp={{.*}} atom={{.*}} split_k={{.*}} stages=2 group=16", wavefronts={{[0-9]+}}
func.func @large(%a: tensor<4096x4096xf16>, %b: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  // CHECK: einsum.contract "mk, kn -> mn"
  // CHECK-SAME: tile.config = #tile.config<block=128x128x{{.*}} warp={{.*}} atom={{.*}} split_k={{.*}} stages=2 group=16>
  // ONE: stages=1 group={{[0-9]+}}>
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<4096x4096xf16>, tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  return %c : tensor<4096x4096xf16>
}

// -----

// Few rows: blocks are no larger; several parts of the depth keep warps busy.
// CHECK-LABEL: @skinny
// REMARK: remark: [Passed] select-config
func.func @skinny(%a: tensor<16x1024xf16>, %b: tensor<1024x64xf16>) -> tensor<16x64xf16> {
  // CHECK: block=16x{{16|32}}x{{.*}} warp=16x16 atom=volta_16x16x8 split_k={{[24]}} stages=2>
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<16x1024xf16>, tensor<1024x64xf16>) -> tensor<16x64xf16>
  return %c : tensor<16x64xf16>
}

// -----

// One step needs no second buffer.
// CHECK-LABEL: @step
// REMARK: remark: [Passed] select-config
func.func @step(%a: tensor<64x8xf16>, %b: tensor<8x64xf16>) -> tensor<64x64xf16> {
  // CHECK: x8 {{.*}} stages=1>
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x8xf16>, tensor<8x64xf16>) -> tensor<64x64xf16>
  return %c : tensor<64x64xf16>
}

// -----

// A kernel of two products has one configuration, and its contractions none.
// CHECK-LABEL: @fused
// REMARK: remark: [Passed] select-config
func.func @fused(%a: tensor<128x64xf16>, %b: tensor<64x128xf16>, %c: tensor<128x96xf16>,
                 %d: tensor<96x128xf16>) -> tensor<128x128xf16> {
  // CHECK: einsum.kernel
  // CHECK-SAME: attributes {tile.config = #tile.config<block={{.*}}>} {
  // CHECK-NOT: tile.config
  // CHECK: return
  %0 = einsum.kernel (%p = %a : tensor<128x64xf16>, %q = %b : tensor<64x128xf16>, %r = %c : tensor<128x96xf16>,
                      %s = %d : tensor<96x128xf16>) -> tensor<128x128xf16> {
    %1 = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<128x64xf16>, tensor<64x128xf16>) -> tensor<128x128xf16>
    %2 = einsum.contract "mk, kn -> mn" (%r, %s) : (tensor<128x96xf16>, tensor<96x128xf16>) -> tensor<128x128xf16>
    %3 = arith.addf %1, %2 : tensor<128x128xf16>
    einsum.yield %3 : tensor<128x128xf16>
  }
  return %0 : tensor<128x128xf16>
}

// -----

// What there is stays.
// CHECK-LABEL: @given
func.func @given(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // CHECK: block=16x16x8 warp=16x16 atom=volta_16x16x8 split_k=1 stages=2>
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {tile.config = #tile.config<block=16x16x8 warp=16x16 atom=volta_16x16x8 split_k=1 stages=2>} : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  return %c : tensor<64x64xf16>
}

// -----

// Limits are those of the module: one warp without shared memory.
// CHECK-LABEL: @small_chip
// REMARK: remark: [Passed] select-config {{.*}} chip=sm_75, {{.*}}selected="block=32x32x16 warp=32x32 
module attributes {tile.target = #tile.target<chip = "sm_75", shared = 512, threads = 64, registers = 64, mma = ["volta_16x16x8"]>} {
  func.func @small_chip(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>) -> tensor<512x512xf16> {
    // CHECK: block=32x32x16 warp=32x32
    %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<512x512xf16>, tensor<512x512xf16>) -> tensor<512x512xf16>
    return %c : tensor<512x512xf16>
  }
}

// -----

// Two products together take too many registers of this chip: each becomes a
// kernel of its own.
// CHECK-LABEL: @apart
// REMARK: remark: [Missed] select-config | Category:tile | Reason="the smallest blocks of 2 products do not fit sm_75: 2048 bytes of shared memory, 20 registers of a thread"
// REMARK: remark: [Passed] select-config
// REMARK: remark: [Passed] select-config
module attributes {tile.target = #tile.target<chip = "sm_75", shared = 2048, threads = 64, registers = 20, mma = ["volta_16x16x8"]>} {
  func.func @apart(%a: tensor<128x64xf16>, %b: tensor<64x128xf16>) -> tensor<128x128xf16> {
    // CHECK-NOT: einsum.kernel
    // CHECK: %[[SUM:.*]] = einsum.contract "mk, kn -> mn" (%{{.*}}, %{{.*}}) {tile.config
    // CHECK: %[[MORE:.*]] = einsum.contract "mk, kn -> mn" (%{{.*}}, %{{.*}}) {tile.config
    // CHECK: arith.addf %[[SUM]], %[[MORE]]
    %0 = einsum.kernel (%p = %a : tensor<128x64xf16>, %q = %b : tensor<64x128xf16>) -> tensor<128x128xf16> {
      %1 = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<128x64xf16>, tensor<64x128xf16>) -> tensor<128x128xf16>
      %2 = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<128x64xf16>, tensor<64x128xf16>) -> tensor<128x128xf16>
      %3 = arith.addf %1, %2 : tensor<128x128xf16>
      einsum.yield %3 : tensor<128x128xf16>
    }
    return %0 : tensor<128x128xf16>
  }
}

// -----

// Dynamic sizes: the configuration of 1024 in their place, or of the closest size that is promised, of a kernel's inputs
// as well.
// CHECK-LABEL: @usual
// CHECK: einsum.contract {{.*}}tile.config = #tile.config<[[USUAL:.*]]>} :
// CHECK: einsum.contract {{.*}}tile.config = #tile.config<[[USUAL]]>} :
func.func @usual(%a: tensor<1024x1024xf16>, %b: tensor<?x?xf16>) {
  %0 = einsum.contract "mk, kn -> mn" (%a, %a) : (tensor<1024x1024xf16>, tensor<1024x1024xf16>) -> tensor<1024x1024xf16>
  %1 = einsum.contract "mk, kn -> mn" (%b, %b) : (tensor<?x?xf16>, tensor<?x?xf16>) -> tensor<?x?xf16>
  return
}

// CHECK-LABEL: @promised
// CHECK: einsum.contract {{.*}}tile.config = #tile.config<[[SMALL:.*]]>} :
// CHECK: einsum.contract {{.*}}tile.config = #tile.config<[[SMALL]]>} :
// CHECK-NOT: tile.config
func.func @promised(%a: tensor<32x4096xf16>, %b: tensor<4096x1024xf16>,
                    %c: tensor<?x?xf16> {einsum.at_most = array<i64: 32, -1>},
                    %d: tensor<?x?xf16> {einsum.at_least = array<i64: 4096, 0>}) {
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<32x4096xf16>, tensor<4096x1024xf16>) -> tensor<32x1024xf16>
  %1 = einsum.contract "mk, kn -> mn" (%c, %d) : (tensor<?x?xf16>, tensor<?x?xf16>) -> tensor<?x?xf16>
  return
}

// -----

// Nothing for tensor cores: the defaults.
// CHECK-LABEL: @declined
// CHECK-COUNT-4: tile.config = #tile.config<block=128x128x32 warp=64x32 split_k=1 stages=2>
// CHECK-NOT: tile.config
func.func @declined(%a: tensor<64x64xf32>, %h: tensor<64x64xf16>, %v: tensor<64xf16>) {
  // REMARK: [Missed] select-config | Category:tile | Reason="volta_16x16x8 takes f16 operands and an accumulator of f16 or f32, volta_32x32x8 takes f16 operands and an accumulator of f16 or f32"
  %0 = einsum.contract "mk, kn -> mn" (%a, %a) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  // REMARK: [Missed] select-config | Category:tile | Reason="volta_16x16x8 takes f16 operands and an accumulator of f16 or f32, volta_32x32x8 takes f16 operands and an accumulator of f16 or f32"
  %1 = einsum.contract "mk, kn -> mn" (%h, %h) {acc = f64} : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  // REMARK: [Missed] select-config | Category:tile | Reason="it has no rows, no columns or no sum"
  %3 = einsum.contract "mk, k -> m" (%h, %v) : (tensor<64x64xf16>, tensor<64xf16>) -> tensor<64xf16>
  // REMARK: [Missed] select-config | Category:tile | Reason="it has no two operands"
  %4 = einsum.contract "mk -> m" (%h) : (tensor<64x64xf16>) -> tensor<64xf16>
  return
}

// -----

// CHECK-LABEL: @different
// CHECK: tile.config = #tile.config<block=128x128x32 warp=64x32 split_k=1 stages=2>
// CHECK-NOT: tile.config
// REMARK: [Missed] select-config | Category:tile | Reason="its products divide the result in different ways"
func.func @different(%a: tensor<64x32xf16>) -> tensor<64x64xf16> {
  %0 = einsum.kernel (%p = %a : tensor<64x32xf16>) -> tensor<64x64xf16> {
    %1 = einsum.contract "mk, nk -> mn" (%p, %p) : (tensor<64x32xf16>, tensor<64x32xf16>) -> tensor<64x64xf16>
    %2 = einsum.contract "nk, mk -> mn" (%p, %p) : (tensor<64x32xf16>, tensor<64x32xf16>) -> tensor<64x64xf16>
    %3 = arith.addf %1, %2 : tensor<64x64xf16>
    einsum.yield %3 : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

// REMARK: [Missed] select-config | Category:tile | Reason="the target has no matrix instructions"
module attributes {tile.target = #tile.target<chip = "sm_90", shared = 232448, threads = 1024, registers = 255, mma = []>} {
  func.func @no_mma(%a: tensor<64x64xf16>) -> tensor<64x64xf16> {
    // CHECK-LABEL: @no_mma
    // CHECK: tile.config = #tile.config<block=128x128x32 warp=64x32 split_k=1 stages=2>
    %c = einsum.contract "mk, kn -> mn" (%a, %a) : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
    return %c : tensor<64x64xf16>
  }
}
