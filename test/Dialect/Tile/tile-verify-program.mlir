// What keeps the contract passes as it is. Without for-layouts, branches, any size, tile.psi and slices do, as on a CPU.
//
// RUN: tile-opt %s --tile-verify-program | FileCheck %s
// RUN: not tile-opt %s --tile-verify-program=for-layouts 2>&1 | FileCheck %s --check-prefix=LAYOUTS
// CHECK: tile.psi
// LAYOUTS: error: tile-verify-program P6: 'tile.load_view' op

func.func @main(%a: memref<24xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a) : memref<24xf32>
  return
}
func.func @kernel(%a: memref<24xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %x = tile.load_view %a[%c0] : memref<24xf32> -> tensor<24xf32>
  %y = tile.psi %true ? %x, %true ? %x : i1, tensor<24xf32>
  %z = tensor.extract_slice %y[0] [16] [1] : tensor<24xf32> to tensor<16xf32>
  tile.store_view %z, %a[%c0] : tensor<16xf32>, memref<24xf32>
  return
}
