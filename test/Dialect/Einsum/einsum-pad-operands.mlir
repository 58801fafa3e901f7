// einsum-pad-operands: a border of zeros, or a copy of what tables tell, so that all reads are inside.
//
// RUN: tile-opt %s --einsum-pad-operands --split-input-file | FileCheck %s
// RUN: tile-opt %s --einsum-pad-operands --split-input-file --remark-policy=all --remarks-filter=einsum -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --einsum-pad-operands=max-growth=1 --split-input-file | FileCheck %s --check-prefix=ONE
// RUN: not tile-opt %s --einsum-pad-operands=max-growth=0 --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=INVALID
// INVALID: error: einsum-pad-operands expects max-growth to be at least 1, found 0

// Only what may be read outside gets zeros, as many as are read. A border is growth, too.
// CHECK-LABEL: @convolution
// CHECK-SAME: (%[[X:.*]]: tensor<2x8x14x14xf32>, %[[F:.*]]: tensor<8x16x3x3xf32>)
// CHECK: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK: %[[P:.*]] = tensor.pad %[[X]] low[0, 0, 1, 2] high[0, 0, 1, 0]
// CHECK: tensor.yield %[[ZERO]]
// CHECK: } : tensor<2x8x14x14xf32> to tensor<2x8x16x16xf32>
// CHECK: einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%[[P]], %[[F]]) :
// REMARK: remark: [Passed] pad-operands | Category:einsum | high="0, 0, 1, 0", low="0, 0, 1, 2", operand=0
// ONE-LABEL: @convolution
// ONE: einsum.contract "nc(h+r-1)(w+s-2), ckrs -> nkhw" {{.*}} {pad = "zero"}
func.func @convolution(%x: tensor<2x8x14x14xf32>, %f: tensor<8x16x3x3xf32>) -> tensor<2x16x14x14xf32> {
  %y = einsum.contract "nc(h+r-1)(w+s-2), ckrs -> nkhw" (%x, %f) {pad = "zero"}
      : (tensor<2x8x14x14xf32>, tensor<8x16x3x3xf32>) -> tensor<2x16x14x14xf32>
  return %y : tensor<2x16x14x14xf32>
}

// -----

// Strides, divisions and reversed axes; integers; attributes stay, also those of others.
// CHECK-LABEL: @axes
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK: tensor.pad %{{.*}} low[1, 4] high[2, 0]
// CHECK: : tensor<10x5xi8> to tensor<13x9xi8>
// CHECK: einsum.contract "(2*h+r)(w-4*r+8), (h/2)r -> wh" {{.*}} {acc = i32, sizes = {w = 1 : i64}, test.note}
func.func @axes(%x: tensor<10x5xi8>, %y: tensor<3x3xi8>) -> tensor<1x6xi8> {
  %z = einsum.contract "(2*h+r-1)(w-4*r+4), (h/2)r -> wh" (%x, %y) {acc = i32, pad = "zero", sizes = {w = 1}, test.note}
      : (tensor<10x5xi8>, tensor<3x3xi8>) -> tensor<1x6xi8>
  return %z : tensor<1x6xi8>
}

// -----

// A table tells what is read: the copy has the operand's indices in the order of its axes, and checks. The other table
// stays where it is used.
// CHECK-LABEL: @shift
// CHECK-SAME: (%[[X:.*]]: tensor<2x4x7x7xf16>, %[[W:.*]]: tensor<4x5xf16>, %[[H:.*]]: tensor<4xi32>, %[[V:.*]]: tensor<4xi64>, %[[T:.*]]: tensor<5xi32>)
// CHECK: %[[C:.*]] = einsum.contract "nc(h+sh[c])(w+sw[c]) -> nchw" (%[[X]])
// CHECK-SAME: tables(sh = %[[H]] : tensor<4xi32>, sw = %[[V]] : tensor<4xi64>) {pad = "zero"}
// CHECK-SAME: -> tensor<2x4x7x7xf16>
// CHECK: einsum.contract "nchw, ck -> nkhw" (%[[C]], %[[W]]) : (tensor<2x4x7x7xf16>, tensor<4x5xf16>) -> tensor<2x5x7x7xf32>
// REMARK: remark: [Passed] pad-operands | Category:einsum | copied to=nchw, operand=0
func.func @shift(%x: tensor<2x4x7x7xf16>, %w: tensor<4x5xf16>, %sh: tensor<4xi32>, %sw: tensor<4xi64>, %t: tensor<5xi32>) -> tensor<2x5x7x7xf32> {
  %y = einsum.contract "nc(h+sh[c])(w+sw[c]), ck -> nkhw" (%x, %w)
      tables(sh = %sh : tensor<4xi32>, sw = %sw : tensor<4xi64>) {pad = "zero"}
      : (tensor<2x4x7x7xf16>, tensor<4x5xf16>) -> tensor<2x5x7x7xf32>
  return %y : tensor<2x5x7x7xf32>
}

// -----

// Both operands, each in its way; the indices of a table, which no axis has, are indices of the copy.
// CHECK-LABEL: @both
// CHECK: %[[C:.*]] = einsum.contract "n(h+t[r,s]) -> nhrs" {{.*}} {pad = "zero"} : (tensor<3x9xf32>) -> tensor<3x8x2x2xf32>
// CHECK: %[[P:.*]] = tensor.pad %{{.*}} low[1, 0] high[0, 0]
// CHECK: einsum.contract "nhrs, (r+s)n -> nh" (%[[C]], %[[P]]) :
func.func @both(%x: tensor<3x9xf32>, %y: tensor<2x3xf32>, %t: tensor<2x2xi32>) -> tensor<3x8xf32> {
  %z = einsum.contract "n(h+t[r,s]), (r+s-1)n -> nh" (%x, %y) tables(t = %t : tensor<2x2xi32>) {pad = "zero"}
      : (tensor<3x9xf32>, tensor<2x3xf32>) -> tensor<3x8xf32>
  return %z : tensor<3x8xf32>
}

