// Matrix product C = A B in its plainest form, without masks: M, N and K are multiples of the
// tile's 32, 16 and 8. Each program computes a tile of C; it walks along K by advancing tiles of
// pointers. tile.multiple_of tells that rows start at aligned addresses. After the Triton-C
// tutorial.
//
//   build/bin/tile-run examples/tile/matmul.mlir --backend=cpu --random=7 --check=interp

!ptr = !tile.ptr<f32>
!ptrs_a = tensor<32x8x!tile.ptr<f32>>
!ptrs_b = tensor<8x16x!tile.ptr<f32>>
!ptrs_c = tensor<32x16x!tile.ptr<f32>>

func.func @matmul(%a: !ptr {tile.readonly}, %b: !ptr {tile.readonly}, %c: !ptr, %k: i32,
                  %lda: i32 {tile.multiple_of = 8 : i64},
                  %ldb: i32 {tile.multiple_of = 8 : i64},
                  %ldc: i32 {tile.multiple_of = 8 : i64}) attributes {tile.kernel} {
  // Rows and columns of C that this program computes: rm = pm * 32 + 0 ... 32, and rn.
  %c0 = arith.constant 0 : i32
  %tm = arith.constant 32 : i32
  %tn = arith.constant 16 : i32
  %tk = arith.constant 8 : i32
  %pm = tile.program_id x
  %pn = tile.program_id y
  %m0 = arith.muli %pm, %tm : i32
  %n0 = arith.muli %pn, %tn : i32
  %m0s = tile.splat %m0 : i32 -> tensor<32xi32>
  %n0s = tile.splat %n0 : i32 -> tensor<16xi32>
  %lane_m = tile.range 0 to 32 : tensor<32xi32>
  %lane_n = tile.range 0 to 16 : tensor<16xi32>
  %rm = arith.addi %m0s, %lane_m : tensor<32xi32>
  %rn = arith.addi %n0s, %lane_n : tensor<16xi32>
  %rk = tile.range 0 to 8 : tensor<8xi32>

  // pa[32, 8] = A + rm[:, newaxis] * lda + rk[newaxis, :]
  %a_row = tile.reshape %rm : tensor<32xi32> -> tensor<32x1xi32>
  %a_ld = tile.splat %lda : i32 -> tensor<32x1xi32>
  %a_first = arith.muli %a_row, %a_ld : tensor<32x1xi32>
  %a_firsts = tile.broadcast %a_first : tensor<32x1xi32> -> tensor<32x8xi32>
  %a_col = tile.broadcast %rk : tensor<8xi32> -> tensor<32x8xi32>
  %a_offset = arith.addi %a_firsts, %a_col : tensor<32x8xi32>
  %a_base = tile.splat %a : !ptr -> !ptrs_a
  %pa = tile.addptr %a_base, %a_offset : !ptrs_a, tensor<32x8xi32>

  // pb[8, 16] = B + rk[:, newaxis] * ldb + rn[newaxis, :]
  %b_row = tile.reshape %rk : tensor<8xi32> -> tensor<8x1xi32>
  %b_ld = tile.splat %ldb : i32 -> tensor<8x1xi32>
  %b_first = arith.muli %b_row, %b_ld : tensor<8x1xi32>
  %b_firsts = tile.broadcast %b_first : tensor<8x1xi32> -> tensor<8x16xi32>
  %b_col = tile.broadcast %rn : tensor<16xi32> -> tensor<8x16xi32>
  %b_offset = arith.addi %b_firsts, %b_col : tensor<8x16xi32>
  %b_base = tile.splat %b : !ptr -> !ptrs_b
  %pb = tile.addptr %b_base, %b_offset : !ptrs_b, tensor<8x16xi32>

  // for (k0 = 0; k0 < K; k0 += 8) { c += *pa @ *pb; pa += 8; pb += 8 * ldb; }
  %a_step = tile.splat %tk : i32 -> tensor<32x8xi32>
  %b_skip = arith.muli %tk, %ldb : i32
  %b_step = tile.splat %b_skip : i32 -> tensor<8x16xi32>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %sum, %pa_end, %pb_end = scf.for %k0 = %c0 to %k step %tk
      iter_args(%acc = %zero, %pa_k = %pa, %pb_k = %pb)
      -> (tensor<32x16xf32>, !ptrs_a, !ptrs_b) : i32 {
    %a_tile = tile.load %pa_k : !ptrs_a
    %b_tile = tile.load %pb_k : !ptrs_b
    %next = tile.dot %a_tile, %b_tile, %acc
        : tensor<32x8xf32>, tensor<8x16xf32>, tensor<32x16xf32>
    %pa_next = tile.addptr %pa_k, %a_step : !ptrs_a, tensor<32x8xi32>
    %pb_next = tile.addptr %pb_k, %b_step : !ptrs_b, tensor<8x16xi32>
    scf.yield %next, %pa_next, %pb_next : tensor<32x16xf32>, !ptrs_a, !ptrs_b
  }

  // pc[32, 16] = C + rm[:, newaxis] * ldc + rn[newaxis, :]
  %c_row = tile.reshape %rm : tensor<32xi32> -> tensor<32x1xi32>
  %c_ld = tile.splat %ldc : i32 -> tensor<32x1xi32>
  %c_first = arith.muli %c_row, %c_ld : tensor<32x1xi32>
  %c_firsts = tile.broadcast %c_first : tensor<32x1xi32> -> tensor<32x16xi32>
  %c_col = tile.broadcast %rn : tensor<16xi32> -> tensor<32x16xi32>
  %c_offset = arith.addi %c_firsts, %c_col : tensor<32x16xi32>
  %c_base = tile.splat %c : !ptr -> !ptrs_c
  %pc = tile.addptr %c_base, %c_offset : !ptrs_c, tensor<32x16xi32>
  tile.store %pc, %sum : !ptrs_c
  return
}

func.func @main(%a: memref<64x40xf32>,
                %b: memref<40x48xf32>,
                %c: memref<64x48xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tm = arith.constant 32 : index
  %tn = arith.constant 16 : index
  %size_m = memref.dim %a, %c0 : memref<64x40xf32>
  %size_n = memref.dim %b, %c1 : memref<40x48xf32>
  %size_k = memref.dim %a, %c1 : memref<64x40xf32>
  %programs_m = arith.ceildivui %size_m, %tm : index
  %programs_n = arith.ceildivui %size_n, %tn : index
  %m = arith.index_cast %size_m : index to i32
  %n = arith.index_cast %size_n : index to i32
  %k = arith.index_cast %size_k : index to i32
  tile.launch @matmul grid(%programs_m, %programs_n, %c1) (%a, %b, %c, %k, %k, %n, %n)
      : memref<64x40xf32>, memref<40x48xf32>, memref<64x48xf32>, i32, i32, i32, i32
  return
}
