// Kernels compute as tile programs what the interpreter computes of them: those that einsum-fuse makes
// (einsum-fuse-run.mlir), in small blocks with partial ones, in large ones, and unfused; and those below, which it does
// not make. The tile programs are interpreted as well, which sees reads outside of memory.
//
// RUN: tile-run %S/../Dialect/Einsum/einsum-fuse-run.mlir --random=1 --check=interp --pipeline="einsum-to-tile-pipeline{config={block=16x8x4}},tile-to-cpu-pipeline" | FileCheck %s
// RUN: tile-run %S/../Dialect/Einsum/einsum-fuse-run.mlir --entry=halves --random=1 --check=interp --opt-level=0 --pipeline="einsum-to-tile-pipeline{config={block=16x8x4}},tile-to-cpu-pipeline" | FileCheck %s
// RUN: tile-run %S/../Dialect/Einsum/einsum-fuse-run.mlir --random=2 --check=interp --opt-level=0 --pipeline="einsum-to-tile-pipeline,tile-to-cpu-pipeline" | FileCheck %s
// RUN: tile-run %S/../Dialect/Einsum/einsum-fuse-run.mlir --entry=halves --random=3 --check=interp --opt-level=0 --pipeline="einsum-to-tile-pipeline{config={block=5x3x2} fuse=false},tile-to-cpu-pipeline" | FileCheck %s
// RUN: tile-opt %S/../Dialect/Einsum/einsum-fuse-run.mlir --einsum-to-tile-pipeline="config={block=16x8x4}" -o %t.fused.mlir
// RUN: tile-run %t.fused.mlir --backend=interp --random=1
//
// RUN: tile-run %s --random=1 --check=interp --pipeline="einsum-to-tile-pipeline{config={block=16x8x4}},tile-to-cpu-pipeline" | FileCheck %s
// RUN: tile-run %s --random=2 --check=interp --opt-level=0 --pipeline="einsum-to-tile-pipeline{config={block=7x5x3}},tile-to-cpu-pipeline" | FileCheck %s
// RUN: tile-run %s --entry=halves --random=1 --check=interp --opt-level=0 --pipeline="einsum-to-tile-pipeline{config={block=16x8x4}},tile-to-cpu-pipeline" | FileCheck %s
// RUN: tile-opt %s --einsum-to-tile-pipeline="config={block=16x8x4}" -o %t.mlir
// RUN: tile-run %t.mlir --random=1 --check=interp --opt-level=0 | FileCheck %s
//
// CHECK: check against interp: passed

// A product and an outer product, and the other way round: no common division, so that each element is summed by itself.
func.func @no_common_division(%a: tensor<17x10xf32>, %b: tensor<10x19xf32>, %c: tensor<17xf32>, %d: tensor<19xf32>) -> tensor<17x19xf32> {
  %y = einsum.kernel (%p = %a : tensor<17x10xf32>, %q = %b : tensor<10x19xf32>, %r = %c : tensor<17xf32>, %u = %d : tensor<19xf32>) -> tensor<17x19xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
    %cd = einsum.contract "n, m -> mn" (%u, %r) : (tensor<19xf32>, tensor<17xf32>) -> tensor<17x19xf32>
    %s = arith.addf %ab, %cd : tensor<17x19xf32>
    einsum.yield %s : tensor<17x19xf32>
  }
  return %y : tensor<17x19xf32>
}
func.func @no_common_division_either(%a: tensor<17x10xf32>, %b: tensor<10x19xf32>, %c: tensor<17xf32>, %d: tensor<19xf32>) -> tensor<17x19xf32> {
  %y = einsum.kernel (%p = %a : tensor<17x10xf32>, %q = %b : tensor<10x19xf32>, %r = %c : tensor<17xf32>, %u = %d : tensor<19xf32>) -> tensor<17x19xf32> {
    %cd = einsum.contract "n, m -> mn" (%u, %r) : (tensor<19xf32>, tensor<17xf32>) -> tensor<17x19xf32>
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
    %s = arith.addf %cd, %ab : tensor<17x19xf32>
    einsum.yield %s : tensor<17x19xf32>
  }
  return %y : tensor<17x19xf32>
}

