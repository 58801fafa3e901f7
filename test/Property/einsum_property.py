#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Property test of einsum.contract: random programs, three answers each.

    einsum_property.py --tile-run build/bin/tile-run --count 500 --seed 1

Each case is a function of one or more contractions with random specifications,
shapes, element types and inputs. tile-run executes it with --backend=cpu and
compares with its interpreter; the result is compared here with NumPy
(../Integration/numpy_einsum.py). Nine cases in ten have integer inputs so small
that every sum is exact in the accumulation type, whatever its order, and are
compared exactly (zeros of either sign are equal); the others have fractions,
and a tolerance.

With `--tile BLOCK` contractions become tile kernels of such blocks, which run on
the CPU and, before they are lowered further, in the interpreter. With
`--backend sim` they become kernels for a GPU, which run on the simulator.

A failing case is kept as a .mlir file that names its command line, with its
inputs beside it. `--seed S --only N` draws case N alone. Exit status: 0 if all
agree, 1 on a mismatch, 130 when interrupted.
"""

import argparse
import collections
import os
import re
import shlex
import shutil
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Integration"))
import einsum_programs as model  # noqa: E402
import numpy_einsum as oracle  # noqa: E402
from batch import run  # noqa: E402
from einsum_programs import draw_case, tile_pipeline  # noqa: E402

SELF_TEST_CASES = 600


# --------------------------------------------------------------------------
# Running them
# --------------------------------------------------------------------------


def compare(case, outputs):
    """What is wrong with the files `outputs`, in words, or None."""
    for i, (path, expected, type) in enumerate(zip(outputs, case.expected, case.program.types)):
        try:
            got = oracle.load(path, type.element)
        except (OSError, ValueError, EOFError) as error:
            return f"output {i}: {error}"
        error, where = oracle.difference(got, expected)
        if not error <= case.tolerance:
            return f"output {i} {where}; error {error:.3g}, tolerance {case.tolerance:.3g}"
    return None


def check_kernels(case, path, tile_run, block, outputs):
    """Runs the tile kernels of a case in the interpreter; what is wrong, or None."""
    kernels = str(path.with_suffix(".tile.mlir"))
    status, output = run([str(Path(shutil.which(tile_run)).with_name("tile-opt")), str(path),
                          f"--pass-pipeline=builtin.module({tile_pipeline(block)})", "-o", kernels])
    if status == 0:
        inputs = case.flags(f"{path.parent}/")[1]
        status, output = run([tile_run, kernels, "--backend=interp", inputs,
                              f"--outputs={','.join(outputs)}"])
    wrong = f"exit status {status}\n{output.strip()}" if status != 0 else compare(case, outputs)
    return wrong and f"kernels on interp against NumPy: {wrong}"


def check(case, tile_run, block=None):
    """Runs a case; returns what is wrong in words, or None."""
    with tempfile.TemporaryDirectory() as folder:
        path = case.write(folder)
        outputs = [f"{folder}/out{i}.npy" for i in range(len(case.expected))]
        if block and model.BACKEND == "cpu" and (wrong := check_kernels(case, path, tile_run, block, outputs)):
            return wrong
        for o in outputs:
            Path(o).unlink(missing_ok=True)
        flags = case.flags(f"{folder}/", block) + [f"--outputs={','.join(outputs)}"]
        status, output = run([tile_run, str(path), *flags])
        against_numpy = compare(case, outputs)
        if status == 0 and against_numpy is None:
            return None
        found = []
        if status != 0:
            found.append(f"tile-run: exit status {status}\n{output.strip()}")
        if status == 0 or os.path.exists(outputs[0]):
            found.append(f"{model.BACKEND} against NumPy: " + (against_numpy or "equal"))
        # Who is right? Ask the interpreter alone.
        for o in outputs:
            Path(o).unlink(missing_ok=True)
        flags = ["--backend=interp", flags[1], flags[-1]]
        status, output = run([tile_run, str(path), *flags])
        found.append("interp against NumPy: " + (
            f"exit status {status}" if status else compare(case, outputs) or "equal"))
        return "\n".join(found)


def keep(case, folder, block=None):
    """Saves a failing case; returns the command line that runs it."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    path = case.write(folder, block)
    return shlex.join(["tile-run", str(path), *case.flags(f"{path.parent}/", block)])


