// What layouts are refused, and why.
// RUN: sed "s/ATOMS/%atoms/" %s | tile-opt --split-input-file --verify-diagnostics

// T28: fits the tile.
#rank = #tile.layout<register = [[1]], lane = [], warp = []>
// expected-error @+1 {{expects a layout of as many axes as the tile, 2, found bases of 1 (T28)}}
func.func private @f(tensor<2x1xf32, #rank>)

// -----

#l = #tile.layout<register = [[1]], lane = [], warp = []>
// expected-error @+1 {{expects sizes that are powers of two of a tile with a layout, found 3 (T28)}}
func.func private @f(tensor<3xf32, #l>)

// -----

#l = #tile.layout<register = [[1]], lane = [], warp = []>
// expected-error @+1 {{expects sizes that are powers of two of a tile with a layout, found ? (T28)}}
func.func private @f(tensor<?xf32, #l>)

// -----

#l = #tile.layout<register = [[1]], lane = [], warp = []>
// expected-error @+1 {{expects at most 2^24 elements of a tile with a layout, found 2^60 (T28)}}
func.func private @f(tensor<1152921504606846976xf32, #l>)

// -----

// expected-error @+1 {{expects at most 24 bases, found 25 (T28)}}
func.func private @f(tensor<1xf32, #tile.layout<lane = [[0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0]]>>)

// -----

#l = #tile.layout<register = [[0, 1]], lane = [[1, 0], [0, 2]], warp = []>
// expected-error @+1 {{expects bases inside of the tile, found 2 along an axis of size 2, for bit 1 of lane (T28)}}
func.func private @f(tensor<2x2xf32, #l>)

// -----

#l = #tile.layout<register = [[1]], lane = [[1], [2]], warp = []>
// expected-error @+1 {{expects a place for each of the 8 elements of the tile, found some without (T28)}}
func.func private @f(tensor<8xf32, #l>)

// -----

// expected-error @+1 {{expects bases of one length, found 2 after 1 (T28)}}
func.func private @f(tensor<4xf32, #tile.layout<register = [[1], [0, 2]]>>)

// -----

// expected-error @+1 {{expects coordinates, found -1 (T28)}}
func.func private @f(tensor<4xf32, #tile.layout<register = [[-1]]>>)

// -----

// T29: offsets for buffers, all else for tiles.
// expected-error @+1 {{expects registers, lanes and warps as the layout of a tile, found offsets, which only a !tile.buffer has (T29)}}
func.func private @f(tensor<4xf32, #tile.layout<offset = [[1], [2]]>>)

// -----

// expected-error @+1 {{expects offsets as the layout of a buffer, found registers, lanes or warps (T29)}}
func.func private @f(!tile.buffer<4xf32, #tile.layout<register = [[1], [2]]>>)

// -----

// expected-error @+1 {{expects one offset for each element of a buffer, found several (T29)}}
func.func private @f(!tile.buffer<4xf32, #tile.layout<offset = [[1], [2], [3]]>>)

// -----

// expected-error @+1 {{expects a place for each of the 4 elements of the tile, found some without (T28)}}
func.func private @f(!tile.buffer<4xf32, #tile.layout<offset = [[1]]>>)

// -----

// expected-error @+1 {{expects either offsets or registers, lanes, warps and blocks, found both (T29)}}
func.func private @f(tensor<4xf32, #tile.layout<register = [[1]], offset = [[2]]>>)

// -----

// Syntax.
// expected-error @+1 {{expects 'register' or 'lane' or 'warp' or 'block' or 'offset', found 'thread'}}
func.func private @f(tensor<4xf32, #tile.layout<thread = [[1]]>>)

// -----

// expected-error @+1 {{expects each name once, found 'lane' again}}
func.func private @f(tensor<4xf32, #tile.layout<lane = [[1]], lane = [[2]]>>)

// -----

// expected-error @+1 {{expects powers of two, found 3}}
func.func private @f(tensor<4xf32, #tile.layout<blocked shape = [4], register = [3], lane = [2], warp = [1]>>)

// -----

// expected-error @+1 {{expects a product of at most 2^24, found 2^60 (T28)}}
func.func private @f(tensor<4xf32, #tile.layout<blocked shape = [1152921504606846976], register = [3], lane = [2], warp = [1]>>)

// -----

// expected-error @+1 {{expects at most 24 bases, found 40 (T28)}}
func.func private @f(tensor<4xf32, #tile.layout<blocked shape = [4], register = [1], lane = [1048576], warp = [1048576]>>)

// -----

// expected-error @+1 {{expects 2 sizes, one per axis of the shape, found 1}}
func.func private @f(tensor<4x4xf32, #tile.layout<blocked shape = [4, 4], register = [2], lane = [2], warp = [1]>>)

// -----

// expected-error @+1 {{expects each of the 2 axes once, the fastest first}}
func.func private @f(tensor<4x4xf32, #tile.layout<blocked shape = [4, 4], register = [2, 1], lane = [2, 1], warp = [1, 1], order = [1, 1]>>)

// -----

// The shape is part of the name, and has to be the tile's.
// expected-error @+1 {{expects bases inside of the tile, found 4 along an axis of size 4, for bit 0 of lane (T28)}}
func.func private @f(tensor<4xf32, #tile.layout<blocked shape = [8], register = [4], lane = [2], warp = [1]>>)

// -----

// expected-error @+1 {{expects an atom, ATOMS, found 'volta_16x16x16'}}
func.func private @f(tensor<16x8xf16, #tile.layout<mma a row, shape = [16, 8], atom = volta_16x16x16, warp = [1, 1]>>)

// -----

// expected-error @+1 {{expects powers of two of at least 32 x 8, found 16 x 8 (T28)}}
func.func private @f(tensor<16x8xf16, #tile.layout<mma a row, shape = [16, 8], atom = volta_16x16x8, warp = [2, 1]>>)

// -----

// expected-error @+1 {{expects 'row' or 'column', found 'f32'}}
func.func private @f(tensor<16x8xf16, #tile.layout<mma a f32, shape = [16, 8], atom = volta_16x16x8, warp = [1, 1]>>)

// -----

#l = #tile.layout<register = [[1], [2]]>
// expected-error @+1 {{expects elements of 8, 16, 32 or 64 bits, found 4}}
func.func private @f(!tile.buffer<4xi8, #tile.layout<swizzle shape = [4], bits = 4, write = #l, read = #l>>)

// -----

#l = #tile.layout<register = [[1]]>
// expected-error @+1 {{expects a place for each of the 4 elements of the tile, found some without (T28)}}
func.func private @f(!tile.buffer<4xi8, #tile.layout<swizzle shape = [4], bits = 8, write = #l, read = #l>>)

// -----

// Elementwise ops want the same layout on all sides.
#l = #tile.layout<register = [[1]], lane = [[2]]>
#m = #tile.layout<register = [[2]], lane = [[1]]>
func.func @f(%x: tensor<4xf32, #l>, %y: tensor<4xf32, #m>) {
  // expected-note @-1 {{prior use here}}
  // expected-error @+1 {{use of value '%y' expects different type than prior uses}}
  %z = arith.addf %x, %y : tensor<4xf32, #l>
  return
}

// -----

#l = #tile.layout<register = [[1]], lane = [[2]]>
#m = #tile.layout<register = [[2]], lane = [[1]]>
func.func @f(%p: tensor<4x!tile.ptr<f32>, #l>, %i: tensor<4xi32, #m>) {
  // expected-error @+1 {{(T14)}}
  %q = tile.addptr %p, %i : tensor<4x!tile.ptr<f32>, #l>, tensor<4xi32, #m>
  return
}

// -----

// expected-error@+1 {{expects warps of its own for each of 2 batches, found 1 (T28)}}
#batch = #tile.layout<mma a row, shape = [2, 32, 8], atom = volta_16x16x8, warp = [1, 2, 1]>
