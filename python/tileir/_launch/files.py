# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of NumPy and tensors of torch as files of NumPy, which tile-run reads and writes."""

import re

import numpy as np

# Types that NumPy's files do not have, by their names in MLIR.
_FOREIGN = {"bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}


def is_tensor(value):
    """Whether a value is a tensor of torch, which need not be loaded for that."""
    return type(value).__module__.split(".")[0] == "torch" and hasattr(value, "data_ptr")


def get_dtype_name(value):
    """The name of the type of an array's or a tensor's elements."""
    return str(value.dtype).removeprefix("torch.")


def get_element(kind):
    """The element type of a type of MLIR: f32 of tensor<4x?xf32>, memref<f32, 1> and !tile.ptr<f32>."""
    found = re.search(r"<(?:[\d?]+x)*(\w+)", kind)
    return found[1] if found else kind


def as_memory(value):
    """An array of NumPy on the memory of an array or a tensor. Elements that NumPy does not have are bytes."""
    if is_tensor(value):
        import torch

        if value.device.type != "cpu" or value.layout is not torch.strided:
            raise TypeError(f"expected a dense tensor in the memory of the CPU, found one of {value.layout} on {value.device}")
        value = value.detach()
        if get_dtype_name(value) in _FOREIGN.values():
            return value.view({1: torch.int8, 2: torch.int16}[value.element_size()]).numpy().view(f"V{value.element_size()}")
        return value.numpy()
    array = np.asarray(value)
    if array.dtype.name in _FOREIGN.values():
        return array.view(f"V{array.dtype.itemsize}")
    return array


def make_zeros(kind, shape):
    """An array of zeros for a value of `kind` in MLIR."""
    element = get_element(kind)
    names = {"f8E4M3FN": "V1", "f8E5M2": "V1", "bf16": "V2", "index": "i8", "i1": "?"}
    return np.zeros(shape, names.get(element) or f"{element[0]}{int(element[1:]) // 8}")


def save(value, path):
    """Writes an array, a tensor or a number to a file; returns its path."""
    np.save(path, np.asarray(as_memory(value), order="C"))
    return str(path)


def load(path, kind, as_tensor):
    """The array, or the tensor, of a file, which is a value of `kind` in MLIR."""
    array = np.load(path)
    foreign = _FOREIGN.get(get_element(kind)) if array.dtype.kind == "V" else None
    if as_tensor:
        import torch

        if foreign:
            return torch.from_numpy(array.view({1: np.int8, 2: np.int16}[array.dtype.itemsize])).view(getattr(torch, foreign))
        return torch.from_numpy(array)
    if foreign:
        import ml_dtypes

        return array.view(getattr(ml_dtypes, foreign))
    return array


def write_back(path, value):
    """Writes the array of a file to the memory of `value`, unless it is what is there: that may be read-only."""
    memory, after = as_memory(value), np.load(path)
    if memory.tobytes() != after.tobytes():
        memory[...] = after.view(memory.dtype)
