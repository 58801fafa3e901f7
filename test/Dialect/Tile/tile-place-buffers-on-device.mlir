// tile-place-buffers: arguments that are on the device already are taken as they are; nothing of them is copied, and they are
// not freed.
//
// RUN: tile-opt --tile-place-buffers %s | FileCheck %s
// A second run finds nothing to do.
// RUN: tile-opt --tile-place-buffers %s -o %t.once
// RUN: tile-opt --tile-place-buffers %t.once | diff %t.once -

// CHECK-LABEL: func.func @on_device
// CHECK-SAME:    (%[[X:.*]]: memref<64xf32> {tile.on_device}, %[[Y:.*]]: memref<64xf32> {tile.on_device}, %[[Z:.*]]: memref<64xf32> {tile.on_device})
// CHECK-DAG:     %[[DX:.*]] = memref.memory_space_cast %[[X]] : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
// CHECK-DAG:     %[[DY:.*]] = memref.memory_space_cast %[[Y]]
// CHECK-DAG:     %[[DZ:.*]] = memref.memory_space_cast %[[Z]]
// CHECK-NOT:     gpu.alloc
// CHECK:         tile.launch @f {{.*}} (%[[DX]], %[[DY]])
// CHECK-NEXT:    gpu.memcpy %[[DZ]], %[[DY]]
// CHECK-NEXT:    return
func.func private @f(%x: memref<64xf32> {tile.readonly}, %y: memref<64xf32>) attributes {tile.kernel} {
  return
}
func.func @on_device(%x: memref<64xf32> {tile.on_device}, %y: memref<64xf32> {tile.on_device},
                     %z: memref<64xf32> {tile.on_device}) {
  %c1 = arith.constant 1 : index
  tile.launch @f grid(%c1, %c1, %c1) (%x, %y) : memref<64xf32>, memref<64xf32>
  memref.copy %y, %z : memref<64xf32> to memref<64xf32>
  return
}
