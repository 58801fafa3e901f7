# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of NumPy as arguments of kernels: Triton asks tensors for what torch's have."""

from types import SimpleNamespace

import numpy as np


class Array:
    """`kernel[grid](Array(x), ...)` reads and writes the NumPy array `x` in place."""

    def __init__(self, array):
        self.array = array
        self.dtype, self.shape, self.ndim = array.dtype, array.shape, array.ndim

    def data_ptr(self):
        return self.array.ctypes.data

    def element_size(self):
        return self.array.itemsize

    def numel(self):
        return self.array.size

    def stride(self, axis=None):
        strides = tuple(bytes_ // self.array.itemsize for bytes_ in self.array.strides)
        return strides if axis is None else strides[axis]

    def untyped_storage(self):
        """The array that this is a view of."""
        whole = self.array
        while isinstance(whole.base, np.ndarray):
            whole = whole.base
        whole = whole if whole.flags.forc else self.array
        return SimpleNamespace(data_ptr=lambda: whole.ctypes.data, nbytes=lambda: whole.nbytes)

    def is_contiguous(self):
        return self.array.flags.c_contiguous

    def __repr__(self):
        return f"Array({self.array!r})"
