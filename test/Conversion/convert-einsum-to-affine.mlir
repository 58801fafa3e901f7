// convert-einsum-to-affine of static sizes: which loops, reads and guards a specification becomes.
// Run-time checks are in convert-einsum-to-affine-checks.mlir, dynamic sizes and tensors in
// convert-einsum-to-affine-dynamic.mlir.
//
// RUN: tile-opt --convert-einsum-to-affine --split-input-file --verify-diagnostics %s \
// RUN:   | FileCheck %s --implicit-check-not=einsum. --implicit-check-not=tileirReportCheck
// RUN: tile-opt --convert-einsum-to-affine="parallel-iterations=0" --split-input-file %s \
// RUN:   | FileCheck %s --check-prefix=SERIAL --implicit-check-not=affine.parallel
// RUN: tile-opt --convert-einsum-to-affine="parallel-iterations=65" --split-input-file %s \
// RUN:   | FileCheck %s --check-prefix=MORE

// The outermost index of the result has the 64 iterations that are parallel by default.
// CHECK-LABEL: @matmul
// CHECK-SAME: %[[A:.*]]: memref<64x16xf32>, %[[B:.*]]: memref<16x32xf32>, %[[C:.*]]: memref<64x32xf32>
// SERIAL-LABEL: @matmul
// MORE-LABEL: @matmul
func.func @matmul(%a: memref<64x16xf32>, %b: memref<16x32xf32>, %c: memref<64x32xf32>) {
  // CHECK-NEXT: affine.parallel (%[[M:.*]]) = (0) to (64) {
  // CHECK-NEXT:   affine.for %[[N:.*]] = 0 to 32 {
  // CHECK-NEXT:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-NEXT:     %[[SUM:.*]] = affine.for %[[K:.*]] = 0 to 16 iter_args(%[[ACC:.*]] = %[[ZERO]]) -> (f32) {
  // CHECK-NEXT:       %[[X:.*]] = affine.load %[[A]][%[[M]], %[[K]]]
  // CHECK-NEXT:       %[[Y:.*]] = affine.load %[[B]][%[[K]], %[[N]]]
  // CHECK-NEXT:       %[[XY:.*]] = arith.mulf %[[X]], %[[Y]] : f32
  // CHECK-NEXT:       %[[NEXT:.*]] = arith.addf %[[ACC]], %[[XY]] : f32
  // CHECK-NEXT:       affine.yield %[[NEXT]]
  // CHECK:          affine.store %[[SUM]], %[[C]][%[[M]], %[[N]]]
  // SERIAL-NEXT: affine.for %{{.*}} = 0 to 64 {
  // SERIAL-NEXT:   affine.for %{{.*}} = 0 to 32 {
  // MORE-NEXT: affine.parallel (%{{.*}}, %{{.*}}) = (0, 0) to (64, 32) {
  // MORE-NOT: affine.for {{.*}} 32
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<64x32xf32>) : (memref<64x16xf32>, memref<16x32xf32>)
  return
}

// -----

