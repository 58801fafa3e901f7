"""Checks what einsum-to-nvvm-pipeline makes of extended contractions for tensor cores.

    extended_einsum.py CHECK --tile-run PATH [--chip sm_70] [--elements f16 bf16] [--quick] [--limit 1.10]

    cases         contractions of two operands of examples/, at the sizes there, with results of the same type and of f32:
                  tensor cores compute them by as many instructions as whole blocks need, as the interpreter does,
                  without findings
    steps         a step of the main loop has the same instructions for one, two and three summed letters, and reads
                  tables at most twice
    ptxas         the machine code of these, for a chip each in turn or with --all for all: no spills, few registers
    windows       contractions of several indices, which specialised warps copy by tensor maps: as many products of
                  warpgroups as boxes of indices need, as the interpreter does, without findings
    convolutions  instructions of the main loop of convolutions over those of the matrix product of the same size; what
                  they read in it, they read by 128-bit accesses

Of a main loop is told what one more step over the sum adds: the difference of two runs, by the number of steps.
"""
import argparse
import itertools
import json
import math
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass, field, replace

from volta_gemm import CHIP, batch, run_check

BLOCK, LEAST = (128, 128, 32), (16, 16, 8)  # the default block, and the least one
# Multiply-adds of one instruction, mma.m8n8k4 of four quad pairs or mma.m16n8k16, and the types that it takes.
MMA = {"sm_70": (4 * 8 * 8 * 4, ("f16",)), "sm_80": (16 * 8 * 16, ("f16", "bf16"))}
PTXAS_CHIPS = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")
MOST_REGISTERS = 224
TABLE_BYTES, VECTOR_BYTES = 8, 16
WARP = 32


@dataclass(frozen=True)
class Contraction:
    """A contraction. Tables are given by their letters, least and greatest value."""
    name: str
    spec: str
    sizes: dict
    tables: dict = field(default_factory=dict)
    pad: bool = False
    element: str = "f16"
    result: str = "f16"
    grows: str = "c"  # the letter of which there are more in a longer sum

    def __str__(self):
        return f"{self.name} \"{self.spec}\" {self.sizes} {self.element} -> {self.result}"

    def of(self, element, result=None):
        """The same of other types."""
        return replace(self, element=element, result=result or element)

    @property
    def summed(self):
        terms, result = self.spec.split("->")
        return {letter: size for letter, size in self.sizes.items() if letter in terms and letter not in result}

    @property
    def work(self):
        """Multiply-adds of whole blocks, in which M, N and K are all indices of one operand, the other, or both."""
        terms, result = self.spec.split(" -> ")
        left, right = ({*re.sub(r"\w+\[", "", term)} for term in terms.split(", "))
        sizes = {kind: 1 for kind in ("batch", "m", "n", "k")}
        for letter, size in self.sizes.items():
            kind = ("k" if letter not in result else "batch" if letter in left & right else "m" if letter in left else "n")
            sizes[kind] *= size
        work = sizes["batch"]
        for kind, block, least in zip("mnk", BLOCK, LEAST):
            size = max(least, min(block, 1 << (sizes[kind] - 1).bit_length()))
            work *= math.ceil(sizes[kind] / size) * size
        return work

    def axis(self, expression):
        """The size of an axis: all that is read, or, if padded, the result's size."""
        last = 0
        for addend in expression.split("+"):
            if self.pad and addend in self.sizes:
                return self.sizes[addend]
            if "[" in addend:
                last += self.tables[addend.split("[")[0]][2]
            else:
                factor, _, letter = addend.rpartition("*")
                last += int(factor or 1) * (self.sizes[letter] - 1)
        return last + 1

    def shape(self, term):
        return [self.axis(inner or letter) for inner, letter in re.findall(r"\(([^)]*)\)|(\w)", term)]

    def text(self):
        def tensor(shape, element):
            return f"tensor<{'x'.join(map(str, shape))}x{element}>"
        terms, result = self.spec.split(" -> ")
        inputs = [tensor(self.shape(term), self.element) for term in terms.split(", ")]
        output = tensor(self.shape(result), self.result)
        names = [f"%{i}" for i in range(len(inputs))]
        arguments = [f"{name}: {type}" for name, type in zip(names, inputs)]
        tables = []
        for name, (letters, low, high) in self.tables.items():
            type = tensor([self.sizes[letter] for letter in letters], "i32")
            arguments.append(f"%{name}: {type} {{einsum.value_range = array<i64: {low}, {high}>}}")
            tables.append(f"{name} = %{name} : {type}")
        return (f"func.func @main({', '.join(arguments)}) -> {output} {{\n"
                f"  %out = einsum.contract \"{self.spec}\" ({', '.join(names)})\n"
                + (f"      tables({', '.join(tables)})\n" if tables else "")
                + ("      {pad = \"zero\"}\n" if self.pad else "")
                + f"      : ({', '.join(inputs)}) -> {output}\n"
                f"  return %out : {output}\n}}\n")


