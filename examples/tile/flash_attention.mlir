// Flash attention, forward: softmax(Q K^T / sqrt(64)) V for each sequence and head, without the
// matrix of scores ever being in memory, in f16 with sums of f32. A program takes 128 queries and
// walks along keys and values 64 at a time; maximum, sum and result of the softmax are corrected
// whenever a larger score turns up. From sm_80 on each warp has whole rows of the scores, and these
// become an operand of the second product in its registers.
//
// Sequences are of any length, and a head of keys and values serves one or more of queries. Query i
// sees the keys before i + visible: in @main all of them, in @causal none after its own, if the last
// query belongs to the last key. Heads of 128 are other types and another scale. Where a thread's
// registers are too few for warps of 32 queries, these have 16.
//
//   build/bin/tile-run examples/tile/flash_attention.mlir --backend=sim --chip=sm_80 --random=7 --check=interp

!heads = memref<?x?x?x64xf16>
!queries = tensor<128x64xf16>
!keys = tensor<64x64xf16>
!keys_t = tensor<64x64xf16>
!result = tensor<128x64xf32>
!scores = tensor<128x64xf32>
!weights = tensor<128x64xf16>
!where = tensor<128x64xi32>
!row = tensor<128xf32>

func.func @attention(%query: !heads {tile.readonly, tile.noalias},
                     %key: !heads {tile.readonly, tile.noalias},
                     %value: !heads {tile.readonly, tile.noalias},
                     %out: !heads {tile.noalias}, %visible: i32)
    attributes {tile.kernel, tile.config = #tile.config<warp=32x64 stages=2>,
                nvvm.maxnreg = 224 : i32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c127_i32 = arith.constant 127 : i32
  %c128_i32 = arith.constant 128 : i32
  %c64_i32 = arith.constant 64 : i32
  %px = tile.program_id x
  %py = tile.program_id y
  %pz = tile.program_id z
  %first = arith.muli %px, %c128_i32 : i32
  %t = arith.index_cast %first : i32 to index
  %h = arith.index_cast %py : i32 to index
  %n = arith.index_cast %pz : i32 to index
  %heads = memref.dim %query, %c1 : !heads
  %heads_kv = memref.dim %key, %c1 : !heads
  %group = arith.divui %heads, %heads_kv : index
  %h_kv = arith.divui %h, %group : index
  %length = memref.dim %key, %c2 : !heads
  %length_i32 = arith.index_cast %length : index to i32

  // Row r sees the keys before ends[r], the first one those before whole, the last one end.
  %row = tile.range 0 to 128 : tensor<128xi32>
  %first_end = arith.addi %first, %visible : i32
  %first_ends = tile.splat %first_end : i32 -> tensor<128xi32>
  %ends = arith.addi %first_ends, %row : tensor<128xi32>
  %last_end = arith.addi %first_end, %c127_i32 : i32
  %whole = arith.minsi %first_end, %length_i32 : i32
  %end_i32 = arith.minsi %last_end, %length_i32 : i32
  %end = arith.index_cast %end_i32 : i32 to index

  // exp(s / sqrt(64)) = exp2(s scale)
  %scale = arith.constant 0.18033688 : f32
  %scales = tile.splat %scale : f32 -> !scores
  %row_scales = tile.splat %scale : f32 -> !row
  %minus_inf = arith.constant dense<0xFF800000> : !scores
  // Finite, so that rows that see no key do not give inf - inf.
  %max_0 = arith.constant dense<-1.0e30> : !row
  %sum_0 = arith.constant dense<0.0> : !row
  %acc_0 = arith.constant dense<0.0> : !result
  %no_score = arith.constant dense<0.0> : !scores

  %q = tile.load_view %query[%n, %h, %t, %c0] axes [2, 3] : !heads -> !queries
  %max, %sum, %acc = scf.for %s = %c0 to %end step %c64
      iter_args(%max_s = %max_0, %sum_s = %sum_0, %acc_s = %acc_0) -> (!row, !row, !result) {
    %k = tile.load_view %key[%n, %h_kv, %s, %c0] axes [2, 3] : !heads -> !keys
    %k_turned = tile.trans %k [1, 0] : !keys
    %all_scores = tile.dot %q, %k_turned, %no_score : !queries, !keys_t, !scores

    // Few steps have keys that some row does not see.
    %s_i32 = arith.index_cast %s : index to i32
    %s_end = arith.addi %s_i32, %c64_i32 : i32
    %is_whole = arith.cmpi sle, %s_end, %whole : i32
    %scores = scf.if %is_whole -> !scores {
      scf.yield %all_scores : !scores
    } else {
      %lengths = tile.splat %length_i32 : i32 -> tensor<128xi32>
      %seen = arith.minsi %ends, %lengths : tensor<128xi32>
      %ss = tile.splat %s_i32 : i32 -> tensor<128xi32>
      %left = arith.subi %seen, %ss : tensor<128xi32>
      %left_col = tile.reshape %left : tensor<128xi32> -> tensor<128x1xi32>
      %lefts = tile.broadcast %left_col : tensor<128x1xi32> -> !where
      %lane = tile.range 0 to 64 : tensor<64xi32>
      %lanes = tile.broadcast %lane : tensor<64xi32> -> !where
      %is_seen = arith.cmpi slt, %lanes, %lefts : !where
      %some = arith.select %is_seen, %all_scores, %minus_inf : tensor<128x64xi1>, !scores
      scf.yield %some : !scores
    }

    // weights = exp2((scores - max_next[:, newaxis]) scale)
    %largest = tile.reduce max %scores axis 1 : !scores
    %max_next = arith.maximumf %max_s, %largest : !row
    %max_scaled = arith.mulf %max_next, %row_scales : !row
    %shift = arith.negf %max_scaled : !row
    %shift_col = tile.reshape %shift : !row -> tensor<128x1xf32>
    %shifts = tile.broadcast %shift_col : tensor<128x1xf32> -> !scores
    %powers = math.fma %scores, %scales, %shifts : !scores
    %weights = math.exp2 %powers fastmath<afn> : !scores

    // What was summed so far was relative to the maximum so far.
    %growth = arith.subf %max_s, %max_next : !row
    %growth_scaled = arith.mulf %growth, %row_scales : !row
    %factor = math.exp2 %growth_scaled fastmath<afn> : !row
    %sum_kept = arith.mulf %sum_s, %factor : !row
    %sum_new = tile.reduce add %weights axis 1 : !scores
    %sum_next = arith.addf %sum_kept, %sum_new : !row
    %factor_col = tile.reshape %factor : !row -> tensor<128x1xf32>
    %factors = tile.broadcast %factor_col : tensor<128x1xf32> -> !result
    %acc_kept = arith.mulf %acc_s, %factors : !result
    %rounded = arith.truncf %weights : !scores to !weights
    %v = tile.load_view %value[%n, %h_kv, %s, %c0] axes [2, 3] : !heads -> !keys
    %acc_next = tile.dot %rounded, %v, %acc_kept : !weights, !keys, !result
    scf.yield %max_next, %sum_next, %acc_next : !row, !row, !result
  }

  // Rows that see no key are 0.
  %tiny = arith.constant dense<1.0e-30> : !row
  %divisor = arith.maximumf %sum, %tiny : !row
  %one = arith.constant dense<1.0> : !row
  %inverse = arith.divf %one, %divisor : !row
  %inverse_col = tile.reshape %inverse : !row -> tensor<128x1xf32>
  %inverses = tile.broadcast %inverse_col : tensor<128x1xf32> -> !result
  %quotient = arith.mulf %acc, %inverses : !result
  %result = arith.truncf %quotient : !result to !queries
  tile.store_view %result, %out[%n, %h, %t, %c0] axes [2, 3] : !queries, !heads
  return
}

