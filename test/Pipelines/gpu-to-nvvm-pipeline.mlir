// gpu-to-nvvm-pipeline: kernels end in the LLVM and NVVM dialects with their source lines, host code stays, and
// each option changes something.
//
// RUN: tile-opt --gpu-to-nvvm-pipeline %s | FileCheck %s
// RUN: tile-opt --gpu-to-nvvm-pipeline="chip=sm_80 features=+ptx78 opt-level=3" %s | FileCheck %s --check-prefix=TARGET
// RUN: tile-opt --gpu-to-nvvm-pipeline="bare-pointers=0" %s | FileCheck %s --check-prefix=DESCRIPTOR
// RUN: tile-opt --pass-pipeline="builtin.module(gpu-to-nvvm-pipeline{chip=sm_90})" %s | FileCheck %s --check-prefix=TEXT
// RUN: not tile-opt --gpu-to-nvvm-pipeline="chips=sm_80" %s 2>&1 | FileCheck %s --check-prefix=BAD-OPTION
// RUN: not tile-opt --pass-pipeline="builtin.module(gpu.module(gpu-to-nvvm-pipeline))" %s 2>&1 | FileCheck %s --check-prefix=ANCHOR
//
// Lines reach LLVM IR:
// RUN: tile-opt --gpu-to-nvvm-pipeline --mlir-print-debuginfo %s | FileCheck %s --check-prefix=LINES
//
// No other dialect in kernels:
// RUN: tile-opt --gpu-to-nvvm-pipeline --mlir-print-op-generic %s \
// RUN:   | FileCheck %s --check-prefix=GENERIC --implicit-check-not='{{(^|[ =])}}"{{(math|memref|vector|affine|scf|cf|index|ub|nvgpu)}}.' \
// RUN:     --implicit-check-not=builtin.unrealized

// BAD-OPTION: chips
// ANCHOR: gpu-to-nvvm-pipeline: expected it in builtin.module(...), found it in gpu.module(...)
// GENERIC: "gpu.module"
// GENERIC: "nvvm.barrier0"
// TARGET: gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_80", features = "+ptx78">]
// TEXT: gpu.module @kernels [#nvvm.target<chip = "sm_90", features = "+ptx84">]

// CHECK: gpu.module @kernels [#nvvm.target<chip = "sm_70", features = "+ptx65">]
gpu.module @kernels {
  // A kernel in the LLVM dialect stays what it is, also what could be folded.
  // CHECK-LABEL: llvm.func @done(%arg0: !llvm.ptr)
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK: llvm.add %[[ONE]], %[[ONE]] : i32
  llvm.func @done(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %0 = llvm.mlir.constant(1 : i32) : i32
    %1 = llvm.add %0, %0 : i32
    llvm.store %1, %p : i32, !llvm.ptr
    llvm.return
  }
  // CHECK-LABEL: llvm.func @loops(%arg0: !llvm.ptr, %arg1: !llvm.ptr)
  // DESCRIPTOR-LABEL: llvm.func @loops(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64,
  // CHECK: nvvm.read.ptx.sreg.tid.x
  // CHECK: llvm.cond_br
  // CHECK: __nv_expf
  // CHECK: nvvm.barrier0
  // CHECK: vector<4xf32>
  gpu.func @loops(%a: memref<64xf32>, %b: memref<64xf32>) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %tx = gpu.thread_id x
    // LINES: nvvm.read.ptx.sreg.tid.x {{.*}}loc(#[[TID:loc[0-9]*]])
    // LINES: #[[TID]] = loc("{{.*}}gpu-to-nvvm-pipeline.mlir":[[#@LINE-2]]:11)
    scf.for %i = %c0 to %c4 step %c1 {
      %j = affine.apply affine_map<(i, t) -> (4 * t + i)>(%i, %tx)
      %0 = memref.load %a[%j] : memref<64xf32>
      %1 = math.exp %0 : f32
      memref.store %1, %s[%j] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %k = arith.muli %tx, %c4 : index
    %v = vector.load %s[%k] {alignment = 16} : memref<64xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %w = arith.addf %v, %v : vector<4xf32>
    vector.store %w, %b[%k] {alignment = 16} : memref<64xf32>, vector<4xf32>
    gpu.return
  }
}
// The function has a scope, without which LLVM IR gets no lines.
// LINES: #di_subprogram{{.*}} = #llvm.di_subprogram<{{.*}}name = "loops"

// A gpu.launch becomes a kernel of its own; host code stays.
// CHECK: func.func @host
// CHECK: gpu.launch_func @host_kernel::@host_kernel
// CHECK: gpu.module @host_kernel [#nvvm.target<chip = "sm_70", features = "+ptx65">]
func.func @host(%m: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %x = memref.load %m[%tx] : memref<64xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %m[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}
