// Softmax of each row of a matrix of any size: a program per row. Rows are longer than a tile, so
// one loop finds the largest element and the sum of the exponentials at each lane as it goes (the
// sum is scaled down whenever the maximum grows), and reductions combine the lanes.
//
//   build/bin/tile-run examples/tile/softmax.mlir --backend=cpu --random=7 --check=interp

!ptr = !tile.ptr<f32>
!ptrs = tensor<32x!tile.ptr<f32>>

func.func @softmax(%x: !ptr {tile.readonly}, %y: !ptr, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %row = tile.program_id x
  %first = arith.muli %row, %n : i32
  %x_row = tile.addptr %x, %first : !ptr, i32
  %y_row = tile.addptr %y, %first : !ptr, i32
  %xs = tile.splat %x_row : !ptr -> !ptrs
  %ys = tile.splat %y_row : !ptr -> !ptrs
  %lane = tile.range 0 to 32 : tensor<32xi32>
  %ns = tile.splat %n : i32 -> tensor<32xi32>

  // Elements beyond the row are as small as can be, but finite, so that no inf - inf arises.
  %lowest = arith.constant dense<-3.0e38> : tensor<32xf32>
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %max, %sum = scf.for %i = %c0 to %n step %c32 iter_args(%max_i = %lowest, %sum_i = %zero)
      -> (tensor<32xf32>, tensor<32xf32>) : i32 {
    %is = tile.splat %i : i32 -> tensor<32xi32>
    %column = arith.addi %is, %lane : tensor<32xi32>
    %inside = arith.cmpi slt, %column, %ns : tensor<32xi32>
    %px = tile.addptr %xs, %column : !ptrs, tensor<32xi32>
    %value = tile.load %px mask %inside other %lowest : !ptrs
    %max_next = arith.maximumf %max_i, %value : tensor<32xf32>
    %shrink = arith.subf %max_i, %max_next : tensor<32xf32>
    %factor = math.exp %shrink : tensor<32xf32>
    %kept = arith.mulf %sum_i, %factor : tensor<32xf32>
    %shifted = arith.subf %value, %max_next : tensor<32xf32>
    %power = math.exp %shifted : tensor<32xf32>
    %new = arith.select %inside, %power, %zero : tensor<32xi1>, tensor<32xf32>
    %sum_next = arith.addf %kept, %new : tensor<32xf32>
    scf.yield %max_next, %sum_next : tensor<32xf32>, tensor<32xf32>
  }

  // Of the row: the largest of the maxima, and the sums scaled to it.
  %row_max = tile.reduce max %max axis 0 : tensor<32xf32>
  %row_maxs = tile.splat %row_max : f32 -> tensor<32xf32>
  %lane_shrink = arith.subf %max, %row_maxs : tensor<32xf32>
  %lane_factor = math.exp %lane_shrink : tensor<32xf32>
  %lane_sum = arith.mulf %sum, %lane_factor : tensor<32xf32>
  %row_sum = tile.reduce add %lane_sum axis 0 : tensor<32xf32>
  %row_sums = tile.splat %row_sum : f32 -> tensor<32xf32>

  scf.for %i = %c0 to %n step %c32 : i32 {
    %is = tile.splat %i : i32 -> tensor<32xi32>
    %column = arith.addi %is, %lane : tensor<32xi32>
    %inside = arith.cmpi slt, %column, %ns : tensor<32xi32>
    %px = tile.addptr %xs, %column : !ptrs, tensor<32xi32>
    %py = tile.addptr %ys, %column : !ptrs, tensor<32xi32>
    %value = tile.load %px mask %inside other %lowest : !ptrs
    %shifted = arith.subf %value, %row_maxs : tensor<32xf32>
    %power = math.exp %shifted : tensor<32xf32>
    %result = arith.divf %power, %row_sums : tensor<32xf32>
    tile.store %py, %result mask %inside : !ptrs
  }
  return
}

func.func @main(%x: memref<?x?xf32> {einsum.example_shape = array<i64: 13, 77>},
                %y: memref<?x?xf32> {einsum.example_shape = array<i64: 13, 77>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf32>
  %columns = memref.dim %x, %c1 : memref<?x?xf32>
  %n = arith.index_cast %columns : index to i32
  tile.launch @softmax grid(%rows, %c1, %c1) (%x, %y, %n)
      : memref<?x?xf32>, memref<?x?xf32>, i32
  return
}
