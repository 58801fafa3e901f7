"""Random matrix products by einsum-to-nvvm-pipeline: sizes, tiles, layouts, stages, what is done with the result.

    volta_random.py --tile-run PATH [--count 50] [--seed 1] [--only N]

Each case is a Product of volta_gemm.py, whose result must be NumPy's and exact. Case N depends on the seed and N alone.
--unfit runs options that make no kernel instead: of each is told what it must say.
"""
import argparse
import random
import sys
import tempfile
from collections import Counter
from dataclasses import replace

from volta_gemm import LAYOUTS, MACROS, Product, Results, Tools, batch, product

EPILOGUES = ("none", "relu", "bias")
SHARED_BYTES = 96 << 10  # of a block on sm_70

# Options that do not fit a product of 256 x 256 x 512, and words of the error.
UNFIT = [({"block": "100x128x32"}, "power"),
         ({"block": "128x128"}, "block"),
         ({"block": "0x128x32"}, "block"),
         ({"block": "128x128x24"}, "powers of two"),
         ({"block": "128x128x256"}, "shared memory"),
         ({"warp": "48x32"}, "warp"),
         ({"warp": "64x32x32"}, "warp"),
         ({"warp": "0x32"}, "warp"),
         ({"warp": "128x128"}, "registers"),
         ({"macro": "64x64x8"}, "atom"),
         ({"macro": "16x16"}, "atom"),
         ({"chip": "sm_60"}, "chip"),
         ({"chip": "volta"}, "chip"),
         ({"stages": 0}, "stages"),
         ({"stages": 7}, "stages")]

# Options with which a kernel is made, as if they were smaller or larger.
MENDED = [{"warp": "256x32"}, {"block": "16x16x16"},
          {"block": "64x64x32", "warp": "128x64"}, {"macro": "32x32x8", "warp": "16x16"},
          {"block": "16x16x4"}, {"block": "8x8x8"}]


def draw(rng):
    """A product that fits the chip. Sizes are whole vectors and blocks, or none of it."""
    while True:
        block = [rng.choice((16, 32, 64, 128)) for _ in "mn"] + [rng.choice((8, 16, 32, 64))]
        macro = rng.choice(MACROS)
        warp = [rng.choice((16, 32, 64, 128)) for _ in "mn"]
        stages = rng.choice((1, 2))
        kind = rng.choice(("blocks", "vectors", "odd"))
        limit = [2 * block[0], 2 * block[1], 3 * block[2]]
        unit = {"blocks": block, "vectors": (8, 8, 8), "odd": (1, 1, 1)}[kind]
        size = tuple(u * rng.randint(1, l // u) for u, l in zip(unit, limit))
        case = Product(size, rng.choice(LAYOUTS), rng.choice(("f32", "f16")), rng.choice(("f32", "f16")),
                       "x".join(map(str, block)), "x".join(map(str, warp)), macro, stages, rng.choice(EPILOGUES))
        if fits(case):
            return case


def fits(case):
    """Whether warps fit a block, and what the main loop carries the registers. Blocks are not larger than sizes."""
    block, warp, macro = product(case.block), product(case.warp), product(case.macro)
    if any(w > b or m > w for b, w, m in zip(block, warp, macro)):
        return False
    block = [max(least, min(b, 1 << (s - 1).bit_length())) for least, b, s in zip((16, 16, 8), block, case.size)]
    warps = max(1, block[0] // warp[0]) * max(1, block[1] // warp[1])
    operands = block[2] * (block[0] + block[1])
    carried = block[0] * block[1] // (1 if case.acc == "f32" else 2) + (operands // 2 if case.stages > 1 else 0)
    return warps <= 32 and carried // (32 * warps) <= 160 and 2 * case.stages * operands <= SHARED_BYTES


def check_random(tools, results, options):
    seen = Counter()
    for number in range(options.count) if options.only is None else (options.only,):
        case = draw(random.Random(f"{options.seed} {number}"))
        outcome = tools.run(case, flags=batch.compile_flags(number))
        if outcome.complaint:
            print(f"case {number} of seed {options.seed}:")
        elif not outcome.launch["mma"]:
            seen["without mma"] += 1
        results.check(case, outcome.complaint)
        for key in ("spec", "macro", "stages", "epilogue", "acc", "result"):
            seen[f"{key} {getattr(case, key)}"] += 1
    print(", ".join(f"{key}: {count}" for key, count in sorted(seen.items())))


def check_unfit(tools, results):
    for change, words in UNFIT:
        case = replace(Product((256, 256, 512)), **change)
        outcome = tools.run(case)
        said = any("error:" in line and words in line for line in outcome.text.splitlines())
        results.expect(case, f"an error with '{words}' is missing", outcome.text.strip() or "no message",
                       said and not outcome.report.get("launches"))
    for change in MENDED:
        case = replace(Product((256, 256, 512)), **change)
        results.check(case, tools.run(case).complaint)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", default="tile-run")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the number of a case to run alone")
    parser.add_argument("--unfit", action="store_true")
    options = parser.parse_args()
    results = Results()
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(options, folder)
        if options.unfit:
            check_unfit(tools, results)
        else:
            check_random(tools, results, options)
    print(f"{results.checks} checks, {results.failures} failed")
    return results.failures > 0


if __name__ == "__main__":
    sys.exit(main())
