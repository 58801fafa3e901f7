// tile-insert-barriers has to know where buffers are, and which way control goes.
//
// RUN: tile-opt %s --tile-insert-barriers --split-input-file --verify-diagnostics

func.func @no_offset() attributes {tile.kernel} {
  %x = arith.constant dense<1.0> : tensor<64xf32>
  // expected-error@+1 {{expects an offset, a multiple of 16, as tile-allocate-shared leaves it, found none}}
  %a = tile.alloc : !tile.buffer<64xf32>
  tile.local_store %x, %a : tensor<64xf32>, !tile.buffer<64xf32>
  return
}

// -----

func.func @carried(%n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{expects a buffer that only tile.local_store, tile.local_load, tile.async_load, tile.async_load_view, tile.bulk_load, tile.bulk_store and tile.mma_async use}}
  %a = tile.alloc {offset = 0 : i64} : !tile.buffer<64xf32>
  // expected-note@+1 {{used here}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> !tile.buffer<64xf32> {
    %u = tile.local_load %b : !tile.buffer<64xf32> -> tensor<64xf32>
    scf.yield %b : !tile.buffer<64xf32>
  }
  return
}

// -----

func.func @poison() attributes {tile.kernel} {
  %b = ub.poison : !tile.buffer<64xf32>
  // expected-error@+1 {{expects a buffer from a tile.alloc in this kernel, found one of another op: allocate it here}}
  %u = tile.local_load %b : !tile.buffer<64xf32> -> tensor<64xf32>
  return
}

// -----

// expected-error@+1 {{expects structured control flow in a kernel, found branches between blocks}}
func.func @branches(%p: i1) attributes {tile.kernel} {
  cf.cond_br %p, ^one, ^two
^one:
  cf.br ^two
^two:
  return
}

// -----

func.func @inner_branches(%p: i1) attributes {tile.kernel} {
  // expected-error@+1 {{expects structured control flow in a kernel, found branches between blocks}}
  scf.execute_region {
    cf.br ^one
  ^one:
    scf.yield
  }
  return
}

// -----

func.func @generic(%a: memref<4xf32>) attributes {tile.kernel} {
  // expected-error@+1 {{expects structured control flow in a kernel, of which 'linalg.generic' is none}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a : memref<4xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  }
  return
}
