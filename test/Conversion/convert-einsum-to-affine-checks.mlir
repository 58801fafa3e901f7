// convert-einsum-to-affine: what each value of `checks` verifies at run time, and the messages.
//
// RUN: tile-opt --convert-einsum-to-affine --split-input-file %s | FileCheck %s
// RUN: tile-opt --convert-einsum-to-affine="checks=sizes" --split-input-file %s | FileCheck %s
// RUN: tile-opt --convert-einsum-to-affine="checks=all" --split-input-file %s | FileCheck %s --check-prefix=ALL
// RUN: tile-opt --convert-einsum-to-affine="checks=none" --split-input-file %s \
// RUN:   | FileCheck %s --check-prefix=NONE --implicit-check-not=check_sites --implicit-check-not=tileirReportCheck \
// RUN:     --implicit-check-not=cmpi
// RUN: not tile-opt --convert-einsum-to-affine="checks=some" %s 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: 'some'

// The sites are templates; the loops run only if the sizes agree.
// CHECK: module attributes {einsum.check_sites = ["{{.*}}convert-einsum-to-affine-checks.mlir:[[@LINE+27]]:3: index 'k' has size {0} in axis 1 of operand 0 but size {1} in axis 0 of operand 1", "{{.*}}:3: index 'm' has size {0} in axis 0 of operand 0 but size {1} in axis 0 of the result", "{{.*}}:3: index 'n' has size {0} in axis 1 of operand 1 but size {1} in axis 1 of the result"]} {
// CHECK-LABEL: @sizes
// CHECK-SAME: %[[A:.*]]: memref<?x?xf32>, %[[B:.*]]: memref<?x?xf32>, %[[C:.*]]: memref<?x?xf32>
// NONE-LABEL: @sizes
func.func @sizes(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // CHECK: %[[K0:.*]] = memref.dim %[[A]], %c1
  // CHECK: %[[K1:.*]] = memref.dim %[[B]], %c0
  // CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[K0]], %[[K1]]
  // CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
  // CHECK-NEXT: %[[DIFFER:.*]] = arith.xori %[[SAME]], %[[TRUE]]
  // CHECK-NEXT: scf.if %[[DIFFER]] {
  // CHECK-NEXT:   %[[SITE:.*]] = arith.constant 0 : i64
  // CHECK-NEXT:   memref.alloca_scope {
  // CHECK-NEXT:     %[[VALUES:.*]] = memref.alloca() : memref<2xi64>
  // CHECK:          %[[V0:.*]] = arith.index_cast %[[K0]] : index to i64
  // CHECK-NEXT:     memref.store %[[V0]], %[[VALUES]]
  // CHECK:          %[[V1:.*]] = arith.index_cast %[[K1]] : index to i64
  // CHECK-NEXT:     memref.store %[[V1]], %[[VALUES]]
  // CHECK-NEXT:     %[[CAST:.*]] = memref.cast %[[VALUES]] : memref<2xi64> to memref<?xi64>
  // CHECK-NEXT:     func.call @tileirReportCheck(%[[SITE]], %[[CAST]]) : (i64, memref<?xi64>) -> ()
  // CHECK:      arith.constant 1 : i64
  // CHECK:      arith.constant 2 : i64
  // CHECK:      %[[AGREE:.*]] = arith.andi
  // CHECK-NEXT: scf.if %[[AGREE]] {
  // CHECK-NEXT:   affine.parallel
  // NONE-NOT: scf.if
  // NONE: affine.parallel
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<?x?xf32>) : (memref<?x?xf32>, memref<?x?xf32>)
  return
}
// CHECK: func.func private @tileirReportCheck(i64, memref<?xi64>)

// -----

// Static sizes, which the verifier compared, are not compared again; an index that a table or
// `sizes` tells is compared with the axis.
// CHECK: einsum.check_sites = ["{{[^"]*}}index 'r' has size {0} by 'sizes' or the type of the result but size {1} in axis 0 of operand 1", "{{[^"]*}}index 'h' has size {0} in axis 0 of table 't' but size {1} in axis 0 of the result"]
// CHECK-LABEL: @sources_of_sizes
// NONE-LABEL: @sources_of_sizes
func.func @sources_of_sizes(%a: memref<4x9xf32>, %b: memref<?xf32>, %t: memref<?xi32>, %o: memref<?x4xf32>) {
  einsum.contract "m(t[h]+r), r -> hm" (%a, %b) tables(t = %t : memref<?xi32>) outs(%o : memref<?x4xf32>)
      {sizes = {r = 3}} : (memref<4x9xf32>, memref<?xf32>)
  return
}

// -----

