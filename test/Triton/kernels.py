# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a kernel in Triton's IR on some sizes, and compares with NumPy.

    kernels.py TILE_RUN BACKEND KERNEL.ttir FOLDER

NumPy computes in f64 from the arrays that the kernel is given; what the kernel
must not write keeps what it held.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np


def draw(rng, *shape, kind=np.float32):
    return rng.uniform(-1, 1, shape).astype(kind)


def add(rng):
    for n in (128, 1000, 77):
        x, y, z = (draw(rng, 1024) for _ in range(3))
        expected = np.where(np.arange(1024) < n, x.astype(float) + y, z)
        yield f"{-(-n // 128)}", [x, y, z, n], {2: expected}


def softmax(rng):
    for rows, columns, programs in ((4, 128, 4), (7, 33, 3), (5, 1, 2), (3, 0, 1)):
        x, y = (4 * draw(rng, rows, 128) for _ in range(2))
        expected = y.astype(float)
        if columns:
            e = np.exp(x[:, :columns].astype(float) - x[:, :columns].max(1, keepdims=True))
            expected[:, :columns] = e / e.sum(1, keepdims=True)
        yield f"{programs}", [y, x, 128, rows, columns], {0: expected}


def matmul(rng):
    for m, n, k in ((32, 32, 32), (64, 96, 80), (45, 33, 17)):
        a, b, c = (draw(rng, *shape, kind=np.float16) for shape in ((m, k), (k, n), (m, n)))
        yield f"{-(-m // 32)},{-(-n // 32)}", [a, b, c, m, n, k, k, n, n], {2: a.astype(float) @ b.astype(float)}


def nested(rng):
    for outer, inner in ((2, 3), (1, 1), (3, 0)):
        k = 32 * inner
        a, b = draw(rng, 64, max(outer * k, 16), kind=np.float16), draw(rng, max(k, 16), 64, kind=np.float16)
        expected = sum(a[:, i * k:(i + 1) * k].astype(float) @ b[:k] for i in range(outer))
        yield "1", [a, b, np.ones((64, 64), np.float32), outer, inner, a.shape[1]], {2: expected}


def layer_norm(rng):
    for rows, columns in ((4, 64), (3, 100), (5, 1)):
        x, y, w, b = (draw(rng, *shape) for shape in ((rows, columns), (rows, columns), (columns,), (columns,)))
        mean, rstd = draw(rng, rows), draw(rng, rows)
        centre = x.astype(float).mean(1, keepdims=True)
        scale = 1 / np.sqrt(x.astype(float).var(1, keepdims=True) + 0.125)
        yield f"{rows}", [x, y, w, b, mean, rstd, columns, columns, 0.125], {
            1: (x - centre) * scale * w + b, 4: centre[:, 0], 5: scale[:, 0]}


def recurrence(a):
    """s[i] = s[i - 1] * a[i] + a[i], along the last axis."""
    sums = a.astype(float)
    for i in range(1, a.shape[1]):
        sums[:, i] += sums[:, i - 1] * a[:, i]
    return sums


def combine(rng):
    x, a = draw(rng, 6, 64), draw(rng, 6, 64)
    x[1, 3] = x[2, 0] = x[3, 63] = x[4] = np.nan
    a[3] = np.round(2 * a[3])  # several maxima
    rows = [draw(rng, 6) for _ in range(3)]
    up, down, turned = (draw(rng, 6, 64) for _ in range(3))
    yield "6", [x, a, *rows[:2], np.zeros(6, np.int32), up, down, turned, rows[2]], {
        2: np.fmax.reduce(x, 1), 3: x.max(1), 4: a.argmax(1), 5: recurrence(a), 6: recurrence(a[:, ::-1])[:, ::-1],
        7: x.reshape(6, 32, 2)[:, :, ::-1].reshape(6, 64), 8: np.fmin.reduce(x, 1)}


