// einsum-to-cpu-pipeline: only the LLVM dialect is left (and OpenMP's, which translates with it), and
// each option changes something.
//
// RUN: tile-opt --einsum-to-cpu-pipeline %s | FileCheck %s
// RUN: tile-opt --einsum-to-cpu-pipeline="openmp=0" %s | FileCheck %s --check-prefix=SERIAL --implicit-check-not=omp.
// RUN: tile-opt --einsum-to-cpu-pipeline="checks=none" %s \
// RUN:   | FileCheck %s --check-prefix=NONE --implicit-check-not=tileirReportCheck --implicit-check-not=check_sites
// RUN: tile-opt --einsum-to-cpu-pipeline="checks=all" %s | FileCheck %s --check-prefix=ALL
// RUN: not tile-opt --einsum-to-cpu-pipeline="checks=some" %s 2>&1 | FileCheck %s --check-prefix=BAD-VALUE
// RUN: not tile-opt --einsum-to-cpu-pipeline="warps=3" %s 2>&1 | FileCheck %s --check-prefix=BAD-OPTION
// RUN: tile-opt --pass-pipeline="builtin.module(einsum-to-cpu-pipeline{openmp=0 checks=none})" %s | FileCheck %s --check-prefix=SERIAL
//
// No other dialect:
// RUN: tile-opt --einsum-to-cpu-pipeline --mlir-print-op-generic %s \
// RUN:   | FileCheck %s --check-prefix=GENERIC --implicit-check-not='{{(^|[ =])}}"{{(arith|math|memref|tensor|linalg|affine|scf|cf|func|index|ub|einsum|bufferization)}}.'
// RUN: tile-opt --einsum-to-cpu-pipeline="openmp=0" --mlir-print-op-generic %s \
// RUN:   | FileCheck %s --check-prefix=GENERIC --implicit-check-not='{{(^|[ =])}}"{{(arith|math|memref|tensor|linalg|affine|scf|cf|func|index|ub|einsum|bufferization|omp)}}.'

// BAD-VALUE: 'some'
// BAD-OPTION: warps

// GENERIC: "builtin.module"
// GENERIC: "llvm.func"

// ALL: einsum.check_sites = [{{.*}}axis 0 (h+t[k]) of operand 0 reads index
// CHECK: einsum.check_sites = ["{{[^"]*}}index 'k' has size
// CHECK-NOT: axis 0 (h+t[k])
// CHECK-LABEL: llvm.func @convolution
// CHECK: llvm.call @tileirReportCheck
// CHECK: omp.parallel
// CHECK: omp.wsloop nowait
// SERIAL-LABEL: llvm.func @convolution
// NONE-LABEL: llvm.func @convolution
// ALL-LABEL: llvm.func @convolution
func.func @convolution(%x: tensor<?xf32>, %w: tensor<?x8xf32>, %t: tensor<?xi32>) -> tensor<8x16xf32> {
  %0 = einsum.contract "(h+t[k]), kn -> nh" (%x, %w) tables(t = %t : tensor<?xi32>)
      : (tensor<?xf32>, tensor<?x8xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// What surrounds contractions: element-wise ops, other element types, three operands, padding, calls,
// control flow, math, and constants.
// CHECK-LABEL: llvm.func @surroundings
func.func @surroundings(%a: tensor<4x9xbf16>, %b: tensor<9x6xf16>, %c: tensor<6x4xf32>, %n: index, %flag: i1)
    -> (tensor<4x4xf32>, tensor<?xf32>) {
  %0 = einsum.contract "mk, kn, nl -> ml" (%a, %b, %c)
      : (tensor<4x9xbf16>, tensor<9x6xf16>, tensor<6x4xf32>) -> tensor<4x4xf32>
  %bias = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<4x4xf32>
  %1 = arith.addf %0, %bias : tensor<4x4xf32>
  %2 = math.exp %1 : tensor<4x4xf32>
  %3 = scf.if %flag -> tensor<4x4xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x4xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %f : tensor<4x4xf32>
  } else {
    %p = func.call @padded(%2) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %p : tensor<4x4xf32>
  }
  %e = tensor.empty(%n) : tensor<?xf32>
  %s = tensor.empty() : tensor<f32>
  %r = einsum.contract ", ij -> i" (%s, %3) : (tensor<f32>, tensor<4x4xf32>) -> tensor<4xf32>
  %d = tensor.cast %r : tensor<4xf32> to tensor<?xf32>
  return %3, %d : tensor<4x4xf32>, tensor<?xf32>
}
func.func private @padded(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = einsum.contract "(i-1)(j/2) -> ij" (%a) {pad = "zero"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// Memrefs stay what they are: the caller's.
// CHECK-LABEL: llvm.func @memrefs
// CHECK-NOT: malloc
func.func @memrefs(%a: memref<128x16xi8>, %o: memref<128x16xi32>) {
  einsum.contract "mk, mk -> mk" (%a, %a) outs(%o : memref<128x16xi32>)
      : (memref<128x16xi8>, memref<128x16xi8>)
  return
}
