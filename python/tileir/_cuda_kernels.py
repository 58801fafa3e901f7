# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of kernels of tiles on a GPU of this machine, of arrays that are in its memory, on a stream of the caller.

A kernel gets a function of host code that launches it. Numbers are read from memory of the CPU; that one is 1, or divided
by 16, is known to passes, as in Triton, so that code is made anew where that changes.
"""

import numpy as np

from tileir._arrays import TYPES, get_dtype
from tileir._cuda import GpuProgram
from tileir._cuda_arrays import ALIGNMENT, get_common_device, get_device, is_in_c_order
from tileir._launch import files
from tileir._launch.errors import ArgumentError, LaunchError

_ENTRY = "tileir_launch"
_FACTOR = 16


class CudaLauncher:
    """Launches one kernel of a program."""

    def __init__(self, program, function):
        self._program, self._function = program, function
        self._compiled = {}

    def launch(self, grid, values, stream):
        """Launches it with `values` of its arguments."""
        sizes = np.ones(3, np.int64)
        sizes[:len(grid)] = grid
        arguments, kinds, arrays, devices = [(sizes.ctypes.data, [3])], [], [], set()
        for name, kind, value in zip(self._function.names, self._function.arguments, values):
            if "<" in kind:
                address, shape, device = _read(f"argument {name!r} ({kind})", kind, value)
                arguments.append((address, shape))
                devices.add(device)
                kinds.append("array")
                arrays.append(value)
            else:
                number, known = _read_number(kind, value)
                arguments.append((number.ctypes.data, []))
                kinds.append(known)
                arrays.append(number)
        device = get_common_device(devices, ArgumentError)
        try:
            self._find(device, tuple(kinds)).run(arguments, get_stream(arrays, stream))
        except RuntimeError as error:
            raise LaunchError(f"kernel {self._function.name} cannot be launched: {error}") from None

    def _find(self, device, kinds):
        if (device, kinds) not in self._compiled:
            from tileir import ir

            on_host = [0] + [i + 1 for i, kind in enumerate(kinds) if kind != "array"]
            text = str(ir.parse(self._program.text)).rstrip()
            text = text[:-1] + self._write_host(kinds) + "}\n"
            self._compiled[device, kinds] = GpuProgram(text, _ENTRY, "tile-to-nvvm-pipeline", device, on_host)
        return self._compiled[device, kinds]

    def _write_host(self, kinds):
        """The function that launches it."""
        arguments, loads, operands, types = ["%sizes: memref<3xi64>"], [], [], []
        for axis in range(3):
            loads += [f"%c{axis} = arith.constant {axis} : index", f"%s{axis} = memref.load %sizes[%c{axis}] : memref<3xi64>",
                      f"%g{axis} = arith.index_cast %s{axis} : i64 to index"]
        for i, (kind, known) in enumerate(zip(self._function.arguments, kinds)):
            operands.append(f"%v{i}")
            if known == "array":
                types.append(kind if kind.startswith("memref") else f"memref<?x{files.get_element(kind)}>")
                arguments.append(f"%v{i}: {types[-1]}")
                continue
            types.append(kind)
            arguments.append(f"%a{i}: memref<{kind}>")
            if known == "1":
                loads.append(f"%v{i} = arith.constant 1 : {kind}")
            elif known == "multiple":
                loads += [f"%q{i} = memref.load %a{i}[] : memref<{kind}>", f"%f{i} = arith.constant {_FACTOR} : {kind}",
                          f"%v{i} = arith.muli %q{i}, %f{i} : {kind}"]
            else:
                loads.append(f"%v{i} = memref.load %a{i}[] : memref<{kind}>")
        launch = f"tile.launch @{self._function.name} grid(%g0, %g1, %g2) ({', '.join(operands)}) : {', '.join(types)}"
        body = "".join(f"    {line}\n" for line in [*loads, launch, "return"])
        return f"  func.func @{_ENTRY}({', '.join(arguments)}) {{\n{body}  }}\n"


def read_array(what, element, value, alignment=ALIGNMENT):
    """The address, the shape and the GPU of an array of elements of a type of MLIR, and whether it is in C order without gaps."""
    from tileir.kernels import ELEMENTS

    if files.is_tensor(value):
        from tileir import _cuda_tensors

        if not _cuda_tensors.is_on_gpu(value):
            raise ArgumentError(f"{what}: expected a tensor in the memory of a GPU, found one on {value.device}: move it with .cuda()")
        address, shape, device, dtype = value.data_ptr(), value.shape, value.device.index or 0, files.get_dtype_name(value)
        is_dense = value.is_contiguous()
    elif hasattr(value, "__cuda_array_interface__"):
        interface = value.__cuda_array_interface__
        address, shape, device = interface["data"][0] or 0, interface["shape"], get_device(value)
        dtype, is_dense = np.dtype(interface["typestr"]).name, is_in_c_order(interface)
    else:
        raise ArgumentError(f"{what}: expected an array in the memory of a GPU, found {type(value).__name__}")
    wanted = ELEMENTS[element][1]
    if dtype not in wanted:
        raise ArgumentError(f"{what}: expected elements of {wanted[0]}, found {dtype}")
    if address % alignment:
        raise ArgumentError(f"{what}: expected an address that {alignment} divides, found {address:#x}: pass a copy")
    return address, list(shape), device, is_dense


def _read(what, kind, value):
    """What a pointer or memref stands for."""
    address, shape, device, is_dense = read_array(what, files.get_element(kind), value)
    if not kind.startswith("memref"):
        return address, [int(np.prod(shape, dtype=np.int64))], device
    if "," in kind:
        raise ArgumentError(f"{what}: expected a memref without a layout on a GPU")
    sizes = kind[kind.index("<") + 1:].split("x")[:-1]
    if not is_dense or len(sizes) != len(shape) or any(size not in ("?", str(found)) for size, found in zip(sizes, shape)):
        gaps = "" if is_dense else " with gaps"
        raise ArgumentError(f"{what}: expected an array of that shape in C order, found the shape {tuple(shape)}{gaps}")
    return address, shape, device


def _read_number(kind, value):
    """A number in memory of the CPU, and what passes are to know of it."""
    if kind == "bf16":
        return np.asarray(value, get_dtype(TYPES["bfloat16"])), "number"
    dtype = {"index": "i8", "i1": "?"}.get(kind) or f"{kind[0]}{int(kind[1:]) // 8}"
    if kind[0] == "i" and kind != "i1" and value == 1:
        return np.asarray(1, dtype), "1"
    if kind[0] == "i" and kind != "i1" and value % _FACTOR == 0:
        return np.asarray(value // _FACTOR, dtype), "multiple"
    return np.asarray(value, dtype), "number"


def get_stream(arrays, stream):
    """A stream as the number of the driver: of torch, of CuPy, a number, or what arrays say."""
    if stream is not None:
        return getattr(stream, "cuda_stream", getattr(stream, "ptr", stream))
    for array in arrays:
        if files.is_tensor(array):
            import torch

            return torch.cuda.current_stream(array.device).cuda_stream
        if hasattr(array, "__cuda_array_interface__"):
            return array.__cuda_array_interface__.get("stream") or 0
    return 0
