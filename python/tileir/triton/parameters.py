# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parameters that Triton leaves in the IR of a kernel: constants are not among them."""

from .._launch.arguments import ELEMENTS, Parameter
from .._launch.errors import ArgumentError

SCALARS = {"i1", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64", "fp16", "bf16", "fp32", "f32", "fp64"}


def known(name):
    """Triton's name of a type, if there is such a type here."""
    if name in SCALARS or name.startswith("*") and name[1:].lstrip("k") in ELEMENTS or name.startswith("tensordesc"):
        return name
    raise ArgumentError(f"type {name!r} of Triton: expected a pointer to one of {', '.join(ELEMENTS)}, or a scalar")


def flatten(signature, values, capability, ir):
    """The parameters of a compiled kernel; `values` are those of all parameters of the Python function.

    A descriptor of host code is its parts: all of them where Triton has made pointers of it, as before Hopper; from there on
    a pointer in Triton's IR, and a tensor map in LLVM IR, each with sizes and strides behind it.
    """
    parameters = []

    def add(path, kind, value):
        if isinstance(kind, (tuple, list)):
            for i, (inner, part) in enumerate(zip(kind, value)):
                add(f"{path}[{i}]", inner, part)
        elif kind.startswith("tensordesc"):
            add_descriptor(path, kind, value)
        elif kind != "constexpr":
            parameters.append(Parameter(path, known(kind), value))

    def add_descriptor(path, kind, value):
        element = kind[kind.index("<") + 1:kind.index("[")]
        is_nan, rounds = getattr(value, "padding", "zero") == "nan", getattr(value, "round_f32_to_tf32", False)
        if capability >= 90 and (ir == "llvm" or is_nan or rounds):
            raise ArgumentError(f"parameter {path}: a descriptor that host code makes is a tensor map here, "
                                "expected ir='ttir', padding='zero' and no rounding to tf32, or a chip before Hopper")
        parts = [("base", "*" + element, value.base)]
        if capability < 90:
            parts += [(f"shape[{i}]", "i64", size) for i, size in enumerate(value.shape)]
            parts += [(f"strides[{i}]", "i64", stride) for i, stride in enumerate(value.strides)]
            parts += [("padding", "i1", is_nan)]
            if hasattr(value, "round_f32_to_tf32"):
                parts += [("round_f32_to_tf32", "i1", rounds)]
        parts += [(f"shape[{i}]", "i32", size) for i, size in enumerate(value.shape)]
        parts += [(f"strides[{i}]", "i64", stride) for i, stride in enumerate(value.strides)]
        parameters.extend(Parameter(f"{path}.{name}", known(type_), part) for name, type_, part in parts)

    for (name, kind), value in zip(signature.items(), values):
        add(str(name), kind, value)
    return parameters
