"""Checks instructions of PTX on the simulator against NumPy and plain Python, as inline assembly and in a .ptx file.

    ptx_instructions.py --tile-run PATH

Each Row is a statement with its operand types and a function of Python that says what it gives. All rows of a run are
one kernel: a thread applies each to its own operands, edges of the types first, then random ones. What must come out is
computed by Python's integers, by fractions, and by NumPy, which share nothing with the simulator.
"""
import argparse
import itertools
import math
import pathlib
import sys
import tempfile
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Integration"))
import batch  # noqa: E402
from ptx_values import (BITS, SMALLEST, THREADS, clamp, decode, encode, equal, f8_bits, f8_value, operands,  # noqa: E402
                        pairwise, positive, round_to, rounded, safe, signed, unit)
from ptx_video import video  # noqa: E402


@dataclass
class Row:
    """`text` has {d}, {a}, {b}, {c} for the result and the operands, {m} for 8 bytes of shared memory of the thread's own.
    `function` gets integers, the bits of floats as numbers of Python, and gives the same."""
    text: str
    result: str
    operands: tuple
    function: object
    ulps: int = 0  # how far off a float may be


ROWS = []


def row(text, result, operands, function, ulps=0):
    ROWS.append(Row(text, result, tuple(operands.split()), function, ulps))


# --- What instructions do


def integers():
    for bits in (16, 32, 64):
        for s in "su":
            t = f"{s}{bits}"
            row(f"add.{t} {{d}}, {{a}}, {{b}};", t, f"{t} {t}", lambda a, b: a + b)
            row(f"sub.{t} {{d}}, {{a}}, {{b}};", t, f"{t} {t}", lambda a, b: a - b)
            row(f"mul.lo.{t} {{d}}, {{a}}, {{b}};", t, f"{t} {t}", lambda a, b: a * b)
            row(f"mul.hi.{t} {{d}}, {{a}}, {{b}};", t, f"{t} {t}", lambda a, b, n=bits: a * b >> n)
            row(f"mad.lo.{t} {{d}}, {{a}}, {{b}}, {{c}};", t, f"{t} {t} {t}", lambda a, b, c: a * b + c)
            row(f"mad.hi.{t} {{d}}, {{a}}, {{b}}, {{c}};", t, f"{t} {t} {t}", lambda a, b, c, n=bits: (a * b >> n) + c)
            row(f"min.{t} {{d}}, {{a}}, {{b}};", t, f"{t} {t}", min)
            row(f"max.{t} {{d}}, {{a}}, {{b}};", t, f"{t} {t}", max)
            row(f"sad.{t} {{d}}, {{a}}, {{b}}, {{c}};", t, f"{t} {t} {t}", lambda a, b, c: abs(a - b) + c)
            row(f"or.b{bits} {{d}}, {{b}}, 1; div.{t} {{d}}, {{a}}, {{d}};", t, f"{t} {t}",
                lambda a, b, n=bits, s=s: quotient(a, odd(b, n, s)))
            row(f"or.b{bits} {{d}}, {{b}}, 1; rem.{t} {{d}}, {{a}}, {{d}};", t, f"{t} {t}",
                lambda a, b, n=bits, s=s: a - odd(b, n, s) * quotient(a, odd(b, n, s)))
            row(f"shr.{t} {{d}}, {{a}}, {{b}};", t, f"{t} u32", lambda a, b: a >> min(b, 64))
            for operation, holds in COMPARE.items():
                row(f"setp.{operation}.{t} {{d}}, {{a}}, {{b}};", "pred", f"{t} {t}", holds)
            if bits < 64:
                w = f"{s}{2 * bits}"
                row(f"mul.wide.{t} {{d}}, {{a}}, {{b}};", w, f"{t} {t}", lambda a, b: a * b)
                row(f"mad.wide.{t} {{d}}, {{a}}, {{b}}, {{c}};", w, f"{t} {t} {w}", lambda a, b, c: a * b + c)
        row(f"abs.s{bits} {{d}}, {{a}};", f"s{bits}", f"s{bits}", abs)
        row(f"neg.s{bits} {{d}}, {{a}};", f"s{bits}", f"s{bits}", lambda a: -a)
        t = f"b{bits}"
        row(f"shl.{t} {{d}}, {{a}}, {{b}};", t, f"{t} u32", lambda a, b: a << min(b, 64))
        row(f"not.{t} {{d}}, {{a}};", t, t, lambda a: ~a)
        row(f"cnot.{t} {{d}}, {{a}};", t, t, lambda a: int(a == 0))
        for name, function in {"and": int.__and__, "or": int.__or__, "xor": int.__xor__}.items():
            row(f"{name}.{t} {{d}}, {{a}}, {{b}};", t, f"{t} {t}", function)
        row(f"selp.{t} {{d}}, {{a}}, {{b}}, {{c}};", t, f"{t} {t} pred", lambda a, b, c: a if c else b)
        row(f"slct.{t}.s32 {{d}}, {{a}}, {{b}}, {{c}};", t, f"{t} {t} s32", lambda a, b, c: a if c >= 0 else b)
        row(f"slct.{t}.f32 {{d}}, {{a}}, {{b}}, {{c}};", t, f"{t} {t} f32", lambda a, b, c: a if c >= 0 else b)
    for s in "su":
        row(f"mul24.lo.{s}32 {{d}}, {{a}}, {{b}};", f"{s}32", f"{s}32 {s}32", lambda a, b, s=s: low24(a, s) * low24(b, s))
        row(f"mul24.hi.{s}32 {{d}}, {{a}}, {{b}};", f"{s}32", f"{s}32 {s}32", lambda a, b, s=s: low24(a, s) * low24(b, s) >> 16)
        row(f"mad24.lo.{s}32 {{d}}, {{a}}, {{b}}, {{c}};", f"{s}32", f"{s}32 {s}32 {s}32",
            lambda a, b, c, s=s: low24(a, s) * low24(b, s) + c)
    row("add.sat.s32 {d}, {a}, {b};", "s32", "s32 s32", lambda a, b: clamp(a + b, 32, True))
    row("sub.sat.s32 {d}, {a}, {b};", "s32", "s32 s32", lambda a, b: clamp(a - b, 32, True))
    row("mad.hi.sat.s32 {d}, {a}, {b}, {c};", "s32", "s32 s32 s32", lambda a, b, c: clamp((a * b >> 32) + c, 32, True))
    for bits in (32, 64):
        t = f"u{bits}"
        row(f"add.cc.{t} {{d}}, {{a}}, {{b}}; addc.{t} {{d}}, {{c}}, 0;", t, f"{t} {t} {t}",
            lambda a, b, c, n=bits: c + (a + b >> n))
        row(f"sub.cc.{t} {{d}}, {{a}}, {{b}}; subc.{t} {{d}}, {{c}}, 0;", t, f"{t} {t} {t}", lambda a, b, c: c - (a < b))
        row(f"add.cc.{t} {{d}}, {{a}}, {{b}}; addc.cc.{t} {{d}}, {{c}}, {{b}}; addc.{t} {{d}}, 0, 0;", t, f"{t} {t} {t}",
            lambda a, b, c, n=bits: c + b + (a + b >> n) >> n)
        row(f"mad.lo.cc.{t} {{d}}, {{a}}, {{b}}, {{c}}; madc.hi.{t} {{d}}, {{a}}, {{b}}, {{c}};", t, f"{t} {t} {t}",
            lambda a, b, c, n=bits: (a * b >> n) + c + ((a * b & (1 << n) - 1) + c >> n))
    for x in "su":
        for y in "su":
            row(f"dp4a.{x}32.{y}32 {{d}}, {{a}}, {{b}}, {{c}};", "b32", "b32 b32 b32",
                lambda a, b, c, x=x, y=y: c + sum(part(a, 8, i, x) * part(b, 8, i, y) for i in range(4)))
            for half in (0, 1):
                row(f"dp2a.{('lo', 'hi')[half]}.{x}32.{y}32 {{d}}, {{a}}, {{b}}, {{c}};", "b32", "b32 b32 b32",
                    lambda a, b, c, x=x, y=y, h=half: c + sum(part(a, 16, i, x) * part(b, 8, 2 * h + i, y) for i in range(2)))