CASES = [
    Contraction("gemm", "mk, kn -> mn", dict(m=512, k=512, n=512)),
    Contraction("gemm_ta", "km, kn -> mn", dict(m=256, k=384, n=320)),
    Contraction("gemm_tb", "mk, nk -> mn", dict(m=256, k=384, n=320)),
    Contraction("two_axes", "ikl, kjl -> ij", dict(i=96, j=80, k=24, l=20)),
    Contraction("conv2d", "nc(h+r)(w+s), ckrs -> nkhw", dict(n=4, c=64, k=128, h=28, w=28, r=3, s=3)),
    Contraction("conv2d_dilated", "nc(h+2*r)(w+2*s), ckrs -> nkhw", dict(n=2, c=32, k=64, h=24, w=24, r=3, s=3)),
    Contraction("conv2d_strided", "nc(2*h+r)(2*w+s), ckrs -> nkhw", dict(n=2, c=32, k=64, h=14, w=14, r=3, s=3)),
    Contraction("depthwise", "nc(h+r)(w+s), crs -> nchw", dict(n=4, c=64, h=28, w=28, r=3, s=3)),
    Contraction("pointwise", "nchw, ck -> nkhw", dict(n=4, c=128, k=256, h=14, w=14)),
    Contraction("shift", "nc(h+sh[c])(w+sw[c]), ck -> nkhw", dict(n=4, c=128, k=128, h=28, w=28),
                dict(sh=("c", 0, 2), sw=("c", 0, 2))),
    Contraction("shift_padded", "nc(h+sh[c])(w+sw[c]), ck -> nkhw", dict(n=4, c=128, k=128, h=28, w=28),
                dict(sh=("c", -1, 1), sw=("c", -1, 1)), pad=True),
    Contraction("sparse", "nc(h+off_h[x])(w+off_w[x]), kcx -> nkhw", dict(n=2, c=32, k=64, h=24, w=24, x=9),
                dict(off_h=("x", 0, 4), off_w=("x", 0, 4))),
    Contraction("sparse_per_channel", "nc(h+off_h[c,x])(w+off_w[c,x]), kcx -> nkhw",
                dict(n=2, c=32, k=64, h=24, w=24, x=9), dict(off_h=("cx", 0, 4), off_w=("cx", 0, 4))),
    Contraction("attention_bmm", "nths, hes -> nhte", dict(n=2, t=64, h=8, s=64, e=64)),
    Contraction("tensor_operation", "ackm, bcnk -> abnm", dict(a=32, b=32, c=8, m=32, n=32, k=32)),
]

# Contractions with more and more summed letters that are read in the same way: by constant
# increments; by a table of steps and a constant; and by a table of positions, as table look-ups are.
PIXELS = dict(n=4, h=8, w=16, j=2, k=64)


def shifted(**sizes):
    letters = "".join(sizes)
    index = ",".join(letters)
    return Contraction("look-ups", f"nc(h+p[{index}])(w+q[{index}]), {letters}jk -> njkhw", dict(PIXELS, **sizes),
                       dict(p=(letters, 0, 2), q=(letters, 0, 2)))


FAMILIES = [
    [Contraction("increments", "nhwc, cjk -> njkhw", dict(PIXELS, c=128)),
     Contraction("increments", "nhwbc, bcjk -> njkhw", dict(PIXELS, b=2, c=64)),
     Contraction("increments", "nhwabc, abcjk -> njkhw", dict(PIXELS, a=2, b=2, c=32))],
    [Contraction("steps", "nh(w+x[s])c, scjk -> njkhw", dict(PIXELS, c=32, s=3), dict(x=("s", 0, 2))),
     Contraction("steps", "n(h+2*r)(w+2*s)c, rscjk -> njkhw", dict(PIXELS, c=32, r=3, s=3)),
     Contraction("steps", "n(h+2*r)(w+2*s)bc, rsbcjk -> njkhw", dict(PIXELS, b=2, c=32, r=2, s=3))],
    [shifted(c=128), shifted(c=32, x=4), shifted(c=16, x=4, y=2)],
]

CONVOLUTIONS = [
    Contraction("conv2d", "nc(h+r)(w+s), ckrs -> nkhw", dict(n=4, c=32, k=128, h=8, w=16, r=3, s=3)),
    Contraction("dilated", "nc(h+2*r)(w+2*s), ckrs -> nkhw", dict(n=4, c=32, k=128, h=8, w=16, r=3, s=3)),
    Contraction("channels last", "n(h+r)(w+s)c, krsc -> nhwk", dict(n=4, c=32, k=128, h=8, w=16, r=3, s=3)),
    Contraction("sparse", "n(h+p[x])(w+q[x])c, kxc -> nkhw", dict(n=4, c=32, k=128, h=8, w=16, x=9),
                dict(p=("x", 0, 2), q=("x", 0, 2))),
    Contraction("few channels", "n(h+r)(w+s)c, krsc -> nhwk", dict(n=4, c=16, k=128, h=8, w=16, r=2, s=4), grows="r"),
]

