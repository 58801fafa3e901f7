// Programs of tiles have blocks of their own: by default they get as many stages as fit into shared memory.
//
// RUN: tile-opt %s --tile-attach-target=chip=sm_80 --tile-select-config | FileCheck %s
// RUN: tile-opt %s --tile-attach-target=chip=sm_80 --tile-select-config=config=auto | FileCheck %s
// RUN: tile-opt %s --tile-attach-target=chip=sm_80 --tile-select-config="config={stages=3}" | FileCheck %s --check-prefix=GIVEN
// RUN: tile-opt %s --tile-to-nvvm-pipeline=chip=sm_80 -o /dev/null
// RUN: not tile-opt %s --tile-to-nvvm-pipeline="chip=sm_80 config={stages=3}" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PIPELINE
// GIVEN-COUNT-3: stages=3
// PIPELINE: needs {{[0-9]+}} bytes of shared memory

// 96 KB a step.
// CHECK-LABEL: @large
// CHECK-SAME: stages=1>
func.func @large(%a: memref<128x1024xf32>, %b: memref<1024x256xf32>, %c: memref<128x256xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %r = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zero) -> (tensor<128x256xf32>) {
    %x = tile.load_view %a[%c0, %k] : memref<128x1024xf32> -> tensor<128x64xf32>
    %y = tile.load_view %b[%k, %c0] : memref<1024x256xf32> -> tensor<64x256xf32>
    %z = tile.dot %x, %y, %acc {precision = "tf32"} : tensor<128x64xf32>, tensor<64x256xf32>, tensor<128x256xf32>
    scf.yield %z : tensor<128x256xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<128x256xf32>, memref<128x256xf32>
  return
}

// 80 KB a step, once, though it is multiplied twice.
// CHECK-LABEL: @middle
// CHECK-SAME: stages=2>
func.func @middle(%a: memref<64x1024xf32>, %b: memref<1024x256xf32>, %c: memref<64x256xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : tensor<64x256xf32>
  %r = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zero) -> (tensor<64x256xf32>) {
    %x = tile.load_view %a[%c0, %k] : memref<64x1024xf32> -> tensor<64x64xf32>
    %y = tile.load_view %b[%k, %c0] : memref<1024x256xf32> -> tensor<64x256xf32>
    %z = tile.dot %x, %y, %acc {precision = "tf32"} : tensor<64x64xf32>, tensor<64x256xf32>, tensor<64x256xf32>
    %w = tile.dot %x, %y, %z {precision = "tf32"} : tensor<64x64xf32>, tensor<64x256xf32>, tensor<64x256xf32>
    scf.yield %w : tensor<64x256xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x256xf32>, memref<64x256xf32>
  return
}

// What is loaded before the loop waits nowhere.
// CHECK-LABEL: @outside
// CHECK-SAME: stages=3>
func.func @outside(%a: memref<256x64xf32>, %b: memref<64x1024xf32>, %c: memref<256x64xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : tensor<256x64xf32>
  %x = tile.load_view %a[%c0, %c0] : memref<256x64xf32> -> tensor<256x64xf32>
  %r = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zero) -> (tensor<256x64xf32>) {
    %y = tile.load_view %b[%c0, %k] : memref<64x1024xf32> -> tensor<64x64xf32>
    %z = tile.dot %x, %y, %acc {precision = "tf32"} : tensor<256x64xf32>, tensor<64x64xf32>, tensor<256x64xf32>
    scf.yield %z : tensor<256x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<256x64xf32>, memref<256x64xf32>
  return
}
