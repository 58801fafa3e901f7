# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tileir.kernel with backend="cuda" on arrays of a simulated GPU, against NumPy, and what is refused."""

import sys
import unittest
from pathlib import Path

import numpy as np

import device
import tileir
from device import DeviceArray, OtherGpuArray

EXAMPLES = Path(sys.argv.pop()) / "examples"
ADD = """__global__ void add(int N, float *a, float *b, float *c) {
  int at[T] = get_program_id(0) * T + 0 ... T;
  bool in[T] = at < N;
  *?(in)(c + at) = *?(in)(a + at) + *?(in)(b + at);
}
"""
COPY = """func.func @copy(%x: memref<32x16xf32> {tile.readonly}, %y: memref<32x16xf32>, %f: f32, %b: i1) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %t = tile.load_view %x[%c0, %c0] : memref<32x16xf32> -> tensor<32x16xf32>
  %s = tile.splat %f : f32 -> tensor<32x16xf32>
  %v = arith.mulf %t, %s : tensor<32x16xf32>
  scf.if %b {
    tile.store_view %v, %y[%c0, %c0] : tensor<32x16xf32>, memref<32x16xf32>
  }
  return
}
"""


def integers(*shape, seed=1, dtype=np.float32):
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(dtype)


def zeros(*shape, **options):
    return DeviceArray(np.zeros(shape, np.float32), **options)


class Kernels(unittest.TestCase):
    def test_numbers_that_are_multiples_of_16_and_others(self):
        kernel = tileir.kernel(ADD, {"T": 64}, backend="cuda")
        a, b = integers(192), integers(192, seed=2)
        for size in 1, 64, 100, 192:
            c = zeros(192)
            kernel[lambda args: (args["N"] + args["T"] - 1) // args["T"]](size, DeviceArray(a), DeviceArray(b), c)
            expected = np.where(np.arange(192) < size, a + b, 0)
            np.testing.assert_array_equal(c.numpy(), expected)

    def test_a_file_in_a_grid_of_two_axes(self):
        a, b = integers(32, 48, dtype=np.float16), integers(48, 64, seed=2, dtype=np.float16)
        kernel = tileir.kernel(EXAMPLES / "triton-c/matmul.c", {"TM": 16, "TN": 32, "TK": 16}, backend="cuda")
        c = zeros(32, 64)
        stream = device.make_stream()
        kernel[(2, 2)](DeviceArray(a), DeviceArray(b), c, 32, 64, 48, 48, 64, ldc=64, stream=stream)
        np.testing.assert_array_equal(c.numpy(), a.astype(np.float32) @ b.astype(np.float32))
        kernel[(0, 2)](DeviceArray(a), DeviceArray(b), c, 32, 64, 48, 48, 64, 64)  # nothing to do

    def test_memrefs_and_numbers_of_all_kinds(self):
        x = integers(32, 16)
        kernel = tileir.kernel(COPY, backend="cuda")
        for flag in True, False:
            y = zeros(32, 16)
            kernel[1](DeviceArray(x), y, 2.5, flag)
            np.testing.assert_array_equal(y.numpy(), 2.5 * x * flag)

    def test_strides_that_are_told_of_an_array_in_c_order(self):
        x, y = integers(32, 16), zeros(32, 16, strides=(64, 4))
        tileir.kernel(COPY, backend="cuda")[1](DeviceArray(x, strides=(64, 4)), y, 1.0, True)
        np.testing.assert_array_equal(y.numpy(), x)

    def test_refused(self):
        add, copy = tileir.kernel(ADD, {"T": 64}, backend="cuda"), tileir.kernel(COPY, backend="cuda")
        x, y, other = zeros(64), zeros(32, 16), OtherGpuArray(np.zeros(64, np.float32))
        for launch, error, message in [
                (lambda: add[1](64, x, np.zeros(64, np.float32), x), tileir.ArgumentError, "expected an array in the memory of a GPU, found ndarray"),
                (lambda: add[1](64, x, DeviceArray(np.zeros(64)), x), tileir.ArgumentError, "expected elements of float32, found float64"),
                (lambda: add[1](64, x, zeros(64, skip=4), x), tileir.ArgumentError, "expected an address that 16 divides"),
                (lambda: add[1](64, x, other, x), tileir.ArgumentError, "expected all arrays on one GPU, found GPU 0, GPU 1"),
                (lambda: add[1](6.5, x, x, x), tileir.ArgumentError, "expected an integer, found 6.5"),
                (lambda: add(64, x, x, x), tileir.LaunchError, "expected a grid"),
                (lambda: copy[1](x, y, 1.0, True), tileir.ArgumentError, "expected an array of that shape in C order"),
                (lambda: copy[1](zeros(32, 16, strides=(4, 128)), y, 1.0, True), tileir.ArgumentError, "with gaps"),
                (lambda: tileir.kernel(ADD, {"T": 64})[1](64, x, x, x, stream=1), TypeError, "expected backend='cuda' with a stream"),
                (lambda: tileir.kernel(ADD, {"T": [32, 64]}, backend="cuda")[1](64, x, x, x), ValueError, "expected backend 'cpu' or 'sim'")]:
            with self.subTest(message=message), self.assertRaises(error) as caught:
                launch()
            self.assertIn(message, str(caught.exception))

    def test_what_a_kernel_does_wrong_fails_its_launch(self):
        # The last of its programs leaves the arrays. A GPU that has failed stays so: it is the last test.
        kernel = tileir.kernel(ADD, {"T": 64}, backend="cuda")
        with self.assertRaises(tileir.LaunchError) as caught:
            kernel[2](100, zeros(64), zeros(64), zeros(64))
        self.assertIn("cuLaunchKernel: unspecified launch failure (719)", str(caught.exception))


if __name__ == "__main__":
    device.start()
    unittest.main()
