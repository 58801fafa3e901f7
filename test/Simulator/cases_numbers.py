"""Cases of the kernels about arithmetic: halves, functions, matrix products."""
import math

import numpy as np
from cases import case, empty, i32, whole
from harness import Scalar


# --- halves.mlir


# Pairs of f16 are one instruction, and as many flops as their elements.
@case("halves", "axpy", grid=(2,), block=(48,), counters={"warpInstructions.half": 4, "flops": 2 * 192})
def _(rng):
    x, y = (rng.uniform(-4, 4, 192).astype(np.float16) for _ in range(2))
    a = np.float16(1.5)
    exact = a.astype(np.float64) * x.astype(np.float64) + y.astype(np.float64)  # f64 holds it exactly
    return [x, y, Scalar("f16", 1.5)], {1: exact.astype(np.float16)}


@case("halves", "masks", counters={"warpInstructions.half": 3 + 3, "flops": 192})
def _(rng):
    x, y = (rng.choice([np.nan, np.inf, -np.inf, 0, 1, 2, -1, -2, 0.5], 192).astype(np.float16) for _ in range(2))
    with np.errstate(invalid="ignore"):
        return [x, y], {1: np.where(x * y <= y, np.float16(0), x)}


@case("halves", "choose", grid=(2,), block=(96,))
def _(rng):
    x, y = (rng.uniform(-400, 400, 192).astype(np.float16) for _ in range(2))
    with np.errstate(over="ignore"):
        return [x, y], {1: np.where(x > y, x - y, x * y)}


def bf16(x):
    """The bits of f32 values rounded to bf16, to nearest even."""
    bits = np.ascontiguousarray(x).view(np.uint32)
    return ((bits + 0x7fff + (bits >> 16 & 1)) >> 16).astype(np.uint16)


@case("halves", "bfloats", grid=(2,), block=(96,))
def _(rng):
    x = bf16(rng.uniform(-30, 30, 192).astype(np.float32))
    f = (x.astype(np.uint32) << 16).view(np.float32)
    y = bf16(f * f + np.float32(1))
    return [x.view("V2"), np.zeros(192, np.uint16).view("V2")], {1: y.view("V2")}


@case("halves", "convert", grid=(2,), block=(96,))
def _(rng):
    edges = [0.5, -0.5, 2049, 2051, 1e-8, -1e-8, 65504, -65504, 1 / 3, 0, -0.0, 1.00048828125]
    x = np.concatenate([rng.uniform(-3000, 3000, 180), edges]).astype(np.float32)
    h = x.astype(np.float16)
    return [x, empty(192, dtype=np.float16), empty(192, dtype=np.int32)], {1: h, 2: h.astype(np.int32)}


@case("float8", "bytes", block=(128,), chip="sm_89")
def _(rng):
    bits = np.arange(256, dtype=np.uint8)
    bits[(bits & 0x7f) > 0x7c] = 0  # without NaN
    sign, low = np.where(bits & 0x80, -1.0, 1.0), bits & 0x7f
    e4m3 = np.where(low >> 3, (8 + (low & 7)) * 2.0 ** ((low >> 3) - 10.0), low * 2.0 ** -9)
    e4m3 = (sign * e4m3).astype(np.float16)
    e5m2 = (bits.astype(np.uint16) << 8).view(np.float16)
    back = [bits, np.where(low == 0x7c, bits - 1, bits)]  # infinities saturate
    return ([bits.view(np.int16), empty(512, dtype=np.float16), empty(256, dtype=np.int16)],
            {1: np.concatenate([e4m3, e5m2]), 2: np.concatenate(back).astype(np.uint8).view(np.int16)})


# --- math.mlir


def positive(rng, length):
    return rng.uniform(0.1, 3, length).astype(np.float32)


@case("math", "approximate", grid=(2,), block=(96,), tolerance=1e-3)
def _(rng):
    x = positive(rng, 192)
    functions = (np.exp2, np.log2, np.sin, np.cos, np.reciprocal, lambda v: 1 / np.sqrt(v))
    return [x, empty(6, 192), i32(192)], {1: np.stack([f(x.astype(np.float64)) for f in functions]).astype(np.float32)}


@case("math", "exact", grid=(2,), block=(96,))
def _(rng):
    x = positive(rng, 192)
    return [x, empty(192)], {1: np.sqrt(x) / (x + np.float32(1))}


@case("math", "libdevice", grid=(2,), block=(96,), tolerance=1e-5)
def _(rng):
    x = positive(rng, 192)
    d = x.astype(np.float64)
    y = np.stack([np.exp(d), np.log(d), np.tanh(d), np.vectorize(math.erf)(d), d ** 1.5]).astype(np.float32)
    return [x, empty(5, 192), empty(192, dtype=np.float64), i32(192)], {1: y, 2: np.cos(d)}


# --- stencil.mlir, matmul.mlir, softmax.mlir


@case("stencil", "steps", grid=(2,), block=(128,), counters={"blockBarriers": 2 * 13})
def _(rng):
    x = whole(rng, 2, 128, dtype=np.int32)
    y = x
    for _ in range(6):
        y = np.roll(y, 1, axis=1) + np.roll(y, -1, axis=1) - y
    return [x, empty(2, 128, dtype=np.int32), i32(6)], {1: y}


def matmul(entry, m, n, k, block):
    @case("matmul", entry, grid=(-(-n // block[0]), -(-m // block[1])), block=block)
    def _(rng):
        a, b = whole(rng, m, k), whole(rng, k, n)
        return [a, b, empty(m, n), i32(m), i32(n), i32(k)], {2: a @ b}


matmul("naive", 35, 37, 19, (32, 4))
matmul("naive", 32, 32, 32, (16, 16))
matmul("tiled", 35, 37, 19, (16, 16))
matmul("tiled", 32, 48, 32, (16, 16))


@case("softmax", "rows", grid=(2,), block=(96,), tolerance=1e-4)
def _(rng):
    x = rng.uniform(-3, 3, (5, 75)).astype(np.float32)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return [x, empty(5, 75), i32(5), i32(75)], {1: e / e.sum(axis=1, keepdims=True)}
