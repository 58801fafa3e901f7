# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is built is in docs/architecture.md, and the other way round; files that pages name exist.

    complete.py SOURCE BUILD

Libraries are compared with the list that CMake writes, and tools with what is in
BUILD/bin. Pipelines and their options need no comparison: gen-docs.sh writes their
page.
"""

import re
import sys
from pathlib import Path

FOLDERS = "benchmarks cmake docs editors examples include launcher lib python scripts test tools".split()
NAMED = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w./+-]*)`")


def compare(what, built, told):
    """Lines on what only one of two sets has."""
    return [f"{what} {x} is built: expected it in a table of docs/architecture.md" for x in sorted(built - told)] + [
        f"docs/architecture.md has {what} {x}: expected it in the build" for x in sorted(told - built)]


def main():
    source, build = map(Path, sys.argv[1:])
    page = (source / "docs/architecture.md").read_text()
    libraries = {" in lib/".join(line.split()) for line in (build / "libraries.txt").read_text().splitlines()}
    told = {f"{name} in lib/{folder}" for name, folder in re.findall(r"^\| `(TileIR\w+)` \| `([\w/]+)` \|", page, re.M)}
    wrong = compare("library", libraries, told)
    tools = {file.name for file in (build / "bin").iterdir()}
    wrong += compare("tool", tools, set(re.findall(r"^\| `(tile-[\w-]+)` \|", page, re.M)))
    pages = [source / "README.md", source / "CONTRIBUTING.md", *sorted((source / "docs").glob("*.md"))]
    named = {(file.relative_to(source), name) for file in pages for name in NAMED.findall(file.read_text())}
    wrong += [f"{file} names {name}: no such file or folder" for file, name in sorted(named)
              if not (source / name).exists()]
    print("\n".join([*wrong, f"{len(libraries)} libraries, {len(tools)} tools, {len(named)} files named, {len(wrong)} wrong"]))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
