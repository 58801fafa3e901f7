// convert-tile-to-linalg: memory accesses become loops of single accesses, in program order; predicates
// and addresses become arith.
//
// RUN: tile-opt --convert-tile-to-linalg %s | FileCheck %s --implicit-check-not=tile.

// CHECK-DAG: #[[$START:.*]] = affine_map<()[s0] -> (0, -s0)>
// CHECK-DAG: #[[$END:.*]] = affine_map<()[s0{{.*}}] -> (0, {{.*}})>

// CHECK-LABEL: @load
// CHECK-SAME: (%[[P:[a-z0-9]+]]: tensor<4x3xi64>, %[[M:[a-z0-9]+]]: tensor<4x3xi1>, %[[O:[a-z0-9]+]]: tensor<4x3xf16>)
func.func @load(%p: tensor<4x3x!tile.ptr<f16>>, %m: tensor<4x3xi1>, %o: tensor<4x3xf16>)
    -> (tensor<4x3xf16>, tensor<4x3xf16>, tensor<4x3xf16>) {
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<4x3xf16>
  // CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c4{{.*}} iter_args(%{{.*}} = %[[E]])
  // CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c3{{.*}} iter_args(%[[T:.*]] = %{{.*}})
  // CHECK: %[[A:.*]] = tensor.extract %[[P]][%[[I]], %[[J]]] : tensor<4x3xi64>
  // CHECK: %[[Q:.*]] = llvm.inttoptr %[[A]] : i64 to !llvm.ptr
  // CHECK: %[[X:.*]] = llvm.load %[[Q]] {alignment = 2 : i64} : !llvm.ptr -> f16
  // CHECK: tensor.insert %[[X]] into %[[T]][%[[I]], %[[J]]]
  // CHECK-NOT: scf.if
  %0 = tile.load %p : tensor<4x3x!tile.ptr<f16>>
  // CHECK: %[[C:.*]] = tensor.extract %[[M]]
  // CHECK: scf.if %[[C]] -> (f16) {
  // CHECK:   llvm.load
  // CHECK: } else {
  // CHECK:   arith.constant 0.000000e+00 : f16
  %1 = tile.load %p mask %m : tensor<4x3x!tile.ptr<f16>>
  // CHECK: scf.if
  // CHECK: } else {
  // CHECK:   tensor.extract %[[O]]
  %2 = tile.load %p mask %m other %o : tensor<4x3x!tile.ptr<f16>>
  return %0, %1, %2 : tensor<4x3xf16>, tensor<4x3xf16>, tensor<4x3xf16>
}

// A scalar needs no loop.
// CHECK-LABEL: @scalar
// CHECK-SAME: (%[[P:[a-z0-9]+]]: i64, %[[M:[a-z0-9]+]]: i1, %[[V:[a-z0-9]+]]: i64)
// CHECK-NOT: scf.for
func.func @scalar(%p: !tile.ptr<i64>, %m: i1, %v: i64) -> (i64, i64) {
  // CHECK: %[[Q:.*]] = llvm.inttoptr %[[P]]
  // CHECK: llvm.load %[[Q]] {alignment = 8 : i64} : !llvm.ptr -> i64
  %0 = tile.load %p : !tile.ptr<i64>
  // CHECK: scf.if %[[M]] {
  // CHECK:   llvm.store %[[V]], %{{.*}} {alignment = 8 : i64} : i64, !llvm.ptr
  tile.store %p, %v mask %m : !tile.ptr<i64>
  // CHECK: scf.if %[[M]] -> (i64) {
  // CHECK:   llvm.atomicrmw umax %{{.*}}, %[[V]] monotonic : !llvm.ptr, i64
  // CHECK: } else {
  // CHECK:   arith.constant 0 : i64
  %1 = tile.atomic_rmw umax %p, %v mask %m : !tile.ptr<i64>
  return %0, %1 : i64, i64
}

// CHECK-LABEL: @store
func.func @store(%p: tensor<4x!tile.ptr<bf16>>, %v: tensor<4xbf16>, %m: tensor<4xi1>) {
  // CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c4{{.*}} {
  // CHECK:   scf.if %{{.*}} {
  // CHECK:     %[[X:.*]] = tensor.extract %{{.*}}[%[[I]]] : tensor<4xbf16>
  // CHECK:     llvm.store %[[X]], %{{.*}} {alignment = 2 : i64} : bf16, !llvm.ptr
  tile.store %p, %v mask %m : tensor<4x!tile.ptr<bf16>>
  return
}