func.func private @launch(%query: !heads, %key: !heads, %value: !heads, %out: !heads,
                          %visible: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %size_n = memref.dim %query, %c0 : !heads
  %size_h = memref.dim %query, %c1 : !heads
  %size_t = memref.dim %query, %c2 : !heads
  %programs = arith.ceildivui %size_t, %c128 : index
  %visible_i32 = arith.index_cast %visible : index to i32
  tile.launch @attention grid(%programs, %size_h, %size_n)
      (%query, %key, %value, %out, %visible_i32) : !heads, !heads, !heads, !heads, i32
  return
}

func.func @main(%query: !heads {einsum.example_shape = array<i64: 2, 4, 37, 64>},
                %key: !heads {einsum.example_shape = array<i64: 2, 2, 161, 64>},
                %value: !heads {einsum.example_shape = array<i64: 2, 2, 161, 64>},
                %out: !heads {einsum.example_shape = array<i64: 2, 4, 37, 64>}) {
  %c2 = arith.constant 2 : index
  %size_s = memref.dim %key, %c2 : !heads
  call @launch(%query, %key, %value, %out, %size_s) : (!heads, !heads, !heads, !heads, index) -> ()
  return
}

func.func @causal(%query: !heads {einsum.example_shape = array<i64: 1, 2, 150, 64>},
                  %key: !heads {einsum.example_shape = array<i64: 1, 1, 161, 64>},
                  %value: !heads {einsum.example_shape = array<i64: 1, 1, 161, 64>},
                  %out: !heads {einsum.example_shape = array<i64: 1, 2, 150, 64>}) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %size_t = memref.dim %query, %c2 : !heads
  %size_s = memref.dim %key, %c2 : !heads
  %before = arith.subi %size_s, %size_t : index
  %visible = arith.addi %before, %c1 : index
  call @launch(%query, %key, %value, %out, %visible) : (!heads, !heads, !heads, !heads, index) -> ()
  return
}
