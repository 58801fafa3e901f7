"""Random tile kernels with layouts on the simulator, against NumPy.

    tile_layouts.py --tile-opt PATH --tile-run PATH --kind KIND [--seed N] [--count N] [--batch N] [--keep FILE]

A layout is random bases: units of the tile or sums of them, in any order among registers, lanes and warps, and some
copies. A case is a kernel of one program that loads a view, does one thing and stores the result; numbers are small
integers, so that results are exact. Also fails if the simulator finds a fault, such as a race.
"""
import argparse
import json
import pathlib
import sys
import tempfile
from dataclasses import dataclass, field

import numpy as np
from harness import batch, compare

LANE_BITS = 5
TYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.float32, "i64": np.int64, "i32": np.int32,
         "i16": np.int16, "i8": np.int8, "i1": np.int8}
# What memory has for types that NumPy does not have, and the casts from and to it.
STORED = {"bf16": ("f32", "arith.truncf", "arith.extf"), "i1": ("i8", "arith.trunci", "arith.extui")}


# --- Bits: bases are element numbers in row-major order

def bits(number):
    return number.bit_length() - 1


def rank(vectors):
    """The dimension of the space that they span, with exclusive or as addition."""
    basis = []
    for vector in vectors:
        for other in basis:
            vector = min(vector, vector ^ other)
        if vector:
            basis.append(vector)
    return len(basis)


def span_element(rng, vectors):
    """A random sum of some."""
    total = 0
    for vector in vectors:
        if rng.integers(2):
            total ^= vector
    return total


def independent(rng, count, dense):
    """`count` independent bases of as many bits: units in random order, or any."""
    units = [1 << int(b) for b in rng.permutation(count)]
    while dense:
        vectors = [int(v) for v in rng.integers(1, 1 << count, count)]
        if rank(vectors) == count:
            return vectors
    return units


@dataclass
class Layout:
    shape: tuple
    registers: list
    lanes: list
    warps: list

    def coordinate(self, element):
        return [int(i) for i in np.unravel_index(element, self.shape)]

    def __str__(self):
        parts = [f"{name} = {[self.coordinate(v) for v in bases]}" for name, bases in
                 (("register", self.registers), ("lane", self.lanes), ("warp", self.warps))]
        return f"#tile.layout<{', '.join(parts)}>"


def random_shape(rng, min_bits=2, max_rank=3, max_bits=9):
    while True:
        shape = tuple(1 << int(b) for b in rng.integers(0, 6, rng.integers(1, max_rank + 1)))
        if min_bits <= bits(int(np.prod(shape))) <= max_bits:
            return shape


def random_layout(rng, shape, warp_bits):
    """Any."""
    size = bits(int(np.prod(shape)))
    threads = LANE_BITS + warp_bits
    copies = int(rng.integers(0, 3)) * int(rng.integers(0, 2))  # in registers or instead of others
    places = max(size, threads) + copies
    vectors = independent(rng, size, rng.integers(3) == 0)
    while len(vectors) < places:
        vectors.append(span_element(rng, vectors) if rng.integers(4) == 0 else 0)
    vectors = [vectors[i] for i in rng.permutation(places)]
    return Layout(shape, vectors[threads:], vectors[:LANE_BITS], vectors[LANE_BITS:threads])


def other_layout(rng, layout):
    """Of the same elements in each warp, and such that shuffles can get there: with copies, some layouts need shared
    memory."""
    registers, lanes = ([bases[i] for i in rng.permutation(len(bases))] for bases in (layout.registers, layout.lanes))
    warps, inside = layout.warps, registers + lanes
    choice = rng.integers(4)
    if choice == 0 or rank(registers) + rank(lanes) > rank(inside):
        lanes = layout.lanes
    elif choice > 1 and rank(inside) == len(inside):
        if choice == 2:  # units change places
            inside = [inside[i] for i in rng.permutation(len(inside))]
        else:
            inside = [sum_of(inside, row) for row in independent(rng, len(inside), True)]
            warps = [w ^ span_element(rng, inside) for w in warps]
        registers, lanes = inside[LANE_BITS:], inside[:LANE_BITS]
    if rng.integers(4) == 0:
        registers = registers + [span_element(rng, registers)]
    return Layout(layout.shape, registers, lanes, warps)


