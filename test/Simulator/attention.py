"""Checks examples/tile/flash_attention.mlir on the tensor cores of a chip, in f16 and bf16, for heads of 64 and 128.

    attention.py correct --tile-run PATH [--chip sm_80 --count 10 --seed 1]
    attention.py step --tile-run PATH [--chip sm_80]
    attention.py faults --tile-run PATH [--chip sm_80]
    attention.py ptxas --tile-translate PATH --ptxas PATH

    correct  random lengths, heads, groups of heads, causal or not, against NumPy in f64; no mma for keys that no query
             of a program sees, no bank conflict, no sector of global memory moved in vain
    step     one more step over the keys, by warp: as many mma, reads of matrices and copies as its sizes ask for;
             shuffles in the two reductions of rows alone, shared memory for keys and values alone; on sm_90a, where
             wgmma reads these, none of it
    faults   faults of the program that the comparison with NumPy has to find
    ptxas    no spills, registers

The example is that for heads of 64 in f16; others have other types, as it says.
"""
import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "Integration"))
import batch  # noqa: E402
from numpy_einsum import convert, difference, load, save  # noqa: E402

EXAMPLE = FOLDER.parents[1] / "examples/tile/flash_attention.mlir"
TILE_T, TILE_S = 128, 64  # queries of a program, and keys of a step
TOLERANCE = {"f16": 2e-3, "bf16": 1.6e-2}
WARPS = {64: 4, 128: 8}  # that tile-assign-layouts chooses
REGISTERS = 224  # of a thread, at most
GROUP_WARPS = TILE_T // 16  # that multiply by wgmma


def get_program(depth, element):
    """The text of the example for other heads."""
    types = {"heads": f"memref<?x?x?x{depth}x{element}>", "queries": f"tensor<{TILE_T}x{depth}x{element}>",
             "keys": f"tensor<{TILE_S}x{depth}x{element}>", "keys_t": f"tensor<{depth}x{TILE_S}x{element}>",
             "result": f"tensor<{TILE_T}x{depth}xf32>", "weights": f"tensor<{TILE_T}x{TILE_S}x{element}>"}
    text = EXAMPLE.read_text()
    for name, alias in types.items():
        text, count = re.subn(f"^!{name} = .*", f"!{name} = {alias}", text, flags=re.M)
        assert count == 1, name
    return text.replace("0.18033688", f"{math.log2(math.e) / math.sqrt(depth):.9f}").replace(", 64>}", f", {depth}>}}")


@dataclass
class Case:
    depth: int
    element: str
    causal: bool
    sequences: int
    heads: int  # of keys and values
    group: int  # heads of queries for each of these
    t: int
    s: int

    @staticmethod
    def draw(rng):
        def length():  # as often as not about a multiple of a tile
            return int(rng.integers(1, 300) if rng.integers(2) else max(1, 64 * rng.integers(5) + rng.integers(-1, 2)))
        return Case(int(rng.choice([64, 128])), str(rng.choice(["f16", "bf16"])), bool(rng.integers(2)),
                    *(int(rng.integers(1, 1 + most)) for most in (2, 2, 3)), length(), length())

    def draw_inputs(self, rng):
        shapes = [(self.sequences, heads, length, self.depth) for heads, length in
                  ((self.heads * self.group, self.t), (self.heads, self.s), (self.heads, self.s))]
        inputs = [convert(rng.normal(0, scale, shape), self.element) for shape, scale in zip(shapes, (2, 1, 1))]
        # What is there before must not matter.
        return inputs + [convert(np.full(shapes[0], math.nan), self.element)]

    def compute(self, q, k, v):
        """In f64; rows that see no key are 0."""
        q, k, v = (x.astype(np.float64) for x in (q, k, v))
        k, v = (np.repeat(x, self.group, axis=1) for x in (k, v))
        scores = q @ k.swapaxes(2, 3) / math.sqrt(self.depth)
        if self.causal:
            scores[..., ~np.tri(self.t, self.s, self.s - self.t, dtype=bool)] = -math.inf
        powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e30))
        return powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300) @ v

    @property
    def mma_of_step(self):
        """Of both products: m16n8k16."""
        return 2 * TILE_T * TILE_S * self.depth // (16 * 8 * 16)

    @property
    def wgmma_of_step(self):
        """By warps, of both products: 64 rows, and a k of 16."""
        return GROUP_WARPS * (self.depth + TILE_S) // 16

    @property
    def steps(self):
        """Of all programs: those that have keys which some query sees."""
        steps = 0
        for first in range(0, self.t, TILE_T):
            end = min(self.s, first + TILE_T + self.s - self.t) if self.causal else self.s
            steps += -(-max(0, end) // TILE_S)
        return steps * self.sequences * self.heads * self.group


class Checks:
    """Runs cases and notes what is wrong; all files are in one temporary folder."""

    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)
        self.failures, self.count, self.worst = 0, 0, {element: 0.0 for element in TOLERANCE}

    @property
    def has_wgmma(self):
        return self.options.chip == "sm_90a"

    def expect(self, case, what, holds, found=""):
        self.count += 1
        if not holds:
            self.failures += 1
            print(f"FAIL: {case}: {what}: {found}")

    def measure(self, case, rng, *compiled, fault=("", "")):
        """The launch's counters, the error of its result and where it is; None if it fails. `fault` is a text and what
        replaces it."""
        inputs = case.draw_inputs(rng)
        names = [str(self.folder / f"{i}.npy") for i in range(len(inputs))]
        for name, values in zip(names, inputs):
            save(name, values, case.element)
        program, report, got = (self.folder / name for name in ("program.mlir", "report.json", "got.npy"))
        right = get_program(case.depth, case.element)
        assert fault[0] in right, fault
        program.write_text(right.replace(*fault, 1))
        got.unlink(missing_ok=True)
        # Only the last argument changes, and may be written over.
        status, text = batch.run([self.options.tile_run, program, "--backend=sim", f"--chip={self.options.chip}",
                                  *compiled, f"--entry={'causal' if case.causal else 'main'}", f"--inputs={','.join(names)}",
                                  f"--outputs={','.join(names[:-1] + [str(got)])}", f"--report={report}"])
        self.expect(case, "runs", status == 0, text)
        if status:
            return None
        error, where = difference(load(got, case.element), case.compute(*inputs[:3]))
        launch, = json.loads(report.read_text())["launches"]
        return launch, error, where

    def run(self, case, rng, *compiled):
        """The launch's counters, if it runs."""
        measured = self.measure(case, rng, *compiled)
        if not measured:
            return None
        launch, error, where = measured
        self.worst[case.element] = max(self.worst[case.element], error)
        self.expect(case, "right", error <= TOLERANCE[case.element], f"error {error:.1e} {where}")
        return launch


