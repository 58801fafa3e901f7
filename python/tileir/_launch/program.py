# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of MLIR, Triton-C and Triton's IR, as files or texts, and the types of their functions."""

import functools
import re
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .._tools import find_beside
from . import findings
from .errors import RunError

SUFFIXES = (".mlir", ".c", ".ttir")
_FUNCTION = re.compile(r"\b(func|tt)\.func\s+(?:public\s+)?@(\"?)([\w$.-]+)\2\s*\(")
_ALIAS = re.compile(r"^(![\w.-]+) = (.*)$", re.M)


@dataclass(frozen=True)
class Signature:
    """The names and types of the arguments of a function, and the types of its results, as its text has them."""

    name: str
    names: tuple
    arguments: tuple
    results: tuple
    is_kernel: bool


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


class Program:
    """A program: the path of a file, or a text. `defines` are macros of Triton-C, and `includes` the folders of its files."""

    def __init__(self, source, defines=None, includes=(), tile_run=None):
        text = str(source)
        self.is_text = "\n" in text or "func.func" in text
        self.tile_run = tile_run
        if self.is_text:
            self.source = text
            self.suffix = ".ttir" if "tt.func" in text else ".mlir" if re.search(r"\b(func\.func|module|gpu\.)\b", text) else ".c"
        else:
            self.path = Path(source).resolve()
            self.suffix = self.path.suffix
            if self.suffix not in SUFFIXES:
                raise RunError(f"expected a program of MLIR (.mlir), Triton-C (.c) or Triton (.ttir), or its text, found {text!r}")
            self.source = self.path.read_text()
        if defines and self.suffix != ".c":
            raise RunError(f"expected a program of Triton-C with macros ({', '.join(defines)}), found {self.suffix[1:]}")
        self.options = [f"-D{name}={_format(value)}" for name, value in (defines or {}).items()]
        self.options += [f"-I{Path(folder).resolve()}" for folder in includes]

    @contextmanager
    def file(self):
        """The path of its file, for a while."""
        if not self.is_text:
            yield self.path
            return
        with tempfile.TemporaryDirectory(prefix="tileir-") as folder:
            path = Path(folder, "program" + self.suffix)
            path.write_text(self.source)
            yield path

    def get_hidden(self, path):
        """What messages are not to tell of the path: where a text is for a while."""
        return f"{path.parent}/" if self.is_text else ""

    def call(self, tool, *options, error=RunError):
        """What a tool beside tile-run prints of it."""
        with self.file() as path:
            done = subprocess.run([find_beside(tool, self.tile_run, error), str(path), *options], capture_output=True, text=True)
        if done.returncode:
            hidden = self.get_hidden(path)
            raise findings.failure("the program", done.stderr.strip().replace(hidden, "") if hidden else done.stderr.strip(), {}, error)
        return done.stdout

    @functools.cached_property
    def text(self):
        """It in the tile dialect, or as MLIR as it is."""
        if self.suffix == ".c":
            return self.call("tile-translate", "--import-triton-c", *self.options)
        if self.suffix == ".ttir":
            return self.call("tile-opt", "--convert-triton-to-tile")
        return self.source

    @functools.cached_property
    def functions(self):
        """The signatures of its functions, by their names."""
        # Arguments have their names where locations are printed; in Triton's IR as values, too.
        text = self.source
        if self.suffix == ".c":
            text = self.call("tile-translate", "--import-triton-c", "--mlir-print-debuginfo", *self.options)
        aliases = dict(_ALIAS.findall(text))
        functions = {}
        for found in _FUNCTION.finditer(text):
            arguments, rest = _split(text[found.end():])
            names, types = [], []
            for part in arguments:
                value, colon, kind = part.partition(":")
                name = re.search(r'loc\("([^"]+)"(?:\(|\))', kind)
                names.append(name[1] if name else value.strip().lstrip("%"))
                kind = re.split(r"\{| loc\(", kind if colon else value)[0].strip()
                types.append(aliases.get(kind, kind))
            results = []
            if arrow := re.match(r"\s*->\s*(\()?", rest):
                after = rest[arrow.end():]
                results = _split(after)[0] if arrow[1] else [re.match(r"[\w!.]+(<[^{]*>)?", after)[0]]
                results = [aliases.get(kind, kind) for kind in (part.split("{")[0].strip() for part in results)]
            attributes = rest[:rest.find("{\n")]
            is_kernel = found[1] == "tt" or "tile.kernel" in attributes
            functions[found[3]] = Signature(found[3], tuple(names), tuple(types), tuple(results), is_kernel)
        return functions

    def find(self, entry, is_kernel=False):
        """The signature of a function, or of a kernel: of `entry`, by default of @main or of the only one."""
        what = "kernel" if is_kernel else "function"
        known = {name: function for name, function in self.functions.items() if function.is_kernel or not is_kernel}
        if entry is None:
            hosts = [name for name, function in known.items() if function.is_kernel == is_kernel]
            entry = "main" if "main" in known or len(hosts) != 1 else hosts[0]
        if entry not in known:
            raise RunError(f"expected a {what} @{entry}, found {', '.join('@' + name for name in known) or 'none'}: name one "
                           "by entry")
        return known[entry]


def _format(value):
    return "[" + ", ".join(map(str, value)) + "]" if isinstance(value, (list, tuple)) else str(value)
