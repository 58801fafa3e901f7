# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of torch as compiled code can take them: the functions of _arrays.py."""

import functools
import warnings

import numpy as np
import torch

from tileir import _native
from tileir._arrays import TYPES, describe_place, get_level
from tileir.errors import CopyWarning, ShapeError

_DTYPES = {code: getattr(torch, name) for name, code in TYPES.items()}
_CODES = {dtype: code for code, dtype in _DTYPES.items()}


def get_dtype(code):
    """The dtype of a number of the C interface."""
    return _DTYPES[code]


def get_code(dtype):
    """The number of a dtype, or None."""
    return _CODES.get(dtype)


def to_dtype(value):
    """What names a type of elements as one of torch."""
    return value if isinstance(value, torch.dtype) else torch.from_numpy(np.empty(0, value)).dtype


def promote(codes):
    """The type of the result of operands of these types."""
    return _CODES[functools.reduce(torch.promote_types, (_DTYPES[code] for code in codes))]


def _check_place(tensor, what, spec=None, operand=None):
    if tensor.device.type != "cpu":
        raise ShapeError(f"expected {what} in the memory of the CPU, found a tensor on {tensor.device}: move it with .cpu()"
                         f"{describe_place(spec, operand) if spec else ''}")
    if tensor.layout is not torch.strided:
        raise ShapeError(f"expected {what} to be dense, found a tensor of {tensor.layout}: convert it with .to_dense()")


def check_elements(tensor, spec, operand):
    """Raises what is wrong with the type of an operand."""
    if get_code(tensor.dtype) is None:
        raise TypeError(f"expected operand {operand} to have elements of {', '.join(TYPES)}, found {tensor.dtype}: convert it "
                        f"with .to(torch.float64) or .to(torch.int32){describe_place(spec, operand)}")


def prepare_operand(value, spec, operand):
    """An operand as compiled code can take it."""
    tensor = value if isinstance(value, torch.Tensor) else torch.as_tensor(value)
    _check_place(tensor, f"operand {operand}", spec, operand)
    check_elements(tensor, spec, operand)
    tensor = tensor.detach().resolve_neg()
    if _native.describe(tensor) is None:
        warnings.warn(f"operand {operand} is copied, for its strides are {tensor.stride()}; pass a contiguous tensor to avoid "
                      "this", CopyWarning, stacklevel=get_level())
        tensor = tensor.clone(memory_format=torch.contiguous_format)
    return tensor


def prepare_table(value, name):
    """A table as compiled code can take it: integers of 32 or 64 bits in C order."""
    tensor = value if isinstance(value, torch.Tensor) else torch.as_tensor(value)
    _check_place(tensor, f"table '{name}'")
    if tensor.dtype not in (torch.int32, torch.int64, torch.int16, torch.int8, torch.uint8):
        raise TypeError(f"expected table '{name}' to have integers, found {tensor.dtype}: convert it with .long(), after a look "
                        "at what is no number")
    return tensor.to(torch.int32 if tensor.dtype == torch.int32 else torch.int64).contiguous()


def prepare_bias(value, code):
    """A bias in the type of the result."""
    tensor = value if isinstance(value, torch.Tensor) else torch.as_tensor(value)
    _check_place(tensor, "a bias")
    return tensor.detach().to(_DTYPES[code]).contiguous()


def get_output_code(out):
    """The number of the type of an out."""
    if not isinstance(out, torch.Tensor):
        raise TypeError(f"expected out to be a tensor of torch, as operand 0, found {type(out).__name__}")
    if get_code(out.dtype) is None:
        raise TypeError(f"expected out to have elements of {', '.join(TYPES)}, found {out.dtype}")
    return get_code(out.dtype)


def prepare_output(out):
    """The tensor to write, which is never a copy."""
    get_output_code(out)
    _check_place(out, "out")
    if _native.describe(out) is None:
        raise ShapeError(f"expected an out that compiled code can write where it is, found strides of {out.stride()}: pass a "
                         "contiguous tensor and copy from it")
    return out


def prepare_result(operation, code):
    """Says how `operation` makes tensors for its results."""
    operation.factory = functools.partial(torch.empty, operation.shape, dtype=_DTYPES[code], device="cpu")
    pattern = make(operation.shape, code)
    if pattern.numel() <= 4096:  # torch makes another one like it in less time, and it is not too much to keep
        operation.factory = functools.partial(torch.empty_like, pattern)
    operation.gives_number = False


def make(shape, code):
    """A tensor in C order, of any contents."""
    return torch.empty(shape, dtype=_DTYPES[code], device="cpu")


def share_memory(left, right):
    """Whether any byte of one may be one of the other."""
    def view(tensor):
        # NumPy knows how to tell; it has no bfloat16.
        return tensor.detach().view({1: torch.uint8, 2: torch.int16}.get(tensor.element_size(), tensor.dtype)).numpy()

    try:
        return np.shares_memory(view(left), view(right), max_work=10**6)
    except (np.TooHardError if hasattr(np, "TooHardError") else np.exceptions.TooHardError):
        return True
