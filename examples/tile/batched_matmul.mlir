// Batched matrix product of attention heads, "nths, hes -> nhte": for each sequence n and head h
// the queries, T x S, times the keys of the head, E x S, transposed. Operands are bf16, sums f32.
// Blocks are loaded as views of memrefs with four and three axes; what is outside reads as 0. After
// Philippe Tillet's post on extended tensor contractions.
//
//   build/bin/tile-run examples/tile/batched_matmul.mlir --backend=cpu --random=7 --check=interp

!queries = memref<?x?x?x?xbf16>
!keys = memref<?x?x?xbf16>
!scores = memref<?x?x?x?xf32>

func.func @scores(%query: !queries {tile.readonly}, %key: !keys {tile.readonly},
                  %score: !scores) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %tt = arith.constant 64 : index
  %te = arith.constant 32 : index
  %ts = arith.constant 16 : index

  // This program's tile of the scores, and its sequence and head, which share the grid's axis z.
  %px = tile.program_id x
  %py = tile.program_id y
  %pz = tile.program_id z
  %block_t = arith.index_cast %px : i32 to index
  %block_e = arith.index_cast %py : i32 to index
  %batch = arith.index_cast %pz : i32 to index
  %t = arith.muli %block_t, %tt : index
  %e = arith.muli %block_e, %te : index
  %heads = memref.dim %query, %c2 : !queries
  %n = arith.divui %batch, %heads : index
  %h = arith.remui %batch, %heads : index

  %size_s = memref.dim %query, %c3 : !queries
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %sum = scf.for %s = %c0 to %size_s step %ts iter_args(%acc = %zero) -> (tensor<64x32xf32>) {
    %q = tile.load_view %query[%n, %t, %h, %s] axes [1, 3] : !queries -> tensor<64x16xbf16>
    %k = tile.load_view %key[%h, %e, %s] axes [1, 2] : !keys -> tensor<32x16xbf16>
    %k_turned = tile.trans %k [1, 0] : tensor<32x16xbf16>
    %next = tile.dot %q, %k_turned, %acc
        : tensor<64x16xbf16>, tensor<16x32xbf16>, tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  tile.store_view %sum, %score[%n, %h, %t, %e] axes [2, 3] : tensor<64x32xf32>, !scores
  return
}

func.func @main(%query: !queries {einsum.example_shape = array<i64: 2, 70, 3, 40>},
                %key: !keys {einsum.example_shape = array<i64: 3, 37, 40>},
                %score: !scores {einsum.example_shape = array<i64: 2, 3, 70, 37>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %tt = arith.constant 64 : index
  %te = arith.constant 32 : index
  %size_n = memref.dim %query, %c0 : !queries
  %size_t = memref.dim %query, %c1 : !queries
  %size_h = memref.dim %query, %c2 : !queries
  %size_e = memref.dim %key, %c1 : !keys
  %programs_t = arith.ceildivui %size_t, %tt : index
  %programs_e = arith.ceildivui %size_e, %te : index
  %batches = arith.muli %size_n, %size_h : index
  tile.launch @scores grid(%programs_t, %programs_e, %batches) (%query, %key, %score)
      : !queries, !keys, !scores
  return
}
