// Each rule of the dialect, broken once.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

tt.func @TT1() {
  // expected-error@+1 {{expects one axis of end - start = 64 elements, found 'tensor<32xi32>' (TT1)}}
  %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<32xi32>
  tt.return
}

// -----

tt.func @TT2(%x: i32) {
  // expected-error@+1 {{expects a value of the result's element type, found 'i32' and 'tensor<8xf32>' (TT2)}}
  %0 = tt.splat %x : i32 -> tensor<8xf32>
  tt.return
}

// -----

tt.func @TT3(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects a tensor of one element, found 'tensor<2xf32>' (TT3)}}
  %0 = tt.unsplat %x : tensor<2xf32>
  tt.return
}

// -----

tt.func @TT4(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects one more axis of size 1 at 0, found 'tensor<8xf32>' and 'tensor<8x1xf32>' (TT4)}}
  %0 = tt.expand_dims %x {axis = 0 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  tt.return
}

// -----

tt.func @TT4_axis(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects one more axis of size 1 at 2}}
  %0 = tt.expand_dims %x {axis = 2 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  tt.return
}

// -----

tt.func @TT5(%x: tensor<8x2xf32>) {
  // expected-error@+1 {{expects sizes of 1 or those of the result, found 'tensor<8x2xf32>' and 'tensor<8x4xf32>' (TT5)}}
  %0 = tt.broadcast %x : tensor<8x2xf32> -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @TT6(%x: tensor<8x2xf32>) {
  // expected-error@+1 {{expects as many elements, of one type, found 'tensor<8x2xf32>' and 'tensor<8xf32>' (TT6)}}
  %0 = tt.reshape %x : tensor<8x2xf32> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @TT7(%x: tensor<8x2xf32>) {
  // expected-error@+1 {{expects an order of all axes that gives the result, found 'tensor<8x2xf32>' and 'tensor<2x8xf32>' (TT7)}}
  %0 = tt.trans %x {order = array<i32: 1, 7>} : tensor<8x2xf32> -> tensor<2x8xf32>
  tt.return
}

// -----

tt.func @TT8(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{expects a whole with one more axis, of size 2, than its halves, found 'tensor<8x4xf32>' and 'tensor<8xf32>' (TT8)}}
  %0, %1 = tt.split %x : tensor<8x4xf32> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @TT9(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects one axis, and the elements of both operands, found 'tensor<8xf32>' and 'tensor<8xf32>' (TT9)}}
  %0 = tt.cat %x, %x : tensor<8xf32> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @TT10(%x: f32) {
  // expected-error@+1 {{expects @none to be a tt.func of the module (TT10)}}
  tt.call @none(%x) : (f32) -> ()
  tt.return
}

// -----

tt.func private @callee(%x: i32) {
  tt.return
}
tt.func @TT10_types(%x: f32) {
  // expected-error@+1 {{expects operands and results of '(i32) -> ()', found '(f32) -> ()' (TT10)}}
  tt.call @callee(%x) : (f32) -> ()
  tt.return
}

// -----

tt.func @TT11(%x: f32) -> i32 {
  // expected-error@+1 {{expects what @TT11 returns, ('i32'), found ('f32') (TT11)}}
  tt.return %x : f32
}

// -----

tt.func @TT12(%p: tensor<8x!tt.ptr<f32>>, %i: i32) {
  // expected-error@+1 {{expects offsets of the pointers' shape, found 'tensor<8x!tt.ptr<f32>>' and 'i32' (TT12)}}
  %0 = tt.addptr %p, %i : tensor<8x!tt.ptr<f32>>, i32
  tt.return
}

// -----

tt.func @TT13(%p: tensor<8x!tt.ptr<f32>>, %x: tensor<8xi32>) {
  // expected-error@+1 {{expects values of 'tensor<8xf32>' for pointers of 'tensor<8x!tt.ptr<f32>>', found 'tensor<8xi32>' (TT13)}}
  %0 = tt.atomic_rmw add, relaxed, gpu, %p, %x : (tensor<8x!tt.ptr<f32>>, tensor<8xi32>) -> tensor<8xi32>
  tt.return
}

// -----

tt.func @TT13_mask(%p: tensor<8x!tt.ptr<i32>>, %x: tensor<8xi32>, %m: tensor<4xi1>) {
  // expected-error@+1 {{expects a mask of the pointers' shape, found 'tensor<4xi1>' for 'tensor<8x!tt.ptr<i32>>' (TT13)}}
  %0 = tt.atomic_rmw add, relaxed, gpu, %p, %x, %m : (tensor<8x!tt.ptr<i32>>, tensor<8xi32>, tensor<4xi1>) -> tensor<8xi32>
  tt.return
}

// -----

tt.func @TT14(%x: f32) {
  // expected-error@+1 {{expects numbers of one width, or pointers, found 'f32' and 'i64' (TT14)}}
  %0 = tt.bitcast %x : f32 -> i64
  tt.return
}

// -----

tt.func @TT15(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  // expected-error@+1 {{expects sizes of a matrix product, found 'tensor<8x4xf32>' and 'tensor<8x4xf32>' and 'tensor<8x4xf32>' (TT15)}}
  %0 = tt.dot %a, %b, %c : tensor<8x4xf32> * tensor<8x4xf32> -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @TT16(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects results for the operands along axis 1, found ('tensor<8xf32>') -> ('f32') (TT16)}}
  %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @TT17(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects a region that takes elements of ('tensor<8xf32>') twice and returns them once (TT17)}}
  %0 = "tt.scan"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: i32):
    tt.scan.return %a : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @TT18(%x: tensor<8x4xf32>, %i: tensor<2x2xi32>) {
  // expected-error@+1 {{expects sizes that differ along the axis only, found 'tensor<8x4xf32>' and 'tensor<2x2xi32>' and 'tensor<2x2xf32>' (TT18)}}
  %0 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<8x4xf32>, tensor<2x2xi32>) -> tensor<2x2xf32>
  tt.return
}

