"""Values of PTX's types as bits and as numbers of Python, and arithmetic that rounds them once, in any direction."""
import math
from fractions import Fraction

import numpy as np

THREADS = 128
BITS = {"pred": 1, "b8": 8, "u8": 8, "s8": 8, "b16": 16, "u16": 16, "s16": 16, "f16": 16, "bf16": 16, "f16x2": 32,
        "bf16x2": 32, "s16x2": 32, "u16x2": 32, "b32": 32, "u32": 32, "s32": 32, "f32": 32, "b64": 64, "u64": 64,
        "s64": 64, "f64": 64}
SMALLEST = {"f16": 2.0 ** -14, "bf16": 2.0 ** -126, "f32": 2.0 ** -126, "f64": 2.0 ** -1022}  # that is normal


def signed(x, bits):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def clamp(x, bits, is_signed):
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    return min(max(x, low), high)


def decode(bits, type):
    """The number, or the numbers of a pair."""
    if type.endswith("x2"):
        half = type[:-2]
        return decode(bits & 0xffff, half), decode(bits >> 16, half)
    if type == "bf16":
        return float(np.uint32(bits << 16).view(np.float32))
    if type[0] == "f":
        unsigned, real = {16: (np.uint16, np.float16), 32: (np.uint32, np.float32), 64: (np.uint64, np.float64)}[BITS[type]]
        return float(unsigned(bits).view(real))
    return signed(bits, BITS[type]) if type[0] == "s" else bits


def encode(value, type):
    if type.endswith("x2"):
        return encode(value[0], type[:-2]) | encode(value[1], type[:-2]) << 16
    with np.errstate(all="ignore"):
        if type == "bf16":
            if math.isnan(value):
                return 0x7fff
            # f64 to f32 to odd, then to bf16: one rounding.
            bits = int(np.float64(value).view(np.uint64))
            sign, exponent = bits >> 63, bits >> 52 & 0x7ff
            if exponent == 0x7ff:
                return sign << 15 | 0x7f80
            if value == 0:
                return sign << 15
            scale = max(exponent - 1023, -126) - 7
            units = round_even(abs(value) / 2.0 ** scale)
            number = min(units * 2.0 ** scale, math.inf)
            number = math.inf if number >= 2.0 ** 128 else number
            return int(np.float32(math.copysign(number, value)).view(np.uint32)) >> 16
        if type[0] == "f":
            real, unsigned = {16: (np.float16, np.uint16), 32: (np.float32, np.uint32), 64: (np.float64, np.uint64)}[BITS[type]]
            return int(real(value).view(unsigned))
    return int(value) & ((1 << BITS[type]) - 1)


def round_even(x):
    return math.floor(x) + (1 if (x % 1 > 0.5 or (x % 1 == 0.5 and math.floor(x) % 2)) else 0)


def equal(got, expected, type, ulps):
    if type.endswith("x2"):
        return all(equal(g, e, type[:-2], ulps) for g, e in ((got & 0xffff, expected & 0xffff), (got >> 16, expected >> 16)))
    if type in ("f16", "bf16", "f32", "f64"):
        x, y = decode(got, type), decode(expected, type)
        if math.isnan(x) or math.isnan(y):
            return math.isnan(x) and math.isnan(y)
        mask = (1 << BITS[type] - 1) - 1
        return got == expected or (ulps > 0 and (got ^ expected) <= mask and abs(got - expected) <= ulps)
    return got == expected


def operands(type, rng, first):
    """Bits for all threads: edges, then random ones; `first` shifts the edges against those of other operands."""
    bits = BITS[type]
    if type[0] in "fb" and ("f16" in type or type in ("f32", "f64")):
        half = type.removesuffix("x2")
        numbers = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 0.5, 1.5, 2.5, -2.5, 1e-3, -7.25, 100.0, 65504.0, 3.0]
        numbers += [SMALLEST[half] / 4, -SMALLEST[half], SMALLEST[half] * 0.75]
        numbers += list(rng.uniform(-8, 8, 40)) + list(rng.uniform(-1000, 1000, 24))
        values = [encode(float(x), half) for x in numbers]
        if half != type:
            values = [x | y << 16 for x, y in zip(values, values[7:] + values[:7])]
    else:
        edges = [0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100, 255, 256, -1, -2, 1 << bits - 1, (1 << bits - 1) - 1,
                 0x12345678, 0x3210, 0x7654, 0x0123, -128, 127, 128]
        values = [x & ((1 << bits) - 1) for x in edges]
        values += [int(x) & ((1 << bits) - 1) for x in rng.integers(0, 1 << 63, 60, dtype=np.uint64)]
        values += [int(x) & ((1 << bits) - 1) for x in rng.integers(0, 64, 20)]
    return [values[(i * (2 * first + 1) + 5 * first) % len(values)] for i in range(THREADS)]