def run_all(options, numbers):
    """Checks the cases; returns the exit status."""
    stop = threading.Event()
    start = last = time.monotonic()
    done = mismatches = 0
    status = 0

    def work(number):
        late = options.time_limit and time.monotonic() - start > options.time_limit
        if stop.is_set() or late:
            return None
        case = draw_case(options.seed, number)
        wrong = check(case, options.tile_run, options.tile)
        # An interrupt also reaches tile-run: what it left does not count.
        return None if stop.is_set() else (case, wrong)

    pool = ThreadPoolExecutor(options.jobs)
    try:
        for future in as_completed([pool.submit(work, n) for n in numbers]):
            if future.result() is None:
                continue
            case, wrong = future.result()
            done += 1
            if wrong:
                mismatches += 1
                command = keep(case, options.keep, options.tile)
                print(f"\nMISMATCH: case {case.number} of seed {options.seed}: {case.specs}\n"
                      f"{wrong}\n\n{case.text}\n"
                      f"run it:   {command}\n"
                      f"again:    einsum_property.py --tile-run {options.tile_run} "
                      f"--seed {options.seed} --only {case.number}\n", flush=True)
            now = time.monotonic()
            if done % 50 == 0 or now - last > 5:
                last = now
                print(f"{done}/{len(numbers)} specs, {mismatches} mismatches, "
                      f"{done / (now - start):.1f} a second", flush=True)
    except KeyboardInterrupt:
        status = 130
        print("interrupted", flush=True)
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
    if status == 0 and done < len(numbers):
        print(f"stopped at the time limit of {options.time_limit} s, {len(numbers) - done} left")
    print(f"property: {done} specs, {mismatches} mismatches, seed {options.seed}")
    return status or int(mismatches > 0)


# --------------------------------------------------------------------------
# Tests of this test
# --------------------------------------------------------------------------


