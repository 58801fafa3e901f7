# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contractions on a GPU: of arrays in its memory, on the stream of the caller, for which nothing waits.

The program of a contraction becomes kernels by the passes of TileIR, and code that launches them by its plugin; both are
kept. Tables are read by the CPU.
"""

import re

import numpy as np

from tileir import _cuda_arrays, _native
from tileir._specification import Specification
from tileir._terms import Terms, infer_sizes
from tileir.errors import CompileError, ShapeError
from tileir.operations import Request, programs_on_gpu


class GpuProgram:
    """The function of a module as code for a GPU, by the pipeline `passes`. Its arguments are memory of that GPU, but for those in
    `on_host`."""

    def __init__(self, text, entry, passes, device, on_host=()):
        from tileir import ir

        module = ir.parse(_prepare(text, entry, on_host))
        module.run(f"{passes}{{chip={module.context.get_gpu_chip(device)}}}", verify_each=False)
        self._native = module.compile_for_gpu(entry, device)

    def run(self, arguments, stream):
        """Calls it with pairs of an address and a shape."""
        self._native.run(arguments, stream)


def _prepare(text, entry, on_host):
    """A program whose function `entry` can be called with memory of a GPU."""
    header = re.search(rf"^  func\.func @{re.escape(entry)}\(.*\{{$", text, re.M)
    arguments = iter(range(len(header[0])))

    def place(match):
        words = [match[2]] * bool(match[2]) + ["tile.on_device"] * (next(arguments) not in on_host)
        return f"{match[1]} {{{', '.join(words)}}}"

    prepared = re.sub(r"(%\w+: memref<[^>]*(?:<[^>]*>[^>]*)*>)(?: \{([^}]*)\})?", place, header[0])
    return text.replace(header[0], prepared[:-1] + "attributes {llvm.emit_c_interface} {")


class CudaRequest(Request):
    """The arguments of one contraction of arrays of a GPU."""

    arrays = _cuda_arrays

    def run(self):
        if self.tuned is not None:
            raise ValueError("expected no tuned of arrays of a GPU: what tileir.tune finds is for the CPU")
        self.prepare()
        devices = {array.device for array in (*self.arrays_on_gpu, *([self.out] if self.out is not None else ()))}
        device = _cuda_arrays.get_common_device(devices, ShapeError)
        program, description, shape = self._find(device)
        self.check_result(shape)
        if self.tables and self.checked:
            failure = _native.check_tables(description, self.host_tables)
            if failure is not None:
                raise self._get_error(failure)
        out = self.out
        if out is not None:
            self._check_overlap()
        else:
            out = self.arrays.make(shape, self.result_code, self.arrays_on_gpu[0])
        if 0 not in shape:
            stream = self.arrays.get_stream(self.arrays_on_gpu[0])
            program.run([_get_memory(value) for value in (*self.inputs, out)], stream)
        return self._given_out if self._given_out is not None else out.owner

    def prepare(self):
        super().prepare()
        tables = slice(len(self.operands), len(self.operands) + len(self.tables))
        self.host_tables = self.inputs[tables]
        self.arrays_on_gpu = self.inputs[:tables.start] + self.inputs[tables.stop:]

    def _find(self, device):
        """The program for these arrays, the description that it is made from, and the shape of the result."""
        described = [self.describe(value) for value in self.inputs]
        key = self.spec, self.options, device, self.result_code, tuple(map(_freeze, described))
        found = programs_on_gpu.find(key)
        if found is None:
            found = self._compile(device)
            programs_on_gpu.add(key, found)
        return found

    def _compile(self, device):
        # The result is in C order; an out of another shape is refused with that.
        out, self.out = self.out, None
        description, self.out = self.make_description(), out
        text = _native.print_program(description)
        if type(text) is _native.Failure:
            raise self._get_error(text)
        shapes = [tuple(self.describe(value)[1]) for value in self.inputs]
        count = len(self.operands)
        specification = Specification(self.spec, shapes[:count])
        terms = Terms(specification.text)
        sizes = infer_sizes(terms, [[shape[axis] for axis in axes] for shape, axes in zip(shapes, specification.axes)],
                            dict(zip(self.tables, shapes[count:])), self.sizes or {}, self.pad == "zero")
        shape = tuple(sizes[letter] for letter in terms.result)
        program = None
        if 0 not in shape:
            on_host = range(count, count + len(self.tables))
            try:
                program = GpuProgram(text, "operation", "einsum-to-nvvm-pipeline", device, on_host)
            except ImportError as error:
                raise CompileError(f"expected the module tileir._ir, which compiles for GPUs: {error}") from None
            except (RuntimeError, ValueError) as error:
                raise CompileError(str(error), self.spec) from error
        return program, description, shape

    def describe(self, value, is_output=False):
        return super().describe(value) if isinstance(value, np.ndarray) else self.arrays.describe(value)


def _freeze(described):
    code, shape, strides = described
    return code, tuple(shape), tuple(strides)


def _get_memory(value):
    """Where the elements of an argument are, and its shape."""
    if isinstance(value, np.ndarray):
        return value.ctypes.data, list(value.shape)
    return value.address, list(value.shape)
