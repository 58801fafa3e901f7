// Sum of two vectors of any length: each program of the grid adds 64 elements, and a mask keeps the
// last one inside. After the Triton-C tutorial.
//
//   build/bin/tile-run examples/tile/vector_add.mlir --backend=cpu --random=7 --check=interp

func.func @add(%x: !tile.ptr<f32> {tile.readonly}, %y: !tile.ptr<f32> {tile.readonly},
               %z: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  // The elements of this program: 64 * id + (0 ... 64).
  %c64 = arith.constant 64 : i32
  %id = tile.program_id x
  %first = arith.muli %id, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %lane = tile.range 0 to 64 : tensor<64xi32>
  %i = arith.addi %firsts, %lane : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %inside = arith.cmpi slt, %i, %ns : tensor<64xi32>

  // *?(inside)(z + i) = *?(inside)(x + i) + *?(inside)(y + i)
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %zs = tile.splat %z : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %py = tile.addptr %ys, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %pz = tile.addptr %zs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %a = tile.load %px mask %inside : tensor<64x!tile.ptr<f32>>
  %b = tile.load %py mask %inside : tensor<64x!tile.ptr<f32>>
  %sum = arith.addf %a, %b : tensor<64xf32>
  tile.store %pz, %sum mask %inside : tensor<64x!tile.ptr<f32>>
  return
}

func.func @main(%x: memref<?xf32> {einsum.example_shape = array<i64: 1000>},
                %y: memref<?xf32> {einsum.example_shape = array<i64: 1000>},
                %z: memref<?xf32> {einsum.example_shape = array<i64: 1000>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %size = memref.dim %x, %c0 : memref<?xf32>
  %programs = arith.ceildivui %size, %c64 : index
  %n = arith.index_cast %size : index to i32
  tile.launch @add grid(%programs, %c1, %c1) (%x, %y, %z, %n)
      : memref<?xf32>, memref<?xf32>, memref<?xf32>, i32
  return
}
