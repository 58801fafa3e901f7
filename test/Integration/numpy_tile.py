#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the programs of examples/tile compute, in NumPy, and whether tile-run agrees.

    numpy_tile.py --tile-run build/bin/tile-run [--part I/N] [--only NAME] examples/tile
    numpy_tile.py --tile-run build/bin/tile-run --tile-opt build/bin/tile-opt --passes PIPELINE examples/tile

For every program, size and kind of input below: draws the arguments, runs all
backends on them, and compares every argument with what it should be afterwards.
Then runs each program on random arguments and checks `cpu` and `sim` against `interp`.
With --passes what the passes make of a program is run instead, by the interpreter.
Prints a line per run, and exits with 1 if one fails, if a program of the folder
is unknown here, or if one that is known is missing.

Inputs are `random`, floats in [-1, 1]; `integers`, floats that are small
integers, whose sums are exact in any order, so that results have to be;
`large`, floats so large that exponentials overflow unless they are scaled; and
`nan`, random floats with NaN among them.
"""

import argparse
import math
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import batch
from numpy_einsum import convert, difference, is_float, load, save


@dataclass
class Program:
    """A program of the folder.

    shapes: per argument the letters of its axes, and its element type unless f32.
    compute: from the arguments, with floats in f64, the last one after the run.
    sizes: the letters' sizes, one dictionary for each run.
    summed: the letters of the longest sum.
    inputs: the kinds of input to draw; after the first size only the last kind.
    limits: the least and the largest of the arguments that are integers.
    large: the bound of `large` floats.
    exact: whether results have to be exact for all inputs, not only integers.
    """
    shapes: str
    compute: callable
    sizes: list
    summed: str = ""
    inputs: tuple = ("random", "integers")
    large: float = 100
    exact: bool = False
    limits: tuple = (0, 2)
    types: list = field(init=False)

    def __post_init__(self):
        terms = [term.partition(":") for term in self.shapes.split(",")]
        self.types = [(letters.split(), element or "f32") for letters, _, element in terms]

    def draw(self, rng, sizes, kind):
        """The arguments before the run; that of the output is drawn as well."""
        arguments = []
        for letters, element in self.types:
            shape = [sizes[c] for c in letters]
            if not is_float(element):
                values = rng.integers(*self.limits, shape, endpoint=True)
            elif kind == "integers":
                values = rng.integers(-4, 4, shape, endpoint=True)
            else:
                values = rng.uniform(-1, 1, shape) * (self.large if kind == "large" else 1)
            if kind == "nan":
                values[::7] = math.nan
            arguments.append(convert(values, element))
        return arguments

    def expected(self, arguments):
        """The arguments after the run: the last one is the output."""
        wide = [x.astype(np.float64) if x.dtype.kind == "f" else x for x in arguments]
        with np.errstate(over="ignore"):
            return arguments[:-1] + [convert(self.compute(*wide), self.types[-1][1])]

    def tolerance(self, sizes, kind):
        """What `difference` may be: sums are formed in f32, in any order, and halves are rounded."""
        if self.exact or kind == "integers":
            return 0.0
        if self.types[-1][1] == "f16":
            return 2e-3
        return 1e-5 * math.sqrt(max(1, math.prod(sizes[c] for c in self.summed.split())))


# --------------------------------------------------------------------------
# The programs
# --------------------------------------------------------------------------


def softmax(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def layer_norm(x, weight, bias, y):
    centred = x - x.mean(axis=1, keepdims=True)
    return centred / np.sqrt(np.mean(centred**2, axis=1, keepdims=True) + 1e-5) * weight + bias


def attention(q, k, v, out):
    k, v = (np.repeat(x, q.shape[1] // x.shape[1], axis=1) for x in (k, v))
    return softmax(q @ k.swapaxes(2, 3) / math.sqrt(q.shape[3])) @ v


def conv2d(x, weight, y):
    rows, columns = y.shape[2:]
    return sum(np.einsum("nchw,kc->nkhw", x[:, :, r:r + rows, s:s + columns], weight[:, :, r, s])
               for r in range(3) for s in range(3))


def shift_conv(x, weight, sh, sw, y):
    rows, columns = y.shape[2:]
    return sum(np.einsum("nhw,k->nkhw", x[:, c, sh[c]:sh[c] + rows, sw[c]:sw[c] + columns], w)
               for c, w in enumerate(weight))


def letters(names, *sizes):
    """One dictionary per tuple of sizes."""
    return [dict(zip(names.split(), size, strict=True)) for size in sizes]


# Sizes of the file; as large as a tile; one less or more; of one element.
MATRICES = letters("m n k", (70, 53, 45), (64, 32, 16), (65, 31, 17), (1, 1, 1))
IMAGES = ((2, 5, 21, 7, 6), (1, 8, 16, 4, 8), (3, 1, 1, 1, 1), (1, 19, 33, 5, 7))

PROGRAMS = {
    "vector_add": Program("n, n, n", lambda x, y, z: x + y, exact=True,
                          inputs=("random",), sizes=letters("n", (1000,), (64,), (65,), (1,))),
    "transpose": Program("m n, n m", lambda x, y: x.T, exact=True,
                         inputs=("random",), sizes=letters("m n", (96, 80))),
    "transpose_masked": Program("m n, n m", lambda x, y: x.T, exact=True, inputs=("random",),
                                sizes=letters("m n", (70, 45), (32, 16), (31, 17), (1, 1))),
    "relu": Program("n, n", lambda x, y: np.where(x > 0, x, 0), exact=True,
                    inputs=("random", "nan"), sizes=letters("n", (500,), (64,), (63,), (1,))),
    "matmul": Program("m k, k n, m n", lambda a, b, c: a @ b, summed="k",
                      sizes=letters("m n k", (64, 48, 40))),
    "matmul_prefetched": Program("m k, k n, m n", lambda a, b, c: a @ b, MATRICES, "k"),
    "matmul_remat": Program("m k, k n, m n", lambda a, b, c: a @ b, MATRICES, "k"),
    "matmul_split_k": Program("m k, k n, m n", lambda a, b, c: c + a @ b, summed="k",
                              sizes=letters("m n k", (37, 29, 203), (32, 16, 48), (33, 17, 9))),
    "matmul_int8": Program("m k:i8, n k:i8, m n:i32", lambda a, b, c: a.astype(int) @ b.T.astype(int),
                           MATRICES, inputs=("integers",), limits=(-128, 127)),
    "matmul_nn": Program("m k:f16, k n:f16, m n", lambda a, b, c: a @ b, MATRICES, "k"),
    "matmul_nt": Program("m k:f16, n k:f16, m n", lambda a, b, c: a @ b.T, MATRICES, "k"),
    "matmul_tn": Program("k m:f16, k n:f16, m n", lambda a, b, c: a.T @ b, MATRICES, "k"),
    "matmul_tt": Program("k m:f16, n k:f16, m n", lambda a, b, c: a.T @ b.T, MATRICES, "k"),
    "prefix_sum": Program("m n:i32, m n:i32", lambda x, y: x.cumsum(axis=1), inputs=("integers",),
                          limits=(-100, 100), sizes=letters("m n", (5, 77), (1, 32), (2, 33), (1, 1))),
    "histogram": Program("n:i32, b:i32", lambda x, counts: counts + np.bincount(x, minlength=10),
                         inputs=("integers",), limits=(0, 9),
                         sizes=letters("n b", (500, 10), (64, 10), (65, 10), (1, 10))),
    "softmax": Program("m n, m n", lambda x, y: softmax(x), summed="n", inputs=("random", "large"),
                       sizes=letters("m n", (13, 77), (1, 32), (3, 1), (2, 33))),
    "layer_norm": Program("m n, n, n, m n", layer_norm, summed="n", inputs=("random", "large"),
                          sizes=letters("m n", (13, 77), (8, 32), (9, 31), (1, 2))),
    "batched_matmul": Program("n t h s:bf16, h e s:bf16, n h t e", summed="s",
                              compute=lambda q, k, out: np.einsum("nths,hes->nhte", q, k),
                              sizes=letters("n t h e s", (2, 70, 3, 37, 40), (1, 64, 1, 32, 16),
                                            (2, 1, 2, 33, 17))),
    "flash_attention": Program("n h t d:f16, n g s d:f16, n g s d:f16, n h t d:f16", attention,
                               inputs=("random", "large"), large=10,
                               sizes=letters("n h g t s d", (2, 4, 2, 37, 161, 64), (1, 1, 1, 128, 64, 64),
                                             (1, 2, 1, 1, 65, 64), (1, 1, 1, 3, 1, 64))),
    "conv2d": Program("b c h w, k c r s, b k p q", conv2d, summed="c r s",
                      sizes=[dict(b=b, c=c, k=k, p=p, q=q, h=p + 2, w=q + 2, r=3, s=3)
                             for b, c, k, p, q in IMAGES]),
    "shift_conv": Program("b c h w, c k, c:i32, c:i32, b k p q", shift_conv, summed="c",
                          sizes=[dict(b=b, c=c, k=k, p=p, q=q, h=p + 2, w=q + 2)
                                 for b, c, k, p, q in IMAGES]),
}

# --------------------------------------------------------------------------
# Runs
# --------------------------------------------------------------------------


def compare(tile_run, file, backend, compiled, program, arguments, allowed):
    """Runs once; returns what is wrong, if something is, and how large the error is."""
    with tempfile.TemporaryDirectory() as folder:
        inputs = [f"{folder}/in{i}.npy" for i in range(len(arguments))]
        outputs = [f"{folder}/out{i}.npy" for i in range(len(arguments))]
        for path, x, (_, element) in zip(inputs, arguments, program.types):
            save(path, x, element)
        status, text = batch.run([tile_run, file, f"--backend={backend}", *compiled,
                                  f"--inputs={','.join(inputs)}", f"--outputs={','.join(outputs)}"])
        if status != 0:
            return text or f"exit status {status}", ""
        got = [load(path, element) for path, (_, element) in zip(outputs, program.types)]
    expected = program.expected(arguments)
    error, where = difference(got[-1], expected[-1])
    changed = [f"argument {i} changed" for i, (x, before) in enumerate(zip(got, expected[:-1]))
               if x.tobytes() != before.tobytes()]
    what = f", error {error:.1e}, tolerance {allowed:.1e}"
    return "; ".join(changed) or (not error <= allowed and where), what


def check(tile_run, file, backend):
    """Random arguments on a backend against the interpreter; kernels are for another chip than the default one."""
    chip = ["--chip=sm_80"] if backend == "sim" else []
    status, text = batch.run([tile_run, file, f"--backend={backend}", *chip, "--random=7", "--check=interp"])
    return "" if status == 0 else text or f"exit status {status}", ""


def rewrite(tile_opt, passes, file, folder):
    """The file that the passes make of a program, in `folder`."""
    result = Path(folder, file.name)
    status, text = batch.run([tile_opt, f"--pass-pipeline={passes}", file, "-o", result])
    if status != 0:
        raise RuntimeError(f"{file.name}: passes: exit status {status}\n{text}")
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", required=True, help="path of tile-run")
    parser.add_argument("--part", default="0/1", help="only every Nth program, from the Ith")
    parser.add_argument("--only", choices=PROGRAMS, help="only the program of this name")
    parser.add_argument("--tile-opt", help="path of tile-opt, for --passes")
    parser.add_argument("--passes", help="a pipeline, builtin.module(...)")
    parser.add_argument("--seed", type=int, default=3, help="seed of the inputs")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    files = {file.stem: file for file in sorted(options.folder.glob("*.mlir"))}
    failed = files.keys() != PROGRAMS.keys()
    if failed:
        print(f"FAIL: known here or in the folder alone: {sorted(files.keys() ^ PROGRAMS.keys())}")
    first, step = map(int, options.part.split("/"))
    names = [options.only] if options.only else sorted(files.keys() & PROGRAMS.keys())[first::step]
    backends = ["interp"] if options.passes else ["interp", "cpu", "sim"]

    for name in names:
        program, runs = PROGRAMS[name], []
        with tempfile.TemporaryDirectory() as folder:
            file = rewrite(options.tile_opt, options.passes, files[name], folder) \
                if options.passes else files[name]
            for number, sizes in enumerate(program.sizes):
                for kind in program.inputs[-1:] if number else program.inputs:
                    arguments = program.draw(np.random.default_rng(options.seed), sizes, kind)
                    allowed = program.tolerance(sizes, kind)
                    label = f"{kind} " + " ".join(f"{c}={n}" for c, n in sizes.items())
                    runs += [(f"{backend} against NumPy, {label}",
                              compare(options.tile_run, file, backend, batch.compile_flags(len(runs)) * (backend != "interp"),
                                      program, arguments, allowed))
                             for backend in backends]
            runs += [(f"{backend} against interp", check(options.tile_run, file, backend))
                     for backend in backends[1:]]
        for label, (wrong, what) in runs:
            print(f"{name}: {label}: {'FAIL' if wrong else 'pass'}{what}")
            if wrong:
                failed = True
                print(wrong)
    print(f"{len(names)} programs")
    return failed


if __name__ == "__main__":
    sys.exit(main())