def swap(rng):
    i = np.arange(192)
    for programs in (1, 3):
        # About half of the elements are what they are compared with; a NaN is not equal to a number, nor is -0 to 0.
        is_equal = rng.integers(0, 2, 192).astype(bool)
        numbers = np.where(is_equal, 2 * i, -3)
        is_equal[0] = False
        numbers[0] = -1
        changed = np.where(is_equal & (i < 64 * programs), i + 100, numbers)
        floats = numbers.astype(np.float32)
        expected = changed.astype(float)
        floats[0] = expected[0] = -0.0
        floats[1] = expected[1] = np.nan
        inside = i < 64 * programs
        old, old_floats = rng.integers(-9, 9, 192).astype(np.int32), draw(rng, 192)
        s = np.array([5], np.int32)
        steps = s.astype(float)
        for _ in range(programs):
            steps = 3 * steps + 1
        yield f"{programs}", [
            *(numbers.astype(kind) for kind in (np.int32, np.int64, np.int16)), floats, numbers.astype(np.float16), old,
            old_floats, np.zeros(1, np.int32), s, np.full(1, 3.0, np.float32)], {
            **dict.fromkeys((0, 1, 2, 4), changed), 3: expected, 5: np.where(inside, numbers, old),
            6: np.where(inside, floats.astype(float), old_floats), 8: steps, 9: np.array([3.0 * 2**programs])}


def order(rng):
    for programs in (1, 5):
        x = rng.integers(-99, 99, (programs, 64)).astype(np.int32)
        lock, sums, parts, count, total = (np.zeros(n, np.int32) for n in (1, 64, 64 * programs, 1, 64))
        sums[:] = 7
        yield f"{programs}", [x.ravel(), lock, sums, parts, count, total], {
            1: np.zeros(1), 2: 7.0 + x.sum(0), 3: x.ravel().astype(float), 4: np.full(1, float(programs)),
            5: x.sum(0)[::-1].astype(float)}


def block(x, rows, columns, padding=0.0):
    """The block of `x` at the ranges `rows` and `columns`, and `padding` outside."""
    i, j = np.meshgrid(rows, columns, indexing="ij")
    inside = (i >= 0) & (i < x.shape[0]) & (j >= 0) & (j < x.shape[1])
    return np.where(inside, x[np.clip(i, 0, x.shape[0] - 1), np.clip(j, 0, x.shape[1] - 1)].astype(float), padding)


