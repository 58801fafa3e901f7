# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions of Triton-C: their text, and what they are worth in NumPy.

It shares nothing with the compiler: types follow from C's rules, written down once more. Floats are exact: what would
have to be rounded raises `Inexact`, and the program is drawn anew, so that any order of sums is right.
"""

import numpy as np

DTYPES = {"bool": np.bool_, "int8": np.int8, "int16": np.int16, "int": np.int32, "int64": np.int64, "uint8": np.uint8,
          "uint16": np.uint16, "uint32": np.uint32, "uint64": np.uint64, "half": np.float16, "float": np.float32,
          "double": np.float64}
FLOATS = "half", "float", "double"
BITS = {name: np.dtype(dtype).itemsize * 8 for name, dtype in DTYPES.items()}
LEVELS = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7, "<<": 8, ">>": 8,
          "+": 9, "-": 9, "*": 10, "/": 10, "%": 10, "@": 11}
UNARY, PRIMARY = 13, 14


class Inexact(Exception):
    """A value that is rounded, or has no meaning."""


def promote(name):
    return "int" if name not in FLOATS and BITS[name] < 32 else name


def common(a, b):
    """C's usual arithmetic conversions."""
    if a in FLOATS or b in FLOATS:
        return max((t for t in (a, b) if t in FLOATS), key=FLOATS.index)
    a, b = promote(a), promote(b)
    if BITS[a] != BITS[b]:
        return a if BITS[a] > BITS[b] else b
    return b if b.startswith("u") else a


def exact(values, name):
    """Values in double as those of a float type."""
    values = np.asarray(values, np.float64)
    with np.errstate(over="ignore"):
        result = values.astype(DTYPES[name])
    # Zeros have signs, about which maxima and sums disagree.
    if not np.isfinite(result).all() or (result != values).any() or (np.signbit(values) & (values == 0)).any():
        raise Inexact
    return result


def convert(values, name):
    if values.dtype == DTYPES[name]:
        return values
    if name == "bool":
        return values != 0
    if name in FLOATS:
        return exact(values.astype(np.float64), name) if abs(values.astype(np.float64)).max() < 2**53 else fail()
    if values.dtype.kind == "f":
        info = np.iinfo(DTYPES[name])
        whole = np.trunc(values.astype(np.float64))
        if (abs(whole) > 2**50).any() or (whole < info.min).any() or (whole > info.max).any():
            raise Inexact
        return whole.astype(np.int64).astype(DTYPES[name])
    return values.astype(DTYPES[name])


def fail():
    raise Inexact


class Expr:
    """type, shape, level of the operator; and text and value, below. `needed` says where a load is done."""
    level = PRIMARY

    def __init__(self, type, shape=()):
        self.type, self.shape = type, tuple(shape)

    def at(self, level):
        """Its text as the operand of an operator."""
        text = self.text()
        return text if self.level >= level else f"({text})"

    def value(self, env):
        result = np.asarray(self.compute(env))
        assert result.dtype == DTYPES[self.type] and result.shape == self.shape, (self.text(), result.dtype, result.shape, self.shape)
        return result


class Literal(Expr):
    def __init__(self, text, type, number):
        super().__init__(type)
        self.words, self.number = text, number

    def text(self):
        return self.words

    def compute(self, env):
        return np.array(self.number, DTYPES[self.type])


class Name(Expr):
    def __init__(self, name, type, shape=()):
        super().__init__(type, shape)
        self.name = name

    def text(self):
        return self.name

    def compute(self, env):
        return env[self.name]


class Range(Expr):
    level = UNARY - 1

    def __init__(self, start, end):
        super().__init__("int", (end - start,))
        self.start, self.end = start, end

    def text(self):
        return f"{self.start} ... {self.end}"

    def compute(self, env):
        return np.arange(self.start, self.end, dtype=np.int32)


class Cast(Expr):
    level = UNARY

    def __init__(self, operand, type):
        super().__init__(type, operand.shape)
        self.operand = operand

    def text(self):
        return f"({self.type}){self.operand.at(UNARY)}"

    def compute(self, env):
        return convert(self.operand.value(env), self.type)


