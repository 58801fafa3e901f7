# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is asked of the driver for a contraction and for a kernel, on a stream and on the default one."""

import sys

import numpy as np

import device
import tileir
from device import DeviceArray


def say(what):
    print(what, file=sys.stderr, flush=True)


device.start()
stream = device.make_stream()
x, y = (np.ones((8, 8), np.float32) for _ in range(2))
for name, on in ("a stream", stream), ("the default stream", None):
    a, b, out = DeviceArray(x, stream=on), DeviceArray(y, stream=on), DeviceArray(x)
    say(f"contract on {name}")
    tileir.einsum("ij, jk -> ik", a, b, out=out)
    say("with a table")
    tileir.einsum("i(t[j]) -> ij", a, t=np.arange(8), out=out)
copy = tileir.kernel("__global__ void copy(float *a, float *b) { int i[64] = 0 ... 64; *(b + i) = *(a + i); }\n", backend="cuda")
say("launch on a stream")
copy[1](a, out, stream=stream)
say("launch on that of an array")
copy[1](DeviceArray(x, stream=stream), out)
say("launch on the default stream")
copy[1](a, out)
say("end")
