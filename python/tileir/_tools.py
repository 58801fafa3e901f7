# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the programs of TileIR are."""

import os
import shutil
from pathlib import Path


def find_tool(name, given, error):
    """The path of a program: as given, else by TILEIR_BIN (a folder, or a file in it), else on the PATH; or an `error`."""
    option = name.replace("-", "_")
    for source, place in ((option, given), ("TILEIR_BIN", os.environ.get("TILEIR_BIN"))):
        if place:
            path = Path(place)
            if path.is_dir() or (source == "TILEIR_BIN" and path.name != name):
                path = (path if path.is_dir() else path.parent) / name
            if not os.access(path, os.X_OK) or path.is_dir():
                raise error(f"{source}={str(place)!r}: expected {name}, or the folder that it is in; there is no such program")
            return str(path.resolve())
    found = shutil.which(name)
    if not found:
        raise error(f"{name} was not found: put its folder (build/bin after a build of TileIR) on the PATH, or name it by the "
                    f"environment variable TILEIR_BIN or by {option}=...")
    return found


def find_tile_run(given, error):
    """The path of tile-run, as of `find_tool`."""
    return find_tool("tile-run", given, error)


def find_beside(name, tile_run, error):
    """The path of a program that is in the folder of `tile_run`, or else as of `find_tool`."""
    path = Path(tile_run).with_name(name)
    return str(path) if os.access(path, os.X_OK) else find_tool(name, None, error)
