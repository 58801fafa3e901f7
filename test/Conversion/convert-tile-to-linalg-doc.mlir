// convert-tile-to-linalg: the example of the documentation.
//
// RUN: tile-opt --convert-tile-to-linalg --canonicalize --cse %s | FileCheck %s --implicit-check-not=tile.

// CHECK-LABEL: func.func private @sum
// CHECK-SAME: (%[[ROWS:[a-z0-9]+]]: memref<64x8xf32>, %[[SUMS:[a-z0-9]+]]: i64, %[[X:[a-z0-9]+]]: i32, %{{[a-z0-9]+}}: i32,
func.func @sum(%rows: memref<64x8xf32>, %sums: !tile.ptr<f32>) attributes {tile.kernel} {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
  // CHECK-DAG: %[[IDENTITY:.*]] = arith.constant -0.0{{.*}} : f32
  // CHECK-DAG: %[[SIZE:.*]] = arith.constant 4 : i64
  // CHECK: %[[I:.*]] = arith.index_cast %[[X]] : i32 to index
  // CHECK: %[[NONE:.*]] = linalg.fill ins(%[[ZERO]] : f32)
  // CHECK: %[[ROW:.*]] = scf.for %[[J:.*]] = %c0 to %c8 step %c1 iter_args(%[[PART:.*]] = %[[NONE]])
  // CHECK-NEXT: %[[ELEMENT:.*]] = memref.load %[[ROWS]][%[[I]], %[[J]]]
  // CHECK-NEXT: %[[MORE:.*]] = tensor.insert %[[ELEMENT]] into %[[PART]][%[[J]]]
  // CHECK-NEXT: scf.yield %[[MORE]]
  // CHECK: %[[INIT:.*]] = linalg.fill ins(%[[IDENTITY]] : f32)
  // CHECK-NEXT: %[[REDUCED:.*]] = linalg.reduce ins(%[[ROW]] : {{.*}}) outs(%[[INIT]] : {{.*}}) dimensions = [0]
  // CHECK-NEXT: (%[[IN:.*]]: f32, %[[OUT:.*]]: f32) {
  // CHECK-NEXT: %[[ADDED:.*]] = arith.addf %[[IN]], %[[OUT]]
  // CHECK-NEXT: linalg.yield %[[ADDED]]
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[SUM:.*]] = tensor.extract %[[REDUCED]][]
  // CHECK-NEXT: %[[WIDE:.*]] = arith.extsi %[[X]] : i32 to i64
  // CHECK-NEXT: %[[OFFSET:.*]] = arith.muli %[[WIDE]], %[[SIZE]]
  // CHECK-NEXT: %[[ADDRESS:.*]] = arith.addi %[[SUMS]], %[[OFFSET]]
  // CHECK-NEXT: %[[P:.*]] = llvm.inttoptr %[[ADDRESS]] : i64 to !llvm.ptr
  // CHECK-NEXT: llvm.store %[[SUM]], %[[P]] {alignment = 4 : i64} : f32, !llvm.ptr
  %c0 = arith.constant 0 : index
  %id = tile.program_id x
  %i = arith.index_cast %id : i32 to index
  %row = tile.load_view %rows[%i, %c0] axes [1] : memref<64x8xf32> -> tensor<8xf32>
  %sum = tile.reduce add %row axis 0 : tensor<8xf32>
  %p = tile.addptr %sums, %id : !tile.ptr<f32>, i32
  tile.store %p, %sum : !tile.ptr<f32>
  return
}
