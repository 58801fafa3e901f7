# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of linalg, before and after convert-linalg-to-einsum.

    linalg_programs.py --tools build/bin --folder /tmp/x --rounds 4 --seed 1

The interpreter runs what linalg says; it runs the converted program too, and so
does compiled code. Inputs are small integers, also as floats, so that every sum
is exact in any order and results have to be equal. The ops are named ones of
every kind and random generics, with random odd sizes, strides, dilations,
element types, static or dynamic, on tensors or memrefs, whose outputs are zero,
filled, or what the caller passed.
"""

import argparse
import random
import subprocess
import sys
from pathlib import Path

import numpy as np

NUMPY = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32}
# Elements of the operands and of the output.
ELEMENTS = ["f32 f32 f32", "f32 f32 f32", "f16 f16 f32", "f16 f16 f16", "f64 f64 f64", "f32 f32 f64", "f16 f32 f32",
            "i8 i8 i32", "i8 i8 i8", "i32 i32 i32", "i8 i32 i32"]

# Operands and output by their loops; an axis of two loops is a window.
NAMED = {
    "matmul": "mk kn mn",
    "batch_matmul": "bmk bkn bmn",
    "matvec": "mk k m",
    "vecmat": "k kn n",
    "batch_matvec": "bmk bk bm",
    "batch_vecmat": "bk bkn bn",
    "dot": "k k .",
    "mmt4d": "mkab nkcb mnac",
    "batch_mmt4d": "zmkab znkcb zmnac",
    "conv_1d": "hr r h",
    "conv_2d": "hr,ws rs hw",
    "conv_3d": "dt,hr,ws trs dhw",
    "conv_1d_nwc_wcf": "n,hr,c rcf nhf",
    "conv_1d_ncw_fcw": "n,c,hr fcr nfh",
    "conv_2d_nhwc_hwcf": "n,hr,ws,c rscf nhwf",
    "conv_2d_nhwc_fhwc": "n,hr,ws,c frsc nhwf",
    "conv_2d_nchw_fchw": "n,c,hr,ws fcrs nfhw",
    "conv_2d_ngchw_fgchw": "n,g,c,hr,ws fgcrs ngfhw",
    "conv_2d_ngchw_gfchw": "n,g,c,hr,ws gfcrs ngfhw",
    "conv_2d_nhwgc_gfhwc": "n,hr,ws,g,c gfrsc nhwgf",
    "conv_3d_ndhwc_dhwcf": "n,dt,hr,ws,c trscf ndhwf",
    "conv_3d_ncdhw_fcdhw": "n,c,dt,hr,ws fctrs nfdhw",
    "depthwise_conv_1d_nwc_wc": "n,hr,c rc nhc",
    "depthwise_conv_1d_ncw_cw": "n,c,hr cr nch",
    "depthwise_conv_1d_nwc_wcm": "n,hr,c rcm nhcm",
    "depthwise_conv_2d_nhwc_hwc": "n,hr,ws,c rsc nhwc",
    "depthwise_conv_2d_nchw_chw": "n,c,hr,ws crs nchw",
    "depthwise_conv_2d_nhwc_hwcm": "n,hr,ws,c rscm nhwcm",
    "depthwise_conv_3d_ndhwc_dhwc": "n,dt,hr,ws,c trsc ndhwc",
    "depthwise_conv_3d_ncdhw_cdhw": "n,c,dt,hr,ws ctrs ncdhw",
    "depthwise_conv_3d_ndhwc_dhwcm": "n,dt,hr,ws,c trscm ndhwcm",
    "pooling_nhwc_sum": "n,hr,ws,c rs nhwc",
    "pooling_nchw_sum": "n,c,hr,ws rs nchw",
    "pooling_nwc_sum": "n,hr,c r nhc",
    "pooling_ncw_sum": "n,c,hr r nch",
    "pooling_ndhwc_sum": "n,dt,hr,ws,c trs ndhwc",
}
OPS_PER_PROGRAM = 9

# Those without attributes for strides and dilations.
PLAIN = ["conv_1d", "conv_2d", "conv_3d"]


def parse(spec):
    """The axes of each operand, as strings of one or two loops."""
    terms = spec.split()
    return [[] if term == "." else term.split(",") if "," in term or term == "hr" else list(term) for term in terms]


class Program:
    """A function main, its arguments, and which of them are outputs."""

    def __init__(self, rng):
        self.rng = rng
        self.arguments, self.arrays, self.body, self.results = [], [], [], []
        self.number = 0

    def fresh(self):
        self.number += 1
        return f"%v{self.number}"

    def argument(self, shape, element, dims, kind):
        name = self.fresh()
        self.arguments.append(f"{name}: {kind}<{''.join(f'{d}x' for d in dims)}{element}>")
        numbers = np.random.default_rng(self.rng.randrange(2**32))
        self.arrays.append(numbers.integers(-2, 3, shape).astype(NUMPY[element]))
        return name, self.arguments[-1].split(": ")[1]

    def output(self, shape, element, kind, dynamic):
        """What the op writes to: an argument, or zeros; and its type."""
        dims = ["?" if dynamic else size for size in shape]
        name, type_ = self.argument(shape, element, dims, kind)
        start = self.rng.choice(["passed", "zero", "seven", "constant"])
        value = self.fresh()
        if start == "passed" or (start == "constant" and (dynamic or kind == "memref")):
            return name, type_
        number = 7 if start == "seven" else 0
        if start == "constant":
            self.body.append(f"{value} = arith.constant dense<{number}{'.0' if 'f' in element else ''}> : {type_}")
            return value, type_
        self.body.append(f"{value} = arith.constant {number}{'.0' if 'f' in element else ''} : {element}")
        if kind == "memref":
            self.body.append(f"linalg.fill ins({value} : {element}) outs({name} : {type_})")
            return name, type_
        filled = self.fresh()
        self.body.append(f"{filled} = linalg.fill ins({value} : {element}) outs({name} : {type_}) -> {type_}")
        return filled, type_

    def finish(self, op, region, type_, kind):
        """Adds the op, of which `region` follows the operands."""
        if kind == "memref":
            self.body.append(op + region)
            return
        result = self.fresh()
        self.body.append(f"{result} = {op}{region} -> {type_}")
        self.results.append((result, type_))

    def sizes(self, axes, steps, choices):
        """Shapes of operands of loops of random sizes, with a bit to spare in windows."""
        sizes = {loop: self.rng.choice(choices) for term in axes for axis in term for loop in axis}

        def size(axis):
            if len(axis) == 1:
                return sizes[axis]
            return 1 + sum((sizes[loop] - 1) * steps[loop] for loop in axis) + self.rng.choice([0, 0, 1, 2])
        return [[size(axis) for axis in term] for term in axes]

    def add_named(self, name, spec):
        axes = parse(spec)
        elements = self.rng.choice(ELEMENTS).split()
        kind = self.rng.choice(["tensor", "tensor", "memref"])
        dynamic = self.rng.random() < 0.3
        windows = [axis for axis in axes[0] if len(axis) == 2]
        steps = dict.fromkeys("".join(windows), 1)
        attributes = ""
        if windows and name not in PLAIN:
            for loop in steps:
                steps[loop] = self.rng.choice([1, 2, 3])
            listed = [", ".join(str(steps[axis[part]]) for axis in windows) for part in (0, 1)]
            attributes = (f" {{dilations = dense<[{listed[1]}]> : tensor<{len(windows)}xi64>, "
                          f"strides = dense<[{listed[0]}]> : tensor<{len(windows)}xi64>}}")
        shapes = self.sizes(axes, steps, [1, 2, 3, 3, 4] if name.count("3d") else [1, 2, 3, 5, 7])
        inputs = []
        for i, (shape, element) in enumerate(zip(shapes, elements[:2])):
            known = not dynamic or ("pooling" in name and i == 1)
            inputs.append(self.argument(shape, element, shape if known else ["?"] * len(shape), kind))
        output, type_ = self.output(shapes[2], elements[2], kind, dynamic)
        names, types = zip(*inputs)
        self.finish(f"linalg.{name}{attributes} ins({', '.join(names)} : {', '.join(types)}) outs({output} : {type_})",
                    "", type_, kind)

    def add_generic(self):
        """A generic of one to three factors with random maps, some axes of which are windows."""
        rng = self.rng
        loops = rng.sample("abcdefgh", rng.randint(1, 5))
        kept = rng.sample(loops, rng.randint(0, len(loops)))
        steps = {loop: rng.choice([1, 1, 2, 3]) for loop in loops}
        count = rng.randint(1, 3)
        axes = [[] for _ in range(count)]
        for loop in loops:  # each loop alone somewhere, so that its size is known
            for i in {rng.randrange(count), rng.randrange(count)}:
                axes[i].append(loop)
        for term in axes:
            if len(term) < 4 and len(loops) > 1 and rng.random() < 0.6:
                term.append("".join(rng.sample(loops, 2)))
            rng.shuffle(term)
        if all(term == kept for term in axes):
            return self.add_generic()  # element-wise: draw again
        elements = rng.choice(ELEMENTS).split()
        elements = [rng.choice(elements[:2]) for _ in range(count)] + [elements[2]]
        kind = rng.choice(["tensor", "tensor", "memref"])
        dynamic = rng.random() < 0.3
        shapes = self.sizes(axes + [kept], steps, [1, 2, 3])
        inputs = [self.argument(shape, element, ["?" if dynamic else size for size in shape], kind)
                  for shape, element in zip(shapes, elements[:-1])]
        output, type_ = self.output(shapes[-1], elements[-1], kind, dynamic)

        def expr(axis):
            return axis if len(axis) == 1 else " + ".join(f"{loop} * {steps[loop]}" for loop in axis)
        maps = [f"affine_map<({', '.join(loops)}) -> ({', '.join(map(expr, term))})>" for term in axes + [kept]]
        iterators = ", ".join('"parallel"' if loop in kept else '"reduction"' for loop in loops)
        acc = elements[-1]
        suffix = "f" if "f" in acc else "i"
        lines = [f"^bb0({', '.join(f'%e{i}: {e}' for i, e in enumerate(elements))}):"]
        factors = [f"%e{i}" for i in range(count)]
        for i in range(count):
            if elements[i] != acc:
                lines.append(f"  %x{i} = arith.ext{'f' if suffix == 'f' else 'si'} %e{i} : {elements[i]} to {acc}")
                factors[i] = f"%x{i}"
        rng.shuffle(factors)
        for i in range(1, count):
            lines.append(f"  %p{i} = arith.mul{suffix} {factors[0]}, {factors[i]} : {acc}")
            factors[0] = f"%p{i}"
        pair = [factors[0], f"%e{count}"]
        if len(kept) < len(loops) or rng.random() < 0.5:
            rng.shuffle(pair)
            lines.append(f"  %s = arith.add{suffix} {', '.join(pair)} : {acc}")
            pair = ["%s"]
        lines.append(f"  linalg.yield {pair[0]} : {acc}")
        names, types = zip(*inputs)
        self.finish(f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{iterators}]}} "
                    f"ins({', '.join(names)} : {', '.join(types)}) outs({output} : {type_}) ",
                    "{\n" + "\n".join(lines) + "\n}", type_, kind)

    def text(self):
        types = ", ".join(type_ for _, type_ in self.results)
        names = ", ".join(name for name, _ in self.results)
        return (f"func.func @main({', '.join(self.arguments)}) -> ({types}) {{\n" + "\n".join(self.body) +
                f"\nreturn {names} : {types}\n}}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=1, help="each with all named ops and as many generics")
    parser.add_argument("--compile-every", type=int, default=1, help="compile only every n-th program")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)

    def run(tool, file, *options):
        done = subprocess.run([args.tools / tool, file, *map(str, options)],
                              capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            sys.exit(f"{tool} {file} failed: {done.stderr}")

    ops = [*NAMED, *[None] * len(NAMED)] * args.rounds
    rng.shuffle(ops)
    for first in range(0, len(ops), OPS_PER_PROGRAM):
        program = Program(rng)
        names = ops[first:first + OPS_PER_PROGRAM]
        for name in names:
            if name:
                program.add_named(name, NAMED[name])
            else:
                program.add_generic()
        folder = args.folder / str(first)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "linalg.mlir").write_text(program.text())
        run("tile-opt", folder / "linalg.mlir", "--convert-linalg-to-einsum", "-o", folder / "einsum.mlir")
        text = (folder / "einsum.mlir").read_text()
        contractions = text.count("einsum.contract ")
        if contractions != len(names):
            sys.exit(f"{folder}: {contractions} of {len(names)} ops converted")

        inputs = [folder / f"in{i}.npy" for i in range(len(program.arrays))]
        for file, array in zip(inputs, program.arrays):
            np.save(file, array)
        count = len(program.results) + sum(": memref" in argument for argument in program.arguments)

        def answer(file, backend):
            outputs = [folder / f"{file}-{backend}{i}.npy" for i in range(count)]
            run("tile-run", folder / f"{file}.mlir", f"--backend={backend}", f"--inputs={','.join(map(str, inputs))}",
                f"--outputs={','.join(map(str, outputs))}")
            return [np.load(output) for output in outputs]
        reference = answer("linalg", "interp")
        for backend in ["interp", "cpu"]:
            if backend == "cpu" and first // OPS_PER_PROGRAM % args.compile_every:
                continue
            for i, (expected, found) in enumerate(zip(reference, answer("einsum", backend))):
                if expected.dtype != found.dtype or not np.array_equal(expected, found):
                    sys.exit(f"{folder}: output {i} on {backend}: expected\n{expected}\nfound\n{found}")
    print(f"{len(ops)} ops: all equal")


if __name__ == "__main__":
    main()
