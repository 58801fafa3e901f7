# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of examples/triton-c, in all variants and three sizes each, one of them odd.

    examples.py TILE_RUN FOLDER [NAME...]

Where a program has no masks, an odd size runs on operands that are padded with zeros to whole tiles.
"""

from pathlib import Path

import numpy as np

from harness import Case, main

EXAMPLES = Path(__file__).parents[3] / "examples/triton-c"
f16, f32, i32 = np.float16, np.float32, np.int32
rng = np.random.default_rng(19)
CASES = []


def add(name, file, arguments, expected, defines, tolerance=0.0):
    last = max(i for i, a in enumerate(arguments) if isinstance(a, np.ndarray))
    expected = expected if isinstance(expected, dict) else {last: expected}
    CASES.append(Case(name, str(EXAMPLES / file), arguments, expected, defines, tolerance))


def draw(dtype, *shape):
    return rng.uniform(-1, 1, shape).astype(dtype)


def round_up(size, step):
    return -(-size // step) * step


def pad(x, *shape):
    """`x` with zeros behind its axes."""
    result = np.zeros(shape, x.dtype)
    result[tuple(slice(size) for size in x.shape)] = x
    return result


for n, (dtype, word, tile) in zip((256, 1, 1001), ((f32, "float", 32), (f32, "float", 128), (f16, "half", 256))):
    a, b = draw(dtype, n), draw(dtype, n)
    add(f"vector_add-{n}", "vector_add.c", [i32(n), a, b, np.zeros(n, dtype)], {3: a + b}, (f"TN={tile}", f"TYPE={word}"))

# Plain, with the promise, masked, and masked with the promise.
for variant in ((), ("MULTIPLE=8",), ("MASKED",), ("MASKED", "MULTIPLE=8")):
    for m, n in ((64, 32), (96, 160), (37, 53)):
        is_masked = "MASKED" in variant
        rows, columns = (m, n) if is_masked else (round_up(m, 32), round_up(n, 16))
        ldx, ldy = (round_up(columns, 8), round_up(rows, 8)) if "MULTIPLE=8" in variant else (columns + 3, rows + 5)
        x = pad(draw(f32, m, n), rows, ldx)
        y = np.zeros((columns, ldy), f32)
        after = pad(x[:, :columns].T, columns, ldy)
        add(f"transpose-{m}-{n}-{'-'.join(variant)}", "transpose.c", [x, y, i32(m), i32(n), i32(ldx), i32(ldy)], {1: after},
            ("TM=32", "TN=16", "TYPE=float", *variant))

for variant in ((), ("PREFETCH",), ("REMAT",), ("PREFETCH", "REMAT")):
    for (m, n, k), (dtype, word) in zip(((64, 64, 32), (128, 96, 80), (45, 33, 51)), ((f16, "half"), (f32, "float"), (f16, "half"))):
        rows, columns, depth = round_up(m, 32), round_up(n, 32), round_up(k, 16)
        a, b = pad(draw(dtype, m, k), rows, depth + 8), pad(draw(dtype, k, n), depth, columns)
        add(f"matmul-{m}-{n}-{k}-{'-'.join(variant)}", "matmul.c",
            [a, b, np.zeros((rows, columns), f32), i32(m), i32(n), i32(k), i32(depth + 8), i32(columns), i32(columns)],
            {2: a[:, :depth].astype(f32) @ b.astype(f32)}, ("TM=32", "TN=32", "TK=16", f"TYPE={word}", *variant), 1e-5)

A = {"n": ("USE_A=a", "STRIDE_AK=1", "STRIDE_AM=lda", "AXES_AK=newaxis,:", "AXES_AM=:,newaxis", "SHAPE_A=TM,TK"),
     "t": ("USE_A=^a", "STRIDE_AK=lda", "STRIDE_AM=1", "AXES_AK=:,newaxis", "AXES_AM=newaxis,:", "SHAPE_A=TK,TM")}
B = {"n": ("USE_B=b", "STRIDE_BK=ldb", "STRIDE_BN=1", "AXES_BK=:,newaxis", "AXES_BN=newaxis,:", "SHAPE_B=TK,TN"),
     "t": ("USE_B=^b", "STRIDE_BK=1", "STRIDE_BN=ldb", "AXES_BK=newaxis,:", "AXES_BN=:,newaxis", "SHAPE_B=TN,TK")}
for layout in ("nn", "nt", "tn", "tt"):
    for exact in (False, True):
        for m, n, k in ((32, 32, 16), (64, 96, 48), (37, 29, 23)):
            rows, columns, depth = round_up(m, 32), round_up(n, 32), round_up(k, 16)
            # One more step is loaded, and not used.
            more = depth if exact else depth + 16
            a, b = pad(draw(f16, m, k), rows, more), pad(draw(f16, k, n), more, columns)
            expected = (a.astype(f32) @ b.astype(f32)).astype(f16)
            a, b = (x.T.copy() if how == "t" else x for x, how in zip((a, b), layout))
            add(f"fused-{layout}-{m}-{n}-{k}{'-exact' * exact}", "matmul_fused.c",
                [a, b, np.zeros((rows, columns), f16), i32(rows), i32(columns), i32(k), i32(a.shape[1]), i32(b.shape[1]),
                 i32(columns)], {2: expected},
                ("TM=32", "TN=32", "TK=16", "TYPE=half", *A[layout[0]], *B[layout[1]], *(("EXACT",) * exact)), 2e-3)

for images, c, h, w, n, r, s in ((1, 8, 8, 8, 16, 1, 1), (2, 4, 10, 12, 20, 3, 3), (3, 5, 9, 7, 21, 3, 2)):
    p, q, k = h - r + 1, w - s + 1, c * r * s
    x, f = draw(f32, images, c, h, w), draw(f32, n, c, r, s)
    y = sum(np.einsum("zchw,nc->znhw", x[:, :, i:i + p, j:j + q], f[:, :, i, j]) for i in range(r) for j in range(s))
    offset = np.array([(e // (r * s) * h + e // s % r) * w + e % s for e in range(k)])
    delta = pad(np.concatenate([offset[:8], offset[8:] - offset[:-8]]).astype(i32), round_up(k, 8))
    add(f"conv2d-{images}-{c}-{h}-{w}", "conv2d.c",
        [x, f, np.zeros((images, n, p, q), f32), i32(images), i32(n), i32(p), i32(q), i32(w), i32(k), i32(c * h * w), delta],
        {2: y}, ("TM=32", "TN=16", "TK=8", f"KT={len(delta)}"), 1e-5)

for c, n, h, w, tile in ((8, 16, 8, 8, ()), (12, 33, 6, 10, ("TM=32", "TN=32")), (13, 7, 5, 9, ("TM=64", "TN=16"))):
    x, f = draw(f32, c, h, w), draw(f32, n, c)
    rows, columns = rng.integers(-2, 3, (2, c)).astype(i32)
    shifted = np.zeros_like(x)
    for channel in range(c):
        for i in range(h):
            for j in range(w):
                u, v = i + rows[channel], j + columns[channel]
                if 0 <= u < h and 0 <= v < w:
                    shifted[channel, i, j] = x[channel, u, v]
    size = round_up(c, 8)
    add(f"shift_conv-{c}-{n}-{h}-{w}", "shift_conv.c",
        [x, f, np.zeros((n, h, w), f32), i32(c), i32(n), i32(h), i32(w), pad(rows, size), pad(columns, size)],
        {2: np.einsum("chw,nc->nhw", shifted, f)}, (f"CT={size}", *tile), 1e-5)

for m, n in ((4, 64), (3, 50), (5, 1)):
    x = draw(f32, m, n) * f32(9)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    add(f"softmax-{m}-{n}", "softmax.c", [x, np.zeros((m, n), f32), i32(m), i32(n)], e / e.sum(axis=1, keepdims=True), ("TN=64",),
        2e-6)

if __name__ == "__main__":
    main(CASES)
