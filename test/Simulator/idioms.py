"""Checks that matrix products of f16 and the pointwise ops around them become one kernel each for tensor cores.

    idioms.py CHECK --tile-run PATH --tile-opt PATH [--chip sm_70] [--atoms volta_16x16x8] [--split 1 2 4]

    idioms     products with pointwise ops on operands and results, and sums of products: one kernel, which reads its
               operands once in each block that needs them, by 128-bit accesses, and writes the result; no bank
               conflicts; of shared memory what the product alone takes; ops on operands computed where these are
               loaded; against NumPy and the interpreter, exactly
    functions  sigmoid, tanh, gelu, casts: the same, against NumPy within a tolerance
    cost       warp instructions of product, bias and ReLU over those of the product alone
    faults     a program that is not fused, or reads what it need not, is noticed

An idiom is a function that writes a program and computes its result, by an object of class Writer.
"""
import argparse
import functools
import itertools
import math
import re
import sys
from dataclasses import dataclass, replace

import numpy as np
from volta_gemm import CHIP, MACROS, ROUNDING, TYPES, Tools, get_difference, product, run_check

BYTES = {"f16": 2, "f32": 4}
SECTOR = 32
ATOMS = {"sm_70": [f"volta_{macro}" for macro in MACROS], "sm_80": ["m16n8k16_f16"]}
# Multiply-adds of one instruction: mma.m8n8k4 of four quad pairs, or mma.m16n8k16.
MACS = {"sm_70": 4 * 8 * 8 * 4, "sm_80": 16 * 8 * 16}


@dataclass(frozen=True)
class Value:
    """A tensor of a program, what it is, and how many blocks need each element."""
    name: str
    element: str
    array: np.ndarray
    blocks: int = 1

    @property
    def type(self):
        return f"tensor<{'x'.join(map(str, self.array.shape))}x{self.element}>"


