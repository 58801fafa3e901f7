"""Checks the matrix products that einsum-to-nvvm-pipeline makes for Volta's tensor cores, mma.m8n8k4.

    volta_gemm.py CHECK --tile-run PATH --tile-opt PATH [--size m,n,k] [--macro 16x16x8] [--whole] ...

    correct   both accumulators, all layouts of A and B, results of f16 and f32, against NumPy
    counters  what the simulator counts for aligned sizes: no bank conflicts, no byte of global memory moved in vain,
              128-bit accesses, no mma too many, few barriers
    barriers  each barrier is needed: a kernel without it is found to be wrong
    mix       a table of the instructions of the main loop for each mma
    ptxas     registers, spills, and that newer chips take the PTX; needs --ptxas

Programs are text that Product.text() writes, options are those of the pipeline. Of a main loop is told what one more
step over K adds: the difference of two runs.
"""
import argparse
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Integration"))
import batch  # noqa: E402
from ptxas import get_ptx  # noqa: E402

ROUNDING = {"f16": 2.0 ** -11, "f32": 2.0 ** -24}
TYPES = {"f16": np.float16, "f32": np.float32}
LAYOUTS = ("mk, kn -> mn", "km, kn -> mn", "mk, nk -> mn", "km, nk -> mn")
MACROS = ("16x16x8", "32x32x8")
CHIP = "sm_70"


def product(numbers):
    """An option such as 128x128x32, as numbers."""
    return tuple(map(int, numbers.split("x")))


def get_difference(got, expected, allowed, element):
    """What is wrong with a result of type `element`, which may be off by `allowed`; "" if nothing is."""
    if got.shape != expected.shape or got.dtype != TYPES[element]:
        return f"{got.dtype}{got.shape}, expected {element}{expected.shape}"
    good = np.abs(got.astype(np.float64) - expected) <= allowed  # NaN is not good
    if good.all():
        return ""
    where = tuple(int(i) for i in np.argwhere(~good)[0])
    return f"{(~good).sum()} of {got.size} differ, at {where}: {got[where]}, expected {expected[where]}"


@dataclass(frozen=True)
class Product:
    """A matrix product of f16, how it is compiled, and what is done with its result."""
    size: tuple
    spec: str = LAYOUTS[0]
    acc: str = "f32"
    result: str = "f16"
    block: str = "128x128x32"
    warp: str = "64x32"
    macro: str = "16x16x8"
    stages: int = 2
    epilogue: str = "none"  # none, relu or bias
    chip: str = CHIP

    def __str__(self):
        return (f"{','.join(map(str, self.size))} \"{self.spec}\" acc={self.acc} result={self.result} "
                f"{self.config} epilogue={self.epilogue}")

    @property
    def config(self):
        """The tile configuration."""
        return f"block={self.block} warp={self.warp} atom=volta_{self.macro} stages={self.stages}"

    @property
    def pipeline(self):
        return f"einsum-to-nvvm-pipeline{{chip={self.chip} config={{{self.config}}}}}"

    @property
    def terms(self):
        """The letters of A and of B."""
        return self.spec[:2], self.spec[4:6]

    @property
    def mma(self):
        """Of a warp each m8n8k4 makes four products of 8 x 8 x 4."""
        return self.size[0] * self.size[1] * self.size[2] // 1024

    def shape(self, letters):
        sizes = dict(zip("mnk", self.size))
        return [sizes[letter] for letter in letters]

    def text(self):
        def tensor(letters, element):
            return f"tensor<{'x'.join(map(str, self.shape(letters)))}x{element}>"
        a, b, c = (tensor(*x) for x in (*((term, "f16") for term in self.terms), ("mn", self.result)))
        bias = f", %bias: {c}" if self.epilogue == "bias" else ""
        attributes = "" if self.acc == "f32" else f" {{acc = {self.acc}}}"
        lines = [f"// {self}",
                 f"func.func @main(%a: {a}, %b: {b}{bias}) -> {c} {{",
                 f'  %0 = einsum.contract "{self.spec}" (%a, %b){attributes} : ({a}, {b}) -> {c}']
        result = "%0"
        if self.epilogue == "bias":
            lines.append(f"  %1 = arith.addf %0, %bias : {c}")
            result = "%1"
        elif self.epilogue == "relu":
            lines += [f"  %zero = arith.constant dense<0.0> : {c}", f"  %1 = arith.maximumf %0, %zero : {c}"]
            result = "%1"
        return "\n".join(lines + [f"  return {result} : {c}", "}", ""])

    def arrays(self, rng, exact):
        """The arguments, and a function from a result to what is wrong with it. Small integers make every partial sum
        a whole number that f16 holds, so the order of additions does not matter."""
        m, n, k = self.size
        if exact:
            largest = 2 if k <= 500 else 1  # |sums| are at most 4 k < 2048, or k
            a, b, bias = (rng.integers(-largest, largest, s, endpoint=True).astype(np.float16)
                          for s in ((m, k), (k, n), (m, n)))
        else:
            a, b, bias = (rng.standard_normal(s).astype(np.float16) for s in ((m, k), (k, n), (m, n)))
        wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
        expected = wide_a @ wide_b
        # Each mma rounds a sum of four products and an accumulator; the result is rounded once more, and by bias.
        allowed = np.abs(wide_a) @ np.abs(wide_b) * ROUNDING[self.acc] * (k / 4 + 1)
        if self.epilogue == "bias":
            expected = expected + bias
        allowed = 0 if exact else allowed + ROUNDING[self.result] * 4 * (np.abs(expected) + 1)
        if self.epilogue == "relu":
            expected = np.maximum(expected, 0)

        stored = [x if term == order else x.T for x, term, order in zip((a, b), self.terms, ("mk", "kn"))]
        extra = [bias.astype(TYPES[self.result])] if self.epilogue == "bias" else []
        return ([np.ascontiguousarray(x) for x in stored] + extra,
                lambda got: get_difference(got, expected, allowed, self.result))


