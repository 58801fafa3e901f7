"""Runs the planted faults of mutants.py, and the kernels without them.

    mutations.py --tile-run PATH [--markdown] [--jobs N] [--only TEXT]

Prints a line for each fault, and exits with 1 if one is not found as the table says, or if there is a complaint about a
correct kernel.
"""
import argparse
import os
import pathlib
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import gemm
from corpus import CASES
from harness import FOLDER, check, run
from mutants import DIFFERS, MUTANTS, NOTHING


def kernel(name, folder):
    """The case and the text of a kernel of the table."""
    if name.startswith("gemm "):
        product = gemm.Gemm(gemm.get_options(name.split()[1:]))
        return product.case(pathlib.Path(folder, "gemm.mlir")), product.emit()
    case = next(c for c in CASES if c.name == name)
    return case, (FOLDER / case.file).read_text()


def judge(tile_run, mutant, folder, number):
    """(as expected, what was seen, what tile-run printed) of one fault."""
    case, text = kernel(mutant.kernel, folder)
    file = pathlib.Path(folder, f"{case.name}-{number}.mlir")
    file.write_text(mutant.apply(text, case.entry))
    outcome = run(tile_run, mutant.change(case), file, mutant.options)
    seen = set(outcome.kinds) or {DIFFERS if outcome.difference else NOTHING}
    expected = mutant.expect in seen and outcome.status == bool(outcome.kinds)
    return expected, ", ".join(sorted(seen)), outcome.text


def correct(tile_run, name, folder):
    case, text = kernel(name, folder)
    file = pathlib.Path(folder, f"correct-{abs(hash(name))}.mlir")
    file.write_text(text)
    return check(case, run(tile_run, case, file))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="only kernels and faults that contain this text")
    options = parser.parse_args()
    mutants = [m for m in MUTANTS if options.only in f"{m.kernel}: {m.fault}"]
    names = list(dict.fromkeys(m.kernel for m in mutants))
    failed = not mutants
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        complaints = pool.map(lambda name: correct(options.tile_run, name, folder), names)
        verdicts = pool.map(lambda item: judge(options.tile_run, item[1], folder, item[0]), enumerate(mutants))
        for name, complaint in zip(names, complaints):
            if complaint:
                failed = True
                print(f"{name}: FAIL: a complaint about a correct kernel: {complaint}")
        if options.markdown:
            print("| kernel | planted fault | found as |\n|---|---|---|")
        caught = 0
        for mutant, (expected, seen, text) in zip(mutants, verdicts):
            caught += expected and mutant.expect != NOTHING
            failed |= not expected
            if options.markdown:
                print(f"| `{mutant.kernel}` | {mutant.fault} | {mutant.expect if expected else 'FAIL: ' + seen} |")
                continue
            print(f"{mutant.kernel}: {mutant.fault}: {mutant.expect}{'' if expected else f': FAIL: {seen}'}")
            if not expected:
                print(text)
    if not options.markdown:
        print(f"{caught} of {len(mutants)} faults found; {len(names)} correct kernels")
    return failed


if __name__ == "__main__":
    sys.exit(main())
