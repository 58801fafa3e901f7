// S8 of tile-verify-promoted, violated alone.
//
// RUN: tile-opt %s --tile-verify-promoted --split-input-file --verify-diagnostics

// Each lane reads what another one has written.
#line = #tile.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#other = #tile.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
func.func @no_barrier(%v: f32) attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 256 : i64} {
  %x = tile.splat %v : f32 -> tensor<64xf32, #line>
  %b = tile.alloc {offset = 0 : i64} : !tile.buffer<64xf32>
  tile.local_store %x, %b : tensor<64xf32, #line>, !tile.buffer<64xf32>
  // expected-error@+1 {{tile-verify-promoted S8: 'tile.local_load' op expects a tile.barrier between it and what other threads do to the same shared memory before it, found none on some path: run tile-insert-barriers}}
  %y = tile.local_load %b : !tile.buffer<64xf32> -> tensor<64xf32, #other>
  return
}

// -----

// A barrier in the loop orders what an iteration does, not what the next one does.
#line = #tile.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#other = #tile.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
func.func @no_barrier_around(%v: f32, %n: index) attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 256 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tile.splat %v : f32 -> tensor<64xf32, #line>
  %b = tile.alloc {offset = 0 : i64} : !tile.buffer<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{tile-verify-promoted S8: 'tile.local_store' op expects a tile.barrier}}
    tile.local_store %x, %b : tensor<64xf32, #line>, !tile.buffer<64xf32>
    tile.barrier
    %y = tile.local_load %b : !tile.buffer<64xf32> -> tensor<64xf32, #other>
  }
  return
}
