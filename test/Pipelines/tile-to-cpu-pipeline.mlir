// tile-to-cpu-pipeline: only the LLVM dialect is left (and OpenMP's, which translates with it); tiles are
// buffers, and vectors of the machine's size compute on them; each option changes something.
//
// RUN: tile-opt --tile-to-cpu-pipeline %s \
// RUN:   | FileCheck %s --implicit-check-not='vector<{{[0-9][0-9][0-9]}}' --implicit-check-not='x array'
// RUN: tile-opt --tile-to-cpu-pipeline="openmp=0" %s | FileCheck %s --check-prefix=SERIAL --implicit-check-not=omp.
// RUN: tile-opt --tile-to-cpu-pipeline="checks=none" %s \
// RUN:   | FileCheck %s --check-prefix=NONE --implicit-check-not=tileirReportCheck
// RUN: not tile-opt --tile-to-cpu-pipeline="checks=some" %s 2>&1 | FileCheck %s --check-prefix=BAD-VALUE
// RUN: not tile-opt --pass-pipeline="builtin.module(func.func(tile-to-cpu-pipeline))" %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BAD-ANCHOR
//
// No other dialect:
// RUN: tile-opt --tile-to-cpu-pipeline --mlir-print-op-generic %s \
// RUN:   | FileCheck %s --check-prefix=GENERIC --implicit-check-not='{{(^|[ =])}}"{{(arith|math|memref|tensor|linalg|affine|scf|cf|func|index|ub|tile|einsum|bufferization)}}.'

// BAD-VALUE: 'some'
// BAD-ANCHOR: tile-to-cpu-pipeline: expected it in builtin.module(...), found it in func.func(...)
// GENERIC: "builtin.module"
// GENERIC: "llvm.func"

// The sum and the blocks are buffers on the stack, made once, as all of them need little of it.
// CHECK-LABEL: llvm.func @gemm
// CHECK-NOT: llvm.call @malloc
// CHECK-COUNT-3: llvm.alloca
// CHECK-NOT: llvm.alloca
// CHECK-NOT: llvm.call @malloc
// CHECK: llvm.intr.fmuladd({{.*}}vector<
// CHECK-NOT: llvm.call @free
// CHECK: llvm.return
func.func @gemm(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %xi = arith.index_cast %x : i32 to index
  %yi = arith.index_cast %y : i32 to index
  %i = arith.muli %xi, %c64 : index
  %j = arith.muli %yi, %c64 : index
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %kk = %c0 to %k step %c4 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %s = tile.load_view %a[%i, %kk] : memref<?x?xf32> -> tensor<64x4xf32>
    %t = tile.load_view %b[%kk, %j] : memref<?x?xf32> -> tensor<4x64xf32>
    %d = tile.dot %s, %t, %acc : tensor<64x4xf32>, tensor<4x64xf32>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store_view %sum, %c[%i, %j] : tensor<64x64xf32>, memref<?x?xf32>
  return
}

// Accesses are of vectors; masks and addresses are computed where they are used.
// CHECK-LABEL: llvm.func @add
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<32xf32>
// CHECK: llvm.fadd {{.*}} : vector<
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : vector<32xf32>, !llvm.ptr
// CHECK-NOT: llvm.call @malloc
// CHECK: llvm.return
func.func @add(%a: !tile.ptr<f32>, %c: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %id = tile.program_id x
  %c32 = arith.constant 32 : i32
  %start = arith.muli %id, %c32 : i32
  %first = tile.splat %start : i32 -> tensor<32xi32>
  %lane = tile.range 0 to 32 : tensor<32xi32>
  %i = arith.addi %first, %lane : tensor<32xi32>
  %size = tile.splat %n : i32 -> tensor<32xi32>
  %inside = arith.cmpi slt, %i, %size : tensor<32xi32>
  %as = tile.splat %a : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %ap = tile.addptr %as, %i : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %x = tile.load %ap mask %inside : tensor<32x!tile.ptr<f32>>
  %y = arith.addf %x, %x : tensor<32xf32>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %cp = tile.addptr %cs, %i : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %cp, %y mask %inside : tensor<32x!tile.ptr<f32>>
  return
}

// Programs run in parallel. Einsums of the host are compiled too.
// CHECK-LABEL: llvm.func @host
// CHECK: omp.parallel
// CHECK: omp.loop_nest
// CHECK: llvm.call @add
// CHECK: llvm.call @tileirReportCheck
// SERIAL-LABEL: llvm.func @host
// SERIAL: llvm.call @add
// NONE-LABEL: llvm.func @host
func.func @host(%a: memref<100xf32>, %b: memref<100xf32>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = arith.constant 100 : i32
  tile.launch @add grid(%c4, %c1, %c1) (%a, %b, %n) : memref<100xf32>, memref<100xf32>, i32
  %0 = einsum.contract "i, i -> i" (%x, %y) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
