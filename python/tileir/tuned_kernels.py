# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose macros have lists of values, of which the fastest are found when they are launched."""

import itertools

from tileir._launch import files
from tileir.kernels import Kernel, get_grid
from tileir.tuning import tune


class TunedKernel(Kernel):
    """A kernel that is tuned for each key: the sizes and values of the arguments that are named in it, or of all. What was
    measured is kept in the file of results, so that another process measures nothing again."""

    def __init__(self, program, defines, entry, key, options, *rest):
        super().__init__(program, defines, entry, *rest)
        self._source, self._rest = (program, entry), rest
        self._key, self._tune = key, dict(options or {})
        self._kernels = {}

    def best(self, *args, grid=None, **named):
        """The macros that are used for arguments, with or without a grid; tunes if that is not known."""
        return dict(self._choose(grid, args, named).defines)

    def __getitem__(self, grid):
        def launch(*args, **named):
            self._run(self._choose(grid, args, named), lambda kernel: kernel[grid](*args, **named))

        return launch

    def __call__(self, *args, **named):
        return self._run(self._choose(None, args, named), lambda kernel: kernel(*args, **named))

    def _run(self, kernel, run):
        result = run(kernel)
        self.report, self.roofline = kernel.report, kernel.roofline
        return result

    def _choose(self, grid, args, named):
        """The kernel with the macros that are best for a launch."""
        function = self.find_host() if grid is None else self._program.find(self._entry, is_kernel=True)
        values = self._bind(function, args, named)
        unknown = [name for name in self._key or () if name not in function.names]
        if unknown:
            raise ValueError(f"expected key to have names of arguments ({', '.join(function.names)}), found {unknown[0]!r}")
        numbers = [i for i, name in enumerate(function.names) if self._key is None or name in self._key]
        key = grid is None, *(_describe(values[i]) for i in numbers)
        if key not in self._kernels:
            self._kernels[key] = self._measure(grid, function, values, numbers)
        return self._kernels[key]

    def _measure(self, grid, function, values, numbers):
        if self.backend not in ("cpu", "sim"):
            raise ValueError(f"expected backend 'cpu' or 'sim' where macros have lists of values, found {self.backend!r}")
        program, entry = self._source
        options = {"measure": self.backend, "chip": self.chip, "timeout": self.timeout, "progress": False, **self._tune}
        if grid is None:
            values, entry = self.flatten(function, values), function.name
        else:
            options["grid"] = self._get_only_grid(grid, dict(zip(function.names, values)))
        found = tune(program, *values, defines=self.defines, entry=entry, key=numbers, tile_run=self._program.tile_run,
                     includes=self.includes, **{**options, "timeout": max(1, round(options["timeout"]))})
        chosen = {name: int(value) if value.lstrip("-").isdigit() else value for name, value in found.best.values.items()}
        return Kernel(program, {**self.defines, **chosen}, self._source[1], *self._rest)

    def _get_only_grid(self, grid, arguments):
        """The grid, which must be the same for all values: one process measures all of them."""
        lists = {name: value for name, value in self.defines.items() if isinstance(value, (list, tuple))}
        grids = {get_grid(grid, {**self.defines, **dict(zip(lists, each)), **arguments}) for each in itertools.product(*lists.values())}
        if len(grids) > 1:
            raise ValueError(f"expected a grid that does not depend on {', '.join(lists)}, which have lists of values: say "
                             "'#pragma tile grid' before the kernel, and call it without a grid")
        return grids.pop()


def _describe(value):
    return (files.get_dtype_name(value), *value.shape) if hasattr(value, "shape") else value