def sum_of(vectors, mask):
    total = 0
    for i, vector in enumerate(vectors):
        if mask >> i & 1:
            total ^= vector
    return total


def layout_within_warps(rng, shape, axis, warp_bits):
    """No warp has a part of the axis: the axis is spanned by registers and lanes."""
    size = bits(int(np.prod(shape)))
    shift = bits(int(np.prod(shape[axis + 1:])))
    along = [1 << (shift + b) for b in range(bits(shape[axis]))]
    others = [1 << b for b in range(size) if 1 << b not in along]
    others = [others[i] for i in rng.permutation(len(others))]
    for_warps = others[:int(rng.integers(0, min(len(others), warp_bits) + 1))]
    inside = along + others[len(for_warps):]
    if rng.integers(3) == 0:
        inside = [sum_of(inside, row) for row in independent(rng, len(inside), True)]
        for_warps = [w ^ span_element(rng, inside) for w in for_warps]
    while len(for_warps) < warp_bits:
        for_warps.append(span_element(rng, inside + for_warps) if rng.integers(3) == 0 else 0)
    places = LANE_BITS + max(len(inside) - LANE_BITS, 0) + int(rng.integers(0, 2))
    while len(inside) < places:
        inside.append(span_element(rng, inside) if rng.integers(4) == 0 else 0)
    inside = [inside[i] for i in rng.permutation(len(inside))]
    for_warps = [for_warps[i] for i in rng.permutation(warp_bits)]
    return Layout(shape, inside[LANE_BITS:], inside[:LANE_BITS], for_warps)


def remove_axis(layout, axis):
    """As tile.reduce's result: registers that are sums of those before go."""
    shape = layout.shape[:axis] + layout.shape[axis + 1:]

    def project(vector):
        rest = [c for i, c in enumerate(layout.coordinate(vector)) if i != axis]
        return int(np.ravel_multi_index(rest, shape)) if shape else 0
    registers = []
    for vector in map(project, layout.registers):
        if rank(registers + [vector]) > len(registers):
            registers.append(vector)
    return Layout(shape, registers, [project(v) for v in layout.lanes], [project(v) for v in layout.warps])


# --- Cases

@dataclass
class Case:
    """A kernel of arguments %0, %1, ..., all memrefs; the last one is its result."""
    warps: int
    shapes: list      # of the arguments
    types: list
    body: str
    compute: callable  # from the inputs to the result
    shared: int = 0
    inputs: list = field(default_factory=list)

    def kernel(self, name):
        arguments = ", ".join(f"%{i}: {memref(self.shapes[i], self.types[i])}" for i in range(len(self.shapes)))
        shared = f", tile.shared_bytes = {self.shared} : i64" if self.shared else ""
        return (f"func.func @{name}({arguments})\n    attributes {{tile.kernel, tile.num_warps = {self.warps} : i64"
                f"{shared}}} {{\n  %c0 = arith.constant 0 : index\n{self.body}  return\n}}\n")


def tensor(shape, element, layout):
    return f"tensor<{'x'.join(map(str, shape + (element,)))}, {layout}>"


def memref(shape, element):
    return f"memref<{'x'.join(map(str, shape + (STORED.get(element, (element,))[0],)))}>"


def load(i, shape, element, layout):
    """%xI is argument I."""
    stored, cast, _ = STORED.get(element, (element, None, None))
    name, result = f"%x{i}", tensor(shape, stored, layout)
    text = (f"  {'%s' + str(i) if cast else name} = tile.load_view %{i}[{', '.join(['%c0'] * len(shape))}] : "
            f"{memref(shape, element)} -> {result}\n")
    return text + (f"  {name} = {cast} %s{i} : {result} to {tensor(shape, element, layout)}\n" if cast else "")