COMPARE = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
           "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}


def quotient(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def odd(b, bits, s):
    value = (b | 1) & (1 << bits) - 1
    return signed(value, bits) if s == "s" else value


def low24(a, s):
    return signed(a, 24) if s == "s" else a & 0xffffff


def part(a, bits, i, s):
    value = a >> bits * i & (1 << bits) - 1
    return signed(value, bits) if s == "s" else value


def permute(a, b, selector):
    source = a | b << 32
    result = 0
    for i in range(4):
        choice = selector >> 4 * i & 15
        byte = source >> 8 * (choice & 7) & 255
        if choice & 8:
            byte = 255 if byte >> 7 else 0
        result |= byte << 8 * i
    return result


PERMUTE = {"f4e": lambda i: [i, i + 1, i + 2, i + 3], "b4e": lambda i: [i, (i - 1) % 8, (i - 2) % 8, (i - 3) % 8],
           "rc8": lambda i: [i] * 4, "ecl": lambda i: [max(i, j) for j in range(4)],
           "ecr": lambda i: [min(i, j) for j in range(4)], "rc16": lambda i: [2 * (i & 1), 2 * (i & 1) + 1] * 2}


def field(a, place, length, bits, is_signed):
    place, length = place & 255, length & 255
    sign = 0
    if is_signed and length:
        sign = a >> min(place + length - 1, bits - 1) & 1
    return sum((((a >> place + i & 1) if i < length and place + i < bits else sign) << i) for i in range(bits))


def insert(a, b, place, length, bits):
    place, length = place & 255, length & 255
    for i in range(length):
        if place + i < bits:
            b = b & ~(1 << place + i) | (a >> i & 1) << place + i
    return b


def find_nth(mask, base, offset):
    """All places with a bit, in the order that they are met."""
    if base > 31:
        return -1
    places = [base] if offset == 0 else range(base, 32) if offset > 0 else range(base, -1, -1)
    found = [place for place in places if mask >> place & 1]
    n = max(abs(offset), 1)
    return found[n - 1] if n <= len(found) else -1


def bits_of_bits():
    for table in (0x80, 0xfe, 0x96, 0xe8, 0xca, 0x1b, 0x3c, 0x6a, 0x00, 0xff, 0x57):
        row(f"lop3.b32 {{d}}, {{a}}, {{b}}, {{c}}, {table:#x};", "b32", "b32 b32 b32",
            lambda a, b, c, t=table: sum((t >> (4 * (a >> i & 1) + 2 * (b >> i & 1) + (c >> i & 1)) & 1) << i for i in range(32)))
    row("shf.l.wrap.b32 {d}, {a}, {b}, {c};", "b32", "b32 b32 u32", lambda a, b, c: (b << 32 | a) << (c & 31) >> 32)
    row("shf.r.wrap.b32 {d}, {a}, {b}, {c};", "b32", "b32 b32 u32", lambda a, b, c: (b << 32 | a) >> (c & 31))
    row("shf.l.clamp.b32 {d}, {a}, {b}, {c};", "b32", "b32 b32 u32", lambda a, b, c: (b << 32 | a) << min(c, 32) >> 32)
    row("shf.r.clamp.b32 {d}, {a}, {b}, {c};", "b32", "b32 b32 u32", lambda a, b, c: (b << 32 | a) >> min(c, 32))
    row("prmt.b32 {d}, {a}, {b}, {c};", "b32", "b32 b32 b32", permute)
    for mode, order in PERMUTE.items():
        row(f"prmt.b32.{mode} {{d}}, {{a}}, {{b}}, {{c}};", "b32", "b32 b32 b32",
            lambda a, b, c, o=order: sum(((a | b << 32) >> 8 * x & 255) << 8 * i for i, x in enumerate(o(c & 3))))
    for bits in (32, 64):
        for s in "us":
            t = f"{s}{bits}"
            row(f"bfe.{t} {{d}}, {{a}}, {{b}}, {{c}};", t, f"b{bits} u32 u32",
                lambda a, b, c, n=bits, s=s: field(a, b, c, n, s == "s"))
            row(f"bfind.{t} {{d}}, {{a}};", "u32", t, lambda a: (a if a >= 0 else ~a).bit_length() - 1)
            row(f"bfind.shiftamt.{t} {{d}}, {{a}};", "u32", t,
                lambda a, n=bits: n - (a if a >= 0 else ~a).bit_length() if (a if a >= 0 else ~a) else -1)
        row(f"bfi.b{bits} {{d}}, {{a}}, {{b}}, {{c}}, 11;", f"b{bits}", f"b{bits} b{bits} u32",
            lambda a, b, c, n=bits: insert(a, b, c, 11, n))
        row(f"bfi.b{bits} {{d}}, {{a}}, {{b}}, 5, {{c}};", f"b{bits}", f"b{bits} b{bits} u32",
            lambda a, b, c, n=bits: insert(a, b, 5, c, n))
        row(f"popc.b{bits} {{d}}, {{a}};", "u32", f"b{bits}", lambda a: bin(a).count("1"))
        row(f"clz.b{bits} {{d}}, {{a}};", "u32", f"b{bits}", lambda a, n=bits: n - a.bit_length())
        row(f"brev.b{bits} {{d}}, {{a}};", f"b{bits}", f"b{bits}", lambda a, n=bits: int(f"{a:0{n}b}"[::-1], 2))
    row("bmsk.clamp.b32 {d}, {a}, {b};", "b32", "u32 u32", lambda a, b: ((1 << min(b, 32)) - 1) << min(a, 32))
    row("bmsk.wrap.b32 {d}, {a}, {b};", "b32", "u32 u32", lambda a, b: ((1 << b % 32) - 1) << a % 32)
    row("szext.clamp.s32 {d}, {a}, {b};", "s32", "b32 u32", lambda a, b: signed(a, min(b, 32)) if b else 0)
    row("szext.wrap.u32 {d}, {a}, {b};", "u32", "b32 u32", lambda a, b: a & (1 << b % 32) - 1)
    row("fns.b32 {d}, {a}, {b}, {c};", "b32", "b32 u32 s32", find_nth)
    row("{{ .reg .s32 n; and.b32 n, {c}, 7; sub.s32 n, n, 3; and.b32 {d}, {b}, 31; fns.b32 {d}, {a}, {d}, n; }}", "b32",
        "b32 b32 b32", lambda a, b, c: find_nth(a, b & 31, (c & 7) - 3))
    row("{{ .reg .b16 l, h; mov.b32 {{l, h}}, {a}; mov.b32 {d}, {{h, l}}; }}", "b32", "b32", lambda a: a >> 16 | a << 16)
    row("{{ .reg .b32 l, h; mov.b64 {{l, h}}, {a}; mov.b64 {d}, {{h, l}}; }}", "b64", "b64", lambda a: a >> 32 | a << 32)
    row("{{ .reg .b16 h; mov.b32 {{_, h}}, {a}; cvt.u32.u16 {d}, h; }}", "b32", "b32", lambda a: a >> 16)
    row("{{ .reg .pred p, q; setp.lt.u32 p|q, {a}, {b}; selp.u32 {d}, 5, 7, p; @q add.u32 {d}, {d}, 1; }}", "u32", "u32 u32",
        lambda a, b: 5 if a < b else 8)
    row("{{ .reg .pred p; setp.lt.and.u32 p, {a}, {b}, {c}; selp.u32 {d}, 1, 0, p; }}", "u32", "u32 u32 pred",
        lambda a, b, c: int(a < b and bool(c)))
    row("{{ .reg .pred p; setp.ge.xor.s32 p, {a}, {b}, !{c}; selp.u32 {d}, 1, 0, p; }}", "u32", "s32 s32 pred",
        lambda a, b, c: int((a >= b) != (not c)))
    row("set.le.u32.s32 {d}, {a}, {b};", "u32", "s32 s32", lambda a, b: -(a <= b))
    row("set.gt.f32.u32 {d}, {a}, {b};", "f32", "u32 u32", lambda a, b: float(a > b))
    row("{{ .reg .b32 i; mov.u32 i, 0; mov.u32 {d}, {a}; L: add.u32 {d}, {d}, {b}; add.u32 i, i, 1; .reg .pred p; "
        "setp.lt.u32 p, i, 5; @p bra L; }}", "u32", "u32 u32", lambda a, b: a + 5 * b)
    row("{{ .reg .pred p; setp.eq.u32 p, {a}, {b}; mov.u32 {d}, 1; @!p bra E; mov.u32 {d}, 2; E: add.u32 {d}, {d}, 3; }}",
        "u32", "u32 u32", lambda a, b: 5 if a == b else 4)


def floats():
    compare = {"eq": lambda a, b: a == b, "ne": lambda a, b: a < b or a > b, "lt": lambda a, b: a < b,
               "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
    nan = lambda a, b: math.isnan(a) or math.isnan(b)  # noqa: E731
    for t in ("f16", "bf16", "f32", "f64"):
        two, three = f"{t} {t}", f"{t} {t} {t}"
        # The products and sums of narrow floats are exact in f64, or rounded far below.
        arithmetic = {"add": np.add, "sub": np.subtract, "mul": np.multiply}
        for name, function in arithmetic.items():
            row(f"{name}.rn.{t} {{d}}, {{a}}, {{b}};", t, two, safe(function))
            if t == "f32":
                row(f"{name}.sat.{t} {{d}}, {{a}}, {{b}};", t, two,
                    lambda a, b, f=safe(function): unit(f(a, b)))
        if t in ("f16", "f32"):
            row(f"fma.rn.{t} {{d}}, {{a}}, {{b}}, {{c}};", t, three, safe(lambda a, b, c: a * b + c), ulps=1)
        if t in ("f32", "f64"):
            row(f"div.rn.{t} {{d}}, {{a}}, {{b}};", t, two, safe(np.divide))
            row(f"sqrt.rn.{t} {{d}}, {{a}};", t, t, safe(np.sqrt))
            row(f"rcp.rn.{t} {{d}}, {{a}};", t, t, safe(lambda a: 1 / a))
            row(f"copysign.{t} {{d}}, {{a}}, {{b}};", t, two, lambda a, b: math.copysign(b, a))
            for name, test in {"finite": math.isfinite, "infinite": math.isinf, "number": lambda a: not math.isnan(a),
                               "notanumber": math.isnan, "subnormal": lambda a, t=t: 0 < abs(a) < SMALLEST[t],
                               "normal": lambda a, t=t: SMALLEST[t] <= abs(a) < math.inf}.items():
                row(f"testp.{name}.{t} {{d}}, {{a}};", "pred", t, test)
        row(f"neg.{t} {{d}}, {{a}};", t, t, lambda a: -a)
        row(f"abs.{t} {{d}}, {{a}};", t, t, abs)
        for name, function in {"min": min, "max": max}.items():
            number = lambda a, b, f=function: (b if math.isnan(a) else a if math.isnan(b) else  # noqa: E731
                                               f(a, b, key=lambda x: (x, math.copysign(1, x))))
            row(f"{name}.{t} {{d}}, {{a}}, {{b}};", t, two, number)
            if t in ("f16", "bf16", "f32"):
                row(f"{name}.NaN.{t} {{d}}, {{a}}, {{b}};", t, two, lambda a, b, f=number: math.nan if nan(a, b) else f(a, b))
        for operation, holds in compare.items():
            row(f"setp.{operation}.{t} {{d}}, {{a}}, {{b}};", "pred", two, holds)
            row(f"setp.{operation}u.{t} {{d}}, {{a}}, {{b}};", "pred", two, lambda a, b, h=holds: nan(a, b) or h(a, b))
        row(f"setp.num.{t} {{d}}, {{a}}, {{b}};", "pred", two, lambda a, b: not nan(a, b))
        row(f"setp.nan.{t} {{d}}, {{a}}, {{b}};", "pred", two, nan)
    for t in ("f16x2", "bf16x2"):
        two = f"{t} {t}"
        row(f"add.{t} {{d}}, {{a}}, {{b}};", t, two, pairwise(safe(np.add)))
        row(f"mul.{t} {{d}}, {{a}}, {{b}};", t, two, pairwise(safe(np.multiply)))
        row(f"fma.rn.relu.{t} {{d}}, {{a}}, {{b}}, {{b}};", t, two, pairwise(
            safe(lambda a, b: positive(a * b + b))), ulps=1)
        row(f"neg.{t} {{d}}, {{a}};", t, t, pairwise(lambda a: -a))
        row(f"abs.{t} {{d}}, {{a}};", t, t, pairwise(abs))
    row("set.ltu.u32.f16x2 {d}, {a}, {b};", "b32", "f16x2 f16x2",
        lambda a, b: sum((0xffff if x < y or nan(x, y) else 0) << 16 * i for i, (x, y) in enumerate(zip(a, b))))
    for name, function in {"sin": np.sin, "cos": np.cos, "lg2": np.log2, "ex2": np.exp2, "sqrt": np.sqrt,
                           "rsqrt": lambda x: 1 / np.sqrt(x), "rcp": lambda x: 1 / x, "tanh": np.tanh}.items():
        row(f"{name}.approx.f32 {{d}}, {{a}};", "f32", "f32", safe(function), ulps=4)
    row("div.approx.f32 {d}, {a}, {b};", "f32", "f32 f32", safe(np.divide), ulps=2)
    row("div.full.f32 {d}, {a}, {b};", "f32", "f32 f32", safe(np.divide), ulps=2)
    row("add.f32 {d}, {a}, 0f3F800000;", "f32", "f32", safe(lambda a: a + 1))
    row("add.f64 {d}, {a}, 0d3FF8000000000000;", "f64", "f64", safe(lambda a: a + 1.5))
    row("mul.f32 {d}, {a}, 2.5;", "f32", "f32", safe(lambda a: a * 2.5))


def roundings():
    for t, ftzs in (("f16", ("", ".ftz")), ("bf16", ("",)), ("f32", ("", ".ftz")), ("f64", ("",))):
        is_narrow = t in ("f16", "bf16")
        for mode, ftz in itertools.product(("rn",) if is_narrow else ("rn", "rz", "rm", "rp"), ftzs):
            for name, operands in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3), ("div", 2), ("rcp", 1), ("sqrt", 1)):
                if is_narrow and (name in ("div", "rcp", "sqrt") or (t == "bf16" and name != "fma")):
                    continue
                row(f"{name}.{mode}{ftz}.{t} {{d}}, {', '.join('{' + x + '}' for x in 'abc'[:operands])};", t,
                    " ".join([t] * operands), rounded(name, t, mode, bool(ftz)))
    for t in ("f16x2", "bf16x2"):
        row(f"fma.rn.{t} {{d}}, {{a}}, {{b}}, {{c}};", t, f"{t} {t} {t}", pairwise(rounded("fma", t[:-2], "rn")))
    flush = lambda x: math.copysign(0.0, x) if 0 < abs(x) < SMALLEST["f32"] else x  # noqa: E731
    row("fma.rz.ftz.sat.f32 {d}, {a}, {b}, {c};", "f32", "f32 f32 f32",
        lambda a, b, c: unit(rounded("fma", "f32", "rz", True)(a, b, c)))
    row("neg.ftz.f32 {d}, {a};", "f32", "f32", lambda a: -flush(a))
    row("abs.ftz.f32 {d}, {a};", "f32", "f32", lambda a: abs(flush(a)))
    row("setp.lt.ftz.f32 {d}, {a}, {b};", "pred", "f32 f32", lambda a, b: flush(a) < flush(b))
    row("setp.eq.ftz.f32 {d}, {a}, {b};", "pred", "f32 f32", lambda a, b: flush(a) == flush(b))
    row("set.ge.ftz.u32.f32 {d}, {a}, {b};", "u32", "f32 f32", lambda a, b: -(flush(a) >= flush(b)))
    row("slct.ftz.u32.f32 {d}, {a}, {b}, {c};", "u32", "u32 u32 f32", lambda a, b, c: a if flush(c) >= 0 else b)
    row("min.ftz.f32 {d}, {a}, 0f00000001;", "f32", "f32",
        lambda a: 0.0 if math.isnan(a) else min(flush(a), 0.0, key=lambda x: (x, math.copysign(1, x))))
    row("max.xorsign.abs.f32 {d}, {a}, {b};", "f32", "f32 f32",
        lambda a, b: math.copysign(abs(b) if math.isnan(a) else abs(a) if math.isnan(b) else max(abs(a), abs(b)),
                                   math.copysign(1, a) * math.copysign(1, b)))
    row("ex2.approx.ftz.f32 {d}, {a};", "f32", "f32", lambda a: flush(safe(np.exp2)(flush(a))), ulps=4)
    row("lg2.approx.ftz.f32 {d}, {a};", "f32", "f32", lambda a: safe(np.log2)(flush(a)), ulps=4)
    for s in "su":
        for bits in (32, 64):
            for to, mode in itertools.product(("f32", "f64"), ("rn", "rz", "rm", "rp")):
                row(f"cvt.{mode}.{to}.{s}{bits} {{d}}, {{a}};", to, f"{s}{bits}",
                    lambda a, t=to, m=mode: round_to(Fraction(a), t, m) if a else 0.0)
    narrow = lambda t, m: lambda a: round_to(Fraction(a), t, m) if a and math.isfinite(a) else a  # noqa: E731
    for mode in ("rn", "rz", "rm", "rp"):
        row(f"cvt.{mode}.f32.f64 {{d}}, {{a}};", "f32", "f64", narrow("f32", mode))
    row("cvt.rn.ftz.f32.f64 {d}, {a};", "f32", "f64", lambda a: flush(narrow("f32", "rn")(a)))
    row("cvt.ftz.f64.f32 {d}, {a};", "f64", "f32", flush)
    row("cvt.rpi.ftz.s32.f32 {d}, {a};", "s32", "f32", lambda a: to_integer(flush(a), math.ceil, 32, True))
    for t in ("f16", "bf16"):
        row(f"cvt.rz.{t}.f32 {{d}}, {{a}};", t, "f32", narrow(t, "rz"))
    for mode in ("rna", "rn", "rz"):
        row(f"cvt.{mode}.tf32.f32 {{d}}, {{a}};", "f32", "f32", narrow("tf32", mode))
        row(f"mov.b32 {{d}}, 0x7f800001; cvt.{mode}.tf32.f32 {{d}}, {{d}};", "f32", "f32", lambda a: math.nan)
    for t, largest in (("e4m3", 448.0), ("e5m2", 57344.0)):
        bits = {f8_value(b, t): b for b in range(256)}

        def to_f8(x, t=t, bits=bits, largest=largest):
            if math.isnan(x):
                return 0x7f
            number = round_to(Fraction(x), t, "rn") if x and math.isfinite(x) else x
            return f8_bits(max(-largest, min(number, largest)), bits)
        for relu in (False, True):
            row(f"cvt.rn.satfinite{'.relu' * relu}.{t}x2.f32 {{d}}, {{a}}, {{b}};", "b16", "f32 f32",
                lambda a, b, f=to_f8, r=relu: f(positive(a) if r else a) << 8 | f(positive(b) if r else b))
        row(f"cvt.rn.f16x2.{t}x2 {{d}}, {{a}};", "f16x2", "b16", lambda a, t=t: (f8_value(a & 255, t), f8_value(a >> 8, t)))


