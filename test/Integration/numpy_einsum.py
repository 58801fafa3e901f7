#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An oracle for einsum.contract, written from its definition with NumPy alone.

It shares no code with the compiler: it has its own reader of specifications and
of the few .mlir constructs that tests use, so that an error in one is not
repeated in the other.

    numpy_einsum.py --tile-run build/bin/tile-run --file examples/shift.mlir --backend cpu --seed 3

draws inputs for the entry function, runs tile-run on them, computes the results
anew and compares. It prints one line and exits 0 if they agree, 1 if not.

Element types go by their MLIR names. An array of bf16 or f8 is held as float32
whose values are those of the type; in .npy files it is the raw bits, dtype V2 or
V1.
"""

import argparse
import math
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

# How arrays of each element type are held in memory.
HELD = {"f16": np.float16, "f32": np.float32, "f64": np.float64,
        "i8": np.int8, "i32": np.int32, "i64": np.int64,
        "bf16": np.float32, "f8E4M3FN": np.float32, "f8E5M2": np.float32}
# Bits of the mantissa, bias of the exponent, the byte of the largest number.
F8 = {"f8E4M3FN": (3, 7, 0x7e), "f8E5M2": (2, 15, 0x7b)}

# Points of the iteration space that are held at once.
CHUNK = 1 << 22

# --------------------------------------------------------------------------
# Element types and files
# --------------------------------------------------------------------------


def is_float(element):
    return "f" in element


def round_bf16(values):
    """Rounds to nearest even bf16 in one step, also from f64; returns float32."""
    with np.errstate(over="ignore", invalid="ignore"):
        _, exponent = np.frexp(np.asarray(values, np.float64))
        # 8 significant bits, and no bit below that of the smallest subnormal.
        unit = np.maximum(exponent - 8, -133)
        rounded = np.ldexp(np.rint(np.ldexp(np.asarray(values, np.float64), -unit)), unit)
        limit = np.ldexp(1.0, 128)  # the largest bf16 rounds up to here
        return np.where(np.abs(rounded) >= limit, np.copysign(np.inf, rounded),
                        rounded).astype(np.float32)


def f8_values(element):
    """What each byte of an f8 means, as float32, from the definition of the format."""
    mantissa_bits, bias, largest = F8[element]
    bits = np.arange(128)
    exponent, mantissa = bits >> mantissa_bits, bits % (1 << mantissa_bits)
    values = np.ldexp(mantissa + np.where(exponent > 0, 1 << mantissa_bits, 0),
                      np.maximum(exponent, 1) - bias - mantissa_bits)
    values[largest + 1:] = np.nan
    values[largest + 1] = np.inf if element == "f8E5M2" else np.nan
    return np.concatenate([values, -values]).astype(np.float32)


def f8_bits(values, element):
    """The bytes of the numbers of an f8 that are nearest, of two the even one."""
    values, largest = np.asarray(values, np.float64), F8[element][2]
    numbers = f8_values(element)[:largest + 1].astype(np.float64)
    numbers = np.append(numbers, 2 * numbers[-1] - numbers[-2])  # nearer to this one is too large
    magnitudes = np.where(np.isnan(values), 0, np.abs(values))
    upper = np.searchsorted(numbers, magnitudes).clip(1, largest + 1)
    below, above = magnitudes - numbers[upper - 1], numbers[upper] - magnitudes
    bits = upper - ((below < above) | ((below == above) & (upper % 2 == 1)))
    return (np.where(np.isnan(values), 0x7f, bits) | np.where(np.signbit(values), 0x80, 0)).astype(np.uint8)


def round_tf32(values):
    """Rounds float32 to 10 bits of mantissa, to nearest, half away from zero."""
    unit = np.ldexp(1.0, np.frexp(values)[1] - 11)
    return np.copysign(np.floor(np.abs(values) / unit + 0.5) * unit, values).astype(np.float32)


def convert(values, element):
    """Converts to an element type: floats round to nearest even, integers wrap."""
    if element == "bf16":
        return round_bf16(values)
    if element in F8:
        return f8_values(element)[f8_bits(values, element)]
    with np.errstate(over="ignore"):
        return np.asarray(values).astype(HELD[element])


def save(path, values, element):
    """Writes `values`, which are of type `element`, as a NumPy file."""
    if element == "bf16":
        bits = np.ascontiguousarray(values, np.float32).view(np.uint32) >> 16
        values = bits.astype(np.uint16).view("V2").reshape(np.shape(values))
    if element in F8:
        values = f8_bits(values, element).view("V1")
    np.save(path, values)


def load(path, element):
    """Reads a NumPy file of type `element`; ValueError if it holds another."""
    values = np.load(path)
    expected = np.dtype("V2" if element == "bf16" else "V1" if element in F8 else HELD[element])
    if values.dtype != expected:
        raise ValueError(f"{path}: dtype {values.dtype}, expected {expected} for {element}")
    if element == "bf16":
        bits = np.frombuffer(values.tobytes(), np.uint16).astype(np.uint32) << 16
        values = bits.view(np.float32).reshape(values.shape)
    if element in F8:
        values = f8_values(element)[np.frombuffer(values.tobytes(), np.uint8).reshape(values.shape)]
    return values


# --------------------------------------------------------------------------
# Specifications
# --------------------------------------------------------------------------

# An expression is an integer, a letter (one character), or a tuple:
# ("[]", table, letters), ("neg", a), ("+", a, b), and so for - * / %.


def split_terms(text):
    """Splits at the commas that stand outside of brackets."""
    terms, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            terms.append("")
        else:
            terms[-1] += c
    return terms


def parse_spec(spec):
    """Returns (terms, result): per operand a list of expressions, and letters."""
    left, arrow, result = spec.partition("->")
    if not arrow:
        raise ValueError(f"no -> in '{spec}'")
    return [parse_term(t) for t in split_terms(left)], "".join(result.split())


def parse_term(text):
    axes, i = [], 0
    while i < len(text):
        c = text[i]
        i += 1
        if c == "(":
            start, depth = i, 1
            while depth:
                if i == len(text):
                    raise ValueError(f"unbalanced parentheses in '{text}'")
                depth += (text[i] == "(") - (text[i] == ")")
                i += 1
            axes.append(parse_expression(text[start:i - 1]))
        elif c.isalpha():
            axes.append(c)
        elif not c.isspace():
            raise ValueError(f"unexpected '{c}' in '{text}'")
    return axes


def parse_expression(text):
    tokens = re.findall(r"\d+|\w+|[^\s\w]", text) + ["end"]

    def take(*choices):
        return tokens.pop(0) if tokens[0] in choices else None

    def expect(token):
        if not take(token):
            raise ValueError(f"expected '{token}', found '{tokens[0]}' in '({text})'")

    def chain(operators, operand):
        left = operand()
        while op := take(*operators):
            left = (op, left, operand())
        return left

    def total():
        return chain("+-", lambda: chain("*/%", unary))

    def unary():
        if take("-"):
            return ("neg", unary())
        if take("("):
            inner = total()
            expect(")")
            return inner
        token = tokens.pop(0)
        if token.isdigit():
            return int(token)
        if take("["):
            letters = [tokens.pop(0)]
            while take(","):
                letters.append(tokens.pop(0))
            expect("]")
            return ("[]", token, tuple(letters))
        if len(token) != 1 or not token.isalpha():
            raise ValueError(f"expected a letter, found '{token}' in '({text})'")
        return token

    tree = total()
    expect("end")
    return tree


def look_ups(tree):
    """All look-ups of an expression: pairs of table and letters."""
    if not isinstance(tree, tuple):
        return []
    if tree[0] == "[]":
        return [tree[1:]]
    return [found for branch in tree[1:] for found in look_ups(branch)]


def letters_of(tree):
    """The letters of an expression, those that index tables included."""
    if isinstance(tree, str):
        return {tree}
    if not isinstance(tree, tuple):
        return set()
    if tree[0] == "[]":
        return set(tree[2])
    return set().union(*(letters_of(branch) for branch in tree[1:]))


def value(tree, letters, tables):
    """The value of an expression, where `letters` maps to broadcastable int64."""
    if isinstance(tree, str):
        return letters[tree]
    if not isinstance(tree, tuple):
        return np.int64(tree)
    if tree[0] == "[]":
        return tables[tree[1]][tuple(letters[c] for c in tree[2])].astype(np.int64)
    op, *branches = tree
    branches = [value(branch, letters, tables) for branch in branches]
    if op == "neg":
        return -branches[0]
    a, b = branches
    if op in "/%" and np.any(b <= 0):
        raise ValueError("a divisor is not positive")
    # NumPy's integer // and % are floor division and its modulus.
    return {"+": np.add, "-": np.subtract, "*": np.multiply,
            "/": np.floor_divide, "%": np.remainder}[op](a, b)


def ranges(sizes):
    """For each letter 0 .. size-1, along an axis of its own in the given order."""
    return {c: np.arange(size, dtype=np.int64).reshape((-1,) + (1,) * (len(sizes) - 1 - i))
            for i, (c, size) in enumerate(sizes.items())}


def letter_sizes(terms, result, shapes, tables, pad="none", sizes=None, result_shape=None):
    """The size of every letter, as a dictionary in no particular order.

    `result_shape` may be None, or have None for sizes that are not known. With
    pad "none" a letter that stands nowhere alone gets the largest size that
    keeps every read inside. ValueError where sizes contradict or are missing.
    """
    known = dict(sizes or {})

    def learn(letter, size):
        if known.setdefault(letter, size) != size:
            raise ValueError(f"letter {letter} has sizes {known[letter]} and {size}")

    if result_shape is not None:
        if len(result_shape) != len(result):
            raise ValueError(f"result of rank {len(result_shape)}, expected {len(result)}")
        for letter, size in zip(result, result_shape):
            if size is not None:
                learn(letter, size)
    axes = []
    for term, shape in zip(terms, shapes, strict=True):
        if len(term) != len(shape):
            raise ValueError(f"operand of shape {shape} for a term of {len(term)} axes")
        axes += zip(term, shape)
    for tree, extent in axes:
        if isinstance(tree, str):
            learn(tree, extent)
        for table, letters in look_ups(tree):
            for letter, size in zip(letters, tables[table].shape, strict=True):
                learn(letter, size)

    needed = set(result).union(*(letters_of(tree) for tree, _ in axes))
    while missing := sorted(needed - known.keys()):
        for letter in missing:
            found = [fitting_size(tree, extent, letter, known, tables) for tree, extent in axes
                     if letter in letters_of(tree) and letters_of(tree) <= known.keys() | {letter}]
            if pad == "none" and found:
                known[letter] = min(found)
                break
        else:
            raise ValueError(f"nothing tells the size of letter {missing[0]}")
    return {letter: known[letter] for letter in needed}


def fitting_size(tree, extent, letter, known, tables):
    """The largest size of `letter` for which the axis stays inside [0, extent)."""
    # Each further value of the letter moves the read by one or more, so that at
    # most `extent` of them can be inside.
    order = {letter: extent + 1} | {c: known[c] for c in letters_of(tree) - {letter}}
    read = np.broadcast_to(value(tree, ranges(order), tables), tuple(order.values()))
    outside = ((read < 0) | (read >= extent)).reshape(extent + 1, -1).any(axis=1)
    if not outside[-1]:
        raise ValueError(f"no largest size of letter {letter} follows from its axis")
    return int(np.argmax(outside))


# --------------------------------------------------------------------------
# Evaluation
# --------------------------------------------------------------------------


def default_accumulator(element):
    return {"f64": "f64", "i8": "i32", "i32": "i32"}.get(element, "f32")


def gather(operand, term, letters, tables, pad):
    """The elements that `term` reads, broadcastable over `letters`."""
    if not term:
        return operand[()]
    index = np.broadcast_arrays(*(value(tree, letters, tables) for tree in term))
    inside = np.ones(index[0].shape, bool)
    for i, extent in zip(index, operand.shape):
        inside &= (i >= 0) & (i < extent)
    if inside.all():
        return operand[tuple(index)]
    if pad != "zero":
        at = tuple(int(i[tuple(np.argwhere(~inside)[0])]) for i in index)
        raise IndexError(f"read at {at} outside an operand of shape {operand.shape}")
    if operand.size == 0:
        return np.zeros(inside.shape, operand.dtype)
    read = operand[tuple(i.clip(0, extent - 1) for i, extent in zip(index, operand.shape))]
    return np.where(inside, read, operand.dtype.type(0))


def evaluate(spec, inputs, tables=None, pad="none", acc=None, result_dtype=None, sizes=None,
             result_shape=None, element=None, precision="full"):
    """What einsum.contract computes.

    inputs: one array per term, of one element type. tables: integer arrays by
    name. pad: "none" or "zero". acc, result_dtype, element: names of element
    types; precision: "full" or "tf32"; `element`, the inputs', is taken from their dtype unless given (only
    those have to be that are held as others). sizes, result_shape: as in letter_sizes. Returns an array.
    ValueError if sizes contradict or are missing, IndexError if a read is
    outside and pad is "none".
    """
    inputs = [np.asarray(x) for x in inputs]
    tables = {name: np.asarray(table) for name, table in (tables or {}).items()}
    element = element or next(name for name in HELD if HELD[name] == inputs[0].dtype)
    acc = acc or default_accumulator(element)
    terms, result = parse_spec(spec)
    size = letter_sizes(terms, result, [x.shape for x in inputs], tables, pad, sizes, result_shape)
    inputs = [convert(x, acc) for x in inputs]
    if precision == "tf32":
        inputs = [round_tf32(x) for x in inputs]

    # All result letters and as many others as fit run along axes of arrays, the
    # remaining ones in a loop.
    inner = {c: size[c] for c in result}
    for c in sorted(size.keys() - inner.keys(), key=lambda c: (size[c], c)):
        if math.prod(inner.values()) * size[c] <= CHUNK:
            inner[c] = size[c]
    outer = [c for c in sorted(size) if c not in inner]
    summed = tuple(range(len(result), len(inner)))
    index = ranges(inner)

    total = np.zeros([size[c] for c in result], HELD[acc])
    with np.errstate(over="ignore"):  # integers wrap
        for point in np.ndindex(*(size[c] for c in outer)):
            letters = index | {c: np.int64(i) for c, i in zip(outer, point)}
            product = HELD[acc](1)
            for operand, term in zip(inputs, terms):
                product = multiply(product, gather(operand, term, letters, tables, pad), acc)
            product = np.broadcast_to(product, tuple(inner.values()))
            total = add(total, product, summed, acc)
    return convert(total, result_dtype or element)


def multiply(a, b, acc):
    return round_bf16(a * b) if acc == "bf16" else a * b


def add(total, products, axes, acc):
    """total + products summed over `axes`, in the type `acc`."""
    if acc not in ("f16", "bf16"):
        return total + products.sum(axis=axes, dtype=HELD[acc])
    # NumPy sums these types in f32: add one after the other.
    for point in np.ndindex(products.shape[total.ndim:]):
        total = convert(total + products[(..., *point)], acc)
    return total


# --------------------------------------------------------------------------
# Programs: the entry function of an .mlir file
# --------------------------------------------------------------------------


@dataclass
class Type:
    """tensor<...>: `shape` has None where the size is dynamic."""
    shape: tuple
    element: str

    @staticmethod
    def parse(text):
        match = re.fullmatch(r"tensor<\s*((?:[\d?]+x)*)(\w+)\s*>", text.strip())
        if not match:
            raise ValueError(f"not a tensor type this reader knows: {text}")
        dims = match[1].split("x")[:-1]
        return Type(tuple(None if d == "?" else int(d) for d in dims), match[2])

    def __str__(self):
        return "tensor<" + "".join(f"{'?' if d is None else d}x" for d in self.shape) \
            + self.element + ">"


@dataclass
class Argument:
    """An argument of the entry; the two attributes are those of --random."""
    name: str
    type: Type
    value_range: tuple = None
    example_shape: tuple = None


@dataclass
class Contract:
    """An einsum.contract: operands, tables and outs are names of values."""
    spec: str
    operands: list
    element: str
    result: Type
    tables: dict = field(default_factory=dict)
    outs: str = None
    pad: str = "none"
    acc: str = None
    sizes: dict = field(default_factory=dict)
    precision: str = "full"

    def context(self, values):
        """The arguments tables, pad, sizes and result_shape of letter_sizes."""
        return ({table: values[v] for table, v in self.tables.items()}, self.pad, self.sizes,
                values[self.outs].shape if self.outs else self.result.shape)


TENSOR = r"tensor<[^>]*>"
ATTRIBUTES = r"(\{(?:[^{}]|\{[^{}]*\})*\})"
CONTRACT = re.compile(
    r'einsum\.contract\s*"(?P<spec>[^"]*)"\s*\((?P<operands>[^)]*)\)'
    r"\s*(?:tables\s*\((?P<tables>[^)]*)\))?\s*(?:outs\s*\(\s*%(?P<outs>\w+)[^)]*\))?"
    rf"\s*{ATTRIBUTES.replace('(', '(?P<attributes>', 1)}?"
    rf"\s*:\s*\((?P<types>[^)]*)\)\s*->\s*(?P<result>{TENSOR})")
ELEMENTWISE = {"addf": np.add, "addi": np.add, "subf": np.subtract, "subi": np.subtract, "mulf": np.multiply,
               "muli": np.multiply, "divf": np.divide, "maximumf": np.maximum, "minimumf": np.minimum,
               "maxsi": np.maximum, "minsi": np.minimum, "negf": np.negative, "exp": np.exp, "tanh": np.tanh}


def parse_contract(text):
    match = CONTRACT.fullmatch(text)
    if not match:
        raise ValueError(f"cannot read: {text}")
    attributes = match["attributes"] or ""
    pad = re.search(r'\bpad\s*=\s*"(\w+)"', attributes)
    acc = re.search(r"\bacc\s*=\s*(\w+)", attributes)
    precision = re.search(r'\bprecision\s*=\s*"(\w+)"', attributes)
    sizes = re.search(r"\bsizes\s*=\s*\{([^}]*)\}", attributes)
    return Contract(
        spec=match["spec"],
        operands=re.findall(r"%(\w+)", match["operands"]),
        element=Type.parse(re.match(TENSOR, match["types"].strip())[0]).element,
        result=Type.parse(match["result"]),
        tables=dict(re.findall(r"(\w+)\s*=\s*%(\w+)", match["tables"] or "")),
        outs=match["outs"],
        pad=pad[1] if pad else "none",
        acc=acc[1] if acc else None,
        precision=precision[1] if precision else "full",
        sizes={c: int(n) for c, n in re.findall(r"(\w)\s*=\s*(\d+)", sizes[1])} if sizes else {})


@dataclass
class Program:
    """A straight line of statements: contractions and a little arith."""
    arguments: list
    statements: list  # pairs of name and text or Contract
    results: list     # names
    types: list       # of the results

    @staticmethod
    def parse(text):
        """Reads the first func.func of `text`."""
        text = re.sub(r"//.*", "", text)
        head = re.search(r"func\.func\s+@\w+\s*\(([^)]*)\)", text)
        if not head:
            raise ValueError("no func.func")
        arguments = []
        for name, tensor, attributes in re.findall(
                rf"%(\w+)\s*:\s*({TENSOR})\s*{ATTRIBUTES}?", head[1]):
            found = {key: tuple(int(i) for i in numbers.split(",")) for key, numbers in re.findall(
                r"einsum\.(\w+)\s*=\s*array<i64:([^>]*)>", attributes)}
            arguments.append(Argument(name, Type.parse(tensor), **found))
        body, _, end = text[head.end():].partition("return")
        operands, _, types = end.partition(":")
        statements = []
        for name, statement in re.findall(r"%(\w+)\s*=\s*((?:(?!%\w+\s*=)[\s\S])*)", body):
            statement = statement.strip()
            statements.append((name, parse_contract(statement)
                               if statement.startswith("einsum.contract") else statement))
        return Program(arguments, statements, re.findall(r"%(\w+)", operands),
                       [Type.parse(t) for t in re.findall(TENSOR, types)])

    @property
    def contracts(self):
        return {name: s for name, s in self.statements if isinstance(s, Contract)}

    def run(self, inputs, magnitudes=False):
        """Evaluates all statements on `inputs`, arrays in the order of arguments.

        Returns the arrays of all values by name. With `magnitudes` operands and
        results are f64, and the inputs' floats and integers (not the tables)
        max(|x|, 1): bounds of all that the contractions can meet on their way.
        """
        values = {a.name: x for a, x in zip(self.arguments, inputs, strict=True)}
        if magnitudes:
            tables = {t for c in self.contracts.values() for t in c.tables.values()}
            values = {name: x if name in tables else np.maximum(np.abs(x.astype(np.float64)), 1)
                      for name, x in values.items()}
        for name, s in self.statements:
            if isinstance(s, Contract):
                element, acc, result = ["f64"] * 3 if magnitudes else (
                    s.element, s.acc, s.result.element)
                tables, pad, sizes, shape = s.context(values)
                precision = "full" if magnitudes else s.precision
                values[name] = evaluate(s.spec, [values[o] for o in s.operands], tables, pad,
                                        acc, result, sizes, shape, element, precision)
                if magnitudes and s.precision == "tf32":
                    values[name] = values[name] * (1 + 2.0**-9)  # rounding may enlarge both operands
            else:
                values[name] = run_statement(s, values)
        return values

    def reduction(self, values):
        """The largest number of products that one sum of the program has, given
        what `run` returned."""
        largest = 1
        for s in self.contracts.values():
            terms, result = parse_spec(s.spec)
            size = letter_sizes(terms, result, [values[o].shape for o in s.operands],
                                *s.context(values))
            largest = max(largest, math.prod(n for c, n in size.items() if c not in result))
        return largest


def run_statement(text, values):
    """Evaluates a statement of arith, math, tensor or linalg."""
    if match := re.fullmatch(r"arith\.constant\s+(-?\d+)\s*:\s*index", text):
        return np.int64(match[1])
    if match := re.fullmatch(rf"arith\.constant\s+dense<([^>]*)>\s*:\s*({TENSOR})", text):
        type = Type.parse(match[2])
        return convert(np.full(type.shape, float(match[1])), type.element)
    if match := re.fullmatch(rf"tensor\.empty\s*\(([^)]*)\)\s*:\s*({TENSOR})", text):
        dynamic = iter(re.findall(r"%(\w+)", match[1]))
        type = Type.parse(match[2])
        return np.zeros([int(values[next(dynamic)]) if d is None else d for d in type.shape],
                        HELD[type.element])
    if match := re.fullmatch(rf"tensor\.cast\s+%(\w+)\s*:\s*{TENSOR}\s*to\s*{TENSOR}", text):
        return values[match[1]]
    if match := re.fullmatch(rf"tensor\.dim\s+%(\w+)\s*,\s*%(\w+)\s*:\s*{TENSOR}", text):
        return np.int64(values[match[1]].shape[int(values[match[2]])])
    if match := re.fullmatch(rf"(?:arith|math)\.(\w+)\s+%([\w\s,%]+?)(?:\s+fastmath<\w+>)?\s*:\s*({TENSOR})", text):
        if match[1] in ELEMENTWISE:
            operands = [values[name] for name in re.findall(r"\w+", match[2])]
            with np.errstate(over="ignore"):
                return convert(ELEMENTWISE[match[1]](*operands), Type.parse(match[3]).element)
    if match := re.fullmatch(rf"arith\.(?:sitofp|extf|truncf)\s+%(\w+)\s*:\s*{TENSOR}\s*to\s*({TENSOR})", text):
        return convert(values[match[1]], Type.parse(match[2]).element)
    if match := re.fullmatch(rf"linalg\.broadcast\s+ins\(%(\w+)[^)]*\)\s*outs\([^)]*:\s*({TENSOR})\)"
                             r"\s*dimensions\s*=\s*\[(\d+)\]", text):
        return np.broadcast_to(np.expand_dims(values[match[1]], int(match[3])), Type.parse(match[2]).shape)
    raise ValueError(f"cannot evaluate: {text}")


# --------------------------------------------------------------------------
# Comparison
# --------------------------------------------------------------------------


def tolerance(program, reduction):
    """What max |difference| / max |expected| may be, for inputs in [-1, 1].

    Integers are exact; f32 allows 1e-5 sqrt(reduction) and f64 in proportion;
    narrower types allow the rounding of one result, whatever the reduction.
    """
    allowed = 0.0
    for c in program.contracts.values():
        acc = c.acc or default_accumulator(c.element)
        if is_float(acc):
            allowed = max(allowed, {"f64": 1e-13}.get(acc, 1e-5) * math.sqrt(reduction))
        for element in (acc, c.element, c.result.element):
            allowed = max(allowed, {"f16": 1e-3, "bf16": 8e-3, "f32": 1e-6}.get(element, 0))
        if c.precision == "tf32":  # of an operand that is computed
            allowed = max(allowed, 1e-3)
        allowed = max(allowed, {"f8E4M3FN": 0.125, "f8E5M2": 0.25}.get(c.result.element, 0))
    return allowed


def difference(got, expected):
    """(error, where): max |got - expected| / max |expected|, and its place in words.

    Equal values, infinities and zeros of either sign included, differ by 0; the
    error is NaN if an element is NaN, and infinite if the shapes differ.
    """
    if got.shape != expected.shape:
        return math.inf, f"shape {got.shape}, expected {expected.shape}"
    if got.size == 0 or np.array_equal(got, expected):
        return 0.0, ""
    g, e = got.astype(np.float64), expected.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.where(g == e, 0.0, np.abs(g - e))
    worst = np.unravel_index(np.argmax(np.where(np.isnan(apart), np.inf, apart)), apart.shape)
    scale = np.max(np.abs(e))
    error = apart[worst] / scale if scale else math.inf
    return float(error), f"at {[int(i) for i in worst]}: {got[worst]}, expected {expected[worst]}"


# --------------------------------------------------------------------------
# Command line
# --------------------------------------------------------------------------


def draw(argument, rng):
    """A random array: floats uniform in [-1, 1], integers over all their values
    or, where the argument says so, over einsum.value_range."""
    type = argument.type
    shape = tuple(argument.example_shape[i] if d is None else d for i, d in enumerate(type.shape))
    if is_float(type.element):
        return convert(rng.uniform(-1, 1, shape), type.element)
    limits = np.iinfo(HELD[type.element])
    low, high = argument.value_range or (limits.min, limits.max)
    return rng.integers(low, high, shape, HELD[type.element], endpoint=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", required=True, help="path of tile-run")
    parser.add_argument("--file", required=True, type=Path, help=".mlir file to run")
    parser.add_argument("--run", type=Path, help="run this, which passes made of --file, in its place")
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--pipeline", help="passes for the backend, instead of its own")
    parser.add_argument("--seed", type=int, default=1, help="seed of the inputs")
    options = parser.parse_args()

    program = Program.parse(options.file.read_text())
    for a in program.arguments:
        if None in a.type.shape and not a.example_shape:
            sys.exit(f"{options.file.name}: argument %{a.name} of unknown size has no "
                     "einsum.example_shape")
    rng = np.random.default_rng(options.seed)
    inputs = [draw(a, rng) for a in program.arguments]
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{folder}/{a.name}.npy" for a in program.arguments]
        outputs = [f"{folder}/result{i}.npy" for i in range(len(program.results))]
        for name, x, a in zip(names, inputs, program.arguments):
            save(name, x, a.type.element)
        command = [options.tile_run, str(options.run or options.file), f"--backend={options.backend}",
                   f"--inputs={','.join(names)}", f"--outputs={','.join(outputs)}"]
        if options.pipeline:
            command.append(f"--pipeline={options.pipeline}")
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            print(f"{options.file.stem}: FAIL, tile-run exits with {done.returncode}")
            sys.exit(done.stdout + done.stderr)
        got = [load(o, t.element) for o, t in zip(outputs, program.types)]

    values = program.run(inputs)
    error, where = max((difference(g, values[r]) for g, r in zip(got, program.results)),
                       key=lambda found: math.inf if math.isnan(found[0]) else found[0])
    allowed = tolerance(program, program.reduction(values))
    passed = error <= allowed  # false for NaN
    specs = "; ".join(c.spec for c in program.contracts.values())
    print(f"{options.file.stem}: {specs}: {options.backend} against NumPy: error {error:.2e}, "
          f"tolerance {allowed:.1e}: {'PASS' if passed else 'FAIL ' + where}")
    sys.exit(not passed)


if __name__ == "__main__":
    main()
