#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the schedules that a page shows after each pass.

A paragraph that begins with **`tile-opt --pass`** runs the pass on what the one
before made, the first one on the ```mlir block before it. The ```text block that
follows has to be the schedule of the only contraction, in any layout of text.
"""

import argparse
import re
import shlex
import subprocess
import sys
from pathlib import Path

PROGRAM = re.compile(r"```mlir\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^\*\*`tile-opt (--[^`]*)`\*\*.*?```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SCHEDULE = re.compile(r"#einsum\.schedule<(.*>\])>", re.DOTALL)


def words(text):
    """A schedule, without its layout."""
    return re.sub(r"\s+", " ", SCHEDULE.search(text)[1]).replace("[ <", "[<")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-opt", required=True, type=shlex.split, help="command")
    parser.add_argument("page", type=Path)
    options = parser.parse_args()

    text = options.page.read_text()
    steps = list(STEP.finditer(text))
    program = PROGRAM.findall(text[:steps[0].start()])[-1]
    failures = 0
    for step in steps:
        done = subprocess.run([*options.tile_opt, *shlex.split(step[1])], input=program, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{step[1]}: {done.stderr}")
        program = done.stdout
        if words(step[2]) != words(program):
            failures += 1
            print(f"{step[1]}: shown\n{words(step[2])}\nfound\n{words(program)}")
    print(f"{len(steps)} schedules, {failures} failures")
    sys.exit(failures > 0 or len(steps) != 5)


if __name__ == "__main__":
    main()
