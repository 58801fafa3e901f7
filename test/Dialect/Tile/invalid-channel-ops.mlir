// T37, T40 to T51, and those of views for bulk copies.
//
// RUN: tile-opt %s --split-input-file --verify-diagnostics

func.func @t40_one(%c0: index) attributes {tile.kernel} {
  // expected-error@+1 {{expects at least two roles, each with a number of warps, found 1 roles and [4] (T40)}}
  tile.roles warps [4] { }
  return
}

// -----

func.func @t40_count(%c0: index) attributes {tile.kernel} {
  // expected-error@+1 {{expects at least two roles, each with a number of warps, found 2 roles and [4] (T40)}}
  tile.roles warps [4] { }, { }
  return
}

// -----

func.func @t40_multiple(%c0: index) attributes {tile.kernel} {
  // expected-error@+1 {{expects positive multiples of 4 warps, found 6 (T40)}}
  tile.roles warps [4, 6] { }, { }
  return
}

// -----

func.func @t40_many(%c0: index) attributes {tile.kernel} {
  // expected-error@+1 {{expects at most 32 warps in all roles together, found 36 (T40)}}
  tile.roles warps [32, 4] { }, { }
  return
}

// -----

func.func @t40_host() {
  // expected-error@+1 {{expects to stand in a kernel (T40)}}
  tile.roles warps [4, 4] { }, { }
  return
}

// -----

func.func @t40_nested(%c0: index) attributes {tile.kernel} {
  tile.roles warps [4, 4] {
    // expected-error@+1 {{expects not to be in a role (T40)}}
    tile.roles warps [4, 4] { }, { }
  }, { }
  return
}

// -----

func.func @t41_count(%c0: index) attributes {tile.kernel} {
  // expected-error@+1 {{expects registers for each of the 2 roles, found [24] (T41)}}
  tile.roles warps [4, 4] registers [24] { }, { }
  return
}

// -----

func.func @t41_multiple(%c0: index) attributes {tile.kernel} {
  // expected-error@+1 {{expects multiples of 8 registers from 24 to 240, found 100 (T41)}}
  tile.roles warps [4, 4] registers [100, 24] { }, { }
  return
}

// -----

func.func @t41_range(%c0: index) attributes {tile.kernel} {
  // expected-error@+1 {{expects multiples of 8 registers from 24 to 240, found 16 (T41)}}
  tile.roles warps [4, 4] registers [240, 16] { }, { }
  return
}

// -----

func.func @t41_pool(%c0: index) attributes {tile.kernel} {
  // expected-error@+1 {{expects at most 64512 registers for 384 threads, which begin with 168 each, found 76800 (T41)}}
  tile.roles warps [8, 4] registers [240, 120] { }, { }
  return
}

// -----

func.func @t42_stages(%c0: index) attributes {tile.kernel} {
  // expected-error@+1 {{expects 1 to 64 stages, found 0 (T42)}}
  %ch = tile.channel stages 0
  return
}

// -----

func.func @t42_host() {
  // expected-error@+1 {{expects to stand in a kernel, and in no role (T42)}}
  %ch = tile.channel stages 2
  return
}

// -----

func.func @t42_role(%c0: index) attributes {tile.kernel} {
  tile.roles warps [4, 4] {
    // expected-error@+1 {{expects to stand in a kernel, and in no role (T42)}}
    %ch = tile.channel stages 2
  }, { }
  return
}

// -----

func.func @t43_outside(%c0: index) attributes {tile.kernel} {
  %ch = tile.channel stages 2
  // expected-error@+1 {{expects to stand in a role (T43)}}
  %s = tile.channel_wait %ch[%c0]
  return
}

// -----

func.func @t43_bytes(%c0: index) attributes {tile.kernel} {
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    // expected-error@+1 {{expects 'bytes' not to be negative, found -1 (T43)}}
    %s = tile.channel_acquire %ch[%c0] bytes -1
  }, { }
  return
}

// -----

func.func @t43_same(%c0: index) attributes {tile.kernel} {
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    // expected-error@+1 {{expects one role to acquire the stages of a channel, and another one to wait for them and to release them, found accesses in the same role (T43)}}
    %s = tile.channel_acquire %ch[%c0] bytes 0
    // expected-note@+1 {{found here}}
    tile.channel_release %ch[%c0]
  }, { }
  return
}