class Unary(Expr):
    level = UNARY

    def __init__(self, op, operand):
        type = "bool" if op == "!" else promote(operand.type)
        shape = operand.shape if op != "^" else operand.shape[:-2] + operand.shape[:-3:-1]
        super().__init__(operand.type if op == "^" else type, shape)
        self.op, self.operand = op, operand

    def text(self):
        # Not --, nor a comment of any kind.
        return f"{self.op}{' ' if self.op == '-' else ''}{self.operand.at(UNARY)}"

    def compute(self, env):
        value = self.operand.value(env)
        if self.op == "^":
            return np.swapaxes(value, -1, -2)
        value = convert(value, self.type)
        if self.op == "!":
            return ~value
        if self.op == "~":
            return ~value
        if self.type in FLOATS:
            return exact(-value.astype(np.float64), self.type)
        return np.subtract(np.zeros_like(value), value, dtype=value.dtype)


def divide(a, b, is_rest):
    """As C does, towards zero."""
    if (b == 0).any():
        raise Inexact
    wide_a, wide_b = np.broadcast_arrays(a.astype(object), b.astype(object))
    q = np.array([abs(int(x)) // abs(int(y)) * (1 if (x < 0) == (y < 0) else -1) for x, y in zip(wide_a.flat, wide_b.flat)], object)
    q = q.reshape(wide_a.shape)
    result = wide_a - q * wide_b if is_rest else q
    info = np.iinfo(a.dtype)
    if any(int(x) < info.min or int(x) > info.max for x in q.flat):
        raise Inexact
    return np.asarray(result, object).astype(a.dtype)


class Binary(Expr):
    def __init__(self, op, lhs, rhs):
        self.op, self.lhs, self.rhs, self.level = op, lhs, rhs, LEVELS[op]
        self.work = common(lhs.type, rhs.type)
        if op in ("<<", ">>"):
            self.work = promote(lhs.type)
        if op in "&|^" and lhs.type == rhs.type == "bool":
            self.work = "bool"
        if op in ("&&", "||"):
            self.work = "bool"
        is_test = op in ("<", "<=", ">", ">=", "==", "!=", "&&", "||")
        super().__init__("bool" if is_test else self.work, np.broadcast_shapes(lhs.shape, rhs.shape))

    def text(self):
        return f"{self.lhs.at(self.level)} {self.op} {self.rhs.at(self.level + 1)}"

    def compute(self, env):
        a, b = (np.broadcast_to(convert(x.value(env), self.work), self.shape) for x in (self.lhs, self.rhs))
        op = self.op
        if op in ("<", "<=", ">", ">=", "==", "!="):
            return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b, "!=": a != b}[op]
        if op in ("&&", "&"):
            return a & b
        if op in ("||", "|"):
            return a | b
        if op == "^":
            return a ^ b
        if op in ("/", "%") and self.work not in FLOATS:
            return divide(a, b, op == "%")
        if op in ("<<", ">>"):
            return a << b if op == "<<" else a >> b
        if self.work in FLOATS:
            a, b = a.astype(np.float64), b.astype(np.float64)
            if op == "/" and (b == 0).any():
                raise Inexact
            return exact(a + b if op == "+" else a - b if op == "-" else a * b if op == "*" else a / b, self.work)
        with np.errstate(over="ignore"):
            return (a + b if op == "+" else a - b if op == "-" else a * b).astype(a.dtype)


class Conditional(Expr):
    level = 0

    def __init__(self, condition, first, second, is_call=False):
        type = first.type if first.type == second.type else common(first.type, second.type)
        super().__init__(type, np.broadcast_shapes(condition.shape, first.shape, second.shape))
        self.parts, self.is_call = (condition, first, second), is_call
        if is_call:
            self.level = PRIMARY

    def text(self):
        condition, first, second = self.parts
        if self.is_call:
            return f"select({condition.text()}, {first.text()}, {second.text()})"
        return f"{condition.at(1)} ? {first.text()} : {second.at(0)}"

    def compute(self, env):
        condition, first, second = self.parts
        return np.where(convert(condition.value(env), "bool"), *(convert(x.value(env), self.type) for x in (first, second)))


class MinMax(Expr):
    def __init__(self, name, lhs, rhs):
        super().__init__(common(lhs.type, rhs.type), np.broadcast_shapes(lhs.shape, rhs.shape))
        self.name, self.operands = name, (lhs, rhs)

    def text(self):
        return f"{self.name}({self.operands[0].text()}, {self.operands[1].text()})"

    def compute(self, env):
        a, b = (convert(x.value(env), self.type) for x in self.operands)
        return np.minimum(a, b) if self.name == "min" else np.maximum(a, b)


class Abs(Expr):
    def __init__(self, operand):
        super().__init__(promote(operand.type), operand.shape)
        self.operand = operand

    def text(self):
        return f"abs({self.operand.text()})"

    def compute(self, env):
        value = convert(self.operand.value(env), self.type)
        with np.errstate(over="ignore"):
            return np.abs(value)


class Reduce(Expr):
    def __init__(self, op, operand, axis):
        type = operand.type if op in "&|^" else promote(operand.type)
        super().__init__(type, operand.shape[:axis] + operand.shape[axis + 1:])
        self.op, self.operand, self.axis = op, operand, axis

    def text(self):
        axes = [":"] * len(self.operand.shape)
        axes[self.axis] = self.op
        return f"{self.operand.at(PRIMARY)}[{', '.join(axes)}]"

    def compute(self, env):
        value = convert(self.operand.value(env), self.type)
        if self.op in ("min", "max"):
            return getattr(np, self.op)(value, axis=self.axis)
        if self.op in "&|^":
            return {"&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor}[self.op].reduce(value, axis=self.axis)
        if self.type in FLOATS:
            # In any order: no partial sum may be rounded.
            wide = np.abs(value.astype(np.float64)).sum(axis=self.axis)
            exact(wide + 0.0, self.type)
            step = np.abs(value[value != 0].astype(np.float64)).min(initial=1)
            if wide.max() / min(step, 1.0) > 2**10:
                raise Inexact
            return exact(value.astype(np.float64).sum(axis=self.axis) + 0.0, self.type)
        return np.sum(value, axis=self.axis, dtype=value.dtype)


class NewAxis(Expr):
    def __init__(self, operand, axis):
        super().__init__(operand.type, operand.shape[:axis] + (1,) + operand.shape[axis:])
        self.operand, self.axis = operand, axis

    def text(self):
        axes = [":"] * len(self.operand.shape)
        axes.insert(self.axis, "newaxis")
        return f"{self.operand.at(PRIMARY)}[{', '.join(axes)}]"

    def compute(self, env):
        return np.expand_dims(self.operand.value(env), self.axis)


class Dot(Expr):
    level = LEVELS["@"]

    def __init__(self, a, b):
        super().__init__({"int8": "int", "half": "float", "float": "float"}[a.type], a.shape[:-1] + b.shape[-1:])
        self.a, self.b = a, b

    def text(self):
        return f"{self.a.at(self.level)} @ {self.b.at(self.level + 1)}"

    def compute(self, env):
        a, b = self.a.value(env), self.b.value(env)
        if self.type == "int":
            return a.astype(np.int32) @ b.astype(np.int32)
        a, b = a.astype(np.float64), b.astype(np.float64)
        exact(np.abs(a) @ np.abs(b), self.type)
        if (a * 8 % 1).any() or (b * 8 % 1).any() or (np.abs(a) @ np.abs(b)).max(initial=0) > 2**16:
            raise Inexact
        return exact(a @ b + 0.0, self.type)


class Load(Expr):
    """*(p + index), where the array has fewer elements than the index says, or none with a mask."""
    level = UNARY

    def __init__(self, array, type, index, mask=None):
        super().__init__(type, index.shape)
        self.array, self.index, self.mask = array, index, mask

    def text(self):
        mask = f"?({self.mask.text()})" if self.mask else ""
        return f"*{mask}({self.array} + {self.index.at(LEVELS['+'] + 1)})"

    def compute(self, env):
        array = env[self.array]
        value = array[np.clip(self.index.value(env), 0, len(array) - 1)]
        if self.mask:
            value = np.where(np.broadcast_to(self.mask.value(env), self.shape), value, array.dtype.type(0))
        return value
