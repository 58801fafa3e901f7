#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random accesses to global memory by tiles in random layouts, from the interpreter to the simulator.

Each program of a kernel loads a block of an array by a view and the same block of another one by pointers and a mask,
and stores sums both ways. Arrays end within blocks, so that there is something to check; sizes are dynamic or static,
indices may be negative, what is known of sizes differs; layouts are any linear maps, with copies too. The results have
to be the same, bit by bit, from the interpreter and, after convert-tile-to-gpu, from the simulator, which also looks for
races, bounds and alignment.

    python3 tile_accesses_property.py --tile-opt build/bin/tile-opt --tile-run build/bin/tile-run --count 100 --seed 1
"""

import random
import sys

sys.dont_write_bytecode = True  # leave no files in the source folder
from random_kernels import check, main  # noqa: E402

BLOCKS = [(8, 16), (16, 16), (32, 8), (4, 64), (64, 2), (16, 32)]
ELEMENTS = ["i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"]
LANE_BITS = 5


class Layout:
    """Bases of registers, lanes and warps for a block of two axes."""

    def __init__(self, r, block, warp_bits):
        bits = [[(axis == i) << bit for i in range(2)]
                for axis, size in enumerate(block) for bit in range(size.bit_length() - 1)]
        r.shuffle(bits)
        threads = LANE_BITS + warp_bits
        # Neighbours along the last axis in registers, often: what makes vectors.
        runs = [[0, 1 << bit] for bit in range(r.choice([0, 0, 1, 2, 3, 4])) if 1 << bit < block[1]]
        rest = [basis for basis in bits if basis not in runs]
        used = min(len(rest), threads - r.choice([0, 0, 0, 1, 2]))
        self.register = runs + rest[used:]
        hardware = rest[:used] + [[0, 0]] * (threads - used)
        if r.random() < 0.5:
            r.shuffle(hardware)
        if r.random() < 0.3:
            self.register.insert(r.randint(0, len(self.register)), [0, 0])
        self.lane, self.warp = hardware[:LANE_BITS], hardware[LANE_BITS:]
        if r.random() < 0.3:
            bases = self.register + self.lane + self.warp
            for _ in range(2):
                to, other = r.sample(range(len(bases)), 2)
                bases[to][:] = [x ^ y for x, y in zip(bases[to], bases[other])] if any(bases[to]) else bases[to]

    def text(self, of=list):
        return "#tile.layout<" + ", ".join(
            f"{name} = {[of(basis) for basis in bases]}"
            for name, bases in (("register", self.register), ("lane", self.lane), ("warp", self.warp))) + ">"


def draw(seed):
    """The text of a kernel, and of a host function that launches it."""
    r = random.Random(seed)
    (m, n), element = r.choice(BLOCKS), r.choice(ELEMENTS)
    warp_bits = r.choice([0, 1, 2])
    layout = Layout(r, (m, n), warp_bits)
    grid_m, grid_n = r.randint(1, 3), r.randint(1, 3)
    height = r.randint(m * (grid_m - 1) + 1, m * grid_m)
    width = r.choice([n * grid_n, r.randint(n * (grid_n - 1) + 1, n * grid_n), n * grid_n - n // 2])
    # The blocks of the views may begin before the array.
    before = r.choice([0, 0, 1, n // 2])
    is_dynamic = r.random() < 0.4
    # Rows that the pointers go along may begin anywhere.
    stride, shift = r.choice([width, -(-width // 16) * 16]), r.choice([0, 0, 1, 2])
    padded = f"memref<{height + 1}x{stride}x{element}>"
    array = f"memref<{height}x{width}x{element}>"
    view = f"memref<?x?x{element}>" if is_dynamic else array
    add = "addi" if element[0] == "i" else "addf"
    tile = f"tensor<{m}x{n}x{element}, #l>"
    pointers = f"tensor<{m}x{n}x!tile.ptr<{element}>, #l>"
    numbers, mask = f"tensor<{m}x{n}xi32, #l>", f"tensor<{m}x{n}xi1, #l>"
    rows, columns = f"tensor<{m}xi32, #r>", f"tensor<{n}xi32, #c>"

    def size(value):
        factor = value & -value if value else 16
        return f"i32 {{tile.multiple_of = {factor} : i64}}" if r.random() < 0.8 else "i32"

    def pass_view(name):
        return f"  %{name}v = memref.cast %{name} : {array} to {view}" if is_dynamic else ""

    suffix = "v" if is_dynamic else ""
    return f"""#l = {layout.text()}
