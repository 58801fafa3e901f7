#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Property test of tile kernels: random programs, three answers each.

    tile_property.py --tile-run build/bin/tile-run --count 100 --seed 1

Each case is a kernel of random ops on tiles of odd shapes, which loads its tiles
by pointers and by views, behind masks and beyond edges. NumPy computes each value
as the program is drawn; tile-run executes it with --backend=cpu and compares with
its interpreter. Values are integers so small that f32 holds them, so all three
have to be equal. A failing case is kept as a .mlir file with its inputs.
`--seed S --only N` draws case N alone. Exit status: 0 if all agree, else 1.
"""

import argparse
import random
import sys
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
import batch  # noqa: E402

LIMIT = 2**22  # of the magnitude of a float; those up to 2^24 are exact
TYPES = {"f32": np.float32, "i32": np.int32, "i1": np.bool_}
COMBINERS = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum,
             "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}


class Value:
    def __init__(self, name, array, element):
        self.name, self.element = name, element
        self.array = np.asarray(array, TYPES[element])

    @property
    def shape(self):
        return self.array.shape

    @property
    def type(self):
        return f"tensor<{'x'.join(map(str, self.shape))}x{self.element}>"


class Program:
    """A kernel that grows op by op, each value beside its text."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.numpy = np.random.default_rng(seed)
        self.lines, self.values, self.arguments, self.indent, self.count = [], [], [], "  ", 0
        for _ in range(self.rng.randint(2, 4)):
            self.load()
        for _ in range(self.rng.randint(4, 16)):
            self.grow()
        for value in self.rng.sample(self.values, min(3, len(self.values))):
            self.store(value)

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text, array, element):
        """A value, unless it is too large to be exact."""
        if element == "f32" and np.abs(np.asarray(array, np.float64)).max() > LIMIT:
            return None
        value = Value(self.fresh(), array, element)
        self.lines.append(f"{self.indent}{value.name} = {text}")
        return value

    def constant(self, number, kind="index"):
        name = self.fresh()
        self.lines.append(f"{self.indent}{name} = arith.constant {number} : {kind}")
        return name

    def shape(self, rank=None):
        return tuple(self.rng.choice([1, 2, 3, 4, 5, 7]) for _ in range(rank or self.rng.randint(1, 3)))

    def pick(self, condition=lambda value: True):
        found = [value for value in self.values if condition(value)]
        return self.rng.choice(found) if found else None

    def argument(self, array, element):
        name = f"%m{len(self.arguments)}"
        pointer = self.rng.random() < 0.5
        self.arguments.append([name, np.ascontiguousarray(array), element, pointer])
        return name, pointer

    # Memory: all of an argument by masked pointers, or a view that may lie outside in part.

    def addresses(self, name, shape, element, stride_of):
        """Pointers to the elements of `shape` in a row-major array of `stride_of`, and their offsets."""
        total = None
        kind = lambda e: f"tensor<{'x'.join(map(str, shape))}x{e}>"
        for axis, size in enumerate(shape):
            steps = self.emit(f"tile.range 0 to {size} : tensor<{size}xi32>", np.arange(size), "i32")
            ones = tuple(size if i == axis else 1 for i in range(len(shape)))
            step = self.emit(f"tile.reshape {steps.name} : {steps.type} -> tensor<{'x'.join(map(str, ones))}xi32>",
                             steps.array.reshape(ones), "i32")
            wide = self.emit(f"tile.broadcast {step.name} : {step.type} -> {kind('i32')}",
                             np.broadcast_to(step.array, shape), "i32")
            stride = int(np.prod(stride_of[axis + 1:]))
            factor = self.emit(f"arith.constant dense<{stride}> : {kind('i32')}", np.full(shape, stride), "i32")
            part = self.emit(f"arith.muli {wide.name}, {factor.name} : {kind('i32')}",
                             wide.array * factor.array, "i32")
            total = part if total is None else self.emit(
                f"arith.addi {total.name}, {part.name} : {kind('i32')}", total.array + part.array, "i32")
        pointer_type = kind(f"!tile.ptr<{element}>")
        base, pointers = self.fresh(), self.fresh()
        self.lines.append(f"{self.indent}{base} = tile.splat {name} : !tile.ptr<{element}> -> {pointer_type}")
        self.lines.append(f"{self.indent}{pointers} = tile.addptr {base}, {total.name} : {pointer_type}, {kind('i32')}")
        return pointers, pointer_type, total

    def mask(self, total, shape):
        bound = self.rng.randint(0, int(np.prod(shape)))
        limit = self.emit(f"arith.constant dense<{bound}> : {total.type}", np.full(shape, bound), "i32")
        return self.emit(f"arith.cmpi slt, {total.name}, {limit.name} : {total.type}",
                         total.array < limit.array, "i1")

    def load(self):
        element = self.rng.choice(["f32", "i32"])
        shape = self.shape()
        array = self.numpy.integers(-3, 4, shape).astype(TYPES[element])
        name, pointer = self.argument(array, element)
        if pointer:
            pointers, kind, total = self.addresses(name, shape, element, shape)
            mask = self.mask(total, shape)
            value = self.emit(f"tile.load {pointers} mask {mask.name} : {kind}",
                              np.where(mask.array, array, 0), element)
        else:
            shift = [self.rng.choice([0, 0, -1, 1, 2, -9]) for _ in shape]
            indices = [self.constant(number) for number in shift]
            tile = self.shape(len(shape))
            result = np.zeros(tile, TYPES[element])
            for at in np.ndindex(*tile):
                place = tuple(i + s for i, s in zip(at, shift))
                if all(0 <= p < n for p, n in zip(place, shape)):
                    result[at] = array[place]
            memref = f"memref<{'x'.join(map(str, shape))}x{element}>"
            kind = f"tensor<{'x'.join(map(str, tile))}x{element}>"
            value = self.emit(f"tile.load_view {name}[{', '.join(indices)}] : {memref} -> {kind}", result, element)
        self.values.append(value)

    def store(self, value):
        if value.element == "i1":
            value = self.emit(f"arith.extui {value.name} : {value.type} to {value.type[:-3]}i32>",
                              value.array.astype(np.int32), "i32")
        before = self.numpy.integers(-3, 4, value.shape).astype(value.array.dtype)
        name, pointer = self.argument(before, value.element)
        if pointer:
            pointers, kind, total = self.addresses(name, value.shape, value.element, value.shape)
            mask = self.mask(total, value.shape)
            self.lines.append(f"{self.indent}tile.store {pointers}, {value.name} mask {mask.name} : {kind}")
            after = np.where(mask.array, value.array, before)
        else:
            zeros = [self.constant(0) for _ in value.shape]
            memref = f"memref<{'x'.join(map(str, value.shape))}x{value.element}>"
            self.lines.append(f"{self.indent}tile.store_view {value.name}, {name}[{', '.join(zeros)}]"
                              f" : {value.type}, {memref}")
            after = value.array
        self.arguments[-1].append(after)

    # Ops. Each returns a value, or None where it cannot be drawn.

    def grow(self):
        ops = [self.binary, self.binary, self.compare, self.select, self.reshape, self.broadcast, self.trans,
               self.dot, self.reduce, self.scan, self.loop, self.branch]
        value = self.rng.choice(ops)()
        if value is not None:
            self.values.append(value)

    def pair(self, element=None):
        a = self.pick(lambda v: v.element == element if element else v.element != "i1")
        return a, a and self.pick(lambda v: v.shape == a.shape and v.element == a.element)

    def binary(self, a=None, b=None):
        if a is None:
            a, b = self.pair()
        if a is None or b is None:
            return None
        op = self.rng.choice(["add", "sub", "mul", "max", "min"])
        text = {"f32": {"max": "maximumf", "min": "minimumf"}, "i32": {"max": "maxsi", "min": "minsi"}}[a.element]
        name = text.get(op, op + a.element[0])
        function = {"sub": np.subtract, **COMBINERS}[op]
        return self.emit(f"arith.{name} {a.name}, {b.name} : {a.type}", function(a.array, b.array), a.element)

    def compare(self):
        a, b = self.pair()
        if a is None or b is None:
            return None
        predicate, function = self.rng.choice([("lt", np.less), ("ge", np.greater_equal), ("eq", np.equal)])
        if a.element == "f32":
            predicate = "o" + predicate
        elif predicate != "eq":
            predicate = "s" + predicate
        holds = function(a.array, b.array)
        value, other = Value(self.fresh(), holds, "i1"), Value(self.fresh(), ~holds, "i1")
        self.lines.append(f"{self.indent}{value.name}, {other.name} = "
                          f"tile.cmpp {predicate} {a.name}, {b.name} : {a.type}")
        self.values.append(other)
        return value

    def select(self):
        mask = self.pick(lambda v: v.element == "i1")
        a = mask and self.pick(lambda v: v.shape == mask.shape and v.element != "i1")
        b = a and self.pick(lambda v: v.shape == a.shape and v.element == a.element)
        if b is None:
            return None
        ones = self.emit(f"arith.constant dense<true> : {mask.type}", np.ones(mask.shape), "i1")
        return self.emit(f"tile.psi {ones.name} ? {b.name}, {mask.name} ? {a.name} : {mask.type}, {a.type}",
                         np.where(mask.array, a.array, b.array), a.element)

    def typed(self, shape, element):
        return f"tensor<{'x'.join(map(str, shape))}x{element}>"

    def reshape(self):
        a = self.pick()
        size, shape = a.array.size, []
        while size > 1 and self.rng.random() < 0.8:
            factor = self.rng.choice([n for n in range(1, size + 1) if size % n == 0])
            shape.append(factor)
            size //= factor
        shape.append(size)
        self.rng.shuffle(shape)
        return self.emit(f"tile.reshape {a.name} : {a.type} -> {self.typed(shape, a.element)}",
                         a.array.reshape(shape), a.element)

    def broadcast(self):
        a = self.pick(lambda v: len(v.shape) < 4)
        if a is None:
            return None
        shape = self.shape(1)[: self.rng.randint(0, 1)] + tuple(
            self.rng.choice([1, 3, 4]) if size == 1 else size for size in a.shape)
        if np.prod(shape) > 4000:
            return None
        return self.emit(f"tile.broadcast {a.name} : {a.type} -> {self.typed(shape, a.element)}",
                         np.broadcast_to(a.array, shape), a.element)

    def trans(self):
        a = self.pick()
        order = list(range(len(a.shape)))
        self.rng.shuffle(order)
        return self.emit(f"tile.trans {a.name} {order} : {a.type}", a.array.transpose(order), a.element)

    def dot(self):
        a = self.pick(lambda v: v.element == "f32" and len(v.shape) == 2)
        if a is None:
            return None
        m, k = a.shape
        b = self.pick(lambda v: v.element == "f32" and len(v.shape) == 2 and v.shape[0] == k)
        if b is None:
            b = self.emit(f"tile.trans {a.name} [1, 0] : {a.type}", a.array.T, "f32")
        n = b.shape[1]
        c = self.pick(lambda v: v.element == "f32" and v.shape == (m, n)) or self.emit(
            f"arith.constant dense<1.0> : {self.typed((m, n), 'f32')}", np.ones((m, n)), "f32")
        return self.emit(f"tile.dot {a.name}, {b.name}, {c.name} : {a.type}, {b.type}, {c.type}",
                         a.array @ b.array + c.array, "f32")

    def combiner(self, element):
        return self.rng.choice({"f32": ["add", "mul", "max", "min"], "i1": ["and", "or", "xor"],
                                "i32": list(COMBINERS)}[element])

    def reduce(self):
        a = self.pick(lambda v: len(v.shape) > 1)
        if a is None:
            return None
        op, axis = self.combiner(a.element), self.rng.randrange(len(a.shape))
        return self.emit(f"tile.reduce {op} {a.name} axis {axis} : {a.type}",
                         COMBINERS[op].reduce(a.array, axis, dtype=a.array.dtype), a.element)

    def scan(self):
        a = self.pick()
        op, axis = self.combiner(a.element), self.rng.randrange(len(a.shape))
        reverse = self.rng.random() < 0.5
        ordered = np.flip(a.array, axis) if reverse else a.array
        result = COMBINERS[op].accumulate(ordered, axis, dtype=a.array.dtype)
        return self.emit(f"tile.scan {op} {a.name} axis {axis}{' reverse' if reverse else ''} : {a.type}",
                         np.flip(result, axis) if reverse else result, a.element)

    def loop(self):
        """Two tiles that a loop carries: one takes in another tile or the other one, and they may change places."""
        a, b = self.pair()
        c = a and self.pick(lambda v: v.shape == a.shape and v.element == a.element)
        if c is None:
            return None
        steps, swap = self.rng.randint(0, 4), self.rng.random() < 0.5
        use = self.rng.choice(["p", "q", "c"])
        p, q = a.array, b.array
        for _ in range(steps):
            p = p + {"p": p, "q": q, "c": c.array}[use]
            p, q = (q, p) if swap else (p, q)
        if a.element == "f32" and max(np.abs(p).max(), np.abs(q).max()) > LIMIT:
            return None
        zero, one, bound = self.constant(0), self.constant(1), self.constant(steps)
        result, part, other, sum_ = self.fresh(), self.fresh(), self.fresh(), self.fresh()
        operand = {"p": part, "q": other, "c": c.name}[use]
        order = [other, sum_] if swap else [sum_, other]
        self.lines += [
            f"  {result}:2 = scf.for {self.fresh()} = {zero} to {bound} step {one}"
            f" iter_args({part} = {a.name}, {other} = {b.name}) -> ({a.type}, {a.type}) {{",
            f"    {sum_} = arith.add{a.element[0]} {part}, {operand} : {a.type}",
            f"    scf.yield {order[0]}, {order[1]} : {a.type}, {a.type}", "  }"]
        self.values.append(Value(result + "#1", q, a.element))
        return Value(result + "#0", p, a.element)

    def branch(self):
        a, b = self.pair()
        if b is None:
            return None
        holds = self.rng.random() < 0.5
        condition, result = self.fresh(), self.fresh()
        inner = self.fresh()
        # Not known before the kernel runs.
        self.lines += [f"  {condition} = arith.cmpi {'eq' if holds else 'ne'}, %id, %zero : i32",
                       f"  {result} = scf.if {condition} -> {a.type} {{",
                       f"    {inner} = tile.scan max {a.name} axis 0 : {a.type}",
                       f"    scf.yield {inner} : {a.type}", "  } else {", f"    scf.yield {b.name} : {a.type}", "  }"]
        return Value(result, np.maximum.accumulate(a.array, 0) if holds else b.array, a.element)

    def text(self):
        memref = lambda array, element: f"memref<{'x'.join(map(str, array.shape))}x{element}>"
        host = ", ".join(f"{a[0]}: {memref(a[1], a[2])}" for a in self.arguments)
        kernel = ", ".join(f"{a[0]}: " + (f"!tile.ptr<{a[2]}>" if a[3] else memref(a[1], a[2]))
                           for a in self.arguments)
        names = ", ".join(a[0] for a in self.arguments)
        types = ", ".join(memref(a[1], a[2]) for a in self.arguments)
        return "\n".join([f"func.func @kernel({kernel}) attributes {{tile.kernel}} {{",
                          "  %id = tile.program_id x", "  %zero = arith.constant 0 : i32", *self.lines, "  return",
                          "}", f"func.func @main({host}) {{", "  %one = arith.constant 1 : index",
                          f"  tile.launch @kernel grid(%one, %one, %one) ({names}) : {types}", "  return", "}", ""])


