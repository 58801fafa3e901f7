// What einsum-fuse makes computes the same as before: bit for bit in the interpreter, with and without prologues and
// taken apart again. convert-einsum-to-tile-kernel-run.test runs these functions as tile programs.
//
// RUN: rm -rf %t && mkdir -p %t/before %t/after %t/epilogues %t/inlined
// RUN: tile-opt %s --einsum-fuse -o %t/fused.mlir
// RUN: FileCheck %s --input-file=%t/fused.mlir
// RUN: tile-opt %s --einsum-fuse="prologues=false max-contractions=1" -o %t/epilogues.mlir
// RUN: tile-opt %t/fused.mlir --einsum-inline-kernels -o %t/inlined.mlir
// RUN: tile-run %s --backend=interp --random=7 --outputs=%t/before/0.npy,%t/before/1.npy,%t/before/2.npy,%t/before/3.npy,%t/before/4.npy,%t/before/5.npy,%t/before/6.npy,%t/before/7.npy,%t/before/8.npy,%t/before/9.npy,%t/before/10.npy,%t/before/11.npy,%t/before/12.npy,%t/before/13.npy,%t/before/14.npy,%t/before/15.npy,%t/before/16.npy,%t/before/17.npy,%t/before/18.npy,%t/before/19.npy,%t/before/20.npy,%t/before/21.npy,%t/before/22.npy,%t/before/23.npy,%t/before/24.npy,%t/before/25.npy,%t/before/26.npy,%t/before/27.npy,%t/before/28.npy,%t/before/29.npy,%t/before/30.npy,%t/before/31.npy,%t/before/32.npy,%t/before/33.npy
// RUN: tile-run %s --entry=halves --backend=interp --random=7 --outputs=%t/before/halves0.npy,%t/before/halves1.npy
// RUN: tile-run %t/fused.mlir --backend=interp --random=7 --outputs=%t/after/0.npy,%t/after/1.npy,%t/after/2.npy,%t/after/3.npy,%t/after/4.npy,%t/after/5.npy,%t/after/6.npy,%t/after/7.npy,%t/after/8.npy,%t/after/9.npy,%t/after/10.npy,%t/after/11.npy,%t/after/12.npy,%t/after/13.npy,%t/after/14.npy,%t/after/15.npy,%t/after/16.npy,%t/after/17.npy,%t/after/18.npy,%t/after/19.npy,%t/after/20.npy,%t/after/21.npy,%t/after/22.npy,%t/after/23.npy,%t/after/24.npy,%t/after/25.npy,%t/after/26.npy,%t/after/27.npy,%t/after/28.npy,%t/after/29.npy,%t/after/30.npy,%t/after/31.npy,%t/after/32.npy,%t/after/33.npy
// RUN: tile-run %t/fused.mlir --entry=halves --backend=interp --random=7 --outputs=%t/after/halves0.npy,%t/after/halves1.npy
// RUN: tile-run %t/epilogues.mlir --backend=interp --random=7 --outputs=%t/epilogues/0.npy,%t/epilogues/1.npy,%t/epilogues/2.npy,%t/epilogues/3.npy,%t/epilogues/4.npy,%t/epilogues/5.npy,%t/epilogues/6.npy,%t/epilogues/7.npy,%t/epilogues/8.npy,%t/epilogues/9.npy,%t/epilogues/10.npy,%t/epilogues/11.npy,%t/epilogues/12.npy,%t/epilogues/13.npy,%t/epilogues/14.npy,%t/epilogues/15.npy,%t/epilogues/16.npy,%t/epilogues/17.npy,%t/epilogues/18.npy,%t/epilogues/19.npy,%t/epilogues/20.npy,%t/epilogues/21.npy,%t/epilogues/22.npy,%t/epilogues/23.npy,%t/epilogues/24.npy,%t/epilogues/25.npy,%t/epilogues/26.npy,%t/epilogues/27.npy,%t/epilogues/28.npy,%t/epilogues/29.npy,%t/epilogues/30.npy,%t/epilogues/31.npy,%t/epilogues/32.npy,%t/epilogues/33.npy
// RUN: tile-run %t/epilogues.mlir --entry=halves --backend=interp --random=7 --outputs=%t/epilogues/halves0.npy,%t/epilogues/halves1.npy
// RUN: tile-run %t/inlined.mlir --backend=interp --random=7 --outputs=%t/inlined/0.npy,%t/inlined/1.npy,%t/inlined/2.npy,%t/inlined/3.npy,%t/inlined/4.npy,%t/inlined/5.npy,%t/inlined/6.npy,%t/inlined/7.npy,%t/inlined/8.npy,%t/inlined/9.npy,%t/inlined/10.npy,%t/inlined/11.npy,%t/inlined/12.npy,%t/inlined/13.npy,%t/inlined/14.npy,%t/inlined/15.npy,%t/inlined/16.npy,%t/inlined/17.npy,%t/inlined/18.npy,%t/inlined/19.npy,%t/inlined/20.npy,%t/inlined/21.npy,%t/inlined/22.npy,%t/inlined/23.npy,%t/inlined/24.npy,%t/inlined/25.npy,%t/inlined/26.npy,%t/inlined/27.npy,%t/inlined/28.npy,%t/inlined/29.npy,%t/inlined/30.npy,%t/inlined/31.npy,%t/inlined/32.npy,%t/inlined/33.npy
// RUN: tile-run %t/inlined.mlir --entry=halves --backend=interp --random=7 --outputs=%t/inlined/halves0.npy,%t/inlined/halves1.npy
// RUN: diff -r %t/before %t/after
// RUN: diff -r %t/before %t/epilogues
// RUN: diff -r %t/before %t/inlined

