"""Checks what gpu-to-nvvm-pipeline makes of functions with fastmath flags, and of min and max, against NumPy.

    functions.py --tile-run PATH --tile-translate PATH [--chip sm_70]

Functions with afn are computed at edges (zeros, subnormal numbers, infinities, NaN, numbers where results overflow)
and at random arguments, in f32, f16 and bf16, alone and in vectors. NaN and infinities must be where NumPy has them;
ACCURACY says how far off results may be. The instructions themselves are exact here, as the simulator computes them so:
what is measured is what surrounds them.

The same kernels become PTX, without calls.

Min and max are exact, up to which NaN a result is: with each constant for each argument, and of pairs of arguments
where flags say that there is neither NaN nor a zero.
"""
import argparse
import itertools
import math
import pathlib
import sys
import tempfile
from dataclasses import dataclass

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Integration"))
import batch  # noqa: E402

COUNT, WIDTH = 512, 8  # arguments of a function, of a thread

# Name: op, function of f64, range of arguments, relative error of f32.
ACCURACY = {
    "exp": ("math.exp {x}", np.exp, (-80, 80), 1e-5),
    "exp2": ("math.exp2 {x}", np.exp2, (-120, 120), 2e-7),
    "log": ("math.log {x}", np.log, (1e-3, 1e3), 3e-7),
    "log2": ("math.log2 {x}", np.log2, (1e-3, 1e3), 2e-7),
    "log10": ("math.log10 {x}", np.log10, (1e-3, 1e3), 3e-7),
    "sin": ("math.sin {x}", np.sin, (-3, 3), 2e-7),
    "cos": ("math.cos {x}", np.cos, (-3, 3), 2e-7),
    "sqrt": ("math.sqrt {x}", np.sqrt, (0, 1e3), 2e-7),
    "rsqrt": ("math.rsqrt {x}", lambda x: 1 / np.sqrt(x), (1e-3, 1e3), 2e-7),
    "reciprocal": ("arith.divf {one}, {x}", lambda x: 1 / x, (-100, 100), 2e-7),
    "quotient": ("arith.divf {x}, {three}", lambda x: x / 3, (-100, 100), 2e-7),
    "tanh": ("math.tanh {x}", np.tanh, (-8, 8), 1e-4),
    "erf": ("math.erf {x}", np.vectorize(math.erf), (-4, 4), 1e-4),
}
EDGES = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 1e-7, -1e-7, 0.0099, 0.0101, -0.0101, 10.0, -10.0, 1e4, -1e4]
CONSTANTS = (0.0, -0.0, 1.0, -2.5)
NUMBERS = {"one": 1.0, "three": 3.0} | {f"c{i}": c for i, c in enumerate(CONSTANTS)}
MIN_MAX = {"maximumf": (max, True), "minimumf": (min, True), "maxnumf": (max, False), "minnumf": (min, False)}


