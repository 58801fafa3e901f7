"""The tuner's search beside an exhaustive one, and what it finds beside what is chosen without tuning.

    benchmarks/run tune [--filter=TEXT] [--candidates=N] [--rounds=N] [--write]
    benchmarks/run tune --rows[=REGEX] [--candidates=N] [--rounds=N] [--write]

Thirty contractions: schedules on this CPU, by the time of one thread, and tile configurations on the simulated sm_70 and sm_80, by
estimate, which is always the same. Each is tuned twice, by --effort=full and by --effort=quick, which measures a quarter of the
configurations that passes list, with nothing kept from one for the other, and without comparing with the interpreter. On the CPU
both winners, and what is chosen without tuning, are then timed in turns once more.

--rows tunes what `benchmarks/run cpu` measures, by --effort=quick, and times what is found and what is chosen without tuning in
turns once more. --write puts the table into docs/benchmarks.md.
"""
import argparse
import csv
import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "benchmarks" / "cpu"))
import reference  # pylint: disable=wrong-import-position
import rows  # pylint: disable=wrong-import-position

CPU = "einsum-to-cpu-pipeline{threads=1 config={${config}}}"
SIM_PRODUCTS = ((256, 256, 256), (128, 512, 64), (64, 64, 1024), (192, 320, 128), (100, 200, 72))
SIM_CASES = {"conv": ("nc(h+r)(w+s), ckrs -> nkhw", dict(n=1, c=32, k=64, h=14, w=14, r=3, s=3)),
             "pointwise": ("nhwc, ck -> nhwk", dict(n=2, h=14, w=14, c=64, k=128)),
             "batched": ("bmk, bnk -> bmn", dict(b=8, m=64, n=64, k=64))}


def make_problems():
    """(name, measure, chip, program)."""
    cases = json.loads((ROOT / "benchmarks/cpu/cases.json").read_text())["cases"]
    for case in cases:
        if case["name"] not in ("permute", "shift_padded"):
            yield f"cpu {case['name']}", "cpu", "", make_program(case, "f32", "f32")
    for chip in ("sm_70", "sm_80"):
        for m, n, k in SIM_PRODUCTS:
            case = {"spec": "mk, kn -> mn", "sizes": {"m": m, "n": n, "k": k}}
            yield f"{chip} product {m}x{n}x{k}", "sim", chip, make_program(case, "f16", "f32")
        for name, (spec, sizes) in SIM_CASES.items():
            yield f"{chip} {name}", "sim", chip, make_program({"spec": spec, "sizes": sizes}, "f16", "f32")


def make_row_programs(wanted):
    """(name, program) of each different contraction of `benchmarks/run cpu` of one thread."""
    seen = set()
    for row in rows.make_rows(lambda name: []):
        for part, candidates in row.parts:
            if not re.search(wanted, row.title) or row.group in ("threads", "busy", "compile", "bf16 amx", "i8 amx"):
                continue
            tables = {name: {"values": [int(table.min()), int(table.max())], "shape": list(table.shape)}
                      for name, table in part.tables.items()}
            case = {"spec": part.spec, "sizes": part.all_sizes(), "tables": tables, "pad": "zero" if part.pad else "",
                    "shape": {str(i): shape for i, shape in enumerate(part.shapes)}}
            program = make_program(case, part.type, part.type)
            if program not in seen:
                seen.add(program)
                yield row.title + candidates[0].name.removeprefix("ours"), program


def make_program(case, element, result):
    """A contraction as MLIR."""
    spec, sizes, tables = case["spec"], case["sizes"], case.get("tables", {})
    terms, letters = reference.split_spec(spec)
    shapes = [case.get("shape", {}).get(str(i)) or reference.find_shape(axes, sizes) for i, axes in enumerate(terms)]
    write = lambda shape, kind: f"tensor<{'x'.join(map(str, [*shape, kind]))}>"
    types = [write(shape, element) for shape in shapes]
    table_types = {name: write([sizes.get(axis, axis) for axis in table["shape"]], "i32") for name, table in tables.items()}
    arguments = [f"%x{i}: {text}" for i, text in enumerate(types)]
    for name, table in tables.items():
        low, high = table["values"]
        arguments.append(f"%{name}: {table_types[name]} {{einsum.value_range = array<i64: {low}, {high}>}}")
    output = write([sizes[letter] for letter in letters], result)
    attributes = ' {pad = "zero"}' if case.get("pad") else ""
    listed = ", ".join(f"{name} = %{name} : {text}" for name, text in table_types.items())
    return (f"func.func @main({', '.join(arguments)}) -> {output} {{\n"
            f"  %y = einsum.contract \"{spec}\" ({', '.join(f'%x{i}' for i in range(len(types)))})"
            f"{f' tables({listed})' if listed else ''}{attributes}"
            f" : ({', '.join(types)}) -> {output}\n"
            f"  return %y : {output}\n}}\n")


