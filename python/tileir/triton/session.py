# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs launches by tile-run: files of arguments in, files of results out."""

import sys
import tempfile
import time
import warnings
from pathlib import Path

from .._launch import findings
from .._launch.buffers import Buffers
from .._launch.errors import KernelFault, LaunchError
from .._launch.runner import Runner
from .compiler import name_of
from .driver import Launch

SCRATCH = 16  # bytes of scratch memory that a kernel is given that asks for none


class Session:
    """What install() sets up: settings, the process of tile-run, and the launches so far."""

    def __init__(self, settings):
        self.settings = settings
        self.runner = Runner(settings.tile_run)
        self.launches = []

    def close(self):
        self.runner.close()

    def launch(self, kernel, metadata, grid, parameters):
        """Runs a kernel, the text of its IR, on `grid`. Writes what it has written to the arguments."""
        text = kernel.decode() if isinstance(kernel, bytes) else kernel
        name = name_of(text)
        start = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="tileir-") as folder:
            folder = Path(folder)
            llvm = self.settings.ir == "llvm"
            path = folder / ("kernel.llir" if llvm else "kernel.ttir")
            path.write_text(text)
            buffers, scratch = Buffers(folder, parameters, self.settings.bounds, typed=not llvm), []
            report, printed = folder / "report.json", folder / "printed.txt"
            options = [f"--backend={self.settings.backend}", "--grid=" + ",".join(map(str, grid)), f"--report={report}",
                       f"--print-file={printed}"]
            if llvm:
                for part in ("global", "profile"):
                    size = getattr(metadata, f"{part}_scratch_size", 0) * grid[0] * grid[1] * grid[2]
                    scratch.append(f"zeros:{max(size, SCRATCH)}xi8")
                options += [f"--block={32 * metadata.num_warps}", f"--shared-bytes={metadata.shared}"]
                if getattr(metadata, "num_ctas", 1) > 1:
                    options.append(f"--cluster={metadata.num_ctas}")
            options += self._options(name) + buffers.get_options(*scratch)
            status, output = self.runner.run([str(path), *options], self.settings.timeout)
            if printed.exists():
                sys.stdout.write(printed.read_text())
            if status is None:
                raise LaunchError(f"kernel {name} did not end in {self.settings.timeout:g} s: see install(timeout=...)")
            names = {i: parameter.path for i, parameter in enumerate(parameters)}
            found, told = findings.judge(f"kernel {name}", status, output, report, names, self.settings.backend)
            buffers.write_back()
        self.launches.append(Launch(name, grid, time.perf_counter() - start, told, tuple(found)))
        if found:
            self._tell(KernelFault(name, grid, self.settings.where, found))

    def _options(self, name):
        settings, options = self.settings, list(self.settings.arguments)
        if settings.backend == "sim":
            options.append(f"--chip={settings.chip.own if settings.ir == 'llvm' else settings.chip.name}")
            if settings.reports:
                settings.reports.mkdir(parents=True, exist_ok=True)
                stem = settings.reports / f"{len(self.launches):04}-{name}"
                options += [f"--roofline={stem}.svg", f"--sarif={stem}.sarif"]
        if settings.check:
            options.append(f"--check={settings.check}")
        return options

    def _tell(self, fault):
        if callable(self.settings.on_finding):
            self.settings.on_finding(fault)
        elif self.settings.on_finding == "warn":
            warnings.warn(str(fault), stacklevel=2)
        else:
            raise fault
