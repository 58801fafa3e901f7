"""Disassembles matrix products after ptxas: the machine code has the instructions of tensor cores that their sizes ask for.

    sass.py --tile-translate PATH --ptxas PATH --nvdisasm PATH [--chip sm_80 ...]

For all types that a chip's atoms take, and all layouts of A and B: a block of 64x64 and one step over K, so that a warp's
32x32 part of it is straight-line code. Its HMMA, IMMA, DMMA or QMMA are M x N x K over those of an instruction; its LDSM
are those of operands that ldmatrix can read, 512 bytes each. A result of 16 bits goes through shared memory: stored by
STSM where the chip has it, else read by LDSM.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

from atoms import INSTRUCTIONS, LAYOUTS, SINCE_89, Product

K, WARP, WARPS = 32, 32, 4
BYTES = {"f16": 2, "bf16": 2, "tf32": 4, "i8": 1, "f64": 8, "f8E4M3FN": 1, "f8E5M2": 1}
# A chip that takes the instructions of f8, but computes them in f16, two for one.
CONVERTS_F8 = ("sm_90", "sm_100")


def get_expected(chip, operand, result, spec):
    """How many instructions of each kind a warp has."""
    m, n, k = INSTRUCTIONS.get(chip, SINCE_89)[operand, result]
    count = WARP * WARP * K // (m * n * k)
    if operand.startswith("f8") and chip in CONVERTS_F8:
        name, count = "HMMA.16816", 2 * count
    else:
        kind = {"i8": "IMMA", "f64": "DMMA"}.get(operand, "QMMA" if operand.startswith("f8") else "HMMA")
        name = f"{kind}.{m}{n}{k}"
        if operand == "f64" and int(chip[3:]) >= 90:
            name = "DMMA.8x8x4"
    size = BYTES[operand]
    loads = sum(WARP * K * size // 512 for indices in (spec[:2], spec[4:6])
                if size == 2 or size < 8 and indices[0] != "k")
    expected = collections.Counter({name: count, "LDSM": loads})
    if result == "f16":
        expected["STSM" if int(chip[3:]) >= 90 else "LDSM"] += 64 * 64 * 2 // WARPS // 512
    return +expected


def count_instructions(options, folder, products):
    """What instructions the kernel of each product has. All are one program: a disassembler takes a third of a second to
    start."""
    program, ptx, cubin = (folder / f"products.{end}" for end in ("mlir", "ptx", "cubin"))
    program.write_text("".join(product.text().replace("@main", f"@product_{i}") for i, product in enumerate(products)))
    for command in ((options.tile_translate, program, "--tile-to-ptx", f"--pipeline={products[0].pipeline}", "-o", ptx),
                    (options.ptxas, f"-arch={products[0].chip}", ptx, "-o", cubin)):
        subprocess.run(list(map(str, command)), check=True)
    code = subprocess.run([options.nvdisasm, "-c", cubin], capture_output=True, text=True, check=True).stdout
    found = [collections.Counter() for _ in products]
    for name, text in re.findall(r"^\.text\.(\w+):\n(.*?)(?=^\.text\.|\Z)", code, re.M | re.S):
        number = int(re.match(r"product_(\d+)", name)[1])
        found[number].update(re.findall(r"\b(?:\wMMA\.\d+(?:x\d+x\d+)?|LDSM|STSM)\b", text))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in "tile-translate", "ptxas", "nvdisasm":
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--chip", nargs="+", default=["sm_80"])
    options = parser.parse_args()
    count = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for chip in options.chip:
            products = [Product((64, 64, K), chip, operand, result, spec)
                        for operand, result in INSTRUCTIONS.get(chip, SINCE_89) for spec in LAYOUTS]
            for product, found in zip(products, count_instructions(options, pathlib.Path(folder), products)):
                expected = get_expected(chip, product.operand, product.result, product.spec)
                count += 1
                if found != expected:
                    failures += 1
                    print(f"FAIL: {product}: expected {dict(expected)}, found {dict(found)}")
    print(f"{count} products, {failures} failed")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
