"""What CUDA's libdevice functions should give, by mpmath, Python and integers of any size: for libdevice.py.

FUNCTIONS maps a name without __nv_ to a Reference. Errors are in units of the last place, as CUDA's documentation of its
math functions gives them for f32 and f64; 0 is exact.
"""
import math
import struct
from dataclasses import dataclass

import mpmath
import numpy as np
from mpmath import mp, mpf

mp.prec = 160
EXACT = 4400  # bits that hold every sum of products of f64
INF, NAN = math.inf, math.nan


@dataclass
class Reference:
    function: object        # of Python numbers: mpf for floats, int for integers; a tuple for several results
    ulps: float = 0         # for finite arguments
    ranges: tuple = ()      # of each argument; () is everything
    absolute: float = 0     # an error that is allowed beside
    special: bool = True    # zeros, infinities and NaN are checked too, by `function`
    signed: bool = True     # how integers that are arguments and results are read


FUNCTIONS = {}


def add(name, function, ulps=(0, 0), ranges=(), absolute=(0, 0), special=True):
    """A function of f32, with an f at the end, and of f64."""
    for suffix, u, a in zip(("f", ""), ulps, absolute):
        FUNCTIONS[name + suffix] = Reference(function, u, ranges, a, special)


def at_finite(function, **values):
    """`function` for finite arguments; `inf`, `ninf` are its values at infinities; NaN gives NaN."""
    def apply(*x):
        if any(mpmath.isnan(v) for v in x):
            return NAN
        if mpmath.isinf(x[0]):
            return values["inf" if x[0] > 0 else "ninf"]
        return function(*x)
    return apply


def to_integer(bits, signed, rounding, is_double=False):
    """A conversion to an integer: saturating; NaN to 0, or to the highest bit where 64 bits are converted from or to."""
    low, high = (-2 ** (bits - 1), 2 ** (bits - 1) - 1) if signed else (0, 2 ** bits - 1)
    functions = {"rn": mpmath.nint, "rz": lambda v: mpmath.floor(v) if v > 0 else mpmath.ceil(v), "rd": mpmath.floor,
                 "ru": mpmath.ceil}

    def apply(x):
        if mpmath.isnan(x):
            return 2 ** (bits - 1) if is_double or bits == 64 else 0
        if mpmath.isinf(x):
            return high if x > 0 else low
        return min(max(int(functions[rounding](x)), low), high)
    return apply


class Rounded:
    """A number that is to be rounded to the type of the result, in one of CUDA's directions."""

    def __init__(self, value, rounding):
        self.value, self.rounding = value, rounding


def rounded(function, rounding):
    def apply(*x):
        with mpmath.workprec(EXACT):
            return Rounded(function(*x), rounding)
    return apply


def sign_of(x):
    return -1 if is_negative(x) else 1


def is_negative(x):
    """The sign, of zeros too: those are floats, mpf has none."""
    return math.copysign(1, x) < 0 if isinstance(x, float) else x < 0


def divide(a, b):
    if mpmath.isnan(a) or mpmath.isnan(b):
        return NAN
    if b == 0:
        return NAN if a == 0 else sign_of(a) * sign_of(b) * INF
    if a == 0 or (mpmath.isinf(b) and not mpmath.isinf(a)):
        return sign_of(a) * sign_of(b) * 0.0
    return mpf(a) / mpf(b)


def multiply(a, b):
    if a == 0 or b == 0:
        return NAN if mpmath.isinf(a) or mpmath.isinf(b) or mpmath.isnan(a + b) else sign_of(a) * sign_of(b) * 0.0
    return mpf(a) * mpf(b)


def root(x):
    return x if x == 0 else NAN if x < 0 else mpmath.sqrt(x)


