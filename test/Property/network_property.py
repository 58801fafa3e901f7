#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Property test of networks: layers and residuals, compiled and simulated, against the interpreter.

    network_property.py --tile-run build/bin/tile-run --count 100 --seed 1

Each case is a function of two to seven layers: products, convolutions (padded,
strided, depthwise, of 1x1), pooling, biases and scales that are broadcast, clamps,
sums with values from before, and blocks of layers whose result is added to what
they read. A layer mostly reads the last value, now and then an earlier one, so that
values stay alive across ops that could overwrite them.
Elements are f32 or f16 and hold small integers: clamps keep every sum exact,
whatever its order, and results are compared exactly.

Many cases are one program, whose @main calls each of them: tile-run compiles a
program once for --backend=cpu, with schedules, and once for --backend=sim. If the
answers are not those of the interpreter, each case is run by itself.

A failing case is kept as a .mlir file that is a test, with its inputs beside it.
`--seed S --only N` draws case N alone. Exit status: 0 if all agree, else 1.
"""

import argparse
import math
import random
import shlex
import shutil
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
import batch  # noqa: E402

# The largest integers up to which all are numbers of the type.
EXACT = {"f32": 2**24, "f16": 2**11}
NUMPY = {"f32": np.float32, "f16": np.float16}
LARGEST_INPUT = 2
MAX_ELEMENTS = 2048
BATCH = 10  # cases of a program
# Layouts change wherever they can, not where that is faster. Small tiles, for which LLVM has less to do.
PIPELINES = {"cpu": ["--pipeline=einsum-choose-layouts{always=true},einsum-to-cpu-pipeline"],
             "sim": ["--pipeline=einsum-to-nvvm-pipeline{config={block=16x16x16}}"]}


@dataclass
class Value:
    name: str
    shape: tuple
    bound: int  # no element is larger
    used: bool = False


class Case:
    """One network: all of it follows from the seed and the case's number."""

    def __init__(self, seed, number):
        self.seed, self.number = seed, number
        self.random = random.Random(f"network/{seed}/{number}")
        self.element = self.random.choice(["f32", "f32", "f16"])
        self.arguments, self.inputs, self.body = [], [], []
        self.keeps_shape = False
        self.layers = Counter()
        images = self.chance(0.75)
        shape = ((self.random.choice([1, 1, 2]), self.size(), self.random.randint(3, 7), self.random.randint(3, 7))
                 if images else (self.size(), self.size()))
        self.values = [self.argument(shape)]
        for _ in range(self.random.randint(2, 7)):
            self.layer()
        if len(self.values) == 1:  # bounds or sizes refused each layer
            self.layers["clamp"] += 1
            self.values.append(self.clamp(self.values[0]))
        results = [v for v in self.values[1:] if not v.used or v is self.values[-1] or self.chance(0.1)]
        self.results = results[-4:]
        types = ", ".join(self.type(v.shape) for v in self.results)
        self.signature = f"({', '.join(self.type(x.shape) for x in self.inputs)}) -> ({types})"
        arguments = ", ".join(f"%{a}: {self.type(x.shape)}" for a, x in zip(self.arguments, self.inputs))
        self.text = "\n".join([
            f"func.func @{self.name}({arguments}) -> ({types}) {{", *(f"  {line}" for line in self.body),
            f"  return {', '.join(f'%{v.name}' for v in self.results)} : {types}", "}", ""])

    @property
    def name(self):
        return f"case_{self.seed}_{self.number}"

    # Drawing.

    def chance(self, probability):
        return self.random.random() < probability

    def size(self):
        return self.random.choice([1, 2, 3, 4, 5, 7, 8, 8, 12, 16, 16, 17, 24])

    def type(self, shape):
        return f"tensor<{''.join(f'{n}x' for n in shape)}{self.element}>"

    def draw(self, shape):
        integers = [self.random.randint(-LARGEST_INPUT, LARGEST_INPUT) for _ in range(math.prod(shape))]
        return np.array(integers, NUMPY[self.element]).reshape(shape)

    def argument(self, shape):
        name = f"a{len(self.arguments)}"
        self.arguments.append(name)
        self.inputs.append(self.draw(shape))
        return Value(name, shape, LARGEST_INPUT)

    def parameter(self, shape):
        """A weight: an argument, or a constant as in exported networks."""
        if self.chance(0.6) or math.prod(shape) > 200:
            return self.argument(shape)
        elements = str(self.draw(shape).astype(float).tolist())
        return self.emit(shape, LARGEST_INPUT, f"arith.constant dense<{elements}> : {self.type(shape)}")

    def emit(self, shape, bound, text, *used):
        for value in used:
            value.used = True
        name = f"v{len(self.body)}"
        self.body.append(f"%{name} = {text}")
        return Value(name, shape, bound)

    # Layers.

    def layer(self):
        x = self.values[-1] if self.chance(0.7) else self.random.choice(self.values)
        kinds = ["bias", "scale", "clamp", "clamp", "residual", "residual", "block", "block", "block"]
        if len(x.shape) == 4:
            kinds += ["1x1", "1x1", "1x1", "convolution", "depthwise", "depthwise", "sum pool", "max pool", "mean"]
        else:
            kinds += ["product"] * 5
        kind = self.random.choice(kinds)
        if kind == "residual" and not any(v is not x and v.shape == x.shape for v in self.values):
            kind = "clamp"
        value = self.make(kind, x)
        if value is None or math.prod(value.shape) > MAX_ELEMENTS:
            return
        self.layers[kind] += 1
        self.values.append(value)

    def make(self, kind, x):
        return getattr(self, kind.replace("1x1", "pointwise").replace(" ", "_"))(x)

    def block(self, x):
        """Layers that keep the shape, and a residual."""
        kinds = ["1x1", "convolution", "depthwise"] if len(x.shape) == 4 else ["product"]
        between = ["bias", "scale", "clamp", "clamp", None]
        self.keeps_shape = True
        y = x
        for _ in range(self.random.randint(1, 3)):
            for kind in (self.random.choice(between), self.random.choice(kinds), self.random.choice(between)):
                if kind:
                    y = self.make(kind, y)
                    self.values += [y] if self.chance(0.1) else []
        self.keeps_shape = False
        return self.add(y, x)

    def limited(self, x, terms):
        """x, or x clamped so that `terms` products of it with weights are exact."""
        most = EXACT[self.element] // (2 * LARGEST_INPUT * terms)
        return x if x.bound <= most else self.clamp(x, min(most, 6))

    def contract(self, spec, shape, terms, x, *weights, sizes=None, pad=False):
        x = self.limited(x, terms)
        weights = [self.parameter(w) for w in weights]
        attributes = ['pad = "zero"'] * pad
        if sizes:
            attributes.append("sizes = {" + ", ".join(f"{letter} = {n}" for letter, n in sizes.items()) + "}")
        operands = [x, *weights]
        bound = x.bound * terms * (LARGEST_INPUT if weights else 1)
        return self.emit(shape, bound, f'einsum.contract "{spec}" ({", ".join(f"%{v.name}" for v in operands)})'
                         + (f" {{{', '.join(attributes)}}}" if attributes else "")
                         + f" : ({', '.join(self.type(v.shape) for v in operands)}) -> {self.type(shape)}", *operands)

    def product(self, x):
        m, k = x.shape
        n = k if self.keeps_shape or self.chance(0.4) else self.size()
        if self.chance(0.3):
            return self.contract("mk, nk -> mn", (m, n), k, x, (n, k))
        return self.contract("mk, kn -> mn", (m, n), k, x, (k, n))

    def pointwise(self, x):
        n, c, h, w = x.shape
        k = c if self.keeps_shape or self.chance(0.4) else self.size()
        return self.contract("nchw, kc -> nkhw", (n, k, h, w), c, x, (k, c))

    def window(self, x):
        """Specification of two axes, their sizes after it and the size of the window."""
        size, stride = self.random.choice([2, 3, 3]), self.random.choice([1, 1, 2])
        pad = self.random.choice([0, size // 2, size // 2])
        if self.keeps_shape:
            size, stride, pad = 3, 1, 1
        after = tuple((n + 2 * pad - size) // stride + 1 for n in x.shape[2:])
        axes = "".join(f"({f'{stride}*' if stride > 1 else ''}{a}+{b}{f'-{pad}' if pad else ''})"
                       for a, b in ("hr", "ws"))
        return (axes, after, size, pad > 0) if min(after) > 0 else None

    def convolution(self, x):
        n, c, h, w = x.shape
        if not (window := self.window(x)):
            return None
        axes, after, size, pad = window
        k = c if self.keeps_shape else self.random.choice([2, 4, 8, c])
        return self.contract(f"nc{axes}, kcrs -> nkhw", (n, k, *after), c * size * size, x, (k, c, size, size),
                             sizes=dict(zip("hw", after)), pad=pad)

    def depthwise(self, x):
        n, c, h, w = x.shape
        if not (window := self.window(x)):
            return None
        axes, after, size, pad = window
        return self.contract(f"nc{axes}, crs -> nchw", (n, c, *after), size * size, x, (c, size, size),
                             sizes=dict(zip("hw", after)), pad=pad)

    def sum_pool(self, x):
        n, c, h, w = x.shape
        if not (window := self.window(x)):
            return None
        axes, after, size, pad = window
        return self.contract(f"nc{axes} -> nchw", (n, c, *after), size * size, x,
                             sizes={"r": size, "s": size} | dict(zip("hw", after)), pad=pad)

    def max_pool(self, x):
        n, c, h, w = x.shape
        if min(h, w) < 2:
            return None
        stride = self.random.choice([1, 2])
        shape = (n, c, (h - 2) // stride + 1, (w - 2) // stride + 1)
        least = self.emit((), 0, f"arith.constant {-float(x.bound)} : {self.element}")
        empty = self.emit((), 0, f"tensor.empty() : {self.type(shape)}")
        filled = self.emit(shape, 0, f"linalg.fill ins(%{least.name} : {self.element}) outs(%{empty.name} : "
                           f"{self.type(shape)}) -> {self.type(shape)}")
        window = self.emit((), 0, f"tensor.empty() : {self.type((2, 2))}")
        return self.emit(shape, x.bound, f"linalg.pooling_nchw_max {{strides = dense<{stride}> : tensor<2xi64>}} "
                         f"ins(%{x.name}, %{window.name} : {self.type(x.shape)}, {self.type((2, 2))}) "
                         f"outs(%{filled.name} : {self.type(shape)}) -> {self.type(shape)}", x)

    def mean(self, x):
        return self.contract("nchw -> nc", x.shape[:2], math.prod(x.shape[2:]), x)

    def broadcast(self, x):
        """A parameter, by channel or by column, as large as x."""
        parameter = self.parameter((x.shape[1],))
        other = [axis for axis in range(len(x.shape)) if axis != 1]
        empty = self.emit((), 0, f"tensor.empty() : {self.type(x.shape)}")
        return self.emit(x.shape, LARGEST_INPUT, f"linalg.broadcast ins(%{parameter.name} : "
                         f"{self.type(parameter.shape)}) outs(%{empty.name} : {self.type(x.shape)}) "
                         f"dimensions = {other}")

    def binary(self, op, x, y, bound):
        return self.emit(x.shape, bound, f"arith.{op} %{x.name}, %{y.name} : {self.type(x.shape)}", x, y)

    def bias(self, x):
        x = self.limited(x, 1)
        return self.binary("addf", x, self.broadcast(x), x.bound + LARGEST_INPUT)

    def scale(self, x):
        x = self.limited(x, 1)
        return self.binary("mulf", x, self.broadcast(x), x.bound * LARGEST_INPUT)

    def residual(self, x):
        return self.add(x, self.random.choice([v for v in self.values if v is not x and v.shape == x.shape]))

    def add(self, x, y):
        x, y = self.limited(x, 1), self.limited(y, 1)
        if self.chance(0.5):
            x, y = y, x
        return self.binary(self.random.choice(["addf", "addf", "addf", "subf", "maximumf"]), x, y, x.bound + y.bound)

    def splat(self, shape, number):
        return self.emit(shape, 0, f"arith.constant dense<{float(number)}> : {self.type(shape)}")

    def clamp(self, x, high=None):
        low = -high if high else self.random.choice([0, 0, -3])
        high = high or self.random.choice([None, 3, 6])
        if self.chance(0.3):
            return self.generic_clamp(x, low, high)
        x = self.binary("maximumf", x, self.splat(x.shape, low), x.bound)
        if high:
            x = self.binary("minimumf", x, self.splat(x.shape, high), min(x.bound, max(high, -low)))
        return x

    def generic_clamp(self, x, low, high):
        """As torch-mlir writes it."""
        type = self.type(x.shape)
        axes = ", ".join(f"d{i}" for i in range(len(x.shape)))
        identity = f"affine_map<({axes}) -> ({axes})>"
        empty = self.emit((), 0, f"tensor.empty() : {type}")
        constants = [self.emit((), 0, f"arith.constant {float(c)} : {self.element}")
                     for c in (low, high) if c is not None]
        lines, last = [], "in"
        for i, (op, c) in enumerate(zip(("olt", "ogt"), constants)):
            lines.append(f"    %c{i} = arith.cmpf {op}, %{last}, %{c.name} : {self.element}")
            lines.append(f"    %s{i} = arith.select %c{i}, %{c.name}, %{last} : {self.element}")
            last = f"s{i}"
        iterators = ", ".join(['"parallel"'] * len(x.shape))
        return self.emit(x.shape, x.bound if high is None else min(x.bound, max(high, -low)), "\n".join([
            f"linalg.generic {{indexing_maps = [{identity}, {identity}], iterator_types = [{iterators}]}}"
            f" ins(%{x.name} : {type}) outs(%{empty.name} : {type}) {{",
            f"  ^bb0(%in: {self.element}, %out: {self.element}):", *lines,
            f"    linalg.yield %{last} : {self.element}", f"  }} -> {type}"]), x)


# --------------------------------------------------------------------------
# Running them
# --------------------------------------------------------------------------


def get_program(cases):
    """The functions of the cases, and a @main that calls each with its own arguments."""
    parameters, calls, results = [], [], []
    for case in cases:
        names = [f"%{case.name}_{a}" for a in case.arguments]
        parameters += [f"{name}: {case.type(x.shape)}" for name, x in zip(names, case.inputs)]
        made = [(f"%{case.name}_r#{i}" if len(case.results) > 1 else f"%{case.name}_r", case.type(v.shape))
                for i, v in enumerate(case.results)]
        count = f":{len(made)}" if len(made) > 1 else ""
        calls.append(f"  %{case.name}_r{count} = func.call @{case.name}({', '.join(names)}) : {case.signature}")
        results += made
    types = ", ".join(type for _, type in results)
    return "\n".join([*(case.text for case in cases), f"func.func @main({', '.join(parameters)}) -> ({types}) {{",
                      *calls, f"  return {', '.join(name for name, _ in results)} : {types}", "}", ""])


def write(cases, folder, backends):
    """Writes a program and its inputs; returns its path and the arguments of tile-run for each backend."""
    path = Path(folder) / f"{cases[0].name}.mlir"
    names = []
    for case in cases:
        for argument, x in zip(case.arguments, case.inputs):
            names.append(f"{case.name}.{argument}.npy")
            np.save(path.with_name(names[-1]), x)

    def get_flags(folder):
        inputs = ",".join(folder + name for name in names)
        compiled = batch.compile_flags(cases[0].number // BATCH)
        return [[f"--backend={backend}", "--entry=main", f"--inputs={inputs}", "--check=interp", "--tolerance=0", *compiled,
                 *PIPELINES.get(backend, [])] for backend in backends]

    runs = "".join(f"// RUN: tile-run %s {shlex.join(flags)}\n" for flags in get_flags("%S/"))
    path.write_text(f"{runs}// network_property.py --seed {cases[0].seed} --only {cases[0].number}\n\n"
                    + get_program(cases))
    return path, get_flags(f"{path.parent}/")


def check(cases, tile_run, backends):
    """What is wrong with the answers of a program of these cases, or None."""
    with tempfile.TemporaryDirectory() as folder:
        path, runs = write(cases, folder, backends)
        for flags in runs:
            status, output = batch.run([tile_run, str(path), *flags])
            if status != 0:
                text = "\n".join(line for line in output.splitlines() if not line.startswith("launch "))
                return f"{flags[0]}: exit status {status}\n{text.strip()[-3000:]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--count", type=int, default=100, help="cases to draw")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, metavar="N", help="draw case N alone")
    parser.add_argument("--jobs", type=int, default=2, help="programs in flight")
    parser.add_argument("--backends", default="cpu,sim")
    parser.add_argument("--keep", default="property-failures", metavar="DIR", help="where failing cases go")
    options = parser.parse_args()
    backends = options.backends.split(",")
    tile_run = shutil.which(options.tile_run)
    if not tile_run:
        parser.error("--tile-run PATH of an executable is needed")
    numbers = list(range(options.count)) if options.only is None else [options.only]
    batches = [numbers[i:i + BATCH] for i in range(0, len(numbers), BATCH)]

    def work(numbers):
        cases = [Case(options.seed, number) for number in numbers]
        wrong = check(cases, tile_run, backends)
        if wrong and len(cases) > 1:
            alone = [(case, check([case], tile_run, backends)) for case in cases]
            found = [(case, text) for case, text in alone if text]
            # Each may be right by itself, or fail for another reason: then the program is what fails.
            return cases, [*found, (cases, wrong)]
        return cases, [(cases[0], wrong)] if wrong else []

    layers, elements, mismatches = Counter(), Counter(), 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for cases, found in pool.map(work, batches):
            for case in cases:
                layers += case.layers
                elements[case.element] += 1
            for failing, wrong in found:
                mismatches += 1
                failing = failing if isinstance(failing, list) else [failing]
                Path(options.keep).mkdir(parents=True, exist_ok=True)
                path, runs = write(failing, options.keep, backends)
                names = ", ".join(f"case {c.number}" for c in failing)
                print(f"\nMISMATCH: {names} of seed {options.seed}: {wrong}\n\n"
                      + "\n".join(case.text for case in failing)
                      + f"\nrun it:   {shlex.join(['tile-run', str(path), *runs[0]])}\n", flush=True)
    print("layers: " + ", ".join(f"{kind} {count}" for kind, count in sorted(layers.items())))
    print("elements: " + ", ".join(f"{element} {count}" for element, count in sorted(elements.items())))
    print(f"property: {len(numbers)} networks, {mismatches} mismatches, seed {options.seed}")
    return int(mismatches > 0)


if __name__ == "__main__":
    sys.exit(main())
