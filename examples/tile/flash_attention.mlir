// Flash attention, forward: softmax(Q K^T / sqrt(D)) V for each sequence and head, without the
// matrix of scores ever being in memory. A program takes 32 queries and walks along keys and values
// 16 at a time; maximum, sum and result of the softmax are corrected whenever a larger score turns
// up. Sequences are of any length, heads 40 deep: in tiles of 64, what is beyond reads as 0.
//
//   build/bin/tile-run examples/tile/flash_attention.mlir --backend=cpu --random=7 --check=interp

!heads = memref<?x?x?x40xf32>

func.func @attention(%query: !heads {tile.readonly}, %key: !heads {tile.readonly},
                     %value: !heads {tile.readonly}, %out: !heads) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %px = tile.program_id x
  %py = tile.program_id y
  %pz = tile.program_id z
  %block = arith.index_cast %px : i32 to index
  %h = arith.index_cast %py : i32 to index
  %n = arith.index_cast %pz : i32 to index
  %t = arith.muli %block, %c32 : index
  %length = memref.dim %key, %c2 : !heads

  // q = Q / sqrt(40)
  %q_raw = tile.load_view %query[%n, %h, %t, %c0] axes [2, 3] : !heads -> tensor<32x64xf32>
  %scale = arith.constant dense<0.158113883> : tensor<32x64xf32>
  %q = arith.mulf %q_raw, %scale : tensor<32x64xf32>

  %lane = tile.range 0 to 16 : tensor<16xi32>
  %minus_inf = arith.constant dense<0xFF800000> : tensor<32x16xf32>
  %max_0 = arith.constant dense<0xFF800000> : tensor<32xf32>
  %sum_0 = arith.constant dense<0.0> : tensor<32xf32>
  %acc_0 = arith.constant dense<0.0> : tensor<32x64xf32>
  %no_score = arith.constant dense<0.0> : tensor<32x16xf32>
  %max, %sum, %acc = scf.for %s = %c0 to %length step %c16
      iter_args(%max_s = %max_0, %sum_s = %sum_0, %acc_s = %acc_0)
      -> (tensor<32xf32>, tensor<32xf32>, tensor<32x64xf32>) {
    // Scores of 16 keys; those beyond the last one are -inf, and weigh nothing.
    %k = tile.load_view %key[%n, %h, %s, %c0] axes [2, 3] : !heads -> tensor<16x64xf32>
    %k_turned = tile.trans %k [1, 0] : tensor<16x64xf32>
    %all_scores = tile.dot %q, %k_turned, %no_score
        : tensor<32x64xf32>, tensor<64x16xf32>, tensor<32x16xf32>
    %left = arith.subi %length, %s : index
    %left_i32 = arith.index_cast %left : index to i32
    %lefts = tile.splat %left_i32 : i32 -> tensor<16xi32>
    %inside = arith.cmpi slt, %lane, %lefts : tensor<16xi32>
    %insides = tile.broadcast %inside : tensor<16xi1> -> tensor<32x16xi1>
    %scores = arith.select %insides, %all_scores, %minus_inf
        : tensor<32x16xi1>, tensor<32x16xf32>

    // weights = exp(scores - max_next[:, newaxis])
    %largest = tile.reduce max %scores axis 1 : tensor<32x16xf32>
    %max_next = arith.maximumf %max_s, %largest : tensor<32xf32>
    %max_col = tile.reshape %max_next : tensor<32xf32> -> tensor<32x1xf32>
    %maxs = tile.broadcast %max_col : tensor<32x1xf32> -> tensor<32x16xf32>
    %shifted = arith.subf %scores, %maxs : tensor<32x16xf32>
    %weights = math.exp %shifted : tensor<32x16xf32>

    // What was summed so far was relative to the maximum so far.
    %growth = arith.subf %max_s, %max_next : tensor<32xf32>
    %factor = math.exp %growth : tensor<32xf32>
    %sum_kept = arith.mulf %sum_s, %factor : tensor<32xf32>
    %sum_new = tile.reduce add %weights axis 1 : tensor<32x16xf32>
    %sum_next = arith.addf %sum_kept, %sum_new : tensor<32xf32>
    %factor_col = tile.reshape %factor : tensor<32xf32> -> tensor<32x1xf32>
    %factors = tile.broadcast %factor_col : tensor<32x1xf32> -> tensor<32x64xf32>
    %acc_kept = arith.mulf %acc_s, %factors : tensor<32x64xf32>
    %v = tile.load_view %value[%n, %h, %s, %c0] axes [2, 3] : !heads -> tensor<16x64xf32>
    %acc_next = tile.dot %weights, %v, %acc_kept
        : tensor<32x16xf32>, tensor<16x64xf32>, tensor<32x64xf32>
    scf.yield %max_next, %sum_next, %acc_next : tensor<32xf32>, tensor<32xf32>, tensor<32x64xf32>
  }

  %sum_col = tile.reshape %sum : tensor<32xf32> -> tensor<32x1xf32>
  %sums = tile.broadcast %sum_col : tensor<32x1xf32> -> tensor<32x64xf32>
  %result = arith.divf %acc, %sums : tensor<32x64xf32>
  tile.store_view %result, %out[%n, %h, %t, %c0] axes [2, 3] : tensor<32x64xf32>, !heads
  return
}

func.func @main(%query: !heads {einsum.example_shape = array<i64: 2, 2, 37, 40>},
                %key: !heads {einsum.example_shape = array<i64: 2, 2, 61, 40>},
                %value: !heads {einsum.example_shape = array<i64: 2, 2, 61, 40>},
                %out: !heads {einsum.example_shape = array<i64: 2, 2, 37, 40>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %size_n = memref.dim %query, %c0 : !heads
  %size_h = memref.dim %query, %c1 : !heads
  %size_t = memref.dim %query, %c2 : !heads
  %programs = arith.ceildivui %size_t, %c32 : index
  tile.launch @attention grid(%programs, %size_h, %size_n) (%query, %key, %value, %out)
      : !heads, !heads, !heads, !heads
  return
}