// -----

func.func @t43_two(%c0: index) attributes {tile.kernel} {
  %ch = tile.channel stages 2
  tile.roles warps [4, 4, 4] {
    // expected-error@+1 {{expects one role to acquire the stages of a channel, and another one to wait for them and to release them, found accesses in two roles (T43)}}
    %s = tile.channel_wait %ch[%c0]
  }, {
    // expected-note@+1 {{found here}}
    tile.channel_release %ch[%c0]
  }, { }
  return
}

// -----

func.func @t18(%c0: index, %m: memref<64x64xbf16>) attributes {tile.kernel} {
  %ch = tile.channel stages 2
  %b = tile.alloc : !tile.buffer<2x64x64xbf16>
  tile.roles warps [4, 4] {
    %s = tile.channel_acquire %ch[%c0] bytes 8192
    // expected-error@+1 {{expects 2 indices for 'memref<64x64xbf16>', found 1 (T18)}}
    tile.bulk_load %m[%c0], %b[%s] through %ch : memref<64x64xbf16>, !tile.buffer<2x64x64xbf16>
  }, { }
  return
}

// -----

func.func @t19(%c0: index, %m: memref<4x64x64xbf16>) attributes {tile.kernel} {
  %ch = tile.channel stages 2
  %b = tile.alloc : !tile.buffer<2x64x64xbf16>
  tile.roles warps [4, 4] {
    %s = tile.channel_acquire %ch[%c0] bytes 8192
    // expected-error@+1 {{expects a tile with the 3 axes of 'memref<4x64x64xbf16>', or 'axes' that says which of them, found 'tensor<64x64xbf16>' (T19)}}
    tile.bulk_load %m[%c0, %c0, %c0], %b[%s] through %ch : memref<4x64x64xbf16>, !tile.buffer<2x64x64xbf16>
  }, { }
  return
}

// -----

func.func @t20(%c0: index, %m: memref<64x64xf16>) attributes {tile.kernel} {
  %ch = tile.channel stages 2
  %b = tile.alloc : !tile.buffer<2x64x64xbf16>
  tile.roles warps [4, 4] {
    %s = tile.channel_acquire %ch[%c0] bytes 8192
    // expected-error@+1 {{expects a tile of 'f16' as 'memref<64x64xf16>', found 'tensor<64x64xbf16>' (T20)}}
    tile.bulk_load %m[%c0, %c0], %b[%s] through %ch : memref<64x64xf16>, !tile.buffer<2x64x64xbf16>
  }, { }
  return
}

// -----

func.func @t44(%c0: index, %m: memref<64x64xbf16>) attributes {tile.kernel} {
  %ch = tile.channel stages 2
  %b = tile.alloc : !tile.buffer<3x64x64xbf16>
  tile.roles warps [4, 4] {
    %s = tile.channel_acquire %ch[%c0] bytes 8192
    // expected-error@+1 {{expects a buffer with the 2 stages of the channel before the axes of the tile, found '!tile.buffer<3x64x64xbf16>' (T44)}}
    tile.bulk_load %m[%c0, %c0], %b[%s] through %ch : memref<64x64xbf16>, !tile.buffer<3x64x64xbf16>
  }, { }
  return
}

// -----

func.func @t49(%c0: index, %m: memref<4x16x64xbf16>) attributes {tile.kernel} {
  %ch = tile.channel stages 2
  %b = tile.alloc : !tile.buffer<2x64x64xbf16>
  tile.roles warps [4, 4] {
    %s = tile.channel_acquire %ch[%c0] bytes 8192
    // expected-error@+1 {{expects 'sizes' that are positive, with the product 4096, the elements of a stage, found [2, 16, 64] (T49)}}
    tile.bulk_load %m[%c0, %c0, %c0], %b[%s] through %ch axes [0, 1, 2] sizes [2, 16, 64] : memref<4x16x64xbf16>, !tile.buffer<2x64x64xbf16>
  }, { }
  return
}

// -----