// All but those that say so are fused.
// CHECK-COUNT-33: einsum.kernel
// CHECK-NOT: einsum.kernel

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
#tr = affine_map<(i, j) -> (j, i)>
#none = affine_map<(i, j) -> ()>

// A result of no axes.
func.func @rank0(%a: tensor<10xf32>, %b: tensor<10xf32>, %c: tensor<f32>) -> tensor<f32> {
  %e = math.exp %a : tensor<10xf32>
  %ab = einsum.contract "k, k -> " (%e, %b) : (tensor<10xf32>, tensor<10xf32>) -> tensor<f32>
  %s = arith.addf %ab, %c : tensor<f32>
  return %s : tensor<f32>
}

// Two summed indices.
func.func @rank0_many(%a: tensor<5x7xf32>, %b: tensor<5x7xf32>, %c: tensor<f32>) -> tensor<f32> {
  %e = math.exp %a : tensor<5x7xf32>
  %ab = einsum.contract "kl, kl -> " (%e, %b) : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<f32>
  %s = arith.addf %ab, %c : tensor<f32>
  return %s : tensor<f32>
}

// A vector.
func.func @vec(%a: tensor<37x10xf32>, %b: tensor<10xf32>, %c: tensor<37xf32>) -> tensor<37xf32> {
  %e = math.exp %a : tensor<37x10xf32>
  %ab = einsum.contract "mk, k -> m" (%e, %b) : (tensor<37x10xf32>, tensor<10xf32>) -> tensor<37xf32>
  %s = arith.addf %ab, %c : tensor<37xf32>
  return %s : tensor<37xf32>
}

// All indices of the result have one value.
func.func @unit(%a: tensor<1x10xf32>, %b: tensor<10x1xf32>, %c: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %e = math.exp %a : tensor<1x10xf32>
  %ab = einsum.contract "mk, kn -> mn" (%e, %b) : (tensor<1x10xf32>, tensor<10x1xf32>) -> tensor<1x1xf32>
  %s = arith.addf %ab, %c : tensor<1x1xf32>
  return %s : tensor<1x1xf32>
}

// One row; a bias per row.
func.func @unit_row(%a: tensor<1x10xf32>, %b: tensor<10x19xf32>, %c: tensor<1x19xf32>, %d: tensor<1xf32>) -> tensor<1x19xf32> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<1x10xf32>, tensor<10x19xf32>) -> tensor<1x19xf32>
  %s = arith.addf %ab, %c : tensor<1x19xf32>
  %o = tensor.empty() : tensor<1x19xf32>
  %t = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%s, %d : tensor<1x19xf32>, tensor<1xf32>) outs(%o : tensor<1x19xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %m = arith.mulf %x, %y : f32
      linalg.yield %m : f32
  } -> tensor<1x19xf32>
  return %t : tensor<1x19xf32>
}

// No sum, but a prologue.
func.func @unit_k(%a: tensor<17x1xf32>, %b: tensor<1x19xf32>, %c: tensor<17x19xf32>) -> tensor<17x19xf32> {
  %e = math.exp %a : tensor<17x1xf32>
  %ab = einsum.contract "mk, kn -> mn" (%e, %b) : (tensor<17x1xf32>, tensor<1x19xf32>) -> tensor<17x19xf32>
  %s = arith.addf %ab, %c : tensor<17x19xf32>
  return %s : tensor<17x19xf32>
}

// One value as both operands, and in the epilogue.
func.func @square_same(%a: tensor<17x17xf32>) -> tensor<17x17xf32> {
  %e = math.exp %a : tensor<17x17xf32>
  %ab = einsum.contract "mk, kn -> mn" (%e, %e) : (tensor<17x17xf32>, tensor<17x17xf32>) -> tensor<17x17xf32>
  %s = arith.addf %ab, %e : tensor<17x17xf32>
  %s2 = arith.mulf %s, %a : tensor<17x17xf32>
  return %s2 : tensor<17x17xf32>
}

// A leaf of the epilogue directly and transposed, and a scalar.
func.func @transposed_leaf(%a: tensor<17x10xf32>, %b: tensor<10x17xf32>, %c: tensor<17x17xf32>, %d: tensor<f32>) -> tensor<17x17xf32> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<17x10xf32>, tensor<10x17xf32>) -> tensor<17x17xf32>
  %o = tensor.empty() : tensor<17x17xf32>
  %t = linalg.generic {indexing_maps = [#id, #tr, #id, #none, #id], iterator_types = ["parallel", "parallel"]}
    ins(%ab, %c, %c, %d : tensor<17x17xf32>, tensor<17x17xf32>, tensor<17x17xf32>, tensor<f32>) outs(%o : tensor<17x17xf32>) {
    ^bb0(%x: f32, %y: f32, %y2: f32, %y3: f32, %z: f32):
      %m = arith.mulf %x, %y : f32
      %m2 = arith.subf %m, %y2 : f32
      %m3 = arith.addf %m2, %y3 : f32
      linalg.yield %m3 : f32
  } -> tensor<17x17xf32>
  return %t : tensor<17x17xf32>
}

// Not fused.
func.func @transpose_result(%a: tensor<17x10xf32>, %b: tensor<10x19xf32>) -> tensor<19x17xf32> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
  %o = tensor.empty() : tensor<19x17xf32>
  %t = linalg.transpose ins(%ab : tensor<17x19xf32>) outs(%o : tensor<19x17xf32>) permutation = [1, 0]
  return %t : tensor<19x17xf32>
}