def memory():
    keep = "st.shared.b64 [{m}], {a}; "
    for bits in (8, 16, 32, 64):
        size = bits // 8
        for s, d in itertools.product("sub" if bits < 64 else "b", (16, 32, 64)):
            if d < bits:
                continue
            for at in sorted({0, size, 8 - size} & set(range(0, 8, size))):
                row((keep + f"ld.shared.{s}{bits} {{d}}, [{{m}}+{at}];"), f"b{d}", "b64",
                    lambda a, at=at, n=bits, s=s: part(a >> 8 * at, n, 0, "s" if s == "s" else "u"))
        for b in (16, 32, 64):
            if b >= bits:
                row((keep + f"st.shared.b{bits} [{{m}}+{8 - size}], {{b}}; ld.shared.b64 {{d}}, [{{m}}];"),
                    "b64", f"b64 b{b}",
                    lambda a, b, n=bits: a & (1 << 64 - n) - 1 | (b & (1 << n) - 1) << 64 - n)
    row((keep + "{{ .reg .b32 x, y; ld.shared.v2.b32 {{x, y}}, [{m}]; mov.b64 {d}, {{y, x}}; }}"),
        "b64", "b64", lambda a: a >> 32 | a << 32)
    row((keep + "{{ .reg .b16 x, y, z, w; ld.shared.v4.b16 {{x, y, z, w}}, [{m}]; "
         "st.shared.v2.b16 [{m}], {{w, x}}; ld.shared.b32 {d}, [{m}]; }}"),
        "b32", "b64", lambda a: a >> 48 | (a & 0xffff) << 16)
    row((keep + "{{ .reg .b32 x, y, z, w; ld.shared.v4.s8 {{x, y, z, w}}, [{m}+4]; add.u32 x, x, y; add.u32 z, z, w; "
         "add.u32 {d}, x, z; }}"), "b32", "b64", lambda a: sum(part(a, 8, i, "s") for i in range(4, 8)))
    row((keep + "{{ .local .align 8 .b8 own[16]; st.local.b64 [own+8], {a}; ld.local.u32 {d}, [own+12]; }}"),
        "b32", "b64", lambda a: a >> 32)
    row((keep + "{{ .reg .b64 p, s; cvt.u64.u32 p, {m}; cvta.shared.u64 s, p; ld.u16 {d}, [s+2]; }}"),
        "b32", "b64", lambda a: a >> 16 & 0xffff)
    row((keep + "{{ .reg .b64 p, s; cvt.u64.u32 p, {m}; cvta.shared.u64 s, p; cvta.to.shared::cluster.u64 p, s; ld.u16 {d}, [p+2]; }}"),
        "b32", "b64", lambda a: a >> 16 & 0xffff)


