# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs launches by tile-run: files of arguments in, files of results out."""

import json
import signal
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

from . import findings
from .arguments import ELEMENTS, make_buffers, scalar_item
from .compiler import name_of
from .driver import Launch
from .errors import KernelFault, LaunchError
from .runner import Runner

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
            buffers, items, outputs = self._write(folder, parameters, llvm)
            options = [f"--backend={self.settings.backend}", "--grid=" + ",".join(map(str, grid)), f"--report={folder}/report.json"]
            if llvm:
                for part in ("global", "profile"):
                    size = getattr(metadata, f"{part}_scratch_size", 0) * grid[0] * grid[1] * grid[2]
                    items.append(f"zeros:{max(size, SCRATCH)}xi8")
                options += [f"--block={32 * metadata.num_warps}", f"--shared-bytes={metadata.shared}"]
                if getattr(metadata, "num_ctas", 1) > 1:
                    options.append(f"--cluster={metadata.num_ctas}")
            options += self._options(name)
            if items:
                options += ["--inputs=" + ",".join(items)]
            if outputs:
                options += ["--outputs=" + ",".join(outputs)]
            status, output = self.runner.run([str(path), *options], self.settings.timeout)
            report = json.loads((folder / "report.json").read_text()) if (folder / "report.json").exists() else {}
            found = self._judge(name, grid, status, output, report, {i: p.path for i, p in enumerate(parameters)})
            for buffer, file in buffers:
                if Path(file).exists():
                    self._write_back(buffer, file)
        self.launches.append(Launch(name, grid, time.perf_counter() - start, report, tuple(found)))
        if found:
            self._tell(KernelFault(name, grid, self.settings.where, found))

    def _options(self, name):
        settings, options = self.settings, list(self.settings.arguments)
        if settings.backend == "sim":
            options.append(f"--chip={settings.chip.name}")
            if settings.reports:
                settings.reports.mkdir(parents=True, exist_ok=True)
                stem = settings.reports / f"{len(self.launches):04}-{name}"
                options += [f"--roofline={stem}.svg", f"--sarif={stem}.sarif"]
        if settings.check:
            options.append(f"--check={settings.check}")
        return options

    def _write(self, folder, parameters, llvm):
        """Files for the buffers, items for --inputs, names for --outputs."""
        buffers, places = make_buffers(parameters, self.settings.bounds, typed=not llvm)
        items, outputs, files = [], [], {}
        for i, parameter in enumerate(parameters):
            if i not in places:
                items.append(scalar_item(parameter))
                continue
            buffer, offset = places[i]
            kind = "i1" if llvm else ELEMENTS[buffer.element]
            size = np.dtype(kind).itemsize
            if buffer.first == i:
                file = folder / f"{i}.npy"
                np.save(file, buffer.view().view(kind))
                files[i] = (buffer, str(folder / f"{i}.out.npy"))
                outputs.append(files[i][1])
                items.append(f"offset:{offset // size}:{file}" if offset else str(file))
                continue
            items.append(f"same:{buffer.first}+{offset // size}")
        return list(files.values()), items, outputs

    @staticmethod
    def _write_back(buffer, file):
        memory, after = buffer.view(), np.load(file).view(np.uint8)
        changed = memory != after
        if changed.any():
            # Not all of it: others may hold what was not written, and pages may be read-only.
            memory = memory.view()
            memory.flags.writeable = True
            memory[changed] = after[changed]

    def _judge(self, name, grid, status, output, report, names):
        """The findings of a run; raises where there was none."""
        if status is None:
            raise LaunchError(f"kernel {name} did not end in {self.settings.timeout:g} s: see install(timeout=...)")
        found = list(findings.from_report(report, names))
        if not found and status != 0:
            found = findings.stopped(output, names)
        if not found and status < 0:
            raise LaunchError(f"kernel {name} was ended by {signal.Signals(-status).name} on backend "
                              f"{self.settings.backend!r}: backend 'interp' checks each access, and says which is wrong")
        if not found and status != 0:
            raise findings.failure(name, output, names)
        return found

    def _tell(self, fault):
        if callable(self.settings.on_finding):
            self.settings.on_finding(fault)
        elif self.settings.on_finding == "warn":
            warnings.warn(str(fault), stacklevel=2)
        else:
            raise fault
