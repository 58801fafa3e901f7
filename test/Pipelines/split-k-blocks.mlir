// Both pipelines for contractions on tiles take split-k-blocks and split-k-combine: how many parts the sum has, and
// whether a second kernel or atomics add them up. What it computes is tested by test/Simulator/volta-split-blocks.test
// and test/Dialect/Einsum/einsum-split-k-run.mlir.
//
// RUN: tile-opt --einsum-to-tile-pipeline %s | FileCheck %s --check-prefix=NONE --implicit-check-not=tile.atomic_rmw
// RUN: tile-opt --einsum-to-tile-pipeline="split-k-combine=atomic" %s | FileCheck %s --check-prefix=NONE --implicit-check-not=tile.atomic_rmw
// RUN: tile-opt --einsum-to-tile-pipeline="split-k-blocks=4" %s | FileCheck %s --check-prefix=KERNEL --implicit-check-not=tile.atomic_rmw
// RUN: tile-opt --einsum-to-tile-pipeline="split-k-blocks=4 split-k-combine=atomic" %s | FileCheck %s --check-prefix=ATOMIC
// RUN: tile-opt --einsum-to-tile-pipeline="split-k-blocks=0" %s | FileCheck %s --check-prefix=FILL
// RUN: tile-opt --einsum-to-tile-pipeline="split-k-blocks=0 config={block=128x128x64}" %s | FileCheck %s --check-prefix=DEEP
// RUN: tile-opt --einsum-to-tile-pipeline="split-k-blocks=0 split-k-combine=atomic" %s | FileCheck %s --check-prefix=ADD
//
// RUN: tile-opt --einsum-to-nvvm-pipeline %s | FileCheck %s --check-prefix=NVVM-NONE --implicit-check-not=llvm.atomicrmw
// RUN: tile-opt --einsum-to-nvvm-pipeline="split-k-blocks=4" %s | FileCheck %s --check-prefix=NVVM-KERNEL --implicit-check-not=llvm.atomicrmw
// RUN: tile-opt --einsum-to-nvvm-pipeline="split-k-blocks=4 split-k-combine=atomic" %s | FileCheck %s --check-prefix=NVVM-ATOMIC
//
// RUN: not tile-opt --einsum-to-nvvm-pipeline="split-k-combine=both" %s 2>&1 | FileCheck %s --check-prefix=COMBINE
// RUN: not tile-opt --einsum-to-nvvm-pipeline="split-k-blocks=-1" %s 2>&1 | FileCheck %s --check-prefix=FACTOR
// RUN: not tile-opt --einsum-to-nvvm-pipeline="split-k-blocks=-1 split-k-combine=atomic" %s 2>&1 | FileCheck %s --check-prefix=FACTOR
// COMBINE: both
// FACTOR: error: {{.*}}expects factor to be 0 or more

// NONE: tile.launch @main_contract grid(%c1, %c1, %c1)
// NONE-NOT: tile.launch
// KERNEL: memref.alloc() : memref<4x64x64xf32>
// KERNEL: tile.launch @main_contract grid(%c1, %c1, %c4)
// KERNEL: tile.launch @main_contract_0
// ATOMIC: linalg.fill
// ATOMIC-NEXT: tile.launch @main_contract grid(%c1, %c1, %c4)
// ATOMIC-NOT: tile.launch
// ATOMIC: tile.atomic_rmw add
// Parts of four blocks at least: 2048 is 16 times 4 x 32, 8 times 4 x 64.
// FILL: memref<16x64x64xf32>
// DEEP: memref<8x64x64xf32>
// ADD: tile.launch @main_contract grid(%c1, %c1, %c16)
// NVVM-NONE: gpu.launch_func
// NVVM-NONE-NOT: gpu.launch_func
// NVVM-KERNEL: gpu.launch_func {{.*}}@main_contract blocks in (%c1, %c1, %c4)
// NVVM-KERNEL: gpu.launch_func {{.*}}@main_contract_0
// NVVM-ATOMIC: llvm.atomicrmw fadd
// NVVM-ATOMIC: gpu.launch_func {{.*}}@main_contract blocks in (%c1, %c1, %c4)
func.func @main(%a: tensor<64x2048xf16>, %b: tensor<2048x64xf16>) -> tensor<64x64xf32> {
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x2048xf16>, tensor<2048x64xf16>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
