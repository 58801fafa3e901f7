# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random schedules (#einsum.schedule) of contractions in the text of a program.

Kinds and strides of dimensions, which einsum-print-schedules shows, are computed here from specifications and shapes
alone: schedule_property.py --self-test compares them.
"""

import itertools
import math
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Integration"))
import numpy_einsum as oracle  # noqa: E402

STATEMENT = re.compile(
    r'einsum\.contract "(?P<spec>[^"]*)" \((?P<operands>[^)]*)\)(?P<tables>\s*tables\([^)]*\))?'
    r'(?P<outs>\s*outs\([^)]*\))?(?: \{(?P<attributes>(?:[^{}]|\{[^{}]*\})*)\})?'
    r'(?P<types>\s*: \([^)]*\) -> tensor<[^>]*>)')


@dataclass
class Dim:
    """A loop dimension: #einsum.dim, with what follows from the contraction."""
    letters: str
    kind: str
    size: int
    step: int
    strides: list
    exec: str = "seq"

    def __str__(self):
        return f'<"{self.letters}" {self.exec} {self.extent}>'

    @property
    def extent(self):
        return f"{self.size} step {self.step}" if self.step != 1 else str(self.size)

    def describe(self):
        """As einsum-print-schedules does."""
        return (f'"{self.letters}" {self.kind} {self.exec} {self.extent} '
                f"strides [{', '.join(map(str, self.strides))}]")


@dataclass
class Schedule:
    """#einsum.schedule."""
    dims: list
    options: dict = field(default_factory=dict)  # lanes, tile, unroll, prefetch, pack: as text

    def __str__(self):
        options = "".join(f"{name} = {value}, " for name, value in self.options.items())
        return f"#einsum.schedule<{options}dims = [{', '.join(map(str, self.dims))}]>"


class Contraction:
    """What a schedule has to know of a contraction: kinds and strides of letters."""

    def __init__(self, match):
        contract = oracle.parse_contract(match[0])
        self.terms, self.result = oracle.parse_spec(contract.spec)
        types = [oracle.Type.parse(t) for t in re.findall(r"tensor<[^>]*>", match["types"])]
        self.shapes = [t.shape for t in types]  # of operands and the result
        tables = {}
        for name, type in re.findall(r"(\w+) = %\w+ : (tensor<[^>]*>)", match["tables"] or ""):
            tables[name] = np.ones([n or 0 for n in oracle.Type.parse(type).shape], np.int64)
        self.is_static = not any(None in shape for shape in self.shapes)
        accumulator = contract.acc or oracle.default_accumulator(contract.element)
        self.is_matrix = ({t.element for t in types[:-1]}, accumulator) in (({"bf16"}, "f32"), ({"i8"}, "i32"))
        self.is_schedulable = (self.is_static and contract.pad == "none" and len(self.terms) <= 2
                               and 0 not in itertools.chain(*self.shapes))
        if not self.is_schedulable:
            return
        self.size = oracle.letter_sizes(self.terms, self.result, self.shapes[:-1], tables, contract.pad,
                                        contract.sizes, self.shapes[-1])
        self.is_schedulable = 0 not in self.size.values()
        self.strides = [letter_strides(term, shape) for term, shape
                        in zip([*self.terms, list(self.result)], self.shapes)]

    @property
    def summed(self):
        return sorted(c for c in self.size if c not in self.result)

    def kind(self, letter):
        if letter not in self.result:
            return "k"
        uses = [letter in {c for axis in term for c in oracle.letters_of(axis)} for term in self.terms]
        return "batch" if len(uses) == 1 or all(uses) else "m" if uses[0] else "n"

    def dim(self, letters, size, step):
        """The dimension of `letters`, the last of which is the innermost."""
        strides = []
        for of in self.strides:
            expected = stride = of.get(letters[-1], 0)
            for c in reversed(letters):
                if stride == "?" or of.get(c, 0) != expected:
                    stride = "?"
                    break
                expected *= self.size[c]
            strides.append(stride if stride == "?" else stride * step)
        return Dim(letters, self.kind(letters[0]), size, step, strides)


def letter_strides(term, shape):
    """By how many elements each letter moves in a row-major operand: a number, or "?"."""
    strides = {}
    for axis, stride in zip(term, [math.prod(shape[i + 1:]) for i in range(len(shape))]):
        for term_letters, factors in axis_terms(axis):
            for c in term_letters:
                if factors is None or strides.get(c) == "?":
                    strides[c] = "?"
                else:
                    strides[c] = strides.get(c, 0) + factors[c] * stride
    return strides


def axis_terms(tree, factor=1):
    """Pairs of letters and their factors, or None where these are not numbers, of what an axis adds up."""
    if isinstance(tree, tuple) and tree[0] in ("+", "-", "neg"):
        signs = {"+": [1, 1], "-": [1, -1], "neg": [-1]}[tree[0]]
        for sign, branch in zip(signs, tree[1:]):
            yield from axis_terms(branch, sign * factor)
    elif isinstance(tree, tuple) and tree[0] == "*" and any(isinstance(b, int) for b in tree[1:]):
        constant, other = tree[1:] if isinstance(tree[1], int) else tree[:0:-1]
        yield from axis_terms(other, constant * factor)
    elif letters := sorted(oracle.letters_of(tree)):
        yield letters, linear_factors(tree, letters, factor)


