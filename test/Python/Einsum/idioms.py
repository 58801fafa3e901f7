# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each idiom of docs/einsum.md by tileir.einsum, against the NumPy expression beside it.

Operands are in C order, transposed in memory, with gaps between elements, and
reversed; they are of float64, float32 and int32. Small integers: all is exact.
"""

import re
import sys
import unittest
import warnings
from pathlib import Path

import numpy as np

import tileir
from tileir._specification import get_tables

ROOT = Path(sys.argv.pop())
sys.path.insert(0, str(ROOT / "test/Docs"))
import idioms  # noqa: E402  (for its readers of the page and of the programs)


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
        rows = {(spec, attributes): expression
                for spec, attributes, expression in idioms.ROW.findall((ROOT / "docs/einsum.md").read_text())}
        programs = (ROOT / "test/Docs/idioms.mlir").read_text()
        rng = np.random.default_rng(1)
        seen = set()
        for text in programs.split("func.func")[1:]:
            key = spec, attributes = idioms.CONTRACT.search(text).groups(default="")
            program = idioms.oracle.Program.parse("func.func" + text)
            options = {"pad": "zero"} if "zero" in attributes else {}
            if "sizes" in attributes:
                options["sizes"] = {"r": 2, "s": 2}
            tables = get_tables(spec)
            names = re.findall(r"%(\w+)", re.search(r'einsum\.contract "[^"]*" \(([^)]*)\)', text)[1])
            drawn = {a.name: np.asarray(idioms.draw(a, rng)) for a in program.arguments}
            expected = np.asarray(eval(rows[key], idioms.NAMES | {
                name: x if name in tables else x.astype(np.float64) for name, x in drawn.items()}))
            # Slices are as long as the result.
            shape = program.types[0].shape
            options.setdefault("sizes", dict(zip(spec.partition("->")[2].strip(), shape)))
            for dtype in np.float64, np.float32, np.int32:
                for layout in in_c_order, transposed, with_gaps, reversed_in_memory:
                    operands = [layout(drawn[name].astype(dtype)) for name in names]
                    given = {name: layout(drawn[name].astype(np.int64)) for name in tables}
                    with self.subTest(spec=spec, dtype=dtype, layout=layout.__name__), warnings.catch_warnings():
                        warnings.simplefilter("error" if layout is not reversed_in_memory else "ignore")
                        result = tileir.einsum(spec, *operands, tables=given, **options)
                        self.assertEqual(result.dtype, dtype)
                        np.testing.assert_array_equal(result, expected)
            seen.add(key)
        self.assertEqual(seen, rows.keys())
        self.assertGreater(len(seen), 40)


if __name__ == "__main__":
    unittest.main()