def descriptor(rng):
    i = np.arange(16)
    for m, n in ((16, 40), (29, 33), (3, 1)):
        programs = -(-m // 16)
        a, x, y, out, shifted, table = (draw(rng, m, 40) for _ in range(6))
        wide, size = np.arange(40), (m - 1, 37)  # `a` is smaller than its memory
        sums = block(a[:size[0], :size[1]], np.arange(m), wide)
        sums[:16] += block(x[:, :n], np.arange(min(m, 16)), wide, np.nan)
        sums[16:] += block(y[:, :n], np.arange(16, max(m, 16)), wide)
        moved = shifted.astype(float)
        moved[:, :32] = block(a[:size[0], :size[1]], np.arange(m) - 3, np.arange(32) - 2)
        source, target = rng.integers(-2, m + 3, 8).astype(np.int32), rng.permutation(np.arange(-3, 44))[:8].astype(np.int32)
        scattered = draw(rng, 40, 40)
        rows = scattered.astype(float)
        gathered = block(table[:, :n], source, np.arange(4, 36))
        for row, values in zip(target, gathered):
            if 0 <= row < 40:
                rows[row, 2:min(34, n)] = values[:max(0, min(34, n) - 2)]
        signed, unsigned = (rng.integers(-9, 9, 16).astype(np.int32) for _ in range(2))
        largest, most = signed.copy(), unsigned.view(np.uint32).copy()
        for p in range(programs):
            numbers = (i - 8 + p).astype(np.int32)
            largest[2:] = np.maximum(largest[2:], numbers[:14])
            most = np.maximum(most, numbers.view(np.uint32))
        cube, changed = (draw(rng, 2, 3, 16, kind=np.float16) for _ in range(2))
        page = changed.astype(float)
        page[0, 1:] = cube[1, :2]
        yield f"{programs}", [
            a, *size, 40, 1, x, y, out, shifted, table, source, target, scattered, signed, unsigned, cube, changed, m, n], {
            7: sums, 8: moved, 12: rows, 13: largest.astype(float), 14: most.view(np.int32).astype(float), 16: page}


def volatile(rng):
    i = np.arange(256)
    for n in (256, 200, 3):
        x, y, z, h = draw(rng, 256), draw(rng, 256), draw(rng, 256), draw(rng, 256, kind=np.float16)
        b = rng.integers(-9, 9, 256).astype(np.int8)
        yield "2", [x, h, b, y, z, np.array([-5, 2], np.int32), n], {
            3: np.where(i < n, x, -1.0), 4: np.where(i < n, 2.0 * x + h + b, z), 5: np.full(2, 3.0)}


def gather(rng):
    for n in (64, 41, 0):
        x, m = draw(rng, 64), draw(rng, 16, 8, kind=np.float16)
        x[5] = np.nan
        i = rng.integers(0, 64, 64).astype(np.int32)
        i[3] = 5
        j, k = rng.integers(0, 16, (4, 8)), rng.integers(0, 8, (16, 2)).astype(np.int8)
        yield "1", [x, i, draw(rng, 64), m, j, *(np.zeros(32, np.float16) for _ in range(2)), k,
                    *(np.full(32, 9, np.int32) for _ in range(2)), n], {
            2: x[i], 5: np.take_along_axis(m, j, 0).astype(float).ravel(),
            6: np.take_along_axis(m, k.astype(int), 1).astype(float).ravel(),
            # Numbers from 32 on have no bin.
            8: np.array([np.sum(i[:n] == b) for b in range(32)], float), 9: np.bincount(k.ravel(), minlength=32)}


def address(rng):
    i = np.arange(384)
    for n in (384, 200, 0):
        x, y, z, w = draw(rng, 384), draw(rng, 384, kind=np.float16), draw(rng, 384), draw(rng, 384)
        turned = np.where(i < n, x.astype(float) + y, 0).reshape(3, 128)[:, ::-1].ravel()
        yield "3", [x, y, z, w, np.zeros(6, np.int64), n], {2: turned, 3: 2 * turned}


def casts(rng):
    i = np.arange(128)
    for n in (128, 77):
        h, g, z, f = draw(rng, 128, kind=np.float16), draw(rng, 128), draw(rng, 128), draw(rng, 128)
        pairs = rng.integers(-2**31, 2**31, 256).astype(np.int32)
        yield "1", [np.concatenate([h.view(np.int8), g.view(np.int8)]), z, f, pairs, np.zeros(128, np.int32),
                    np.zeros(128, np.int32), n], {
            1: np.where(i < n, h.astype(float) + g, z), 2: np.where(i < n, -f, f), 4: pairs[::2].astype(float),
            5: pairs[1::2].astype(float)}


def minifloat(bits, exponents, mantissas, bias):
    """Numbers by their bits: a sign, so many bits of exponent and of mantissa."""
    bits = bits.astype(int)
    exponent, mantissa = bits >> mantissas & 2**exponents - 1, bits & 2**mantissas - 1
    size = np.where(exponent == 0, mantissa * 2.0 ** (1 - bias - mantissas),
                    (1 + mantissa / 2.0**mantissas) * 2.0 ** (exponent - bias))
    return np.where(bits >> (exponents + mantissas) & 1, -size, size)


def pairs_of(bits, axis):
    """Bytes of two numbers of 4 bits along an axis, the first one in the lower half."""
    first, second = (np.take(bits, range(i, bits.shape[axis], 2), axis) for i in (0, 1))
    return (first | second << 4).astype(np.uint8).view(np.int8)


def scaled(rng):
    a, e = (rng.integers(0, 256, shape).astype(np.uint8) for shape in ((32, 64), (64, 16)))
    a[a & 127 == 127] = 0  # NaN
    e[e & 124 == 124] = 1  # infinity and NaN
    b, w, p = (rng.integers(0, 16, shape) for shape in ((64, 16), (64, 16), (32, 64)))
    sa, sb = rng.integers(120, 134, (32, 2)).astype(np.uint8), rng.integers(120, 134, (16, 2)).astype(np.uint8)
    sa[3, 1], sa[5, 0], sb[7, 1] = 255, 0, 0
    h = rng.integers(-8, 8, (32, 64)).astype(np.float16)
    row, column = (np.repeat(np.where(s == 255, np.nan, 2.0 ** (s.astype(float) - 127)), 32, axis=1) for s in (sa, sb))
    # 2^-127 is too small for f16.
    narrow = np.where(column < 2.0**-24, 0, column)
    four = lambda bits: minifloat(bits, 2, 1, 1)
    c = (minifloat(a, 4, 3, 7) * row) @ (four(b) * column.T) + h.astype(float) @ (four(w) * narrow.T)
    d = (four(p) * row) @ minifloat(e, 5, 2, 15)
    yield "1", [a.view(np.int8), sa.view(np.int8), pairs_of(b, 0), sb.view(np.int8), h, pairs_of(w, 1), pairs_of(p, 0),
                e.view(np.int8), np.zeros((32, 16), np.float32), np.zeros((32, 16), np.float32)], {8: c, 9: d}


def toward_zero(x, bits, least, most):
    """`x` with so many bits behind the first one, the least exponent and the largest number: by its definition, in f64."""
    exponent = np.maximum(np.floor(np.log2(np.abs(x), where=(x != 0) & np.isfinite(x), out=np.full(x.shape, -999.0))), least)
    step = 2.0 ** (exponent - bits)
    with np.errstate(over="ignore", invalid="ignore"):
        cut = np.copysign(np.minimum(np.trunc(np.abs(x) / step) * step, most), x)
    return np.where(np.isfinite(x), cut, x)


def rounding(rng):
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 65504, 65519, 65520, -65536, 57344, 61439, 61440, 3e38, 1e-45,
                        -2e-45, 6e-8, 5.9e-8, -3e-8, 6.1e-5, 1.5e-5, -1.5e-5, 1.0, 1.999999], np.float32)
    x = np.concatenate([special, rng.normal(0, 1, 489) * 2.0 ** rng.integers(-150, 128, 489)]).astype(np.float32)
    is_nan, exact = np.isnan(x), np.where(np.isnan(x), 0, x).astype(float)
    half, eighth = (toward_zero(exact, *form).astype(np.float16) for form in ((10, -14, 65504.0), (2, -14, 57344.0)))
    brain = toward_zero(exact, 7, -126, 2.0**128 - 2.0**120).astype(np.float32)
    # What NaN becomes is another NaN: here its bits are not compared.
    view = lambda a, kind: np.where(is_nan, 0, a.view(kind)).astype(float)
    got = [np.zeros(512, kind) for kind in (np.int16, np.int16, np.int8)]
    expected = [view(half, np.int16), view((brain.view(np.uint32) >> 16).astype(np.uint16), np.int16),
                view((eighth.view(np.uint16) >> 8).astype(np.uint8), np.int8)]
    bits = np.where(is_nan, 0, x.view(np.int32)).astype(np.int32)
    yield "4", [bits, *got, np.zeros(512, np.float32)], {**dict(enumerate(expected, 1)), 4: half.astype(float)}
    nans = np.full(128, np.nan, np.float32)
    nans[5] = 1.0
    patterns = (np.where(nans == 1, one, nan).astype(float) for one, nan in ((0x3C00, 0x7E00), (0x3F80, 0x7FC0), (0x3C, 0x7E)))
    yield "1", [nans.view(np.int32), *(np.zeros(128, g.dtype) for g in got), np.zeros(128, np.float32)], {
        **dict(enumerate(patterns, 1)), 4: nans.astype(float)}


