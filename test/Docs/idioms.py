#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps the tables of idioms in docs/einsum.md and idioms.mlir in step.

A row of the page is | what | `"spec" {attributes}` | `NumPy expression` |. Each
row has one function with that specification and attributes, and each function
has a row. tile-run executes the function on small integers; the result must be
what the expression gives, whose variables are the function's arguments.
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Integration"))
import batch  # noqa: E402
import numpy_einsum as oracle  # noqa: E402  (for its reader of types and its files)

ROW = re.compile(r'^\|[^|]*\| `"([^"]*)"\s*(\{.*\})?` \| `(.*)` \|$', re.MULTILINE)
CONTRACT = re.compile(r'einsum\.contract "([^"]*)" \([^)]*\)\s*(?:tables\([^)]*\))?\s*(\{.*\})?')
NAMES = {"np": np, "windows": np.lib.stride_tricks.sliding_window_view}


def run(tile_run, text, inputs, result, folder):
    """Runs the function `text` on `inputs`, pairs of an argument and an array."""
    names = []
    path = Path(folder) / "function.mlir"  # tile-run compiles all that a file has
    path.write_text(text)
    for argument, values in inputs:
        names.append(f"{folder}/{argument.name}.npy")
        oracle.save(names[-1], values, argument.type.element)
    output = f"{folder}/result.npy"
    status, text = batch.run([tile_run, path, f"--inputs={','.join(names)}", f"--outputs={output}"])
    if status != 0:
        raise ValueError(text)
    return oracle.load(output, result.element)


def draw(argument, rng):
    low, high = argument.value_range or (-9, 9)
    return oracle.convert(rng.integers(low, high, argument.type.shape, endpoint=True),
                          argument.type.element)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--page", required=True, type=Path)
    parser.add_argument("programs", type=Path)
    options = parser.parse_args()

    rows = {(spec, attributes): expression
            for spec, attributes, expression in ROW.findall(options.page.read_text())}
    rng = np.random.default_rng(1)
    failures, seen = [], set()
    for text in re.split(r"(?=^func\.func)", options.programs.read_text(), flags=re.MULTILINE)[1:]:
        entry = re.match(r"func\.func @(\w+)", text)[1]
        key = CONTRACT.search(text).groups(default="")
        if key not in rows:
            failures.append(f"@{entry}: the page has no row for {' '.join(key)}")
            continue
        seen.add(key)
        program = oracle.Program.parse(text)
        inputs = [(a, draw(a, rng)) for a in program.arguments]
        with tempfile.TemporaryDirectory() as folder:
            try:
                got = run(options.tile_run, text, inputs, program.types[0], folder)
            except ValueError as error:
                failures.append(f"@{entry}: {error}")
                continue
        # Small integers: float64 is exact, and so is the result's type.
        values = {a.name: x if a.type.element.startswith("i") else x.astype(np.float64)
                  for a, x in inputs}
        expected = np.asarray(eval(rows[key], NAMES | values))
        if got.shape != expected.shape or not np.array_equal(got, expected):
            failures.append(f"@{entry}: {rows[key]} is\n{expected}\nfound\n{got}")
    failures += [f"no function for the row {' '.join(key)}" for key in rows.keys() - seen]
    print("\n".join(failures))
    print(f"{len(seen)} idioms, {len(failures)} failures")
    # A page whose tables are not recognised has no idioms.
    sys.exit(bool(failures) or len(seen) < 20)


if __name__ == "__main__":
    main()
