# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arguments of a launch as files in a folder, and what is written back from them."""

from pathlib import Path

import numpy as np

from . import files
from .arguments import ELEMENTS, make_buffers, scalar_item
from .errors import ArgumentError


class Buffers:
    """Writes files for the memory that `parameters` (see arguments.py) may reach, and knows the `items` of --inputs and the
    names of --outputs."""

    def __init__(self, folder, parameters, bounds, typed):
        self.items, self._files, self._memrefs = [], {}, {}
        buffers, places = make_buffers(parameters, bounds, typed)
        for i, parameter in enumerate(parameters):
            if parameter.type == "memref":
                self._add_memref(folder, i, parameters)
                continue
            if i not in places:
                self.items.append(scalar_item(parameter))
                continue
            buffer, offset = places[i]
            kind = ELEMENTS[buffer.element] if typed else "i1"
            size = np.dtype(kind).itemsize
            if buffer.first == i:
                file = Path(folder, f"{i}.npy")
                np.save(file, buffer.view().view(kind))
                self._files[i] = buffer, Path(folder, f"{i}.out.npy")
                self.items.append(f"offset:{offset // size}:{file}" if offset else str(file))
            else:
                self.items.append(f"same:{buffer.first}+{offset // size}")

    def _add_memref(self, folder, i, parameters):
        """An array by itself, with its shape, whatever its strides."""
        value = parameters[i].value
        for other in self._memrefs:
            if np.may_share_memory(files.as_memory(self._memrefs[other][0]), files.as_memory(value)):
                raise ArgumentError(f"arguments {parameters[other].path!r} and {parameters[i].path!r} share memory: expected memrefs "
                                    "that do not")
        self._memrefs[i] = value, Path(folder, f"{i}.out.npy")
        self.items.append(files.save(value, Path(folder, f"{i}.npy")))

    def get_options(self, *more_items):
        """Those of tile-run for the arguments."""
        written = {i: str(file) for i, (_, file) in {**self._files, **self._memrefs}.items()}
        items, outputs = [*self.items, *more_items], [written[i] for i in sorted(written)]
        return [f"--inputs={','.join(items)}"] * bool(items) + [f"--outputs={','.join(outputs)}"] * bool(outputs)

    def write_back(self):
        """Writes what a kernel has written to the memory of the arguments, as far as it ran."""
        for value, file in self._memrefs.values():
            if file.exists():
                files.write_back(file, value)
        for buffer, file in self._files.values():
            if not file.exists():
                continue
            memory, after = buffer.view(), np.load(file).view(np.uint8)
            changed = memory != after
            if changed.any():
                # Not all of it: others may hold what was not written, and pages may be read-only.
                memory = memory.view()
                memory.flags.writeable = True
                memory[changed] = after[changed]
