#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels on tiles in random layouts, from the interpreter to the simulator.

A kernel converts tiles from one layout to another, within a warp and across, with arithmetic, predicates, scans and
loops in between; layouts are any linear maps, with copies too. Its result has to be the same, bit by bit, as it is; by
the interpreter after tile-promote-shared, tile-allocate-shared and tile-insert-barriers, with one buffer and with two;
and by the simulator, which also looks for races, after convert-tile-to-gpu.

    python3 tile_machine_property.py --tile-opt build/bin/tile-opt --tile-run build/bin/tile-run --count 100 --seed 1
"""

import random
import sys

sys.dont_write_bytecode = True  # leave no files in the source folder
from random_kernels import batch, check, main  # noqa: E402

SHAPES = [(512,), (64, 32), (128, 16), (8, 16, 16), (4, 4)]
ELEMENTS = ["i8", "i16", "i32", "f16", "f32", "f64"]
LANE_BITS, WARP_BITS = 5, 2


class Kernel:
    """Draws the text of a kernel, and of a host function that launches it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.shape = self.random.choice(SHAPES)
        self.element = self.random.choice(ELEMENTS)
        self.is_float = self.element[0] == "f"
        # Sums of bases are for conversions alone.
        self.is_mixed = self.random.random() < 0.5
        self.layouts = [self.layout() for _ in range(self.random.randint(2, 5))]
        self.count = 0
        self.indent = "  "
        self.lines = []

    def layout(self):
        r = self.random
        bases = [[(axis == i) << bit for i in range(len(self.shape))]
                 for axis, size in enumerate(self.shape) for bit in range(size.bit_length() - 1)]
        r.shuffle(bases)
        for _ in range(r.choice([0, 2, 5]) if self.is_mixed else 0):
            to, other = r.sample(range(len(bases)), 2)
            bases[to] = [x ^ y for x, y in zip(bases[to], bases[other])]
        threads = LANE_BITS + WARP_BITS
        copies = max(threads - len(bases), r.choice([0, 0, 1, 2]))
        hardware = bases[:threads - copies] + [[0] * len(self.shape)] * copies
        r.shuffle(hardware)
        return (f"#tile.layout<register = {bases[threads - copies:]}, lane = {hardware[:LANE_BITS]}, "
                f"warp = {hardware[LANE_BITS:]}>")

    def type(self, layout, element=None):
        return f"tensor<{'x'.join(map(str, self.shape))}x{element or self.element}, #l{layout}>"

    def memref(self):
        return f"memref<{'x'.join(map(str, self.shape))}x{self.element}>"

    def emit(self, text):
        name = f"%v{self.count}"
        self.count += 1
        self.lines.append(f"{self.indent}{name} = {text}")
        return name

    def constant(self, value, layout):
        return self.emit(f"arith.constant dense<{value}{'.0' if self.is_float else ''}> : {self.type(layout)}")

    def load(self):
        layout = self.random.randrange(len(self.layouts))
        zeros = ", ".join(["%c0"] * len(self.shape))
        return self.emit(f"tile.load_view %a[{zeros}] : {self.memref()} -> {self.type(layout)}"), layout

    def convert(self, value, layout, to, element=None):
        return self.emit(f"tile.convert_layout {value} : {self.type(layout, element)} -> {self.type(to, element)}")

    def maximum(self, left, right, layout):
        return self.emit(f"arith.{'maximumf' if self.is_float else 'maxsi'} {left}, {right} : {self.type(layout)}")

    def step(self, value, layout):
        """A tile made from another one, and its layout."""
        kind = self.random.random()
        to = self.random.randrange(len(self.layouts))
        if kind < 0.2 and not self.is_mixed:
            axis = self.random.randrange(len(self.shape))
            reverse = self.random.choice(["", " reverse"])
            return self.emit(f"tile.scan max {value} axis {axis}{reverse} : {self.type(layout)}"), layout
        if kind < 0.4:
            compare = "cmpf olt" if self.is_float else "cmpi slt"
            small = self.emit(f"arith.{compare}, {value}, {self.constant(1, layout)} : {self.type(layout)}")
            small = self.convert(small, layout, to, "i1")
            value = self.convert(value, layout, to)
            other = self.constant(3, to)
            return self.emit(f"arith.select {small}, {value}, {other} : {self.type(to, 'i1')}, {self.type(to)}"), to
        return self.convert(value, layout, to), to

    def steps(self, value, layout, least, most):
        for _ in range(self.random.randint(least, most)):
            value, layout = self.step(value, layout)
        return value, layout

    def loop(self, value, layout):
        """Three iterations that carry a tile, and may load another one."""
        carried = f"%carried{self.count}"
        result = self.emit(f"scf.for %i = %c0 to %c3 step %c1 iter_args({carried} = {value}) -> {self.type(layout)} {{")
        self.indent = "    "
        inside, now = self.steps(carried, layout, 0, 2)
        if self.random.random() < 0.6:
            loaded, its_layout = self.steps(*self.load(), 1, 2)
            inside, now = self.maximum(self.convert(inside, now, its_layout), loaded, its_layout), its_layout
        inside = self.convert(inside, now, layout)
        self.lines.append(f"    scf.yield {inside} : {self.type(layout)}\n  }}")
        self.indent = "  "
        return result, layout

    def text(self):
        value, layout = self.steps(*self.load(), 0, 3)
        for _ in range(self.random.randint(0, 2)):
            value, layout = self.steps(*self.loop(value, layout), 0, 2)
        zeros = ", ".join(["%c0"] * len(self.shape))
        aliases = "".join(f"#l{i} = {layout}\n" for i, layout in enumerate(self.layouts))
        body = "\n".join(self.lines)
        memref = self.memref()
        return f"""{aliases}
func.func @kernel(%a: {memref}, %b: {memref}) attributes {{tile.kernel, tile.num_warps = {1 << WARP_BITS} : i64}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
{body}
  tile.store_view {value}, %b[{zeros}] : {self.type(layout)}, {memref}
  return
}}
func.func @main(%a: {memref}, %b: {memref}) {{
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b) : {memref}, {memref}
  return
}}
"""


def run_kernel(args, folder, seed):
    program, result = folder / "kernel.mlir", folder / "b.npy"
    program.write_text(Kernel(seed).text())

    def run(path, backend):
        result.unlink(missing_ok=True)
        compiled = batch.compile_flags(seed) if backend == "sim" else []
        check([args.tile_run, path, f"--backend={backend}", *compiled, f"--random={seed}", f"--outputs={folder / 'a.npy'},{result}"],
              what=f"{path.name} on {backend}")
        return result.read_bytes()

    expected = run(program, "interp")
    for stages in (1, 2):
        lowered, device = folder / f"stages-{stages}.mlir", folder / f"stages-{stages}-gpu.mlir"
        check([args.tile_opt, program, f"--tile-select-config=config={{stages={stages}}}", "--tile-promote-shared",
               "--tile-allocate-shared=share-above=0", "--tile-insert-barriers", "-o", lowered], what="passes")
        check([args.tile_opt, lowered, "--tile-place-buffers", "--convert-tile-to-gpu", "-o", device], what="convert-tile-to-gpu")
        for path, backend in ((lowered, "interp"), (device, "sim")):
            if run(path, backend) != expected:
                raise RuntimeError(f"{path.name} on {backend}: other results")


if __name__ == "__main__":
    sys.exit(main(__doc__, run_kernel, lambda seed: Kernel(seed).text()))