ROUNDINGS = ("rn", "rz", "rd", "ru")
for r in ROUNDINGS:
    for prefix in ("f", "d"):
        FUNCTIONS[f"{prefix}add_{r}"] = Reference(rounded(lambda a, b: mpf(a) + mpf(b), r), special=False)
        FUNCTIONS[f"{prefix}sub_{r}"] = Reference(rounded(lambda a, b: mpf(a) - mpf(b), r), special=False)
        FUNCTIONS[f"{prefix}mul_{r}"] = Reference(rounded(multiply, r))
        FUNCTIONS[f"{prefix}div_{r}"] = Reference(rounded(divide, r))
        FUNCTIONS[f"{prefix}rcp_{r}"] = Reference(rounded(lambda a: divide(1.0, a), r))
        FUNCTIONS[f"{prefix}sqrt_{r}"] = Reference(rounded(root, r))
    for name in ("fma_", "fmaf_", "fmaf_ieee_"):
        FUNCTIONS[f"{name}{r}"] = Reference(rounded(lambda a, b, c: mpf(a) * mpf(b) + mpf(c), r), special=False)
    FUNCTIONS[f"double2float_{r}"] = Reference(rounded(lambda a: a, r))
    for integer, bits, signed in (("int", 32, True), ("uint", 32, False), ("ll", 64, True), ("ull", 64, False)):
        for number in ("float", "double"):
            FUNCTIONS[f"{number}2{integer}_{r}"] = Reference(
                to_integer(bits, signed, r, number == "double"), signed=signed)
            FUNCTIONS[f"{integer}2{number}_{r}"] = Reference(rounded(mpf, r), signed=signed)
add("fma", rounded(lambda a, b, c: mpf(a) * mpf(b) + mpf(c), "rn"), special=False)

# Integers.
MASK = {32: 2 ** 32 - 1, 64: 2 ** 64 - 1}


def integers(signed=True, **functions):
    for name, function in functions.items():
        FUNCTIONS[name] = Reference(function, signed=signed)


def find_first(bits):
    return lambda x: (x & -x).bit_length() if x & MASK[bits] else 0


def permute(x, y, s):
    data = ((y & MASK[32]) << 32 | (x & MASK[32])).to_bytes(8, "little")
    picked = [data[s >> 4 * i & 7] for i in range(4)]
    return int.from_bytes(bytes(picked), "little")


def low(bits, signed=True):
    def cut(x):
        x &= 2 ** bits - 1
        return x - 2 ** bits if signed and x >> (bits - 1) else x
    return cut


def reverse(bits):
    return lambda x: int(format(x & MASK[bits], f"0{bits}b")[::-1], 2)


integers(clz=lambda x: 32 - (x & MASK[32]).bit_length(), clzll=lambda x: 64 - (x & MASK[64]).bit_length(),
         popc=lambda x: bin(x & MASK[32]).count("1"), popcll=lambda x: bin(x & MASK[64]).count("1"),
         ffs=find_first(32), ffsll=find_first(64), brev=reverse(32), brevll=reverse(64), byte_perm=permute,
         min=min, max=max, llmin=min, llmax=max, abs=abs, llabs=abs,
         mulhi=lambda a, b: a * b >> 32, mul64hi=lambda a, b: a * b >> 64,
         mul24=lambda a, b: low(24)(a) * low(24)(b), sad=lambda a, b, c: abs(a - b) + c,
         hadd=lambda a, b: a + b >> 1, rhadd=lambda a, b: a + b + 1 >> 1)
integers(signed=False, umin=min, umax=max, ullmin=min, ullmax=max, umulhi=lambda a, b: a * b >> 32,
         umul64hi=lambda a, b: a * b >> 64, umul24=lambda a, b: low(24, False)(a) * low(24, False)(b),
         usad=lambda a, b, c: abs(a - b) + c, uhadd=lambda a, b: a + b >> 1, urhadd=lambda a, b: a + b + 1 >> 1)

# Exact functions of floats.


def keep_zero(function):
    """A rounding to an integer that keeps signs of zeros, infinities and NaN."""
    def apply(x):
        if mpmath.isnan(x) or mpmath.isinf(x) or x == 0:
            return x
        result = function(x)
        return sign_of(x) * 0.0 if result == 0 else result
    return apply


def truncate(x):
    return mpmath.floor(x) if x > 0 else mpmath.ceil(x)


def round_away(x):
    return sign_of(x) * mpmath.floor(abs(x) + mpf(0.5))


