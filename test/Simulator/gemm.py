"""Writes matrix products C = A B for tensor cores in the LLVM and NVVM dialects, runs them, compares with NumPy.

    gemm.py --tile-run PATH [--mma m16n8k16] [--type f16] [--acc f32] [--a row] [--b col] ...
    gemm.py --emit FILE ...

The kernel: blocks of M x N elements, K after K; tiles of A and B lie in shared memory as they lie in global memory, in
chunks of 16 bytes that are XORed with bits of the row (--swizzle, searched for: no bank conflicts) or in padded rows
(--pad). They come through registers (--stages 1) or by cp.async in several stages. Fragments are loaded by plain
loads, as wide as they lie side by side, or by ldmatrix. Inputs are small integers: results are exact.
"""
import argparse
import itertools
import pathlib
import sys
import tempfile

import numpy as np
from emitter import Emitter, Tile
from fragments import get_mma
from harness import Case, check, run


class Gemm:
    """A kernel: emit() gives its text, case(file) its launch."""

    def __init__(self, options):
        o = self.options = options
        self.sizes, self.block, self.warps = (tuple(map(int, s.split(","))) for s in (o.size, o.tile, o.warps))
        storage = (o.a, o.b)
        layouts = storage if o.mma == "m8n8k4" else ("row", "col")
        self.mma = get_mma(o.mma, o.type, o.acc, *layouts)
        self.threads = 32 * self.warps[0] * self.warps[1]
        self.grid = (self.sizes[1] // self.block[1], self.sizes[0] // self.block[0])
        self.warp_tile = (self.block[0] // self.warps[0], self.block[1] // self.warps[1])
        bm, bn, bk = self.block
        # Operand 0 has rows along m if "row", operand 1 along n if "col": k lies side by side.
        self.along_k = (o.a == "row", o.b == "col")
        e = Emitter()
        self.e = e
        self.tiles = []
        offset = 0
        for operand, (extent, fragment) in enumerate(((bm, self.mma.a), (bn, self.mma.b))):
            rows, columns = (extent, bk) if self.along_k[operand] else (bk, extent)
            tile = Tile(rows, columns, self.mma.element_bytes, o.pad, offset, self.threads)
            self.check(tile, operand)
            self.tiles.append(tile)
            offset += tile.bytes
            if o.swizzle:
                tile.choose_swizzle(self.loads(operand, range(32)))
        self.stage_bytes = offset

    def check(self, tile, operand):
        """That threads take whole rows of chunks, and that a swizzle finds the parts of places in bits of their own."""
        step, rest = divmod(self.threads, tile.chunks)
        if rest or tile.rows % step:
            raise ValueError(f"{tile.rows} rows of {tile.chunks} chunks do not divide among {self.threads} threads")
        extents = [tile.chunks, min(step, 16)] + [self.warp_tile[operand]] * (not self.along_k[operand])
        if self.options.swizzle and any(extent & (extent - 1) for extent in extents):
            raise ValueError("a swizzle needs powers of two")

    # --- Fragments in shared memory

    def place(self, operand, coordinates):
        """(row, column) in the tile of (outer, k)."""
        return coordinates if self.along_k[operand] else coordinates[::-1]

    def fragment(self, operand):
        """Lane's part and elements as (outer, k), where outer is m or n."""
        f = (self.mma.a, self.mma.b)[operand]
        if operand == 0:
            return (f.rows, f.columns), f.elements
        return (f.columns, f.rows), [(n, k) for k, n in f.elements]

    def matrix_lane(self, operand):
        """ldmatrix.x4 loads 16 outer x 16 k: the lane's part of the row address as (outer, k). Registers come in
        the order of mma: for A outer first, for B k first."""
        low, high = {"l8": 1, "b3": 8}, {"b4": 8}
        outer, k = (low, high) if operand == 0 else ({"l8": 1, "b4": 8}, {"b3": 8})
        if not self.along_k[operand]:  # rows of the tile are k
            outer, k = ({"b3": 8}, {"l8": 1, "b4": 8}) if operand == 0 else ({"b4": 8}, {"l8": 1, "b3": 8})
        return outer, k

    def runs(self, operand):
        """The loads of a warp for one tile of the mma's outer extent and all k of the block: lists of the keys (k
        step, element) that one load gives, and the element part of its place."""
        _, elements = self.fragment(operand)
        places = {}
        for step in range(self.block[2] // self.mma.tile[2]):
            for i, (outer, k) in enumerate(elements):
                places[self.place(operand, (outer, k + step * self.mma.tile[2]))] = (step, i)
        width = 16 // self.mma.element_bytes
        result = []
        while places:
            start = min(places)
            keys = [places.pop(start)]
            row, column = start
            while len(keys) < width and (row, column + len(keys)) in places:
                keys.append(places.pop((row, column + len(keys))))
            result.append((keys, start))
        return result

    def loads(self, operand, lanes):
        """The places (row, column) and bytes of each lane in each load, for the search of a swizzle."""
        if self.options.ldmatrix:
            outer, k = self.matrix_lane(operand)
            yield [self.place(operand, (Emitter.value(outer, l), Emitter.value(k, l))) for l in lanes], 16
            return
        (outer, k), _ = self.fragment(operand)
        for keys, (row, column) in self.runs(operand):
            lane = [self.place(operand, (Emitter.value(outer, l), Emitter.value(k, l))) for l in lanes]
            yield [(r + row, c + column) for r, c in lane], len(keys) * self.mma.element_bytes

    # --- Emission

    def emit(self):
        e, o = self.e, self.options
        m, n, k = self.sizes
        bm, bn, bk = self.block
        tile_m, tile_n, tile_k = self.mma.tile
        copies = o.stages > 1
        e.begin(" ".join(f"--{key} {value}" for key, value in vars(o).items()
                         if key not in ("tile_run", "emit", "show") and value is not False),
                o.stages * self.stage_bytes)
        e.lane_symbols()
        m0 = e.multiply("%by", bm)
        n0 = e.multiply("%bx", bn)
        warp = e.op(f"llvm.lshr %tid, {e.constant(5)} : i32")
        warp_m = e.op(f"llvm.udiv {warp}, {e.constant(self.warps[1])} : i32")
        warp_n = e.op(f"llvm.urem {warp}, {e.constant(self.warps[1])} : i32")
        origins = (e.multiply(warp_m, self.warp_tile[0]), e.multiply(warp_n, self.warp_tile[1]))
        fills = [self.prepare_fill(i, (m0, n0)[i], ((m, k), (n, k))[i]) for i in (0, 1)]
        bases = [self.prepare_loads(i, origins[i]) for i in (0, 1)]
        registers = len(self.mma.c.elements) // (2 if o.acc == "f16" else 1)
        products = list(itertools.product(range(self.warp_tile[0] // tile_m), range(self.warp_tile[1] // tile_n)))
        kind = {"f32": "f32", "f16": "vector<2xf16>", "s32": "i32"}[o.acc]
        zero = e.zero(kind)
        steps = k // bk

        stage_type, first = [], []
        if copies:  # the stage that is read, the stage that is filled: byte offsets
            for stage in range(o.stages - 1):
                if stage < steps:
                    self.fill(fills, e.constant(stage * bk), e.constant(stage * self.stage_bytes))
                e.line("nvvm.cp.async.commit.group")
            stage_type = ["%read: i32", "%filled: i32"]
            first = [e.constant(0), e.constant((o.stages - 1) * self.stage_bytes)]
        accumulators = [f"%acc{i}" for i in range(len(products) * registers)]
        e.branch("loop", [e.constant(0)] + first + [zero] * len(accumulators),
                 ["%k0: i32"] + stage_type + [f"{a}: {kind}" for a in accumulators])
        if copies:
            e.line(f"nvvm.cp.async.wait.group {o.stages - 2}")
            e.line("nvvm.barrier  // filled, and the stage before is read")
            ahead = e.op(f"llvm.add %k0, {e.constant((o.stages - 1) * bk)} : i32")
            e.guard("copy", e.op(f'llvm.icmp "slt" {ahead}, {e.constant(k)} : i32'),
                    lambda: self.fill(fills, ahead, "%filled"))
            e.line("nvvm.cp.async.commit.group")
        else:
            self.fill(fills, "%k0", None)
        results = self.multiply(bases, products, accumulators, registers, kind, "%read" if copies else None)
        next_k = e.op(f"llvm.add %k0, {e.constant(bk)} : i32")
        rotated = [e.rotate(s, self.stage_bytes, o.stages) for s in ("%read", "%filled")] if copies else []
        more = e.op(f'llvm.icmp "slt" {next_k}, {e.constant(steps * bk)} : i32')
        types = ["i32"] * (1 + len(rotated)) + [kind] * len(results)
        e.line(f"llvm.cond_br {more}, ^loop({', '.join([next_k] + rotated + results)} : {', '.join(types)}), ^write")
        e.label("write")
        self.write(results, products, registers, kind, (m0, n0), origins)
        return e.finish()

    def prepare_fill(self, operand, outer0, extents):
        """Of the 16-byte chunks that this thread copies: a pointer to the first in global memory at k = 0, elements
        from one k to the next, and of each the elements behind the first and the pointer in shared memory."""
        e, tile = self.e, self.tiles[operand]
        pitch = extents[1] if self.along_k[operand] else extents[0]
        row = e.op(f"llvm.udiv %tid, {e.constant(tile.chunks)} : i32")
        chunk = e.op(f"llvm.urem %tid, {e.constant(tile.chunks)} : i32")
        column = e.multiply(chunk, 16 // tile.element_bytes)
        corner = (outer0, None) if self.along_k[operand] else (None, outer0)
        first = e.add(e.multiply(e.add(row, corner[0]), pitch), e.add(column, corner[1]))
        base = e.gep(f"%{'AB'[operand]}", first, f"i{8 * tile.element_bytes}", 1)
        shared = tile.prepare(e, row, column)
        rows = self.threads // tile.chunks
        chunks = [(j * rows * pitch, tile.pointer(e, shared, j * rows, 0)) for j in range(tile.rows // rows)]
        return base, 1 if self.along_k[operand] else pitch, chunks

    def fill(self, fills, k0, stage):
        """Copies the tiles at k0 into shared memory: through registers (no stage) or by cp.async."""
        e = self.e
        values = []
        for tile, (base, stride, chunks) in zip(self.tiles, fills):
            kind = f"i{8 * tile.element_bytes}"
            first = e.gep(base, e.multiply(k0, stride), kind, 1)
            for offset, target in chunks:
                source = e.gep(first, offset, kind, 1)
                if stage is None:
                    values.append((e.op(f"llvm.load {source} {{alignment = 16 : i64}} : !llvm.ptr<1> -> vector<4xi32>"),
                                   target))
                else:
                    e.line(f"nvvm.cp.async.shared.global {e.gep(target, stage, 'i8', 3)}, {source}, 16, cache = cg : "
                           "!llvm.ptr<3>, !llvm.ptr<1>")
        if stage is None:
            e.line("nvvm.barrier  // read")
            for value, target in values:
                e.line(f"llvm.store {value}, {target} {{alignment = 16 : i64}} : vector<4xi32>, !llvm.ptr<3>")
            e.line("nvvm.barrier  // filled")

    def prepare_loads(self, operand, origin):
        e = self.e
        outer, k = self.matrix_lane(operand) if self.options.ldmatrix else self.fragment(operand)[0]
        row, column = self.place(operand, (e.add(e.lane_sum(outer), origin), e.lane_sum(k)))
        return self.tiles[operand].prepare(e, row, column)

    def operand_registers(self, operand, base, stage):
        """A function of (tile of the outer extent, k step) that gives registers as values of type i32; loads are
        emitted when they are first needed."""
        e, mma, tile = self.e, self.mma, self.tiles[operand]
        known = {}
        per_register = 4 // mma.element_bytes
        tile_outer = mma.tile[operand]

        def load_matrices(number, step):
            big, big_k = number * tile_outer // 16, step * mma.tile[2] // 16
            pointer = tile.pointer(e, base, *self.place(operand, (16 * big, 16 * big_k)), stage)
            layout = "row" if self.along_k[operand] else "col"
            registers = e.unpack(e.op(f"nvvm.ldmatrix {pointer} {{num = 4 : i32, layout = #nvvm.mma_layout<{layout}>, "
                                      "shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = "
                                      "#nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> "
                                      "!llvm.struct<(i32, i32, i32, i32)>"), "i32", 4)
            for j, register in enumerate(registers):
                outer, k = (j & 1, j >> 1) if operand == 0 else (j >> 1, j & 1)
                outer, k = 16 * big + 8 * outer, 16 * big_k + 8 * k
                inner = (outer % tile_outer // 8, k % mma.tile[2] // 8)
                # Registers of A go through rows first.
                rank = inner[0] + (tile_outer // 8) * inner[1]
                known.setdefault((outer // tile_outer, k // mma.tile[2]), {})[rank] = register

        def load_plain(number, step):
            for keys, (row, column) in self.runs(operand):
                if (step, 0) not in keys and not any(key[0] == step for key in keys):
                    continue
                outer = self.place(operand, (number * tile_outer, 0))
                pointer = tile.pointer(e, base, row + outer[0], column + outer[1], stage)
                for key, value in zip(keys, e.load_elements(pointer, len(keys), mma.element_bytes)):
                    known.setdefault((number, key[0]), {})[key[1]] = value

        def get(number, step):
            if (number, step) not in known:
                (load_matrices if self.options.ldmatrix else load_plain)(number, step)
            found = known[number, step]
            values = [found[i] for i in sorted(found)]
            return values if self.options.ldmatrix else e.pack(values, mma.element_bytes, per_register)
        return get

    def multiply(self, bases, products, accumulators, registers, kind, stage):
        """All mma of one tile in shared memory; gives the new accumulators."""
        e, mma = self.e, self.mma
        get_a, get_b = (self.operand_registers(i, bases[i], stage) for i in (0, 1))
        operand_type = "vector<2xf16>" if mma.element == "f16" else "i32"
        attributes = [f"layoutA = #nvvm.mma_layout<{mma.layouts[0]}>", f"layoutB = #nvvm.mma_layout<{mma.layouts[1]}>",
                      "shape = #nvvm.shape<m = {}, n = {}, k = {}>".format(*mma.shape)]
        if mma.element != "f16":
            attributes += [f"multiplicand{x}PtxType = #nvvm.mma_type<{mma.element}>" for x in "AB"]
        if mma.element == "s8":
            attributes.append("intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>")
        result = f"!llvm.struct<({', '.join([kind] * registers)})>"
        values = list(accumulators)
        for step in range(self.block[2] // mma.tile[2]):
            for p, (i, j) in enumerate(products):
                a, b = ([e.cast(r, "i32", operand_type) for r in get(x, step)] for get, x in ((get_a, i), (get_b, j)))
                c = values[p * registers:(p + 1) * registers]
                d = e.op(f"nvvm.mma.sync A[{', '.join(a)}] B[{', '.join(b)}] C[{', '.join(c)}] "
                         f"{{{', '.join(attributes)}}} : ({operand_type}, {operand_type}, {kind}) -> {result}")
                values[p * registers:(p + 1) * registers] = e.unpack(d, kind, registers)
        return values

    def write(self, values, products, registers, kind, corner, origins):
        """Stores the accumulators, as wide as they lie side by side."""
        e, c = self.e, self.mma.c
        n = self.sizes[1]
        size = 2 if self.options.acc == "f16" else 4
        row = e.add(e.add(e.lane_sum(c.rows), corner[0]), origins[0])
        column = e.add(e.add(e.lane_sum(c.columns), corner[1]), origins[1])
        base = e.gep("%C", e.add(e.multiply(row, n), column), f"i{8 * size}", 1)
        for p, (i, j) in enumerate(products):
            words = [(c.elements[x * (4 // size)], e.cast(values[p * registers + x], kind, "i32"))
                     for x in range(registers)]
            while words:
                (r, q), _ = words[0]
                side = [w for (r2, q2), w in words if r2 == r and 0 <= q2 - q < 16 // size]
                side = side[:2] if size == 4 else side
                words = [x for x in words if x[1] not in side]
                pointer = e.gep(base, (i * self.mma.tile[0] + r) * n + j * self.mma.tile[1] + q, f"i{8 * size}", 1)
                e.store_words(side, pointer, 1)

    # --- Running

    def arrays(self, rng):
        m, n, k = self.sizes
        a, b = rng.integers(-3, 3, (m, k), endpoint=True), rng.integers(-3, 3, (k, n), endpoint=True)
        c = a @ b
        types = {"f16": np.float16, "bf16": np.float32, "tf32": np.float32, "s8": np.int8}
        result = {"f16": np.float16, "f32": np.float32, "s32": np.int32}[self.options.acc]
        stored = [(x if straight else x.T).astype(types[self.mma.element], order="C")
                  for x, straight in ((a, self.options.a == "row"), (b, self.options.b == "row"))]
        if self.mma.element == "bf16":  # small integers are exact in the upper half of an f32
            stored = [(x.view(np.uint32) >> 16).astype(np.uint16).view("V2") for x in stored]
        return [*stored, np.full((m, n), -77, result)], {2: c.astype(result)}

    def case(self, file):
        m, n, k = self.sizes
        tile = self.mma.tile
        counters = {"mma": m * n * k // (tile[0] * tile[1] * tile[2])}
        if self.options.swizzle:
            counters["shared.conflicts"] = 0
        chip = "sm_80" if self.options.stages > 1 or self.options.ldmatrix else self.mma.chip
        return Case(str(file), "gemm", self.arrays, self.grid, (self.threads,),
                    self.options.stages * self.stage_bytes, chip, 0, counters)


def get_options(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", help="path of tile-run")
    parser.add_argument("--emit", type=pathlib.Path, help="write the kernel into this file instead of running it")
    parser.add_argument("--mma", default="m16n8k16")
    parser.add_argument("--type", default="f16", help="f16, bf16, tf32 or s8")
    parser.add_argument("--acc", default="f32", help="f32, f16 or s32")
    parser.add_argument("--a", default="row", help="row: A lies as m x k; col: as k x m")
    parser.add_argument("--b", default="col", help="row: B lies as k x n; col: as n x k")
    parser.add_argument("--size", default="64,64,64", help="m,n,k of the product")
    parser.add_argument("--tile", default="64,64,32", help="of a block")
    parser.add_argument("--warps", default="2,2", help="of a block, along m and n")
    parser.add_argument("--stages", type=int, default=1)
    parser.add_argument("--ldmatrix", action="store_true")
    parser.add_argument("--swizzle", action="store_true")
    parser.add_argument("--pad", type=int, default=0, help="bytes after each row of a tile, a multiple of 16")
    parser.add_argument("--show", action="store_true", help="print the counters and the times")
    return parser.parse_args(arguments)


def main():
    options = get_options()
    gemm = Gemm(options)
    text = gemm.emit()
    if options.emit:
        options.emit.write_text(text)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "gemm.mlir")
        file.write_text(text)
        outcome = run(options.tile_run, gemm.case(file), file, ["--counters"] if options.show else [])
        complaint = check(gemm.case(file), outcome)
    if options.show:
        print(outcome.text)
    print(f"{options.mma} {options.type} {options.acc} {options.a} {options.b}: {complaint or 'pass'}")
    return bool(complaint)


if __name__ == "__main__":
    sys.exit(main())