ORDERS = itertools.cycle(["", ".relaxed.gpu", ".acq_rel.cta", ".acquire.sys", ".release.gpu"])


def atomics():
    integer = {"add": lambda a, b: a + b, "min": min, "max": max}
    logic = {"and": int.__and__, "or": int.__or__, "xor": int.__xor__, "exch": lambda a, b: b}
    wrap = {"inc": lambda a, b: 0 if a >= b else a + 1, "dec": lambda a, b: b if a == 0 or a > b else a - 1}
    cases = [(t, n, f) for t in ("u32", "s32", "u64") for n, f in integer.items()]
    cases += [("s64", n, integer[n]) for n in ("min", "max")]
    cases += [(t, n, f) for t in ("b32", "b64") for n, f in logic.items()] + [("u32", n, f) for n, f in wrap.items()]
    cases += [(t, "add", rounded("add", t, "rn")) for t in ("f32", "f64")]
    cases += [(t, "add", rounded("add", t, "rn")) for t in ("f16", "bf16")]
    cases += [(t, "add", pairwise(rounded("add", t[:-2], "rn"))) for t in ("f16x2", "bf16x2")]
    for t, name, function in cases:
        bits, two = BITS[t], f"{t} {t}"
        store, load = f"st.shared.b{bits} [{{m}}], {{a}};", f"ld.shared.b{bits} {{d}}, [{{m}}];"
        full = name + (".noftz" if "16" in t else "")
        row(f"{store} atom{next(ORDERS)}.shared.{full}.{t} {{d}}, [{{m}}], {{b}};", t, two, lambda a, b: a)
        row(f"{store} {{{{ .reg .b{bits} o; atom{next(ORDERS)}.shared.{full}.{t} o, [{{m}}], {{b}}; }}}} {load}", t, two, function)
        if name != "exch":
            order = next(ORDERS)
            order = "" if order[:4] in (".acq",) else order
            row(f"{store} red{order}.shared.{full}.{t} [{{m}}], {{b}}; {load}", t, two, function)
    for t in ("f16", "bf16", "f32", "f64"):  # -0 stays -0
        row(f"st.shared.b{BITS[t]} [{{m}}], {{a}}; red.shared.add{'.noftz' * ('16' in t)}.{t} [{{m}}], {{a}}; "
            f"ld.shared.b{BITS[t]} {{d}}, [{{m}}];", t, t, lambda a: a + a)
    for bits in (16, 32, 64):
        t = f"b{bits}"
        text = f"st.shared.{t} [{{m}}], {{a}}; atom{next(ORDERS)}.shared.cas.{t} {{d}}, [{{m}}], {{b}}, {{c}};"
        row(text, t, f"{t} {t} {t}", lambda a, b, c: a)
        row(text + f" ld.shared.{t} {{d}}, [{{m}}];", t, f"{t} {t} {t}", lambda a, b, c: c if a == b else a)


