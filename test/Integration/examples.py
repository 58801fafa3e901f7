"""Runs every example in each way, and checks it against the interpreter; all but the largest also against NumPy.

    examples.py --tile-run PATH --tile-opt PATH [--part I/N] EXAMPLES_FOLDER

The ways are those of WAYS: compiled for the CPU, by schedules or as tile kernels, and kernels on the simulated GPU, in
blocks of the default sizes or, for a later chip, of others. Tile kernels run in the interpreter, too.

Prints a line per check, and exits with 1 if one fails or if there is no example.
"""
import argparse
import math
import pathlib
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
import batch  # noqa: E402
import numpy_einsum as oracle  # noqa: E402

SEED = 3
TILES = "einsum-to-tile-pipeline{config={block=32x16x20}}"
WAYS = {
    "cpu": ["--backend=cpu"],
    "cpu, tiles": ["--backend=cpu", f"--pipeline={TILES},tile-to-cpu-pipeline"],
    "sim": ["--backend=sim"],
    "sm_80, 64x64x16": ["--backend=sim", "--chip=sm_80",
                        "--pipeline=einsum-to-nvvm-pipeline{chip=sm_80 config={block=64x64x16}}"],
}


class Example:
    """An example, its arguments and what NumPy computes."""

    def __init__(self, number, file, options, folder):
        self.number, self.file, self.options, self.folder = number, file, options, folder
        self.program = oracle.Program.parse(file.read_text())
        rng = np.random.default_rng(SEED)
        self.inputs = {a.name: oracle.draw(a, rng) for a in self.program.arguments}
        self.names = [f"{folder}/{a.name}.npy" for a in self.program.arguments]
        for name, a in zip(self.names, self.program.arguments):
            oracle.save(name, self.inputs[a.name], a.type.element)
        # The seven convolution tasks hold 4e9 multiplications: too many for NumPy.
        self.values = None if file.stem.startswith("conv_task") else self.program.run(list(self.inputs.values()))
        self.failures = 0

    def run(self, way, flags, file=None):
        """The results of a run, or None if it fails."""
        outputs = [f"{self.folder}/result{i}.npy" for i in range(len(self.program.results))]
        status, text = batch.run([self.options.tile_run, file or self.file, *flags, f"--inputs={','.join(self.names)}",
                                  f"--outputs={','.join(outputs)}"])
        if status != 0:
            return self.tell(way, f"exit status {status}\n{text}")
        return [oracle.load(o, t.element) for o, t in zip(outputs, self.program.types)]

    def tell(self, what, wrong):
        self.failures += bool(wrong)
        print(f"{self.file.stem}: {what}: {'FAIL, ' + wrong if wrong else 'pass'}", flush=True)

    def compare(self, what, got, expected, allowed):
        error, where = max((oracle.difference(g, e) for g, e in zip(got, expected)),
                           key=lambda found: math.inf if math.isnan(found[0]) else found[0])
        self.tell(what, "" if error <= allowed else f"error {error:.2e}, tolerance {allowed:.1e}, {where}")

    def check(self):
        reference = self.run("interp", ["--backend=interp"])
        if reference is None:
            return
        # Of a task the interpreter's results tell the shapes.
        values = self.values or self.inputs | dict(zip(self.program.results, reference))
        allowed = oracle.tolerance(self.program, self.program.reduction(values))
        answers = {"interp": reference}
        for number, (way, flags) in enumerate(WAYS.items(), self.number):
            # Code for this CPU has much to compute.
            compiled = batch.compile_flags(number) if "--backend=sim" in flags else []
            answers[way] = self.run(way, flags + compiled)
        if self.values:
            kernels = f"{self.folder}/kernels.mlir"
            status, text = batch.run([self.options.tile_opt, self.file, f"--pass-pipeline=builtin.module({TILES})", "-o",
                                      kernels])
            self.tell("kernels", "" if status == 0 else f"exit status {status}\n{text}")
            if status == 0:
                answers["kernels on interp"] = self.run("kernels on interp", ["--backend=interp"], kernels)
        for way, got in answers.items():
            if got is not None and way != "interp":
                self.compare(f"{way} against interp", got, reference, allowed)
            if got is not None and self.values:
                self.compare(f"{way} against NumPy", got, [values[r] for r in self.program.results], allowed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--tile-opt", required=True)
    parser.add_argument("--part", default="0/1", help="only every Nth example, from the Ith")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    first, step = map(int, options.part.split("/"))
    files = list(enumerate(sorted(options.folder.glob("*.mlir"))))[first::step]
    failures = 0
    for number, file in files:
        with tempfile.TemporaryDirectory() as folder:
            example = Example(number, file, options, folder)
            example.check()
            failures += example.failures
    print(f"{len(files)} examples")
    return failures > 0 or not files


if __name__ == "__main__":
    sys.exit(main())