// Batch indices of one are rows and columns of another.
func.func @batch_and_rows(%a: tensor<3x17x10xf32>, %b: tensor<3x10x19xf32>, %c: tensor<3x17x6xf32>, %d: tensor<6x19xf32>) -> tensor<3x17x19xf32> {
  %y = einsum.kernel (%p = %a : tensor<3x17x10xf32>, %q = %b : tensor<3x10x19xf32>, %r = %c : tensor<3x17x6xf32>, %u = %d : tensor<6x19xf32>) -> tensor<3x17x19xf32> {
    %e = math.exp %p : tensor<3x17x10xf32>
    %ab = einsum.contract "bmk, bkn -> bmn" (%e, %q) : (tensor<3x17x10xf32>, tensor<3x10x19xf32>) -> tensor<3x17x19xf32>
    %cd = einsum.contract "bmk, kn -> bmn" (%r, %u) : (tensor<3x17x6xf32>, tensor<6x19xf32>) -> tensor<3x17x19xf32>
    %s = arith.subf %ab, %cd : tensor<3x17x19xf32>
    einsum.yield %s : tensor<3x17x19xf32>
  }
  return %y : tensor<3x17x19xf32>
}

// Columns first in one.
func.func @columns_first(%a: tensor<17x10xf32>, %b: tensor<10x19xf32>, %c: tensor<17x6xf32>, %d: tensor<6x19xf32>) -> tensor<17x19xf32> {
  %y = einsum.kernel (%p = %a : tensor<17x10xf32>, %q = %b : tensor<10x19xf32>, %r = %c : tensor<17x6xf32>, %u = %d : tensor<6x19xf32>) -> tensor<17x19xf32> {
    %ab = einsum.contract "kn, mk -> mn" (%q, %p) : (tensor<10x19xf32>, tensor<17x10xf32>) -> tensor<17x19xf32>
    %cd = einsum.contract "mk, kn -> mn" (%r, %u) : (tensor<17x6xf32>, tensor<6x19xf32>) -> tensor<17x19xf32>
    %s = arith.subf %ab, %cd : tensor<17x19xf32>
    einsum.yield %s : tensor<17x19xf32>
  }
  return %y : tensor<17x19xf32>
}

// All columns first: the tile is stored transposed, and the leaf read so.
func.func @all_columns_first(%a: tensor<17x10xf32>, %b: tensor<10x19xf32>, %c: tensor<17x19xf32>, %d: tensor<19x17xf32>) -> tensor<17x19xf32> {
  %y = einsum.kernel (%p = %a : tensor<17x10xf32>, %q = %b : tensor<10x19xf32>, %r = %c : tensor<17x19xf32>, %v = %d : tensor<19x17xf32>) -> tensor<17x19xf32> {
    %e = math.exp %p : tensor<17x10xf32>
    %ab = einsum.contract "kn, mk -> mn" (%q, %e) : (tensor<10x19xf32>, tensor<17x10xf32>) -> tensor<17x19xf32>
    %s = arith.subf %ab, %r : tensor<17x19xf32>
    %empty = tensor.empty() : tensor<17x19xf32>
    %t = linalg.transpose ins(%v : tensor<19x17xf32>) outs(%empty : tensor<17x19xf32>) permutation = [1, 0]
    %z = arith.addf %s, %t : tensor<17x19xf32>
    einsum.yield %z : tensor<17x19xf32>
  }
  return %y : tensor<17x19xf32>
}

// Elements that are multiplied by tile.dot beside others that are not.
func.func @integers_and_floats(%a: tensor<17x10xi32>, %b: tensor<10x19xi32>, %c: tensor<17x6xf32>, %d: tensor<6x19xf32>) -> tensor<17x19xf32> {
  %y = einsum.kernel (%p = %a : tensor<17x10xi32>, %q = %b : tensor<10x19xi32>, %r = %c : tensor<17x6xf32>, %u = %d : tensor<6x19xf32>) -> tensor<17x19xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<17x10xi32>, tensor<10x19xi32>) -> tensor<17x19xi32>
    %f = arith.sitofp %ab : tensor<17x19xi32> to tensor<17x19xf32>
    %cd = einsum.contract "mk, kn -> mn" (%r, %u) : (tensor<17x6xf32>, tensor<6x19xf32>) -> tensor<17x19xf32>
    %s = arith.subf %f, %cd : tensor<17x19xf32>
    einsum.yield %s : tensor<17x19xf32>
  }
  return %y : tensor<17x19xf32>
}

// The kernel's result is that of one contraction, used in no epilogue; another one is not needed.
func.func @not_needed(%a: tensor<17x10xf32>, %b: tensor<10x19xf32>) -> tensor<17x19xf32> {
  %y = einsum.kernel (%p = %a : tensor<17x10xf32>, %q = %b : tensor<10x19xf32>) -> tensor<17x19xf32> {
    %sum = einsum.contract "mk -> " (%p) : (tensor<17x10xf32>) -> tensor<f32>
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
    einsum.yield %ab : tensor<17x19xf32>
  }
  return %y : tensor<17x19xf32>
}

