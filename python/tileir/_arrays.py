# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of NumPy as compiled code can take them. What it cannot read where it is, is copied, with a warning. _tensors.py
has the same functions for tensors of torch."""

import functools
import sys
import warnings

import numpy as np

from tileir import _native
from tileir._specification import get_term
from tileir.errors import CopyWarning, ShapeError, point

# The names of element types in NumPy and ml_dtypes, and their numbers in the C interface.
TYPES = {"float32": 0, "float64": 1, "float16": 2, "bfloat16": 3, "int32": 4, "int8": 5, "float8_e4m3fn": 6,
         "float8_e5m2": 7}
INT64 = 8
INTEGERS = {TYPES["int32"], TYPES["int8"]}
NAMES = {code: name for name, code in TYPES.items()} | {INT64: "int64"}
SHORT = {"f32": "float32", "f64": "float64", "f16": "float16", "bf16": "bfloat16", "i32": "int32", "i8": "int8"}
# Types whose arrays have no buffers: integers of their size stand for them.
_STAND_INS = {3: np.uint16, 6: np.uint8, 7: np.uint8}


def get_dtype(code):
    """The dtype of a number of the C interface."""
    if code not in _STAND_INS:
        return np.dtype(NAMES[code])
    import ml_dtypes

    return np.dtype(getattr(ml_dtypes, NAMES[code]))


def get_code(dtype):
    """The number of a dtype, or None."""
    return TYPES.get(dtype.name)


def describe_place(spec, operand):
    """The lines that point at the term of an operand."""
    place = get_term(spec, operand)
    return "\n" + point(spec, *place) if place else ""


def as_array(value):
    """An array of NumPy of an operand of any kind."""
    if isinstance(value, np.ndarray):
        return value
    if hasattr(value, "__cuda_array_interface__"):
        raise ShapeError(f"expected an array in the memory of the CPU, as operand 0, found {type(value).__name__} in that of a GPU: move "
                         "one of them")
    if hasattr(value, "__dlpack__"):
        return np.from_dlpack(value)
    return np.asarray(value)


def _copy(array, what, reason):
    warnings.warn(f"{what} is copied, for {reason}; pass an array in C order to avoid this", CopyWarning,
                  stacklevel=get_level())
    return np.array(array, array.dtype.newbyteorder("="), order="C", copy=True)


def get_level():
    """How far up the caller of the package is, from who calls this on."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("tileir."):
        frame, level = frame.f_back, level + 1
    return level


def _get_reason(array):
    """Why compiled code cannot read an array of a type that it knows, or None."""
    if not array.dtype.isnative:
        return "its bytes are in another order"
    if not array.flags.aligned:
        return "its elements are not aligned"
    for size, stride in zip(array.shape, array.strides):
        if size > 1 and array.size:
            if stride <= 0 or stride % array.itemsize:
                return f"it has a stride of {stride} bytes"
    return None


def _reinterpret(array, code):
    if code in _STAND_INS:
        return _native.Reinterpreted(array.view(_STAND_INS[code]), code)
    return array


def prepare_operand(value, spec, operand):
    """An operand as compiled code can take it."""
    if isinstance(value, _native.Reinterpreted):
        return value
    array = as_array(value)
    code = get_code(array.dtype)
    if code is None:
        hint = "convert it with .astype(np.int32) or .astype(np.float64)" if array.dtype.kind in "iub" else \
            "convert it with .astype(np.float64)"
        raise TypeError(f"expected operand {operand} to have elements of {', '.join(TYPES)}, found {array.dtype.name}: "
                        f"{hint}{describe_place(spec, operand)}")
    reason = _get_reason(array)
    if reason:
        array = _copy(array, f"operand {operand}", reason)
    return _reinterpret(array, code)


def prepare_table(value, name):
    """A table as compiled code can take it: integers of 32 or 64 bits in C order."""
    array = as_array(value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"expected table '{name}' to have integers, found {array.dtype.name}: convert it with "
                        ".astype(np.int64), after a look at what is no number")
    wanted = np.int32 if array.dtype == np.int32 else np.int64
    if array.dtype == np.uint64 and array.size and array.max() > np.iinfo(np.int64).max:
        raise TypeError(f"expected entries of table '{name}' to be integers of 64 bits with a sign, found {array.max()}")
    return np.require(array, wanted, ["C", "A"])


def prepare_bias(value, code):
    """A bias in the type of the result."""
    array = np.require(as_array(value), get_dtype(code), ["C", "A"])
    return _reinterpret(array, code)


def get_output_code(out):
    """The number of the type of an out."""
    if not isinstance(out, np.ndarray):
        raise TypeError(f"expected out to be an array of NumPy, found {type(out).__name__}")
    code = get_code(out.dtype)
    if code is None:
        raise TypeError(f"expected out to have elements of {', '.join(TYPES)}, found {out.dtype.name}")
    return code


def prepare_output(out):
    """The array to write, which is never a copy."""
    code = get_output_code(out)
    if not out.flags.writeable:
        raise ShapeError("expected an out that can be written, found a read-only array: pass a copy of it")
    reason = _get_reason(out)
    if reason:
        raise ShapeError(f"expected an out that compiled code can write where it is, but {reason}: pass an array in C order "
                         "and copy from it")
    return _reinterpret(out, code)


def to_dtype(value):
    """What names a type of elements as one of NumPy."""
    return np.dtype(value)


def promote(codes):
    """The type of the result of operands of these types."""
    try:
        return get_code(np.result_type(*map(get_dtype, codes)))
    except TypeError:  # bfloat16 and float16, which NumPy does not promote
        return TYPES["float32"]


def prepare_result(operation, code):
    """Says how `operation` makes arrays for its results."""
    dtype = np.dtype(_STAND_INS.get(code) or get_dtype(code))
    operation.factory = functools.partial(np.empty, operation.shape, dtype)
    operation.view_type = get_dtype(code) if code in _STAND_INS else None


def make(shape, code):
    """An array in C order, of any contents."""
    return np.empty(shape, get_dtype(code))


def share_memory(left, right):
    """Whether any element of what `prepare` gave is also one of the other; also where that is too hard to tell."""
    left, right = (value.array if isinstance(value, _native.Reinterpreted) else value for value in (left, right))
    try:
        return np.shares_memory(left, right, max_work=10**6)
    except (np.TooHardError if hasattr(np, "TooHardError") else np.exceptions.TooHardError):
        return True