#r = {layout.text(lambda basis: basis[:1])}
#r1 = {layout.text(lambda basis: [basis[0], 0])}
#c = {layout.text(lambda basis: basis[1:])}
#c1 = {layout.text(lambda basis: [0, basis[1]])}
func.func @kernel(%a: {view} {{tile.readonly}}, %p: !tile.ptr<{element}> {{tile.readonly}}, %b: {view},
                  %q: !tile.ptr<{element}>, %h: {size(height)}, %w: {size(width)},
                  %s: {size(stride)}, %t: {size(shift)})
    attributes {{tile.kernel, tile.num_warps = {1 << warp_bits} : i64}} {{
  %m = arith.constant {m} : i32
  %n = arith.constant {n} : i32
  %before = arith.constant {before} : index
  %x = tile.program_id x
  %y = tile.program_id y
  %i0 = arith.muli %y, %m : i32
  %j0 = arith.muli %x, %n : i32
  %i = arith.index_cast %i0 : i32 to index
  %j1 = arith.index_cast %j0 : i32 to index
  %j = arith.subi %j1, %before : index
  %v = tile.load_view %a[%i, %j] : {view} -> {tile}
  %ri = tile.range 0 to {m} : {rows}
  %ci = tile.range 0 to {n} : {columns}
  %rs = tile.splat %i0 : i32 -> {rows}
  %cs = tile.splat %j0 : i32 -> {columns}
  %ra = arith.addi %ri, %rs : {rows}
  %ca = arith.addi %ci, %cs : {columns}
  %rr = tile.reshape %ra : {rows} -> tensor<{m}x1xi32, #r1>
  %cc = tile.reshape %ca : {columns} -> tensor<1x{n}xi32, #c1>
  %row = tile.broadcast %rr : tensor<{m}x1xi32, #r1> -> {numbers}
  %column = tile.broadcast %cc : tensor<1x{n}xi32, #c1> -> {numbers}
  %hs = tile.splat %h : i32 -> {numbers}
  %ws = tile.splat %w : i32 -> {numbers}
  %above = arith.cmpi slt, %row, %hs : {numbers}
  %left = arith.cmpi slt, %column, %ws : {numbers}
  %inside = arith.andi %above, %left : {mask}
  %ss = tile.splat %s : i32 -> {numbers}
  %ts = tile.splat %t : i32 -> {numbers}
  %start = arith.muli %row, %ss : {numbers}
  %shifted = arith.addi %start, %ts : {numbers}
  %offset = arith.addi %shifted, %column : {numbers}
  %ps = tile.splat %p : !tile.ptr<{element}> -> {pointers}
  %pp = tile.addptr %ps, %offset : {pointers}, {numbers}
  %u = tile.load %pp mask %inside {r.choice(["", "other %v"])} : {pointers}
  %sum = arith.{add} %u, %v : {tile}
  tile.store_view %sum, %b[%i, %j] : {tile}, {view}
  %qs = tile.splat %q : !tile.ptr<{element}> -> {pointers}
  %qp = tile.addptr %qs, %offset : {pointers}, {numbers}
  %twice = arith.{add} %sum, %sum : {tile}
  tile.store %qp, %twice mask %inside : {pointers}
  return
}}
func.func @main(%a: {array}, %p: {padded}, %b: {array}, %q: {padded}) {{
  %x = arith.constant {grid_n} : index
  %y = arith.constant {grid_m} : index
  %c1 = arith.constant 1 : index
  %h = arith.constant {height} : i32
  %w = arith.constant {width} : i32
  %s = arith.constant {stride} : i32
  %t = arith.constant {shift} : i32
{pass_view("a")}
{pass_view("b")}
  tile.launch @kernel grid(%x, %y, %c1) (%a{suffix}, %p, %b{suffix}, %q, %h, %w, %s, %t)
      : {view}, {padded}, {view}, {padded}, i32, i32, i32, i32
  return
}}
"""


def run_kernel(args, folder, seed):
    program, device = folder / "kernel.mlir", folder / "gpu.mlir"
    program.write_text(draw(seed))
    check([args.tile_opt, program, "--tile-place-buffers", "--convert-tile-to-gpu", "-o", device], what="convert-tile-to-gpu")

    def run(path, backend):
        outputs = [folder / f"{backend}-{name}.npy" for name in "apbq"]
        check([args.tile_run, path, f"--backend={backend}", "--entry=main", f"--random={seed}",
               "--outputs=" + ",".join(map(str, outputs))], what=backend)
        return [output.read_bytes() for output in outputs]

    if run(program, "interp") != run(device, "sim"):
        raise RuntimeError("the simulator gives other results than the interpreter")


if __name__ == "__main__":
    sys.exit(main(__doc__, run_kernel, draw))
