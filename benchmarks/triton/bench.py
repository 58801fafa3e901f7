"""Kernels of Triton on the CPU: a matrix product beside our einsum of the same, a softmax beside torch.

    benchmarks/run triton [--python=PYTHON] [--rounds=N] [--write]

PYTHON has Triton, torch and NumPy; scripts/triton-libraries.sh makes the one that is the default. All run on one core. In
each round the kernel and who it is compared with run in turns, some times each, and the best time of each counts; the
ratio is the median of the rounds. Results are compared with NumPy's first. --write puts the table into docs/benchmarks.md.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SIZE, ROWS = 512, 4096
EINSUM = f"""func.func @main(%a: tensor<{SIZE}x{SIZE}xf32>, %b: tensor<{SIZE}x{SIZE}xf32>) -> tensor<{SIZE}x{SIZE}xf32> {{
  %c = einsum.contract "mk, kn -> mn" (%a, %b)
      : (tensor<{SIZE}x{SIZE}xf32>, tensor<{SIZE}x{SIZE}xf32>) -> tensor<{SIZE}x{SIZE}xf32>
  return %c : tensor<{SIZE}x{SIZE}xf32>
}}
"""


class Bench:
    def __init__(self, options, folder):
        import numpy as np
        self.np, self.options, self.folder = np, options, folder
        self.random = np.random.default_rng(0)
        self.lines = []

    def save(self, name, *shape):
        array = self.random.integers(-3, 4, shape).astype(self.np.float32)
        self.np.save(self.folder / f"{name}.npy", array)
        return array

    def run(self, file, outputs, *words, repeat=10):
        """The best time of tile-run, in milliseconds, and its result."""
        report, result = self.folder / "report.json", self.folder / "result.npy"
        subprocess.run([self.options.build / "bin/tile-run", self.folder / file, "--backend=cpu", *words,
                        f"--repeat={repeat}", f"--report={report}", f"--outputs={outputs}{result}"],
                       check=True, stdout=subprocess.DEVNULL)
        return json.loads(report.read_text())["time_ms"]["min"], self.np.load(result)

    def compare(self, work, beside, kernel, other, expected):
        """A line of the table: `kernel` and `other` return times and results."""
        for who, function in ((work, kernel), (beside, other)):
            error = self.np.abs(function()[1] - expected).max()
            if not error < 1e-5 * max(1, self.np.abs(expected).max()):
                sys.exit(f"{who}: wrong by {error}")
        rounds = [(kernel()[0], other()[0]) for _ in range(self.options.rounds)]
        ratio = statistics.median(b / a for a, b in rounds)
        times = [min(column) for column in zip(*rounds)]
        self.lines.append(f"| {work} | {beside} | {times[0]:.2f} | {times[1]:.2f} | {ratio:.2f}x |")
        print(self.lines[-1], flush=True)

    def measure_products(self):
        a, b = (self.save(name, SIZE, SIZE) for name in "ab")
        inputs = f"{self.folder}/a.npy,{self.folder}/b.npy"
        (self.folder / "einsum.mlir").write_text(EINSUM)
        for block in (32, 64, 128):
            scalars = ",".join([f"i32:{SIZE}"] * 6)
            self.compare(
                f"matrix product of {SIZE}^3, blocks of {block} x {block} x 32", "our einsum",
                lambda: self.run(f"matmul-{block}.ttir", ",,", f"--grid={(SIZE // block) ** 2}",
                                 f"--inputs={inputs},zeros:{SIZE}x{SIZE}xf32,{scalars}"),
                lambda: self.run("einsum.mlir", "", f"--inputs={inputs}"), a.astype(float) @ b)

    def measure_softmax(self):
        import torch
        torch.set_num_threads(1)

        def by_torch(x):
            """On arrays that have just been copied to where they were before, as those of tile-run."""
            best, source = 1e9, x
            zeros = torch.zeros_like(source)
            x, y = source.clone(), zeros.clone()
            for _ in range(12):
                y.copy_(zeros)
                x.copy_(source)
                start = time.perf_counter()
                torch.softmax(x, -1, out=y)
                best = min(best, (time.perf_counter() - start) * 1e3)
            return best, y.numpy()

        for columns, block in ((256, 256), (781, 1024), (1024, 1024), (4096, 4096)):
            x = self.save("x", ROWS, columns)
            e = self.np.exp(x.astype(float))
            scalars = ",".join(f"i32:{number}" for number in (columns, columns, ROWS, columns))
            self.compare(
                f"softmax of {ROWS} rows of {columns}, blocks of {block}", "torch",
                lambda: self.run(f"softmax-{block}.ttir", "", f"--grid={ROWS}",
                                 f"--inputs=zeros:{ROWS}x{columns}xf32,{self.folder}/x.npy,{scalars}"),
                lambda: by_torch(torch.from_numpy(x)), e / e.sum(1, keepdims=True))


def describe(options):
    """Where and when."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    fields = [re.search(rf"^{key}\s*: (.*)$", text, re.MULTILINE) for key in ("model name", "cpu family", "model")]
    name, family, model = (field[1] if field else "?" for field in fields)
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                            check=False).stdout.strip()
    return (f"{datetime.date.today()}, commit {commit}, {name} (family {family}, model {model}), one core, "
            f"{options.rounds} rounds. `benchmarks/run triton`:")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--python", default=ROOT / "build/triton-libraries/bin/python")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.here:
        if not pathlib.Path(options.python).exists():
            sys.exit(f"{options.python} is not there: --python names one that has Triton and torch")
        return subprocess.run([options.python, __file__, *sys.argv[1:], "--here"], check=False).returncode
    os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    os.environ["OMP_NUM_THREADS"] = "1"
    folder = options.build / "triton-bench"
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["TRITON_CACHE_DIR"] = str(folder / "cache")
    subprocess.run([sys.executable, pathlib.Path(__file__).with_name("kernels.py"), folder], check=True)
    bench = Bench(options, folder)
    bench.measure_products()
    bench.measure_softmax()
    if options.write:
        page = ROOT / "docs/benchmarks.md"
        begin, end = "<!-- benchmarks/run triton -->\n", "<!-- end of benchmarks/run triton -->"
        before, rest = page.read_text().split(begin)
        head = ["| kernel | beside | kernel, ms | the other, ms | speed over the other's |", "|---|---|---|---|---|"]
        table = "\n".join([*head, *bench.lines])
        page.write_text(before + begin + describe(options) + "\n\n" + table + "\n" + end + rest.split(end)[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
