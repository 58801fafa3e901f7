"""Cases of the kernels about warps and blocks: shuffles, scans, divergence, collectives, barriers."""
import numpy as np
from cases import case, empty, i32, whole


# --- reduce.mlir


@case("reduce", "warp", grid=(3,), block=(96,), counters={"warpInstructions.shuffle": 9 * 5})
def _(rng):
    x = whole(rng, 288)
    return [x, empty(9)], {1: x.reshape(9, 32).sum(axis=1)}


for threads in 32, 128, 1024:
    @case("reduce", "block", grid=(3,), block=(threads,), counters={"blockBarriers": 3})
    def _(rng, threads=threads):
        x = whole(rng, 3 * threads)
        return [x, empty(3)], {1: x.reshape(3, threads).sum(axis=1)}


@case("reduce", "shared_tree", grid=(5,), block=(128,), counters={"blockBarriers": 5 * 7, "shared.conflicts": 0})
def _(rng):
    x = whole(rng, 640)
    return [x, empty(5)], {1: x.reshape(5, 128).sum(axis=1)}


# --- scan.mlir


def scan(entry, blocks, threads, length):
    @case("scan", entry, grid=(blocks,), block=(threads,))
    def _(rng):
        x = whole(rng, blocks * threads, dtype=np.int32, low=-1000, high=1000)
        return [x, empty(blocks * threads, dtype=np.int32)], {
            1: x.reshape(-1, length).cumsum(axis=1, dtype=np.int32).reshape(-1)}


scan("warp", 2, 96, 32)
scan("block", 3, 224, 224)
scan("two_buffers", 3, 128, 128)


# --- divergence.mlir


def ballots(bits):
    """Each lane's word: the bits of its warp."""
    words = np.packbits(bits.reshape(-1, 32), axis=1, bitorder="little").view(np.int32)
    return np.repeat(words.ravel(), 32)


