"""Runs the hand-written kernels of this folder.

    corpus.py --tile-run PATH FILE.mlir...

Runs all cases of the files, and exits with 1 if a finding, a result or a counter is not as expected.
"""
import argparse
import pathlib
import sys

import cases_memory  # noqa: F401  these add their cases
import cases_numbers  # noqa: F401
import cases_warps  # noqa: F401
from cases import CASES
from harness import check, run


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    names = {file.name for file in options.files}
    cases = [c for c in CASES if c.file in names]
    failed = names != {c.file for c in cases}
    for c in cases:
        complaint = check(c, run(options.tile_run, c))
        print(f"{c.name}: {'FAIL' if complaint else 'pass'}")
        if complaint:
            failed = True
            print(complaint)
    return failed


if __name__ == "__main__":
    sys.exit(main())
