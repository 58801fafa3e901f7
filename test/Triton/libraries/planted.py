# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants faults in kernels of tutorials.py and of Liger-Kernel, and tells which way of running finds them, and where.

    planted.py [--only NUMBER ...]

Each fault is one change of text. It is found if a finding names the line that was changed, or the one that has `at`.
The status is 0 if each is found by the interpreter or by the simulator.
"""

import argparse
import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
WAYS = ("interp", "ttir"), ("sim", "ttir"), ("sim", "llvm")


@dataclass
class Fault:
    what: str
    where: str  # a module, or tutorials
    case: str
    old: str
    new: str
    at: str = ""  # where the finding is, if not in the line that was changed: the next line with that text, or the last before it
    count: int = 1  # which of the places that have `old`


TUTORIALS = [
    Fault("no mask", "tutorials", "add", "tl.load(x + i, mask=m) + tl", "tl.load(x + i) + tl"),
    Fault("mask off by one", "tutorials", "add", "m = i < n", "m = i <= n", "tl.store(o + i"),
    Fault("no mask", "tutorials", "dropout", "v / (1 - p), 0.0), mask=m)", "v / (1 - p), 0.0))"),
    Fault("no mask", "tutorials", "randn", "tl.randn(seed, i), mask=i < n)", "tl.randn(seed, i))"),
    Fault("no other", "tutorials", "softmax", 'mask=c < n, other=-float("inf")', "mask=c < n", "v = v - tl.max"),
    Fault("race of programs", "tutorials", "softmax", "tl.store(o + r * os_ + c,", "tl.store(o + c,"),
    Fault("no mask", "tutorials", "softmax", "e / tl.sum(e, 0), mask=c < n)", "e / tl.sum(e, 0))"),
    Fault("wrong stride", "tutorials", "mmodd", "ok[None, :] * ak)", "ok[None, :] * am)", "x = tl.load(ap"),
    Fault("wrong stride", "tutorials", "mmodd", "bp += BK * bk", "bp += BK * bk * 2", "y = tl.load(bp"),
    Fault("mask of the first step in all", "tutorials", "mmodd", "ok[:, None] < K - k * BK", "ok[:, None] < K"),
    Fault("no mask", "tutorials", "mmodd", "mask=(cmn[:, None] < M) & (cnn[None, :] < N)", "mask=cnn[None, :] < N"),
    Fault("race of programs", "tutorials", "ln", "tl.store(Mean + row, mean)", "tl.store(Mean, mean)"),
    Fault("no other", "tutorials", "ln", "tl.load(X + c, mask=c < N, other=0.0).to(tl.float32)\n",
          "tl.load(X + c, mask=c < N).to(tl.float32)\n", "mean = tl.sum"),
    Fault("no mask", "tutorials", "att_causal", "q = tl.load(Q + off + om[:, None] * sm_ + od[None, :], mask=om[:, None] < N, other=0.0)",
          "q = tl.load(Q + off + om[:, None] * sm_ + od[None, :])"),
    Fault("mask off by one", "tutorials", "att_causal", "mask=(s + on)[:, None] < N, other=0.0", "mask=(s + on)[:, None] <= N, other=0.0"),
    Fault("no mask", "tutorials", "att_causal", "mi, mask=om < N)", "mi)"),
]


def liger(what, module, case, old, new, at="", count=1):
    return Fault(what, f"liger_kernel.ops.{module}", case, old, new, at, count)


LIGER = [
    liger("no mask", "swiglu", "swiglu", "b_row = tl.load(b_ptr + col_offsets, mask=mask, other=0)", "b_row = tl.load(b_ptr + col_offsets)"),
    liger("no mask", "swiglu", "swiglu", "tl.store(c_ptr + col_offsets, c_row, mask=mask)", "tl.store(c_ptr + col_offsets, c_row)"),
    liger("mask off by one", "geglu", "geglu", "mask = col_offsets < n_cols", "mask = col_offsets <= n_cols", "a_row = tl.load"),
    liger("no mask", "geglu", "geglu", "tl.store(a + col_offsets, da_row, mask=mask)", "tl.store(a + col_offsets, da_row)"),
    liger("no mask", "rms_norm", "rms_norm", "W_row = tl.load(W_ptr + col_offsets, mask=mask, other=0)", "W_row = tl.load(W_ptr + col_offsets)"),
    liger("race of programs", "layer_norm", "layer_norm", "tl.store(row_RSTD_ptr, rstd)", "tl.store(RSTD_ptr, rstd)"),
    liger("mask off by one", "layer_norm", "layer_norm", "mask = col_offsets < n_cols", "mask = col_offsets <= n_cols", "W_row = tl.load"),
    liger("no other", "softmax", "softmax", 'offs, mask=mask, other=-float("inf"), cache', "offs, mask=mask, cache", "tl.max("),
    liger("wrong stride", "softmax", "softmax", "row_id * Y_row_stride + offs", "row_id * 2 * Y_row_stride + offs"),
    liger("no mask", "dyt", "dyt", "gamma = tl.load(Gamma + col, mask=mask, other=0.0)", "gamma = tl.load(Gamma + col)"),
    liger("race of programs", "dyt", "dyt", "tl.store(DX + row_id * N + col", "tl.store(DX + col"),
    liger("no mask", "kl_div", "kl_div", "tl.store(new_grads_ptr + offsets, res, mask=mask)", "tl.store(new_grads_ptr + offsets, res)"),
    liger("no mask", "tvd", "tvd", "q = tl.load(q_ptr + offsets, mask=mask, other=0.0)", "q = tl.load(q_ptr + offsets)"),
    liger("no mask", "fused_add_rms_norm", "fused_add_rms_norm", "tl.store(S_ptr + col_offsets, S_row, mask=mask)",
          "tl.store(S_ptr + col_offsets, S_row)"),
]


def plant(fault, folder):
    """The changed file, and the lines that a finding may have."""
    source = HERE / "tutorials.py" if fault.where == "tutorials" else Path(importlib.util.find_spec(fault.where).origin)
    text = source.read_text()
    place = [m.start() for m in re.finditer(re.escape(fault.old), text)][fault.count - 1]
    text = text[:place] + fault.new + text[place + len(fault.old):]
    file = Path(folder) / source.name
    file.write_text(text)
    lines = {text.count("\n", 0, place) + 1}
    if fault.at:
        after = text.find(fault.at, place)
        lines.add(text.count("\n", 0, after if after >= 0 else text.rindex(fault.at, 0, place)) + 1)
    return file, lines


def run(fault, backend, ir):
    """(whether it was found in its line, the first finding or what happened instead)."""
    with tempfile.TemporaryDirectory() as folder:
        file, lines = plant(fault, folder)
        log = Path(folder) / "log"
        command = [str(file)] if fault.where == "tutorials" else [str(HERE / "liger.py"), "--instead", f"{fault.where}={file}"]
        done = subprocess.run([sys.executable, *command, "--backend", backend, "--ir", ir, "--only", fault.case, "--log", str(log)],
                              cwd=HERE, capture_output=True, text=True, env=environment())
        if not log.exists():
            return False, done.stderr.strip().splitlines()[-1]
        row = json.loads(log.read_text().splitlines()[0])
        exact = [text for text in row["faults"] if any(f"{file.name}:{line}:" in text for line in lines)]
        told = exact or row["faults"] or [row["error"] or ("wrong numbers: " + row["wrong"][0] if row["wrong"] else "nothing")]
        return bool(exact), told[0].replace(f"{folder}/", "").splitlines()[0]


def environment():
    import os
    return os.environ | {"PYTHONPATH": f"{HERE}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", type=int, nargs="*", help="numbers of faults")
    options, missed, found = parser.parse_args(), [], {way: 0 for way in WAYS}
    faults = TUTORIALS + LIGER
    numbers = options.only or range(len(faults))
    for number in numbers:
        fault = faults[number]
        print(f"{number}: {fault.what} in {fault.where}, {fault.case}", flush=True)
        by = []
        for way in WAYS:
            is_found, told = run(fault, *way)
            found[way] += is_found
            by += [way] * is_found
            print(f"    {'found ' if is_found else 'missed'} {way[0]:6} {way[1]}: {told[:200]}", flush=True)
        if not by:
            missed.append(number)
    counts = ", ".join(f"{count} by {backend} ({ir})" for (backend, ir), count in found.items())
    print(f"planted: {len(numbers)} faults, {len(numbers) - len(missed)} found in their line ({counts}); missed: {missed}")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