def brute_force(contract, values):
    """A contraction by Python's loops and `eval`, where `values` has its operands.

    Integers and sums of integers in floats are exact here; returns an array that
    only the result's type remains to be applied to.
    """
    operands = [values[name] for name in contract.operands]
    if contract.precision == "tf32":
        operands = [oracle.round_tf32(x) for x in operands]
    terms, result = oracle.parse_spec(contract.spec)
    tables, pad, *known = contract.context(values)
    size = oracle.letter_sizes(terms, result, [x.shape for x in operands], tables, pad, *known)
    texts = [re.findall(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[A-Za-z]", term)
             for term in oracle.split_terms(contract.spec.partition("->")[0])]
    code = [[compile(axis.replace("/", "//"), "axis", "eval") for axis in term] for term in texts]
    total = np.zeros([size[c] for c in result], object)
    letters = list(result) + [c for c in size if c not in result]
    for point in np.ndindex(*(size[c] for c in letters)):
        names = dict(zip(letters, point)) | tables
        product = 1
        for operand, term in zip(operands, code):
            at = tuple(int(eval(axis, {}, names)) for axis in term)
            inside = all(0 <= i < n for i, n in zip(at, operand.shape))
            if not inside and pad != "zero":
                raise AssertionError(f"reads outside: {contract.spec}")
            product *= operand[at].item() if inside else 0
        total[point[:len(result)]] += product
    if oracle.is_float(contract.element):
        return total.astype(np.float64)
    # Python's integers are exact: wrap them as i32 does.
    return np.asarray((total + 2**31) % 2**32 - 2**31).astype(np.int64)


# A tile-run --batch whose backends are the oracle; with a fault, one element is wrong.
STAND_IN = """#!{python}
import re, shlex, sys
sys.path.insert(0, {folder!r})
import numpy as np, numpy_einsum as oracle
for line in sys.stdin:
    file, *options = shlex.split(line)
    flags = dict(a[2:].partition("=")[::2] for a in options)
    program = oracle.Program.parse(open(file).read())
    inputs = [oracle.load(f, a.type.element)
              for f, a in zip(flags["inputs"].split(","), program.arguments)]
    values = program.run(inputs)
    for f, r, t in zip(flags["outputs"].split(","), program.results, program.types):
        x = values[r].copy()
        if {fault} and x.size:
            i = x.size // 2
            x.flat[i] = 0 if x.flat[i] else 1
        oracle.save(f, x, t.element)
    print("[batch] 0", flush=True)
"""

# What a run of the generator must have drawn, by what its text contains.
FEATURES = {
    "tables": r"tables\(", "two-letter tables": r"\[\w, ?\w\]", "pad": '"zero"',
    "sizes": r"sizes = ", "acc": "acc = ", "tf32": "precision = ", "dynamic sizes": r"\?x", "outs": r"outs\(",
    "tensor.empty": r"tensor\.empty", "several contractions": r"contract[\s\S]*contract",
    "two results": r"return %\w+, ", "rank-0 result": r'-> ?"', "rank-0 operand": r'(", |, ,|, ->)',
    "one operand": r'" \(%\w+\)', "three operands": r'" \(%\w+, %\w+, %\w+\)',
    "diagonal": r'(?:"|, ?)\w*(\w)\w*\1\w*(?:,| ?->)', "division": r"\w/", "modulus": "%[0-9]",
    "product of letters": r"[a-z]\*[a-z][^\w\[]", "reversed": r"[\d(]-\w", "size 0": r"[<x]0x",
    "scaled": r"\d ?\* ?[a-z]", "divisor with letters": r"/\(\w\+1\)",
    **{element: f"x{element}>" for element in oracle.HELD},
}


def self_test(seed):
    """Tests generator, oracle and comparison without tile-run; returns the exit status."""
    failures = []

    def expect(condition, what):
        if not condition:
            failures.append(what)
            print(f"FAIL: {what}", flush=True)

    # The oracle against numpy.einsum.
    for n in range(200):
        case = draw_case(seed, n, plain=True)
        [contract] = case.program.contracts.values()
        acc = contract.acc or oracle.default_accumulator(contract.element)
        inputs = {a.name: x for a, x in zip(case.program.arguments, case.inputs)}
        reference = np.einsum(contract.spec.replace(" ", ""),
                              *(oracle.convert(inputs[o], acc) for o in contract.operands))
        reference = oracle.convert(reference, contract.result.element)
        expect(np.array_equal(case.expected[0], reference),
               f"oracle and numpy.einsum differ on case {n}: {contract.spec}")
    print("oracle against numpy.einsum: 200 plain specs", flush=True)

    # The oracle against loops over Python's own expressions.
    found = collections.Counter()
    looped = points = 0
    sample = None
    for n in range(SELF_TEST_CASES):
        case = draw_case(seed, n)
        for feature, pattern in FEATURES.items():
            found[feature] += bool(re.search(pattern, case.text))
        [(_, contract), *others] = case.program.contracts.items()
        exact = case.tolerance == 0
        values = case.program.run(case.inputs)
        if exact and not others and points < 400_000:
            total = brute_force(contract, values)
            looped += 1
            points += total.size * case.program.reduction(values)
            expect(np.array_equal(case.expected[0],
                                  oracle.convert(total, contract.result.element)),
                   f"oracle and loops differ on case {n}: {contract.spec}")
        if exact and case.expected[0].size > 4 and case.expected[0].any():
            sample = case
    print(f"oracle against Python loops: {looped} specs, {points} points or more", flush=True)
    print(f"drawn in {SELF_TEST_CASES} cases: "
          + ", ".join(f"{feature} {found[feature]}" for feature in FEATURES), flush=True)
    for feature in FEATURES:
        expect(found[feature] > 0, f"the generator never draws: {feature}")

    # Rounding to bf16 against the usual arithmetic on the bits of finite f32.
    bits = np.random.default_rng(seed).integers(0, 2**32, 100_000, np.uint32)
    bits[:1000] = (bits[:1000] & 0xFFFF0000) | 0x8000  # ties
    bits = bits[np.isfinite(bits.view(np.float32))]
    nearest = ((bits.astype(np.uint64) + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16)
    expect(np.array_equal(oracle.round_bf16(bits.view(np.float32)),
                          nearest.astype(np.uint32).view(np.float32)), "rounding to bf16")
    expect(oracle.round_bf16(1 + 2.0**-8 + 2.0**-40) == 1 + 2.0**-7, "f64 is rounded twice")

    # Wrong answers are noticed.
    right = sample.expected[0]
    for what, change in {
            "an element off by one": lambda x: x + (np.arange(x.size).reshape(x.shape) == 1),
            "a permuted result": lambda x: x.reshape(-1)[::-1].reshape(x.shape) + 0.5,
            "another shape": lambda x: x[..., None],
            "NaN": lambda x: x * np.nan}.items():
        error, _ = oracle.difference(change(right.astype(np.float64)), right)
        expect(not error <= 0, f"unnoticed: {what}")
    expect(oracle.difference(right, right)[0] == 0, "a right answer is found wrong")

    # The whole way, with a tile-run that is right and one that is wrong.
    with tempfile.TemporaryDirectory() as folder:
        for fault in (False, True):
            path = Path(folder) / f"tile-run-{fault}"
            path.write_text(STAND_IN.format(python=sys.executable, fault=fault,
                                            folder=str(Path(oracle.__file__).parent)))
            path.chmod(0o755)
            for n in range(12):
                case = draw_case(seed, n)
                wrong = check(case, str(path))
                sizes = [x.size for x in case.expected]
                # An empty result has nothing that could be wrong.
                if not fault or any(sizes):
                    expect(bool(wrong) == fault, f"case {n} with fault={fault}: {wrong}")
    print("stand-ins for tile-run: 12 right ones, 12 wrong ones", flush=True)
    print(f"self-test: {len(failures)} failures, seed {seed}")
    return int(bool(failures))


# --------------------------------------------------------------------------
# Command line
# --------------------------------------------------------------------------


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--tile-run", help="path of tile-run")
    parser.add_argument("--count", type=int, default=500, help="cases to draw")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, metavar="N", help="draw case N alone")
    parser.add_argument("--jobs", type=int, default=2, help="cases in flight")
    parser.add_argument("--keep", default="property-failures", metavar="DIR",
                        help="where failing cases go")
    parser.add_argument("--time-limit", type=float, metavar="S",
                        help="start no case after so many seconds")
    parser.add_argument("--tile", metavar="BLOCK",
                        help="make tile kernels of blocks of so many rows, columns and depth, as 8x8x4")
    parser.add_argument("--backend", choices=["cpu", "sim"], default="cpu",
                        help="sim: kernels for a GPU, on the simulator")
    parser.add_argument("--self-test", action="store_true", help="test this test; no tile-run")
    parser.add_argument("--generate", metavar="DIR", help="write the cases; no tile-run")
    options = parser.parse_args()
    numbers = range(options.count) if options.only is None else [options.only]
    model.BACKEND = options.backend

    if options.self_test:
        return self_test(options.seed)
    if options.generate:
        Path(options.generate).mkdir(parents=True, exist_ok=True)
        for n in numbers:
            draw_case(options.seed, n).write(options.generate)
        print(f"{len(numbers)} cases of seed {options.seed} in {options.generate}")
        return 0
    if not options.tile_run or not shutil.which(options.tile_run):
        parser.error("--tile-run PATH of an executable is needed")
    return run_all(options, numbers)


if __name__ == "__main__":
    sys.exit(main())
