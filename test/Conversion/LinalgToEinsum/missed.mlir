// What convert-linalg-to-einsum leaves as it is, and the remark that says why.
//
// RUN: tile-opt --convert-linalg-to-einsum %s --remark-policy=all --remarks-filter=einsum 2>&1 >/dev/null \
// RUN:   | FileCheck %s --implicit-check-not=remark:
// Nothing is changed:
// RUN: tile-opt --convert-linalg-to-einsum %s | FileCheck %s --check-prefix=KEPT --implicit-check-not=einsum.contract

#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
#ij = affine_map<(i, j) -> (i, j)>

// KEPT-LABEL: @regions
func.func @regions(%a: tensor<4x5xf32>, %b: tensor<4xf32>, %h: tensor<4x5xf16>, %s: f32, %d: f64) -> tensor<4xf32> {
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Missed] linalg-to-einsum | Category:einsum | Reason="it reduces by something else than a sum"
  %0 = linalg.reduce { arith.maximumf } ins(%a : tensor<4x5xf32>) outs(%b : tensor<4xf32>) dimensions = [1]
  // The last element of each row.
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="it reduces by something else than a sum"
  %1 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x5xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="it yields a sum without the element of the output"
  %2 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x5xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="it yields a product with the element of the output"
  %3 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x5xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %y = arith.mulf %x, %acc : f32
    %z = arith.addf %y, %acc : f32
    linalg.yield %z : f32
  } -> tensor<4xf32>
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="it multiplies by a value from outside of its region"
  %4 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x5xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %y = arith.mulf %x, %s : f32
    %z = arith.addf %y, %acc : f32
    linalg.yield %z : f32
  } -> tensor<4xf32>
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="operand 1 is a scalar"
  %5 = linalg.generic {indexing_maps = [#ij, affine_map<(i, j) -> ()>, #i], iterator_types = ["parallel", "reduction"]}
      ins(%a, %s : tensor<4x5xf32>, f32) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %f: f32, %acc: f32):
    %y = arith.mulf %x, %f : f32
    %z = arith.addf %y, %acc : f32
    linalg.yield %z : f32
  } -> tensor<4xf32>
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="its region has 'math.exp', where einsum.contract has only products, sums and extensions of signed numbers"
  %6 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x5xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %y = math.exp %x : f32
    %z = arith.addf %y, %acc : f32
    linalg.yield %z : f32
  } -> tensor<4xf32>
  // Products are rounded to f16 before they are added.
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="its region has 'arith.mulf' in a narrower type than its result"
  %7 = linalg.generic {indexing_maps = [#ij, #ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%h, %h : tensor<4x5xf16>, tensor<4x5xf16>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %p = arith.mulf %x, %y : f16
    %q = arith.extf %p : f16 to f32
    %z = arith.addf %q, %acc : f32
    linalg.yield %z : f32
  } -> tensor<4xf32>
  // 2^16 factors.
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="its product has more than 16 factors"
  %8 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x5xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %x2 = arith.mulf %x, %x : f32
    %x4 = arith.mulf %x2, %x2 : f32
    %x8 = arith.mulf %x4, %x4 : f32
    %x16 = arith.mulf %x8, %x8 : f32
    %x32 = arith.mulf %x16, %x16 : f32
    %z = arith.addf %x32, %acc : f32
    linalg.yield %z : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// KEPT-LABEL: @casts
func.func @casts(%a: tensor<4x5xi8>, %b: tensor<5x3xi8>, %c: tensor<4x3xi32>, %d: tensor<4x3xf32>, %e: tensor<4x5xf32>, %f: tensor<5x3xf32>, %g: tensor<4x3xf16>) {
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="its region has 'arith.extui', where
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<4x5xi8>, tensor<5x3xi8>) outs(%c : tensor<4x3xi32>) -> tensor<4x3xi32>
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="its region has 'arith.sitofp', where
  %1 = linalg.matmul ins(%a, %b : tensor<4x5xi8>, tensor<5x3xi8>) outs(%d : tensor<4x3xf32>) -> tensor<4x3xf32>
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="its region has 'arith.truncf', where
  %2 = linalg.matmul ins(%e, %f : tensor<4x5xf32>, tensor<5x3xf32>) outs(%g : tensor<4x3xf16>) -> tensor<4x3xf16>
  return
}

