// tile-select-config with a configuration that is given: each op that becomes a kernel gets it, and so do tile kernels, save
// those that have one. It is printed as options take it.
//
// RUN: tile-opt %s --tile-select-config="config={block=64x32x16 warp=32x16 atom=volta_16x16x8 split_k=2 stages=1}" \
// RUN:   | FileCheck %s -DCONFIG="block=64x32x16 warp=32x16 atom=volta_16x16x8 split_k=2 stages=1"
// RUN: tile-opt %s --tile-select-config="config={ stages = 3 block = 5x7x3 }" \
// RUN:   | FileCheck %s -DCONFIG="block=5x7x3 warp=64x32 split_k=1 stages=3"
// RUN: tile-opt %s --tile-select-config=config=warp=64x64 \
// RUN:   | FileCheck %s -DCONFIG="block=128x128x32 warp=64x64 split_k=1 stages=2"
// RUN: tile-opt %s --tile-select-config | FileCheck %s -DCONFIG="block=128x128x32 warp=64x32 split_k=1 stages=2"
// RUN: tile-opt %s --tile-select-config | tile-opt --tile-select-config=config=stages=1 \
// RUN:   | FileCheck %s -DCONFIG="block=128x128x32 warp=64x32 split_k=1 stages=2"
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile-select-config{config={split_k=2 stages=1}})" --dump-pass-pipeline 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefix=PIPELINE

// PIPELINE: tile-select-config{config={split_k=2 stages=1} list=0}

// CHECK: @main
func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf16>) -> tensor<64x64xf32> {
  // CHECK: einsum.contract {{.*}} {tile.config = #tile.config<[[CONFIG]]>}
  %c = einsum.contract "mk, kn -> mn" (%a, %a) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  // CHECK: einsum.contract {{.*}} {tile.config = #tile.config<block=16x16x8 warp=16x16 split_k=1 stages=2>}
  %d = einsum.contract "mk, kn -> mn" (%a, %a) {tile.config = #tile.config<warp=16x16 block=16x16x8>}
      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  // CHECK: einsum.kernel
  // CHECK-SAME: attributes {tile.config = #tile.config<[[CONFIG]]>}
  // CHECK-NEXT: einsum.contract "mk, kn -> mn" (%{{.*}}, %{{.*}}) :
  %e = einsum.kernel (%p = %c : tensor<64x64xf32>, %q = %d : tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    einsum.yield %0 : tensor<64x64xf32>
  }
  return %e : tensor<64x64xf32>
}

// CHECK: @kernel
// CHECK-SAME: tile.config = #tile.config<[[CONFIG]]>
func.func @kernel(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  return
}

// CHECK: @host
// CHECK-NOT: tile.config
func.func @host() {
  return
}
