// einsum-permute-operands: which operands are copied, in which order of axes, and how they are read then. See
// einsum-permute-operands-remark.mlir for the reasons of others. Both programs compute the same, in the interpreter.
//
// RUN: tile-opt --einsum-permute-operands %s | FileCheck %s
// RUN: tile-opt --einsum-permute-operands="min-reuse=2" %s | FileCheck %s --check-prefix=REUSE
// RUN: tile-opt --einsum-permute-operands="block=64" %s | FileCheck %s --check-prefix=BLOCK
// RUN: tile-opt --einsum-permute-operands="row-bytes=16" %s | FileCheck %s --check-prefix=ROWS
// RUN: rm -rf %t && mkdir -p %t/before %t/after
// RUN: tile-opt --einsum-permute-operands="min-reuse=0" %s -o %t/permuted.mlir
// RUN: FileCheck %s --input-file=%t/permuted.mlir --check-prefix=ALL
// RUN: tile-run %s --entry=small --backend=interp --random=7 --outputs=%t/before/0.npy,%t/before/1.npy,%t/before/2.npy
// RUN: tile-run %t/permuted.mlir --entry=small --backend=interp --random=7 --outputs=%t/after/0.npy,%t/after/1.npy,%t/after/2.npy
// RUN: diff -r %t/before %t/after

// The example of the documentation: c is an axis of its own in both operands.
// CHECK-LABEL: @doc
func.func @doc(%image: tensor<4x64x30x30xf16>, %filter: tensor<64x128x3x3xf16>) -> tensor<4x128x28x28xf16> {
  // CHECK-NEXT: %[[I:.*]] = einsum.contract "adbc -> abcd" (%arg0) : (tensor<4x64x30x30xf16>) -> tensor<4x30x30x64xf16>
  // CHECK-NEXT: %[[F:.*]] = einsum.contract "dabc -> abcd" (%arg1) : (tensor<64x128x3x3xf16>) -> tensor<128x3x3x64xf16>
  // CHECK-NEXT: einsum.contract "n(h+r)(w+s)c, krsc -> nkhw" (%[[I]], %[[F]]) : {{.*}} -> tensor<4x128x28x28xf16>
  %out = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%image, %filter)
      : (tensor<4x64x30x30xf16>, tensor<64x128x3x3xf16>) -> tensor<4x128x28x28xf16>
  return %out : tensor<4x128x28x28xf16>
}

// Attributes stay, tables, too.
// CHECK-LABEL: @attributes
func.func @attributes(%image: tensor<4x64x30x30xf16>, %filter: tensor<128x64x9xf16>, %t: tensor<9xi32>)
    -> tensor<4x128x30x30xf32> {
  // CHECK: "n(h+t[x]-1)(w+t[x]-1)c, kxc -> nkhw" {{.*}} tables(t = %arg2 : tensor<9xi32>) {acc = f32, my.mark, pad = "zero", sizes = {h = 30 : i64}}
  %out = einsum.contract "nc(h+t[x]-1)(w+t[x]-1), kcx -> nkhw" (%image, %filter) tables(t = %t : tensor<9xi32>)
      {pad = "zero", acc = f32, sizes = {h = 30}, my.mark}
      : (tensor<4x64x30x30xf16>, tensor<128x64x9xf16>) -> tensor<4x128x30x30xf32>
  return %out : tensor<4x128x30x30xf32>
}

// Matrices stay as they are, in whatever order and of whatever size; so do operands with a wide last axis: of rows,
// of the sum, or of several indices of it.
// CHECK-LABEL: @matrices
// CHECK-NOT: -> abc
// CHECK-LABEL: @one_operand
// ALL-LABEL: @matrices
// ALL-NOT: -> ab
// ALL-LABEL: @one_operand
func.func @matrices(%a: tensor<1000x1000xf16>, %b: tensor<999x1000xf16>, %c: tensor<4x1000x1000xf16>,
                    %d: tensor<1000x9x40xf16>, %e: tensor<9x1000x40xf16>, %f: tensor<1000x9x8xf16>) {
  %0 = einsum.contract "km, kn -> mn" (%a, %a) : (tensor<1000x1000xf16>, tensor<1000x1000xf16>) -> tensor<1000x1000xf16>
  %1 = einsum.contract "mk, kn -> mn" (%b, %a) : (tensor<999x1000xf16>, tensor<1000x1000xf16>) -> tensor<999x1000xf16>
  %2 = einsum.contract "mk, nk -> mn" (%b, %b) : (tensor<999x1000xf16>, tensor<999x1000xf16>) -> tensor<999x999xf16>
  %3 = einsum.contract "km, nk -> mn" (%a, %b) : (tensor<1000x1000xf16>, tensor<999x1000xf16>) -> tensor<1000x999xf16>
  %4 = einsum.contract "bmk, bkn -> bmn" (%c, %c)
      : (tensor<4x1000x1000xf16>, tensor<4x1000x1000xf16>) -> tensor<4x1000x1000xf16>
  %5 = einsum.contract "mlk, lnk -> mn" (%d, %e)
      : (tensor<1000x9x40xf16>, tensor<9x1000x40xf16>) -> tensor<1000x1000xf16>
  %6 = einsum.contract "mlk, nlk -> mn" (%f, %f)
      : (tensor<1000x9x8xf16>, tensor<1000x9x8xf16>) -> tensor<1000x1000xf16>
  return
}

