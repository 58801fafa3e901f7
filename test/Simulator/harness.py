"""Runs kernels in the simulator, `tile-run --backend=sim`, and compares what they leave in their buffers with NumPy.

A Case says how a kernel is launched, on which arguments, and what it must give. What a run gave is an Outcome.
"""
import json
import pathlib
import re
import sys
import tempfile
from dataclasses import dataclass, field

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Integration"))
import batch  # noqa: E402

FOLDER = pathlib.Path(__file__).parent
FINDING = re.compile(r"error: (\S+): kernel @(\S+), block \((\d+),(\d+),(\d+)\), warp (\d+), lane (\d+): ([a-z-]+): ")


@dataclass
class Case:
    """A launch of kernel `entry` of `file`.

    make(rng) gives the arguments, arrays and Scalars, and {index: array} for the arrays that the kernel changes. All
    others must stay as they are. `tolerance` is relative; 0 compares bytes. `counters` maps names to exact counts:
    a path in the report's counters ("mma", "global.sectors"), or "shared.load.conflicts" and the like, which sum over
    accesses; a number or a function of the whole launch's report that gives the expected number.
    """
    file: str
    entry: str
    make: object
    grid: tuple = (1,)
    block: tuple = (32,)
    shared: int = 0
    chip: str = "sm_70"
    tolerance: float = 0
    counters: dict = field(default_factory=dict)

    @property
    def name(self):
        return f"{pathlib.Path(self.file).stem}.{self.entry}"


@dataclass
class Scalar:
    """An argument that is no buffer: i32:5, f16:0.5."""
    type: str
    value: object

    def __str__(self):
        return f"{self.type}:{self.value}"


@dataclass
class Outcome:
    status: int      # exit status of tile-run
    text: str        # what it printed
    difference: str  # the first array that is not as expected; "" if there is none
    launch: dict     # of the report; {} if there is none

    @property
    def kinds(self):
        """The kinds of findings, in the order of the report."""
        return [found[8] for found in FINDING.finditer(self.text)]

    def complaint(self):
        """What is wrong with the run of a correct kernel; "" if nothing is."""
        if self.kinds or self.status:
            return self.text.strip() or f"exit status {self.status}"
        return self.difference


def run(tile_run, case, source=None, options=()):
    """Runs a case, or the file `source` in place of its own."""
    arguments, changed = case.make(np.random.default_rng(sum(map(ord, case.name))))
    with tempfile.TemporaryDirectory() as folder:
        texts, outputs = [], []
        for i, argument in enumerate(arguments):
            if isinstance(argument, np.ndarray):
                np.save(f"{folder}/in{i}.npy", argument)
                outputs.append((i, f"{folder}/out{i}.npy"))
                texts.append(f"{folder}/in{i}.npy")
            else:
                texts.append(str(argument))
        report = pathlib.Path(folder, "report.json")
        status, text = batch.run(
            [tile_run, str(source or FOLDER / case.file), "--backend=sim", f"--entry={case.entry}",
             "--grid=" + ",".join(map(str, case.grid)), "--block=" + ",".join(map(str, case.block)),
             f"--shared-bytes={case.shared}", f"--chip={case.chip}", "--inputs=" + ",".join(texts),
             "--outputs=" + ",".join(name for _, name in outputs), f"--report={report}", *options])
        differences = []
        for i, name in outputs:
            expected = changed.get(i, arguments[i])
            if pathlib.Path(name).exists():
                where = compare(np.load(name), expected, case.tolerance if i in changed else 0)
            else:
                where = "not written"
            if where:
                differences.append(f"argument {i}: {where}")
        launches = json.loads(report.read_text()).get("launches", []) if report.exists() else []
    return Outcome(status, text, "; ".join(differences[:1]), launches[0] if launches else {})


def compare(got, expected, tolerance):
    """Where two arrays differ first; "" if they do not."""
    if got.shape != expected.shape or got.dtype != expected.dtype:
        return f"{got.dtype}{got.shape}, expected {expected.dtype}{expected.shape}"
    if tolerance:
        good = np.abs(got - expected) <= tolerance * np.maximum(np.abs(expected), 1e-3)  # NaN is not good
    else:
        raw = f"V{got.dtype.itemsize}"
        good = np.ascontiguousarray(got).view(raw) == np.ascontiguousarray(expected).view(raw)
    if good.all():
        return ""
    where = tuple(int(i) for i in np.argwhere(~good)[0])
    return f"{np.count_nonzero(~good)} of {got.size} differ, at {where}: {got[where]}, expected {expected[where]}"


def count(launch, name):
    """A counter of a launch by its path, or the sum over accesses: "<space>.<load|store|atomic>.<counter>"."""
    parts = name.split(".")
    if len(parts) == 3:
        space, kind, counter = parts
        return sum(a[counter] for a in launch["accesses"]
                   if a["space"] == space and ("atomic" if a["atomic"] else "store" if a["store"] else "load") == kind)
    for part in parts:
        launch = launch[part]
    return launch


def check(case, outcome):
    """What is wrong with the run of a correct kernel, its counters too; "" if nothing is."""
    complaint = outcome.complaint()
    for name, expected in case.counters.items() if not complaint else ():
        if callable(expected):
            expected = expected(outcome.launch)
        got = count(outcome.launch, name)
        if got != expected:
            complaint += f"counter {name} is {got}, expected {expected}; "
    return complaint