PADDED = dict(n=2, c=64, k=128, h=28, w=28, r=3, s=3)
# What is multiplied, M and K of a block, blocks, and steps of each: by hand, for the boxes that cover sizes best.
WINDOWS = [
    (CASES[4].of("bf16"), 128, 32, 4 * 7, 9 * 2),  # 4 x 32 pixels, in two parts of C
    (CASES[5].of("f16", "f32"), 128, 32, 9, 9),  # 2 x 8 x 8 pixels
    (CASES[6].of("bf16"), 128, 32, 4, 9),  # 8 x 16 pixels, every other row and column of 29
    (next(case for case in CASES if case.name == "pointwise").of("bf16"), 128, 32, 7 * 2, 4),  # of a copy: 4 x 2 x 16 pixels
    (next(case for case in CASES if case.name == "sparse").of("bf16"), 128, 32, 9, 9),  # places are looked up
    (CONVOLUTIONS[3].of("f16", "f32"), 128, 32, 4, 9),
    (CASES[13].of("bf16"), 128, 32, 8, 2),
    (CASES[14].of("f16"), 128, 32, 8 * 8, 8),  # 4 x 32 of A's columns
    (CONVOLUTIONS[2].of("i8", "i32"), 128, 32, 4, 9),
    (CONVOLUTIONS[4].of("bf16"), 128, 16, 4, 8),
    (Contraction("padded", "n(h+r+-1)(w+s+-1)c, rsck -> nhwk", PADDED, pad=True).of("bf16", "f32"), 128, 32, 2 * 7, 18),
    (Contraction("two K", "ncdm, cdk -> nmk", dict(n=3, c=6, d=16, m=256, k=64)).of("f16"), 128, 32, 6, 3),
]


