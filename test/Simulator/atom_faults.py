"""Planted faults in products by the atoms of several chips: fragments, asynchronous copies, waits, barriers, results.

    atom_faults.py --tile-run PATH --tile-opt PATH [--markdown] [--only TEXT]

Each is an edit of what einsum-to-nvvm-pipeline makes of a product. The simulator must find it, or else the result must
differ from NumPy's; operands are small whole numbers, so that sums are exact. The kernels as they are give no finding
and NumPy's result. Faults of tile programs before that are in pipeline.py, those of kernels written by hand in
mutants.py.
"""
import argparse
import pathlib
import re
import sys
import tempfile
from dataclasses import dataclass

import numpy as np
from atoms import LAYOUTS, Product, batch
from harness import FINDING
from mutants import DIFFERS, OUT, SHARED, UNINITIALIZED, WAIT

import numpy_einsum as oracle

ROWS, K_FIRST = LAYOUTS[0], LAYOUTS[2]  # mk, kn and mk, nk: words along K for both
SMALL = {"block": (32, 32, 32), "warp": (16, 16)}
KERNELS = {
    "f16, sm_75": Product((32, 32, 128), "sm_75", "f16", "f32", ROWS, **SMALL),
    "i8, sm_75": Product((32, 32, 128), "sm_75", "i8", "i32", K_FIRST, **SMALL),
    "f64, sm_80": Product((32, 32, 128), "sm_80", "f64", "f64", K_FIRST, **SMALL, stages=1),
    "f16, sm_80": Product((32, 32, 160), "sm_80", "f16", "f32", ROWS, **SMALL, stages=3),
    "bf16, sm_80": Product((32, 32, 160), "sm_80", "bf16", "f32", LAYOUTS[1], **SMALL, stages=2),
    "tf32, sm_80": Product((32, 32, 160), "sm_80", "tf32", "f32", K_FIRST, **SMALL, stages=3),
    "i8, sm_80": Product((32, 32, 160), "sm_80", "i8", "i32", K_FIRST, **SMALL, stages=4),
    "e4m3, sm_89": Product((32, 32, 160), "sm_89", "f8E4M3FN", "f32", K_FIRST, **SMALL, stages=3),
    "f16 by matrices, sm_90": Product((32, 32, 160), "sm_90", "f16", "f16", ROWS, **SMALL, stages=3, acc="f32"),
    "f16 with remainders, sm_80": Product((40, 24, 72), "sm_80", "f16", "f32", ROWS, **SMALL, stages=3),
}
STORED = "f16 by matrices, sm_90"
HELD = [name for name, product in KERNELS.items() if product.chip == "sm_75" or product.operand == "f64"]
COPIED = [name for name in KERNELS if name not in [*HELD, STORED]]
REST = COPIED.pop()
MATRICES = ["f16, sm_75", *COPIED]


@dataclass(frozen=True)
class Fault:
    """An edit of the first match in the loop over K, or behind it, or of each."""
    kernels: list
    name: str
    old: str
    new: str
    expect: str
    count: int = 1  # 0: each
    behind: bool = False

    def apply(self, text):
        begin, end = text.index("\n    ^bb1("), text.rindex("llvm.br ^bb1(")
        if self.behind:
            begin, end = end, len(text)
        body, matches = re.subn(self.old, self.new, text[begin:end], count=self.count, flags=re.S)
        if not matches:
            return ""
        return text[:begin] + body + text[end:]


