#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Property test of schedules: random programs with random schedules, three answers each.

    schedule_property.py --tile-run build/bin/tile-run --count 250 --seed 1

Programs are those of einsum_property.py and fusion_property.py, contractions alone and among pointwise ops, with
static shapes. In three of four each contraction that can have a schedule gets a random one: any order of loops, exact
divisions of letters, letters that are gone through as one, up to two dimensions of the kernel that are not summed,
any of the sum in it, and any lanes, register tile, unrolling, prefetching, packing and threads. The others, and what
cannot have a schedule, go through the optimizer's passes with random options. Half of all are compiled for another
machine's vectors. tile-run compiles them by convert-einsum-to-vector and compares with its interpreter; the results are
compared here with NumPy.

A failing case is kept as a .mlir file that names its command line, with its inputs beside it. `--seed S --only N`
draws case N alone. `--self-test` has tile-opt read valid schedules, compares the kinds and strides that it prints of
them with those computed here, and has it refuse each after one random change that makes it wrong. Exit status: 0 if all agree, else 1.
"""

import argparse
import dataclasses
import itertools
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True  # leave no files in the source folder
import einsum_programs as model  # noqa: E402
import einsum_property as runner  # noqa: E402
import fusion_property as fusion  # noqa: E402
import random_schedules as schedules  # noqa: E402

MACHINE = ('einsum.machine = #einsum.machine<cpu = "any", vector_bits = {bits}, registers = {registers}, fma = {fma}, '
           "latency = 4, l1 = {l1}, l2 = 1048576, l3 = {l3}, cores = 2, bf16 = {bf16}, amx = {amx}>")
model.Generator.TF32 = 0  # schedules are of full precision
# A function on f32 may err by five units of the last place, which counts where sums are formed in f64.
fusion.ROUNDING = fusion.ROUNDING | {"f32": 1e-6}
# Products of pairs of bf16 need a CPU that has them.
HAS_PAIRS = "avx512_bf16" in Path("/proc/cpuinfo").read_text()
# So do products of registers of matrices.
HAS_MATRIX = "amx_bf16" in Path("/proc/cpuinfo").read_text()
FUSE = "einsum-fuse{max-contractions=1}"
REST = "einsum-to-cpu-pipeline{schedule=0}"


class EinsumGenerator(model.Generator):
    """Static shapes, as schedules need them."""

    def attempt(self):
        case = super().attempt()
        if "?" in case.text:
            raise model.Redraw
        return case


@dataclass
class Case(model.Case):
    """A program that runs through `pipeline`; `schedules` are those that were drawn for it."""
    pipeline: str = None
    schedules: list = None

    def flags(self, folder, block=None):
        return [*super().flags(folder), f"--pipeline={self.pipeline}"]

    def write(self, folder, block=None):
        path = super().write(folder)
        path.write_text(path.read_text().replace("einsum_property.py", "schedule_property.py"))
        return path


def draw_machine(chosen, has_matrix):
    return MACHINE.format(bits=512 if has_matrix else chosen.choice([128, 256, 512]),
                          amx="true" if has_matrix else "false", registers=chosen.choice([8, 16, 32]),
                          fma=chosen.choice([1, 2]), l1=chosen.choice([1024, 32768]),
                          # Of a small one, results are written past it.
                          l3=chosen.choice([64, 16777216]),
                          bf16=chosen.choice(["false", "true"]) if HAS_PAIRS else "false")


def draw_passes(chosen):
    """The optimizer's passes, each with random options, some of them left out."""
    def option(name, values):
        return f"{name}={chosen.choice(values)}"

    threads = option("threads", [1, 2, 3])
    passes = ["canonicalize,cse,einsum-contract-pairwise", f"einsum-pad-operands{{{option('max-growth', [1, 4, 16, 1000])}}}"]
    if chosen.random() < 0.5:
        passes.append("einsum-fold-unit-dims")
    if chosen.random() < 0.5:
        passes.append(f"einsum-hoist-invariants{{{option('min-reuse', [2, 4])}}}")
    passes.append(f"canonicalize,cse,{FUSE}")
    if chosen.random() < 0.7:
        passes.append(f"einsum-fuse-dims{{{option('min-kernel-size', [0, 4, 64])}}}")
    if chosen.random() < 0.5:
        low = chosen.choice([1, 2, 4])
        passes.append(f"einsum-split-dims{{min-kernel-size={low} max-kernel-size={low * chosen.choice([1, 2, 8])}}}")
    if chosen.random() < 0.8:
        passes.append(f"einsum-identify-primitives{{{option('max-sums', [0, 1, 2])}}}")
    if chosen.random() < 0.7:
        passes.append(f"einsum-choose-schedule{{{threads}}}")
    if chosen.random() < 0.5:
        passes.append(f"einsum-parallelize{{{threads} {option('min-work', [1, 1000])}}}")
    return ",".join(passes)


