"""The tables and plots of docs/benchmarks.md, from the rows that measure.cpp left."""
import collections
import csv
import json
import math
import pathlib
import shutil
import sys

import programs

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parent.parent))
import plot

BEGIN, END = "<!-- benchmarks/run gpu -->", "<!-- end of benchmarks/run gpu -->"
# Chips whose kernels have mma.m8n8k4.
VOLTA = {"sm_70", "sm_72"}
# What rivals of ours are called.
NAMES = {"cublas": "cuBLAS", "cublaslt": "cuBLASLt", "cudnn-implicit": "cuDNN, implicit GEMM",
         "cudnn-best": "cuDNN, best", "cudnn-1x1": "cuDNN, 1x1", "ours-1x1": "ours, 1x1"}
IDIOMS = {"gemm": "GEMM", "relu-gemm": "ReLU + GEMM", "gemm-bias-relu": "GEMM + bias + ReLU",
          "add-gemm-gemm": "Add(GEMM, GEMM)"}
# Geometric mean, best, worst and share at 1x or above: 100 sizes on a Quadro GV100 against cuBLAS 10.1 and cuDNN 7.
PAPER = {"gemm": "0.985, 1.75, 0.78, 32 %", "relu-gemm": "1.113, 2.36, 0.80, 61 %",
         "gemm-bias-relu": "1.29, 2.55, 0.89, 94 %", "add-gemm-gemm": "not given, 2.13, 0.73, 33 %"}


class Result:
    """Who is how fast on a problem: the fastest options of each candidate."""

    def __init__(self, rows):
        self.best = {}
        for row in rows:
            name = row["candidate"]
            if row["us"] and (name not in self.best or float(row["us"]) < self.us(name)):
                self.best[name] = row
        self.row = rows[0]
        self.sizes = tuple(map(int, self.row["size"].split("x")))

    def us(self, name):
        return float(self.best[name]["us"])

    def speedup(self, rival):
        """None where one of them has no time."""
        return self.us(rival) / self.us("ours") if {"ours", rival} <= self.best.keys() else None

    def cells(self, *rivals):
        """Time, TFLOP/s, how many times as fast as its rivals, options."""
        ours = self.best.get("ours", {"us": "-", "tflops": "-", "options": "-"})
        speedups = [self.speedup(rival) for rival in rivals]
        return [ours["us"], ours["tflops"], *("-" if speedup is None else f"{speedup:.3f}" for speedup in speedups),
                ours["options"]]


def make_lines(heads, rows):
    return ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads),
            *("| " + " | ".join(row) + " |" for row in rows), ""]


def report_orders(results):
    rows = []
    for result in results:
        us, tflops, speedup, choice = result.cells("cublas")
        cublas = result.best["cublas"]["us"] if "cublas" in result.best else "-"
        rows.append([result.row["size"], f"`{result.row['order']}`", us, cublas, speedup, tflops, choice])
    return ["Products, in all orders of their operands:", "",
            *make_lines(["M x N x K", "operands", "ours, us", "cuBLAS, us", "cuBLAS / ours", "ours, TFLOP/s",
                         "options"], rows)]


def summarize(speedups):
    mean = math.exp(sum(map(math.log, speedups)) / len(speedups))
    share = sum(speedup >= 1 for speedup in speedups) / len(speedups)
    return [f"{mean:.3f}", f"{max(speedups):.2f}", f"{min(speedups):.2f}", f"{100 * share:.0f} %"]


def report_idioms(results, plots):
    rows, pictures = [], []
    for idiom, title in IDIOMS.items():
        group = sorted((result for result in results if result.row["task"] == idiom),
                       key=lambda result: math.prod(result.sizes))
        curves = {}
        for rival in ("cublas", "cublaslt"):
            points = [(result.row["size"], result.speedup(rival)) for result in group if result.speedup(rival)]
            if points:
                curves[NAMES[rival]] = points
                rows.append([title, NAMES[rival], str(len(points)), *summarize([speedup for _, speedup in points]),
                             PAPER[idiom] if rival == "cublas" else ""])
        if curves:
            plots[f"gpu-{idiom}.svg"] = plot.draw_speedups(f"{title} over {' and '.join(curves)}", curves)
            pictures += [f"![{title}: speedup for each problem](images/gpu-{idiom}.svg)", ""]
    return ["The paper's idioms: how many times as fast as the library ours is, over random sizes (multiples of 128 up "
            "to 4096). cuBLAS computes products only; the pointwise kernels beside it are of TileIR, too, from "
            "programs of tiles with 128-bit accesses, one for bias and ReLU together. cuBLASLt adds bias and ReLU, or "
            "the first product to the second one, in the kernel of the product.", "",
            *make_lines(["idiom", "beside", "problems", "geometric mean", "best", "worst", "1x or more",
                         "the same in the paper, on a GV100"], rows), *pictures]


