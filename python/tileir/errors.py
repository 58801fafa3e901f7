# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What contractions raise. Each message ends with the specification and a caret under what it is about."""


class Located(Exception):
    """An error that knows what it is about: `operand` (tables follow operands) and its `axis`, and `position`, the first
    of `length` characters of `spec`; None where there is none."""

    def __init__(self, message, spec=None, operand=None, axis=None, position=None, length=1):
        super().__init__(message if spec is None or position is None else f"{message}\n{point(spec, position, length)}")
        self.message, self.spec = message, spec
        self.operand, self.axis, self.position, self.length = operand, axis, position, length


class SpecError(Located, ValueError):
    """The specification cannot be parsed."""


class ShapeError(Located, ValueError):
    """Shapes, sizes, strides or memory of arrays do not fit the specification."""


class CheckError(Located, IndexError):
    """A table leads to a read outside of an operand."""


class CompileError(Located, RuntimeError):
    """A valid contraction could not be compiled."""


class CopyWarning(RuntimeWarning):
    """An array had to be copied, for compiled code cannot read it where it is."""


class TuneWarning(RuntimeWarning):
    """What tuning found was asked for, and there is nothing."""


def point(spec, position, length=1):
    """The specification as a line, and carets below."""
    # One column a character, whatever it is.
    line = "".join(c if c.isprintable() else "?" for c in spec)
    return f"  {line}\n  {' ' * position}{'^' * max(length, 1)}"
