# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What property tests of tile kernels share: the command line, and the loop over seeds."""
import argparse
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Integration"))
import batch  # noqa: E402


def check(command, *, what):
    """Runs a command, which has to succeed."""
    status, output = batch.run(command)
    if status != 0:
        raise RuntimeError(f"{what}: {output[:2000]}")


def main(description, run_kernel, get_text):
    """Calls run_kernel(args, folder, seed) for each seed, and prints get_text(seed) where it fails."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--tile-opt", required=True)
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.count):
            seed = args.seed * 100000 + number
            try:
                run_kernel(args, pathlib.Path(folder), seed)
            except RuntimeError as error:
                wrong += 1
                print(f"kernel {seed}: {error}\n{get_text(seed)}")
    print(f"property: {args.count} kernels, {wrong} wrong, seed {args.seed}")
    return 1 if wrong else 0
