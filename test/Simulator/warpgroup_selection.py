"""Configurations of warpgroups that tile-select-config selects: they are what they were taken for.

    warpgroup_selection.py --tile-run PATH --tile-opt PATH [--count 8] [--seed 1]

Products of all types and orders, batches, and convolutions, of drawn sizes, some with few rows and some with pointwise ops that
make an operand, by `config={auto}` for sm_90a. Fails if a result is not that of the interpreter; if the kernel of a configuration
of warpgroups has no wgmma; if none was selected at all; or if instructions, wavefronts and sectors that were predicted are not
within a third, 5 % and 12 % of those counted (80 %, 15 % and 20 % where an operand is made).
"""

# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

PIPELINE = "einsum-to-nvvm-pipeline{chip=sm_90a config={auto}}"
TYPES = {"f16": "f32", "bf16": "bf16", "i8": "i32", "f8E4M3FN": "f32"}
SPECS = ("mk, kn -> mn", "mk, nk -> mn", "km, kn -> mn", "km, nk -> mn", "bmk, bkn -> bmn", "nhwc, kc -> nhwk",
         "n(h+r)(w+s)c, krsc -> nhwk")
# What is counted, and the tolerances for operands that lie in memory and for those that are made.
COUNTED = {"instructions": (lambda launch: launch["instructions"], (1 / 3, 0.8)),
           "wavefronts": (lambda launch: launch["shared"]["wavefronts"], (0.05, 0.15)),
           "sectors": (lambda launch: launch["global"]["sectors"], (0.12, 0.2))}


def draw(rng):
    element = rng.choice(list(TYPES))
    spec = rng.choice(SPECS)
    sizes = {"b": 3, "n": 2, "h": 14, "w": 16, "c": 16 * rng.choice((2, 4, 8)), "r": 3, "s": 3}
    sizes["m"], sizes["k"] = 16 * rng.randint(1, 40), 16 * rng.randint(1, 60)
    if rng.random() < 0.2:
        sizes["m"] = rng.choice((5, 16, 32))
    if "h" in spec:
        sizes["k"] = 32 * rng.randint(1, 4)
    else:
        sizes["n"] = 16 * rng.randint(1, 40)

    def shape(axes):
        lengths = [sum(sizes[i] for i in axis.strip("()").split("+")) - axis.count("+") for axis in re.findall(r"\(.*?\)|\w", axes)]
        return "x".join(map(str, lengths))
    operands, result = spec.split(" -> ")
    a, b = (f"tensor<{shape(operand)}x{element}>" for operand in operands.split(", "))
    result = f"tensor<{shape(result)}x{TYPES[element]}>"
    computed = rng.choice(("a", "b", "", "", "")) if element != "f8E4M3FN" else ""
    names = {name: f"%{name}" for name in "ab"}
    prologue = ""
    if computed:
        names[computed] = "%p"
        of = {"a": a, "b": b}[computed]
        prologue = (f"  %p = arith.maxsi %{computed}, %{computed}_low : {of}\n" if element == "i8" else
                    f"  %p = arith.maximumf %{computed}, %{computed}_low : {of}\n")
        prologue = (f"  %{computed}_low = arith.constant dense<{'1' if element == 'i8' else '1.0'}> : {of}\n" + prologue)
    return f"""func.func @main(%a: {a}, %b: {b}) -> {result} {{
{prologue}  %c = einsum.contract "{spec}" ({names['a']}, {names['b']}) : ({a}, {b}) -> {result}
  return %c : {result}
}}
"""


def check(arguments, text, folder):
    """The complaints about a program, and whether warpgroups multiply."""
    source, report = (os.path.join(folder, name) for name in ("product.mlir", "report.json"))
    with open(source, "w") as file:
        file.write(text)
    def run(*command):
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    remarks = run(arguments.tile_opt, source, "--tile-attach-target=chip=sm_90a",
                  "--einsum-permute-operands=row-bytes=16", "--einsum-fuse", "--einsum-exchange-operands",
                  "--tile-select-config=config=auto", "--remark-policy=all", "--remarks-filter=tile").stdout
    done = run(arguments.tile_run, source, "--backend=sim", "--chip=sm_90a", "--random=3", "--check=interp",
               f"--report={report}", f"--pipeline={PIPELINE}")
    if done.returncode:
        return [done.stdout], False
    with open(report) as file:
        launch = json.load(file)["launches"][-1]  # behind copies of operands
    selected, = re.findall(r'[^-]selected="(.*?)"', remarks)
    if "wgmma" not in selected:
        return [], False
    complaints = [] if launch["wgmma"] else [f"{selected} has no wgmma:\n{done.stdout}"]
    for name, (count, tolerances) in COUNTED.items():
        tolerance = tolerances["%p" in text]
        predicted, counted = int(re.search(rf"[^-]{name}=(\d+)", remarks)[1]), count(launch)
        if abs(predicted - counted) > tolerance * counted:
            complaints.append(f"{selected}: expected about {counted} {name}, predicted {predicted}")
    return complaints, True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", default="tile-run")
    parser.add_argument("--tile-opt", default="tile-opt")
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    failures = groups = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.count):
            text = draw(random.Random(f"{arguments.seed} {number}"))
            complaints, is_of_groups = check(arguments, text, folder)
            groups += is_of_groups
            if complaints:
                failures += 1
                print(text, *complaints, sep="\n")
    print(f"{arguments.count} products, {groups} of them by warpgroups, {failures} failures")
    sys.exit(failures > 0 or groups == 0)


main()
