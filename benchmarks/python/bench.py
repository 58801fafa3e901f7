#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a call of tileir.einsum costs beside NumPy's and torch's, and convolutions with their gradients beside torch's.

    benchmarks/run python [--seconds 0.5] [--threads 1,2]

The ways of a row run in turns; a time is the one that a quarter of the turns is below, for on rented machines others may use
the same core, unseen, more than half of the time. What is compared is compared in value first. Rows of torch are left out,
and that is said, where there is none. Threads that have no work spin for some 100 us only, ours by default and those of torch by
GOMP_SPINCOUNT, or those of torch would take a core from ours, and ours from torch; and the C library keeps memory that is freed, or who gets new pages with each result would
be a matter of luck.
"""

import argparse
import ctypes
import os
import statistics
import sys
import time

os.environ.setdefault("GOMP_SPINCOUNT", "2000")

import numpy as np  # pylint: disable=wrong-import-position


def keep_memory():
    trim_threshold, mmap_threshold = -1, -3  # M_* of malloc.h
    for parameter in trim_threshold, mmap_threshold:
        ctypes.CDLL(None).mallopt(parameter, 1 << 30)


def load(build):
    """The package of a build folder, and torch if there is one."""
    global tileir, torch
    sys.path.insert(0, f"{build}/python")
    import tileir

    try:
        import torch

        import tileir.torch
    except ImportError:
        torch = None


def measure(ways, seconds):
    """The lower quartile of the seconds of each of several functions, which run in turns of about the same length. A turn finds in
    the caches what the one before it left there, which may have read the same arrays, or others: so its first call is not timed,
    and every other round goes backwards."""
    calls = []
    for way in ways:
        way()
        start = time.perf_counter()
        way()
        calls.append(max(1, int(2e-3 / (time.perf_counter() - start))))
    times = [[] for _ in ways]
    end = time.perf_counter() + seconds * len(ways)
    while time.perf_counter() < end or len(times[0]) < 5:
        turns = list(zip(ways, calls, times))
        for way, count, found in reversed(turns) if len(times[0]) % 2 else turns:
            way()
            start = time.perf_counter()
            for _ in range(count):
                way()
            found.append((time.perf_counter() - start) / count)
    return [statistics.quantiles(found)[0] for found in times]


def show(row, names, times):
    ours, best = times[0], min(times[1:])
    print(f"| {row} | {ours * 1e6:.2f} us | " + ", ".join(f"{name} {t * 1e6:.2f}" for name, t in zip(names, times[1:]))
          + f" | {best / ours:.2f} |", flush=True)


def run_overhead(seconds):
    a, b = np.random.rand(4, 4).astype(np.float32), np.random.rand(4, 4).astype(np.float32)
    assert np.allclose(tileir.einsum("mk, kn -> mn", a, b), a @ b)
    operation = tileir.compile("mk, kn -> mn", a, b)
    others = lambda: np.matmul(a, b), lambda: np.einsum("mk, kn -> mn", a, b)  # noqa: E731
    names = "np.matmul", "np.einsum"
    show("4x4 f32, NumPy", names, measure([lambda: tileir.einsum("mk, kn -> mn", a, b), *others], seconds))
    show("the same, an Operation", names, measure([lambda: operation(a, b), *others], seconds))
    if not torch:
        return
    x, y = torch.tensor(a), torch.tensor(b)
    names = "torch.matmul", "torch.einsum"
    others = lambda: torch.matmul(x, y), lambda: torch.einsum("mk, kn -> mn", x, y)  # noqa: E731
    assert torch.allclose(tileir.torch.einsum("mk, kn -> mn", x, y), x @ y)
    show("4x4 f32, torch", names, measure([lambda: tileir.torch.einsum("mk, kn -> mn", x, y), *others], seconds))

    def operator(spec, *operands):
        return torch.ops.tileir.einsum(spec, list(operands), [], [], "", "none", "", 0, True)

    show("the same, the operator", names, measure([lambda: operator("mk, kn -> mn", x, y), *others], seconds))
    x.requires_grad_()
    show("gradient recorded", names, measure([lambda: tileir.torch.einsum("mk, kn -> mn", x, y), *others], seconds))
    show("the same, the operator", names, measure([lambda: operator("mk, kn -> mn", x, y), *others], seconds))
    gradient = torch.ones(4, 4)

    def backward(einsum):
        x.grad = None
        einsum("mk, kn -> mn", x, y).backward(gradient)

    for what, einsum in ("and computed", tileir.torch.einsum), ("the same, the operator", operator):
        show(what, ["torch.einsum"], measure([lambda: backward(einsum), lambda: backward(torch.einsum)], seconds))  # noqa: B023


def run_convolutions(seconds, threads):
    conv = torch.nn.functional.conv2d
    torch.set_num_threads(threads)
    for n, c, k, size, stride in (4, 64, 64, 56, 1), (4, 128, 128, 28, 1), (4, 256, 256, 14, 1), (4, 128, 256, 28, 2):
        x, w = torch.randn(n, c, size, size), torch.randn(k, c, 3, 3)
        out = size // stride
        spec = f"nc({stride}*h+r-1)({stride}*w+s-1), kcrs -> nkhw"

        def forward(x, w, spec=spec, out=out):
            return tileir.torch.einsum(spec, x, w, pad="zero", sizes={"h": out, "w": out})

        def theirs(x, w, stride=stride):
            return conv(x, w, stride=stride, padding=1)

        expected = theirs(x, w)
        assert torch.allclose(forward(x, w), expected, atol=1e-3)
        gradient = torch.randn_like(expected)

        def get_backward(function, x, w, which, gradient=gradient):
            x, w = x.clone().requires_grad_(which == 0), w.clone().requires_grad_(which == 1)
            y = function(x, w)
            return lambda: torch.autograd.grad(y, (x, w)[which], gradient, retain_graph=True)[0]

        name = f"{n}x{c}x{size}x{size}, {k} filters 3x3, stride {stride}, {threads} threads"
        show(f"forward, {name}", ["torch"], measure([lambda: forward(x, w), lambda: theirs(x, w)], seconds))
        for which, what in (1, "filter"), (0, "image"):
            ways = [get_backward(function, x, w, which) for function in (forward, theirs)]
            assert torch.allclose(ways[0](), ways[1](), atol=1e-2, rtol=1e-3)
            show(f"{what} gradient, {name}", ["torch"], measure(ways, seconds))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each way of a row")
    parser.add_argument("--threads", default="1,2", help="of convolutions; an empty list leaves these out")
    options = parser.parse_args()
    keep_memory()
    load(options.build)
    print("| row | tileir | others, us | the best of them over tileir |\n|---|---|---|---|")
    run_overhead(options.seconds)
    if not torch:
        print("left out: rows of torch, which is missing")
        return
    for threads in map(int, filter(None, options.threads.split(","))):
        run_convolutions(options.seconds, threads)


if __name__ == "__main__":
    main()
