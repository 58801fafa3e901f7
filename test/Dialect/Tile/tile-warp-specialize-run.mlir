// The same products before and after tile-warp-specialize, of one stage, two and four, by the interpreter: loops of no
// iteration, of fewer than there are stages, and of more; operands in both orders; an epilogue; edges; a product of what
// comes from another one.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: %python %t/check.py %t

//--- check.py
import subprocess
import sys

import numpy as np

directory = sys.argv[1]


def run(program, inputs, entry="main"):
    paths = [f"{directory}/{i}.npy" for i in range(len(inputs))]
    for path, array in zip(paths, inputs):
        np.save(path, array)
    subprocess.run(["tile-run", program, "--backend=interp", f"--entry={entry}", "--inputs=" + ",".join(paths),
                    "--outputs=" + ",".join(paths)], check=True)
    return np.load(paths[-1])


generator = np.random.default_rng(1)
for stages, overlap in (1, False), (2, False), (4, False), (1, True), (2, True), (4, True):
    program = f"{directory}/{stages}.mlir"
    subprocess.run(["tile-opt", f"{directory}/kernels.mlir", f"--tile-select-config=config={{stages={stages}}}",
                    "--tile-warp-specialize", *(["--tile-overlap-products"] if overlap else []), "--canonicalize", "--cse",
                    "-o", program], check=True)
    with open(program) as file:
        text = file.read()
        assert text.count("tile.roles") == 3 and ("scf.if" in text) == overlap
    for n in 0, 32, 40, 168:
        q, k, v = (generator.integers(-3, 4, shape).astype(np.float16) for shape in ((100, 32), (n, 32), (n, 64)))
        expected = np.maximum(q @ k.T, 0).astype(np.float32) @ v.astype(np.float32)
        found = run(program, [q, k, v, np.zeros((100, 64), np.float32)], "chained")
        assert (found == expected).all(), (stages, n)
    for m, n, k in (64, 64, 0), (64, 64, 16), (128, 64, 32), (72, 56, 104), (136, 72, 168):
        a = generator.integers(-3, 4, (m, k)).astype(np.float16)
        b = generator.integers(-3, 4, (k, n)).astype(np.float16)
        bias = generator.integers(-3, 4, n).astype(np.float32)
        expected = a.astype(np.float32) @ b.astype(np.float32)
        found = run(program, [a, b, np.ascontiguousarray(a.T), np.ascontiguousarray(b.T), bias,
                              np.zeros((2, m, n), np.float32)])
        assert (found[0] == expected).all(), (stages, m, n, k)
        assert (found[1] == np.maximum(expected + bias, 0)).all(), (stages, m, n, k)

//--- kernels.mlir
func.func @chain(%q: memref<?x32xf16>, %k: memref<?x32xf16>, %v: memref<?x64xf16>, %o: memref<?x64xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant dense<0.0> : tensor<64x32xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.program_id x
  %i = arith.index_cast %x : i32 to index
  %row = arith.muli %i, %c64 : index
  %n = memref.dim %k, %c0 : memref<?x32xf16>
  %query = tile.load_view %q[%row, %c0] : memref<?x32xf16> -> tensor<64x32xf16>
  %r = scf.for %s = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %y = tile.load_view %k[%s, %c0] : memref<?x32xf16> -> tensor<32x32xf16>
    %yt = tile.trans %y [1, 0] : tensor<32x32xf16>
    %scores = tile.dot %query, %yt, %none : tensor<64x32xf16>, tensor<32x32xf16>, tensor<64x32xf32>
    %some = arith.maximumf %scores, %none : tensor<64x32xf32>
    %weights = arith.truncf %some : tensor<64x32xf32> to tensor<64x32xf16>
    %z = tile.load_view %v[%s, %c0] : memref<?x64xf16> -> tensor<32x64xf16>
    %sum = tile.dot %weights, %z, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %o[%row, %c0] : tensor<64x64xf32>, memref<?x64xf32>
  return
}

func.func @chained(%q: memref<?x32xf16>, %k: memref<?x32xf16>, %v: memref<?x64xf16>, %o: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %t = memref.dim %q, %c0 : memref<?x32xf16>
  %programs = arith.ceildivui %t, %c64 : index
  tile.launch @chain grid(%programs, %c1, %c1) (%q, %k, %v, %o) : memref<?x32xf16>, memref<?x32xf16>, memref<?x64xf16>, memref<?x64xf32>
  return
}

func.func @rows(%a: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 8>}, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 8>}, %c: memref<2x?x?xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.program_id x
  %y = tile.program_id y
  %i = arith.index_cast %x : i32 to index
  %j = arith.index_cast %y : i32 to index
  %row = arith.muli %i, %c64 : index
  %column = arith.muli %j, %c64 : index
  %n = memref.dim %a, %c1 : memref<?x?xf16>
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %p = tile.load_view %a[%row, %k] : memref<?x?xf16> -> tensor<64x16xf16>
    %q = tile.load_view %b[%k, %column] : memref<?x?xf16> -> tensor<16x64xf16>
    %sum = tile.dot %p, %q, %acc : tensor<64x16xf16>, tensor<16x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %row, %column] axes [1, 2] : tensor<64x64xf32>, memref<2x?x?xf32>
  return
}

func.func @columns(%a: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 8>}, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 8>}, %bias: memref<?xf32>, %c: memref<2x?x?xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.program_id x
  %y = tile.program_id y
  %i = arith.index_cast %x : i32 to index
  %j = arith.index_cast %y : i32 to index
  %row = arith.muli %i, %c64 : index
  %column = arith.muli %j, %c64 : index
  %n = memref.dim %a, %c0 : memref<?x?xf16>
  %added = tile.load_view %bias[%column] : memref<?xf32> -> tensor<64xf32>
  %r:2 = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero, %at = %c0) -> (tensor<64x64xf32>, index) {
    %p = tile.load_view %a[%at, %row] : memref<?x?xf16> -> tensor<32x64xf16>
    %pt = tile.trans %p [1, 0] : tensor<32x64xf16>
    %q = tile.load_view %b[%column, %at] : memref<?x?xf16> -> tensor<64x32xf16>
    %qt = tile.trans %q [1, 0] : tensor<64x32xf16>
    %sum = tile.dot %pt, %qt, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    %next = arith.addi %at, %c32 : index
    scf.yield %sum, %next : tensor<64x64xf32>, index
  }
  %wide = tile.broadcast %added : tensor<64xf32> -> tensor<64x64xf32>
  %biased = arith.addf %r#0, %wide : tensor<64x64xf32>
  %positive = arith.maximumf %biased, %zero : tensor<64x64xf32>
  tile.store_view %positive, %c[%c1, %row, %column] axes [1, 2] : tensor<64x64xf32>, memref<2x?x?xf32>
  return
}

func.func @main(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %at: memref<?x?xf16>, %bt: memref<?x?xf16>, %bias: memref<?xf32>, %c: memref<2x?x?xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %m = memref.dim %c, %c1 : memref<2x?x?xf32>
  %n = memref.dim %c, %c2 : memref<2x?x?xf32>
  %x = arith.ceildivui %m, %c64 : index
  %y = arith.ceildivui %n, %c64 : index
  tile.launch @rows grid(%x, %y, %c1) (%a, %b, %c) : memref<?x?xf16>, memref<?x?xf16>, memref<2x?x?xf32>
  tile.launch @columns grid(%x, %y, %c1) (%at, %bt, %bias, %c) : memref<?x?xf16>, memref<?x?xf16>, memref<?xf32>, memref<2x?x?xf32>
  return
}