def store(value, i, shape, element, layout):
    """To argument I."""
    stored, _, cast = STORED.get(element, (element, None, None))
    text, kind = "", tensor(shape, stored, layout)
    if cast:
        text = f"  %stored = {cast} {value} : {tensor(shape, element, layout)} to {kind}\n"
        value = "%stored"
    return text + (f"  tile.store_view {value}, %{i}[{', '.join(['%c0'] * len(shape))}] : {kind}, "
                   f"{memref(shape, element)}\n")


def small(rng, shape, element):
    return rng.integers(*((0, 2) if element == "i1" else (-8, 8)), shape).astype(TYPES[element])


def make_convert(rng):
    element = str(rng.choice(list(TYPES)))
    warp_bits = int(rng.integers(0, 3))
    shape = random_shape(rng, min_bits=int(rng.choice([2, LANE_BITS + warp_bits + 1])))
    src = random_layout(rng, shape, warp_bits)
    dst = other_layout(rng, src)
    body = load(0, shape, element, src)
    body += (f"  %y = tile.convert_layout %x0 : {tensor(shape, element, src)} -> {tensor(shape, element, dst)}\n")
    body += store("%y", 1, shape, element, dst)
    return Case(1 << warp_bits, [shape, shape], [element] * 2, body, lambda x: x, inputs=[small(rng, shape, element)])


def make_shared(rng):
    """Through shared memory, in a stage of several."""
    element = str(rng.choice([name for name in TYPES if name != "i1"]))  # which buffers do not have
    warp_bits = int(rng.integers(0, 3))
    shape = random_shape(rng)
    size = bits(int(np.prod(shape)))
    writer, reader = random_layout(rng, shape, warp_bits), random_layout(rng, shape, warp_bits)
    stages = int(rng.choice([0, 2, 4]))
    order = ""
    if rng.integers(4):
        bases = independent(rng, size, rng.integers(2))
        if rng.integers(2):  # vectors
            bases = sorted(bases)
        order = ", #tile.layout<offset = " + str([[int(i) for i in np.unravel_index(b, shape)] for b in bases]) + ">"
    elif stages:
        stages = 3
    sizes = ((stages,) if stages else ()) + shape
    buffer = f"!tile.buffer<{'x'.join(map(str, sizes + (element,)))}{order}>"
    index = "[%s]" if stages else ""
    offset = 16 * int(rng.integers(0, 3))
    total = offset + int(np.prod(sizes)) * (2 if element == "bf16" else np.dtype(TYPES[element]).itemsize)
    body = load(0, shape, element, writer)
    body += f"  %stage = arith.constant {int(rng.integers(0, stages)) if stages else 0} : i32\n"
    body += "  %id = tile.program_id x\n  %sum = arith.addi %id, %stage : i32\n"
    body += "  %s = arith.index_cast %sum : i32 to index\n"
    body += f"  %b = tile.alloc {{offset = {offset} : i64}} : {buffer}\n"
    body += f"  tile.local_store %x0, %b{index} : {tensor(shape, element, writer)}, {buffer}\n  tile.barrier\n"
    body += f"  %y = tile.local_load %b{index} : {buffer} -> {tensor(shape, element, reader)}\n"
    body += store("%y", 1, shape, element, reader)
    return Case(1 << warp_bits, [shape, shape], [element] * 2, body, lambda x: x, shared=total,
                inputs=[small(rng, shape, element)])


COMBINERS = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}
INTEGER_COMBINERS = COMBINERS | {"umax": np.maximum, "umin": np.minimum, "and": np.bitwise_and, "or": np.bitwise_or,
                                 "xor": np.bitwise_xor}


def combine(name, x, axis, scan, reverse):
    function = INTEGER_COMBINERS[name]
    if scan:
        x = np.flip(x, axis) if reverse else x
    element = x.dtype
    if name in ("umax", "umin"):
        x = x.view(f"u{x.dtype.itemsize}")
    if scan:
        result = function.accumulate(x, axis=axis, dtype=x.dtype)
        result = np.flip(result, axis) if reverse else result
    else:
        result = function.reduce(x, axis=axis, dtype=x.dtype)
    return np.ascontiguousarray(result).view(element) if result.ndim else result