class Writer:
    """A program of one function, written op by op and computed in f64 at the same time. `reads` counts the bytes of
    matrices that blocks read, `bias` those of vectors, `mma` the instructions of products, `pointwise` those of other
    arithmetic, of which each has two elements of f16 or one of f32, computed once where they are loaded."""

    def __init__(self, case):
        self.case, self.lines, self.arguments = case, [], []
        self.rng = np.random.default_rng(sum(map(ord, str(case))))
        self.reads = self.bias = self.mma = self.pointwise = 0
        self.magnitude = np.zeros(case.size[:2])  # of the products' sums, taken absolutely
        self.result = IDIOMS[case.idiom](self)
        whole = self.result
        arguments = ", ".join(f"%{x.name}: {x.type}" for x in self.arguments)
        self.text = "\n".join([f"// {case}", f"func.func @main({arguments}) -> {whole.type} {{", *self.lines,
                               f"  return %{whole.name} : {whole.type}", "}", ""])

    # --- Arguments

    def argument(self, shape, element, blocks=1):
        if self.case.exact:  # all sums are whole numbers that f16 holds
            array = self.rng.integers(-2, 2, shape, endpoint=True)
        else:
            array = self.rng.uniform(-0.5, 0.5, shape)
        array = array.astype(TYPES[element])
        self.arguments.append(Value(f"x{len(self.arguments)}", element, array, blocks))
        return self.arguments[-1]

    def a(self, deeper=1):
        """An operand of rows, which each column of blocks reads."""
        (m, n, k), (_, columns, _) = self.case.size, product(self.case.block)
        blocks = math.ceil(n / columns)
        self.reads += m * k * deeper * blocks * BYTES["f16"]
        return self.argument((m, k * deeper), "f16", blocks)

    def b(self, deeper=1):
        """An operand of columns, which each row of blocks reads."""
        (m, n, k), (rows, _, _) = self.case.size, product(self.case.block)
        blocks = math.ceil(m / rows)
        self.reads += n * k * deeper * blocks * BYTES["f16"]
        return self.argument((k * deeper, n), "f16", blocks)

    def full(self):
        """An operand of the result's shape."""
        m, n, _ = self.case.size
        self.reads += m * n * BYTES[self.case.result]
        return self.argument((m, n), self.case.result)

    def vector(self, axis):
        """A number for each row (0) or column (1) of the result, repeated along the other axis."""
        m, n, _ = self.case.size
        rows, columns, _ = product(self.case.block)
        size = (m, n)[axis]
        self.bias += size * math.ceil((n / columns, m / rows)[axis]) * BYTES[self.case.result]
        x = self.argument((size,), self.case.result)
        whole = Value("", x.element, np.broadcast_to(x.array[:, None] if axis == 0 else x.array, (m, n)))
        out = self.fresh()
        self.lines.append(f"  %{out} = tensor.empty() : {whole.type}")
        return self.emit(x.element, whole.array,
                         f"linalg.broadcast ins(%{x.name} : {x.type}) outs(%{out} : {whole.type}) "
                         f"dimensions = [{1 - axis}]")

    # --- Ops

    def fresh(self):
        return f"v{len(self.lines)}"

    def emit(self, element, array, text, blocks=1):
        value = Value(self.fresh(), element, array, blocks)
        self.lines.append(f"  %{value.name} = {text}")
        return value

    def product(self, a=None, b=None, element=None):
        a, b = a or self.a(), b or self.b()
        wide_a, wide_b = a.array.astype(np.float64), b.array.astype(np.float64)
        self.mma += len(wide_a) * wide_b.size // MACS[self.case.chip]
        self.pointwise += (self.case.split - 1) * len(wide_a) * wide_b.shape[1] // 32  # parts of sums are added up
        self.magnitude = self.magnitude + np.abs(wide_a) @ np.abs(wide_b)
        result = Value("", element or self.case.result, wide_a @ wide_b)
        return self.emit(result.element, result.array, f'einsum.contract "mk, kn -> mn" (%{a.name}, %{b.name}) '
                         f": ({a.type}, {b.type}) -> {result.type}")

    def op(self, name, function, *operands):
        x = operands[0]
        arrays = (o.array.astype(np.float64) for o in operands)
        self.pointwise += x.array.size * x.blocks * BYTES[x.element] // 128
        return self.emit(x.element, function(*arrays),
                         f"{name} {', '.join('%' + o.name for o in operands)} : {x.type}", x.blocks)

    def constant(self, number, like):
        return self.emit(like.element, np.full(like.array.shape, number),
                         f"arith.constant dense<{number}> : {like.type}")

    def add(self, x, y):
        return self.op("arith.addf", np.add, x, y)

    def mul(self, x, y):
        return self.op("arith.mulf", np.multiply, x, y if isinstance(y, Value) else self.constant(y, x))

    def relu(self, x):
        return self.op("arith.maximumf", np.maximum, x, self.constant(0.0, x))

    def tanh(self, x):
        return self.op("math.tanh", np.tanh, x)

    def sigmoid(self, x):
        one = self.constant(1.0, x)
        power = self.op("math.exp", np.exp, self.op("arith.negf", np.negative, x))
        return self.op("arith.divf", np.divide, one, self.add(one, power))

    def gelu(self, x):
        erf = self.op("math.erf", np.vectorize(math.erf), self.mul(x, 0.707106781))
        return self.mul(self.mul(x, 0.5), self.add(erf, self.constant(1.0, x)))

    def tanh_gelu(self, x):
        cube = self.mul(self.mul(x, x), x)
        inner = self.mul(self.add(x, self.mul(cube, 0.044715)), 0.797884561)
        return self.mul(self.mul(x, 0.5), self.add(self.tanh(inner), self.constant(1.0, x)))

    def cast(self, x, element):
        if x.element == element:
            return x
        type = Value("", element, x.array).type
        op = "extf" if element == "f32" else "truncf"
        return self.emit(element, x.array, f"arith.{op} %{x.name} : {x.type} to {type}")


PAPER = {
    "gemm": lambda w: w.product(),
    "relu-gemm": lambda w: w.product(w.relu(w.a())),
    "gemm-bias-relu": lambda w: w.relu(w.add(w.product(), w.vector(1))),
    "add-gemms": lambda w: w.add(w.product(), w.product()),
}
MORE = {
    "add-gemms-of-other-depth": lambda w: w.add(w.product(), w.product(w.a(2), w.b(2))),
    "relus-gemm": lambda w: w.product(w.relu(w.a()), w.relu(w.b())),
    "sum-gemm": lambda w: w.product(w.add(w.a(), w.a())),
    "gemm-row-bias": lambda w: w.add(w.product(), w.vector(0)),
    "gemm-scale-residual": lambda w: w.add(w.mul(w.product(), 2.0), w.full()),
    "all": lambda w: w.relu(w.add(w.add(w.product(w.relu(w.a())), w.product(w.a(), w.relu(w.b()))), w.vector(1))),
}
FUNCTIONS = {
    "sigmoid": lambda w: w.sigmoid(w.product()),
    "tanh": lambda w: w.tanh(w.product()),
    "gelu": lambda w: w.gelu(w.product()),
    "tanh-gelu": lambda w: w.tanh_gelu(w.product()),
    "bias-tanh-scale": lambda w: w.mul(w.tanh(w.add(w.product(), w.vector(1))), 0.75),
    "gated": lambda w: w.mul(w.product(), w.sigmoid(w.product())),
    "wide-then-cast": lambda w: w.cast(w.tanh(w.product(element="f32")), w.case.result),
    "narrow-then-cast": lambda w: w.cast(w.tanh(w.product(element="f16")), w.case.result),
}
IDIOMS = PAPER | MORE | FUNCTIONS


