// What convert-einsum-to-tile does not take.
//
// RUN: tile-opt --convert-einsum-to-tile --split-input-file --verify-diagnostics %s
// RUN: not tile-opt --convert-einsum-to-tile="block=16x16" %s 2>&1 | FileCheck %s -DBLOCK=16x16
// RUN: not tile-opt --convert-einsum-to-tile="block=16x0x4" %s 2>&1 | FileCheck %s -DBLOCK=16x0x4
// RUN: not tile-opt --convert-einsum-to-tile="block=16x65537x4" %s 2>&1 | FileCheck %s -DBLOCK=16x65537x4
// RUN: not tile-opt --convert-einsum-to-tile="block=16xAx4" %s 2>&1 | FileCheck %s -DBLOCK=16xAx4

// CHECK: error: expected 'block' to be three numbers from 1 to 65536, as in '128x128x32', found '[[BLOCK]]'

func.func @three(%a: memref<4xf32>, %c: memref<f32>) {
  // expected-error @below {{expected one or two operands, found 3: run einsum-contract-pairwise before convert-einsum-to-tile}}
  einsum.contract "i, i, i -> " (%a, %a, %a) outs(%c : memref<f32>) : (memref<4xf32>, memref<4xf32>, memref<4xf32>)
  return
}

// -----

%a = memref.alloc() : memref<4xf32>
%c = memref.alloc() : memref<f32>
// expected-error @below {{expected to be in a 'func.func'}}
einsum.contract "i -> " (%a) outs(%c : memref<f32>) : (memref<4xf32>)
