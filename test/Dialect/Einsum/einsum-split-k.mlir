// einsum-split-k: what the two contractions are, which index is split, and when parts are padded. See
// einsum-split-k-remark.mlir for what is left alone, and einsum-split-k-run.mlir for what they compute.
//
// RUN: tile-opt --einsum-split-k=factor=4 %s | FileCheck %s
// RUN: tile-opt --einsum-split-k="factor=4 config={block=128x128x40}" %s | FileCheck %s --check-prefix=DEPTH
// RUN: tile-opt --einsum-split-k=factor=1 %s | FileCheck %s --check-prefix=OFF
// RUN: tile-opt --einsum-split-k %s | FileCheck %s --check-prefix=CHOOSE
// RUN: tile-opt --einsum-split-k="programs=6" %s | FileCheck %s --check-prefix=SMALL
// OFF-NOT: smn

// The example of the documentation. Without a factor: 4096 / (4 * 32) parts are less than 80; with six programs, six parts.
// CHECK-LABEL: @doc
// CHOOSE-LABEL: @doc
// SMALL-LABEL: @doc
func.func @doc(%a: tensor<64x4096xf16>, %b: tensor<4096x64xf16>) -> tensor<64x64xf16> {
  // CHECK-NEXT: %[[P:.*]] = einsum.contract "m(1024*s+k), (1024*s+k)n -> smn" (%arg0, %arg1) {sizes = {k = 1024 : i64}} : (tensor<64x4096xf16>, tensor<4096x64xf16>) -> tensor<4x64x64xf32>
  // CHECK-NEXT: %[[R:.*]] = einsum.contract "smn -> mn" (%[[P]]) : (tensor<4x64x64xf32>) -> tensor<64x64xf16>
  // CHECK-NEXT: return %[[R]]
  // CHOOSE: 128*s+k
  // SMALL: {pad = "zero", sizes = {k = 704 : i64}} {{.*}} -> tensor<6x64x64xf32>
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x4096xf16>, tensor<4096x64xf16>) -> tensor<64x64xf16>
  return %c : tensor<64x64xf16>
}

// 250 positions a part are rounded up to blocks of 32 or 40; the last part has less.
// CHECK-LABEL: @padded
// DEPTH-LABEL: @padded
func.func @padded(%a: tensor<64x1000xf16>, %b: tensor<1000x64xf16>) -> tensor<64x64xf32> {
  // CHECK-NEXT: einsum.contract "m(256*s+k), (256*s+k)n -> smn" (%arg0, %arg1) {pad = "zero", sizes = {k = 256 : i64}} : {{.*}} -> tensor<4x64x64xf32>
  // DEPTH-NEXT: einsum.contract "m(280*s+k), (280*s+k)n -> smn" (%arg0, %arg1) {pad = "zero", sizes = {k = 280 : i64}} : {{.*}} -> tensor<4x64x64xf32>
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x1000xf16>, tensor<1000x64xf16>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// Two blocks of 32 make two parts, not four.
// CHECK-LABEL: @fewer_parts
func.func @fewer_parts(%a: tensor<64x64xi8>, %b: tensor<64x8xi8>) -> tensor<64x8xi8> {
  // CHECK-NEXT: "m(32*s+k), (32*s+k)n -> smn" (%arg0, %arg1) {sizes = {k = 32 : i64}} : {{.*}} -> tensor<2x64x8xi32>
  // CHECK-NEXT: "smn -> mn" {{.*}} : (tensor<2x64x8xi32>) -> tensor<64x8xi8>
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x64xi8>, tensor<64x8xi8>) -> tensor<64x8xi8>
  return %c : tensor<64x8xi8>
}

// Of several indices the largest is split, here c: 16 a part, no multiple of 32.
// CHECK-LABEL: @convolution
func.func @convolution(%x: tensor<2x64x10x10xf16>, %w: tensor<32x64x3x3xf16>) -> tensor<2x32x8x8xf16> {
  // CHECK-NEXT: "n(16*s+c)(h+a)(w+b), k(16*s+c)ab -> snkhw" (%arg0, %arg1) {sizes = {c = 16 : i64}} : {{.*}} -> tensor<4x2x32x8x8xf32>
  // CHECK-NEXT: "snkhw -> nkhw"
  %y = einsum.contract "nc(h+a)(w+b), kcab -> nkhw" (%x, %w)
      : (tensor<2x64x10x10xf16>, tensor<32x64x3x3xf16>) -> tensor<2x32x8x8xf16>
  return %y : tensor<2x32x8x8xf16>
}

