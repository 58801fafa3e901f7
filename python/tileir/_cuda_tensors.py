# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of torch in the memory of a GPU as compiled code can take them: the functions of _cuda_arrays.py."""

import warnings

import torch

from tileir import _tensors
from tileir._arrays import describe_place, get_level
from tileir._cuda_arrays import ALIGNMENT, DeviceArray, describe, share_memory
from tileir._tensors import get_code, get_dtype, get_output_code, promote, to_dtype
from tileir.errors import CopyWarning, ShapeError

__all__ = ["describe", "get_code", "get_dtype", "get_output_code", "get_stream", "is_on_gpu", "is_readable", "make",
           "prepare_bias", "prepare_operand", "prepare_output", "prepare_table", "promote", "share_memory", "to_dtype", "wrap"]


def is_on_gpu(tensor):
    """Whether a tensor is in the memory of a GPU."""
    return tensor.device.type == "cuda"


def _check_place(tensor, what, spec=None, operand=None):
    if not is_on_gpu(tensor):
        raise ShapeError(f"expected {what} in the memory of the GPU, as operand 0, found a tensor on {tensor.device}: move it with .cuda()"
                         f"{describe_place(spec, operand) if spec else ''}")
    if tensor.layout is not torch.strided:
        raise ShapeError(f"expected {what} to be dense, found a tensor of {tensor.layout}: convert it with .to_dense()")


def is_readable(tensor):
    """Whether kernels can read a tensor where it is."""
    return tensor.is_contiguous() and (tensor.data_ptr() % ALIGNMENT == 0 or tensor.numel() == 0)


def wrap(tensor):
    """The array of a tensor that kernels can read."""
    return DeviceArray(tensor, tensor.data_ptr(), get_code(tensor.dtype), tuple(tensor.shape), tensor.device.index or 0)


def prepare_operand(value, spec, operand):
    """An operand as compiled code can take it."""
    tensor = value if isinstance(value, torch.Tensor) else torch.as_tensor(value)
    _check_place(tensor, f"operand {operand}", spec, operand)
    _tensors.check_elements(tensor, spec, operand)
    tensor = tensor.detach().resolve_neg()
    if not is_readable(tensor):
        warnings.warn(f"operand {operand} is copied, for its strides are {tensor.stride()} and its address is {tensor.data_ptr():#x}; "
                      "pass a contiguous tensor to avoid this", CopyWarning, stacklevel=get_level())
        tensor = tensor.clone(memory_format=torch.contiguous_format)
    return wrap(tensor)


def prepare_table(value, name):
    """A table, which the CPU reads, in its memory; from that of the GPU it is copied, for which the stream is waited."""
    return _tensors.prepare_table(torch.as_tensor(value).cpu(), name).numpy()


def prepare_bias(value, code):
    """A bias in the type of the result."""
    tensor = value if isinstance(value, torch.Tensor) else torch.as_tensor(value)
    _check_place(tensor, "a bias")
    tensor = tensor.detach().to(get_dtype(code)).contiguous()
    return wrap(tensor if is_readable(tensor) else tensor.clone())


def prepare_output(out):
    """The tensor to write, which is never a copy."""
    get_output_code(out)
    _check_place(out, "out")
    if not is_readable(out):
        raise ShapeError(f"expected an out that compiled code can write where it is, found strides of {out.stride()} and the address "
                         f"{out.data_ptr():#x}: pass a contiguous tensor and copy from it")
    return wrap(out)


def make(shape, code, like):
    """A tensor as `like` is, of any contents."""
    return wrap(like.owner.new_empty(tuple(shape), dtype=get_dtype(code)))


def get_stream(array):
    """The stream that the caller uses."""
    return torch.cuda.current_stream(array.owner.device).cuda_stream