def draw_case(seed, number):
    chosen = random.Random(f"schedule/{seed}/{number}")
    generator = fusion.Generator if number % 2 else EinsumGenerator
    drawn = generator(seed, number).case()
    text, added = drawn.text, []
    if chosen.random() < 0.75:
        text, added = schedules.add_schedules(
            chosen, text, lambda *args: schedules.draw_schedule(*args, has_matrix=HAS_MATRIX))
    has_matrix = any("matrix" in schedule.options for schedule in added)
    passes = FUSE if added else draw_passes(chosen)
    if chosen.random() < 0.5 or has_matrix:
        has_matrix = has_matrix or HAS_MATRIX and chosen.random() < 0.5
        text = f"module attributes {{{draw_machine(chosen, has_matrix)}}} {{\n{text}}}\n"
    values = {f.name: getattr(drawn, f.name) for f in dataclasses.fields(model.Case)}
    return Case(**values | {"text": text}, schedules=added,
                pipeline=f"{passes},convert-einsum-to-vector{{deallocate=0}},{REST}")


def count_lowered(cases, tile_opt):
    """How many contractions became kernels on vectors: all are one file."""
    left = 0
    drawn = sum(len(case.schedules) for case in cases)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.mlir"
        path.write_text("// -----\n".join(case.text for case in cases if case.schedules))
        status, output = runner.run([tile_opt, str(path), "--split-input-file",
                                    f"--pass-pipeline=builtin.module({FUSE},convert-einsum-to-vector)"])
        if status != 0:
            print(f"tile-opt: exit status {status}\n{output[-2000:]}")
        left = output.count("#einsum.schedule<") if status == 0 else drawn
    return drawn, drawn - left


# --------------------------------------------------------------------------
# Schedules that are wrong
# --------------------------------------------------------------------------


def break_schedule(chosen, schedule, contraction):
    """Changes one thing of a valid schedule so that it is wrong; returns what, or None if it cannot."""
    dims, options = schedule.dims, schedule.options
    kinds = [d.exec for d in dims]
    d = chosen.choice(dims) if dims else None

    def replace(**changes):
        dims[dims.index(d)] = dataclasses.replace(d, **changes)

    what = chosen.choice(["size", "step", "mixed", "missing", "twice", "letter", "order", "parallel sum", "three",
                          "no sum", "lanes", "tile", "unroll", "prefetch", "pack", "matrix"])
    match what:
        case _ if d is None and what not in ("lanes", "tile", "pack", "matrix"):
            return None
        case "size":
            replace(size=chosen.choice([d.size + 1, d.size * 2, 0, -1]))
        case "step":
            replace(step=chosen.choice([d.step + 1, d.step * 2, 0, -1]))
        case "mixed":
            # Letters of two kinds that are gone through as one.
            others = [e for e in dims if e.kind != d.kind and e.exec == "seq"]
            whole = {e.letters for e in dims if sum(f.letters == e.letters for f in dims) == 1}
            others = [e for e in others if e.letters in whole]
            if not others or d.letters not in whole or d.exec == "prim":
                return None
            e = chosen.choice(others)
            replace(letters=d.letters + e.letters, size=d.size * e.size)
            dims.remove(e)
        case "missing":
            if d.size == 1 and sum(e.letters == d.letters for e in dims) > 1:
                return None
            dims.remove(d)
        case "twice":
            if d.size == 1:
                return None
            dims.insert(dims.index(d), dataclasses.replace(d))
        case "letter":
            replace(letters=d.letters + "Z")
        case "order":
            if len(set(kinds)) < 2:
                return None
            i = next(i for i in range(len(kinds)) if kinds[i] != kinds[0])
            dims[i - 1], dims[i] = dims[i], dims[i - 1]
        case "parallel sum":
            sums = [e for e in dims if e.kind == "k" and e.exec == "seq"]
            if not sums:
                return None
            d = chosen.choice(sums)
            dims.remove(d)
            dims.insert(0, dataclasses.replace(d, exec="parallel"))
        case "three":
            kept = [i for i, e in enumerate(dims) if e.kind != "k"]
            if len(kept) < 3:
                return None
            for i in kept[-3:]:
                dims[i] = dataclasses.replace(dims[i], exec="prim")
            dims.sort(key=lambda e: ["parallel", "seq", "prim"].index(e.exec))
        case "no sum":
            # A kernel around which all is summed.
            if not any(e.kind == "k" for e in dims) or not any(e.kind != "k" and e.exec == "prim" for e in dims):
                return None
            dims[:] = [dataclasses.replace(e, exec="seq") if e.kind == "k" and e.exec == "prim" else e for e in dims]
            dims.sort(key=lambda e: ["parallel", "seq", "prim"].index(e.exec))
        case "lanes":
            options["lanes"] = chosen.choice([-2, len(dims), *(i for i, k in enumerate(kinds) if k != "prim")])
        case "tile":
            options["tile"] = chosen.choice([[0, 1], [4, -1], [4], [1, 2, 3]])
        case "unroll":
            options["unroll"] = -1
        case "prefetch":
            options["prefetch"] = chosen.choice([-1, 1025])
        case "pack":
            options["pack"] = [chosen.choice([2, -1])]
        case "matrix":
            # Of other elements, or of a tile that is too large.
            if contraction.is_matrix and options.get("matrix") != "true":
                return None
            if contraction.is_matrix:
                options["tile"] = chosen.choice([[48, 2], [17, 3], [32, 3], [64, 1], [128, 1]])
            options["matrix"] = "true"
    return what


