// tile-allocate-shared needs to see all accesses to a buffer.
//
// RUN: tile-opt %s --tile-allocate-shared --verify-diagnostics

func.func @f(%n: index) attributes {tile.kernel} {
  %x = arith.constant dense<1.0> : tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{expects a buffer that only tile.local_store, tile.local_load, tile.async_load, tile.async_load_view, tile.bulk_load, tile.bulk_store and tile.mma_async use}}
  %a = tile.alloc : !tile.buffer<64xf32>
  // expected-note@+1 {{used here}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> !tile.buffer<64xf32> {
    tile.local_store %x, %b : tensor<64xf32>, !tile.buffer<64xf32>
    scf.yield %b : !tile.buffer<64xf32>
  }
  return
}
