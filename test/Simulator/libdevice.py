"""Checks the simulator on CUDA's libdevice, as clang links it or by name, against mpmath and Python.

    libdevice.py --tile-run PATH [--libdevice FILE] [--declared] [--ftz] [--only REGEX] [--list]

Each function is called by a kernel of its own, on arguments at random and on zeros, infinities, NaN, and the numbers next
to where types end; libdevice_reference.py has what it should give, with the errors that CUDA documents. The kernels are
linked with libdevice's bitcode by llvm-link, or with --declared call functions that have no body, which the simulator
knows by name. --ftz asks libdevice for zeros in place of subnormal numbers. Prints which functions do not load and which
are wrong; fails if one is wrong. Not run by CI, which has no libdevice.
"""
import argparse
import glob
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import mpmath
import numpy as np
from harness import batch
from libdevice_reference import EXACT, FUNCTIONS, Rounded

COUNT = 256
DTYPES = {"float": np.float32, "double": np.float64, "i32": np.int32, "i64": np.int64, "i16": np.int16}
DEFINE = re.compile(r"^define (?:zeroext )?(\w+) @__nv_(\w+)\(([^)]*)\)", re.M)
POINTED = {"frexpf": "i32", "frexp": "i32", "remquof": "i32", "remquo": "i32"}  # others: the type of the number


def get_signatures(libdevice):
    """{name: (result type, types of operands)}"""
    text = subprocess.run(["llvm-dis-22", libdevice, "-o", "-"], capture_output=True, text=True, check=True).stdout
    return {name: (result, [a.split()[0] for a in arguments.split(",")])
            for result, name, arguments in DEFINE.findall(text)}


def get_inputs(name, types, reference, rng):
    """Arrays of arguments."""
    arrays = []
    for i, kind in enumerate(types):
        span = reference.ranges[i] if i < len(reference.ranges) else None
        if kind in ("float", "double"):
            dtype = DTYPES[kind]
            x = rng.standard_normal(COUNT)
            if span:
                x = rng.uniform(*span, COUNT)
            else:
                x[::2] *= 2.0 ** rng.integers(-60, 60, COUNT // 2)
            x = x.astype(dtype)
            if span is None or (reference.special and span[0] <= 0):
                info = np.finfo(dtype)
                edges = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -1.5]
                edges += [info.tiny, info.tiny / 2, -info.tiny / 4, info.max, -info.max] if not span else []
                edges += [math.inf, -math.inf, math.nan] if reference.special else []
                chosen = rng.choice(COUNT, 3 * len(edges), replace=False)
                x[chosen] = np.tile(np.array(edges, dtype), 3)
        elif span:
            x = rng.integers(span[0], span[1] + 1, COUNT).astype(DTYPES[kind])
        else:
            bits = DTYPES[kind](0).itemsize * 8
            x = rng.integers(-2 ** (bits - 1), 2 ** (bits - 1), COUNT, dtype=np.int64) >> rng.integers(0, bits, COUNT)
            x[:8] = [0, 1, -1, 2, -2, -2 ** (bits - 1), 2 ** (bits - 1) - 1, -2 ** (bits - 1) + 1]
            if name.startswith(("ldexp", "scalbn")):
                x = rng.integers(-300, 300, COUNT)
            x = x.astype(DTYPES[kind])
        arrays.append(x)
    return arrays