def remainder(x, y, toward_zero=False):
    if mpmath.isnan(x) or mpmath.isnan(y) or mpmath.isinf(x) or y == 0:
        return NAN
    if mpmath.isinf(y) or x == 0:
        return x
    quotient = divide(x, y)
    with mpmath.workprec(2400):  # the quotient may have 2,100 bits
        exact = mpf(x) / mpf(y)
        n = truncate(exact) if toward_zero else mpmath.nint(exact)
        result = mpf(x) - n * mpf(y)
    return sign_of(x) * 0.0 if result == 0 else result


def minimum(a, b, sign=1):
    if mpmath.isnan(a) or mpmath.isnan(b):
        return b if mpmath.isnan(a) else a
    if a == b:
        return a if is_negative(a) == (sign > 0) else b
    return a if (a < b) == (sign > 0) else b


def exponent(x):
    return int(mpmath.floor(mpmath.log(abs(x), 2) + mpf(2) ** -100))


def split(x):
    """frexp: the fraction and the exponent."""
    if mpmath.isnan(x) or mpmath.isinf(x) or x == 0:
        return x, 0 if x == 0 else None  # C leaves it open
    e = mpmath.frexp(x)[1]
    return mpmath.ldexp(x, -e), e


def parts(x):
    """modf: the fraction and the integer."""
    if mpmath.isnan(x):
        return NAN, NAN
    if mpmath.isinf(x):
        return sign_of(x) * 0.0, x
    integer = keep_zero(truncate)(x)
    return keep_zero(lambda v: v - integer)(x) if x != integer else sign_of(x) * 0.0, integer


def scale(x, e):
    return Rounded(x if x == 0 or mpmath.isinf(x) or mpmath.isnan(x) else mpmath.ldexp(x, e), "rn")


add("floor", keep_zero(mpmath.floor))
add("ceil", keep_zero(mpmath.ceil))
add("trunc", keep_zero(truncate))
add("rint", keep_zero(mpmath.nint))
add("nearbyint", keep_zero(mpmath.nint))
add("round", keep_zero(round_away))
add("fabs", lambda x: NAN if mpmath.isnan(x) else abs(x))
add("fmin", minimum)
add("fmax", lambda a, b: minimum(a, b, -1))
add("copysign", lambda a, b: NAN if mpmath.isnan(a) else abs(a) * sign_of(b), special=False)
add("fdim", lambda a, b: NAN if mpmath.isnan(a) or mpmath.isnan(b) else
    Rounded(mpf(a) - mpf(b) if a > b else 0.0, "rn"))
add("fmod", lambda x, y: remainder(x, y, True))
add("remainder", remainder)
add("frexp", split)
add("modf", parts)
add("ldexp", scale)
add("scalbn", scale)
add("logb", lambda x: NAN if mpmath.isnan(x) else -INF if x == 0 else INF if mpmath.isinf(x) else exponent(x))
add("ilogb", lambda x: -2 ** 31 if mpmath.isnan(x) or x == 0 else 2 ** 31 - 1 if mpmath.isinf(x) else exponent(x))
for n in ("llround", "llrint"):
    f = round_away if n == "llround" else mpmath.nint
    add(n, lambda x, f=f: to_integer(64, True, "rz")(x if mpmath.isnan(x) or mpmath.isinf(x) else f(x)))
for n, f in (("isnan", mpmath.isnan), ("isinf", mpmath.isinf), ("signbit", lambda x: is_negative(x))):
    for s in ("f", "d"):
        FUNCTIONS[n + s] = Reference(lambda x, f=f: bool(f(x)), special=n != "signbit")
FUNCTIONS["finitef"] = FUNCTIONS["isfinited"] = Reference(lambda x: not (mpmath.isnan(x) or mpmath.isinf(x)))
FUNCTIONS["saturatef"] = Reference(lambda x: 0.0 if mpmath.isnan(x) or x <= 0 else min(x, 1))


# Functions that are approximated: (ulps of f32, of f64), ranges of arguments.
def odd_at_zero(function, **values):
    """An odd function: keeps zeros and their signs."""
    return lambda *x: x[0] if x[0] == 0 else at_finite(function, **values)(*x)


