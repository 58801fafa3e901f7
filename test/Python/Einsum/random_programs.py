# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random contractions of test/Property/einsum_programs.py by tileir.einsum, in random layouts, against NumPy.

    random_programs.py SOURCE [--seed 1] [--count 300] [--only N] [--gpu]

Each operand and the result are in C order, in another order of axes, with gaps,
or reversed (operands alone: that is copied). Types of operands, sums and result
are mixed as the programs have them. With --gpu all but tables are in C order in
the memory of a GPU, as a rule of the simulated one.
"""

import argparse
import random
import re
import sys
import warnings

import numpy as np

import tileir

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32}
if ml_dtypes:
    DTYPES |= {"bf16": ml_dtypes.bfloat16, "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2}
CONTRACT = re.compile(r'einsum\.contract "([^"]*)" \(([^)]*)\)(?:\s*tables\(.*?\))?\s*(\{.*?\})?'
                      r"\s*: \((.*?)\) -> tensor<(.*?)>\n", re.S)


def make_view(shape, dtype, rng, is_output=False):
    """An array of a shape in a random layout, and what may not be written."""
    layout = rng.choice(["dense", "permuted", "gaps", "offset"] + ["reversed"] * (not is_output))
    # The dots keep an array without axes an array.
    if layout == "permuted":
        order = rng.sample(range(len(shape)), len(shape))
        whole = np.zeros([shape[axis] for axis in order], dtype)
        return whole.transpose(np.argsort(order)), whole
    if layout == "gaps":
        whole = np.zeros([2 * size + 1 for size in shape], dtype)
        return whole[(..., *[slice(1, None, 2)] * len(shape))], whole
    if layout == "offset":
        whole = np.zeros([size + 3 for size in shape], dtype)
        return whole[(..., *(slice(2, 2 + size) for size in shape))], whole
    whole = np.zeros(shape, dtype)
    return (whole[(..., *[slice(None, None, -1)] * len(shape))] if layout == "reversed" else whole), whole


def place(values, dtype, rng):
    view, _ = make_view(values.shape, dtype, rng)
    view[...] = values.astype(dtype)
    return view


def run(case, rng):
    """What is wrong with one case, or None; Redraw if it is none of einsum's."""
    found = CONTRACT.findall(case.text)
    if len(found) != 1 or case.text.count("einsum.contract") != 1:
        raise model.Redraw
    spec, names, attributes, types, result = found[0]
    elements = re.findall(r"tensor<(?:\d+x)*(\w+)>", types)
    result_type = result.split("x")[-1]
    if "?" in types + result or "precision" in attributes or not {*elements, result_type} <= DTYPES.keys():
        raise model.Redraw
    values = {argument.name: np.asarray(x) for argument, x in zip(case.program.arguments, case.inputs)}
    names = [name.strip()[1:] for name in names.split(",") if name.strip()]
    tables = dict.fromkeys(re.findall(r"([A-Za-z_]\w*)\[", spec))
    if any(name not in values for name in [*names, *tables]):
        raise model.Redraw
    expected = np.asarray(case.expected[0])
    operands = [place(values[name], DTYPES[element], rng) for name, element in zip(names, elements)]
    options = {"tables": {name: place(values[name], rng.choice([np.int32, np.int64]), rng) for name in tables},
               "sizes": {letter: int(size) for letter, size in re.findall(r"\b(\w) = (\d+)", attributes)}}
    options["sizes"] |= zip(spec.split("->")[1].strip(), expected.shape)
    if '"zero"' in attributes:
        options["pad"] = "zero"
    if acc := re.search(r"acc = (\w+)", attributes):
        options["acc"] = acc[1]
    if device:
        return run_on_gpu(spec, operands, options, DTYPES[result_type], expected, case)
    options["threads"] = rng.choice([1, 2])
    out, whole = make_view(expected.shape, DTYPES[result_type], rng, is_output=True)
    whole[...] = 32  # which all types have
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tileir.CopyWarning)
        if tileir.einsum(spec, *operands, out=out, **options) is not out:
            return "expected the array that was given"
    wrong = compare(out, expected, case)
    out[...] = 32
    return wrong or (None if (whole.astype(float) == 32).all() else "expected gaps of the output to stay")


def run_on_gpu(spec, operands, options, dtype, expected, case):
    if any(x.dtype.name not in ("float16", "float32", "float64", "int8", "int32") for x in [*operands, np.empty(0, dtype)]):
        raise model.Redraw  # __cuda_array_interface__ has no names for the others
    out = device.DeviceArray(np.full(expected.shape, 32, dtype))
    tileir.einsum(spec, *map(device.DeviceArray, operands), out=out, **options)
    return compare(out.numpy(), expected, case)


def compare(out, expected, case):
    """What is wrong with a result, or None."""
    got = np.array(out.astype(np.int64 if out.dtype.kind == "i" else np.float64), ndmin=expected.ndim)
    error, where = model.oracle.difference(got.astype(expected.dtype), expected)
    return None if error <= case.tolerance else f"{where}; error {error:.3g}"


def main():
    global device, model
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300, help="cases that are drawn")
    parser.add_argument("--only", type=int, help="the number of the one case to run")
    parser.add_argument("--gpu", action="store_true", help="on a GPU")
    options = parser.parse_args()
    sys.path.insert(0, f"{options.source}/test/Property")
    import einsum_programs as model

    device = None
    if options.gpu:
        sys.path.insert(0, f"{options.source}/test/Python/Cuda")
        import device
        device.start()
    if not ml_dtypes:
        print("left out: cases of bfloat16 and float8, for ml_dtypes is missing")
    ran = failed = 0
    for number in range(options.count) if options.only is None else [options.only]:
        case = model.draw_case(options.seed, number)
        try:
            wrong = run(case, random.Random(number))
        except model.Redraw:
            continue
        except (ValueError, TypeError, RuntimeError) as error:
            wrong = f"{type(error).__name__}: {error}"
        ran += 1
        if wrong:
            failed += 1
            print(f"case {number} of seed {options.seed}: {wrong}\n{case.text}", flush=True)
    print(f"{ran} contractions, {failed} failed")
    sys.exit(failed > 0 or (options.only is None and ran < options.count // (10 if device else 5)))


if __name__ == "__main__":
    main()