// The largest and least index of a linear axis; nothing is read if a size is 0.
// CHECK: einsum.check_sites = ["{{[^"]*}}axis 0 (2*h-r+2) of operand 0 reads indices {0} to {1}, outside of its size {2}"]
// CHECK-LABEL: @linear_axis
// NONE-LABEL: @linear_axis
func.func @linear_axis(%a: memref<?xf32>, %o: memref<8xf32>) {
  // CHECK: %[[D:.*]] = memref.dim %arg0
  // CHECK: %[[LOW:.*]] = arith.cmpi sge
  // CHECK: %[[HIGH:.*]] = arith.cmpi slt, %{{.*}}, %[[D]]
  // CHECK: %[[FITS:.*]] = arith.andi %[[LOW]], %[[HIGH]]
  // CHECK: %[[EMPTY:.*]] = arith.cmpi eq
  // CHECK: arith.ori %[[FITS]], %[[EMPTY]]
  // CHECK: scf.if
  // CHECK: affine.load %arg0[%{{.*}} * 2 - %{{.*}} + 2]
  einsum.contract "(2*h-r+2) -> h" (%a) outs(%o : memref<8xf32>) {sizes = {r = 3}} : (memref<?xf32>)
  return
}

// -----

// With padding nothing is outside.
// CHECK-LABEL: @padded
// CHECK-NOT: tileirReportCheck
func.func @padded(%a: memref<?xf32>, %o: memref<8xf32>) {
  einsum.contract "(2*h-r) -> h" (%a) outs(%o : memref<8xf32>) {pad = "zero", sizes = {r = 3}} : (memref<?xf32>)
  return
}
// NONE-LABEL: @padded
// NONE: affine.if

// -----

// What a table holds is checked per read, if all is.
// CHECK-LABEL: @table
// CHECK-NOT: tileirReportCheck
// CHECK: // -----
// ALL: einsum.check_sites = ["{{[^"]*}}table 't' at [{0}, {1}] holds {2}, table 'u' at [{3}] holds {4}: axis 1 (h+t[w,h]+u[w]) of operand 0 reads index {5}, outside of its size {6}"]
// ALL-LABEL: @table
// NONE-LABEL: @table
func.func @table(%a: memref<4x9xf32>, %t: memref<3x6xi32>, %u: memref<3xi64>, %o: memref<6x3x4xf32>) {
  // ALL: %[[IN:.*]] = arith.cmpi ult, %[[I:.*]], %{{.*}} : index
  // ALL: memref.alloca() : memref<7xi64>
  // ALL: call @tileirReportCheck
  // ALL: scf.if %[[IN]] -> (f32) {
  // ALL-NEXT: memref.load %arg0[%{{.*}}, %[[I]]]
  // ALL: arith.constant 0.000000e+00
  // NONE-NOT: scf.if
  einsum.contract "m(h+t[w,h]+u[w]) -> hwm" (%a) tables(t = %t : memref<3x6xi32>, u = %u : memref<3xi64>)
      outs(%o : memref<6x3x4xf32>) : (memref<4x9xf32>)
  return
}

// -----

// A read that the verifier could not know to be inside, of a dynamic operand, for another reason than
// a table: by a division.
// ALL: einsum.check_sites = ["{{[^"]*}}axis 0 (h/2) of operand 0 reads index {0}, outside of its size {1}"]
// ALL-LABEL: @division
// NONE-LABEL: @division
func.func @division(%a: memref<?xf32>, %o: memref<8xf32>) {
  // ALL: arith.floordivsi
  // ALL: arith.cmpi ult
  einsum.contract "(h/2) -> h" (%a) outs(%o : memref<8xf32>) : (memref<?xf32>)
  return
}

// -----

// A divisor from a table is checked, and made 1 in any case: the processor would trap.
// CHECK: einsum.check_sites = ["{{[^"]*}}table 't' at [{0}] holds {1}: the divisor t[h] of operand 0 is {2}, expected it to be positive"]
// CHECK-LABEL: @divisor
// ALL-LABEL: @divisor
// NONE-LABEL: @divisor
func.func @divisor(%a: memref<8xf32>, %t: memref<8xi32>, %o: memref<8xf32>) {
  // CHECK: %[[C1:.*]] = arith.constant 1 : index
  // CHECK: %[[POSITIVE:.*]] = arith.cmpi sge, %[[T:.*]], %[[C1]]
  // CHECK: scf.if
  // CHECK: %[[D:.*]] = arith.maxsi %[[T]], %[[C1]]
  // CHECK: arith.floordivsi %{{.*}}, %[[D]]
  // NONE: %[[C1:.*]] = arith.constant 1 : index
  // NONE: %[[D:.*]] = arith.maxsi %{{.*}}, %[[C1]]
  // NONE: arith.floordivsi %{{.*}}, %[[D]]
  einsum.contract "(h/t[h]) -> h" (%a) tables(t = %t : memref<8xi32>) outs(%o : memref<8xf32>) : (memref<8xf32>)
  return
}

// -----

// Sites that an earlier run left keep their numbers.
// CHECK: einsum.check_sites = ["earlier", "{{.*}}index 'm' has size {0}
// CHECK-LABEL: @second_run
// NONE: einsum.check_sites = ["earlier"]
// NONE-LABEL: @second_run
module attributes {einsum.check_sites = ["earlier"]} {
  func.func @second_run(%a: memref<?xf32>, %o: memref<3xf32>) {
    // CHECK: arith.constant 1 : i64
    einsum.contract "m -> m" (%a) outs(%o : memref<3xf32>) : (memref<?xf32>)
    return
  }
  func.func private @tileirReportCheck(i64, memref<?xi64>)
  // CHECK: func.func private @tileirReportCheck
  // NONE: func.func private @tileirReportCheck
  // CHECK-NOT: @tileirReportCheck
}
