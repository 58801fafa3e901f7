# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of all idioms of docs/einsum.md, and of what is particular, by torch's gradcheck in f64; how each is computed."""

import sys
import unittest
from pathlib import Path

import torch

import tileir.torch
from tileir import _gradients, _terms

ROOT = Path(sys.argv.pop())
sys.path.insert(0, str(ROOT / "test/Docs"))

# Specification, shapes of operands, options; and per operand whether its gradient is a contraction.
CASES = (
    ("nc(h+r-1)(w+s-1), kcrs -> nkhw", [(2, 3, 6, 5), (4, 3, 3, 3)], {"pad": "zero", "sizes": {"h": 6, "w": 5}}, "cc"),
    ("nc(h+r)(w+s), kcrs -> nkhw", [(2, 3, 6, 5), (4, 3, 3, 2)], {}, "cc"),
    ("nc(h+2*r)(w+2*s), kcrs -> nkhw", [(1, 2, 7, 6), (2, 2, 3, 2)], {}, "cc"),
    ("nc(2*h+r-1)(2*w+s-1), kcrs -> nkhw", [(1, 2, 7, 6), (2, 2, 3, 3)], {"pad": "zero", "sizes": {"h": 4, "w": 3}}, "cc"),
    ("nc(3*h+r+1)(3*w+s-2), kcrs -> nkhw", [(1, 2, 9, 8), (2, 2, 4, 2)], {"pad": "zero", "sizes": {"h": 3, "w": 3}}, "cc"),
    ("nc(2*h+r)(2*w+s) -> nchw", [(1, 2, 7, 7)], {"sizes": {"r": 3, "s": 3}}, "c"),
    ("nc(2*h+r)(2*w+s) -> nchw", [(1, 2, 6, 8)], {"sizes": {"r": 2, "s": 2}}, "c"),
    ("nc(h+sh[c])(w+sw[c]), ck -> nkhw", [(2, 3, 6, 6), (3, 2)],
     {"tables": {"sh": [0, 2, 1], "sw": [1, 0, 2]}, "sizes": {"h": 4, "w": 4}}, "cc"),
    ("nc(h+rh[x])(w+rw[x]), kcx -> nkhw", [(1, 2, 5, 5), (3, 2, 4)],
     {"tables": {"rh": [0, 2, 1, 0], "rw": [1, 0, 2, 2]}, "sizes": {"h": 3, "w": 3}}, "cc"),
    ("(row[i])d, i -> d", [(5, 3), (4,)], {"tables": {"row": [1, 4, 1, 0]}}, "sc"),
    ("(row[i])d -> id", [(5, 3)], {"tables": {"row": [9, 4, -2, 4]}, "pad": "zero"}, "s"),
    ("(off[i,j]+k)m, k -> ijm", [(6, 2), (2,)], {"tables": {"off": [[0, 2, 1], [4, 3, 0]]}}, "sc"),
    ("t(r), r -> t", [(4, 3), (3,)], {}, "cc"), ("(t-r), r -> t", [(8,), (3,)], {"pad": "zero", "sizes": {"t": 9}}, "cc"),
    ("(h/2)(w/2) -> hw", [(3, 2)], {"sizes": {"h": 6, "w": 4}}, "s"), ("(i%3) -> i", [(3,)], {"sizes": {"i": 8}}, "s"),
    ("((i+3)%8), i -> i", [(8,), (8,)], {}, "sc"), ("i(3-i) -> i", [(4, 4)], {}, "s"), ("ii, i -> i", [(4, 4), (4,)], {}, "sc"),
    ("ij ->", [(3, 4)], {}, "c"), ("i -> ij", [(3,)], {"sizes": {"j": 4}}, "c"), ("ij, ij ->", [(3, 4), (3, 4)], {}, "cc"),
    ("ij, jk, kl -> il", [(2, 3), (3, 4), (4, 2)], {}, "ccc"), ("(i-j+3) -> ij", [(7,)], {"sizes": {"i": 4, "j": 4}}, "c"),
    ("(t+r) -> tr", [(8,)], {"sizes": {"r": 3}}, "c"), ("(i+j), j -> i", [(5,), (2,)], {}, "cc"), ("(i+j), (i-j+1) ->", [(5,), (5,)],
     {"sizes": {"i": 3, "j": 2}}, "ss"), ("(2*i+2*j), j -> i", [(9,), (3,)], {"sizes": {"i": 3}}, "sc"),
    ("(4*i+j) -> ij", [(12,)], {"sizes": {"i": 3, "j": 4}}, "c"), ("(i/4)(i%4) -> i", [(3, 4)], {"sizes": {"i": 12}}, "s"),
    (", i -> i", [(), (3,)], {}, "cc"), ("(7-i) -> i", [(8,)], {"sizes": {"i": 8}}, "c"), ("(2*i+1) -> i", [(8,)], {}, "s"),
)


class Gradients(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(3)

    def check(self, spec, shapes, options):
        operands = [torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
        return torch.autograd.gradcheck(lambda *x: tileir.torch.einsum(spec, *x, **options), operands)

    def test_against_differences(self):
        for spec, shapes, options, _ in CASES:
            with self.subTest(spec=spec):
                self.assertTrue(self.check(spec, shapes, options))

    def test_of_gradients(self):
        for spec, shapes, options, _ in CASES[:1] + CASES[3:4] + CASES[9:12] + CASES[18:20]:
            operands = [torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
            with self.subTest(spec=spec):
                self.assertTrue(torch.autograd.gradgradcheck(
                    lambda *x, s=spec, o=options: tileir.torch.einsum(s, *x, **o), operands))

    def test_how_they_are_computed(self):
        """c: a contraction; s: scattered."""
        for spec, shapes, options, expected in CASES:
            terms = _terms.Terms(spec)
            padded = options.get("pad") == "zero"
            tables = {name: torch.tensor(table).shape for name, table in options.get("tables", {}).items()}
            sizes = _terms.infer_sizes(terms, shapes, tables, options.get("sizes", {}), padded)
            found = "".join("s" if _gradients.derive(spec, i, shape, sizes, padded) is None else "c"
                            for i, shape in enumerate(shapes))
            self.assertEqual(found, expected, spec)

    def test_idioms(self):
        import idioms

        count = 0
        for text in (ROOT / "test/Docs/idioms.mlir").read_text().split("func.func")[1:]:
            spec, attributes = idioms.CONTRACT.search(text).groups(default="")
            program = idioms.oracle.Program.parse("func.func" + text)
            options = {"pad": "zero"} if "zero" in attributes else {}
            terms = _terms.Terms(spec)
            options["sizes"] = dict(zip(terms.result, program.types[0].shape))
            if "sizes" in attributes:
                options["sizes"] |= {"r": 2, "s": 2}
            tables = {name for axes in terms.operands for axis in axes for name, _ in _terms.get_tables(axis)}
            rng = idioms.np.random.default_rng(4)
            options["tables"] = {a.name: torch.as_tensor(idioms.np.asarray(idioms.draw(a, rng))).long()
                                 for a in program.arguments if a.name in tables}
            named = {a.name: a.type.shape for a in program.arguments}
            shapes = [tuple(named[name]) for name in
                      idioms.re.findall(r"%(\w+)", idioms.re.search(r'contract "[^"]*" \(([^)]*)\)', text)[1])]
            with self.subTest(spec=spec):
                self.assertTrue(self.check(spec, shapes, options))
            count += 1
        self.assertGreater(count, 40)


if __name__ == "__main__":
    unittest.main()