// -----

tt.func @TT19(%p: !tt.ptr<f32>, %n: i32, %s: i64) {
  // expected-error@+1 {{expects a size and a stride for each of the 2 axes of '!tt.tensordesc<8x16xf32>', found 1 sizes and 2 strides (TT19)}}
  %0 = tt.make_tensor_descriptor %p, [%n], [%s, %s] : <f32>, <8x16xf32>
  tt.return
}

// -----

tt.func @TT19_element(%p: !tt.ptr<f32>, %n: i32, %s: i64) {
  // expected-error@+1 {{expects a pointer to 'i32', found '!tt.ptr<f32>' (TT19)}}
  %0 = tt.make_tensor_descriptor %p, [%n], [%s] : <f32>, <16xui32>
  tt.return
}

// -----

tt.func @TT20(%d: !tt.tensordesc<8x16xf32>, %i: i32) {
  // expected-error@+1 {{expects an index for each of the 2 axes of '!tt.tensordesc<8x16xf32>', found 1 (TT20)}}
  %0 = tt.descriptor_load %d[%i] : !tt.tensordesc<8x16xf32> -> tensor<8x16xf32>
  tt.return
}

// -----

tt.func @TT20_store(%d: !tt.tensordesc<8x16xf32>, %i: i32, %x: tensor<16x8xf32>) {
  // expected-error@+1 {{expects a tensor like 'tensor<8x16xf32>', found 'tensor<16x8xf32>' (TT20)}}
  tt.descriptor_store %d[%i, %i], %x : !tt.tensordesc<8x16xf32>, tensor<16x8xf32>
  tt.return
}

// -----

tt.func @TT20_reduce(%d: !tt.tensordesc<8x16xui32>, %i: i32, %x: tensor<8x16xf32>) {
  // expected-error@+1 {{expects a tensor like 'tensor<8x16xi32>', found 'tensor<8x16xf32>' (TT20)}}
  tt.descriptor_reduce add, %d[%i, %i], %x : !tt.tensordesc<8x16xui32>, tensor<8x16xf32>
  tt.return
}