def pairwise(function):
    return lambda *values: tuple(function(*v) for v in zip(*values))


def safe(function):
    def apply(*x):
        with np.errstate(all="ignore"):
            return float(function(*map(np.float64, x)))
    return apply


# Of a type: bits of the mantissa, the least and the largest exponent.
FORMATS = {"f16": (11, -14, 15), "bf16": (8, -126, 127), "tf32": (11, -126, 127), "f32": (24, -126, 127),
           "f64": (53, -1022, 1023), "e4m3": (4, -6, 8), "e5m2": (3, -14, 15)}


def round_to(x, type, mode):
    """The fraction x, which is not 0, as a float of the type: rn, rz, rm, rp, or rna, where halves go away from 0."""
    digits, least, largest = FORMATS[type]
    magnitude, is_negative = abs(x), x < 0
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    exponent -= magnitude < Fraction(2) ** exponent
    unit_of_last = Fraction(2) ** (max(exponent, least) - digits + 1)
    units, rest = divmod(magnitude, unit_of_last)
    rest /= unit_of_last
    half = Fraction(1, 2)
    units += {"rn": rest > half or (rest == half and units & 1), "rna": rest >= half, "rz": False,
              "rm": is_negative and rest > 0, "rp": not is_negative and rest > 0}[mode]
    value = units * unit_of_last
    if value >= Fraction(2) ** (largest + 1):
        is_infinite = mode in ("rn", "rna") or mode == ("rm" if is_negative else "rp")
        value = math.inf if is_infinite else (2 - Fraction(2) ** (1 - digits)) * Fraction(2) ** largest
    return math.copysign(float(value), -1 if is_negative else 1)


def root(x):
    """A fraction that rounds as the root does: it has more digits than any type, and ends in 1 where it is not exact."""
    scaled = x.numerator * 4 ** 1200 // x.denominator
    floor = math.isqrt(scaled)
    return Fraction(2 * floor + (floor * floor != scaled), 2 ** 1201)


# Of fractions, and the sign of a result of 0.
EXACT = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
         "rcp": lambda a: 1 / a, "fma": lambda a, b, c: a * b + c, "sqrt": root}


def multiply_add(a, b, c):
    """The product is not rounded: beside an infinite c it is finite, however large."""
    return c if math.isinf(c) and math.isfinite(a) and math.isfinite(b) else a * b + c


PLAIN = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "rcp": lambda a: 1 / a,
         "fma": multiply_add, "sqrt": np.sqrt}


def rounded(name, type, mode, ftz=False):
    """An operation of IEEE 754, rounded once."""
    def flush(x):
        return math.copysign(0.0, x) if 0 < abs(x) < SMALLEST[type] else x

    def apply(*x):
        if ftz:
            x = [flush(v) for v in x]
        plain = safe(PLAIN[name])(*x)
        is_special = not all(map(math.isfinite, x)) or (name in ("div", "rcp") and x[-1] == 0) or (name == "sqrt" and x[0] <= 0)
        if is_special:
            return plain
        exact = EXACT[name](*map(Fraction, x))
        if exact == 0:  # Zeros of two signs, and numbers that cancel, are +0; toward minus infinity they are -0.
            if name in ("mul", "div"):
                return plain
            terms = {"add": lambda a, b: (a, b), "sub": lambda a, b: (a, -b), "fma": lambda a, b, c: (a * b, c)}[name](*x)
            signs = {math.copysign(1, t) for t in terms} if all(t == 0 for t in terms) else {1, -1}
            return math.copysign(0.0, -1 if signs == {-1} or (len(signs) == 2 and mode == "rm") else 1)
        result = round_to(exact, type, mode)
        return flush(result) if ftz else result
    return apply


def unit(x):
    """.sat: NaN and -0 become +0."""
    return min(x, 1.0) if x > 0 else 0.0


def positive(x):
    """.relu: NaN stays."""
    return x if x > 0 or math.isnan(x) else 0.0


def f8_value(byte, type):
    bits = 3 if type == "e4m3" else 2
    exponent, mantissa = (byte & 127) >> bits, byte & (1 << bits) - 1
    bias = 7 if type == "e4m3" else 15
    if type == "e4m3" and byte & 127 == 127:
        return math.nan
    if type == "e5m2" and exponent == 31:
        return math.nan if mantissa else math.copysign(math.inf, -(byte >> 7) or 1)
    value = (mantissa + (1 << bits if exponent else 0)) * 2.0 ** (max(exponent, 1) - bias - bits)
    return math.copysign(value, -1 if byte >> 7 else 1)


def f8_bits(value, bits):
    return bits[abs(value)] & 127 | (128 if math.copysign(1, value) < 0 else 0)
