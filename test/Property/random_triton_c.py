# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of Triton-C, with the arrays that they leave."""

import numpy as np

from triton_c_programs import (BITS, DTYPES, FLOATS, Abs, Binary, Cast, Conditional, Dot, Inexact, Literal, Load, MinMax, Name,
                               NewAxis, Range, Reduce, Unary, convert)

SHAPES = (), (8,), (16,), (32,), (16, 8), (8, 16), (1, 16), (16, 1), (16, 32), (2, 8, 4)
TYPES = ("int",) * 4 + ("float",) * 3 + ("int8", "int16", "int64", "uint8", "uint16", "uint32", "uint64", "half", "double", "bool")
SIZE = 24  # of the arrays that are read


class Program:
    """`source` with a kernel f, `arguments` before and `expected` after a run."""

    def __init__(self, seed):
        attempt = 0
        while not self.draw(np.random.default_rng((seed, attempt))):
            attempt += 1
        self.attempts = attempt + 1

    def draw(self, rng):
        """False if a value of the program is not exact."""
        self.rng, self.lines, self.number = rng, [], 0
        self.variables, self.outputs = [], []
        self.programs = int(rng.integers(1, 4))
        self.inputs = {f"p{i}": self.pick(("int", "float", "int8", "half", "uint16", "int64")) for i in range(3)}
        self.scalars = {"n": ("int", int(rng.integers(1, SIZE))), "m": ("int", int(rng.integers(-9, 9))), "x": ("float", 1.5)}
        self.arrays = {name: self.draw_array(type) for name, type in self.inputs.items()}
        self.envs = [{**self.arrays, "id": np.array(i, np.int32),
                      **{k: np.array(v, DTYPES[t]) for k, (t, v) in self.scalars.items()}} for i in range(self.programs)]
        self.variables = [Name("n", "int"), Name("m", "int"), Name("x", "float"), Name("id", "int")]
        self.fixed = len(self.variables)
        self.depth = 0
        try:
            steps = [self.statement() for _ in range(int(rng.integers(4, 9)))]
            for env in self.envs:
                for step in steps:
                    step(env)
            self.finish()
        except Inexact:
            return False
        return True

    def pick(self, choices):
        return choices[int(self.rng.integers(len(choices)))]

    def chance(self, probability):
        return self.rng.random() < probability

    def draw_array(self, type):
        dtype = DTYPES[type]
        if type in FLOATS:
            return (self.rng.integers(-8, 9, SIZE) / 2 + 0.0).astype(dtype)
        low = 0 if type.startswith("u") else -100
        return self.rng.integers(low, 101, SIZE).astype(dtype)

    # ---- Expressions ----

    def literal(self, type):
        if type == "bool":
            return Binary("<", Name("m", "int"), Literal(str(k := int(self.rng.integers(9))), "int", k))
        if type in FLOATS:
            number = int(self.rng.integers(-6, 7)) / 2 + 0.0
            if type == "float":
                literal = Literal(f"{abs(number)}f", type, abs(number))
                return Unary("-", literal) if number < 0 else literal
            return Cast(Literal(f"{abs(number)}", type, abs(number)), type)
        number = int(self.rng.integers(0, 40))
        text = self.pick((str(number), hex(number), "0" + oct(number)[2:]))
        literal = Literal(text, "int", number)
        return literal if type == "int" else Cast(literal, type)

    def fits(self, shape, into):
        return len(shape) <= len(into) and all(a in (1, b) for a, b in zip(shape[::-1], into[::-1]))

    def leaf(self, type, shape):
        known = [v for v in self.variables if v.type == type and self.fits(v.shape, shape)]
        if known and self.chance(0.7):
            return self.pick(known)
        if type == "int" and shape and self.chance(0.4):
            start = int(self.rng.integers(-4, 5))
            return Range(start, start + shape[-1])
        return self.literal(type)

    def index(self, shape):
        """An index, and whether it is inside of arrays."""
        if shape and shape[-1] > 1 and self.chance(0.5):
            return Range(0, shape[-1]), shape[-1] <= SIZE
        inner = self.expr("int", shape, 1)
        return Binary("&", inner, Literal("15", "int", 15)), True

    def load(self, shape):
        array = self.pick(list(self.inputs))
        index, is_inside = self.index(shape)
        bound = Binary("<", index, Literal(str(SIZE), "int", SIZE))
        if is_inside and self.chance(0.6):
            return Load(array, self.inputs[array], index)
        if self.chance(0.5):
            return Load(array, self.inputs[array], index, bound)
        load = Load(array, self.inputs[array], index)
        # An arm that is taken where the index is inside.
        if self.chance(0.3):
            load = Binary("+", load, load)
        other = self.literal(load.type)
        if self.chance(0.5):
            return Conditional(bound, load, other)
        return Conditional(Unary("!", bound), other, load)

    def as_type(self, expr, type):
        if expr.type == type:
            return expr
        if expr.type in FLOATS and type not in FLOATS and type != "bool":
            low = 0.0 if type.startswith("u") else -50.0
            expr = MinMax("max", expr, Cast(Literal(f"{abs(low)}", expr.type, abs(low)), expr.type) if low >= 0 else
                          Unary("-", Cast(Literal(f"{abs(low)}", expr.type, abs(low)), expr.type)))
            expr = MinMax("min", expr, Cast(Literal("50.0", expr.type, 50.0), expr.type))
        elif type in FLOATS and expr.type not in FLOATS and expr.type != "bool":
            mask = Binary("&", expr, Literal("31", "int", 31))
            expr = mask
        return Cast(expr, type)

    def expr(self, type, shape, depth):
        """An expression of the type, whose shape can be repeated to `shape`."""
        if depth <= 0 or self.chance(0.1):
            return self.leaf(type, shape)
        return self.as_type(self.any(type, shape, depth - 1), type)

    def any(self, type, shape, depth):
        """Of a type that may be another one."""
        kind = self.rng.random()
        sub = lambda t=type, s=shape: self.expr(t, s, depth)
        if kind < 0.30:
            return self.arithmetic(type, sub)
        if kind < 0.40:
            return self.load(shape)
        if kind < 0.48:
            return Conditional(sub("bool"), sub(), sub(), self.chance(0.3))
        if kind < 0.55:
            return MinMax(self.pick(("min", "max")), sub(), sub())
        if kind < 0.60 and type != "bool":
            return Abs(sub()) if type not in ("int64",) else Unary("-", sub())
        if kind < 0.70:
            return sub(self.pick(TYPES))
        if kind < 0.80:
            return self.reduce(type, shape, depth)
        if kind < 0.88 and len(shape) >= 2:
            return Unary("^", self.filled(type, shape[:-2] + shape[:-3:-1], depth))
        if kind < 0.95 and len(shape) >= 2 and shape[0] > 1:
            axis = int(self.rng.integers(len(shape)))
            smaller = shape[:axis] + shape[axis + 1:]
            return NewAxis(self.filled(type, smaller, depth), axis)
        if len(shape) == 2 and min(shape) >= 8:
            inner = self.pick(("int8", "half", "float"))
            return Dot(self.filled(inner, (shape[0], 8 if inner != "int8" else 16), depth),
                       self.filled(inner, (8 if inner != "int8" else 16, shape[1]), depth))
        return self.leaf(type, shape)

    def filled(self, type, shape, depth):
        """An expression of exactly this shape."""
        expr = self.expr(type, shape, depth)
        known = [v for v in self.variables if v.shape == shape]
        if expr.shape != shape:
            zero = Range(0, shape[-1])
            for axis in range(len(shape) - 1):
                zero = Binary("+", NewAxis(Range(0, shape[-2 - axis]), 1), zero) if axis == 0 else Binary(
                    "+", NewAxis(NewAxis(Range(0, shape[-2 - axis]), 1), 2), zero)
            full = Conditional(Binary(">=", zero, Literal("0", "int", 0)), expr, expr)
            expr = full if full.shape == shape else expr
        return expr if expr.type == type else Cast(expr, type)

    def reduce(self, type, shape, depth):
        axis = int(self.rng.integers(len(shape) + 1))
        if len(shape) == 3:
            return self.leaf(type, shape)
        larger = shape[:axis] + (8,) + shape[axis:]
        op = self.pick(("+", "min", "max") + (("&", "|", "^") if type not in FLOATS else ()))
        operand = self.filled(type, larger, depth)
        return Reduce(op, operand, axis)

    def arithmetic(self, type, sub):
        if type == "bool":
            op = self.pick(("<", "<=", ">", ">=", "==", "!=", "&&", "||", "&", "|", "^", "!"))
            if op == "!":
                return Unary("!", sub("bool"))
            if op in ("&&", "||", "&", "|", "^"):
                return Binary(op, sub("bool"), sub("bool"))
            other = self.pick([t for t in TYPES if t != "bool"])
            return Binary(op, sub(other), sub(other if self.chance(0.7) else "int"))
        if type in FLOATS:
            return Binary(self.pick(("+", "-", "*", "+", "-")), sub(), sub(self.pick((type, type, "int8"))))
        op = self.pick(("+", "-", "*", "&", "|", "^", "/", "%", "<<", ">>", "~", "neg"))
        if op == "~":
            return Unary("~", sub())
        if op == "neg":
            return Unary("-", sub())
        if op in ("/", "%"):
            number = int(self.rng.integers(1, 9))
            return Binary(op, sub(), Literal(str(number), "int", number))
        if op in ("<<", ">>"):
            number = int(self.rng.integers(0, 8))
            return Binary(op, sub(), Literal(str(number), "int", number))
        return Binary(op, sub(), sub(self.pick((type, type, "int"))))

    # ---- Statements: each prints a line, and returns what it does with the variables of a program ----

    def emit(self, line):
        self.lines.append("  " * (self.depth + 1) + line)

    def assign(self, target, expr, where=None):
        def step(env):
            value = np.broadcast_to(convert(expr.value(env), target.type), target.shape)
            if where is not None:
                value = np.where(np.broadcast_to(where.value(env), target.shape), value, env[target.name])
            env[target.name] = np.array(value, DTYPES[target.type])

        return step

    def bounded(self, type, shape):
        """Of floats, one that does not grow from statement to statement."""
        expr = self.expr(type, shape, 3)
        if type in FLOATS:
            expr = MinMax("min", MinMax("max", expr, Unary("-", Cast(Literal("8.0", type, 8.0), type))),
                          Cast(Literal("8.0", type, 8.0), type))
        return expr

    def body(self, count):
        """Statements with variables of their own."""
        start = len(self.variables)
        self.depth += 1
        steps = [self.statement() for _ in range(count)]
        self.depth -= 1
        del self.variables[start:]
        return steps

    def statement(self):
        kind = self.rng.random()
        changeable = [v for v in self.variables[self.fixed:] if not v.name.startswith("k")]
        if kind < 0.4 or not changeable:
            target = Name(f"v{self.number}", self.pick(TYPES), self.pick(SHAPES))
            self.number += 1
            expr = self.bounded(target.type, target.shape)
            size = f"[{', '.join(map(str, target.shape))}]" if target.shape else ""
            self.emit(f"{target.type} {target.name}{size} = {expr.text()};")
            self.variables.append(target)
            return self.assign(target, expr)
        target = self.pick(changeable)
        if kind < 0.7 and self.depth < 2:
            return self.loop() if self.chance(0.6) else self.condition()
        if kind < 0.8 and target.shape:
            where = self.expr("bool", target.shape, 2)
            expr = self.bounded(target.type, target.shape)
            self.emit(f"@({where.text()}) {target.name} = {expr.text()};")
            return self.assign(target, expr, where)
        if target.type in FLOATS or target.type == "bool" or self.chance(0.5):
            expr = self.bounded(target.type, target.shape)
            self.emit(f"{target.name} = {expr.text()};")
            return self.assign(target, expr)
        op = self.pick(("+", "-", "*", "&", "|", "^"))
        value = self.expr(target.type, target.shape, 2)
        self.emit(f"{target.name} {op}= {value.text()};")
        return self.assign(target, Binary(op, target, value))

    def loop(self):
        k = Name(f"k{self.number}", "int")
        self.number += 1
        start, step, trips = (int(self.rng.integers(a, b)) for a, b in ((-3, 6), (1, 4), (0, 4)))
        down, inclusive = self.chance(0.4), self.chance(0.3)
        end = start - trips * step if down else start + trips * step
        op = (">=" if inclusive else ">") if down else ("<=" if inclusive else "<")
        # Now and then with an end that only the run knows, or as another kind of loop.
        end_text = f"n + {end - self.scalars['n'][1]}" if self.chance(0.4) else str(end)
        values = range(start, end + ((-1 if down else 1) if inclusive else 0), -step if down else step)
        sign = "-" if down else "+"
        is_while = self.chance(0.2)
        if is_while:
            self.emit(f"int {k.name} = {start};")
            self.emit(f"while ({k.name} {op} {end_text}) {{")
        else:
            self.emit(f"for (int {k.name} = {start}; {k.name} {op} {end_text}; {k.name} {sign}= {step}) {{")
        self.variables.append(k)
        steps = self.body(int(self.rng.integers(1, 4)))
        self.variables.remove(k)
        if is_while:
            self.emit(f"  {k.name} = {k.name} {sign} {step};")
        self.emit("}")

        def run_loop(env):
            for value in values:
                env[k.name] = np.array(value, np.int32)
                for one in steps:
                    one(env)

        return run_loop

    def condition(self):
        test = self.expr("bool", (), 2)
        self.emit(f"if ({test.text()}) {{")
        arms = [self.body(int(self.rng.integers(1, 3))), []]
        if self.chance(0.6):
            self.emit("} else {")
            arms[1] = self.body(int(self.rng.integers(1, 3)))
        self.emit("}")

        def run_condition(env):
            for one in arms[not test.value(env)]:
                one(env)

        return run_condition

    def finish(self):
        """Stores all variables."""
        self.expected = []
        for number, variable in enumerate(self.variables[self.fixed:]):
            type = "int8" if variable.type == "bool" else variable.type
            size = int(np.prod(variable.shape))
            index = f"id * {size}"
            stride = size
            for axis, length in enumerate(variable.shape):
                stride //= length
                axes = ["newaxis"] * len(variable.shape)
                axes[axis] = ":"
                index += f" + (0 ... {length})[{', '.join(axes)}] * {stride}"
            self.emit(f"*(o{number} + {index}) = {variable.name};")
            self.outputs.append((f"o{number}", type))
            self.expected.append(np.concatenate([convert(env[variable.name], type).reshape(-1) for env in self.envs]))
        parameters = [f"{t} *{n}" for n, t in self.inputs.items()] + [f"{t} {n}" for n, (t, _) in self.scalars.items()]
        parameters += [f"{t} *{n}" for n, t in self.outputs]
        self.source = (f"#pragma tile grid({self.programs})\nvoid f({', '.join(parameters)}) {{\n  int id = get_program_id(0);\n"
                       + "\n".join(self.lines) + "\n}\n")
        self.arguments = list(self.arrays.values()) + [DTYPES[t](v) for t, v in self.scalars.values()]
        self.first_output = len(self.arguments)
        self.arguments += [np.zeros_like(x) for x in self.expected]
