# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that `tile-translate --emit-bundle` built ahead of time, launched on a GPU of this machine. Nothing is compiled but
the PTX, by the driver."""

from tileir import _native
from tileir._cuda_arrays import get_common_device
from tileir._cuda_kernels import get_stream, read_array
from tileir._launch.errors import ArgumentError, LaunchError


class BundleKernel:
    """A kernel of a bundle. It is called with arrays in the memory of a GPU, and numbers, on the grid of the manifest, or by
    kernel[grid](...); stream: as of `tileir.kernel`. spec: the contractions that it computes. arguments: the types of what it
    is called with, with "?" for sizes that are not known. Where it does not take their sizes, its fallback is launched."""

    def __init__(self, folder, entry=None):
        try:
            self._bundle = _native.Bundle(str(folder))
        except RuntimeError as error:
            raise LaunchError(str(error)) from None
        kernels = {name: rest for name, *rest in self._bundle.kernels}
        fallbacks = {fallback for *_, fallback in kernels.values()}
        firsts = [name for name in kernels if name not in fallbacks]
        if entry is None and len(firsts) == 1:
            entry = firsts[0]
        if entry not in kernels:
            raise LaunchError(f"expected a kernel of the bundle ({', '.join(kernels)}), found {entry}: name one by entry")
        self.name = entry
        self.spec, self._arguments, self._has_grid, _ = kernels[entry]

    @property
    def arguments(self):
        return [f"{kind}[{'x'.join('?' if size < 0 else str(size) for size in shape)}]" if is_buffer else kind
                for is_buffer, kind, shape, _ in self._arguments]

    def __repr__(self):
        return f"<tileir.BundleKernel {self.name}({', '.join(self.arguments)})>"

    def __getitem__(self, grid):
        from tileir.kernels import get_grid

        sizes = get_grid(grid, {})
        return lambda *args, stream=None: self._launch((*sizes, 1, 1)[:3], args, stream)

    def __call__(self, *args, stream=None):
        if not self._has_grid:
            raise LaunchError(f"kernel {self.name} has no grid in the manifest: launch it by kernel[grid](...)")
        self._launch(None, args, stream)

    def _launch(self, grid, args, stream):
        if len(args) != len(self._arguments):
            raise TypeError(f"expected {len(self._arguments)} arguments of {self.name} ({', '.join(self.arguments)}), found {len(args)}")
        values, devices = [], set()
        for i, (value, (is_buffer, kind, _, alignment), told) in enumerate(zip(args, self._arguments, self.arguments)):
            what = f"argument {i} ({told})"
            if not is_buffer:
                values.append((_get_number(what, kind, value), []))
                continue
            address, shape, device, is_dense = read_array(what, kind, value, alignment)
            if not is_dense:
                raise ArgumentError(f"{what}: expected an array in C order without gaps: pass a copy")
            values.append((address, shape))
            devices.add(device)
        device = get_common_device(devices, ArgumentError)
        try:
            self._bundle.launch(self.name, values, grid, device, get_stream(args, stream))
        except RuntimeError as error:
            raise LaunchError(str(error)) from None


def _get_number(what, kind, value):
    if hasattr(value, "shape") and value.shape == ():
        value = value.item()
    if not isinstance(value, (bool, int, float)) or (isinstance(value, float) and "f" not in kind):
        raise ArgumentError(f"{what}: expected a number, found {value!r}")
    try:
        return _native.get_number(kind, repr(value + 0))
    except ValueError as error:
        raise ArgumentError(f"{what}: {error}") from None
