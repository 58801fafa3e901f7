#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random einsums through the C interface, compared with NumPy.

    tensor_operation_property.py --library build/lib/libTileIRC.so [--seed 1] [--count 1000] [--only N]

Those of einsum_property.py that an einsum description can tell: one contraction
with elements of one type, of static sizes. Every other one may use two threads.
"""

import argparse
import ctypes
import re
import sys

import numpy as np

import einsum_programs as model

oracle = model.oracle

TYPES = {"f32": (0, np.float32), "f64": (1, np.float64), "f16": (2, np.float16),
         "bf16": (3, np.uint16), "i32": (4, np.int32), "i8": (5, np.int8)}
ZERO = 1  # first touch
CONTRACT = re.compile(r'einsum\.contract "([^"]*)" \(([^)]*)\)(?:\s*tables\(.*?\))?\s*(\{.*?\})?'
                      r"\s*: \((.*?)\) -> tensor<(.*?)>\n", re.S)


class Ints(ctypes.Structure):
    _fields_ = [("data", ctypes.POINTER(ctypes.c_int64)), ("size", ctypes.c_size_t)]

    def __init__(self, values=()):
        self.array = (ctypes.c_int64 * len(values))(*values)  # lives as long as this
        super().__init__(self.array, len(values))


class Description(ctypes.Structure):
    _fields_ = [("spec", ctypes.c_char_p), ("type", ctypes.c_int), ("num_inputs", ctypes.c_size_t),
                ("shapes", ctypes.POINTER(Ints)), ("sizes", ctypes.c_char_p),
                ("padding", ctypes.c_char_p), ("first_touch", ctypes.c_int),
                ("last_touch", ctypes.c_int), ("strides_bias", Ints), ("threads", ctypes.c_int)]


def to_memory(x, element):
    if element == "bf16":
        return (np.array(x, np.float32, ndmin=1, order="C").view(np.uint32) >> 16).astype(np.uint16)
    return np.array(x, TYPES[element][1], ndmin=1, order="C")


def from_memory(x, element, like):
    if element == "bf16":
        x = (x.astype(np.uint32) << 16).view(np.float32)
    return x.reshape(like.shape).astype(like.dtype)


class Request:
    """A case as a description, its inputs and what they give."""

    def __init__(self, case):
        found = CONTRACT.findall(case.text)
        if len(found) != 1 or case.text.count("einsum.contract") != 1:
            raise model.Redraw
        self.spec, operands, attributes, types, result = found[0]
        self.element = result.split("x")[-1]
        elements = set(re.findall(r"tensor<(?:\d+x)*(\w+)>", types))
        if elements != {self.element} or self.element not in TYPES or "acc =" in attributes or "?" in types + result:
            raise model.Redraw
        values = {a.name: np.asarray(x) for a, x in zip(case.program.arguments, case.inputs)}
        tables = dict.fromkeys(re.findall(r"([A-Za-z_]\w*)\[", self.spec))
        operands = [o.strip()[1:] for o in operands.split(",") if o.strip()]
        self.expected = np.asarray(case.expected[0])
        used = [values.get(name) for name in [*operands, *tables]]
        if any(x is None or x.size == 0 for x in used) or self.expected.size == 0:
            raise model.Redraw
        sizes = dict(re.findall(r"(\w) = (\d+)", attributes))
        sizes |= zip(self.spec.split("->")[1].strip(), self.expected.shape)
        for table, letters in re.findall(r"([A-Za-z_]\w*)\[([^]]*)\]", self.spec):
            sizes |= zip((c.strip() for c in letters.split(",")), values[table].shape)
        if "0" in map(str, sizes.values()):
            raise model.Redraw
        self.sizes = ",".join(f"{letter}={size}" for letter, size in sizes.items())
        self.padding = "zero" if '"zero"' in attributes else "none"
        self.shapes = [values[name].shape for name in operands]
        self.inputs = [to_memory(values[name], self.element) for name in operands]
        self.inputs += [to_memory(values[name], "i32") for name in tables]

    def run(self, library, threads, tolerance):
        """What is wrong, or None, and whether it is computed by a kernel."""
        shapes = (Ints * len(self.shapes))(*map(Ints, self.shapes))
        description = Description(self.spec.encode(), TYPES[self.element][0], len(shapes), shapes,
                                  self.sizes.encode(), self.padding.encode(), ZERO, 0, Ints(),
                                  threads)
        message = ctypes.c_char_p()
        operation = library.tileirCreateEinsum(ctypes.byref(description), ctypes.byref(message))
        if not operation:
            return message.value.decode(), False
        operation = ctypes.c_void_p(operation)
        by_kernel = b" prim " in library.tileirGetSchedule(operation)
        if library.tileirGetNumInputs(operation) != len(self.inputs):
            return "wrong number of inputs", by_kernel
        output = np.full(self.expected.size, 77, TYPES[self.element][1])
        inputs = (ctypes.c_void_p * len(self.inputs))(*(x.ctypes.data for x in self.inputs))
        library.tileirRun(operation, inputs, ctypes.c_void_p(output.ctypes.data))
        library.tileirDestroyOperation(operation)
        got = from_memory(output, self.element, self.expected)
        error, where = oracle.difference(got, self.expected)
        return None if error <= tolerance else f"{where}; error {error:.3g}", by_kernel


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", required=True, help="libTileIRC.so")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000, help="cases that are drawn")
    parser.add_argument("--only", type=int, help="the number of the one case to run")
    options = parser.parse_args()
    library = ctypes.CDLL(options.library)
    library.tileirCreateEinsum.restype = ctypes.c_void_p
    library.tileirGetNumInputs.restype = ctypes.c_size_t
    library.tileirGetSchedule.restype = ctypes.c_char_p

    ran = kernels = failed = 0
    for number in range(options.count) if options.only is None else [options.only]:
        case = model.draw_case(options.seed, number)
        try:
            request = Request(case)
        except model.Redraw:
            continue
        ran += 1
        wrong, by_kernel = request.run(library, 1 + number % 2, case.tolerance)
        kernels += by_kernel
        if wrong:
            failed += 1
            print(f"case {number} of seed {options.seed}: {request.spec} ({request.element}, "
                  f"padding {request.padding}, {request.shapes}, {request.sizes}): {wrong}",
                  flush=True)
    print(f"{ran} einsums, {kernels} by kernels, {failed} failed")
    # Without kernels this would test the plain loops only.
    sys.exit(failed > 0 or (options.only is None and kernels < 0.7 * ran))


if __name__ == "__main__":
    main()
