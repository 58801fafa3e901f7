#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What cpu-approximate-math computes, against Python's and NumPy's functions in f64.

    accuracy.py tile-run

Prints for each function the largest error in units of the last place, over numbers of all magnitudes,
and fails where it is above what the pass promises, or an infinity, a NaN or a zero is not what it should be.
"""

import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

# Function: (what it is, largest error, whether subnormal results may be 0).
FUNCTIONS = {
    "tanh": (np.tanh, 5, False), "exp": (np.exp, 5, True), "exp2": (np.exp2, 6, True),
    "expm1": (np.expm1, 5, False),
    "erf": (np.vectorize(math.erf), 5, False), "erfc": (np.vectorize(math.erfc), 5, True),
    "sin": (np.sin, 2, False), "cos": (np.cos, 2, False),
    "log": (np.log, 2, False), "log2": (np.log2, 2, False), "log1p": (np.log1p, 2, False)}
# Constant powers that are a few operations, and their largest errors.
POWERS = {1.0: 0, 2.0: 0.5, 3.0: 1.5, -1.0: 0.5, 0.5: 0.5}
COUNT = 1 << 14
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 1e-45, 88.72, 88.73, -87.3, -87.4, -104.0,
           3.4e38, -3.4e38, 1.0, 127.5, 127.75, 127.99999, 128.0,
           128.5, -126.0, -126.25, -126.5, -127.0, -149.0, -150.0]
PIPELINE = ("cpu-approximate-math,canonicalize,convert-scf-to-cf,convert-vector-to-llvm,arith-expand,"
            "convert-math-to-llvm,convert-cf-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,"
            "convert-func-to-llvm,convert-arith-to-llvm,reconcile-unrealized-casts")
PROGRAM = """
func.func @main(%x: memref<{n}xf32>, %p: memref<{n}xf32>, {outs}) {{
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant {n} : index
  scf.for %i = %c0 to %n step %c16 {{
    %v = vector.load %x[%i] : memref<{n}xf32>, vector<16xf32>
    %w = vector.load %p[%i] : memref<{n}xf32>, vector<16xf32>
{body}  }}
  return
}}
"""


def compute(tile_run, x, p):
    """What each function gives, and relu, and powers of x, by one run."""
    ops = {name: f"math.{name} %v" for name in FUNCTIONS} | {"relu": "arith.maximumf %v, %zero", "powf": "math.powf %v, %w"}
    body = ""
    for i, power in enumerate(POWERS):
        body += f"    %power{i} = arith.constant dense<{power}> : vector<16xf32>\n"
        ops[f"powf_{i}"] = f"math.powf %v, %power{i}"
    for name, op in ops.items():
        body += (f"    %{name} = {op} : vector<16xf32>\n"
                 f"    vector.store %{name}, %y_{name}[%i] : memref<{x.size}xf32>, vector<16xf32>\n")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        outs = ", ".join(f"%y_{name}: memref<{x.size}xf32>" for name in ops)
        (folder / "main.mlir").write_text(PROGRAM.format(n=x.size, outs=outs, body=body))
        np.save(folder / "x.npy", x)
        np.save(folder / "p.npy", p)
        subprocess.run([tile_run, folder / "main.mlir", f"--pipeline={PIPELINE}",
                        f"--inputs={folder}/x.npy,{folder}/p.npy," + ",".join(f"zeros:{x.size}xf32" for _ in ops),
                        f"--outputs={folder}/x.npy,{folder}/p.npy," + ",".join(f"{folder}/{n}.npy" for n in ops)],
                       check=True, stdout=subprocess.DEVNULL)
        return {name: np.load(folder / f"{name}.npy") for name in ops}


def make_powers(data, x):
    """Exponents for x: all special pairs, integers, halves, and those whose powers are in the range of f32."""
    numbers = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.0, -3.0, 1.5, 16777216.0, 16777217.0, 3e38, np.inf, -np.inf,
                        np.nan, 1e-40, 1e-30, 126.5, -149.0], np.float32)
    bases = np.concatenate([numbers, -numbers])
    pairs = np.array([(a, b) for a in bases for b in bases], np.float32)
    with np.errstate(all="ignore"):
        p = (data.uniform(-150, 150, x.size) / np.log2(np.abs(x))).astype(np.float32)
    third = x.size // 3
    p[:third] = data.integers(-20, 20, third)
    p[third:2 * third] = np.round(p[third:2 * third])
    x = x.copy()
    x[-len(pairs):], p[-len(pairs):] = pairs.T
    return x, p


def check(name, y, x, exact, allowed, flushes=False):
    """Prints the largest error, and returns whether it is too large, or what is no number wrong."""
    with np.errstate(all="ignore"):
        expected = exact.astype(np.float32)
        finite = np.isfinite(expected)
        errors = np.abs(y - exact)[finite] / np.spacing(np.abs(expected[finite])).astype(np.float64)
    if flushes:
        errors[(np.abs(expected[finite]) < 2.0**-126) & (y[finite] == 0)] = 0
    worst = np.argmax(errors)  # NaN is greatest
    special = np.array_equal(y[~finite], expected[~finite], equal_nan=True)
    right = errors[worst] <= allowed and special
    print(f"{name}: error {errors[worst]:.2f} at {x[finite][worst]:.9g}, infinities and NaN "
          f"{'right' if special else 'wrong'}: {'ok' if right else 'FAIL'}")
    return not right


def main():
    data = np.random.default_rng(1)
    quarters = np.pi / 2 * data.integers(-(1 << 16), 1 << 16, COUNT)  # where sines or cosines are smallest
    x = np.concatenate([quarters, data.uniform(-1, 1, COUNT), data.uniform(-10, 10, COUNT), data.uniform(-110, 110, COUNT),
                        np.ldexp(data.uniform(1, 2, COUNT), data.integers(-149, 127, COUNT))
                        * data.choice([-1, 1], COUNT)]).astype(np.float32)
    x[:len(SPECIAL)] = SPECIAL
    x, p = make_powers(data, x)
    found = compute(sys.argv[1], x, p)
    failures = 0
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64)
        for name, (function, allowed, flushes) in FUNCTIONS.items():
            failures += check(name, found[name], x, function(wide), allowed, flushes)
        exact = {"powf": np.power(wide, p.astype(np.float64))}
        exact |= {f"powf_{i}": np.power(wide, power) for i, power in enumerate(POWERS)}
        for (name, values), allowed in zip(exact.items(), [0.5, *POWERS.values()]):
            failures += check(name, found[name], x, values, allowed + 1e-2)
            zeros = values == 0
            failures += (np.signbit(found[name]) != np.signbit(values))[zeros].any()
    relu, expected = found["relu"], np.where(x <= 0, np.float32(0), x)
    right = np.array_equal(relu.view(np.int32)[~np.isnan(x)], expected.view(np.int32)[~np.isnan(x)])
    right = right and np.isnan(relu[np.isnan(x)]).all()
    failures += not right
    print(f"relu: {'ok' if right else 'FAIL'}")
    print(f"accuracy: {failures} failures")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