def run(tile_run, backend, file, folder, grid, arguments):
    """The arrays that a kernel leaves."""
    items, outputs = [], []
    for i, argument in enumerate(arguments):
        if isinstance(argument, np.ndarray):
            items.append(f"{folder}/{i}.npy")
            outputs.append(f"{folder}/out{i}.npy")
            np.save(items[-1], argument)
        else:
            items.append(str(argument))
    done = subprocess.run([tile_run, file, f"--backend={backend}", f"--grid={grid}", f"--inputs={','.join(items)}",
                           f"--outputs={','.join(outputs)}"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return dict(zip((i for i, a in enumerate(arguments) if isinstance(a, np.ndarray)), map(np.load, outputs)))


def main():
    tile_run, backend, file, folder = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    name = Path(file).stem
    count, wrong = 0, []
    for grid, arguments, expected in globals()[name](np.random.default_rng(7)):
        got = run(tile_run, backend, file, folder, grid, arguments)
        for i, argument in enumerate(arguments):
            if not isinstance(argument, np.ndarray):
                continue
            # What is not written stays as it is.
            reference = expected.get(i, argument)
            tolerance = 1e-3 if argument.dtype == np.float16 else 1e-5
            # NaN is right where NaN is expected.
            wrong_nan = np.isnan(got[i].astype(float)) != np.isnan(reference)
            scale = max(np.max(np.abs(reference), where=np.isfinite(reference), initial=0), 1e-30)
            difference = np.where(got[i] == reference, 0, np.abs(got[i].astype(float) - np.where(np.isinf(reference), 0, reference)))
            error = np.inf if wrong_nan.any() else np.nanmax(difference) / scale
            count += 1
            if not error <= (tolerance if i in expected else 0):
                wrong.append(f"{name} on {backend}, grid {grid}: argument {i} has error {error}")
    print("\n".join([*wrong, f"{name} on {backend}: {count} arrays compared, {len(wrong)} wrong"]))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
