// What tile-place-buffers cannot place.
//
// RUN: tile-opt --tile-place-buffers --split-input-file --verify-diagnostics %s

func.func private @f(%x: memref<8xf32> {tile.readonly}, %y: memref<8xf32>) attributes {tile.kernel} {
  return
}
// The kernel would write to a copy of what may be its other argument.
func.func @overlap(%x: memref<8xf32>, %y: memref<8xf32>, %c: i1) {
  %c1 = arith.constant 1 : index
  %s = arith.select %c, %x, %y : memref<8xf32>
  // expected-error@+1 {{expects memrefs that are known to be the same or apart, if the kernel writes one of them: pass one that is not chosen at run time}}
  tile.launch @f grid(%c1, %c1, %c1) (%s, %y) : memref<8xf32>, memref<8xf32>
  return
}

// -----

func.func private @f(%x: !tile.ptr<f32>) attributes {tile.kernel} {
  return
}
func.func @space(%x: memref<8xf32, 5>) {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{expects memrefs of the host, without a memory space, whose elements are in row-major order without gaps, found 'memref<8xf32, 5>'}}
  tile.launch @f grid(%c1, %c1, %c1) (%x) : memref<8xf32, 5>
  return
}

// -----

func.func private @f(%x: memref<8xf32, strided<[2]>>) attributes {tile.kernel} {
  return
}
func.func @gaps(%x: memref<8xf32, strided<[2]>>) {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{expects memrefs of the host, without a memory space, whose elements are in row-major order without gaps, found 'memref<8xf32, strided<[2]>>'}}
  tile.launch @f grid(%c1, %c1, %c1) (%x) : memref<8xf32, strided<[2]>>
  return
}

// -----

// expected-error@+1 {{expects tile.memory to be a string or the name of a constant, on gpu.alloc, found "argument 0"}}
func.func @attribute() attributes {tile.memory = "argument 0"} {
  return
}
