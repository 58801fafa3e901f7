#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes the tour of a page: runs the ```sh blocks of one section one after the
other, and compares what they print with the ```text block that follows.

They run as the page says, from a folder that has .deps/ and build/ like the
repository's. A block of another language whose first line is a comment with a
file's name becomes that file. Figures before ms and GFLOP/s may differ. A block
of commands must fail if and only if an error is shown.
"""

import argparse
import difflib
import os
import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"(?://|#) ([\w.-]+)\n")

# Runs a block where and with the variables with which the one before ended.
STEP = """
if [[ -f {state} ]]; then . {state}; cd "$(<{folder})"; fi
trap 'export -p >{state}; pwd >{folder}' EXIT
set -eo pipefail
{block}
"""


def parse_tour(text, section):
    """Pairs of commands and shown output, or None."""
    tour = re.search(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)[1]
    steps = []
    for kind, block in BLOCK.findall(tour):
        if kind == "sh":
            steps.append((block, None))
        elif kind == "text":
            steps[-1] = (steps[-1][0], block)
        elif file := FILE.match(block):
            steps.append((f"cat >{file[1]} <<'END_OF_FILE'\n{block}END_OF_FILE\n", None))
    return steps


def stable(output):
    output = re.sub(r"[\d.]+ (ms|GFLOP/s)", r"N \1", output)
    output = re.sub(r"0x[0-9a-f]{9,}", "0xN", output)  # addresses of this process
    # In which order sums are formed is the machine's: its vectors.
    output = re.sub(r"passed, error [\d.e-]+,", "passed, error N,", output)
    return output.rstrip().splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", help="a Markdown file of the repository")
    parser.add_argument("section", help="its heading")
    parser.add_argument("--source", required=True, type=Path, help="the repository")
    parser.add_argument("--build", required=True, type=Path, help="its build folder")
    parser.add_argument("--folder", required=True, type=Path, help="an empty folder to work in")
    options = parser.parse_args()

    home = options.folder.resolve() / "home"
    (home / "tmp").mkdir(parents=True)
    (home / "build").symlink_to(options.build.resolve())
    if (options.source / ".deps/env.sh").exists():
        (home / ".deps").symlink_to(options.source.resolve() / ".deps")
    else:  # built without the Makefile: the tools are on the PATH of the tests
        (home / ".deps").mkdir()
        (home / ".deps/env.sh").write_text("")
        python = home / ".deps/python3"
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        python.chmod(0o755)
        os.environ["PATH"] = f"{python.parent}:{os.environ['PATH']}"

    steps = parse_tour((options.source / options.page).read_text(), options.section)
    failures = 0
    for number, (block, shown) in enumerate(steps, 1):
        script = STEP.format(state=home / "state", folder=home / "folder", block=block)
        done = subprocess.run(["bash", "-c", script], cwd=home, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True,
                              env=os.environ | {"TMPDIR": str(home / "tmp")})
        wants_failure = shown is not None and "error:" in shown
        difference = [] if shown is None else list(difflib.unified_diff(
            stable(shown), stable(done.stdout), options.page, "found", lineterm=""))
        if (done.returncode != 0) != wants_failure or difference:
            failures += 1
            print(f"step {number}, exit status {done.returncode}:", block, *difference,
                  done.stdout if not difference else "", sep="\n")
    print(f"{len(steps)} steps, {failures} failures")
    # A tour that is not found has no steps.
    sys.exit(bool(failures) or len(steps) < 2)


if __name__ == "__main__":
    main()
