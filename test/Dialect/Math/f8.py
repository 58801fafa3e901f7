#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversions from and to f8, and products of f8, against their definition.

    f8.py tile-run

The 256 values of each format are computed from its definition; the nearest of them, the even one of two, is what a
number is rounded to. The interpreter, kernels on vectors, plain loops and the simulator must give the same bits.
"""
import itertools
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Integration"))
import batch  # noqa: E402

COUNT = itertools.count()  # of runs

# Bits of the mantissa, bias, the bits of the first magnitude that is no number.
FORMATS = {"f8E4M3FN": (3, 7, 0x7f), "f8E5M2": (2, 15, 0x7c)}
RUNS = {"interp": ["--backend=interp"], "vectors": ["--backend=cpu"],
        "loops": ["--backend=cpu", "--pipeline=einsum-to-cpu-pipeline{schedule=0}"],
        "sm_70": ["--backend=sim", "--chip=sm_70"], "sm_89": ["--backend=sim", "--chip=sm_89"]}
CONVERT = """
func.func @main(%x: tensor<{n}x{source}>) -> tensor<{n}x{result}> {{
  %y = einsum.contract "i -> i" (%x) {{acc = {acc}}} : (tensor<{n}x{source}>) -> tensor<{n}x{result}>
  return %y : tensor<{n}x{result}>
}}
"""
PRODUCT = """
func.func @main(%a: tensor<24x40x{a}>, %b: tensor<40x16x{b}>) -> tensor<24x16x{result}> {{
  %c = einsum.contract "mk, kn -> mn" (%a, %b)
      : (tensor<24x40x{a}>, tensor<40x16x{b}>) -> tensor<24x16x{result}>
  return %c : tensor<24x16x{result}>
}}
"""


def get_values(name):
    """What each of the 256 bytes means."""
    mantissa_bits, bias, first_other = FORMATS[name]
    values = np.empty(256)
    for bits in range(256):
        exponent, mantissa = (bits & 0x7f) >> mantissa_bits, bits & ((1 << mantissa_bits) - 1)
        if exponent == 0:
            value = mantissa * 2.0 ** (1 - bias - mantissa_bits)
        else:
            value = (1 + mantissa / (1 << mantissa_bits)) * 2.0 ** (exponent - bias)
        if bits & 0x7f >= first_other:
            value = np.inf if name == "f8E5M2" and bits & 0x7f == first_other else np.nan
        values[bits] = -value if bits & 0x80 else value
    return values


def round_to(name, numbers):
    """The bytes that the numbers, in f64, are rounded to; those of NaN are any."""
    first_other = FORMATS[name][2]
    magnitudes = get_values(name)[:first_other]
    # Beyond the largest number lies what would be the next one.
    magnitudes = np.append(magnitudes, 2 * magnitudes[-1] - magnitudes[-2])
    x = np.abs(numbers)
    upper = np.searchsorted(magnitudes, np.where(np.isfinite(x), x, 0)).clip(1, first_other)
    down, up = x - magnitudes[upper - 1], magnitudes[upper] - x
    bits = np.where((down < up) | ((down == up) & (upper % 2 == 1)), upper - 1, upper)
    bits = np.where(np.isfinite(x), np.where(x > magnitudes[-1], first_other, bits), first_other)
    bits = np.where(np.isnan(x), 0x7f, bits)
    return (bits | np.where(np.signbit(numbers), 0x80, 0)).astype(np.uint8)


def get_numbers(name, dtype):
    """All values, what lies between them, its neighbours, and numbers of all magnitudes, in a type of NumPy."""
    data = np.random.default_rng(7)
    values = get_values(name)[:FORMATS[name][2] + 1]
    values[-1] = 2 * values[-2] - values[-3]
    middles = (values[1:] + values[:-1]) / 2
    numbers = np.concatenate([values, middles, np.ldexp(data.uniform(1, 2, 2000), data.integers(-30, 20, 2000)),
                              [np.inf, np.nan, 1e-45, 1e-310, 65504, 1e38, 1e300]])
    with np.errstate(over="ignore"):
        numbers = numbers.astype(dtype)
        numbers = np.concatenate([numbers, np.nextafter(numbers, dtype(0)), np.nextafter(numbers, dtype(np.inf))])
    return np.concatenate([numbers, -numbers])


def run(tile_run, how, text, inputs):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "main.mlir").write_text(text)
        for i, array in enumerate(inputs):
            np.save(folder / f"{i}.npy", array)
        files = ",".join(f"{folder}/{i}.npy" for i in range(len(inputs)))
        compiled = batch.compile_flags(next(COUNT)) if how != "interp" else []
        status, output = batch.run([tile_run, folder / "main.mlir", f"--inputs={files}", f"--outputs={folder}/o.npy",
                                    *RUNS[how], *compiled])
        if status != 0:
            sys.exit(f"{how}: tile-run failed: {output}\n{text}")
        return np.load(folder / "o.npy")


def main():
    tile_run, failures = sys.argv[1], 0

    def expect(what, wrong):
        nonlocal failures
        failures += bool(wrong.any())
        if wrong.any():
            print(f"{what}: {wrong.sum()} of {wrong.size} wrong, the first at {np.argmax(wrong)}")

    for name in FORMATS:
        every = np.arange(256, dtype=np.uint8).view("V1")
        values = get_values(name)
        for how in RUNS:
            for result, dtype in ("f32", np.float32), ("f64", np.float64), ("f16", np.float16):
                text = CONVERT.format(n=256, source=name, result=result, acc="f64" if result == "f64" else "f32")
                found = run(tile_run, how, text, [every])
                same = (found == values.astype(dtype)) & (np.signbit(found) == np.signbit(values))
                expect(f"{how}: {name} to {result}", ~(same | np.isnan(found) & np.isnan(values)))
            for source, dtype in ("f32", np.float32), ("f64", np.float64), ("f16", np.float16):
                numbers = get_numbers(name, dtype)
                text = CONVERT.format(n=numbers.size, source=source, result=name, acc="f64" if source == "f64" else "f32")
                found = values[run(tile_run, how, text, [numbers]).view(np.uint8)]
                expected = values[round_to(name, numbers.astype(np.float64))]
                same = (found == expected) & (np.signbit(found) == np.signbit(expected))
                expect(f"{how}: {source} to {name}", ~(same | np.isnan(found) & np.isnan(expected)))
    data = np.random.default_rng(8)
    for how in RUNS:
        for a, b, result in (("f8E4M3FN", "f8E4M3FN", "f32"), ("f8E5M2", "f8E4M3FN", "f32"),
                             ("f8E5M2", "f8E5M2", "f8E4M3FN")):
            # Small integers and halves of them: sums are exact.
            x, y = (data.integers(-4, 5, shape) / 2 for shape in ((24, 40), (40, 16)))
            found = run(tile_run, how, PRODUCT.format(a=a, b=b, result=result),
                        [round_to(a, x).view("V1"), round_to(b, y).view("V1")])
            expected = x @ y
            if result != "f32":
                found, expected = found.view(np.uint8), round_to(result, expected)
            expect(f"{how}: product of {a} and {b}", found != expected)
    print(f"f8: {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
