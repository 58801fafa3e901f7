#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples on the CPU, checks each against the reference interpreter,
and prints one table.

    scripts/demo.py --build build            all cases
    scripts/demo.py --build build shift gemm these examples only

The error is max |got - reference| / max |reference| over random inputs in
[-1, 1]; it may be 1e-5 sqrt(K), where K is the number of products in a sum. Time
is the median of the runs. Exit status: 0 if all cases pass, 1 if not.
"""

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# The examples of the extended einsum, and convolutions of known networks.
CASES = ["gemm", "gemm_ta", "gemm_tb", "two_axes", "conv2d", "conv2d_dilated", "conv2d_strided",
         "depthwise", "pointwise", "shift", "shift_padded", "sparse", "sparse_per_channel",
         "attention_bmm", "permute", "tensor_operation",
         *(f"conv_task{i}" for i in range(1, 8))]

COLUMNS = [("case", "<18"), ("spec", "<44"), ("sizes", "<28"), ("error", ">8"),
           ("tolerance", ">9"), ("time", ">10"), ("GFLOP/s", ">8"), ("verdict", "<7")]


def reduction(text):
    """K of the contraction in an .mlir file: the product of the sizes of its reduced
    letters, which are axes of an operand or under `sizes`; the largest, if several."""
    largest = 1
    for spec, rest in re.findall(r'einsum\.contract\s+"([^"]*)"([\s\S]*?)->\s*tensor', text):
        terms, _, result = spec.partition("->")
        sizes = dict(re.findall(r"\b(\w) = (\d+)", rest))
        shapes = re.findall(r"tensor<([\dx?]*)", rest[rest.rindex(": ("):])
        for term, shape in zip(re.split(r",(?![^\[]*\])", terms), shapes):
            axes = re.findall(r"\((?:[^()]|\([^()]*\))*\)|\w", term)
            sizes.update((a, n) for a, n in zip(axes, shape.split("x")) if n.isdigit())
        largest = max(largest, math.prod(int(n) for c, n in sizes.items()
                                         if len(c) == 1 and c not in result))
    return largest


class Progress:
    """A line on stderr about a case that takes long, removed when it is done."""

    def __init__(self, label):
        self.label, self.start, self.next = label, time.monotonic(), 2.0
        self.shown = False

    def update(self):
        elapsed = time.monotonic() - self.start
        if elapsed < self.next:
            return
        # A terminal keeps one line; a log gets few.
        terminal = sys.stderr.isatty()
        self.next = elapsed + (1 if terminal else 30)
        self.shown = terminal
        print(f"{self.label}, {elapsed:.0f} s", end="\r" if terminal else "\n",
              file=sys.stderr, flush=True)

    def clear(self):
        if self.shown:
            print("\033[K", end="", file=sys.stderr, flush=True)


def run(command, label):
    """Runs a command; returns its exit status and output."""
    progress = Progress(label)
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        try:
            while True:
                try:
                    process.wait(timeout=0.2)
                    break
                except subprocess.TimeoutExpired:
                    progress.update()
        finally:
            process.kill()
            progress.clear()
        output.seek(0)
        return process.returncode, output.read()


def check(tile_run, example, label, folder):
    """Runs one example; returns its row of the table and, if it failed, why."""
    report = Path(folder) / f"{example.stem}.json"
    tolerance = 1e-5 * math.sqrt(reduction(example.read_text()))
    status, output = run([tile_run, example, "--backend=cpu", "--random=7", "--repeat=3",
                          "--check=interp", f"--tolerance={tolerance:.3g}",
                          f"--report={report}"], label)
    row = {"case": example.stem, "tolerance": f"{tolerance:.1e}"}
    passed = status == 0
    try:
        found = json.loads(report.read_text())
        contraction = found["contractions"][0]
        row["spec"] = contraction["spec"]
        row["sizes"] = " ".join(f"{c}{n}" for c, n in contraction["sizes"].items())
        row["time"] = f"{found['time_ms']['median']:.2f} ms"
        if found["gflops"] is not None:
            row["GFLOP/s"] = f"{found['gflops']:.1f}"
        row["error"] = f"{found['check']['error']:.1e}"
        # A run that was not checked has not passed.
        passed = passed and found["check"]["passed"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        # A run that failed early leaves no report, or less of one.
        if passed:
            output += f"no complete report: {error!r}"
        passed = False
    row["verdict"] = "pass" if passed else "FAIL"
    return row, None if passed else f"exit status {status}\n{output}".strip()


def line(row):
    return "  ".join(f"{row.get(name, '-'):{align}}" for name, align in COLUMNS).rstrip()


def main():
    parser = argparse.ArgumentParser(description="Runs the examples and checks their results.")
    parser.add_argument("--build", default="build", type=Path, help="build folder")
    parser.add_argument("cases", nargs="*", default=CASES, metavar="case",
                        help="names of examples (default: einsum cases and convolutions)")
    options = parser.parse_args()

    root = Path(__file__).resolve().parent.parent
    tile_run = options.build / "bin" / "tile-run"
    if not tile_run.exists():
        sys.exit(f"{tile_run} does not exist: build first, or name the folder with --build")
    missing = [c for c in options.cases if not (root / "examples" / f"{c}.mlir").exists()]
    if missing:
        sys.exit(f"no such example: {', '.join(missing)}")

    print(line({name: name for name, _ in COLUMNS}))
    start, failed = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        for i, case in enumerate(options.cases, 1):
            row, why = check(tile_run.resolve(), root / "examples" / f"{case}.mlir",
                             f"{i}/{len(options.cases)} {case}: running", folder)
            print(line(row), flush=True)
            if why:
                failed += 1
                print("    " + why.replace("\n", "\n    "), flush=True)
    print("An error of 0 is not rounding that went missing: compiled code and interpreter add in the same order.")
    print(f"demo: {len(options.cases) - failed} of {len(options.cases)} cases pass, "
          f"{time.monotonic() - start:.0f} s")
    return int(failed > 0)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
