# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of tiles on arrays of NumPy and tensors of torch: programs of Triton-C, of the tile dialect and of Triton."""

import inspect
import operator
import tempfile
from pathlib import Path

import numpy as np

from tileir._drawings import Drawing
from tileir._launch import files, findings
from tileir._launch.arguments import Parameter
from tileir._launch.array import Array
from tileir._launch.buffers import Buffers
from tileir._launch.errors import ArgumentError, KernelFault, LaunchError
from tileir._launch.program import Program
from tileir._launch.runner import get_runner
from tileir._tools import find_tile_run
from tileir.programs import run_function

BACKENDS = ("cpu", "interp", "sim", "cuda")
# Element types of MLIR by Triton's names, and which arrays have them.
ELEMENTS = {"i1": ("i1", ("bool",)), "i8": ("i8", ("int8", "uint8")), "i16": ("i16", ("int16", "uint16")),
             "i32": ("i32", ("int32", "uint32")), "i64": ("i64", ("int64", "uint64")), "index": ("i64", ("int64",)),
             "f16": ("fp16", ("float16",)), "bf16": ("bf16", ("bfloat16",)), "f32": ("fp32", ("float32",)),
             "f64": ("fp64", ("float64",)), "f8E4M3FN": ("fp8e4nv", ("float8_e4m3fn",)), "f8E5M2": ("fp8e5", ("float8_e5m2",))}


def kernel(program, defines=None, entry=None, *, backend="cpu", chip=None, check=None, bounds="tensor", includes=(), options=(),
           tile_run=None, timeout=600.0, key=None, tune=None):
    """A kernel of a program, a file (.c, .mlir, .ttir) or its text, or of the folder of a bundle, which is launched on a grid:

    >>> add = tileir.kernel("add.c", {"TN": 128})
    >>> add[(8,)](1000, a, b, c)

    Arrays of NumPy and tensors of torch are read and written where they are. A grid is a number, up to three of them, or a
    function of the arguments by name, and macros, that returns them. Without a grid the kernel's host function is called: that
    of '#pragma tile grid', or @main. Faults raise KernelFault with their place, and all else RunError.

    defines: macros of Triton-C; of lists of values those are taken that tuning finds to be fastest, once for the sizes and values
        of the arguments that are named in `key`, or of all; `tune` has options of `tileir.tune` for that, as a dictionary.
    includes: folders of files that it includes. entry: the kernel, if there are several.
    backend: "cpu" (compiled; what leaves its array is found, but not where in the source), "interp" (the reference interpreter, which
        checks each access), "sim" (a simulated GPU, `chip`, which finds races, too), or "cuda": a GPU of this machine, for arrays
        in its memory, by kernel[grid](..., stream=...); without a stream that of torch, or of the arrays. Nothing waits.
    check: "interp": compare with the interpreter.
    bounds: what a pointer may reach: from the first to the last element of its "tensor", or all of its "storage".
    options: more options of tile-run. tile_run: the program, or its folder; by default by TILEIR_BIN, or on the PATH.
    """
    if _is_bundle(program):
        from tileir.bundles import BundleKernel

        return BundleKernel(program, entry)
    rest = backend, chip, check, bounds, includes, options, tile_run, timeout
    if any(isinstance(value, (list, tuple)) for value in (defines or {}).values()):
        from tileir.tuned_kernels import TunedKernel

        return TunedKernel(program, defines, entry, key, tune, *rest)
    if key is not None or tune is not None:
        raise TypeError("expected a macro with a list of values in defines, with key and tune, found none")
    return Kernel(program, defines, entry, *rest)


def _is_bundle(program):
    text = str(program)
    return "\n" not in text and "{" not in text and Path(text, "manifest.json").is_file()


