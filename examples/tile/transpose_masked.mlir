// Transposition Y = X^T of any size: as transpose.mlir, but with masks, Triton-C's conditional
// dereferencing, because the last tiles reach over the edges of the matrix. After the Triton-C
// tutorial.
//
//   build/bin/tile-run examples/tile/transpose_masked.mlir --backend=cpu --random=7 --check=interp

func.func @transpose(%x: !tile.ptr<f32> {tile.readonly}, %y: !tile.ptr<f32>,
                     %m: i32, %n: i32) attributes {tile.kernel} {
  // rm = 32 * program_id(x) + 0 ... 32, rn = 16 * program_id(y) + 0 ... 16
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %pm = tile.program_id x
  %pn = tile.program_id y
  %m0 = arith.muli %pm, %c32 : i32
  %n0 = arith.muli %pn, %c16 : i32
  %m0s = tile.splat %m0 : i32 -> tensor<32xi32>
  %n0s = tile.splat %n0 : i32 -> tensor<16xi32>
  %lane_m = tile.range 0 to 32 : tensor<32xi32>
  %lane_n = tile.range 0 to 16 : tensor<16xi32>
  %rm = arith.addi %m0s, %lane_m : tensor<32xi32>
  %rn = arith.addi %n0s, %lane_n : tensor<16xi32>

  // px[32, 16] = X + rm[:, newaxis] * n + rn[newaxis, :]
  %rm_col = tile.reshape %rm : tensor<32xi32> -> tensor<32x1xi32>
  %ldxs = tile.splat %n : i32 -> tensor<32x1xi32>
  %rows_x = arith.muli %rm_col, %ldxs : tensor<32x1xi32>
  %row_x = tile.broadcast %rows_x : tensor<32x1xi32> -> tensor<32x16xi32>
  %col_x = tile.broadcast %rn : tensor<16xi32> -> tensor<32x16xi32>
  %off_x = arith.addi %row_x, %col_x : tensor<32x16xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x16x!tile.ptr<f32>>
  %px = tile.addptr %xs, %off_x : tensor<32x16x!tile.ptr<f32>>, tensor<32x16xi32>

  // py[16, 32] = Y + rn[:, newaxis] * m + rm[newaxis, :]
  %rn_col = tile.reshape %rn : tensor<16xi32> -> tensor<16x1xi32>
  %ldys = tile.splat %m : i32 -> tensor<16x1xi32>
  %rows_y = arith.muli %rn_col, %ldys : tensor<16x1xi32>
  %row_y = tile.broadcast %rows_y : tensor<16x1xi32> -> tensor<16x32xi32>
  %col_y = tile.broadcast %rm : tensor<32xi32> -> tensor<16x32xi32>
  %off_y = arith.addi %row_y, %col_y : tensor<16x32xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<16x32x!tile.ptr<f32>>
  %py = tile.addptr %ys, %off_y : tensor<16x32x!tile.ptr<f32>>, tensor<16x32xi32>

  // checkx[32, 16] = (rm[:, newaxis] < m) && (rn[newaxis, :] < n), checky its transpose
  %ms = tile.splat %m : i32 -> tensor<32xi32>
  %ns = tile.splat %n : i32 -> tensor<16xi32>
  %in_m = arith.cmpi slt, %rm, %ms : tensor<32xi32>
  %in_n = arith.cmpi slt, %rn, %ns : tensor<16xi32>
  %in_m_col = tile.reshape %in_m : tensor<32xi1> -> tensor<32x1xi1>
  %in_row = tile.broadcast %in_m_col : tensor<32x1xi1> -> tensor<32x16xi1>
  %in_col = tile.broadcast %in_n : tensor<16xi1> -> tensor<32x16xi1>
  %check_x = arith.andi %in_row, %in_col : tensor<32x16xi1>
  %check_y = tile.trans %check_x [1, 0] : tensor<32x16xi1>

  // *?(checky)py = ^(*?(checkx)px)
  %tile = tile.load %px mask %check_x : tensor<32x16x!tile.ptr<f32>>
  %turned = tile.trans %tile [1, 0] : tensor<32x16xf32>
  tile.store %py, %turned mask %check_y : tensor<16x32x!tile.ptr<f32>>
  return
}

func.func @main(%x: memref<?x?xf32> {einsum.example_shape = array<i64: 70, 45>},
                %y: memref<?x?xf32> {einsum.example_shape = array<i64: 45, 70>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf32>
  %columns = memref.dim %x, %c1 : memref<?x?xf32>
  %programs_m = arith.ceildivui %rows, %c32 : index
  %programs_n = arith.ceildivui %columns, %c16 : index
  %m = arith.index_cast %rows : index to i32
  %n = arith.index_cast %columns : index to i32
  tile.launch @transpose grid(%programs_m, %programs_n, %c1) (%x, %y, %m, %n)
      : memref<?x?xf32>, memref<?x?xf32>, i32, i32
  return
}
