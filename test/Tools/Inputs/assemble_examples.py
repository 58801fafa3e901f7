# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assembles the bundles of each second example for chips later than their own, without warnings.

    assemble_examples.py PTXAS TILE_TRANSLATE EXAMPLES FOLDER 0|1
"""
import pathlib
import subprocess
import sys

CHIPS = "sm_75", "sm_80", "sm_90"
ptxas, tool, examples, folder, half = sys.argv[1:]
failed = files = 0
for file in sorted(pathlib.Path(examples).glob("**/*.mlir"))[int(half)::2]:
    files += 1
    bundle = pathlib.Path(folder, file.stem + "-" + file.parent.name)
    done = subprocess.run([tool, file, f"--emit-bundle={bundle}"], capture_output=True, text=True, check=False)
    said = done.stderr
    for chip in CHIPS if not done.returncode else ():
        for ptx in bundle.glob("*.ptx"):
            assembled = subprocess.run([ptxas, f"--gpu-name={chip}", ptx, "-o", "/dev/null"], capture_output=True,
                                       text=True, check=False)
            said += assembled.stdout + assembled.stderr
            done.returncode |= assembled.returncode
    if done.returncode or said:
        failed += 1
        print(f"{file}: FAIL\n{said}")
print(f"{len(CHIPS)} chips, {files} examples, {failed} failed")
