"""Cases of the kernels about memory: layouts, spaces, atomics, order, asynchronous copies, matrices."""
import numpy as np
from cases import case, empty, i32, whole


# --- copy.mlir


def copy(count, length):
    def make(rng):
        x = whole(rng, length)
        y = empty(length)
        return [x, y], {1: np.concatenate([x[:count], y[count:]])}
    return make


case("copy", "scalar", grid=(4,), block=(128,),
     counters={"global.sectors": 2 * 16 * 4, "global.idealSectors": 2 * 16 * 4, "warps": 16})(copy(512, 512))
case("copy", "vector", grid=(3,), block=(64,), counters={"global.load.warps": 6, "global.load.sectors": 6 * 16})(
    copy(768, 768))


@case("copy", "tail", grid=(4,), block=(256,), counters={"global.load.lanes": 1003})
def _(rng):
    x = whole(rng, 1003)
    return [x, empty(1003), i32(1003)], {1: x}


@case("copy", "strided", grid=(2,), block=(96,),
      counters={"global.load.sectors": 6 * 8, "global.load.idealSectors": 6 * 4, "global.store.sectors": 6 * 4})
def _(rng):
    x = whole(rng, 384)
    return [x, empty(192)], {1: x[::2].copy()}


# --- transpose.mlir: 96 x 64 in 2 x 3 blocks of 8 warps, 4 rows a warp: 192 stores and loads of 1 wavefront at best.


def transpose(entry, conflicts, dtype=np.float32):
    @case("transpose", entry, grid=(2, 3), block=(32, 8),
          counters={"shared.store.wavefronts": 192, "shared.load.wavefronts": 192 * conflicts,
                    "shared.conflicts": 192 * (conflicts - 1), "blockBarriers": 6})
    def _(rng):
        x = whole(rng, 96, 64, dtype=dtype)
        return [x, empty(64, 96, dtype=dtype), i32(96), i32(64)], {1: x.T.copy()}


transpose("plain", 32)
transpose("padded_rows", 1)
transpose("swizzled", 1)
transpose("half_rows", 2, np.float16)


# --- histogram.mlir


for entry in "shared", "global":
    @case("histogram", entry, grid=(3,), block=(96,))
    def _(rng):
        x = whole(rng, 1111, dtype=np.int8, low=0, high=31)
        x[:200] = 5  # lanes that meet at one counter
        return [x, np.zeros(32, np.int32), i32(x.size)], {1: np.bincount(x, minlength=32).astype(np.int32)}


# --- spaces.mlir


@case("spaces", "reverse", grid=(3,), block=(200,), shared=800, counters={"sharedBytes": 800})
def _(rng):
    x = whole(rng, 3, 200, dtype=np.int32)
    return [x, empty(3, 200, dtype=np.int32), i32(200)], {1: x[:, ::-1].copy()}


@case("spaces", "constant", grid=(2,), block=(40,))
def _(rng):
    x = whole(rng, 80, dtype=np.int32, low=0, high=7)
    return [x, empty(80, dtype=np.int32)], {1: np.array([2, 3, 5, 7, 11, 13, 17, 19], np.int32)[x]}


@case("spaces", "local", grid=(2,), block=(40,))
def _(rng):
    x = whole(rng, 80, dtype=np.int32, low=0, high=7)
    return [x, empty(80, dtype=np.int32)], {1: (np.arange(80) * (x + 1)).astype(np.int32)}


# --- message.mlir


@case("message", "warps", block=(64,))
def _(rng):
    x = whole(rng, 32, dtype=np.int32)
    return [x, empty(32, dtype=np.int32)], {1: x[::-1].copy()}


@case("message", "blocks", grid=(4,), block=(64,))
def _(rng):
    x = whole(rng, 64, dtype=np.int32)
    return [x, empty(4, 64, dtype=np.int32), np.zeros(4, np.int32)], {
        1: x + np.arange(4, dtype=np.int32)[:, None], 2: np.ones(4, np.int32)}


@case("message", "last_block", grid=(5,), block=(32,))
def _(rng):
    x = whole(rng, 5, 32, dtype=np.int32)
    return [x, empty(1, dtype=np.int32), empty(5, dtype=np.int32), np.zeros(1, np.int32)], {
        1: x.sum(dtype=np.int32, keepdims=True).ravel(), 2: x.sum(axis=1, dtype=np.int32), 3: np.array([5], np.int32)}


# --- order.mlir