func.func @t49_axes(%c0: index, %m: memref<4x16x64xbf16>) attributes {tile.kernel} {
  %ch = tile.channel stages 2
  %b = tile.alloc : !tile.buffer<2x64x64xbf16>
  tile.roles warps [4, 4] {
    %s = tile.channel_acquire %ch[%c0] bytes 8192
    // expected-error@+1 {{expects different 'axes', found [2, 0, 2] (T19)}}
    tile.bulk_load %m[%c0, %c0, %c0], %b[%s] through %ch axes [2, 0, 2] sizes [4, 16, 64] : memref<4x16x64xbf16>, !tile.buffer<2x64x64xbf16>
  }, { }
  return
}

// -----

func.func @t50(%c0: index, %m: memref<64x64xbf16>) attributes {tile.kernel} {
  %ch = tile.channel stages 2
  %b = tile.alloc : !tile.buffer<2x64x64xbf16>
  tile.roles warps [4, 4] {
    %s = tile.channel_acquire %ch[%c0] bytes 8192
    // expected-error@+1 {{expects 'multicast' to be 2, 4 or 8, found 3 (T50)}}
    tile.bulk_load %m[%c0, %c0], %b[%s] through %ch multicast 3 : memref<64x64xbf16>, !tile.buffer<2x64x64xbf16>
  }, { }
  return
}

// -----

func.func @t50_two(%c0: index, %m: memref<64x64xbf16>) attributes {tile.kernel} {
  %ch = tile.channel stages 2
  %b = tile.alloc : !tile.buffer<2x64x64xbf16>
  tile.roles warps [4, 4] {
    %s = tile.channel_acquire %ch[%c0] bytes 8192
    // expected-error@+1 {{expects the same 'multicast' in all copies of a kernel, found 2 and 4 (T50)}}
    tile.bulk_load %m[%c0, %c0], %b[%s] through %ch multicast 2 : memref<64x64xbf16>, !tile.buffer<2x64x64xbf16>
    tile.bulk_load %m[%c0, %c0], %b[%s] through %ch multicast 4 : memref<64x64xbf16>, !tile.buffer<2x64x64xbf16>
  }, { }
  return
}

// -----

func.func @t50_box(%c0: index, %m: !tile.tensor_map<64x64xbf16, swizzle = 128>) attributes {tile.kernel} {
  %ch = tile.channel stages 2
  %b = tile.alloc : !tile.buffer<2x64x64xbf16>
  tile.roles warps [4, 4] {
    %s = tile.channel_acquire %ch[%c0] bytes 8192
    // expected-error@+1 {{expects a multiple of 2 boxes along an axis, found '!tile.tensor_map<64x64xbf16, swizzle = 128>' for 'tensor<64x64xbf16>' (T50)}}
    tile.bulk_load %m[%c0, %c0], %b[%s] through %ch multicast 2 : !tile.tensor_map<64x64xbf16, swizzle = 128>, !tile.buffer<2x64x64xbf16>
  }, { }
  return
}

// -----

func.func @t45(%c0: index, %m: !tile.tensor_map<128x64xbf16, swizzle = 128>) attributes {tile.kernel} {
  %ch = tile.channel stages 2
  %b = tile.alloc : !tile.buffer<2x64x64xbf16>
  tile.roles warps [4, 4] {
    %s = tile.channel_acquire %ch[%c0] bytes 8192
    // expected-error@+1 {{expects a box whose sizes divide those of the tile along its axes, 'tensor<64x64xbf16>', and 1 along others, found '!tile.tensor_map<128x64xbf16, swizzle = 128>' (T45)}}
    tile.bulk_load %m[%c0, %c0], %b[%s] through %ch : !tile.tensor_map<128x64xbf16, swizzle = 128>, !tile.buffer<2x64x64xbf16>
  }, { }
  return
}

// -----

func.func @t45_steps(%c0: index, %m: !tile.tensor_map<64x64xbf16, swizzle = 128>) attributes {tile.kernel} {
  %ch = tile.channel stages 2
  %b = tile.alloc : !tile.buffer<2x64x64xbf16>
  tile.roles warps [4, 4] {
    %s = tile.channel_acquire %ch[%c0] bytes 8192
    // expected-error@+1 {{expects a map with the steps of the copy, [2, 1], found '!tile.tensor_map<64x64xbf16, swizzle = 128>' (T45)}}
    tile.bulk_load %m[%c0, %c0], %b[%s] through %ch steps [2, 1] : !tile.tensor_map<64x64xbf16, swizzle = 128>, !tile.buffer<2x64x64xbf16>
  }, { }
  return
}

// -----

