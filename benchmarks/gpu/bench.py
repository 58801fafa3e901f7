"""Matrix products of f16 from bundles, beside cuBLAS on a GPU.

    benchmarks/run gpu [--sizes 512x512x512,...] [--options block/warp/macro-mma/stages,...] [--only STEP] [--write]

Three steps, all of them if --only names none:

- prepare, without a GPU: a bundle for each size, order of the operands and set of options, with f32 accumulators and
  f16 results, in build/gpu, with index.json and the program that measures them (gemm.cpp).
- measure, on a machine with a GPU, which may lack all but this folder: `build/gpu/gemm build/gpu`, into rows.csv;
  goes on where it was interrupted.
- table: prints the best set of options of each product in rows.csv; --write puts it into docs/benchmarks.md.
"""
import argparse
import csv
import itertools
import json
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- benchmarks/run gpu -->", "<!-- end of benchmarks/run gpu -->"
SIZES = "512x512x512,1024x1024x1024,2048x2048x2048,4096x4096x4096,2048x512x1024,512x2048x4096,8192x1024x512"
OPTIONS = ("128x128x32/64x32x32/16x16x8/2,128x128x32/64x32x32/32x32x8/2,128x128x32/64x32x32/16x16x8/1,"
           "64x64x32/32x32x32/16x16x8/2")
ORDERS = ("mk, kn", "km, kn", "mk, nk", "km, nk")


def make_program(size, order):
    lengths = dict(zip("mnk", size))
    a, b, c = (f"tensor<{lengths[x[0]]}x{lengths[x[1]]}xf16>" for x in (order[:2], order[4:], "mn"))
    return (f"func.func @main(%a: {a}, %b: {b}) -> {c} {{\n"
            f'  %c = einsum.contract "{order} -> mn" (%a, %b) {{acc = f32}} : ({a}, {b}) -> {c}\n'
            f"  return %c : {c}\n}}\n")


def prepare(options):
    """The folder as it is carried to the GPU. Rows that were measured with other bundles go."""
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    rows = []
    wanted = list(itertools.product(options.sizes.split(","), ORDERS, options.options.split(",")))
    for size, order, choice in wanted:
        bundle = "-".join((size, order.replace(", ", "-"), choice.replace("/", "-")))
        print(f"\r[gpu] bundle {len(rows) + 1} of {len(wanted)}: {bundle} ", end="", file=sys.stderr, flush=True)
        numbers = list(map(int, size.split("x")))
        names = " ".join(map("=".join, zip(("block", "warp", "macro-mma", "stages"), choice.split("/"))))
        source = options.folder / f"{bundle}.mlir"
        source.write_text(make_program(numbers, order))
        subprocess.run([options.build / "bin/tile-translate", source, f"--emit-bundle={options.folder / bundle}",
                        f"--pipeline=einsum-to-nvvm-pipeline{{{names}}}"], check=True)
        rows.append({"bundle": bundle, "size": numbers, "order": order, "options": names})
    print(file=sys.stderr)
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout
    index = {"commit": commit.strip(), "rows": rows}
    (options.folder / "index.json").write_text(json.dumps(index, indent=1))
    shutil.copy(options.build / "benchmarks/gpu/gpu-gemm", options.folder / "gemm")


def measure(options):
    command = [options.folder / "gemm", options.folder, f"--repeat={options.repeat}"]
    status = subprocess.run(command).returncode
    if status != 0:
        sys.exit(status)


def make_table(options):
    """Of the GPU that was measured last: a folder may have been on several."""
    index = json.loads((options.folder / "index.json").read_text())
    with (options.folder / "rows.csv").open() as file:
        rows = list(csv.DictReader(file))
    if not rows:
        sys.exit(f"{options.folder}/rows.csv: expected rows, found none")
    last = rows[-1]
    rows = [row for row in rows if row["gpu"] == last["gpu"]]
    lines = [f"{last['date']}, commit {index['commit']}, {last['gpu']}, driver {last['driver']}, cuBLAS "
             f"{last['cublas']}; median of {last['launches']} launches, in turns with cuBLAS, random operands of f16 "
             "in [-1, 1], f32 accumulators, f16 results; each result was compared first. "
             f"{len(rows)} of {len(index['rows'])} bundles were measured; for each product, the best options. "
             "`mma.m8n8k4` is Volta's instruction: later GPUs (Ampere, Hopper) emulate it, and there the ratio says "
             "nothing of the passes. `benchmarks/run gpu`:", "",
             "| M x N x K | operands | ours | cuBLAS | cuBLAS / ours | ours, TFLOP/s | options |",
             "|---|---|---|---|---|---|---|"]
    for (size, order), group in itertools.groupby(rows, lambda row: (row["size"], row["order"])):
        best = min(group, key=lambda row: float(row["us"]))
        lines.append(f"| {size} | `{order}` | {best['us']} us | {best['cublas_us']} us | {best['ratio']} | "
                     f"{best['tflops']} | {best['options']} |")
    text = "\n".join(lines)
    print(text)
    if options.write:
        page = ROOT / "docs/benchmarks.md"
        before, rest = page.read_text().split(BEGIN)
        page.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--folder", type=pathlib.Path, help="where the bundles are (default: gpu in the build)")
    parser.add_argument("--sizes", default=SIZES, help=f"M x N x K (default: {SIZES})")
    parser.add_argument("--options", default=OPTIONS, help=f"block/warp/macro-mma/stages (default: {OPTIONS})")
    parser.add_argument("--repeat", type=int, default=100, help="launches of each kernel (default: 100)")
    parser.add_argument("--only", choices=("prepare", "measure", "table"), help="one step")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    options = parser.parse_args()
    options.folder = options.folder or options.build / "gpu"
    for name, step in (("prepare", prepare), ("measure", measure), ("table", make_table)):
        if options.only in (None, name):
            step(options)


if __name__ == "__main__":
    main()
