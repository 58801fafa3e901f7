// tile-select-config without asynchronous copies: the K of a default block is as many bytes for wide elements as for those of
// 16 bits, since what is loaded for the next step waits in registers. A block or split-K factor that is given is kept.
//
// RUN: tile-opt %s --tile-attach-target=chip=sm_75 --tile-select-config | FileCheck %s -DSTAGES=2 -DF32=16 -DF64=8
// RUN: tile-opt %s --tile-attach-target=chip=sm_75 --tile-select-config=config=stages=1 | FileCheck %s -DSTAGES=1 -DF32=16 -DF64=8
// RUN: tile-opt %s --tile-attach-target=chip=sm_75 --tile-select-config=config=auto | FileCheck %s --check-prefix=AUTO
// RUN: tile-opt %s --tile-attach-target=chip=sm_75 --tile-select-config=config=block=128x128x32 | FileCheck %s -DSTAGES=2 -DF32=32 -DF64=32
// RUN: tile-opt %s --tile-attach-target=chip=sm_75 --tile-select-config=config=split_k=1 | FileCheck %s -DSTAGES=2 -DF32=32 -DF64=32
// RUN: tile-opt %s --tile-attach-target=chip=sm_80 --tile-select-config | FileCheck %s -DSTAGES=3 -DF32=32 -DF64=32
// RUN: tile-opt %s --tile-select-config | FileCheck %s -DSTAGES=2 -DF32=32 -DF64=32

func.func @main(%half: tensor<64x64xf16>, %float: tensor<64x64xf32>, %double: tensor<64x64xf64>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf64>, tensor<64x64xf32>) {
  // CHECK: einsum.contract {{.*}}block=128x128x32 warp=64x32 split_k=1 stages=[[STAGES]]>{{.*}}f16
  // AUTO: einsum.contract {{.*}}atom=
  %0 = einsum.contract "mk, kn -> mn" (%half, %half) : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
  // CHECK: einsum.contract {{.*}}block=128x128x[[F32]] warp=64x32 split_k=1 stages=[[STAGES]]>{{.*}}f32
  // AUTO: einsum.contract {{.*}}block=128x128x16 {{.*}}f32
  %1 = einsum.contract "mk, kn -> mn" (%float, %float) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  // CHECK: einsum.contract {{.*}}block=128x128x[[F64]] warp=64x32 split_k=1 stages=[[STAGES]]>{{.*}}f64
  %2 = einsum.contract "mk, kn -> mn" (%double, %double) : (tensor<64x64xf64>, tensor<64x64xf64>) -> tensor<64x64xf64>
  // CHECK: einsum.kernel {{.*}}f32
  // CHECK-SAME: block=128x128x[[F32]] warp=64x32
  %3 = einsum.kernel (%p = %float : tensor<64x64xf32>) -> tensor<64x64xf32> {
    %4 = einsum.contract "mk, kn -> mn" (%p, %p) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    einsum.yield %4 : tensor<64x64xf32>
  }
  return %0, %1, %2, %3 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf64>, tensor<64x64xf32>
}
