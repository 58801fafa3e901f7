# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each idiom of docs/einsum.md on arrays of a GPU, against the NumPy expression beside it. Small integers: all is exact."""

import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "Einsum"))
import device  # noqa: E402
import tileir  # noqa: E402
from draw_idioms import draw_all  # noqa: E402


class Idioms(unittest.TestCase):
    def test_all(self):
        device.start()
        for spec, operands, tables, options, expected in draw_all():
            for dtype in np.float32, np.float16, np.int32:
                with self.subTest(spec=spec, dtype=dtype):
                    given = [device.DeviceArray(x.astype(dtype)) for x in operands]
                    result = tileir.einsum(spec, *given, tables=tables, **options)
                    self.assertEqual(result.dtype, dtype)
                    np.testing.assert_array_equal(result.numpy(), expected)


if __name__ == "__main__":
    unittest.main()
