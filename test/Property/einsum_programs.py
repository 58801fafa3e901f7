# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of contractions: their text, their inputs, and what NumPy makes of them.

Each is a function of one or more contractions with random specifications, shapes, element types and inputs. Nine
in ten have integer inputs so small that every sum is exact in the accumulation type, whatever its order; the others
have fractions, and a tolerance.
"""

import math
import random
import re
import shlex
import string
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Integration"))
import numpy_einsum as oracle  # noqa: E402
from batch import compile_flags  # noqa: E402

MAX_POINTS = 20_000    # of the iteration space of a contraction
MAX_ELEMENTS = 40_000  # of an operand
MAX_RANK = 4
NVVM = "einsum-to-nvvm-pipeline{{config={{block={} warp=32x32}}}}"
BACKEND = "cpu"        # or "sim": set by --backend

# The types in which sums of each element type may be formed; the first one is
# the default. Narrow ones hold few integers exactly and are drawn rarely.
ACCUMULATORS = {"f16": ["f32", "f64", "f16"], "bf16": ["f32", "f64", "bf16"],
                "f32": ["f32", "f64"], "f64": ["f64"], "i8": ["i32"], "i32": ["i32"],
                "f8E4M3FN": ["f32", "f64", "f16"], "f8E5M2": ["f32", "f64", "f16"]}
# Integers up to this magnitude are exact.
EXACT = {"f16": 2**11, "bf16": 2**8, "f32": 2**24, "f64": 2**53}
# Larger sums could round to an infinity as a result of this type.
LARGEST = {"f16": 60_000, "f8E4M3FN": 400, "f8E5M2": 50_000}


def tile_pipeline(block):
    """The pipeline for blocks such as "8x8x2", after which options may follow."""
    size, *options = block.split()
    return f"einsum-to-tile-pipeline{{{' '.join([f'config={{block={size}}}', *options])}}}"



class Redraw(Exception):
    """What was drawn is not a valid case; the next attempt may be."""


# --------------------------------------------------------------------------
# Drawing programs
# --------------------------------------------------------------------------


@dataclass
class Tensor:
    """An SSA value of the program: `dims` is its shape with None where dynamic."""
    name: str
    shape: tuple
    dims: tuple
    element: str

    @property
    def type(self):
        return str(oracle.Type(self.dims, self.element))


@dataclass
class Axis:
    """An axis of an operand: its text in the specification, tree and size."""
    text: str
    tree: object
    extent: int = 0


@dataclass
class Case:
    """A program, its inputs in the order of arguments and the expected results."""
    number: int
    seed: int
    text: str
    program: oracle.Program
    inputs: list
    expected: list
    tolerance: float

    @property
    def stem(self):
        return f"case_{self.seed}_{self.number}"

    @property
    def specs(self):
        return "; ".join(c.spec for c in self.program.contracts.values())

    @property
    def input_names(self):
        return [f"{self.stem}.{a.name}.npy" for a in self.program.arguments]

    def flags(self, folder, block=None):
        """tile-run's arguments after the file, for inputs under `folder`."""
        names = ",".join(folder + name for name in self.input_names)
        pipeline = [f"--pipeline={tile_pipeline(block)},tile-to-cpu-pipeline"] if block else []
        if BACKEND == "sim":
            # Tiles of a GPU are powers of two.
            sizes = (1 << (int(n) - 1).bit_length() for n in (block or "32x32x16").split("x"))
            pipeline = [f"--pipeline={NVVM.format('x'.join(map(str, sizes)))}"]
        return [f"--backend={BACKEND}", f"--inputs={names}", "--check=interp",
                f"--tolerance={self.tolerance:.3g}", *compile_flags(self.number), *pipeline]

    def write(self, folder, block=None):
        """Writes program and inputs into `folder`; returns the path of the .mlir file."""
        path = Path(folder) / f"{self.stem}.mlir"
        path.write_text(
            f"// RUN: tile-run %s {shlex.join(self.flags('%S/', block))}\n"
            f"// Case {self.number} of seed {self.seed}; to draw it again:\n"
            f"//   einsum_property.py --seed {self.seed} --only {self.number}\n\n" + self.text)
        for name, x, a in zip(self.input_names, self.inputs, self.program.arguments):
            oracle.save(path.with_name(name), x, a.type.element)
        return path


