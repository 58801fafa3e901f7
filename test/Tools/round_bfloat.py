# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""round_bfloat.py TILE_RUN PROGRAM FOLDER: conversions from f32 to bf16 are to the nearest, ties to even, and what is no
number stays none. The f32 have all upper halves, and lower ones at which rounding changes. PROGRAM runs as this CPU does,
and, where it has the vectors, as one without such an instruction, optimized and not."""
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

LOWER = np.array([0, 1, 0x7fff, 0x8000, 0x8001, 0xffff], np.uint32)

tile_run, program, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
values = ((np.arange(1 << 16, dtype=np.uint32) << 16)[:, None] | LOWER).view(np.float32)
np.save(folder / "in.npy", values)
# The distances from both neighbours tell; of two equal ones, the last bit.
bits = values.view(np.uint32).astype(np.int64)
below, rest = bits >> 16, bits & 0xffff
expected = below + ((rest > 0x8000) | ((rest == 0x8000) & (below % 2 == 1)))
is_denormal = (bits & 0x7f800000) == 0

plain = {"TILEIR_CPU": "haswell"} if {"avx2", "fma"} <= set(Path("/proc/cpuinfo").read_text().split()) else {}
for added, flags in (({}, []), (plain, []), (plain, ["--opt-level=0"])):
    subprocess.run([tile_run, program, f"--inputs={folder}/in.npy", f"--outputs={folder}/out.npy", *flags],
                   env=os.environ | added, check=True, stdout=subprocess.DEVNULL)
    found = np.load(folder / "out.npy").view(np.uint16).astype(np.int64)
    is_nan = ((found & 0x7f80) == 0x7f80) & ((found & 0x7f) != 0)
    # Instructions take denormal numbers for 0.
    is_right = (found == expected) | (is_denormal & ((found & 0x7fff) == 0))
    wrong = ~np.where(np.isnan(values), is_nan, is_right)
    print(f"{wrong.size} values, {wrong.sum()} wrong")
    for place in map(tuple, np.argwhere(wrong)[:5]):
        print(f"{bits[place]:08x}: expected {expected[place]:04x}, found {found[place]:04x}")
