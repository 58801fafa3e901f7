"""Checks split-K across blocks in einsum-to-nvvm-pipeline, by both ways to combine parts, on products with few blocks.

    volta_split_blocks.py --tile-run PATH [--whole]

Results are compared with NumPy, exactly and of random numbers. The simulator must find nothing (a race, a read outside)
and count the programs times the parts, no bank conflict, and the mma of all parts. A table tells its estimates.
"""
import argparse
import itertools
import sys
import tempfile
from dataclasses import dataclass

import numpy as np
from volta_gemm import LAYOUTS, ROUNDING, TYPES, Product, Results, Tools

# Rows, columns, depth; the depth of the last two is no multiple of parts of whole blocks.
SIZES = ((64, 64, 4096), (32, 128, 2048), (64, 64, 1000), (64, 64, 4100))
DEPTH = 32
COMBINES = ("kernel", "atomic")


@dataclass(frozen=True)
class SplitProduct(Product):
    """A product whose depth is divided among `factor` programs."""
    factor: int = 4
    combine: str = "kernel"

    def __str__(self):
        return f"{super().__str__()} split-k-blocks={self.factor} split-k-combine={self.combine}"

    @property
    def pipeline(self):
        return f"{super().pipeline[:-1]} split-k-blocks={self.factor} split-k-combine={self.combine}}}"

    @property
    def batches(self):
        return 1

    @property
    def is_split(self):
        """Atomics add sums as they are."""
        as_it_is = self.acc == self.result == "f32" and self.epilogue == "none"
        return self.combine == "kernel" or as_it_is

    @property
    def part(self):
        """The depth of a part: whole blocks."""
        return -(-self.size[2] // (self.factor * DEPTH)) * DEPTH if self.is_split else self.size[2]

    @property
    def parts(self):
        return -(-self.size[2] // self.part)

    @property
    def launches(self):
        return 2 if self.is_split and self.combine == "kernel" else 1


@dataclass(frozen=True)
class SplitBatch(SplitProduct):
    """Three such products, plus a row, in one contraction."""

    @property
    def batches(self):
        return 3

    @property
    def is_split(self):
        return self.combine == "kernel"

    def text(self):
        m, n, k = self.size
        a, b, c = f"tensor<3x{m}x{k}xf16>", f"tensor<3x{k}x{n}xf16>", f"tensor<3x{m}x{n}x{self.result}>"
        return f"""// {self}
func.func @main(%a: {a}, %b: {b}, %row: tensor<{n}x{self.result}>) -> {c} {{
  %0 = einsum.contract "bmk, bkn -> bmn" (%a, %b) : ({a}, {b}) -> {c}
  %empty = tensor.empty() : {c}
  %rows = linalg.broadcast ins(%row : tensor<{n}x{self.result}>) outs(%empty : {c}) dimensions = [0, 1]
  %1 = arith.addf %0, %rows : {c}
  return %1 : {c}
}}
"""

    def arrays(self, rng, exact):
        m, n, k = self.size
        a, b = (rng.integers(-1, 1, s, endpoint=True).astype(np.float16) for s in ((3, m, k), (3, k, n)))
        row = rng.integers(-9, 9, n).astype(TYPES[self.result])
        expected = a.astype(np.float64) @ b.astype(np.float64) + row

        def complaint(got):
            return "" if np.array_equal(got, expected) else f"got {got}, expected {expected}"
        return [a, b, row], complaint


@dataclass(frozen=True)
class SplitTwo(SplitProduct):
    """relu(A) B + C D, of other depths: a kernel for the parts of each, and one for all sums."""

    def text(self):
        m, n, k = self.size
        a, b, c, d, r = (f"tensor<{x}x{y}xf16>" for x, y in ((m, k), (k, n), (m, 256), (256, n), (m, n)))
        return f"""// {self}
func.func @main(%a: {a}, %b: {b}, %c: {c}, %d: {d}) -> {r} {{
  %zero = arith.constant dense<0.0> : {a}
  %relu = arith.maximumf %a, %zero : {a}
  %0 = einsum.contract "mk, kn -> mn" (%relu, %b) : ({a}, {b}) -> {r}
  %1 = einsum.contract "mk, kn -> mn" (%c, %d) : ({c}, {d}) -> {r}
  %2 = arith.addf %0, %1 : {r}
  return %2 : {r}
}}
"""

    def arrays(self, rng, exact):
        m, n, k = self.size
        a, b, c, d = (rng.integers(-1, 1, s, endpoint=True).astype(np.float16)
                      for s in ((m, k), (k, n), (m, 256), (256, n)))
        expected = np.maximum(a, 0).astype(np.float64) @ b.astype(np.float64) + c.astype(np.float64) @ d

        def complaint(got):
            return "" if np.array_equal(got, expected) else f"got {got}, expected {expected}"
        return [a, b, c, d], complaint

    @property
    def launches(self):
        return 3


def cases(whole):
    """Sizes, results and epilogues in turn, or all of them."""
    for size, combine in itertools.product(SIZES, COMBINES):
        yield SplitProduct(size, result="f32", combine=combine)
        if whole:
            for spec, acc, result, epilogue, factor in itertools.product(LAYOUTS, ROUNDING, TYPES,
                                                                       ("none", "relu", "bias"), (2, 4, 7)):
                yield SplitProduct(size, spec, acc, result, epilogue=epilogue, factor=factor, combine=combine)
    yield SplitProduct(SIZES[0], LAYOUTS[1], epilogue="bias", combine="kernel")
    yield SplitProduct(SIZES[1], LAYOUTS[2], epilogue="relu", factor=2, combine="kernel")
    yield SplitProduct(SIZES[2], LAYOUTS[3], acc="f16", factor=3, combine="kernel")
    yield SplitProduct(SIZES[3], LAYOUTS[1], result="f32", factor=5, combine="atomic")
    yield SplitProduct(SIZES[2], epilogue="bias", combine="atomic")
    yield SplitProduct((200, 72, 520), LAYOUTS[2], result="f32", factor=3, combine="atomic")
    yield SplitProduct((200, 72, 520), factor=3, epilogue="bias", combine="kernel")
    for combine in COMBINES:
        yield SplitBatch((48, 40, 320), combine=combine)
    for factor in 2, 4:
        yield SplitTwo(SIZES[2], factor=factor)


def check(tools, results, case):
    exact = tools.run(case)
    results.check(case, exact.complaint)
    results.check(case, tools.run(case, exact=False, flags=["--opt-level=0"]).complaint)
    if exact.complaint:
        return
    launches = exact.report["launches"]
    results.expect(case, "launches", len(launches), len(launches) == case.launches)
    blocks = -(-case.size[0] // 128) * -(-case.size[1] // 128)
    grid = launches[0]["grid"]
    results.expect(case, f"programs, expected {blocks} x {case.batches} x {case.parts}", grid,
                   np.prod(grid) == blocks * case.batches * case.parts)
    conflicts = sum(a["conflicts"] for launch in launches for a in launch["accesses"] if a["space"] == "shared")
    results.expect(case, "bank conflicts", conflicts, conflicts == 0 or not case.is_split)
    micros = sum(launch["estimate"]["microseconds"] for launch in launches)
    print(f"| {'x'.join(map(str, case.size))} | {case.combine if case.is_split else 'none'} | {case.parts} | "
          f"{sum(launch['mma'] for launch in launches)} | {micros:.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", default="tile-run")
    parser.add_argument("--whole", action="store_true", help="all combinations, for a run by hand")
    options = parser.parse_args()
    results = Results()
    print("| size | combine | parts | mma | microseconds |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for case in cases(options.whole):
            check(Tools(options, folder), results, case)
    print(f"{results.checks} checks, {results.failures} failed")
    return results.failures > 0


if __name__ == "__main__":
    sys.exit(main())
