# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is refused, with a caret, an operand and an axis; and random specifications, none of which may do more harm than
raise an exception.

    refused.py [COUNT]
"""

import random
import sys
import unittest

import numpy as np

import tileir

COUNT = int(sys.argv.pop()) if sys.argv[-1].isdigit() else 3000


def catch(kind, spec, *operands, **options):
    try:
        tileir.einsum(spec, *operands, **options)
    except kind as error:
        return error
    raise AssertionError(f"expected {kind.__name__} of {spec!r}")


class Refused(unittest.TestCase):
    a, b = np.ones((4, 6)), np.ones((6, 5))

    def expect(self, kind, words, place, spec, *operands, operand=None, axis=None, **options):
        error = catch(kind, spec, *operands, **options)
        self.assertIn(words, str(error))
        self.assertEqual((error.spec, error.operand, error.axis), (spec, operand, axis), error)
        if place is None:
            self.assertIsNone(error.position, error)
        else:
            self.assertEqual(spec[error.position:error.position + error.length], place, error)
            line = str(error).splitlines()[-1]
            self.assertEqual(line, " " * (2 + error.position) + "^" * max(len(place), 1))

    def test_specifications(self):
        kind, a, b = tileir.SpecError, self.a, self.b
        self.expect(kind, "expected an index, '(', ',' or '->', found ';'", ";", "mk, k;n -> mn", a, b)
        self.expect(kind, "result index 'z' is used by no operand: give its size", "z", "mk, kn -> mz", a, b)
        self.expect(kind, "repeated result index 'm'", "m", "mk, kn -> mm", a, b)
        self.expect(kind, "unbalanced parentheses: '(' is not closed", "(", "m(k, kn -> mn", a, b)
        self.expect(kind, "found 'é'", "é", "mk, ké -> mn", a, b)
        self.expect(kind, "found a character 0", "\0", "mk\0, kn -> mn", a, b)
        self.expect(kind, "characters that UTF-8 has", "\ud800", "mk\ud800, kn -> mn", a, b)
        self.expect(kind, "one ellipsis in a term, found two", "...", "...k..., kn -> mn", a, b)
        self.expect(kind, "one ellipsis in the result, found two", "...", "...k, kn -> ...n...", a, b)

    def test_shapes(self):
        kind, a, b = tileir.ShapeError, self.a, self.b
        self.expect(kind, "expected 1 shapes", None, "mk -> mk", a, b)
        self.expect(kind, "expected input 1 to have 3 axes", "knr", "mk, knr -> mnr", a, b, operand=1)
        self.expect(kind, "index 'k' has size 6 in axis 1 of operand 0 but size 5 in axis 1 of operand 1", "k", "mk, nk -> mn",
                    a, b, operand=1, axis=1)
        self.expect(kind, "index 'k' has size 6", "k", "...k, ...nk -> ...n", a, b, operand=1, axis=1)
        self.expect(kind, "expected operand 1 to have at least 3 axes, found 2", "...", "mk, ...knr -> m", a, b, operand=1)
        self.expect(kind, "which an ellipsis stands for, to have size 4", "...", "...k, n... -> ...", a, b, operand=1, axis=1)
        self.expect(kind, "outside of its size 6", "(k+r)", "mk, (k+r)n -> mn", a, b, sizes={"r": 3}, operand=1, axis=0)
        self.expect(kind, "to have room for (k+r+7)", "(k+7+r)", "mk, (k+7+r)n -> mn", a, b, operand=1, axis=0)
        self.expect(kind, "expected the shapes to tell the size of index 'q': give it in sizes, as q = 3", "q", "mk, (q+r)n -> mn", a, b)
        self.expect(kind, "expected sizes of indices of", None, "mk, kn -> mn", a, b, sizes={"z": 2})
        self.expect(kind, "expected one shape or more", None, "->")
        self.expect(kind, "expected a result that fits in memory", None, "i -> ijk", self.a[0], sizes={"j": 2**40, "k": 2**40})

    def test_tables(self):
        a, kind = self.a, tileir.CheckError
        self.expect(kind, "at i = 1, reads index 4, outside of its size 4", "(t[i])", "(t[i])d -> id", a, t=[0, 4], operand=0,
                    axis=0)
        self.expect(kind, "at i = 0, reads index -1", "(t[i])", "(t[i])d -> id", a, t=[-1, 3], operand=0, axis=0)
        # Also where it was compiled for a good table.
        self.assertEqual(tileir.einsum("(t[i])d -> id", a, t=[0, 3]).shape, (2, 6))
        self.assertIsInstance(catch(IndexError, "(t[i])d -> id", a, t=[0, 9]), tileir.CheckError)
        np.testing.assert_array_equal(tileir.einsum("(t[i])d -> id", a, t=[4, 3], pad="zero"), [[0] * 6, [1] * 6])
        with self.assertRaisesRegex(TypeError, "expected table 't' to have integers, found float64"):
            tileir.einsum("(t[i])d -> id", a, t=[0, np.nan])
        with self.assertRaisesRegex(TypeError, "'padding' is no option, and no table of 'ij': expected tables, sizes, pad"):
            tileir.einsum("ij", a, padding="zero")
        with self.assertRaisesRegex(TypeError, "'padding' is no option, and no table of 'ij': expected tables, sizes, pad"):
            tileir.compile("ij", (2, 3), padding="zero")
        error = catch(tileir.ShapeError, "(t[i]+u[i])d -> id", a, t=[0, 1])
        self.assertIn("expected table 'u'", str(error))
        self.expect(tileir.ShapeError, "expected table 't' to have 2 axes", "t", "(t[i,j])d -> ijd", a, t=[0, 1], operand=1)

    def test_options(self):
        for options, kind, words in (({"pad": "same"}, ValueError, "expected pad to be 'none' or 'zero', found 'same'"),
                                     ({"sizes": {"rs": 3}}, ValueError, "which are letters, found 'rs'"),
                                     ({"sizes": "r=3"}, TypeError, "expected sizes to be a dictionary"),
                                     ({"sizes": {"i": -1}}, tileir.ShapeError, "not to be negative"),
                                     ({"sizes": {"i": 1.5}}, TypeError, "float"),
                                     ({"threads": -1}, ValueError, "expected threads to be positive")):
            with self.assertRaisesRegex(kind, words):
                tileir.einsum("ij -> ji", self.a, **options)
        with self.assertRaisesRegex(TypeError, "expected the specification to be a string, found int"):
            tileir.einsum(7, self.a)

    def test_random_specifications(self):
        """Pieces of specifications in any order, on arrays that may fit."""
        rng = random.Random(5)
        pieces = ["i", "j", "k", "m", "n", "(", ")", "(i+r)", "(2*j-1)", "(t[i])", "(t[i,j]+k)", "+", "-", "*", "/", "%", "7", "t",
                  "[", "]", ",", ", ", "->", " -> ", "...", "0", "\t", "\n", "é", "_", "(i/2)", "(i%3)", "(i*j)", "99999999999999999999"]
        axes = ["i", "j", "k", "(i+r)", "(2*j)", "(t[i])", "(i/2)", "(j%3)", "..."]
        arrays = [np.ones(shape, np.float32) for shape in ((), (4,), (3, 4), (4, 4), (2, 3, 4), (0, 4))]
        raised = run = 0
        for _ in range(COUNT):
            if rng.random() < 0.5:
                spec = "".join(rng.choices(pieces, k=rng.randint(1, 7)))
            else:
                spec = ", ".join("".join(rng.choices(axes, k=rng.randint(0, 3))) for _ in range(rng.randint(1, 3)))
            if rng.random() < 0.5:
                spec += rng.choice([" -> i", " -> ij", "->", " -> ji"])
            operands = rng.choices(arrays, k=spec.count(",") + 1 if rng.random() < 0.9 else rng.randint(0, 3))
            options = rng.choice([{}, {}, {"sizes": {"r": 2}}, {"sizes": {"k": 3, "j": 2}}, {"pad": "zero"}])
            tables = {"t": np.array(rng.choice([[0, 1, 2], [3, 9], [[0, 1], [1, 0]]]))} if "t[" in spec else {}
            try:
                tileir.einsum(spec, *operands, tables=tables, **options)
                run += 1
            except (tileir.SpecError, tileir.ShapeError, tileir.CheckError) as error:
                raised += 1
                if isinstance(error, (tileir.SpecError, tileir.CheckError)):
                    self.assertIsNotNone(error.position, f"{spec!r}: {error}")
                if error.position is not None:
                    self.assertTrue(0 <= error.position <= len(spec), f"{spec!r}: {error.position}")
                    self.assertEqual(str(error).splitlines()[-1].strip("^ "), "", f"{spec!r}: {error}")
        self.assertGreater(raised, COUNT // 2)
        self.assertGreater(run, COUNT // 100)


if __name__ == "__main__":
    unittest.main()