// -----

// Nothing is read outside: the attribute goes.
// CHECK-LABEL: @inside
// CHECK-NOT: tensor.pad
// CHECK: einsum.contract "(h+r), r -> h" (%{{.*}}, %{{.*}}) : (tensor<8xf32>
func.func @inside(%x: tensor<8xf32>, %f: tensor<3xf32>) -> tensor<6xf32> {
  %y = einsum.contract "(h+r), r -> h" (%x, %f) {pad = "zero"} : (tensor<8xf32>, tensor<3xf32>) -> tensor<6xf32>
  return %y : tensor<6xf32>
}

// -----

// An axis that would become an index has to be as long as that: a border where it is, else a copy.
// CHECK-LABEL: @index
// CHECK: %[[P:.*]] = tensor.pad %{{.*}} low[1] high[2]
// CHECK: einsum.contract "h, hk -> k" (%[[P]], %{{.*}}) :
// CHECK: %[[C:.*]] = einsum.contract "(h-1) -> h" {{.*}} {pad = "zero"} : (tensor<9xf32>) -> tensor<8xf32>
// CHECK: einsum.contract "h, hk -> k" (%[[C]], %{{.*}}) :
func.func @index(%x: tensor<5xf32>, %y: tensor<9xf32>, %f: tensor<8x2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = einsum.contract "(h-1), hk -> k" (%x, %f) {pad = "zero"} : (tensor<5xf32>, tensor<8x2xf32>) -> tensor<2xf32>
  %1 = einsum.contract "(h-1), hk -> k" (%y, %f) {pad = "zero"} : (tensor<9xf32>, tensor<8x2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// A border that is too large, where the copy is not: only every 1000th element is read.
// CHECK-LABEL: @sparse
// CHECK: einsum.contract "(1000*h) -> h" {{.*}} {pad = "zero"} : (tensor<4xf32>) -> tensor<3xf32>
func.func @sparse(%x: tensor<4xf32>, %f: tensor<3xf32>) -> tensor<f32> {
  %y = einsum.contract "(1000*h), h -> " (%x, %f) {pad = "zero"} : (tensor<4xf32>, tensor<3xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// A copy of what constants lead to outside has no indices.
// ONE-LABEL: @constants
// ONE: %[[COPY:.*]] = einsum.contract "(0)(1) -> " (%arg0) {pad = "zero"} : (tensor<1x1xf32>) -> tensor<f32>
// ONE: einsum.contract ", (0) -> " (%[[COPY]], %arg1) : (tensor<f32>, tensor<1xf32>) -> tensor<f32>
func.func @constants(%x: tensor<1x1xf32>, %f: tensor<1xf32>) -> tensor<f32> {
  %y = einsum.contract "(0)(1), (0) -> " (%x, %f) {pad = "zero"} : (tensor<1x1xf32>, tensor<1xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// What stays, and why.
// CHECK-LABEL: @stays
// CHECK-COUNT-5: pad = "zero"
// CHECK-NOT: tensor.pad
func.func @stays(%x: tensor<4x4xf32>, %f: tensor<64xf32>, %d: tensor<?xf32>, %m: memref<8xf32>, %out: memref<8xf32>, %t: tensor<64xi32>, %u: tensor<4xi32>)
    -> (tensor<64xf32>, tensor<8xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  // REMARK: [[@LINE+1]]:{{.*}} remark: [Missed] pad-operands | Category:einsum | Reason="a copy of what is read would have 1024 elements, the operand has 16", operand=0
  %0 = einsum.contract "(a+t[b])(2*a), b -> b" (%x, %f) tables(t = %t : tensor<64xi32>) {pad = "zero", sizes = {a = 16}}
      : (tensor<4x4xf32>, tensor<64xf32>) -> tensor<64xf32>
  // REMARK: [[@LINE+1]]:{{.*}} remark: [Missed] pad-operands | Category:einsum | Reason="sizes are dynamic"
  %1 = einsum.contract "(h-1) -> h" (%d) {pad = "zero"} : (tensor<?xf32>) -> tensor<8xf32>
  // REMARK: [[@LINE+1]]:{{.*}} remark: [Missed] pad-operands | Category:einsum | Reason="the contraction is itself a copy of what is read", operand=0
  %2 = einsum.contract "(h+u[w])w -> wh" (%x) tables(u = %u : tensor<4xi32>) {pad = "zero"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // REMARK: [[@LINE+1]]:{{.*}} remark: [Missed] pad-operands | Category:einsum | Reason="it is on memrefs"
  einsum.contract "(h-1) -> h" (%m) outs(%out : memref<8xf32>) {pad = "zero"} : (memref<8xf32>)
  %3 = einsum.kernel (%p = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // REMARK: [[@LINE+1]]:{{.*}} remark: [Missed] pad-operands | Category:einsum | Reason="it is in an einsum.kernel, whose operands are not padded there: einsum-fuse comes later"
    %q = einsum.contract "(h-1)w -> hw" (%p) {pad = "zero"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    einsum.yield %q : tensor<4x4xf32>
  }
  return %0, %1, %2, %3 : tensor<64xf32>, tensor<8xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