@dataclass
class Outcome:
    complaint: str  # what is wrong with status, findings or results; "" if nothing is
    report: dict
    text: str       # what tile-run printed

    @property
    def launch(self):
        launch, = self.report["launches"]
        return launch

    def accesses(self, space):
        """Those of "shared" memory, or of "global": that is where asynchronous copies read."""
        spaces = ("global", "async-copy") if space == "global" else (space,)
        return [a for a in self.launch["accesses"] if a["space"] in spaces]


class Tools:
    """Runs programs; all files are in one temporary folder."""

    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)

    def run(self, case, exact=True, lowered=None, flags=()):
        """Runs a product in the simulator; `lowered` is what its program became, or None; `flags` are for tile-run."""
        arrays, complaint = case.arrays(np.random.default_rng(sum(map(ord, str(case)))), exact)
        names = [self.folder / f"{i}.npy" for i in range(len(arrays))]
        for name, array in zip(names, arrays):
            np.save(name, array)
        program, report, result = (self.folder / x for x in ("program.mlir", "report.json", "result.npy"))
        program.write_text(case.text() if lowered is None else lowered)
        for stale in report, result:
            stale.unlink(missing_ok=True)
        pipeline = case.pipeline if lowered is None else f"gpu-to-nvvm-pipeline{{chip={case.chip}}}"
        status, text = batch.run(
            [self.options.tile_run, program, "--backend=sim", f"--chip={case.chip}", "--entry=main",
             f"--pipeline={pipeline}", "--inputs=" + ",".join(map(str, names)), f"--outputs={result}",
             f"--report={report}", *flags])
        contents = json.loads(report.read_text()) if report.exists() else {}
        wrong = ""
        if status != 0 or contents.get("findings"):
            wrong = text.strip() or f"exit status {status}"
        elif not result.exists():
            wrong = "no result"
        else:
            wrong = complaint(np.load(result))
        return Outcome(wrong, contents, text)

    def lower(self, case):
        """The program after the pipeline; "" and what is wrong if that fails."""
        program, lowered = self.folder / "program.mlir", self.folder / "lowered.mlir"
        program.write_text(case.text())
        status, text = batch.run([self.options.tile_opt, program, f"--pass-pipeline=builtin.module({case.pipeline})",
                                  "-o", lowered])
        return (lowered.read_text(), "") if status == 0 else ("", text or f"exit status {status}")


