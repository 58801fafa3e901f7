# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tileir.tune: macros of kernels, lists of pipelines, contractions of all kinds of operands; what einsum and compile find by
tuned=True, in memory and in a file; Ctrl-C; what is refused."""

import json
import os
import signal
import sys
import tempfile
import threading
import unittest
import warnings
from pathlib import Path

import numpy as np

import tileir

EXAMPLES = Path(sys.argv.pop(), "examples")
QUICK = dict(progress=False, rounds=1, repeat=2)


def integers(*shape, seed=1, dtype=np.float32):
    return np.random.default_rng(seed).integers(-3, 4, shape).astype(dtype)


class Tune(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.cache = Path(self.folder.name, "tune.jsonl")
        tileir.clear_cache()

    def tearDown(self):
        self.folder.cleanup()

    def test_macros_of_a_kernel(self):
        a, b, c = integers(64, 64, dtype=np.float16), integers(64, 64, dtype=np.float16), np.zeros((64, 64), np.float32)
        arguments = [a.ravel(), b.ravel(), c.ravel(), *[64] * 6]
        lines = []
        found = tileir.tune(EXAMPLES / "triton-c/matmul.c", *arguments, defines={"TM": [16, 32, 3], "TN": [16, 64], "TK": 16},
                            where="TM*TN <= 1024", measure="sim", chip="sm_80", cache=self.cache, **{**QUICK, "progress": lines.append})
        self.assertEqual(len(found.configurations), 5)
        right = [one for one in found.configurations if not one.reason]
        self.assertEqual([one.cost for one in right], sorted(one.cost for one in right))
        self.assertEqual(found.unit, "us")
        self.assertIn("-DTM=" + found.best.values["TM"], found.options)
        self.assertRegex(lines[0], r"^\[tune\] 1/5 ")
        self.assertIn("3", {one.values["TM"] for one in found.configurations if one.reason})
        self.assertIn("<svg", found.page)
        again = tileir.tune(EXAMPLES / "triton-c/matmul.c", *arguments, defines={"TM": [16, 32, 3], "TN": [16, 64], "TK": 16},
                            where="TM*TN <= 1024", measure="sim", chip="sm_80", cache=self.cache, **QUICK)
        self.assertTrue(again.was_known and not found.was_known)
        self.assertEqual(again.best, found.best)

    def test_kernels_that_tune_themselves(self):
        text = """#pragma tile grid((N + T - 1) / T)