// A transposed operand.
func.func @transpose_operand(%a: tensor<10x17xf32>, %b: tensor<10x19xf32>) -> tensor<17x19xf32> {
  %o = tensor.empty() : tensor<17x10xf32>
  %t = linalg.transpose ins(%a : tensor<10x17xf32>) outs(%o : tensor<17x10xf32>) permutation = [1, 0]
  %ab = einsum.contract "mk, kn -> mn" (%t, %b) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
  return %ab : tensor<17x19xf32>
}

// exp(0) is not 0: outside of the sum a prologue has to count as 0. It reads vectors along rows and sum.
func.func @prologue_bias(%a: tensor<17x10xf32>, %p: tensor<10xf32>, %q: tensor<17xf32>, %b: tensor<10x19xf32>) -> tensor<17x19xf32> {
  %o = tensor.empty() : tensor<17x10xf32>
  %t = linalg.generic {indexing_maps = [#id, #row, #col, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a, %q, %p : tensor<17x10xf32>, tensor<17xf32>, tensor<10xf32>) outs(%o : tensor<17x10xf32>) {
    ^bb0(%x: f32, %y: f32, %y2: f32, %z: f32):
      %m = arith.addf %x, %y : f32
      %m2 = arith.mulf %m, %y2 : f32
      %m3 = math.exp %m2 : f32
      linalg.yield %m3 : f32
  } -> tensor<17x10xf32>
  %ab = einsum.contract "mk, kn -> mn" (%t, %b) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
  return %ab : tensor<17x19xf32>
}

// Two products of different depth; the operands of one are exchanged.
func.func @two(%a: tensor<17x10xf32>, %b: tensor<10x19xf32>, %c: tensor<6x17xf32>, %d: tensor<6x19xf32>) -> tensor<17x19xf32> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
  %cd = einsum.contract "kn, km -> mn" (%d, %c) : (tensor<6x19xf32>, tensor<6x17xf32>) -> tensor<17x19xf32>
  %s = arith.addf %ab, %cd : tensor<17x19xf32>
  return %s : tensor<17x19xf32>
}

// Blocks of a batch, with a factor per batch.
func.func @batched(%a: tensor<3x17x10xf32>, %b: tensor<3x10x19xf32>, %c: tensor<3x17x19xf32>, %d: tensor<3xf32>) -> tensor<3x17x19xf32> {
  %ab = einsum.contract "bmk, bkn -> bmn" (%a, %b) : (tensor<3x17x10xf32>, tensor<3x10x19xf32>) -> tensor<3x17x19xf32>
  %s = arith.addf %ab, %c : tensor<3x17x19xf32>
  %o = tensor.empty() : tensor<3x17x19xf32>
  %bb = linalg.broadcast ins(%d : tensor<3xf32>) outs(%o : tensor<3x17x19xf32>) dimensions = [1, 2]
  %t = arith.mulf %s, %bb : tensor<3x17x19xf32>
  return %t : tensor<3x17x19xf32>
}

// Rows and columns of two indices each, in mixed order.
func.func @two_letters(%a: tensor<3x7x10xf32>, %b: tensor<10x5x4xf32>, %c: tensor<5x3x4x7xf32>, %d: tensor<5x4xf32>) -> tensor<5x3x4x7xf32> {
  %ab = einsum.contract "mik, knj -> nmji" (%a, %b) : (tensor<3x7x10xf32>, tensor<10x5x4xf32>) -> tensor<5x3x4x7xf32>
  %s = arith.addf %ab, %c : tensor<5x3x4x7xf32>
  %o = tensor.empty() : tensor<5x3x4x7xf32>
  %bb = linalg.broadcast ins(%d : tensor<5x4xf32>) outs(%o : tensor<5x3x4x7xf32>) dimensions = [1, 3]
  %t = arith.mulf %s, %bb : tensor<5x3x4x7xf32>
  return %t : tensor<5x3x4x7xf32>
}

