# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules of MLIR with the dialects and passes of TileIR: parsed, verified, run through passes, and looked at.

    >>> module = tileir.ir.parse("gemm.mlir")
    >>> module.run("einsum-fuse,canonicalize")
    >>> [op.name for op in module.walk()]

What is wrong raises IRError, which has all diagnostics, with their places. `layouts` draws the layouts of a program.
"""

import functools
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tileir import _ir
from tileir._drawings import Drawing
from tileir._launch.errors import TileIRError
from tileir._tools import find_tool

__all__ = ["Context", "Diagnostic", "Drawing", "IRError", "Module", "Operation", "PassManager", "layouts", "parse"]


@dataclass(frozen=True)
class Diagnostic:
    """What MLIR says: "error", "warning" or "remark", at a place (of no file: 0), with its notes."""

    severity: str
    message: str
    file: str
    line: int
    column: int
    notes: tuple = ()

    def __str__(self):
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        return f"{place}{self.severity}: {self.message}"


class IRError(TileIRError, ValueError):
    """A text does not parse, a module does not verify, or passes fail. `diagnostics` has all that was said; `file`,
    `line` and `column` are the place of the first error."""

    def __init__(self, what, diagnostics, text=None):
        self.diagnostics = diagnostics
        first = next((one for one in diagnostics if one.severity == "error"), None)
        self.file, self.line, self.column = (first.file, first.line, first.column) if first else ("", 0, 0)
        lines = [str(first) if first else what]
        source = (text or "").split("\n")
        if first and 0 < first.line <= len(source):
            lines += ["  " + source[first.line - 1], "  " + " " * (first.column - 1) + "^"]
        super().__init__("\n".join([*lines, *map(str, first.notes if first else ())]))


@dataclass(frozen=True)
class Operation:
    """An op as it was when the module was walked: its name, its attributes as text, types of operands and results,
    where it stands, how many ops it is in, and its text without regions."""

    name: str
    attributes: dict
    operands: tuple
    results: tuple
    file: str
    line: int
    column: int
    depth: int
    text: str

    def __str__(self):
        return "  " * self.depth + self.text


def _read(told):
    # Each op that does not verify is printed by a note, whole.
    notes = [note for note in told.notes if not note.message.startswith("see current operation: ")]
    return Diagnostic(told.severity, told.message, *told.place, tuple(map(_read, notes)))


class Context:
    """What modules share: types, attributes, dialects. Modules of one context are used by one thread at a time."""

    def __init__(self):
        self._native = _ir.Context(os.environ.get("TILEIR_PLUGIN", _ir.PLUGIN))

    def parse(self, source):
        """The module of a file of MLIR, or of its text."""
        text = str(source)
        is_path = "\n" not in text and not re.search(r"[{(]", text)
        module, told = _ir.parse(self._native, text, is_path)
        if is_path:
            text = Path(source).read_text()
        diagnostics = [_read(one) for one in told]
        if module is None:
            raise IRError("the text does not parse", diagnostics, text)
        return Module(self, module, text)

    def get_gpu_chip(self, device=0):
        """What passes call a GPU of this machine, for their option `chip`. Raises RuntimeError where there is none."""
        return self._native.get_gpu_chip(device)


@functools.lru_cache(maxsize=1)
def _get_context():
    return Context()


def parse(source, context=None):
    """The module of a file of MLIR, or of its text."""
    return (context or _get_context()).parse(source)


class Module:
    """A module, which `parse` made. str() is its text."""

    def __init__(self, context, native, source):
        self.context, self._native, self._source = context, native, source

    def __str__(self):
        return self._native.print(False, False)

    def print(self, debug_info=False, generic=False):
        """Its text, with the places of ops, or in the generic form."""
        return self._native.print(debug_info, generic)

    def verify(self):
        """Raises what is wrong."""
        self._judge("the module does not verify", *self._native.verify())

    def run(self, passes, verify_each=True):
        """Runs passes: a list as of "einsum-fuse,canonicalize", with options in braces, or a pipeline in "builtin.module(...)".
        Returns warnings and remarks. Where passes fail, the module is as they left it. What each leaves is verified; without
        `verify_each` what the last one does, in half the time."""
        found = re.fullmatch(r"\s*builtin\.module\((.*)\)\s*", passes, re.S)
        return self._judge(f"the passes '{passes}' fail", *self._native.run(found[1] if found else passes, verify_each))

    def _judge(self, what, is_right, told):
        diagnostics = [_read(one) for one in told]
        if not is_right:
            raise IRError(what, diagnostics, self._source)
        return diagnostics

    def walk(self, name=None):
        """Its ops, each before those that are in it; those of a name, or of a dialect ("tile.*")."""
        operations = [Operation(op, dict(attributes), tuple(operands), tuple(results), *place, depth, text)
                      for op, attributes, operands, results, place, depth, text in self._native.walk()]
        if name is None:
            return operations
        pattern = re.compile(re.escape(name).replace(r"\*", ".*"))
        return [op for op in operations if pattern.fullmatch(op.name)]

    def compile_for_gpu(self, entry, device=0):
        """Its function `entry`, with kernels that passes have lowered (`einsum-to-nvvm-pipeline`, `tile-to-nvvm-pipeline`), as code
        for a GPU of this machine. It is called by run(arguments, stream), with pairs of an address and a shape: of memory of
        the GPU for arguments with `tile.on_device`, which the function has no results beside, of the CPU for others. Nothing waits
        for what is put on the stream, a number as of the driver; 0: the default one."""
        return self._native.compile_for_gpu(entry, device)

    def clone(self):
        """One like it that passes can change by itself."""
        return Module(self.context, self._native.clone(), self._source)


class PassManager:
    """Passes to run on several modules."""

    def __init__(self, passes):
        self.passes = passes

    def run(self, module):
        return module.run(self.passes)


def layouts(program, passes="", tile_opt=None):
    """Drawings of the layouts of a program of tiles that has some, or that `passes` give some: a file, a text or a module."""
    text = str(program)
    if "\n" not in text:
        text = Path(program).read_text()
    with tempfile.TemporaryDirectory(prefix="tileir-") as folder:
        print_layouts = f"tile-print-layouts{{svg={folder}}}"
        passes = ",".join(filter(None, [passes, print_layouts]))
        done = subprocess.run([find_tool("tile-opt", tile_opt, TileIRError), f"--pass-pipeline=builtin.module({passes})", "-o", os.devnull],
                              input=text, capture_output=True, text=True)
        if done.returncode:
            raise TileIRError(f"the layouts cannot be drawn: {done.stderr.strip()}")
        files = sorted(Path(folder).glob("layout*.svg"), key=lambda file: int(re.sub(r"\D", "", file.stem)))
        return [Drawing(file.read_text()) for file in files]