@case("order", "volatile_sum", grid=(3,), block=(64,))
def _(rng):
    x = whole(rng, 3, 64, dtype=np.int32)
    return [x, empty(3, dtype=np.int32)], {1: x.sum(axis=1, dtype=np.int32)}


@case("order", "volatile_flag", block=(64,))
def _(rng):
    x = whole(rng, 32, dtype=np.int32)
    return [x, empty(32, dtype=np.int32)], {1: x[::-1].copy()}


for threads in 40, 64, 128:
    @case("order", "early", block=(128,))
    def _(rng, n=threads):
        x = whole(rng, 128, dtype=np.int32)
        y = x.reshape(64, 2)[:, ::-1].ravel()
        return [x, empty(128, dtype=np.int32), i32(n)], {1: np.where(np.arange(128) < n, y, -77).astype(np.int32)}


@case("order", "meet", block=(128,))
def _(rng):
    x = whole(rng, 128, dtype=np.int32)
    return [x, empty(128, dtype=np.int32), i32(40)], {1: np.where(np.arange(128) < 40, 2 * x, x).astype(np.int32)}


@case("order", "copies", block=(128,), chip="sm_80")
def _(rng):
    x = whole(rng, 2, 128, dtype=np.int32)
    return [x, empty(128, dtype=np.int32)], {1: x[0] - x[1]}


# --- async.mlir


@case("async", "pipeline", grid=(2,), block=(128,), chip="sm_80", counters={"blockBarriers": 14})
def _(rng):
    x = whole(rng, 14, 128)
    return [x, empty(14, 128), i32(7)], {1: x[:, ::-1].copy()}


@case("async", "zero_fill", block=(64,), chip="sm_80")
def _(rng):
    x = whole(rng, 201)
    return [x, empty(256), i32(201)], {1: np.concatenate([x, np.zeros(55, np.float32)])[::-1].copy()}


# --- matrices.mlir: lane l of a matrix M holds M[l / 4][2 (l % 4)] and the one right of it.


def fragments(matrices):
    """Registers [matrix][lane] as pairs of halves."""
    return matrices.reshape(-1, 32, 2)


@case("matrices", "load4", chip="sm_75")
def _(rng):
    x = whole(rng, 4, 8, 8, dtype=np.float16, low=-99, high=99)
    return [x, empty(4, 32, 2, dtype=np.float16)], {1: fragments(x)}


@case("matrices", "load2_transposed", chip="sm_75")
def _(rng):
    x = whole(rng, 4, 8, 8, dtype=np.float16, low=-99, high=99)
    return [x, empty(2, 32, 2, dtype=np.float16)], {1: fragments(x[:2].transpose(0, 2, 1))}


@case("matrices", "load1", chip="sm_75", counters={"shared.load.conflicts": 1})
def _(rng):
    x = whole(rng, 16, 2, 8, dtype=np.float16, low=-99, high=99)
    return [x, empty(1, 32, 2, dtype=np.float16)], {1: fragments(x[:8, 0])}


@case("stmatrix", "store2", chip="sm_90")
def _(rng):
    x = whole(rng, 2, 32, 2, dtype=np.float16, low=-99, high=99)
    return [x, empty(16, 8, dtype=np.float16)], {1: x.reshape(16, 8)}


# --- atomics.mlir


@case("atomics", "integers", grid=(3,), block=(96,))
def _(rng):
    x = whole(rng, 288, dtype=np.int32, low=-500, high=500)
    start = np.array([10, 2**31 - 1, -2**31, 0, 0], np.int32)
    y = np.array([10 + x.sum(), x.min(), x.max(), np.bitwise_or.reduce(x), 288 % 101], np.int32)
    return [x, start], {1: y}


@case("atomics", "floats", grid=(3,), block=(96,))
def _(rng):
    x = whole(rng, 288, low=1, high=50)
    return [x, np.zeros(2, np.float32)], {1: np.array([x.sum(), x.max()], np.float32)}


@case("atomics", "append", grid=(1,), block=(32,))
def _(rng):
    # Which lane comes first is the machine's choice; of one value nobody sees it.
    x = np.full(32, 5, np.int32)
    return [x, empty(32, dtype=np.int32), np.zeros(1, np.int32)], {1: x, 2: np.array([32], np.int32)}


@case("atomics", "lock", grid=(4,), block=(128,))
def _(rng):
    x = whole(rng, 16, 32, dtype=np.int32)
    return [x, np.zeros(1, np.int32), np.zeros(1, np.int32)], {1: x[:, :1].sum(axis=0, dtype=np.int32)}
