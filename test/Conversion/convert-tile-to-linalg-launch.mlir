// convert-tile-to-linalg: kernels become functions that get their place in the grid, launches become
// parallel loops, pointers become addresses.
//
// RUN: tile-opt --convert-tile-to-linalg --split-input-file %s \
// RUN:   | FileCheck %s --implicit-check-not=tile. --implicit-check-not=unrealized_conversion_cast

// CHECK-LABEL: func.func private @kernel
// CHECK-SAME: (%[[P:[a-z0-9]+]]: i64, %[[M:[a-z0-9]+]]: memref<4xf32>, %[[N:[a-z0-9]+]]: i32,
// CHECK-SAME:  %[[X:[a-z0-9]+]]: i32, %[[Y:[a-z0-9]+]]: i32, %[[Z:[a-z0-9]+]]: i32,
// CHECK-SAME:  %[[NX:[a-z0-9]+]]: i32, %[[NY:[a-z0-9]+]]: i32, %[[NZ:[a-z0-9]+]]: i32) {
func.func @kernel(%p: !tile.ptr<f32> {tile.noalias}, %m: memref<4xf32> {tile.readonly},
                  %n: i32 {tile.multiple_of = 4 : i64}) attributes {tile.kernel} {
  %x = tile.program_id x
  %y = tile.program_id y
  %z = tile.program_id z
  %nx = tile.num_programs x
  %ny = tile.num_programs y
  %nz = tile.num_programs z
  // CHECK: call @use(%[[X]], %[[Y]], %[[Z]], %[[NX]], %[[NY]], %[[NZ]])
  func.call @use(%x, %y, %z, %nx, %ny, %nz) : (i32, i32, i32, i32, i32, i32) -> ()
  return
}
func.func private @use(i32, i32, i32, i32, i32, i32)

// The x axis is innermost.
// CHECK-LABEL: func.func @host
// CHECK-SAME: (%[[A:[a-z0-9]+]]: memref<8xf32>, %[[B:[a-z0-9]+]]: memref<4xf32>, %[[N:[a-z0-9]+]]: i32,
// CHECK-SAME:  %[[GX:[a-z0-9]+]]: index, %[[GY:[a-z0-9]+]]: index, %[[GZ:[a-z0-9]+]]: index)
func.func @host(%a: memref<8xf32>, %b: memref<4xf32>, %n: i32, %gx: index, %gy: index, %gz: index) {
  // CHECK: %[[INDEX:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
  // CHECK: %[[ADDRESS:.*]] = arith.index_cast %[[INDEX]] : index to i64
  // CHECK: %[[NX:.*]] = arith.index_cast %[[GX]] : index to i32
  // CHECK: %[[NY:.*]] = arith.index_cast %[[GY]] : index to i32
  // CHECK: %[[NZ:.*]] = arith.index_cast %[[GZ]] : index to i32
  // CHECK: scf.parallel (%[[I:.*]], %[[J:.*]], %[[K:.*]]) = (%{{.*}}) to (%[[GZ]], %[[GY]], %[[GX]])
  // CHECK-DAG: %[[X:.*]] = arith.index_cast %[[K]]
  // CHECK-DAG: %[[Y:.*]] = arith.index_cast %[[J]]
  // CHECK-DAG: %[[Z:.*]] = arith.index_cast %[[I]]
  // CHECK: call @kernel(%[[ADDRESS]], %[[B]], %[[N]], %[[X]], %[[Y]], %[[Z]], %[[NX]], %[[NY]], %[[NZ]])
  tile.launch @kernel grid(%gx, %gy, %gz) (%a, %b, %n) : memref<8xf32>, memref<4xf32>, i32
  return
}

// -----

// Pointers are addresses wherever they occur: in tiles, loops, branches, selects, calls.
// CHECK-LABEL: func.func private @helper
// CHECK-SAME: (%{{.*}}: tensor<4xi64>, %{{.*}}: i64) -> (tensor<4xi64>, i64)
func.func private @helper(%t: tensor<4x!tile.ptr<i8>>, %p: !tile.ptr<i8>)
    -> (tensor<4x!tile.ptr<i8>>, !tile.ptr<i8>) {
  return %t, %p : tensor<4x!tile.ptr<i8>>, !tile.ptr<i8>
}
// CHECK-LABEL: func.func private @everywhere
func.func @everywhere(%p: !tile.ptr<i8>, %q: !tile.ptr<i8>, %c: i1, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[S:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : i64
  %s = arith.select %c, %p, %q : !tile.ptr<i8>
  // CHECK: %[[T:.*]] = linalg.fill ins(%[[S]] : i64)
  %t = tile.splat %s : !tile.ptr<i8> -> tensor<4x!tile.ptr<i8>>
  // CHECK: tensor.extract %[[T]][%{{.*}}] : tensor<4xi64>
  %one = tensor.extract %t[%c1] : tensor<4x!tile.ptr<i8>>
  // CHECK: scf.for {{.*}} -> (tensor<4xi64>, i64)
  %f:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t, %v = %s) -> (tensor<4x!tile.ptr<i8>>, !tile.ptr<i8>) {
    // CHECK: scf.if {{.*}} -> (tensor<4xi64>, i64)
    %r:2 = scf.if %c -> (tensor<4x!tile.ptr<i8>>, !tile.ptr<i8>) {
      // CHECK: call @helper({{.*}}) : (tensor<4xi64>, i64) -> (tensor<4xi64>, i64)
      %h:2 = func.call @helper(%u, %v) : (tensor<4x!tile.ptr<i8>>, !tile.ptr<i8>) -> (tensor<4x!tile.ptr<i8>>, !tile.ptr<i8>)
      scf.yield %h#0, %h#1 : tensor<4x!tile.ptr<i8>>, !tile.ptr<i8>
    } else {
      scf.yield %u, %v : tensor<4x!tile.ptr<i8>>, !tile.ptr<i8>
    }
    scf.yield %r#0, %r#1 : tensor<4x!tile.ptr<i8>>, !tile.ptr<i8>
  }
  %zero = arith.constant 0 : i8
  tile.store %f#1, %zero : !tile.ptr<i8>
  tile.store %one, %zero : !tile.ptr<i8>
  return
}
