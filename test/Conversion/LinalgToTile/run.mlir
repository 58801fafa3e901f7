// What stands between products computes on the simulator what the interpreter computes of it on tensors, and nothing but
// arguments and results crosses to the host. Each function ends in a product, as it makes kernels of the program.
//
// RUN: tile-run %s --entry=elementwise --backend=sim --random=1 --check=interp | FileCheck %s
// RUN: tile-run %s --entry=softmax --backend=sim --chip=sm_80 --random=2 --check=interp --opt-level=0 | FileCheck %s
// RUN: tile-run %s --entry=layer_norm --backend=sim --chip=sm_80 --random=3 --check=interp --opt-level=0 | FileCheck %s
// RUN: tile-run %s --entry=pooling --backend=sim --random=4 --check=interp --opt-level=0 | FileCheck %s
// RUN: tile-run %s --entry=embedding --backend=sim --random=5 --check=interp | FileCheck %s
// RUN: tile-run %s --entry=masked --backend=sim --random=6 --check=interp --opt-level=0 | FileCheck %s
// RUN: tile-run %s --entry=dynamic --backend=sim --chip=sm_80 --random=7 --check=interp --opt-level=0 | FileCheck %s
// RUN: tile-run %s --entry=dynamic --backend=sim --chip=sm_80 --inputs=zeros:0x21xf16,zeros:21xf32,zeros:2xf32 --check=interp --opt-level=0 | FileCheck %s
// RUN: tile-run %s --entry=arguments --backend=sim --random=8 --check=interp | FileCheck %s
//
// CHECK: check against interp: passed
//
// RUN: tile-opt %s --einsum-to-nvvm-pipeline --remark-policy=all --remarks-filter="tile" -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PLACED --implicit-check-not="[Missed] linalg" --implicit-check-not="[Missed] place"
// PLACED-COUNT-26: [Passed] linalg-to-tile

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#i0 = affine_map<(i, j) -> (i, 0)>
#j = affine_map<(i, j) -> (j)>
#none = affine_map<(i, j) -> ()>

// A bias of columns, relu; a part of it, transposed, plus a row of another part; broadcasts.
func.func @elementwise(%x: tensor<40x30xf16>, %b: tensor<30xf16>, %w: tensor<20x16xf16>) -> (tensor<40x30xf16>, tensor<8x16xf32>, tensor<3x40x30xf16>) {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<40x30xf16>
  %y = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<40x30xf16>, tensor<30xf16>) outs(%e : tensor<40x30xf16>) {
  ^bb0(%a: f16, %c: f16, %old: f16):
    %s = arith.addf %a, %c : f16
    %r = arith.maximumf %s, %zero : f16
    linalg.yield %r : f16
  } -> tensor<40x30xf16>
  %part = tensor.extract_slice %y[3, 5] [20, 8] [1, 2] : tensor<40x30xf16> to tensor<20x8xf16>
  %row = tensor.extract_slice %x[7, 2] [1, 20] [1, 1] : tensor<40x30xf16> to tensor<20xf16>
  %e1 = tensor.empty() : tensor<8x20xf16>
  %t = linalg.transpose ins(%part : tensor<20x8xf16>) outs(%e1 : tensor<8x20xf16>) permutation = [1, 0]
  %e2 = tensor.empty() : tensor<8x20xf16>
  %rows = linalg.broadcast ins(%row : tensor<20xf16>) outs(%e2 : tensor<8x20xf16>) dimensions = [0]
  %e3 = tensor.empty() : tensor<8x20xf16>
  %sum = linalg.add ins(%t, %rows : tensor<8x20xf16>, tensor<8x20xf16>) outs(%e3 : tensor<8x20xf16>) -> tensor<8x20xf16>
  %p = einsum.contract "mk, kn -> mn" (%sum, %w) : (tensor<8x20xf16>, tensor<20x16xf16>) -> tensor<8x16xf32>
  // Parts of a result.
  %e4 = tensor.empty() : tensor<3x40x30xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e4 : tensor<3x40x30xf16>) -> tensor<3x40x30xf16>
  %z1 = tensor.insert_slice %y into %z[1, 0, 0] [1, 40, 30] [1, 1, 1] : tensor<40x30xf16> into tensor<3x40x30xf16>
  %z2 = tensor.insert_slice %part into %z1[2, 1, 3] [1, 20, 8] [1, 1, 3] : tensor<20x8xf16> into tensor<3x40x30xf16>
  return %y, %p, %z2 : tensor<40x30xf16>, tensor<8x16xf32>, tensor<3x40x30xf16>
}

