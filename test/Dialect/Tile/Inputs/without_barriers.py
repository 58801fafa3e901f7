# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Leaves out each tile.barrier of a file, one at a time; the simulator has to find a race in each such program,
and none in the whole one.

usage: without_barriers.py file.mlir tile-opt tile-run folder
"""
import pathlib
import subprocess
import sys

source, tile_opt, tile_run, folder = sys.argv[1:]
lines = pathlib.Path(source).read_text().splitlines(keepends=True)
barriers = [i for i, line in enumerate(lines) if line.strip() == "tile.barrier"]
assert barriers, "no barrier in " + source
for left_out in [None, *barriers]:
    program, lowered = (str(pathlib.Path(folder) / name) for name in ("part.mlir", "part-gpu.mlir"))
    pathlib.Path(program).write_text("".join(line for i, line in enumerate(lines) if i != left_out))
    subprocess.run([tile_opt, program, "--tile-place-buffers", "--convert-tile-to-gpu", "-o", lowered], check=True)
    run = subprocess.run([tile_run, lowered, "--backend=sim", "--random=5"], stderr=subprocess.PIPE, text=True)
    races = run.stderr.count("shared-race")
    if left_out is None:
        assert run.returncode == 0 and races == 0, run.stderr
    else:
        assert run.returncode == 1 and races > 0, f"no race without line {left_out + 1}\n{run.stderr}"
print(len(barriers), "barriers, all needed")