// Tables are loaded where they are used; the operand without one is read by affine.load. Sums of
// halves are formed in f32.
// CHECK-LABEL: @shift_convolution
// CHECK-SAME: %[[X:.*]]: memref<2x4x8xf16>, %[[W:.*]]: memref<4x5xf16>, %[[T:.*]]: memref<4xi64>, %[[O:.*]]: memref<2x5x6xf16>
func.func @shift_convolution(%x: memref<2x4x8xf16>, %w: memref<4x5xf16>, %t: memref<4xi64>, %o: memref<2x5x6xf16>) {
  // CHECK: affine.parallel (%[[N:.*]], %[[K:.*]], %[[H:.*]]) = (0, 0, 0) to (2, 5, 6) {
  // CHECK:   affine.for %[[C:.*]] = 0 to 4 iter_args(%[[ACC:.*]] = %{{.*}}) -> (f32) {
  // CHECK-NEXT: %[[S:.*]] = memref.load %[[T]][%[[C]]]
  // CHECK-NEXT: %[[I:.*]] = arith.index_cast %[[S]] : i64 to index
  // CHECK-NEXT: %[[HI:.*]] = arith.addi %[[H]], %[[I]]
  // CHECK-NEXT: %[[XV:.*]] = memref.load %[[X]][%[[N]], %[[C]], %[[HI]]]
  // CHECK-NEXT: %[[XF:.*]] = arith.extf %[[XV]] : f16 to f32
  // CHECK-NEXT: %[[WV:.*]] = affine.load %[[W]][%[[C]], %[[K]]]
  // CHECK-NEXT: %[[WF:.*]] = arith.extf %[[WV]] : f16 to f32
  // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[XF]], %[[WF]] : f32
  // CHECK-NEXT: arith.addf %[[ACC]], %[[P]] : f32
  // CHECK:   %[[R:.*]] = arith.truncf %{{.*}} : f32 to f16
  // CHECK-NEXT: affine.store %[[R]], %[[O]][%[[N]], %[[K]], %[[H]]]
  einsum.contract "nc(h+t[c]), ck -> nkh" (%x, %w) tables(t = %t : memref<4xi64>)
      outs(%o : memref<2x5x6xf16>) : (memref<2x4x8xf16>, memref<4x5xf16>)
  return
}

// -----

// Only the axis that may leave its operand is guarded: h+r-1 in [0, 8).
// CHECK: #[[$INSIDE:.*]] = affine_set<(d0, d1, d2) : (d1 + d2 - 1 >= 0, -(d1 + d2 - 1) + 7 >= 0)>
// CHECK-LABEL: @affine_padding
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<3x8xf32>
func.func @affine_padding(%x: memref<3x8xf32>, %o: memref<3x8xf32>) {
  // CHECK: affine.parallel (%[[C:.*]], %[[H:.*]]) =
  // CHECK: affine.for %[[R:.*]] = 0 to 3
  // CHECK-NEXT: affine.if #[[$INSIDE]](%[[C]], %[[H]], %[[R]]) -> f32 {
  // CHECK-NEXT:   %[[V:.*]] = affine.load %[[X]][%[[C]], %[[H]] + %[[R]] - 1]
  // CHECK-NEXT:   affine.yield %[[V]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   %[[Z:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-NEXT:   affine.yield %[[Z]]
  einsum.contract "c(h+r-1) -> ch" (%x) outs(%o : memref<3x8xf32>) {pad = "zero", sizes = {r = 3}} : (memref<3x8xf32>)
  return
}

// -----

// One unsigned comparison per axis: a negative index is a huge unsigned one.
// CHECK-LABEL: @table_padding
// CHECK-SAME: %[[X:.*]]: memref<8x7xi8>, %[[T:.*]]: memref<8x8xi32>, %[[O:.*]]: memref<8x8xi8>
func.func @table_padding(%x: memref<8x7xi8>, %t: memref<8x8xi32>, %o: memref<8x8xi8>) {
  // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
  // CHECK-DAG: %[[C7:.*]] = arith.constant 7 : index
  // CHECK: affine.parallel (%[[H:.*]], %[[W:.*]]) = (0, 0) to (8, 8)
  // CHECK: memref.load %[[T]][%[[W]], %[[H]]]
  // CHECK: %[[I:.*]] = arith.addi %[[H]], %{{.*}}
  // CHECK: %[[J:.*]] = arith.addi %[[W]], %{{.*}}
  // CHECK: %[[A:.*]] = arith.cmpi ult, %[[I]], %[[C8]]
  // CHECK: %[[B:.*]] = arith.cmpi ult, %[[J]], %[[C7]]
  // CHECK: %[[AB:.*]] = arith.andi %[[A]], %[[B]]
  // CHECK: scf.if %[[AB]] -> (i8) {
  // CHECK-NEXT: %[[V:.*]] = memref.load %[[X]][%[[I]], %[[J]]]
  // CHECK-NEXT: scf.yield %[[V]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT: %[[Z:.*]] = arith.constant 0 : i8
  einsum.contract "(h+t[w,h])(w+1) -> hw" (%x) tables(t = %t : memref<8x8xi32>) outs(%o : memref<8x8xi8>)
      {pad = "zero"} : (memref<8x7xi8>)
  return
}

