"""Checks the matrix products that einsum-to-nvvm-pipeline makes with the atoms of chips after Volta.

    atoms.py CHECK --tile-run PATH [--chip sm_80]

    correct   all types that the chip's atoms take, all layouts of A and B, whole and partial blocks, against the
              interpreter: on tensor cores, as many instructions as the atom needs, and no finding
    counters  whole blocks: no bank conflicts, no sector of global memory moved in vain, and fragments of operands read by
              whole matrices where their elements allow it; on chips with stmatrix results of 16 bits stored by it
    step      a step over K of a block of 128x128x32 in bf16, by 4 warps: 64 mma, 16 ldmatrix, 8 cp.async and a
              barrier a warp, and 384 wavefronts of shared memory; with two stages at most 114 instructions in all, with
              three 116; with sizes known only at run time at most 130 and 132
    epilogue  the whole kernel of a block of 128x128 in f16, summed in f32, by 8 warps: what sm_90 saves over sm_89, which
              differs by stmatrix alone, for results in rows and in columns

Programs are text that Product.text() writes.
"""
import argparse
import itertools
import json
import pathlib
import sys
import tempfile
from dataclasses import dataclass

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Integration"))
import batch  # noqa: E402

LAYOUTS = ("mk, kn -> mn", "km, kn -> mn", "mk, nk -> mn", "km, nk -> mn")
# Types of the operands and of the result, with M, N and K of the instruction.
SINCE_75 = {("f16", "f32"): (16, 8, 8), ("f16", "f16"): (16, 8, 8), ("i8", "i32"): (8, 8, 16)}
SINCE_80 = {("f16", "f32"): (16, 8, 16), ("f16", "f16"): (16, 8, 16), ("bf16", "f32"): (16, 8, 16),
            ("tf32", "f32"): (16, 8, 8), ("i8", "i32"): (16, 8, 32), ("f64", "f64"): (8, 8, 4)}
SINCE_89 = SINCE_80 | {("f8E4M3FN", "f32"): (16, 8, 32), ("f8E5M2", "f32"): (16, 8, 32)}
INSTRUCTIONS = {"sm_75": SINCE_75, "sm_80": SINCE_80, "sm_86": SINCE_80, "sm_89": SINCE_89, "sm_90": SINCE_89}
TYPES = {"i8": np.int8, "f16": np.float16, "f64": np.float64}


