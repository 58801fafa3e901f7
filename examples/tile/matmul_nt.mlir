// Matrix product C = A B^T of half-precision operands of any size, summed in f32, with B
// transposed: it is N x K in memory, so its tiles are loaded as rows lie there and turned in
// registers. Masks keep the last tiles inside; what they leave out counts as 0. One of the four
// forms of the Triton-C tutorial: matmul_nn, nt, tn and tt.
//
//   build/bin/tile-run examples/tile/matmul_nt.mlir --backend=cpu --random=7 --check=interp

!half = !tile.ptr<f16>
!float = !tile.ptr<f32>
!halfs_a = tensor<64x16x!tile.ptr<f16>>
!halfs_b = tensor<32x16x!tile.ptr<f16>>
!floats_c = tensor<64x32x!tile.ptr<f32>>

func.func @matmul(%a: !half {tile.readonly}, %b: !half {tile.readonly}, %c: !float,
                  %m: i32, %n: i32, %k: i32) attributes {tile.kernel} {
  // Rows and columns of C that this program computes: rm = pm * 64 + 0 ... 64, and rn.
  %c0 = arith.constant 0 : i32
  %tm = arith.constant 64 : i32
  %tn = arith.constant 32 : i32
  %tk = arith.constant 16 : i32
  %pm = tile.program_id x
  %pn = tile.program_id y
  %m0 = arith.muli %pm, %tm : i32
  %n0 = arith.muli %pn, %tn : i32
  %m0s = tile.splat %m0 : i32 -> tensor<64xi32>
  %n0s = tile.splat %n0 : i32 -> tensor<32xi32>
  %lane_m = tile.range 0 to 64 : tensor<64xi32>
  %lane_n = tile.range 0 to 32 : tensor<32xi32>
  %rm = arith.addi %m0s, %lane_m : tensor<64xi32>
  %rn = arith.addi %n0s, %lane_n : tensor<32xi32>
  %rk = tile.range 0 to 16 : tensor<16xi32>

  // pa[64, 16] = A + rm[:, newaxis] * k + rk[newaxis, :]
  %a_row = tile.reshape %rm : tensor<64xi32> -> tensor<64x1xi32>
  %a_ld = tile.splat %k : i32 -> tensor<64x1xi32>
  %a_first = arith.muli %a_row, %a_ld : tensor<64x1xi32>
  %a_firsts = tile.broadcast %a_first : tensor<64x1xi32> -> tensor<64x16xi32>
  %a_col = tile.broadcast %rk : tensor<16xi32> -> tensor<64x16xi32>
  %a_offset = arith.addi %a_firsts, %a_col : tensor<64x16xi32>
  %a_base = tile.splat %a : !half -> !halfs_a
  %pa = tile.addptr %a_base, %a_offset : !halfs_a, tensor<64x16xi32>

  // pb[32, 16] = B + rn[:, newaxis] * k + rk[newaxis, :]
  %b_row = tile.reshape %rn : tensor<32xi32> -> tensor<32x1xi32>
  %b_ld = tile.splat %k : i32 -> tensor<32x1xi32>
  %b_first = arith.muli %b_row, %b_ld : tensor<32x1xi32>
  %b_firsts = tile.broadcast %b_first : tensor<32x1xi32> -> tensor<32x16xi32>
  %b_col = tile.broadcast %rk : tensor<16xi32> -> tensor<32x16xi32>
  %b_offset = arith.addi %b_firsts, %b_col : tensor<32x16xi32>
  %b_base = tile.splat %b : !half -> !halfs_b
  %pb = tile.addptr %b_base, %b_offset : !halfs_b, tensor<32x16xi32>

  // Which of the rows and columns are inside.
  %ms = tile.splat %m : i32 -> tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<32xi32>
  %in_m = arith.cmpi slt, %rm, %ms : tensor<64xi32>
  %in_n = arith.cmpi slt, %rn, %ns : tensor<32xi32>
  %in_m_col = tile.reshape %in_m : tensor<64xi1> -> tensor<64x1xi1>
  %in_n_col = tile.reshape %in_n : tensor<32xi1> -> tensor<32x1xi1>
  %in_a = tile.broadcast %in_m_col : tensor<64x1xi1> -> tensor<64x16xi1>
  %in_b = tile.broadcast %in_n_col : tensor<32x1xi1> -> tensor<32x16xi1>

  // for (k0 = 0; k0 < K; k0 += 16) { c += a @ ^b; advance pa and pb; }
  %a_step = tile.splat %tk : i32 -> tensor<64x16xi32>
  %b_step = tile.splat %tk : i32 -> tensor<32x16xi32>
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %sum, %pa_end, %pb_end = scf.for %k0 = %c0 to %k step %tk
      iter_args(%acc = %zero, %pa_k = %pa, %pb_k = %pb)
      -> (tensor<64x32xf32>, !halfs_a, !halfs_b) : i32 {
    %left = arith.subi %k, %k0 : i32
    %lefts = tile.splat %left : i32 -> tensor<16xi32>
    %in_k = arith.cmpi slt, %rk, %lefts : tensor<16xi32>
    %in_k_col = tile.reshape %in_k : tensor<16xi1> -> tensor<16x1xi1>
    %in_k_a = tile.broadcast %in_k : tensor<16xi1> -> tensor<64x16xi1>
    %in_k_b = tile.broadcast %in_k : tensor<16xi1> -> tensor<32x16xi1>
    %mask_a = arith.andi %in_a, %in_k_a : tensor<64x16xi1>
    %mask_b = arith.andi %in_b, %in_k_b : tensor<32x16xi1>
    %a_tile = tile.load %pa_k mask %mask_a : !halfs_a
    %b_tile = tile.load %pb_k mask %mask_b : !halfs_b
    %b_turned = tile.trans %b_tile [1, 0] : tensor<32x16xf16>
    %next = tile.dot %a_tile, %b_turned, %acc
        : tensor<64x16xf16>, tensor<16x32xf16>, tensor<64x32xf32>
    %pa_next = tile.addptr %pa_k, %a_step : !halfs_a, tensor<64x16xi32>
    %pb_next = tile.addptr %pb_k, %b_step : !halfs_b, tensor<32x16xi32>
    scf.yield %next, %pa_next, %pb_next : tensor<64x32xf32>, !halfs_a, !halfs_b
  }

  // pc[64, 32] = C + rm[:, newaxis] * n + rn[newaxis, :]
  %c_row = tile.reshape %rm : tensor<64xi32> -> tensor<64x1xi32>
  %c_ld = tile.splat %n : i32 -> tensor<64x1xi32>
  %c_first = arith.muli %c_row, %c_ld : tensor<64x1xi32>
  %c_firsts = tile.broadcast %c_first : tensor<64x1xi32> -> tensor<64x32xi32>
  %c_col = tile.broadcast %rn : tensor<32xi32> -> tensor<64x32xi32>
  %c_offset = arith.addi %c_firsts, %c_col : tensor<64x32xi32>
  %c_base = tile.splat %c : !float -> !floats_c
  %pc = tile.addptr %c_base, %c_offset : !floats_c, tensor<64x32xi32>
  %in_c_m = tile.broadcast %in_m_col : tensor<64x1xi1> -> tensor<64x32xi1>
  %in_c_n = tile.broadcast %in_n : tensor<32xi1> -> tensor<64x32xi1>
  %in_c = arith.andi %in_c_m, %in_c_n : tensor<64x32xi1>
  tile.store %pc, %sum mask %in_c : !floats_c
  return
}

func.func @main(%a: memref<?x?xf16> {einsum.example_shape = array<i64: 70, 45>},
                %b: memref<?x?xf16> {einsum.example_shape = array<i64: 53, 45>},
                %c: memref<?x?xf32> {einsum.example_shape = array<i64: 70, 53>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tm = arith.constant 64 : index
  %tn = arith.constant 32 : index
  %size_m = memref.dim %a, %c0 : memref<?x?xf16>
  %size_n = memref.dim %b, %c0 : memref<?x?xf16>
  %size_k = memref.dim %a, %c1 : memref<?x?xf16>
  %programs_m = arith.ceildivui %size_m, %tm : index
  %programs_n = arith.ceildivui %size_n, %tn : index
  %m = arith.index_cast %size_m : index to i32
  %n = arith.index_cast %size_n : index to i32
  %k = arith.index_cast %size_k : index to i32
  tile.launch @matmul grid(%programs_m, %programs_n, %c1) (%a, %b, %c, %m, %n, %k)
      : memref<?x?xf16>, memref<?x?xf16>, memref<?x?xf32>, i32, i32, i32
  return
}