// Two summed indices; prologues along one of them each.
func.func @two_summed(%a: tensor<17x3x5xf32>, %b: tensor<3x19x5xf32>, %c: tensor<17x19xf32>, %d: tensor<5xf32>, %f: tensor<3xf32>) -> tensor<17x19xf32> {
  %o = tensor.empty() : tensor<17x3x5xf32>
  %db = linalg.broadcast ins(%d : tensor<5xf32>) outs(%o : tensor<17x3x5xf32>) dimensions = [0, 1]
  %fb = linalg.broadcast ins(%f : tensor<3xf32>) outs(%o : tensor<17x3x5xf32>) dimensions = [0, 2]
  %a1 = arith.addf %a, %db : tensor<17x3x5xf32>
  %a2 = arith.addf %a1, %fb : tensor<17x3x5xf32>
  %e = math.exp %a2 : tensor<17x3x5xf32>
  %ab = einsum.contract "mkl, knl -> mn" (%e, %b) : (tensor<17x3x5xf32>, tensor<3x19x5xf32>) -> tensor<17x19xf32>
  %s = arith.addf %ab, %c : tensor<17x19xf32>
  return %s : tensor<17x19xf32>
}

// A convolution with padding, whose padding is 0 and not exp(0), with bias and relu.
func.func @pad(%x: tensor<2x3x8x8xf32>, %w: tensor<3x3x3x5xf32>, %bias: tensor<5xf32>) -> tensor<2x5x8x8xf32> {
  %e = math.exp %x : tensor<2x3x8x8xf32>
  %y = einsum.contract "nc(h+r-1)(w+s-1), crsk -> nkhw" (%e, %w) {pad = "zero"} : (tensor<2x3x8x8xf32>, tensor<3x3x3x5xf32>) -> tensor<2x5x8x8xf32>
  %o = tensor.empty() : tensor<2x5x8x8xf32>
  %bb = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%o : tensor<2x5x8x8xf32>) dimensions = [0, 2, 3]
  %t = arith.addf %y, %bb : tensor<2x5x8x8xf32>
  %z = arith.constant dense<0.0> : tensor<2x5x8x8xf32>
  %u = arith.maximumf %t, %z : tensor<2x5x8x8xf32>
  return %u : tensor<2x5x8x8xf32>
}

// A table along the sum.
func.func @table(%x: tensor<2x4x8xf32>, %w: tensor<4x5xf32>, %t: tensor<4xi32>, %c: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = math.exp %x : tensor<2x4x8xf32>
  %ab = einsum.contract "nc(h+t[c]), ck -> nkh" (%e, %w) tables(t = %t : tensor<4xi32>) {pad = "zero"} : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x5x8xf32>
  %o = tensor.empty() : tensor<2x5x8xf32>
  %bb = linalg.broadcast ins(%c : tensor<5xf32>) outs(%o : tensor<2x5x8xf32>) dimensions = [0, 2]
  %s = arith.addf %ab, %bb : tensor<2x5x8xf32>
  return %s : tensor<2x5x8xf32>
}

// A table along rows.
func.func @table_external(%x: tensor<9x8xf32>, %w: tensor<8x5xf32>, %t: tensor<17xi64>, %c: tensor<5xf32>) -> tensor<17x5xf32> {
  %e = math.exp %x : tensor<9x8xf32>
  %ab = einsum.contract "(t[h])k, kn -> hn" (%e, %w) tables(t = %t : tensor<17xi64>) {pad = "zero"} : (tensor<9x8xf32>, tensor<8x5xf32>) -> tensor<17x5xf32>
  %r = arith.negf %ab : tensor<17x5xf32>
  return %r : tensor<17x5xf32>
}

// Tables of contractions whose operands are exchanged.
func.func @table_swapped(%x: tensor<9x8xf32>, %w: tensor<8x5xf32>, %v: tensor<5x8xf32>, %t: tensor<17xi64>, %u: tensor<17xi32>) -> tensor<17x5xf32> {
  %ab = einsum.contract "kn, (t[h])k -> hn" (%w, %x) tables(t = %t : tensor<17xi64>) {pad = "zero"} : (tensor<8x5xf32>, tensor<9x8xf32>) -> tensor<17x5xf32>
  %cd = einsum.contract "(u[h])(k), nk -> hn" (%x, %v) tables(u = %u : tensor<17xi32>) {pad = "zero"} : (tensor<9x8xf32>, tensor<5x8xf32>) -> tensor<17x5xf32>
  %r = arith.subf %ab, %cd : tensor<17x5xf32>
  return %r : tensor<17x5xf32>
}

// Halves, rounded after the sum and in each op of the epilogue.
func.func @f16(%a: tensor<17x10xf16>, %b: tensor<10x19xf16>, %c: tensor<19xf16>) -> tensor<17x19xf16> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) {acc = f32} : (tensor<17x10xf16>, tensor<10x19xf16>) -> tensor<17x19xf16>
  %o = tensor.empty() : tensor<17x19xf16>
  %bb = linalg.broadcast ins(%c : tensor<19xf16>) outs(%o : tensor<17x19xf16>) dimensions = [0]
  %s = arith.addf %ab, %bb : tensor<17x19xf16>
  %t = math.tanh %s : tensor<17x19xf16>
  return %t : tensor<17x19xf16>
}

// Casts of operands and result.
func.func @bf16(%a: tensor<17x10xf32>, %b: tensor<10x19xf32>, %c: tensor<17x19xf32>) -> tensor<17x19xbf16> {
  %p = arith.truncf %a : tensor<17x10xf32> to tensor<17x10xbf16>
  %q = arith.truncf %b : tensor<10x19xf32> to tensor<10x19xbf16>
  %ab = einsum.contract "mk, kn -> mn" (%p, %q) {acc = f32} : (tensor<17x10xbf16>, tensor<10x19xbf16>) -> tensor<17x19xf32>
  %s = arith.addf %ab, %c : tensor<17x19xf32>
  %t = arith.truncf %s : tensor<17x19xf32> to tensor<17x19xbf16>
  return %t : tensor<17x19xbf16>
}

