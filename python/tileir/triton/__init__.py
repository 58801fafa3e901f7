# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of Triton without a GPU.

    import tileir.triton
    tileir.triton.install(backend="sim")

From then on launches run by TileIR, on tensors in the memory of the CPU; faults of a kernel raise KernelFault. See
docs/triton-python.md.
"""

from .._launch.array import Array
from .._launch.errors import ArgumentError, Finding, KernelFault, LaunchError, OptionError, TileIRError
from .install import install, installed, launches, uninstall

__all__ = ["Array", "ArgumentError", "Finding", "KernelFault", "LaunchError", "OptionError", "TileIRError", "install", "installed",
           "launches", "uninstall"]
