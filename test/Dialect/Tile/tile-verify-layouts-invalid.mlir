// Each constraint of tile-verify-layouts, violated alone. convert-tile-to-gpu verifies them as well.
//
// RUN: tile-opt %s --tile-verify-layouts --split-input-file --verify-diagnostics
// RUN: tile-opt %s --convert-tile-to-gpu --split-input-file --verify-diagnostics

// expected-error@+1 {{tile-verify-layouts L1: 'func.func' op expects 'tile.num_warps', a power of two up to 32, as tile-assign-layouts gives it}}
func.func @no_warps() attributes {tile.kernel} {
  return
}

// -----

// expected-error@+1 {{tile-verify-layouts L1: 'func.func' op expects 'tile.num_warps', a power of two up to 32}}
func.func @too_many_warps() attributes {tile.kernel, tile.num_warps = 64 : i64} {
  return
}

// -----

func.func @no_layout() attributes {tile.kernel, tile.num_warps = 1 : i64} {
  // expected-error@+1 {{tile-verify-layouts L2: 'tile.range' op expects each tile of a kernel to have a layout, as tile-assign-layouts gives them, found 'tensor<16xi32>'}}
  %r = tile.range 0 to 16 : tensor<16xi32>
  return
}

// -----

#l = #tile.layout<register = [], lane = [[1], [2], [4], [8], [0]], warp = [[0]]>
func.func @other_warps(%n: index) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{tile-verify-layouts L3: 'tile.range' op expects layouts of 32 lanes and 1 warps ('tile.num_warps' of the kernel), and of one block, found 'tensor<16xi32, #tile.layout<register = [], lane = }}
  %r = tile.range 0 to 16 : tensor<16xi32, #l>
  return
}

// -----

#l = #tile.layout<register = [[8]], lane = [[1], [2], [4]], warp = []>
func.func @few_lanes() attributes {tile.kernel, tile.num_warps = 1 : i64} {
  // expected-error@+1 {{tile-verify-layouts L3: 'arith.constant' op expects layouts of 32 lanes and 1 warps}}
  %r = arith.constant dense<1> : tensor<16xi32, #l>
  return
}

// -----

#here = #tile.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = [[32]]>
func.func @blocks(%b: memref<64xf32>) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{tile-verify-layouts L3: 'tile.load_view' op expects layouts of 32 lanes and 1 warps ('tile.num_warps' of the kernel), and of one block}}
  %x = tile.load_view %b[%c0] : memref<64xf32> -> tensor<64xf32, #here>
  return
}

// -----

#l = #tile.layout<register = [], lane = [[1], [2], [4], [8], [0]], warp = []>
#k = #tile.layout<register = [], lane = [[2], [1], [4], [8], [0]], warp = []>
func.func @two_layouts(%x: f32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %i = tile.range 0 to 16 : tensor<16xi32, #l>
  %y = tile.splat %x : f32 -> tensor<16xf32, #k>
  // expected-error@+1 {{tile-verify-layouts L4: 'math.fpowi' op expects its operands and results to have one layout; tile.convert_layout changes layouts}}
  %z = math.fpowi %y, %i : tensor<16xf32, #k>, tensor<16xi32, #l>
  return
}

// -----

#l = #tile.layout<register = [], lane = [[1], [2], [4], [8], [0]], warp = []>
#k = #tile.layout<register = [], lane = [[0, 2], [0, 1], [2, 0], [1, 0], [0, 0]], warp = []>
func.func @moved() attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %r = tile.range 0 to 16 : tensor<16xi32, #l>
  // expected-error@+1 {{tile-verify-layouts L5: 'tile.reshape' op expects a result in a layout that differs from that of the operand in registers only; tile.convert_layout moves elements to other threads}}
  %s = tile.reshape %r : tensor<16xi32, #l> -> tensor<4x4xi32, #k>
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
  // expected-error@+1 {{tile-verify-layouts L6: 'tile.dot' op expects each thread to have what its accumulators need of a and b, in the same registers of all threads, found 'tensor<8x2xf32}}
  %d = tile.dot %a, %b, %c : tensor<8x2xf32, #a>, tensor<2x8xf32, #b>, tensor<8x8xf32, #c>
  return
}

// -----

#l = #tile.layout<register = [], lane = [[1], [2], [0], [0], [0]], warp = []>
func.func @constant() attributes {tile.kernel, tile.num_warps = 1 : i64} {
  // expected-error@+1 {{tile-verify-layouts L7: 'arith.constant' op expects a constant whose elements are the same in all threads; compute it from tile.range, or load it}}
  %c = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32, #l>
  return
}

// -----

#two = #tile.layout<blocked shape = [64], register = [1], lane = [32], warp = [2], order = [0]>
#swapped = #tile.layout<register = [], lane = [[1], [2], [4], [8], [32]], warp = [[16]]>
func.func @pointers(%p: !tile.ptr<f32>) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %x = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #two>
  // expected-error@+1 {{tile-verify-layouts L9: 'tile.convert_layout' op expects numbers to be moved through shared memory, found pointers: convert the offsets that tile.addptr adds instead}}
  %y = tile.convert_layout %x : tensor<64x!tile.ptr<f32>, #two> -> tensor<64x!tile.ptr<f32>, #swapped>
  return
}

// -----

// expected-error@+1 {{tile-verify-layouts L10: 'func.func' op expects memrefs whose elements are in row-major order without gaps, found 'memref<4x4xf32, strided<[8, 1]>>'}}
func.func @gaps(%m: memref<4x4xf32, strided<[8, 1]>>) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  return
}

// -----

func.func @kernel(%p: !tile.ptr<f32>) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  return
}
func.func @main(%p: !tile.ptr<f32>) {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{tile-verify-layouts L11: 'tile.launch' op expects memrefs in the place of pointers, found a pointer, at memory that nothing would copy to the GPU}}
  tile.launch @kernel grid(%c1, %c1, %c1) (%p) : !tile.ptr<f32>
  return
}

// -----

func.func @kernel(%p: memref<8xf32>) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  return
}
func.func @main(%p: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{tile-verify-layouts L12: 'tile.launch' op expects memrefs of the device, in #gpu.address_space<global>, as tile-place-buffers gives them, found 'memref<8xf32>'}}
  tile.launch @kernel grid(%c1, %c1, %c1) (%p) : memref<8xf32>
  return
}