// Shift and saturation of a sum of bytes.
func.func @i8(%a: tensor<17x10xi8>, %b: tensor<10x19xi8>, %c: tensor<17x19xi32>) -> tensor<17x19xi8> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) {acc = i32} : (tensor<17x10xi8>, tensor<10x19xi8>) -> tensor<17x19xi32>
  %s = arith.addi %ab, %c : tensor<17x19xi32>
  %sh = arith.constant dense<3> : tensor<17x19xi32>
  %s2 = arith.shrsi %s, %sh : tensor<17x19xi32>
  %lo = arith.constant dense<-128> : tensor<17x19xi32>
  %hi = arith.constant dense<127> : tensor<17x19xi32>
  %s3 = arith.maxsi %s2, %lo : tensor<17x19xi32>
  %s4 = arith.minsi %s3, %hi : tensor<17x19xi32>
  %t = arith.trunci %s4 : tensor<17x19xi32> to tensor<17x19xi8>
  return %t : tensor<17x19xi8>
}

// Integers: products of 32 bits, then 64.
func.func @i8_prologue(%a: tensor<17x10xi8>, %b: tensor<10x19xi32>, %c: tensor<17x19xi64>) -> tensor<17x19xi64> {
  %one = arith.constant dense<1> : tensor<17x10xi32>
  %p = arith.extsi %a : tensor<17x10xi8> to tensor<17x10xi32>
  %q = arith.addi %p, %one : tensor<17x10xi32>
  %ab = einsum.contract "mk, kn -> mn" (%q, %b) : (tensor<17x10xi32>, tensor<10x19xi32>) -> tensor<17x19xi32>
  %x = arith.extsi %ab : tensor<17x19xi32> to tensor<17x19xi64>
  %s = arith.addi %x, %c : tensor<17x19xi64>
  return %s : tensor<17x19xi64>
}

// Comparison and selection.
func.func @f64(%a: tensor<17x10xf64>, %b: tensor<10x19xf64>, %c: tensor<17x19xf64>) -> tensor<17x19xf64> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<17x10xf64>, tensor<10x19xf64>) -> tensor<17x19xf64>
  %m = arith.cmpf ogt, %ab, %c : tensor<17x19xf64>
  %s = arith.select %m, %ab, %c : tensor<17x19xi1>, tensor<17x19xf64>
  return %s : tensor<17x19xf64>
}

// A constant of several values.
func.func @nonsplat(%a: tensor<2x10xf32>, %b: tensor<10x3xf32>) -> tensor<2x3xf32> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<2x10xf32>, tensor<10x3xf32>) -> tensor<2x3xf32>
  %k = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %s = arith.addf %ab, %k : tensor<2x3xf32>
  return %s : tensor<2x3xf32>
}

// A constant operand; one result used twice by one op.
func.func @const_operand(%a: tensor<17x10xf32>) -> tensor<17x19xf32> {
  %k = arith.constant dense<2.0> : tensor<10x19xf32>
  %ab = einsum.contract "mk, kn -> mn" (%a, %k) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
  %s = arith.addf %ab, %ab : tensor<17x19xf32>
  return %s : tensor<17x19xf32>
}

// Structured ops.
func.func @linalgs(%a: tensor<17x10xf32>, %b: tensor<10x19xf32>, %c: tensor<17x19xf32>, %d: tensor<19xf32>) -> tensor<17x19xf32> {
  %o = tensor.empty() : tensor<17x19xf32>
  %f = arith.constant 0.5 : f32
  %half = linalg.fill ins(%f : f32) outs(%o : tensor<17x19xf32>) -> tensor<17x19xf32>
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
  %s = linalg.add ins(%ab, %half : tensor<17x19xf32>, tensor<17x19xf32>) outs(%o : tensor<17x19xf32>) -> tensor<17x19xf32>
  %t = linalg.map { arith.mulf } ins(%s, %c : tensor<17x19xf32>, tensor<17x19xf32>) outs(%o : tensor<17x19xf32>)
  %u = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%t : tensor<17x19xf32>) outs(%o : tensor<17x19xf32>) -> tensor<17x19xf32>
  %v = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
    ins(%u, %d : tensor<17x19xf32>, tensor<19xf32>) outs(%o : tensor<17x19xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %m = arith.addf %x, %y : f32
      %m2 = arith.mulf %m, %f : f32
      linalg.yield %m2 : f32
  } -> tensor<17x19xf32>
  return %v : tensor<17x19xf32>
}

// A kernel in a loop.
func.func @loop(%a: tensor<17x17xf32>, %b: tensor<17x17xf32>, %c: tensor<17x17xf32>) -> tensor<17x17xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> tensor<17x17xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%x, %b) : (tensor<17x17xf32>, tensor<17x17xf32>) -> tensor<17x17xf32>
    %s = arith.addf %ab, %c : tensor<17x17xf32>
    %t = math.tanh %s : tensor<17x17xf32>
    scf.yield %t : tensor<17x17xf32>
  }
  return %r : tensor<17x17xf32>
}