def logarithm(function):
    return lambda x: -INF if x == 0 else at_finite(lambda v: NAN if v < 0 else function(v), inf=INF, ninf=NAN)(x)


def norm(*x):
    if any(mpmath.isinf(v) for v in x):
        return INF
    return mpmath.sqrt(sum(mpf(v) ** 2 for v in x))


def inverse_norm(*x):
    value = norm(*x)
    return INF if value == 0 else 0.0 if mpmath.isinf(value) else 1 / value


def within(function, limit):
    return lambda x: NAN if abs(x) > limit else function(x)


def power(x, y):
    return mpmath.power(x, y) if x > 0 else mpmath.power(x, int(y)) if y == int(y) else NAN


def real(function):
    return lambda *x: mpmath.re(function(*x))


BIG, SMALL = (-1e4, 1e4), (-4, 4)
add("sqrt", root, (3, 0), ((0, 1e30),))
add("rsqrt", lambda x: sign_of(x) * INF if x == 0 else at_finite(
    lambda v: NAN if v < 0 else 1 / mpmath.sqrt(v), inf=0.0, ninf=NAN)(x), (2, 1), ((0, 1e30),))
add("cbrt", odd_at_zero(lambda x: sign_of(x) * mpmath.cbrt(abs(x)), inf=INF, ninf=-INF), (1, 1))
add("rcbrt", lambda x: sign_of(x) * INF if x == 0 else at_finite(
    lambda v: sign_of(v) / mpmath.cbrt(abs(v)), inf=0.0, ninf=-0.0)(x), (1, 1))
add("exp", at_finite(mpmath.exp, inf=INF, ninf=0.0), (2, 1), ((-110, 95),))
add("exp2", at_finite(lambda x: mpf(2) ** x, inf=INF, ninf=0.0), (2, 1), ((-150, 130),))
add("exp10", at_finite(lambda x: mpf(10) ** x, inf=INF, ninf=0.0), (2, 1), ((-46, 39),))
add("expm1", odd_at_zero(mpmath.expm1, inf=INF, ninf=-1.0), (1, 1), ((-110, 95),))
add("log", logarithm(mpmath.log), (1, 1), ((0, 1e4),))
add("log2", logarithm(lambda x: mpmath.log(x, 2)), (1, 2), ((0, 1e4),))
add("log10", logarithm(mpmath.log10), (2, 2), ((0, 1e4),))
add("log1p", odd_at_zero(lambda x: -INF if x == -1 else NAN if x < -1 else mpmath.log1p(x), inf=INF, ninf=NAN), (1, 1),
    ((-1, 1e3),))
add("sin", odd_at_zero(mpmath.sin, inf=NAN, ninf=NAN), (2, 2))
add("cos", at_finite(mpmath.cos, inf=NAN, ninf=NAN), (2, 2))
add("tan", odd_at_zero(mpmath.tan, inf=NAN, ninf=NAN), (4, 2))
add("sinpi", odd_at_zero(lambda x: x * 0.0 if x == int(x) else mpmath.sinpi(x), inf=NAN, ninf=NAN), (1, 2), (BIG,))
add("cospi", at_finite(mpmath.cospi, inf=NAN, ninf=NAN), (1, 2), (BIG,))
add("sincos", lambda x: (FUNCTIONS["sin"].function(x), FUNCTIONS["cos"].function(x)), (2, 2))
add("sincospi", lambda x: (FUNCTIONS["sinpi"].function(x), FUNCTIONS["cospi"].function(x)), (1, 2), (BIG,))
add("asin", odd_at_zero(within(mpmath.asin, 1), inf=NAN, ninf=NAN), (2, 2), ((-1, 1),))
add("acos", at_finite(within(mpmath.acos, 1), inf=NAN, ninf=NAN), (2, 2), ((-1, 1),))
add("atan", odd_at_zero(mpmath.atan, inf=mpmath.pi / 2, ninf=-mpmath.pi / 2), (2, 2))
add("atan2", lambda y, x: sign_of(y) * (mpmath.pi if x == y == 0 and is_negative(x) else mpmath.atan2(abs(y), x)), (3, 2),
    special=False)