@dataclass(frozen=True)
class Product:
    """A matrix product, and how it is compiled."""
    size: tuple
    chip: str
    operand: str = "f16"
    result: str = "f32"
    spec: str = LAYOUTS[0]
    block: tuple = (64, 64, 32)
    warp: tuple = (32, 32)
    stages: int = 2
    dynamic: bool = False
    acc: str = ""  # the type of the sum, if not the result's

    def __str__(self):
        return f"{'dynamic ' if self.dynamic else ''}{self.size} \"{self.spec}\" {self.operand} -> {self.acc} {self.result} {self.pipeline}"

    @property
    def pipeline(self):
        block, warp = ("x".join(map(str, sizes)) for sizes in (self.block, self.warp))
        acc = f"block={block} warp={warp} stages={self.stages}"
        return f"einsum-to-nvvm-pipeline{{chip={self.chip} config={{{acc}}}}}"

    @property
    def mma(self):
        """Instructions of whole blocks; those of small K are cut."""
        work = 1
        for size, tile, instruction in zip(self.size, self.block, INSTRUCTIONS[self.chip][self.operand, self.acc or self.result]):
            work *= -(-size // tile) * tile // instruction
        return work

    def shape(self, indices):
        return [self.size["mnk".index(index)] for index in indices]

    def text(self):
        def tensor(indices, element):
            shape = "??" if self.dynamic else self.shape(indices)
            return f"tensor<{'x'.join(map(str, shape))}x{element}>"
        operand = "f32" if self.operand == "tf32" else self.operand
        a, b, c = (tensor(*x) for x in ((self.spec[:2], operand), (self.spec[4:6], operand), (self.spec[-2:], self.result)))
        attributes = f" {{acc = {self.acc or self.result}}}" if "16" in self.result else ""
        if self.operand == "tf32":
            attributes = ' {precision = "tf32"}'
        return (f"func.func @main(%a: {a}, %b: {b}) -> {c} {{\n"
                f'  %0 = einsum.contract "{self.spec}" (%a, %b){attributes} : ({a}, {b}) -> {c}\n'
                f"  return %0 : {c}\n}}\n")


class Checks:
    """Runs programs and notes what is wrong; all files are in one temporary folder."""

    def __init__(self, tile_run, folder):
        self.tile_run, self.folder = tile_run, pathlib.Path(folder)
        self.failures, self.count = 0, 0

    def expect(self, case, what, got, expected):
        self.count += 1
        if got != expected:
            self.failures += 1
            print(f"FAIL: {case}\n{what}: expected {expected}, found {got}\n{case.text()}")

    def get_inputs(self, case):
        """Options for small integers, whose sums are exact in all types. NumPy lacks bf16 and f8, and of tf32 the rounding
        is to be tested."""
        if case.dynamic:
            shapes = ("x".join(map(str, case.shape(indices))) for indices in (case.spec[:2], case.spec[4:6]))
            return ["--inputs=" + ",".join(f"random:{shape}x{case.operand}" for shape in shapes)]
        if case.operand not in TYPES:
            return ["--random=7"]
        rng = np.random.default_rng(sum(case.size))
        names = [str(self.folder / f"{i}.npy") for i in range(2)]
        for name, indices in zip(names, (case.spec[:2], case.spec[4:6])):
            np.save(name, rng.integers(-2, 2, case.shape(indices), endpoint=True).astype(TYPES[case.operand]))
        return ["--inputs=" + ",".join(names), "--tolerance=0"]

    def run(self, case, *compiled):
        """The launch's counters; None if it fails. How it is `compiled`, as options; by default in turn."""
        program, report = self.folder / "program.mlir", self.folder / "report.json"
        program.write_text(case.text())
        report.unlink(missing_ok=True)
        status, text = batch.run([self.tile_run, program, "--backend=sim", f"--chip={case.chip}",
                                  f"--pipeline={case.pipeline}", "--check=interp", f"--report={report}",
                                  *(compiled or batch.compile_flags(self.count)), *self.get_inputs(case)])
        self.expect(case, "exit status", (status, text if status else ""), (0, ""))
        if status or not report.exists():
            return None
        contents = json.loads(report.read_text())
        self.expect(case, "findings", contents.get("findings") or [], [])
        launch, = contents["launches"]
        return launch


def list_types(chip):
    """Types of the operands, of the result, and of the sum."""
    for operand, result in INSTRUCTIONS[chip]:
        yield operand, result, result
        if "16" in operand and result == "f32":
            yield operand, operand, result


def check_correct(checks, chip):
    for (operand, result, acc), spec in itertools.product(list_types(chip), LAYOUTS):
        for size in (128, 64, 64), (70, 50, 40):
            case = Product(size, chip, operand, result, spec, acc=acc)
            if launch := checks.run(case):
                checks.expect(case, "mma", launch["mma"], case.mma)


def check_counters(checks, chip):
    for (operand, result, acc), spec in itertools.product(list_types(chip), LAYOUTS):
        case = Product((128, 128, 128), chip, operand, result, spec, acc=acc)
        launch = checks.run(case)
        if not launch:
            continue
        shared, read = launch["shared"], launch["global"]
        checks.expect(case, "bank conflicts", shared["conflicts"], 0)
        checks.expect(case, "wavefronts", shared["wavefronts"], shared["idealWavefronts"])
        checks.expect(case, "sectors", read["sectors"], read["idealSectors"])
        # Rows of matrices run along K, or with elements of 16 bits across it.
        matrices = [operand != "f64" and ("16" in operand or indices == along)
                    for indices, along in ((case.spec[:2], "mk"), (case.spec[4:6], "nk"))]
        for is_store in (False, True):
            widths = {access["width"] for access in launch["accesses"]
                      if access["space"] == "shared" and access["store"] == is_store}
            # Without stmatrix, results are stored or read by words.
            if all(matrices) and ("16" not in result or chip == "sm_90"):
                checks.expect(case, f"bytes of a lane's {'stores' if is_store else 'reads'}", widths, {16})


def check_step(checks, chip):
    for stages, most, most_dynamic in (2, 114, 130), (3, 116, 132):
        check_one_step(checks, chip, stages, dynamic=False, most=most)
        check_one_step(checks, chip, stages, dynamic=True, most=most_dynamic)


def check_one_step(checks, chip, stages, dynamic, most):
    # Powers of two, whose addresses outside the loop take as many instructions.
    depths, block, warps = (256, 512), (128, 128, 32), 4
    steps = (depths[1] - depths[0]) // block[2]
    cases = [Product((128, 128, k), chip, "bf16", "f32", LAYOUTS[0], block, (64, 64), stages, dynamic) for k in depths]
    launches = [checks.run(case, "--opt-level=3") for case in cases]
    if not all(launches):
        return

    def step(group, name):
        before, after = (launch[group][name] for launch in launches)
        return (after - before) / steps
    checks.expect(cases[1], "mma", step("warpInstructions", "mma"), 64 * warps)
    checks.expect(cases[1], "barriers", step("warpInstructions", "barrier"), warps)
    checks.expect(cases[1], "wavefronts", step("shared", "wavefronts"), 384)
    checks.expect(cases[1], "ideal wavefronts", step("shared", "idealWavefronts"), 384)
    trips, reads = (launches[1][name] - launches[0][name] for name in ("roundTrips", "deviceBytes"))
    # Of copies that begin two steps ahead, those of every other step wait for device memory.
    checks.expect(cases[1], "round trips", trips / steps, 1 if stages == 2 else 0.5)
    checks.expect(cases[1], "bytes of device memory", reads / steps, 2 * (128 + 128) * 32)
    total = sum(step("warpInstructions", name) for name in launches[0]["warpInstructions"])
    checks.expect(cases[1], "ldmatrix and stores to shared memory", step("warpInstructions", "shared"), 16 * warps)
    checks.expect(cases[1], "cp.async, commit and wait", step("warpInstructions", "async-copy"), (8 + 1 + 1) * warps)
    checks.expect(cases[1], f"more than {most} instructions", max(total / warps, most), most)


def check_epilogue(checks, _):
    # A warp's part is written and read by 8 accesses each; without stmatrix, 24 more if columns are in one piece.
    for indices, least, accesses in ("mn", 90, 0), ("nm", 340, 192):
        old, new = (Product((128, 128, 128), chip, "f16", "f16", f"mk, kn -> {indices}", (128, 128, 32), (64, 32), 3,
                            acc="f32") for chip in ("sm_89", "sm_90"))
        launches = [checks.run(case, "--opt-level=3") for case in (old, new)]
        if not all(launches):
            continue
        before, after = (launch["warpInstructions"] for launch in launches)
        saved = sum(before.values()) - sum(after.values())
        checks.expect(new, f"fewer than {least} instructions saved", min(saved, least), least)
        checks.expect(new, "accesses of shared memory saved", before["shared"] - after["shared"], accesses)
        checks.expect(new, "wavefronts", launches[1]["shared"]["wavefronts"], launches[0]["shared"]["wavefronts"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    checks_by_name = {"correct": check_correct, "counters": check_counters, "step": check_step,
                      "epilogue": check_epilogue}
    parser.add_argument("check", choices=checks_by_name)
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--chip", default="sm_80", choices=INSTRUCTIONS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checks = Checks(options.tile_run, folder)
        checks_by_name[options.check](checks, options.chip)
    print(f"{checks.count} checks, {checks.failures} failed")
    return 1 if checks.failures or not checks.count else 0


if __name__ == "__main__":
    sys.exit(main())