class Call:
    """How a function is called: which arguments are inputs, outputs through pointers, or arrays."""

    def __init__(self, name, result, operands):
        self.name, self.result, self.operands = name, result, operands
        number = "float" if "float" in [result, *operands] else "double"
        self.is_norm = name in ("norm", "rnorm", "normf", "rnormf")
        self.inputs = [number] * 4 if self.is_norm else [t for t in operands if t != "ptr"]
        pointers = 0 if self.is_norm else operands.count("ptr")
        self.outputs = [] if result == "void" else [result]
        if name in ("nan", "nanf"):
            self.inputs = ["i64"]
        else:
            self.outputs += [POINTED.get(name, number)] * pointers

    def write(self):
        def at(array, kind):
            return f"getelementptr {kind}, ptr addrspace(1) %{array}, i64 %i"
        lines, parameters = [], []
        for i, kind in enumerate(self.inputs):
            parameters.append(f"ptr addrspace(1) %in{i}")
            lines += [f"%pin{i} = {at(f'in{i}', kind)}", f"%x{i} = load {kind}, ptr addrspace(1) %pin{i}"]
        for i, kind in enumerate(self.outputs):
            parameters.append(f"ptr addrspace(1) %out{i}")
            lines.append(f"%pout{i} = {at(f'out{i}', kind)}")
        passed, values = [], iter(range(len(self.inputs)))
        outputs = iter(range(self.result != "void", len(self.outputs)))
        for kind in self.operands:
            if kind != "ptr" and not self.is_norm:
                passed.append(f"{kind} %x{next(values)}")
            elif kind != "ptr":
                passed.append("i32 4")
            elif self.is_norm:
                lines.append(f"%array = alloca [4 x {self.result}]")
                for i in range(4):
                    lines += [f"%e{i} = getelementptr {self.result}, ptr %array, i32 {i}",
                              f"store {self.result} %x{i}, ptr %e{i}"]
                passed.append("ptr %array")
            elif self.name in ("nan", "nanf"):
                lines.append("%tag = addrspacecast ptr addrspace(1) %pin0 to ptr")
                passed.append("ptr %tag")
            else:
                o = next(outputs)
                lines.append(f"%generic{o} = addrspacecast ptr addrspace(1) %pout{o} to ptr")
                passed.append(f"ptr %generic{o}")
        call = f"call {self.result} @__nv_{self.name}({', '.join(passed)})"
        lines += [call] if self.result == "void" else [
            f"%r = {call}", f"store {self.result} %r, ptr addrspace(1) %pout0"]
        return (f"declare {self.result} @__nv_{self.name}({', '.join(self.operands)})\n"
                "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                f"define ptx_kernel void @k({', '.join(parameters)}) {{\n"
                "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n%i = zext i32 %t to i64\n" +
                "\n".join(lines) + "\nret void\n}\n")


def as_number(value, signed):
    """A Python number of an element of an array; zeros, infinities and NaN stay floats."""
    if value.dtype.kind == "i":
        return int(value) if signed else int(value) & (2 ** (8 * value.itemsize) - 1)
    number = float(value)
    return number if number == 0 or not math.isfinite(number) else mpmath.mpf(number)


def neighbours(exact, dtype):
    """The numbers of a type on both sides of `exact`, or it twice."""
    info = np.finfo(dtype)
    if abs(exact) > mpmath.mpf(float(info.max)):
        return (info.max, dtype(np.inf)) if exact > 0 else (dtype(-np.inf), dtype(-info.max))
    with np.errstate(all="ignore"):
        near = dtype(float(mpmath.mpf(exact)))
    if mpmath.mpf(float(near)) == exact:
        return near, near
    if mpmath.mpf(float(near)) < exact:
        return near, np.nextafter(near, dtype(np.inf))
    return np.nextafter(near, dtype(-np.inf)), near


def round_to(exact, dtype, rounding):
    """`exact` rounded to a type."""
    if exact == 0 or mpmath.isinf(exact) or mpmath.isnan(exact):
        return dtype(float(exact))
    exact = mpmath.mpf(exact)
    down, up = neighbours(exact, dtype)
    if down == up or rounding in ("rd", "ru"):
        return down if rounding == "rd" else up
    if rounding == "rz":
        return down if exact > 0 else up
    info = np.finfo(dtype)
    last = mpmath.mpf(2) ** (info.maxexp - info.nmant - 1)
    ends = [mpmath.mpf(float(v)) if np.isfinite(v) else math.copysign(1, v) * (mpmath.mpf(float(info.max)) + last)
            for v in (down, up)]
    middle = (ends[0] + ends[1]) / 2
    if exact != middle:
        return down if exact < middle else up
    unsigned = np.uint32 if dtype == np.float32 else np.uint64
    return down if int(down.view(unsigned)) % 2 == 0 else up


def is_right(found, expected, reference, ftz):
    dtype = found.dtype.type
    if expected is None:
        return True  # left open
    if found.dtype.kind == "i":
        return (int(found) - int(expected)) % 2 ** (8 * found.itemsize) == 0
    info = np.finfo(dtype)
    flushed = ftz and dtype == np.float32
    if isinstance(expected, Rounded):
        with mpmath.workprec(EXACT):
            want = round_to(expected.value, dtype, expected.rounding)
        if np.isnan(want) or np.isnan(found):
            return bool(np.isnan(want) and np.isnan(found))
        if flushed and abs(float(want)) < info.tiny and found == 0:
            return True
        return bool(want == found and (want != 0 or np.signbit(want) == np.signbit(found)
                                       or not isinstance(expected.value, float)))
    expected = mpmath.re(expected)
    if mpmath.isnan(expected) or np.isnan(found):
        return bool(mpmath.isnan(expected) and np.isnan(found))
    largest = mpmath.mpf(float(info.max))
    if mpmath.isinf(expected) or abs(expected) > largest:
        close = reference.ulps and abs(expected) < largest * 2 and abs(float(found)) == info.max
        return bool(np.isinf(found) and (found > 0) == (expected > 0)) or bool(close)
    if np.isinf(found):
        return bool(reference.ulps and abs(expected) > largest * (1 - reference.ulps * float(info.eps)))
    if flushed and abs(expected) < info.tiny * 1.01 and abs(found) in (0, info.tiny):
        return True
    exponent = mpmath.frexp(expected)[1] if expected else info.minexp
    unit = mpmath.mpf(2) ** max(exponent - info.nmant - 1, info.minexp - info.nmant)
    return bool(abs(mpmath.mpf(float(found)) - expected) <= (reference.ulps or 0.5) * unit + reference.absolute)


def compare(call, reference, inputs, outputs, ftz):
    """What is wrong; "" if nothing is."""
    for i in range(COUNT):
        x = [as_number(a[i], reference.signed) for a in inputs]
        if ftz and any(a.dtype == np.float32 and 0 < abs(a[i]) < np.finfo(np.float32).tiny for a in inputs):
            continue  # zero, or what it is, as the function's instructions say
        expected = reference.function(*x)
        expected = expected if isinstance(expected, tuple) else (expected,)
        for output, want in zip(outputs, expected):
            if not is_right(output[i], want, reference, ftz):
                text = want.value if isinstance(want, Rounded) else want
                return f"of {[a[i] for a in inputs]}: {output[i]!r}, expected {text}"
    return ""


def check(options, name, signature, folder):
    """("right" | "wrong" | "not loaded", why)"""
    reference, call = FUNCTIONS[name], Call(name, *signature)
    source = pathlib.Path(folder, "k.ll")
    flag = '!llvm.module.flags = !{!0}\n!0 = !{i32 4, !"nvvm-reflect-ftz", i32 1}\n' if options.ftz else ""
    source.write_text('target triple = "nvptx64-nvidia-cuda"\n' + call.write() + flag)
    if not options.declared:
        linked = source.with_suffix(".bc")
        subprocess.run(["llvm-link-22", "--only-needed", "--suppress-warnings", str(source), options.libdevice, "-o",
                        str(linked)], check=True, capture_output=True)
        source = linked
    inputs = get_inputs(name, call.inputs, reference, np.random.default_rng(sum(map(ord, name))))
    texts, outputs = [], []
    for i, array in enumerate(inputs):
        np.save(f"{folder}/in{i}.npy", array)
        texts.append(f"{folder}/in{i}.npy")
    for i, kind in enumerate(call.outputs):
        np.save(f"{folder}/zero{i}.npy", np.zeros(COUNT, DTYPES[kind]))
        texts.append(f"{folder}/zero{i}.npy")
        outputs.append(f"{folder}/out{i}.npy")
    names = [f"{folder}/in{i}.out.npy" for i in range(len(inputs))] + outputs
    status, text = batch.run([options.tile_run, str(source), "--backend=sim", "--entry=k", "--grid=1",
                              f"--block={COUNT}", f"--chip={options.chip}", "--inputs=" + ",".join(texts),
                              "--outputs=" + ",".join(names)])
    if status:
        return "not loaded" if "cannot simulate" in text else "wrong", " ".join(text.split())[:300]
    wrong = compare(call, reference, inputs, [np.load(o) for o in outputs], options.ftz)
    return ("wrong", wrong) if wrong else ("right", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--libdevice", help="libdevice.10.bc; default: that of an installed CUDA toolkit")
    parser.add_argument("--chip", default="sm_80")
    parser.add_argument("--only", default="", help="functions whose name this regular expression matches")
    parser.add_argument("--declared", action="store_true", help="functions without bodies, known by name")
    parser.add_argument("--ftz", action="store_true", help="subnormal numbers of f32 are zeros")
    parser.add_argument("--list", action="store_true", help="print each function that does not load, with the reason")
    options = parser.parse_args()
    found = glob.glob("/usr/local/cuda*/nvvm/libdevice/libdevice.10.bc")
    if not options.libdevice and not found:
        print("no libdevice.10.bc: expected that of a CUDA toolkit in /usr/local, or --libdevice")
        return 0
    options.libdevice = options.libdevice or found[0]
    results = {"right": [], "wrong": [], "not loaded": [], "no reference": []}
    with tempfile.TemporaryDirectory() as folder:
        for name, signature in get_signatures(options.libdevice).items():
            if not re.search(options.only, name):
                continue
            kind, why = check(options, name, signature, folder) if name in FUNCTIONS else ("no reference", "")
            results[kind].append(name)
            if kind == "wrong" or (options.list and kind != "right"):
                print(f"{name}: {kind}: {why}", flush=True)
    print(", ".join(f"{len(names)} {kind}" for kind, names in results.items()))
    return 1 if results["wrong"] or results["no reference"] else 0


if __name__ == "__main__":
    sys.exit(main())
