// Layer normalisation of each row of a matrix of any size, y = (x - mean) / sqrt(variance + eps) *
// weight + bias: a program for 8 rows, which it walks through three times. Blocks of memrefs are
// loaded and stored as views, which need no masks: what is outside reads as 0 and is not written.
//
//   build/bin/tile-run examples/tile/layer_norm.mlir --backend=cpu --random=7 --check=interp

!matrix = memref<?x?xf32>
!vector = memref<?xf32>
!block = tensor<8x32xf32>

func.func @layer_norm(%x: !matrix {tile.readonly}, %weight: !vector {tile.readonly},
                      %bias: !vector {tile.readonly}, %y: !matrix,
                      %eps: f32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %id = tile.program_id x
  %block = arith.index_cast %id : i32 to index
  %row = arith.muli %block, %c8 : index
  %n = memref.dim %x, %c1 : !matrix
  %n_i32 = arith.index_cast %n : index to i32
  %n_f32 = arith.sitofp %n_i32 : i32 to f32
  %length = tile.splat %n_f32 : f32 -> tensor<8xf32>
  %zero = arith.constant dense<0.0> : !block

  // mean[8] = sum(x) / n
  %sums = scf.for %j = %c0 to %n step %c32 iter_args(%acc = %zero) -> (!block) {
    %value = tile.load_view %x[%row, %j] : !matrix -> !block
    %next = arith.addf %acc, %value : !block
    scf.yield %next : !block
  }
  %sum = tile.reduce add %sums axis 1 : !block
  %mean = arith.divf %sum, %length : tensor<8xf32>
  %mean_col = tile.reshape %mean : tensor<8xf32> -> tensor<8x1xf32>
  %means = tile.broadcast %mean_col : tensor<8x1xf32> -> !block

  // variance[8] = sum((x - mean)^2) / n. Columns beyond the row read as 0, which is not the mean.
  %lane = tile.range 0 to 32 : tensor<32xi32>
  %squares = scf.for %j = %c0 to %n step %c32 iter_args(%acc = %zero) -> (!block) {
    %left = arith.subi %n, %j : index
    %left_i32 = arith.index_cast %left : index to i32
    %lefts = tile.splat %left_i32 : i32 -> tensor<32xi32>
    %inside = arith.cmpi slt, %lane, %lefts : tensor<32xi32>
    %insides = tile.broadcast %inside : tensor<32xi1> -> tensor<8x32xi1>
    %value = tile.load_view %x[%row, %j] : !matrix -> !block
    %distance = arith.subf %value, %means : !block
    %square = arith.mulf %distance, %distance : !block
    %counted = arith.select %insides, %square, %zero : tensor<8x32xi1>, !block
    %next = arith.addf %acc, %counted : !block
    scf.yield %next : !block
  }
  %square_sum = tile.reduce add %squares axis 1 : !block
  %variance = arith.divf %square_sum, %length : tensor<8xf32>
  %epss = tile.splat %eps : f32 -> tensor<8xf32>
  %shifted = arith.addf %variance, %epss : tensor<8xf32>
  %scale = math.rsqrt %shifted : tensor<8xf32>
  %scale_col = tile.reshape %scale : tensor<8xf32> -> tensor<8x1xf32>
  %scales = tile.broadcast %scale_col : tensor<8x1xf32> -> !block

  scf.for %j = %c0 to %n step %c32 {
    %value = tile.load_view %x[%row, %j] : !matrix -> !block
    %w = tile.load_view %weight[%j] : !vector -> tensor<32xf32>
    %b = tile.load_view %bias[%j] : !vector -> tensor<32xf32>
    %ws = tile.broadcast %w : tensor<32xf32> -> !block
    %bs = tile.broadcast %b : tensor<32xf32> -> !block
    %distance = arith.subf %value, %means : !block
    %normal = arith.mulf %distance, %scales : !block
    %weighted = arith.mulf %normal, %ws : !block
    %result = arith.addf %weighted, %bs : !block
    tile.store_view %result, %y[%row, %j] : !block, !matrix
  }
  return
}

func.func @main(%x: !matrix {einsum.example_shape = array<i64: 13, 77>},
                %weight: !vector {einsum.example_shape = array<i64: 77>},
                %bias: !vector {einsum.example_shape = array<i64: 77>},
                %y: !matrix {einsum.example_shape = array<i64: 13, 77>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %eps = arith.constant 1.0e-5 : f32
  %rows = memref.dim %x, %c0 : !matrix
  %programs = arith.ceildivui %rows, %c8 : index
  tile.launch @layer_norm grid(%programs, %c1, %c1) (%x, %weight, %bias, %y, %eps)
      : !matrix, !vector, !vector, !matrix, f32
  return
}