class Results:
    """What went well and what did not, with the program of each failure."""

    def __init__(self):
        self.failures, self.checks = 0, 0

    def check(self, case, complaint):
        self.checks += 1
        if complaint:
            self.failures += 1
            print(f"FAIL: {case}\n{complaint[:2000]}\n{case.text()}")

    def expect(self, case, what, got, fits):
        self.check(case, "" if fits else f"{what}: {got}")


def run_check(check, tools, options):
    """Runs a check, with tools that have a temporary folder. Returns the exit status."""
    results = Results()
    with tempfile.TemporaryDirectory() as folder:
        check(tools(options, folder), results, options)
    print(f"{results.checks} checks, {results.failures} failed")
    return results.failures > 0


# --- The checks

def variants(size, macros, whole):
    """All layouts with both accumulators; results of f16 and f32 in turn, or both."""
    for macro, spec, acc in itertools.product(macros, LAYOUTS, ROUNDING):
        for result in ROUNDING if whole else ("f16", "f32")[LAYOUTS.index(spec) % 2:][:1]:
            yield Product(size, spec, acc, result, macro=macro)


def check_correct(tools, results, options):
    for case in variants(options.size, options.macro, options.whole):
        for exact in (True, False):
            compiled = batch.compile_flags(results.checks // 2 + exact)
            results.check(case, tools.run(case, exact, flags=compiled).complaint)
        for stages in (1,) if options.whole else ():
            other = replace(case, stages=stages)
            results.check(other, tools.run(other).complaint)


def aligned(options):
    for macro, spec, acc, stages in itertools.product(options.macro, LAYOUTS, ROUNDING, (1, 2)):
        for result in ROUNDING if options.whole else (acc,):
            yield Product((256, 128, 128), spec, acc, result, macro=macro, stages=stages)


def check_counters(tools, results, options):
    for case in aligned(options):
        short = tools.run(case)
        longer = replace(case, size=(*case.size[:2], 2 * case.size[2]))
        long = tools.run(longer)
        results.check(case, short.complaint or long.complaint)
        if short.complaint or long.complaint:
            continue
        launch, shared, all_global = short.launch, short.accesses("shared"), short.accesses("global")
        results.expect(case, "no accesses", launch["accesses"], shared and all_global)
        for kind in False, True:
            conflicts = sum(a["conflicts"] for a in shared if a["store"] == kind)
            results.expect(case, f"bank conflicts of {'stores' if kind else 'loads'}", conflicts, conflicts == 0)
        widths = sorted({a["width"] for a in all_global})
        results.expect(case, "bytes of global accesses", widths, widths == [16])
        sectors = launch["global"]["sectors"], launch["global"]["idealSectors"]
        results.expect(case, "sectors and the ideal", sectors, sectors[0] == sectors[1])
        results.expect(case, f"mma, expected {case.mma}", launch["mma"], launch["mma"] == case.mma)
        steps = (longer.size[2] - case.size[2]) // product(case.block)[2]
        blocks = launch["grid"][0] * launch["grid"][1] * launch["grid"][2]
        barriers = (long.launch["blockBarriers"] - launch["blockBarriers"]) / (steps * blocks)
        results.expect(case, "barriers in a step", barriers, barriers <= 3 - case.stages)


def check_barriers(tools, results, options):
    """Three steps over K: with fewer a stage would not be filled again."""
    removed = 0
    for macro, stages, result in itertools.product(options.macro, (1, 2), ROUNDING):
        case = Product((128, 128, 128), result=result, macro=macro, stages=stages)
        text, complaint = tools.lower(case)
        lines = text.splitlines()
        complaint = complaint or tools.run(case, lowered=text).complaint
        results.check(case, complaint)
        if complaint:
            continue
        places = [i for i, line in enumerate(lines) if re.search(r"\bnvvm\.barrier", line)]
        results.expect(case, "barriers", len(places), len(places) >= 2)
        for place in places:
            outcome = tools.run(case, lowered="\n".join(lines[:place] + lines[place + 1:]))
            results.expect(case, f"without the barrier of line {place + 1} all is well", "", outcome.complaint)
            removed += 1
    print(f"{removed} barriers removed")


def main_loop(tools, case):
    """Instructions by class that more steps over K add, and what is wrong."""
    longer = replace(case, size=(*case.size[:2], 2 * case.size[2]))
    short, long = tools.run(case), tools.run(longer)
    if short.complaint or long.complaint:
        return {}, short.complaint or long.complaint
    counts = [x.launch["warpInstructions"] for x in (short, long)]
    return {key: counts[1][key] - counts[0].get(key, 0) for key in counts[1]}, ""


def check_mix(tools, results, options):
    print("Warp instructions of the main loop for each mma\n")
    print("| spec | acc | atom | stages | all but mma | of these |\n|---|---|---|---|---|---|")
    for macro, stages, spec, acc in itertools.product(options.macro, (2, 1), LAYOUTS, ROUNDING):
        case = Product((128, 128, 256), spec, acc, macro=macro, stages=stages)
        mix, complaint = main_loop(tools, case)
        results.check(case, complaint)
        if complaint:
            continue
        mma = mix.pop("mma")
        ratio = sum(mix.values()) / mma
        parts = ", ".join(f"{key} {value / mma:.3f}" for key, value in mix.items() if value)
        print(f"| `{spec}` | {acc} | {macro} | {stages} | {ratio:.3f} | {parts} |")
        results.expect(case, "instructions for each mma", ratio, ratio <= options.limit)


def check_ptxas(tools, results, options):
    toolkit = pathlib.Path(options.ptxas).resolve().parents[1]
    for number, (spec, acc, macro, result) in enumerate(itertools.product(LAYOUTS, ROUNDING, options.macro, ROUNDING)):
        case = Product((256, 256, 256), spec, acc, result, macro=macro)
        text, complaint = tools.lower(case)
        results.check(case, complaint)
        if complaint:
            continue
        ptx = tools.folder / "kernel.ptx"
        ptx.write_text(get_ptx(options.tile_opt, text, CHIP, toolkit))
        # Registers are looked at for one chip; of the newer ones, in turn, all that counts is that they take the code.
        for chip in "sm_75", ("sm_80", "sm_90")[(number + number // 4) % 2]:
            done = subprocess.run([options.ptxas, "-v", f"--gpu-name={chip}", ptx, "-o", "/dev/null"],
                                  capture_output=True, text=True, check=False)
            said = done.stdout + done.stderr
            spills = sum(map(int, re.findall(r"(\d+) bytes spill", said)))
            registers = [int(n) for n in re.findall(r"Used (\d+) registers", said)]
            results.check(case, said if done.returncode or not registers else "")
            if registers:
                print(f"{spec} {acc} {result} {macro} {chip}: {registers[0]} registers, {spills} bytes of spills")
                # From sm_80 on m8n8k4 is emulated.
                fits = chip != "sm_75" or spills == 0 and max(registers) <= 255
                results.expect(case, f"registers, bytes of spills on {chip}", (registers, spills), fits)


CHECKS = {"correct": check_correct, "counters": check_counters, "barriers": check_barriers, "mix": check_mix,
          "ptxas": check_ptxas}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("check", choices=CHECKS)
    parser.add_argument("--tile-run", default="tile-run")
    parser.add_argument("--tile-opt", default="tile-opt")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--size", default=(128, 128, 128), help="m,n,k",
                        type=lambda text: tuple(map(int, text.split(","))))
    parser.add_argument("--macro", nargs="*", default=MACROS, choices=MACROS)
    parser.add_argument("--limit", type=float, default=2.0, help="of instructions for each mma")
    parser.add_argument("--whole", action="store_true", help="all combinations, for a run by hand")
    options = parser.parse_args()
    return run_check(CHECKS[options.check], Tools, options)


if __name__ == "__main__":
    sys.exit(main())
