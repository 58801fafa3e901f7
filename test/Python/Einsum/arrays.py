# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What operands, tables, biases and outputs may be, against NumPy."""

import unittest
import warnings

import numpy as np

import tileir

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None
    print("left out: arrays of bfloat16 and float8, for ml_dtypes is missing (pip install ml_dtypes)")


def numbers(*shape, dtype=np.float32, low=-4):
    """Small integers, of which sums are exact in each type."""
    size = int(np.prod(shape))
    return ((np.arange(size) * 7 + size) % 9 + low).reshape(shape).astype(dtype)


class Types(unittest.TestCase):
    TYPES = np.float16, np.float32, np.float64, np.int8, np.int32

    def test_results_have_the_type_of_numpy(self):
        for left in self.TYPES:
            for right in self.TYPES:
                if np.dtype(left).kind != np.dtype(right).kind:
                    continue
                a, b = numbers(3, 5, dtype=left), numbers(5, 4, dtype=right)
                result = tileir.einsum("mk, kn -> mn", a, b)
                self.assertEqual(result.dtype, np.result_type(left, right))
                np.testing.assert_array_equal(result, (a.astype(int) @ b.astype(int)).astype(result.dtype))

    def test_integers_of_8_bits_wrap_as_in_numpy(self):
        a = np.full((2, 3), 100, np.int8)
        np.testing.assert_array_equal(tileir.einsum("ij, ij -> i", a, a), np.einsum("ij, ij -> i", a, a))

    def test_accumulators(self):
        a = np.array([2.0**24, 1, -(2.0**24)], np.float32)
        self.assertEqual(tileir.einsum("i ->", a, acc="f64"), 1)
        self.assertEqual(tileir.einsum("i ->", a, acc=np.float64), 1)
        half = np.full(4096, 1, np.float16)
        self.assertEqual(tileir.einsum("i ->", half), 4096)
        with self.assertRaisesRegex(ValueError, "expected acc to be one of float32, .*, found 'f12'"):
            tileir.einsum("i ->", a, acc="f12")

    @unittest.skipUnless(ml_dtypes, "ml_dtypes is missing")
    def test_bfloat16_and_float8(self):
        for name in "bfloat16", "float8_e4m3fn", "float8_e5m2":
            dtype = np.dtype(getattr(ml_dtypes, name))
            a, b = numbers(3, 5, dtype=dtype), numbers(5, 4, dtype=dtype)
            expected = (a.astype(np.float32) @ b.astype(np.float32)).astype(dtype)
            for left in a, np.asfortranarray(a):
                result = tileir.einsum("mk, kn -> mn", left, b)
                self.assertEqual(result.dtype, dtype)
                np.testing.assert_array_equal(result.astype(float), expected.astype(float))
            wide = np.empty((3, 4), np.float32)
            self.assertIs(tileir.einsum("mk, kn -> mn", a, b, out=wide), wide)
            np.testing.assert_array_equal(wide, a.astype(np.float32) @ b.astype(np.float32))
            narrow = np.zeros((3, 4), dtype)
            self.assertIs(tileir.einsum("mk, kn -> mn", a, b, out=narrow), narrow)
            np.testing.assert_array_equal(narrow.astype(float), expected.astype(float))

    def test_what_is_no_operand(self):
        good = numbers(3)
        for bad in (np.array([1, 2, None]), np.array(["a", "b", "c"]), np.zeros(3, complex), np.zeros(3, bool),
                    np.zeros(3, np.int64), np.zeros(3, np.uint8), np.zeros(3, "datetime64[s]"),
                    np.zeros(3, [("x", "f4")]), "abc", None, object()):
            with self.assertRaisesRegex(TypeError, "expected operand 1 to have elements of float32, .*, found .*"
                                        r": convert it with .*\n  i, i -> i\n     \^$"):
                tileir.einsum("i, i -> i", good, bad)
        with self.assertRaisesRegex(TypeError, "found float32 in operand 0 and int32 in operand 1"):
            tileir.einsum("i, i -> i", good, good.astype(np.int32))


