# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What convert-linalg-to-vector makes of rows, against NumPy: maxima and minima that drop NaN, of rows with some, with NaN alone,
with infinities, of odd lengths; and divisions of rows by one number, which must have the bits of NumPy's quotient.

    row_arithmetic.py tile-run
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROWS = 3000
PROGRAM = """
module attributes {{einsum.machine = #einsum.machine<cpu = "generic", vector_bits = 512, registers = 32, fma = 2, latency = 4, l1 = 32768, l2 = 1048576, l3 = 8388608, cores = 8, bf16 = false>}} {{
func.func @main(%x: memref<{r}x{n}xf32>, %d: memref<{r}xf32>, %max: memref<{r}xf32>, %min: memref<{r}xf32>, %q: memref<{r}x{n}xf32>) {{
  linalg.reduce ins(%x : memref<{r}x{n}xf32>) outs(%max : memref<{r}xf32>) dimensions = [1]
    (%a: f32, %b: f32) {{ %0 = arith.maxnumf %a, %b : f32  linalg.yield %0 : f32 }}
  linalg.reduce ins(%x : memref<{r}x{n}xf32>) outs(%min : memref<{r}xf32>) dimensions = [1]
    (%a: f32, %b: f32) {{ %0 = arith.minnumf %a, %b : f32  linalg.yield %0 : f32 }}
  linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}}
      ins(%x, %d : memref<{r}x{n}xf32>, memref<{r}xf32>) outs(%q : memref<{r}x{n}xf32>) {{
  ^bb0(%a: f32, %b: f32, %_: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  }}
  return
}}
}}
"""
PIPELINE = ("convert-linalg-to-vector,canonicalize,convert-scf-to-cf,convert-vector-to-llvm,expand-strided-metadata,arith-expand,"
            "convert-math-to-llvm,convert-cf-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,"
            "convert-func-to-llvm,convert-arith-to-llvm,reconcile-unrealized-casts")


def draw(data, *shape, exponents):
    """Numbers of either sign and all mantissas, some of which are nearly powers of two."""
    mantissas = data.integers(0, 1 << 23, shape)
    few = data.integers(0, 4, shape)
    mantissas = np.where(few == 0, mantissas & 7, np.where(few == 1, (1 << 23) - 1 - (mantissas & 7), mantissas))
    bits = (data.integers(0, 2, shape) << 31) | (data.integers(*exponents, shape) << 23) | mantissas
    return bits.astype(np.uint32).view(np.float32)


def hard(data):
    """A divisor, and dividends whose quotients are as near to the middle of two floats as there are: with m b = 2^25 x + 1 and m
    odd, of 25 bits, x / b is m less 1 / b."""
    b = int(data.integers(1 << 22, 1 << 23)) * 2 + 1
    inverse = pow(b, -1, 1 << 25)
    return b, [(m * b - sign) >> 25 for m, sign in ((inverse, 1), ((1 << 25) - inverse, -1)) if m >> 24]


def main():
    data = np.random.default_rng(1)
    count = failures = 0
    for n in (1024, 77, 16, 5):
        x = draw(data, ROWS, n, exponents=(60, 195))  # at the ends of the range, and beyond
        x[::3] = draw(data, *x[::3].shape, exponents=(100, 150))
        x[::5] *= data.integers(0, 2, x[::5].shape)  # zeros of both signs
        x[::7] = np.where(data.integers(0, 3, x[::7].shape), x[::7], np.nan)
        d = draw(data, ROWS, exponents=(100, 150))
        d[::11] = draw(data, *d[::11].shape, exponents=(0, 255))
        for row in range(30, ROWS, 2):
            b, dividends = hard(data)
            x[row, :len(dividends)] = [value / 16 for value in dividends]
            d[row] = b / (1 << 20)
        x[:6] = [[np.nan], [-np.inf], [np.inf], [np.nan], [1e-45], [3e38]]
        x[3, n // 2] = -np.inf
        d[:4], d[20:24] = 3, [np.inf, 0, np.nan, 1e-40]
        start = np.where(np.arange(ROWS) % 2, np.float32(0.5), np.float32(np.nan))
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "main.mlir").write_text(PROGRAM.format(r=ROWS, n=n))
            for name, array in (("x", x), ("d", d), ("s", start), ("q", np.zeros_like(x))):
                np.save(folder / f"{name}.npy", array)
            subprocess.run([sys.argv[1], folder / "main.mlir", f"--pipeline={PIPELINE}",
                            "--inputs=" + ",".join(f"{folder}/{name}.npy" for name in "xdssq"),
                            "--outputs=" + ",".join(f"{folder}/{name}" for name in ("_x", "_d", "max", "min", "q"))],
                           check=True, stdout=subprocess.DEVNULL)
            most, least, quotients = (np.load(folder / name) for name in ("max", "min", "q"))
        with np.errstate(all="ignore"):
            exact = x / d[:, None]
            both = np.concatenate([x, start[:, None]], axis=1)
            expected = np.fmax.reduce(both, axis=1), np.fmin.reduce(both, axis=1)
        for what, got, right in (("maximum", most, expected[0]), ("minimum", least, expected[1])):
            wrong = ~((got == right) | (np.isnan(got) & np.isnan(right)))
            failures += wrong.sum()
            if wrong.any():
                print(f"{what} of row {np.argmax(wrong)} of {n}: {got[wrong][0]}, expected {right[wrong][0]}")
        wrong = (quotients.view(np.uint32) != exact.view(np.uint32)) & ~(np.isnan(quotients) & np.isnan(exact))
        failures += wrong.sum()
        if wrong.any():
            i, j = np.argwhere(wrong)[0]
            print(f"{x[i, j]!r} / {d[i]!r}: {quotients[i, j]!r}, expected {exact[i, j]!r}")
        count += 2 * ROWS + x.size
    print(f"{count} numbers, {failures} wrong")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
