"""Kernels of Triton on the CPU: a matrix product beside our einsum of the same, others beside torch.

    benchmarks/run triton [--python=PYTHON] [--rounds=N] [--write]

PYTHON has Triton, torch and NumPy; scripts/triton-libraries.sh makes the one that is the default. All run on one core. In
each round the kernel and who it is compared with run in turns, some times each, and the best time of each counts; the
ratio is the median of the rounds. Results are compared with NumPy's first. --write puts the table into docs/benchmarks.md.
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PRODUCT, ROWS = 512, 4096
HEADS, LENGTH, SIZE = 12, 1024, 64  # of attention
EINSUM = f"""func.func @main(%a: tensor<{PRODUCT}x{PRODUCT}xf32>, %b: tensor<{PRODUCT}x{PRODUCT}xf32>) -> tensor<{PRODUCT}x{PRODUCT}xf32> {{
  %c = einsum.contract "mk, kn -> mn" (%a, %b)
      : (tensor<{PRODUCT}x{PRODUCT}xf32>, tensor<{PRODUCT}x{PRODUCT}xf32>) -> tensor<{PRODUCT}x{PRODUCT}xf32>
  return %c : tensor<{PRODUCT}x{PRODUCT}xf32>
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

    def compare(self, work, beside, kernel, other, expected, tolerance=1e-5):
        """A line of the table: `kernel` and `other` return times and results."""
        for who, function in ((work, kernel), (beside, other)):
            error = self.np.abs(function()[1] - expected).max()
            if not error < tolerance * max(1, self.np.abs(expected).max()):
                sys.exit(f"{work}, {who}: wrong by {error}")
        rounds = [(kernel()[0], other()[0]) for _ in range(self.options.rounds)]
        ratio = statistics.median(b / a for a, b in rounds)
        times = [min(column) for column in zip(*rounds)]
        self.lines.append(f"| {work} | {beside} | {times[0]:.2f} | {times[1]:.2f} | {ratio:.2f}x |")
        print(self.lines[-1], flush=True)

    def measure_products(self):
        a, b = (self.save(name, PRODUCT, PRODUCT) for name in "ab")
        inputs = f"{self.folder}/a.npy,{self.folder}/b.npy"
        (self.folder / "einsum.mlir").write_text(EINSUM)
        for block in (32, 64, 128):
            scalars = ",".join([f"i32:{PRODUCT}"] * 6)
            self.compare(
                f"matrix product of {PRODUCT}^3, blocks of {block} x {block} x 32", "our einsum",
                lambda: self.run(f"matmul-{block}.ttir", ",,", f"--grid={(PRODUCT // block) ** 2}",
                                 f"--inputs={inputs},zeros:{PRODUCT}x{PRODUCT}xf32,{scalars}"),
                lambda: self.run("einsum.mlir", "", f"--inputs={inputs}"), a.astype(float) @ b)

    def run_torch(self, function, *sources):
        """The best time of a function of tensors that have just been copied to where they were before, as the arrays of
        tile-run, and its result."""
        best, tensors = 1e9, [source.clone() for source in sources]
        for _ in range(12):
            for tensor, source in zip(tensors, sources):
                tensor.copy_(source)
            start = time.perf_counter()
            result = function(*tensors)
            best = min(best, (time.perf_counter() - start) * 1e3)
        return best, result.float().numpy()

    def measure_softmax(self):
        import torch
        for columns, block in ((256, 256), (781, 1024), (1024, 1024), (4096, 4096)):
            x = self.save("x", ROWS, columns)
            e = self.np.exp(x.astype(float))
            scalars = ",".join(f"i32:{number}" for number in (columns, columns, ROWS, columns))
            self.compare(
                f"softmax of {ROWS} rows of {columns}, blocks of {block}", "torch",
                lambda: self.run(f"softmax-{block}.ttir", "", f"--grid={ROWS}",
                                 f"--inputs=zeros:{ROWS}x{columns}xf32,{self.folder}/x.npy,{scalars}"),
                lambda: self.run_torch(lambda y, x: torch.softmax(x, -1, out=y), torch.zeros(ROWS, columns),
                                       torch.from_numpy(x)), e / e.sum(1, keepdims=True))

    def measure_attention(self):
        import torch
        scale = SIZE**-0.5
        for element, type_, tolerance in (("fp32", torch.float32, 1e-5), ("bf16", torch.bfloat16, 2e-2)):
            tensors = [torch.from_numpy(self.random.standard_normal((HEADS, LENGTH, SIZE))).to(type_) for _ in "qkv"]
            for name, tensor in zip("qkv", tensors):
                array = tensor.numpy() if type_ == torch.float32 else tensor.view(torch.int16).numpy().view("V2")
                self.np.save(self.folder / f"{name}.npy", array)
            inputs = ",".join(f"{self.folder}/{name}.npy" for name in "qkv")
            shape = f"{HEADS}x{LENGTH}x{SIZE}x{element.replace('fp', 'f')}"

            def kernel(causal, element=element, inputs=inputs, shape=shape):
                best, result = self.run(
                    f"attention-{element}-{causal}.ttir", "", f"--grid={LENGTH // 64},{HEADS}",
                    f"--inputs=zeros:{shape},{inputs},i32:{LENGTH},f32:{scale * math.log2(math.e)}")
                if element == "bf16":
                    result = torch.from_numpy(result.view(self.np.int16)).view(torch.bfloat16).float().numpy()
                return best, result

            q, k, v = (tensor.double().numpy() for tensor in tensors)
            for causal in (0, 1):
                scores = q @ k.transpose(0, 2, 1) * scale
                if causal:
                    query, key = self.np.triu_indices(LENGTH, 1)
                    scores[:, query, key] = -self.np.inf
                weights = self.np.exp(scores - scores.max(-1, keepdims=True))
                self.compare(
                    f"{'causal ' * causal}attention in {element.replace('fp', 'f')}, {HEADS} heads of {SIZE}, {LENGTH} queries "
                    "and keys, blocks of 64 x 64", "torch", lambda: kernel(causal),
                    lambda: self.run_torch(lambda *x: torch.nn.functional.scaled_dot_product_attention(
                        *(tensor[None] for tensor in x), is_causal=bool(causal))[0], *tensors),
                    weights / weights.sum(-1, keepdims=True) @ v, tolerance)

    def measure_rows(self):
        import torch
        from torch.nn import functional
        rows, columns = 2048, 1024
        x, y = self.save("x", rows, columns), self.save("y", rows, columns)
        w, b = self.save("w", columns), self.save("b", columns)
        folder, zeros = self.folder, f"zeros:{rows}x{columns}xf32"
        of = f"of {rows} rows of {columns}"
        tensors = {name: torch.from_numpy(array) for name, array in zip("xywb", (x, y, w, b))}
        centred = x - x.mean(1, keepdims=True, dtype=float)
        self.compare(
            f"layer normalization {of}", "torch",
            lambda: self.run("layer_norm.ttir", "", f"--grid={rows}",
                             f"--inputs={zeros},{folder}/x.npy,{folder}/w.npy,{folder}/b.npy,i32:{columns}"),
            lambda: self.run_torch(lambda x, w, b: functional.layer_norm(x, (columns,), w, b), *(tensors[i] for i in "xwb")),
            centred / self.np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5) * w + b)
        self.compare(
            f"SwiGLU {of}", "torch",
            lambda: self.run("swiglu.ttir", "", f"--grid={rows}",
                             f"--inputs={zeros},{folder}/x.npy,{folder}/y.npy,i32:{columns}"),
            lambda: self.run_torch(lambda x, y: functional.silu(x) * y, tensors["x"], tensors["y"]),
            x / (1 + self.np.exp(-x.astype(float))) * y)
        self.compare(
            f"transposition {of}, blocks of 32 x 32", "torch",
            lambda: self.run("transpose.ttir", "", f"--grid={rows // 32},{columns // 32}",
                             f"--inputs=zeros:{columns}x{rows}xf32,{folder}/x.npy,i32:{rows},i32:{columns}"),
            lambda: self.run_torch(lambda y, x: y.copy_(x.t()), torch.zeros(columns, rows), tensors["x"]), x.T)


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
        # What is freed stays, so that torch's results need no new pages for each call.
        kept = {f"MALLOC_{what}_THRESHOLD_": str(1 << 30) for what in ("MMAP", "TRIM")}
        return subprocess.run([options.python, __file__, *sys.argv[1:], "--here"], check=False, env=os.environ | kept).returncode
    os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    os.environ["OMP_NUM_THREADS"] = "1"
    folder = options.build / "triton-bench"
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["TRITON_CACHE_DIR"] = str(folder / "cache")
    subprocess.run([sys.executable, pathlib.Path(__file__).with_name("kernels.py"), folder], check=True)
    bench = Bench(options, folder)
    bench.measure_products()
    import torch
    torch.set_num_threads(1)
    bench.measure_attention()
    bench.measure_softmax()
    bench.measure_rows()
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
