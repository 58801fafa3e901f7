# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts TileIR in the place of Triton's driver and of the last stages of its compiler."""

import atexit
import gc

from .._launch.errors import OptionError
from . import autotune as tuning
from . import chips
from .compiler import make_compiler
from .driver import make_driver
from .session import Session
from .settings import make_settings
from .stand_in import StandIn

_active = None


class _Installed:
    """What is to be undone."""

    def __init__(self, settings, cuda):
        import triton.backends
        from triton.backends.compiler import GPUTarget
        from triton.backends.driver import DriverBase
        from triton.runtime.driver import driver

        self.session = Session(settings)
        self.backends, self.driver = triton.backends.backends, driver
        self.nvidia, self.before = self.backends.get("nvidia"), driver._active
        if self.nvidia is None:
            raise OptionError("this Triton has no backend for NVIDIA's GPUs: expected one of releases 3.4 to 3.9")
        self.stand_in = StandIn(settings.chip) if cuda else None
        target = GPUTarget("cuda", settings.chip.capability, 32)
        compiler = make_compiler(self.nvidia.compiler, "ttir" if settings.ir == "ttir" else "llir")
        self.backends["nvidia"] = type(self.nvidia)(compiler=compiler, driver=self.nvidia.driver)
        forget_compiled()
        driver.set_active(make_driver(DriverBase, self.session, target, properties(settings.chip)))
        self.undo_tuning = tuning.replace(settings.autotune)
        if self.stand_in:
            self.stand_in.start()

    def undo(self):
        if self.stand_in:
            self.stand_in.stop()
        self.undo_tuning()
        self.backends["nvidia"] = self.nvidia
        forget_compiled()
        self.driver._active = self.before
        self.session.close()


def forget_compiled():
    """Makes kernels compile anew: what Triton keeps of them belongs to the options, and to the driver, which unloads it."""
    from triton.runtime.autotuner import Autotuner
    from triton.runtime.jit import JITFunction
    for thing in gc.get_objects():
        if issubclass(type(thing), JITFunction):
            thing.device_caches.clear()
        elif issubclass(type(thing), Autotuner) and isinstance(thing.cache, dict):
            thing.cache.clear()


def properties(chip):
    """What host code asks a driver for."""
    return dict(max_shared_mem=chip.shared_of_block, multiprocessor_count=chip.multiprocessors, warpSize=32, max_num_regs=65536,
                sm_clock_rate=1410000, mem_clock_rate=1215000, mem_bus_width=5120)


def install(backend="sim", chip=chips.DEFAULT, check=None, ir="ttir", *, cuda=None, autotune=0, bounds="storage", on_finding="raise",
            reports=None, timeout=600.0, tile_run=None, arguments=()):
    """Lets Triton's kernels run by TileIR, on tensors in the memory of the CPU.

    backend: "sim": on a simulated GPU, which finds races, accesses out of bounds, reads of what nobody wrote; "interp": by the
        interpreter, with every access checked; "cpu": compiled for this CPU, fast; finds what leaves its array.
    chip: the GPU that is simulated, and that Triton compiles for; from Hopper on its LLVM IR is one for the chip with "a".
    check: "interp": compare the results of "sim" or "cpu" with those of the interpreter.
    ir: "ttir": what Triton writes before it chooses layouts, lowered by TileIR; "llvm": Triton's own LLVM IR.
    cuda: whether device "cuda" of torch stands for the CPU; by default where torch finds no GPU.
    autotune: which configuration of an autotuned kernel runs: its number, or a function of the list of them and the arguments
        by name, which returns one.
    bounds: what a pointer may reach: all of the "storage" that it points into, as on a GPU, or only from the first to the last
        element of its "tensor".
    on_finding: "raise" KernelFault, "warn", or a function that is called with it.
    reports: a folder for a roofline and SARIF file of each launch on "sim".
    timeout: seconds for a launch.
    tile_run: the program, or its folder; by default by TILEIR_BIN, or on the PATH.
    arguments: more options of tile-run, such as "--sim-same-value-stores".
    """
    global _active
    settings = make_settings(backend, chip, ir, check, bounds, tile_run, arguments, timeout, reports, autotune, on_finding)
    uninstall()
    if cuda is None:
        cuda = StandIn.is_needed()
    _active = _Installed(settings, cuda)


def uninstall():
    """Undoes install()."""
    global _active
    if _active:
        _active.undo()
    _active = None


def installed():
    """The settings of install(), or None."""
    return _active.session.settings if _active else None


def launches():
    """The launches since install(), or since the list was cleared."""
    return _active.session.launches if _active else []


atexit.register(uninstall)