// Maximum, exponentials, sum and quotient of rows.
func.func @softmax(%a: tensor<40x16xf16>, %b: tensor<16x30xf16>, %v: tensor<30x8xf16>) -> tensor<40x8xf32> {
  %x = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<40x16xf16>, tensor<16x30xf16>) -> tensor<40x30xf16>
  %zero = arith.constant 0.0 : f16
  %lowest = arith.constant 0xFC00 : f16
  %e = tensor.empty() : tensor<40x30xf16>
  %e1 = tensor.empty() : tensor<40x1xf16>
  %m0 = linalg.fill ins(%lowest : f16) outs(%e1 : tensor<40x1xf16>) -> tensor<40x1xf16>
  %m = linalg.generic {indexing_maps = [#ij, #i0], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<40x30xf16>) outs(%m0 : tensor<40x1xf16>) {
  ^bb0(%in: f16, %old: f16):
    %r = arith.maximumf %in, %old : f16
    linalg.yield %r : f16
  } -> tensor<40x1xf16>
  %exp = linalg.generic {indexing_maps = [#ij, #i0, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<40x30xf16>, tensor<40x1xf16>) outs(%e : tensor<40x30xf16>) {
  ^bb0(%in: f16, %most: f16, %old: f16):
    %d = arith.subf %in, %most : f16
    %r = math.exp %d : f16
    linalg.yield %r : f16
  } -> tensor<40x30xf16>
  %s0 = linalg.fill ins(%zero : f16) outs(%e1 : tensor<40x1xf16>) -> tensor<40x1xf16>
  %s = linalg.generic {indexing_maps = [#ij, #i0], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<40x30xf16>) outs(%s0 : tensor<40x1xf16>) {
  ^bb0(%in: f16, %old: f16):
    %r = arith.addf %in, %old : f16
    linalg.yield %r : f16
  } -> tensor<40x1xf16>
  %o = linalg.generic {indexing_maps = [#ij, #i0, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %s : tensor<40x30xf16>, tensor<40x1xf16>) outs(%e : tensor<40x30xf16>) {
  ^bb0(%in: f16, %all: f16, %old: f16):
    %r = arith.divf %in, %all : f16
    linalg.yield %r : f16
  } -> tensor<40x30xf16>
  %p = einsum.contract "mk, kn -> mn" (%o, %v) : (tensor<40x30xf16>, tensor<30x8xf16>) -> tensor<40x8xf32>
  return %p : tensor<40x8xf32>
}

// Mean and variance by one op with two outputs.
func.func @layer_norm(%a: tensor<33x48xf32>, %gain: tensor<48xf32>, %shift: tensor<48xf32>, %w: tensor<48x8xf32>) -> tensor<33x8xf32> {
  %n = arith.constant 48.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<33x48xf32>
  %e1 = tensor.empty() : tensor<33xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e1 : tensor<33xf32>) -> tensor<33xf32>
  %s:2 = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<33x48xf32>) outs(%z, %z : tensor<33xf32>, tensor<33xf32>) {
  ^bb0(%x: f32, %old: f32, %old2: f32):
    %xx = arith.mulf %x, %x : f32
    %r = arith.addf %x, %old : f32
    %r2 = arith.addf %xx, %old2 : f32
    linalg.yield %r, %r2 : f32, f32
  } -> (tensor<33xf32>, tensor<33xf32>)
  %o = linalg.generic {indexing_maps = [#ij, #i, #i, #j, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%a, %s#0, %s#1, %gain, %shift : tensor<33x48xf32>, tensor<33xf32>, tensor<33xf32>, tensor<48xf32>, tensor<48xf32>)
      outs(%e : tensor<33x48xf32>) {
  ^bb0(%x: f32, %sum: f32, %squares: f32, %g: f32, %h: f32, %old: f32):
    %mean = arith.divf %sum, %n : f32
    %mean2 = arith.mulf %mean, %mean : f32
    %square = arith.divf %squares, %n : f32
    %var = arith.subf %square, %mean2 : f32
    %var1 = arith.addf %var, %eps : f32
    %inv = math.rsqrt %var1 : f32
    %d = arith.subf %x, %mean : f32
    %y = arith.mulf %d, %inv : f32
    %yg = arith.mulf %y, %g : f32
    %r = arith.addf %yg, %h : f32
    linalg.yield %r : f32
  } -> tensor<33x48xf32>
  %p = einsum.contract "mk, kn -> mn" (%o, %w) : (tensor<33x48xf32>, tensor<48x8xf32>) -> tensor<33x8xf32>
  return %p : tensor<33x8xf32>
}

// A border of -inf, windows of 3 by 3 with steps of 2, sums of windows, and a border whose elements are computed.
func.func @pooling(%x: tensor<2x8x9x9xf16>, %w: tensor<8x8xf16>) -> (tensor<2x5x5x8xf32>, tensor<2x8x4x4xf16>, tensor<12x10xi64>) {
  %lowest = arith.constant 0xFC00 : f16
  %zero = arith.constant 0.0 : f16
  %pad = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %k: index):
    tensor.yield %lowest : f16
  } : tensor<2x8x9x9xf16> to tensor<2x8x11x11xf16>
  %window = tensor.empty() : tensor<3x3xf16>
  %e = tensor.empty() : tensor<2x8x5x5xf16>
  %f = linalg.fill ins(%lowest : f16) outs(%e : tensor<2x8x5x5xf16>) -> tensor<2x8x5x5xf16>
  %max = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%pad, %window : tensor<2x8x11x11xf16>, tensor<3x3xf16>) outs(%f : tensor<2x8x5x5xf16>) -> tensor<2x8x5x5xf16>
  %p = einsum.contract "nchw, ck -> nhwk" (%max, %w) : (tensor<2x8x5x5xf16>, tensor<8x8xf16>) -> tensor<2x5x5x8xf32>
  %e1 = tensor.empty() : tensor<2x8x4x4xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e1 : tensor<2x8x4x4xf16>) -> tensor<2x8x4x4xf16>
  %sum = linalg.pooling_nchw_sum {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %window : tensor<2x8x9x9xf16>, tensor<3x3xf16>) outs(%z : tensor<2x8x4x4xf16>) -> tensor<2x8x4x4xf16>
  %numbers = tensor.empty() : tensor<10x6xi64>
  %filled = linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%numbers : tensor<10x6xi64>) {
  ^bb0(%old: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.muli %i, %j : index
    %r = arith.index_cast %k : index to i64
    linalg.yield %r : i64
  } -> tensor<10x6xi64>
  %computed = tensor.pad %filled low[1, 2] high[1, 2] {
  ^bb0(%i: index, %j: index):
    %s = arith.addi %i, %j : index
    %r = arith.index_cast %s : index to i64
    tensor.yield %r : i64
  } : tensor<10x6xi64> to tensor<12x10xi64>
  return %p, %sum, %computed : tensor<2x5x5x8xf32>, tensor<2x8x4x4xf16>, tensor<12x10xi64>
}

