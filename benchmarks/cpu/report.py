"""The tables and the plot of docs/benchmarks.md, and whether goals are met, from what is in rows.csv."""
import collections
import math
import pathlib
import shutil
import sys

import rows
import torch_baseline

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parent.parent))
import plot

BEGIN, END = "<!-- benchmarks/run cpu -->", "<!-- end of benchmarks/run cpu -->"
NAMES = {"openblas": "OpenBLAS", "xsmm": "libxsmm", "onednn": "oneDNN", "torch": "torch", "peak": "peak"}
LIBRARIES = ("openblas", "xsmm", "onednn")


def is_fault(entry):
    """Others may lack an operation; ours may not."""
    kinds = ("wrong", "failed", "refused") if entry["candidate"].startswith("ours") else ("wrong", "failed")
    return entry["note"].startswith(kinds)


class Result:
    """The candidates of a row; none if it was not measured."""

    def __init__(self, row, entries):
        self.group, self.name = row.group, row.name
        self.entries = {entry["candidate"]: entry for entry in entries}

    def value(self, candidate, column):
        """A number, or None where there is none."""
        text = self.entries.get(candidate, {}).get(column, "")
        return float(text) if text not in ("", None) else None

    def best(self, *families):
        """Of the candidates whose names begin so, the one with the least time: its name and how many times as fast
        ours is. None where there is none."""
        found = [(self.value(name, "us_median"), name) for name in self.entries
                 if name.split(" ")[0] in families and self.value(name, "us_median") is not None]
        if not found:
            return None, None
        name = min(found)[1]
        return name, self.value(name, "over_ours")


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def number(value, digits):
    return "-" if value is None else f"{value:.{digits}f}"


def make_lines(heads, lines):
    return ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads),
            *("| " + " | ".join(line) + " |" for line in lines), ""]


class Goals:
    """What has to be reached, and whether it is."""

    def __init__(self):
        self.lines = []

    def add(self, work, goal, values, holds, show):
        """`values` by row: all of the rows are needed; None is what was not measured."""
        known = {name: value for name, value in values.items() if value is not None}
        if not known:
            return self.lines.append([work, goal, "not measured", "-"])
        verdict = "yes" if holds(known) else "no"
        if len(known) < len(values):
            verdict += f" ({len(known)} of {len(values)} rows)"
        return self.lines.append([work, goal, show(known), verdict])

    def add_each(self, work, goal, values, holds, digits=3, unit="x", is_least=True):
        def show(known):
            name = (min if is_least else max)(known, key=known.get)
            return f"{'least' if is_least else 'most'} {known[name]:.{digits}f}{unit} ({name})"

        self.add(work, goal, values, lambda known: all(map(holds, known.values())), show)

    def add_mean(self, work, goal, values, least):
        self.add(work, goal, values, lambda known: mean(known.values()) >= least,
                 lambda known: f"{mean(known.values()):.3f}x")

    def tell_mean(self, work, beside, values):
        """Of something that is not asked for."""
        known = [value for value in values.values() if value is not None]
        if known:
            self.lines.append([work, f"(beside {beside}: no goal)", f"{mean(known):.3f}x", "-"])


def collect(results, *groups):
    return [result for result in results if result.group in groups]


def over(results, *families):
    return {result.name if len({other.group for other in results}) == 1 else f"{result.group} {result.name}":
            result.best(*families)[1] for result in results}