WIDE = [name for name in MATRICES if name != "f16, sm_75"]
FAULTS = [
    # --- Fragments
    Fault([*MATRICES[:-1]], "registers of A swapped", r"(mma\.sync A\[)(%\w+), (%\w+)", r"\1\3, \2", DIFFERS),
    Fault([*WIDE[:-1]], "registers of B swapped", r"(mma\.sync A\[[^]]*\]  B\[)(%\w+), (%\w+)", r"\1\3, \2", DIFFERS),
    Fault([*HELD, *COPIED[:3]], "A of another step over K",
          r"(mma\.sync A\[)([^]]*)(\].*mma\.sync A\[)[^]]*\]", r"\1\2\3\2]", DIFFERS),
    Fault([*HELD, *COPIED[:-1]], "an accumulator used twice",
          r"(mma\.sync [^\n]*C\[)([^]]*)(\][^\n]*\n.*?mma\.sync [^\n]*C\[)[^]]*\]", r"\1\2\3\2]", DIFFERS),
    Fault(["e4m3, sm_89"], "registers of A swapped", r"(llvm\.nvvm\.mma[^(]*\()(%\w+), (%\w+)", r"\1\3, \2", DIFFERS),
    Fault(["e4m3, sm_89"], "registers of B swapped",
          r"(llvm\.nvvm\.mma[^(]*\((?:%\w+, ){4})(%\w+), (%\w+)", r"\1\3, \2", DIFFERS),
    Fault(["e4m3, sm_89"], "an accumulator used twice",
          r"(llvm\.nvvm\.mma[^(]*\((?:%\w+, ){6})([^)]*)(\).*?llvm\.nvvm\.mma[^(]*\((?:%\w+, ){6})[^)]*\)",
          r"\1\2\3\2)", DIFFERS),
    Fault([name for name in MATRICES if "bf16" not in name], "ldmatrix transposed",
          r"(ldmatrix [^\n]*mma_layout<)row", r"\1col", DIFFERS),
    Fault(MATRICES[:3], "ldmatrix not transposed", r"(ldmatrix [^\n]*mma_layout<)col", r"\1row", DIFFERS),
    Fault(MATRICES, "matrices of ldmatrix swapped",
          r"(extractvalue (%\w+)\[)0(\].*?extractvalue \2\[)1\]", r"\g<1>1\g<3>0]", DIFFERS),
    # --- Addresses of shared memory
    Fault([*HELD, *COPIED], "no swizzle in what a lane reads", r"(llvm\.xor )(%\w+), %\w+(?=(?:(?!llvm\.xor).)*?"
          r"(?:ldmatrix|llvm\.load %\w+ \{alignment = \d+ : i64\} : !llvm\.ptr<3>))", r"\1\2, \2", DIFFERS),
    # --- Asynchronous copies
    Fault(COPIED, "no wait", r" *nvvm\.cp\.async\.wait\.group \d+\n", "", WAIT),
    Fault(COPIED, "the wait leaves all groups pending", r"(wait\.group )\d+", r"\g<1>64", WAIT),
    Fault(COPIED, "no barrier behind the wait", r" *nvvm\.barrier0\n", "", SHARED),
    Fault(COPIED, "no commit of the last copies", r"(.*) *nvvm\.cp\.async\.commit\.group\n", r"\1", WAIT),
    Fault(COPIED, "copies go on behind the last step", r"(cp\.async\.shared\.global [^\n]*?cache =  c[ag]), %\w+ "
          r": !llvm\.ptr<3>, !llvm\.ptr<1>, i32", r"\1 : !llvm.ptr<3>, !llvm.ptr<1>", OUT, count=0),
    Fault(COPIED, "copies of 4 bytes only", r"(cp\.async\.shared\.global [^\n]*?), \d+, cache =  c[ag]",
          r"\1, 4, cache =  ca", UNINITIALIZED, count=0),
    Fault([REST], "a remainder along K that is not masked", r"(cp\.async\.shared\.global [^\n]*?cache =  c[ag]), %\w+ "
          r": !llvm\.ptr<3>, !llvm\.ptr<1>, i32", r"\1 : !llvm.ptr<3>, !llvm.ptr<1>", OUT),
    Fault([REST], "sizes of sources inside and outside swapped", r"(select %\w+, )(%\w+), (%\w+)( : i1, i32\n"
          r"[^\n]*cp\.async)", r"\1\3, \2\4", OUT, count=0),
    Fault([REST], "a mask that takes one element more", r"(icmp \"u)lt(\" [^\n]* : i64)", r"\1le\2", OUT, count=0),
    # The mask of what no step changes makes the number of bytes, and that of K takes them or none.
    Fault([REST], "no mask of K", r"(zext (%\w+) : i1 to i32\n[^\n]*\n[^\n]*select )%\w+", r"\1\2", OUT, count=0),
    Fault([REST], "no mask of M and N", r"((%\w+) = llvm\.icmp \"ult\"[^\n]*\n[^\n]*zext )%\w+( : i1 to i32)",
          r"\1\2\3", OUT, count=0),
    # --- Barriers
    Fault(HELD, "no barrier before shared memory is read", r" *nvvm\.barrier0\n", "", SHARED),
    # --- Results, behind the loop
    Fault([STORED], "no barrier between reads of operands and stores of results", r" *nvvm\.barrier0\n", "", SHARED,
          behind=True),
    Fault([STORED], "no barrier between stores and reads of results", r"(stmatrix [^\n]*\n) *nvvm\.barrier0\n", r"\1",
          SHARED, behind=True),
    Fault([STORED], "no stmatrix", r" *nvvm\.stmatrix [^\n]*\n", "", DIFFERS, behind=True),
    Fault([STORED], "stmatrix transposed", r"(stmatrix [^\n]*mma_layout<)row", r"\1col", DIFFERS, behind=True),
    Fault([STORED], "matrices of stmatrix swapped", r"(stmatrix %\w+, )(%\w+), (%\w+)", r"\1\3, \2", DIFFERS, behind=True),
    Fault([STORED], "one matrix of stmatrix twice", r"(stmatrix %\w+, )(%\w+), %\w+", r"\1\2, \2", DIFFERS, behind=True),
]