// No inputs at all.
func.func @no_inputs() -> tensor<17x19xf32> {
  %y = einsum.kernel () -> tensor<17x19xf32> {
    %p = arith.constant dense<1.5> : tensor<17x10xf32>
    %q = arith.constant dense<2.0> : tensor<10x19xf32>
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
    einsum.yield %ab : tensor<17x19xf32>
  }
  return %y : tensor<17x19xf32>
}

// One contraction twice in the epilogue, one input that nothing reads.
func.func @square(%a: tensor<17x10xf32>, %b: tensor<10x19xf32>, %c: tensor<3xf32>) -> tensor<17x19xf32> {
  %y = einsum.kernel (%p = %a : tensor<17x10xf32>, %q = %b : tensor<10x19xf32>, %r = %c : tensor<3xf32>) -> tensor<17x19xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
    %s = arith.mulf %ab, %ab : tensor<17x19xf32>
    einsum.yield %s : tensor<17x19xf32>
  }
  return %y : tensor<17x19xf32>
}

// outs, which is written over.
func.func @outs(%a: tensor<17x10xf32>, %b: tensor<10x19xf32>, %c: tensor<17x19xf32>) -> tensor<17x19xf32> {
  %y = einsum.kernel (%p = %a : tensor<17x10xf32>, %q = %b : tensor<10x19xf32>, %r = %c : tensor<17x19xf32>) -> tensor<17x19xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) outs(%r : tensor<17x19xf32>) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
    %s = arith.addf %ab, %r : tensor<17x19xf32>
    einsum.yield %s : tensor<17x19xf32>
  }
  return %y : tensor<17x19xf32>
}

// i1 inside.
func.func @bits(%a: tensor<17x10xf32>, %b: tensor<10x19xf32>, %c: tensor<17x19xf32>) -> tensor<17x19xi8> {
  %y = einsum.kernel (%p = %a : tensor<17x10xf32>, %q = %b : tensor<10x19xf32>, %r = %c : tensor<17x19xf32>) -> tensor<17x19xi8> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
    %less = arith.cmpf olt, %ab, %r : tensor<17x19xf32>
    %s = arith.extui %less : tensor<17x19xi1> to tensor<17x19xi8>
    einsum.yield %s : tensor<17x19xi8>
  }
  return %y : tensor<17x19xi8>
}

// A symmetric leaf of a batch, transposed along batch and rows.
func.func @batch_transposed_leaf(%a: tensor<5x5x10xf32>, %b: tensor<5x10x6xf32>, %c: tensor<5x6x5xf32>) -> tensor<5x5x6xf32> {
  %y = einsum.kernel (%p = %a : tensor<5x5x10xf32>, %q = %b : tensor<5x10x6xf32>, %r = %c : tensor<5x6x5xf32>) -> tensor<5x5x6xf32> {
    %ab = einsum.contract "bmk, bkn -> bmn" (%p, %q) : (tensor<5x5x10xf32>, tensor<5x10x6xf32>) -> tensor<5x5x6xf32>
    %empty = tensor.empty() : tensor<5x5x6xf32>
    %t = linalg.transpose ins(%r : tensor<5x6x5xf32>) outs(%empty : tensor<5x5x6xf32>) permutation = [0, 2, 1]
    %t2 = linalg.transpose ins(%r : tensor<5x6x5xf32>) outs(%empty : tensor<5x5x6xf32>) permutation = [2, 0, 1]
    %s = arith.addf %ab, %t : tensor<5x5x6xf32>
    %z = arith.mulf %s, %t2 : tensor<5x5x6xf32>
    einsum.yield %z : tensor<5x5x6xf32>
  }
  return %y : tensor<5x5x6xf32>
}

// Different prologues of one input by two contractions; f16 sums beside f32.
func.func @halves(%a: tensor<17x10xf16>, %b: tensor<10x19xf16>, %c: tensor<19xf16>) -> tensor<17x19xf32> {
  %y = einsum.kernel (%p = %a : tensor<17x10xf16>, %q = %b : tensor<10x19xf16>, %r = %c : tensor<19xf16>) -> tensor<17x19xf32> {
    %e = math.exp %p : tensor<17x10xf16>
    %ab = einsum.contract "mk, kn -> mn" (%e, %q) {acc = f32} : (tensor<17x10xf16>, tensor<10x19xf16>) -> tensor<17x19xf32>
    %f = arith.extf %p : tensor<17x10xf16> to tensor<17x10xf32>
    %g = arith.extf %q : tensor<10x19xf16> to tensor<10x19xf32>
    %cd = einsum.contract "mk, kn -> mn" (%f, %g) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
    %s = arith.subf %ab, %cd : tensor<17x19xf32>
    einsum.yield %s : tensor<17x19xf32>
  }
  return %y : tensor<17x19xf32>
}

