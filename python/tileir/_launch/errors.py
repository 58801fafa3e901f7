# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What goes wrong, by name."""

import os
import re
from dataclasses import dataclass


class TileIRError(Exception):
    """All errors of this package."""


class OptionError(TileIRError, ValueError):
    """An option of install() that is none, or tools that are not there."""


class ArgumentError(TileIRError, TypeError):
    """An argument of a launch that cannot be passed to a kernel here."""


class RunError(TileIRError, RuntimeError):
    """A program or a kernel that could not be compiled or run. `place` is (file, line) of its source, where that is
    known."""

    def __init__(self, message, place=None):
        super().__init__(message)
        self.place = place


class LaunchError(RunError):
    """A kernel that does not run: TileIR lacks something that it uses, or tile-run failed."""


LIBRARY = re.compile(r"[/\\]triton[/\\]language[/\\]")


def shorten(file):
    """A path as it is seen from the current folder, if it is in there."""
    here = os.getcwd() + os.sep
    return file[len(here):] if file.startswith(here) else file


@dataclass(frozen=True)
class Finding:
    """A fault of a kernel. `kind` is that of the simulator (docs/simulator-faults.md), or "check" where the
    interpreter or compiled code stopped. `stack` has (file, line, column) of the operation and of the calls that it was
    inlined by, innermost first; `file`, `line` and `column` are the first of them that is not in Triton's own library."""

    kind: str
    message: str
    stack: tuple

    @property
    def place(self):
        own = [frame for frame in self.stack if not LIBRARY.search(frame[0])]
        return (own or self.stack or [("", 0, 0)])[0]

    file = property(lambda self: self.place[0])
    line = property(lambda self: self.place[1])
    column = property(lambda self: self.place[2])

    def __str__(self):
        text = f"{shorten(self.file)}:{self.line}:{self.column}: {self.kind}: {self.message}"
        at = self.stack.index(self.place) if self.stack else 0
        text += "".join(f"\n    in {shorten(file)}:{line}" for file, line, _ in self.stack[:at])
        return text + "".join(f"\n    called from {shorten(file)}:{line}" for file, line, _ in self.stack[at + 1:])


class KernelFault(RunError):
    """What was found while a kernel, or a whole program (whose `grid` is None), ran. `findings` has all of it; `file` and
    `line` are those of the first."""

    def __init__(self, kernel, grid, backend, findings):
        self.kernel, self.grid, self.backend, self.findings = kernel, grid, backend, findings
        self.file, self.line = findings[0].file, findings[0].line
        count = "1 fault" if len(findings) == 1 else f"{len(findings)} faults"
        what = f"@{kernel}" if grid is None else f"kernel {kernel}, grid {'x'.join(map(str, grid))}"
        super().__init__(f"{count} in {what}, on {backend}\n" + "\n".join(map(str, findings)), (self.file, self.line))


# As what they are known to who catches them.
for _kind in (TileIRError, OptionError, ArgumentError, RunError, LaunchError, Finding, KernelFault):
    _kind.__module__ = "tileir"
