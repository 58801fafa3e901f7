# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TileIR from Python. `tileir.triton` runs kernels of Triton without a GPU."""
