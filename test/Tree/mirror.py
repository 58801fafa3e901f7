# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`lib` mirrors `include/tileir`: who knows a header knows where its sources are.

    mirror.py SOURCE

A folder of lib that is a library has a public header in the folder of the same
name, and a folder with public headers has sources, or a library in it or above
it.
"""

import sys
from pathlib import Path

# The C interface has its header in include/tileir-c, for programs that have no C++.
ELSEWHERE = {"CAPI"}


def main():
    lib, include = (Path(sys.argv[1]) / part for part in ("lib", "include/tileir"))
    wrong = []
    libraries = {file.parent.relative_to(lib) for file in lib.rglob("CMakeLists.txt")
                 if "add_tileir_library(" in file.read_text()}
    for folder in sorted(libraries):
        # Names of headers, or .td files of which they are made.
        if str(folder) not in ELSEWHERE and not any((include / folder).rglob("*.[ht]*")):
            wrong.append(f"lib/{folder} is a library: expected a header in include/tileir/{folder}, found none")
    headers = {file.parent.relative_to(include) for file in include.rglob("*.h")} - {Path(".")}
    for folder in sorted(headers):
        if not (lib / folder).is_dir() and not libraries & set(folder.parents):
            wrong.append(f"include/tileir/{folder} has headers: expected lib/{folder}, found no such folder")
    print("\n".join([*wrong, f"{len(libraries)} libraries, {len(headers)} folders of headers, {len(wrong)} wrong"]))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
