import contextlib, unittest, triton, tileir.triton  # noqa: E401
import numpy as np
from tileir.triton import Array


@triton.jit
def add(x, y, z, n):
    z[n] = (x[n]          + y[n])


WAYS = ("interp", "ttir"), ("cpu", "ttir"), ("sim", "ttir"), ("sim", "llvm")


class Launches(unittest.TestCase):
    """Launches by each backend, of the kernels in Inputs/kernels, against NumPy."""

    def each_way(self, **options):
        for backend, ir in WAYS:
            with self.subTest(backend=backend, ir=ir):
                tileir.triton.install(backend=backend, ir=ir, **options)
                yield backend, ir

    def tearDown(self):
        tileir.triton.uninstall()

    def test_vector_addition(self):
        for _ in self.each_way():
            x, y, z = np.arange(1000, dtype=np.float32), np.full(1000, 0.5, np.float32), np.full(1000, -1, np.float32)
            add[lambda values: (triton.cdiv(values["n"], 128),)](Array(x), Array(y), Array(z), 900)
            np.testing.assert_array_equal(z[:900], x[:900] + y[:900])
            np.testing.assert_array_equal(z[900:], -1)

    def test_in_place_and_parts_of_one_array(self):
        for _ in self.each_way():
            whole = np.arange(400, dtype=np.float32)
            before = whole.copy()
            add[(1,)](Array(whole[100:]), Array(whole[200:300]), Array(whole[100:]), 90)
            np.testing.assert_array_equal(whole[100:190], before[100:190] + before[200:290])
            np.testing.assert_array_equal(whole[190:], before[190:])
            # A range that begins before and at no multiple of 16 bytes, as one that does.
            add[(1,)](Array(whole[1:]), Array(whole[4:]), Array(whole[300:]), 50)
            np.testing.assert_array_equal(whole[300:350], before[1:51] + before[4:54])

    def test_the_end_is_that_of_the_tensor(self):
        for backend, ir in self.each_way():
            x = np.ones(256, np.float32)
            with self.assertRaises(tileir.triton.KernelFault) if backend != "cpu" else contextlib.nullcontext():
                add[(1,)](Array(x[:100]), Array(np.ones(128, np.float32)), Array(np.ones(128, np.float32)), 101)

    def test_faults_have_the_line_of_the_source(self):
        for backend, ir in self.each_way():
            if backend == "cpu":
                continue  # compiled code does not check
            x, y, z = (np.zeros(size, np.float32) for size in (1000, 1001, 1001))
            with self.assertRaises(tileir.triton.KernelFault) as caught:
                add[(8,)](Array(x), Array(y), Array(z), 1001)
            fault = caught.exception
            self.assertEqual((fault.file, fault.line, fault.findings[0].column), ("launches.py", 9, 8))
            self.assertEqual(fault.findings[0].kind, "out-of-bounds" if backend == "sim" else "check")
            self.assertEqual(len(fault.findings), 1)
            if (backend, ir) != ("sim", "ttir"):
                self.assertIn("'x'", str(fault))


if __name__ == "__main__":
    unittest.main()
