"""Runs kernels of this folder as PTX, as LLVM's own backend writes it, and expects the results of their LLVM IR.

    ptx_files.py --tile-run PATH --tile-translate PATH [--filter TEXT]

All cases of corpus.py, and products of gemm.py by several mma: results must be those of NumPy, and no finding may
appear. Barriers, mma and conflicts of shared memory must be as many as expected; other counts depend on the
instructions that the backend chose.
"""
import argparse
import dataclasses
import pathlib
import sys
import tempfile

import cases_memory  # noqa: F401  these add their cases
import cases_numbers  # noqa: F401
import cases_warps  # noqa: F401
import batch
import gemm
from cases import CASES
from harness import FOLDER, check, run
from ptxas import PRODUCTS

SAME = ("blockBarriers", "mma", "shared.conflicts")


def files(folder):
    """(source, its cases)"""
    for file in dict.fromkeys(c.file for c in CASES):
        yield FOLDER / file, [c for c in CASES if c.file == file]
    for i, options in enumerate(PRODUCTS):
        product = gemm.Gemm(gemm.get_options(options.split()))
        source = pathlib.Path(folder, f"product{i}.mlir")
        source.write_text(product.emit())
        yield source, [product.case(source)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--tile-translate", required=True)
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    failed, passed = False, 0
    with tempfile.TemporaryDirectory() as folder:
        for source, cases in files(folder):
            cases = [c for c in cases if options.filter in c.name]
            if not cases:
                continue
            chip = max(c.chip for c in cases)
            ptx = pathlib.Path(folder, source.stem + ".ptx")
            status, said = batch.run([options.tile_translate, str(source), "--tile-to-ptx", f"--chip={chip}", "-o", str(ptx)])
            if status:
                print(f"{source.name}: FAIL: {said}")
                failed = True
                continue
            for c in cases:
                as_ptx = dataclasses.replace(c, chip=chip, counters={k: v for k, v in c.counters.items() if k in SAME})
                complaint = check(as_ptx, run(options.tile_run, as_ptx, ptx))
                passed += not complaint
                if complaint:
                    failed = True
                    print(f"{c.name}: FAIL\n{complaint}")
    print(f"{passed} cases pass")
    return failed or not passed


if __name__ == "__main__":
    sys.exit(main())
