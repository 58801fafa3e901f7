// Option verify-contracts of all pipelines: each contract is verified where the stage that leaves it ends. Tests have it on by
// default, as the environment says.
//
// RUN: tile-opt %s --einsum-to-cpu-pipeline --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=EINSUM-CPU
// RUN: tile-opt %s --tile-to-cpu-pipeline --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=TILE-CPU
// RUN: tile-opt %s --einsum-to-tile-pipeline --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=EINSUM-TILE
// RUN: tile-opt %s --tile-to-nvvm-pipeline --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefixes=TILE-NVVM,NVVM
// RUN: tile-opt %s --einsum-to-nvvm-pipeline --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefixes=EINSUM-TILE,NVVM
// RUN: tile-opt %s --gpu-to-nvvm-pipeline --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=KERNELS
// RUN: tile-opt %s --gpu-host-to-llvm-pipeline --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=HOST
//
// Without it no pass verifies; the option overrules the environment.
// RUN: env -u TILEIR_VERIFY_CONTRACTS tile-opt %s --einsum-to-nvvm-pipeline --gpu-host-to-llvm-pipeline --dump-pass-pipeline 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OFF --implicit-check-not=-verify-
// RUN: tile-opt %s --einsum-to-nvvm-pipeline=verify-contracts=0 --gpu-host-to-llvm-pipeline=verify-contracts=0 --dump-pass-pipeline 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OFF --implicit-check-not=-verify-
// RUN: tile-opt %s --tile-to-cpu-pipeline=verify-contracts=0 --dump-pass-pipeline 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OFF --implicit-check-not=-verify-
// RUN: tile-opt %s --einsum-to-cpu-pipeline=verify-contracts=0 --dump-pass-pipeline 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OFF --implicit-check-not=-verify-
// RUN: env -u TILEIR_VERIFY_CONTRACTS tile-opt %s --einsum-to-cpu-pipeline=verify-contracts=1 --dump-pass-pipeline 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EINSUM-CPU

// EINSUM-CPU: convert-bufferization-to-memref,
// EINSUM-CPU-NEXT: einsum-verify-memrefs,
// EINSUM-CPU-NEXT: convert-einsum-to-affine

// TILE-CPU: builtin.module(
// TILE-CPU-NEXT: tile-verify-program
// TILE-CPU: convert-bufferization-to-memref,
// TILE-CPU-NEXT: einsum-verify-memrefs,
// TILE-CPU-NEXT: convert-einsum-to-affine

// EINSUM-TILE: tile-select-config
// EINSUM-TILE-NEXT: einsum-verify-kernels,
// EINSUM-TILE-NEXT: convert-einsum-to-tile
// EINSUM-TILE-NEXT: tile-bufferize-host,
// EINSUM-TILE-NEXT: canonicalize
// EINSUM-TILE-NEXT: cse,
// EINSUM-TILE-NEXT: tile-verify-program

// TILE-NVVM: tile-select-config
// TILE-NVVM-NEXT: tile-verify-program

// NVVM: tile-verify-program{for-layouts=true},
// NVVM-NEXT: func.func(
// NVVM-NEXT: tile-assign-layouts
// NVVM: tile-verify-layouts,
// NVVM-NEXT: tile-promote-shared
// NVVM: tile-insert-barriers,
// NVVM-NEXT: tile-verify-promoted,
// NVVM-NEXT: convert-tile-to-gpu

// NVVM: gpu-verify-kernels,
// NVVM-NEXT: ensure-debug-info-scope-on-llvm-func

// KERNELS: gpu-verify-kernels,
// KERNELS-NEXT: ensure-debug-info-scope-on-llvm-func

// HOST: builtin.module(
// HOST-NEXT: gpu-verify-host,

// OFF: builtin.module(