@dataclass(frozen=True)
class Idiom:
    """A program by name, how it is compiled, and what Tools of volta_gemm.py want to know of it."""
    idiom: str
    size: tuple = (256, 128, 128)
    result: str = "f16"
    block: str = "128x64x32"
    warp: str = "64x32"
    chip: str = CHIP
    atom: str = ATOMS[CHIP][0]
    split: int = 1
    fuse: bool = True

    def __str__(self):
        return (f"{self.idiom} {','.join(map(str, self.size))} result={self.result} {self.config}"
                + ("" if self.fuse else " fuse=false"))

    @property
    def config(self):
        """The tile configuration: two stages, for operands with prologues have no more."""
        return f"block={self.block} warp={self.warp} atom={self.atom} split_k={self.split} stages=2"

    @property
    def exact(self):
        return self.idiom not in FUNCTIONS

    @property
    def pipeline(self):
        if self.fuse:
            return f"einsum-to-nvvm-pipeline{{chip={self.chip} config={{{self.config}}}}}"
        return (f"einsum-to-tile-pipeline{{fuse=false config={{{self.config}}} min-block=16x16x8}},"
                f"tile-to-nvvm-pipeline{{chip={self.chip}}}")

    def text(self):
        return write(self).text

    def arrays(self, rng, exact):
        """The arguments, and a function from a result to what is wrong with it."""
        program = write(self)
        expected = program.result.array
        allowed = np.zeros(expected.shape)
        if not self.exact:  # of a sum, and of some roundings after it
            deepest = 2 * self.size[2]
            narrowest = "f16" if self.idiom == "narrow-then-cast" else self.result
            allowed = (program.magnitude * ROUNDING["f32"] * deepest
                       + ROUNDING[narrowest] * 8 * (np.abs(expected) + 1))

        return [x.array for x in program.arguments], lambda got: get_difference(got, expected, allowed, self.result)


@functools.lru_cache(maxsize=2)
def write(case):
    """The program of a case, whose result takes NumPy a while."""
    return Writer(case)


# --- The checks

def find_arithmetic(tools, case):
    """The arithmetic of host code, which no atom changes: it is looked for once for all."""
    case = replace(case, atom=ATOMS[case.chip][0])
    if case not in HOSTS:
        lowered, complaint = tools.lower(case)
        host = lowered[lowered.index("func.func @main("):] if lowered else ""
        HOSTS[case] = complaint, sorted(set(re.findall(r"\b(?:arith\.\w+f|math\.\w+|memref\.(?:load|store)|scf\.for)\b", host)))
    return HOSTS[case]


HOSTS = {}


def faults(tools, case, outcome):
    """What is wrong with how a program was compiled, by what its kernel did."""
    complaint, arithmetic = find_arithmetic(tools, case)
    if complaint:
        return [complaint]
    found = []
    if arithmetic:
        found.append(f"the host computes: {', '.join(arithmetic)}")
    launches = outcome.report["launches"]
    if len(launches) != 1:
        return found + [f"{len(launches)} kernels"]
    launch, program = launches[0], write(case)
    accesses = outcome.accesses("global")

    def expect(what, got, expected):
        if got != expected:
            found.append(f"{what}: {got}, expected {expected}")

    blocks, warps = math.prod(launch["grid"]), math.prod(product(case.block)[:2]) // math.prod(product(case.warp)[:2])
    expect("warps of a block", launch["warps"] / blocks, warps * case.split)
    expect("mma", launch["mma"], program.mma)
    pointwise = launch["warpInstructions"]["half"] + launch["warpInstructions"]["float32"]
    if case.exact and pointwise > program.pointwise:  # a product and a sum may be one
        found.append(f"pointwise instructions: {pointwise}, expected at most {program.pointwise}")
    read, written = (sum(a["sectors"] * SECTOR for a in accesses if a["store"] == kind) for kind in (False, True))
    expect("bytes written", written, math.prod(case.size[:2]) * BYTES[case.result])
    # A vector is read at least once in a block, and at most once by each warp.
    most = program.bias * launch["warps"] // blocks
    if not program.reads + program.bias <= read <= program.reads + most:
        found.append(f"bytes read: {read}, expected {program.reads} of matrices, {program.bias} to {most} of vectors")
    if case.idiom != "gemm-row-bias":  # threads hold several columns of a row, which are one number of it
        expect("widths of global accesses in bytes", sorted({a["width"] for a in accesses}), [16])
    expect("sectors", launch["global"]["sectors"], launch["global"]["idealSectors"])
    expect("bank conflicts", launch["shared"]["conflicts"], 0)
    return found


