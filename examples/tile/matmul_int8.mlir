// Matrix product C = A B^T of quantised operands of any size: i8, summed in i32, so that the result
// is exact. Blocks are loaded and stored as views of memrefs: what is outside reads as 0, and is
// not written.
//
//   build/bin/tile-run examples/tile/matmul_int8.mlir --backend=cpu --random=7 --check=interp

!bytes = memref<?x?xi8>
!sums = memref<?x?xi32>

func.func @matmul(%a: !bytes {tile.readonly}, %b: !bytes {tile.readonly},
                  %c: !sums) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tm = arith.constant 64 : index
  %tn = arith.constant 32 : index
  %tk = arith.constant 16 : index
  %pm = tile.program_id x
  %pn = tile.program_id y
  %block_m = arith.index_cast %pm : i32 to index
  %block_n = arith.index_cast %pn : i32 to index
  %m = arith.muli %block_m, %tm : index
  %n = arith.muli %block_n, %tn : index
  %size_k = memref.dim %a, %c1 : !bytes
  %zero = arith.constant dense<0> : tensor<64x32xi32>
  %sum = scf.for %k = %c0 to %size_k step %tk iter_args(%acc = %zero) -> (tensor<64x32xi32>) {
    %a_tile = tile.load_view %a[%m, %k] : !bytes -> tensor<64x16xi8>
    %b_tile = tile.load_view %b[%n, %k] : !bytes -> tensor<32x16xi8>
    %b_turned = tile.trans %b_tile [1, 0] : tensor<32x16xi8>
    %next = tile.dot %a_tile, %b_turned, %acc
        : tensor<64x16xi8>, tensor<16x32xi8>, tensor<64x32xi32>
    scf.yield %next : tensor<64x32xi32>
  }
  tile.store_view %sum, %c[%m, %n] : tensor<64x32xi32>, !sums
  return
}

func.func @main(%a: !bytes {einsum.example_shape = array<i64: 70, 45>},
                %b: !bytes {einsum.example_shape = array<i64: 53, 45>},
                %c: !sums {einsum.example_shape = array<i64: 70, 53>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tm = arith.constant 64 : index
  %tn = arith.constant 32 : index
  %size_m = memref.dim %a, %c0 : !bytes
  %size_n = memref.dim %b, %c0 : !bytes
  %programs_m = arith.ceildivui %size_m, %tm : index
  %programs_n = arith.ceildivui %size_n, %tn : index
  tile.launch @matmul grid(%programs_m, %programs_n, %c1) (%a, %b, %c) : !bytes, !bytes, !sums
  return
}
