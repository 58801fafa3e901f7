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

// -----

func.func private @f(%x: memref<8xf32>) attributes {tile.kernel} {
  return
}
func.func @on_device(%x: memref<8xf32> {tile.on_device}) -> f32 {
  %c1 = arith.constant 1 : index
  tile.launch @f grid(%c1, %c1, %c1) (%x) : memref<8xf32>
  // expected-error@+1 {{expects memory of the host, found argument 0 of @on_device, which is on the device (tile.on_device): compute this in a kernel, or give the argument in memory of the host}}
  %v = memref.load %x[%c1] : memref<8xf32>
  return %v : f32
}

// -----

// Also where no kernel has it.
func.func @host_only(%x: memref<8xf32> {tile.on_device}) -> f32 {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{expects memory of the host, found argument 0 of @host_only}}
  %v = memref.load %x[%c1] : memref<8xf32>
  return %v : f32
}

// -----

func.func private @f(%x: memref<8xf32>) attributes {tile.kernel} {
  return
}
func.func @chosen(%x: memref<8xf32> {tile.on_device}, %y: memref<8xf32>, %c: i1) {
  %c1 = arith.constant 1 : index
  %s = arith.select %c, %x, %y : memref<8xf32>
  // expected-error@+1 {{expects memory of the host or of the device, found argument 0, which may be an argument of the function that is on the device (tile.on_device): it is not an argument, an allocation or a constant, without gaps}}
  tile.launch @f grid(%c1, %c1, %c1) (%s) : memref<8xf32>
  return
}

// -----

// expected-error@+1 {{expects tile.on_device on a memref or tensor of a function that is no kernel}}
func.func private @kernel(%x: memref<8xf32> {tile.on_device}) attributes {tile.kernel}