func.func @t54(%c0: index, %m: memref<64x64xbf16>) attributes {tile.kernel} {
  %ch = tile.channel stages 2
  %b = tile.alloc : !tile.buffer<2x64x64xbf16>
  tile.roles warps [4, 4] {
    %s = tile.channel_acquire %ch[%c0] bytes 8192
    // expected-error@+1 {{found [2, 2] (T54)}}
    tile.bulk_load %m[%c0, %c0], %b[%s] through %ch steps [2, 2] : memref<64x64xbf16>, !tile.buffer<2x64x64xbf16>
  }, { }
  return
}

// -----

func.func @t44_channel(%c0: index, %c: i1, %m: memref<8xbf16>) attributes {tile.kernel} {
  %x = tile.channel stages 2
  %y = tile.channel stages 2
  %ch = arith.select %c, %x, %y : !tile.channel
  %b = tile.alloc : !tile.buffer<2x8xbf16>
  tile.roles warps [4, 4] {
    // expected-error@+1 {{expects a channel of 'tile.channel' (T44)}}
    tile.bulk_load %m[%c0], %b[%c0] through %ch : memref<8xbf16>, !tile.buffer<2x8xbf16>
  }, { }
  return
}

// -----

func.func @t46_rank(%c0: index, %x: tensor<64x64xf32>) {
  %a = tile.alloc : !tile.buffer<64x64xf16>
  %b = tile.alloc : !tile.buffer<2x64x64xf16>
  // expected-error@+1 {{expects stages of M x K and K x N, or of their transposes in column order, and an accumulator of M x N, found '!tile.buffer<64x64xf16>', '!tile.buffer<2x64x64xf16>' and 'tensor<64x64xf32>' (T46)}}
  %y = tile.mma_async %a[%c0] row, %b[%c0] row, %x atom <wgmma_k16_f16> : !tile.buffer<64x64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
  return
}

// -----

func.func @t46_k(%c0: index, %x: tensor<64x64xf32>) {
  %a = tile.alloc : !tile.buffer<2x64x32xf16>
  %b = tile.alloc : !tile.buffer<2x64x64xf16>
  // expected-error@+1 {{expects stages of M x K and K x N, or of their transposes in column order, and an accumulator of M x N, found '!tile.buffer<2x64x32xf16>', '!tile.buffer<2x64x64xf16>' and 'tensor<64x64xf32>' (T46)}}
  %y = tile.mma_async %a[%c0] row, %b[%c0] row, %x atom <wgmma_k16_f16> : !tile.buffer<2x64x32xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
  return
}

// -----

func.func @t46_n(%c0: index, %x: tensor<64x32xf32>) {
  %a = tile.alloc : !tile.buffer<2x64x64xf16>
  %b = tile.alloc : !tile.buffer<2x64x64xf16>
  // expected-error@+1 {{expects stages of M x K and K x N, or of their transposes in column order, and an accumulator of M x N, found '!tile.buffer<2x64x64xf16>', '!tile.buffer<2x64x64xf16>' and 'tensor<64x32xf32>' (T46)}}
  %y = tile.mma_async %a[%c0] row, %b[%c0] row, %x atom <wgmma_k16_f16> : !tile.buffer<2x64x64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x32xf32>
  return
}

// -----

func.func @t46_stage_of_tile(%c0: index, %w: tensor<64x64xf16>, %x: tensor<64x64xf32>) {
  %b = tile.alloc : !tile.buffer<2x64x64xf16>
  // expected-error@+1 {{expects a stage and an order of a buffer, and neither of a tile, for 'tensor<64x64xf16>' (T46)}}
  %y = tile.mma_async %w[%c0] row, %b[%c0] row, %x atom <wgmma_k16_f16> : tensor<64x64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
  return
}

// -----

func.func @t46_no_stage(%c0: index, %x: tensor<64x64xf32>) {
  %a = tile.alloc : !tile.buffer<2x64x64xf16>
  // expected-error@+1 {{expects a stage and an order of a buffer, and neither of a tile, for '!tile.buffer<2x64x64xf16>' (T46)}}
  %y = tile.mma_async %a, %a[%c0] row, %x atom <wgmma_k16_f16> : !tile.buffer<2x64x64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
  return
}

// -----

