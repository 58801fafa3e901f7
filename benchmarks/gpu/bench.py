"""Kernels of bundles beside those of cuBLAS, cuBLASLt and cuDNN on a GPU.

    benchmarks/run gpu [--quick] [--sets ...] [--compile-only | --measure-only | --report-only] [--write]

What is measured (--sets):

- orders: products of f16 with f32 accumulators, in all four orders of the operands, beside cuBLAS;
- idioms: the four of the Volta paper, over random sizes, beside cuBLAS with separate pointwise kernels, and beside an
  epilogue of cuBLASLt where there is one;
- convolutions, shifts: the layers of the Triton paper, beside cuDNN.

Three steps, all of them unless one is named:

- compile, without a GPU, into build/gpu (prepare.py);
- measure, on a machine with a GPU, which may lack all but that folder: `build/gpu/measure build/gpu`, into rows.csv
  (measure.cpp); goes on where it was interrupted;
- report: prints the tables (report.py); --write puts them into docs/benchmarks.md, and plots and rows into docs/images.
"""
import argparse
import pathlib
import subprocess
import sys

import prepare
import programs
import report

SIZES = "512x512x512,1024x1024x1024,2048x2048x2048,4096x4096x4096,2048x512x1024,512x2048x4096,8192x1024x512"
# Options of einsum-to-nvvm-pipeline: of each problem the fastest counts. Those for chips that have Volta's atoms, and
# those for others.
VOLTA_CONFIGS = (
    "config={block=128x128x32 warp=64x32 atom=volta_16x16x8 stages=2}",
    "config={block=128x128x32 warp=64x32 atom=volta_32x32x8 stages=2}",
    "config={block=64x64x32 warp=32x32 atom=volta_16x16x8 stages=2}",
    "config={block=64x64x32 warp=32x32 atom=volta_16x16x8 split_k=2 stages=2}",
    "config={block=128x128x32 warp=64x32 atom=volta_16x16x8 stages=2} split-k-blocks=0",
    "config=auto",
    "config={block=128x128x32 warp=64x32 atom=volta_16x16x8 stages=1}",
)
CONFIGS = (
    "config={block=128x128x32 warp=64x32 stages=3}",
    "config={block=128x128x32 warp=64x64 stages=4 group=8}",
    "config=auto",
    "config={block=128x256x32 warp=64x64 stages=3 group=8}",
    "config={block=64x64x32 warp=32x32 stages=4}",
    "config={block=64x64x64 warp=32x32 split_k=2 stages=3}",
    "config={block=128x128x32 warp=64x32 stages=3} split-k-blocks=0",
)
NO_DRIVER = 77
SETS = ("orders", "idioms", "convolutions", "shifts")
# What a run of a few minutes has in place of the defaults.
QUICK = {"sizes": "1024x1024x1024,4096x4096x4096", "count": 6, "most_configs": 3,
         "convolutions": ",".join(programs.CONVOLUTIONS[1:4:2]), "shifts": ",".join(programs.SHIFTS[1:4:2]),
         "repeat": 20, "budget": 300, "limit": 360}


def parse_sizes(text):
    return [tuple(map(int, size.split("x"))) for size in text.split(",") if size]


def make_problems(options):
    idioms = parse_sizes(options.idiom_sizes) or programs.draw_sizes(options.count, options.seed)
    problems = {"orders": lambda: programs.make_orders(parse_sizes(options.sizes)),
                "idioms": lambda: programs.make_idioms(idioms),
                "convolutions": lambda: programs.make_convolutions("convolution", "convolutions",
                                                                   parse_sizes(options.convolutions)),
                "shifts": lambda: programs.make_convolutions("shift", "shifts", parse_sizes(options.shifts))}
    return [problem for group in options.sets for problem in problems[group]()]


def measure(options):
    command = [options.folder / "measure", options.folder, f"--repeat={options.repeat}", f"--budget={options.budget}",
               f"--limit={options.limit}", f"--no-driver={NO_DRIVER}"]
    try:
        status = subprocess.run(command, check=False).returncode
    except KeyboardInterrupt:
        sys.exit("\n[gpu] interrupted: --measure-only goes on with what is left")
    if status == NO_DRIVER:
        sys.exit(1)
    return status


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=prepare.ROOT / "build")
    parser.add_argument("--folder", type=pathlib.Path, help="where the bundles are (default: gpu in the build)")
    parser.add_argument("--quick", action="store_true", help="few problems: a few minutes in all")
    parser.add_argument("--sets", default=",".join(SETS), help=f"what is measured (default: {','.join(SETS)})")
    parser.add_argument("--sizes", help=f"M x N x K of orders (default: {SIZES})")
    parser.add_argument("--count", type=int, help="how many sizes of idioms are drawn (default: 100)")
    parser.add_argument("--seed", type=int, default=2020, help="of these sizes (default: 2020)")
    parser.add_argument("--idiom-sizes", default="", help="M x N x K of idioms, in place of drawn ones")
    parser.add_argument("--convolutions", help="N x C x H x W x K x R x S of convolutions")
    parser.add_argument("--shifts", help="of shift convolutions: R x S is how far channels go")
    parser.add_argument("--configs", help="sets of options of einsum-to-nvvm-pipeline, between semicolons")
    parser.add_argument("--chips", default="sm_70", help="compiled for (default: sm_70, which later ones run, too)")
    parser.add_argument("--repeat", type=int, help="launches of each kernel, at most (default: 100)")
    parser.add_argument("--budget", type=int, help="milliseconds of launches of a problem (default: 2000)")
    parser.add_argument("--limit", type=int, help="seconds to measure in all; 0 has no limit (default: 0)")
    steps = parser.add_mutually_exclusive_group()
    for step in ("compile", "measure", "report"):
        steps.add_argument(f"--{step}-only", dest="only", action="store_const", const=step)
    parser.add_argument("--write", action="store_true", help="put the report into docs/benchmarks.md")
    parser.add_argument("--docs", type=pathlib.Path, default=prepare.ROOT / "docs", help="where that is")
    options = parser.parse_args()
    defaults = {"sizes": SIZES, "count": 100, "repeat": 100, "budget": 2000, "limit": 0, "most_configs": None,
                "convolutions": ",".join(programs.CONVOLUTIONS), "shifts": ",".join(programs.SHIFTS)}
    for name, value in (defaults | (QUICK if options.quick else {})).items():
        if getattr(options, name, None) is None:
            setattr(options, name, value)
    options.folder = options.folder or options.build / ("gpu-quick" if options.quick else "gpu")
    options.sets, options.chips = options.sets.split(","), options.chips.split(",")
    given = options.configs and options.configs.split(";")
    options.configs = {chip: given or (VOLTA_CONFIGS if chip in report.VOLTA else CONFIGS)[:options.most_configs]
                       for chip in options.chips}
    unknown = set(options.sets) - set(SETS)
    if unknown:
        parser.error(f"--sets: expected some of {', '.join(SETS)}, found {', '.join(sorted(unknown))}")
    return options


def main():
    options = read_options()
    status = 0
    if options.only in (None, "compile"):
        prepare.prepare(options, make_problems(options))
    if options.only in (None, "measure"):
        status = measure(options)
    if options.only in (None, "report"):
        report.report(options)
    sys.exit(status)


if __name__ == "__main__":
    main()
