# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs Inputs/print.ttir and compares what it prints with lines made by NumPy; their order counts for one program of the
interpreter alone. Usage: prints.py <tile-run> <file> <folder> <option of tile-run>..."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np


def lines_of(program, a):
    """What program (0, `program`, 0) prints."""
    def tile(text, values, conversion):
        for place, value in np.ndenumerate(values):
            idx = ", ".join(f"{i:{len(str(size - 1))}}" for i, size in zip(place, np.shape(values)))
            yield f"pid (0, {program}, 0) idx ({idx}) {text}" + conversion(value)

    yield from tile("100% of: (operand 0) ", program, str)
    yield f"pid (0, {program}, 0) idx () 100% of: (operand 1) ADDRESS"
    yield from tile("inside: ", np.arange(16)[None] < 15, lambda bit: str(int(bit)))
    acc = np.zeros((16, 16), np.float32)
    for i in range(0, a.shape[1], 16):
        x = a[:, i:i + 16].astype(np.float32)
        x[:, 15] = 1
        acc = acc + x @ x.T
        yield from tile("acc: ", acc, lambda value: f"{value:f}")
        narrow = acc.astype(np.int8)
        yield from tile("i8: (operand 0) ", narrow, str)
        yield from tile("i8: (operand 1) ", narrow.view(np.uint8), str)
    yield from tile("x: ", acc, lambda value: f"0x{value.view(np.uint32):08x}")
    yield f"pid (0, {program}, 0) done"


def main():
    tile_run, file, folder, *options = sys.argv[1:]
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    a = np.random.default_rng(3).integers(-1, 2, (16, 48)).astype(np.float16)
    np.save(folder / "a.npy", a)
    printed = folder / "printed.txt"
    subprocess.run([tile_run, file, *options, "--grid=1,2", f"--inputs={folder}/a.npy,48", f"--print-file={printed}"], check=True,
                   stdout=subprocess.DEVNULL)
    got = re.sub(r"\b0x[0-9a-f]+$", lambda m: m[0] if len(m[0]) == 10 else "ADDRESS", printed.read_text(), flags=re.M).splitlines()
    expected = [line for program in range(2) for line in lines_of(program, a)]
    if "--backend=interp" not in options:
        got, expected = sorted(got), sorted(expected)
    for number, (line, right) in enumerate(zip(got, expected)):
        if line != right:
            sys.exit(f"line {number}: expected '{right}', found '{line}'")
    if len(got) != len(expected):
        sys.exit(f"expected {len(expected)} lines, found {len(got)}")
    print(f"{len(got)} lines as expected")


if __name__ == "__main__":
    main()
