// What convert-tile-to-gpu refuses: one error each, at the op.
//
// RUN: tile-opt --convert-tile-to-gpu --split-input-file --verify-diagnostics %s

// expected-error@+1 {{expects 'tile.num_warps', a power of two up to 32, as tile-assign-layouts gives it}}
func.func @no_warps() attributes {tile.kernel} {
  return
}

// -----

// expected-error@+1 {{expects 'tile.num_warps', a power of two up to 32}}
func.func @too_many_warps() attributes {tile.kernel, tile.num_warps = 64 : i64} {
  return
}

// -----

func.func @no_layout() attributes {tile.kernel, tile.num_warps = 1 : i64} {
  // expected-error@+1 {{expects each tile of a kernel to have a layout, as tile-assign-layouts gives them, found 'tensor<16xi32>'}}
  %r = tile.range 0 to 16 : tensor<16xi32>
  return
}

// -----

#l = #tile.layout<register = [], lane = [[1], [2], [4], [8], [0]], warp = [[0]]>
func.func @other_warps(%n: index) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{expects layouts of 32 lanes and 1 warps ('tile.num_warps' of the kernel), and of one block, found 'tensor<16xi32, #tile.layout<register = [], lane = }}
  %r = tile.range 0 to 16 : tensor<16xi32, #l>
  return
}

// -----

#l = #tile.layout<register = [[8]], lane = [[1], [2], [4]], warp = []>
func.func @few_lanes() attributes {tile.kernel, tile.num_warps = 1 : i64} {
  // expected-error@+1 {{expects layouts of 32 lanes and 1 warps}}
  %r = arith.constant dense<1> : tensor<16xi32, #l>
  return
}

// -----

#l = #tile.layout<register = [], lane = [[1], [2], [4], [8], [0]], warp = []>
#k = #tile.layout<register = [], lane = [[2], [1], [4], [8], [0]], warp = []>
func.func @two_layouts(%x: f32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %i = tile.range 0 to 16 : tensor<16xi32, #l>
  %y = tile.splat %x : f32 -> tensor<16xf32, #k>
  // expected-error@+1 {{expects its operands and results to have one layout; tile.convert_layout changes layouts}}
  %z = math.fpowi %y, %i : tensor<16xf32, #k>, tensor<16xi32, #l>
  return
}

// -----

// expected-error@+1 {{expects memrefs whose elements are in row-major order without gaps, found 'memref<4x4xf32, strided<[8, 1]>>'}}
func.func @gaps(%m: memref<4x4xf32, strided<[8, 1]>>) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  return
}

// -----

// expected-error@+1 {{expects a kernel with a body, found a declaration of @declared}}
func.func private @declared() attributes {tile.kernel}

// -----

func.func @called() attributes {tile.kernel, tile.num_warps = 1 : i64} {
  return
}
func.func @main() {
  // expected-error@+1 {{expects kernel @called to be run by 'tile.launch', found 'func.call'}}
  call @called() : () -> ()
  return
}

// -----

func.func @kernel(%p: !tile.ptr<f32>) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  return
}
func.func @main(%p: !tile.ptr<f32>) {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{expects memrefs in the place of pointers, found a pointer, at memory that nothing would copy to the GPU}}
  tile.launch @kernel grid(%c1, %c1, %c1) (%p) : !tile.ptr<f32>
  return
}

// -----

#l = #tile.layout<register = [], lane = [[1], [2], [0], [0], [0]], warp = []>
func.func @constant() attributes {tile.kernel, tile.num_warps = 1 : i64} {
  // expected-error@+1 {{expects a constant whose elements are the same in all threads; compute it from tile.range, or load it}}
  %c = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32, #l>
  return
}

// -----

#l = #tile.layout<register = [], lane = [[1], [2], [4], [8], [0]], warp = []>
#k = #tile.layout<register = [], lane = [[0, 2], [0, 1], [2, 0], [1, 0], [0, 0]], warp = []>
func.func @moved() attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %r = tile.range 0 to 16 : tensor<16xi32, #l>
  // expected-error@+1 {{expects a result in a layout that differs from that of the operand in registers only; tile.convert_layout moves elements to other threads}}
  %s = tile.reshape %r : tensor<16xi32, #l> -> tensor<4x4xi32, #k>
  return
}

// -----

func.func @told(%p: !tile.ptr<i32>) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %c1 = arith.constant 1 : i32
  // expected-error@+1 {{expects a result that is not used, as several warps hold its elements and one acts}}
  %old = tile.atomic_rmw add %p, %c1 : !tile.ptr<i32>
  tile.store %p, %old : !tile.ptr<i32>
  return
}

// -----

func.func @psi(%m: i1, %x: f32, %y: f32, %p: !tile.ptr<f32>) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  // expected-error@+1 {{failed to legalize operation 'tile.psi'}}
  %z = tile.psi %m ? %x, %m ? %y : i1, f32
  tile.store %p, %z : !tile.ptr<f32>
  return
}

// -----

func.func @kernel(%p: memref<8xf32>) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  return
}
func.func @main(%p: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{expects memrefs of the device, in #gpu.address_space<global>, as tile-place-buffers gives them, found 'memref<8xf32>'}}
  tile.launch @kernel grid(%c1, %c1, %c1) (%p) : memref<8xf32>
  return
}