def make_rows():
    for group in (integers, bits_of_bits, floats, roundings, conversions, memory, atomics):
        group()
    video(row)


def conversions():
    kinds = [f"{s}{n}" for n in (8, 16, 32, 64) for s in "us"]
    register = {8: 16}
    for to in kinds:
        for source in kinds:
            # 8 bits live in wider registers.
            n, m = BITS[to], BITS[source]
            text = f"cvt{{sat}}.{to}.{source} {{{{d}}}}, {{{{a}}}};"
            d, a = f"{to[0]}{register.get(n, n)}", f"{source[0]}{register.get(m, m)}"
            narrow = lambda x, m=m, s=source: signed(x, m) if s[0] == "s" else x & (1 << m) - 1  # noqa: E731
            row(text.format(sat=""), d, a, lambda x, f=narrow, n=n, t=to: signed(f(x), n) if t[0] == "s" else f(x) & (1 << n) - 1)
            row(text.format(sat=".sat"), d, a, lambda x, f=narrow, n=n, t=to: clamp(f(x), n, t[0] == "s"))
    rounding = {"rni": round, "rzi": math.trunc, "rmi": math.floor, "rpi": math.ceil}
    for source in ("f16", "f32", "f64"):
        for to in kinds:
            if BITS[to] == 8:
                continue
            row(f"cvt.rn.{source}.{to} {{d}}, {{a}};", source, to, lambda a, t=source: exact(a, t))
            for mode, function in rounding.items():
                row(f"cvt.{mode}.{to}.{source} {{d}}, {{a}};", to, source,
                    lambda a, f=function, t=to: to_integer(a, f, BITS[t], t[0] == "s"))
        for mode, function in rounding.items():
            row(f"cvt.{mode}.{source}.{source} {{d}}, {{a}};", source, source,
                lambda a, f=function: a if not math.isfinite(a) else math.copysign(float(f(a)), a))
        row(f"cvt.rn.sat.{source}.f32 {{d}}, {{a}};" if source == "f16" else f"cvt.sat.f32.f16 {{d}}, {{a}};",
            "f16" if source == "f16" else "f32", "f32" if source == "f16" else "f16",
            unit)
    for to, source in (("f16", "f32"), ("bf16", "f32"), ("f16", "f64"), ("f32", "f64"), ("bf16", "f16"), ("f16", "bf16")):
        row(f"cvt.rn.{to}.{source} {{d}}, {{a}};", to, source, lambda a: a)
    for to, source in (("f32", "f16"), ("f32", "bf16"), ("f64", "f16"), ("f64", "f32")):
        row(f"cvt.{to}.{source} {{d}}, {{a}};", to, source, lambda a: a)
    for t in ("f16x2", "bf16x2"):
        row(f"cvt.rn.{t}.f32 {{d}}, {{a}}, {{b}};", t, "f32 f32", lambda a, b: (b, a))
        row(f"cvt.rn.relu.{t}.f32 {{d}}, {{a}}, {{b}};", t, "f32 f32",
            lambda a, b: (positive(b), positive(a)))