// The sum goes along one operand only; the other one is copied. Windows of three pay less than those of nine, and
// blocks of fewer columns read more often.
// REUSE-LABEL: @one_operand
// BLOCK-LABEL: @one_operand
func.func @one_operand(%a: tensor<512x6x12xf16>, %b: tensor<6x512x12xf16>, %c: tensor<64x64x130xf16>,
                       %d: tensor<64x128x3xf16>) -> (tensor<512x512xf16>, tensor<64x128x128xf16>) {
  // CHECK-NEXT: %[[B:.*]] = einsum.contract "bac -> abc" (%arg1) : (tensor<6x512x12xf16>) -> tensor<512x6x12xf16>
  // CHECK-NEXT: einsum.contract "mkl, nkl -> mn" (%arg0, %[[B]])
  %0 = einsum.contract "mkl, knl -> mn" (%a, %b) : (tensor<512x6x12xf16>, tensor<6x512x12xf16>) -> tensor<512x512xf16>
  // CHECK-NEXT: einsum.contract "bac -> abc" (%arg3)
  // CHECK-NEXT: einsum.contract "nc(w+s), kcs -> nkw"
  // REUSE: "n(w+s)c, ksc -> nkw"
  // BLOCK: "n(w+s)c, ksc -> nkw"
  %1 = einsum.contract "nc(w+s), cks -> nkw" (%c, %d)
      : (tensor<64x64x130xf16>, tensor<64x128x3xf16>) -> tensor<64x128x128xf16>
  return %0, %1 : tensor<512x512xf16>, tensor<64x128x128xf16>
}

// Filters that are read once are copied if channels that a block reads together are far apart, and image rows of every
// second pixel sooner than those of every one.
// CHECK-LABEL: @scattered
func.func @scattered(%a: tensor<1x64x9x9xf16>, %b: tensor<64x512x3x3xf16>, %c: tensor<64x64x257xf16>,
                     %d: tensor<64x64x3xf16>) -> (tensor<1x512x7x7xf16>, tensor<64x64x128xf16>) {
  // CHECK: einsum.contract "n(h+r)(w+s)c, krsc -> nkhw"
  %0 = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%a, %b)
      : (tensor<1x64x9x9xf16>, tensor<64x512x3x3xf16>) -> tensor<1x512x7x7xf16>
  // CHECK: einsum.contract "n(2*w+s)c, ksc -> nkw"
  %1 = einsum.contract "nc(2*w+s), cks -> nkw" (%c, %d)
      : (tensor<64x64x257xf16>, tensor<64x64x3xf16>) -> tensor<64x64x128xf16>
  return %0, %1 : tensor<1x512x7x7xf16>, tensor<64x64x128xf16>
}

// Rows or columns, where no summed index will do.
// CHECK-LABEL: @columns
func.func @columns(%a: tensor<4x3x226x226xf16>, %b: tensor<3x64x3x3xf16>) -> tensor<4x64x224x224xf16> {
  // CHECK-NEXT: einsum.contract "adbc -> abcd" (%arg1) : (tensor<3x64x3x3xf16>) -> tensor<3x3x3x64xf16>
  // CHECK-NEXT: einsum.contract "nc(h+r)(w+s), crsk -> nkhw"
  %0 = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%a, %b)
      : (tensor<4x3x226x226xf16>, tensor<3x64x3x3xf16>) -> tensor<4x64x224x224xf16>
  return %0 : tensor<4x64x224x224xf16>
}

// Four elements of i32 are 128 bits, sixteen of i8. Sums of integers do not depend on their order.
// ALL-LABEL: @small
// ALL: "n(h+r-1)(w+s-1)c, krsc -> nkhw"
// ALL: "nc(h+r)(w+s), crsk -> nkhw"
// ALL: "n(h+t[x])wc, kxc -> nkhw"
func.func @small(%a: tensor<2x16x6x5xi8>, %b: tensor<16x4x3x3xi8>, %c: tensor<2x12x6x5xi8>, %d: tensor<12x16x3x3xi8>,
                 %e: tensor<2x4x6x5xi32>, %f: tensor<3x4x3xi32>,
                 %t: tensor<3xi32> {einsum.value_range = array<i64: 0, 2>})
    -> (tensor<2x4x6x5xi32>, tensor<2x16x4x3xi32>, tensor<2x3x4x5xi32>) {
  %0 = einsum.contract "nc(h+r-1)(w+s-1), ckrs -> nkhw" (%a, %b) {pad = "zero"}
      : (tensor<2x16x6x5xi8>, tensor<16x4x3x3xi8>) -> tensor<2x4x6x5xi32>
  %1 = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%c, %d)
      : (tensor<2x12x6x5xi8>, tensor<12x16x3x3xi8>) -> tensor<2x16x4x3xi32>
  %2 = einsum.contract "nc(h+t[x])w, kcx -> nkhw" (%e, %f) tables(t = %t : tensor<3xi32>)
      : (tensor<2x4x6x5xi32>, tensor<3x4x3xi32>) -> tensor<2x3x4x5xi32>
  return %0, %1, %2 : tensor<2x4x6x5xi32>, tensor<2x16x4x3xi32>, tensor<2x3x4x5xi32>
}

