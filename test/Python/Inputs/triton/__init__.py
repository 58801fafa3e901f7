# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands for Triton, where that is not installed: what of it a launch goes through.

A kernel is compiled by the stages of the backend, as Triton compiles. The first gives the text of a file beside this
folder, kernels/NAME.ttir, the third kernels/NAME.llir, the others must not be run. The names, and which calls what with
which arguments, are facts of Triton 3.9; the code is our own.
"""

from .runtime.jit import autotune, Config, heuristics, jit  # noqa: F401


def cdiv(a, b):
    return -(-a // b)