func.func @t46_tile(%c0: index, %w: tensor<64xf16>, %x: tensor<64x64xf32>) {
  %b = tile.alloc : !tile.buffer<2x64x64xf16>
  // expected-error@+1 {{expects stages of M x K and K x N, or of their transposes in column order, and an accumulator of M x N, found 'tensor<64xf16>', '!tile.buffer<2x64x64xf16>' and 'tensor<64x64xf32>' (T46)}}
  %y = tile.mma_async %w, %b[%c0] row, %x atom <wgmma_k16_f16> : tensor<64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
  return
}

// -----

#plain = #tile.layout<blocked shape = [64, 64], register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
func.func @t47_layout_of_a(%c0: index, %w: tensor<64x64xf16, #plain>, %x: tensor<64x64xf32>) {
  %b = tile.alloc : !tile.buffer<2x64x64xf16>
  // expected-error@+1 {{expects an operand A with the layout}}
  %y = tile.mma_async %w, %b[%c0] row, %x atom <wgmma_k16_f16> : tensor<64x64xf16, #plain>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
  return
}

// -----

func.func @t47_atom(%c0: index, %x: tensor<64x64xf32>) {
  %a = tile.alloc : !tile.buffer<2x64x64xf16>
  %b = tile.alloc : !tile.buffer<2x64x64xf16>
  // expected-error@+1 {{expects an atom of warpgroups, found m16n8k16_f16 (T47)}}
  %y = tile.mma_async %a[%c0] row, %b[%c0] row, %x atom <m16n8k16_f16> : !tile.buffer<2x64x64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
  return
}

// -----

func.func @t47_types(%c0: index, %x: tensor<64x64xf32>) {
  %a = tile.alloc : !tile.buffer<2x64x64xf16>
  %b = tile.alloc : !tile.buffer<2x64x64xf16>
  // expected-error@+1 {{expects bf16 operands and an accumulator of f32, found '!tile.buffer<2x64x64xf16>', '!tile.buffer<2x64x64xf16>' and 'tensor<64x64xf32>' (T47)}}
  %y = tile.mma_async %a[%c0] row, %b[%c0] row, %x atom <wgmma_k16_bf16> : !tile.buffer<2x64x64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
  return
}

// -----

func.func @t47_order(%c0: index, %x: tensor<64x64xi32>) {
  %a = tile.alloc : !tile.buffer<2x64x64xi8>
  %b = tile.alloc : !tile.buffer<2x64x64xi8>
  // expected-error@+1 {{expects elements of 'i8' in row order of A and column order of B, found row and row (T47)}}
  %y = tile.mma_async %a[%c0] row, %b[%c0] row, %x atom <wgmma_k32_i8> : !tile.buffer<2x64x64xi8>, !tile.buffer<2x64x64xi8>, tensor<64x64xi32>
  return
}

// -----

func.func @t47_m(%c0: index, %x: tensor<32x64xf32>) {
  %a = tile.alloc : !tile.buffer<2x32x64xf16>
  %b = tile.alloc : !tile.buffer<2x64x64xf16>
  // expected-error@+1 {{expects 64 times a power of two of M, a power of two of N from 8 to 256, and a multiple of 16 of K, found 32 x 64 x 64 (T47)}}
  %y = tile.mma_async %a[%c0] row, %b[%c0] row, %x atom <wgmma_k16_f16> : !tile.buffer<2x32x64xf16>, !tile.buffer<2x64x64xf16>, tensor<32x64xf32>
  return
}

// -----

func.func @t47_n(%c0: index, %x: tensor<64x512xf32>) {
  %a = tile.alloc : !tile.buffer<2x64x64xf16>
  %b = tile.alloc : !tile.buffer<2x64x512xf16>
  // expected-error@+1 {{expects 64 times a power of two of M, a power of two of N from 8 to 256, and a multiple of 16 of K, found 64 x 512 x 64 (T47)}}
  %y = tile.mma_async %a[%c0] row, %b[%c0] row, %x atom <wgmma_k16_f16> : !tile.buffer<2x64x64xf16>, !tile.buffer<2x64x512xf16>, tensor<64x512xf32>
  return
}

// -----