def self_test(options, tile_opt):
    """Valid schedules are read, and each is refused after a change."""
    failures = 0
    for wrong in (False, True):
        texts, changes, printed = [], [], []
        for number in options.numbers:
            chosen = random.Random(f"broken/{options.seed}/{number}")

            def draw(chosen, contraction):
                schedule = schedules.draw_schedule(chosen, contraction)
                # One that is wrong is enough.
                change = None
                while wrong and not changed and not change:
                    change = break_schedule(chosen, schedule, contraction)
                changed.extend([change] if change else [])
                return schedule

            changed = []
            text, added = schedules.add_schedules(chosen, EinsumGenerator(options.seed, number).case().text, draw)
            if added:
                texts.append(text.replace("@main", f"@case{number}"))
                printed += ["dims = [" + ", ".join(d.describe() for d in s.dims) + "]" for s in added]
                changes.append((number, "".join(changed)))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cases.mlir"
            path.write_text("// -----\n".join(texts))
            done = subprocess.run([tile_opt, str(path), "--split-input-file",
                                   *([] if wrong else ["--einsum-print-schedules"])],
                                  capture_output=True, text=True, check=False)
        for (number, change), text in zip(changes, texts):
            is_read = f"func.func @case{number}(" in done.stdout
            if is_read == wrong:
                failures += 1
                print(f"case {number}: {'accepted a wrong ' + change if wrong else 'refused'}:\n{text}")
        if not wrong:
            found = re.findall(r"remark: .*?(dims = \[.*\])$", done.stderr, re.MULTILINE)
            differ = [pair for pair in itertools.zip_longest(printed, found) if pair[0] != pair[1]]
            failures += len(differ)
            for pair in differ[:10]:
                print("expected {}\nfound    {}".format(*pair))
        if not wrong and done.returncode != 0:
            print("\n".join(line for line in done.stderr.splitlines() if "error:" in line))
        if wrong:
            print(f"{len(texts)} wrong schedules: " + ", ".join(
                f"{change} {sum(c == change for _, c in changes)}" for change in sorted({c for _, c in changes})))
        else:
            print(f"{len(texts)} programs with valid schedules, {len(printed)} printed")
    print(f"self-test: {failures} failures, seed {options.seed}")
    return int(failures > 0)


# --------------------------------------------------------------------------
# Command line
# --------------------------------------------------------------------------


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--tile-run", required=True, help="path of tile-run; tile-opt is beside it")
    parser.add_argument("--count", type=int, default=250, help="cases to draw")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, metavar="N", help="draw case N alone")
    parser.add_argument("--jobs", type=int, default=2, help="cases in flight")
    parser.add_argument("--keep", default="property-failures", metavar="DIR", help="where failing cases go")
    parser.add_argument("--time-limit", type=float, metavar="S", help="start no case after so many seconds")
    parser.add_argument("--self-test", action="store_true", help="schedules that are wrong are refused")
    options = parser.parse_args()
    options.numbers = range(options.count) if options.only is None else [options.only]
    tile_run = shutil.which(options.tile_run)
    if not tile_run:
        parser.error("--tile-run PATH of an executable is needed")
    tile_opt = str(Path(tile_run).with_name("tile-opt"))
    if options.self_test:
        return self_test(options, tile_opt)

    start = last = time.monotonic()

    def work(number):
        if options.time_limit and time.monotonic() - start > options.time_limit:
            return None
        case = draw_case(options.seed, number)
        return case, runner.check(case, tile_run)

    cases, mismatches = [], 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for found in pool.map(work, options.numbers):
            if not found:
                continue
            case, wrong = found
            cases.append(case)
            if wrong:
                mismatches += 1
                print(f"\nMISMATCH: case {case.number} of seed {case.seed}: {case.specs}\n{wrong}\n\n"
                      f"{case.text}\nrun it:   {runner.keep(case, options.keep)}\n", flush=True)
            if time.monotonic() - last > 10:
                last = time.monotonic()
                print(f"{len(cases)}/{len(options.numbers)} programs, {mismatches} mismatches, "
                      f"{len(cases) / (last - start):.1f} a second", flush=True)
    drawn, lowered = count_lowered(cases, tile_opt)
    print(f"property: {len(cases)} programs, {drawn} schedules, {lowered} on vectors, {mismatches} mismatches, "
          f"seed {options.seed}")
    return int(mismatches > 0)


if __name__ == "__main__":
    sys.exit(main())
