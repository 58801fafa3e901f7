"""Products, einsums and convolutions on the CPU, beside OpenBLAS, oneDNN, libxsmm and torch.

    benchmarks/run cpu [--quick] [--filter=REGEX] [--budget=S] [--again] [--report-only] [--write]

Each row is measured in a process of its own, all candidates in turns (measure.py). What was found is in build/cpu-bench/
rows.csv, and rows that are there are not measured again. At the end the tables are printed (report.py); --write puts them
into docs/benchmarks.md, and the plot and the rows into docs/images.
"""
import argparse
import csv
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import baselines
import report
import rows
import torch_baseline

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COLUMNS = ("group", "row", "candidate", "gflop", "us_median", "us_best", "us_worst", "rounds", "quiet", "gflops_median",
           "gflops_best", "percent_of_peak", "over_ours", "note", "budget", "date", "commit", "processor")
# Of a row, over what --budget says: for one that hangs.
TIMEOUT = 300
# The share of the quietest moments' level that still counts as quiet.
QUIET = 0.8


def read_processor():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    found = re.search(r"^model name\s*:\s*(.*)$", text, re.MULTILINE)
    numbers = [re.search(rf"^{key}\s*:\s*(\d+)$", text, re.MULTILINE) for key in ("cpu family", "model", "stepping")]
    more = f" (family {numbers[0][1]}, model {numbers[1][1]}, stepping {numbers[2][1]})" if all(numbers) else ""
    return (found[1] if found else "unknown") + more


def read_commit():
    try:
        done = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                              check=False)
    except OSError:
        return "unknown"
    return done.stdout.strip() or "unknown"


def read_rows(path):
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [row for row in csv.DictReader(file) if None not in row.values()]


def write_rows(path, found):
    """In one go: an interrupted run leaves all or none of a row."""
    new = path.with_suffix(".new")
    with new.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(found)
    new.replace(path)


# Rows whose libraries are told which instructions to use.
AVX512_GROUPS = "bf16", "bf16 amx", "i8 amx"


def hold_to_avx2(environment):
    """What has ours and the libraries leave AVX-512 alone."""
    return environment | {"TILEIR_CPU": "znver3" if "AMD" in read_processor() else "haswell",
                          "OPENBLAS_CORETYPE": "Zen" if "AMD" in read_processor() else "Haswell",
                          "DNNL_MAX_CPU_ISA": "AVX2", "ONEDNN_MAX_CPU_ISA": "AVX2", "LIBXSMM_TARGET": "hsw",
                          "ATEN_CPU_CAPABILITY": "avx2", "MKL_ENABLE_INSTRUCTIONS": "AVX2"}


def choose_cores(count):
    """The last ones that there are: the first is where interrupts go."""
    return sorted(os.sched_getaffinity(0))[-count:]


def run_process(settings, environment, python):
    """What a row's process found, and why it failed: empty if it did not."""
    command = [python, "-X", "faulthandler", pathlib.Path(__file__).parent / "measure.py", json.dumps(settings)]
    try:
        done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env=environment, timeout=TIMEOUT + 10 * settings["budget"], check=False)
    except subprocess.TimeoutExpired as error:
        return [], f"took longer than {error.timeout:.0f} s"
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if re.match(r"[\w. ]*Error", line)]
        return [], (lines or [f"exit status {done.returncode}"])[-1]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")], ""


def find_quiet_levels(options, environment, python):
    """See measure.py; as far as it was found in a former run, at least that."""
    path = options.folder / "quiet.json"
    levels = json.loads(path.read_text()) if path.exists() else {}
    settings = {"row": None, "budget": options.budget, "cores": choose_cores(1), "library": str(options.library)}
    for entry in run_process(settings, environment, python)[0]:
        levels |= {name: max(level, levels.get(name, 0)) for name, level in entry.items()}
    path.write_text(json.dumps(levels))
    return {name: QUIET * level for name, level in levels.items()}


def measure(row, options, library_of, quiet, environment, python):
    """The candidates of a row, as columns. If the process fails, the others are measured without ours."""
    settings = {"row": row.title, "budget": options.budget, "cores": choose_cores(row.threads),
                "library": str(options.library), "baselines": library_of, "quiet": quiet}
    if row.group == "bf16" and pathlib.Path("/proc/cpuinfo").read_text().find("amx_bf16") >= 0:
        environment = environment | {"TILEIR_CPU": "icelake-server"}  # as its libraries, without AMX
    found, failed = run_process(settings, environment, python)
    if failed and row.group != "compile":
        settings["baselines"] = library_of | {"ours": f"{baselines.NOT_THERE}failed: {failed}"}
        found, failed_again = run_process(settings, environment, python)
        found = found or [{"candidate": "all", "note": f"failed: {failed_again}"}]
    elif failed:
        found = [{"candidate": "ours", "note": f"failed: {failed}"}]
    more = {"group": row.group, "row": row.name, "budget": options.budget, "commit": options.commit,
            "date": datetime.date.today().isoformat(), "processor": options.processor}
    digits = {"us_median": 3, "us_best": 3, "us_worst": 3, "gflop": 9, "gflops_median": 2, "gflops_best": 2,
              "percent_of_peak": 2, "over_ours": 4}
    for entry in found:
        entry |= {name: round(entry[name], count) for name, count in digits.items() if name in entry}
    return [entry | more for entry in found]


