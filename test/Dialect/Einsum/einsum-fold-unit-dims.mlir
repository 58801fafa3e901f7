// einsum-fold-unit-dims: dimensions of size 1 become reshapes around contractions.
//
// RUN: tile-opt %s --einsum-fold-unit-dims --split-input-file | FileCheck %s
// RUN: tile-opt %s --einsum-fold-unit-dims --split-input-file --remark-policy=all --remarks-filter=einsum -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// One image, and filters of 1x1.
// CHECK-LABEL: @pixels
// CHECK-SAME: (%[[X:.*]]: tensor<1x8x14x14xf32>, %[[F:.*]]: tensor<16x8x1x1xf32>)
// CHECK-DAG: %[[IMAGE:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2], [3]] : tensor<1x8x14x14xf32> into tensor<8x14x14xf32>
// CHECK-DAG: %[[FILTERS:.*]] = tensor.collapse_shape %[[F]] {{\[}}[0], [1, 2, 3]] : tensor<16x8x1x1xf32> into tensor<16x8xf32>
// CHECK: %[[Y:.*]] = einsum.contract "chw, kc -> khw" (%[[IMAGE]], %[[FILTERS]])
// CHECK: tensor.expand_shape %[[Y]] {{\[}}[0, 1], [2], [3]] output_shape [1, 16, 14, 14] : tensor<16x14x14xf32> into tensor<1x16x14x14xf32>
// REMARK: remark: [Passed] fold-unit-dims | Category:einsum | dropped=n
func.func @pixels(%x: tensor<1x8x14x14xf32>, %f: tensor<16x8x1x1xf32>) -> tensor<1x16x14x14xf32> {
  %y = einsum.contract "nchw, kc(0)(0) -> nkhw" (%x, %f)
      : (tensor<1x8x14x14xf32>, tensor<16x8x1x1xf32>) -> tensor<1x16x14x14xf32>
  return %y : tensor<1x16x14x14xf32>
}

// -----

// What is 0 in a sum is left out of it, constants and attributes stay, those of dropped indices do not. An axis of
// several elements of which one is read stays.
// CHECK-LABEL: @sums
// CHECK: einsum.contract "(h+r-1)(0), rk -> hk" {{.*}} {acc = f64, pad = "zero", sizes = {h = 14 : i64}, test.note} : (tensor<14x2xf32>, tensor<3x8xf32>) -> tensor<14x8xf64>
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0, 1], [2]] output_shape [14, 1, 8]
func.func @sums(%x: tensor<14x2xf32>, %f: tensor<3x8xf32>) -> tensor<14x1x8xf64> {
  %y = einsum.contract "(h+r+w-1)(2*w), rk -> hwk" (%x, %f) {acc = f64, pad = "zero", sizes = {h = 14, w = 1}, test.note}
      : (tensor<14x2xf32>, tensor<3x8xf32>) -> tensor<14x1x8xf64>
  return %y : tensor<14x1x8xf64>
}

// -----

// The last index of M, of N and of K stays, and so does what a table is looked up by; of a batch none has to.
// CHECK-LABEL: @row
// CHECK: einsum.contract "mk, kn -> mn" {{.*}} : (tensor<1x8xf32>, tensor<8x4xf32>) -> tensor<1x4xf32>
// CHECK-LABEL: @batch
// CHECK: einsum.contract "mk, kn -> mn" {{.*}} : (tensor<4x1xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
// CHECK-LABEL: @table
// CHECK: einsum.contract "(h+s[n])k, kc -> nhc" {{.*}} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<1x4x4xf32>
// CHECK-LABEL: @number
// CHECK: einsum.contract "k, k -> " {{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
// CHECK: tensor.expand_shape %{{.*}} [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
func.func @row(%x: tensor<1x8xf32>, %f: tensor<8x4xf32>) -> tensor<1x4xf32> {
  %y = einsum.contract "mk, kn -> mn" (%x, %f) : (tensor<1x8xf32>, tensor<8x4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}
func.func @batch(%x: tensor<1x4x1xf32>, %f: tensor<1x1x4xf32>) -> tensor<1x4x4xf32> {
  %y = einsum.contract "bmk, bkn -> bmn" (%x, %f) : (tensor<1x4x1xf32>, tensor<1x1x4xf32>) -> tensor<1x4x4xf32>
  return %y : tensor<1x4x4xf32>
}
func.func @table(%x: tensor<4x8xf32>, %f: tensor<8x4xf32>, %s: tensor<1xi32>) -> tensor<1x4x4xf32> {
  %y = einsum.contract "(h+s[n])k, kc -> nhc" (%x, %f) tables(s = %s : tensor<1xi32>) {sizes = {h = 4}}
      : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<1x4x4xf32>
  return %y : tensor<1x4x4xf32>
}
func.func @number(%x: tensor<1x1x8xf32>, %f: tensor<1x1x8xf32>) -> tensor<1x1xf32> {
  %y = einsum.contract "abk, abk -> ab" (%x, %f) : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}

// -----

// Of the one row that fits into a window of 3, the axis has 4; of the one column of 3, it has 3.
// CHECK-LABEL: @windows
// CHECK: einsum.contract "c(h+r)s, kcrs -> kh" {{.*}} : (tensor<8x4x3xf32>, tensor<16x8x3x3xf32>) -> tensor<16x1xf32>
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2]] output_shape [16, 1, 1]
func.func @windows(%x: tensor<8x4x3xf32>, %f: tensor<16x8x3x3xf32>) -> tensor<16x1x1xf32> {
  %y = einsum.contract "c(h+r)(w+s), kcrs -> khw" (%x, %f) : (tensor<8x4x3xf32>, tensor<16x8x3x3xf32>) -> tensor<16x1x1xf32>
  return %y : tensor<16x1x1xf32>
}

