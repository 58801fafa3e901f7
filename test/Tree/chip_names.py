#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of GPUs stand in the table of GPUs, and nowhere else in code: passes read what the table says of a chip.

Usage: chip_names.py SOURCE. Prints each line of code that names a chip, with its place, and fails if there is one.
Examples in the descriptions of .td files are documentation. The launcher, which shares no code with the compiler, takes
the number out of the names that a manifest lists. The Python package has a table of its own, of what host code asks.
"""
import pathlib
import re
import sys

FOLDERS = "include", "lib", "python", "scripts", "tools"
TABLES = "include/tileir/Target/", "lib/Target/", "python/tileir/triton/chips.py"
SUFFIXES = {".c", ".cpp", ".def", ".h", ".py", ".sh", ".txt"}
# sm_70, and "sm_" by itself, but neither sm_NN nor psm_7.
NAME = re.compile(r"(?<![A-Za-z0-9_])sm_(?:[0-9]|\")")


def find(source):
    for folder in FOLDERS:
        for path in sorted((source / folder).rglob("*")):
            place = path.relative_to(source).as_posix()
            if path.suffix not in SUFFIXES or place.startswith(TABLES):
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if NAME.search(line):
                    yield f"{place}:{number}: names a chip, which belongs in the table of GPUs: {line.strip()}"


def main():
    found = list(find(pathlib.Path(sys.argv[1])))
    print(*found, sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