func.func @t47_kk(%c0: index, %x: tensor<64x64xf32>) {
  %a = tile.alloc : !tile.buffer<2x64x8xf16>
  %b = tile.alloc : !tile.buffer<2x8x64xf16>
  // expected-error@+1 {{expects 64 times a power of two of M, a power of two of N from 8 to 256, and a multiple of 16 of K, found 64 x 64 x 8 (T47)}}
  %y = tile.mma_async %a[%c0] row, %b[%c0] row, %x atom <wgmma_k16_f16> : !tile.buffer<2x64x8xf16>, !tile.buffer<2x8x64xf16>, tensor<64x64xf32>
  return
}

// -----

#rows = #tile.layout<blocked shape = [64, 64], register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
func.func @t47_layout(%c0: index, %x: tensor<64x64xf32, #rows>) {
  %a = tile.alloc : !tile.buffer<2x64x64xf16>
  // expected-error@+1 {{expects an accumulator with the layout }}
  %y = tile.mma_async %a[%c0] row, %a[%c0] row, %x atom <wgmma_k16_f16> : !tile.buffer<2x64x64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32, #rows>
  return
}

// -----

func.func @t37_wait(%x: tensor<64x64xf32>) {
  // expected-error@+1 {{expects 'pending' not to be negative, found -1 (T37)}}
  %y = tile.mma_wait %x pending -1 : tensor<64x64xf32>
  return
}

// -----

func.func @t48_element(%m: memref<64x64xbf16>) attributes {tile.kernel} {
  // expected-error@+1 {{expects a memref with elements of 'f16' and the 2 axes of the box, found 'memref<64x64xbf16>' (T48)}}
  %map = tile.tensor_map %m : memref<64x64xbf16> -> !tile.tensor_map<64x64xf16>
  return
}

// -----

func.func @t48_rank(%m: memref<64xf16>) attributes {tile.kernel} {
  // expected-error@+1 {{expects a memref with elements of 'f16' and the 2 axes of the box, found 'memref<64xf16>' (T48)}}
  %map = tile.tensor_map %m : memref<64xf16> -> !tile.tensor_map<64x64xf16>
  return
}

// -----

func.func @t48_strides(%m: memref<64x64xf16, strided<[128, 1]>>) attributes {tile.kernel} {
  // expected-error@+1 {{expects a memref in row-major order without gaps, found 'memref<64x64xf16, strided<[128, 1]>>' (T48)}}
  %map = tile.tensor_map %m : memref<64x64xf16, strided<[128, 1]>> -> !tile.tensor_map<64x64xf16>
  return
}

// -----

// expected-error@+1 {{expects a box of 1 to 5 sizes from 1 to 256, found [512, 64]}}
func.func private @map(!tile.tensor_map<512x64xf16>)

// -----

// expected-error@+1 {{expects a box of 1 to 5 sizes from 1 to 256, found [1, 1, 1, 1, 1, 64]}}
func.func private @map(!tile.tensor_map<1x1x1x1x1x64xf16>)

// -----

// expected-error@+1 {{expects elements of i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32 or f64, found 'i1'}}
func.func private @map(!tile.tensor_map<64xi1>)

// -----

// expected-error@+1 {{expects a swizzle of 0, 32, 64 or 128 bytes, found 16}}
func.func private @map(!tile.tensor_map<8xf16, swizzle = 16>)

// -----

// expected-error@+1 {{expects a box whose last axis has a multiple of 16 bytes, and no more than the swizzle, found 8 bytes and a swizzle of 0}}
func.func private @map(!tile.tensor_map<64x4xf16>)

// -----

// expected-error@+1 {{expects a box whose last axis has a multiple of 16 bytes, and no more than the swizzle, found 128 bytes and a swizzle of 64}}
func.func private @map(!tile.tensor_map<64x64xf16, swizzle = 64>)

// -----

// expected-error@+1 {{expects a step from 1 to 8 for each size of the box, the last one 1, found [9, 1]}}
func.func private @map(!tile.tensor_map<64x64xf16, steps = [9, 1]>)

// -----

// expected-error@+1 {{expects a step from 1 to 8 for each size of the box, the last one 1, found [2]}}
func.func private @map(!tile.tensor_map<64x64xf16, swizzle = 128, steps = [2]>)

// -----

// expected-error@+1 {{expects a step from 1 to 8 for each size of the box, the last one 1, found [1, 2]}}
func.func private @map(!tile.tensor_map<64x64xf16, steps = [1, 2]>)

// -----