class Generator:
    """Draws one case: all of it follows from the seed and the case's number."""

    OPERANDS = list(ACCUMULATORS)  # types that operands are drawn of
    TF32 = 0.4                     # the share of products of f32 that are rounded to tf32

    def __init__(self, seed, number, plain=False):
        """`plain`: one contraction of axes that are letters, as numpy.einsum has."""
        self.seed, self.number, self.plain = seed, number, plain
        self.random = random.Random(f"{seed}/{number}")
        self.data = np.random.default_rng([seed, number])

    def chance(self, probability):
        return self.random.random() < probability

    def case(self):
        """The first valid case; some attempts are thrown away."""
        while True:
            try:
                return self.attempt()
            except Redraw:
                pass

    def attempt(self):
        self.arguments = []   # Tensors
        self.ranges = {}      # of integer tables: name -> (low, high)
        self.arrays = {}      # those of tables and shapes; other inputs come last
        self.body = []        # statements as text
        self.intermediates = []  # results that feed another contraction
        self.exact = self.plain or self.chance(0.9)
        # The share of sizes that types do not tell.
        self.dynamic = 0 if self.plain else self.random.choice([0] * 5 + [0.5] * 3 + [1] * 2)

        results = [self.contract(self.random.choices(
            list(ACCUMULATORS), [3, 2, 6, 2, 2, 3, self.exact, self.exact])[0], depth=0)]
        if self.intermediates and self.chance(0.25):
            results.append(self.random.choice(self.intermediates))
        text = self.function(results)
        program = oracle.Program.parse(text)
        try:
            inputs = self.draw_inputs(program)
            values = program.run(inputs)
            expected = [values[r.name] for r in results]
            reduction = program.reduction(values)
        except (ValueError, IndexError) as error:
            raise AssertionError(f"case {self.number} of seed {self.seed} is not valid: "
                                 f"{error}\n{text}") from error
        tolerance = 0 if self.exact else oracle.tolerance(program, reduction)
        return Case(self.number, self.seed, text, program, inputs, expected, tolerance)

    # ---- contractions

    def contract(self, element, depth, shape=None, dims=None):
        """Emits a contraction with a result of type `element` and, where given, of
        `shape`; returns it. Its operands are arguments or other contractions."""
        operand_element, acc = self.accumulation(element)
        if shape is None and not self.plain and self.chance(0.3):
            result, size, terms = self.draw_familiar()
        else:
            result, size = self.draw_letters(shape)
            terms = self.draw_terms(result, size, permute=depth > 0 and self.chance(0.5))
        used = {c for term in terms for axis in term for c in oracle.letters_of(axis.tree)}
        if not used >= set(result) or math.prod(size[c] for c in used) > MAX_POINTS:
            raise Redraw
        padded = not self.plain and self.chance(0.3)
        tables = {t: self.arrays[t] for term in terms for axis in term
                  for t, _ in oracle.look_ups(axis.tree)}
        distinct = {id(term): term for term in terms}
        for term in distinct.values():
            for axis in term:
                self.set_extent(axis, size, tables, padded)
            if math.prod(axis.extent for axis in term) > MAX_ELEMENTS:
                raise Redraw

        result_shape = tuple(size[c] for c in result)
        result_dims = dims or self.hide(result_shape)
        untold, outs = self.tell_sizes(terms, result, result_dims, size, padded)
        left = ", ".join("".join(axis.text for axis in term) for term in terms)
        values = {i: self.operand(term, operand_element, depth) for i, term in distinct.items()}
        operands = [values[id(term)] for term in terms]

        name = f"v{len(self.body)}"
        spaces = self.random.choice(["{} -> {}"] * 4 + ["{}->{}"])
        line = (f'%{name} = einsum.contract "{spaces.format(left, result)}" '
                f'({", ".join("%" + x.name for x in operands)})')
        if tables:
            types = {a.name: a.type for a in self.arguments}
            line += "\n      tables(" + ", ".join(f"{t} = %{t} : {types[t]}" for t in tables) + ")"
        value = Tensor(name, result_shape, result_dims, element)
        if outs:
            line += f"\n      outs(%{self.outs(value)} : {value.type})"
        attributes = {}
        if padded or self.chance(0.05):
            attributes["pad"] = '"zero"' if padded else '"none"'
        if acc != ACCUMULATORS[operand_element][0] or self.chance(0.1):
            attributes["acc"] = acc
        if (operand_element, acc, len(operands)) == ("f32", "f32", 2) and self.chance(self.TF32):
            attributes["precision"] = '"tf32"'
        if untold:
            attributes["sizes"] = "{" + ", ".join(f"{c} = {size[c]}" for c in untold) + "}"
        if attributes:
            line += " {" + ", ".join(f"{k} = {v}" for k, v in attributes.items()) + "}"
        line += f"\n      : ({', '.join(x.type for x in operands)}) -> {value.type}"
        self.body.append(line)
        if depth > 0:
            self.intermediates.append(value)
        return value

    def accumulation(self, result):
        """Draws (element type of operands, accumulation type) for a result's type."""
        pairs = [(e, acc) for e, accs in ACCUMULATORS.items() for acc in accs
                 if result in (e, acc) and e in self.OPERANDS
                 and (self.exact or not e.startswith("f8"))]  # a step of f8 is too large to hide errors behind
        weights = [8 if e == result and acc == ACCUMULATORS[e][0] else
                   1 if acc in ("f16", "bf16") else 2 for e, acc in pairs]
        if not self.exact:  # sums in narrow types depend on their order
            weights = [w * (acc not in ("f16", "bf16")) for w, (_, acc) in zip(weights, pairs)]
        return self.random.choices(pairs, weights)[0]

    def draw_letters(self, shape):
        """Returns the result's letters and the sizes of these and further ones."""
        letters = self.random.sample(string.ascii_lowercase + "ABXY", 2 * MAX_RANK)
        rank = self.random.choices(range(MAX_RANK + 1), [1, 2, 4, 3, 3])[0]
        size = {}
        for c in letters:
            size[c] = self.random.randint(1, 9)
            if self.chance(0.08):
                size[c] = self.random.randint(10, 70)  # fills whole vectors
            if self.chance(0.01):
                size[c] = 0
        if shape is not None:
            rank = len(shape)
            size |= dict(zip(letters, shape))
        return "".join(letters[:rank]), size

    def draw_terms(self, result, size, permute):
        """Returns the axes of each operand; their sizes are not set yet. A list that
        occurs twice stands for one value in both places."""
        reduced = [c for c in size if c not in result]
        if permute:
            return [[Axis(c, c) for c in self.random.sample(result, len(result))]]
        reduced = reduced[:self.random.choices(range(5), [2, 4, 4, 2, 1])[0]]
        operands = self.random.choices([1, 2, 3], [2, 6, 2])[0]
        complicated = 0 if self.plain or self.chance(0.25) else self.random.choice([0.15, 0.4])
        terms = []
        for _ in range(operands):
            rank = self.random.choices(range(MAX_RANK + 1), [1, 3, 6, 5, 4])[0]
            free = self.random.sample([*result, *reduced], len(result) + len(reduced))
            term = []
            while free and len(term) < rank:
                if self.chance(complicated):
                    term.append(self.draw_axis(result, reduced, size))
                elif self.chance(0.05):  # a diagonal
                    term.append(Axis(*[self.random.choice([*result, *reduced])] * 2))
                else:
                    term.append(Axis(*[free.pop()] * 2))
            self.random.shuffle(term)
            terms.append(term)
        if operands > 1 and self.chance(0.05):
            terms[1] = terms[0]  # the same list: the same value is read twice
        # Letters of the result that no operand has so far.
        used = {c for term in terms for axis in term for c in oracle.letters_of(axis.tree)}
        for c in result:
            room = [term for term in terms if len(term) < MAX_RANK]
            if c not in used and room:
                self.random.choice(room).append(Axis(c, c))
        return terms

    def draw_familiar(self):
        """Draws a matrix product or a convolution, batched or not, with axes in any
        order: what fast paths look for. Returns (result, sizes, terms)."""
        z, m, n, k, h, w, r, s = self.random.sample(string.ascii_lowercase, 8)
        batch = self.random.choice(["", z])
        if self.chance(0.6):
            size = dict(zip([z, m, n, k], [self.random.randint(1, 4)] + [
                self.random.choice([1, 3, 4, 8, 16, 17, 24, 31, 33]) for _ in range(3)]))
            terms = [[*batch, m, k], [*batch, k, n]]
            result = batch + m + n
        else:
            size = {c: self.random.randint(1, 5) for c in (z, m, n, k, h, w, r, s)}
            stride, dilation = (self.random.choice([1, 1, 2, 3]) for _ in range(2))
            windows = [f"{a}+{b}" if stride == dilation == 1 else f"{stride}*{a}+{dilation}*{b}"
                       for a, b in ((h, r), (w, s))][:self.random.randint(1, 2)]
            channel, taps = self.random.choice([k, m]), [r, s][:len(windows)]  # m: depthwise
            terms = [[*batch, channel, *windows], [channel, m, *taps] if channel == k
                     else [m, *taps]]
            result = batch + m + (h + w)[:len(windows)]
        for term in terms:
            self.random.shuffle(term)
        return ("".join(self.random.sample(result, len(result))), size,
                [[Axis(a, oracle.parse_expression(a)) for a in term] for term in terms])

    # ---- axes

    def draw_axis(self, result, reduced, size):
        """Draws f(result letters) + g(reduced letters), not both always present."""
        if self.chance(0.02):
            parts = [str(self.random.randint(0, 3))]
        else:
            groups = [list(g) for g in (result, reduced) if g]
            chosen = self.random.choices(groups, k=1) if self.chance(0.3) else groups
            parts = [self.draw_part(g, size) for g in chosen]
            if self.chance(0.1):
                parts.append(self.draw_part(self.random.choice(groups), size))
        self.random.shuffle(parts)
        text = parts[0] if self.chance(0.9) else "-" + parts[0]
        for part in parts[1:]:
            text += self.random.choice(["+", "+", "+", " + ", "-", " - "]) + part
        if self.chance(0.05):
            text = f"{self.random.randint(2, 3)}*({text})"
        return Axis(text, oracle.parse_expression(text))

    def draw_part(self, letters, size):
        """Text of an expression of one kind of letters that binds like a product."""
        a, b = (self.random.choice(letters) for _ in range(2))
        n = self.random.randint(2, 3)
        # A letter's size must be static for a divisor to be known to be positive.
        kind = self.random.choices(
            ["letter", "scaled", "table", "scaled table", "quotient", "modulus", "product",
             "quotient of sum", "modulus of sum", "divided by letter", "modulo table"],
            [10, 5, 6, 1, 2, 2, 1, 1, 1, 0 if self.dynamic else 1, 0.3])[0]
        match kind:
            case "letter":
                return a
            case "scaled":
                return self.random.choice([f"{n}*{a}", f"{a}*{n}", f"{n} * {a}"])
            case "table":
                return self.draw_table(letters, size)
            case "scaled table":
                return f"{n}*{self.draw_table(letters, size)}"
            case "quotient":
                return f"{a}/{n}"
            case "modulus":
                return f"{a}%{n + 1}"
            case "product":
                return f"{a}*{b}"
            case "quotient of sum":
                return f"({n}*{a}+{b})/{n + 1}"
            case "modulus of sum":
                return f"({a}-{n}*{b})%{n + 2}"
            case "divided by letter":
                return f"{a}/({b}+1)"
            case "modulo table":
                return f"{a}%{self.draw_table(letters, size, low=1)}"

    def draw_table(self, letters, size, low=None):
        """Text of a look-up, in a new table or (now and then) one drawn before."""
        index = [self.random.choice(letters) for _ in range(self.random.choice([1, 1, 2]))]
        shape = tuple(size[c] for c in index)
        fitting = [t for t, (least, _) in self.ranges.items()
                   if self.arrays[t].shape == shape and least >= (low or least)]
        if fitting and self.chance(0.3):
            name = self.random.choice(fitting)
        else:
            name = self.random.choice(["sh", "off_x", "T", "_t"]) + str(len(self.ranges))
            low = self.random.choice([-2, -1, 0]) if low is None else low
            high = low + self.random.randint(0, 3)
            element = self.random.choice(["i32", "i32", "i64"])
            self.ranges[name] = low, high
            self.arrays[name] = self.data.integers(low, high, shape, oracle.HELD[element],
                                                   endpoint=True)
            self.arguments.append(Tensor(name, shape, self.hide(shape), element))
        return f"{name}[{self.random.choice([',', ', ']).join(index)}]"

    def set_extent(self, axis, size, tables, padded):
        """Sets the size of an operand's axis; shifts it so that it reads inside
        [0, size), or with `padded` somewhat to both sides of it."""
        if isinstance(axis.tree, str):
            axis.extent = size[axis.tree]
            if axis.text == axis.tree and not self.plain and self.chance(0.02):
                axis.text = f"({axis.tree})"
            return
        order = {c: size[c] for c in sorted(oracle.letters_of(axis.tree))}
        read = np.asarray(oracle.value(axis.tree, oracle.ranges(order), tables))
        low, high = (int(read.min()), int(read.max())) if read.size else (0, 0)
        shift, axis.extent = max(0, -low), max(0, -low) + high + 1
        if padded:
            shift += self.random.randint(-3, 2)
            axis.extent = max(1, axis.extent - self.random.randint(-2, 5))
        else:
            if low > 0 and self.chance(0.3):
                shift = -low
                axis.extent = high - low + 1
            if self.chance(0.3):
                axis.extent += self.random.randint(1, 3)
        if shift > 0 and self.chance(0.3):
            axis.text = f"{shift}+{axis.text}"
        elif shift:
            axis.text += f"{shift:+d}"
        axis.text = f"({axis.text})"
        axis.tree = oracle.parse_expression(axis.text)
        if self.simplifies(axis.tree):
            raise Redraw("an axis that simplifies to a letter, or to less letters and tables, means just that")

    @staticmethod
    def simplifies(tree):
        """Whether an expression is one letter in other words, as (3*q+q)/4 is q, or does not depend on one of its
        letters or tables, as -m+m does not on m."""
        def tables_of(tree):
            if not isinstance(tree, tuple):
                return {}
            if tree[0] == "[]":
                return {tree[1]: len(tree[2])}
            return {name: rank for branch in tree[1:] for name, rank in tables_of(branch).items()}

        size = 12
        letters = {c: size for c in sorted(oracle.letters_of(tree))}
        random = np.random.default_rng(1)
        ranks = tables_of(tree)

        def evaluate(changed=None):
            tables = {name: random.integers(1, 1000, (size,) * rank) if name == changed
                      else np.arange(1, size ** rank + 1).reshape((size,) * rank) for name, rank in ranks.items()}
            values = np.asarray(oracle.value(tree, oracle.ranges(letters), tables))
            return np.broadcast_to(values, tuple(letters.values()))

        values = evaluate()
        if not ranks and len(letters) == 1 and (values == np.arange(size)).all():
            return True
        return (any((values == values.take([0], axis)).all() for axis in range(len(letters)))
                or any((values == evaluate(name)).all() for name in ranks))

    # ---- sizes

    def hide(self, shape):
        """`shape` with None for the sizes that the type shall not tell."""
        return tuple(None if self.chance(self.dynamic) else n for n in shape)

    def tell_sizes(self, terms, result, result_dims, size, padded):
        """Makes every size known: returns (letters for `sizes`, whether outs is needed).

        A letter that stands alone somewhere or indexes a table needs nothing, nor
        does one that the result's type tells.
        """
        axes = [axis for term in terms for axis in term]
        letters = {c for axis in axes for c in oracle.letters_of(axis.tree)}
        known = {axis.tree for axis in axes if isinstance(axis.tree, str)}
        known |= {c for axis in axes for _, index in oracle.look_ups(axis.tree) for c in index}
        known |= {c for c, n in zip(result, result_dims) if n is not None}
        outs = self.dynamic > 0 and self.chance(0.2)
        if outs:
            known |= set(result)
        for c in sorted(letters - known):
            if self.chance(0.7) and not padded and self.fit_window(c, axes, known, size):
                known.add(c)
        missing = letters - known
        # `sizes` serves a letter of the result as well as outs does.
        outs = outs or bool(missing & set(result)) and self.chance(0.8)
        return sorted(missing - set(result) if outs else missing), outs

    def fit_window(self, letter, axes, known, size):
        """Sets the sizes of all axes of `letter` so that its own is the largest that
        keeps them inside; False if they do not tell it."""
        if 0 in size.values():
            return False
        extents = []
        for axis in axes:
            letters = oracle.letters_of(axis.tree)
            if letter in letters:
                slope = coefficient(axis.tree, letter)
                if not letters <= known | {letter} or slope is None or slope <= 0:
                    return False
                order = {c: size[c] for c in sorted(letters)}
                high = oracle.value(axis.tree, oracle.ranges(order), {}).max()
                extents.append((axis, int(high) + 1 + self.random.randrange(slope)))
        for axis, extent in extents:
            axis.extent = extent
        return True

    # ---- values

    def operand(self, term, element, depth):
        shape = tuple(axis.extent for axis in term)
        dims = self.hide(shape)
        if not self.plain and depth < 2 and self.chance(0.15) and math.prod(shape) <= MAX_POINTS:
            return self.contract(element, depth + 1, shape, dims)
        tensor = Tensor(f"x{len(self.arguments)}", shape, dims, element)
        self.arguments.append(tensor)
        return tensor

    def outs(self, value):
        """The name of a value of `value`'s type: tensor.empty or an argument."""
        name = f"init_{value.name}"
        tensor = Tensor(name, value.shape, value.dims, value.element)
        if self.chance(0.3):
            self.arguments.append(tensor)
            self.arrays[name] = np.zeros(value.shape, oracle.HELD[value.element])
            return name
        sizes = []
        for i, (n, told) in enumerate(zip(value.shape, value.dims)):
            if told is None:
                self.body.append(f"%{name}_{i} = arith.constant {n} : index")
                sizes.append(f"%{name}_{i}")
        self.body.append(f"%{name} = tensor.empty({', '.join(sizes)}) : {value.type}")
        return name

    def promise(self, argument):
        """The attribute by which the program promises something of an argument, if it does."""
        if argument.name in self.ranges:
            return "einsum.value_range = array<i64: %d, %d>" % self.ranges[argument.name]
        return ""

    def function(self, results):
        lines = []
        for a in self.arguments:
            promise = self.promise(a)
            lines.append(f"%{a.name}: {a.type}" + (f" {{{promise}}}" if promise else ""))
        types = ", ".join(r.type for r in results)
        return ("func.func @main(" + (",\n" + 16 * " ").join(lines) + f")\n    -> ({types}) {{\n"
                + "".join(f"  {line}\n" for line in self.body)
                + f"  return {', '.join('%' + r.name for r in results)} : {types}\n}}\n")

    def draw_inputs(self, program):
        """Draws the operands: integers so small that all sums are exact, if asked."""
        shapes = {a.name: a.shape for a in self.arguments}

        def draw(largest):
            inputs = []
            for a in program.arguments:
                shape, element = shapes[a.name], a.type.element
                if a.name in self.arrays:
                    inputs.append(self.arrays[a.name])
                elif not oracle.is_float(element):
                    limits = np.iinfo(oracle.HELD[element])
                    bounds = (limits.min, limits.max) if whole else (-largest, largest)
                    inputs.append(self.data.integers(*bounds, shape, limits.dtype, endpoint=True))
                elif self.exact:
                    inputs.append(oracle.convert(self.data.integers(-largest, largest, shape,
                                                                    endpoint=True), element))
                else:  # of one sign, so that no sum nearly cancels
                    inputs.append(oracle.convert(self.data.uniform(0.25, 1, shape), element))
            return inputs

        whole = self.chance(0.5)  # integers wrap, whatever their order
        for largest in (9, 4, 2, 1):
            inputs = draw(largest)
            if not self.exact or self.sums_are_exact(program, inputs):
                return inputs
        raise Redraw

    @staticmethod
    def sums_are_exact(program, inputs):
        bounds = program.run(inputs, magnitudes=True)
        for name, c in program.contracts.items():
            acc = c.acc or oracle.default_accumulator(c.element)
            bound = bounds[name].max(initial=0)
            if bound > min(EXACT.get(acc, math.inf), LARGEST.get(c.result.element, math.inf)):
                return False
        return True


def coefficient(tree, letter):
    """The factor of `letter` in a linear expression; None if it is not linear."""
    if isinstance(tree, int):
        return 0
    if isinstance(tree, str):
        return int(tree == letter)
    op, *branches = tree
    if op in ("[]", "/", "%"):
        return None
    factors = [coefficient(b, letter) for b in branches]
    if None in factors:
        return None
    if op == "*":
        for constant, other in (branches, branches[::-1]):
            if isinstance(constant, int):
                return constant * coefficient(other, letter)
        return None
    return {"neg": lambda a: -a, "+": lambda a, b: a + b, "-": lambda a, b: a - b}[op](*factors)


def draw_case(seed, number, plain=False):
    return Generator(seed, number, plain).case()