def exact(a, type):
    """An integer in a float type, rounded once."""
    if type == "f64":
        return float(a)
    if type == "f32":
        magnitude = abs(a)
        shift = max(magnitude.bit_length() - 24, 0)
        units = magnitude >> shift
        rest, half = magnitude - (units << shift), (1 << shift) >> 1
        units += shift > 0 and (rest > half or (rest == half and units & 1))
        return math.copysign(float(units << shift), a) if a else 0.0
    return float(a) if abs(a) < 1 << 40 else math.copysign(math.inf, a)


def to_integer(a, function, bits, is_signed):
    if math.isnan(a):
        return 0
    if math.isinf(a):
        return clamp(int(math.copysign(1 << 70, a)), bits, is_signed)
    return clamp(function(a), bits, is_signed)


# --- Kernels

REGISTER = {1: ("pred", "p"), 16: ("b16", "h"), 32: ("b32", "r"), 64: ("b64", "l")}
LLVM = {1: ("i1", "b"), 16: ("i16", "h"), 32: ("i32", "r"), 64: ("i64", "l")}


def ptx_kernel(rows):
    """All operands and results are 8 bytes; those of operand k of row i for all threads lie side by side."""
    body = []
    place = 0
    for i, r in enumerate(rows):
        names = dict(zip("abcd", (f"%a{i}", f"%b{i}", f"%c{i}", f"%d{i}")), m="%slot")
        body.append(f"  .reg .{REGISTER[BITS[r.result]][0]} %d{i};")
        for name, type in zip("abc", r.operands):
            bits = BITS[type]
            body.append(f"  .reg .{REGISTER[bits][0]} {names[name]};")
            if bits == 1:
                body += [f"  ld.global.b32 %w, [%in + {place}];", f"  setp.ne.u32 {names[name]}, %w, 0;"]
            else:
                body.append(f"  ld.global.b{bits} {names[name]}, [%in + {place}];")
            place += 8 * THREADS
        # Names of registers and labels are their own in each.
        body.append("  { " + r.text.format(**names) + " }")
        if BITS[r.result] == 1:
            body += [f"  selp.u32 %w, 1, 0, %d{i};", f"  st.global.b32 [%out + {8 * THREADS * i}], %w;"]
        else:
            body.append(f"  st.global.b{BITS[r.result]} [%out + {8 * THREADS * i}], %d{i};")
    return f""".version 8.0
.target sm_90
.address_size 64
.visible .entry rows(.param .u64 from, .param .u64 to)
{{
  .reg .b64 %in, %out, %at;
  .reg .b32 %w, %slot;
  .shared .align 8 .b8 slots[{8 * THREADS}];
  ld.param.u64 %in, [from];
  ld.param.u64 %out, [to];
  cvta.to.global.u64 %in, %in;
  cvta.to.global.u64 %out, %out;
  mov.u32 %w, %tid.x;
  mul.wide.u32 %at, %w, 8;
  add.s64 %in, %in, %at;
  add.s64 %out, %out, %at;
  mad.lo.u32 %slot, %w, 8, slots;
""" + "\n".join(body) + "\n  ret;\n}\n"


