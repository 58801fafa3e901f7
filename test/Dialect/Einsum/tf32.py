#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products with precision = "tf32", against NumPy.

    tf32.py tile-run

Operands are integers of 12 bits, of which tf32 keeps 11: odd ones lie in the middle of two numbers and go away from
zero. All sums are exact in f32, so that results must be equal; those of full precision are others.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

TILES = "einsum-to-tile-pipeline{config={block=16x16x8}}"
WAYS = {"interp": ["--backend=interp"], "cpu": ["--backend=cpu"],
        "loops": ["--backend=cpu", "--pipeline=einsum-to-cpu-pipeline{schedule=0}"],
        "tiles": ["--backend=cpu", f"--pipeline={TILES},tile-to-cpu-pipeline"],
        "split sums": ["--backend=sim", "--pipeline=einsum-to-nvvm-pipeline{config={block=16x16x8 split_k=2}}"],
        "sm_70": ["--backend=sim", "--chip=sm_70"], "sm_80": ["--backend=sim", "--chip=sm_80"]}
PROGRAMS = {
    "product": ("mk, kn -> mn", "24x4", "4x16", "24x16"),
    "vector": ("mk, k -> m", "24x4", "4", "24"),  # no dot of tiles
    "padded": ("mk, (k+n-3)n -> mn", "24x4", "4x16", "24x16")}
TEXT = """
func.func @main(%a: tensor<{a}xf32>, %b: tensor<{b}xf32>) -> tensor<{c}xf32> {{
  %c = einsum.contract "{spec}" (%a, %b) {{pad = "zero", precision = "{precision}"}}
      : (tensor<{a}xf32>, tensor<{b}xf32>) -> tensor<{c}xf32>
  return %c : tensor<{c}xf32>
}}
"""


def round_to_tf32(x):
    """To 10 bits of mantissa, to nearest, half away from zero."""
    unit = np.ldexp(1.0, np.frexp(x)[1] - 11)
    return np.copysign(np.floor(np.abs(x) / unit + 0.5) * unit, x)


def compute(name, a, b):
    if name == "product":
        return a @ b
    if name == "vector":
        return a @ b
    padded = np.zeros((4, 16))
    for k in range(4):
        for n in range(16):
            if 0 <= k + n - 3 < 4:
                padded[k, n] = b[k + n - 3, n]
    return a @ padded


def main():
    tile_run, failures = sys.argv[1], 0
    data = np.random.default_rng(3)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, (spec, *shapes) in PROGRAMS.items():
            a, b = (np.float64(data.integers(2048, 4096, sizes) * data.choice([-1, 1], sizes))
                    for sizes in ([int(n) for n in shape.split("x")] for shape in shapes[:2]))
            np.save(folder / "a.npy", a.astype(np.float32))
            np.save(folder / "b.npy", b.astype(np.float32))
            for precision in "tf32", "full":
                (folder / "main.mlir").write_text(TEXT.format(
                    spec=spec, precision=precision, **dict(zip("abc", shapes))))
                rounded = [round_to_tf32(x) if precision == "tf32" else x for x in (a, b)]
                expected = compute(name, *rounded)
                for way, flags in WAYS.items():
                    subprocess.run([tile_run, folder / "main.mlir", *flags, f"--inputs={folder}/a.npy,{folder}/b.npy",
                                    f"--outputs={folder}/c.npy"], check=True, stdout=subprocess.DEVNULL)
                    found = np.load(folder / "c.npy")
                    # Sums of full precision have more bits than f32.
                    wrong = (found != expected if precision == "tf32" else
                             np.abs(found - expected) > 2.0**-22 * np.abs(expected).max())
                    if wrong.any():
                        failures += 1
                        print(f"{name}, {precision}, {way}: {wrong.sum()} of {wrong.size} wrong")
    print(f"tf32: {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
