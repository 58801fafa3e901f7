"""The speed of the simulator, fully instrumented, against the goals of its design.

    benchmarks/run sim [--repeat N] [--csv FILE] [--write] [--against TILE_RUN]

Each row runs one kernel several times, the ways to be compared in turns, and gives median, best and worst. Rows:

- m8n8k4: a product of 256^3 elements by Volta's tensor-core instruction, 4 blocks of 128 threads, on one host thread:
  the whole launch with decoding, and warp-level mma a second.
- wgmma: m64n256k16 of f16 into f32 by one warpgroup, 1000 steps of four of them: multiply-adds a second.
- scalar: the plainest matrix product, 256^3, one thread an element, all operands in global memory: thread instructions
  a second; without instrumentation beside it.
- threads: the same kernel at 512^3 on two host threads against one (0.3 s a run: a second thread of a run that lasts
  some hundredths of a second is often over before the host gives it a core of its own).

--write puts the table into docs/benchmarks.md; --against runs the scalar and threads rows with another build of tile-run,
too, and gives the ratios.
"""
import argparse
import csv
import json
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import wgmma

ROOT = pathlib.Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- benchmarks/run sim -->", "<!-- end of benchmarks/run sim -->"


class Simulator:
    def __init__(self, build, folder):
        self.tile_run = build / "bin" / "tile-run"
        self.folder = folder

    def launch(self, file, *options, tile_run=None):
        """The counters of one launch, as tile-run reports them."""
        report = self.folder / "report.json"
        command = [tile_run or self.tile_run, file, "--backend=sim", f"--report={report}", *options]
        outcome = subprocess.run(command, capture_output=True, text=True)
        if outcome.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}\n{outcome.stderr}")
        return json.loads(report.read_text())["launches"][0]


def get_processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def summarize(values):
    return statistics.median(values), min(values), max(values)