// Two kernels, one after the other.
func.func @chain(%a: tensor<17x10xf32>, %b: tensor<10x19xf32>, %c: tensor<19x6xf32>) -> tensor<17x6xf32> {
  %z = arith.constant dense<0.0> : tensor<17x19xf32>
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
  %s = arith.maximumf %ab, %z : tensor<17x19xf32>
  %abc = einsum.contract "mk, kn -> mn" (%s, %c) : (tensor<17x19xf32>, tensor<19x6xf32>) -> tensor<17x6xf32>
  %t = math.tanh %abc : tensor<17x6xf32>
  return %t : tensor<17x6xf32>
}

// A sum of nothing.
func.func @empty_sum(%a: tensor<4x0xf32>, %b: tensor<0x5xf32>, %c: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<4x0xf32>, tensor<0x5xf32>) -> tensor<4x5xf32>
  %s = arith.addf %ab, %c : tensor<4x5xf32>
  return %s : tensor<4x5xf32>
}

// A sum whose size is dynamic.
func.func @dynamic_sum(%a: tensor<17x?xf32>, %b: tensor<?x19xf32>, %c: tensor<17x19xf32>) -> tensor<17x19xf32> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<17x?xf32>, tensor<?x19xf32>) -> tensor<17x19xf32>
  %s = arith.addf %ab, %c : tensor<17x19xf32>
  return %s : tensor<17x19xf32>
}

// A diagonal.
func.func @diag(%a: tensor<17x17xf32>, %c: tensor<17xf32>) -> tensor<17xf32> {
  %e = math.exp %a : tensor<17x17xf32>
  %ab = einsum.contract "ii -> i" (%e) : (tensor<17x17xf32>) -> tensor<17xf32>
  %s = arith.addf %ab, %c : tensor<17xf32>
  return %s : tensor<17xf32>
}

// Rows that read an operand twice.
func.func @stride_div(%a: tensor<9x10xf32>, %b: tensor<10x19xf32>) -> tensor<18x19xf32> {
  %e = math.exp %a : tensor<9x10xf32>
  %ab = einsum.contract "(m/2)k, kn -> mn" (%e, %b) {sizes = {m = 18}} : (tensor<9x10xf32>, tensor<10x19xf32>) -> tensor<18x19xf32>
  %s = arith.negf %ab : tensor<18x19xf32>
  return %s : tensor<18x19xf32>
}

// Results of a kernel used more than once.
func.func @twice(%a: tensor<17x10xf32>, %b: tensor<10x19xf32>, %c: tensor<17x19xf32>) -> (tensor<17x19xf32>, tensor<17x19xf32>, tensor<17x19xf32>) {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
  %s = arith.addf %ab, %c : tensor<17x19xf32>
  %t = math.tanh %s : tensor<17x19xf32>
  return %s, %s, %t : tensor<17x19xf32>, tensor<17x19xf32>, tensor<17x19xf32>
}

func.func @halves(
    %x10: tensor<10x19xf32>, %x14: tensor<17x19xf32>, %x16: tensor<17x10xf32>, %x42: tensor<17x10xf16>,
    %x43: tensor<10x19xf16>, %x44: tensor<19xf16>)
    -> (
    tensor<17x19xf16>, tensor<17x19xbf16>) {
  %f16 = func.call @f16(%x42, %x43, %x44) : (tensor<17x10xf16>, tensor<10x19xf16>, tensor<19xf16>) -> tensor<17x19xf16>
  %bf16 = func.call @bf16(%x16, %x10, %x14) : (tensor<17x10xf32>, tensor<10x19xf32>, tensor<17x19xf32>) -> tensor<17x19xbf16>
  return
    %f16, %bf16
    :
    tensor<17x19xf16>, tensor<17x19xbf16>
}

