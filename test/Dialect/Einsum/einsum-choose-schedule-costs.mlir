// What is chosen where one term of the cost decides.
// RUN: tile-opt %s --einsum-attach-machine=cpu=sapphirerapids --einsum-to-cpu-pipeline="threads=1 list-configs=1" \
// RUN:   --remark-policy=all --remarks-filter=einsum -o /dev/null 2>&1 | FileCheck %s
// RUN: tile-opt %s --einsum-attach-machine=cpu=znver5 --einsum-to-cpu-pipeline="threads=1 list-configs=1" \
// RUN:   --remark-policy=all --remarks-filter=einsum -o /dev/null 2>&1 | FileCheck %s --check-prefix=ZEN5
// RUN: tile-opt %s --einsum-attach-machine=cpu=znver3 --einsum-to-cpu-pipeline="threads=1 list-configs=1" \
// RUN:   --remark-policy=all --remarks-filter=einsum -o /dev/null 2>&1 | FileCheck %s --check-prefix=AVX2

// A conversion is two operations: what is read by many tiles is converted once, when it is packed.
// CHECK: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}} pack=lanes tile=6,4
func.func @converted(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  return %c : tensor<64x64xf16>
}

// A panel of 64 lanes is beyond the first cache, one of 32 is not: arithmetic does not quite hide it.
// CHECK: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}} tile=14,2
func.func @streamed(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %c : tensor<256x256xf32>
}

// Along the sum, 10 rows of 4 KiB stay in a first cache of 48: eight columns are read once for all rows, two rows at a time.
// ZEN5: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}}lanes=k rows=m {{.*}}sum-parts=1 {{.*}}tile=2,8
func.func @along_sum(%a: tensor<32x2048xbf16>, %b: tensor<1000x2048xbf16>) -> tensor<32x1000xbf16> {
  %c = einsum.contract "mk, nk -> mn" (%a, %b) : (tensor<32x2048xbf16>, tensor<1000x2048xbf16>) -> tensor<32x1000xbf16>
  return %c : tensor<32x1000xbf16>
}

// Lines next to what a step reads of each page stay in the second cache from one column to the next with parts of the sum.
// ZEN5: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}}lanes=n rows=m {{.*}}sum-parts=8 {{.*}}tile=8,3
func.func @pages(%a: tensor<8x2048xbf16>, %b: tensor<2048x2048xbf16>) -> tensor<8x2048xbf16> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<8x2048xbf16>
  return %c : tensor<8x2048xbf16>
}

// Channels by themselves have both operands along lanes, of which one is loaded: a row of nine vectors would be no less in
// registers than others.
// ZEN5: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}}lanes=c rows=w {{.*}}tile=3,5
func.func @channels(%x: tensor<1x58x58x144xf32>, %w: tensor<144x3x3xf32>) -> tensor<1x56x56x144xf32> {
  %y = einsum.contract "n(h+r)(w+s)c, crs -> nhwc" (%x, %w) : (tensor<1x58x58x144xf32>, tensor<144x3x3xf32>) -> tensor<1x56x56x144xf32>
  return %y : tensor<1x56x56x144xf32>
}

// Of a result that is beyond the second cache, pieces of rows cost something each: seven vectors at a time, not two.
// CHECK: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}}lanes=w rows=k {{.*}} tile=3,7
func.func @pieces(%a: tensor<4x1x165x704xf32>, %b: tensor<64x1x5x5xf32>) -> tensor<4x64x161x700xf32> {
  %c = einsum.contract "nc(h+r)(w+s), kcrs -> nkhw" (%a, %b) : (tensor<4x1x165x704xf32>, tensor<64x1x5x5xf32>) -> tensor<4x64x161x700xf32>
  return %c : tensor<4x64x161x700xf32>
}

// Prefetchers follow rows in four images at once, and one row not as well; a Zen 5 does not mind. Where all of the caches is
// too small for the result, it is written past them, and does not ask for prefetchers.
// CHECK: costs.mlir:[[# @LINE + 3]]:{{.*}} list-configs {{.*}}lanes=k rows=n {{.*}} tile=4,4
// ZEN5: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}}lanes=k rows=w
func.func @streams(%x: tensor<4x98x98x64xf32>, %w: tensor<64x128xf32>) -> tensor<4x96x96x128xf32> {
  %y = einsum.contract "n(h+2)(w+2)c, ck -> nhwk" (%x, %w) {indices = {h = 96, w = 96}} : (tensor<4x98x98x64xf32>, tensor<64x128xf32>) -> tensor<4x96x96x128xf32>
  return %y : tensor<4x96x96x128xf32>
}
// CHECK: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}}lanes=k rows=w
func.func @streamed_past(%x: tensor<4x230x230x64xf32>, %w: tensor<64x128xf32>) -> tensor<4x228x228x128xf32> {
  %y = einsum.contract "n(h+2)(w+2)c, ck -> nhwk" (%x, %w) {indices = {h = 228, w = 228}} : (tensor<4x230x230x64xf32>, tensor<64x128xf32>) -> tensor<4x228x228x128xf32>
  return %y : tensor<4x228x228x128xf32>
}

