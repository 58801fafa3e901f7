// T30, T31, T32, T36, T37, T39, those of views for asynchronous ones, and the layouts of buffers.
//
// RUN: tile-opt %s --split-input-file --verify-diagnostics

func.func @t30_shape(%x: tensor<64xf32>) {
  // expected-error@+1 {{expects operand and result of one shape and element type, found 'tensor<64xf32>' and 'tensor<8x8xf32>'}}
  %y = tile.convert_layout %x : tensor<64xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @t30_element(%x: tensor<64xf32>) {
  // expected-error@+1 {{expects operand and result of one shape and element type, found 'tensor<64xf32>' and 'tensor<64xi32>'}}
  %y = tile.convert_layout %x : tensor<64xf32> -> tensor<64xi32>
  return
}

// -----

func.func @t31_element(%x: tensor<64xf32>) {
  %a = tile.alloc : !tile.buffer<64xf16>
  // expected-error@+1 {{expects elements of the buffer's type 'f16', found 'tensor<64xf32>'}}
  tile.local_store %x, %a : tensor<64xf32>, !tile.buffer<64xf16>
  return
}

// -----

func.func @t31_sizes(%x: tensor<8x8xf32>) {
  %a = tile.alloc : !tile.buffer<8x4xf32>
  // expected-error@+1 {{expects the last sizes of the buffer '!tile.buffer<8x4xf32>' to be those of the tile, found 'tensor<8x8xf32>'}}
  tile.local_store %x, %a : tensor<8x8xf32>, !tile.buffer<8x4xf32>
  return
}

// -----

func.func @t31_rank() {
  %a = tile.alloc : !tile.buffer<8xf32>
  // expected-error@+1 {{expects the last sizes of the buffer '!tile.buffer<8xf32>' to be those of the tile, found 'tensor<8x8xf32>'}}
  %x = tile.local_load %a : !tile.buffer<8xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @t38_offsets() {
  %a = tile.alloc : !tile.buffer<8x8xf32>
  // expected-error@+1 {{expects an offset for each of the 2 axes of 'tensor<8x4xf32>', and a buffer of as many axes behind the indices, found 1 offsets and 2 axes (T38)}}
  %x = tile.local_load %a at [4] : !tile.buffer<8x8xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @t38_alignment() {
  %a = tile.alloc : !tile.buffer<8x8xf32>
  // expected-error@+1 {{expects sizes that divide those of the buffer, and offsets within it that are multiples of them, found an offset of 2 for 4 of 8 elements (T38)}}
  %x = tile.local_load %a at [0, 2] : !tile.buffer<8x8xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @t38_outside() {
  %a = tile.alloc : !tile.buffer<8x8xf32>
  // expected-error@+1 {{found an offset of 8 for 4 of 8 elements (T38)}}
  %x = tile.local_load %a at [0, 8] : !tile.buffer<8x8xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @t38_larger(%i: index) {
  %a = tile.alloc : !tile.buffer<2x8x8xf32>
  // expected-error@+1 {{found an offset of 0 for 16 of 8 elements (T38)}}
  %x = tile.local_load %a[%i] at [0, 0] : !tile.buffer<2x8x8xf32> -> tensor<8x16xf32>
  return
}

// -----

func.func @t31_too_few() {
  %a = tile.alloc : !tile.buffer<2x8xf32>
  // expected-error@+1 {{expects 1 indices for the axes of the buffer '!tile.buffer<2x8xf32>' before those of the tile, found 0}}
  %x = tile.local_load %a : !tile.buffer<2x8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @t31_too_many(%x: tensor<8xf32>, %i: index) {
  %a = tile.alloc : !tile.buffer<8xf32>
  // expected-error@+1 {{expects 0 indices for the axes of the buffer '!tile.buffer<8xf32>' before those of the tile, found 1}}
  tile.local_store %x, %a[%i] : tensor<8xf32>, !tile.buffer<8xf32>
  return
}

// -----

func.func @no_predicates(%x: tensor<8xi1>) {
  // expected-error@+1 {{expects elements of i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32 or f64, found 'i1'}}
  %a = tile.alloc : !tile.buffer<8xi1>
  return
}

// -----

#a = #tile.layout<mma a row, shape = [64, 32], atom = volta_16x16x8, warp = [2, 2]>
#b = #tile.layout<mma b row, shape = [32, 64], atom = volta_16x16x8, warp = [2, 2]>
#c = #tile.layout<mma c f32, shape = [64, 64], atom = volta_16x16x8, warp = [2, 2]>
func.func @t32_order(%a: tensor<64x32xf16, #a>, %b: tensor<32x64xf16, #b>, %c: tensor<64x64xf32, #c>) {
  // expected-error@+1 {{expects 'b' to have the layout}}
  %0 = tile.mma %a row, %b column, %c atom <volta_16x16x8> warps(2, 2) : tensor<64x32xf16, #a>, tensor<32x64xf16, #b>, tensor<64x64xf32, #c>
  return
}

// -----

#a = #tile.layout<mma a row, shape = [64, 32], atom = volta_16x16x8, warp = [2, 2]>
#b = #tile.layout<mma b row, shape = [32, 64], atom = volta_16x16x8, warp = [2, 2]>
#c = #tile.layout<mma c f32, shape = [64, 64], atom = volta_16x16x8, warp = [2, 2]>
func.func @t32_warps(%a: tensor<64x32xf16, #a>, %b: tensor<32x64xf16, #b>, %c: tensor<64x64xf32, #c>) {
  // expected-error@+1 {{expects 'a' to have the layout}}
  %0 = tile.mma %a row, %b row, %c atom <volta_16x16x8> warps(4, 1) : tensor<64x32xf16, #a>, tensor<32x64xf16, #b>, tensor<64x64xf32, #c>
  return
}

// -----

func.func @t32_none(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x64xf32>) {
  // expected-error@+1 {{expects 'a' to have the layout}}
  %0 = tile.mma %a row, %b row, %c atom <volta_16x16x8> warps(2, 2) : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
  return
}

// -----

func.func @t32_small(%a: tensor<16x32xf16>, %b: tensor<32x64xf16>, %c: tensor<16x64xf32>) {
  // expected-error@+1 {{expects 'a' to fit: expects powers of two of at least 32 x 8, found 16 x 32}}
  %0 = tile.mma %a row, %b row, %c atom <volta_16x16x8> warps(2, 2) : tensor<16x32xf16>, tensor<32x64xf16>, tensor<16x64xf32>
  return
}

// -----

func.func @t9_rank(%a: tensor<1x2x64x32xf16>, %b: tensor<1x2x32x64xf16>, %c: tensor<1x2x64x64xf32>) {
  // expected-error@+1 {{expects tiles of rank 2, or 3 with batches, found}}
  %0 = tile.mma %a row, %b row, %c atom <volta_16x16x8> warps(2, 2) : tensor<1x2x64x32xf16>, tensor<1x2x32x64xf16>, tensor<1x2x64x64xf32>
  return
}

// -----

func.func @t9_batches(%a: tensor<2x64x32xf16>, %b: tensor<4x32x64xf16>, %c: tensor<2x64x64xf32>) {
  // expected-error@+1 {{expects tiles of M x K, K x N and M x N, found}}
  %0 = tile.mma %a row, %b row, %c atom <volta_16x16x8> warps(2, 2) : tensor<2x64x32xf16>, tensor<4x32x64xf16>, tensor<2x64x64xf32>
  return
}

// -----

// Both elements of the batch in the same warps.
#a = #tile.layout<mma a row, shape = [64, 32], atom = volta_16x16x8, warp = [2, 2]>
func.func @t32_batches(%a: tensor<2x64x32xf16>, %b: tensor<2x32x64xf16>, %c: tensor<2x64x64xf32>) {
  // expected-error@+1 {{expects 'a' to have the layout}}
  %0 = tile.mma %a row, %b row, %c atom <volta_16x16x8> warps(2, 2) : tensor<2x64x32xf16>, tensor<2x32x64xf16>, tensor<2x64x64xf32>
  return
}

// -----

func.func @t10_depth(%a: tensor<64x32xf16>, %b: tensor<16x64xf16>, %c: tensor<64x64xf32>) {
  // expected-error@+1 {{expects tiles of M x K, K x N and M x N, found 'tensor<64x32xf16>', 'tensor<16x64xf16>' and 'tensor<64x64xf32>'}}
  %0 = tile.mma %a row, %b row, %c atom <volta_16x16x8> warps(2, 2) : tensor<64x32xf16>, tensor<16x64xf16>, tensor<64x64xf32>
  return
}

// -----

func.func @mma_elements(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %c: tensor<64x64xf32>) {
  // expected-error@+1 {{expects f16 operands and an accumulator of f16 or f32, found}}
  %0 = tile.mma %a row, %b row, %c atom <volta_16x16x8> warps(2, 2) : tensor<64x32xf32>, tensor<32x64xf32>, tensor<64x64xf32>
  return
}

// -----

func.func @t36_axis(%t: tensor<2x64xf32>) {
  // expected-error@+1 {{expects halves with all axes of the whole but the last, which has size 2, and its element type, found 'tensor<64xf32>' of 'tensor<2x64xf32>'}}
  %0:2 = tile.split %t : tensor<2x64xf32> -> tensor<64xf32>
  return
}

// -----

func.func @t36_element(%t: tensor<64xf32>) {
  // expected-error@+1 {{expects halves with all axes of the whole but the last}}
  %0 = tile.join %t, %t : tensor<64xf32> -> tensor<64x2xf16>
  return
}

// -----

func.func @t37() {
  // expected-error@+1 {{expects 'pending' not to be negative, found -1 (T37)}}
  tile.async_wait {pending = -1}
  return
}

// -----

func.func @t39_wait(%m: memref<8xf32>, %i: index) {
  %b = tile.alloc : !tile.buffer<8xf32>
  // expected-error@+1 {{is 'with_next', and expects another copy of its block before any wait, found 'tile.async_wait' (T39)}}
  %t = tile.async_load_view %m[%i], %b with_next : memref<8xf32>, !tile.buffer<8xf32> as tensor<8xf32>
  tile.async_wait %t {pending = 0}
  return
}

// -----

func.func @t39_branch(%m: memref<8xf32>, %p: tensor<8x!tile.ptr<f32>>, %any: i1, %i: index) {
  %b = tile.alloc : !tile.buffer<8xf32>
  // expected-error@+1 {{is 'with_next', and expects another copy of its block before any wait, found 'scf.if' (T39)}}
  %t = tile.async_load %p, %b with_next : tensor<8x!tile.ptr<f32>>, !tile.buffer<8xf32>
  scf.if %any {
    %u = tile.async_load_view %m[%i], %b : memref<8xf32>, !tile.buffer<8xf32> as tensor<8xf32>
  }
  return
}

// -----

func.func @t39_none(%p: tensor<8x!tile.ptr<f32>>) {
  %b = tile.alloc : !tile.buffer<8xf32>
  // expected-error@+1 {{is 'with_next', and expects another copy behind it in its block, found none (T39)}}
  %t = tile.async_load %p, %b with_next : tensor<8x!tile.ptr<f32>>, !tile.buffer<8xf32>
  return
}

// -----

func.func @async_t18(%m: memref<8x8xf32>, %i: index) {
  %b = tile.alloc : !tile.buffer<8x8xf32>
  // expected-error@+1 {{expects 2 indices for 'memref<8x8xf32>', found 1 (T18)}}
  %t = tile.async_load_view %m[%i], %b : memref<8x8xf32>, !tile.buffer<8x8xf32> as tensor<8x8xf32>
  return
}

// -----

func.func @async_t20(%m: memref<8x8xf32>, %i: index) {
  %b = tile.alloc : !tile.buffer<8x8xf16>
  // expected-error@+1 {{expects a tile of 'f32' as 'memref<8x8xf32>', found 'tensor<8x8xf16>' (T20)}}
  %t = tile.async_load_view %m[%i, %i], %b : memref<8x8xf32>, !tile.buffer<8x8xf16> as tensor<8x8xf16>
  return
}

// -----

func.func @t54(%m: memref<8x8xf32>, %i: index) {
  %b = tile.alloc : !tile.buffer<8x8xf32>
  // expected-error@+1 {{found [1, 3] (T54)}}
  %t = tile.async_load_view %m[%i, %i], %b steps [1, 3] : memref<8x8xf32>, !tile.buffer<8x8xf32> as tensor<8x8xf32>
  return
}

// -----

func.func @async_t31_view(%m: memref<8x8xf32>, %i: index) {
  %b = tile.alloc : !tile.buffer<3x8x8xf32>
  // expected-error@+1 {{expects 1 indices for the axes of the buffer '!tile.buffer<3x8x8xf32>' before those of the tile, found 0}}
  %t = tile.async_load_view %m[%i, %i], %b : memref<8x8xf32>, !tile.buffer<3x8x8xf32> as tensor<8x8xf32>
  return
}

// -----

func.func @async_t31(%p: tensor<8x!tile.ptr<f32>>) {
  %b = tile.alloc : !tile.buffer<8xf16>
  // expected-error@+1 {{expects elements of the buffer's type 'f16', found 'tensor<8xf32>'}}
  %t = tile.async_load %p, %b : tensor<8x!tile.ptr<f32>>, !tile.buffer<8xf16>
  return
}

// -----

// The layout of a buffer has no more axes than the buffer.
// expected-error@+1 {{expects a layout of as many axes as the tile, 1, found bases of 2 (T28)}}
func.func private @axes(!tile.buffer<8xf32, #tile.layout<offset = [[1, 0], [2, 0], [4, 0]]>>)