// -----

// Padding that no read needs is no guard.
// CHECK-LABEL: @needless_padding
func.func @needless_padding(%x: memref<10xf32>, %o: memref<8xf32>) {
  // CHECK-NOT: affine.if
  // CHECK: affine.load %arg0[%{{.*}} + %{{.*}}]
  einsum.contract "(h+r) -> h" (%x) outs(%o : memref<8xf32>) {pad = "zero", sizes = {r = 3}} : (memref<10xf32>)
  return
}

// -----

// By a constant: affine. By an index: in arith, and then floor division, which for a modulus is
// multiplied back.
// CHECK-LABEL: @division
func.func @division(%x: memref<8xf32>, %o: memref<8xf32>, %p: memref<8x3xf32>) {
  // CHECK: affine.load %{{.*}}[%[[H:.*]] floordiv 2]
  // CHECK: affine.load %{{.*}}[%[[H:.*]] mod 3 + 1]
  // CHECK: affine.parallel (%[[H:.*]], %[[W:.*]]) =
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK: %[[D:.*]] = arith.addi %[[W]], %[[C1]]
  // CHECK: %[[Q:.*]] = arith.floordivsi %[[H]], %[[D]]
  // CHECK: %[[M:.*]] = arith.muli %[[Q]], %[[D]]
  // CHECK: %[[I:.*]] = arith.subi %[[H]], %[[M]]
  // CHECK: memref.load %{{.*}}[%[[I]]]
  einsum.contract "(h/2) -> h" (%x) outs(%o : memref<8xf32>) : (memref<8xf32>)
  einsum.contract "(h%3+1) -> h" (%x) outs(%o : memref<8xf32>) : (memref<8xf32>)
  einsum.contract "(h%(w+1)) -> hw" (%x) outs(%p : memref<8x3xf32>) : (memref<8xf32>)
  return
}

// -----

// Without a reduced index there is no sum, and without indices no loop.
// CHECK-LABEL: @copies
// SERIAL-LABEL: @copies
func.func @copies(%a: memref<f32>, %b: memref<f32>, %c: memref<3x4xf32>, %d: memref<4x3xf32>) {
  // CHECK-NEXT: %[[V:.*]] = affine.load %arg0[]
  // CHECK-NEXT: affine.store %[[V]], %arg1[]
  // CHECK-NEXT: affine.parallel (%[[I:.*]], %[[J:.*]]) = (0, 0) to (4, 3) {
  // CHECK-NEXT:   %[[W:.*]] = affine.load %arg2[%[[J]], %[[I]]]
  // CHECK-NEXT:   affine.store %[[W]], %arg3[%[[I]], %[[J]]]
  // SERIAL: affine.load
  // SERIAL: affine.for
  einsum.contract "->" (%a) outs(%b : memref<f32>) : (memref<f32>)
  einsum.contract "ij -> ji" (%c) outs(%d : memref<4x3xf32>) : (memref<3x4xf32>)
  return
}

// -----