def make_combine(rng, scan):
    element = str(rng.choice(list(TYPES)))
    combiners = COMBINERS if "f" in element else INTEGER_COMBINERS
    if element == "i1":
        combiners = ("and", "or", "xor")
    name = str(rng.choice(list(combiners)))
    warp_bits = int(rng.integers(0, 3))
    shape = random_shape(rng)
    axis = int(rng.integers(len(shape)))
    layout = layout_within_warps(rng, shape, axis, warp_bits)
    reverse = bool(scan and rng.integers(2))
    x = small(rng, shape, element)
    if name == "mul" and "f" in element:  # powers of two, few of them, so that products stay exact
        x = rng.choice([1, -1, 1, 1, 2, 0.5], shape).astype(TYPES[element])
    if name in ("max", "min") and "f" in element and rng.integers(2):
        x[rng.random(shape) < 0.05] = np.nan
    body = load(0, shape, element, layout)
    if scan:
        body += (f"  %y = tile.scan {name} %x0 axis {axis}{' reverse' if reverse else ''} : "
                 f"{tensor(shape, element, layout)}\n")
        body += store("%y", 1, shape, element, layout)
        result = shape
    else:
        body += f"  %y = tile.reduce {name} %x0 axis {axis} : {tensor(shape, element, layout)}\n"
        reduced = remove_axis(layout, axis)
        if len(shape) == 1:  # a scalar, which all threads have
            result = (32 << warp_bits,)
            units = [1 << b for b in range(LANE_BITS + warp_bits)]
            all_threads = Layout(result, [], units[:LANE_BITS], units[LANE_BITS:])
            body += f"  %z = tile.splat %y : {element} -> {tensor(result, element, all_threads)}\n"
            body += store("%z", 1, result, element, all_threads)
        else:
            result = reduced.shape
            body += store("%y", 1, result, element, reduced)
    def compute(x):
        found = combine(name, x, axis, scan, reverse)
        return np.broadcast_to(found, result)
    return Case(1 << warp_bits, [shape, result], [element] * 2, body, compute, inputs=[x])


# a and b, acc: what tile.dot takes
DOT_TYPES = [("f16", "f32"), ("f16", "f16"), ("bf16", "f32"), ("bf16", "bf16"), ("f32", "f32"), ("f64", "f64"),
             ("i8", "i32")]


def round_bf16(x):
    """To the nearest, even on a tie, as f32."""
    word = x.astype(np.float32).view(np.uint32)
    return ((word + 0x7fff + (word >> 16 & 1)) & 0xffff0000).astype(np.uint32).view(np.float32)


def make_dot(rng):
    """Without matrix instructions: each thread has the rows and columns that it needs."""
    element, sum_element = DOT_TYPES[rng.integers(len(DOT_TYPES))]
    warp_bits = int(rng.integers(0, 3))
    batch = (2,) if rng.integers(3) == 0 else ()
    m, n, k = (1 << int(b) for b in rng.integers(0, 5, 3))
    acc = random_layout(rng, batch + (m, n), warp_bits)

    def operand(shape, depth_axis):
        def project(vector):
            coordinate = acc.coordinate(vector)
            coordinate[depth_axis] = 0
            return int(np.ravel_multi_index(coordinate, shape))
        stride = int(np.prod(shape[depth_axis + 1:]))
        registers = [v for v in map(project, acc.registers) if v or rng.integers(3) == 0]
        registers += [stride << b for b in range(bits(k))]
        return Layout(shape, [registers[i] for i in rng.permutation(len(registers))],
                      [project(v) for v in acc.lanes], [project(v) for v in acc.warps])
    shapes = [batch + (m, k), batch + (k, n), batch + (m, n)]
    types = [element, element, sum_element]
    layouts = [operand(shapes[0], len(batch) + 1), operand(shapes[1], len(batch)), acc]
    body = "".join(load(i, *all) for i, all in enumerate(zip(shapes, types, layouts)))
    kinds = ", ".join(tensor(*all) for all in zip(shapes, types, layouts))
    body += f"  %y = tile.dot %x0, %x1, %x2 : {kinds}\n" + store("%y", 3, shapes[2], sum_element, acc)

    def compute(a, b, c):
        wide = np.int64 if element == "i8" else np.float64
        result = a.astype(wide) @ b.astype(wide) + c.astype(wide)
        return round_bf16(result) if sum_element == "bf16" else result.astype(TYPES[sum_element])
    return Case(1 << warp_bits, shapes + shapes[2:], types + types[2:], body, compute,
                inputs=[small(rng, *all) for all in zip(shapes, types)])


