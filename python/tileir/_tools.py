# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the programs of TileIR are."""

import os
import shutil
from pathlib import Path


def find_tile_run(given, error):
    """The path of tile-run: as given, else by TILEIR_BIN (a folder or a file), else on the PATH; or an `error`."""
    for source, place in (("tile_run", given), ("TILEIR_BIN", os.environ.get("TILEIR_BIN"))):
        if place:
            path = Path(place)
            path = path / "tile-run" if path.is_dir() else path
            if not os.access(path, os.X_OK) or path.is_dir():
                raise error(f"{source}={str(place)!r}: expected tile-run, or the folder that it is in; there is no such program")
            return str(path.resolve())
    found = shutil.which("tile-run")
    if not found:
        raise error("tile-run was not found: put its folder (build/bin after a build of TileIR) on the PATH, or name it by the "
                    "environment variable TILEIR_BIN or by tile_run=...")
    return found
