// gpu-host-to-llvm-pipeline: host code calls the functions of GpuRuntime.h, and each option changes something.
//
// RUN: tile-opt %s --gpu-to-nvvm-pipeline --gpu-module-to-binary=format=llvm --gpu-host-to-llvm-pipeline -o %t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | FileCheck %s
// RUN: tile-opt %s --gpu-to-nvvm-pipeline=bare-pointers=0 --gpu-module-to-binary=format=llvm \
// RUN:   --gpu-host-to-llvm-pipeline=bare-pointers=0 -o %t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | FileCheck %s --check-prefix=DESCRIPTOR
// RUN: not tile-opt --gpu-host-to-llvm-pipeline="chip=sm_80" %s 2>&1 | FileCheck %s --check-prefix=BAD-OPTION
// BAD-OPTION: chip

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @scale(%a: memref<128xf32>, %s: f32) kernel {
    %tx = gpu.thread_id x
    %0 = memref.load %a[%tx] : memref<128xf32>
    %1 = arith.mulf %0, %s : f32
    memref.store %1, %a[%tx] : memref<128xf32>
    gpu.return
  }
}

// CHECK: @kernels_binary = internal constant {{.*}}c"BC\C0\DE
// Ops that are not asynchronous are ordered by a stream.
// CHECK: define void @main
// CHECK: %[[STREAM:.*]] = call ptr @mgpuStreamCreate()
// CHECK: call ptr @mgpuMemAlloc(i64 512, ptr %[[STREAM]], i8 0)
// CHECK: call void @mgpuMemcpy(ptr {{.*}}, ptr {{.*}}, i64 512, ptr %[[STREAM]])
// CHECK: call ptr @mgpuModuleGetFunction
// CHECK: call void @mgpuLaunchKernel(ptr %{{[0-9]+}}, i64 1, i64 1, i64 1, i64 128, i64 1, i64 1, i32 0, ptr %[[STREAM]], ptr %{{[0-9]+}}, ptr null, i64 2)
// DESCRIPTOR: call void @mgpuLaunchKernel({{.*}}, i64 6)
// CHECK: call void @mgpuMemcpy
// CHECK: call void @mgpuMemFree
// CHECK: call void @mgpuStreamSynchronize(ptr %[[STREAM]])
// CHECK: call void @mgpuStreamDestroy(ptr %[[STREAM]])
// CHECK: define internal void @kernels_load()
// CHECK: call ptr @mgpuModuleLoad(ptr @kernels_binary
// CHECK: call void @mgpuModuleUnload
func.func @main(%a: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %two = arith.constant 2.0 : f32
  %d = gpu.alloc () : memref<128xf32>
  gpu.memcpy %d, %a : memref<128xf32>, memref<128xf32>
  gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
      args(%d : memref<128xf32>, %two : f32)
  gpu.memcpy %a, %d : memref<128xf32>, memref<128xf32>
  gpu.dealloc %d : memref<128xf32>
  return
}
}