// CHECK-LABEL: @atomics
func.func @atomics(%p: tensor<4x!tile.ptr<f32>>, %v: tensor<4xf32>, %q: !tile.ptr<i32>, %i: i32) {
  // CHECK: scf.for {{.*}} -> (tensor<4xf32>)
  // CHECK:   llvm.atomicrmw fadd %{{.*}}, %{{.*}} monotonic : !llvm.ptr, f32
  %0 = tile.atomic_rmw add %p, %v : tensor<4x!tile.ptr<f32>>
  // CHECK: llvm.atomicrmw xchg {{.*}} f32
  %1 = tile.atomic_rmw xchg %p, %v : tensor<4x!tile.ptr<f32>>
  // CHECK: llvm.atomicrmw add {{.*}} acq_rel
  %2 = tile.atomic_rmw add %q, %i order acq_rel : !tile.ptr<i32>
  // CHECK: llvm.atomicrmw max {{.*}} acquire
  %3 = tile.atomic_rmw max %q, %i order acquire scope sys : !tile.ptr<i32>
  // CHECK: llvm.atomicrmw min {{.*}} release
  %4 = tile.atomic_rmw min %q, %i order release : !tile.ptr<i32>
  // CHECK: llvm.atomicrmw umin
  %5 = tile.atomic_rmw umin %q, %i : !tile.ptr<i32>
  // CHECK: llvm.atomicrmw _and
  %6 = tile.atomic_rmw and %q, %i : !tile.ptr<i32>
  // CHECK: llvm.atomicrmw _or
  %7 = tile.atomic_rmw or %q, %i : !tile.ptr<i32>
  // CHECK: llvm.atomicrmw _xor
  %8 = tile.atomic_rmw xor %q, %i : !tile.ptr<i32>
  // CHECK: llvm.load volatile %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> i32
  %volatile = tile.load %q {is_volatile} : !tile.ptr<i32>
  // CHECK: %[[PAIR:.*]] = llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} acq_rel acquire : !llvm.ptr, i32
  // CHECK: llvm.extractvalue %[[PAIR]][0]
  %9 = tile.atomic_cas %q, %i, %8 order acq_rel : !tile.ptr<i32>
  // CHECK: scf.for {{.*}} -> (tensor<4xf32>)
  // CHECK:   arith.bitcast %{{.*}} : f32 to i32
  // CHECK:   arith.bitcast %{{.*}} : f32 to i32
  // CHECK:   llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} monotonic monotonic : !llvm.ptr, i32
  // CHECK:   arith.bitcast %{{.*}} : i32 to f32
  %10 = tile.atomic_cas %p, %v, %0 : tensor<4x!tile.ptr<f32>>
  return
}

// Loops over what is inside; zeros elsewhere. Of the axis that the tile lacks nothing is cut.
// CHECK-LABEL: @load_view
// CHECK-SAME: (%[[M:[a-z0-9]+]]: memref<?x5x7xi8>, %[[N:[a-z0-9]+]]: index, %[[I:[a-z0-9]+]]: index)
func.func @load_view(%m: memref<?x5x7xi8>, %n: index, %i: index) -> tensor<4x7xi8> {
  // CHECK: %[[LOWER:.*]] = affine.max #[[$START]]()[%[[I]]]
  // CHECK: %[[LOW:.*]] = affine.min #{{.*}}()[%[[LOWER]]]
  // CHECK: %[[UPPER:.*]] = affine.max #{{.*}}()[%[[I]]]
  // CHECK: %[[UP:.*]] = affine.min #{{.*}}()[%[[UPPER]]]
  // CHECK: %[[Z:.*]] = linalg.fill ins(%c0_i8{{.*}} : i8) outs(%{{.*}} : tensor<4x7xi8>)
  // CHECK: scf.for %[[A:.*]] = %[[LOW]] to %[[UP]] step %{{.*}} iter_args(%{{.*}} = %[[Z]])
  // CHECK: scf.for %[[B:.*]] = %c0{{.*}} to %c7{{.*}} iter_args(%[[T:.*]] = %{{.*}})
  // CHECK: %[[ROW:.*]] = arith.addi %[[I]], %[[A]]
  // CHECK: %[[COLUMN:.*]] = arith.addi %{{.*}}, %[[B]]
  // CHECK: %[[X:.*]] = memref.load %[[M]][%[[N]], %[[ROW]], %[[COLUMN]]]
  // CHECK: tensor.insert %[[X]] into %[[T]][%[[A]], %[[B]]]
  %c0 = arith.constant 0 : index
  %0 = tile.load_view %m[%n, %i, %c0] axes [1, 2] : memref<?x5x7xi8> -> tensor<4x7xi8>
  return %0 : tensor<4x7xi8>
}

