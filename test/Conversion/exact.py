# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each function of a file on small integers, of which sums are exact, before and after convert-einsum-to-vector.

    exact.py --tile-run tile-run --tile-opt tile-opt FILE

Three answers must be equal, element by element: the interpreter's before the pass; the interpreter's after it, which
checks each access; and that of compiled code. --vector-bits and --l3 put another machine in the place of the file's.
Prints what differs, and the number of functions; exit status 1 if one differs, or fails.
"""
import argparse
import re
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
import batch  # noqa: E402

FUNCTION = re.compile(r"^ *func\.func @(\w+)\((.*?)\)\s*(?:->\s*(\([^)]*\)|\S+))?", re.DOTALL | re.MULTILINE)
ARGUMENT = re.compile(r"%\w+: (tensor|memref)<((?:\d+x)*)(\w+)>"
                      r"(?: \{einsum\.value_range = array<i64: (-?\d+), (-?\d+)>\})?")
# Buffers are freed by the pipeline.
PIPELINE = "convert-einsum-to-vector{deallocate=0},einsum-to-cpu-pipeline{schedule=0}"
TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32, "i64": np.int64,
         "index": np.int64}
# Compiled products of pairs of bf16, and of registers of matrices, need a CPU that has them.
CPU_FLAGS = Path("/proc/cpuinfo").read_text().split()
NEEDED = {"bf16 = true": "avx512_bf16", "amx = true": "amx_bf16", "vnni = true": "avx512_vnni"}


def run(command):
    """What a failed command says, or nothing."""
    status, text = batch.run(command)
    return "" if status == 0 else text.strip()[-2000:] or f"exit status {status}"


def draw(random, arguments, folder):
    """The files of a function's arguments."""
    files = []
    for i, (_, shape, element, low, high) in enumerate(arguments):
        values = random.integers(int(low or -3), int(high or 3), [int(s) for s in shape.split("x")[:-1]], endpoint=True)
        files.append(folder / f"in{i}.npy")
        # In files a bf16 is its bits: the upper half of an f32.
        np.save(files[-1], values.astype(TYPES[element]) if element != "bf16" else
                (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16).view("V2"))
    return ",".join(map(str, files))


def check(args, source, lowered, number, name, inputs, count, folder):
    """What is wrong with function `name`, the one of that number, or nothing."""
    answers, commands = {}, {
        "interpreted": [source, "--backend=interp"],
        "interpreted after the pass": [lowered, "--backend=interp"],
        "compiled": [source, f"--pipeline={PIPELINE}", *batch.compile_flags(number + args.seed)],
    }
    text = source.read_text()
    if any(field in text and flag not in CPU_FLAGS for field, flag in NEEDED.items()):
        del commands["compiled"]
    for answer, command in commands.items():
        files = [folder / f"{answer}{i}.npy" for i in range(count)]
        error = run([args.tile_run, *command, f"--entry={name}", f"--inputs={inputs}",
                     f"--outputs={','.join(map(str, files))}"])
        if error:
            return f"{answer}: {error}"
        answers[answer] = [np.load(file) for file in files]
    expected = answers.pop("interpreted")
    for answer, arrays in answers.items():
        for i, (got, wanted) in enumerate(zip(arrays, expected)):
            if got.dtype != wanted.dtype or not np.array_equal(got, wanted):
                return f"{answer}: output {i}: expected\n{wanted}\nfound\n{got}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--tile-opt", required=True)
    parser.add_argument("--vector-bits", type=int)
    parser.add_argument("--l3", type=int, help="bytes of the third cache: results beyond half of it are streamed")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    text = args.file.read_text()
    for name, value in (("vector_bits", args.vector_bits), ("l3", args.l3)):
        if value:
            text = re.sub(rf"{name} = \d+", f"{name} = {value}", text)
    random = np.random.default_rng(args.seed)
    failures = 0
    functions = FUNCTION.findall(text)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source, lowered = folder / "source.mlir", folder / "lowered.mlir"
        source.write_text(text)
        error = run([args.tile_opt, source, "--convert-einsum-to-vector", "-o", lowered])
        if error:
            sys.exit(f"tile-opt: {error}")
        for number, (function, signature, results) in enumerate(functions):
            arguments = ARGUMENT.findall(signature)
            if len(arguments) != signature.count("%"):
                sys.exit(f"@{function}: expected arguments of static shape, found {signature}")
            count = results.count("tensor<") + sum(kind == "memref" for kind, *_ in arguments)
            wrong = check(args, source, lowered, number, function, draw(random, arguments, folder), count, folder)
            if wrong:
                failures += 1
                print(f"@{function}: {wrong}")
    print(f"{len(functions)} functions, {failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