add("sinh", odd_at_zero(mpmath.sinh, inf=INF, ninf=-INF), (3, 2), ((-90, 90),))
add("cosh", at_finite(mpmath.cosh, inf=INF, ninf=INF), (2, 1), ((-90, 90),))
add("tanh", odd_at_zero(mpmath.tanh, inf=1.0, ninf=-1.0), (2, 1), ((-20, 20),))
add("asinh", odd_at_zero(mpmath.asinh, inf=INF, ninf=-INF), (3, 3))
add("acosh", at_finite(lambda x: NAN if x < 1 else 0.0 if x == 1 else mpmath.acosh(x), inf=INF, ninf=NAN), (4, 3),
    ((1, 1e4),))
add("atanh", odd_at_zero(lambda x: NAN if abs(x) > 1 else sign_of(x) * INF if abs(x) == 1 else mpmath.atanh(x), inf=NAN,
                         ninf=NAN), (3, 2), ((-1, 1),))
add("hypot", norm, (3, 2), special=False)
add("rhypot", inverse_norm, (2, 1), special=False)
add("norm3d", norm, (3, 2), special=False)
add("rnorm3d", inverse_norm, (2, 1), special=False)
add("norm4d", norm, (3, 2), special=False)
add("rnorm4d", inverse_norm, (2, 1), special=False)
add("norm", norm, (4, 3), special=False)
add("rnorm", inverse_norm, (4, 3), special=False)
add("pow", power, (4, 2), ((0, 50), (-20, 20)), special=False)
add("powi", lambda x, n: INF if x == 0 and n < 0 else mpmath.power(x, n), (30, 30), ((0.5, 2), (-20, 20)), special=False)
add("erf", odd_at_zero(mpmath.erf, inf=1.0, ninf=-1.0), (2, 2), (SMALL,))
add("erfc", at_finite(mpmath.erfc, inf=0.0, ninf=2.0), (4, 5), ((-4, 9),))
add("erfcx", at_finite(lambda x: mpmath.exp(x * x) * mpmath.erfc(x), inf=0.0, ninf=INF), (4, 4), ((-9, 50),))
add("erfinv", odd_at_zero(within(lambda x: sign_of(x) * INF if abs(x) == 1 else mpmath.erfinv(x), 1), inf=NAN, ninf=NAN),
    (2, 5), ((-1, 1),))
add("erfcinv", lambda x: INF if x == 0 else mpmath.erfinv(1 - mpf(x)), (4, 6), ((1e-3, 1.999),), special=False)
add("normcdf", at_finite(mpmath.ncdf, inf=1.0, ninf=0.0), (5, 5), ((-12, 8),))
add("normcdfinv", lambda x: mpmath.sqrt(2) * mpmath.erfinv(2 * mpf(x) - 1), (5, 8), ((1e-3, 0.999),), special=False)
add("tgamma", mpmath.gamma, (5, 10), ((0.1, 30),), special=False)
add("lgamma", lambda x: mpmath.re(mpmath.loggamma(x)), (6, 4), ((0.1, 1e3),), (1e-6, 1e-15), special=False)
# Bessel functions: near their zeros the error is absolute.
add("j0", mpmath.j0, (9, 7), ((-8, 8),), (2.2e-6, 5e-12), special=False)
add("j1", mpmath.j1, (9, 7), ((-8, 8),), (2.2e-6, 5e-12), special=False)
add("y0", real(lambda x: mpmath.bessely(0, x)), (9, 7), ((0.1, 8),), (2.2e-6, 5e-12), special=False)
add("y1", real(lambda x: mpmath.bessely(1, x)), (9, 7), ((0.1, 8),), (2.2e-6, 5e-12), special=False)
add("jn", lambda n, x: mpmath.besselj(n, x), (9, 7), ((2, 4), (0.5, 8)), (2.2e-6, 5e-12), special=False)
add("yn", real(lambda n, x: mpmath.bessely(n, x)), (12, 9), ((2, 4), (0.5, 8)), (8e-6, 5e-11), special=False)
add("cyl_bessel_i0", lambda x: mpmath.besseli(0, x), (6, 6), ((-80, 80),), special=False)
add("cyl_bessel_i1", lambda x: mpmath.besseli(1, x), (6, 6), ((-80, 80),), special=False)
# The fast ones of f32: ulps, or an absolute error of 2^-21 and a bit.
FAST = {"sin": ((-3.14, 3.14), 0, 2 ** -21.4), "cos": ((-3.14, 3.14), 0, 2 ** -21.2), "tan": ((-1, 1), 8, 2 ** -20),
        "exp": ((-80, 80), 100, 0), "exp10": ((-35, 35), 100, 0), "log": ((0.1, 100), 3, 2 ** -21.4),
        "log2": ((0.1, 100), 2, 2 ** -22), "log10": ((0.1, 100), 3, 2 ** -21), "tanh": ((-8, 8), 0, 2 ** -10.9)}
