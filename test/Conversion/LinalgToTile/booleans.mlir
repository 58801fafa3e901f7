// Buffers of i1 become bytes where structured ops use them: allocations, constants, and copies of arguments that are read.
// A result of i1 stays one.
//
// RUN: tile-opt --convert-linalg-to-tile --canonicalize %s | FileCheck %s
// RUN: tile-run %s --entry=run --backend=sim --random=6 --check=interp | FileCheck %s --check-prefix=SAME
//
// SAME: check against interp: passed

#id = affine_map<(i) -> (i)>

memref.global "private" constant @table : memref<4xi1> = dense<[true, false, true, true]>
// CHECK: memref.global "private" constant @table{{.*}} : memref<4xi8> = dense<[1, 0, 1, 1]>

// CHECK-LABEL: @allocated
// CHECK-SAME: (%[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>, %[[AT:.*]]: index)
// CHECK: %[[MASK:.*]] = memref.alloc() : memref<4xi8>
// CHECK: %[[TABLE:.*]] = memref.get_global @table{{.*}} : memref<4xi8>
// CHECK: tile.launch @allocated_generic {{.*}} (%[[X]], %[[TABLE]], %[[MASK]])
// CHECK: memref.store %{{.*}}, %[[MASK]][%[[AT]]] : memref<4xi8>
// CHECK: %[[BYTE:.*]] = memref.load %[[MASK]][%[[AT]]] : memref<4xi8>
// CHECK: arith.trunci %[[BYTE]] : i8 to i1
// CHECK: tile.launch @allocated_generic_{{[0-9]+}} {{.*}} (%[[MASK]], %[[X]], %[[Y]])
// CHECK: memref.dealloc %[[MASK]] : memref<4xi8>
func.func @allocated(%x: memref<4xf32>, %y: memref<4xf32>, %at: index) -> i1 {
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %mask = memref.alloc() : memref<4xi1>
  %table = memref.get_global @table : memref<4xi1>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %table : memref<4xf32>, memref<4xi1>) outs(%mask : memref<4xi1>) {
  ^bb0(%a: f32, %t: i1, %old: i1):
    %positive = arith.cmpf ogt, %a, %zero : f32
    %r = arith.andi %positive, %t : i1
    linalg.yield %r : i1
  }
  memref.store %true, %mask[%at] : memref<4xi1>
  %one = memref.load %mask[%at] : memref<4xi1>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%mask, %x : memref<4xi1>, memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%m: i1, %a: f32, %old: f32):
    %r = arith.select %m, %a, %zero : f32
    linalg.yield %r : f32
  }
  memref.dealloc %mask : memref<4xi1>
  return %one : i1
}

// CHECK-LABEL: @argument
// CHECK-SAME: (%[[MASK:.*]]: memref<?xi1>, %[[X:.*]]: memref<?xf32>, %[[KEPT:.*]]: memref<4xi1>)
// CHECK: %[[BYTES:.*]] = memref.alloc(%{{.*}}) : memref<?xi8>
// CHECK: linalg.generic {{.*}} ins(%[[MASK]] : memref<?xi1>) outs(%[[BYTES]] : memref<?xi8>)
// CHECK: arith.extui %{{.*}} : i1 to i8
// CHECK: tile.launch @argument_generic {{.*}}%[[BYTES]], %[[X]])
// CHECK: linalg.fill ins(%{{.*}} : i1) outs(%[[KEPT]] : memref<4xi1>)
// CHECK: memref.dealloc %[[BYTES]] : memref<?xi8>
func.func @argument(%mask: memref<?xi1>, %x: memref<?xf32>, %kept: memref<4xi1>) {
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%mask : memref<?xi1>) outs(%x : memref<?xf32>) {
  ^bb0(%m: i1, %a: f32):
    %r = arith.select %m, %a, %zero : f32
    linalg.yield %r : f32
  }
  linalg.fill ins(%true : i1) outs(%kept : memref<4xi1>)
  return
}

func.func @run(%x: tensor<16x16xf32>, %given: tensor<16x16xi1>, %w: tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<16x16xi1>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xi1>
  %causal = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<16x16xi1>) {
  ^bb0(%old: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %r = arith.cmpi sle, %j, %i : index
    linalg.yield %r : i1
  } -> tensor<16x16xi1>
  %columns = arith.constant dense<[true, false, true, true, false, true, true, true, false, true, true, false, true, true, true, false]> : tensor<16xi1>
  %e1 = tensor.empty() : tensor<16x16xi1>
  %rows = linalg.broadcast ins(%columns : tensor<16xi1>) outs(%e1 : tensor<16x16xi1>) dimensions = [0]
  %both = linalg.map { arith.andi } ins(%causal, %rows : tensor<16x16xi1>, tensor<16x16xi1>) outs(%e : tensor<16x16xi1>)
  %all = linalg.map { arith.ori } ins(%both, %given : tensor<16x16xi1>, tensor<16x16xi1>) outs(%e : tensor<16x16xi1>)
  %ex = tensor.empty() : tensor<16x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%all, %x : tensor<16x16xi1>, tensor<16x16xf32>) outs(%ex : tensor<16x16xf32>) {
  ^bb0(%m: i1, %in: f32, %old: f32):
    %r = arith.select %m, %in, %zero : f32
    linalg.yield %r : f32
  } -> tensor<16x16xf32>
  %p = einsum.contract "mk, kn -> mn" (%y, %w) : (tensor<16x16xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return %p, %both : tensor<16x8xf32>, tensor<16x16xi1>
}