// A sum over everything is one loop nest without a parallel loop.
// CHECK-LABEL: @sum
func.func @sum(%a: memref<3x4xbf16>, %s: memref<bf16>) {
  // CHECK-NOT: affine.parallel
  // CHECK: %[[S:.*]] = affine.for %{{.*}} = 0 to 3 iter_args(%[[X:.*]] = %{{.*}}) -> (f64) {
  // CHECK-NEXT: %[[T:.*]] = affine.for %{{.*}} = 0 to 4 iter_args(%{{.*}} = %[[X]]) -> (f64) {
  // CHECK: arith.extf %{{.*}} : bf16 to f64
  // CHECK: affine.yield %[[T]]
  // CHECK: %[[R:.*]] = arith.truncf %[[S]] : f64 to bf16
  // CHECK: affine.store %[[R]], %arg1[]
  einsum.contract "ij ->" (%a) outs(%s : memref<bf16>) {acc = f64} : (memref<3x4xbf16>)
  return
}

// -----

// Integers are signed and wrap.
// CHECK-LABEL: @integers
func.func @integers(%a: memref<4x9xi8>, %b: memref<9xi32>, %o: memref<4xi8>) {
  // CHECK: affine.for %{{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (i32) {
  // CHECK: %[[X:.*]] = arith.extsi %{{.*}} : i8 to i32
  // CHECK: %[[Y:.*]] = affine.load %arg1
  // CHECK: %[[P:.*]] = arith.muli %[[X]], %[[Y]] : i32
  // CHECK: arith.addi %[[S]], %[[P]] : i32
  // CHECK: arith.trunci %{{.*}} : i32 to i8
  einsum.contract "mk, k -> m" (%a, %b) outs(%o : memref<4xi8>) : (memref<4x9xi8>, memref<9xi32>)
  return
}

// -----

// Three operands become two nests and an intermediate buffer.
// CHECK-LABEL: @three_operands
func.func @three_operands(%a: memref<4x4xf32>, %o: memref<4x4xf32>) {
  // CHECK-NEXT: %[[T:.*]] = memref.alloc() : memref<4x4xf32>
  // CHECK: affine.store %{{.*}}, %[[T]]
  // CHECK: affine.load %[[T]]
  // CHECK: affine.store %{{.*}}, %arg1
  // CHECK: memref.dealloc %[[T]]
  einsum.contract "ij, jk, kl -> il" (%a, %a, %a) outs(%o : memref<4x4xf32>)
      : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>)
  return
}

// -----

// Sizes of zero are no error and read nothing: the sum is 0.
// CHECK-LABEL: @zero_sizes
func.func @zero_sizes(%a: memref<4x0xf32>, %o: memref<4x0xf32>, %p: memref<4xf32>) {
  // CHECK: affine.parallel (%[[M:.*]]) = (0) to (4) {
  // CHECK-NEXT: %[[Z:.*]] = arith.constant 0.000000e+00
  // CHECK-NEXT: %[[S:.*]] = affine.for %{{.*}} = 0 to 0 iter_args(%{{.*}} = %[[Z]])
  // CHECK: affine.store %[[S]], %arg2[%[[M]]]
  // CHECK: affine.parallel (%{{.*}}, %{{.*}}) = (0, 0) to (4, 0) {
  // CHECK: affine.parallel (%{{.*}}, %{{.*}}) = (0, 0) to (4, 0) {
  einsum.contract "mk -> m" (%a) outs(%p : memref<4xf32>) : (memref<4x0xf32>)
  einsum.contract "mk -> mk" (%a) outs(%o : memref<4x0xf32>) : (memref<4x0xf32>)
  einsum.contract "(m/k+7)k -> mk" (%a) outs(%o : memref<4x0xf32>) : (memref<4x0xf32>)
  return
}

// -----

// The dialect's attributes of arguments tell nothing below it.
// CHECK-LABEL: func.func @arguments(%arg0: memref<4xi8>, %arg1: memref<?xi8> {other.attribute})
func.func @arguments(%a: memref<4xi8> {einsum.value_range = array<i64: 0, 3>},
                     %b: memref<?xi8> {einsum.example_shape = array<i64: 3>, other.attribute}) {
  return
}
// CHECK: func.func private @external(memref<4xi8>)
func.func private @external(memref<4xi8> {einsum.value_range = array<i64: 0, 3>})
