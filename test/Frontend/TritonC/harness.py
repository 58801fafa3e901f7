# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs Triton-C programs by tile-run on all backends, and compares them with NumPy."""

import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[2] / "Integration"))
import batch

BACKENDS = "interp", "cpu", "sim"
SCALARS = {bool: "i1", np.bool_: "i1", np.int8: "i8", np.int16: "i16", np.int32: "i32", np.int64: "i64",
           np.float16: "f16", np.float32: "f32", np.float64: "f64"}


@dataclass
class Case:
    """A program on arguments.

    arguments: arrays for pointers, and NumPy scalars.
    expected: by the number of an argument, what it is after the run; others must not change.
    tolerance: largest difference from it, as a part of the largest value.
    """
    name: str
    source: str  # text, or the path of a file
    arguments: list
    expected: dict
    defines: tuple = ()
    tolerance: float = 0.0
    backends: tuple = BACKENDS
    entry: str = ""
    options: tuple = field(default=())


def as_input(folder, i, value):
    """How tile-run is given an argument. Unsigned integers have the bits of signed ones."""
    if isinstance(value, np.ndarray):
        path = folder / f"in{i}.npy"
        flat = np.ascontiguousarray(value).reshape(-1)
        np.save(path, flat.view(flat.dtype.str.replace("u", "i")) if flat.dtype.kind == "u" else flat)
        return str(path)
    kind = SCALARS[type(value)]
    return f"{kind}:{int(value) if kind[0] == 'i' else float(value)!r}"


def run(tile_run, folder, case, backend, number):
    """The arguments after the run; a text if it failed. How it is compiled goes by `number`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = Path(case.source)
    if "\n" in case.source:
        path = folder / f"{case.name}.c"
        path.write_text(case.source)
    inputs = [as_input(folder, i, value) for i, value in enumerate(case.arguments)]
    outputs = [str(folder / f"out{i}.npy") for i in range(len(inputs))]
    entry = [f"--entry={case.entry}"] if case.entry else []
    compiled = batch.compile_flags(number) if backend != "interp" else []
    status, text = batch.run([tile_run, path, *[f"-D{d}" for d in case.defines], f"--backend={backend}", *entry, *compiled,
                              "--inputs=" + ",".join(inputs), "--outputs=" + ",".join(outputs), *case.options])
    if status != 0:
        return text
    return [np.load(path) for path in outputs]


def difference(got, expected):
    """The largest one, as a part of the largest value; 0 where both are NaN."""
    expected = np.ascontiguousarray(expected).reshape(-1)
    got = got.reshape(-1).view(expected.dtype) if expected.dtype.kind == "u" else got.reshape(-1)
    if expected.dtype.kind != "f":
        return 0.0 if (got == expected).all() else float("inf")
    same = (got == expected) | (np.isnan(got) & np.isnan(expected))
    if same.all():
        return 0.0
    a, b = got[~same].astype(np.float64), expected[~same].astype(np.float64)
    finite = expected[np.isfinite(expected)].astype(np.float64)
    with np.errstate(invalid="ignore"):
        error = np.abs(a - b).max() / max(np.abs(finite).max(initial=0), 1e-30)
    return error if error == error else float("inf")


def check(tile_run, folder, case, backend, number):
    """What is wrong with case `number`; nothing if it passes."""
    after = run(tile_run, folder, case, backend, number)
    if isinstance(after, str):
        return after
    for i, value in enumerate(case.arguments):
        if not isinstance(value, np.ndarray):
            continue
        error = difference(after[i], case.expected.get(i, value))
        if not error <= (case.tolerance if i in case.expected else 0):
            wanted = np.ascontiguousarray(case.expected.get(i, value)).reshape(-1)
            return f"argument {i}: error {error:.3g}, expected {wanted[:8]}, found {after[i][:8]}"
    return ""


def plant(case):
    """The case with one wrong number in what is expected."""
    number, value = next(iter(case.expected.items()))
    value = np.ascontiguousarray(value).copy()
    value.reshape(-1)[-1] += 1
    return replace(case, expected={**case.expected, number: value})


def main(cases):
    """Command line: TILE_RUN FOLDER [--plant] [NAME...]"""
    tile_run, folder, *names = sys.argv[1:]
    if "--plant" in names:
        names.remove("--plant")
        cases = [plant(case) for case in cases]
    numbers = {"passed": 0, "failed": 0}
    for number, case in enumerate(cases):
        if names and case.name not in names:
            continue
        for backend in case.backends:
            wrong = check(tile_run, Path(folder) / case.name, case, backend, number)
            numbers["failed" if wrong else "passed"] += 1
            if wrong:
                print(f"FAILED {case.name} {' '.join(case.defines)} on {backend}: {wrong}")
    print(f"{numbers['passed']} runs passed, {numbers['failed']} failed")
    sys.exit(numbers["failed"] != 0 or numbers["passed"] == 0)