class Kernel:
    """A kernel that `tileir.kernel` made. report: what tile-run told of the last launch (--report). roofline: a drawing of
    the last launch on the simulated GPU, or None."""

    def __init__(self, program, defines, entry, backend, chip, check, bounds, includes, options, tile_run, timeout):
        for name, value, known in (("backend", backend, BACKENDS), ("check", check, (None, "interp")),
                                   ("bounds", bounds, ("tensor", "storage"))):
            if value not in known:
                raise ValueError(f"expected {name} to be one of {', '.join(map(repr, known))}, found {value!r}")
        if chip is not None and backend != "sim":
            raise ValueError(f"expected backend='sim' with chip={chip!r}, found {backend!r}")
        self.defines, self.backend, self.bounds, self.timeout = dict(defines or {}), backend, bounds, timeout
        self._program = Program(program, defines, includes, find_tile_run(tile_run, LaunchError))
        self._entry, self.chip, self.includes = entry, chip, tuple(includes)
        self._options = [*[f"--chip={chip}"] * (chip is not None), *[f"--check={check}"] * (check is not None),
                         *options]
        self.report, self.roofline, self._launcher = {}, None, None

    @property
    def name(self):
        return self._program.find(self._entry, is_kernel=True).name

    @property
    def signature(self):
        """Its arguments, as Python tells of functions."""
        found = self._program.find(self._entry, is_kernel=True)
        return inspect.Signature([inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=kind)
                                  for name, kind in zip(found.names, found.arguments)])

    def __repr__(self):
        found = self._program.find(self._entry, is_kernel=True)
        arguments = ", ".join(f"{name}: {kind}" for name, kind in zip(found.names, found.arguments))
        return f"<tileir.Kernel {found.name}({arguments}) on {self.backend}>"

    def __getitem__(self, grid):
        def launch(*args, stream=None, **named):
            self._launch(grid, args, named, stream)

        return launch

    def __call__(self, *args, **named):
        if self.backend == "cuda":
            raise LaunchError(f"expected a grid for backend='cuda': launch kernel {self.name} by kernel[grid](...)")
        host = self.find_host()
        flat = self.flatten(host, self._bind(host, args, named))
        result, self.report = run_function(self._program, flat, host.name, self.backend, self._options, self.timeout)
        return result

    def find_host(self):
        """The signature of the function that launches it on its own grid."""
        hosts = [function for function in self._program.functions.values() if not function.is_kernel]
        if not hosts:
            raise LaunchError(f"kernel {self.name} has no grid of its own: launch it by kernel[grid](...), or say '#pragma tile grid' "
                              "before it")
        names = [function.name for function in hosts]
        return self._program.find("main_" + self.name if "main_" + self.name in names else None)

    def flatten(self, host, values):
        """Values as arguments of the host function, which for pointers are arrays of one axis."""
        return [self._flatten(name, kind, value) for name, kind, value in zip(host.names, host.arguments, values)]

    def ir(self, passes=None):
        """Its program in the tile dialect, or what `passes` make of that: a pipeline as of tile-opt."""
        if passes is None:
            return self._program.text
        return Program(self._program.text, tile_run=self._program.tile_run).call("tile-opt", f"--pass-pipeline={passes}",
                                                                                 error=LaunchError)

    def ptx(self, chip=None):
        """Its code for a GPU."""
        options = [f"--chip={chip}"] * (chip is not None)
        return self._program.call("tile-translate", "--tile-to-ptx", *self._program.options, *options, error=LaunchError)

    @staticmethod
    def _flatten(name, kind, value):
        if kind != "memref<?x" + files.get_element(kind) + ">" or not hasattr(value, "shape"):
            return _as_number(kind, value)
        memory = files.as_memory(value)
        if not memory.flags.c_contiguous:
            raise ArgumentError(f"argument {name!r}: expected an array in C order, found strides of {memory.strides} bytes: launch the "
                                "kernel on a grid, by kernel[grid](...), or pass a copy")
        return value.reshape(-1)

    def _bind(self, function, args, named):
        """The values of arguments by place."""
        values = dict(zip(function.names, args))
        unknown = [name for name in named if name not in function.names]
        twice = [name for name in named if name in values]
        if len(args) > len(function.names) or unknown or twice or len(values) + len(named) != len(function.names):
            what = f"no {unknown[0]!r}" if unknown else f"{twice[0]!r} twice" if twice else f"{len(args) + len(named)}"
            raise TypeError(f"expected {len(function.names)} arguments of {function.name} ({', '.join(function.names)}), found {what}")
        values.update(named)
        return [values[name] for name in function.names]

    def _launch(self, grid, args, named, stream):
        function = self._program.find(self._entry, is_kernel=True)
        if stream is not None and self.backend != "cuda":
            raise TypeError(f"expected backend='cuda' with a stream, found {self.backend!r}")
        values = self._bind(function, args, named)
        grid = get_grid(grid, {**self.defines, **dict(zip(function.names, values))})
        if self.backend == "cuda":
            self._launch_on_gpu(function, grid, values, stream)
            return
        parameters = [_get_parameter(*described) for described in zip(function.names, function.arguments, values)]
        if 0 in grid:
            return
        with tempfile.TemporaryDirectory(prefix="tileir-") as folder, self._program.file() as path:
            buffers = Buffers(folder, parameters, self.bounds, typed=True)
            report = Path(folder, "report.json")
            words = [str(path), f"--entry={function.name}", f"--backend={self.backend}", "--grid=" + ",".join(map(str, grid)),
                     f"--report={report}", *self._program.options, *self._options, *buffers.get_options()]
            roofline = Path(folder, "roofline.svg")
            if self.backend == "sim" and not any(option.startswith("--roofline") for option in self._options):
                words.append(f"--roofline={roofline}")
            status, output = get_runner(self._program.tile_run).run(words, self.timeout)
            if status is None:
                raise LaunchError(f"kernel {function.name} did not end in {self.timeout:g} s: give a longer timeout")
            found, self.report = findings.judge(f"kernel {function.name}", status, output, report, dict(enumerate(function.names)),
                                                self.backend, hidden=self._program.get_hidden(path))
            buffers.write_back()
            self.roofline = Drawing(roofline.read_text()) if roofline.exists() else None
        if found:
            raise KernelFault(function.name, grid, self.backend, found)

    def _launch_on_gpu(self, function, grid, values, stream):
        if self._launcher is None:
            from tileir._cuda_kernels import CudaLauncher

            self._launcher = CudaLauncher(self._program, function)
        for name, kind, value in zip(function.names, function.arguments, values):
            if "<" not in kind:
                _get_parameter(name, kind, value)
        if 0 not in grid:
            self._launcher.launch(grid, values, stream)


