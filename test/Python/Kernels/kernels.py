# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tileir.kernel: each language on each backend against NumPy, views, grids, faults with their place, and what is refused."""

import sys
import unittest
from pathlib import Path

import numpy as np

import tileir

ROOT = Path(sys.argv.pop())
EXAMPLES = ROOT / "examples"
BACKENDS = "cpu", "interp", "sim"
ADD = """__global__ void add(int N, float *a, float *b, float *c) {
  int at[T] = get_program_id(0) * T + 0 ... T;
  bool in[T] = at <MASK N;
  *?(in)(c + at) = *?(in)(a + at) + *?(in)(b + at);
}
"""
TTIR = """module {
  tt.func public @twice(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %p = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %q = tt.addptr %p, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %v = tt.load %q : tensor<64x!tt.ptr<f32>>
    %w = arith.addf %v, %v : tensor<64xf32>
    %s = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %t = tt.addptr %s, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %t, %w : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
"""


def integers(*shape, seed=1, dtype=np.float32):
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(dtype)


def add(mask="", **options):
    return tileir.kernel(ADD.replace("MASK", mask), {"T": 64}, **options)


class Kernels(unittest.TestCase):
    def each_backend(self):
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                yield backend

    def test_triton_c(self):
        a, b = integers(130), integers(130, seed=2)
        for backend in self.each_backend():
            c = np.full(140, 7, np.float32)
            add(backend=backend)[(3,)](130, a, b, c)
            np.testing.assert_array_equal(c[:130], a + b)
            np.testing.assert_array_equal(c[130:], 7)

    def test_a_file_with_macros_and_its_own_grid(self):
        a, b = integers(32, 48, dtype=np.float16), integers(48, 64, seed=2, dtype=np.float16)
        for backend in self.each_backend():
            c = np.zeros((32, 64), np.float32)
            kernel = tileir.kernel(EXAMPLES / "triton-c/matmul.c", {"TM": 16, "TN": 32, "TK": 16}, backend=backend)
            self.assertEqual(list(kernel.signature.parameters), ["A", "B", "C", "M", "N", "K", "lda", "ldb", "ldc"])
            self.assertIsNone(kernel(a, b, c, 32, 64, 48, 48, ldb=64, ldc=64))
            np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))
            # The same by a grid that is a function of arguments and macros.
            again = np.zeros((32, 64), np.float32)
            kernel[lambda args: (args["M"] // args["TM"], args["N"] // args["TN"])](a, b, again, 32, 64, 48, 48, 64, 64)
            np.testing.assert_array_equal(again, c)

    def test_the_tile_dialect(self):
        x, y = integers(100), integers(100, seed=2)
        text = (EXAMPLES / "tile/vector_add.mlir").read_text()
        for backend in self.each_backend():
            z = np.zeros(100, np.float32)
            kernel = tileir.kernel(text, entry="add", backend=backend)
            kernel[(2,)](x, y, z, 100)
            np.testing.assert_array_equal(z, x + y)

    def test_memrefs_have_shapes_and_strides(self):
        text = (EXAMPLES / "tile/batched_matmul.mlir").read_text()
        import ml_dtypes

        query = integers(2, 8, 3, 40, dtype=ml_dtypes.bfloat16)
        key = integers(3, 40, 5, seed=2, dtype=ml_dtypes.bfloat16).transpose(0, 2, 1)
        score = np.zeros((2, 3, 5, 8), np.float32).transpose(0, 1, 3, 2)
        tileir.kernel(text, entry="scores", backend="interp")[(1, 1, 6)](query, key, score)
        np.testing.assert_array_equal(score, np.einsum("nths,hes->nhte", query.astype(np.float32), key.astype(np.float32)))

    def test_triton(self):
        for backend in self.each_backend():
            x, y = integers(64), np.zeros(64, np.float32)
            tileir.kernel(TTIR, backend=backend)[1](x, y)
            np.testing.assert_array_equal(y, 2 * x)

    def test_views_of_one_array(self):
        for backend in self.each_backend():
            whole = np.arange(256, dtype=np.float32)
            before = whole.copy()
            add(backend=backend)[1](60, whole[64:128], whole[128:192], whole[64:128])
            np.testing.assert_array_equal(whole[64:124], before[64:124] + before[128:188])
            np.testing.assert_array_equal(np.delete(whole, np.s_[64:124]), np.delete(before, np.s_[64:124]))

    def test_faults_have_their_place(self):
        a = np.zeros(64, np.float32)
        for backend in self.each_backend():
            c = np.zeros(64, np.float32)
            with self.assertRaises(tileir.KernelFault) as caught:
                add("=", backend=backend)[(2,)](64, a, a + 1, c)
            fault = caught.exception
            if backend == "cpu":
                self.assertEqual(c.max(), 0)
            # Compiled code knows which kernel left its array, and which array that is.
            line = 1 if backend == "cpu" else 4
            self.assertEqual((fault.kernel, fault.line, fault.place), ("add", line, ("program.c", line)))
            self.assertEqual(fault.findings[0].kind, "check" if backend == "interp" else "out-of-bounds")
            if backend != "sim":
                self.assertIn("argument 'a'", str(fault))
            self.assertIsInstance(fault, tileir.RunError)
        # All of a storage is a pointer's to reach, if that is asked for.
        c = np.zeros(65, np.float32)
        wide = [np.arange(128, dtype=np.float32)[:64] for _ in range(2)]
        add("=", backend="interp", bounds="storage")[(2,)](64, *wide, c)
        self.assertEqual(c[64], 128)

    def test_reports(self):
        kernel = add(backend="sim", chip="sm_80")
        a = np.zeros(64, np.float32)
        kernel[1](64, a, a.copy(), a.copy())
        self.assertGreater(kernel.report["launches"][0]["estimate"]["microseconds"], 0)
        self.assertIn("<svg", kernel.roofline._repr_svg_())
        self.assertIn("tile.launch", tileir.kernel(EXAMPLES / "triton-c/matmul.c", dict(TM=16, TN=16, TK=16)).ir())
        self.assertIn(".visible .entry add(", kernel.ptx("sm_80"))
        self.assertRegex(kernel.ir("builtin.module(canonicalize)"), "tile.store")
        self.assertRegex(repr(kernel), r"^<tileir.Kernel add\(N: i32, a: !tile.ptr<f32>, .*\) on sim>$")

    def test_empty_grids(self):
        a = np.zeros(64, np.float32)
        self.assertIsNone(add()[(0,)](64, a, a, a))

    def test_what_is_refused(self):
        a, i = np.zeros(64, np.float32), np.zeros(64, np.int32)
        for call, kind, words in (
                (lambda: add()[1](64, a, a), TypeError, r"expected 4 arguments of add \(N, a, b, c\), found 3"),
                (lambda: add()[1](64, a, a, d=a), TypeError, "found no 'd'"),
                (lambda: add()[1](64, a, a, a, N=3), TypeError, "found 'N' twice"),
                (lambda: add()[1](64, a, i, a), tileir.ArgumentError, r"argument 'b' \(!tile.ptr<f32>\): expected elements of float32, found int32"),
                (lambda: add()[1](6.5, a, a, a), tileir.ArgumentError, "argument 'N' .*expected an integer, found 6.5"),
                (lambda: add()[1](a, a, a, a), tileir.ArgumentError, "argument 'N' .*expected a number, found ndarray"),
                (lambda: add()[1](64, a, [1, 2], a), tileir.ArgumentError, "expected an array of NumPy or a tensor of torch, found list"),
                (lambda: add()["x"](64, a, a, a), TypeError, "expected a grid of 1 to 3 numbers"),
                (lambda: add()[1, 1, 1, 1](64, a, a, a), ValueError, "expected a grid of 1 to 3 numbers"),
                (lambda: add()(64, a, a, a), tileir.LaunchError, "has no grid of its own"),
                (lambda: add(backend="gpu"), ValueError, "expected backend to be one of 'cpu', 'interp', 'sim', 'cuda', found 'gpu'"),
                (lambda: add(chip="sm_80"), ValueError, "expected backend='sim'"),
                (lambda: add(entry="sub")[1](64, a, a, a), tileir.RunError, "expected a kernel @sub, found @add"),
                (lambda: add("=oops")[1](64, a, a, a), tileir.RunError, "does not run: .*:3: "),
                (lambda: tileir.kernel("add.txt"), tileir.RunError, "expected a program"),
                (lambda: tileir.kernel(TTIR, {"T": 1}), tileir.RunError, "expected a program of Triton-C with macros"),
                (lambda: add(tile_run="/nowhere"), tileir.LaunchError, "expected tile-run, or the folder"),
                (lambda: add(timeout=0.0)[1](64, a, a, a), tileir.LaunchError, "did not end in 0 s")):
            with self.subTest(words=words), self.assertRaisesRegex(kind, words):
                call()
        add()[1](64, a, a.copy(), a.copy())  # what was ended before does not matter


if __name__ == "__main__":
    unittest.main()