// -----

tt.func @TT21(%d: !tt.tensordesc<8x16xf32>, %r: tensor<4xi32>, %i: i32) {
  // expected-error@+1 {{expects a block of one row, found '!tt.tensordesc<8x16xf32>' (TT21)}}
  %0 = tt.descriptor_gather %d[%r, %i] : (!tt.tensordesc<8x16xf32>, tensor<4xi32>, i32) -> tensor<4x16xf32>
  tt.return
}

// -----

tt.func @TT21_indices(%d: !tt.tensordesc<1x16xf32>, %r: tensor<4x1xi32>, %i: i32) {
  // expected-error@+1 {{expects indices of one axis, found 'tensor<4x1xi32>' (TT21)}}
  %0 = tt.descriptor_gather %d[%r, %i] : (!tt.tensordesc<1x16xf32>, tensor<4x1xi32>, i32) -> tensor<4x16xf32>
  tt.return
}

// -----

tt.func @TT21_scatter(%d: !tt.tensordesc<1x16xf32>, %r: tensor<4xi32>, %i: i32, %x: tensor<8x16xf32>) {
  // expected-error@+1 {{expects a tensor of 'tensor<4x16xf32>', found 'tensor<8x16xf32>' (TT21)}}
  tt.descriptor_scatter %d[%r, %i], %x : !tt.tensordesc<1x16xf32>, tensor<4xi32>, i32, tensor<8x16xf32>
  tt.return
}

// -----

tt.func @TT22(%a: tensor<32x64xbf16>, %s: tensor<32x1xi8>, %b: tensor<64x16xbf16>, %c: tensor<32x16xf32>) {
  // expected-error@+1 {{expects sizes and elements of a scaled matrix product, found 'tensor<32x64xbf16>' and 'tensor<64x16xbf16>' and 'tensor<32x16xf32>' and 'tensor<32x1xi8>' (TT22)}}
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = bf16 rhs = bf16 {fastMath = false} : tensor<32x64xbf16>, tensor<32x1xi8> * tensor<64x16xbf16> -> tensor<32x16xf32>
  tt.return
}

// -----

tt.func @TT22_element(%a: tensor<32x64xbf16>, %b: tensor<64x16xbf16>, %c: tensor<32x16xf32>) {
  // expected-error@+1 {{expects sizes and elements of a scaled matrix product}}
  %0 = tt.dot_scaled %a, %b, %c lhs = fp16 rhs = bf16 {fastMath = false} : tensor<32x64xbf16> * tensor<64x16xbf16> -> tensor<32x16xf32>
  tt.return
}

// -----

tt.func @TT22_rank(%a: tensor<1x32x64xbf16>, %b: tensor<1x64x16xbf16>, %c: tensor<1x32x16xf32>) {
  // expected-error@+1 {{expects three matrices}}
  %0 = tt.dot_scaled %a, %b, %c lhs = bf16 rhs = bf16 {fastMath = false} : tensor<1x32x64xbf16> * tensor<1x64x16xbf16> -> tensor<1x32x16xf32>
  tt.return
}

// -----

// expected-error@+1 {{expected a block of numbers with axes of static, positive sizes, found elements of '!tt.ptr<f32>' and the sizes [8]}}
tt.func @block(%d: !tt.tensordesc<8x!tt.ptr<f32>>) {
  tt.return
}

// -----

// expected-error@+1 {{expected a block, as 64x32xf16 or tensor<64x32xf16>, found 'vector<8xf32>'}}
tt.func @vector(%d: !tt.tensordesc<vector<8xf32>>) {
  tt.return
}

// -----

// expected-error@+1 {{expected "global" or "constant", found "shared"}}
tt.func @space(%p: !tt.ptr<f32, "shared">) {
  tt.return
}
