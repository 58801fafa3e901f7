// Histogram of integers: counts[x[i]] += 1 for each element of x, atomically, because elements of
// all programs may fall into one bin. Loaded values are offsets of the pointers that are stored
// through.
//
//   build/bin/tile-run examples/tile/histogram.mlir --backend=cpu --random=7 --check=interp
//
// --random draws the elements from the range that einsum.value_range names, ends included.

!ptr = !tile.ptr<i32>
!ptrs = tensor<64x!tile.ptr<i32>>

func.func @histogram(%x: !ptr {tile.readonly}, %counts: !ptr, %n: i32) attributes {tile.kernel} {
  %c64 = arith.constant 64 : i32
  %id = tile.program_id x
  %first = arith.muli %id, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %lane = tile.range 0 to 64 : tensor<64xi32>
  %i = arith.addi %firsts, %lane : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %inside = arith.cmpi slt, %i, %ns : tensor<64xi32>
  %xs = tile.splat %x : !ptr -> !ptrs
  %px = tile.addptr %xs, %i : !ptrs, tensor<64xi32>
  %bin = tile.load %px mask %inside : !ptrs
  %bins = tile.splat %counts : !ptr -> !ptrs
  %pc = tile.addptr %bins, %bin : !ptrs, tensor<64xi32>
  %one = arith.constant dense<1> : tensor<64xi32>
  %before = tile.atomic_rmw add %pc, %one mask %inside : !ptrs
  return
}

func.func @main(%x: memref<?xi32> {einsum.example_shape = array<i64: 500>,
                                   einsum.value_range = array<i64: 0, 9>},
                %counts: memref<10xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %size = memref.dim %x, %c0 : memref<?xi32>
  %programs = arith.ceildivui %size, %c64 : index
  %n = arith.index_cast %size : index to i32
  tile.launch @histogram grid(%programs, %c1, %c1) (%x, %counts, %n)
      : memref<?xi32>, memref<10xi32>, i32
  return
}
