# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tileir.run: arguments, results, memrefs that are written, backends, and what is refused."""

import sys
import unittest
from pathlib import Path

import numpy as np

import tileir

ROOT = Path(sys.argv.pop())
TWO = """
func.func private @other(i32)
func.func @nothing() {
  return
}
func.func @both(%a: tensor<2x3xf32> {bufferization.writable = false}, %s: tensor<f32>) -> (tensor<3x2xf32>, tensor<2xf32>) {
  %t = einsum.contract "ij -> ji" (%a) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %r = einsum.contract "ij -> i" (%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  %u = einsum.contract "i, -> i" (%r, %s) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %t, %u : tensor<3x2xf32>, tensor<2xf32>
}
"""
WRITES = """
func.func @main(%a: memref<4xf32>, %n: tensor<i32>, %b: memref<4xf32, strided<[1]>>) {
  %i = tensor.extract %n[] : tensor<i32>
  %at = arith.index_cast %i : i32 to index
  %x = memref.load %a[%at] : memref<4xf32>
  memref.store %x, %b[%at] : memref<4xf32, strided<[1]>>
  return
}
"""


class Programs(unittest.TestCase):
    def test_a_file(self):
        x, w = np.arange(6, dtype=np.float32), np.array([1, 0, 2], np.float32)
        text = """func.func @main(%x: tensor<6xf32>, %w: tensor<3xf32>) -> tensor<4xf32> {
  %y = einsum.contract "(t+r), r -> t" (%x, %w) : (tensor<6xf32>, tensor<3xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
"""
        for backend in "cpu", "interp":
            np.testing.assert_array_equal(tileir.run(text, x, w, backend=backend), np.correlate(x, w))
        np.testing.assert_array_equal(tileir.run(text, x[::-1], list(w)), np.correlate(x[::-1], w))
        gemm = ROOT / "examples/gemm.mlir"
        a, b = np.random.default_rng(1).integers(-3, 3, (2, 512, 512)).astype(np.float32)
        np.testing.assert_array_equal(tileir.run(gemm, a, b), a @ b)

    def test_several_results(self):
        a = np.arange(6, dtype=np.float32).reshape(2, 3)
        t, u = tileir.run(TWO, a, np.float32(2), entry="both")
        np.testing.assert_array_equal(t, a.T)
        np.testing.assert_array_equal(u, 2 * a.sum(1))
        self.assertIsNone(tileir.run(TWO, entry="nothing"))

    def test_memrefs_are_written(self):
        a, b = np.arange(4, dtype=np.float32), np.zeros((4, 2), np.float32)[:, 0]
        self.assertIsNone(tileir.run(WRITES, a, np.int32(2), b))
        np.testing.assert_array_equal(b, [0, 0, 2, 0])
        np.testing.assert_array_equal(a, np.arange(4))

    def test_what_is_refused(self):
        a = np.zeros(4, np.float32)
        for call, kind, words in (
                (lambda: tileir.run(TWO, a), tileir.RunError, "expected a function @main, found @nothing, @both"),
                (lambda: tileir.run(WRITES, a), TypeError, r"expected 3 arguments of @main \(memref<4xf32>, tensor<i32>, memref<4xf32, "
                                                           r"strided<\[1\]>>\), found 1"),
                (lambda: tileir.run(WRITES, a, np.int32(0), [0, 0, 0, 0]), TypeError, "an array of NumPy for argument 2"),
                (lambda: tileir.run(WRITES, a[:2], np.int32(0), a), tileir.RunError, "@main does not run: .*expected 4xf32 for "
                                                                                     "argument 0"),
                (lambda: tileir.run(WRITES, a, np.int32(9), a, backend="interp"), tileir.KernelFault, "1 fault in @main, on interp\n.*:5:8: check: "),
                (lambda: tileir.run("func.func @main() { nonsense }"), tileir.RunError, "nonsense"),
                (lambda: tileir.run(WRITES, a, np.int32(0), a, tile_run="/nowhere"), tileir.RunError, "expected tile-run, or the folder")):
            with self.assertRaisesRegex(kind, words):
                call()


if __name__ == "__main__":
    unittest.main()