// CHECK-LABEL: @store_view
// CHECK-SAME: (%[[T:[a-z0-9]+]]: tensor<4xf32>, %[[M:[a-z0-9]+]]: memref<?xf32>, %[[I:[a-z0-9]+]]: index)
func.func @store_view(%t: tensor<4xf32>, %m: memref<?xf32>, %i: index) {
  // CHECK: memref.dim %[[M]]
  // CHECK: scf.for %[[A:.*]] =
  // CHECK: %[[X:.*]] = tensor.extract %[[T]][%[[A]]]
  // CHECK: %[[TO:.*]] = arith.addi %[[I]], %[[A]]
  // CHECK: memref.store %[[X]], %[[M]][%[[TO]]]
  tile.store_view %t, %m[%i] : tensor<4xf32>, memref<?xf32>
  return
}

// Where no predicate is true, the first value.
// CHECK-LABEL: @predicates
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4xf32>, %[[Y:[a-z0-9]+]]: tensor<4xf32>, %[[Q:[a-z0-9]+]]: tensor<4xi1>)
func.func @predicates(%x: tensor<4xf32>, %y: tensor<4xf32>, %q: tensor<4xi1>) -> tensor<4xf32> {
  // CHECK: %[[T:.*]] = arith.cmpf olt, %[[X]], %[[Y]]
  // CHECK: %[[ONES:.*]] = linalg.fill ins(%true
  // CHECK: %[[E:.*]] = arith.xori %[[T]], %[[ONES]]
  %t, %e = tile.cmpp olt %x, %y : tensor<4xf32>
  // CHECK: %[[S:.*]] = arith.select %[[E]], %[[Y]], %[[X]]
  // CHECK: %[[R:.*]] = arith.select %[[Q]], %[[X]], %[[S]]
  %r = tile.psi %t ? %x, %e ? %y, %q ? %x : tensor<4xi1>, tensor<4xf32>
  // CHECK: return %[[R]]
  return %r : tensor<4xf32>
}

// CHECK-LABEL: @addresses
// CHECK-SAME: (%[[P:[a-z0-9]+]]: tensor<4xi64>, %[[I:[a-z0-9]+]]: tensor<4xi32>, %[[S:[a-z0-9]+]]: i64, %[[J:[a-z0-9]+]]: i64)
func.func @addresses(%p: tensor<4x!tile.ptr<f32>>, %i: tensor<4xi32>, %s: !tile.ptr<i16>, %j: i64)
    -> (tensor<4x!tile.ptr<f32>>, !tile.ptr<i16>) {
  // CHECK: %[[WIDE:.*]] = arith.extsi %[[I]] : tensor<4xi32> to tensor<4xi64>
  // CHECK: %[[C4:.*]] = arith.constant 4 : i64
  // CHECK: %[[SIZE:.*]] = linalg.fill ins(%[[C4]]
  // CHECK: %[[BYTES:.*]] = arith.muli %[[WIDE]], %[[SIZE]]
  // CHECK: arith.addi %[[P]], %[[BYTES]]
  %0 = tile.addptr %p, %i : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  // CHECK: %[[C2:.*]] = arith.constant 2 : i64
  // CHECK: %[[OFFSET:.*]] = arith.muli %[[J]], %[[C2]]
  // CHECK: arith.addi %[[S]], %[[OFFSET]]
  %1 = tile.addptr %s, %j : !tile.ptr<i16>, i64
  %2 = tile.assume %1 {divisibility = array<i64: 16>} : !tile.ptr<i16>
  return %0, %2 : tensor<4x!tile.ptr<f32>>, !tile.ptr<i16>
}

// Addresses are integers.
// CHECK-LABEL: func.func @casts
// CHECK-SAME: %[[P:.*]]: i64, %[[Q:.*]]: i64
func.func @casts(%p: !tile.ptr<i8>, %q: !tile.ptr<i64>) {
  // CHECK: %[[HALF:.*]] = llvm.inttoptr %[[P]] : i64 to !llvm.ptr
  // CHECK: llvm.load %[[HALF]] {alignment = 2 : i64} : !llvm.ptr -> f16
  %0 = tile.ptr_to_ptr %p : !tile.ptr<i8> -> !tile.ptr<f16>
  %1 = tile.load %0 : !tile.ptr<f16>
  tile.store %0, %1 : !tile.ptr<f16>
  // CHECK: %[[TO:.*]] = llvm.inttoptr %[[Q]]
  // CHECK: llvm.store %[[P]], %[[TO]]
  %2 = tile.ptr_to_int %p : !tile.ptr<i8> -> i64
  tile.store %q, %2 : !tile.ptr<i64>
  // CHECK: %[[A:.*]] = llvm.load {{.*}} -> i64
  // CHECK: %[[FROM:.*]] = llvm.inttoptr %[[A]]
  // CHECK: llvm.store %{{.*}}, %[[FROM]]
  %3 = tile.load %q : !tile.ptr<i64>
  %4 = tile.int_to_ptr %3 : i64 -> !tile.ptr<f16>
  tile.store %4, %1 : !tile.ptr<f16>
  return
}
