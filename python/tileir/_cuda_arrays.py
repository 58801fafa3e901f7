# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in the memory of a GPU as compiled code can take them: of whatever has `__cuda_array_interface__`, such as CuPy,
Numba and JAX. _cuda_tensors.py has the same functions for tensors of torch."""

import functools
import math
from collections import namedtuple

import numpy as np

from tileir import _arrays
from tileir._arrays import NAMES, TYPES, describe_place, get_code, get_dtype, promote, to_dtype
from tileir.errors import ShapeError

__all__ = ["DeviceArray", "describe", "get_code", "get_dtype", "get_output_code", "get_stream", "is_on_gpu", "make", "prepare_bias",
           "prepare_operand", "prepare_output", "prepare_table", "promote", "share_memory", "to_dtype"]

# An array of `owner` in C order, of elements of a type by its number in the C interface, on the GPU `device`.
DeviceArray = namedtuple("DeviceArray", "owner address code shape device")
# Vectors that kernels read; what allocates memory gives more.
ALIGNMENT = 16


def is_on_gpu(value):
    """Whether a value is an array in the memory of a GPU."""
    return hasattr(value, "__cuda_array_interface__")


def describe(array):
    """The number of its type, its shape and its strides, as `_native.describe` tells them of arrays of the CPU."""
    strides = [1] * len(array.shape)
    for axis in range(len(array.shape) - 1, 0, -1):
        strides[axis - 1] = strides[axis] * max(array.shape[axis], 1)
    return array.code, tuple(array.shape), tuple(strides)


@functools.lru_cache(maxsize=None)
def _get_code(typestr):
    dtype = np.dtype(typestr)
    return get_code(dtype) if dtype.isnative else None


def is_in_c_order(interface):
    """Whether an array is in C order without gaps. Its interface may tell the strides of such a one, too."""
    shape, strides = interface["shape"], interface.get("strides")
    if strides is None or 0 in shape:
        return True
    step = np.dtype(interface["typestr"]).itemsize
    for size, stride in zip(reversed(shape), reversed(strides)):
        if size > 1 and stride != step:
            return False
        step *= size
    return True


def _read(value, what, spec=None, operand=None):
    """The array of a value, and whether it is read-only."""
    def place():
        return describe_place(spec, operand) if spec else ""

    if not is_on_gpu(value):
        raise ShapeError(f"expected {what} in the memory of the GPU, as operand 0, found {type(value).__name__}: move it there{place()}")
    interface = value.__cuda_array_interface__
    code = _get_code(interface["typestr"])
    if code is None:
        raise TypeError(f"expected {what} to have elements of {', '.join(TYPES)}, found {np.dtype(interface['typestr'])}{place()}")
    shape = tuple(interface["shape"])
    address, is_read_only = interface["data"]
    address = address or 0  # of arrays without elements
    if not is_in_c_order(interface):
        raise ShapeError(f"expected {what} in C order without gaps, found strides of {tuple(interface['strides'])} bytes: pass a copy"
                         f"{place()}")
    if address % ALIGNMENT and 0 not in shape:
        raise ShapeError(f"expected {what} at an address that {ALIGNMENT} divides, found {address:#x}: pass a copy{place()}")
    return DeviceArray(value, address, code, shape, get_device(value)), is_read_only


def get_device(value):
    """The GPU of an array: what CuPy and the array API call it by, else the first one."""
    device = getattr(value, "device", None)
    return device if isinstance(device, int) else int(getattr(device, "id", 0) or 0)


def get_common_device(devices, error):
    """The GPU of arrays on `devices`; the first one for no arrays. Raises an `error` for several."""
    if len(devices) > 1:
        raise error(f"expected all arrays on one GPU, found {', '.join(f'GPU {device}' for device in sorted(devices))}: move them to one")
    return next(iter(devices), 0)


def prepare_operand(value, spec, operand):
    """An operand as compiled code can take it."""
    return _read(value, f"operand {operand}", spec, operand)[0]


def prepare_table(value, name):
    """A table, which the CPU reads, in its memory."""
    if is_on_gpu(value):
        raise ShapeError(f"expected table '{name}' in the memory of the CPU, which reads it, found an array of the GPU: pass a copy")
    return _arrays.prepare_table(value, name)


def prepare_bias(value, code):
    """A bias in the type of the result."""
    bias = _read(value, "a bias")[0]
    if bias.code != code:
        raise TypeError(f"expected a bias to have elements of {NAMES[code]}, as the result, found {NAMES[bias.code]}")
    return bias


def get_output_code(out):
    """The number of the type of an out."""
    if not is_on_gpu(out):
        raise TypeError(f"expected out to be an array of the GPU, as operand 0, found {type(out).__name__}")
    return _read(out, "out")[0].code


def prepare_output(out):
    """The array to write, which is never a copy."""
    array, is_read_only = _read(out, "out")
    if is_read_only:
        raise ShapeError("expected an out that can be written, found a read-only array: pass a copy of it")
    return array


def make(shape, code, like):
    """An array as `like` is, of any contents."""
    if not hasattr(like.owner, "__array_namespace__"):
        raise TypeError(f"expected an out, for {type(like.owner).__name__} has no __array_namespace__ that makes arrays: pass the array "
                        "to write as out")
    namespace = like.owner.__array_namespace__()
    made = namespace.empty(tuple(shape), dtype=getattr(namespace, NAMES[code]), device=like.owner.device)
    return prepare_output(made)


def share_memory(left, right):
    """Whether any byte of one may be one of the other."""
    if isinstance(right, np.ndarray):
        return False

    def end(array):
        return array.address + math.prod(array.shape) * get_dtype(array.code).itemsize

    return left.address < end(right) and right.address < end(left)


def get_stream(array):
    """The stream on which an array is ready: that of the interface, else the default one."""
    stream = array.owner.__cuda_array_interface__.get("stream")
    # 1 and 2 stand for the default stream of all threads and of this one, as for the driver.
    return stream or 0