def asm_kernel(rows):
    """The same as inline assembly in LLVM IR."""
    lines = []
    place = 0
    for i, r in enumerate(rows):
        passed, constraints = [], ["=&" + LLVM[BITS[r.result]][1]]
        names = {"d": "$0"}
        for k, (name, type) in enumerate(zip("abc", r.operands)):
            bits = BITS[type]
            width = max(bits, 8)
            lines.append(f"  %p{i}.{k} = getelementptr i8, ptr addrspace(1) %in, i64 {place}")
            lines.append(f"  %q{i}.{k} = load i{width}, ptr addrspace(1) %p{i}.{k}, align 8")
            value = f"%q{i}.{k}"
            if bits == 1:
                lines.append(f"  %v{i}.{k} = trunc i8 %q{i}.{k} to i1")
                value = f"%v{i}.{k}"
            passed.append(f"{LLVM[bits][0]} {value}")
            constraints.append(LLVM[bits][1])
            names[name] = f"${k + 1}"
            place += 8 * THREADS
        if "{m}" in r.text:
            passed.append("i32 %slot")
            constraints.append("r")
            names["m"] = f"${len(passed)}"
        text = "{ " + r.text.format(**names) + " }"
        type = LLVM[BITS[r.result]][0]
        lines.append(f"  %d{i} = call {type} asm sideeffect \"{text}\", \"{','.join(constraints)}\"({', '.join(passed)})")
        value = f"%d{i}"
        if BITS[r.result] == 1:
            lines.append(f"  %e{i} = zext i1 %d{i} to i32")
            type, value = "i32", f"%e{i}"
        lines.append(f"  %o{i} = getelementptr i8, ptr addrspace(1) %out, i64 {8 * THREADS * i}")
        lines.append(f"  store {type} {value}, ptr addrspace(1) %o{i}, align 8")
    return """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
@slots = internal addrspace(3) global [1024 x i8] undef, align 8
define ptx_kernel void @rows(ptr addrspace(1) %from, ptr addrspace(1) %to) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr i64, ptr addrspace(3) @slots, i32 %t
  %slot = ptrtoint ptr addrspace(3) %mine to i32
  %in = getelementptr i64, ptr addrspace(1) %from, i32 %t
  %out = getelementptr i64, ptr addrspace(1) %to, i32 %t
""" + "\n".join(lines) + "\n  ret void\n}\n"