// Rows that a list of numbers names, as torch-mlir writes it.
func.func @embedding(%table: tensor<50x24xf16>, %tokens: tensor<2x7xi64> {einsum.value_range = array<i64: 0, 49>}, %w: tensor<24x8xf16>) -> tensor<2x7x8xf32> {
  %zero = arith.constant 0 : i64
  %n = arith.constant 50 : i64
  %e = tensor.empty() : tensor<2x7x24xf16>
  %rows = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%tokens : tensor<2x7xi64>) outs(%e : tensor<2x7x24xf16>) {
  ^bb0(%token: i64, %old: f16):
    %below = arith.cmpi slt, %token, %n : i64
    cf.assert %below, "index must be smaller than dim size"
    %positive = arith.cmpi sge, %token, %zero : i64
    cf.assert %positive, "index must be larger or equal to 0"
    %row = arith.index_cast %token : i64 to index
    %column = linalg.index 2 : index
    %x = tensor.extract %table[%row, %column] : tensor<50x24xf16>
    linalg.yield %x : f16
  } -> tensor<2x7x24xf16>
  %p = einsum.contract "abk, kn -> abn" (%rows, %w) : (tensor<2x7x24xf16>, tensor<24x8xf16>) -> tensor<2x7x8xf32>
  return %p : tensor<2x7x8xf32>
}