// expected-error@+1 {{expects sizes of the box that are at most 256 if multiplied by their steps, found 64 with a step of 5}}
func.func private @map(!tile.tensor_map<64x64xf16, swizzle = 128, steps = [5, 1]>)

// -----

func.func @t51_host(%m: memref<?x?xbf16>, %b: !tile.buffer<64x64xbf16>, %i: index) {
  // expected-error@+1 {{expects to stand in a kernel (T51)}}
  tile.bulk_store %b, %m[%i, %i] : !tile.buffer<64x64xbf16>, memref<?x?xbf16>
  return
}

// -----

func.func @t18_store(%m: memref<?x?xbf16>, %i: index) attributes {tile.kernel} {
  %b = tile.alloc : !tile.buffer<64x64xbf16>
  // expected-error@+1 {{expects 2 indices for 'memref<?x?xbf16>', found 1 (T18)}}
  tile.bulk_store %b, %m[%i] : !tile.buffer<64x64xbf16>, memref<?x?xbf16>
  return
}

// -----

func.func @t19_store(%m: memref<?x?xbf16>, %i: index) attributes {tile.kernel} {
  %b = tile.alloc : !tile.buffer<64x64xbf16>
  // expected-error@+1 {{expects 'axes' to list 2 increasing axes of 'memref<?x?xbf16>', found [1, 0] (T19)}}
  tile.bulk_store %b, %m[%i, %i] axes [1, 0] : !tile.buffer<64x64xbf16>, memref<?x?xbf16>
  return
}

// -----

func.func @t20_store(%m: memref<?x?xf16>, %i: index) attributes {tile.kernel} {
  %b = tile.alloc : !tile.buffer<64x64xbf16>
  // expected-error@+1 {{expects a tile of 'f16' as 'memref<?x?xf16>', found 'tensor<64x64xbf16>' (T20)}}
  tile.bulk_store %b, %m[%i, %i] : !tile.buffer<64x64xbf16>, memref<?x?xf16>
  return
}

// -----

func.func @t45_store(%map: !tile.tensor_map<128x64xbf16>, %i: index) attributes {tile.kernel} {
  %b = tile.alloc : !tile.buffer<64x64xbf16>
  // expected-error@+1 {{expects a box whose sizes divide those of the tile along its axes, 'tensor<64x64xbf16>', and 1 along others, found '!tile.tensor_map<128x64xbf16>' (T45)}}
  tile.bulk_store %b, %map[%i, %i] : !tile.buffer<64x64xbf16>, !tile.tensor_map<128x64xbf16>
  return
}

// -----

func.func @t37_store() attributes {tile.kernel} {
  // expected-error@+1 {{expects 'pending' not to be negative, found -1 (T37)}}
  tile.bulk_store_wait pending -1
  return
}

// -----

func.func @t55_role() attributes {tile.kernel} {
  // expected-error@+1 {{'tile.take_turn' op expects to stand in a role (T55)}}
  tile.take_turn
  tile.pass_turn
  return
}

// -----

func.func @t55_end() attributes {tile.kernel} {
  tile.roles warps [8, 4] {
    // expected-error@+1 {{'tile.take_turn' op expects a 'tile.pass_turn' behind it in its block, and nothing in between that waits, found the end (T55)}}
    tile.take_turn
  }, { }
  return
}

// -----

func.func @t55_twice() attributes {tile.kernel} {
  tile.roles warps [8, 4] {
    // expected-error@+1 {{expects a 'tile.pass_turn' behind it in its block, and nothing in between that waits, found 'tile.take_turn' (T55)}}
    tile.take_turn
    tile.take_turn
    tile.pass_turn
  }, { }
  return
}

// -----

func.func @t55_wait() attributes {tile.kernel} {
  tile.roles warps [8, 4] {
    // expected-error@+1 {{expects a 'tile.pass_turn' behind it in its block, and nothing in between that waits, found 'tile.barrier' (T55)}}
    tile.take_turn
    tile.barrier
    tile.pass_turn
  }, { }
  return
}

// -----

func.func @t55_untaken() attributes {tile.kernel} {
  tile.roles warps [8, 4] {
    // expected-error@+1 {{'tile.pass_turn' op expects a 'tile.take_turn' before it in its block, and nothing in between that waits, found the beginning (T55)}}
    tile.pass_turn
  }, { }
  return
}