class Memory(unittest.TestCase):
    def test_views_are_read_where_they_are(self):
        a, b = numbers(8, 9), numbers(9, 7)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for left in a[::2, 1::3], a.T[:4, ::3], np.moveaxis(numbers(2, 3, 4), 0, 2)[1], a[2:6, 3:6]:
                np.testing.assert_array_equal(tileir.einsum("mk, kn -> mn", left, b[:left.shape[1]]),
                                              left @ b[:left.shape[1]])

    def test_others_are_copied_with_a_warning(self):
        a = numbers(4, 6)
        misaligned = np.frombuffer(bytes(1) + a.tobytes(), np.uint8)[1:].view(np.float32).reshape(4, 6)
        packed = np.zeros((4, 6), [("x", "f4"), ("y", "i1")])
        packed["x"] = a
        cases = {"stride of -24 bytes": a[::-1], "stride of -4 bytes": a[:, ::-1], "stride of 0 bytes": np.broadcast_to(a[0], (4, 6)),
                 "another order": a.astype(">f4"), "not aligned": misaligned, "not aligned|stride of 30": packed["x"]}
        for reason, view in cases.items():
            with self.assertWarnsRegex(tileir.CopyWarning, f"operand 0 is copied, for .*({reason})") as caught:
                np.testing.assert_array_equal(tileir.einsum("ij -> ji", view), view.T)
            self.assertEqual(caught.filename, __file__)

    def test_lists_and_numbers(self):
        np.testing.assert_array_equal(tileir.einsum("i, ij -> j", [1.0, 2.0], [[1.0, 2.0], [3.0, 4.0]]), [7, 10])
        self.assertEqual(tileir.einsum(", ->", 3.0, 2.0), 6)

    def test_results_without_axes_are_numbers(self):
        result = tileir.einsum("i, i ->", numbers(5), numbers(5))
        self.assertIsInstance(result, np.float32)
        self.assertEqual(result, numbers(5) @ numbers(5))

    def test_dlpack(self):
        class Other:
            def __init__(self, array):
                self.array = array

            def __dlpack__(self, **options):
                return self.array.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        a = numbers(3, 4)
        np.testing.assert_array_equal(tileir.einsum("ij -> ji", Other(a)), a.T)

    def test_sizes_of_zero(self):
        for m, k, n in (0, 2, 3), (2, 0, 3), (2, 3, 0), (0, 0, 0):
            a, b = np.ones((m, k), np.float32), np.ones((k, n), np.float32)
            for spec, x, y in ("mk, kn -> mn", a, b), ("mk, nk -> mn", a, b.T):
                np.testing.assert_array_equal(tileir.einsum(spec, x, y), a @ b)
            bias = numbers(n)
            np.testing.assert_array_equal(tileir.einsum("mk, kn -> mn", a, b, bias=bias, epilogue="relu"),
                                          np.maximum(a @ b + bias, 0))
        self.assertEqual(tileir.einsum("i ->", np.ones(0)), 0)
        with self.assertRaisesRegex(tileir.ShapeError, "index 'k' has size 0 .* but size 5"):
            tileir.einsum("mk, kn -> mn", np.ones((2, 0)), np.ones((5, 3)))

    def test_many_operands(self):
        letters = "abcdefghijklmnopqrstuvwxyzABCDEFG"
        operands = [numbers(2, 2, low=-1) % 2 for _ in letters]
        chain = ",".join(a + b for a, b in zip(letters, letters[1:] + "H"))
        expected = np.linalg.multi_dot([x.astype(np.float64) for x in operands])
        self.assertEqual(len(operands), 33)
        np.testing.assert_array_equal(tileir.einsum(f"{chain} -> aH", *operands), expected)
        with self.assertRaisesRegex(tileir.ShapeError, "expected at most 128 arrays, found 129"):
            tileir.einsum("i", *[np.ones(2)] * 129)