def variants(idioms, options):
    """Sizes differ with the number of blocks of rows and columns, so that neither is taken for the other. Two blocks, or one
    of them in turn, such that each goes with each atom and with each type of the result."""
    for split, idiom in itertools.product(options.split, idioms):
        for (i, atom), (j, result) in itertools.product(enumerate(options.atoms), enumerate(ROUNDING)):
            case = Idiom(idiom, result=result, chip=options.chip, atom=atom, split=split)
            # Parts of the depth of a block go to other warps: so blocks are deeper.
            deep = [replace(case, block="64x64x64", warp="32x32"), replace(case, block="128x64x64", warp=f"{16 * split}x32")]
            yield from [case] if split == 1 else deep if options.whole else [deep[(i + j) % 2]]


def check_idioms(tools, results, options):
    shared = {}
    for case in variants(options.idioms or PAPER | MORE, options):
        outcome = tools.run(case, flags=["--check=interp", "--tolerance=0"])
        results.check(case, outcome.complaint)
        if outcome.complaint:
            continue
        results.check(case, "\n".join(faults(tools, case, outcome)))
        alone = replace(case, idiom="gemm")
        if alone not in shared:
            shared[alone] = tools.run(alone, flags=["--opt-level=0"]).launch["sharedBytes"]
        got = outcome.launch["sharedBytes"]
        results.expect(case, f"bytes of shared memory, of the product alone {shared[alone]}", got, got == shared[alone])


def check_functions(tools, results, options):
    for case in variants(options.idioms or FUNCTIONS, options):
        outcome = tools.run(case)
        results.check(case, outcome.complaint or "\n".join(faults(tools, case, outcome)))


def check_cost(tools, results, options):
    """One instruction adds to two elements of f16, but to one of f32: a sum and a maximum for each of these are more
    than the limit by themselves, and are not counted."""
    print("| atom | result | product | with bias and ReLU | ratio |\n|---|---|---|---|---|")
    for atom, result in itertools.product(options.atoms, ROUNDING):
        plain = Idiom("gemm", (512, 512, 512), result, "128x128x32", chip=options.chip, atom=atom)
        fused = replace(plain, idiom="gemm-bias-relu")
        outcomes = [tools.run(case) for case in (plain, fused)]
        for case, outcome in zip((plain, fused), outcomes):
            results.check(case, outcome.complaint)
        counts = [outcome.launch["instructions"] for outcome in outcomes]
        print(f"| {atom} | {result} | {counts[0]} | {counts[1]} | {counts[1] / counts[0]:.3f} |")
        unavoidable = 2 * math.prod(plain.size[:2]) // 32 if result == "f32" else 0
        ratio = (counts[1] - unavoidable) / counts[0]
        results.expect(fused, f"instructions over those of the product, at most {options.limit}", ratio,
                       ratio <= options.limit)


def check_faults(tools, results, options):
    """Each is a case, another one that runs in its place, and words of what must be noticed."""
    gemm = Idiom("gemm", chip=options.chip, atom=options.atoms[0])
    bias = replace(gemm, idiom="gemm-bias-relu")
    sums = replace(gemm, idiom="add-gemms")
    for case, other, words in ((bias, replace(bias, fuse=False), "4 kernels"),
                               (sums, replace(sums, fuse=False), "3 kernels"),
                               (bias, replace(bias, block="64x64x32"), "bytes read"),
                               (replace(bias, split=2), bias, "warps of a block"),
                               (gemm, replace(gemm, idiom="gemm-scale-residual"), "bytes read"),
                               (gemm, replace(gemm, idiom="relu-gemm"), "pointwise instructions"),
                               (gemm, replace(gemm, result="f32"), "bytes written")):
        outcome = tools.run(other)
        found = faults(tools, replace(case, fuse=other.fuse), outcome)
        results.expect(other, f"'{words}' is not noticed", outcome.complaint or found,
                       not outcome.complaint and any(words in fault for fault in found))


CHECKS = {"idioms": check_idioms, "functions": check_functions, "cost": check_cost, "faults": check_faults}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("check", choices=CHECKS)
    parser.add_argument("--tile-run", default="tile-run")
    parser.add_argument("--tile-opt", default="tile-opt")
    parser.add_argument("--chip", default=CHIP, choices=ATOMS)
    parser.add_argument("--atoms", nargs="*", help="by default all that the chip has for f16")
    parser.add_argument("--split", nargs="*", type=int, default=[1], help="parts of the depth of a block")
    parser.add_argument("--idioms", nargs="*", choices=IDIOMS, help="only these")
    parser.add_argument("--whole", action="store_true", help="with --split: each program in both blocks")
    parser.add_argument("--limit", type=float, default=1.05, help="of the cost of fusion")
    options = parser.parse_args()
    options.atoms = options.atoms or ATOMS[options.chip]
    return run_check(CHECKS[options.check], Tools, options)


if __name__ == "__main__":
    sys.exit(main())
