// Matrix product added to what is in C, C += A B, for few rows and columns but a large K: the grid
// also splits K, so that there are enough programs, and each adds its part to C atomically. Sizes
// are any.
//
//   build/bin/tile-run examples/tile/matmul_split_k.mlir --backend=cpu --random=7 --check=interp

!ptr = !tile.ptr<f32>
!ptrs_a = tensor<32x8x!tile.ptr<f32>>
!ptrs_b = tensor<8x16x!tile.ptr<f32>>
!ptrs_c = tensor<32x16x!tile.ptr<f32>>

func.func @matmul(%a: !ptr {tile.readonly}, %b: !ptr {tile.readonly}, %c: !ptr,
                  %m: i32, %n: i32, %k: i32) attributes {tile.kernel} {
  // Rows and columns of C that this program computes: rm = pm * 32 + 0 ... 32, and rn.
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

  // The part of K of this program: from k_first up to k_end, in steps of 8.
  %pk = tile.program_id z
  %parts = tile.num_programs z
  %steps = arith.ceildivui %k, %tk : i32
  %part_steps = arith.ceildivui %steps, %parts : i32
  %part = arith.muli %part_steps, %tk : i32
  %k_first = arith.muli %pk, %part : i32
  %k_next = arith.addi %k_first, %part : i32
  %k_end = arith.minsi %k_next, %k : i32
  %lane_k = tile.range 0 to 8 : tensor<8xi32>
  %k_firsts = tile.splat %k_first : i32 -> tensor<8xi32>
  %rk = arith.addi %k_firsts, %lane_k : tensor<8xi32>

  // pa[32, 8] = A + rm[:, newaxis] * k + rk[newaxis, :]
  %a_row = tile.reshape %rm : tensor<32xi32> -> tensor<32x1xi32>
  %a_ld = tile.splat %k : i32 -> tensor<32x1xi32>
  %a_first = arith.muli %a_row, %a_ld : tensor<32x1xi32>
  %a_firsts = tile.broadcast %a_first : tensor<32x1xi32> -> tensor<32x8xi32>
  %a_col = tile.broadcast %rk : tensor<8xi32> -> tensor<32x8xi32>
  %a_offset = arith.addi %a_firsts, %a_col : tensor<32x8xi32>
  %a_base = tile.splat %a : !ptr -> !ptrs_a
  %pa = tile.addptr %a_base, %a_offset : !ptrs_a, tensor<32x8xi32>

  // pb[8, 16] = B + rk[:, newaxis] * n + rn[newaxis, :]
  %b_row = tile.reshape %rk : tensor<8xi32> -> tensor<8x1xi32>
  %b_ld = tile.splat %n : i32 -> tensor<8x1xi32>
  %b_first = arith.muli %b_row, %b_ld : tensor<8x1xi32>
  %b_firsts = tile.broadcast %b_first : tensor<8x1xi32> -> tensor<8x16xi32>
  %b_col = tile.broadcast %rn : tensor<16xi32> -> tensor<8x16xi32>
  %b_offset = arith.addi %b_firsts, %b_col : tensor<8x16xi32>
  %b_base = tile.splat %b : !ptr -> !ptrs_b
  %pb = tile.addptr %b_base, %b_offset : !ptrs_b, tensor<8x16xi32>

  // Which of the rows and columns are inside.
  %ms = tile.splat %m : i32 -> tensor<32xi32>
  %ns = tile.splat %n : i32 -> tensor<16xi32>
  %in_m = arith.cmpi slt, %rm, %ms : tensor<32xi32>
  %in_n = arith.cmpi slt, %rn, %ns : tensor<16xi32>
  %in_m_col = tile.reshape %in_m : tensor<32xi1> -> tensor<32x1xi1>
  %in_a = tile.broadcast %in_m_col : tensor<32x1xi1> -> tensor<32x8xi1>
  %in_b = tile.broadcast %in_n : tensor<16xi1> -> tensor<8x16xi1>

  // for (k0 = k_first; k0 < k_end; k0 += 8) { c += *pa @ *pb; pa += 8; pb += 8 * n; }
  %a_step = tile.splat %tk : i32 -> tensor<32x8xi32>
  %b_skip = arith.muli %tk, %n : i32
  %b_step = tile.splat %b_skip : i32 -> tensor<8x16xi32>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %sum, %pa_end, %pb_end = scf.for %k0 = %k_first to %k_end step %tk
      iter_args(%acc = %zero, %pa_k = %pa, %pb_k = %pb)
      -> (tensor<32x16xf32>, !ptrs_a, !ptrs_b) : i32 {
    %left = arith.subi %k_end, %k0 : i32
    %lefts = tile.splat %left : i32 -> tensor<8xi32>
    %in_k = arith.cmpi slt, %lane_k, %lefts : tensor<8xi32>
    %in_k_col = tile.reshape %in_k : tensor<8xi1> -> tensor<8x1xi1>
    %in_k_a = tile.broadcast %in_k : tensor<8xi1> -> tensor<32x8xi1>
    %in_k_b = tile.broadcast %in_k_col : tensor<8x1xi1> -> tensor<8x16xi1>
    %mask_a = arith.andi %in_a, %in_k_a : tensor<32x8xi1>
    %mask_b = arith.andi %in_b, %in_k_b : tensor<8x16xi1>
    %a_tile = tile.load %pa_k mask %mask_a : !ptrs_a
    %b_tile = tile.load %pb_k mask %mask_b : !ptrs_b
    %next = tile.dot %a_tile, %b_tile, %acc
        : tensor<32x8xf32>, tensor<8x16xf32>, tensor<32x16xf32>
    %pa_next = tile.addptr %pa_k, %a_step : !ptrs_a, tensor<32x8xi32>
    %pb_next = tile.addptr %pb_k, %b_step : !ptrs_b, tensor<8x16xi32>
    scf.yield %next, %pa_next, %pb_next : tensor<32x16xf32>, !ptrs_a, !ptrs_b
  }

  // pc[32, 16] = C + rm[:, newaxis] * n + rn[newaxis, :]
  %c_row = tile.reshape %rm : tensor<32xi32> -> tensor<32x1xi32>
  %c_ld = tile.splat %n : i32 -> tensor<32x1xi32>
  %c_first = arith.muli %c_row, %c_ld : tensor<32x1xi32>
  %c_firsts = tile.broadcast %c_first : tensor<32x1xi32> -> tensor<32x16xi32>
  %c_col = tile.broadcast %rn : tensor<16xi32> -> tensor<32x16xi32>
  %c_offset = arith.addi %c_firsts, %c_col : tensor<32x16xi32>
  %c_base = tile.splat %c : !ptr -> !ptrs_c
  %pc = tile.addptr %c_base, %c_offset : !ptrs_c, tensor<32x16xi32>
  %in_c_m = tile.broadcast %in_m_col : tensor<32x1xi1> -> tensor<32x16xi1>
  %in_c_n = tile.broadcast %in_n : tensor<16xi1> -> tensor<32x16xi1>
  %in_c = arith.andi %in_c_m, %in_c_n : tensor<32x16xi1>
  %before = tile.atomic_rmw add %pc, %sum mask %in_c : !ptrs_c
  return
}

func.func @main(%a: memref<?x?xf32> {einsum.example_shape = array<i64: 37, 203>},
                %b: memref<?x?xf32> {einsum.example_shape = array<i64: 203, 29>},
                %c: memref<?x?xf32> {einsum.example_shape = array<i64: 37, 29>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tm = arith.constant 32 : index
  %tn = arith.constant 16 : index
  %size_m = memref.dim %a, %c0 : memref<?x?xf32>
  %size_n = memref.dim %b, %c1 : memref<?x?xf32>
  %size_k = memref.dim %a, %c1 : memref<?x?xf32>
  %programs_m = arith.ceildivui %size_m, %tm : index
  %programs_n = arith.ceildivui %size_n, %tn : index
  %m = arith.index_cast %size_m : index to i32
  %n = arith.index_cast %size_n : index to i32
  %k = arith.index_cast %size_k : index to i32
  %parts = arith.constant 3 : index
  tile.launch @matmul grid(%programs_m, %programs_n, %parts) (%a, %b, %c, %m, %n, %k)
      : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>, i32, i32, i32
  return
}
