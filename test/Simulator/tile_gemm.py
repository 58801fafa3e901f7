"""Matrix products of tile kernels by mma.m8n8k4 on the simulator, against NumPy.

    tile_gemm.py --tile-opt PATH --tile-run PATH [--size 64,64,32] [--warps 2,2] [--steps 1]

All orders of A and B, both macro-MMAs (as far as they fit the warps), f16 and f32 accumulators: C += A B, through
swizzled shared memory, one tile along K after the other. Inputs are small integers, so that results are exact; there
are exactly as many mma instructions as needed, and no bank conflicts.
"""
import argparse
import itertools
import pathlib
import sys
import tempfile

import numpy as np
from harness import count
from tile_layouts import Case, run

MACROS = {"16x16x8": 16, "32x32x8": 32}


def fill_layout(rows, columns, warps, flip):
    """Runs of 8 elements of a row; if `flip`, of the transposed tile."""
    lanes = min(columns // 8, 32)
    sizes = [[rows, columns], [1, 8], [32 // lanes, lanes], [warps, 1], [1, 0]]
    if flip:
        sizes = [size[::-1] for size in sizes]
    keys = ("shape", "register", "lane", "warp", "order")
    return "#tile.layout<blocked " + ", ".join(f"{key} = {size}" for key, size in zip(keys, sizes)) + ">"


def make(rng, size, grid, steps, a_order, b_order, macro, acc):
    """The kernel of one program."""
    m, n, k = size
    warps = grid[0] * grid[1]
    tail = f"atom = volta_{macro}, warp = {list(grid)}>"
    acc_layout = f"#tile.layout<mma c {acc}, shape = {[m, n]}, {tail}"
    acc_type = f"tensor<{m}x{n}x{acc}, {acc_layout}>"
    text = f"  %acc = tile.load_view %2[%c0, %c0] : memref<{m}x{n}x{acc}> -> {acc_type}\n"
    shapes, loads, uses, offset = [], "", "", 0
    for i, (name, order, shape) in enumerate((("a", a_order, (m, k)), ("b", b_order, (k, n)))):
        rows, columns = shape if order == "row" else shape[::-1]
        k_axis = (1 - i) ^ (order != "row")  # of the tile in memory
        sizes = [rows, columns]
        sizes[k_axis] *= steps
        shapes.append(tuple(sizes))
        fill = fill_layout(rows, columns, warps, False)
        write = fill if order == "row" else fill_layout(rows, columns, warps, True)
        fragment = f"#tile.layout<mma {name} {order.replace('col', 'column')}, shape = {list(shape)}, {tail}"
        swizzle = f"#tile.layout<swizzle shape = {list(shape)}, bits = 16, write = {write}, read = {fragment}>"
        tile, use = (f"tensor<{shape[0]}x{shape[1]}xf16, {layout}>" for layout in (write, fragment))
        buffer = f"!tile.buffer<{shape[0]}x{shape[1]}xf16, {swizzle}>"
        text += f"  %s{name} = tile.alloc {{offset = {offset} : i64}} : {buffer}\n"
        offset += 2 * m * k if i == 0 else 2 * k * n
        indices = ["%c0", "%c0"]
        indices[k_axis] = "%k"
        loaded = f"tensor<{rows}x{columns}xf16, {fill}>"
        loads += (f"    %f{name} = tile.load_view %{i}[{', '.join(indices)}] : memref<{sizes[0]}x{sizes[1]}xf16> -> "
                  f"{loaded}\n")
        value = f"%f{name}"
        if order != "row":
            loads += f"    %t{name} = tile.trans {value} [1, 0] : {loaded}\n"
            value = f"%t{name}"
        loads += f"    tile.local_store {value}, %s{name} : {tile}, {buffer}\n"
        uses += f"    %u{name} = tile.local_load %s{name} : {buffer} -> {use}\n"
        if i == 0:
            use_a = use
    orders = [order.replace("col", "column") for order in (a_order, b_order)]
    text += f"""  %step = arith.constant {k} : index
  %end = arith.constant {k * steps} : index
  %sum = scf.for %k = %c0 to %end step %step iter_args(%before = %acc) -> ({acc_type}) {{
    tile.barrier
{loads}    tile.barrier
{uses}    %after = tile.mma %ua {orders[0]}, %ub {orders[1]}, %before atom <volta_{macro}> warps({grid[0]}, {grid[1]})
        : {use_a}, {use}, {acc_type}
    scf.yield %after : {acc_type}
  }}
  tile.store_view %sum, %3[%c0, %c0] : {acc_type}, memref<{m}x{n}x{acc}>
"""
    shapes += [(m, n), (m, n)]
    types = ["f16", "f16", acc, acc]
    inputs = [(rng.integers(-2, 3, shape)).astype(np.float16 if t == "f16" else np.float32)
              for shape, t in zip(shapes[:3], types)]

    def compute(a, b, c):
        a, b = (x.T if order != "row" else x for x, order in ((a, a_order), (b, b_order)))
        return a.astype(float) @ b.astype(float) + c
    return Case(warps, shapes, types, text, compute, shared=offset, inputs=inputs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-opt", required=True, help="path of tile-opt")
    parser.add_argument("--tile-run", required=True, help="path of tile-run")
    parser.add_argument("--size", default="64,64,32", help="M, N and K of the tile")
    parser.add_argument("--warps", default="2,2", help="rows and columns of warps")
    parser.add_argument("--steps", type=int, default=1, help="tiles along K")
    parser.add_argument("--keep", help="a file for the module")
    options = parser.parse_args()
    size, grid = (tuple(map(int, text.split(","))) for text in (options.size, options.warps))
    macros = [macro for macro, extent in MACROS.items()
              if all(extent * w <= s for w, s in zip(grid, size))]
    variants = list(itertools.product(("row", "col"), ("row", "col"), macros, ("f32", "f16")))
    rng = np.random.default_rng(1)
    cases = [make(rng, size, grid, options.steps, *variant) for variant in variants]
    with tempfile.TemporaryDirectory() as folder:
        complaints, launches = run(options, cases, folder)
        if options.keep:
            pathlib.Path(options.keep).write_text(pathlib.Path(folder, "lowered.mlir").read_text())
    expected = np.prod(size) * options.steps // 1024
    for variant, launch in zip(variants, launches):
        conflicts = [count(launch, f"shared.{kind}.conflicts") for kind in ("load", "store")]
        if launch["mma"] != expected or any(conflicts):
            complaints.append(f"{variant}: {launch['mma']} mma, expected {expected}; conflicts of shared loads and "
                              f"stores: {conflicts}")
    print("\n".join(complaints) or f"{len(cases)} products")
    return bool(complaints) or len(launches) != len(cases)


if __name__ == "__main__":
    sys.exit(main())
