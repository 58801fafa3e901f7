// RUN: tile-opt %s --tile-use-tensor-maps --split-input-file --verify-diagnostics

func.func @narrow(%a: memref<?x64xf16>, %i: index) attributes {tile.kernel} {
  %b = tile.alloc : !tile.buffer<2x64x8xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
  }, {
    %s = tile.channel_acquire %ch[%i] bytes 1024
    // expected-error@+1 {{tile-use-tensor-maps: expected sizes that are powers of two, and rows of at least 32 bytes, found 'tensor<64x8xf16>': copy a larger tile}}
    tile.bulk_load %a[%i, %i], %b[%s] through %ch : memref<?x64xf16>, !tile.buffer<2x64x8xf16>
  }
  return
}

// -----

func.func @sizes(%a: memref<?x64xf16>, %i: index) attributes {tile.kernel} {
  %b = tile.alloc : !tile.buffer<2x48x64xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
  }, {
    %s = tile.channel_acquire %ch[%i] bytes 6144
    // expected-error@+1 {{expected sizes that are powers of two, and rows of at least 32 bytes, found 'tensor<48x64xf16>'}}
    tile.bulk_load %a[%i, %i], %b[%s] through %ch : memref<?x64xf16>, !tile.buffer<2x48x64xf16>
  }
  return
}

// -----

func.func @view(%a: memref<64x64xf16>, %i: index) attributes {tile.kernel} {
  %v = memref.cast %a : memref<64x64xf16> to memref<?x64xf16>
  %b = tile.alloc : !tile.buffer<2x64x64xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
  }, {
    %s = tile.channel_acquire %ch[%i] bytes 8192
    // expected-error@+1 {{tile-use-tensor-maps: expected an argument of the kernel, of which the host can make a map, found another memref: pass it to the kernel}}
    tile.bulk_load %v[%i, %i], %b[%s] through %ch : memref<?x64xf16>, !tile.buffer<2x64x64xf16>
  }
  return
}

// -----

#other = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]]>
func.func @layout(%a: memref<?x64xf16>, %i: index) attributes {tile.kernel} {
  %b = tile.alloc : !tile.buffer<2x16x16xf16, #other>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
  }, {
    %s = tile.channel_acquire %ch[%i] bytes 512
    // expected-error@+1 {{tile-use-tensor-maps: expected a buffer without a layout, or the one of the boxes, found '!tile.buffer<2x16x16xf16,}}
    tile.bulk_load %a[%i, %i], %b[%s] through %ch : memref<?x64xf16>, !tile.buffer<2x16x16xf16, #other>
  }
  return
}

// -----

func.func @order(%a: memref<4x16x64xf16>, %i: index) attributes {tile.kernel} {
  %b = tile.alloc : !tile.buffer<2x64x64xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
  }, {
    %s = tile.channel_acquire %ch[%i] bytes 8192
    // expected-error@+1 {{tile-use-tensor-maps: expected rows of the stage along axes in their order in memory, found axes [1, 0, 2] by steps [1, 1, 1] of 'memref<4x16x64xf16>' for a stage 'tensor<64x64xf16>'}}
    tile.bulk_load %a[%i, %i, %i], %b[%s] through %ch axes [1, 0, 2] sizes [16, 4, 64] : memref<4x16x64xf16>, !tile.buffer<2x64x64xf16>
  }
  return
}

// -----

func.func @last(%a: memref<64x64xf16>, %i: index) attributes {tile.kernel} {
  %b = tile.alloc : !tile.buffer<2x64x64xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
  }, {
    %s = tile.channel_acquire %ch[%i] bytes 8192
    // expected-error@+1 {{tile-use-tensor-maps: expected the last axis of memory as the last one of the tile, found axes [1, 0]}}
    tile.bulk_load %a[%i, %i], %b[%s] through %ch axes [1, 0] sizes [64, 64] : memref<64x64xf16>, !tile.buffer<2x64x64xf16>
  }
  return
}

// -----

func.func @parts(%a: memref<32x128xf16>, %i: index) attributes {tile.kernel} {
  %b = tile.alloc : !tile.buffer<2x64x64xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
  }, {
    %s = tile.channel_acquire %ch[%i] bytes 8192
    // expected-error@+1 {{tile-use-tensor-maps: expected whole axes in a row of the stage}}
    tile.bulk_load %a[%i, %i], %b[%s] through %ch axes [0, 1] sizes [32, 128] : memref<32x128xf16>, !tile.buffer<2x64x64xf16>
  }
  return
}

// -----

func.func @axes(%a: memref<2x2x2x2x16x64xf16>, %i: index) attributes {tile.kernel} {
  %b = tile.alloc : !tile.buffer<2x16x64xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
  }, {
    %s = tile.channel_acquire %ch[%i] bytes 2048
    // expected-error@+1 {{tile-use-tensor-maps: expected memory of at most 5 axes}}
    tile.bulk_load %a[%i, %i, %i, %i, %i, %i], %b[%s] through %ch axes [4, 5] : memref<2x2x2x2x16x64xf16>, !tile.buffer<2x16x64xf16>
  }
  return
}

// -----

func.func @far(%a: memref<?x64xf16>, %i: index) attributes {tile.kernel} {
  %b = tile.alloc : !tile.buffer<2x64x64xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
  }, {
    %s = tile.channel_acquire %ch[%i] bytes 8192
    // expected-error@+1 {{tile-use-tensor-maps: expected steps of at most 8, found axes [0, 1] by steps [9, 1] of 'memref<?x64xf16>' for a stage 'tensor<64x64xf16>'}}
    tile.bulk_load %a[%i, %i], %b[%s] through %ch steps [9, 1] : memref<?x64xf16>, !tile.buffer<2x64x64xf16>
  }
  return
}
