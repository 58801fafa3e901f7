// Matrix product of any size: m, k and n stand alone as axes of operands, so their sizes are read
// from the operands at run time.
//
//   build/bin/tile-run examples/dynamic.mlir --backend=cpu --random=7 --check=interp
//
// --random takes the unknown sizes from einsum.example_shape; with --inputs the files bring theirs.

func.func @main(%a: tensor<?x?xf32> {einsum.example_shape = array<i64: 37, 53>},
                %b: tensor<?x?xf32> {einsum.example_shape = array<i64: 53, 41>})
    -> tensor<?x?xf32> {
  %out = einsum.contract "mk, kn -> mn" (%a, %b)
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %out : tensor<?x?xf32>
}
