# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of contractions of arrays of a simulated GPU, against NumPy, and what is refused."""

import threading
import unittest

import numpy as np

import device
import tileir
from device import DeviceArray, OtherGpuArray


def integers(*shape, seed=1, dtype=np.float32):
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(dtype)


def zeros(*shape, dtype=np.float32, **options):
    return DeviceArray(np.zeros(shape, dtype), **options)


A, B = integers(48, 32, dtype=np.float16), integers(32, 40, seed=2, dtype=np.float16)
PRODUCT = A.astype(np.float32) @ B.astype(np.float32)


class Arrays(unittest.TestCase):
    def multiply(self, *operands, **options):
        return tileir.einsum("mk, kn -> mn", *(operands or (DeviceArray(A), DeviceArray(B))), **options)

    def test_out_and_types(self):
        out = zeros(48, 40)
        self.assertIs(self.multiply(out=out), out)
        np.testing.assert_array_equal(out.numpy(), PRODUCT)
        result = self.multiply(acc="f32")
        self.assertEqual(result.dtype, np.float16)
        np.testing.assert_array_equal(result.numpy(), PRODUCT)
        mixed = self.multiply(DeviceArray(A), DeviceArray(B.astype(np.float32)))
        self.assertEqual(mixed.dtype, np.float32)
        np.testing.assert_array_equal(mixed.numpy(), PRODUCT)

    def test_bias_and_relu(self):
        for shape in (40,), (48, 40), (48, 1), ():
            bias = integers(*shape, seed=3, dtype=np.float16)
            result = self.multiply(bias=DeviceArray(bias), epilogue="relu")
            np.testing.assert_array_equal(result.numpy(), np.maximum(PRODUCT + bias, 0))

    def test_an_ellipsis_and_implicit_results(self):
        x, y = integers(3, 8, 6), integers(1, 6, 5, seed=2)
        np.testing.assert_array_equal(tileir.einsum("...ij, ...jk", DeviceArray(x), DeviceArray(y)).numpy(), x @ y)

    def test_more_operands_and_sizes(self):
        c = integers(40, 8, seed=3, dtype=np.float16)
        three = tileir.einsum("mk, kn, np -> mp", *map(DeviceArray, (A, B, c)), out=zeros(48, 8))
        # The product of two is rounded to f32, exactly.
        np.testing.assert_array_equal(three.numpy(), PRODUCT @ c.astype(np.float32))
        repeated = tileir.einsum("m -> mn", DeviceArray(A[:, 0].copy()), sizes={"n": 3})
        np.testing.assert_array_equal(repeated.numpy(), np.repeat(A[:, :1], 3, 1))

    def test_sizes_of_0(self):
        none = tileir.einsum("mk, kn -> mn", zeros(5, 0), zeros(0, 7))
        np.testing.assert_array_equal(none.numpy(), np.zeros((5, 7)))
        self.assertEqual(tileir.einsum("mk, kn -> mn", zeros(0, 4), zeros(4, 7)).shape, (0, 7))

        class Nowhere(DeviceArray):
            @property
            def __cuda_array_interface__(self):
                return {**super().__cuda_array_interface__, "data": (None, False)}

        none = tileir.einsum("mk, kn -> mn", Nowhere(np.zeros((5, 0), np.float32)), zeros(0, 7))
        np.testing.assert_array_equal(none.numpy(), np.zeros((5, 7)))

    def test_tables_are_verified(self):
        x, w, offsets = integers(2, 3, 10), integers(3, 4, seed=2), np.array([0, 2, 1])
        result = tileir.einsum("nc(h+t[c]), ck -> nkh", DeviceArray(x), DeviceArray(w), t=offsets, sizes={"h": 8})
        expected = sum(np.einsum("nh,k->nkh", x[:, c, t:t + 8], w[c]) for c, t in enumerate(offsets))
        np.testing.assert_array_equal(result.numpy(), expected)
        with self.assertRaises(tileir.CheckError) as caught:
            tileir.einsum("nc(h+t[c]), ck -> nkh", DeviceArray(x), DeviceArray(w), t=offsets + 1, sizes={"h": 8})
        self.assertIn("reads index 10, outside of its size 10", str(caught.exception))
        self.assertEqual((caught.exception.operand, caught.exception.axis), (0, 2))

    def test_programs_are_kept(self):
        self.multiply()
        before = tileir.cache_info()
        self.multiply()
        after = tileir.cache_info()
        self.assertEqual((after.hits, after.misses, after.size), (before.hits + 1, before.misses, before.size))
        self.multiply(DeviceArray(A), DeviceArray(B[:, :8].copy()))
        self.assertEqual(tileir.cache_info().size, before.size + 1)
        tileir.set_cache_limit(1)
        self.assertEqual(tileir.cache_info().size, 1)
        tileir.set_cache_limit(4096)
        tileir.clear_cache()
        self.assertEqual(tileir.cache_info().size, 0)
        np.testing.assert_array_equal(self.multiply().numpy(), PRODUCT)

    def test_threads(self):
        wrong = []

        def work(seed):
            try:
                device.start()
                b = integers(32, 8 + seed, seed=seed, dtype=np.float16)
                result = self.multiply(DeviceArray(A), DeviceArray(b), out=zeros(48, 8 + seed))
                np.testing.assert_array_equal(result.numpy(), A.astype(np.float32) @ b.astype(np.float32))
            except BaseException as error:
                wrong.append(error)

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_refused(self):
        a, b = DeviceArray(A), DeviceArray(B)

        class Alien(DeviceArray):
            __array_namespace__ = property()

        for call, error, message in [
                (lambda: self.multiply(a, B), tileir.ShapeError, "expected operand 1 in the memory of the GPU, as operand 0, found ndarray"),
                (lambda: self.multiply(A, b), tileir.ShapeError, "expected an array in the memory of the CPU, as operand 0"),
                (lambda: self.multiply(a, OtherGpuArray(B)), tileir.ShapeError, "expected all arrays on one GPU, found GPU 0, GPU 1"),
                (lambda: self.multiply(a, DeviceArray(B, strides=(2, 64))), tileir.ShapeError, "expected operand 1 in C order without gaps"),
                (lambda: self.multiply(a, DeviceArray(B, skip=2)), tileir.ShapeError, "at an address that 16 divides"),
                (lambda: self.multiply(a, DeviceArray(B.astype(np.complex64))), TypeError, "expected operand 1 to have elements of"),
                (lambda: self.multiply(a, DeviceArray(B[:, None].copy())), tileir.ShapeError, "expected input 1 to have 2 axes"),
                (lambda: self.multiply(a, b, out=zeros(48, 41)), tileir.ShapeError, "expected out to have the shape"),
                (lambda: self.multiply(a, b, out=zeros(48, 40, read_only=True)), tileir.ShapeError, "found a read-only array"),
                (lambda: self.multiply(a, b, out=np.zeros((48, 40))), TypeError, "expected out to be an array of the GPU"),
                (lambda: self.multiply(Alien(A), b), TypeError, "has no __array_namespace__"),
                (lambda: self.multiply(a, b, bias=zeros(40)), TypeError, "expected a bias to have elements of float16"),
                (lambda: self.multiply(a, b, bias=zeros(41, dtype=np.float16)), tileir.ShapeError, "expected a bias that can be broadcast"),
                (lambda: self.multiply(a, b, tuned=True), ValueError, "expected no tuned of arrays of a GPU"),
                (lambda: tileir.einsum("mk, kn -> m?", a, b), tileir.SpecError, "^"),
                (lambda: tileir.einsum("(t[i])j -> ij", a, t=zeros(4, dtype=np.int32)), tileir.ShapeError, "expected table 't' in the memory of the CPU"),
                (lambda: tileir.compile("mk, kn -> mn", a, b), tileir.ShapeError, "expected an array in the memory of the CPU")]:
            with self.subTest(message=message), self.assertRaises(error) as caught:
                call()
            self.assertIn(message, str(caught.exception))

    def test_an_out_that_overlaps(self):
        square = DeviceArray(integers(8, 8))
        with self.assertRaises(tileir.ShapeError) as caught:
            tileir.einsum("ij -> ji", square, out=square)
        self.assertIn("expected an out that overlaps no operand", str(caught.exception))


if __name__ == "__main__":
    device.start()
    unittest.main()
