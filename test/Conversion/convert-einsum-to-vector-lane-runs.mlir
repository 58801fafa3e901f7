// convert-einsum-to-vector: pixels that are gone through as one, of an image with a border, are copied by a load for each row
// that a vector is part of.
//
// RUN: tile-opt --convert-einsum-to-vector %s | FileCheck %s
// RUN: %python %source/test/Conversion/exact.py --tile-run tile-run --tile-opt tile-opt %s | FileCheck %s --check-prefix=EXACT
// RUN: %python %source/test/Conversion/exact.py --tile-run tile-run --tile-opt tile-opt %s --vector-bits=256 --seed=2 | FileCheck %s --check-prefix=EXACT
// RUN: %python %source/test/Conversion/exact.py --tile-run tile-run --tile-opt tile-opt %s --vector-bits=128 --seed=3 | FileCheck %s --check-prefix=EXACT
// EXACT: 6 functions, 0 wrong

#machine = #einsum.machine<cpu = "any", vector_bits = 512, registers = 32, fma = 2, latency = 4, l1 = 32768,
    l2 = 1048576, l3 = 8388608, cores = 2, bf16 = false>

module attributes {einsum.machine = #machine} {

// Two rows of 28 at most. What steps of the sum do not change is known before them: masks, and where the rows begin.
// CHECK-LABEL: @shifted
// CHECK: scf.for
// CHECK: arith.remui %{{.*}}, %c28
// CHECK: %[[FIRST:.*]] = arith.cmpi slt
// CHECK: %[[ENTRY:.*]] = memref.load %[[TABLE:.*]][
// CHECK: %[[BEFORE:.*]] = arith.cmpi slt
// CHECK: %[[AFTER:.*]] = arith.cmpi sge
// CHECK: %[[SECOND:.*]] = arith.andi %[[BEFORE]], %[[AFTER]]
// CHECK: memref.load %[[TABLE]][
// CHECK: scf.for
// CHECK-NOT: memref.load %[[TABLE]]
// CHECK: %[[PART:.*]] = vector.maskedload %{{.*}}, %[[FIRST]], %cst{{.*}} : memref<{{.*}}xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
// CHECK: %[[ALL:.*]] = vector.maskedload %{{.*}}, %[[SECOND]], %[[PART]]
// CHECK: vector.store %[[ALL]]
// CHECK-NOT: vector.gather
func.func @shifted(%x: tensor<2x6x30x30xf32>, %w: tensor<6x16xf32>,
                   %sh: tensor<6xi32> {einsum.value_range = array<i64: 0, 2>},
                   %sw: tensor<6xi32> {einsum.value_range = array<i64: 0, 2>}) -> tensor<2x16x28x28xf32> {
  %y = einsum.contract "nc(h+sh[c])(w+sw[c]), ck -> nkhw" (%x, %w) tables(sh = %sh : tensor<6xi32>, sw = %sw : tensor<6xi32>)
      {schedule = #einsum.schedule<lanes = 3, tile = [4, 3], pack = [0], dims = [
        <"n" seq 2>, <"k" prim 16>, <"hw" prim 784>, <"c" prim 6>]>}
      : (tensor<2x6x30x30xf32>, tensor<6x16xf32>) -> tensor<2x16x28x28xf32>
  return %y : tensor<2x16x28x28xf32>
}

// Rows of 7 and of 5: four of them in a vector, but for the last one of 49, which is gathered; 35 lanes, of which a vector
// has 3.
// CHECK-LABEL: @short
// CHECK: scf.for
// CHECK-COUNT-4: vector.maskedload
// CHECK-COUNT-1: vector.gather
// CHECK-NOT: vector.gather
// CHECK-LABEL: @few
func.func @short(%x: tensor<2x4x9x9xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<2x8x7x7xf32> {
  %y = einsum.contract "nc(h+r)(w+s), rsck -> nkhw" (%x, %w)
      {schedule = #einsum.schedule<lanes = 5, tile = [4, 2], pack = [0], dims = [
        <"n" seq 2>, <"r" seq 3>, <"s" seq 3>, <"k" prim 8>, <"hw" prim 49>, <"c" prim 4>]>}
      : (tensor<2x4x9x9xf32>, tensor<3x3x4x8xf32>) -> tensor<2x8x7x7xf32>
  return %y : tensor<2x8x7x7xf32>
}
func.func @few(%x: tensor<4x9x9xf64>, %w: tensor<4x8xf64>) -> tensor<8x7x5xf64> {
  %y = einsum.contract "c(h+1)(w+3), ck -> khw" (%x, %w)
      {schedule = #einsum.schedule<lanes = 1, tile = [4, 2], pack = [0], dims = [
        <"k" prim 8>, <"hw" prim 35>, <"c" prim 4>]>, indices = {h = 7, w = 5}}
      : (tensor<4x9x9xf64>, tensor<4x8xf64>) -> tensor<8x7x5xf64>
  return %y : tensor<8x7x5xf64>
}

// Of images, too: the last row of one, and the first one of the next.
// CHECK-LABEL: @images
// CHECK: vector.maskedload
// CHECK-NOT: vector.gather
func.func @images(%x: tensor<4x10x3x10xf32>, %w: tensor<3x8xf32>) -> tensor<8x4x8x8xf32> {
  %y = einsum.contract "n(h+1)c(w+1), ck -> knhw" (%x, %w)
      {schedule = #einsum.schedule<lanes = 1, tile = [4, 2], pack = [0], dims = [
        <"k" prim 8>, <"nhw" prim 256>, <"c" prim 3>]>}
      : (tensor<4x10x3x10xf32>, tensor<3x8xf32>) -> tensor<8x4x8x8xf32>
  return %y : tensor<8x4x8x8xf32>
}

// Converted when they are copied.
// CHECK-LABEL: @half
// CHECK: vector.maskedload {{.*}} vector<16xf16>
// CHECK-NOT: vector.gather
func.func @half(%x: tensor<4x12x12xf16>, %w: tensor<4x8xf16>) -> tensor<8x11x11xf32> {
  %y = einsum.contract "c(h+1)(w+1), ck -> khw" (%x, %w)
      {schedule = #einsum.schedule<lanes = 1, tile = [4, 2], pack = [0], dims = [
        <"k" prim 8>, <"hw" prim 121>, <"c" prim 4>]>}
      : (tensor<4x12x12xf16>, tensor<4x8xf16>) -> tensor<8x11x11xf32>
  return %y : tensor<8x11x11xf32>
}

// Every second pixel of a row is none of its run.
// CHECK-LABEL: @strided
// CHECK-NOT: vector.maskedload {{.*}}xf32
// CHECK: return
func.func @strided(%x: tensor<4x13x13xf32>, %w: tensor<4x8xf32>) -> tensor<8x7x7xf32> {
  %y = einsum.contract "c(2*h)(2*w), ck -> khw" (%x, %w)
      {schedule = #einsum.schedule<lanes = 1, tile = [4, 2], pack = [0], dims = [
        <"k" prim 8>, <"hw" prim 49>, <"c" prim 4>]>}
      : (tensor<4x13x13xf32>, tensor<4x8xf32>) -> tensor<8x7x7xf32>
  return %y : tensor<8x7x7xf32>
}

}