class Tuning:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder

    def tune(self, measure, chip, *words):
        """The rows of the CSV, the best one first."""
        table = self.folder / "results.csv"
        subprocess.run([self.options.build / "bin/tile-tune", self.folder / "program.mlir", f"--measure={measure}",
                        "--random=1", "--cache=", f"--csv={table}", *([f"--chip={chip}"] if chip else [f"--pipeline={CPU}"]),
                        *words],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(table, newline="") as file:
            return list(csv.DictReader(file))

    def compare(self, measure, chip, program):
        """The cost of what quick finds over that of what full finds, of what is chosen without tuning over the latter, and
        how many were measured and known."""
        (self.folder / "program.mlir").write_text(program)
        count = f"--candidates={self.options.candidates}"
        cost = "median_ms" if measure == "cpu" else "estimate_us"
        full = self.tune(measure, chip, "--effort=full", "--no-check", count)
        quick = self.tune(measure, chip, "--effort=quick", "--no-check", count)
        measured = [row for row in quick if row[cost] or not row["reason"].startswith("a quarter")]
        if measure == "sim":
            known = {row["config"]: row for row in full}
            first = known["auto"]
            best = float(full[0][cost])
            return (float(known[quick[0]["config"]][cost]) / best, float(first[cost]) / best, len(measured), len(full))
        ratios = self.time([row[0]["config"] for row in (quick, full)] + ["auto"])
        return (ratios[0] / ratios[1], ratios[2] / ratios[1], len(measured), len(full))

    def time(self, configs):
        """The milliseconds that each takes, all timed in turns: the second of the least times of its
        processes, for a machine is often disturbed, and seldom lucky."""
        found = {config: [] for config in configs}
        report = self.folder / "report.json"
        for number in range(self.options.rounds + 3):
            for config, times in found.items():
                # The first one tells how many runs take a while.
                repeat = min(1000, max(5, int(40 / times[0]))) if number else 5
                subprocess.run([self.options.build / "bin/tile-run", self.folder / "program.mlir", "--backend=cpu", "--random=1",
                                f"--repeat={repeat}", f"--report={report}",
                                f"--pipeline={CPU.replace('${config}', config)}"],
                               check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                times.append(json.loads(report.read_text())["time_ms"]["min"])
        return [sorted(found[config])[1] for config in configs]

    def find_gain(self, program):
        """The time of what is chosen without tuning over that of what is found, and what that is."""
        (self.folder / "program.mlir").write_text(program)
        found = self.tune("cpu", "", "--effort=quick", "--no-check", f"--candidates={self.options.candidates}")[0]["config"]
        tuned, auto = self.time([found, "auto"])
        return auto / tuned, found


def compare_searches(tuning, options):
    lines = ["| problem | configurations | measured | quick over full | chosen by the model over full |",
             "|---|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    quick, chosen = [], []
    for name, *problem in make_problems():
        if options.filter not in name:
            continue
        ratio, untuned, measured, count = tuning.compare(*problem)
        quick.append(ratio)
        chosen.append(untuned)
        lines.append(f"| {name} | {count} | {measured} | {ratio:.3f} | {untuned:.3f} |")
        print(lines[-1], flush=True)
    if not quick:
        sys.exit(f"no problem is called {options.filter}")
    lines.append(f"| median; worst | | | {statistics.median(quick):.3f}; {max(quick):.3f} "
                 f"| {statistics.median(chosen):.3f}; {max(chosen):.3f} |")
    print(lines[-1])
    return lines


def compare_rows(tuning, options):
    lines = ["| row | without tuning over tuned | what is found |", "|---|---|---|"]
    print("\n".join(lines), flush=True)
    gains = []
    for name, program in make_row_programs(options.rows):
        gain, found = tuning.find_gain(program)
        gains.append(gain)
        lines.append(f"| {name} | {gain:.3f} | {found} |")
        print(lines[-1], flush=True)
    if not gains:
        sys.exit(f"no row is called {options.rows}")
    lines.append(f"| geometric mean; least | {statistics.geometric_mean(gains):.3f}; {min(gains):.3f} | |")
    print(lines[-1])
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--filter", default="", help="only problems whose names have this in them")
    parser.add_argument("--rows", nargs="?", const="", help="rows of benchmarks/run cpu, all or those that this is found in")
    parser.add_argument("--candidates", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--write", action="store_true", help="write the table into docs/benchmarks.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tuning = Tuning(options, pathlib.Path(folder))
        lines = compare_searches(tuning, options) if options.rows is None else compare_rows(tuning, options)
    if options.write:
        write(lines, "benchmarks/run tune" + (" --rows" if options.rows is not None else ""))


def write(lines, command):
    begin, end = f"<!-- {command} -->", f"<!-- end of {command} -->"
    page = ROOT / "docs/benchmarks.md"
    before, rest = page.read_text().split(begin)
    after = rest.split(end)[1]
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True)
    text = (f"{datetime.date.today()}, commit {commit.stdout.strip()}, {platform.machine()}, {os.cpu_count()} cores. "
            f"`{command}`:")
    page.write_text(before + begin + "\n" + text + "\n\n" + "\n".join(lines) + "\n" + end + after)


if __name__ == "__main__":
    main()
