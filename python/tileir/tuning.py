# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chooses configurations of programs, kernels and contractions by measuring, by tile-tune."""

import csv
import html
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tileir._launch import files
from tileir._launch.errors import RunError
from tileir._launch.program import Program
from tileir._tools import find_beside, find_tile_run


class TuneError(RunError):
    """No configuration works, or nothing can be tuned. The message is what tile-tune said."""


@dataclass(frozen=True)
class Configuration:
    """One that was compared: its values by name, its median, least and largest cost (milliseconds, or estimated microseconds of
    the simulated GPU), how many times as long as the best one it takes, what was predicted, and why it is not right, or not
    measured."""

    values: dict
    cost: float = None
    least: float = None
    most: float = None
    ratio: float = None
    predicted: float = None
    reason: str = ""


@dataclass(frozen=True)
class Tuned:
    """What tuning found: the `options` of tile-run that ask for the best configuration and the `command` that runs it; all
    `configurations`, the best one first, then those that are right; why some were not measured; whether all were known."""

    options: tuple
    command: str
    unit: str
    configurations: list
    stop: str = ""
    was_known: bool = False
    page: str = field(default="", repr=False)

    @property
    def best(self):
        return self.configurations[0]

    def _repr_html_(self):
        return f'<iframe srcdoc="{html.escape(self.page)}" width="100%" height="600"></iframe>'


def tune(program, *args, defines=None, space=None, where=None, grid=None, entry=None, measure="cpu", chip=None, pipeline=None,
         check=True, check_args=None, key=None, effort="quick", rounds=12, repeat=5, jobs=None, budget=None, timeout=60, memory=8192,
         candidates=128, cache=None, progress=True, options=(), includes=(), tile_run=None):
    """Measures a program with each of many values, and returns a Tuned, of which tile-run --tuned, and einsum and compile with
    tuned=True, find the best one again. Ctrl-C ends it with the best so far.

    >>> tileir.tune("matmul.c", a, b, c, 512, 512, 512, 512, 512, 512, defines={"TM": [32, 64], "TN": [32, 64], "TK": 16})
    >>> tileir.tune(tileir.compile("mk, kn -> mn", a, b))

    program: as of `run`, with arguments of the function, or an Operation of `compile`, with its operands, tables and bias, which
        may be left out if there are no tables.
    defines: macros of Triton-C, of which lists are values to choose from. space: more such lists, by the name of what stands
        as ${name} in `pipeline`, or as text ("stages=2|3"). where: what configurations fulfil, such as "TM*TN <= 16384".
    grid: launches a kernel on it. entry: the function or the kernel.
    measure: "cpu": times, or "sim": estimates of kernels on a simulated GPU, `chip`.
    check: whether results are compared with the interpreter's, on check_args if these are given: small ones are quick.
    key: numbers of the arguments that the result is for, by size or value; by default all.
    effort: "quick" (at most 64, or a quarter), or "full". rounds, repeat, jobs, budget (seconds), timeout (seconds), memory (MiB),
        candidates: as of tile-tune. cache: the file of results, "" for none; by default that of the user.
    progress: whether lines of progress go to stderr, or a function that is called with each.
    options, includes: of tile-run. tile_run: the program, or its folder.
    """
    tile_run = find_tile_run(tile_run, TuneError)
    words = [f"--measure={measure}", f"--effort={effort}", f"--rounds={rounds}", f"--repeat={repeat}", f"--timeout={timeout}",
             f"--memory={memory}", f"--candidates={candidates}", f"--tile-run={tile_run}"]
    given = {"chip": chip, "where": where, "jobs": jobs, "budget": budget, "pipeline": pipeline,
             "cache": os.path.abspath(cache) if cache else cache, "space": _format_space(space)}
    words += [f"--{name}={value}" for name, value in given.items() if value is not None]
    words += ["--no-check"] * (not check) + [f"--run={option}" for option in options]
    operation = program if hasattr(program, "program") else None
    if operation is not None:
        if measure != "cpu" or defines or grid or entry:
            raise TypeError("expected a contraction to be tuned on the CPU, without defines, grid and entry")
        program, key = operation.program, ()
        args = _lay_out(operation, args, Program(program).find(None).arguments) if args or operation.has_tables else ()
        if pipeline is None:
            words.append(f"--pipeline={operation.pipeline}")
    program = Program(program, defines, includes, tile_run)
    if grid is not None:
        sizes = grid if isinstance(grid, (tuple, list)) else (grid,)
        words.append(f"--run=--grid={','.join(map(str, sizes))}")
    if entry is not None:
        words.append(f"--run=--entry={entry}")
    if key is not None:
        words.append(f"--key={','.join(map(str, key))}")
    with tempfile.TemporaryDirectory(prefix="tileir-") as folder, program.file() as path:
        words += [*program.options, f"--report={folder}/report"]
        if args:
            kinds = program.find(entry, is_kernel=grid is not None).arguments
            words.append(f"--inputs={_write(args, kinds, folder, 'input')}")
            if check_args is not None:
                words.append(f"--check-inputs={_write(check_args, kinds, folder, 'check')}")
        else:
            words.append("--random=1")
        status, output, messages = _run([find_beside("tile-tune", tile_run, TuneError), str(path), *words], folder, progress)
        if operation is not None:
            from tileir.operations import clear_cache

            clear_cache()  # of what was compiled without the result
        results = _read_results(Path(folder, "report/results.csv"), measure)
        if status:
            text = "\n".join(messages).replace("tile-tune: error: ", "")
            if text.endswith("interrupted"):
                raise KeyboardInterrupt
            raise TuneError(text or f"tile-tune ended with status {status}")
        for message in messages:
            warnings.warn(message, RuntimeWarning, stacklevel=2)
        command = output.splitlines()[-1]
        page = Path(folder, "report/index.html").read_text()
    stop = next((one.reason for one in results if one.cost is None and (one.reason == "interrupted" or "budget" in one.reason)), "")
    return Tuned(tuple(shlex.split(command)[2:]), command, "us" if measure == "sim" else "ms", results, stop,
                 "nothing was measured" in output, page)


