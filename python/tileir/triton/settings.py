# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The options of install(), and where tile-run is."""

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional, Union

from .. import _tools as tools
from .._launch.errors import OptionError
from .chips import CHIPS, Chip

BACKENDS = ("sim", "interp", "cpu")
IRS = ("ttir", "llvm")
BOUNDS = ("storage", "tensor")


@dataclass(frozen=True)
class Settings:
    backend: str
    ir: str
    chip: Chip
    check: Optional[str]
    bounds: str
    tile_run: str
    arguments: tuple
    timeout: float
    reports: Optional[Path]
    autotune: Union[int, Callable]
    on_finding: Union[str, Callable]

    @property
    def where(self):
        """What findings say a kernel ran on."""
        return f"{self.backend} ({self.chip.name}, ir {self.ir})" if self.backend == "sim" else self.backend


def choose(option, value, known):
    """`value` if it is known; else an error with the nearest one."""
    if isinstance(value, str) and value in known:
        return value
    near = difflib.get_close_matches(str(value), list(known), 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise OptionError(f"{option}={value!r}: expected one of {', '.join(map(repr, known))}{hint}")


def find_tile_run(given=None):
    """The path of tile-run: as given, else by TILEIR_BIN (a folder or a file), else on the PATH."""
    return tools.find_tile_run(given, OptionError)


def make_settings(backend, chip, ir, check, bounds, tile_run, arguments, timeout, reports, autotune, on_finding):
    choose("backend", backend, BACKENDS)
    choose("ir", ir, IRS)
    choose("bounds", bounds, BOUNDS)
    if check is not None:
        choose("check", check, ("interp",))
    if ir == "llvm" and backend != "sim":
        raise OptionError(f"ir='llvm' with backend={backend!r}: expected backend='sim', which alone runs Triton's LLVM IR")
    if check and (ir == "llvm" or backend == "interp"):
        raise OptionError("check='interp' compares the backends 'cpu' and 'sim' with the interpreter: expected one of them, with "
                          "ir='ttir'")
    choose("chip", chip, CHIPS)
    if not callable(on_finding):
        choose("on_finding", on_finding, ("raise", "warn"))
    return Settings(backend, ir, CHIPS[chip], check, bounds, find_tile_run(tile_run), tuple(arguments), timeout,
                    Path(reports) if reports else None, autotune, on_finding)