class Outputs(unittest.TestCase):
    def test_out_in_any_order(self):
        a, b = numbers(3, 4), numbers(4, 5)
        whole = np.full((7, 11), 99, np.float32)
        for out in np.empty((3, 5), np.float32), np.empty((5, 3), np.float32).T, whole[1:4, ::2][:, :5], \
                np.empty((3, 5), np.float64), np.empty((3, 5), np.float16):
            self.assertIs(tileir.einsum("mk, kn -> mn", a, b, out=out), out)
            np.testing.assert_array_equal(out, a @ b)
        self.assertTrue((whole[:, 1::2] == 99).all() and (whole[0] == 99).all() and (whole[4:] == 99).all())

    def test_out_that_is_refused(self):
        a, b = numbers(3, 4), numbers(4, 3)
        read_only = np.zeros((3, 3), np.float32)
        read_only.flags.writeable = False
        for out, error, words in (
                (read_only, tileir.ShapeError, "can be written, found a read-only array"),
                (np.zeros((3, 3), np.float32)[::-1], tileir.ShapeError, "has a stride of -12 bytes"),
                (np.broadcast_to(np.zeros(3, np.float32), (3, 3)), tileir.ShapeError, "read-only"),
                (np.zeros((3, 4), np.float32), tileir.ShapeError, r"the shape \(3, 3\) of the result, found \(3, 4\)"),
                (np.zeros(3, np.float32), tileir.ShapeError, "expected strides_out to have 2 entries"),
                (np.zeros((3, 3), np.int32), TypeError, "expected out to have floats"),
                (np.zeros((3, 3), object), TypeError, "expected out to have elements of .*, found object"),
                ([[0.0] * 3] * 3, TypeError, "expected out to be an array of NumPy, found list")):
            with self.assertRaisesRegex(error, words):
                tileir.einsum("mk, kn -> mn", a, b, out=out)
        windows = np.lib.stride_tricks.as_strided(np.zeros(5, np.float32), (3, 3), (4, 4))
        with self.assertRaisesRegex(tileir.ShapeError, "elements of the output would overlap"):
            tileir.einsum("mk, kn -> mn", a, b, out=windows)

    def test_out_overlaps_no_operand(self):
        square = numbers(4, 4)
        before = square.copy()
        for out in square, square.T, square[:, ::-1][:, ::-1]:
            for _ in range(2):  # compiled or not
                with self.assertRaisesRegex(tileir.ShapeError, "overlaps no operand, found that it shares memory with "
                                            r"array 1: .*\n  mk, kn -> mn\n      \^\^$"):
                    tileir.einsum("mk, kn -> mn", numbers(4, 4), square, out=out)
        np.testing.assert_array_equal(square, before)
        # Between the elements of an operand there is room.
        both = np.zeros((4, 8), np.float32)
        both[:, ::2] = before
        for _ in range(2):
            tileir.einsum("mk, kn -> mn", both[:, ::2], before, out=both[:, 1::2])
            np.testing.assert_array_equal(both[:, 1::2], before @ before)
        np.testing.assert_array_equal(both[:, ::2], before)

    def test_bias_and_epilogue(self):
        a, b = numbers(3, 4), numbers(4, 5)
        for bias in numbers(5), numbers(3, 1), numbers(3, 5), numbers(5, 3).T, numbers(1, 1), 2.0, numbers(5, dtype=np.float64):
            np.testing.assert_array_equal(tileir.einsum("mk, kn -> mn", a, b, bias=bias), a @ b + bias)
            np.testing.assert_array_equal(tileir.einsum("mk, kn -> mn", a, b, bias=bias, epilogue="relu"),
                                          np.maximum(a @ b + bias, 0))
        for bias, words in (numbers(4), "can be broadcast to the shape"), (numbers(1, 3, 5), "a bias of at most 2 axes"):
            with self.assertRaisesRegex(tileir.ShapeError, words):
                tileir.einsum("mk, kn -> mn", a, b, bias=bias)
        with self.assertRaisesRegex(ValueError, "expected epilogue to be None or 'relu', found 'gelu'"):
            tileir.einsum("mk, kn -> mn", a, b, epilogue="gelu")


class Specifications(unittest.TestCase):
    def test_as_numpy_has_them(self):
        a, b, c = numbers(2, 3, 4), numbers(4, 5), numbers(3, 1)
        for spec, operands in (("...k, kn -> ...n", (a, b)), ("...k, kn", (a, b)), ("ij...", (a,)), ("...ij -> ...ji", (a,)),
                               ("i...j, j... -> i...", (a, c[:4])), ("ab, bc", (b, b.T)), ("ba", (b,)), ("ii", (b[:, :4],)),
                               ("...i, ...i -> ...", (a, a)), ("i... -> i...", (a,)), ("...", (a,)), ("i, j", (b[0], b[1])),
                               ("...i, ... -> ...i", (a, c[:, 0])), ("... , ...", (a, numbers(1, 4)))):
            if "i...j" in spec:
                operands = numbers(2, 3, 4), numbers(4, 3)
            with self.subTest(spec=spec):
                np.testing.assert_array_equal(tileir.einsum(spec, *operands), np.einsum(spec, *operands))

    def test_without_an_arrow_letters_that_occur_once_are_the_result(self):
        x, w = numbers(8), numbers(3)
        np.testing.assert_array_equal(tileir.einsum("(t+r), r", x, w), np.correlate(x, w))

    def test_sizes_alone_tell_indices_of_the_result(self):
        a = numbers(3)
        np.testing.assert_array_equal(tileir.einsum("i -> ij", a, sizes={"j": 4}), np.repeat(a[:, None], 4, 1))
        np.testing.assert_array_equal(tileir.einsum("i -> xjy", a, sizes={"j": 2, "x": 1, "y": 3}), np.full((1, 2, 3), a.sum()))

    def test_tables(self):
        a, rows = numbers(10, 4), np.array([7, 0, 3])
        for table in rows, rows.astype(np.int32), rows.astype(np.uint8), rows[::-1], [1, 2]:
            for spelled in {"row": table}, None:
                result = tileir.einsum("(row[i])d -> id", a, tables=spelled, **({} if spelled else {"row": table}))
                np.testing.assert_array_equal(result, a[np.asarray(table)])
        shift = np.array([[2, 0], [1, 5]])
        np.testing.assert_array_equal(tileir.einsum("(h+s[c,d])e -> hcde", a, s=shift, sizes={"h": 4}),
                                      np.stack([[a[s:s + 4] for s in line] for line in shift]).transpose(2, 0, 1, 3))


if __name__ == "__main__":
    unittest.main()