class Type:
    """f32, f16, or bf16 as its bits."""

    def __init__(self, name):
        self.name = name
        self.rounding = {"f32": 2.0 ** -24, "f16": 2.0 ** -11, "bf16": 2.0 ** -8}[name]
        self.smallest = {"f32": 2.0 ** -149, "f16": 2.0 ** -24, "bf16": 2.0 ** -133}[name]
        self.dtype = {"f32": np.float32, "f16": np.float16, "bf16": "V2"}[name]

    def pack(self, array):
        if self.name != "bf16":
            return array.astype(self.dtype)
        bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
        rounded = np.where(np.isnan(array), bits | 0x400000, bits + 0x7fff + (bits >> 16 & 1))
        return (rounded >> 16).astype(np.uint16).view("V2")

    def unpack(self, array):
        """In f64."""
        if self.name == "bf16":
            array = (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        return array.astype(np.float64)


@dataclass
class Row:
    """One op of the kernel: a row of its result."""
    op: str               # of {x}, {w} and the constants
    expected: np.ndarray  # f64
    relative: float      # allowed error; 0: the bits


def kernel(type, is_vector, rows):
    """Row i of %y is op i of %x; a thread has WIDTH elements, as a vector or one by one."""
    shape = f"vector<{WIDTH}x{type.name}>" if is_vector else type.name
    lines = "".join(f"    %{name} = arith.constant {f'dense<{number}>' if is_vector else number} : {shape}\n"
                    for name, number in NUMBERS.items())
    step = WIDTH if is_vector else 1
    access = ((lambda m, at: (f"vector.load %{m}[{at}] : ", f", {shape}")) if is_vector
              else (lambda m, at: (f"memref.load %{m}[{at}] : ", "")))
    x, y = f"memref<{COUNT}x{type.name}>", f"memref<{len(rows)}x{COUNT}x{type.name}>"
    load, rest = access("x", "%i")
    lines += f"    %v = {load}{x}{rest}\n"
    load, rest = access("x", "%opposite")
    lines += f"    %w = {load}{x}{rest}\n"
    for i, row in enumerate(rows):
        names = {"x": "%v", "w": "%w"} | {name: f"%{name}" for name in NUMBERS}
        lines += f"    %row{i} = arith.constant {i} : index\n"
        lines += f"    %r{i} = {row.op.format(**names)} : {shape}\n"
        store = "vector.store" if is_vector else "memref.store"
        lines += f"    {store} %r{i}, %y[%row{i}, %i] : {y}{rest}\n"
    return f"""gpu.module @kernels {{
  gpu.func @f(%x: {x}, %y: {y}) kernel {{
    %step = arith.constant {step} : index
    %last = arith.constant {COUNT - step} : index
    %id = gpu.thread_id x
    %i = arith.muli %id, %step : index
    %opposite = arith.subi %last, %i : index
{lines}    gpu.return
  }}
}}
"""


def arguments(rng, type, low, high):
    x = np.concatenate([EDGES, [type.smallest], rng.uniform(low, high, COUNT - len(EDGES) - 1)])
    return type.pack(x)


def function_rows(type, x, name):
    op, function, _, relative = ACCURACY[name]
    expected = function(type.unpack(x))
    return [Row(f"{op} fastmath<{flag}>", expected, max(relative, 2 * type.rounding))
            for flag in (("afn", "arcp") if "divf" in op else ("afn",))]


def extreme(choose, keeps_nan, a, b):
    """One of two numbers; of zeros max takes +0, min -0."""
    if math.isnan(a) or math.isnan(b):
        return math.nan if keeps_nan or math.isnan(a) and math.isnan(b) else (b if math.isnan(a) else a)
    if a == b == 0:
        return math.copysign(0.0, choose(math.copysign(1, a), math.copysign(1, b)))
    return choose(a, b)


def min_max_rows(type, x):
    a = type.unpack(x)
    for name, (choose, keeps_nan) in MIN_MAX.items():
        for i, c in enumerate(CONSTANTS):
            expected = np.array([extreme(choose, keeps_nan, v, c) for v in a])
            yield Row(f"arith.{name} {{x}}, {{c{i}}}", expected, 0)
            # Flags allow anything where they do not hold.
            yield Row(f"arith.{name} {{x}}, {{c{i}}} fastmath<nnan>", np.where(np.isnan(a), -999, expected), 0)


def free_rows(type, x, is_vector):
    """Of each element and the one as far from the other end, of whole vectors."""
    a = type.unpack(x)
    b = a.reshape(-1, WIDTH)[::-1].ravel() if is_vector else a[::-1]
    for name, (choose, _) in MIN_MAX.items():
        yield Row(f"arith.{name} {{x}}, {{w}} fastmath<nnan,nsz>", np.array(list(map(choose, a, b))), 0)


def complaint(type, rows, x, got):
    for row, bits in zip(rows, got):
        values, expected = type.unpack(bits), row.expected
        exact = type.unpack(type.pack(expected))  # overflows as the type does
        special = ~np.isfinite(exact)
        same = (values == exact) | (np.isnan(values) & np.isnan(exact))
        if row.relative == 0:
            # A zero's sign counts for maximumf and minimumf alone.
            signs = np.signbit(values) == np.signbit(exact)
            good = same & (signs | np.isnan(exact) | ("num" in row.op)) | (expected == -999)
        else:
            near = np.abs(values - expected) <= row.relative * np.abs(expected) + 2 * type.smallest
            good = np.where(special, same, near)
        if not good.all():
            i = int(np.argmin(good))
            return f"{type.name}: {row.op} of {type.unpack(x)[i]}: {values[i]}, expected {expected[i]}"
    return ""


def check(options, folder, type, is_vector, rows, x):
    """What is wrong with a kernel of `rows`; "" if nothing is."""
    program, source, result = (folder / name for name in ("f.mlir", "x.npy", "y.npy"))
    program.write_text(kernel(type, is_vector, rows))
    np.save(source, x)
    status, text = batch.run(
        [options.tile_run, program, "--backend=sim", "--entry=f", "--grid=1", f"--chip={options.chip}",
         f"--block={COUNT // WIDTH if is_vector else COUNT}", f"--outputs=,{result}",
         f"--inputs={source},zeros:{len(rows)}x{COUNT}x{type.name}",
         f"--pipeline=gpu-to-nvvm-pipeline{{chip={options.chip}}}"])
    if status != 0:
        return text or f"exit status {status}"
    status, ptx = batch.run([options.tile_translate, program, "--tile-to-ptx",
                             f"--pipeline=gpu-to-nvvm-pipeline{{chip={options.chip}}}"])
    if status != 0 or f".target {options.chip}" not in ptx or "call" in ptx:
        return f"PTX, exit status {status}: {ptx}"
    return complaint(type, rows, x, np.load(result))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", default="tile-run")
    parser.add_argument("--tile-translate", default="tile-translate")
    parser.add_argument("--chip", default="sm_70")
    options = parser.parse_args()
    rng, checks, failures = np.random.default_rng(1), 0, 0
    with tempfile.TemporaryDirectory() as name, np.errstate(all="ignore"):
        for type, is_vector in itertools.product(map(Type, ("f32", "f16", "bf16")), (True, False)):
            cases = []
            for function, (_, _, (low, high), _) in ACCURACY.items():
                x = arguments(rng, type, low, high)
                cases.append((function_rows(type, x, function), x))
            x = arguments(rng, type, -4, 4)
            cases.append((list(min_max_rows(type, x)), x))
            x = type.pack(rng.uniform(-4, 4, COUNT))
            cases.append((list(free_rows(type, x, is_vector)), x))
            for rows, x in cases:
                wrong = check(options, pathlib.Path(name), type, is_vector, rows, x)
                checks += len(rows)
                if wrong:
                    failures += 1
                    print(f"FAIL on {options.chip}, {'vectors' if is_vector else 'scalars'}: {wrong}")
    print(f"{checks} functions, {failures} kernels failed")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
