#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Property test of pointers of nearly regular forms, behind masks, before loops and carried by them.

    tile_pointers_property.py --tile-run build/bin/tile-run --count 100 --seed 1

Each kernel loads tiles from base + rows * stride + columns, in any order of these sums: rows and columns may begin anew
modulo a number, be divided, negated, clamped, of 8 to 64 bits, transposed. Masks compare rows, columns and sums. Loops, of
which one may be in another, advance the pointers or their offsets, by equal numbers or not. NumPy executes each kernel op by
op; tile-run with --backend=cpu has to give the same, bit by bit, and compares with its interpreter. `--seed S --only N` draws
case N alone, and prints it. Exit status: 0 if all agree, else 1.
"""
import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
import batch  # noqa: E402
from random_pointers import TYPES, Kernel  # noqa: E402

PROGRAMS = 2
MOST = 1 << 15  # elements of an array


class Unsuitable(Exception):
    """A kernel that has no one result, or needs too much memory."""


class Machine(dict):
    """Values by name. Addresses of array i begin at i * APART."""

    APART = 1 << 40

    def __init__(self, kernel, scalars, arrays=None):
        super().__init__()
        self.kernel, self.arrays = kernel, arrays
        self.used = [[] for _ in kernel.arrays]  # addresses
        writers = {}
        for number in range(PROGRAMS):
            self.clear()
            self.update({name: np.int32(value) for name, value in scalars.items()})
            self.update({name: np.int64(i * self.APART) for i, name in enumerate(kernel.arrays)})
            self[kernel.program.name] = np.int32(number)
            self.written = set()
            with np.errstate(over="ignore"):
                for step in kernel.steps:
                    step(self)
            for address in self.written:
                if writers.setdefault(address, number) != number:
                    raise Unsuitable("two programs write one element")

    def find(self, addresses):
        """The array of some addresses, and the places in it; there are arrays only in a second run."""
        number = int((addresses.flat[0] + self.APART // 2) // self.APART)
        offsets = addresses - number * self.APART
        if np.abs(offsets).max() > MOST // 2:
            raise Unsuitable("far apart")
        self.used[number].append(offsets)
        if not self.arrays:
            return None, offsets
        array, base = self.arrays[number]
        if offsets.min() + base < 0 or offsets.max() + base >= array.size:
            raise Unsuitable("beside the array")
        return array, offsets + base

    def read(self, addresses):
        if addresses.size == 0:
            return 0
        array, places = self.find(addresses)
        return 0 if array is None else array[places]

    def write(self, addresses, values):
        if addresses.size == 0:
            return
        if np.unique(addresses).size != addresses.size:
            raise Unsuitable("one element is written twice")
        self.written.update(addresses.tolist())
        array, places = self.find(addresses)
        if array is not None:
            array[places] = values


class Case:
    """A kernel with arguments and results."""

    def __init__(self, seed):
        for attempt in range(1000):
            self.kernel = Kernel(f"{seed} {attempt}")
            try:
                used = Machine(self.kernel, self.kernel.scalars).used
            except Unsuitable:
                continue
            ends = [(min(map(np.min, one), default=0), max(map(np.max, one), default=0)) for one in used]
            self.bases = [int(max(0, -low)) for low, _ in ends]
            # Nothing beside what is accessed, so that the interpreter would find an access beside it.
            numbers = np.random.default_rng(self.kernel.rng.getrandbits(64))
            self.inputs = [numbers.integers(-3, 4, base + int(max(0, high)) + 1)
                           .astype(TYPES[self.kernel.element]) for base, (_, high) in zip(self.bases, ends)]
            self.expected = self.execute(self.kernel.scalars)
            return
        raise RuntimeError("no kernel was suitable")

    def execute(self, scalars):
        results = [array.copy() for array in self.inputs]
        Machine(self.kernel, scalars, list(zip(results, self.bases)))
        return results

    def run(self, tile_run, folder, number):
        """What is wrong; empty if nothing is."""
        file = folder / "kernel.mlir"
        file.write_text(self.kernel.text())
        inputs, outputs = [], []
        for i, (array, base) in enumerate(zip(self.inputs, self.bases)):
            np.save(folder / f"in{i}.npy", array)
            inputs.append(f"offset:{base}:{folder}/in{i}.npy")
            outputs.append(folder / f"out{i}.npy")
        status, output = batch.run([tile_run, file, "--backend=cpu", f"--grid={PROGRAMS}", "--check=interp", "--tolerance=0",
                                    *batch.compile_flags(number),
                                    "--inputs=" + ",".join([*inputs, *map(str, self.kernel.scalars.values())]),
                                    "--outputs=" + ",".join(map(str, outputs))])
        if status != 0:
            return f"exit status {status}\n{output.strip()}"
        for i, (path, expected) in enumerate(zip(outputs, self.expected)):
            found = np.load(path)
            if not np.array_equal(found, expected):
                place = int(np.flatnonzero(found != expected)[0])
                return f"array {i}: NumPy expects {expected[place]} at {place}, found {found[place]}"
        return ""

    def has_vectors(self, tile_opt, folder):
        """Whether the kernel accesses vectors once it is lowered."""
        status, output = batch.run([tile_opt, "--tile-carry-offsets", "--convert-tile-to-linalg", folder / "kernel.mlir"])
        if status != 0:
            raise RuntimeError(output)
        return any("vector<" in line for line in output.splitlines() if "llvm.load" in line or "llvm.store" in line)


def self_test(tile_run, folder):
    """Cases whose kernel is given another number than NumPy was, such that the results differ: it is noticed."""
    noticed, seed = 0, 0
    for _ in range(5):
        found = False
        while not found:
            case, seed = Case(f"self {seed}"), seed + 1
            for name in case.kernel.scalars:
                changed = case.kernel.scalars | {name: case.kernel.scalars[name] + 1}
                try:
                    results = case.execute(changed)
                except Unsuitable:
                    continue
                if not all(map(np.array_equal, results, case.expected)):
                    case.kernel.scalars, found = changed, True
                    break
        noticed += "NumPy expects" in case.run(tile_run, folder, seed)
    print(f"self-test: {noticed} of 5 other numbers noticed")
    return 0 if noticed == 5 else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--tile-opt", help="count the kernels that access vectors, too")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--self-test", action="store_true", help="see that other numbers are noticed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.self_test:
            return self_test(options.tile_run, folder)
        wrong = vectors = 0
        cases = range(options.count) if options.only is None else [options.only]
        for number in cases:
            case = Case(f"{options.seed} {number}")
            problem = case.run(options.tile_run, folder, number)
            if problem or options.only is not None:
                print(f"case {number}: {problem or 'right'}\n{case.kernel.text()}", flush=True)
            wrong += bool(problem)
            vectors += bool(options.tile_opt) and case.has_vectors(options.tile_opt, folder)
    counted = f" ({vectors} of them with vectors)" if options.tile_opt else ""
    print(f"property: {len(cases)} kernels{counted}, {wrong} mismatches, seed {options.seed}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
