// tile-to-nvvm-pipeline: tile kernels and the host code that launches them; what only kernels access is on the device, and
// freed.
//
// RUN: tile-opt --tile-to-nvvm-pipeline %s | FileCheck %s --implicit-check-not="tile.l" --implicit-check-not="tile.s"
// RUN: tile-opt --tile-to-nvvm-pipeline="num-warps=1" %s | FileCheck %s --check-prefix=NUM
// RUN: not tile-opt --pass-pipeline="builtin.module(func.func(tile-to-nvvm-pipeline))" %s 2>&1 | FileCheck %s --check-prefix=ANCHOR
// RUN: tile-run %s --backend=sim --random=1 --check=interp
// RUN: tile-run %s --backend=sim --random=1 --check=interp --pipeline="tile-to-nvvm-pipeline{num-warps=1}"

// CHECK: module attributes {{.*}}tile.target
// CHECK: llvm.func @double({{.*}}gpu.kernel
// CHECK-LABEL: func.func @main
// CHECK-NOT: memref.alloc
// CHECK: gpu.alloc () {tile.memory = "temporary 0"}
// CHECK: gpu.launch_func {{ *}}@{{.*}}::@double blocks in ({{.*}}) threads in (%c128{{.*}},
// CHECK: gpu.dealloc
// NUM: gpu.launch_func {{.*}} threads in (%c32
// ANCHOR: tile-to-nvvm-pipeline: expected it in builtin.module(...), found it in func.func(...)
func.func @main(%a: memref<256xf32>) {
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<256xf32>
  tile.launch @double grid(%c1, %c1, %c1) (%a, %t) : memref<256xf32>, memref<256xf32>
  tile.launch @double grid(%c1, %c1, %c1) (%t, %a) : memref<256xf32>, memref<256xf32>
  return
}

func.func private @double(%a: memref<256xf32> {tile.readonly}, %b: memref<256xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %a[%c0] : memref<256xf32> -> tensor<256xf32>
  %y = arith.addf %x, %x : tensor<256xf32>
  tile.store_view %y, %b[%c0] : tensor<256xf32>, memref<256xf32>
  return
}