// -----

// Sizes may be dynamic.
// CHECK-LABEL: @dynamic
// CHECK: einsum.contract "ck, kn -> cn" {{.*}} : (tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK: tensor.expand_shape
func.func @dynamic(%x: tensor<1x?x?xf32>, %f: tensor<?x4xf32>) -> tensor<1x?x4xf32> {
  %y = einsum.contract "bck, kn -> bcn" (%x, %f) : (tensor<1x?x?xf32>, tensor<?x4xf32>) -> tensor<1x?x4xf32>
  return %y : tensor<1x?x4xf32>
}

// -----

// A schedule names the indices.
// CHECK-LABEL: @scheduled
// CHECK: einsum.contract "bmk, kn -> bmn"
// REMARK: remark: [Missed] fold-unit-dims | Category:einsum | Reason="it has a schedule"
func.func @scheduled(%x: tensor<1x4x8xf32>, %f: tensor<8x16xf32>) -> tensor<1x4x16xf32> {
  %y = einsum.contract "bmk, kn -> bmn" (%x, %f) {schedule = #einsum.schedule<dims = [<"b" seq 1>, <"m" seq 4>, <"n" seq 16>, <"k" seq 8>]>}
      : (tensor<1x4x8xf32>, tensor<8x16xf32>) -> tensor<1x4x16xf32>
  return %y : tensor<1x4x16xf32>
}

// -----

// CHECK-LABEL: @outs
// CHECK: einsum.contract "bmk, kn -> bmn"
// REMARK: remark: [Missed] fold-unit-dims | Category:einsum | Reason="it has outs"
func.func @outs(%x: tensor<1x4x8xf32>, %f: tensor<8x16xf32>, %o: tensor<1x4x16xf32>) -> tensor<1x4x16xf32> {
  %y = einsum.contract "bmk, kn -> bmn" (%x, %f) outs(%o : tensor<1x4x16xf32>)
      : (tensor<1x4x8xf32>, tensor<8x16xf32>) -> tensor<1x4x16xf32>
  return %y : tensor<1x4x16xf32>
}

// -----

// A result is stored without the axes that it has got back, to a view that is there before the kernel; and as it is where rows
// of the buffer are apart.
// CHECK-LABEL: @stored
// CHECK-SAME: %[[OUT:[a-z0-9]*]]: memref<1x16x14x14xf32>, %[[ROWS:[a-z0-9]*]]: memref<4x4xf32, strided<[8, 1]>>
// CHECK-NEXT: %[[VIEW:.*]] = memref.collapse_shape %[[OUT]] {{\[}}[0, 1], [2], [3]] : memref<1x16x14x14xf32> into memref<16x14x14xf32>
// CHECK: %[[Y:.*]] = einsum.contract "chw, kc -> khw"
// CHECK: bufferization.materialize_in_destination %[[Y]] in restrict writable %[[VIEW]] : (tensor<16x14x14xf32>, memref<16x14x14xf32>)
// CHECK: %[[EXPANDED:.*]] = tensor.expand_shape
// CHECK: bufferization.materialize_in_destination %[[EXPANDED]] in restrict writable %[[ROWS]]
func.func @stored(%x: tensor<1x8x14x14xf32>, %f: tensor<16x8x1x1xf32>, %g: tensor<16xf32>, %out: memref<1x16x14x14xf32>, %rows: memref<4x4xf32, strided<[8, 1]>>) {
  %y = einsum.contract "nchw, kc(0)(0) -> nkhw" (%x, %f)
      : (tensor<1x8x14x14xf32>, tensor<16x8x1x1xf32>) -> tensor<1x16x14x14xf32>
  bufferization.materialize_in_destination %y in restrict writable %out : (tensor<1x16x14x14xf32>, memref<1x16x14x14xf32>) -> ()
  %e = tensor.expand_shape %g [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
  bufferization.materialize_in_destination %e in restrict writable %rows : (tensor<4x4xf32>, memref<4x4xf32, strided<[8, 1]>>) -> ()
  return
}
