// Each constraint of tile-verify-promoted, violated alone. convert-tile-to-gpu verifies them as well.
//
// RUN: tile-opt %s --tile-verify-promoted --split-input-file --verify-diagnostics
// RUN: tile-opt %s --convert-tile-to-gpu --split-input-file --verify-diagnostics

#rows = #tile.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64]]>
#other = #tile.layout<register = [[1]], lane = [[2], [4], [8], [16], [64]], warp = [[32]]>
func.func @among_warps(%v: f32) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %x = tile.splat %v : f32 -> tensor<128xf32, #rows>
  // expected-error@+1 {{tile-verify-promoted S1: 'tile.convert_layout' op expects a conversion that each warp can do by itself, found one that needs shared memory: run tile-promote-shared before}}
  %y = tile.convert_layout %x : tensor<128xf32, #rows> -> tensor<128xf32, #other>
  return
}

// -----

#line = #tile.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
func.func @divided_reduce(%v: f32) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %x = tile.splat %v : f32 -> tensor<64xf32, #line>
  // expected-error@+1 {{tile-verify-promoted S2: 'tile.reduce' op expects each warp to have all elements of axis 0, found it divided among warps: run tile-promote-shared before}}
  %y = tile.reduce add %x axis 0 : tensor<64xf32, #line>
  return
}

// -----

#line = #tile.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
func.func @divided_scan(%v: f32) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %x = tile.splat %v : f32 -> tensor<64xf32, #line>
  // expected-error@+1 {{tile-verify-promoted S2: 'tile.scan' op expects each warp to have all elements of axis 0, found it divided among warps}}
  %y = tile.scan add %x axis 0 : tensor<64xf32, #line>
  return
}

// -----

#line = #tile.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
func.func @carried(%n: index, %v: f32) attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 256 : i64} {
  %x = tile.splat %v : f32 -> tensor<64xf32, #line>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{tile-verify-promoted S3: 'tile.alloc' op expects a buffer that only tile.local_store, tile.local_load, tile.async_load, tile.async_load_view, tile.bulk_load, tile.bulk_store and tile.mma_async use, found 'scf.for': use it by these}}
  %a = tile.alloc {offset = 0 : i64} : !tile.buffer<64xf32>
  // expected-note@+1 {{used here}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> !tile.buffer<64xf32> {
    tile.local_store %x, %b : tensor<64xf32, #line>, !tile.buffer<64xf32>
    scf.yield %b : !tile.buffer<64xf32>
  }
  return
}

// -----

func.func @no_offset() attributes {tile.kernel, tile.num_warps = 1 : i64} {
  // expected-error@+1 {{tile-verify-promoted S4: 'tile.alloc' op expects an offset, a multiple of 16, as tile-allocate-shared leaves it, found none}}
  %b = tile.alloc : !tile.buffer<128xf32>
  return
}

// -----

func.func @not_aligned() attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 264 : i64} {
  // expected-error@+1 {{tile-verify-promoted S4: 'tile.alloc' op expects an offset, a multiple of 16, as tile-allocate-shared leaves it, found 8}}
  %b = tile.alloc {offset = 8 : i64} : !tile.buffer<64xf32>
  return
}

// -----

func.func @no_room() attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 256 : i64} {
  // expected-error@+1 {{tile-verify-promoted S5: 'tile.alloc' op expects a buffer within 'tile.shared_bytes' of the kernel, 256, found one that ends at 272: run tile-allocate-shared again}}
  %b = tile.alloc {offset = 16 : i64} : !tile.buffer<64xf32>
  return
}

// -----

// A layout of stages that alternate.
#order = #tile.layout<offset = [[1, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
#line = #tile.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
func.func @stages(%i: index) attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 256 : i64} {
  %b = tile.alloc {offset = 0 : i64} : !tile.buffer<2x32xf32, #order>
  // expected-error@+1 {{tile-verify-promoted S6: 'tile.local_load' op expects the layout of the buffer to be that of one stage, found}}
  %x = tile.local_load %b[%i] : !tile.buffer<2x32xf32, #order> -> tensor<32xf32, #line>
  return
}

// -----

