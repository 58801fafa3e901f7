"""Assembles all kernels of this folder, and those of gemm.py, with ptxas: sm_75 and sm_90, where they can run there.

    ptxas.py --mlir-opt PATH --ptxas PATH

ptxas must take the PTX without a warning and without spilling registers; mma.m8n8k4 may spill on sm_90, where it is a
routine.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import gemm
from corpus import CASES
from harness import FOLDER

# The oldest PTX version that LLVM has everything for.
FEATURES = {"sm_70": "+ptx65", "sm_75": "+ptx65", "sm_80": "+ptx78", "sm_89": "+ptx81", "sm_90": "+ptx80"}
PRODUCTS = [f"--mma m8n8k4 --a {a} --b {b} --acc {acc} --swizzle" for a in ("row", "col") for b in ("row", "col")
            for acc in ("f32", "f16")]
PRODUCTS += ["--mma m8n8k4 --size 256,256,256 --tile 128,128,32 --swizzle", "--mma m16n8k8 --swizzle",
             "--mma m16n8k8 --type bf16 --swizzle", "--mma m16n8k8 --type tf32 --swizzle",
             "--mma m16n8k16 --type bf16 --swizzle", "--mma m16n8k16 --type s8 --acc s32 --swizzle",
             "--mma m16n8k16 --ldmatrix --swizzle --stages 3 --size 128,128,128"]


def kernels():
    """(name, text, chip) of all."""
    for file in dict.fromkeys(c.file for c in CASES):
        yield file, (FOLDER / file).read_text(), max(c.chip for c in CASES if c.file == file)
    for options in PRODUCTS:
        product = gemm.Gemm(gemm.get_options(options.split()))
        yield f"gemm.py {options}", product.emit(), product.case("").chip


def get_ptx(mlir_opt, text, chip, toolkit):
    passes = (f"builtin.module(ensure-debug-info-scope-on-llvm-func,"
              f"nvvm-attach-target{{chip={chip} features={FEATURES[chip]} O=3}},"
              f"gpu.module(convert-nvvm-to-llvm),gpu-module-to-binary{{format=isa toolkit={toolkit}}})")
    done = subprocess.run([mlir_opt, f"--pass-pipeline={passes}"], input=text, capture_output=True, text=True,
                          check=False)
    found = re.search(r'assembly = "((?:[^"\\]|\\.)*)"', done.stdout)
    if done.returncode or not found:
        raise RuntimeError(done.stderr or "no assembly")
    escapes = {"\\n": "\n", "\\t": "\t"}
    return re.sub(r"\\([0-9A-F]{2}|.)", lambda m: escapes.get(m[0]) or (
        chr(int(m[1], 16)) if len(m[1]) == 2 else m[1]), found[1]).rstrip("\0")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mlir-opt", required=True)
    parser.add_argument("--ptxas", required=True, type=pathlib.Path)
    options = parser.parse_args()
    failed, assembled = False, 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text, chip in kernels():
            ptx = pathlib.Path(folder, "kernel.ptx")
            ptx.write_text(get_ptx(options.mlir_opt, text, chip, options.ptxas.resolve().parents[1]))
            for target in "sm_75", "sm_90":
                if target < chip:
                    continue
                done = subprocess.run([options.ptxas, "-v", f"--gpu-name={target}", ptx, "-o", "/dev/null"],
                                      capture_output=True, text=True, check=False)
                said = done.stdout + done.stderr
                spills = [int(n) for n in re.findall(r"(\d+) bytes spill", said)]
                is_emulated = "m8n8k4" in name and target == "sm_90"
                bad = done.returncode or "warning" in said or not spills or any(spills) and not is_emulated
                print(f"{name}: {target}: {'FAIL' if bad else 'assembled'}")
                if bad:
                    failed = True
                    print(said)
                assembled += not bad
    print(f"{assembled} assembled")
    return failed


if __name__ == "__main__":
    sys.exit(main())
