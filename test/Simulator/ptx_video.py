"""Video instructions of PTX for ptx_instructions.py: forms drawn at random, and what they give by Python's integers.

Each form has types of 32 bits with and without signs, parts of its operands, saturation, and a second operation or a
merge. What is expected is written from the manual's pseudo-code: values without bounds until the end.
"""
import random

from ptx_values import clamp, signed

SCALAR = {"vadd": lambda a, b: a + b, "vsub": lambda a, b: a - b, "vabsdiff": lambda a, b: abs(a - b), "vmin": min, "vmax": max}
LANES = {**SCALAR, "vavrg": lambda a, b: (a + b + 1) // 2 if a + b >= 0 else (a + b) // 2}
COMPARE = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
           "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
SECOND = {"add": lambda a, b: a + b, "min": min, "max": max}
PARTS = {"": (0, 32), "b0": (0, 8), "b1": (8, 8), "b2": (16, 8), "b3": (24, 8), "h0": (0, 16), "h1": (16, 16)}


def extend(word, part, s):
    """A part of a word, as a number."""
    first, bits = PARTS[part]
    value = word >> first & (1 << bits) - 1
    return signed(value, bits) if s == "s" else value


def merge(value, word, first, bits):
    mask = (1 << bits) - 1
    return (value & mask) << first | word & 0xffffffff & ~(mask << first)


def selector(part):
    return f".{part}" if part else ""


def scalar(rng, name):
    """A form of an operation on one part, and its function."""
    d, a, b = rng.choices("us", k=3)
    sat = rng.random() < 0.5 and name != "vset"
    into, at, bt = rng.choice([*PARTS, "", "", ""]), rng.choice(list(PARTS)), rng.choice(list(PARTS))
    second = "" if into else rng.choice(["", *SECOND])
    mode = ""
    if name in ("vshl", "vshr"):
        b, mode = "u", rng.choice(["clamp", "wrap"])
    if name == "vset":
        d, mode = "u", rng.choice(list(COMPARE))
    types = [a, b] if name == "vset" else [d, a, b]
    text = name + "".join(f".{t}32" for t in types) + ".sat" * sat + selector(mode) + selector(second)
    text += f" {{d}}{selector(into)}, {{a}}{selector(at)}, {{b}}{selector(bt)}" + (", {c};" if into or second else ";")

    def apply(x, y, c=0):
        x, y = extend(x, at, a), extend(y, bt, b)
        if name in ("vshl", "vshr"):
            y = min(y, 32) if mode == "clamp" else y & 31
            value = signed(x << y, 34) if name == "vshl" else x >> y
        else:
            value = int(COMPARE[mode](x, y)) if name == "vset" else SCALAR[name](x, y)
        first, bits = PARTS[into]
        if sat:
            value = clamp(value, bits, d == "s")
        if into:
            return merge(value, c, first, bits)
        return SECOND[second](value, extend(c, "", d)) if second else value
    return text, 3 if into or second else 2, apply


def multiply_add(rng, _):
    d, a, b = rng.choices("us", k=3)
    at, bt = rng.choice(list(PARTS)), rng.choice(list(PARTS))
    po, sat, scale = rng.random() < 0.2, rng.random() < 0.5, rng.choice([0, 7, 15])
    signs = (1, 1, 1) if po else rng.choice([(1, 1, 1), (-1, 1, 1), (1, -1, 1), (-1, -1, 1), (1, 1, -1)])
    minus = ["-" * (s < 0) for s in signs]
    text = f"vmad.{d}32.{a}32.{b}32" + ".po" * po + ".sat" * sat + (f".shr{scale}" if scale else "")
    text += f" {{d}}, {minus[0]}{{a}}{selector(at)}, {minus[1]}{{b}}{selector(bt)}, {minus[2]}{{c}};"
    is_signed = "s" in (a, b) or signs[0] * signs[1] < 0 or signs[2] < 0

    def apply(x, y, c):
        c = signed(c, 32) if is_signed else c & 0xffffffff
        value = signs[0] * extend(x, at, a) * signs[1] * extend(y, bt, b) + signs[2] * c + po
        value >>= scale
        return clamp(value, 32, is_signed) if sat else value
    return text, 3, apply


def lanes(rng, name):
    count = int(name[-1])
    operation, bits, letter = name[:-1], 32 // count, "hb"[count > 2]
    d, a, b = rng.choices("us", k=3)
    compare = rng.choice(list(COMPARE))
    adds = rng.random() < 0.4
    sat = not adds and rng.random() < 0.5 and operation != "vset"
    mask = sorted(rng.sample(range(count), rng.randint(1, count)))
    at, bt = ([rng.randrange(2 * count) for _ in range(count)] for _ in "ab")
    spelled = [letter + "".join(map(str, reversed(numbers))) for numbers in (mask, at, bt)]
    if rng.random() < 0.3:
        mask, at, bt = list(range(count)), list(range(count)), list(range(count, 2 * count))
        spelled = ["", "", ""]
    types = [a, b] if operation == "vset" else [d, a, b]
    text = name + "".join(f".{t}32" for t in types) + (f".{compare}" if operation == "vset" else "") + ".sat" * sat
    text += ".add" * adds + " " + ", ".join(f"{{{n}}}{selector(s)}" for n, s in zip("dab", spelled)) + ", {c};"

    def part(x, y, number, s):
        value = (x & 0xffffffff | (y & 0xffffffff) << 32) >> bits * number & (1 << bits) - 1
        return signed(value, bits) if s == "s" else value

    def apply(x, y, c):
        result = c
        for i in mask:
            u, v = part(x, y, at[i], a), part(x, y, bt[i], b)
            value = int(COMPARE[compare](u, v)) if operation == "vset" else LANES[operation](u, v)
            if sat:
                value = clamp(value, bits, d == "s")
            result = result + value if adds else merge(value, result, bits * i, bits)
        return result
    return text, 3, apply


def video(row):
    rng = random.Random(3)
    names = {name: scalar for name in (*SCALAR, "vshl", "vshr", "vset")}
    names["vmad"] = multiply_add
    names.update({f"{name}{count}": lanes for name in (*LANES, "vset") for count in (2, 4)})
    for name, make in names.items():
        for _ in range(12):
            text, count, function = make(rng, name)
            row(text, "b32", " ".join(["b32"] * count), function)
