# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of a launch as the items that tile-run takes.

A kernel gets a pointer, not a tensor: a view is an address in a storage. So what is passed is the whole storage, or, with
bounds="tensor", the range from the first to the last element of the view. Where ranges of two arguments overlap, both
point into one buffer, as they do on a GPU: kernels work in place, or on parts of one tensor.
"""

import ctypes
from dataclasses import dataclass, field

import numpy as np

from .errors import ArgumentError

# Triton's types of elements, as NumPy's where tile-run reads them: integers with signs, bf16 as V2, f8 as V1.
ELEMENTS = {
    "i1": "i1", "u1": "i1", "i8": "i1", "u8": "i1", "i16": "i2", "u16": "i2", "i32": "i4", "u32": "i4", "i64": "i8", "u64": "i8",
    "fp16": "f2", "bf16": "V2", "fp32": "f4", "fp64": "f8", "fp8e4nv": "V1", "fp8e5": "V1"}


@dataclass
class Parameter:
    """A parameter of a kernel as its IR has it. `path` is its name, with places in tuples."""

    path: str
    type: str
    value: object


@dataclass
class Range:
    """Memory that an argument may reach, and where in it the pointer is."""

    start: int
    end: int
    pointer: int
    owner: object  # kept alive


def get_range(parameter, bounds):
    """Where the elements of a pointer argument are."""
    value = parameter.value
    while not hasattr(value, "data_ptr") and hasattr(value, "base"):
        value = value.base  # triton.reinterpret
    base = getattr(value, "base", None)
    if hasattr(base, "data_ptr") and not hasattr(value, "stride"):
        value = base

    def fail(expected):
        raise ArgumentError(f"argument {parameter.path!r} ({parameter.type}): expected {expected}, found {describe(parameter.value)}")

    if not hasattr(value, "data_ptr") or not hasattr(value, "element_size"):
        fail("a tensor in the memory of the CPU, or an array of NumPy (for Triton, in tileir.triton.Array)")
    device = getattr(getattr(value, "device", None), "type", "cpu")
    if device != "cpu":
        fail("a tensor in the memory of the CPU")
    if str(getattr(value, "layout", "torch.strided")) != "torch.strided":
        fail("a strided tensor")
    size, pointer = value.element_size(), value.data_ptr()
    shape, strides = tuple(value.shape), tuple(value.stride())
    if bounds == "storage" and hasattr(value, "untyped_storage"):
        storage = value.untyped_storage()
        return Range(storage.data_ptr(), storage.data_ptr() + storage.nbytes(), pointer, value)
    if 0 in shape:
        return Range(pointer, pointer, pointer, value)
    last = [(n - 1) * stride * size for n, stride in zip(shape, strides)]
    return Range(pointer + sum(min(0, x) for x in last), pointer + sum(max(0, x) for x in last) + size, pointer, value)


def describe(value):
    kind = type(value)
    text = f"{kind.__module__}.{kind.__qualname__}"
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        text += f" {value.dtype} {tuple(value.shape)}"
    device = getattr(value, "device", None)
    return text + (f" on {device}" if device is not None else "")


@dataclass
class Buffer:
    """Memory that is passed once, for all arguments that point into it."""

    start: int
    end: int
    element: str
    first: int  # the argument that it stands for
    owners: list = field(default_factory=list)

    def view(self):
        """Its bytes, in place."""
        if self.end == self.start:
            return np.zeros(0, np.uint8)
        return np.frombuffer((ctypes.c_char * (self.end - self.start)).from_address(self.start), np.uint8)


def make_buffers(parameters, bounds, typed):
    """Buffers, and for each pointer argument which one and where in it: {number: (buffer, bytes)}. `typed`: whether all
    arguments that point into a buffer must have its type."""
    ranges = {i: get_range(p, bounds) for i, p in enumerate(parameters) if p.type.startswith("*")}
    buffers, places = [], {}
    for i, found in sorted(ranges.items(), key=lambda item: (item[1].start, -item[1].end)):
        element = parameters[i].type[1:].lstrip("k")
        last = buffers[-1] if buffers else None
        if last is None or found.start == found.end or last.end <= found.start:
            last = Buffer(found.start, found.end, element, i)
            buffers.append(last)
        elif typed and ELEMENTS[element] != ELEMENTS[last.element]:
            raise ArgumentError(
                f"arguments {parameters[last.first].path!r} ({parameters[last.first].type}) and {parameters[i].path!r} "
                f"({parameters[i].type}) share memory: expected one type of elements; ir='llvm' takes several")
        last.end = max(last.end, found.end)
        last.owners.append(found.owner)
        places[i] = last
    for buffer in buffers:
        # Triton compiles for what the addresses are multiples of.
        inside = [i for i, other in places.items() if other is buffer]
        if any(ranges[i].pointer % 16 == 0 for i in inside):
            buffer.start -= buffer.start % 16
        buffer.first = min(inside)
    return buffers, {i: (buffer, ranges[i].pointer - buffer.start) for i, buffer in places.items()}


def scalar_item(parameter):
    """A number as tile-run reads it."""
    value = parameter.value
    if value is None or isinstance(value, str) or hasattr(value, "data_ptr"):
        raise ArgumentError(f"argument {parameter.path!r} ({parameter.type}): expected a number, found {describe(value)}")
    if parameter.type[0] in "iu":
        return str(int(value))
    return repr(float(value))
