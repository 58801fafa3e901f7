# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of MLIR on arrays of NumPy, by tile-run: files of arguments in, files of results out."""

import re
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from tileir._tools import find_tile_run

# Types that NumPy's files do not have, by the bytes of an element.
_FOREIGN = {"bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}


class RunError(RuntimeError):
    """A program could not be compiled or run. The message is what tile-run said."""


class _Signature:
    """The types of a function's arguments and results, as its text has them."""

    def __init__(self, text, entry):
        names = re.findall(r"func\.func\s+(?:public\s+)?@([\w$.-]+)\s*\(", text)
        if entry is None:
            entry = "main" if "main" in names or len(names) != 1 else names[0]
        if entry not in names:
            raise RunError(f"expected a function @{entry}, found {', '.join('@' + name for name in names) or 'none'}: name one "
                           "by entry")
        self.entry = entry
        start = re.search(r"func\.func\s+(?:public\s+)?@" + re.escape(entry) + r"\s*\(", text).end()
        arguments, rest = _split(text[start:])
        self.arguments = [part.split(":", 1)[1].split("{")[0].strip() for part in arguments]
        self.results = []
        if arrow := re.match(r"\s*->\s*(\()?", rest):
            rest = rest[arrow.end():]
            self.results = _split(rest)[0] if arrow[1] else [re.match(r"[\w!.]+(<[^{]*>)?", rest)[0]]
            self.results = [part.split("{")[0].strip() for part in self.results]


def _split(text):
    """The parts between commas up to the parenthesis that closes, and what follows it."""
    parts, depth, start = [], 0, 0
    for position, c in enumerate(text):
        if c in "([{<":
            depth += 1
        elif c == ")" and depth == 0:
            last = text[start:position]
            return parts + [last] * bool(last.strip()), text[position + 1:]
        elif c in ")]}" or (c == ">" and text[position - 1] != "-"):
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    raise RunError("expected a list of types that ends, found none: is it a function of MLIR?")


def _write(value, path):
    """Writes an argument to a file."""
    array = np.asarray(value, order="C")
    if array.dtype.kind == "V" or array.dtype.name in _FOREIGN.values():
        array = array.view(f"V{array.dtype.itemsize}")
    np.save(path, array)
    return str(path)


def _read(path, kind):
    array = np.load(path)
    element = re.search(r"(\w+)(?:,[^>]*)?>$", kind)
    if array.dtype.kind == "V" and element and element[1].split("x")[-1] in _FOREIGN:
        import ml_dtypes

        return array.view(getattr(ml_dtypes, _FOREIGN[element[1].split("x")[-1]]))
    return array


def run(program, *args, entry=None, backend="cpu", checked=False, options=(), tile_run=None, timeout=600.0):
    """Runs a function of MLIR, a file or its text, on arrays of NumPy. Returns its result, or a tuple of them if there are
    several, or None; arrays that stand for memrefs are written.

    >>> tileir.run("conv.mlir", x, w)

    entry: the function; by default @main, or the only one.
    backend: "cpu", "interp" (the reference interpreter, which checks each access) or "sim" (kernels on a simulated GPU).
    checked: whether code for the CPU checks each access. options: more options of tile-run, such as "--repeat=3".
    tile_run: the program, or its folder; by default by TILEIR_BIN, or on the PATH.
    """
    is_text = "\n" in str(program) or "func.func" in str(program)
    text = str(program) if is_text else Path(program).read_text()
    signature = _Signature(text, entry)
    if len(args) != len(signature.arguments):
        raise TypeError(f"expected {len(signature.arguments)} arguments of @{signature.entry} "
                        f"({', '.join(signature.arguments)}), found {len(args)}")
    memrefs = [i for i, kind in enumerate(signature.arguments) if kind.startswith("memref")]
    for i in memrefs:
        if not isinstance(args[i], np.ndarray):
            raise TypeError(f"expected an array of NumPy for argument {i}, a {signature.arguments[i]} that may be written, found "
                            f"{type(args[i]).__name__}")
    command = [find_tile_run(tile_run, RunError)]
    with tempfile.TemporaryDirectory(prefix="tileir-") as folder:
        path = Path(folder, "program.mlir") if is_text else Path(program)
        if is_text:
            path.write_text(text)
        inputs = [_write(value, Path(folder, f"input{i}.npy")) for i, value in enumerate(args)]
        outputs = [Path(folder, f"output{i}.npy") for i in range(len(signature.results) + len(memrefs))]
        command += [str(path), f"--entry={signature.entry}", f"--backend={backend}", *["--checked"] * bool(checked), *options]
        command += [f"--inputs={','.join(inputs)}"] * bool(inputs) + [f"--outputs={','.join(map(str, outputs))}"] * bool(outputs)
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            raise RunError(f"expected @{signature.entry} to end within {timeout} s: give a longer timeout") from None
        if done.returncode:
            raise RunError(done.stdout.strip() or f"tile-run ended with status {done.returncode}")
        results = [_read(output, kind) for output, kind in zip(outputs, signature.results)]
        for i, output in zip(memrefs, outputs[len(results):]):
            args[i][...] = _read(output, signature.arguments[i])
    return results[0] if len(results) == 1 else tuple(results) or None