__global__ void twice(int N, const float *x, float *y) {
  int at[T] = get_program_id(0) * T + 0 ... T;
  *?(at < N)(y + at) = *?(at < N)(x + at) * K;
}
"""
        lines = []
        options = dict(rounds=1, repeat=2, cache=self.cache, progress=lines.append)
        kernel = tileir.kernel(text, {"T": [16, 64, 24], "K": 2}, backend="sim", chip="sm_80", key=["N"], tune=options)
        x = integers(100)
        for size in 100, 100, 90:
            y = np.zeros(100, np.float32)
            kernel(size, x, y)
            np.testing.assert_array_equal(y[:size], 2 * x[:size])
            self.assertFalse(y[size:].any())
        self.assertEqual(sum(line.startswith("[tune] 1/3 ") for line in lines), 2)
        best = kernel.best(100, x, x)
        self.assertIn(best["T"], (16, 64))
        self.assertEqual(best["K"], 2)
        self.assertGreater(kernel.report["launches"][0]["estimate"]["microseconds"], 0)
        # Another one finds what was measured.
        lines.clear()
        again = tileir.kernel(text, {"T": [16, 64, 24], "K": 2}, backend="sim", chip="sm_80", key=["N"], tune=options)
        self.assertEqual(again.best(100, x, x), best)
        self.assertEqual(lines, [])
        # By a grid, if that is the same for all.
        fixed = text.replace("T - 1) / T)", "63) / 64)").replace("* T", "* 64").replace("0 ... T", "0 ... 64").replace("[T]", "[64]")
        kernel = tileir.kernel(fixed, {"K": [2, 2.0]}, tune=options)
        kernel[lambda values: -(-values["N"] // 64)](100, x, y)
        np.testing.assert_array_equal(y, 2 * x)
        for call, kind, words in (
                (lambda: tileir.kernel(text, {"T": [16, 64], "K": 2}, tune=options)[lambda a: a["N"] // a["T"]](100, x, y), ValueError,
                 "a grid that does not depend on T"),
                (lambda: tileir.kernel(text, {"T": [16, 64], "K": 2}, key=["n"])(100, x, y), ValueError, "found 'n'"),
                (lambda: tileir.kernel(text, {"T": [16, 64], "K": 2}, backend="interp")(100, x, y), ValueError, "backend 'cpu' or 'sim'"),
                (lambda: tileir.kernel(text, {"T": 16, "K": 2}, key=["N"]), TypeError, "a macro with a list of values")):
            with self.subTest(words=words), self.assertRaisesRegex(kind, words):
                call()

    def test_lists_of_a_pipeline_and_a_grid(self):
        text = "__global__ void f(float *x) {\n  int at[16] = get_program_id(0) * 16 + 0 ... 16;\n  *(x + at) = 2;\n}\n"
        found = tileir.tune(text, np.zeros(64, np.float32), grid=4, measure="sim", space={"chip": ["sm_70", "sm_80"]}, chip="${chip}",
                            cache="", **QUICK)
        self.assertEqual({one.values["chip"] for one in found.configurations}, {"sm_70", "sm_80"})

    def check_contraction(self, spec, *operands, **options):
        """Tunes it, and compares what einsum finds with what it computes without."""
        expected = tileir.einsum(spec, *operands, **options)
        described = {name: value for name, value in options.items()}
        arrays = [*operands, *[value for name, value in options.items() if name in ("sh", "sw")],
                  *[options[name] for name in ["bias"] if name in options]]
        operation = tileir.compile(spec, *operands, **described)
        self.assertEqual(operation.tuned, "")
        with self.assertWarnsRegex(tileir.TuneWarning, "no result of tuning is known for "):
            tileir.einsum(spec, *operands, tuned=self.cache, **options)
        found = tileir.tune(operation, *arrays, candidates=3, cache=self.cache, **QUICK)
        self.assertGreater(found.best.cost, 0)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            np.testing.assert_array_equal(tileir.einsum(spec, *operands, tuned=self.cache, **options), expected)
            tuned = tileir.compile(spec, *operands, tuned=self.cache, **described)
        self.assertEqual(tuned.tuned, found.best.values["config"])
        return tuned

    def test_contractions(self):
        a, b = integers(24, 40), integers(40, 48, seed=2)
        self.check_contraction("mk, kn -> mn", a, b, threads=1)
        # Views, several kinds of types, a table, a bias and an epilogue.
        self.check_contraction("mk, kn -> mn", integers(80, 24).T[:, ::2], b)
        self.check_contraction("mk, kn -> mn", a.astype(np.float64), b.astype(np.float64), sizes={"k": 40})
        image, filters = integers(2, 4, 9, 12), integers(5, 4, 3, 3, seed=2)
        self.check_contraction("nc(h+r-1)(w+s-1), kcrs -> nkhw", image, filters, pad="zero", sizes={"h": 9, "w": 12},
                               bias=integers(5, 1, 1, seed=3), epilogue="relu")
        self.check_contraction("nc(h+sh[c])w, ck -> nkhw", image, integers(4, 5), sh=np.array([0, 1, 2, 0]), sizes={"h": 7})

    def test_the_best_schedule_is_the_one_that_is_used(self):
        # A file that says so makes a configuration the best one.
        a, b = integers(64, 64), integers(64, 64)
        operation = tileir.compile("mk, kn -> mn", a, b, threads=1)
        tileir.tune(operation, candidates=4, cache=self.cache, **QUICK)
        kept = map(json.loads, self.cache.read_text().splitlines())
        lines = list({line["configuration"]: line for line in kept}.values())
        schedules = set()
        for chosen in lines:
            for line in lines:
                line["median_ms"], line["chosen"] = 1 if line is chosen else 2, line is chosen
            self.cache.write_text("".join(json.dumps(line) + "\n" for line in lines))
            tileir.clear_cache()
            tuned = tileir.compile("mk, kn -> mn", a, b, threads=1, tuned=self.cache)
            self.assertIn(f"config={{{tuned.tuned}}}", " ".join(chosen["options"]))
            np.testing.assert_array_equal(tuned(a, b), a @ b)
            schedules.add(tuned.schedule)
        self.assertGreater(len(schedules), 1)
        # It is for one number of threads, and for these shapes.
        for other in dict(threads=2), dict(threads=1, acc="f64"):
            with self.assertWarns(tileir.TuneWarning):
                tileir.compile("mk, kn -> mn", a, b, tuned=self.cache, **other)
        # What no version of a pass takes is refused, with what it is.
        self.cache.write_text("".join(json.dumps({**line, "options": ["--pipeline=p{config={tiles=7}}"]}) + "\n" for line in lines))
        tileir.clear_cache()
        with self.assertRaisesRegex(tileir.CompileError, "has a configuration that is none, 'tiles=7'"):
            tileir.compile("mk, kn -> mn", a, b, threads=1, tuned=self.cache)

    def test_the_cache_of_the_user(self):
        a = integers(16, 16)
        tileir.tune(tileir.compile("mk, kn -> mn", a, a, threads=1), candidates=2, **QUICK)
        self.assertTrue(Path(os.environ["XDG_CACHE_HOME"], "tileir/tune.jsonl").exists())
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertTrue(tileir.compile("mk, kn -> mn", a, a, threads=1, tuned=True).tuned)
            np.testing.assert_array_equal(tileir.einsum("mk, kn -> mn", a, a, threads=1, tuned=True), a @ a)

    def test_interruption(self):
        a, b, c = (np.zeros((128, 128), np.float16) for _ in range(3))
        # Whatever the shell that runs the tests does with it.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        seen = []

        def tell(line):
            seen.append(line)
            if len(seen) == 2:
                threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGINT)).start()

        found = tileir.tune(EXAMPLES / "triton-c/matmul.c", a.ravel(), b.ravel(), c.astype(np.float32).ravel(), *[128] * 6,
                            defines={"TM": [16, 32, 64], "TN": [16, 32, 64], "TK": [16, 32, 64]}, measure="sim", jobs=1, cache=self.cache,
                            **{**QUICK, "progress": tell})
        self.assertEqual(found.stop, "interrupted")
        self.assertGreater(found.best.cost, 0)
        self.assertGreaterEqual(len(self.cache.read_text().splitlines()), 2)

    def test_what_is_refused(self):
        a = integers(16, 16)
        operation = tileir.compile("mk, kn -> mn", a, a)
        gather = tileir.compile("(i+t[j]), jk -> ik", integers(20), a, t=np.zeros(16, np.int64), sizes={"i": 4})
        for call, kind, words in (
                (lambda: tileir.tune("void f() {\n}\n", grid=1, **QUICK), tileir.TuneError, "nothing to choose"),
                (lambda: tileir.tune(operation, measure="sim", **QUICK), TypeError, "a contraction to be tuned on the CPU"),
                (lambda: tileir.tune(operation, a, **QUICK), TypeError, "expected 2 arrays, .* found 1"),
                (lambda: tileir.tune(operation, a, a.T, **QUICK), tileir.ShapeError, "as it was compiled for"),
                (lambda: tileir.tune(gather, **QUICK), TypeError, "expected 3 arrays"),
                (lambda: tileir.tune(EXAMPLES / "gemm.mlir", where="x >", **QUICK), tileir.TuneError, "--where"),
                (lambda: tileir.tune("none.mlir", **QUICK), FileNotFoundError, "none.mlir"),
                (lambda: tileir.einsum("i ->", a[0], tuned=3), TypeError, "expected str, bytes or os.PathLike")):
            with self.subTest(words=words), self.assertRaisesRegex(kind, words):
                call()


if __name__ == "__main__":
    unittest.main()
