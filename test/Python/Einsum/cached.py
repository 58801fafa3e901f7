# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled operations: what is found again, limits, threads, forks, memory, and operations by themselves."""

import gc
import os
import threading
import time
import tracemalloc
import unittest

import numpy as np

import tileir


def read_resident():
    """Bytes of this process that are in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


class Cache(unittest.TestCase):
    def setUp(self):
        tileir.clear_cache()

    def count(self, call):
        """Hits and misses of a call."""
        before = tileir.cache_info()
        call()
        after = tileir.cache_info()
        return after.hits - before.hits, after.misses - before.misses

    def test_what_is_found(self):
        a, b = np.ones((4, 6)), np.ones((6, 5))
        spec = "mk, kn -> mn"
        self.assertEqual(self.count(lambda: tileir.einsum(spec, a, b)), (0, 1))
        self.assertEqual(self.count(lambda: tileir.einsum("".join(["mk,", " kn -> mn"]), a + 1, b)), (1, 0))
        variants = [(lambda **o: tileir.einsum(spec, a.astype("f4"), b, **o), {}), (lambda **o: tileir.einsum(spec, a[:3], b, **o), {}),
                    (lambda **o: tileir.einsum(spec, np.asfortranarray(a), b, **o), {}),
                    *((lambda **o: tileir.einsum(spec, a, b, **o), options) for options in (
                        {"threads": 1}, {"acc": "f64"}, {"pad": "zero"}, {"epilogue": "relu"}, {"bias": 1.0}, {"sizes": {"m": 4}},
                        {"out": np.empty((4, 5))}, {"out": np.empty((5, 4)).T}))]
        for call, options in variants:
            self.assertEqual(self.count(lambda: call(**options)), (0, 1), options)
            self.assertEqual(self.count(lambda: call(**options)), (1, 0), options)

    def test_errors_are_not_kept(self):
        for _ in range(2):
            with self.assertRaises(tileir.ShapeError):
                tileir.einsum("i, i", np.ones(2), np.ones(3))
        self.assertEqual(tileir.cache_info().size, 0)

    def test_limit(self):
        limit = tileir.cache_info().limit
        self.assertEqual(limit, 1024)
        tileir.set_cache_limit(2)
        try:
            for size in 1, 2, 1, 3:
                tileir.einsum("i -> i", np.ones(size))
            self.assertEqual(tileir.cache_info().size, 2)
            # 1 was used after 2.
            self.assertEqual(self.count(lambda: tileir.einsum("i -> i", np.ones(1))), (1, 0))
            self.assertEqual(self.count(lambda: tileir.einsum("i -> i", np.ones(2))), (0, 1))
            tileir.set_cache_limit(0)
            self.assertEqual(self.count(lambda: tileir.einsum("i -> i", np.ones(1))), (0, 1))
            self.assertEqual(tileir.cache_info().size, 0)
        finally:
            tileir.set_cache_limit(limit)

    def test_memory_stays(self):
        a, b = np.ones((8, 8)), np.ones((8, 8), np.int32)
        table, big = np.array([1, 2]), np.ones((300, 300))

        def everything():
            tileir.einsum("ij, jk", a, a)
            tileir.einsum("ij, jk", b, b[::-1], out=np.empty((8, 8), np.int32))
            tileir.einsum("(t[i])j -> ij", a, t=table)
            tileir.einsum("ij, jk", big, big)
            for bad in "ij, k;", "ij, kk -> ik", "ij, ... -> jjj":
                try:
                    tileir.einsum(bad, a, a[:4])
                except ValueError:
                    pass
            try:
                tileir.einsum("(t[i])j -> ij", a, t=table + 7)
            except IndexError:
                pass

        import warnings
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # What is allocated once, is before the first look.
            tracemalloc.start()
            for _ in range(200):
                everything()
            gc.collect()
            first = tracemalloc.get_traced_memory()[0]
            resident = read_resident()
            for _ in range(300):
                everything()
            gc.collect()
            grown = tracemalloc.get_traced_memory()[0] - first
            tracemalloc.stop()
        self.assertLess(grown, 20_000)
        self.assertLess(read_resident() - resident, 30 << 20)


class Threads(unittest.TestCase):
    def test_many_at_once(self):
        wrong = []

        def work(seed):
            rng = np.random.default_rng(seed)
            for i in range(30):
                m, k, n = rng.integers(1, 12, 3)
                a, b = rng.integers(-5, 5, (m, k)).astype(float), rng.integers(-5, 5, (k, n)).astype(float)
                if not np.array_equal(tileir.einsum("mk, kn -> mn", a, b, threads=1), a @ b):
                    wrong.append((m, k, n))
                if i % 10 == 0:
                    tileir.clear_cache()

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def count_meanwhile(self, work):
        """How often this thread gets its turn while another one works, and how long that takes."""
        done = threading.Event()

        def run():
            work()
            done.set()

        thread = threading.Thread(target=run)
        start, turns = time.perf_counter(), 0
        thread.start()
        while not done.wait(0.001):
            turns += 1
        thread.join()
        return turns, time.perf_counter() - start

    def test_others_run_meanwhile(self):
        # Plain loops are slow, which is what is wanted here.
        a = np.ones((700, 700))
        spec = "((i*i)%700)j, jk -> ik"
        operation = tileir.compile(spec, a, a, sizes={"i": 700}, threads=1)
        for work in (lambda: operation(a, a),
                     lambda: tileir.einsum(spec, a[:, :699], a[:699], sizes={"i": 700}, threads=1)):
            turns, seconds = self.count_meanwhile(work)
            # A thread that holds the interpreter's lock gives others one turn, or none.
            self.assertGreater(turns, min(20, seconds * 1000 / 20), seconds)

    def test_after_a_fork(self):
        a = np.arange(60000.0).reshape(200, 300) % 7
        expected = a @ a.T
        np.testing.assert_array_equal(tileir.einsum("ij, kj -> ik", a, a), expected)
        child = os.fork()
        if child == 0:
            right = np.array_equal(tileir.einsum("ij, kj -> ik", a, a), expected) and \
                np.array_equal(tileir.einsum("ij, kj -> ki", a[:50], a), (a[:50] @ a.T).T)
            os._exit(0 if right else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class Operations(unittest.TestCase):
    def test_of_shapes(self):
        operation = tileir.compile("mk, kn -> mn", (4, 6), (6, 5))
        a, b = np.ones((4, 6), np.float32), np.ones((6, 5), np.float32)
        np.testing.assert_array_equal(operation(a, b), a @ b)
        out = np.zeros((4, 5), np.float32)
        self.assertIs(operation(a, b, out=out), out)
        np.testing.assert_array_equal(out, a @ b)
        self.assertEqual((operation.shape, operation.dtype, operation.flops), ((4, 5), np.float32, 2 * 4 * 6 * 5))
        self.assertEqual(operation.contractions, ["mk, kn -> mn"])
        self.assertIn("einsum.schedule", operation.schedule)
        self.assertGreater(operation.seconds, 0)
        self.assertEqual(repr(operation), "<tileir.Operation 'mk, kn -> mn' -> float32[4, 5]>")
        for arrays, words in (((a, b[:5]), r"array 1 to have elements of float32, shape \(6, 5\) and strides of \(5, 1\) elements, as "
                               r"it was compiled for, found elements of float32, shape \(5, 5\)"),
                              ((a.T.copy().T, b), "array 0"), ((a.astype(float), b), "array 0 .* found elements of float64"),
                              ((a,), "expected 2 arrays, found 1")):
            with self.assertRaisesRegex(tileir.ShapeError, words):
                operation(*arrays)
        with self.assertRaisesRegex(tileir.ShapeError, r"expected out to have .* found elements of float32, shape \(5, 4\)"):
            operation(a, b, out=np.zeros((5, 4), np.float32))
        with self.assertRaisesRegex(tileir.ShapeError, "overlaps no operand"):
            tileir.compile("ij -> ij", (4, 6))(a, out=a)
        with self.assertRaisesRegex(TypeError, "expected no bias"):
            operation(a, b, bias=1.0)

    def test_with_tables_bias_and_out(self):
        a = np.arange(12.0).reshape(4, 3)
        operation = tileir.compile("(t[i])d -> id", (4, 3), dtype=float, t=(2,), bias=(3,), epilogue="relu")
        bias = np.array([-5.0, 0, 1])
        np.testing.assert_array_equal(operation(a, t=[3, 0], bias=bias), np.maximum(a[[3, 0]] + bias, 0))
        with self.assertRaises(tileir.CheckError):
            operation(a, t=[4, 0], bias=bias)
        with self.assertRaisesRegex(TypeError, r"expected the tables \['t'\]"):
            operation(a, bias=bias)
        columns = np.empty((3, 4)).T
        operation = tileir.compile("ij -> ij", a, out=columns)
        self.assertIs(operation(a, out=columns), columns)
        np.testing.assert_array_equal(columns, a)
        with self.assertRaisesRegex(tileir.ShapeError, "expected out to have .*, found none"):
            operation(a)

    def test_path(self):
        path = tileir.einsum_path("ij, jk, k -> i", np.ones((7, 5)), np.ones((5, 11)), np.ones(11))
        self.assertEqual(path, (["jk, k -> j", "ij, j -> i"], 2 * (5 * 11 + 7 * 5)))


if __name__ == "__main__":
    unittest.main()
