# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands for torch, where that is not installed: tensors as kernels and host code see them, of NumPy's arrays."""

from types import SimpleNamespace

import numpy as np


class Tensor:
    layout = "torch.strided"

    def __init__(self, array, device="cpu"):
        self.array, self.device = array, SimpleNamespace(type=device)
        self.shape, self.dtype = array.shape, f"torch.{array.dtype}"

    def data_ptr(self):
        return self.array.ctypes.data

    def element_size(self):
        return self.array.itemsize

    def numel(self):
        return self.array.size

    def stride(self):
        return tuple(stride // self.array.itemsize for stride in self.array.strides)

    def untyped_storage(self):
        whole = self.array
        while isinstance(whole.base, np.ndarray):
            whole = whole.base
        return SimpleNamespace(data_ptr=lambda: whole.ctypes.data, nbytes=lambda: whole.nbytes)

    def __getitem__(self, index):
        return Tensor(self.array[index])

    def __rmul__(self, factor):
        return Tensor(np.asarray(factor, self.array.dtype) * self.array)


def rand(*shape):
    return Tensor(np.random.default_rng(0).random(shape, dtype=np.float32))


def empty_like(x):
    return Tensor(np.full_like(x.array, -1))


def equal(x, y):
    return np.array_equal(x.array, y.array)
