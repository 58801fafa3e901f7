#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Property test of fusion: contractions among pointwise ops, four answers each.

    fusion_property.py --tile-run build/bin/tile-run --count 100 --seed 1

Each case has one to three contractions of one result shape, as einsum_property.py
draws them, whose operands are made by pointwise ops and whose results go through
more of them. Most of it can become one kernel; now and then something needs a
value in between, or reads it in another order, so that it cannot. NumPy computes
each value as the program is drawn. tile-run executes it with --backend=cpu as tile
kernels and compares with its interpreter on the einsum; each third case also runs
as tile kernels in the interpreter.

In four cases of five all sums are exact, whatever their order, and results are
compared exactly; the others have fractions and functions, and a tolerance.

A failing case is kept as a .mlir file that is a test, with its inputs beside it.
`--seed S --only N` draws case N alone. Exit status: 0 if all agree, else 1. Of
how many programs a part was fused is told, for tests to check.
"""

import argparse
import math
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
import einsum_programs as model  # noqa: E402
import einsum_property as runner  # noqa: E402
import numpy_einsum as oracle  # noqa: E402
from einsum_programs import Axis, Redraw, Tensor  # noqa: E402

# Op on floats, op on integers, and what it computes.
BINARY = {"add": ("arith.addf", "arith.addi", np.add),
          "sub": ("arith.subf", "arith.subi", np.subtract),
          "mul": ("arith.mulf", "arith.muli", np.multiply),
          "max": ("arith.maximumf", "arith.maxsi", np.maximum),
          "min": ("arith.minimumf", "arith.minsi", np.minimum)}
OPS = BINARY | {"div": ("arith.divf", None, np.divide),
                "neg": ("arith.negf", None, np.negative),
                "abs": ("math.absf", "math.absi", np.abs),
                "tanh": ("math.tanh", None, np.tanh),
                "exp": ("math.exp", None, np.exp)}
COMPARE = {"gt": np.greater, "ge": np.greater_equal, "lt": np.less, "le": np.less_equal,
           "eq": np.equal, "ne": np.not_equal}
WIDTH = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64, "i8": 8, "i32": 32}
# What rounding a value of this type may change it by, relative to it.
ROUNDING = {"f32": 5e-7, "f16": 1e-3, "bf16": 8e-3}
LOOSEST = 0.05  # a larger tolerance would hide errors
# What no block divides, and blocks that are larger than what is computed.
ROWS, DEPTHS = [1, 2, 4, 5, 8, 16, 32], [1, 3, 4, 5, 8, 16]


@dataclass
class Case(model.Case):
    """A program that runs as tile kernels of blocks of `block`."""
    block: str = None

    def flags(self, folder, block=None):
        return super().flags(folder, self.block)

    def write(self, folder, block=None):
        path = super().write(folder)
        path.write_text(path.read_text().replace("einsum_property.py", "fusion_property.py"))
        return path


class Generator(model.Generator):
    """Draws one case. `arrays` has all values that were drawn so far, by name."""
    OPERANDS = list(WIDTH)
    ELEMENTS = dict(zip(model.ACCUMULATORS, [3, 2, 6, 2, 1, 2]))  # how often each is drawn

    def begin(self):
        """Nothing is drawn yet but the type of the result, which is returned."""
        self.arguments, self.ranges, self.arrays = [], {}, {}
        self.body, self.intermediates, self.computed, self.conditions = [], [], [], []
        self.dynamic = 0
        self.division = None  # which operands of the first contraction have axis i of its result
        element = self.random.choices(list(self.ELEMENTS), list(self.ELEMENTS.values()))[0]
        self.exact = not oracle.is_float(element) or self.chance(0.8)
        self.contracts, self.largest, self.rounding = {}, 1.0, 0.0
        return element

    def attempt(self):
        element = self.begin()
        x = self.contract(element, depth=0)
        for _ in range(self.random.choices(range(3), [5, 3, 1])[0]):
            other = self.contract(element, 0, x.shape, x.dims)
            for _ in range(self.random.randrange(2)):
                other = self.step(other)
            if other.shape == x.shape:
                x = self.op(self.random.choice(list(BINARY)), x, self.cast(other, x.element))
        for _ in range(self.random.choices(range(5), [1, 3, 4, 3, 2])[0]):
            x = self.step(x)
        results = [x]
        if self.chance(0.12):
            results.append(self.random.choice(self.computed))
        if self.chance(0.15):
            results.append(self.step(self.random.choice(self.computed)))
        if self.conditions and self.chance(0.3):  # a condition that two kernels need
            x = self.random.choice(self.conditions)
            type = Tensor("", x.shape, x.shape, "i32").type
            results.append(self.emit(x.shape, "i32", self.arrays[x.name],
                                     f"arith.extui %{x.name} : {x.type} to {type}"))
        if not self.arguments:  # all is constant
            raise Redraw
        return self.finish(results)

    def finish(self, results):
        program = oracle.Program(
            [oracle.Argument(a.name, oracle.Type(a.dims, a.element), self.ranges.get(a.name))
             for a in self.arguments], list(self.contracts.items()), [r.name for r in results],
            [oracle.Type(r.dims, r.element) for r in results])
        expected = [self.arrays[r.name] for r in results]
        tolerance = 0
        if not self.exact:
            smallest = min(np.abs(x).max(initial=0) for x in expected)
            allowed = max(oracle.tolerance(program, program.reduction(self.arrays)), self.rounding)
            tolerance = 2 * allowed * self.largest / max(smallest, 1e-30)
            if tolerance > LOOSEST:
                raise Redraw
        rows, columns = (self.random.choice(ROWS) for _ in range(2))
        return Case(self.number, self.seed, self.function(results), program,
                    [self.arrays[a.name] for a in self.arguments], expected, tolerance,
                    f"{rows}x{columns}x{self.random.choice(DEPTHS)}")

    # ---- contractions

    def contract(self, element, depth, shape=None, dims=None):
        value = super().contract(element, depth, shape, dims)
        contract = oracle.parse_contract(self.body[-1].partition(" = ")[2])
        context = contract.context(self.arrays)
        inputs = [self.arrays[name] for name in contract.operands]

        def evaluate(inputs, element, acc, result, precision="full"):
            tables, pad, *sizes = context
            return oracle.evaluate(contract.spec, inputs, tables, pad, acc, result, *sizes, element, precision)

        acc = contract.acc or oracle.default_accumulator(contract.element)
        magnitudes = [np.abs(x.astype(np.float64)) for x in inputs]
        bound = evaluate(magnitudes, "f64", "f64", "f64").max(initial=0)
        whole = all(np.array_equal(x, np.rint(x)) for x in inputs)
        if self.exact and oracle.is_float(acc) and (not whole or bound > model.EXACT[acc]):
            raise Redraw
        self.largest = max(self.largest, bound)
        self.contracts[value.name] = contract
        return self.know(value, evaluate(inputs, contract.element, acc, element, contract.precision))

    def draw_terms(self, result, size, permute):
        """Now and then a product whose result has rows and columns, which are
        those of the contraction before it."""
        if self.division is None and self.chance(0.6):
            self.division = [self.random.choice([{0}, {0}, {1}, {1}, {0, 1}]) for _ in result]
        elif self.division is None or len(self.division) != len(result) or self.chance(0.2):
            terms = super().draw_terms(result, size, permute)
            self.division = [{i for i, term in enumerate(terms[:2])
                              if any(c in oracle.letters_of(axis.tree) for axis in term)}
                             for c in result]
            return terms
        reduced = [c for c in size if c not in result][:self.random.choice([1, 1, 2])]
        terms = [[self.window(c, reduced, size) for c, has in zip(result, self.division) if i in has]
                 + [Axis(c, c) for c in reduced] for i in range(2)]
        for term in terms:
            self.random.shuffle(term)
            if len(term) > model.MAX_RANK:
                raise Redraw
        return terms[::self.random.choice([1, 1, -1])]

    def window(self, letter, reduced, size):
        """An axis that `letter` moves along, perhaps shifted by a summed letter."""
        text = letter
        if self.chance(0.15):
            text += "+" + (reduced[0] if self.chance(0.5) else self.draw_table(reduced[:1], size))
        return Axis(text, oracle.parse_expression(text))

    def operand(self, term, element, depth):
        """An operand and its prologue."""
        shape = tuple(axis.extent for axis in term)
        if depth == 0 and self.chance(0.05):
            x = self.contract(element, 1, shape, shape)
        elif self.chance(0.25):
            x = self.leaf(shape, self.random.choice(self.elements()))
        elif oracle.is_float(element) and self.chance(0.06):
            # What is read as 0 beyond an edge gives infinities.
            x = self.op("div", self.constant(shape, element, 4),
                        self.argument(shape, element, [1, 2, 4, -1, -2, -4]))
        else:
            x = self.leaf(shape, element)
        for _ in range(self.random.choices(range(3), [5, 4, 2])[0]):
            x = self.step(x, prologue=True)
        return self.cast(x, element)

    def outs(self, value):
        name = super().outs(value)
        self.arrays[name] = np.zeros(value.shape, oracle.HELD[value.element])
        return name

    # ---- values

    def elements(self):
        return [e for e in WIDTH if self.exact or oracle.is_float(e)]

    def know(self, value, array):
        """Notes what `value` is; infinities would differ from nothing."""
        array = np.asarray(array)
        if oracle.is_float(value.element):
            if not np.isfinite(array).all():
                raise Redraw
            self.largest = max(self.largest, np.abs(array).max(initial=0))
            self.rounding = max(self.rounding, ROUNDING.get(value.element, 0))
        self.arrays[value.name] = array
        self.computed.append(value)
        return value

    def emit(self, shape, element, array, text, *before):
        """A statement, after lines that it needs."""
        value = Tensor(f"v{len(self.body)}", shape, shape, element)
        with np.errstate(all="ignore"):
            array = oracle.convert(array, element)
        self.body.append("\n  ".join([*before, f"%{value.name} = {text}"]))
        return self.know(value, array)

    def empty(self, shape, element):
        """(name, type, statement) of a destination."""
        type = Tensor("", shape, shape, element).type
        name = f"%e{len(self.body)}"
        return name, type, f"{name} = tensor.empty() : {type}"

    def argument(self, shape, element, choices=None):
        shape = tuple(shape)
        x = Tensor(f"x{len(self.arguments)}", shape, shape, element)
        if choices:
            array = self.data.choice(choices, shape)
        elif not self.exact:
            array = self.data.uniform(-1, 1, shape)
        elif not oracle.is_float(element) and self.chance(0.3):  # integers wrap
            limits = np.iinfo(oracle.HELD[element])
            array = self.data.integers(limits.min, limits.max, shape, limits.dtype, endpoint=True)
        else:
            array = self.data.integers(-3, 3, shape, endpoint=True)
        self.arguments.append(x)
        self.arrays[x.name] = oracle.convert(array, element)
        return x

    def constant(self, shape, element, number):
        number = float(number) if oracle.is_float(element) else int(number)
        type = Tensor("", shape, shape, element).type
        return self.emit(shape, element, np.full(shape, number),
                         f"arith.constant dense<{number}> : {type}")

    def leaf(self, shape, element):
        """A value that does not depend on the program so far."""
        match self.random.choices(["new", "old", "constant", "transposed", "broadcast"],
                                  [6, 1, 1, 1.5, 1.5])[0]:
            case "old":
                known = [a for a in self.arguments if a.name[0] == "x"
                         and (a.shape, a.element) == (shape, element)]
                return self.random.choice(known) if known else self.argument(shape, element)
            case "constant":
                return self.constant(shape, element, self.random.choice([-2, 1, 3]))
            case "transposed":
                axes = self.random.sample(range(len(shape)), len(shape))
                return self.reshaped(self.argument([shape[a] for a in axes], element), axes, shape)
            case "broadcast":
                axes = self.subset(shape)
                return self.reshaped(self.argument([shape[a] for a in axes], element), axes, shape)
        return self.argument(shape, element)

    def subset(self, shape):
        return sorted(self.random.sample(range(len(shape)), self.random.randint(0, len(shape))))

    # ---- pointwise ops

    def op(self, kind, *operands):
        """An op on tensors of one type, in one of the ways to write it."""
        x = operands[0]
        float_op, integer_op, function = OPS[kind]
        name = float_op if oracle.is_float(x.element) else integer_op
        names, types = (", ".join(of(o) for o in operands)
                        for of in (lambda o: "%" + o.name, lambda o: o.type))
        with np.errstate(all="ignore"):
            array = function(*(self.arrays[o.name] for o in operands))
        if kind not in BINARY or self.chance(0.7):
            return self.emit(x.shape, x.element, array, f"{name} {names} : {x.type}")
        out, type, before = self.empty(x.shape, x.element)
        structured = self.random.choice([f"linalg.{kind}", f"linalg.map {{ {name} }}"])
        text = f"{structured} ins({names} : {types}) outs({out} : {type})"
        return self.emit(x.shape, x.element, array,
                         text + (f" -> {type}" if structured == f"linalg.{kind}" else ""), before)

    def cast(self, x, element):
        if x.element == element:
            return x
        array = self.arrays[x.name]
        largest = np.abs(array.astype(np.float64)).max(initial=0)
        wider = WIDTH[element] > WIDTH[x.element]
        match oracle.is_float(x.element), oracle.is_float(element):
            case True, True:
                if WIDTH[element] == WIDTH[x.element]:
                    return self.cast(self.cast(x, "f32"), element)
                op = "extf" if wider else "truncf"
            case False, False:
                op = "extsi" if wider else "trunci"
            case False, True:
                op = "sitofp"
                if largest > model.EXACT[element]:
                    raise Redraw
            case True, False:
                op = "fptosi"
                if largest > np.iinfo(oracle.HELD[element]).max:
                    raise Redraw
        type = Tensor("", x.shape, x.shape, element).type
        return self.emit(x.shape, element, array, f"arith.{op} %{x.name} : {x.type} to {type}")

    def reshaped(self, x, axes, shape):
        """`x`, whose axes run along `axes` of the result, transposed or broadcast."""
        out, type, before = self.empty(shape, x.element)
        kind = None
        if axes == sorted(axes):
            added = [a for a in range(len(shape)) if a not in axes]
            kind = f"broadcast ins(%{x.name} : {x.type}) outs({out} : {type}) dimensions = {added}"
        elif len(axes) == len(shape):
            order = [axes.index(a) for a in range(len(shape))]
            kind = f"transpose ins(%{x.name} : {x.type}) outs({out} : {type}) permutation = {order}"
        if kind is None or len(axes) == len(shape) == 0 or self.chance(0.3):
            return self.generic(shape, x.element, [(x, axes)])
        return self.emit(shape, x.element, self.expand(x, axes, shape), f"linalg.{kind}", before)

    def expand(self, x, axes, shape):
        array = self.arrays[x.name].transpose(np.argsort(axes).astype(int))
        return np.broadcast_to(array.reshape([n if a in axes else 1 for a, n in enumerate(shape)]),
                               shape)

    def generic(self, shape, element, reads):
        """linalg.generic that combines what it reads: pairs of value and axes."""
        floats = oracle.is_float(element)
        out, type, before = self.empty(shape, element)
        results, lines = ["%in0"], []
        total = self.expand(*reads[0], shape)
        loops = [f"d{i}" for i in range(len(shape))]
        iterators = ", ".join(['"parallel"' for _ in shape])

        def combine(kind, name, array):
            lines.append(f"%t{len(lines)} = {OPS[kind][not floats]} {results[-1]}, {name} : {element}")
            results.append(lines[-1].split(" ")[0])
            with np.errstate(all="ignore"):
                return oracle.convert(OPS[kind][2](total, array), element)

        for i, read in enumerate(reads[1:], 1):
            total = combine(self.random.choice(list(BINARY)), f"%in{i}", self.expand(*read, shape))
        if self.chance(0.2):
            number = self.random.choice([-1, 2])
            lines.append(f"%k = arith.constant {float(number) if floats else number} : {element}")
            total = combine(self.random.choice(["mul", "add"]), "%k",
                            oracle.convert(np.full(shape, number), element))
        if self.chance(0.05):  # not pointwise: it reads what it replaces
            old = self.argument(shape, element)
            out, before = "%" + old.name, ""
            total = combine("add", "%out", self.arrays[old.name])
        maps = [f"affine_map<({', '.join(loops)}) -> ({', '.join(f'd{a}' for a in axes)})>"
                for axes in [*(axes for _, axes in reads), range(len(shape))]]
        block = ", ".join([*(f"%in{i}: {element}" for i in range(len(reads))), f"%out: {element}"])
        ins = (", ".join(of(x) for x, _ in reads) for of in (lambda x: "%" + x.name, lambda x: x.type))
        text = "\n    ".join([
            f"linalg.generic {{indexing_maps = [{', '.join(maps)}],",
            f"    iterator_types = [{iterators}]}}",
            f"    ins({' : '.join(ins)}) outs({out} : {type}) {{",
            f"^bb0({block}):", *("  " + line for line in lines),
            f"  linalg.yield {results[-1]} : {element}"]) + f"\n  }} -> {type}"
        return self.emit(shape, element, total, text, *filter(None, [before]))

    def step(self, x, prologue=False):
        """One more pointwise op, or a few, on x."""
        floats = oracle.is_float(x.element)
        kinds = ["relu", "abs", "scale", "binary", "binary", "reversed", "diamond", "generic",
                 "generic", "cast"]
        kinds += ["select", "indicator"] if self.exact else ["tanh", "tanh", "exp"]
        kinds += [] if prologue else ["binary", "generic"]
        if not prologue and self.chance(0.06):
            kinds = ["transpose", "repeat"]
        match self.random.choice(kinds):
            case "relu":
                return self.op("max", x, self.constant(x.shape, x.element, 0))
            case "abs":
                return self.op(self.random.choice(["abs", "neg"] if floats else ["abs"]), x)
            case "scale":
                factors = [-1, 2, 3] if prologue or not floats else [-1, 2, 0.5]
                return self.op("mul", x, self.constant(x.shape, x.element,
                                                       self.random.choice(factors)))
            case "binary":
                return self.op(self.random.choice(list(BINARY)), x, self.leaf(x.shape, x.element))
            case "reversed":
                return self.op("sub", self.leaf(x.shape, x.element), x)
            case "diamond":
                relu = self.op("max", x, self.constant(x.shape, x.element, 0))
                return self.op(self.random.choice(["sub", "add", "max"]), relu, x)
            case "generic":
                return self.generic(x.shape, x.element, self.reads(x))
            case "cast":
                return self.cast(x, self.random.choice(self.elements()))
            case "select":
                condition = self.compare(x)
                other = self.leaf(x.shape, x.element)
                array = np.where(self.arrays[condition.name], self.arrays[x.name],
                                 self.arrays[other.name])
                return self.emit(x.shape, x.element, array,
                                 f"arith.select %{condition.name}, %{x.name}, %{other.name} : "
                                 f"{condition.type}, {x.type}")
            case "indicator":
                condition = self.compare(x)
                return self.emit(x.shape, x.element, self.arrays[condition.name],
                                 f"arith.{'uitofp' if floats else 'extui'} %{condition.name} : "
                                 f"{condition.type} to {x.type}")
            case "tanh":
                return self.op("tanh", x)
            case "exp":
                return self.op("exp", x if np.abs(self.arrays[x.name]).max(initial=0) < 2
                               else self.op("tanh", x))
            case "transpose":
                axes = self.random.sample(range(len(x.shape)), len(x.shape))
                shape = tuple(x.shape[axes.index(a)] for a in range(len(axes)))
                return self.reshaped(x, axes, shape)
            case "repeat":
                if len(x.shape) == model.MAX_RANK or math.prod(x.shape) > model.MAX_POINTS // 3:
                    return x
                at = self.random.randint(0, len(x.shape))
                shape = (*x.shape[:at], self.random.randint(1, 3), *x.shape[at:])
                return self.reshaped(x, [a for a in range(len(shape)) if a != at], shape)

    def reads(self, x):
        """x as it is, and other values in other orders and of lower rank."""
        reads = [(x, list(range(len(x.shape))))]
        for _ in range(self.random.randint(1, 3)):
            axes = self.subset(x.shape)
            self.random.shuffle(axes)
            shape = tuple(x.shape[a] for a in axes)
            reads.append((self.argument(shape, x.element), axes))
        self.random.shuffle(reads)
        return reads

    def compare(self, x):
        """Where x compares with another value, or what compared before: of type i1."""
        known = [c for c in self.conditions if c.shape == x.shape]
        if known and self.chance(0.4):
            return self.random.choice(known)
        other = self.leaf(x.shape, x.element)
        kind = self.random.choice(list(COMPARE))
        if oracle.is_float(x.element):
            text = f"arith.cmpf {'u' if kind == 'ne' else 'o'}{kind}"
        else:
            text = f"arith.cmpi {kind if kind in ('eq', 'ne') else 's' + kind}"
        name = f"v{len(self.body)}"
        self.body.append(f"%{name} = {text}, %{x.name}, %{other.name} : {x.type}")
        self.arrays[name] = COMPARE[kind](self.arrays[x.name], self.arrays[other.name])
        self.conditions.append(Tensor(name, x.shape, x.shape, "i1"))
        return self.conditions[-1]


# --------------------------------------------------------------------------
# Running them
# --------------------------------------------------------------------------


def count_fused(texts, tile_opt):
    """Of how many programs einsum-fuse makes kernels: all are one file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.mlir"
        path.write_text("// -----\n".join(texts))
        status, output = runner.run([
            tile_opt, str(path), "--split-input-file", "--canonicalize", "--cse",
            "--einsum-contract-pairwise", "--einsum-fuse"])
    if status != 0:
        print(f"tile-opt --einsum-fuse: exit status {status}\n{output[-2000:]}")
    return sum("einsum.kernel" in part for part in output.split("// -----"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--tile-run", required=True, help="path of tile-run; tile-opt is beside it")
    parser.add_argument("--count", type=int, default=100, help="cases to draw")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, metavar="N", help="draw case N alone")
    parser.add_argument("--jobs", type=int, default=2, help="cases in flight")
    parser.add_argument("--keep", default="property-failures", metavar="DIR",
                        help="where failing cases go")
    parser.add_argument("--backend", choices=["cpu", "sim"], default="cpu",
                        help="sim: kernels for a GPU, on the simulator")
    options = parser.parse_args()
    model.BACKEND = options.backend
    numbers = range(options.count) if options.only is None else [options.only]
    tile_run = shutil.which(options.tile_run)
    if not tile_run:
        parser.error("--tile-run PATH of an executable is needed")

    def work(number):
        case = Generator(options.seed, number).case()
        return case, runner.check(case, tile_run, case.block if number % 3 == 0 else None)

    cases, mismatches = [], 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for case, wrong in pool.map(work, numbers):
            cases.append(case)
            if wrong:
                mismatches += 1
                print(f"\nMISMATCH: case {case.number} of seed {case.seed}: {case.specs}\n{wrong}\n\n"
                      f"{case.text}\nrun it:   {runner.keep(case, options.keep)}\n", flush=True)
    fused = count_fused([case.text for case in cases], str(Path(tile_run).with_name("tile-opt")))
    print(f"property: {len(cases)} programs, {fused} fused, {mismatches} mismatches, "
          f"seed {options.seed}")
    return int(mismatches > 0)


if __name__ == "__main__":
    sys.exit(main())
