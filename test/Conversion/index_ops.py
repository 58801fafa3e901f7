# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the index operations in a step of each tile kernel's loop.

    tile-opt ... | index_ops.py

reads a module and prints, per kernel with a loop over a tile.dot, its name, the
number of its index operations per step and the sizes of the tables that it is
given. An index operation finds where elements are, or whether they are:
tile.addptr, arith on integers, and the dense blocks of tile.load_view (but not
of a table).
"""
import re
import sys


def main():
    for kernel in re.split(r"(?=func\.func )", sys.stdin.read()):
        loop = re.search(r"scf\.for .*?scf\.yield", kernel, re.DOTALL)
        if "tile.kernel" not in kernel or not loop or "tile.dot" not in loop[0]:
            continue
        name = re.search(r"@(\w+)", kernel)[1]
        count = sum(bool(re.search(r"= (tile\.addptr|arith\.\w+) .*: .*(ptr|i64|index)"
                               r"|= tile\.load_view .*: memref<[\dx]*f32>", line))
                    for line in loop[0].splitlines()[1:])
        tables = re.findall(r"memref<(\d+)xi64>", kernel.splitlines()[0])
        print(f"{name}: {count} index operations, tables of {' '.join(tables) or 'none'}")


if __name__ == "__main__":
    main()
