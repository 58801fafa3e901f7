// What is chosen where one term of the cost decides.
// RUN: tile-opt %s --einsum-attach-machine=cpu=sapphirerapids --einsum-to-cpu-pipeline="threads=1 list-configs=1" \
// RUN:   --remark-policy=all --remarks-filter=einsum -o /dev/null 2>&1 | FileCheck %s

// A conversion is two operations: what is read by many tiles is converted once, when it is packed.
// CHECK: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}} pack=lanes tile=6,4
func.func @converted(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %c : tensor<64x64xbf16>
}

// A panel of 64 lanes is beyond the first cache, one of 32 is not: arithmetic does not quite hide it.
// CHECK: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}} tile=14,2
func.func @streamed(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %c : tensor<256x256xf32>
}
