# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tileir.kernel of bundles on arrays of a simulated GPU, against NumPy, and what is refused."""

import sys
import unittest
from pathlib import Path

import numpy as np

import device
import tileir
from device import DeviceArray, OtherGpuArray

FOLDER = Path(sys.argv.pop())


def integers(*shape, seed=1, dtype=np.float32):
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(dtype)


def zeros(*shape, **options):
    return DeviceArray(np.zeros(shape, np.float32), **options)


class Bundles(unittest.TestCase):
    def test_a_product(self):
        kernel = tileir.kernel(FOLDER / "product")
        self.assertIsInstance(kernel, tileir.BundleKernel)
        self.assertEqual((kernel.name, kernel.spec), ("main_contract", "mk, kn -> mn"))
        self.assertEqual(kernel.arguments, ["f16[32x48]", "f16[48x64]", "f32[32x64]"])
        a, b, c = integers(32, 48, dtype=np.float16), integers(48, 64, seed=2, dtype=np.float16), zeros(32, 64)
        for stream in None, device.make_stream():
            kernel(DeviceArray(a, strides=(96, 2)), DeviceArray(b), c, stream=stream)
            np.testing.assert_array_equal(c.numpy(), a.astype(np.float32) @ b.astype(np.float32))

    def test_sizes_that_are_not_known(self):
        # Two versions: one for sizes that are multiples, and its fallback, for others.
        kernel = tileir.kernel(FOLDER / "dynamic")
        self.assertEqual(kernel.name, "main_contract_aligned")
        for size in 64, 37:
            a, b, c = integers(size, 32), integers(32, 48, seed=size), zeros(size, 48)
            kernel(DeviceArray(a), DeviceArray(b), c)
            np.testing.assert_array_equal(c.numpy(), a @ b)

    def test_a_grid_and_a_number(self):
        kernel = tileir.kernel(FOLDER / "add")
        self.assertEqual(kernel.arguments[0], "i32")
        a, b, c = integers(100), integers(100, seed=2), zeros(100)
        kernel[2](100, *map(DeviceArray, (a, b)), c)
        np.testing.assert_array_equal(c.numpy(), a + b)

    def test_refused(self):
        add, product = tileir.kernel(FOLDER / "add"), tileir.kernel(FOLDER / "product")
        x, other, half = zeros(100), OtherGpuArray(np.zeros(100, np.float32)), DeviceArray(integers(32, 48, dtype=np.float16))
        for launch, error, message in [
                (lambda: tileir.kernel(FOLDER / "dynamic", entry="main"), tileir.LaunchError, "expected a kernel of the bundle (main_contract"),
                (lambda: tileir.kernel(FOLDER / "broken"), tileir.LaunchError, "expected a manifest of format tileir-bundle"),
                (lambda: add[1](100, x, x), TypeError, "expected 4 arguments of add"),
                (lambda: add[1](2**40, x, x, x), tileir.ArgumentError, "expected a number of type i32, found '1099511627776'"),
                (lambda: add[1](100, x, other, x), tileir.ArgumentError, "expected all arrays on one GPU, found GPU 0, GPU 1"),
                (lambda: add[1](1.5, x, x, x), tileir.ArgumentError, "expected a number, found 1.5"),
                (lambda: add[1](100, zeros(100, strides=(8,)), x, x), tileir.ArgumentError, "expected an array in C order without gaps"),
                (lambda: product(half, half, x), tileir.LaunchError, "expected the shape 48x64, found 32x48"),
                (lambda: product(half, x, x), tileir.ArgumentError, "expected elements of float16, found float32"),
                (lambda: product(half, np.zeros((48, 64)), x), tileir.ArgumentError, "expected an array in the memory of a GPU")]:
            with self.subTest(message=message), self.assertRaises(error) as caught:
                launch()
            self.assertIn(message, str(caught.exception))


if __name__ == "__main__":
    device.start()
    unittest.main()
