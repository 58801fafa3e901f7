// ReLU by predicated SSA: tile.cmpp gives a predicate and its opposite, tile.psi merges the values
// that hold under each. The same predicates mask the accesses. After listings 5 and 6 of the MAPL
// 2019 paper.
//
//   build/bin/tile-run examples/tile/relu.mlir --backend=cpu --random=7 --check=interp

func.func @relu(%x: !tile.ptr<f32> {tile.readonly}, %y: !tile.ptr<f32>,
                %n: i32) attributes {tile.kernel} {
  %c64 = arith.constant 64 : i32
  %id = tile.program_id x
  %first = arith.muli %id, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %lane = tile.range 0 to 64 : tensor<64xi32>
  %i = arith.addi %firsts, %lane : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %inside, %outside = tile.cmpp slt %i, %ns : tensor<64xi32>

  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %py = tile.addptr %ys, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %value = tile.load %px mask %inside : tensor<64x!tile.ptr<f32>>

  // x > 0 ? x : 0. A NaN is not greater than 0, so its opposite predicate is true: 0.
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %positive, %rest = tile.cmpp ogt %value, %zero : tensor<64xf32>
  %result = tile.psi %positive ? %value, %rest ? %zero : tensor<64xi1>, tensor<64xf32>
  tile.store %py, %result mask %inside : tensor<64x!tile.ptr<f32>>
  return
}

func.func @main(%x: memref<?xf32> {einsum.example_shape = array<i64: 500>},
                %y: memref<?xf32> {einsum.example_shape = array<i64: 500>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %size = memref.dim %x, %c0 : memref<?xf32>
  %programs = arith.ceildivui %size, %c64 : index
  %n = arith.index_cast %size : index to i32
  tile.launch @relu grid(%programs, %c1, %c1) (%x, %y, %n)
      : memref<?xf32>, memref<?xf32>, i32
  return
}
