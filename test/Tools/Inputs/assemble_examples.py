# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assembles the bundles of each second example at the default options, without warnings. No kernel spills or takes more
than 224 registers.

    assemble_examples.py PTXAS TILE_TRANSLATE EXAMPLES FOLDER 0|1 [all]

Each example is for one of the chips in turn, or with `all` for each of them.
"""
import pathlib
import re
import subprocess
import sys

CHIPS = "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"
MOST_REGISTERS = 224
ptxas, tool, examples, folder, half, *rest = sys.argv[1:]
failed = kernels = with_mma = spilling = 0


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def assemble(ptx, chip):
    """Counts the kernels of a file; returns what is wrong with them, or nothing."""
    global kernels, with_mma, spilling
    status, said = run(ptxas, "-v", f"--gpu-name={chip}", ptx, "-o", "/dev/null")
    found = re.findall(r"entry function '(\w+)'.*?(\d+) bytes spill stores, (\d+) bytes spill loads.*?Used (\d+) registers",
                       said, re.S)
    has_mma = "mma.sync" in ptx.read_text()
    fits = status == 0 and "warning" not in said and bool(found)
    for _, stores, loads, registers in found:
        spills = stores != "0" or loads != "0"
        kernels, with_mma, spilling = kernels + 1, with_mma + has_mma, spilling + spills
        fits &= not spills and int(registers) <= MOST_REGISTERS
    return "" if fits else said


for number, file in enumerate(sorted(pathlib.Path(examples).glob("**/*.mlir"))[int(half)::2]):
    for chip in CHIPS if rest else (CHIPS[number % len(CHIPS)],):
        bundle = pathlib.Path(folder, f"{file.stem}-{file.parent.name}-{chip}")
        status, said = run(tool, file, f"--chip={chip}", f"--emit-bundle={bundle}")
        for ptx in bundle.glob("*.ptx") if status == 0 else ():
            said += assemble(ptx, chip)
        if status or said:
            failed += 1
            print(f"{file}, {chip}: FAIL\n{said}")
print(f"{kernels} kernels, {with_mma} with mma, {spilling} that spill, {failed} failed")