MAKERS = {"convert": make_convert, "shared": make_shared, "reduce": lambda rng: make_combine(rng, False),
          "scan": lambda rng: make_combine(rng, True), "dot": make_dot}


# --- Runs

def emit(cases):
    """A module with all kernels, and a host function that launches one after the other."""
    text, arguments, launches = [], [], []
    for number, case in enumerate(cases):
        text.append(case.kernel(f"k{number}"))
        names = [f"%a{number}_{i}" for i in range(len(case.shapes))]
        types = [memref(*both) for both in zip(case.shapes, case.types)]
        arguments += [f"{name}: {type}" for name, type in zip(names, types)]
        launches.append(f"  tile.launch @k{number} grid(%c1, %c1, %c1) ({', '.join(names)}) : {', '.join(types)}\n")
    return ("".join(text) + f"func.func @main({', '.join(arguments)}) {{\n  %c1 = arith.constant 1 : index\n"
            + "".join(launches) + "  return\n}\n")


def run(options, cases, folder):
    """A list of complaints, and the launches of the report."""
    file = pathlib.Path(folder, "kernels.mlir")
    file.write_text(emit(cases))
    lowered = pathlib.Path(folder, "lowered.mlir")
    status, text = batch.run([options.tile_opt, "--tile-place-buffers", "--convert-tile-to-gpu", file, "-o", lowered])
    if status != 0:
        return [text or f"exit status {status}"], []
    inputs, outputs = [], []
    for number, case in enumerate(cases):
        for i, (shape, element) in enumerate(zip(case.shapes, case.types)):
            name = f"{folder}/a{number}_{i}"
            value = case.inputs[i] if i < len(case.inputs) else np.zeros(shape, TYPES[element])
            np.save(f"{name}.npy", value)
            inputs.append(f"{name}.npy")
            outputs.append(f"{name}_out.npy")
    report = pathlib.Path(folder, "report.json")
    status, text = batch.run([options.tile_run, lowered, "--backend=sim", "--entry=main", "--chip=sm_70",
                              "--inputs=" + ",".join(inputs), "--outputs=" + ",".join(outputs), f"--report={report}"])
    complaints = [text or f"exit status {status}"] if status != 0 else []
    for number, case in enumerate(cases):
        name = f"{folder}/a{number}_{len(case.inputs)}_out.npy"
        if pathlib.Path(name).exists():
            expected = case.compute(*case.inputs).astype(TYPES[case.types[-1]])
            where = compare(np.load(name), expected, 0) if not np.isnan(expected.astype(float)).any() else \
                "" if np.array_equal(np.load(name), expected, equal_nan=True) else "not as expected"
            if where:
                complaints.append(f"kernel {number}: {where}\n{case.kernel(f'k{number}')}")
        elif not complaints:
            complaints.append(f"kernel {number}: no result")
    launches = json.loads(report.read_text()).get("launches", []) if report.exists() else []
    return complaints, launches


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-opt", required=True, help="path of tile-opt")
    parser.add_argument("--tile-run", required=True, help="path of tile-run")
    parser.add_argument("--kind", choices=MAKERS, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20, help="kernels")
    parser.add_argument("--batch", type=int, default=10, help="kernels in a module")
    parser.add_argument("--keep", help="a file for the module that fails")
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    for first in range(0, options.count, options.batch):
        cases = [MAKERS[options.kind](rng) for _ in range(min(options.batch, options.count - first))]
        with tempfile.TemporaryDirectory() as folder:
            complaints, _ = run(options, cases, folder)
        if complaints:
            print("\n".join(complaints))
            if options.keep:
                pathlib.Path(options.keep).write_text(emit(cases))
            return 1
    print(f"{options.count} kernels")
    return 0


if __name__ == "__main__":
    sys.exit(main())