func.func @main(
    %x0: tensor<17x10xf32>, %x1: tensor<10x19xf32>, %x2: tensor<17xf32>, %x3: tensor<19xf32>,
    %x4: tensor<3x17x10xf32>, %x5: tensor<3x10x19xf32>, %x6: tensor<3x17x6xf32>, %x7: tensor<6x19xf32>,
    %x8: tensor<17x6xf32>, %x9: tensor<17x19xf32>, %x10: tensor<19x17xf32>, %x11: tensor<17x10xi32>,
    %x12: tensor<10x19xi32>, %x13: tensor<3xf32>, %x14: tensor<5x5x10xf32>, %x15: tensor<5x10x6xf32>,
    %x16: tensor<5x6x5xf32>)
    -> (
    tensor<17x19xf32>, tensor<17x19xf32>, tensor<3x17x19xf32>, tensor<17x19xf32>, tensor<17x19xf32>,
    tensor<17x19xf32>, tensor<17x19xf32>, tensor<17x19xf32>, tensor<17x19xf32>, tensor<17x19xf32>, tensor<17x19xi8>,
    tensor<5x5x6xf32>) {
  %no_common_division = func.call @no_common_division(%x0, %x1, %x2, %x3) : (tensor<17x10xf32>, tensor<10x19xf32>, tensor<17xf32>, tensor<19xf32>) -> tensor<17x19xf32>
  %no_common_division_either = func.call @no_common_division_either(%x0, %x1, %x2, %x3) : (tensor<17x10xf32>, tensor<10x19xf32>, tensor<17xf32>, tensor<19xf32>) -> tensor<17x19xf32>
  %batch_and_rows = func.call @batch_and_rows(%x4, %x5, %x6, %x7) : (tensor<3x17x10xf32>, tensor<3x10x19xf32>, tensor<3x17x6xf32>, tensor<6x19xf32>) -> tensor<3x17x19xf32>
  %columns_first = func.call @columns_first(%x0, %x1, %x8, %x7) : (tensor<17x10xf32>, tensor<10x19xf32>, tensor<17x6xf32>, tensor<6x19xf32>) -> tensor<17x19xf32>
  %all_columns_first = func.call @all_columns_first(%x0, %x1, %x9, %x10) : (tensor<17x10xf32>, tensor<10x19xf32>, tensor<17x19xf32>, tensor<19x17xf32>) -> tensor<17x19xf32>
  %integers_and_floats = func.call @integers_and_floats(%x11, %x12, %x8, %x7) : (tensor<17x10xi32>, tensor<10x19xi32>, tensor<17x6xf32>, tensor<6x19xf32>) -> tensor<17x19xf32>
  %not_needed = func.call @not_needed(%x0, %x1) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
  %no_inputs = func.call @no_inputs() : () -> tensor<17x19xf32>
  %square = func.call @square(%x0, %x1, %x13) : (tensor<17x10xf32>, tensor<10x19xf32>, tensor<3xf32>) -> tensor<17x19xf32>
  %outs = func.call @outs(%x0, %x1, %x9) : (tensor<17x10xf32>, tensor<10x19xf32>, tensor<17x19xf32>) -> tensor<17x19xf32>
  %bits = func.call @bits(%x0, %x1, %x9) : (tensor<17x10xf32>, tensor<10x19xf32>, tensor<17x19xf32>) -> tensor<17x19xi8>
  %batch_transposed_leaf = func.call @batch_transposed_leaf(%x14, %x15, %x16) : (tensor<5x5x10xf32>, tensor<5x10x6xf32>, tensor<5x6x5xf32>) -> tensor<5x5x6xf32>
  return
    %no_common_division, %no_common_division_either, %batch_and_rows, %columns_first, %all_columns_first,
    %integers_and_floats, %not_needed, %no_inputs, %square, %outs, %bits, %batch_transposed_leaf
    :
    tensor<17x19xf32>, tensor<17x19xf32>, tensor<3x17x19xf32>, tensor<17x19xf32>, tensor<17x19xf32>,
    tensor<17x19xf32>, tensor<17x19xf32>, tensor<17x19xf32>, tensor<17x19xf32>, tensor<17x19xf32>, tensor<17x19xi8>,
    tensor<5x5x6xf32>
}
