# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Triton takes for the driver of a GPU: it has one device, and launches go to `Session`."""

import contextlib
from dataclasses import dataclass
from types import SimpleNamespace

from .parameters import flatten, known


@dataclass
class Launch:
    """One launch: what was run, on what, and what tile-run reported (`--report`), with counters on the simulator."""

    kernel: str
    grid: tuple
    seconds: float
    report: dict
    findings: tuple


class Utilities:
    """The part of a driver that loads binaries. A loaded function is its text."""

    def __init__(self, properties):
        self._properties = properties

    def load_binary(self, name, kernel, shared, device):
        return SimpleNamespace(), kernel, 0, 0, 1024

    def unload_module(self, module):
        pass

    def get_device_properties(self, device=0):
        return dict(self._properties)

    def set_printf_fifo_size(self, size):
        pass


class Launcher:
    """Triton makes one for each compiled kernel, and calls it for each launch."""

    def __init__(self, session, source, metadata):
        self.session, self.metadata = session, metadata
        self.signature = source.signature

    def __call__(self, x, y, z, stream, function, packed, launch_metadata, enter, exit_, *values):
        if enter:
            enter(launch_metadata)
        if x * y * z > 0:
            settings = self.session.settings
            parameters = flatten(self.signature, values, settings.chip.capability, settings.ir)
            self.session.launch(function, self.metadata, (x, y, z), parameters)
        if exit_:
            exit_(launch_metadata)


def make_driver(base, session, target, properties):
    """The active driver, a subclass of Triton's base of drivers."""

    class Driver(base):
        def __init__(self):
            self.utils = Utilities(properties)
            self.launcher_cls = lambda source, metadata: Launcher(session, source, metadata)

        @classmethod
        def is_active(cls):
            return True

        def get_current_target(self):
            return target

        def get_current_device(self):
            return 0

        def set_current_device(self, device):
            pass

        def get_current_stream(self, device=0):
            return 0

        def get_device_capability(self, device=0):
            return target.arch // 10, target.arch % 10

        def map_python_to_cpp_type(self, name):
            return known(name)

        def get_active_torch_device(self):
            import torch
            return torch.device("cpu")

        def get_device_interface(self):
            import torch
            return torch.cuda

        def get_benchmarker(self):
            return run_once

        def get_empty_cache_for_benchmark(self):
            return SimpleNamespace(zero_=lambda: None)

        def clear_cache(self, cache):
            pass

    return Driver()


def run_once(function, *arguments, quantiles=None, **options):
    """Stands for Triton's benchmarks: what has no GPU has no times of one."""
    function()
    return [1.0] * len(quantiles) if quantiles else 1.0


@contextlib.contextmanager
def replaced(place, name, value):
    """Sets an attribute for a while."""
    old = getattr(place, name)
    setattr(place, name, value)
    try:
        yield
    finally:
        setattr(place, name, old)
