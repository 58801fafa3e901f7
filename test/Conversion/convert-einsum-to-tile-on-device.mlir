// convert-einsum-to-tile: kernels write their result where it goes, if that is memory of the device that nothing else uses.
//
// RUN: tile-opt --convert-einsum-to-tile %s | FileCheck %s

// CHECK-LABEL: func.func @product(
// CHECK-SAME:    %[[C:[^:]*]]: memref<16x16xf32> {tile.on_device})
// CHECK-NOT:     memref.alloc
// CHECK:         tile.launch @product_contract {{.*}}%[[C]])
// CHECK-NOT:     materialize_in_destination
func.func @product(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: memref<16x16xf32> {tile.on_device}) {
  %r = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  bufferization.materialize_in_destination %r in restrict writable %c : (tensor<16x16xf32>, memref<16x16xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @kernel(
// CHECK-SAME:    %[[C:[^:]*]]: memref<16x16xf32> {tile.on_device})
// CHECK-NOT:     memref.alloc
// CHECK:         tile.launch @kernel_contract {{.*}}%[[C]])
// CHECK-NOT:     materialize_in_destination
func.func @kernel(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: memref<16x16xf32> {tile.on_device}) {
  %r = einsum.kernel (%x = %a : tensor<16x16xf32>, %y = %b : tensor<16x16xf32>) -> tensor<16x16xf32> {
    %p = einsum.contract "mk, kn -> mn" (%x, %y) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %s = arith.addf %p, %p : tensor<16x16xf32>
    einsum.yield %s : tensor<16x16xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %c : (tensor<16x16xf32>, memref<16x16xf32>) -> ()
  return
}

// Memory of the host is copied to from a buffer, and so is what is read, or may overlap.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-3: memref.alloc() : memref<16x16xf32>
// CHECK-COUNT-3: materialize_in_destination
func.func @others(%a: tensor<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32> {tile.on_device},
                  %d: memref<16x16xf32> {tile.on_device}) {
  %t = bufferization.to_tensor %c restrict : memref<16x16xf32> to tensor<16x16xf32>
  %r = einsum.contract "ij -> ji" (%a) : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %s = einsum.contract "ij -> ji" (%t) : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %u = einsum.contract "ij -> ji" (%a) : (tensor<16x16xf32>) -> tensor<16x16xf32>
  bufferization.materialize_in_destination %r in restrict writable %b : (tensor<16x16xf32>, memref<16x16xf32>) -> ()
  bufferization.materialize_in_destination %s in restrict writable %c : (tensor<16x16xf32>, memref<16x16xf32>) -> ()
  bufferization.materialize_in_destination %u in writable %d : (tensor<16x16xf32>, memref<16x16xf32>) -> ()
  return
}