# Whole blocks up to the diagonal; rows that see no key.
CASES = [Case(64, "f16", True, 1, 1, 2, 256, 256), Case(128, "bf16", True, 1, 1, 1, 200, 70)]


def check_correct(checks):
    rng = np.random.default_rng(checks.options.seed)
    for number, case in enumerate(CASES + [Case.draw(rng) for _ in range(checks.options.count)]):
        if launch := checks.run(case, rng, *batch.compile_flags(number)):
            kind, of_step = ("wgmma", case.wgmma_of_step) if checks.has_wgmma else ("mma", case.mma_of_step)
            expected = case.steps * of_step
            checks.expect(case, kind, launch[kind] == expected, f"{launch[kind]}, expected {expected}")
            checks.expect(case, "bank conflicts", launch["shared"]["conflicts"] == 0, launch["shared"])
            sectors = launch["global"]
            checks.expect(case, "sectors", sectors["sectors"] == sectors["idealSectors"], sectors)
    print("largest errors:", ", ".join(f"{element} {error:.1e}" for element, error in checks.worst.items()))


def check_step(checks):
    rng = np.random.default_rng(1)
    for depth in WARPS:
        cases = [Case(depth, "f16", False, 1, 1, 1, TILE_T, steps * TILE_S) for steps in (4, 5)]
        launches = [checks.run(case, rng, "--opt-level=3") for case in cases]
        if not all(launches):
            continue
        warps, case = GROUP_WARPS if checks.has_wgmma else WARPS[depth], cases[1]

        def step(group, name):
            before, after = (launch[group][name] for launch in launches)
            return after - before
        of_warp = {name: step("warpInstructions", name) / warps for name in launches[0]["warpInstructions"]}
        rows = TILE_T // warps // 8  # of a lane
        expected = {
            "mma": case.mma_of_step / warps,
            # ldmatrix of four matrices of 8 x 8, of keys and of values, which each warp reads whole.
            "shared": 2 * TILE_S * depth / 256,
            # 16 bytes of a lane, a commit for both keys and values, and one wait.
            "async-copy": 2 * TILE_S * depth * 2 / 16 / 32 / warps + 2,
            "barrier": 1,
            # Two for each row and reduction, across four lanes.
            "shuffle": 2 * 2 * rows,
            # An exponential for each score, and one for each row.
            "special": (TILE_T * TILE_S / warps + TILE_T / warps * 4) / 32,
        }
        if checks.has_wgmma:
            # Beside these, two waits for a channel and two of its signals, by the warps of copies, too.
            expected |= {"mma": case.wgmma_of_step / warps, "shared": 0}
            del expected["barrier"], expected["async-copy"]
        found = {name: of_warp[name] for name in expected}
        checks.expect(case, "instructions of a step", found == expected, f"{found}, expected {expected}")
        checks.expect(case, "wavefronts of a step", step("shared", "wavefronts") == step("shared", "idealWavefronts"))
        print(f"heads of {depth}: a warp and step has {sum(of_warp.values()):g} instructions,",
              ", ".join(f"{count:g} {name}" for name, count in of_warp.items() if count),
              f"; a block {step('shared', 'wavefronts')} wavefronts of shared memory")

        lines = get_program(depth, "f16").splitlines()
        # On sm_90a also the number of the warp, before the loop, and what bulk copies store.
        more = ("|scf.for", "|tile.store_view") if checks.has_wgmma else ("", "")
        for kind, pattern in (("shuffle", "tile.reduce" + more[0]), ("shared", "tile.load_view|%result =" + more[1])):
            elsewhere = [line["line"] for line in launches[0]["lines"] if line["warpInstructions"][kind] and
                         not re.search(pattern, lines[line["line"] - 1])]
            checks.expect(case, f"{kind} elsewhere than in {pattern}", not elsewhere,
                          [lines[number - 1] for number in elsewhere])


