// Prefix sums of each row of a matrix of integers, of any size: a program per row, which scans 32
// elements at a time and carries the sum so far along.
//
//   build/bin/tile-run examples/tile/prefix_sum.mlir --backend=cpu --random=7 --check=interp

!matrix = memref<?x?xi32>

func.func @prefix_sum(%x: !matrix {tile.readonly}, %y: !matrix) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0 : i32
  %id = tile.program_id x
  %row = arith.index_cast %id : i32 to index
  %n = memref.dim %x, %c1 : !matrix
  %total = scf.for %j = %c0 to %n step %c32 iter_args(%carry = %zero) -> (i32) {
    %value = tile.load_view %x[%row, %j] axes [1] : !matrix -> tensor<32xi32>
    %sums = tile.scan add %value axis 0 : tensor<32xi32>
    %carries = tile.splat %carry : i32 -> tensor<32xi32>
    %result = arith.addi %sums, %carries : tensor<32xi32>
    tile.store_view %result, %y[%row, %j] axes [1] : tensor<32xi32>, !matrix
    %sum = tile.reduce add %value axis 0 : tensor<32xi32>
    %next = arith.addi %carry, %sum : i32
    scf.yield %next : i32
  }
  return
}

func.func @main(%x: !matrix {einsum.example_shape = array<i64: 5, 77>},
                %y: !matrix {einsum.example_shape = array<i64: 5, 77>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : !matrix
  tile.launch @prefix_sum grid(%rows, %c1, %c1) (%x, %y) : !matrix, !matrix
  return
}