def judge(results):
    goals = Goals()
    products, odd = collect(results, "gemm"), collect(results, "odd")
    goals.add_each("GEMM f32, 32^3 to 2048^3", "at least 96 % of the peak",
                   {result.name: result.value("ours", "percent_of_peak") for result in products if result.name != "16"},
                   lambda value: value >= 96, 1, " %")
    goals.add_mean("GEMM f32, 16^3 to 2048^3", "geomean 1.02x the best library", over(products, *LIBRARIES), 1.02)
    goals.add_mean("odd sizes", "geomean 1.15x the best library", over(odd, *LIBRARIES), 1.15)
    goals.add_each("odd sizes", "none under 0.97x", over(odd, *LIBRARIES), lambda value: value >= 0.97)
    for work, group in (("GEMM f32, 16^3 to 2048^3", products), ("odd sizes", odd)):
        goals.tell_mean(work, "torch's MKL, from Python", over(group, "torch"))
    sums = collect(results, "brgemm", "batched", "blocks")
    goals.add_mean("BRGEMM, batches, seed 004", "geomean 1.02x libxsmm", over(sums, "xsmm"), 1.02)
    goals.add_each("BRGEMM, batches, seed 004", "none under 0.98x", over(sums, "xsmm"), lambda value: value >= 0.98)
    einsums = collect(results, "einsum")
    goals.add_mean("einsum cases", "geomean 2x torch", over(einsums, "torch"), 2)
    goals.add_each("einsum cases", "none under 1x", over(einsums, "torch"), lambda value: value >= 1)
    layers = collect(results, "conv nhwc")
    goals.add_mean("convolutions, NHWC", "geomean 1x oneDNN", over(layers, "onednn"), 1)
    goals.add_each("convolutions, NHWC", "0.95x our GEMM of the same sizes",
                   {result.name: result.value("ours gemm", "over_ours") for result in layers},
                   lambda value: value >= 0.95)
    goals.tell_mean("convolutions, NHWC", "torch's oneDNN", over(layers, "torch"))
    goals.tell_mean("convolutions, NCHW", "the best of both", over(collect(results, "conv nchw"), "onednn", "torch"))
    for order in ("nhwc", "nchw"):
        goals.add_each(f"shift convolutions, {order.upper()}", "0.97x our 1x1 convolution",
                       {result.name: result.value("ours 1x1", "over_ours")
                        for result in collect(results, f"shift {order}")}, lambda value: value >= 0.97)
    goals.add_each("GEMM + bias + ReLU", "at most 2 % over GEMM",
                   {result.name: None if result.value("ours gemm", "over_ours") is None
                    else 100 / result.value("ours gemm", "over_ours") - 100
                    for result in collect(results, "epilogue")}, lambda value: value <= 2, 1, " %", False)
    goals.add_each("two threads, 256^3 and up", "1.9x one",
                   {result.name: result.value("ours alone", "over_ours") for result in collect(results, "threads")},
                   lambda value: value >= 1.9, 2)
    goals.add_each("two threads, one core busy", "0.9x one",
                   {result.name: result.value("ours alone", "over_ours") for result in collect(results, "busy")},
                   lambda value: value >= 0.9, 2)
    for name, title, most in (("gemm 64", "64^3 GEMM", 15), ("conv 3x3", "3x3 convolution", 40)):
        goals.add_each(f"compilation, {title}", f"at most {most} ms",
                       {result.name: None if result.value("ours", "us_median") is None
                        else result.value("ours", "us_median") / 1000
                        for result in collect(results, "compile") if result.name == name},
                       lambda value, most=most: value <= most, 1, " ms", False)
    return goals.lines


def find_columns(results):
    """Candidates of a table in the order in which they come, ours and the peak first."""
    names = dict.fromkeys(name for result in results for name in result.entries)
    return [name for name in names if name not in ("peak", "ours", "all")]


def title(name):
    family, _, rest = name.partition(" ")
    return f"{NAMES.get(family, family)} {rest}".strip()


def report_percents(results, heading):
    """Of each candidate its share of the peak, and ours over the best library."""
    columns = find_columns(results)
    lines = []
    for result in results:
        lines.append([result.name, number(result.value("peak", "gflops_median"), 1),
                      number(result.value("ours", "us_median"), 3), number(result.value("ours", "us_best"), 3),
                      number(result.value("ours", "percent_of_peak"), 1),
                      *(number(result.value(name, "percent_of_peak"), 1) for name in columns),
                      number(result.best(*LIBRARIES)[1], 3)])
    return [heading, "", *make_lines(["size", "peak, GFLOP/s", "ours, us", "best", "ours, % of peak",
                                      *(f"{title(name)}, %" for name in columns), "over the best library"], lines)]


def report_times(results, heading, families):
    """Ours, and how many times as fast it is as the best of each family."""
    lines = []
    for result in results:
        line = [result.name, number(result.value("ours", "us_median"), 1), number(result.value("ours", "us_best"), 1),
                number(result.value("ours", "percent_of_peak"), 1)]
        for family in families:
            name, ratio = (family, result.value(family, "over_ours")) if family.startswith("ours") \
                else result.best(family)
            us = result.value(name, "us_median") if name else None
            way = f" ({name.partition(' ')[2]})" if name and family == "torch" else ""
            line.append("-" if us is None else f"{us:.1f} us{way}" + ("" if ratio is None else f", {ratio:.3f}x"))
        lines.append(line)
    return [heading, "", *make_lines(["row", "ours, us", "best", "% of peak",
                                      *(f"{title(family)}, over ours" for family in families)], lines)]