def _lay_out(operation, arrays, kinds):
    """The arrays that the program of an operation takes, of `kinds` in MLIR, for those that the operation takes."""
    laid_out = []
    for value, kind in zip(operation.prepare(arrays), kinds):
        memory, shape = files.as_memory(value), _get_shape(kind)
        if memory.size == 0:
            laid_out.append(np.zeros(shape, memory.dtype))
        elif memory.flags.c_contiguous:
            laid_out.append(memory.reshape(shape))
        else:  # a view of an array of one axis
            flat = np.zeros(shape, memory.dtype)
            np.lib.stride_tricks.as_strided(flat, memory.shape, memory.strides)[...] = memory
            laid_out.append(flat)
    laid_out.append(files.make_zeros(kinds[-1], _get_shape(kinds[-1])))
    return laid_out


def _get_shape(kind):
    return [int(size) for size in re.findall(r"(\d+)x", kind)]


def _format_space(space):
    if space is None or isinstance(space, str):
        return space
    return ";".join(f"{name}={'|'.join(map(str, values))}" for name, values in space.items())


def _write(args, kinds, folder, stem):
    """Items of --inputs for arguments of `kinds` in MLIR: files of arrays, and numbers with their types."""
    if len(args) != len(kinds):
        raise TypeError(f"expected {len(kinds)} arguments ({', '.join(kinds)}), found {len(args)}")
    items = []
    for i, (value, kind) in enumerate(zip(args, kinds)):
        if getattr(value, "shape", None) == () and getattr(value, "dtype", None) is not None and files.as_memory(value).dtype.kind != "V":
            value = files.as_memory(value).item()  # of numbers, the value counts
        if isinstance(value, (bool, int, float)):
            items.append(f"{files.get_element(kind)}:{str(value).lower()}")
        else:
            # What is measured is known by its options: the same names for arrays of the same shapes and types.
            memory = files.as_memory(value)
            name = f"{stem}{i}-{'x'.join(map(str, memory.shape))}-{files.get_dtype_name(value)}.npy"
            files.save(value, Path(folder, name))
            items.append(name)
    return ",".join(items)


def _run(command, folder, progress):
    """Runs tile-tune in a folder: its status, what it printed, and messages that are no progress. Ctrl-C is passed on, once."""
    tell = progress if callable(progress) else lambda line: print(line, file=sys.stderr) if progress else None
    messages = []
    with tempfile.TemporaryFile("w+") as output:
        # Its own session: a terminal sends Ctrl-C to all processes of one, and then this passes it on.
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.PIPE, text=True, start_new_session=True)
        was_told = False
        while True:
            try:
                line = process.stderr.readline()
                if not line:
                    break
                line = line.rstrip("\n")
                if line.startswith("[tune] "):
                    tell(line)
                elif line.strip():
                    messages.append(line)
            except KeyboardInterrupt:
                process.send_signal(signal.SIGKILL if was_told else signal.SIGINT)
                was_told = True
            except BaseException:
                process.kill()
                process.wait()
                raise
        status = process.wait()
        process.stderr.close()
        output.seek(0)
        return status, output.read().strip(), messages


def _read_results(path, measure):
    if not path.exists():
        return []
    results = []
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            def get(name, row=row):
                return float(row[name]) if row[name] else None

            values = {name: value for name, value in row.items() if name not in (
                "median_ms", "ratio", "min_ms", "max_ms", "estimate_us", "clock_mhz", "predicted", "seconds", "reason")}
            cost = ("estimate_us",) * 3 if measure == "sim" else ("median_ms", "min_ms", "max_ms")
            results.append(Configuration(values, *map(get, cost), get("ratio"), get("predicted") or None, row["reason"]))
    return results