// A lane chooses the half.
#lanes = #tile.layout<register = [], lane = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0]], warp = []>
#half = #tile.layout<register = [], lane = [[0], [1], [2], [4], [8]], warp = []>
func.func @half_of_lanes(%v: f32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %x = tile.splat %v : f32 -> tensor<16x2xf32, #lanes>
  // expected-error@+1 {{tile-verify-promoted S7: 'tile.split' op expects a bit of the register to choose the half, and halves in the layout of the whole without it, found}}
  %a, %b = tile.split %x : tensor<16x2xf32, #lanes> -> tensor<16xf32, #half>
  return
}

// -----

// The half is in another order than the whole.
#whole = #tile.layout<register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0]], warp = []>
#other = #tile.layout<register = [], lane = [[2], [1], [4], [8], [0]], warp = []>
func.func @half_in_other_order(%v: f32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %x = tile.splat %v : f32 -> tensor<16xf32, #other>
  // expected-error@+1 {{tile-verify-promoted S7: 'tile.join' op expects a bit of the register to choose the half}}
  %y = tile.join %x, %x : tensor<16xf32, #other> -> tensor<16x2xf32, #whole>
  return
}

// -----

// Volta has no asynchronous copies.
#line = #tile.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
module attributes {tile.target = #tile.target<chip = "sm_70", shared = 98304, threads = 1024, registers = 255, mma = []>} {
func.func @volta(%m: memref<32xf32>) attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %b = tile.alloc {offset = 0 : i64} : !tile.buffer<32xf32>
  // expected-error@+1 {{tile-verify-promoted S9: 'tile.async_load_view' op expects a chip with asynchronous copies, found sm_70: use tile.load and tile.local_store, or a later chip}}
  %t = tile.async_load_view %m[%c0], %b : memref<32xf32>, !tile.buffer<32xf32> as tensor<32xf32, #line>
  return
}
}

// -----

// It is the layout of the tile that says who copies what.
func.func @no_layout(%m: memref<32xf32>) attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %b = tile.alloc {offset = 0 : i64} : !tile.buffer<32xf32>
  // expected-error@+1 {{tile-verify-layouts L2: 'tile.async_load_view' op expects each tile of a kernel to have a layout}}
  %t = tile.async_load_view %m[%c0], %b : memref<32xf32>, !tile.buffer<32xf32> as tensor<32xf32>
  return
}

// -----

// The fence is behind the barrier.
#rows = #tile.layout<blocked shape = [64, 64], register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
func.func @no_fence(%m: memref<?x?xf32>, %i: index) attributes {tile.kernel, tile.num_warps = 4 : i64, tile.shared_bytes = 16384 : i64} {
  %x = arith.constant dense<0.0> : tensor<64x64xf32, #rows>
  %s = tile.alloc {offset = 0 : i64} : !tile.buffer<64x64xf32>
  // expected-error@+1 {{tile-verify-promoted S10: 'tile.local_store' op expects a tile.proxy_fence behind it, for a bulk store reads its buffer, found none before the next barrier: run tile-insert-fences}}
  tile.local_store %x, %s : tensor<64x64xf32, #rows>, !tile.buffer<64x64xf32>
  tile.barrier
  tile.proxy_fence
  tile.bulk_store %s, %m[%i, %i] : !tile.buffer<64x64xf32>, memref<?x?xf32>
  tile.bulk_store_wait pending 0
  return
}

// -----

// A ticket that one thread draws for all warps.
func.func @told(%p: !tile.ptr<i32>) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %c1 = arith.constant 1 : i32
  // expected-error@+1 {{tile-verify-promoted S11: 'tile.atomic_rmw' op expects a result that goes to shared memory, as several warps hold its elements and one acts: run tile-promote-shared before}}
  %old = tile.atomic_rmw add %p, %c1 : !tile.ptr<i32>
  tile.store %p, %old : !tile.ptr<i32>
  return
}

// -----

// An element that a register of each of two warps holds.
#both = #tile.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
func.func @told(%p: !tile.ptr<i32>, %x: i32) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %q = tile.splat %p : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>, #both>
  %xs = tile.splat %x : i32 -> tensor<32xi32, #both>
  // expected-error@+1 {{tile-verify-promoted S11: 'tile.atomic_cas' op expects a result that goes to shared memory, as several warps hold its elements and one acts}}
  %old = tile.atomic_cas %q, %xs, %xs : tensor<32x!tile.ptr<i32>, #both>
  tile.store %q, %old : tensor<32x!tile.ptr<i32>, #both>
  return
}