// With row-bytes, for bulk copies: a matrix whose rows are 40 bytes long is copied as its transpose, whose rows are 192 bytes;
// so is an image of 14 x 14 with channels first. Not what is read once, nor wide elements, nor what has no such order.
// ROWS-LABEL: @short_rows
// ROWS-NEXT: %[[A:.*]] = einsum.contract "ba -> ab" (%arg0) : (tensor<96x20xf16>) -> tensor<20x96xf16>
// ROWS-NEXT: einsum.contract "km, kn -> mn" (%[[A]], %arg1)
// CHECK-LABEL: @short_rows
// CHECK-NEXT: einsum.contract "mk, kn -> mn" (%arg0, %arg1)
func.func @short_rows(%a: tensor<96x20xf16>, %b: tensor<20x512xf16>) -> tensor<96x512xf16> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<96x20xf16>, tensor<20x512xf16>) -> tensor<96x512xf16>
  return %c : tensor<96x512xf16>
}
// ROWS-LABEL: @pixels
// ROWS-NEXT: %[[X:.*]] = einsum.contract "adbc -> abcd" (%arg0) : (tensor<4x128x14x14xf16>) -> tensor<4x14x14x128xf16>
// ROWS-NEXT: einsum.contract "nhwc, ck -> nkhw" (%[[X]], %arg1)
// CHECK-LABEL: @pixels
// CHECK-NEXT: einsum.contract "nchw, ck -> nkhw" (%arg0, %arg1)
func.func @pixels(%x: tensor<4x128x14x14xf16>, %w: tensor<128x256xf16>) -> tensor<4x256x14x14xf16> {
  %c = einsum.contract "nchw, ck -> nkhw" (%x, %w) : (tensor<4x128x14x14xf16>, tensor<128x256xf16>) -> tensor<4x256x14x14xf16>
  return %c : tensor<4x256x14x14xf16>
}
// Narrow elements, and tf32, only along K.
// ROWS-LABEL: @narrow_elements
// ROWS-NEXT: %[[B:.*]] = einsum.contract "ba -> ab" (%arg1) : (tensor<256x512xi8>) -> tensor<512x256xi8>
// ROWS-NEXT: einsum.contract "mk, nk -> mn" (%arg0, %[[B]])
func.func @narrow_elements(%a: tensor<512x256xi8>, %b: tensor<256x512xi8>) -> tensor<512x512xi32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<512x256xi8>, tensor<256x512xi8>) -> tensor<512x512xi32>
  return %c : tensor<512x512xi32>
}
// ROWS-LABEL: @tf32
// ROWS-NEXT: %[[A:.*]] = einsum.contract "ba -> ab" (%arg0) : (tensor<256x512xf32>) -> tensor<512x256xf32>
// ROWS-NEXT: einsum.contract "mk, nk -> mn" (%[[A]], %arg1)
func.func @tf32(%a: tensor<256x512xf32>, %b: tensor<512x256xf32>) -> tensor<512x512xf32> {
  %c = einsum.contract "km, nk -> mn" (%a, %b) {precision = "tf32"} : (tensor<256x512xf32>, tensor<512x256xf32>) -> tensor<512x512xf32>
  return %c : tensor<512x512xf32>
}
// ROWS-LABEL: @read_once
// ROWS-NEXT: einsum.contract "mk, kn -> mn" (%arg0, %arg1)
func.func @read_once(%a: tensor<96x20xf16>, %b: tensor<20x64xf16>) -> tensor<96x64xf16> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<96x20xf16>, tensor<20x64xf16>) -> tensor<96x64xf16>
  return %c : tensor<96x64xf16>
}
// ROWS-LABEL: @wide_elements
// ROWS-NEXT: einsum.contract "mk, kn -> mn" (%arg0, %arg1)
func.func @wide_elements(%a: tensor<96x21xf32>, %b: tensor<21x512xf32>) -> tensor<96x512xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<96x21xf32>, tensor<21x512xf32>) -> tensor<96x512xf32>
  return %c : tensor<96x512xf32>
}
// ROWS-LABEL: @no_order
// ROWS-NEXT: einsum.contract "mk, kn -> mn" (%arg0, %arg1)
func.func @no_order(%a: tensor<99x21xf16>, %b: tensor<21x512xf16>) -> tensor<99x512xf16> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<99x21xf16>, tensor<21x512xf16>) -> tensor<99x512xf16>
  return %c : tensor<99x512xf16>
}