def get_grid(grid, arguments):
    """The sizes of a grid, or of what a function of arguments says that it is."""
    sizes = grid(arguments) if callable(grid) else grid
    sizes = tuple(sizes) if isinstance(sizes, (tuple, list)) else (sizes,)
    try:
        sizes = tuple(operator.index(size) for size in sizes)
    except TypeError:
        raise TypeError(f"expected a grid of 1 to 3 numbers, found {sizes}") from None
    if not 1 <= len(sizes) <= 3 or min(sizes) < 0:
        raise ValueError(f"expected a grid of 1 to 3 numbers that are not negative, found {sizes}")
    return sizes


def _get_parameter(name, kind, value):
    """An argument as launches take it, of the type that fits."""
    element = files.get_element(kind)
    if element not in ELEMENTS:
        raise ArgumentError(f"argument {name!r} ({kind}): expected elements of {', '.join(ELEMENTS)}")
    short, wanted = ELEMENTS[element]
    if "<" not in kind:
        if hasattr(value, "shape") and value.shape == ():
            value = value.item()
        if not isinstance(value, (bool, int, float)):
            raise ArgumentError(f"argument {name!r} ({kind}): expected a number, found {type(value).__name__}")
        if isinstance(value, float) and short[0] == "i":
            raise ArgumentError(f"argument {name!r} ({kind}): expected an integer, found {value}")
        return Parameter(name, short, value)
    is_array = isinstance(value, np.ndarray)
    if not is_array and not files.is_tensor(value):
        raise ArgumentError(f"argument {name!r} ({kind}): expected an array of NumPy or a tensor of torch, found {type(value).__name__}")
    found = files.get_dtype_name(value)
    if found not in wanted:
        raise ArgumentError(f"argument {name!r} ({kind}): expected elements of {wanted[0]}, found {found}")
    if kind.startswith("memref"):
        return Parameter(name, "memref", value)
    return Parameter(name, "*" + short, Array(value) if is_array else value)


def _as_number(kind, value):
    """A number as the array without axes that a host function takes; other values as they are."""
    element = files.get_element(kind)
    if hasattr(value, "shape") or element not in ELEMENTS:
        return value
    return np.asarray(value, ELEMENTS[element][1][0])
