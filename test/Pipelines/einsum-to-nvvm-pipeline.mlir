// einsum-to-nvvm-pipeline: from a contraction to a kernel in the LLVM and NVVM dialects, and the host code that launches it. Each
// option changes something. What kernels compute is tested by test/Simulator.
//
// RUN: tile-opt --einsum-to-nvvm-pipeline %s | FileCheck %s --implicit-check-not=einsum. --implicit-check-not=tile.launch --implicit-check-not=bf16
// RUN: tile-opt --einsum-to-nvvm-pipeline="chip=sm_75" %s | FileCheck %s --check-prefix=CHIP
// RUN: tile-opt --einsum-to-nvvm-pipeline="config={block=64x64x32}" %s | FileCheck %s --check-prefix=BLOCK
// RUN: tile-opt --einsum-to-nvvm-pipeline="config={warp=64x64}" %s | FileCheck %s --check-prefix=WARP
// RUN: tile-opt --einsum-to-nvvm-pipeline="config={stages=1}" %s | FileCheck %s --check-prefix=STAGES
// RUN: tile-opt --einsum-to-nvvm-pipeline="config={block=64x64x32 warp=32x32 split_k=2}" %s | FileCheck %s --check-prefix=SPLIT
// RUN: tile-opt --einsum-to-nvvm-pipeline="mma=0" %s | FileCheck %s --check-prefix=FMA --implicit-check-not=nvvm.mma
// RUN: tile-opt --einsum-to-nvvm-pipeline="mma=0 num-warps=2 config={block=64x64x16}" %s | FileCheck %s --check-prefix=NUM
// RUN: not tile-opt --einsum-to-nvvm-pipeline="config={atom=volta_16x16x16}" %s 2>&1 | FileCheck %s --check-prefix=MACRO "-DATOMS=%atoms"
// RUN: not tile-opt --einsum-to-nvvm-pipeline="config={warp=128x128}" %s 2>&1 | FileCheck %s --check-prefix=REGISTERS
// RUN: not tile-opt --einsum-to-nvvm-pipeline="config={block=256x256x64 warp=64x64} chip=sm_75" %s 2>&1 | FileCheck %s --check-prefix=SHARED
//
// Any of them gives the same answer.
// RUN: tile-run %s --backend=sim --random=1 --check=interp
// RUN: tile-run %s --backend=sim --random=1 --check=interp --pipeline="einsum-to-nvvm-pipeline{config={block=64x64x32 warp=32x32 atom=volta_32x32x8 stages=1}}"
// RUN: tile-run %s --backend=sim --random=1 --check=interp --pipeline="einsum-to-nvvm-pipeline{config={block=64x64x32 warp=32x32 split_k=2}}"
// RUN: tile-run %s --backend=sim --random=1 --check=interp --pipeline="einsum-to-nvvm-pipeline{mma=0 config={block=64x64x16} num-warps=2}"

// The launch has 2 x 2 blocks of 8 warps; operands in two stages take 32 KiB.
// CHECK: module attributes {{.*}}tile.target = #tile.target<chip = "sm_70"
// CHECK: gpu.module @{{.*}} [#nvvm.target<{{.*}}chip = "sm_70"
// CHECK: llvm.func @main_contract({{.*}}gpu.kernel
// CHECK: nvvm.mma.sync
// CHECK-LABEL: func.func @main
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C256:.*]] = arith.constant 256 : index
// CHECK-DAG: %[[BYTES:.*]] = arith.constant 32768 : i32
// CHECK: gpu.memcpy
// CHECK: gpu.launch_func {{ *}}@{{.*}}::@main_contract blocks in (%[[C2]], %[[C2]], %{{.*}}) threads in (%[[C256]], %{{.*}}, %{{.*}}) {{ *}}dynamic_shared_memory_size %[[BYTES]]
// CHECK: gpu.memcpy
// CHIP: #tile.target<chip = "sm_75"
// CHIP: #nvvm.target<{{.*}}chip = "sm_75"
// BLOCK: %[[C4:.*]] = arith.constant 4 : index
// BLOCK: gpu.launch_func {{.*}} blocks in (%[[C4]], %[[C4]],
// WARP: %[[C128:.*]] = arith.constant 128 : index
// WARP: gpu.launch_func {{.*}} threads in (%[[C128]],
// Twice the four warps of a block.
// SPLIT: %[[C256:.*]] = arith.constant 256 : index
// SPLIT: gpu.launch_func {{.*}} threads in (%[[C256]],
// STAGES: gpu.launch_func {{.*}} dynamic_shared_memory_size
// FMA: llvm.intr.fma
// NUM: %[[C64:.*]] = arith.constant 64 : index
// NUM: gpu.launch_func {{.*}} threads in (%[[C64]],
// MACRO: error: {{.*}}expects an atom, [[ATOMS]], found 'volta_16x16x16'
// REGISTERS: error: carries tiles of {{[0-9]+}} registers of a thread through its loops, and sm_70 has 255: use a smaller 'warp'
// SHARED: error: needs {{[0-9]+}} bytes of shared memory for a program, and sm_75 has 65536: use a smaller 'block', or fewer 'stages'
func.func @main(%a: tensor<256x128xf16>, %b: tensor<128x256xf16>) -> tensor<256x256xf16> {
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<256x128xf16>, tensor<128x256xf16>) -> tensor<256x256xf16>
  return %0 : tensor<256x256xf16>
}