def describe_run(results, entries):
    dates = sorted({entry["date"] for entry in entries})
    commits = sorted({entry["commit"] for entry in entries})
    rounds = [int(entry["rounds"]) for entry in entries if entry["rounds"]]
    versions = {}
    for entry in entries:
        family = entry["candidate"].split(" ")[0]
        if family in ("openblas", "xsmm") and entry["us_median"]:
            versions[family] = " ".join(entry["note"].split(" ")[:2])
    missing = sorted({f"{NAMES[entry['candidate'].split(' ')[0]]} ({entry['note'].partition(': ')[2]})"
                      for entry in entries if entry["note"].startswith("not there")})
    text = (f"{' and '.join(dates)}, commit {' and '.join(commits)}, {entries[0]['processor']}, one core, "
            f"{min(rounds)} to {max(rounds)} rounds a row, all candidates of a row in turns. "
            "Ratios and shares of the peak are medians over the quiet rounds, at the clock of each. Libraries: " +
            ", ".join([*versions.values(), "oneDNN 2.6 of Debian", "torch of PyPI"]) + ".")
    noisy = [f"{result.group} {result.name}" for result in results
             if result.group != "compile" and int(result.entries.get("ours", {}).get("quiet") or 3) < 3]
    if noisy:
        text += f" Never quiet for long enough, so that all rounds count: {', '.join(noisy)}."
    if missing:
        text += f" Not there: {', '.join(missing)}."
    wrong = [f"{result.group} {result.name}: {name}" for result in results for name, entry in result.entries.items()
             if is_fault(entry)]
    if wrong:
        text += f" **Wrong, failed or refused, and so without a time: {', '.join(wrong)}.**"
    return text + " `benchmarks/run cpu`:"


def make_report(entries):
    groups = collections.defaultdict(list)
    for entry in entries:
        groups[entry["group"], entry["row"]].append(entry)
    results = [Result(row, groups[row.group, row.name]) for row in rows.make_rows(torch_baseline.find_variants)]
    lines = [describe_run(results, entries), "", *make_lines(["work", "goal", "found", "met"], judge(results))]
    pictures = {}
    curves = {title(name): [(result.name, result.value(name, "percent_of_peak"))
                            for result in collect(results, "gemm", "odd")
                            if result.value(name, "percent_of_peak") is not None]
              for name in ("ours", *LIBRARIES)}
    if any(curves.values()):
        pictures["cpu-gemm.svg"] = plot.draw_shares("GEMM f32: percent of the measured peak", curves)
        lines += ["![Shares of the peak by size](images/cpu-gemm.svg)", ""]
    tables = [
        ("gemm", "Products of f32, of N x N matrices:", None), ("odd", "Odd sizes:", None),
        ("f64", "Products of f64:", None),
        ("bf16", "Products of bf16, with oneDNN held to AVX-512, where ours is, too (the peak is that of `vdpbf16ps`):",
         None),
        ("bf16 amx", "Products of bf16 (the peak is that of `tdpbf16ps` where there is AMX, else of `vdpbf16ps`):", None),
        ("i8 amx", "Products of i8, with sums of i32 (the peak is that of `tdpbssd` where there is AMX, else of `vpdpbusd`):", None),
        ("brgemm", "A sum of 8 products of 32^3:", ("xsmm", "openblas")),
        ("batched", "Batches of products:", ("xsmm", "openblas", "onednn", "torch")),
        ("blocks", "The three configurations of seed 004, as they are given and optimised:", ("xsmm",)),
        ("einsum", "Einsum cases; in brackets, which of torch's ways is the fastest:", ("torch",)),
        ("conv nhwc", "Convolutions, NHWC, batch 4; weights of oneDNN and torch are ordered before:",
         ("onednn", "ours gemm", "torch")),
        ("conv nchw", "Convolutions, NCHW:", ("onednn", "torch")),
        ("shift nhwc", "Shift convolutions, NHWC:", ("ours 1x1",)),
        ("shift nchw", "Shift convolutions, NCHW:", ("ours 1x1",)),
        ("epilogue", "GEMM + bias + ReLU:", ("ours gemm",)), ("threads", "Two threads:", ("ours alone",)),
        ("busy", "Two threads, while another program would have one of their cores for itself:", ("ours alone",)),
        ("compile", "Compilation, with others compiled before:", ("as reported",))]
    for group, heading, families in tables:
        found = [result for result in collect(results, group) if result.entries]
        if found:
            lines += report_times(found, heading, families) if families else report_percents(found, heading)
    return "\n".join(lines).rstrip(), pictures


def report(entries, options):
    if not any(entry["us_median"] for entry in entries):
        sys.exit(f"{options.folder}/rows.csv: expected rows with times, found none")
    text, pictures = make_report(entries)
    print(text)
    for name, picture in pictures.items():
        (options.folder / name).write_text(picture)
    if options.write:
        page = options.docs / "benchmarks.md"
        before, rest = page.read_text().split(BEGIN)
        page.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}")
        for name, picture in pictures.items():
            (options.docs / "images" / name).write_text(picture)
        shutil.copy(options.folder / "rows.csv", options.docs / "images/cpu-rows.csv")
