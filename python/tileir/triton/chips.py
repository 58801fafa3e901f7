# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What host code asks of the GPU that it finds: its name, how many blocks to start, how much they may hold.

The table of GPUs in lib/Target/Gpu has what simulation needs of a chip; here is what Triton and torch tell of a product
with it, where both know it.
"""

import re
from dataclasses import dataclass

DEFAULT = "sm_80"
KB = 1024


@dataclass(frozen=True)
class Chip:
    """A product with the chip `name`."""

    name: str
    product: str
    multiprocessors: int
    shared_of_multiprocessor: int  # bytes
    shared_of_block: int
    l2: int
    memory: int

    @property
    def capability(self):
        """80 for A100."""
        return int(re.search(r"\d+", self.name)[0])

    @property
    def own(self):
        """The chip that Triton compiles for where it is told of this one: from Hopper on one with instructions of its own."""
        return self.name + "a" if self.capability >= 90 and self.name[-1] != "a" else self.name


CHIPS = {chip.name: chip for chip in (
    Chip("sm_75", "Tesla T4", 40, 64 * KB, 64 * KB, 4 << 20, 16 << 30),
    Chip("sm_80", "NVIDIA A100-SXM4-40GB", 108, 164 * KB, 163 * KB, 40 << 20, 40 << 30),
    Chip("sm_86", "NVIDIA A10", 72, 100 * KB, 99 * KB, 6 << 20, 24 << 30),
    Chip("sm_89", "NVIDIA L4", 58, 100 * KB, 99 * KB, 48 << 20, 24 << 30),
    Chip("sm_90", "NVIDIA H100 80GB HBM3", 132, 228 * KB, 227 * KB, 50 << 20, 80 << 30),
    Chip("sm_90a", "NVIDIA H100 80GB HBM3", 132, 228 * KB, 227 * KB, 50 << 20, 80 << 30),
    Chip("sm_100", "NVIDIA B200", 148, 228 * KB, 227 * KB, 126 << 20, 180 << 30),
    Chip("sm_120", "NVIDIA GeForce RTX 5090", 170, 100 * KB, 99 * KB, 96 << 20, 32 << 30))}
