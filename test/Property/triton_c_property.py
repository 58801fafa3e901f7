# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random Triton-C programs by tile-run, and compares what they leave with an evaluator in NumPy.

    triton_c_property.py TILE_RUN FOLDER --count N [--seed S] [--backends interp,cpu,sim] [--plant]

Prints each program that is wrong, with its seed: --count 1 --seed S runs it again. With --plant the numbers expected of
every program are changed, and all have to fail.
"""

import argparse
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "Frontend/TritonC"))
from harness import Case, check, plant
from random_triton_c import Program


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tile_run")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--backends", default="interp,cpu,sim")
    parser.add_argument("--plant", action="store_true")
    options = parser.parse_args()
    failed = attempts = lines = 0
    for seed in range(options.seed, options.seed + options.count):
        program = Program(seed)
        attempts += program.attempts
        lines += len(program.lines)
        case = Case("f", program.source, program.arguments,
                    {program.first_output + i: x for i, x in enumerate(program.expected)})
        if options.plant:
            case = plant(case)
        for backend in options.backends.split(","):
            wrong = check(options.tile_run, options.folder, case, backend, seed)
            if wrong:
                failed += 1
                print(f"FAILED seed {seed} on {backend}: {wrong}\n{program.source if not options.plant else ''}", flush=True)
    print(f"{options.count} programs of {lines} statements ({attempts} drawn), {failed} runs wrong")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