def linear_factors(tree, letters, factor):
    """The factors of letters if `tree` is linear, however it is written: (a+2*a)/3 is a."""
    if oracle.look_ups(tree):
        return None
    values = np.broadcast_to(oracle.value(tree, oracle.ranges({c: 12 for c in letters}), {}),
                             [12] * len(letters))
    points = np.indices(values.shape)
    steps = [int(np.take(values, 1, i).flat[0] - values.flat[0]) for i in range(len(letters))]
    linear = values.flat[0] + sum(s * p for s, p in zip(steps, points))
    return {c: s * factor for c, s in zip(letters, steps)} if (values == linear).all() else None


# --------------------------------------------------------------------------
# Drawing
# --------------------------------------------------------------------------


def draw_groups(random, letters):
    """Divides letters, perhaps in another order, into those that are gone through as one."""
    letters = list(letters)
    if random.random() < 0.3:
        random.shuffle(letters)
    groups = []
    for c in letters:
        if groups and random.random() < 0.25:
            groups[-1] += c
        else:
            groups.append(c)
    return groups


def draw_factors(random, total):
    """Numbers whose product is `total`, mostly few."""
    factors = []
    for _ in range(random.choices(range(3), [6, 3, 1])[0]):
        divisors = [d for d in range(2, total) if total % d == 0] + [1] * (random.random() < 0.05)
        if divisors:
            factors.append(random.choice(divisors))
            total //= factors[-1]
    return [*factors, total]


def draw_dims(random, contraction, groups):
    dims = []
    for letters in groups:
        step = 1
        for size in draw_factors(random, math.prod(contraction.size[c] for c in letters)):
            dims.append(contraction.dim(letters, size, step))
            step *= size
    return dims


def draw_schedule(random, contraction, has_matrix=True):
    """A schedule that the verifier has to accept."""
    def chance(probability):
        return random.random() < probability

    kept = []
    for kind in ("batch", "m", "n"):
        kept += draw_dims(random, contraction, draw_groups(
            random, [c for c in contraction.result if contraction.kind(c) == kind]))
    summed, is_unary = contraction.summed, len(contraction.terms) == 1
    groups = draw_groups(random, summed)
    sums = draw_dims(random, contraction, groups)
    on_matrix = has_matrix and contraction.is_matrix and len(contraction.terms) == 2 and summed and chance(0.7)

    if chance(0.97):
        # Mostly there is a dimension along vectors.
        unit = [d for d in kept if d.strides[-1] == 1]
        chosen = random.sample(kept, min(len(kept), random.choices(range(3), [1, 3, 6])[0]))
        if chosen and unit and chance(0.6):
            chosen = [unit[0], *(d for d in chosen[1:] if d is not unit[0])]
        count = len(sums) if chance(0.5) else random.randint(1, len(sums)) if sums else 0
        if is_unary:
            count = min(count, 1)
        of_m, of_n = [[d for d in kept if d.kind == kind] for kind in "mn"]
        if on_matrix and of_m and of_n:
            chosen = [random.choice(of_m), random.choice(of_n)]
            count = max(count, 1)
        else:
            on_matrix = False
        for d in [*chosen, *random.sample(sums, count)]:
            d.exec = "prim"
    for d in kept:
        if d.exec == "seq" and chance(0.15):
            d.exec = "parallel"
    dims = [*kept, *sums]
    random.shuffle(dims)
    dims.sort(key=lambda d: ["parallel", "seq", "prim"].index(d.exec))

    prim_sums = sum(d.exec == "prim" for d in sums)
    if summed and prim_sums == 0:
        # Only what is not summed is prim: no kernel sums nothing.
        for d in dims:
            d.exec = "seq" if d.exec == "prim" else d.exec
        dims.sort(key=lambda d: ["parallel", "seq", "prim"].index(d.exec))

    options = {}
    on_matrix = on_matrix and any(d.exec == "prim" for d in dims)
    lanes = [i for i, d in enumerate(dims) if d.exec == "prim" and (d.kind != "k" or chance(0.1))]
    if on_matrix:
        lanes = [i for i in lanes if dims[i].kind != "k"]
    if lanes and chance(0.5):
        options["lanes"] = random.choice(lanes)
    if on_matrix:
        options["matrix"] = "true"
    if on_matrix and chance(0.7):
        options["tile"] = random.choice([[32, 2], [16, 3], [48, 1], [16, 1], [20, 2], [3, 2]])
    elif chance(0.7) and not on_matrix:
        options["tile"] = [random.randint(1, 9), random.randint(1, 4)]
    if chance(0.7):
        options["unroll"] = random.randint(1, 8)
    if chance(0.3):
        options["prefetch"] = random.randint(1, 4)
    pack = [i for i in range(len(contraction.terms)) if chance(0.3)]
    if pack:
        options["pack"] = pack
    return Schedule(dims, options)


def add_schedules(random, text, draw=draw_schedule):
    """`text` with a schedule for each contraction that can have one, and these."""
    schedules = []

    def add(match):
        contraction = Contraction(match)
        if not contraction.is_schedulable:
            return match[0]
        schedules.append(draw(random, contraction))
        attributes = (match["attributes"] + ", " if match["attributes"] else "") + f"schedule = {schedules[-1]}"
        head = match[0][:match.start("types") - match.start()]
        if match["attributes"]:
            head = head[:head.rindex(" {", 0, match.start("attributes") - match.start())]
        return head + f" {{{attributes}}}" + match["types"]

    return STATEMENT.sub(add, text), schedules