func.func @main(
    %x0: tensor<10xf32>, %x1: tensor<10xf32>, %x2: tensor<f32>, %x3: tensor<5x7xf32>, %x4: tensor<5x7xf32>,
    %x5: tensor<37x10xf32>, %x6: tensor<37xf32>, %x7: tensor<1x10xf32>, %x8: tensor<10x1xf32>, %x9: tensor<1x1xf32>,
    %x10: tensor<10x19xf32>, %x11: tensor<1x19xf32>, %x12: tensor<1xf32>, %x13: tensor<17x1xf32>,
    %x14: tensor<17x19xf32>, %x15: tensor<17x17xf32>, %x16: tensor<17x10xf32>, %x17: tensor<10x17xf32>,
    %x18: tensor<17xf32>, %x19: tensor<6x17xf32>, %x20: tensor<6x19xf32>, %x21: tensor<3x17x10xf32>,
    %x22: tensor<3x10x19xf32>, %x23: tensor<3x17x19xf32>, %x24: tensor<3xf32>, %x25: tensor<3x7x10xf32>,
    %x26: tensor<10x5x4xf32>, %x27: tensor<5x3x4x7xf32>, %x28: tensor<5x4xf32>, %x29: tensor<17x3x5xf32>,
    %x30: tensor<3x19x5xf32>, %x31: tensor<5xf32>, %x32: tensor<2x3x8x8xf32>, %x33: tensor<3x3x3x5xf32>,
    %x34: tensor<2x4x8xf32>, %x35: tensor<4x5xf32>, %x36: tensor<4xi32> {einsum.value_range = array<i64: -1, 2>},
    %x37: tensor<9x8xf32>, %x38: tensor<8x5xf32>, %x39: tensor<17xi64> {einsum.value_range = array<i64: -1, 10>},
    %x40: tensor<5x8xf32>, %x41: tensor<17xi32> {einsum.value_range = array<i64: -1, 10>}, %x45: tensor<17x10xi8>,
    %x46: tensor<10x19xi8>, %x47: tensor<17x19xi32>, %x48: tensor<10x19xi32>, %x49: tensor<17x19xi64>,
    %x50: tensor<17x10xf64>, %x51: tensor<10x19xf64>, %x52: tensor<17x19xf64>, %x53: tensor<2x10xf32>,
    %x54: tensor<10x3xf32>, %x55: tensor<19xf32>, %x56: tensor<17x17xf32>, %x57: tensor<17x17xf32>,
    %x58: tensor<19x6xf32>, %x59: tensor<4x0xf32>, %x60: tensor<0x5xf32>,
    %x61: tensor<17x?xf32> {einsum.example_shape = array<i64: 17, 10>},
    %x62: tensor<?x19xf32> {einsum.example_shape = array<i64: 10, 19>}, %x63: tensor<9x10xf32>)
    -> (
    tensor<f32>, tensor<f32>, tensor<37xf32>, tensor<1x1xf32>, tensor<1x19xf32>, tensor<17x19xf32>,
    tensor<17x17xf32>, tensor<17x17xf32>, tensor<19x17xf32>, tensor<17x19xf32>, tensor<17x19xf32>, tensor<17x19xf32>,
    tensor<3x17x19xf32>, tensor<5x3x4x7xf32>, tensor<17x19xf32>, tensor<2x5x8x8xf32>, tensor<2x5x8xf32>,
    tensor<17x5xf32>, tensor<17x5xf32>, tensor<17x19xi8>, tensor<17x19xi64>, tensor<17x19xf64>, tensor<2x3xf32>,
    tensor<17x19xf32>, tensor<17x19xf32>, tensor<17x17xf32>, tensor<17x6xf32>, tensor<4x5xf32>, tensor<17x19xf32>,
    tensor<17xf32>, tensor<18x19xf32>, tensor<17x19xf32>, tensor<17x19xf32>, tensor<17x19xf32>) {
  %rank0 = func.call @rank0(%x0, %x1, %x2) : (tensor<10xf32>, tensor<10xf32>, tensor<f32>) -> tensor<f32>
  %rank0_many = func.call @rank0_many(%x3, %x4, %x2) : (tensor<5x7xf32>, tensor<5x7xf32>, tensor<f32>) -> tensor<f32>
  %vec = func.call @vec(%x5, %x0, %x6) : (tensor<37x10xf32>, tensor<10xf32>, tensor<37xf32>) -> tensor<37xf32>
  %unit = func.call @unit(%x7, %x8, %x9) : (tensor<1x10xf32>, tensor<10x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %unit_row = func.call @unit_row(%x7, %x10, %x11, %x12) : (tensor<1x10xf32>, tensor<10x19xf32>, tensor<1x19xf32>, tensor<1xf32>) -> tensor<1x19xf32>
  %unit_k = func.call @unit_k(%x13, %x11, %x14) : (tensor<17x1xf32>, tensor<1x19xf32>, tensor<17x19xf32>) -> tensor<17x19xf32>
  %square_same = func.call @square_same(%x15) : (tensor<17x17xf32>) -> tensor<17x17xf32>
  %transposed_leaf = func.call @transposed_leaf(%x16, %x17, %x15, %x2) : (tensor<17x10xf32>, tensor<10x17xf32>, tensor<17x17xf32>, tensor<f32>) -> tensor<17x17xf32>
  %transpose_result = func.call @transpose_result(%x16, %x10) : (tensor<17x10xf32>, tensor<10x19xf32>) -> tensor<19x17xf32>
  %transpose_operand = func.call @transpose_operand(%x17, %x10) : (tensor<10x17xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
  %prologue_bias = func.call @prologue_bias(%x16, %x0, %x18, %x10) : (tensor<17x10xf32>, tensor<10xf32>, tensor<17xf32>, tensor<10x19xf32>) -> tensor<17x19xf32>
  %two = func.call @two(%x16, %x10, %x19, %x20) : (tensor<17x10xf32>, tensor<10x19xf32>, tensor<6x17xf32>, tensor<6x19xf32>) -> tensor<17x19xf32>
  %batched = func.call @batched(%x21, %x22, %x23, %x24) : (tensor<3x17x10xf32>, tensor<3x10x19xf32>, tensor<3x17x19xf32>, tensor<3xf32>) -> tensor<3x17x19xf32>
  %two_letters = func.call @two_letters(%x25, %x26, %x27, %x28) : (tensor<3x7x10xf32>, tensor<10x5x4xf32>, tensor<5x3x4x7xf32>, tensor<5x4xf32>) -> tensor<5x3x4x7xf32>
  %two_summed = func.call @two_summed(%x29, %x30, %x14, %x31, %x24) : (tensor<17x3x5xf32>, tensor<3x19x5xf32>, tensor<17x19xf32>, tensor<5xf32>, tensor<3xf32>) -> tensor<17x19xf32>
  %pad = func.call @pad(%x32, %x33, %x31) : (tensor<2x3x8x8xf32>, tensor<3x3x3x5xf32>, tensor<5xf32>) -> tensor<2x5x8x8xf32>
  %table = func.call @table(%x34, %x35, %x36, %x31) : (tensor<2x4x8xf32>, tensor<4x5xf32>, tensor<4xi32>, tensor<5xf32>) -> tensor<2x5x8xf32>
  %table_external = func.call @table_external(%x37, %x38, %x39, %x31) : (tensor<9x8xf32>, tensor<8x5xf32>, tensor<17xi64>, tensor<5xf32>) -> tensor<17x5xf32>
  %table_swapped = func.call @table_swapped(%x37, %x38, %x40, %x39, %x41) : (tensor<9x8xf32>, tensor<8x5xf32>, tensor<5x8xf32>, tensor<17xi64>, tensor<17xi32>) -> tensor<17x5xf32>
  %i8 = func.call @i8(%x45, %x46, %x47) : (tensor<17x10xi8>, tensor<10x19xi8>, tensor<17x19xi32>) -> tensor<17x19xi8>
  %i8_prologue = func.call @i8_prologue(%x45, %x48, %x49) : (tensor<17x10xi8>, tensor<10x19xi32>, tensor<17x19xi64>) -> tensor<17x19xi64>
  %f64 = func.call @f64(%x50, %x51, %x52) : (tensor<17x10xf64>, tensor<10x19xf64>, tensor<17x19xf64>) -> tensor<17x19xf64>
  %nonsplat = func.call @nonsplat(%x53, %x54) : (tensor<2x10xf32>, tensor<10x3xf32>) -> tensor<2x3xf32>
  %const_operand = func.call @const_operand(%x16) : (tensor<17x10xf32>) -> tensor<17x19xf32>
  %linalgs = func.call @linalgs(%x16, %x10, %x14, %x55) : (tensor<17x10xf32>, tensor<10x19xf32>, tensor<17x19xf32>, tensor<19xf32>) -> tensor<17x19xf32>
  %loop = func.call @loop(%x15, %x56, %x57) : (tensor<17x17xf32>, tensor<17x17xf32>, tensor<17x17xf32>) -> tensor<17x17xf32>
  %chain = func.call @chain(%x16, %x10, %x58) : (tensor<17x10xf32>, tensor<10x19xf32>, tensor<19x6xf32>) -> tensor<17x6xf32>
  %empty_sum = func.call @empty_sum(%x59, %x60, %x35) : (tensor<4x0xf32>, tensor<0x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  %dynamic_sum = func.call @dynamic_sum(%x61, %x62, %x14) : (tensor<17x?xf32>, tensor<?x19xf32>, tensor<17x19xf32>) -> tensor<17x19xf32>
  %diag = func.call @diag(%x15, %x18) : (tensor<17x17xf32>, tensor<17xf32>) -> tensor<17xf32>
  %stride_div = func.call @stride_div(%x63, %x10) : (tensor<9x10xf32>, tensor<10x19xf32>) -> tensor<18x19xf32>
  %twice:3 = func.call @twice(%x16, %x10, %x14) : (tensor<17x10xf32>, tensor<10x19xf32>, tensor<17x19xf32>) -> (tensor<17x19xf32>, tensor<17x19xf32>, tensor<17x19xf32>)
  return
    %rank0, %rank0_many, %vec, %unit, %unit_row, %unit_k, %square_same, %transposed_leaf, %transpose_result,
    %transpose_operand, %prologue_bias, %two, %batched, %two_letters, %two_summed, %pad, %table, %table_external,
    %table_swapped, %i8, %i8_prologue, %f64, %nonsplat, %const_operand, %linalgs, %loop, %chain, %empty_sum,
    %dynamic_sum, %diag, %stride_div, %twice#0, %twice#1, %twice#2
    :
    tensor<f32>, tensor<f32>, tensor<37xf32>, tensor<1x1xf32>, tensor<1x19xf32>, tensor<17x19xf32>,
    tensor<17x17xf32>, tensor<17x17xf32>, tensor<19x17xf32>, tensor<17x19xf32>, tensor<17x19xf32>, tensor<17x19xf32>,
    tensor<3x17x19xf32>, tensor<5x3x4x7xf32>, tensor<17x19xf32>, tensor<2x5x8x8xf32>, tensor<2x5x8xf32>,
    tensor<17x5xf32>, tensor<17x5xf32>, tensor<17x19xi8>, tensor<17x19xi64>, tensor<17x19xf64>, tensor<2x3xf32>,
    tensor<17x19xf32>, tensor<17x19xf32>, tensor<17x17xf32>, tensor<17x6xf32>, tensor<4x5xf32>, tensor<17x19xf32>,
    tensor<17xf32>, tensor<18x19xf32>, tensor<17x19xf32>, tensor<17x19xf32>, tensor<17x19xf32>
}
