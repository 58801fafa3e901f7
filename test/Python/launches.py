import contextlib, io, os, tempfile, types, unittest, triton, tileir.triton  # noqa: E401
import numpy as np
from tileir.triton import Array


@triton.jit
def add(x, y, z, n):
    z[n] = (x[n]          + y[n])


WAYS = ("interp", "ttir"), ("cpu", "ttir"), ("sim", "ttir"), ("sim", "llvm")


@triton.jit
def shout(n):
    print("sum", n)


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
        for _ in self.each_way(bounds="tensor"):
            x = np.ones(256, np.float32)
            with self.assertRaises(tileir.triton.KernelFault):
                add[(1,)](Array(x[:100]), Array(np.ones(128, np.float32)), Array(np.ones(128, np.float32)), 101)

    def test_faults_have_the_line_of_the_source(self):
        for backend, ir in self.each_way():
            if backend == "cpu":
                continue  # compiled code knows the kernel alone
            x, y, z = (np.zeros(size, np.float32) for size in (1000, 1001, 1001))
            with self.assertRaises(tileir.triton.KernelFault) as caught:
                add[(8,)](Array(x), Array(y), Array(z), 1001)
            fault = caught.exception
            self.assertEqual((fault.file, fault.line, fault.findings[0].column), ("launches.py", 9, 8))
            self.assertEqual(fault.findings[0].kind, "out-of-bounds" if backend == "sim" else "check")
            self.assertEqual(len(fault.findings), 1)
            if (backend, ir) != ("sim", "ttir"):
                self.assertIn("'x'", str(fault))


    def test_what_kernels_print_goes_to_standard_output(self):
        for backend in ("interp", "cpu", "sim"):
            tileir.triton.install(backend=backend)
            with contextlib.redirect_stdout(io.StringIO()) as out:
                shout[(2,)](7)
            self.assertEqual(sorted(out.getvalue().splitlines()), [f"pid ({i}, 0, 0) idx () sum: {7 + i}" for i in range(2)])

    def test_stages_that_need_tools_of_nvidia_do_not_run(self):
        compiled = triton.backends.compiler.NvidiaCompiler.compiled
        for backend, ir in self.each_way():
            compiled.clear()
            add[(1,)](*(Array(np.zeros(128, np.float32)) for _ in range(3)), 128)
            stages = [stage for _, stage in compiled]
            self.assertEqual(stages, ["ttir"] if ir == "ttir" else ["ttir", "llir"])

    def test_uninstall_puts_back(self):
        compiler, driver = triton.backends.backends["nvidia"].compiler, triton.runtime.driver.driver._active
        bench = triton.runtime.autotuner.Autotuner._bench
        tileir.triton.install()
        self.assertIsNot(triton.backends.backends["nvidia"].compiler, compiler)
        self.assertEqual(tileir.triton.installed().backend, "sim")
        tileir.triton.uninstall()
        self.assertIs(triton.backends.backends["nvidia"].compiler, compiler)
        self.assertIs(triton.runtime.driver.driver._active, driver)
        self.assertIs(triton.runtime.autotuner.Autotuner._bench, bench)
        self.assertIsNone(tileir.triton.installed())
        with self.assertRaises(RuntimeError):
            add[(1,)](1, 2, 3, 4)

    def test_autotuners_and_heuristics(self):
        configs = [triton.Config({"n": 10}), triton.Config({"n": 20}), triton.Config({"n": 30})]
        sums = np.zeros(128, np.float32)
        ones = np.ones(128, np.float32)
        tuned = triton.autotune(configs)(add)
        for autotune, size in ((0, 10), (2, 30), (9, 30), (lambda configs, arguments: configs[len(arguments["x"].shape)], 20)):
            tileir.triton.install(backend="cpu", autotune=autotune)
            sums[:] = 0
            tuned[(1,)](Array(ones), Array(ones), Array(sums))
            np.testing.assert_array_equal(sums, np.where(np.arange(128) < size, 2, 0))
        half = triton.heuristics({"n": lambda arguments: arguments["x"].numel() // 2})(add)
        half[(1,)](Array(ones), Array(ones), Array(sums))
        np.testing.assert_array_equal(sums, np.where(np.arange(128) < 64, 2, 0))

    def test_tuners_of_libraries_keep_what_they_know(self):
        tuned = triton.autotune([triton.Config({"n": 10})])(add)
        tuned.cache = types.SimpleNamespace()  # not a dictionary, as FlagGems has it
        tileir.triton.install(backend="cpu")
        tileir.triton.uninstall()

    def test_findings_may_warn_or_go_elsewhere(self):
        x = np.ones(100, np.float32)
        arguments = Array(x), Array(x.copy()), Array(x.copy()), 101
        tileir.triton.install(backend="sim", on_finding="warn")
        with self.assertWarnsRegex(UserWarning, "launches.py:9:8: out-of-bounds"):
            add[(1,)](*arguments)
        faults = []
        tileir.triton.install(backend="interp", on_finding=faults.append)
        add[(1,)](*arguments)
        self.assertEqual([(fault.kernel, fault.grid, fault.backend) for fault in faults], [("add", (1, 1, 1), "interp")])
        self.assertEqual(len(tileir.triton.launches()[0].findings), 1)

    def test_launches_have_reports(self):
        with tempfile.TemporaryDirectory() as folder:
            tileir.triton.install(backend="sim", reports=folder)
            add[(2,)](*(Array(np.zeros(256, np.float32)) for _ in range(3)), 256)
            (launch,) = tileir.triton.launches()
            self.assertEqual((launch.kernel, launch.grid, launch.report["chip"]), ("add", (2, 1, 1), "sm_80"))
            # 2 x 1024 bytes are read, and 1024 written, in sectors of 32.
            self.assertEqual(launch.report["launches"][0]["global"]["sectors"], 96)
            self.assertEqual(sorted(os.listdir(folder)), ["0000-add.sarif", "0000-add.svg"])

    def test_what_triton_compiles_for_hopper_is_of_sm_90a(self):
        for chip, ir, simulated in (("sm_90", "llvm", "sm_90a"), ("sm_90", "ttir", "sm_90"), ("sm_90a", "llvm", "sm_90a"),
                                    ("sm_89", "llvm", "sm_89")):
            tileir.triton.install(backend="sim", ir=ir, chip=chip)
            add[(1,)](*(Array(np.zeros(128, np.float32)) for _ in range(3)), 128)
            self.assertEqual(tileir.triton.launches()[-1].report["chip"], simulated)

    def test_a_grid_of_nothing_launches_nothing(self):
        tileir.triton.install(backend="interp")
        add[(0,)](*(Array(np.zeros(0, np.float32)) for _ in range(3)), 0)
        self.assertEqual(tileir.triton.launches(), [])
        add[(1,)](*(Array(np.zeros(0, np.float32)) for _ in range(3)), 0)
        self.assertEqual(len(tileir.triton.launches()), 1)

    def test_check(self):
        tileir.triton.install(backend="sim", check="interp")
        x = np.ones(128, np.float32)
        add[(1,)](Array(x), Array(x), Array(x.copy()), 128)
        self.assertTrue(tileir.triton.launches()[0].report["check"]["passed"])


if __name__ == "__main__":
    unittest.main()