@case("divergence", "nested", grid=(2,), block=(96,))
def _(rng):
    x = whole(rng, 192, dtype=np.int32, low=0, high=1000)
    odd = x % 2 == 1
    y = np.where(x % 3 == 0, x // 3 + np.where(odd, 100, 200), np.where(odd, x * x, -x)).astype(np.int32)
    return [x, empty(192, dtype=np.int32), empty(192, dtype=np.int32)], {1: y, 2: ballots(odd)}


@case("divergence", "loops", grid=(2,), block=(64,))
def _(rng):
    x = whole(rng, 128, dtype=np.int32, low=1, high=300)

    def steps(v):
        return 0 if v == 1 else 1 + steps(v // 2 if v % 2 == 0 else 3 * v + 1)
    return [x, empty(128, dtype=np.int32)], {1: np.array([steps(int(v)) for v in x], np.int32)}


@case("divergence", "early_return", grid=(2,), block=(64,))
def _(rng):
    x = whole(rng, 128, dtype=np.int32, low=-50, high=50)
    x[32:64] = -1  # a warp that goes altogether
    sums = np.where(x >= 0, x, 0).reshape(4, 32).sum(axis=1, dtype=np.int32)
    return [x, empty(128, dtype=np.int32)], {1: np.where(x >= 0, np.repeat(sums, 32), -77).astype(np.int32)}


@case("divergence", "switches", grid=(2,), block=(64,), counters={"blockBarriers": 2})
def _(rng):
    x = rng.choice(np.array([0, 1, 2, 3, -5], np.int32), 128)
    i = np.arange(128)
    tid = i % 64
    y = np.select([x == 0, x == 1, x == 2, x == -5], [tid << 7, tid * 7, i, x - tid], 1).astype(np.int32)
    return [x, empty(128, dtype=np.int32)], {1: y}


# --- collectives.mlir


@case("collectives", "compact", grid=(2,), block=(96,))
def _(rng):
    x = whole(rng, 192, dtype=np.int32)
    y = empty(6, 32, dtype=np.int32)
    for warp, row in zip(y, x.reshape(6, 32)):
        warp[:np.count_nonzero(row > 0)] = row[row > 0]
    return [x, empty(192, dtype=np.int32), empty(6, dtype=np.int32)], {
        1: y.ravel(), 2: (x.reshape(6, 32) > 0).sum(axis=1, dtype=np.int32)}


@case("collectives", "votes", grid=(2,), block=(64,))
def _(rng):
    x = whole(rng, 4, 32, dtype=np.int32, low=-3, high=3)
    x[1] = 6
    x[2] = abs(x[2]) + 1
    x[3] = -abs(x[3])
    y = np.zeros((4, 32, 4), np.uint32)
    weights = np.uint32(1) << np.arange(32, dtype=np.uint32)
    for warp, row in zip(y, x):
        warp[:, 0] = [weights[row == v].sum() for v in row]
        warp[:, 1] = 0xffffffff if (row == row[0]).all() else 0
        warp[:, 2] = (row > 0).all()
        warp[:, 3] = (row > 0).any()
    return [x, empty(4, 32, 4, dtype=np.int32)], {1: y.view(np.int32)}


@case("redux", "all", grid=(2,), block=(64,), chip="sm_80")
def _(rng):
    x = whole(rng, 4, 32, dtype=np.int32, low=-1000, high=1000)
    functions = (np.add, np.minimum, np.maximum, np.bitwise_and, np.bitwise_or, np.bitwise_xor)
    y = np.stack([f.reduce(x, axis=1) for f in functions], axis=1).astype(np.int32)
    return [x, empty(4, 6, dtype=np.int32)], {1: y}


@case("collectives", "parts", block=(64,))
def _(rng):
    x = whole(rng, 64, dtype=np.int32)
    part, lane = np.arange(64) // 8 * 8, np.arange(64) % 8
    places = [part + 2, part + np.minimum(lane + 1, 7), part + np.maximum(lane - 1, 0), part + (lane ^ 7)]
    return [x, empty(64, 4, dtype=np.int32)], {1: np.stack([x[p] for p in places], axis=1)}


# --- barriers.mlir


@case("barriers", "producer_consumer", block=(128,))
def _(rng):
    x = whole(rng, 5, 64, dtype=np.int32)
    return [x, empty(5, 64, dtype=np.int32), i32(5)], {1: x[:, ::-1].copy()}


@case("barriers", "pairs", block=(128,), counters={"blockBarriers": 2})
def _(rng):
    x = whole(rng, 2, 64, dtype=np.int32)
    return [x, empty(2, 64, dtype=np.int32)], {1: x[:, ::-1].copy()}


@case("barriers", "warp_barrier", block=(128,), counters={"blockBarriers": 0})
def _(rng):
    x = whole(rng, 128, dtype=np.int32)
    return [x, empty(128, dtype=np.int32)], {1: 2 * x}


# --- unusual.mlir


@case("unusual", "early_return", block=(96,), counters={"blockBarriers": 1})
def _(rng):
    x = whole(rng, 70, dtype=np.int32)
    return [x, empty(70, dtype=np.int32), i32(70)], {1: x[::-1].copy()}


@case("unusual", "leader")
def _(rng):
    x = whole(rng, 32, dtype=np.int32)
    y, positive = empty(32, dtype=np.int32), x[x > 0]
    y[:positive.size] = positive
    return [x, empty(32, dtype=np.int32), np.zeros(1, np.int32)], {1: y, 2: np.array([positive.size], np.int32)}


@case("unusual", "block_votes", grid=(4,), block=(80,), counters={"blockBarriers": 12})
def _(rng):
    x = whole(rng, 4, 80, dtype=np.int32)
    x[1] = abs(x[1]) + 1
    x[2] = -abs(x[2])
    y = np.stack([(x > 0).sum(axis=1), (x > 0).all(axis=1), (x > 0).any(axis=1)], axis=1).astype(np.int32)
    return [x, empty(4, 3, dtype=np.int32)], {1: y}


@case("unusual", "ping_pong", block=(64,))
def _(rng):
    ball = 1
    for turn in range(11):
        ball = 3 * ball + turn
    return [empty(1, dtype=np.int32), i32(11)], {0: np.array([ball], np.int32)}


@case("unusual", "calls", block=(64,))
def _(rng):
    x = rng.integers(0, 2**40, 64) // 10 ** rng.integers(0, 11, 64)
    return [x, empty(64, dtype=np.int64)], {1: np.array([sum(map(int, str(v))) for v in x])}


@case("unusual", "bytes", block=(64,), counters={"global.load.sectors": 8})
def _(rng):
    x = whole(rng, 64, 4, dtype=np.uint8, low=0, high=255)
    y = np.minimum((3 * x.astype(np.int32) + 128) // 4, 200).astype(np.uint8)
    return [x.view(np.int8), empty(64, 4, dtype=np.int8)], {1: y.view(np.int8)}


@case("unusual", "doubles", block=(50,))
def _(rng):
    x = rng.uniform(1, 4, 50)
    guess = 1 / np.sqrt(x) + 1e-3
    return [x, guess], {1: guess * (1.5 - x * 0.5 * guess * guess)}