class Session:
    def __init__(self, options, folder):
        self.options, self.folder, self.failed = options, pathlib.Path(folder), 0

    def lower(self, product):
        source, lowered = self.folder / "product.mlir", self.folder / "lowered.mlir"
        source.write_text(product.text())
        status, text = batch.run([self.options.tile_opt, source, f"--pass-pipeline=builtin.module({product.pipeline})",
                                  "-o", lowered])
        assert status == 0, text
        return lowered.read_text()

    def run(self, product, text):
        """What is seen: kinds of findings, "differs", or an error; nothing if all is well."""
        if not text:
            return {"no place for it"}
        rng = np.random.default_rng(1)
        element = "f32" if product.operand == "tf32" else product.operand
        terms = product.spec[:2], product.spec[4:6]
        arrays = [rng.integers(-3, 3, product.shape(term), endpoint=True) for term in terms]
        program, result = self.folder / "kernel.mlir", self.folder / "result.npy"
        names = [str(self.folder / f"{i}.npy") for i in range(2)]
        for name, array in zip(names, arrays):
            oracle.save(name, oracle.convert(array, element), element)
        program.write_text(text)
        result.unlink(missing_ok=True)
        status, said = batch.run([self.options.tile_run, program, "--backend=sim", f"--chip={product.chip}",
                                  "--entry=main", f"--pipeline=gpu-to-nvvm-pipeline{{chip={product.chip}}}",
                                  "--inputs=" + ",".join(names), f"--outputs={result}", "--opt-level=0"])
        kinds = {found[8] for found in FINDING.finditer(said)}
        if status and not kinds:
            return {said.strip()[:500]}
        a, b = (array if term in ("mk", "kn") else array.T for array, term in zip(arrays, terms))
        return kinds or (set() if np.array_equal(oracle.load(str(result), product.result), a @ b) else {DIFFERS})

    def check(self, kernel, fault, expected, seen):
        found = expected in seen if expected else not seen
        self.failed += not found
        if self.options.markdown:
            if fault:
                print(f"| {kernel} | {fault} | {expected if found else f'FAIL: {seen}'} |")
        else:
            print(f"{kernel}: {fault or 'as it is'}: {expected or 'nothing'}{'' if found else f': FAIL: {seen}'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--tile-opt", required=True)
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--only", default="", help="only kernels and faults that contain this text")
    options = parser.parse_args()
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        session = Session(options, folder)
        if options.markdown:
            print("| product | planted fault | found as |\n|---|---|---|")
        for name, product in KERNELS.items():
            text = session.lower(product)
            session.check(name, "", "", session.run(product, text))
            for fault in FAULTS:
                if name in fault.kernels and options.only in f"{name}: {fault.name}":
                    count += 1
                    session.check(name, fault.name, fault.expect, session.run(product, fault.apply(text)))
    if not options.markdown:
        print(f"{count} faults in {len(KERNELS)} kernels, {session.failed} unexpected")
    return 1 if session.failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
