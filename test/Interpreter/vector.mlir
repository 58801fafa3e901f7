// Kernels on vectors in the interpreter: an access beyond the memory is an error where it is made, which names the
// lane, the index and the size. Lanes that are masked off access nothing. What ops compute, VectorTest.cpp checks.

// RUN: split-file %s %t.d
// RUN: %python -c "import numpy as n; n.save('%t.d/x.npy', n.array([3, 1, 4, 1, 5, 9, 2], n.float32))"

// Seven elements by vectors of four lanes: the last of the second vector is masked off.
// RUN: tile-run %t.d/double.mlir --backend=interp --inputs=%t.d/x.npy --outputs=%t.d/y.npy
// RUN: %python -c "import numpy as n; print(n.load('%t.d/y.npy'))" | FileCheck %s --check-prefix=DOUBLE
// DOUBLE: [ 6.  2.  8.  2. 10. 18.  4.]

// RUN: not tile-run %t.d/load.mlir --backend=interp --inputs=%t.d/x.npy 2>&1 | FileCheck %s --check-prefix=LOAD
// LOAD: load.mlir:4:8: error: element (3): index (7) is outside of the shape 7
// RUN: not tile-run %t.d/scatter.mlir --backend=interp --inputs=%t.d/x.npy 2>&1 | FileCheck %s --check-prefix=SCATTER
// SCATTER: scatter.mlir:6:3: error: element (2): index (8) is outside of the shape 7

// RUN: not tile-run %t.d/rank.mlir --backend=interp --inputs=%t.d/x.npy 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: rank.mlir:2:8: error: the interpreter does not know values of type 'vector<2x2xf32>'

//--- double.mlir
func.func @main(%x: memref<7xf32>) -> memref<7xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %y = memref.alloc() {alignment = 64 : i64} : memref<7xf32>
  scf.parallel (%i) = (%c0) to (%c7) step (%c4) {
    %rest = arith.subi %c7, %i : index
    %mask = vector.create_mask %rest : vector<4xi1>
    %v = vector.maskedload %x[%i], %mask, %zero : memref<7xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %w = scf.for %j = %c0 to %c1 step %c1 iter_args(%sum = %v) -> (vector<4xf32>) {
      %s = arith.addf %sum, %v : vector<4xf32>
      scf.yield %s : vector<4xf32>
    }
    vector.maskedstore %y[%i], %mask, %w : memref<7xf32>, vector<4xi1>, vector<4xf32>
  }
  return %y : memref<7xf32>
}
//--- load.mlir
func.func @main(%x: memref<7xf32>) {
  %c4 = arith.constant 4 : index
  %v0 = vector.load %x[%c4] : memref<7xf32>, vector<3xf32>
  %v = vector.load %x[%c4] : memref<7xf32>, vector<4xf32>
  return
}
//--- scatter.mlir
func.func @main(%x: memref<7xf32>) {
  %c4 = arith.constant 4 : index
  %mask = arith.constant dense<[true, false, true]> : vector<3xi1>
  %places = arith.constant dense<[0, 3, 4]> : vector<3xi32>
  %v = arith.constant dense<0.0> : vector<3xf32>
  vector.scatter %x[%c4][%places], %mask, %v : memref<7xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32>
  return
}
//--- rank.mlir
func.func @main(%x: memref<7xf32>) {
  %v = arith.constant dense<0.0> : vector<2x2xf32>
  return
}