def check(tile_run, folder, rows, kind, rng):
    values = [[operands(type, rng, k) for k, type in enumerate(r.operands)] for r in rows]
    for r, row_values in zip(rows, values):  # operands that are the same
        if len(r.operands) > 1 and BITS[r.operands[0]] == BITS[r.operands[1]]:
            row_values[1][3::8] = row_values[0][3::8]
    flat = np.array([v for row_values in values for v in row_values], dtype=np.uint64)
    np.save(f"{folder}/in.npy", flat.view(np.int64))
    np.save(f"{folder}/out.npy", np.full((len(rows), THREADS), -1, np.int64))
    source = pathlib.Path(folder, f"rows.{kind}")
    source.write_text(ptx_kernel(rows) if kind == "ptx" else asm_kernel(rows))
    status, text = batch.run([tile_run, str(source), "--backend=sim", "--entry=rows", "--grid=1", f"--block={THREADS}",
                              "--chip=sm_90", f"--inputs={folder}/in.npy,{folder}/out.npy",
                              f"--outputs={folder}/in2.npy,{folder}/got.npy"])
    if status:
        return [f"{kind}: {text}"]
    got = np.load(f"{folder}/got.npy").view(np.uint64)
    wrong = []
    for i, (r, row_values) in enumerate(zip(rows, values)):
        mask = (1 << max(BITS[r.result], 8)) - 1
        for thread in range(THREADS):
            numbers = [decode(v[thread] if BITS[t] > 1 else v[thread] & 1, t) for v, t in zip(row_values, r.operands)]
            expected = encode(r.function(*numbers), r.result)
            if not equal(int(got[i, thread]) & mask, expected, r.result, r.ulps):
                wrong.append(f"{kind}: {r.text} of {numbers}: {int(got[i, thread]) & mask:#x}, expected {expected:#x}")
                break
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--filter", default="", help="only statements that contain this")
    arguments = parser.parse_args()
    make_rows()
    rows = [r for r in ROWS if arguments.filter in r.text]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("ptx", "ll"):
            wrong += check(arguments.tile_run, folder, rows, kind, np.random.default_rng(7))
    if wrong:
        sys.exit("\n".join(wrong[:40]) + f"\n{len(wrong)} wrong")
    print(f"{len(rows)} statements, in a file and as inline assembly")


if __name__ == "__main__":
    main()
