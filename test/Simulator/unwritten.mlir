// Device memory that neither the host nor a kernel has written: reading it is a finding. What one kernel writes the next
// may read; what is copied or set is written.
// RUN: tile-run %s --backend=sim --entry=clean --inputs=zeros:64xi32
// RUN: not tile-run %s --backend=sim --entry=missing --inputs=zeros:64xi32 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not tile-run %s --backend=sim --entry=half --inputs=zeros:64xi32 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: not tile-run %s --backend=sim --entry=counter --inputs=zeros:64xi32 2>&1 | FileCheck %s --check-prefix=COUNTER
//
// MISSING: unwritten.mlir:{{.*}} kernel @copy, block (0,0,0), warp 0, lane 0: uninitialized-global: load of 4 bytes at byte 0 of buffer 'device buffer 0' reads bytes that neither the host nor a kernel has written; expected a copy or a store before it
// MISSING-NEXT: found 1 fault (1 uninitialized-global)
// HALF: unwritten.mlir:{{.*}} kernel @copy, block (0,0,0), warp 1, lane 0: uninitialized-global: load of 4 bytes at byte 128 of buffer 'device buffer 0'
// HALF-NEXT: found 1 fault (1 uninitialized-global)
// COUNTER: unwritten.mlir:{{.*}} kernel @count, block (0,0,0), warp 0, lane 0: uninitialized-global: atomic access of 4 bytes at byte 0 of buffer 'device buffer 0'
// COUNTER-NEXT: found 1 fault (1 uninitialized-global)

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @copy(%from: memref<64xi32>, %to: memref<64xi32>) kernel {
      %i = gpu.thread_id x
      %x = memref.load %from[%i] : memref<64xi32>
      memref.store %x, %to[%i] : memref<64xi32>
      gpu.return
    }
    gpu.func @count(%to: memref<64xi32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : i32
      %old = memref.atomic_rmw addi %c1, %to[%c0] : (i32, memref<64xi32>) -> i32
      gpu.return
    }
  }

  func.func @clean(%x: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c-1 = arith.constant -1 : i32
    %a = gpu.alloc () : memref<64xi32>
    %b = gpu.alloc () : memref<64xi32>
    %c = gpu.alloc () : memref<64xi32>
    gpu.memset %a, %c-1 : memref<64xi32>, i32
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xi32>, %b : memref<64xi32>)
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b : memref<64xi32>, %c : memref<64xi32>)
    gpu.launch_func @kernels::@count blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%c : memref<64xi32>)
    gpu.memcpy %x, %c : memref<64xi32>, memref<64xi32>
    return
  }
  func.func @missing(%x: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = gpu.alloc () : memref<64xi32>
    %b = gpu.alloc () : memref<64xi32>
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xi32>, %b : memref<64xi32>)
    return
  }
  // 32 of the 64 threads of the first launch write.
  func.func @half(%x: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %a = gpu.alloc () : memref<64xi32>
    %b = gpu.alloc () : memref<64xi32>
    %c = gpu.alloc () : memref<64xi32>
    gpu.memcpy %b, %x : memref<64xi32>, memref<64xi32>
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%b : memref<64xi32>, %a : memref<64xi32>)
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xi32>, %c : memref<64xi32>)
    return
  }
  func.func @counter(%x: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = gpu.alloc () : memref<64xi32>
    gpu.launch_func @kernels::@count blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xi32>)
    return
  }
}