// Lines to which tables lead are shared with the next pixel, and hold 16 channels: no copy is worth it, and rows are not
// pixels of several images.
// ZEN5: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}}lanes=k rows=nhw {{.*}}pack=needed tile=6,4
func.func @looked_up(%x: tensor<4x9x9x512xf32>, %w: tensor<512x512xf32>, %sh: tensor<512xi32> {einsum.value_range = array<i64: 0, 2>}, %sw: tensor<512xi32> {einsum.value_range = array<i64: 0, 2>}) -> tensor<4x7x7x512xf32> {
  %y = einsum.contract "n(h+sh[c])(w+sw[c])c, ck -> nhwk" (%x, %w) tables(sh = %sh : tensor<512xi32>, sw = %sw : tensor<512xi32>) : (tensor<4x9x9x512xf32>, tensor<512x512xf32>) -> tensor<4x7x7x512xf32>
  return %y : tensor<4x7x7x512xf32>
}

// Pixels that tables lead to are copied by rows of them, so that all are gone through as one, without vectors that are partly
// empty.
// ZEN5: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}}lanes=hw rows=k {{.*}}pack=needed
func.func @looked_up_rows(%x: tensor<4x128x58x58xf32>, %w: tensor<128x256xf32>, %sh: tensor<128xi32> {einsum.value_range = array<i64: 0, 2>}, %sw: tensor<128xi32> {einsum.value_range = array<i64: 0, 2>}) -> tensor<4x256x56x56xf32> {
  %y = einsum.contract "nc(h+sh[c])(w+sw[c]), ck -> nkhw" (%x, %w) tables(sh = %sh : tensor<128xi32>, sw = %sw : tensor<128xi32>) : (tensor<4x128x58x58xf32>, tensor<128x256xf32>) -> tensor<4x256x56x56xf32>
  return %y : tensor<4x256x56x56xf32>
}

// Nothing fetches lines ahead from memory where tables tell what is next, but where rows of the kernel are in pages of their
// own: the image is read once, in several lines of pixels at once, not once for each group of vectors.
// CHECK: costs.mlir:[[# @LINE + 3]]:{{.*}} list-configs {{.*}}lanes=k rows=h {{.*}}pack=needed
// ZEN5: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}}lanes=k rows=h {{.*}}pack=needed
func.func @looked_up_far(%x: tensor<16x114x114x64xf32>, %w: tensor<64x128xf32>, %sh: tensor<64xi32> {einsum.value_range = array<i64: 0, 2>}, %sw: tensor<64xi32> {einsum.value_range = array<i64: 0, 2>}) -> tensor<16x112x112x128xf32> {
  %y = einsum.contract "n(h+sh[c])(w+sw[c])c, ck -> nhwk" (%x, %w) tables(sh = %sh : tensor<64xi32>, sw = %sw : tensor<64xi32>) : (tensor<16x114x114x64xf32>, tensor<64x128xf32>) -> tensor<16x112x112x128xf32>
  return %y : tensor<16x112x112x128xf32>
}

// A short sum is no loop, but within others only if that is not much code: 14 steps of 13 rows by two vectors are too much.
// ZEN5: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}}tile=13,2 unroll=4
func.func @gradient(%x: tensor<4x128x29x29xf32>, %g: tensor<4x256x14x14xf32>) -> tensor<256x128x3x3xf32> {
  %y = einsum.contract "nc(2*h+r)(2*w+s), nkhw -> kcrs" (%x, %g) {sizes = {r = 3, s = 3}} : (tensor<4x128x29x29xf32>, tensor<4x256x14x14xf32>) -> tensor<256x128x3x3xf32>
  return %y : tensor<256x128x3x3xf32>
}
// ZEN5: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}}unroll=16
func.func @small(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return %c : tensor<16x16xf32>
}

// Along the pixels of an image, most vectors are parts of two lines: along channels, none is.
// CHECK: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}}lanes=k rows=w
func.func @split(%x: tensor<4x64x56x56xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<4x64x56x56xf32> {
  %y = einsum.contract "nc(h+r-1)(w+s-1), kcrs -> nkhw" (%x, %w) {pad = "zero"} : (tensor<4x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<4x64x56x56xf32>
  return %y : tensor<4x64x56x56xf32>
}

// Pieces of three of eight vectors cost less than tiles of eight sums do.
// AVX2: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}}tile=4,3
func.func @small_pieces(%a: tensor<64x64x64xf32>, %b: tensor<64x64x64xf32>) -> tensor<64x64x64xf32> {
  %c = einsum.contract "bmk, bkn -> bmn" (%a, %b) : (tensor<64x64x64xf32>, tensor<64x64x64xf32>) -> tensor<64x64x64xf32>
  return %c : tensor<64x64x64xf32>
}

// What is estimated is the kernel that prefetches, which unrolls a row of a window, not one with a loop of three steps.
// AVX2: costs.mlir:[[# @LINE + 2]]:{{.*}} list-configs {{.*}}lanes=w rows=k {{.*}}tile=4,3 unroll=3 prefetch=2
func.func @prefetched_window(%x: tensor<4x128x58x58xf32>, %w: tensor<256x128x3x3xf32>) -> tensor<4x256x56x56xf32> {
  %y = einsum.contract "nc(h+r)(w+s), kcrs -> nkhw" (%x, %w) : (tensor<4x128x58x58xf32>, tensor<256x128x3x3xf32>) -> tensor<4x256x56x56xf32>
  return %y : tensor<4x256x56x56xf32>
}