// Element types, sizes and specifications that einsum.contract refuses, in its own words.
// KEPT-LABEL: @refused
func.func @refused(%a: tensor<4x5xi64>, %b: tensor<5xi64>, %c: tensor<4xi64>, %x: tensor<64xf32>, %y: tensor<4xf32>, %t: tensor<8x4x5xf32>) {
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="'einsum.contract' op operand #0 must be
  %0 = linalg.matvec ins(%a, %b : tensor<4x5xi64>, tensor<5xi64>) outs(%c : tensor<4xi64>) -> tensor<4xi64>
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="'((a+b)%8)ab -> a': modulus mixes result index 'a' and reduced index 'b'
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> ((i + j) mod 8, i, j)>, #i], iterator_types = ["parallel", "reduction"]}
      ins(%t : tensor<8x4x5xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %z = arith.addf %in, %acc : f32
    linalg.yield %z : f32
  } -> tensor<4xf32>
  return
}

// KEPT-LABEL: @loops
func.func @loops(%a: tensor<4x5xf32>, %b: tensor<4xf32>, %c: tensor<5xf32>, %d: tensor<4x5xf32>, %y: tensor<9xf32>) {
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="it is element-wise"
  %0 = linalg.mul ins(%a, %a : tensor<4x5xf32>, tensor<4x5xf32>) outs(%d : tensor<4x5xf32>) -> tensor<4x5xf32>
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="no factor is indexed by loop d1: einsum.contract does not repeat elements"
  %1 = linalg.broadcast ins(%b : tensor<4xf32>) outs(%d : tensor<4x5xf32>) dimensions = [1]
  // CHECK: {{:}}[[@LINE+1]]:10: remark: {{.*}}Reason="it has 2 outputs, expected one"
  %2:2 = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x5xf32>) outs(%b, %b : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32, %acc2: f32):
    %z = arith.addf %x, %acc : f32
    linalg.yield %z, %z : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="loop d1 is reduction and indexes the output"
  %3 = linalg.generic {indexing_maps = [#j, #ij], iterator_types = ["parallel", "reduction"]} ins(%c : tensor<5xf32>) outs(%d : tensor<4x5xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %z = arith.addf %x, %acc : f32
    linalg.yield %z : f32
  } -> tensor<4x5xf32>
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="loop d1 is parallel and does not index the output"
  %4 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x5xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %z = arith.addf %x, %acc : f32
    linalg.yield %z : f32
  } -> tensor<4xf32>
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="an indexing map has 'ceildiv': write it with 'floordiv'"
  %5 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i ceildiv 2, j)>, #i], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x5xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %z = arith.addf %x, %acc : f32
    linalg.yield %z : f32
  } -> tensor<4xf32>
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="the indexing map of its output is not a list of different loops"
  %6 = linalg.generic {indexing_maps = [#ij, affine_map<(i, j) -> (i + j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x5xf32>) outs(%y : tensor<9xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %z = arith.addf %x, %acc : f32
    linalg.yield %z : f32
  } -> tensor<9xf32>
  return
}

// One loop more than there are indices.
// KEPT-LABEL: @many_loops
func.func @many_loops(%a: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>, %b: tensor<f32>) {
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="it has more than 52 loops"
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) outs(%b : tensor<f32>)
      dimensions = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52]
  return
}

// Nothing but the window, which is not read, tells how large it is.
// KEPT-LABEL: @dynamic_window
func.func @dynamic_window(%x: tensor<1x2x9xf32>, %w: tensor<?xf32>, %y: tensor<1x2x?xf32>) {
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="no factor tells the size of loop d3, which is dynamic"
  %0 = linalg.pooling_ncw_sum ins(%x, %w : tensor<1x2x9xf32>, tensor<?xf32>) outs(%y : tensor<1x2x?xf32>) -> tensor<1x2x?xf32>
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="it reduces by something else than a sum"
  %1 = linalg.pooling_ncw_max ins(%x, %w : tensor<1x2x9xf32>, tensor<?xf32>) outs(%y : tensor<1x2x?xf32>) -> tensor<1x2x?xf32>
  return
}

// KEPT-LABEL: @buffers
func.func @buffers(%a: memref<5x5xf32>, %b: memref<9x5xf32>) {
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="its output overlaps an operand"
  linalg.matmul ins(%a, %a : memref<5x5xf32>, memref<5x5xf32>) outs(%a : memref<5x5xf32>)
  %low = memref.subview %b[0, 0] [5, 5] [1, 1] : memref<9x5xf32> to memref<5x5xf32, strided<[5, 1]>>
  %high = memref.subview %b[4, 0] [5, 5] [1, 1] : memref<9x5xf32> to memref<5x5xf32, strided<[5, 1], offset: 20>>
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="its output overlaps an operand"
  linalg.matmul ins(%low, %a : memref<5x5xf32, strided<[5, 1]>>, memref<5x5xf32>) outs(%high : memref<5x5xf32, strided<[5, 1], offset: 20>>)
  return
}
