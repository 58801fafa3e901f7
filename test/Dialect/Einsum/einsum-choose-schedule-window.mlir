// einsum-choose-schedule: unrolled steps of a window share elements along rows, which stay in registers. With 28 accumulators
// there is no room for the 13 that the steps along a row of the filter have in common; with 20 there is for 9.
//
// RUN: tile-opt %s --einsum-choose-schedule="rows=w tile=14,2" | FileCheck %s --check-prefix=MANY
// RUN: tile-opt %s --einsum-choose-schedule="rows=w tile=10,2" | FileCheck %s --check-prefix=FEW

// The ends of loops of three steps cost more than a tile more does.
// RUN: tile-opt %s --einsum-choose-schedule | FileCheck %s --check-prefix=FEW
// MANY: tile = [14, 2], unroll = 1,
// FEW: tile = [10, 2], unroll = 3,

// Of a dilated one, a step shares with the row two before; of a strided one, the third step with the first of the next row.
// RUN: sed -e 's/30x30/32x32/; s/(h+r)(w+s)/(h+2*r)(w+2*s)/' %s | tile-opt --einsum-choose-schedule="rows=w tile=6,4" | FileCheck %s --check-prefix=DILATED
// DILATED: tile = [6, 4], unroll = 1,
// RUN: sed -e 's/30x30/57x57/; s/(h+r)(w+s)/(2*h+r)(2*w+s)/' %s | tile-opt --einsum-choose-schedule="rows=w tile=14,2" | FileCheck %s --check-prefix=STRIDED
// STRIDED: tile = [14, 2], unroll = 1,

// Backwards, as in the gradient of an image, it is the row before; tiles of 13 rows are of 10, 9 and 9.
// RUN: sed -e 's/30x30/28x28/; s/(h+r)(w+s)/(h-r+1)(w-s+1)/; s/(%%x, %%w)/& {pad = "zero"}/' %s | tile-opt --einsum-pad-operands --einsum-choose-schedule="rows=w tile=14,2" \
// RUN:   | FileCheck %s --check-prefix=MANY
// RUN: tile-opt %s --einsum-choose-schedule="rows=w tile=13,2" | FileCheck %s --check-prefix=BALANCED
// BALANCED: tile = [13, 2], unroll = 3,

// Rows of pixels are along a row of the image, of which steps share elements and lines, not down a column, where each is in
// a line of its own.
// RUN: sed -e 's/4x64x30x30/2x32x28x28/g; s/64x128x3x3/32x64x3x3/g; s/4x128x28x28/2x64x24x24/g; s/(h+r)(w+s)/(h+2*r)(w+2*s)/' %s \
// RUN:   | tile-opt --einsum-choose-schedule | FileCheck %s --check-prefix=LINES
// LINES: <"h" seq 24>
// LINES-SAME: <"w" prim 24>

module attributes {einsum.machine = #einsum.machine<cpu = "sapphirerapids", vector_bits = 512, registers = 32, fma = 2,
    latency = 4, l1 = 49152, l2 = 2097152, l3 = 33554432, cores = 2, bf16 = false>} {
func.func @window(%x: tensor<4x64x30x30xf32>, %w: tensor<64x128x3x3xf32>) -> tensor<4x128x28x28xf32> {
  %y = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%x, %w)
      : (tensor<4x64x30x30xf32>, tensor<64x128x3x3xf32>) -> tensor<4x128x28x28xf32>
  return %y : tensor<4x128x28x28xf32>
}
}