class Tools:
    """Runs programs; all files are in one temporary folder."""

    def __init__(self, options, folder):
        self.tile_run, self.chip, self.folder = options.tile_run, options.chip, pathlib.Path(folder)

    def run(self, case, *flags):
        """The launches of a program, and what is wrong; `flags` are for tile-run."""
        program, report = self.folder / "program.mlir", self.folder / "report.json"
        program.write_text(case.text())
        report.unlink(missing_ok=True)
        status, text = batch.run([self.tile_run, program, "--backend=sim", f"--chip={self.chip}", "--random=7",
                                  "--check=interp", f"--report={report}", *flags])
        contents = json.loads(report.read_text()) if report.exists() else {}
        if status != 0 or contents.get("findings") or not contents.get("launches"):
            return [], text.strip() or f"exit status {status}"
        return contents["launches"], ""

    def main_loop(self, case):
        """What one more step adds, for a warp: instructions by class, and widths in bytes of loads of global memory."""
        longer = replace(case, sizes={**case.sizes, case.grows: 2 * case.sizes[case.grows]})
        counts = []
        for program in case, longer:
            launches, complaint = self.run(program)
            if complaint:
                return {}, {}, complaint
            launch = max(launches, key=lambda launch: launch["mma"])
            widths = {}
            for access in launch["accesses"]:
                if access["space"] in ("global", "async-copy") and not access["store"]:
                    widths[access["width"]] = widths.get(access["width"], 0) + access["warps"]
            steps = math.prod(program.summed.values()) // BLOCK[2] * math.prod(launch["grid"])
            counts.append((steps * launch["block"][0] // WARP, launch["warpInstructions"], widths))
        (few, *before), (many, *after) = counts
        mix, widths = ({key: (value - old.get(key, 0)) / (many - few) for key, value in new.items()}
                       for old, new in zip(before, after))
        return mix, {key: value for key, value in widths.items() if value}, ""


def show(mix):
    return ", ".join(f"{key} {value:.2f}" for key, value in mix.items() if value)


def check_cases(tools, results, options):
    macs, _ = MMA[options.chip]
    for number, (case, element) in enumerate(itertools.product(CASES, options.elements)):
        for result in (element, "f32")[number % 2:][:1] if options.quick else (element, "f32"):
            case = case.of(element, result)
            launches, complaint = tools.run(case, *batch.compile_flags(results.checks // 2))
            mma = sum(launch["mma"] for launch in launches)
            results.check(case, complaint)
            results.expect(case, f"mma, expected {case.work // macs}", mma, mma == case.work // macs)
            print(f"{case.name} {element} -> {result}: {len(launches)} kernels, {mma} mma")


def check_steps(tools, results, options):
    for family, element in itertools.product(FAMILIES, options.elements):
        family = [case.of(element) for case in family]
        totals = set()
        for case in family:
            mix, widths, complaint = tools.main_loop(case)
            results.check(case, complaint)
            if complaint:
                continue
            print(f"{case.name}, {len(case.summed)} letters: {sum(mix.values()):.2f} a step: {show(mix)}")
            totals.add(round(sum(mix.values())))  # before the loop, sizes may make an instruction more or less
            tables = widths.get(TABLE_BYTES, 0)
            results.expect(case, "reads of tables in a step", tables, tables <= 2)
        results.expect(family[-1], "instructions of a step, by the number of letters", totals, len(totals) == 1)


def check_convolutions(tools, results, options):
    for case, element in itertools.product(CONVOLUTIONS, options.elements):
        case, sizes = case.of(element), case.sizes
        product = Contraction("product", "mc, cn -> mn", dict(m=sizes["n"] * sizes["h"] * sizes["w"], n=sizes["k"],
                                                              c=math.prod(case.summed.values()))).of(element)
        mix, widths, complaint = tools.main_loop(case)
        expected, _, other = tools.main_loop(product)
        results.check(case, complaint or other)
        if complaint or other:
            continue
        ratio = sum(mix.values()) / sum(expected.values())
        print(f"{case.name} {element}: {ratio:.3f} times the product: {show(mix)}; the product: {show(expected)}")
        results.expect(case, "instructions of the main loop over those of the product", ratio, ratio <= options.limit)
        results.expect(case, "mma in a step", mix["mma"], mix["mma"] == expected["mma"] > 0)
        results.expect(case, "bytes of loads in a step", widths, set(widths) <= {TABLE_BYTES, VECTOR_BYTES})


def check_windows(tools, results, options):
    for case, m, k, blocks, steps in WINDOWS:
        launches, complaint = tools.run(case)
        bits = 8 if case.element == "i8" else 16
        warps, instructions = m // 16, k * bits // 256
        expected, found = blocks * steps * instructions * warps, sum(launch["wgmma"] for launch in launches)
        results.check(case, complaint)
        results.expect(case, f"products of warpgroups, expected {expected}", found, found == expected)


def check_ptxas(tools, results, options):
    """A file may have several kernels: one that computes, and copies of operands before it."""
    variants = [(case, element) for case in CASES for element in ("f16", "bf16")]
    for number, (case, element) in enumerate(variants):
        case = case.of(element)
        for chip in PTXAS_CHIPS if options.all else PTXAS_CHIPS[number % len(PTXAS_CHIPS):][:1]:
            if (chip, element) == ("sm_75", "bf16"):
                continue  # has no such instruction
            program, ptx = tools.folder / "program.mlir", tools.folder / "kernel.ptx"
            program.write_text(case.text())
            status, said = batch.run([options.tile_translate, program, "--tile-to-ptx", f"--chip={chip}", "-o", ptx])
            if status == 0:
                done = subprocess.run([options.ptxas, "-v", f"--gpu-name={chip}", ptx, "-o", "/dev/null"],
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
                status, said = done.returncode, done.stdout
            results.check(case, said if status or "warning" in said else "")
            spills = sum(map(int, re.findall(r"(\d+) bytes spill", said)))
            registers = max(map(int, re.findall(r"Used (\d+) registers", said)), default=0)
            print(f"{case.name} {element} {chip}: {registers} registers, {spills} bytes of spills")
            results.expect(case, f"registers, bytes of spills on {chip}", (registers, spills),
                           0 < registers <= MOST_REGISTERS and not spills)


CHECKS = {"ptxas": check_ptxas, "cases": check_cases, "steps": check_steps, "convolutions": check_convolutions,
          "windows": check_windows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("check", choices=CHECKS)
    parser.add_argument("--tile-run", default="tile-run")
    parser.add_argument("--chip", default=CHIP, choices=[*MMA, "sm_90a"])
    parser.add_argument("--elements", nargs="*", help="types of operands, by default all that the chip multiplies")
    parser.add_argument("--quick", action="store_true", help="cases: one type of result each, in turn")
    parser.add_argument("--tile-translate", default="tile-translate")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--all", action="store_true", help="ptxas: for all chips")
    parser.add_argument("--limit", default=1.10, type=float, help="of the main loop of convolutions over the product's")
    options = parser.parse_args()
    if options.check == "cases" and options.chip not in MMA:
        parser.error(f"argument --chip: cases expects one of {', '.join(MMA)}, found {options.chip}")
    options.elements = options.elements or MMA.get(options.chip, MMA["sm_80"])[1]
    return run_check(CHECKS[options.check], Tools, options)


if __name__ == "__main__":
    sys.exit(main())
