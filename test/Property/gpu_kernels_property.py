#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Property test of kernels for a GPU: products of any form among pointwise ops, in random tiles.

    gpu_kernels_property.py --tile-run build/bin/tile-run --count 100 --seed 1

Programs are those of fusion_property.py, with contractions as GPUs meet them: matrix
products of all layouts, batched and of several letters, convolutions, shifts and
sparse products by tables, mostly of the types that the tensor cores of a chip take
and large enough for several blocks. The chip is drawn, and how einsum-to-nvvm-pipeline
cuts them. One case in six is a contraction whose sizes only the host knows, by itself.
tile-run executes the kernels on the simulator, which must find nothing, and compares
with its interpreter; NumPy computes each value as the program is drawn.

Options that do not fit a chip must be refused by an error that names the option:
then others are drawn. A failing case is kept as a .mlir file that is a test, with
its inputs beside it; `--seed S --only N` draws case N alone. Exit status: 0 if all
agree and fewer options were refused than there are cases, else 1.
"""

import argparse
import json
import math
import re
import shutil
import string
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
import einsum_programs as model  # noqa: E402
import einsum_property as runner  # noqa: E402
import fusion_property as fusion  # noqa: E402
import numpy_einsum as oracle  # noqa: E402
from einsum_programs import Axis, Redraw, Tensor  # noqa: E402

model.MAX_POINTS, model.MAX_ELEMENTS = 1_000_000, 30_000
# For each chip the atoms for operands, and how often types of results are drawn.
CHIPS = {
    "sm_70": ({"f16": ["volta_16x16x8", "volta_32x32x8"]}, {"f16": 12, "f32": 4}),
    "sm_75": ({"f16": ["m16n8k8_f16"], "i8": ["m8n8k16_i8"]}, {"f16": 8, "f32": 4, "i32": 4}),
    "sm_80": ({"f16": ["m16n8k16_f16", "m16n8k8_f16"], "bf16": ["m16n8k16_bf16"], "f32": ["m16n8k8_tf32"],
               "i8": ["m16n8k32_i8"], "f64": ["m8n8k4_f64"]}, {"f16": 6, "bf16": 4, "f32": 6, "i32": 3, "f64": 2}),
}
ADA = ["m16n8k32_f8"]
CHIPS["sm_89"] = CHIPS["sm_80"][0] | {"f8E4M3FN": ADA, "f8E5M2": ADA}, {"f16": 4, "bf16": 2, "f32": 12, "i32": 2}
# Its products by wgmma take what loops load as it is; what they do not take goes to mma.sync.
CHIPS["sm_90a"] = CHIPS["sm_89"]
# A part of it, so that there are more blocks than programs.
FEW = 3
PART = (f'#tile.target<chip = "sm_90a", shared = 232448, threads = 1024, registers = 255, sms = {FEW}, async = true, '
        'mma = ["wgmma_k16_f16", "wgmma_k16_bf16", "wgmma_k32_f8", "wgmma_k32_i8", "m16n8k16_f16", "m16n8k16_bf16", '
        '"m16n8k8_tf32", "m16n8k32_i8", "m8n8k4_f64", "m16n8k32_f8"], ldmatrix = true, stmatrix = true>')
# Types of results that products of a type have; others have the type itself.
RESULTS = {"f16": ("f16", "f32"), "bf16": ("bf16", "f32"), "i8": ("i32",), "f8E4M3FN": ("f32",), "f8E5M2": ("f32",)}
ASYNC = ("sm_80", "sm_89", "sm_90a")
MAX_REFUSED = 30  # options of one case

# How an error tells which option to change.
REFUSAL = re.compile(r"error: .*: use (a|fewer) .*'(block|warp|stages)'")

SIZES = [1, 3, 8, 16, 17, 24, 32, 33, 40, 48, 64, 64, 72, 96, 96, 100, 128, 128, 160]
SMALL = [1, 2, 3, 4, 7, 8]
ALIGNED = [16, 32, 48, 64, 64, 96, 128, 128, 160, 208]  # rows of memory that tensor maps take


@dataclass
class Case(fusion.Case):
    """A program and the options of its pipeline."""
    options: dict = field(default_factory=dict)

    def flags(self, folder, block=None):
        names = ",".join(folder + name for name in self.input_names)
        options = " ".join(f"{name}={value}" for name, value in self.options.items())
        return ["--backend=sim", f"--inputs={names}", f"--chip={self.options['chip']}", "--check=interp",
                f"--tolerance={self.tolerance:.3g}", *model.compile_flags(self.number),
                f"--pipeline=einsum-to-nvvm-pipeline{{{options}}}"]

    def write(self, folder, block=None):
        path = super().write(folder)
        text = path.read_text().replace("fusion_property.py", "gpu_kernels_property.py")
        if "persistent" in self.options["config"]:
            text = f"module attributes {{tile.target = {PART}}} {{\n{text}}}\n"
        path.write_text(text)
        return path


class Generator(fusion.Generator):
    """Draws one case."""
    RARE = {"f32": 1, "i8": 1, "bf16": 0.5, "f64": 0.3, "i32": 0.3}
    DYNAMIC = 1 / 6
    drawn = None  # terms that draw_letters has drawn for draw_terms

    def __init__(self, seed, number, chip=None):
        super().__init__(seed, number)
        self.chip = chip or self.random.choice(["sm_70", "sm_75", "sm_80", "sm_89", "sm_90a", "sm_90a"])
        self.atoms, results = CHIPS[self.chip]
        self.ELEMENTS = self.RARE | results
        # What warps with roles take: without split-K, with few prologues, and without rows at odd addresses.
        self.is_simple = self.chip == "sm_90a" and self.chance(0.8)

    def attempt(self):
        if not self.chance(self.DYNAMIC):
            return super().attempt()
        element = self.begin()
        self.dynamic = self.random.choice([0.5, 1])
        return self.finish([self.contract(element, depth=0)])

    def finish(self, results):
        return Case(**vars(super().finish(results)), options=self.draw_options())

    def draw_options(self):
        """Of the pipeline. Most fit their chip."""
        rows, columns = (1 << self.random.choice([4, 5, 5, 6, 6, 7, 7, 8]) for _ in range(2))
        depth = self.random.choice([8, 16, 32, 32, 64])
        atom = self.random.choice(sum(self.atoms.values(), []))
        least = 32 if "32x32" in atom else 16
        if min(rows, columns) < least:
            atom, least = atom.replace("32x32", "16x16"), 16
        # LLVM takes minutes over the code of larger warps, or of fewer.
        warp = [min(64, max(least, size >> self.random.choice([0, 1, 1, 2]))) for size in (rows, columns)]
        stages = self.random.choice([1, 2, 2, 3, 3, 4, 5, 6, 7, 8] if self.chip in ASYNC else [1, 2])
        split = self.random.choice([1, 1, 2, 4])
        atom, cluster, persistent = f"atom={atom}", "", ""
        if self.is_simple:
            rows, split, atom = self.random.choice([64, 64, 128]), 1, ""
            columns, depth = max(columns, 16), max(depth, 32)
            cluster = self.random.choice(["", "cluster=2", "cluster=2", "cluster=4"])
            persistent = self.random.choice(["", "", "persistent=1", "persistent=2"])
        options = {"chip": self.chip,
                   "config": f"{{block={rows}x{columns}x{depth} warp={warp[0]}x{warp[1]} {atom} "
                             f"split_k={split} stages={stages} {cluster} {persistent}}}",
                   "permute": self.random.choice([0, 1]), "slice-depth": self.random.choice([0, 1])}
        if self.chance(0.2):
            options["num-warps"] = self.random.choice([8, 16])
        if self.chance(0.2):
            options |= {"split-k-blocks": self.random.choice([0, 2, 3, 4]),
                        "split-k-combine": self.random.choice(["kernel", "kernel", "atomic"])}
        if self.chance(0.1):
            options["config"] = f"{{auto stages={min(stages, 2)}}}"
        return options

    # ---- contractions

    def accumulation(self, result):
        """Mostly types that tensor cores multiply; a step of f8 is too large to hide errors behind."""
        fitting = [e for e in self.atoms if result in RESULTS.get(e, (e,)) and (self.exact or not e.startswith("f8"))]
        if not fitting or self.chance(0.15):
            return super().accumulation(result)
        element = self.random.choice(fitting)
        if result == element == "f16" and self.exact and self.chance(0.3):
            return "f16", "f16"
        return element, model.ACCUMULATORS[element][0]

    def operand(self, term, element, depth):
        """Without a prologue where sizes are dynamic, and of types that other ops do not take."""
        if not self.dynamic and element in fusion.WIDTH and not (self.is_simple and self.chance(0.6)):
            return super().operand(term, element, depth)
        x = self.argument([axis.extent for axis in term], element)
        x.dims = self.hide(x.shape)
        return x

    def promise(self, argument):
        if None not in argument.dims or argument.name in self.ranges or self.chance(0.4):
            return super().promise(argument)
        multiples = (math.gcd(n, 16) if told is None else 1 for n, told in zip(argument.shape, argument.dims))
        return f"einsum.multiple_of = array<i64: {', '.join(map(str, multiples))}>"

    def draw_letters(self, shape):
        """The first contraction is a familiar one."""
        if shape is None:
            result, size, self.drawn = self.draw_familiar()
            return result, size
        result, size = super().draw_letters(shape)
        summed = [c for c in size if c not in result]
        return result, size | {c: self.random.choice(SMALL if i else SIZES) for i, c in enumerate(summed)}

    def draw_terms(self, result, size, permute):
        if self.drawn is None:
            return super().draw_terms(result, size, permute)
        terms, self.drawn = self.drawn, None
        return terms

    def draw_familiar(self):
        names = iter(self.random.sample(string.ascii_lowercase, 12))
        size = {}

        def letters(count, sizes):
            drawn = [next(names) for _ in range(count)]
            if self.is_simple and sizes is SIZES:
                sizes = ALIGNED
            size.update((c, self.random.choice(SMALL if i else sizes)) for i, c in enumerate(drawn))
            return drawn

        batch = letters(self.random.choice([0, 0, 0, 1]), SMALL)
        rows, columns, summed = (letters(self.random.choice(counts), SIZES)
                                 for counts in ([1, 1, 1, 2], [1, 1, 1, 2], [1, 1, 1, 2, 2, 3] if not self.is_simple else [1]))
        left, right = ([*map(self.axis, batch + free + summed)] for free in (rows, columns))
        match self.random.choices(["product", "convolution", "shift", "sparse"],
                                    [5, 2, 1, 2] if not self.is_simple else [9, 1, 1, 1])[0]:
            case "convolution":  # along one axis or two
                for row, tap in zip(rows, summed[::-1]):
                    size[tap] = self.random.choice([1, 2, 3, 3, 5])
                    stride, dilation = (self.random.choice([1, 1, 2, 3]) for _ in range(2))
                    window = f"{row}+{tap}" if stride == dilation == 1 else f"{stride}*{row}+{dilation}*{tap}"
                    left = [x for x in left if x.text not in (row, tap)] + [self.axis(window)]
            case "shift":
                window = f"{rows[0]}+{self.draw_table(summed[-1:], size)}"
                left = [self.axis(window) if x.text == rows[0] else x for x in left]
            case "sparse":
                letter = self.random.choice(rows + summed)
                left = [self.axis(self.draw_choice(letter, size)) if x.text == letter else x for x in left]
        result = batch + rows + columns
        if self.chance(0.2):
            self.random.shuffle(result)
        terms = [left, right]
        for term in terms:
            if self.chance(0.5):
                self.random.shuffle(term)
        self.division = [{i for i, term in enumerate(terms) if any(c in oracle.letters_of(x.tree) for x in term)}
                         for c in result]
        return "".join(result), size, terms

    def draw_choice(self, letter, size):
        """A table that chooses of more rows, or some of them several times."""
        name, high, element = f"rows{len(self.ranges)}", self.random.randint(0, 2 * size[letter]), "i32"
        self.ranges[name] = 0, high
        self.arrays[name] = self.data.integers(0, high, (size[letter],), oracle.HELD[element], endpoint=True)
        self.arguments.append(Tensor(name, (size[letter],), (size[letter],), element))
        return f"{name}[{letter}]"

    @staticmethod
    def axis(text):
        return Axis(text, oracle.parse_expression(text))

    # ---- pointwise ops

    def step(self, x, prologue=False):
        if self.exact or self.chance(0.7):
            return super().step(x, prologue)
        if np.abs(self.arrays[x.name]).max(initial=0) > 8:
            x = self.op("tanh", x)
        one = self.constant(x.shape, x.element, 1)
        if self.chance(0.5):  # sigmoid
            return self.op("div", one, self.op("add", one, self.op("exp", self.op("neg", x))))
        erf = self.op("erf", self.op("mul", x, self.constant(x.shape, x.element, 0.7071)))
        half = self.op("mul", x, self.constant(x.shape, x.element, 0.5))
        return self.op("mul", half, self.op("add", erf, one))  # gelu


fusion.OPS["erf"] = "math.erf", None, np.vectorize(math.erf, otypes=[np.float64])


# --------------------------------------------------------------------------
# Running them
# --------------------------------------------------------------------------


class Runner:
    """Runs cases, and counts what was seen."""

    def __init__(self, tile_run, folder):
        self.tile_run, self.folder, self.seen = tile_run, folder, Counter()

    def check(self, generator, case):
        """What is wrong with a case, or None. Draws other options if some do not fit."""
        for _ in range(MAX_REFUSED):
            status, output, wrong = self.run(case)
            if status != 1 or not REFUSAL.search(output) or "launches" in self.report:
                break
            self.seen["refused"] += 1
            case.options = generator.draw_options()
        else:
            return f"{MAX_REFUSED} options in turn do not fit:\n{output.strip()}"
        launches = self.report.get("launches", [])
        self.seen["dynamic"] += "?" in case.text
        self.seen["with mma"] += any(launch["mma"] or launch["wgmma"] for launch in launches)
        self.seen["with wgmma"] += any(launch["wgmma"] for launch in launches)
        if ways := re.search(r"(?:cluster=(\d+))? persistent=(\d)", case.options["config"]):
            cluster = int(ways[1] or 1)
            programs = FEW * int(ways[2]) // cluster * cluster
            self.seen["persistent"] += any(launch["wgmma"] and launch["grid"] == [programs, 1, 1] for launch in launches)
        splits = re.search("split_k=[24]", case.options["config"]) or "split-k-blocks" in case.options
        self.seen["split"] += bool(splits)
        return wrong

    def run(self, case):
        """Exit status and output of tile-run, and what is wrong, or None."""
        path = case.write(self.folder)
        outputs = [f"{self.folder}/out{i}.npy" for i in range(len(case.expected))]
        report = Path(self.folder) / "report.json"
        for stale in report, *map(Path, outputs):
            stale.unlink(missing_ok=True)
        status, output = runner.run([self.tile_run, str(path), *case.flags(f"{self.folder}/"),
                                    f"--outputs={','.join(outputs)}", f"--report={report}"])
        self.report = json.loads(report.read_text()) if report.exists() else {}
        wrong = runner.compare(case, outputs)
        if status != 0:
            wrong = f"exit status {status}\n{output.strip()}\nagainst NumPy: {wrong or 'equal'}"
        return status, output, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--tile-run", required=True, help="path of tile-run; tile-opt is beside it")
    parser.add_argument("--count", type=int, default=100, help="cases to draw")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--chip", choices=CHIPS, help="the chip of all cases, instead of one drawn for each")
    parser.add_argument("--only", type=int, metavar="N", help="draw case N alone")
    parser.add_argument("--keep", default="property-failures", metavar="DIR", help="where failing cases go")
    options = parser.parse_args()
    tile_run = shutil.which(options.tile_run)
    if not tile_run:
        parser.error("--tile-run PATH of an executable is needed")

    texts, mismatches = [], 0
    with tempfile.TemporaryDirectory() as folder:
        cases = Runner(tile_run, folder)
        for number in range(options.count) if options.only is None else [options.only]:
            generator = Generator(options.seed, number, options.chip)
            case = generator.case()
            texts.append(case.text)
            if wrong := cases.check(generator, case):
                mismatches += 1
                print(f"\nMISMATCH: case {number} of seed {options.seed}: {case.specs}\n{wrong}\n\n{case.text}\n"
                      f"run it:   {runner.keep(case, options.keep)}\n", flush=True)
            for file in Path(folder).iterdir():
                file.unlink()
            if len(texts) % 100 == 0:
                print(f"{len(texts)}/{options.count} kernels, {mismatches} mismatches", flush=True)
    fused = fusion.count_fused(texts, str(Path(tile_run).with_name("tile-opt")))
    seen = cases.seen
    print(f"property: {len(texts)} kernels, {fused} fused, {seen['with mma']} with mma, "
          f"{seen['with wgmma']} of them with wgmma, {seen['persistent']} persistent, {seen['split']} split, "
          f"{seen['dynamic']} dynamic, "
          f"{seen['refused']} options refused, {mismatches} mismatches, seed {options.seed}")
    return int(mismatches > 0 or seen["refused"] > len(texts))


if __name__ == "__main__":
    sys.exit(main())
