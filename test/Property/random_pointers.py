# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels that access memory by pointers, and what executes them in NumPy: see tile_pointers_property.py."""
import collections
import math
import operator
import random

import numpy as np

TYPES = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "f16": np.float16,
         "f32": np.float32, "f64": np.float64}
COMPARISONS = {"slt": operator.lt, "sge": operator.ge, "eq": operator.eq, "ne": operator.ne}

Value = collections.namedtuple("Value", "name shape element")  # element: of TYPES, or "!tile.ptr<...>"


def type_of(value, element=None):
    element = element or value.element
    return element if value.shape is None else f"tensor<{''.join(f'{size}x' for size in value.shape)}{element}>"


def remainder(a, b):
    return np.fmod(a, b)


def quotient(a, b):
    return (a - np.fmod(a, b)) // b


class Kernel:
    """Its text, and beside it what executes it."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines, self.steps, self.indent, self.count = [], [], "  ", 0
        self.scalars, self.arrays = {}, {}  # names of arguments: number; elements
        self.element = self.rng.choice(["f32", "f32", "f32", "f16", "f64", "i8", "i16", "i32", "i64"])
        rows, columns = self.rng.choice([1, 2, 3, 4, 8, 16]), self.rng.choice([1, 4, 8, 12, 16, 20, 32, 64])
        self.shape = (rows, columns) if self.rng.random() < 0.8 else (columns,)
        self.build()

    # Text and execution, line by line.

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def line(self, text):
        self.lines.append(self.indent + text)

    def emit(self, text, shape, element, function, *operands):
        value = Value(self.fresh(), shape, element)
        self.line(f"{value.name} = {text}")

        def step(machine):
            machine[value.name] = function(*(machine[operand.name] for operand in operands))

        self.steps.append(step)
        return value

    def constant(self, number, like):
        text = number if like.shape is None else f"dense<{number}>"
        array = np.full(like.shape or (), number, TYPES[like.element])
        return self.emit(f"arith.constant {text} : {type_of(like)}", like.shape, like.element, lambda: array)

    def argument(self, number):
        name = f"%s{len(self.scalars)}"
        self.scalars[name] = number
        return Value(name, None, "i32")

    def splat(self, scalar, shape):
        return self.emit(f"tile.splat {scalar.name} : {scalar.element} -> {type_of(Value('', shape, scalar.element))}",
                         shape, scalar.element, lambda a: np.full(shape, a), scalar)

    def cast(self, value, element, signed=True):
        """Of integers: the upper bits go, or come."""
        before, after = TYPES[value.element](0).itemsize, TYPES[element](0).itemsize
        if before == after:
            return value
        op = "trunci" if after < before else "extsi" if signed else "extui"
        through = np.dtype(TYPES[value.element] if signed else f"u{before}")
        return self.emit(f"arith.{op} {value.name} : {type_of(value)} to {type_of(value, element)}", value.shape, element,
                         lambda a: a.astype(through).astype(TYPES[element]), value)

    def binary(self, op, a, b):
        function = {"addi": operator.add, "subi": operator.sub, "muli": operator.mul, "remsi": remainder,
                    "divsi": quotient, "maxsi": np.maximum, "minsi": np.minimum, "xori": operator.xor,
                    "andi": operator.and_, "ori": operator.or_, "addf": operator.add}[op]
        return self.emit(f"arith.{op} {a.name}, {b.name} : {type_of(a)}", a.shape, a.element, function, a, b)

    def broadcast(self, a, shape):
        return self.emit(f"tile.broadcast {a.name} : {type_of(a)} -> {type_of(Value('', shape, a.element))}", shape,
                         a.element, lambda x: np.broadcast_to(x, shape), a)

    def reshape(self, a, shape):
        return self.emit(f"tile.reshape {a.name} : {type_of(a)} -> {type_of(Value('', shape, a.element))}", shape,
                         a.element, lambda x: x.reshape(shape), a)

    def add_offset(self, pointer, offset):
        return self.emit(f"tile.addptr {pointer.name}, {offset.name} : {type_of(pointer)}, {type_of(offset)}",
                         pointer.shape, pointer.element, lambda a, b: a + b.astype(np.int64), pointer, offset)

    # Forms.

    def number(self, like, numbers):
        """A constant or an argument, of the type of `like`."""
        numbers = [min(number, np.iinfo(TYPES[like.element]).max) for number in numbers]
        if self.rng.random() < 0.4:
            return self.constant(self.rng.choice(numbers), like)
        scalar = self.cast(self.argument(self.rng.choice(numbers)), like.element)
        return scalar if like.shape is None else self.splat(scalar, like.shape)

    def numbers_along(self, size, element):
        """A tile of one axis that mostly goes up by one."""
        value = self.emit(f"tile.range 0 to {size} : tensor<{size}xi32>", (size,), "i32",
                          lambda: np.arange(size, dtype=np.int32))
        value = self.cast(value, element)
        if size > 2 and self.rng.random() < 0.15:  # The ends of a run are as far apart as if it went up by one.
            ends = math.gcd(size, self.rng.choice([4, 8, 16, 32, 128 // TYPES[self.element]().itemsize])) - 1
            value = self.binary("muli", value, self.number(value, [3]))
            return self.binary("remsi", value, self.number(value, [max(1, 2 * ends)]))
        if self.rng.random() < 0.4:
            start = self.cast(self.binary("muli", self.program, self.constant(size, self.program)), element)
            value = self.binary("addi", self.splat(start, value.shape), value)
        for _ in range(self.rng.choice([0, 0, 1, 1, 2])):
            op = self.rng.choice(["addi", "subi", "remsi", "remsi", "remsi", "muli", "divsi", "xori", "maxsi", "minsi"])
            sizes = [max(1, size // 2), size, size, size + 3, 4 * size, 8, 16]
            numbers = {"remsi": sizes, "divsi": [2, 4, 16], "xori": [1, 8, 16], "muli": [1, 1, 1, 2, 0, -1],
                       "maxsi": [0, 1, size // 2], "minsi": [size, size - 1, size // 2]}.get(op, [1, 4, 16, -3, 100])
            other = self.number(value, numbers)
            value = self.binary(op, *((other, value) if op in ("addi", "muli") and self.rng.random() < 0.5 else
                                      (value, other)))
        return value

    def place(self, value, shape, axis):
        """A tile of one axis along that one of `shape`."""
        if len(shape) == 1:
            return value
        ones = tuple(size if i == axis else 1 for i, size in enumerate(shape))
        return self.broadcast(self.reshape(value, ones), shape)

    def address(self, name):
        """Pointers into an array, and what masks may compare."""
        turned = len(self.shape) == 2 and self.rng.random() < 0.2
        shape = self.shape[::-1] if turned else self.shape
        element = self.rng.choice(["i32", "i32", "i32", "i64", "i16", "i8"])
        along = self.rng.choice([0, len(shape) - 1, len(shape) - 1])  # the axis that goes along a row of memory
        parts = []
        for axis, size in enumerate(shape):
            part = self.numbers_along(size, element)
            if axis != along and self.rng.random() < 0.9:
                part = self.binary("muli", part, self.number(part, [shape[-1], 64, 100, 1, 0, -70]))
            parts.append(part)
        wide = self.rng.choice(["i32", "i64"]) if element != "i64" else element
        signed = self.rng.random() < 0.7
        pointer = Value(name, None, f"!tile.ptr<{self.element}>")
        if self.rng.random() < 0.3:
            pointer = self.add_offset(pointer, self.argument(self.rng.choice([1, 16, -5])))
        placed = [self.place(part, shape, axis) for axis, part in enumerate(parts)]
        if self.rng.random() < 0.5:  # One sum.
            total = placed[0]
            for part in placed[1:]:
                total = self.binary("addi", *((total, part) if self.rng.random() < 0.5 else (part, total)))
            total = self.cast(total, wide, signed)
            if turned:
                total, turned = self.turn(total), False
            pointers = self.add_offset(self.splat(pointer, total.shape), total)
        else:
            pointers = self.splat(pointer, shape)
            for part in placed:
                pointers = self.add_offset(pointers, self.cast(part, wide, signed))
        if turned:
            pointers = self.turn(pointers)
        masked = placed if pointers.shape == shape else [self.turn(part) for part in placed]
        return pointers, masked

    def turn(self, value):
        return self.emit(f"tile.trans {value.name} [1, 0] : {type_of(value)}", value.shape[::-1], value.element,
                         np.transpose, value)

    def mask(self, tiles, trip):
        """A mask of a load or store in a loop whose counter `trip` is, if there is one. None: no mask."""
        result = None
        for tile in tiles:
            if self.rng.random() < 0.5:
                continue
            largest = self.shape[-1]
            bound = self.number(tile, [0, 1, largest // 2, largest - 1, largest, 2 * largest, 100])
            if trip and self.rng.random() < 0.5:
                passed = self.binary("muli", trip, self.constant(self.rng.choice([1, largest]), trip))
                bound = self.binary("subi", bound, self.splat(self.cast(passed, bound.element), bound.shape))
            name = self.rng.choice(["slt", "slt", "slt", "sge", "eq", "ne"])
            part = self.emit(f"arith.cmpi {name}, {tile.name}, {bound.name} : {type_of(tile)}", tile.shape, "i1",
                             COMPARISONS[name], tile, bound)
            result = part if result is None else self.binary(self.rng.choice(["andi", "andi", "ori", "xori"]), result, part)
        return result

    def load(self, pointers, masked, trip):
        mask = self.mask(masked, trip)
        value = Value(self.fresh(), pointers.shape, self.element)
        other = None
        if mask and self.rng.random() < 0.5:
            other = self.constant("7.0" if self.element[0] == "f" else 7, value)
        self.line(f"{value.name} = tile.load {pointers.name}" + (f" mask {mask.name}" if mask else "")
                  + (f" other {other.name}" if other else "") + f" : {type_of(pointers)}")

        def step(machine):
            active = machine[mask.name] if mask else np.ones(pointers.shape, bool)
            result = np.full(pointers.shape, 7 if other else 0, TYPES[self.element])
            result[active] = machine.read(machine[pointers.name][active])
            machine[value.name] = result

        self.steps.append(step)
        return value

    def store(self, pointers, value, masked, trip):
        mask = self.mask(masked, trip)
        self.line(f"tile.store {pointers.name}, {value.name}" + (f" mask {mask.name}" if mask else "")
                  + f" : {type_of(pointers)}")

        def step(machine):
            active = machine[mask.name] if mask else np.ones(pointers.shape, bool)
            machine.write(machine[pointers.name][active], machine[value.name][active])

        self.steps.append(step)

    def advance(self, value, trip):
        """`value`, of pointers or integers, some numbers further."""
        for _ in range(self.rng.choice([0, 1, 1, 1, 2])):
            element = self.rng.choice(["i32", "i64"]) if value.element.startswith("!") else value.element
            like = Value("", value.shape, element)
            draw = self.rng.random()
            if draw < 0.15:  # Not the same for all.
                by = self.numbers_along(value.shape[-1], element)
                by = self.place(by, value.shape, len(value.shape) - 1)
            elif trip and draw < 0.3:
                by = self.splat(self.cast(trip, element), value.shape)
            else:
                by = self.number(like, [1, 4, 16, 64, 100, -8])
            if value.element.startswith("!"):
                value = self.add_offset(value, by)
            else:
                value = self.binary("addi", *((by, value) if self.rng.random() < 0.3 else (value, by)))
        return value

    def loop(self, values, body):
        """What `values` are after a loop around `body`, which is given what they are in it, and returns the next ones."""
        trips = self.rng.choice([0, 1, 2, 2, 3])
        zero, one = (self.emit(f"arith.constant {i} : i32", None, "i32", lambda i=i: np.int32(i)) for i in (0, 1))
        bound = self.argument(trips) if self.rng.random() < 0.7 else self.constant(trips, zero)
        inner = [Value(self.fresh(), value.shape, value.element) for value in values]
        counter, result = Value(self.fresh(), None, "i32"), self.fresh()
        self.line(f"{result}:{len(values)} = scf.for {counter.name} = {zero.name} to {bound.name} step {one.name} iter_args("
                  + ", ".join(f"{a.name} = {b.name}" for a, b in zip(inner, values)) + ") -> ("
                  + ", ".join(map(type_of, values)) + ") : i32 {")
        outside, self.steps, self.indent = self.steps, [], self.indent + "  "
        next_values = body(inner, counter)
        self.line("scf.yield " + ", ".join(value.name for value in next_values) + " : "
                  + ", ".join(map(type_of, values)))
        steps, self.steps, self.indent = self.steps, outside, self.indent[:-2]
        self.line("}")
        after = [Value(f"{result}#{i}", value.shape, value.element) for i, value in enumerate(values)]

        def step(machine):
            carried = [machine[value.name] for value in values]
            for number in range(int(machine[bound.name])):
                machine[counter.name] = np.int32(number)
                machine.update({value.name: array for value, array in zip(inner, carried)})
                for inner_step in steps:
                    inner_step(machine)
                carried = [machine[value.name] for value in next_values]
            machine.update({value.name: array for value, array in zip(after, carried)})

        self.steps.append(step)
        return after

    def build(self):
        self.program = self.emit("tile.program_id x", None, "i32", lambda: None)
        self.steps.clear()
        names = [f"%a{i}" for i in range(self.rng.choice([2, 2, 3]))]
        self.arrays = dict.fromkeys(names)
        pointers, masked = zip(*map(self.address, names))
        sum_ = self.constant("0.0" if self.element[0] == "f" else 0, Value("", self.shape, self.element))
        add = "addf" if self.element[0] == "f" else "addi"
        depth = self.rng.choice([0, 1, 1, 1, 2])
        stores_inside = self.rng.random() < 0.3

        def body(values, trip):
            *places, total = values
            for place, tiles in list(zip(places, masked))[:-1]:
                total = self.binary(add, total, self.load(place, tiles, trip))
            if stores_inside:
                self.store(places[-1], total, masked[-1], trip)
            return [*(self.advance(place, trip) for place in places), total]

        def outer(values, trip):
            *places, total = self.loop(values, body)
            return [*(self.advance(place, trip) for place in places), total]

        values = [*pointers, sum_]
        *places, total = [lambda: body(values, None), lambda: self.loop(values, body),
                          lambda: self.loop(values, outer)][depth]()
        if self.rng.random() < 0.3:
            total = self.binary(add, total, self.load(places[0], masked[0], None))
        self.store(places[-1] if self.rng.random() < 0.5 else pointers[-1], total, masked[-1], None)

    def text(self):
        arguments = [f"{name}: !tile.ptr<{self.element}>" for name in self.arrays]
        arguments += [f"{name}: i32" for name in self.scalars]
        return "\n".join([f"func.func @kernel({', '.join(arguments)}) attributes {{tile.kernel}} {{",
                          *self.lines, "  return", "}", ""])
