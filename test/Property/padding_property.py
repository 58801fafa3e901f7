#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Property test of padded convolutions: random windows and borders, on vectors against the interpreter against NumPy.

    padding_property.py --tile-run build/bin/tile-run --count 200 --seed 1

Each case is a convolution of images by channels or by pixels, of each channel by itself or of all of them, with strides,
dilations and borders of any width on each side, of zeros or another number, through tensor.pad or pad = "zero"; in half
of them a bias is added and what is negative becomes 0. Images are large enough that operands are staged or bordered
(StagedOperand.h). Machines are drawn, too: small second caches divide images into blocks. Elements are small integers, so
that all sums are exact.

A failing case is kept as a .mlir file that is a test, with its inputs beside it. `--seed S --only N` draws case N alone.
Exit status: 0 if all agree, else 1.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
import batch  # noqa: E402

NUMPY = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "i32": np.int32, "i8": np.int8}
MACHINE = ('einsum.machine = #einsum.machine<cpu = "any", vector_bits = {bits}, registers = {registers}, fma = 2, latency = 4, '
           "l1 = 4096, l2 = {l2}, l3 = 16777216, cores = {cores}, bf16 = false>")


class Case:
    def __init__(self, seed, number):
        self.name = f"case_{seed}_{number}"
        self.header = f"// Case {number} of seed {seed}; to draw it again:\n//   padding_property.py --seed {seed} --only {number}\n"
        draw = self.random = random.Random(f"padding/{seed}/{number}")
        self.element = draw.choice(["f32", "f32", "f32", "f64", "f16", "i32", "i8"])
        self.sum = "i32" if self.element == "i8" else self.element
        self.kind = draw.choice(["depthwise", "depthwise", "depthwise", "dense"])
        self.order = draw.choice(["nhwc", "nhwc", "nchw"])
        batches = draw.choice([1, 1, 2, 3])
        channels = draw.choice([3, 8, 16, 20, 32, 40]) if self.kind == "depthwise" else draw.choice([3, 8, 16])
        window, strides, dilations = ([draw.choice(choices) for _ in "hw"] for choices in ([1, 2, 3, 3, 3, 5], [1, 1, 1, 2, 3], [1, 1, 1, 2]))
        low, high = ([draw.choice([0, 1, 1, 2, 3]) for _ in "hw"] for _ in "<>")
        reach = [(r - 1) * d + 1 for r, d in zip(window, dilations)]
        size = [max(draw.randint(3, 26), r - a - b) for r, a, b in zip(reach, low, high)]
        padded = [n + a + b for n, a, b in zip(size, low, high)]
        result = [(n - r) // s + 1 for n, r, s in zip(padded, reach, strides)]
        filters = channels if self.kind == "depthwise" else draw.choice([4, 16, 24])
        self.border = draw.choice([0, 0, 0, 3])
        by_attribute = self.border == 0 and draw.random() < 0.3
        self.has_epilogue = draw.random() < 0.5

        def order(n, c, h, w):
            return (n, c, h, w) if self.order == "nchw" else (n, h, w, c)

        numbers = np.random.default_rng(draw.randrange(2**32))
        self.image = numbers.integers(-3, 4, order(batches, channels, *size)).astype(NUMPY[self.element])
        shape = (filters, *window) if self.kind == "depthwise" else (filters, channels, *window)
        self.filter = numbers.integers(-2, 3, shape).astype(NUMPY[self.element])
        self.bias = numbers.integers(-9, 10, filters).astype(NUMPY[self.sum])

        axes = [f"{s}*{x}+{d}*{y}{-a:+}" if by_attribute else f"{s}*{x}+{d}*{y}"
                for s, x, d, y, a in zip(strides, "hw", dilations, "rs", low)]
        image = "".join(order("n", "c", *(f"({axis})" for axis in axes)))
        spec = f"{image}, {'crs' if self.kind == 'depthwise' else 'kcrs'} -> {''.join(order('n', 'c' if self.kind == 'depthwise' else 'k', 'h', 'w'))}"
        given, inner = self.type(self.image.shape), self.type(order(batches, channels, *padded))
        out = self.type(order(batches, filters, *result), self.sum)
        zero = "0" if self.sum == "i32" else "0.0"
        read, lines = "%x", []
        if not by_attribute:
            lows, highs = (", ".join(map(str, order(0, 0, *sizes))) for sizes in (low, high))
            value = f"{self.border}" if self.sum == "i32" else f"{self.border}.0"
            lines += [f"%border = arith.constant {value} : {self.element}", f"%p = tensor.pad %x low[{lows}] high[{highs}] {{",
                      "  ^bb0(%i: index, %j: index, %k: index, %l: index):", f"    tensor.yield %border : {self.element}",
                      f"}} : {given} to {inner}"]
            read, given = "%p", inner
        sizes = ", ".join(f"{x} = {n} : i64" for x, n in zip("hwrs", [*result, *window]))
        attributes = f"sizes = {{{sizes}}}" + (', pad = "zero"' if by_attribute else "")
        lines.append(f'%y = einsum.contract "{spec}" ({read}, %f) {{{attributes}}} : ({given}, {self.type(shape)}) -> {out}')
        returned = "%y"
        if self.has_epilogue:
            add, most = ("addi", "maxsi") if self.sum == "i32" else ("addf", "maximumf")
            c = "d1" if self.order == "nchw" else "d3"
            same = "affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>"
            lines += [f"%zero = arith.constant {zero} : {self.sum}", f"%e = tensor.empty() : {out}",
                      f"%z = linalg.generic {{indexing_maps = [{same}, affine_map<(d0, d1, d2, d3) -> ({c})>, {same}], iterator_types = "
                      f'["parallel", "parallel", "parallel", "parallel"]}} ins(%y, %b : {out}, {self.type(self.bias.shape, self.sum)}) outs(%e : {out}) {{',
                      f"  ^bb0(%u: {self.sum}, %v: {self.sum}, %w: {self.sum}):",
                      f"    %s = arith.{add} %u, %v : {self.sum}", f"    %t = arith.{most} %s, %zero : {self.sum}",
                      f"    linalg.yield %t : {self.sum}", f"}} -> {out}"]
            returned = "%z"
        bits, cores = draw.choice([128, 256, 512]), draw.choice([1, 2, 8])
        machine = MACHINE.format(bits=bits, registers=32 if bits == 512 else 16, cores=cores, l2=draw.choice([1 << 12, 1 << 14, 1 << 16, 1 << 20]))
        arguments = [("x", self.image, self.element), ("f", self.filter, self.element), ("b", self.bias, self.sum)]
        self.text = "\n".join([f"module attributes {{{machine}}} {{", f"func.func @main({', '.join(f'%{n}: {self.type(a.shape, e)}' for n, a, e in arguments)}) -> {out} {{",
                               *(f"  {line}" for line in lines), f"  return {returned} : {out}", "}", "}", ""])
        self.expected = self.compute(order, batches, filters, result, window, strides, dilations, low, high)

    def type(self, shape, element=None):
        return f"tensor<{''.join(f'{n}x' for n in shape)}{element or self.element}>"

    def compute(self, order, batches, filters, result, window, strides, dilations, low, high):
        """By NumPy, in integers."""
        image = self.image.astype(np.int64)
        image = image if self.order == "nchw" else image.transpose(0, 3, 1, 2)
        image = np.pad(image, ((0, 0), (0, 0), (low[0], high[0]), (low[1], high[1])), constant_values=self.border)
        answer = np.zeros((batches, filters, *result), np.int64)
        for r in range(window[0]):
            for s in range(window[1]):
                part = image[:, :, r * dilations[0]:, s * dilations[1]:][:, :, ::strides[0], ::strides[1]][:, :, :result[0], :result[1]]
                taps = self.filter[..., r, s].astype(np.int64)
                answer += part * taps[:, None, None] if self.kind == "depthwise" else np.einsum("nchw,kc->nkhw", part, taps)
        if self.has_epilogue:
            answer = np.maximum(answer + self.bias.astype(np.int64)[:, None, None], 0)
        return answer if self.order == "nchw" else answer.transpose(0, 2, 3, 1)

    def run(self, tile_run, folder):
        """What is wrong, or None."""
        path = Path(folder) / f"{self.name}.mlir"
        inputs = [path.with_suffix(f".{name}.npy") for name in "xfb"]
        for file, array in zip(inputs, (self.image, self.filter, self.bias)):
            np.save(file, array)
        flags = f"--check=interp --tolerance=0 --threads={self.random.choice([1, 2])}"
        path.write_text(f"// RUN: tile-run %s --inputs={','.join(f'%S/{file.name}' for file in inputs)} {flags}\n{self.header}\n{self.text}")
        output = path.with_suffix(".y.npy")
        status, text = batch.run([tile_run, path, f"--inputs={','.join(map(str, inputs))}", f"--outputs={output}", *flags.split()])
        if status != 0:
            return text
        return None if np.array_equal(np.load(output), self.expected) else "the answer is not that of NumPy"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", default="tile-run")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", default="failures", help="where cases that fail are kept")
    options = parser.parse_args()
    kinds, wrong = Counter(), 0
    for number in [options.only] if options.only is not None else range(options.count):
        case = Case(options.seed, number)
        kinds.update([case.kind, case.order, case.element])
        with tempfile.TemporaryDirectory() as folder:
            reason = case.run(options.tile_run, folder)
            if reason:
                wrong += 1
                keep = Path(options.keep)
                keep.mkdir(parents=True, exist_ok=True)
                for file in Path(folder).iterdir():
                    (keep / file.name).write_bytes(file.read_bytes())
                print(f"{case.name}: {reason}", flush=True)
    print("kinds:", ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))
    print(f"property: {sum(kinds.values()) // 3} convolutions, {wrong} mismatches, seed {options.seed}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
