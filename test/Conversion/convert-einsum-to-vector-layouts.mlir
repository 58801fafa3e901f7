// convert-einsum-to-vector: one schedule for operands of several layouts. A schedule holds decisions only, so that it is valid for
// all of them, and what it computes is the same.
//
// RUN: %python %source/test/Conversion/exact.py --tile-run tile-run --tile-opt tile-opt %s | FileCheck %s --check-prefix=EXACT
// RUN: tile-opt --convert-einsum-to-vector %s | FileCheck %s
// EXACT: 8 functions, 0 wrong

#machine = #einsum.machine<cpu = "any", vector_bits = 256, registers = 16, fma = 2, latency = 4, l1 = 32768,
    l2 = 1048576, l3 = 8388608, cores = 2, bf16 = false>
#product = #einsum.schedule<lanes = 3, tile = [3, 2], unroll = 2, dims = [
    <"m" parallel 2 step 6>, <"k" seq 2 step 5>, <"m" prim 6>, <"n" prim 11>, <"k" prim 5>]>
#packed = #einsum.schedule<lanes = 1, tile = [3, 2], unroll = 2, pack = [0, 1], dims = [
    <"m" prim 12>, <"n" prim 11>, <"k" prim 10>]>
#pixels = #einsum.schedule<lanes = 1, tile = [4, 1], dims = [<"hw" prim 24>, <"n" prim 9>, <"k" prim 7>]>

module attributes {einsum.machine = #machine} {

// CHECK-LABEL: @row_major
// CHECK-NOT: einsum.contract
func.func @row_major(%a: memref<12x10xf32>, %b: memref<10x11xf32>, %c: memref<12x11xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<12x11xf32>) {schedule = #product}
    : (memref<12x10xf32>, memref<10x11xf32>)
  return
}

// Columns that follow each other, rows with gaps, and an offset, of views of larger buffers.
// CHECK-LABEL: @columns
// CHECK-NOT: einsum.contract
func.func @columns(%x: memref<10x16xf32>, %y: memref<12x24xf32>, %z: memref<11x13xf32>) {
  %a = memref.reinterpret_cast %x to offset: [3], sizes: [12, 10], strides: [1, 16]
    : memref<10x16xf32> to memref<12x10xf32, strided<[1, 16], offset: 3>>
  %b = memref.subview %y[1, 2] [10, 11] [1, 2] : memref<12x24xf32> to memref<10x11xf32, strided<[24, 2], offset: 26>>
  %c = memref.reinterpret_cast %z to offset: [1], sizes: [12, 11], strides: [1, 13]
    : memref<11x13xf32> to memref<12x11xf32, strided<[1, 13], offset: 1>>
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<12x11xf32, strided<[1, 13], offset: 1>>) {schedule = #product}
    : (memref<12x10xf32, strided<[1, 16], offset: 3>>, memref<10x11xf32, strided<[24, 2], offset: 26>>)
  return
}

// Axes in another order, in the specification.
// CHECK-LABEL: @permuted
// CHECK-NOT: einsum.contract
func.func @permuted(%a: tensor<10x12xf32>, %b: tensor<11x10xf32>) -> tensor<11x12xf32> {
  %c = einsum.contract "km, nk -> nm" (%a, %b) {schedule = #einsum.schedule<lanes = 3, tile = [3, 2], unroll = 2, dims = [
      <"m" parallel 2 step 6>, <"k" seq 2 step 5>, <"m" prim 6>, <"n" prim 11>, <"k" prim 5>]>}
    : (tensor<10x12xf32>, tensor<11x10xf32>) -> tensor<11x12xf32>
  return %c : tensor<11x12xf32>
}

// Panels.
// CHECK-LABEL: @pack_row_major
// CHECK-NOT: einsum.contract
func.func @pack_row_major(%a: memref<12x10xf32>, %b: memref<10x11xf32>, %c: memref<12x11xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<12x11xf32>) {schedule = #packed}
    : (memref<12x10xf32>, memref<10x11xf32>)
  return
}
// CHECK-LABEL: @pack_columns
// CHECK-NOT: einsum.contract
func.func @pack_columns(%x: memref<10x12xf32>, %y: memref<11x10xf32>, %c: memref<12x11xf32>) {
  %a = memref.transpose %x (k, m) -> (m, k) : memref<10x12xf32> to memref<12x10xf32, strided<[1, 12]>>
  %b = memref.transpose %y (n, k) -> (k, n) : memref<11x10xf32> to memref<10x11xf32, strided<[1, 10]>>
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<12x11xf32>) {schedule = #packed}
    : (memref<12x10xf32, strided<[1, 12]>>, memref<10x11xf32, strided<[1, 10]>>)
  return
}

// Rows of pixels follow each other, and then do not: a table of offsets takes the place of a stride.
// CHECK-LABEL: @pixels
// CHECK-NOT: memref<24xindex>
// CHECK: return
func.func @pixels(%x: memref<4x6x7xf32>, %w: memref<7x9xf32>, %y: memref<4x6x9xf32>) {
  einsum.contract "hwk, kn -> hwn" (%x, %w) outs(%y : memref<4x6x9xf32>) {schedule = #pixels}
    : (memref<4x6x7xf32>, memref<7x9xf32>)
  return
}
// CHECK-LABEL: @pixels_with_gaps
// CHECK: memref.alloc() : memref<24xindex>
func.func @pixels_with_gaps(%image: memref<5x8x7xf32>, %w: memref<7x9xf32>, %y: memref<4x6x9xf32>) {
  %x = memref.subview %image[1, 1, 0] [4, 6, 7] [1, 1, 1] : memref<5x8x7xf32> to memref<4x6x7xf32, strided<[56, 7, 1], offset: 63>>
  einsum.contract "hwk, kn -> hwn" (%x, %w) outs(%y : memref<4x6x9xf32>) {schedule = #pixels}
    : (memref<4x6x7xf32, strided<[56, 7, 1], offset: 63>>, memref<7x9xf32>)
  return
}
// CHECK-LABEL: @pixels_of_result
// CHECK: memref.alloc() : memref<24xindex>
func.func @pixels_of_result(%x: memref<4x6x7xf32>, %w: memref<7x9xf32>, %image: memref<5x8x9xf32>) {
  %y = memref.subview %image[1, 1, 0] [4, 6, 9] [1, 1, 1] : memref<5x8x9xf32> to memref<4x6x9xf32, strided<[72, 9, 1], offset: 81>>
  einsum.contract "hwk, kn -> hwn" (%x, %w) outs(%y : memref<4x6x9xf32, strided<[72, 9, 1], offset: 81>>) {schedule = #pixels}
    : (memref<4x6x7xf32>, memref<7x9xf32>)
  return
}

}