def report_images(results, rivals, title):
    rows = []
    for result in results:
        sizes, layout = result.row["size"], result.row["order"].upper()
        task = 1 + programs.CONVOLUTIONS.index(sizes) if sizes in programs.CONVOLUTIONS else "-"
        rows.append([str(task), sizes, layout, *result.cells(*rivals)])
    rows.sort()
    heads = ["task", "N x C x H x W x K x R x S", "layout", "ours, us", "TFLOP/s"]
    return [title, "", *make_lines([*heads, *(f"{NAMES[rival]} / ours" for rival in rivals), "options"], rows)]


def describe_run(rows, index):
    last = rows[-1]
    versions = [f"{name} {last[column]}" for name, column in (("cuBLAS", "cublas"), ("cuBLASLt", "cublaslt"),
                                                              ("cuDNN", "cudnn"))
                if last[column]]
    missing = [name for name, column in (("cuBLASLt", "cublaslt"), ("cuDNN", "cudnn")) if not last[column]]
    clocks = [int(row["mhz"]) for row in rows if row["mhz"]]
    launches = [int(row["launches"]) for row in rows if row["launches"]]
    chips = sorted({row["chip"] for row in rows if row["chip"]})
    text = (f"{last['date']}, commit {index['commit']}, {last['gpu']} ({last['device']}), driver {last['driver']}, "
            f"{', '.join(versions)}; kernels compiled for {', '.join(chips)}; ")
    if clocks:
        text += f"multiprocessors at {min(clocks)} to {max(clocks)} MHz; "
    text += (f"medians of {min(launches)} to {max(launches)} launches, in turns with those that are compared, by "
             "events; random operands of f16 in [-1, 1], f32 accumulators, f16 results, each compared first. Of "
             "several options the fastest count.")
    if missing:
        text += f" {' and '.join(missing)} were not there."
    if chips and VOLTA.issuperset(chips) and int(last["device"].removeprefix("sm_")) >= 80:
        text += (" **`mma.m8n8k4` is Volta's instruction, which this GPU emulates**: ratios say nothing of the passes "
                 "here, and times are no claim.")
    done = len({row["problem"] for row in rows if row["us"]})
    faults = sum(bool(row["wrong"]) for row in rows), sum(bool(row["failed"]) for row in rows)
    text += f" {done} of {len(index['problems'])} problems were measured"
    if index["refused"]:
        text += f"; {len(index['refused'])} kernels could not be compiled"
    if any(faults):
        text += f"; {faults[0]} results were wrong and {faults[1]} kernels failed, which have no time"
    return text + ". `benchmarks/run gpu`:"


def make_report(rows, index):
    """The text, and plots by the names of their files: of the GPU that was measured last."""
    rows = [row for row in rows if row["gpu"] == rows[-1]["gpu"]]
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["set"], row["problem"]].append(row)
    results = collections.defaultdict(list)
    order = {problem["name"]: i for i, problem in enumerate(index["problems"])}
    for group, name in sorted(groups, key=lambda key: order.get(key[1], 0)):
        results[group].append(Result(groups[group, name]))
    for list_of_results in results.values():
        list_of_results.sort(key=lambda result: (result.sizes, result.row["order"]))
    plots = {}
    lines = [describe_run(rows, index), ""]
    if results["orders"]:
        lines += report_orders(results["orders"])
    if results["idioms"]:
        lines += report_idioms(results["idioms"], plots)
    if results["convolutions"]:
        lines += report_images(results["convolutions"], ("cudnn-implicit", "cudnn-best"),
                               "Convolutions, the layers of the Triton paper:")
    if results["shifts"]:
        lines += report_images(results["shifts"], ("ours-1x1", "cudnn-1x1"),
                               "Shift convolutions, beside 1x1 convolutions of an image that was shifted before:")
    return "\n".join(lines).rstrip(), plots


def report(options):
    index = json.loads((options.folder / "index.json").read_text())
    path = options.folder / "rows.csv"
    with path.open() as file:
        rows = [row for row in csv.DictReader(file) if None not in row.values()]  # the last line may be cut off
    if not any(row["us"] for row in rows):
        sys.exit(f"{path}: expected rows with times, found none")
    text, plots = make_report(rows, index)
    print(text)
    for name, picture in plots.items():
        (options.folder / name).write_text(picture)
    if options.write:
        page = options.docs / "benchmarks.md"
        before, rest = page.read_text().split(BEGIN)
        page.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}")
        for name, picture in plots.items():
            (options.docs / "images" / name).write_text(picture)
        shutil.copy(path, options.docs / "images/gpu-rows.csv")
