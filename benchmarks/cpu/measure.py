"""Measures one row, in a process of its own: `measure.py OPTIONS`, of JSON; prints one line of JSON for each candidate.

Nobody is measured whose result was not compared before.
"""
import contextlib
import json
import os
import subprocess
import sys
import time

options = json.loads(sys.argv[1])
# Before any library starts its threads.
os.sched_setaffinity(0, options["cores"])
try:
    os.setpriority(os.PRIO_PROCESS, 0, -20)
except PermissionError:
    pass  # others of this system are in the way then
os.environ.update({name: str(len(options["cores"])) for name in
                   ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")})

import numpy as np  # noqa: E402

import native  # noqa: E402
import baselines  # noqa: E402
import reference  # noqa: E402
import rows  # noqa: E402
import torch_baseline  # noqa: E402

# Seconds of a call from which on one clock is taken for all rounds.
LONG = 0.002
HELD = {"f32": np.float32, "f64": np.float64, "bf16": np.uint16, "i8": np.int8, "i32": np.int32}


def widen(values, type_name):
    if type_name == "i8":
        return values.astype(np.float32)  # sums of these are exact
    return (values.astype(np.uint32) << 16).view(np.float32) if type_name == "bf16" else values


def narrow(values, type_name):
    return reference.round_bf16(values) if type_name == "bf16" else values.astype(HELD[type_name])


class Part:
    """A computation with its operands, and what its result has to be."""

    def __init__(self, computation, generator):
        self.computation = computation
        held = HELD[computation.result_type]

        def place(values):
            array = native.allocate(values.shape, values.dtype)
            array[...] = values
            return array

        self.operands = [place(reference.draw(generator, shape, computation.type)) for shape in computation.shapes]
        self.tables = [place(table) for table in computation.tables.values()]
        shape = computation.result_shape()
        self.bias = [place(reference.draw(generator, shape[-1:], computation.type))] if computation.bias else []
        self.output = native.allocate(shape, held)
        self.before = reference.draw(generator, shape, computation.type) if computation.adds else None
        self.expected = None

    def compute_expected(self):
        computation = self.computation
        wide = [widen(operand, computation.type) for operand in self.operands]
        result = reference.compute(computation.spec, wide, computation.all_sizes(), computation.tables,
                                   computation.pad)
        for more in (*self.bias, *([self.before] if self.before is not None else [])):
            result = result + widen(more, computation.type)
        self.expected = narrow(np.maximum(result, 0) if computation.relu else result, computation.result_type)

    def reset(self):
        self.output[...] = {"u": 0xffff, "i": -1 << 31, "f": np.nan}[self.output.dtype.kind]
        if self.before is not None:
            self.output[...] = self.before

    def find_fault(self, found):
        """Why a result is wrong; empty if it is right."""
        if self.expected is None:
            self.compute_expected()
        if tuple(found.shape) != tuple(self.expected.shape):
            return f"expected shape {self.expected.shape}, found {tuple(found.shape)}"
        wrong = ~(found == self.expected)
        if not wrong.any():
            return ""
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        expected, value = (widen(array[place].reshape(1), self.computation.result_type)[0] for array in (self.expected, found))
        return f"{int(wrong.sum())} of {wrong.size} elements are wrong: expected {expected} at {place}, found {value}"


class Benchmark:
    def __init__(self, row):
        self.row = row
        self.library = native.Native(options["library"])
        generator = np.random.default_rng(4)
        self.parts = [Part(computation, generator) for computation, _ in row.parts]
        self.entries = []  # (name, part or None, number or None, note)

    def add_peak(self):
        number, text = add_peak(self.library, self.row.peak_type)
        self.entries.append(("peak", None, number, "" if number is not None else text))
        return float(text) if number is not None else None

    def add(self, candidate, part):
        file = options["baselines"].get(candidate.baseline, "")
        if file.startswith(baselines.NOT_THERE):
            number, note = None, file.removeprefix(baselines.NOT_THERE + "failed: ")
            note = f"failed: {note}" if note != file else file
        elif candidate.baseline == "torch":
            number, note = self.add_torch(candidate, part)
        else:
            number, note = self.add_native(candidate, part, file)
        self.entries.append((candidate.name, part, number, note))

    def add_torch(self, candidate, part):
        function = torch_baseline.make(self.row, dict(candidate.lines)["variant"], part.computation, part.operands)
        fault = part.find_fault(torch_baseline.read(function()))
        return (None, f"wrong: {fault}") if fault else (self.library.add_function(function), "")

    def add_native(self, candidate, part, file):
        inputs = [*part.operands, *(part.tables + part.bias if candidate.baseline == "ours" else [])]
        part.reset()
        number, note = self.library.add(file if candidate.baseline in ("xsmm", "onednn") else candidate.baseline,
                                        [*candidate.lines, ("library", file)], inputs, part.output)
        if number is None:
            return None, f"refused: {note}"
        self.library.run(number)
        fault = part.find_fault(part.output)
        return (None, f"wrong: {fault}") if fault else (number, note)

    def measure(self):
        flop_of_peak = self.add_peak()
        for part, (_, candidates) in zip(self.parts, self.row.parts):
            for candidate in candidates:
                self.add(candidate, part)
        # The peak, which is timed beside each of the others, takes turns only if it is alone.
        peak = self.entries[0][2]
        there = [number for _, _, number, _ in self.entries if number is not None]
        numbers = [number for number in there if number != peak] or there
        level = options["quiet"].get(self.row.peak_type, 0)
        found = self.library.measure(numbers, peak, options["budget"], level)
        # The probe tells the clock of a moment: a call that takes much longer goes through many.
        if found and np.median(found[-1][:, 0]) > LONG:
            clock = np.median(np.concatenate([sample[:, 1] for sample in found]))
            for sample in found:
                sample[:, 1] = clock
        samples = {number: Samples(*sample.T, level) for number, sample in zip(numbers, found)}
        if found and peak is not None:
            beside = max(found, key=len)
            samples[peak] = Samples(beside[:, 1], beside[:, 1], beside[:, 2], level)
        ours = next((samples[number] for name, _, number, _ in self.entries
                     if name == "ours" and number is not None), None)
        for name, part, number, note in self.entries:
            flop = flop_of_peak if part is None else part.computation.flop()
            describe(name, note, samples.get(number), flop, flop_of_peak, ours)


class Samples:
    """Of a candidate: what stands in Benchmark.h, by rounds."""

    def __init__(self, times, peaks, levels, quiet_level):
        self.times, self.peaks, self.quiet = times, peaks, levels >= quiet_level

    def choose(self, values, quiet):
        """The median of those of quiet rounds; of all, if there are too few."""
        return float(np.median(values[quiet] if quiet.sum() >= 3 else values))

    def over(self, other):
        """At the same clock."""
        count = min(len(self.times), len(other.times))
        ratios = (self.times / self.peaks)[:count] / (other.times / other.peaks)[:count]
        return self.choose(ratios, self.quiet[:count] & other.quiet[:count])


def describe(name, note, samples=None, flop=0, flop_of_peak=None, ours=None):
    entry = {"candidate": name, "note": note.strip()[:2000]}
    if samples is not None:
        median, best = samples.choose(samples.times, samples.quiet), float(samples.times.min())
        entry |= {"us_median": 1e6 * median, "us_best": 1e6 * best, "us_worst": 1e6 * float(samples.times.max()),
                  "rounds": len(samples.times), "quiet": int(samples.quiet.sum())}
        if flop:
            entry |= {"gflop": 1e-9 * flop, "gflops_median": 1e-9 * flop / median, "gflops_best": 1e-9 * flop / best}
        if flop and flop_of_peak:
            shares = flop / samples.times / (flop_of_peak / samples.peaks)
            entry["percent_of_peak"] = 100 * samples.choose(shares, samples.quiet)
        if ours is not None and name != "peak":
            entry["over_ours"] = samples.over(ours)
    print(json.dumps(entry), flush=True)


def add_peak(library, type_name):
    isa = "avx2" if os.environ.get("ONEDNN_MAX_CPU_ISA") == "AVX2" else "any"
    return library.add("peak", [("type", type_name), ("isa", isa)], [], None)


def find_quiet_levels():
    """Of each type, how much of the probe the core gets done when nobody else is on it: that of the quietest tenth of
    some seconds."""
    library = native.Native(options["library"])
    for type_name in (*HELD, "bf16 amx", "i8 amx"):
        number, _ = add_peak(library, type_name)
        if number is not None:
            levels = library.measure([number], number, options["budget"])[0][:, 2]
            print(json.dumps({type_name: float(np.quantile(levels, 0.9))}))


def measure_compilation(row):
    """Wall time of what creates an operation that is not found compiled, after others were compiled."""
    library = native.Native(options["library"])
    computation = row.parts[0][0]
    letters = sorted({letter for letter in computation.spec if letter.isalpha()})
    part = Part(computation, np.random.default_rng(4))
    times, note = [], ""
    begin = time.perf_counter()
    for turn in range(26 - len(letters)):
        # Other letters: the same loops, and another description.
        names = dict(zip(letters, "abcdefghijklmnopqrstuvwxyz"[turn:]))
        renamed = rows.Computation("".join(names.get(letter, letter) for letter in computation.spec),
                                   computation.shapes,
                                   {names[letter]: size for letter, size in computation.sizes.items()})
        candidate = rows.ours(renamed)
        part.reset()
        start = time.perf_counter()
        number, note = library.add("ours", [*candidate.lines, ("library", options["baselines"]["ours"])], part.operands,
                                   part.output)
        elapsed = time.perf_counter() - start
        if number is None:
            return describe("ours", f"refused: {note}")
        library.run(number)
        fault = part.find_fault(part.output)
        if fault:
            return describe("ours", f"wrong: {fault}")
        if turn >= 2:  # warm
            times.append((elapsed, float(note.split(" ")[0])))
            if time.perf_counter() - begin > 3 * options["budget"] and len(times) >= 3:
                break
    for name, values in zip(("ours", "as reported"), np.array(times).T):
        describe(name, note.partition(" ")[2] if name == "ours" else "",
                 Samples(values, np.ones(len(values)), np.ones(len(values)), 0))
    return None


@contextlib.contextmanager
def keep_busy(core):
    """Another program that would have a core for itself, for as long as this lasts."""
    loop = f"import os\nos.sched_setaffinity(0, [{core}])\nwhile os.getppid() == {os.getpid()}: pass"
    program = subprocess.Popen([sys.executable, "-c", loop])
    try:
        yield
    finally:
        program.kill()
        program.wait()


def main():
    if options["row"] is None:
        return find_quiet_levels()
    row = next(row for row in rows.make_rows(torch_baseline.find_variants) if row.title == options["row"])
    if row.group == "compile":
        return measure_compilation(row)
    with keep_busy(options["cores"][-1]) if row.group == "busy" else contextlib.nullcontext():
        return Benchmark(row).measure()


if __name__ == "__main__":
    main()
    # What libraries do at the end of a process is not of interest, and not safe for all of them together.
    sys.stdout.flush()
    os._exit(0)