for n, (span, ulps, absolute) in FAST.items():
    FUNCTIONS[f"fast_{n}f"] = Reference(FUNCTIONS[n].function, ulps, (span,), absolute, special=False)
FUNCTIONS["fast_sincosf"] = Reference(FUNCTIONS["sincos"].function, 0, ((-3.14, 3.14),), 2 ** -21.2, special=False)
FUNCTIONS["fast_fdividef"] = Reference(divide, 2, ((-1e3, 1e3), (0.5, 1e3)), special=False)
FUNCTIONS["fast_powf"] = Reference(power, 100, ((0.1, 10), (-5, 5)), special=False)
FUNCTIONS["frsqrt_rn"] = Reference(lambda x: Rounded(FUNCTIONS["rsqrt"].function(x), "rn"))


# Bits.
def repack(to, *types):
    """The bits of one type as those of another, by struct's letters."""
    return lambda *x: struct.unpack("<" + to, b"".join(struct.pack("<" + t, v) for t, v in zip(types, x)))[0]


def next_after(letters, x, y):
    if mpmath.isnan(x) or mpmath.isnan(y):
        return NAN
    if x == y:
        return y
    number, integer = letters
    if x == 0:
        return repack(number, integer)(1) * sign_of(y)
    bits = repack(integer, number)(x)
    return repack(number, integer)(bits + (1 if (x < y) == (x > 0) else -1))


FUNCTIONS["float_as_int"] = Reference(repack("i", "f"))
FUNCTIONS["float_as_uint"] = Reference(repack("i", "f"))
FUNCTIONS["int_as_float"] = FUNCTIONS["uint_as_float"] = Reference(repack("f", "i"))
FUNCTIONS["double_as_longlong"] = Reference(repack("q", "d"))
FUNCTIONS["longlong_as_double"] = Reference(repack("d", "q"))
FUNCTIONS["hiloint2double"] = Reference(lambda high, low: repack("d", "i", "i")(low, high))
FUNCTIONS["double2loint"] = Reference(lambda x: low(32)(repack("q", "d")(x)))
FUNCTIONS["double2hiint"] = Reference(lambda x: repack("q", "d")(x) >> 32)
FUNCTIONS["float2half_rn"] = Reference(lambda x: low(16)(int(np.float32(x).astype(np.float16).view(np.uint16))))
FUNCTIONS["half2float"] = Reference(lambda x: float(np.array(x & 0xffff, np.uint16).view(np.float16)))
FUNCTIONS["nan"] = FUNCTIONS["nanf"] = Reference(lambda _: NAN)
FUNCTIONS["nextafterf"] = Reference(lambda x, y: next_after("fi", x, y))
FUNCTIONS["nextafter"] = Reference(lambda x, y: next_after("dq", x, y))
FUNCTIONS["rcp64h"] = Reference(lambda x: divide(1.0, x), 2.0 ** 33, ((1e-100, 1e100),), special=False)


def remquo(x, y):
    """The remainder, and the low three bits of the quotient with its sign."""
    value = remainder(x, y)
    if mpmath.isnan(value) or mpmath.isinf(y):
        return value, None if mpmath.isnan(value) else 0
    with mpmath.workprec(2400):
        n = int(mpmath.nint(mpf(x) / mpf(y)))
    return value, (abs(n) & 7) * (1 if n >= 0 else -1)


add("remquo", remquo)