def summarize(found):
    """A row on one line, and what is wrong with it."""
    parts = []
    for entry in found:
        if entry["candidate"] == "peak":
            parts.append(f"peak {entry['gflops_median']:.1f} GFLOP/s" if "gflops_median" in entry else entry["note"])
        elif "us_median" not in entry:
            parts.append(f"{entry['candidate']} -")
        else:
            more = f" {entry['percent_of_peak']:.1f} %" if "percent_of_peak" in entry else ""
            more += f" ({entry['over_ours']:.2f}x)" if entry["candidate"] != "ours" and "over_ours" in entry else ""
            parts.append(f"{entry['candidate']} {entry['us_median']:.4g} us{more}")
    return ", ".join(parts), [f"{entry['candidate']}: {entry['note']}" for entry in found if report.is_fault(entry)]


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--folder", type=pathlib.Path,
                        help="where rows.csv is (default: cpu-bench in the build; with -avx2 and -quick, if so)")
    parser.add_argument("--quick", action="store_true", help="some of the rows, for a short time")
    parser.add_argument("--filter", default="", help="rows whose 'group name' this is found in, a regular expression")
    parser.add_argument("--budget", type=float, help="seconds of each row (default: 2, with --quick 0.3)")
    parser.add_argument("--again", action="store_true", help="measure rows, too, that are in rows.csv")
    parser.add_argument("--avx2", action="store_true", help="hold ours and all libraries to AVX2")
    parser.add_argument("--baselines", default="openblas,onednn,xsmm,torch", help="those that are compared with")
    parser.add_argument("--deps", type=pathlib.Path, default=ROOT / ".deps/bench", help="where these are put")
    parser.add_argument("--ours", type=pathlib.Path, help="libTileIRC.so (default: the build's)")
    parser.add_argument("--list", action="store_true", help="print the rows and end")
    parser.add_argument("--report-only", action="store_true", help="measure nothing")
    parser.add_argument("--write", action="store_true", help="put the report into docs/benchmarks.md")
    parser.add_argument("--docs", type=pathlib.Path, default=ROOT / "docs", help="where that is")
    options = parser.parse_args()
    options.folder = options.folder or options.build / ("cpu-bench" + "-avx2" * options.avx2 + "-quick" * options.quick)
    options.budget = options.budget or (0.3 if options.quick else 2)
    options.library = options.build / "benchmarks/cpu/cpu-measure.so"
    options.ours = (options.ours or options.build / "lib/libTileIRC.so").resolve()
    options.commit, options.processor = read_commit(), read_processor()
    options.processor += ", held to AVX2" * options.avx2
    return options


def main():
    options = read_options()
    wanted = [row for row in rows.make_rows(torch_baseline.find_variants)
              if re.search(options.filter, row.title) and (not options.quick or row.title in rows.QUICK)
              and not (options.avx2 and row.group in AVX512_GROUPS)]
    if options.list:
        print("\n".join(row.title for row in wanted))
        return 0
    options.folder.mkdir(parents=True, exist_ok=True)
    path = options.folder / "rows.csv"
    found = read_rows(path)
    status = 0
    if not options.report_only:
        there = set() if options.again else {(row["group"], row["row"]) for row in found}
        wanted = [row for row in wanted if (row.group, row.name) not in there]
        machine = baselines.Baselines(options.deps, pathlib.Path(__file__).parent)
        machine.get([baseline for baseline in options.baselines.split(",") if baseline])
        library_of = machine.found | {"ours": str(options.ours)}
        environment, python = machine.get_environment(), machine.get_python()
        if options.avx2:
            environment = hold_to_avx2(environment)
        quiet = find_quiet_levels(options, environment, python)
        begin = time.monotonic()
        for number, row in enumerate(wanted, 1):
            entries = measure(row, options, library_of, quiet, environment, python)
            line, faults = summarize(entries)
            print(f"[cpu] {number}/{len(wanted)} {row.title}: {line}", flush=True)
            for text in faults:
                print(f"[cpu]   {text}", flush=True)
                status = 1
            found = [entry for entry in found if (entry["group"], entry["row"]) != (row.group, row.name)] + entries
            write_rows(path, found)
        print(f"[cpu] {len(wanted)} rows in {time.monotonic() - begin:.0f} s: {path}", flush=True)
    report.report(read_rows(path), options)
    return status


if __name__ == "__main__":
    sys.exit(main())
