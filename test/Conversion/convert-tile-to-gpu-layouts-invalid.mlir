// convert-tile-to-gpu: what tile-promote-shared, tile-allocate-shared and tile-assign-layouts have to see to before.
//
// RUN: tile-opt --convert-tile-to-gpu --split-input-file --verify-diagnostics %s

#rows = #tile.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64]]>
#other = #tile.layout<register = [[1]], lane = [[2], [4], [8], [16], [64]], warp = [[32]]>
func.func @among_warps(%v: f32) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %x = tile.splat %v : f32 -> tensor<128xf32, #rows>
  // expected-error@+1 {{failed to legalize operation 'tile.convert_layout'}}
  %y = tile.convert_layout %x : tensor<128xf32, #rows> -> tensor<128xf32, #other>
  return
}

// -----

func.func @no_offset() attributes {tile.kernel, tile.num_warps = 1 : i64} {
  // expected-error@+1 {{failed to legalize operation 'tile.alloc'}}
  %b = tile.alloc : !tile.buffer<128xf32>
  return
}

// -----

// Stages that alternate.
#order = #tile.layout<offset = [[1, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
#line = #tile.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
func.func @stages(%i: index) attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 256 : i64} {
  %b = tile.alloc {offset = 0 : i64} : !tile.buffer<2x32xf32, #order>
  // expected-error@+1 {{failed to legalize operation 'tile.local_load'}}
  %x = tile.local_load %b[%i] : !tile.buffer<2x32xf32, #order> -> tensor<32xf32, #line>
  return
}

// -----

#line = #tile.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
func.func @divided_reduce(%v: f32) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %x = tile.splat %v : f32 -> tensor<64xf32, #line>
  // expected-error@+1 {{failed to legalize operation 'tile.reduce'}}
  %y = tile.reduce add %x axis 0 : tensor<64xf32, #line>
  return
}

// -----

#line = #tile.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
func.func @divided_scan(%v: f32) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %x = tile.splat %v : f32 -> tensor<64xf32, #line>
  // expected-error@+1 {{failed to legalize operation 'tile.scan'}}
  %y = tile.scan add %x axis 0 : tensor<64xf32, #line>
  return
}

// -----

// A thread has one element of a row of A only.
#a = #tile.layout<register = [], lane = [[0, 1], [0, 0], [1, 0], [2, 0], [4, 0]], warp = []>
#b = #tile.layout<register = [[1, 0], [0, 1]], lane = [[0, 2], [0, 4], [0, 0], [0, 0], [0, 0]], warp = []>
#c = #tile.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
func.func @divided_dot(%v: f32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %a = tile.splat %v : f32 -> tensor<8x2xf32, #a>
  %b = tile.splat %v : f32 -> tensor<2x8xf32, #b>
  %c = tile.splat %v : f32 -> tensor<8x8xf32, #c>
  // expected-error@+1 {{failed to legalize operation 'tile.dot'}}
  %d = tile.dot %a, %b, %c : tensor<8x2xf32, #a>, tensor<2x8xf32, #b>, tensor<8x8xf32, #c>
  return
}

// -----

// A lane chooses the half.
#lanes = #tile.layout<register = [], lane = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0]], warp = []>
#half = #tile.layout<register = [], lane = [[0], [1], [2], [4], [8]], warp = []>
func.func @half_of_lanes(%v: f32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %x = tile.splat %v : f32 -> tensor<16x2xf32, #lanes>
  // expected-error@+1 {{expects a bit of the register to choose the half, and halves in the layout of the whole without it, found}}
  %a, %b = tile.split %x : tensor<16x2xf32, #lanes> -> tensor<16xf32, #half>
  return
}

// -----

// The half is in another order than the whole.
#whole = #tile.layout<register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0]], warp = []>
#other = #tile.layout<register = [], lane = [[2], [1], [4], [8], [0]], warp = []>
func.func @half_in_other_order(%v: f32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %x = tile.splat %v : f32 -> tensor<16xf32, #other>
  // expected-error@+1 {{expects a bit of the register to choose the half}}
  %y = tile.join %x, %x : tensor<16xf32, #other> -> tensor<16x2xf32, #whole>
  return
}
