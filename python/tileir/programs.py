# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of programs on arrays of NumPy and tensors of torch, by tile-run: files of arguments in, files of results out."""

import tempfile
from pathlib import Path

import numpy as np

from tileir._launch import files, findings
from tileir._launch.errors import KernelFault, RunError
from tileir._launch.program import Program
from tileir._launch.runner import get_runner
from tileir._tools import find_tile_run


def run(program, *args, entry=None, backend="cpu", checked=False, options=(), tile_run=None, timeout=600.0):
    """Runs a function of a program, a file or its text, on arrays of NumPy or tensors of torch. Returns its result, or a
    tuple of them if there are several, or None, as what argument 0 is; arrays that stand for memrefs are written. What the
    run finds wrong raises KernelFault with its place in the program, all else RunError.

    >>> tileir.run("conv.mlir", x, w)

    entry: the function; by default @main, or the only one.
    backend: "cpu", "interp" (the reference interpreter, which checks each access) or "sim" (kernels on a simulated GPU).
    checked: whether code for the CPU checks each access. options: more options of tile-run, such as "--repeat=3".
    tile_run: the program, or its folder; by default by TILEIR_BIN, or on the PATH.
    """
    if not isinstance(program, Program):
        program = Program(program, tile_run=find_tile_run(tile_run, RunError))
    return run_function(program, args, entry, backend, [*["--checked"] * bool(checked), *options], timeout)[0]


def run_function(program, args, entry, backend, options, timeout):
    """What a function of `program` gives, and the report of tile-run."""
    signature = program.find(entry)
    if len(args) != len(signature.arguments):
        raise TypeError(f"expected {len(signature.arguments)} arguments of @{signature.name} "
                        f"({', '.join(signature.arguments)}), found {len(args)}")
    memrefs = [i for i, kind in enumerate(signature.arguments) if kind.startswith("memref")]
    for i in memrefs:
        if not isinstance(args[i], np.ndarray) and not files.is_tensor(args[i]):
            raise TypeError(f"expected an array of NumPy for argument {i}, a {signature.arguments[i]} that may be written, found "
                            f"{type(args[i]).__name__}")
    as_tensor = bool(args) and files.is_tensor(args[0])
    with tempfile.TemporaryDirectory(prefix="tileir-") as folder, program.file() as path:
        inputs = [files.save(value, Path(folder, f"input{i}.npy")) for i, value in enumerate(args)]
        outputs = [Path(folder, f"output{i}.npy") for i in range(len(signature.results) + len(memrefs))]
        report = Path(folder, "report.json")
        words = [str(path), f"--entry={signature.name}", f"--backend={backend}", f"--report={report}", *program.options, *options]
        words += [f"--inputs={','.join(inputs)}"] * bool(inputs) + [f"--outputs={','.join(map(str, outputs))}"] * bool(outputs)
        status, output = get_runner(program.tile_run).run(words, timeout)
        if status is None:
            raise RunError(f"expected @{signature.name} to end within {timeout} s: give a longer timeout")
        names = dict(enumerate(signature.names))
        found, told = findings.judge(f"@{signature.name}", status, output, report, names, backend, RunError,
                                     program.get_hidden(path))
        if found:
            raise KernelFault(signature.name, None, backend, found)
        results = [files.load(path, kind, as_tensor) for path, kind in zip(outputs, signature.results)]
        for i, path in zip(memrefs, outputs[len(results):]):
            files.write_back(path, args[i])
    return (results[0] if len(results) == 1 else tuple(results) or None), told