// x would not read 0 beyond the end of r, so that parts of 25 are needed, which divide 100.
// CHECK-LABEL: @window
func.func @window(%x: tensor<400xf32>, %w: tensor<100xf32>) -> tensor<301xf32> {
  // CHECK-NEXT: "(t+(25*s+r)), (25*s+r) -> st" (%arg0, %arg1) {sizes = {r = 25 : i64}} : {{.*}} -> tensor<4x301xf32>
  %y = einsum.contract "(t+r), r -> t" (%x, %w) : (tensor<400xf32>, tensor<100xf32>) -> tensor<301xf32>
  return %y : tensor<301xf32>
}

// c indexes a table, k does not; s is taken. The table, padding, accumulator and sizes stay.
// CHECK-LABEL: @features
// CHECK-SAME: %[[X:.*]]: tensor<2x100x64xf16>, %[[W:.*]]: tensor<100x64xf16>, %[[T:.*]]: tensor<100xi32>, %[[O:.*]]: tensor<2x8xf16>
func.func @features(%x: tensor<2x100x64xf16>, %w: tensor<100x64xf16>, %t: tensor<100xi32>,
                    %o: tensor<2x8xf16>) -> tensor<2x8xf16> {
  // CHECK-NEXT: %[[P:.*]] = einsum.contract "nc(s+2*(16*a+k)+t[c]), c(16*a+k) -> ans" (%[[X]], %[[W]]) tables(t = %[[T]] : tensor<100xi32>) {acc = f16, pad = "zero", sizes = {k = 16 : i64, n = 2 : i64}, tile.config = {{.*}}} : {{.*}} -> tensor<4x2x8xf16>
  // CHECK-NEXT: einsum.contract "ans -> ns" (%[[P]]) outs(%[[O]] : tensor<2x8xf16>) {acc = f16} : (tensor<4x2x8xf16>) -> tensor<2x8xf16>
  %y = einsum.contract "nc(s+2*k+t[c]), ck -> ns" (%x, %w) tables(t = %t : tensor<100xi32>) outs(%o : tensor<2x8xf16>)
      {pad = "zero", acc = f16, sizes = {n = 2},
       tile.config = #tile.config<block=128x128x32 warp=64x32 atom=volta_16x16x8 split_k=1 stages=2>}
      : (tensor<2x100x64xf16>, tensor<100x64xf16>) -> tensor<2x8xf16>
  return %y : tensor<2x8xf16>
}

// On memrefs the parts are in a buffer of their own.
// CHECK-LABEL: @memrefs
// CHECK-SAME: %[[A:.*]]: memref<256xf64>, %[[O:.*]]: memref<f64>
func.func @memrefs(%a: memref<256xf64>, %o: memref<f64>) {
  // CHECK-NEXT: %[[P:.*]] = memref.alloc() : memref<4xf64>
  // CHECK-NEXT: einsum.contract "(64*s+k), (64*s+k) -> s" (%[[A]], %[[A]]) outs(%[[P]] : memref<4xf64>) {sizes = {k = 64 : i64}} : (memref<256xf64>, memref<256xf64>)
  // CHECK-NEXT: einsum.contract "s -> " (%[[P]]) outs(%[[O]] : memref<f64>) : (memref<4xf64>)
  // CHECK-NEXT: memref.dealloc %[[P]]
  // CHECK-NEXT: return
  einsum.contract "k, k ->" (%a, %a) outs(%o : memref<f64>) : (memref<256xf64>, memref<256xf64>)
  return
}

// 16 x 5 blocks fill 80 programs.
// CHECK-LABEL: @large
// CHOOSE-LABEL: @large
func.func @large(%a: tensor<2048x4096xf16>, %b: tensor<4096x640xf16>) -> tensor<2048x640xf16> {
  // CHECK: smn
  // CHOOSE-NEXT: "mk, kn -> mn"
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<2048x4096xf16>, tensor<4096x640xf16>) -> tensor<2048x640xf16>
  return %c : tensor<2048x640xf16>
}