# By name: a text of the program, and what replaces it.
FAULTS = {
    "one key too many": ("arith.cmpi slt, %lanes", "arith.cmpi sle, %lanes"),
    "no key of the last block": ("= arith.minsi %last_end, %length_i32", "= arith.minsi %first_end, %length_i32"),
    "no mask at the diagonal": ("%whole = arith.minsi %first_end,", "%whole = arith.minsi %last_end,"),
    "no mask at the end": ("arith.minsi %first_end, %length_i32", "arith.minsi %first_end, %first_end"),
    "heads of keys by the wrong group": ("%h_kv = arith.divui %h, %group", "%h_kv = arith.remui %h, %heads_kv"),
    "sum of another maximum": ("arith.mulf %sum_s, %factor", "arith.addf %sum_s, %sum_0"),
    "result of another maximum": ("arith.mulf %acc_s, %factors", "arith.addf %acc_s, %acc_0"),
    "maximum of this step alone": ("arith.maximumf %max_s, %largest", "arith.addf %largest, %sum_0"),
    "scale of other heads": ("%scale = arith.constant 0.1", "%scale = arith.constant 0.2"),
    "queries of another program": ("%query[%n, %h, %t, %c0]", "%query[%n, %h, %c0, %c0]"),
}


def check_faults(checks):
    cases = [Case(64, "f16", True, 1, 2, 2, 150, 200), Case(64, "f16", False, 1, 2, 2, 150, 130)]
    for name, fault in FAULTS.items():
        errors = []
        for case in cases:
            measured = checks.measure(case, np.random.default_rng(1), "--opt-level=0", fault=fault)
            errors.append(measured[1] if measured else math.nan)
        found = any(not error <= TOLERANCE["f16"] for error in errors)
        checks.expect(name, "is found", found, f"errors {errors}")


def check_ptxas(checks):
    options = checks.options
    source, ptx = checks.folder / "program.mlir", checks.folder / "program.ptx"
    for depth in WARPS:
        for element in TOLERANCE:
            source.write_text(get_program(depth, element))
            for chip in "sm_80", "sm_90", "sm_90a":
                with ptx.open("w") as file:
                    subprocess.run([options.tile_translate, source, "--tile-to-ptx", f"--chip={chip}"], stdout=file,
                                   check=True)
                done = subprocess.run([options.ptxas, "-v", f"--gpu-name={chip}", ptx, "-o", "/dev/null"],
                                      capture_output=True, text=True, check=False)
                said = done.stdout + done.stderr
                case = f"heads of {depth} in {element} on {chip}"
                used = max(map(int, re.findall(r"Used (\d+) registers", said)), default=0)
                spills = [int(n) for n in re.findall(r"(\d+) bytes spill", said)]
                print(f"{case}: {used} registers, {sum(spills)} bytes spilled")
                checks.expect(case, "assembles without warning",
                              done.returncode == 0 and "warning" not in said and "(C75" not in said, said)
                checks.expect(case, "no spills", spills and not any(spills), said)
                checks.expect(case, f"at most {REGISTERS} registers", used <= REGISTERS, said)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    checks_by_name = {"correct": check_correct, "step": check_step, "faults": check_faults, "ptxas": check_ptxas}
    parser.add_argument("check", choices=checks_by_name)
    parser.add_argument("--tile-run")
    parser.add_argument("--tile-translate")
    parser.add_argument("--ptxas")
    parser.add_argument("--chip", choices=("sm_80", "sm_90a"), default="sm_80")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checks = Checks(options, folder)
        checks_by_name[options.check](checks)
    print(f"{checks.count} checks, {checks.failures} failed")
    return 1 if checks.failures or not checks.count else 0


if __name__ == "__main__":
    sys.exit(main())
