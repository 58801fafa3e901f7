# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each idiom of docs/einsum.md by tileir.einsum, against the NumPy expression beside it.

Operands are in C order, transposed in memory, with gaps between elements, and
reversed; they are of float64, float32 and int32. Small integers: all is exact.
"""

import unittest
import warnings

import numpy as np

import tileir
from draw_idioms import draw_all


def in_c_order(x):
    return x


def transposed(x):
    return np.asfortranarray(x)


def with_gaps(x):
    wide = np.full([2 * size + 1 for size in x.shape], 99, x.dtype)
    view = wide[tuple(slice(1, None, 2) for _ in x.shape)]
    view[...] = x
    return view


def reversed_in_memory(x):
    every = tuple(slice(None, None, -1) for _ in x.shape)
    return x[every].copy()[every]


class Idioms(unittest.TestCase):
    def test_all(self):
        for spec, drawn, tables, options, expected in draw_all():
            for dtype in np.float64, np.float32, np.int32:
                for layout in in_c_order, transposed, with_gaps, reversed_in_memory:
                    operands = [layout(x.astype(dtype)) for x in drawn]
                    given = {name: layout(x) for name, x in tables.items()}
                    with self.subTest(spec=spec, dtype=dtype, layout=layout.__name__), warnings.catch_warnings():
                        warnings.simplefilter("error" if layout is not reversed_in_memory else "ignore")
                        result = tileir.einsum(spec, *operands, tables=given, **options)
                        self.assertEqual(result.dtype, dtype)
                        np.testing.assert_array_equal(result, expected)


if __name__ == "__main__":
    unittest.main()
