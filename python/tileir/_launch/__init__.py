# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs and kernels by tile-run: arguments as files, results as files, and what went wrong as exceptions. Used by
`tileir.run`, `tileir.kernel` and `tileir.triton`."""