// A mask of i1 that is computed, one that is constant, and where either lets an element pass.
func.func @masked(%x: tensor<16x16xf32>, %k: tensor<16xi32>, %w: tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<16xi32>) {
  %c0 = arith.constant 0.0 : f32
  %c3 = arith.constant 3 : i32
  %e = tensor.empty() : tensor<16x16xi1>
  %causal = linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<16x16xi1>) {
  ^bb0(%old: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %r = arith.cmpi sle, %j, %i : index
    linalg.yield %r : i1
  } -> tensor<16x16xi1>
  %columns = arith.constant dense<[true, false, true, true, false, true, true, true, false, true, true, false, true, true, true, false]> : tensor<16xi1>
  %e1 = tensor.empty() : tensor<16x16xi1>
  %wide = linalg.broadcast ins(%columns : tensor<16xi1>) outs(%e1 : tensor<16x16xi1>) dimensions = [0]
  %both = linalg.map { arith.andi } ins(%causal, %wide : tensor<16x16xi1>, tensor<16x16xi1>) outs(%e : tensor<16x16xi1>)
  %f = tensor.empty() : tensor<16x16xf32>
  %y = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%both, %x : tensor<16x16xi1>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) {
  ^bb0(%m: i1, %in: f32, %old: f32):
    %r = arith.select %m, %in, %c0 : f32
    linalg.yield %r : f32
  } -> tensor<16x16xf32>
  %p = einsum.contract "mk, kn -> mn" (%y, %w) : (tensor<16x16xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  // Positions beyond the last one do not divide by 0.
  %ei = tensor.empty() : tensor<16xi32>
  %q = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%k : tensor<16xi32>) outs(%ei : tensor<16xi32>) {
  ^bb0(%in: i32, %old: i32):
    %d = arith.ori %in, %c3 : i32
    %r = arith.divsi %c3, %d : i32
    linalg.yield %r : i32
  } -> tensor<16xi32>
  return %p, %q : tensor<16x8xf32>, tensor<16xi32>
}

// Sizes, and a factor, that only a run knows.
func.func @dynamic(%x: tensor<?x?xf16> {einsum.example_shape = array<i64: 37, 21>}, %b: tensor<?xf32> {einsum.example_shape = array<i64: 21>}, %factors: tensor<2xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %factor = tensor.extract %factors[%c1] : tensor<2xf32>
  %m = tensor.dim %x, %c0 : tensor<?x?xf16>
  %n = tensor.dim %x, %c1 : tensor<?x?xf16>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %y = linalg.generic {indexing_maps = [#ij, #j, #none, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b, %factor : tensor<?x?xf16>, tensor<?xf32>, f32) outs(%e : tensor<?x?xf32>) {
  ^bb0(%in: f16, %c: f32, %f: f32, %old: f32):
    %w = arith.extf %in : f16 to f32
    %g = arith.mulf %w, %f : f32
    %s = arith.addf %g, %c : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  %es = tensor.empty(%m) : tensor<?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%es : tensor<?xf32>) -> tensor<?xf32>
  %sums = linalg.reduce { arith.addf } ins(%y : tensor<?x?xf32>) outs(%z : tensor<?xf32>) dimensions = [1]
  %p = einsum.contract "mk, nk -> mn" (%y, %y) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %p, %sums : tensor<?x?xf32>, tensor<?xf32>
}

// Memrefs of the caller: in place, a part of one into a part of another, without axes.
func.func @arguments(%x: memref<12x16xf32>, %y: memref<30x40xf32>, %s: memref<f32>) {
  linalg.exp ins(%x : memref<12x16xf32>) outs(%x : memref<12x16xf32>)
  %from = memref.subview %x[2, 1] [10, 12] [1, 1] : memref<12x16xf32> to memref<10x12xf32, strided<[16, 1], offset: 33>>
  %to = memref.subview %y[5, 3] [10, 12] [2, 3] : memref<30x40xf32> to memref<10x12xf32, strided<[80, 3], offset: 203>>
  memref.copy %from, %to : memref<10x12xf32, strided<[16, 1], offset: 33>> to memref<10x12xf32, strided<[80, 3], offset: 203>>
  linalg.generic {indexing_maps = [#ij, #none], iterator_types = ["reduction", "reduction"]}
      ins(%from : memref<10x12xf32, strided<[16, 1], offset: 33>>) outs(%s : memref<f32>) {
  ^bb0(%in: f32, %old: f32):
    %r = arith.maximumf %in, %old : f32
    linalg.yield %r : f32
  }
  %p = memref.alloc() : memref<16x16xf32>
  einsum.contract "km, kn -> mn" (%x, %x) outs(%p : memref<16x16xf32>) : (memref<12x16xf32>, memref<12x16xf32>)
  return
}