def make_product(simulator, build):
    """The 256^3 product with its inputs, and its launch options; checked once against NumPy."""
    folder = simulator.folder
    kernel = folder / "gemm.mlir"
    sizes = ["--mma", "m8n8k4", "--swizzle", "--size", "256,256,256", "--tile", "128,128,32"]
    script = [sys.executable, ROOT / "test/Simulator/gemm.py", "--tile-run", simulator.tile_run, *sizes]
    subprocess.run([*script], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([*script, "--emit", kernel], check=True, stdout=subprocess.DEVNULL)
    random = np.random.default_rng(7)
    for name in "ab":
        np.save(folder / f"{name}.npy", random.integers(-4, 5, (256, 256)).astype(np.float16))
    return kernel, ["--chip=sm_70", "--grid=2,2", "--block=128", "--shared-bytes=16384",
                    f"--inputs={folder}/a.npy,{folder}/b.npy,zeros:256x256xf32"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--repeat", type=int, default=15, help="runs of each row (default 15)")
    parser.add_argument("--csv", type=pathlib.Path, help="write all runs to this file")
    parser.add_argument("--against", type=pathlib.Path, help="another tile-run, for the scalar rows")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    options = parser.parse_args()

    rows, runs = [], []

    def measure(name, unit, goal, better, ways):
        """`ways` gives, for each label, a function that returns one figure; they take turns."""
        figures = {label: [] for label in ways}
        for i in range(options.repeat):
            for label, run in ways.items():
                figures[label].append(run())
                runs.append((name, label, i, figures[label][-1], unit))
            print(f"\r[{name}] run {i + 1} of {options.repeat}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        for label, values in figures.items():
            median, low, high = summarize(values)
            best = low if better == "less" else high
            rows.append((name, label, unit, goal if label == next(iter(ways)) else "", median, best))
            print(f"{name:10} {label:28} median {median:10.2f}  best {best:10.2f} {unit}", file=sys.stderr)
        return figures

    with tempfile.TemporaryDirectory() as folder:
        simulator = Simulator(options.build.resolve(), pathlib.Path(folder))
        kernel, launch = make_product(simulator, options.build)

        def product(*more):
            return simulator.launch(kernel, *launch, "--sim-threads=1", *more)

        def milliseconds(counters):
            return 1e3 * (counters["hostSeconds"] + counters["decodeSeconds"])

        measure("m8n8k4", "ms", "at most 15", "less", {
            "256^3 with decoding": lambda: milliseconds(product()),
            "without instrumentation": lambda: milliseconds(product("--no-instrument"))})

        def mma_rate():
            counters = product()
            return counters["mma"] / counters["hostSeconds"] / 1e6

        measure("m8n8k4", "M mma/s", "at least 1.5", "more", {"256^3": mma_rate})

        warpgroup = simulator.folder / "wgmma.ptx"
        warpgroup.write_text(wgmma.make_kernel())

        def wgmma_rate(*more):
            counters = simulator.launch(warpgroup, "--chip=sm_90a", "--grid=1", "--block=128", "--sim-threads=1",
                                        f"--shared-bytes={wgmma.TILE}", "--inputs=zeros:128x128xf32,i32:1000", *more)
            return counters["wgmmaFlops"] / 2 / counters["hostSeconds"] / 1e9

        measure("wgmma", "G/s", "at least 5", "more", {
            "multiply-adds": wgmma_rate, "without instrumentation": lambda: wgmma_rate("--no-instrument")})

        naive = ROOT / "benchmarks/simulator/naive.ll"

        def rate(n, *more, tile_run=None):
            inputs = f"--inputs=random:{n}x{n}xf32,random:{n}x{n}xf32,zeros:{n}x{n}xf32,i32:{n}"
            counters = simulator.launch(naive, f"--grid={n // 32},{n // 8}", "--block=32,8", inputs, *more,
                                        tile_run=tile_run)
            return counters["threadInstructions"] / counters["hostSeconds"] / 1e6

        def compare(name, goal, ways):
            """`ways` gives the arguments of `rate` for each label; with another tile-run, ratios to its rates, too."""
            calls = {}
            for label, arguments in ways.items():
                calls[label] = lambda a=arguments: rate(*a)
                if options.against:
                    calls[f"{label}, before"] = lambda a=arguments: rate(*a, tile_run=options.against)
            figures = measure(name, "M/s", goal, "more", calls)
            for label in ways if options.against else ():
                add_ratio(name, f"{label}, over before", "", figures[label], figures[f"{label}, before"])
            return figures

        def add_ratio(name, label, goal, values, others):
            median, _, best = summarize([value / other for value, other in zip(values, others)])
            rows.append((name, label, "x", goal, median, best))
            print(f"{name:10} {label:28} median {median:10.2f}  best {best:10.2f} x", file=sys.stderr)

        compare("scalar", "at least 500", {
            "thread instructions": (256, "--sim-threads=1"),
            "without instrumentation": (256, "--sim-threads=1", "--no-instrument")})
        figures = compare("threads", "", {"one": (512, "--sim-threads=1"), "two": (512, "--sim-threads=2")})
        add_ratio("threads", "two over one", "at least 1.8", figures["two"], figures["one"])

    if options.csv:
        with options.csv.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("row", "way", "run", "figure", "unit"))
            writer.writerows(runs)
    table = ["| row | | median | best | goal |", "|---|---|---|---|---|"]
    table += [f"| {name} | {label} | {median:.2f} {unit} | {best:.2f} {unit} | {goal} |"
              for name, label, unit, goal, median, best in rows]
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout
    header = (f"{time.strftime('%Y-%m-%d')}, commit {commit.strip()}, {get_processor()}, {options.repeat} runs a row, the "
              "ways of a row in turns; fully instrumented, on one host thread, where nothing else is said. "
              "`benchmarks/run sim`:")
    text = "\n".join([header, "", *table])
    print(text)
    if options.write:
        page = ROOT / "docs/benchmarks.md"
        old = page.read_text()
        before, rest = old.split(BEGIN)
        page.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}")


if __name__ == "__main__":
    main()