def run(tile_run, number, program, folder):
    """What is wrong with case `number`, or an empty string."""
    file = folder / "program.mlir"
    file.write_text(program.text())
    inputs = [folder / f"in{i}.npy" for i in range(len(program.arguments))]
    outputs = [folder / f"out{i}.npy" for i in range(len(program.arguments))]
    for path, argument in zip(inputs, program.arguments):
        np.save(path, argument[1])
    status, output = batch.run([tile_run, file, "--entry=main", "--backend=cpu", "--check=interp", "--tolerance=0",
                                *batch.compile_flags(number),
                                "--inputs=" + ",".join(map(str, inputs)), "--outputs=" + ",".join(map(str, outputs))])
    if status != 0:
        return f"exit status {status}\n{output.strip()}"
    for path, argument in zip(outputs, program.arguments):
        got, expected = np.load(path), argument[-1] if len(argument) == 5 else argument[1]
        if not np.array_equal(got, expected):
            return f"{argument[0]}: NumPy expects\n{expected}\nfound\n{got}"
    return ""


def self_test(tile_run, folder):
    """Whether a wrong element is noticed, in each of some programs."""
    folder.mkdir(parents=True, exist_ok=True)
    noticed = 0
    for case in range(5):
        program = Program(case)
        program.arguments[-1][-1] = program.arguments[-1][-1] + 1
        noticed += "NumPy expects" in run(tile_run, case, program, folder)
    print(f"self-test: {noticed} of 5 wrong answers noticed")
    return 0 if noticed == 5 else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", type=Path, default=Path("property-failures"))
    parser.add_argument("--self-test", action="store_true", help="see that wrong answers are noticed")
    options = parser.parse_args()
    if options.self_test:
        return self_test(options.tile_run, options.keep)
    failures = 0
    for case in [options.only] if options.only is not None else range(options.count):
        folder = options.keep / f"tile-{options.seed}-{case}"
        folder.mkdir(parents=True, exist_ok=True)
        problem = run(options.tile_run, case, Program(options.seed * 1_000_003 + case), folder)
        if problem:
            failures += 1
            print(f"case {case}, kept in {folder}: {problem}", flush=True)
            continue
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
    count = options.count if options.only is None else 1
    print(f"property: {count} kernels, {failures} mismatches, seed {options.seed}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
