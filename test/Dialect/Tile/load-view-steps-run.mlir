// What steps of a view mean: elements that are so far apart, zeros where one of them is outside of the memref. The interpreter,
// the CPU and kernels agree with NumPy: plain loads (sm_70), asynchronous copies (sm_80), tensor maps with element strides (sm_90a).
//
// RUN: rm -rf %t && split-file %s %t
// RUN: %python %t/check.py %t %source/test/Integration
// RUN: not tile-run %t/promise.mlir --backend=interp --random=3 2>&1 | FileCheck %t/promise.mlir

//--- check.py
import itertools
import pathlib
import re
import subprocess
import sys

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[2])
import batch  # noqa: E402

directory = pathlib.Path(sys.argv[1])
generator = np.random.default_rng(3)
text = (directory / "product.mlir").read_text()
# How each chip copies the operand.
COPIES = {"sm_70": "tile.load_view {{.*}} steps", "sm_80": "tile.async_load_view .* steps", "sm_90a": "!tile.tensor_map<.*, steps = "}


def run(path, *options):
    status, output = batch.run(["tile-run", path, *options])
    assert status == 0, (path.name, options, output)


# Every step-th row of `rows`, from one before the first one on.
number = 0
for step, rows in itertools.product((1, 2, 3, 8), (40, 127, 260)):
    a = generator.integers(-3, 4, (rows, 64)).astype(np.float16)
    b = generator.integers(-3, 4, (64, 64)).astype(np.float16)
    expected = np.zeros((128, 64), np.float32)
    for i, row in enumerate(range(-1, 128 * step - 1, step)):
        if 0 <= row < rows:
            expected[i] = a[row].astype(np.float32) @ b.astype(np.float32)
    path = directory / f"product-{step}-{rows}.mlir"
    path.write_text(text.replace("STEP", str(step)).replace("ROWS", str(rows)))
    files = [directory / f"{name}.npy" for name in "abcdef"]
    for file, array in zip(files, (a, b, np.ones((128, 64), np.float32))):
        np.save(file, array)
    inputs, outputs = (",".join(map(str, some)) for some in (files[:3], (files[4], files[5], files[3])))
    for way in [["--backend=interp"], ["--backend=cpu"], *(["--backend=sim", f"--chip={chip}"] for chip in COPIES)]:
        number += 1
        run(path, f"--inputs={inputs}", f"--outputs={outputs}", *way, *([] if "--backend=interp" in way else batch.compile_flags(number)))
        assert (np.load(files[3]) == expected).all(), (step, rows, way)

# The kernels really are of these kinds.
for chip, copies in COPIES.items():
    path = directory / "product-2-127.mlir"
    stages = subprocess.run(["tile-opt", str(path), f"--tile-to-nvvm-pipeline=chip={chip} config={{stages=2}}",
                             "--mlir-print-ir-before=convert-tile-to-gpu", "-o", "/dev/null"], capture_output=True, text=True, check=True)
    assert re.search(copies.replace("{{.*}}", ".*"), stages.stderr), (chip, stages.stderr)

//--- product.mlir
func.func @kernel(%a: memref<ROWSx64xf16> {tile.readonly}, %b: memref<64x64xf16> {tile.readonly}, %c: memref<128x64xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %step = arith.constant STEP : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %id = tile.program_id x
  %x = arith.index_cast %id : i32 to index
  %row = arith.muli %x, %c64 : index
  %distance = arith.muli %row, %step : index
  %first = arith.subi %distance, %c1 : index
  %r = scf.for %k = %c0 to %c64 step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %lhs = tile.load_view %a[%first, %k] steps [STEP, 1] in_bounds [false, true] : memref<ROWSx64xf16> -> tensor<64x32xf16>
    %rhs = tile.load_view %b[%k, %c0] : memref<64x64xf16> -> tensor<32x64xf16>
    %sum = tile.dot %lhs, %rhs, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%row, %c0] : tensor<64x64xf32>, memref<128x64xf32>
  return
}
func.func @main(%a: memref<ROWSx64xf16>, %b: memref<64x64xf16>, %c: memref<128x64xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.launch @kernel grid(%c2, %c1, %c1) (%a, %b, %c) : memref<ROWSx64xf16>, memref<64x64xf16>, memref<128x64xf32>
  return
}

//--- promise.mlir
func.func @kernel(%a: memref<9x8xf16>) attributes {tile.kernel} {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %x = tile.load_view %a[%c0, %c0] steps [2, 1] in_bounds [true, true] : memref<9x8xf16> -> tensor<5x8xf16>
  // CHECK: promise.mlir:[[@LINE+1]]:8: error: breaks its promise of 'in_bounds': indices 1 to 9 along axis 0 of a memref of shape 9x8
  %y = tile.load_view %a[%c1, %c0] steps [2, 1] in_bounds [true, true] : memref<9x8xf16> -> tensor<5x8xf16>
  return
}
func.func @main(%a: memref<9x8xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a) : memref<9x8xf16>
  return
}
