# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures that notebooks show."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Drawing:
    """A picture as SVG."""

    svg: str

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        """Writes it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def __repr__(self):
        return f"<tileir.Drawing of {len(self.svg)} characters>"
